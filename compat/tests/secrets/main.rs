//! What the packages in others' names do with secrets, under valgrind with the secrets marked: no branch and no address
//! may depend on one. They have no arithmetic of their own, but types, copies and conversions.
//!
//! Prints a line for each check, and fails if memcheck reported anything in it, if a result is another than without marks, or
//! if the control, which branches on a secret, was not reported.

#[path = "../../../ct/src/memcheck.rs"]
mod memcheck;

mod curve;
mod keys;

use std::process::ExitCode;

/// The input of a check.
#[derive(Clone)]
struct Secrets {
    seed: [u8; 32],
    other: [u8; 32],
    wide: [u8; 64],
    /// Public.
    message: &'static [u8],
    /// Public: the Ed25519 public key of `wide`, expanded.
    public: [u8; 32],
}

/// A check: its name, and what it runs. What it returns is declassified before anybody looks at it.
type Check = (&'static str, fn(&Secrets) -> Vec<u8>);

/// A leak, which must be reported: a branch for each byte.
const CONTROL: Check = ("control", |s| {
    let equal = s.seed.iter().zip(&s.other).position(|(a, b)| a != b);
    let at = std::hint::black_box(equal).unwrap_or(32);
    vec![u8::try_from(at).expect("at most 32")]
});

fn main() -> ExitCode {
    if !memcheck::is_present() {
        eprintln!("valgrind -q target/release/secrets");
        return ExitCode::FAILURE;
    }
    let mut failed = false;
    for (name, run) in curve::ALL.iter().chain(keys::ALL.concat().iter()) {
        let (reports, same) = observe(*run);
        println!(
            "{name}: {reports} reports, results {}",
            if same { "agree" } else { "differ" }
        );
        failed |= reports != 0 || !same;
    }
    let (reports, _) = observe(CONTROL.1);
    println!("{}: {reports} reports", CONTROL.0);
    failed |= reports == 0;
    ExitCode::from(u8::from(failed))
}

/// How many reports there were with the secrets marked, and whether the result is what it is without.
fn observe(run: fn(&Secrets) -> Vec<u8>) -> (usize, bool) {
    let secrets = Secrets::new();
    let expected = run(&secrets);
    let mut marked = Box::new(secrets.clone());
    memcheck::classify(&marked.seed);
    memcheck::classify(&marked.other);
    memcheck::classify(&marked.wide);
    let before = memcheck::errors();
    let mut found = run(&marked);
    let reports = memcheck::errors() - before;
    memcheck::declassify(&mut found);
    memcheck::declassify(&mut marked.seed);
    memcheck::declassify(&mut marked.other);
    memcheck::declassify(&mut marked.wide);
    (reports, found == expected)
}

impl Secrets {
    fn new() -> Self {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = || {
            state = state.wrapping_mul(0xD129_0D3E_2C5B_4A75).wrapping_add(1);
            state.to_be_bytes()[0]
        };
        let wide = [(); 64].map(|()| next());
        let expanded = ed25519_dalek_2::hazmat::ExpandedSecretKey::from_bytes(&wide);
        Self {
            seed: [(); 32].map(|()| next()),
            other: [(); 32].map(|()| next()),
            wide,
            message: b"a message",
            public: ed25519_dalek_2::VerifyingKey::from(&expanded).to_bytes(),
        }
    }
}
