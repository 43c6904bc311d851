//! Questions to the tokens of a source.

use proc_macro2::{TokenStream, TokenTree};

/// Whether that is this name, or this sign.
pub(super) fn is(tree: Option<&TokenTree>, text: &str) -> bool {
    match tree {
        Some(TokenTree::Ident(ident)) => *ident == text,
        Some(TokenTree::Punct(punct)) => text.len() == 1 && text.starts_with(punct.as_char()),
        _ => false,
    }
}

/// All identifiers of a token stream, inner groups included.
pub(super) fn words(tokens: TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    for tree in tokens {
        match tree {
            TokenTree::Ident(ident) => found.push(ident.to_string()),
            TokenTree::Group(group) => found.extend(words(group.stream())),
            _ => {}
        }
    }
    found
}
