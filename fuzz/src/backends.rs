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

/// Encodings of Edwards points by both rules, and what becomes of a point.
fn decode_edwards(mut bytes: Bytes<'_>) {
    let encoding = CompressedEdwardsY(encoding(&mut bytes));
    let point = on_all(|| {
        let canonical = encoding.vartime_decompress(DecodingRule::Canonical);
        let point = encoding.decompress();
        let lax = encoding.vartime_decompress(DecodingRule::Zip215);
        assert_eq!(point, lax, "in constant time and in variable time");
        (
            canonical.map(|point| point.compress()),
            point.map(|point| {
                (
                    point.compress(),
                    point.to_montgomery(),
                    point.is_small_order(),
                    point.mul_by_cofactor().compress(),
                    (point + ED25519_BASEPOINT_POINT).compress(),
                )
            }),
        )
    });
    if let (Some(again), _) = point {
        assert_eq!(again, encoding, "a second canonical encoding");
    }
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
    let (wide, half) = (bytes.array(), bytes.array());
    on_all(|| {
        let element = RistrettoPoint::from_uniform_bytes(&wide);
        let mapped = RistrettoPoint::map_to_curve(half);
        (element.compress(), mapped.compress())
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
    let (a, b) = (scalar(&mut bytes), scalar(&mut bytes));
    on_all(|| {
        let pair = EdwardsPoint::mul_base_pair(&a, &b);
        let sum = EdwardsPoint::mul_base(&(a + b));
        assert_eq!(pair[0] + pair[1], sum);
        (pair[0].compress(), sum.compress())
    });
}

fn multiply_point(mut bytes: Bytes<'_>) {
    let (factor, point) = (scalar(&mut bytes), point(&mut bytes));
    let clamped = bytes.array();
    on_all(|| {
        (
            (point * factor).compress(),
            point.mul_clamped(clamped).compress(),
        )
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

/// Up to 20 terms, seldom many.
fn terms(bytes: &mut Bytes<'_>) -> (Vec<Scalar>, Vec<EdwardsPoint>) {
    let count = match bytes.below(16) {
        15 => bytes.below(20),
        few => few / 3,
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
    let count = bytes.below(10);
    let (k, u): (Vec<_>, Vec<_>) = (0..count).map(|_| (bytes.array(), bytes.array())).unzip();
    let (shared, _) = on_all(|| {
        let (mut shared, mut public) = (vec![[0; 32]; count], vec![[0; 32]; count]);
        x25519_each(&k, &u, &mut shared);
        x25519_base_each(&k, &mut public);
        (shared, public)
    });
    if let Some(at) = count.checked_sub(1) {
        assert_eq!(shared[at], x25519(k[at], u[at]));
    }
}

fn make_keys(mut bytes: Bytes<'_>) {
    let count = bytes.below(10);
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
    let count = bytes.below(10);
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
    let count = bytes.below(10);
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
    let count = bytes.below(10);
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
    let p = point(&mut bytes);
    let (free, index) = on_all(|| (p.is_torsion_free(), p.vartime_torsion_index()));
    assert_eq!(free, index == 0);
}

/// The operation that the first byte names, on the rest.
pub fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    OPERATIONS[bytes.below(OPERATIONS.len())](bytes);
}

/// Each operation on bytes of several kinds.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for operation in 0..OPERATIONS.len() as u8 {
        for kind in 0..8_u8 {
            // Numbers that differ, small choices at first.
            let rest = (0..160_u8).map(|i| i.wrapping_mul(97).wrapping_add(i / 3 + kind));
            seeds.push([operation, kind].into_iter().chain(rest).collect());
        }
    }
    seeds
}
