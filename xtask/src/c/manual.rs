//! The manual pages of the C functions, made from the headers, whose comments are the reference: a page for each
//! function, and `lanner(3)` with what all have in common, the types and the list.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::layout::{HEADERS, VERSION, include_dir};
use crate::files::read;

/// A header, read as text.
#[derive(Debug, Default)]
struct Header {
    /// Its first comment.
    intro: String,
    sections: Vec<Section>,
}

#[derive(Debug, Default)]
struct Section {
    title: String,
    items: Vec<Item>,
}

/// A declaration or definition, and the comment that stands before it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Item {
    comment: String,
    code: String,
}

impl Item {
    /// The name, if it is a function.
    fn function(&self) -> Option<&str> {
        let is_other = ["#", "typedef", "enum", "struct"]
            .iter()
            .any(|start| self.code.starts_with(start));
        let (before, _) = self.code.split_once('(').filter(|_| !is_other)?;
        before.rsplit([' ', '*']).next()
    }

    /// The name, if it is a type that stands for something else than a number: an object, or a function of the caller's.
    fn type_name(&self) -> Option<&str> {
        let defined = self.code.strip_prefix("typedef ")?;
        let (_, pointed) = defined.split_once("(*").unwrap_or(("", defined));
        let end = pointed.find([')', ';']).filter(|_| pointed != defined);
        match end {
            Some(end) => Some(&pointed[..end]),
            None => defined.trim_end_matches(';').rsplit([' ', '*']).next(),
        }
    }
}

/// Whether C code has a name in it, and not as a part of another one.
fn names(code: &str, name: &str) -> bool {
    code.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|word| word == name)
}

/// The pages: names of files, and what is in them.
///
/// # Errors
///
/// A header cannot be read.
pub(super) fn pages() -> Result<BTreeMap<String, String>, String> {
    let mut pages = BTreeMap::new();
    for name in HEADERS {
        let header = parse(&read(&include_dir().join(name))?);
        let items = || header.sections.iter().flat_map(|section| &section.items);
        for section in &header.sections {
            for item in &section.items {
                if let Some(function) = item.function() {
                    let types = items().filter(|other| {
                        let name = other.type_name();
                        name.is_some_and(|name| names(&item.code, name))
                            && !other.comment.is_empty()
                    });
                    let page = page(name, section, item, function, types);
                    pages.insert(format!("{function}.3"), page);
                }
            }
        }
        if *name == "lanner.h" {
            pages.insert(String::from("lanner.3"), overview(&header));
        }
    }
    Ok(pages)
}

/// What C's preprocessor says of the compiler, and not of the library.
fn is_machinery(line: &str) -> bool {
    let code = line.trim_start();
    code.starts_with('#') && !code.starts_with("#define LANNER_")
        || ["#define LANNER_H", "#define LANNER_CURVED25519_KEY"].contains(&code)
        || code.starts_with("#define LANNER_CHECKED")
        || code.starts_with("extern \"C\"")
        || code == "}"
}

fn parse(text: &str) -> Header {
    let mut header = Header::default();
    header.sections.push(Section::default());
    let mut comment = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if line.trim().is_empty() {
            comment.clear();
        } else if line.starts_with("/*") {
            let mut words = vec![line];
            while !words[words.len() - 1].ends_with("*/") {
                words.extend(lines.next());
            }
            comment = plain(&words);
            if let Some(title) = comment.strip_prefix("---") {
                header.sections.push(Section {
                    title: title.trim_start_matches('-').trim().to_owned(),
                    items: Vec::new(),
                });
            } else if header.intro.is_empty() {
                header.intro = core::mem::take(&mut comment);
            }
        } else if is_machinery(line) {
            let mut last = line;
            while last.ends_with('\\') {
                last = lines.next().unwrap_or_default();
            }
        } else {
            let mut code = vec![line];
            while !is_whole(&code) {
                let Some(next) = lines.next() else { break };
                code.push(next);
            }
            let section = header.sections.last_mut().expect("there is a first");
            section.items.push(Item {
                comment: comment.clone(),
                code: without_suffixes(&code.join("\n")),
            });
        }
    }
    header
}

/// Whether a line of a comment stands as it is: it is indented further than the second line of a point of a list.
fn is_table(line: &str) -> bool {
    line.starts_with("   ")
}

/// The text of a comment.
fn plain(lines: &[&str]) -> String {
    let text: Vec<&str> = lines
        .iter()
        .map(|line| {
            let line = line.trim_end_matches("*/").trim_end();
            let line = line.strip_prefix("/*").unwrap_or(line);
            let line = line.strip_prefix(" *").unwrap_or(line);
            let line = line.strip_prefix(' ').unwrap_or(line);
            match is_table(line) {
                true => line,
                false => line.trim_start_matches(' '),
            }
        })
        .collect();
    text.join("\n").trim().to_owned()
}

