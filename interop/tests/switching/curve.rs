//! curve25519-dalek 5: what the page says is not the same, on both.

use std::panic::catch_unwind;

use curve25519_dalek as theirs;
use lanner_curve as own;
use lanner_interop::{array, start};
use sha2::{Digest as _, Sha512};

use crate::page::{PAGE, raw_rows};

/// Both cells of a row, and what shows it.
type Case = (&'static str, &'static str, fn());

const CASES: &[Case] = &[
    (
        "`Debug` of points shows coordinates, that of a scalar its bytes",
        "points show their encoding, scalars nothing",
        shown,
    ),
    (
        "`hash_to_curve`, `encode_to_curve` panic for a tag of more than 255 bytes",
        "such tags are hashed first (RFC 9380, section 5.3.3); an empty one panics as there",
        long_tags,
    ),
    (
        "`multiscalar_mul` and `vartime_multiscalar_mul` panic where an iterator does not tell its length, or two differ",
        "they panic where two differ, and take iterators of any kind",
        iterators,
    ),
    (
        "`map_to_curve_inverse` orders what it finds by the coordinates that a point happens to have",
        "the same, with coordinates of its own: the order may differ, the even ones come first",
        inverses,
    ),
    (
        "`MultiscalarMul` of `RistrettoPoint` and Edwards points needs `alloc`",
        "that of Edwards points does not: without it, it takes one multiplication a term",
        // Builds without it are the steps about `no_std`.
        || {},
    ),
    (
        "`Group::random` of a Ristretto point may give the neutral element",
        "it does not",
        // By a chance of one in 2^252.
        || {},
    ),
];

#[test]
fn from_curve25519_dalek() {
    start("curve25519-dalek, switching");
    let said = raw_rows(PAGE, "## curve25519-dalek");
    let cases = CASES
        .iter()
        .map(|(old, new, _)| vec![String::from(*old), String::from(*new)]);
    assert_eq!(cases.collect::<Vec<_>>(), said);
    for (_, _, show) in CASES {
        show();
    }
}

fn shown() {
    let bytes = theirs::constants::ED25519_BASEPOINT_COMPRESSED.to_bytes();
    let encoding = format!("{bytes:?}");
    let point = format!("{:?}", theirs::constants::ED25519_BASEPOINT_POINT);
    assert!(point.contains("X: ") && !point.contains(&encoding));
    let point = format!("{:?}", own::constants::ED25519_BASEPOINT_POINT);
    assert!(point.contains(&encoding), "{point}");
    let scalar = format!("{:?}", theirs::Scalar::from(201_u64));
    assert!(scalar.contains("201"), "{scalar}");
    assert_eq!(format!("{:?}", own::Scalar::from(201_u64)), "Scalar(..)");
}

fn long_tags() {
    let (message, tag) = ([&b"message"[..]], [7; 300]);
    let short: [u8; 64] = Sha512::new()
        .chain_update(b"H2C-OVERSIZE-DST-")
        .chain_update(tag)
        .finalize()
        .into();
    macro_rules! both {
        ($call:ident) => {{
            use own::EdwardsPoint as Own;
            use theirs::EdwardsPoint as Theirs;
            assert!(catch_unwind(|| Theirs::$call::<Sha512>(&message, &[&tag])).is_err());
            let expected = Theirs::$call::<Sha512>(&message, &[&short]).compress();
            let found = Own::$call::<Sha512>(&message, &[&tag]).compress();
            assert_eq!(found.to_bytes(), expected.to_bytes());
            assert!(catch_unwind(|| Theirs::$call::<Sha512>(&message, &[])).is_err());
            assert!(catch_unwind(|| Own::$call::<Sha512>(&message, &[])).is_err());
        }};
    }
    both!(hash_to_curve);
    both!(encode_to_curve);
}

