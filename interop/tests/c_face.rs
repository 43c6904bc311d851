//! The C face against this one: each on what the other made.
//!
//! The C side is the program `c/tests/interop.c`, linked with liblanner and talking through a pipe.
//! `cargo xtask c-test` builds it, names it in `LANNER_C_INTEROP`, and runs these tests; so do the
//! steps of `cargo xtask test --full` that force a backend, on the Rust side only, so that two backends meet.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use lanner_ed25519::pkcs8::spki::der::pem::LineEnding;
use lanner_ed25519::pkcs8::{DecodePrivateKey, EncodePrivateKey};
use lanner_ed25519::{Digest, Sha512, Signature, Signer, SigningKey, Verifier};
use lanner_fn_dsa::shake::SeededRng;
use lanner_fn_dsa::{
    DomainContext, HASH_ID_RAW, SigningKeyStandard, sign_key_size, signature_size,
};
use lanner_interop::{skip, start};
use lanner_x25519::{PublicKey, StaticSecret};

struct CSide {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl CSide {
    fn start() -> Option<Self> {
        let program = std::env::var_os("LANNER_C_INTEROP").unwrap_or_default();
        if !Path::new(&program).is_file() {
            skip("the C face: no C program; cargo xtask c-test makes it");
            return None;
        }
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the C program starts");
        Some(CSide {
            requests: child.stdin.take().expect("piped"),
            answers: BufReader::new(child.stdout.take().expect("piped")),
            child,
        })
    }

    fn ask(&mut self, what: &str, fields: &[&[u8]]) -> String {
        let mut line = String::from(what);
        for field in fields {
            line.push(':');
            line.push_str(&hex::encode(field));
        }
        line.push('\n');
        self.requests.write_all(line.as_bytes()).expect("it reads");
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("it answers");
        assert!(answer.ends_with('\n'), "no answer to {line}");
        answer.truncate(answer.len() - 1);
        answer
    }

