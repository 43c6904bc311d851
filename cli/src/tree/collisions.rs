//! Names that are one name elsewhere.
//!
//! Some file systems take `Makefile` and `makefile` for the same name, and some take the two ways to write `é` in Unicode
//! for the same. A tree that has both names would there have one file, and which of the two would be chance.

use super::Name;
use std::collections::HashMap;
use unicode_normalization::UnicodeNormalization;

/// The first two names, of files or of directories, that are the same to a file system without letter case or with
/// normal forms of Unicode. Names that are not UTF-8 are the same as themselves alone.
pub(crate) fn first<'a>(names: impl IntoIterator<Item = &'a Name>) -> Option<(String, String)> {
    // Every name on the way: of each directory, and of the file.
    let mut seen: HashMap<String, &str> = HashMap::new();
    for name in names {
        let Ok(text) = std::str::from_utf8(&name.0) else {
            continue;
        };
        let ends = text.match_indices('/').map(|(at, _)| at);
        for end in ends.chain([text.len()]) {
            let whole = &text[..end];
            let other = *seen.entry(folded(whole)).or_insert(whole);
            if other != whole {
                return Some((other.to_owned(), whole.to_owned()));
            }
        }
    }
    None
}

/// What all names have in common that are the same without letter case and in normal form. Twice each, because either
/// step may undo what the other one has done (Unicode, D145: canonical caseless matching).
fn folded(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    let fold = |text: String| {
        // Upper case first: ß and ss, ſ and s.
        text.to_uppercase().to_lowercase().nfd().collect::<String>()
    };
    fold(fold(name.nfd().collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_one_name_elsewhere() {
        for (a, b, same) in [
            ("a", "A", true),
            ("a", "b", false),
            ("d/x", "D/y", true),
            ("d/x", "d/X", true),
            ("d/x", "e/X", false),
            ("caf\u{e9}", "cafe\u{301}", true),
            ("CAF\u{c9}", "cafe\u{301}", true),
            ("stra\u{df}e", "STRASSE", true),
            ("\u{3a3}", "\u{3c2}", true),
            ("a", "a.b", false),
            ("a/b", "a/c", false),
        ] {
            let names = [a, b].map(|name| Name(name.as_bytes().to_vec()));
            assert_eq!(first(&names).is_some(), same, "{a} {b}");
        }
        let names = [&b"\xff"[..], b"\xfe"].map(|name| Name(name.to_vec()));
        assert_eq!(first(&names), None);
    }
}
