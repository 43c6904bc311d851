//! The controls: what the compiler makes of functions that leak is found by the law, and of one that does not is
//! not.

use std::fs;
use std::process::Command;

use super::{Arguments, Kind, Program, suspects};

const SOURCE: &str = r#"
use core::hint::black_box;

#[inline(never)]
pub fn branches(secret: &[u8; 32]) -> u32 {
    if secret[3] > 100 { black_box(7) } else { 5 }
}

#[inline(never)]
pub fn divides(secret: &[u32; 8]) -> u32 {
    secret[0] / (secret[1] | 1)
}

#[inline(never)]
pub fn compares(secret: &[u8; 100], other: &[u8; 100]) -> bool {
    secret == other
}

#[inline(never)]
pub fn copies(secret: &[u64; 100]) -> u32 {
    let mut mine = [0; 100];
    black_box(&mut mine);
    mine.copy_from_slice(secret);
    black_box(&mine);
    if mine[50] > 100 { black_box(7) } else { 5 }
}

pub struct Held<'a> {
    to: &'a mut u64,
    from: &'a u64,
}

#[inline(never)]
pub fn stores(held: &mut Held<'_>) {
    *held.to = *held.from;
}

#[inline(never)]
pub fn holds(secret: &u64) -> u32 {
    let mut mine = 0;
    stores(&mut Held { to: &mut mine, from: secret });
    if mine > 100 { black_box(7) } else { 5 }
}

#[inline(never)]
pub fn vartime_work(secret: &u64) -> u64 {
    black_box(*secret)
}

#[inline(never)]
pub fn calls(secret: &u64) -> u64 {
    vartime_work(secret) + 1
}

#[inline(never)]
pub fn sums(secret: &[u64], length: usize) -> u64 {
    let mut masks = [0_u64; 100];
    for (i, mask) in masks.iter_mut().enumerate() {
        *mask = black_box(i as u64);
    }
    let mut sum = 0_u64;
    for i in 0..length.min(secret.len()) {
        sum = sum.wrapping_add(secret[i] & masks[i % 100]);
    }
    sum
}
"#;

#[test]
fn functions_that_leak_are_found() {
    let directory = std::env::temp_dir().join(format!("lanner-control-{}", std::process::id()));
    fs::create_dir_all(&directory).expect("a directory");
    let source = directory.join("control.rs");
    let archive = directory.join("control.rlib");
    fs::write(&source, SOURCE).expect("written");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let compiled = Command::new(rustc)
        .args([
            "--edition=2024",
            "--crate-type=rlib",
            "--crate-name=control",
        ])
        .args(["-Copt-level=3", "-Csymbol-mangling-version=v0", "-o"])
        .args([&archive, &source])
        .status()
        .expect("a compiler");
    assert!(compiled.success());
    let program = Program::read(&[archive]).expect("an archive");
    fs::remove_dir_all(directory).expect("removed");
    let kinds = |name: &str| {
        let root = program.functions.iter().position(|of| of.name == name);
        let (suspects, _) = suspects(&program, &[(root.expect(name), Arguments::Public)]);
        let kinds: Vec<Kind> = suspects.iter().map(|suspect| suspect.kind).collect();
        kinds
    };
    for (name, kind) in [
        ("control::branches", Kind::Branch),
        ("control::divides", Kind::Division),
        ("control::compares", Kind::Call),
        ("control::copies", Kind::Branch),
        ("control::holds", Kind::Branch),
        ("control::calls", Kind::Call),
    ] {
        let found = kinds(name);
        assert!(found.contains(&kind), "{name}: {found:?}");
    }
    assert_eq!(kinds("control::sums"), []);
}
