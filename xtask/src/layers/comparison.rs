//! How secrets are compared: `ct_eq` looks at everything, and `==` on a type that has it is `ct_eq`.
//!
//! The sources are held to this, because machine code does not always show it: of `==` on 32 bytes the compiler
//! makes code without a branch for x86 and 64-bit ARM, where `lanner-ct` looks, and a call of `memcmp`, which stops
//! at the first difference, for a Cortex-M.

use std::collections::HashSet;

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

use super::tokens::words;

/// What a comparison in constant time has no use for: choices, early ends, and verdicts as plain truth values.
const EARLY: &[&str] = &[
    "all",
    "any",
    "bool",
    "break",
    "cmp",
    "contains",
    "continue",
    "ends_with",
    "eq",
    "find",
    "if",
    "loop",
    "match",
    "ne",
    "partial_cmp",
    "position",
    "return",
    "starts_with",
    "while",
];

/// What is compared otherwise in a file, outside tests: lines, and what stands there.
pub(super) fn otherwise(tokens: TokenStream) -> Vec<(usize, String)> {
    let mut comparisons = Comparisons::default();
    comparisons.read(tokens);
    let Comparisons {
        early: mut found,
        constant_time,
        plain,
    } = comparisons;
    for (line, name) in plain {
        if constant_time.contains(&name) {
            found.push((line, format!("{name} has ct_eq, and == does without it")));
        }
    }
    found
}

#[derive(Default)]
struct Comparisons {
    /// What stands in a `ct_eq` and may end early.
    early: Vec<(usize, String)>,
    /// Types with `ConstantTimeEq`.
    constant_time: HashSet<String>,
    /// Types with a `PartialEq` that is not `ct_eq`.
    plain: Vec<(usize, String)>,
}

impl Comparisons {
    fn read(&mut self, tokens: TokenStream) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let mut derived = None;
        let mut at = 0;
        while let Some(tree) = trees.get(at) {
            at += 1;
            match tree {
                TokenTree::Ident(ident) => match (ident.to_string().as_str(), trees.get(at)) {
                    ("mod", Some(TokenTree::Ident(name))) if *name == "tests" => at += 2,
                    ("struct" | "enum", Some(TokenTree::Ident(name))) => {
                        self.plain
                            .extend(derived.take().map(|line| (line, name.to_string())));
                    }
                    ("impl", _) => {
                        let header: Vec<_> =
                            trees[at..].iter().take_while(|t| !is_body(t)).collect();
                        if let Some(TokenTree::Group(body)) = trees.get(at + header.len()) {
                            self.implementation(&header, body);
                        }
                    }
                    ("fn", Some(TokenTree::Ident(name))) if *name == "ct_eq" => {
                        if let Some(TokenTree::Group(body)) =
                            trees[at..].iter().find(|t| is_body(t))
                        {
                            self.constant_time_body(body.stream());
                        }
                    }
                    _ => {}
                },
                TokenTree::Group(group) => {
                    let inner = words(group.stream());
                    let is_derive = group.delimiter() == Delimiter::Bracket
                        && inner.first().is_some_and(|name| name == "derive");
                    if is_derive && inner.iter().any(|name| name == "PartialEq") {
                        derived = Some(group.span_open().start().line);
                    }
                    self.read(group.stream());
                }
                _ => {}
            }
        }
    }

    /// `impl Trait for Type`, its header and its body.
    fn implementation(&mut self, header: &[&TokenTree], body: &Group) {
        let named = header.iter().map(|tree| match tree {
            TokenTree::Ident(ident) => ident.to_string(),
            _ => String::new(),
        });
        let named: Vec<String> = named.collect();
        let Some(of) = named.iter().rposition(|word| word == "for") else {
            return;
        };
        let (traits, types) = named.split_at(of);
        let Some(name) = types[1..].iter().find(|word| !word.is_empty()) else {
            return;
        };
        let implements = |name: &str| traits.iter().any(|word| word == name);
        if implements("ConstantTimeEq") {
            self.constant_time.insert(name.clone());
        }
        if implements("PartialEq") && !words(body.stream()).iter().any(|word| word == "ct_eq") {
            let line = body.span_open().start().line;
            self.plain.push((line, name.clone()));
        }
    }

    fn constant_time_body(&mut self, body: TokenStream) {
        let mut before = None;
        for tree in body {
            match tree {
                TokenTree::Ident(ident) => {
                    let word = ident.to_string();
                    if EARLY.contains(&word.as_str()) {
                        let line = ident.span().start().line;
                        self.early.push((line, format!("{word} in ct_eq")));
                    }
                    before = None;
                }
                TokenTree::Punct(punct) => {
                    let (sign, line) = (punct.as_char(), punct.span().start().line);
                    match (before, sign) {
                        (Some(first @ ('=' | '!')), '=') | (Some(first @ '&'), '&') => {
                            self.early.push((line, format!("{first}{sign} in ct_eq")));
                        }
                        (_, '?') => self.early.push((line, String::from("? in ct_eq"))),
                        _ => {}
                    }
                    before = (punct.spacing() == Spacing::Joint).then_some(sign);
                }
                TokenTree::Group(group) => {
                    self.constant_time_body(group.stream());
                    before = None;
                }
                TokenTree::Literal(_) => before = None,
            }
        }
    }
}