    fn end(self) {
        let Self {
            mut child,
            requests,
            ..
        } = self;
        drop(requests);
        assert!(child.wait().expect("it ends").success());
    }
}

fn bytes(rng: &mut fastrand::Rng, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    rng.fill(&mut bytes);
    bytes
}

fn bytes32(rng: &mut fastrand::Rng) -> [u8; 32] {
    let mut bytes = [0; 32];
    rng.fill(&mut bytes);
    bytes
}

#[test]
#[ignore = "needs the C program: cargo xtask c-test"]
fn signatures_pass_both_ways() {
    let rng = &mut start("c face: signatures_pass_both_ways");
    let Some(mut c) = CSide::start() else { return };
    let (mut valid, mut invalid) = (0, 0);
    for i in 0..200 {
        let key = SigningKey::from_bytes(&bytes32(rng));
        let message = bytes(rng, i * 3);
        let public = key.verifying_key();
        assert_eq!(
            c.ask("public", &[key.as_bytes()]),
            hex::encode(public.as_bytes())
        );

        let signed = hex::decode(c.ask("sign", &[key.as_bytes(), &message])).expect("hex");
        let signed = Signature::from_slice(&signed).expect("64 bytes");
        public
            .verify_strict(&message, &signed)
            .expect("Rust accepts what C signed");

        let mut signature = key.sign(&message).to_bytes();
        if i % 3 == 0 {
            signature[i % 64] ^= 1 << (i % 8);
        }
        let rust = public
            .verify(&message, &Signature::from_bytes(&signature))
            .is_ok();
        let said = c.ask("verify", &[public.as_bytes(), &message, &signature]);
        assert_eq!(said, if rust { "valid" } else { "invalid" });
        if rust {
            valid += 1
        } else {
            invalid += 1
        }

        let context = bytes(rng, i % 256);
        let signed = c.ask("ph", &[key.as_bytes(), &context, &message]);
        let signed = Signature::from_slice(&hex::decode(signed).expect("hex")).expect("64 bytes");
        let hash = Sha512::new_with_prefix(&message);
        public
            .verify_prehashed_strict(hash, Some(&context), &signed)
            .expect("Rust accepts what C signed");
    }
    assert!(valid > 50 && invalid > 50);
    c.end();
}

#[test]
#[ignore = "needs the C program: cargo xtask c-test"]
fn key_agreement_and_key_files_pass_both_ways() {
    let rng = &mut start("c face: key_agreement_and_key_files_pass_both_ways");
    let Some(mut c) = CSide::start() else { return };
    for _ in 0..100 {
        let mine = StaticSecret::from(bytes32(rng));
        let theirs = StaticSecret::from(bytes32(rng));
        let shared = mine.diffie_hellman(&PublicKey::from(&theirs));
        let said = c.ask(
            "x25519",
            &[theirs.as_bytes(), PublicKey::from(&mine).as_bytes()],
        );
        assert_eq!(said, hex::encode(shared.as_bytes()));

        let key = SigningKey::from_bytes(&bytes32(rng));
        let pem = key.to_pkcs8_pem(LineEnding::LF).expect("it encodes");
        assert_eq!(c.ask("pem", &[key.as_bytes()]), hex::encode(pem.as_bytes()));
        let v2 = key.to_pkcs8_v2_pem(LineEnding::CRLF).expect("it encodes");
        assert_eq!(
            c.ask("unpem", &[v2.as_bytes()]),
            hex::encode(key.verifying_key().as_bytes())
        );
        assert_eq!(SigningKey::from_pkcs8_pem(&v2).expect("it decodes"), key);
    }
    c.end();
}

#[test]
#[ignore = "needs the C program: cargo xtask c-test"]
fn fn_dsa_passes_both_ways() {
    let rng = &mut start("c face: fn_dsa_passes_both_ways");
    let Some(mut c) = CSide::start() else { return };
    let (mut valid, mut invalid) = (0, 0);
    for i in 0..20 {
        let logn = if i % 2 == 0 { 9 } else { 10 };
        let key = SigningKeyStandard::from_seed_of_degree(logn, &bytes32(rng))
            .expect("a degree of the type");
        let mut secret = vec![0; sign_key_size(logn)];
        key.write_bytes(&mut secret).expect("the length");
        let public_key = key.verifying_key();
        let mut public = vec![0; lanner_fn_dsa::vrfy_key_size(logn)];
        public_key.write_bytes(&mut public).expect("the length");
        assert_eq!(c.ask("fnpublic", &[&secret]), hex::encode(&public));

        let (message, context) = (bytes(rng, i * 9), bytes(rng, i * 12));
        let context = DomainContext(&context);
        let signed = c.ask("fnsign", &[&secret, context.0, &message]);
        let signed = hex::decode(signed).expect("hex");
        public_key
            .try_verify(&signed, &context, &HASH_ID_RAW, &message)
            .expect("Rust accepts what C signed");

        let mut signature = vec![0; signature_size(logn)];
        let seeded = &mut SeededRng::new(&bytes32(rng));
        key.sign_bytes(seeded, &context, &HASH_ID_RAW, &message, &mut signature)
            .expect("it signs");
        if i % 4 == 0 {
            signature[60 + i] ^= 1;
        }
        let said = c.ask("fnverify", &[&public, context.0, &message, &signature]);
        assert_eq!(said, if i % 4 == 0 { "invalid" } else { "valid" });
        if i % 4 == 0 { invalid += 1 } else { valid += 1 }
    }
    assert!(valid > 5 && invalid > 3);
    c.end();
}

/// The test runner holds back what a passing test prints: what is left out must be seen all the same.
#[test]
fn without_the_c_program_the_tests_say_so() {
    let output = Command::new(std::env::current_exe().expect("this binary"))
        .args(["--include-ignored", "--exact", "fn_dsa_passes_both_ways"])
        .env_remove("LANNER_C_INTEROP")
        .output()
        .expect("the test starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("SKIPPED: the C face: no C program"), "{said}");
}