fn is_whole(code: &[&str]) -> bool {
    let last = code[code.len() - 1];
    if code[0].starts_with('#') {
        return !last.ends_with('\\');
    }
    let count = |c| {
        code.iter()
            .flat_map(|line| line.chars())
            .filter(|&d| d == c)
            .count()
    };
    last.ends_with(';') && count('{') == count('}')
}

/// The names without the macros that may append something to them, and without what only compilers read.
fn without_suffixes(code: &str) -> String {
    let mut code = code.replace(" LANNER_CHECKED", "");
    // What the functions have that define nothing before the header.
    code = code.replace("CURVE25519_RESULT ", "int ");
    while let Some(at) = code.find("25519_FN(") {
        let start = code[..at]
            .rfind([' ', '\n', '*'])
            .map_or(0, |space| space + 1);
        let end = at + code[at..].find(')').unwrap_or(0);
        code = format!(
            "{}{}{}",
            &code[..start],
            &code[at + "25519_FN(".len()..end],
            &code[end + 1..]
        );
    }
    code
}

fn heading(name: &str) -> String {
    format!(".TH {name} 3 \"\" \"Lanner {VERSION}\" \"liblanner\"\n.SH NAME\n{name} \\- ")
}

/// `types` are those that the function takes and whose comments say something.
fn page<'i>(
    header: &str,
    section: &Section,
    item: &Item,
    function: &str,
    types: impl Iterator<Item = &'i Item>,
) -> String {
    let title = match section.title.split(". ").next() {
        None | Some("") => "in the place of another library",
        Some(title) => title.lines().next().unwrap_or_default(),
    };
    let mut page = heading(function) + title.trim_end_matches('.') + "\n";
    let _ = write!(
        page,
        ".SH SYNOPSIS\n.nf\n#include <{header}>\n.sp\n{}.fi\n.SH DESCRIPTION\n",
        code(&item.code)
    );
    // A function that says nothing itself does what the heading of its part of the header says.
    page.push_str(&match item.comment.as_str() {
        "" if function.ends_with("_clear") => {
            String::from("Wipes an object, in whatever state it is. NULL is accepted.\n")
        }
        "" => prose(&section.title),
        comment => prose(comment),
    });
    for kind in types {
        let name = kind.type_name().unwrap_or_default();
        let _ = write!(page, ".PP\n.IR {name} :\n{}", prose(&kind.comment));
    }
    // What its part of the header says of all functions in it, if that is more than a title.
    if !item.comment.is_empty() && section.title.contains(['\n', '.']) {
        let _ = write!(page, ".SH NOTES\n{}", prose(&section.title));
    }
    if header == "lanner.h" {
        page.push_str(
            ".PP\nWhat all functions have in common (what they return, pointers, overlaps, threads) is in\n.BR lanner (3).\n",
        );
    }
    page + ".SH SEE ALSO\n.BR lanner (3)\n"
}

fn overview(header: &Header) -> String {
    let mut page = heading("lanner");
    page.push_str(
        "Ed25519, X25519, Ristretto255 and FN\\-DSA\n.SH SYNOPSIS\n.nf\n#include <lanner.h>\n.sp\n\
         cc app.c $(pkg\\-config \\-\\-cflags \\-\\-libs lanner)\n.fi\n.SH DESCRIPTION\n",
    );
    page.push_str(&prose(&header.intro));
    for section in &header.sections {
        let functions: Vec<&str> = section.items.iter().filter_map(Item::function).collect();
        let (title, note) = section
            .title
            .split_once('\n')
            .unwrap_or((&section.title, ""));
        if section.items.is_empty() {
            continue;
        }
        let _ = writeln!(page, ".SS {}", escaped(title));
        page.push_str(&prose(note));
        for item in section
            .items
            .iter()
            .filter(|item| item.function().is_none())
        {
            if !item.comment.is_empty() {
                let _ = write!(page, ".PP\n{}", prose(&item.comment));
            }
            let _ = write!(page, ".PP\n.nf\n{}.fi\n", code(&item.code));
        }
        if !functions.is_empty() {
            page.push_str(".PP\n");
        }
        for function in functions {
            let _ = writeln!(page, ".BR {function} (3)");
        }
    }
    page + ".SH SEE ALSO\n.BR lanner (1)\n"
}

fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e");
    match text.starts_with(['.', '\'']) {
        true => format!("\\&{text}"),
        false => text,
    }
}

fn code(text: &str) -> String {
    text.lines()
        .map(|line| escaped(line).replace('-', "\\-") + "\n")
        .collect()
}

/// Paragraphs, lists whose lines begin with a dash, and tables whose lines are indented.
fn prose(text: &str) -> String {
    let mut out = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if is_table(line) {
            let _ = write!(out, ".nf\n{}", code(line));
            while let Some(line) = lines.next_if(|line| is_table(line)) {
                out.push_str(&code(line));
            }
            out.push_str(".fi\n");
            continue;
        }
        match line.strip_prefix("- ") {
            Some(point) => out.push_str(&format!(".IP \\(bu 2\n{}\n", escaped(point))),
            None if line.is_empty() => out.push_str(".PP\n"),
            None => out.push_str(&(escaped(line) + "\n")),
        }
    }
    // A point of a list begins a paragraph itself.
    out.replace(".PP\n.IP", ".IP")
}

