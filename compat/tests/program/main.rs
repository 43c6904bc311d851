//! A program on the dalek libraries, versions 2 and 3 of each (4 and 5 of the curve) at once. It is built twice, from two
//! manifests: on the packages of the registry, and with those replaced by Lanner's. What it prints must be the same.

#[path = "../../../interop/drop-in/program/curve.rs"]
mod curve;
mod derived;
#[path = "../../../interop/drop-in/program/ed25519.rs"]
mod ed25519;
#[path = "../../../interop/drop-in/program/ristretto.rs"]
mod ristretto;
mod serialised;
#[path = "../../../interop/drop-in/program/story.rs"]
mod story;
mod version_2;
mod version_3;
#[path = "../../../interop/drop-in/program/x25519.rs"]
mod x25519;

fn main() {
    let mut story = story::Story::default();
    version_2::tell(&mut story);
    curve::tell(&mut story);
    ristretto::tell(&mut story);
    ed25519::tell(&mut story);
    x25519::tell(&mut story);
    version_3::tell(&mut story);
    serialised::tell(&mut story);
    derived::tell(&mut story);
    for line in story.into_lines() {
        println!("{line}");
    }
}
