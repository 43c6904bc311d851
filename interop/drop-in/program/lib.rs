//! A program as users of the dalek libraries write it. It is compiled twice, from two manifests:
//! on those libraries, and on Lanner under their names. Its story (every result as a line of text)
//! must come out the same.

mod curve;
mod ed25519;
mod story;
mod x25519;

/// Everything that the program does, one result a line.
#[must_use]
pub fn story() -> Vec<String> {
    let mut story = story::Story::default();
    curve::tell(&mut story);
    ed25519::tell(&mut story);
    x25519::tell(&mut story);
    story.into_lines()
}
