//! Proof that the libraries need no allocator: link them into a static library that has none.
//!
//! A plain build for a bare-metal target proves only that std is absent, because `alloc` exists
//! there as well. The compiler refuses to finish a static library whose crates use `alloc` while
//! nobody provides a global allocator, so finishing one is the proof.

use std::fmt::Write;

use crate::layers::law::LIBRARIES;
use crate::process::{Cmd, target_dir};

/// Builds the libraries without features for `target`, and links them all without an allocator.
///
/// # Errors
///
/// A library does not build there, or one of them needs an allocator.
pub(crate) fn link_without_allocator(target: &str) -> Result<(), String> {
    let packages = LIBRARIES.iter().flat_map(|name| ["-p", name]);
    Cmd::cargo(["build", "--no-default-features", "--target", target])
        .args(packages)
        .run()?;
    let built = target_dir().join(target).join("debug");
    let dir = target_dir().join("no-alloc");
    std::fs::create_dir_all(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    let source = dir.join("probe.rs");
    std::fs::write(&source, probe()).map_err(|error| format!("{}: {error}", source.display()))?;
    let mut rustc = Cmd::new("rustc")
        .args([
            "--edition",
            "2024",
            "--crate-type",
            "staticlib",
            "-C",
            "panic=abort",
        ])
        .args(["--target", target, "--out-dir"])
        .args([dir.display().to_string(), source.display().to_string()])
        .args([
            "-L",
            &format!("dependency={}", built.join("deps").display()),
        ]);
    for name in LIBRARIES {
        let name = name.replace('-', "_");
        let library = built.join(format!("lib{name}.rlib"));
        rustc = rustc.args(["--extern", &format!("{name}={}", library.display())]);
    }
    rustc.run().map(drop)
}

/// A crate that takes in every library and provides the panic handler, but no allocator.
fn probe() -> String {
    let mut text = String::from("#![no_std]\n");
    for name in LIBRARIES {
        let _ = writeln!(text, "extern crate {};", name.replace('-', "_"));
    }
    text.push_str(
        "#[panic_handler]\nfn panic(_: &core::panic::PanicInfo<'_>) -> ! {\n    loop {}\n}\n",
    );
    text
}
