//! Signatures that rules of verification are told apart by.

use curve25519_dalek::constants::EIGHT_TORSION;
use curve25519_dalek::{EdwardsPoint, Scalar};
use lanner_interop::array;
use lanner_interop::encodings::{L, add, small, small_order_not_canonical, unreduced};
use sha2::{Digest as _, Sha512};

/// A public key, a message and a signature.
#[derive(Debug)]
pub(crate) struct Signed {
    pub(crate) key: [u8; 32],
    pub(crate) message: Vec<u8>,
    pub(crate) signature: [u8; 64],
}

fn join(r: &[u8; 32], s: &[u8; 32]) -> [u8; 64] {
    let mut signature = [0; 64];
    signature[..32].copy_from_slice(r);
    signature[32..].copy_from_slice(s);
    signature
}

/// Right ones, with a bit changed, with S + L, of keys and commitments of small and of mixed order, and of encodings that are not
/// reduced.
pub(crate) fn signatures(rng: &mut fastrand::Rng) -> Vec<Signed> {
    let mut all = Vec::new();
    for round in 0..60 {
        let secret = ed25519_dalek::SigningKey::from_bytes(&array(rng));
        let message = lanner_interop::bytes(rng, round * 3);
        let signature = ed25519_dalek::Signer::sign(&secret, &message).to_bytes();
        let key = secret.verifying_key().to_bytes();
        let mut add_one = |key, message: &[u8], signature| {
            all.push(Signed {
                key,
                message: message.to_vec(),
                signature,
            });
        };
        add_one(key, &message, signature);
        add_one(key, &[&message[..], b"!"].concat(), signature);
        let mut changed = signature;
        changed[rng.usize(..64)] ^= 1 << rng.u8(..8);
        add_one(key, &message, changed);
        let mut changed = key;
        changed[rng.usize(..32)] ^= 1 << rng.u8(..8);
        add_one(changed, &message, signature);
        let [r, s] = [0, 32].map(|at| signature[at..at + 32].try_into().expect("32 bytes"));
        add_one(key, &message, join(&r, &add(&s, &L)));
        let [a, r] = [(); 2].map(|()| Scalar::from_bytes_mod_order(array(rng)));
        let mixed = |scalar, rng: &mut fastrand::Rng| {
            let torsion = EIGHT_TORSION[rng.usize(..8)];
            (EdwardsPoint::mul_base(&scalar) + torsion)
                .compress()
                .to_bytes()
        };
        let (key, commitment) = (mixed(a, rng), mixed(r, rng));
        let hash = Sha512::new().chain_update(commitment).chain_update(key);
        let hash = hash.chain_update(&message).finalize();
        let s = r + Scalar::from_bytes_mod_order_wide(&hash.into()) * a;
        add_one(key, &message, join(&commitment, &s.to_bytes()));
    }
    let canonical = EIGHT_TORSION
        .iter()
        .map(|point| point.compress().to_bytes());
    let small_order: Vec<[u8; 32]> = canonical.chain(small_order_not_canonical()).collect();
    for key in small_order.iter().copied().chain(unreduced()) {
        for r in &small_order {
            for (s, number) in [([0; 32], 1_u8), ([0; 32], 2), (small(1), 3)] {
                all.push(Signed {
                    key,
                    message: vec![number],
                    signature: join(r, &s),
                });
            }
        }
    }
    all
}

/// Asserts that two libraries say the same of all, and that it is not always the same.
pub(crate) fn agree(
    rng: &mut fastrand::Rng,
    mut old: impl FnMut(&Signed) -> bool,
    mut new: impl FnMut(&Signed) -> bool,
) {
    let mut number = [0; 2];
    for signed in signatures(rng) {
        let [theirs, ours] = [old(&signed), new(&signed)];
        assert_eq!(ours, theirs, "{signed:02x?}");
        number[usize::from(ours)] += 1;
    }
    assert!(number.iter().all(|number| *number >= 60), "{number:?}");
}