fn iterators() {
    macro_rules! sums {
        ($library:ident, $call:ident, $trait:ident) => {{
            use $library::traits::$trait as _;
            use $library::{EdwardsPoint, Scalar, constants::ED25519_BASEPOINT_POINT};
            let points = [ED25519_BASEPOINT_POINT; 4];
            let sum = |scalars: &[u64], skipping: bool| {
                let scalars: Vec<Scalar> = scalars.iter().map(|s| Scalar::from(*s)).collect();
                catch_unwind(|| {
                    let sum = if skipping {
                        // Of no length that it tells.
                        EdwardsPoint::$call(scalars.iter().filter(|_| true), points.iter())
                    } else {
                        EdwardsPoint::$call(&scalars, &points)
                    };
                    sum.compress().to_bytes()
                })
                .ok()
            };
            let equal = sum(&[1, 2, 3, 4], false);
            assert!(equal.is_some() && sum(&[1, 2, 3], false).is_none());
            (equal, sum(&[1, 2, 3, 4], true))
        }};
    }
    for (theirs, ours) in [
        (
            sums!(theirs, multiscalar_mul, MultiscalarMul),
            sums!(own, multiscalar_mul, MultiscalarMul),
        ),
        (
            sums!(theirs, vartime_multiscalar_mul, VartimeMultiscalarMul),
            sums!(own, vartime_multiscalar_mul, VartimeMultiscalarMul),
        ),
    ] {
        assert_eq!(theirs.1, None);
        assert_eq!(ours, (theirs.0, theirs.0));
    }
}

fn inverses() {
    let mut rng = start("inverses");
    for _ in 0..20 {
        let bytes: [u8; 64] = array(&mut rng);
        let theirs = theirs::RistrettoPoint::from_uniform_bytes(&bytes).map_to_curve_inverse();
        let ours = own::RistrettoPoint::from_uniform_bytes(&bytes).map_to_curve_inverse();
        let [theirs, ours] = [theirs.map(Option::from), ours.map(Option::from)];
        for found in [&theirs, &ours] {
            let found: &[Option<[u8; 32]>; 16] = found;
            let (even, odd) = found.split_at(8);
            assert!(even.iter().flatten().all(|bytes| bytes[0] & 1 == 0));
            assert!(odd.iter().flatten().all(|bytes| bytes[0] & 1 == 1));
        }
        let [mut theirs, mut ours] = [theirs, ours];
        theirs.sort_unstable();
        ours.sort_unstable();
        assert_eq!(theirs, ours);
    }
}

/// What a row about fn-dsa 0.3 says: theirs panic, ours is `false`.
#[test]
fn fn_dsa_contexts_of_more_than_255_bytes() {
    use fn_dsa::VerifyingKey as _;
    use lanner_fn_dsa::VerifyingKey as _;
    let row = "| `key.verify(…)` panics for a context of more than 255 bytes | `false`; `try_verify` has an error for it |";
    assert!(PAGE.contains(row));
    let key = lanner_fn_dsa::SigningKey512::from_seed(&[3; 32]).expect("a key");
    let mut public = vec![0; 897];
    key.verifying_key()
        .write_bytes(&mut public)
        .expect("the length");
    let context = [0; 256];
    let mut signature = [0; 666];
    let of_255 = lanner_fn_dsa::DomainContext(&context[..255]);
    let rng = &mut crate::replay::Replay::new(1);
    key.sign_bytes(
        rng,
        &of_255,
        &lanner_fn_dsa::HASH_ID_RAW,
        b"m",
        &mut signature,
    )
    .expect("signs");
    let of_both = |length: usize| {
        let theirs = catch_unwind(|| {
            let key = fn_dsa::VerifyingKeyStandard::decode(&public).expect("a key");
            let context = fn_dsa::DomainContext(&context[..length]);
            key.verify(&signature, &context, &fn_dsa::HASH_ID_RAW, b"m")
        });
        let key = lanner_fn_dsa::VerifyingKeyStandard::decode(&public).expect("a key");
        let context = lanner_fn_dsa::DomainContext(&context[..length]);
        let ours = key.verify(&signature, &context, &lanner_fn_dsa::HASH_ID_RAW, b"m");
        (theirs.ok(), ours)
    };
    assert_eq!(of_both(255), (Some(true), true));
    assert_eq!(of_both(256), (None, false));
}
