//! The curve, Ed25519 and X25519 on every backend: all give the same. The first byte of an input chooses the operation,
//! so that an execution is a few operations of one kind on each backend, and 10^7 executions are as many comparisons of
//! each pair of backends.

use lanner_curve::constants::ED25519_BASEPOINT_POINT;
use lanner_curve::edwards::{CompressedEdwardsY, DecodingRule, EdwardsPoint, GroupEquation};
use lanner_curve::montgomery::MontgomeryPoint;
use lanner_curve::ristretto::{CompressedRistretto, RistrettoPoint};
use lanner_curve::scalar::Scalar;
use lanner_curve::traits::{MultiscalarMul, VartimeMultiscalarMul};
use lanner_ed25519::profile::ProfileName;
use lanner_ed25519::{PreparedVerifyingKey, Signature, Signer, SigningKey, VerifyingKey};
use lanner_x25519::{x25519, x25519_base_each, x25519_each};

use crate::agree::on_all;
use crate::bytes::Bytes;
use crate::items::{encoding, item, point, scalar};

/// The operations, by name: seeds have one of each, and the documents speak of them.
const OPERATIONS: &[fn(Bytes<'_>)] = &[
    decode_edwards,
    decode_ristretto,
    decode_montgomery,
    map_to_ristretto,
    map_to_curve,
    multiply_base,
    multiply_point,
    double_base,
    sum_in_constant_time,
    sum_in_variable_time,
    agree_on_secrets,
    agree_on_many_secrets,
    make_keys,
    sign,
    sign_many,
    verify,
    verify_prepared,
    equations,
    decode_many,
    groups,
];

/// How many there are of something: mostly few, because each costs time on each backend; seldom more than any lanes.
fn count(bytes: &mut Bytes<'_>) -> usize {
    match bytes.below(16) {
        15 => bytes.below(10),
        few => few / 6,
    }
}

/// Encodings of Edwards points by both rules, and one thing that becomes of a point.
fn decode_edwards(mut bytes: Bytes<'_>) {
    let what = bytes.below(5);
    let encoding = CompressedEdwardsY(encoding(&mut bytes));
    if what == 0 {
        let again = on_all(|| {
            let point = encoding.vartime_decompress(DecodingRule::Canonical)?;
            Some(point.compress())
        });
        assert!(
            again.is_none_or(|again| again == encoding),
            "a second canonical encoding"
        );
        return;
    }
    let lax = encoding.vartime_decompress(DecodingRule::Zip215);
    on_all(|| {
        let point = match what {
            1 => encoding.vartime_decompress(DecodingRule::Zip215),
            _ => encoding.decompress(),
        };
        assert_eq!(point, lax, "in constant time and in variable time");
        let point = point?;
        Some(match what {
            1 => point.compress().0,
            2 => point.to_montgomery().0,
            3 => (point + ED25519_BASEPOINT_POINT).compress().0,
            _ if point.is_small_order() => [1; 32],
            _ => point.mul_by_cofactor().compress().0,
        })
    });
}

/// The same of Ristretto255.
fn decode_ristretto(mut bytes: Bytes<'_>) {
    let encoding = match bytes.below(2) {
        0 => CompressedRistretto(bytes.array()),
        _ => RistrettoPoint::mul_base(&scalar(&mut bytes)).compress(),
    };
    let again = on_all(|| {
        let element = encoding.decompress()?;
        let twice = element + element;
        let doubled = RistrettoPoint::double_and_compress_batch([&element, &twice]);
        assert_eq!(doubled[0], twice.compress());
        Some((element.compress(), doubled))
    });
    if let Some((again, _)) = again {
        assert_eq!(again, encoding, "a second encoding of an element");
    }
}

/// The u-line: to Edwards points, with either sign.
fn decode_montgomery(mut bytes: Bytes<'_>) {
    let sign = bytes.below(2) as u8;
    let u = MontgomeryPoint(bytes.array());
    on_all(|| {
        let point = u.to_edwards(sign)?;
        assert_eq!(point.to_montgomery(), u);
        Some(point.compress())
    });
}

fn map_to_ristretto(mut bytes: Bytes<'_>) {
    let (both, wide) = (bytes.below(2) == 1, bytes.array());
    on_all(|| {
        let element = if both {
            RistrettoPoint::from_uniform_bytes(&wide)
        } else {
            RistrettoPoint::map_to_curve(*wide.first_chunk().expect("32 of 64 bytes"))
        };
        element.compress()
    });
}

/// Elligator 2, there and back.
fn map_to_curve(mut bytes: Bytes<'_>) {
    let (representative, tweak) = (bytes.array(), bytes.byte());
    on_all(|| {
        let point = MontgomeryPoint::map_to_point(&representative);
        let back: Option<[u8; 32]> = point.to_representative(tweak).into();
        (point.to_bytes(), back)
    });
}

fn multiply_base(mut bytes: Bytes<'_>) {
    let pair = bytes.below(4) == 3;
    let (a, b) = (scalar(&mut bytes), scalar(&mut bytes));
    on_all(|| {
        if pair {
            let pair = EdwardsPoint::mul_base_pair(&a, &b);
            pair.map(|point| point.compress())
        } else {
            [EdwardsPoint::mul_base(&a).compress(); 2]
        }
    });
}

fn multiply_point(mut bytes: Bytes<'_>) {
    let clamped = bytes.below(4) == 3;
    let (factor, point) = (scalar(&mut bytes), point(&mut bytes));
    on_all(|| {
        let product = if clamped {
            point.mul_clamped(factor.to_bytes())
        } else {
            point * factor
        };
        product.compress()
    });
}

fn double_base(mut bytes: Bytes<'_>) {
    let (a, b, point) = (scalar(&mut bytes), scalar(&mut bytes), point(&mut bytes));
    let sum =
        on_all(|| EdwardsPoint::vartime_double_scalar_mul_basepoint(&a, &point, &b).compress());
    // In constant time, by other formulas.
    let other = point * a + EdwardsPoint::mul_base(&b);
    assert_eq!(sum, other.compress());
}

/// The terms of a sum, up to 40.
fn terms(bytes: &mut Bytes<'_>) -> (Vec<Scalar>, Vec<EdwardsPoint>) {
    let count = match count(bytes) {
        9 => bytes.below(40),
        few => few,
    };
    (0..count).map(|_| (scalar(bytes), point(bytes))).unzip()
}

fn sum_in_constant_time(mut bytes: Bytes<'_>) {
    let (scalars, points) = terms(&mut bytes);
    on_all(|| EdwardsPoint::multiscalar_mul(&scalars, &points).compress());
}

fn sum_in_variable_time(mut bytes: Bytes<'_>) {
    let (scalars, points) = terms(&mut bytes);
    let sum = on_all(|| EdwardsPoint::vartime_multiscalar_mul(&scalars, &points).compress());
    let other: EdwardsPoint = scalars.iter().zip(&points).map(|(s, p)| p * s).sum();
    assert_eq!(sum, other.compress());
}

fn agree_on_secrets(mut bytes: Bytes<'_>) {
    let k = bytes.array();
    let u = match bytes.below(4) {
        0 => point(&mut bytes).to_montgomery().to_bytes(),
        _ => bytes.array(),
    };
    on_all(|| x25519(k, u));
}

fn agree_on_many_secrets(mut bytes: Bytes<'_>) {
    let (base, count) = (bytes.below(2) == 1, count(&mut bytes));
    let (k, u): (Vec<_>, Vec<_>) = (0..count).map(|_| (bytes.array(), bytes.array())).unzip();
    let shared = on_all(|| {
        let mut shared = vec![[0; 32]; count];
        if base {
            x25519_base_each(&k, &mut shared);
        } else {
            x25519_each(&k, &u, &mut shared);
        }
        shared
    });
    if let Some(at) = count.checked_sub(1).filter(|_| !base) {
        assert_eq!(shared[at], x25519(k[at], u[at]));
    }
}

fn make_keys(mut bytes: Bytes<'_>) {
    let count = count(&mut bytes);
    let seeds: Vec<_> = (0..count).map(|_| bytes.array()).collect();
    let keys = on_all(|| {
        let mut keys = vec![None; count];
        VerifyingKey::from_secret_keys_each(&seeds, &mut keys);
        keys
    });
    if let Some(at) = count.checked_sub(1) {
        let key = SigningKey::from_bytes(&seeds[at]).verifying_key();
        assert_eq!(keys[at], Some(key));
    }
}

fn sign(mut bytes: Bytes<'_>) {
    let seed = bytes.array();
    let message = bytes.rest();
    on_all(|| SigningKey::from_bytes(&seed).sign(message).to_bytes());
}

fn sign_many(mut bytes: Bytes<'_>) {
    let key = SigningKey::from_bytes(&bytes.array());
    let count = count(&mut bytes);
    let messages: Vec<&[u8]> = (0..count)
        .map(|_| {
            let length = bytes.below(256);
            bytes.slice(length)
        })
        .collect();
    let signatures = on_all(|| {
        let mut signatures = vec![Signature::from_bytes(&[0; 64]); count];
        key.sign_each(&messages, &mut signatures);
        signatures
    });
    if let Some(at) = count.checked_sub(1) {
        assert_eq!(signatures[at], key.sign(messages[at]));
    }
}

fn verify(mut bytes: Bytes<'_>) {
    let profile = ProfileName::ALL[bytes.below(ProfileName::ALL.len())];
    let item = item(&mut bytes, 64);
    on_all(|| {
        // The key decoded anew, because a decoded one is the same on all backends.
        let key = VerifyingKey::from_bytes(item.key.as_bytes()).expect("it decoded before");
        key.under(profile)
            .verify(&item.message, &item.signature)
            .is_ok()
    });
}

fn verify_prepared(mut bytes: Bytes<'_>) {
    let profile = ProfileName::ALL[bytes.below(ProfileName::ALL.len())];
    let item = item(&mut bytes, 64);
    let verdict = on_all(|| {
        PreparedVerifyingKey::new(&item.key)
            .under(profile)
            .verify(&item.message, &item.signature)
            .is_ok()
    });
    let single = item.key.under(profile);
    let single = single.verify(&item.message, &item.signature).is_ok();
    assert_eq!(verdict, single);
}

/// The equation of a signature, in as many lanes as there are and in fewer.
fn equations(mut bytes: Bytes<'_>) {
    let count = count(&mut bytes);
    let cofactored = bytes.below(2) == 1;
    let equations: Vec<_> = (0..count)
        .map(|_| {
            let (k, a, r) = (scalar(&mut bytes), scalar(&mut bytes), scalar(&mut bytes));
            let (with_a, with_r) = (point(&mut bytes), point(&mut bytes));
            let off = Scalar::from(u64::from(bytes.byte() & 1));
            GroupEquation {
                s: r + k * a + off,
                r: EdwardsPoint::mul_base(&r) + with_r,
                k,
                a: EdwardsPoint::mul_base(&a) + with_a,
            }
        })
        .collect();
    on_all(|| {
        let mut verdicts = vec![false; count];
        EdwardsPoint::vartime_group_equations(&equations, cofactored, &mut verdicts);
        verdicts
    });
}

fn decode_many(mut bytes: Bytes<'_>) {
    let count = count(&mut bytes);
    let encodings: Vec<_> = (0..count).map(|_| encoding(&mut bytes)).collect();
    on_all(|| {
        let mut keys = vec![None; count];
        VerifyingKey::from_bytes_each(&encodings, &mut keys);
        let keys: Vec<_> = keys
            .into_iter()
            .map(|key| key.map(|it| it.to_edwards()))
            .collect();
        for (key, encoding) in keys.iter().zip(&encodings) {
            assert_eq!(*key, CompressedEdwardsY(*encoding).decompress());
        }
        keys.into_iter()
            .map(|key| key.map(|it| it.compress()))
            .collect::<Vec<_>>()
    });
}

/// What every point is asked in a batch: its group.
fn groups(mut bytes: Bytes<'_>) {
    let (all, p) = (bytes.below(2) == 1, point(&mut bytes));
    let free = p.vartime_torsion_index() == 0;
    on_all(|| {
        if all {
            p.vartime_torsion_index()
        } else {
            assert_eq!(p.is_torsion_free(), free);
            0
        }
    });
}

/// The operation that the first byte names, on the rest.
pub fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    OPERATIONS[bytes.below(OPERATIONS.len())](bytes);
}

/// Each operation on bytes of several kinds.
pub fn seeds() -> Vec<Vec<u8>> {
    crate::bytes::seeds(OPERATIONS.len())
}
