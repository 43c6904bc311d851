//! A program as users of the dalek libraries and of fn-dsa write it. It is compiled twice, from two
//! manifests: on those libraries, and on Lanner under their names. Its story (every result as a line of text)
//! must come out the same.

mod curve;
mod ed25519;
mod fn_dsa;
mod fn_dsa_parts;
mod ristretto;
mod story;
mod x25519;

mod names {
    include!(concat!(env!("CARGO_MANIFEST_DIR"), "/fn_dsa_names.rs"));
}

/// Everything that the program does, one result a line.
#[must_use]
pub fn story() -> Vec<String> {
    let mut story = story::Story::default();
    curve::tell(&mut story);
    ristretto::tell(&mut story);
    ed25519::tell(&mut story);
    x25519::tell(&mut story);
    fn_dsa::tell(&mut story);
    fn_dsa_parts::tell(&mut story);
    story.into_lines()
}