#[cfg(test)]
mod tests {
    use super::super::exports::map;
    use super::{Item, pages, parse, without_suffixes};

    #[test]
    fn every_function_has_a_page_that_says_something() {
        let pages = pages().expect("the headers are there");
        let names = map().expect("it is there");
        for name in &names {
            let page = &pages[&format!("{name}.3")];
            let (_, rest) = page.split_once(".SH DESCRIPTION\n").expect("it has one");
            assert!(!rest.starts_with('.'), "{name} has no comment");
            assert!(page.contains(&format!("{name}(")), "{page}");
        }
        // The overview, and what only bare metal has.
        assert_eq!(pages.len(), names.len() + 2);
        assert!(pages["lanner.3"].contains("LANNER_ERROR_FAULT = \\-19"));
    }

    /// What has to be known of an object and of a part of the header stands on the pages of their functions.
    #[test]
    fn pages_say_what_stands_elsewhere() {
        let pages = pages().expect("the headers are there");
        let mut encoders = 0;
        for (name, page) in &pages {
            let function = name.trim_end_matches(".3");
            if ["_to_der", "_to_der_v2", "_to_pem"]
                .iter()
                .any(|end| function.ends_with(end))
            {
                assert!(page.contains("take the room at out in *length"), "{page}");
                encoders += 1;
            }
            if function.starts_with("lanner_fn_dsa_verifier_") {
                assert!(page.contains("the signature, which must stay"), "{page}");
            }
            let (synopsis, rest) = page.split_once(".SH DESCRIPTION").unwrap_or_default();
            if synopsis.contains("void *scratch") {
                assert!(rest.contains("may overlap them"), "{page}");
            }
            if synopsis.contains("lanner_feed feed") {
                assert!(rest.contains("It must return: no longjmp"), "{page}");
            }
        }
        assert!(encoders > 12, "{encoders}");
        // No note of the objects of one kind on the pages of another.
        assert!(!pages["lanner_fn_dsa_public_clear.3"].contains("must stay"));
    }

    /// The lines of a table stand as they do in the header.
    #[test]
    fn tables_stay() {
        let pages = pages().expect("the headers are there");
        for name in ["lanner.3", "lanner_fn_dsa_sign.3"] {
            let (before, table) = pages[name]
                .split_once("scratch, degree 512")
                .expect("it has one");
            assert!(
                before.trim_end_matches(' ').ends_with("\n.nf\n"),
                "{before}"
            );
            let (table, _) = table.split_once(".fi\n").expect("which ends");
            assert!(table.contains("\n   key generation              23 / 46 kB "));
            assert_eq!(table.lines().count(), 7, "{table}");
        }
    }

    #[test]
    fn headers_are_read() {
        let header = parse(
            "/*\n * a.h: words\n *\n * - point\n */\n#ifndef A\n\n/* ----\n * Title. More.\n */\n\n\
             /* Both. */\nint one(int\n   a);\nvoid two(void);\n\nvoid three(void);\n\
             /* Kinds. */\nenum kind {\n    /* It; */\n    A = 1;\n};\n",
        );
        assert_eq!(header.intro, "a.h: words\n\n- point");
        let section = &header.sections[1];
        assert_eq!(section.title, "Title. More.");
        let found: Vec<(Option<&str>, &str)> = section
            .items
            .iter()
            .map(|item| (item.function(), item.comment.as_str()))
            .collect();
        let expected = [
            (Some("one"), "Both."),
            (Some("two"), "Both."),
            (Some("three"), ""),
            (None, "Kinds."),
        ];
        assert_eq!(found, expected);
        let pointer = Item {
            code: String::from("const char *name(int status);"),
            ..Item::default()
        };
        assert_eq!(pointer.function(), Some("name"));
        for (code, name) in [
            ("typedef struct a {\n    int b;\n} object;", "object"),
            ("typedef struct object object;", "object"),
            ("typedef int (*feed)(void *user);", "feed"),
            ("typedef unsigned char bytes[32];", "bytes[32]"),
        ] {
            let item = Item {
                code: String::from(code),
                ..Item::default()
            };
            assert_eq!(item.type_name(), Some(name));
        }
        assert_eq!(pointer.type_name(), None);
    }

    #[test]
    fn names_are_plain() {
        let macros = "void ED25519_FN(ed25519_sign)(int a);";
        assert_eq!(without_suffixes(macros), "void ed25519_sign(int a);");
        let result = "CURVE25519_RESULT CURVE25519_FN(curve25519_donna)(int a);";
        assert_eq!(without_suffixes(result), "int curve25519_donna(int a);");
    }
}