fn is_body(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use proc_macro2::TokenStream;

    use super::otherwise;
    use crate::layers::{law, source, workspace};

    fn found(text: &str) -> Vec<String> {
        let found = otherwise(TokenStream::from_str(text).expect("is Rust"));
        found.into_iter().map(|(_, what)| what).collect()
    }

    fn body(text: &str) -> Vec<String> {
        found(&format!(
            "impl ConstantTimeEq for Key {{ fn ct_eq(&self, other: &Self) -> Choice {{ {text} }} }}"
        ))
    }

    #[test]
    fn a_comparison_may_not_end_early() {
        for whole in [
            "self.bytes.ct_eq(&other.bytes)",
            "with_field!(F => { let (a, b) = f::<F>(); a.ct_eq(&b) & a.x.ct_eq(&b.x) })",
            "self.0.iter().zip(&other.0).fold(Choice::from(1), |same, (x, y)| same & x.ct_eq(y))",
        ] {
            assert_eq!(body(whole), [""; 0], "{whole}");
        }
        for early in [
            "Choice::from(u8::from(self.bytes == other.bytes))",
            "Choice::from(u8::from(!(self.bytes != other.bytes)))",
            "u8::from(self.bytes.eq(&other.bytes)).into()",
            "with_field!(F => { if a { b } else { c } })",
            "u8::from(zip.all(|(a, b)| same(a, b))).into()",
            "first(self)? & second(self)",
        ] {
            assert_eq!(body(early).len(), 1, "{early}: {:?}", body(early));
        }
    }

    #[test]
    fn equality_is_that_comparison() {
        const HAS: &str = "impl<T> subtle::ConstantTimeEq for Key<T> {}";
        for (more, count) in [
            (
                "impl PartialEq for Key { fn eq(&self, o: &Self) -> bool { self.ct_eq(o).into() } }",
                0,
            ),
            (
                "impl<T> PartialEq for Key<T> { fn eq(&self, o: &Self) -> bool { self.0 == o.0 } }",
                1,
            ),
            (
                "impl PartialEq for Other { fn eq(&self, o: &Self) -> bool { self.0 == o.0 } }",
                0,
            ),
            ("#[derive(Clone, PartialEq, Eq)] pub struct Key(u8);", 1),
            ("#[derive(PartialEq)] struct Other; struct Key(u8);", 0),
            ("mod tests { #[derive(PartialEq)] struct Key; }", 0),
        ] {
            assert_eq!(found(&format!("{HAS} {more}")).len(), count, "{more}");
        }
    }

    /// The law of sources in the tests too, and proof that it looks at something.
    #[test]
    fn the_sources_keep_the_law() {
        let members = workspace::members("").expect("cargo answers");
        let apart = (law::APART.iter())
            .flat_map(|apart| workspace::members(apart.directory).expect("cargo answers"));
        let apart: Vec<_> = apart.collect();
        let files = source::read_all(&members, &apart).expect("the sources are Rust");
        assert_eq!(source::check(&members, &files), [""; 0]);
        let scalar = crate::process::root().join("crates/curve/src/scalar/mod.rs");
        let text = std::fs::read_to_string(scalar).expect("it is there");
        let right = "self.bytes.ct_eq(&other.bytes)";
        assert!(text.contains(right), "{right}");
        let wrong = "Choice::from(u8::from(self.bytes == other.bytes))";
        assert_eq!(found(&text.replace(right, wrong)), ["== in ct_eq"]);
    }
}
