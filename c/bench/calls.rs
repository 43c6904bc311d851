//! `calls OPERATION COUNT`: what calls.c does, by the Rust functions themselves.

use std::hint::black_box;

use lanner_ed25519::profile::ProfileName;
use lanner_ed25519::{Signature, Signer, SigningKey, VerifyingKey};
use lanner_x25519::{PublicKey, StaticSecret};

fn main() {
    let mut args = std::env::args().skip(1);
    let operation = args.next().expect("an operation");
    let count: u64 = args.next().expect("a count").parse().expect("a number");
    let (seed, message) = ([7; 32], [9; 64]);
    let key = SigningKey::from_bytes(&seed);
    let public = key.verifying_key().to_bytes();
    let mut out = key.sign(&message).to_bytes();
    for _ in 0..count {
        match operation.as_str() {
            "sign" => out = black_box(&key).sign(black_box(&message)).to_bytes(),
            "verify" => VerifyingKey::from_bytes(black_box(&public))
                .and_then(|key| {
                    let signature = Signature::from_bytes(&out);
                    key.verify_by_name(
                        black_box(ProfileName::Strict),
                        black_box(&message),
                        &signature,
                    )
                })
                .expect("valid"),
            "public" => {
                let key = SigningKey::from_bytes(black_box(&seed));
                out[..32].copy_from_slice(key.verifying_key().as_bytes());
            }
            "x25519" => {
                let secret = StaticSecret::from(*black_box(&seed));
                let theirs = PublicKey::from(*black_box(&public));
                let shared = secret
                    .diffie_hellman_checked(&theirs)
                    .expect("contributory");
                out[..32].copy_from_slice(shared.as_bytes());
            }
            _ => panic!("unknown operation"),
        }
    }
    println!("{:02x}", out[0]);
}
