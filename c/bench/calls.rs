//! `calls OPERATION COUNT [BACKEND]`: what calls.c does, by the Rust functions themselves.

use std::hint::black_box;

use lanner_curve::backend;
use lanner_ed25519::hazmat::ExpandedSecretKey;
use lanner_ed25519::profile::ProfileName;
use lanner_ed25519::{Signature, Signer, SigningKey, VerifyingKey};
use lanner_fn_dsa::shake::SeededRng;
use lanner_fn_dsa::{DOMAIN_NONE, FN_DSA_LOGN_512, HASH_ID_RAW, SigningKey512, signature_size};
use lanner_x25519::{PublicKey, StaticSecret};

fn main() {
    let mut args = std::env::args().skip(1);
    let operation = args.next().expect("an operation");
    let count: u64 = args.next().expect("a count").parse().expect("a number");
    if let Some(name) = args.next() {
        let wanted = backend::list().find(|backend| backend.name() == name);
        backend::force(wanted.expect("it can run here")).expect("it is in the list");
    }
    let (seed, message) = ([7; 32], [9; 64]);
    let key = SigningKey::from_bytes(&seed);
    let public = key.verifying_key().to_bytes();
    let mut out = key.sign(&message).to_bytes();

    let mut lattice_out = [0; signature_size(FN_DSA_LOGN_512)];
    let lattice = operation.starts_with("fn-dsa").then(|| {
        let key = SigningKey512::from_seed_of_degree(FN_DSA_LOGN_512, &seed).expect("its degree");
        key.sign_bytes(
            &mut SeededRng::new(&seed),
            &DOMAIN_NONE,
            &HASH_ID_RAW,
            &message,
            &mut lattice_out,
        )
        .expect("it signs");
        let public = key.verifying_key();
        (key, public)
    });
    for _ in 0..count {
        match (operation.as_str(), &lattice) {
            ("sign", _) => out = black_box(&key).sign(black_box(&message)).to_bytes(),
            ("sign-seed", _) => {
                let secret = ExpandedSecretKey::from(black_box(&seed));
                out = secret.sign(black_box(&message)).to_bytes();
            }
            ("verify", _) => {
                let (key, profile) = black_box((&public, ProfileName::Strict));
                let signature = Signature::from_bytes(&out);
                VerifyingKey::verify_from_bytes(key, profile, black_box(&message), &signature)
                    .expect("valid");
            }
            ("public", _) => {
                let key = SigningKey::from_bytes(black_box(&seed));
                out[..32].copy_from_slice(key.verifying_key().as_bytes());
            }
            ("x25519", _) => {
                let secret = StaticSecret::from(*black_box(&seed));
                let theirs = PublicKey::from(*black_box(&public));
                let shared = secret
                    .diffie_hellman_checked(&theirs)
                    .expect("contributory");
                out[..32].copy_from_slice(shared.as_bytes());
            }
            ("fn-dsa-sign", Some((key, _))) => key
                .sign_bytes(
                    &mut SeededRng::new(black_box(&seed)),
                    &DOMAIN_NONE,
                    &HASH_ID_RAW,
                    black_box(&message),
                    &mut lattice_out,
                )
                .expect("it signs"),
            ("fn-dsa-verify", Some((_, key))) => key
                .try_verify(
                    black_box(&lattice_out),
                    &DOMAIN_NONE,
                    &HASH_ID_RAW,
                    black_box(&message),
                )
                .expect("valid"),
            _ => panic!("unknown operation"),
        }
    }
    println!("{:02x}{:02x}", out[0], lattice_out[42]);
}
