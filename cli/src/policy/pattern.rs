//! Patterns of file names: `*` and `?` within a part of a path, `**` for any number of whole parts.

use crate::signers::matches;

/// A pattern that is matched against a whole path, from the directory that is judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    text: String,
}

impl Pattern {
    /// Refuses what other programs' patterns have and these do not: it would silently match nothing.
    pub(crate) fn new(text: &str) -> Result<Self, &'static str> {
        if text.starts_with('/') {
            return Err("a pattern begins at the directory that is judged, without a slash");
        }
        if text.contains(['[', ']', '{', '}', '\\', '!']) || text.chars().any(char::is_control) {
            return Err("a pattern has no other signs than *, ** and ?");
        }
        for part in text.split('/') {
            match part {
                "" | "." | ".." => return Err("a pattern has no empty part, . or .."),
                "**" => {}
                _ if part.contains("**") => return Err("** stands between slashes, alone"),
                _ => {}
            }
        }
        Ok(Pattern {
            text: text.to_owned(),
        })
    }

    /// True if the pattern matches the whole name.
    pub(crate) fn matches(&self, name: &[u8]) -> bool {
        let parts: Vec<&[u8]> = name.split(|&byte| byte == b'/').collect();
        let pattern: Vec<&[u8]> = self.text.split('/').map(str::as_bytes).collect();
        // Which of the first parts are matched by the first parts of the pattern. A table, because naive matching of
        // several ** takes exponential time.
        let mut reached = vec![false; parts.len() + 1];
        reached[0] = true;
        for step in pattern {
            let mut next = vec![false; parts.len() + 1];
            if step == b"**" {
                let first = reached.iter().position(|&it| it);
                if let Some(first) = first {
                    next[first..].fill(true);
                }
            } else {
                for (at, part) in parts.iter().enumerate() {
                    next[at + 1] = reached[at] && matches(part, step);
                }
            }
            reached = next;
        }
        reached[parts.len()]
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_paths() {
        for (pattern, name, expected) in [
            ("a", "a", true),
            ("a", "b", false),
            ("*", "a", true),
            ("*", "a/b", false),
            ("*.gz", "x.tar.gz", true),
            ("*.gz", "d/x.tar.gz", false),
            ("**/*.gz", "x.tar.gz", true),
            ("**/*.gz", "d/e/x.tar.gz", true),
            ("bin/**", "bin/a", true),
            ("bin/**", "bin/a/b", true),
            ("bin/**", "lib/a", false),
            ("bin/**", "bin", true),
            ("**", "a/b/c", true),
            ("a/**/z", "a/z", true),
            ("a/**/z", "a/b/c/z", true),
            ("a/**/z", "a/b/c", false),
            ("?", "\u{e9}", false),
            ("a*b?d", "axxbcd", true),
        ] {
            let made = Pattern::new(pattern).unwrap();
            assert_eq!(made.matches(name.as_bytes()), expected, "{pattern} {name}");
        }
        for bad in [
            "", "/a", "a//b", "./a", "../a", "a/", "[ab]", "{a,b}", "!a", "a**", "a\\b", "a\n",
        ] {
            assert!(Pattern::new(bad).is_err(), "{bad}");
        }
        let hard = Pattern::new(&format!("{}z", "**/*/".repeat(60))).unwrap();
        assert!(!hard.matches("a/".repeat(300).as_bytes()));
    }
}
