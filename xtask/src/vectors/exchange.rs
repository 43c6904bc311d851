//! X25519: the values of RFC 7748, and edge cases.

use std::collections::BTreeMap;

use lanner_vectors::hex;
use lanner_vectors::own::{DiffieHellman, File, Iterated, Rfc7748, X25519Case};
use num_bigint::BigUint;

use super::rfc;
use super::stream::Stream;
use crate::model::edwards::{BASE, TORSION};
use crate::model::field::{self, P, int};
use crate::model::x25519;

fn case(id: usize, note: String, scalar: [u8; 32], u: [u8; 32]) -> X25519Case {
    let out = x25519::x25519(&scalar, &u);
    X25519Case {
        id: u32::try_from(id).expect("few cases"),
        note,
        scalar,
        u,
        out,
        contributory: out != [0; 32],
        twist: x25519::is_on_twist(&u),
    }
}

/// RFC 7748: what is printed there must be what the model derives, but for the
/// millionth round.
pub(super) fn rfc7748() -> Rfc7748 {
    let values = rfc::X25519
        .iter()
        .enumerate()
        .map(|(id, (scalar, u, out))| {
            let note = "RFC 7748 section 5.2".to_owned();
            let case = case(id, note, hex::decode_array(scalar), hex::decode_array(u));
            assert_eq!(
                case.out,
                hex::decode_array(out),
                "RFC 7748 section 5.2, value {id}"
            );
            case
        });

    let expected: BTreeMap<u32, [u8; 32]> = rfc::ITERATED
        .iter()
        .map(|(rounds, k)| (*rounds, hex::decode_array(k)))
        .collect();
    let mut k = field::to_bytes(&int(9));
    let mut u = k;
    for round in 1..=1000u32 {
        (k, u) = (x25519::x25519(&k, &u), k);
        if let Some(printed) = expected.get(&round) {
            assert_eq!(k, *printed, "RFC 7748 section 5.2 after {round} rounds");
        }
    }

    let [alice_secret, alice_public, bob_secret, bob_public, shared] =
        rfc::DIFFIE_HELLMAN.map(|(_, digits)| hex::decode_array(digits));
    assert_eq!(x25519::public_key(&alice_secret), alice_public);
    assert_eq!(x25519::public_key(&bob_secret), bob_public);
    assert_eq!(x25519::x25519(&alice_secret, &bob_public), shared);
    assert_eq!(x25519::x25519(&bob_secret, &alice_public), shared);

    Rfc7748 {
        about: "RFC 7748 sections 5.2 and 6.1. Made by `cargo xtask vectors`; the value after \
                1000000 rounds is transcribed, not derived."
            .to_owned(),
        x25519: values.collect(),
        iterated: expected
            .into_iter()
            .map(|(rounds, k)| (rounds, Iterated(k)))
            .collect(),
        diffie_hellman: DiffieHellman {
            alice_secret,
            alice_public,
            bob_secret,
            bob_public,
            shared,
        },
    }
}

/// The same u with the top bit set, which X25519 masks.
fn with_top_bit(mut u: [u8; 32]) -> [u8; 32] {
    u[31] |= 0x80;
    u
}

/// The u coordinates of low order on the curve and on its twist: 0, 1, -1 and
/// the two of order 8.
fn low_order() -> Vec<(String, BigUint)> {
    let mut all = vec![
        ("u = 0".to_owned(), int(0)),
        ("u = 1, order 4".to_owned(), int(1)),
        ("u = -1, order 4 on the twist".to_owned(), &*P - 1u8),
    ];
    for index in [1, 3] {
        all.push((
            format!("u of torsion point {index}, order 8"),
            TORSION[index].montgomery_u(),
        ));
    }
    all
}

/// Low order, non-canonical u, the top bit, clamping, the twist.
pub(super) fn cases() -> File<X25519Case> {
    let mut stream = Stream::new("x25519");
    let mut inputs: Vec<(String, [u8; 32], [u8; 32])> = Vec::new();

    for (name, u) in low_order() {
        for u in [u.clone(), u + &*P] {
            if u.bits() > 255 {
                continue;
            }
            let form = if u < *P { "canonical" } else { "non-canonical" };
            let u = field::to_bytes(&u);
            let name = format!("low order: {name}, {form}");
            inputs.push((name.clone(), stream.array(), u));
            inputs.push((
                format!("{name}, top bit set"),
                stream.array(),
                with_top_bit(u),
            ));
        }
    }
    for low in 0..19u32 {
        let u = field::to_bytes(&(int(low) + &*P));
        let name = format!("non-canonical: u = p + {low}");
        inputs.push((name.clone(), stream.array(), u));
        inputs.push((
            format!("{name}, top bit set"),
            stream.array(),
            with_top_bit(u),
        ));
        let u = field::to_bytes(&int(low));
        inputs.push((format!("small: u = {low}"), stream.array(), u));
        let u = field::to_bytes(&(&*P - low - 1u32));
        inputs.push((format!("large: u = p - {}", low + 1), stream.array(), u));
    }
    // The five bits that clamping fixes, one at a time and together: the result
    // must not change within this group.
    let (scalar, u) = (stream.array(), BASE.mul(&stream.scalar()).montgomery_u());
    let u = field::to_bytes(&u);
    inputs.push(("clamping: a scalar".to_owned(), scalar, u));
    for (octet, mask) in [(0, 1u8), (0, 2), (0, 4), (31, 0x40), (31, 0x80)] {
        let mut flipped = scalar;
        flipped[octet] ^= mask;
        let name = format!("clamping: the same with octet {octet} xor {mask}");
        inputs.push((name, flipped, u));
    }
    let mut flipped = scalar;
    flipped[0] ^= 7;
    flipped[31] ^= 0xc0;
    inputs.push((
        "clamping: the same with all five bits changed".to_owned(),
        flipped,
        u,
    ));
    for (name, scalar) in [
        ("all zero", [0; 32]),
        ("all ones", [0xff; 32]),
        ("0x55", [0x55; 32]),
        ("0xaa", [0xaa; 32]),
    ] {
        inputs.push((format!("scalar {name}"), scalar, u));
        inputs.push((
            format!("scalar {name}, base point"),
            scalar,
            field::to_bytes(&int(9)),
        ));
    }
    // Points of the twist, and points of the curve with a torsion part.
    let mut twist = 0;
    while twist < 24 {
        let u = field::to_bytes(&(field::from_bytes(&stream.array()) % &*P));
        if x25519::is_on_twist(&u) {
            inputs.push((format!("twist {twist}"), stream.array(), u));
            twist += 1;
        }
    }
    for (index, torsion) in TORSION.iter().enumerate() {
        let point = BASE.mul(&stream.scalar()).add(torsion);
        let u = field::to_bytes(&point.montgomery_u());
        inputs.push((
            format!("order L plus torsion point {index}"),
            stream.array(),
            u,
        ));
    }
    for nth in 0..24 {
        inputs.push((format!("random {nth}"), stream.array(), stream.array()));
    }

    let cases = inputs.into_iter().enumerate();
    File {
        about: "Edge cases of X25519 (RFC 7748 section 5). Made by `cargo xtask vectors`."
            .to_owned(),
        cases: cases
            .map(|(id, (note, scalar, u))| case(id, note, scalar, u))
            .collect(),
    }
}
