//! Ristretto255 and hashing to the curves: the values of RFC 9496, edge cases, and messages of many lengths.

use lanner_vectors::hex;
use lanner_vectors::own::{
    File, HashToCurveCase, Ristretto, RistrettoEncoding, RistrettoGroup, RistrettoMapped,
};
use num_bigint::BigUint;

use super::rfc;
use super::stream::Stream;
use crate::model::edwards::{BASE, Point, TORSION};
use crate::model::field::{self, L, P, int};
use crate::model::{hash_to_curve, ristretto};

fn encoding(note: &str, bytes: [u8; 32]) -> RistrettoEncoding {
    let point = ristretto::decode(&bytes);
    if let Some(point) = &point {
        // Every element has one encoding, whichever of its points stands for it.
        for torsion in [0, 2, 4, 6].map(|index| &TORSION[index]) {
            assert_eq!(ristretto::encode(&point.add(torsion)), bytes, "{note}");
        }
    }
    RistrettoEncoding {
        note: note.to_owned(),
        bytes,
        valid: point.is_some(),
    }
}

fn encodings() -> Vec<RistrettoEncoding> {
    let mut all = Vec::new();
    let mut multiple = Point::identity();
    for (i, digits) in rfc::RISTRETTO_MULTIPLES.iter().enumerate() {
        let bytes = hex::decode_array(digits);
        assert_eq!(ristretto::encode(&multiple), bytes, "RFC 9496 A.1, {i}");
        all.push(encoding("RFC 9496 appendix A.1", bytes));
        multiple = multiple.add(&BASE);
    }
    for digits in rfc::RISTRETTO_INVALID {
        let case = encoding("RFC 9496 appendix A.2", hex::decode_array(digits));
        assert!(!case.valid, "RFC 9496 A.2, {digits}");
        all.push(case);
    }
    // Around 0 and p, and what is not reduced.
    for low in 0..20u32 {
        all.push(encoding("s near 0", field::to_bytes(&int(low))));
        all.push(encoding("s near p", field::to_bytes(&(&*P - 20u32 + low))));
        all.push(encoding("s of p or more", field::to_bytes(&(&*P + low))));
    }
    let mut stream = Stream::new("ristretto255 encodings");
    for _ in 0..96 {
        // Below p and even, so that what is left to refuse needs the formulas.
        let s = field::from_bytes(&stream.array()) % &*P;
        let s = if s.bit(0) { &*P - s } else { s };
        all.push(encoding("random even s", field::to_bytes(&s)));
    }
    for _ in 0..16 {
        let element = ristretto::encode(&BASE.mul(&stream.scalar()));
        all.push(encoding("an element", element));
        let negative = &*P - field::from_bytes(&element);
        all.push(encoding("an element's -s", field::to_bytes(&negative)));
        let mut bit = element;
        bit[31] |= 0x80;
        all.push(encoding("an element with the highest bit", bit));
    }
    assert!(all.iter().filter(|case| case.valid).count() > 40);
    assert!(all.iter().filter(|case| !case.valid).count() > 100);
    all
}

fn mapped() -> Vec<RistrettoMapped> {
    let case = |note: &str, uniform: [u8; 64]| RistrettoMapped {
        note: note.to_owned(),
        uniform,
        element: ristretto::encode(&ristretto::from_uniform(&uniform)),
    };
    let mut all = Vec::new();
    for (uniform, element) in rfc::RISTRETTO_MAPPED {
        let case = case("RFC 9496 appendix A.3", hex::decode_array(uniform));
        assert_eq!(case.element, hex::decode_array(element), "RFC 9496 A.3");
        all.push(case);
    }
    let both = |a: &BigUint, b: &BigUint| {
        let mut uniform = [0; 64];
        uniform[..32].copy_from_slice(&field::to_bytes(a));
        uniform[32..].copy_from_slice(&field::to_bytes(b));
        uniform
    };
    let top: BigUint = BigUint::from(1u8) << 255;
    let edges = [
        int(0),
        int(1),
        int(2),
        &*P - 1u32,
        P.clone(),
        &*P + 1u32,
        &top - 1u32,
        top.clone(),
        &top + 1u32,
        (&top << 1) - 1u32,
    ];
    for a in &edges {
        for b in &edges {
            all.push(case("halves at the edges", both(a, b)));
        }
    }
    let mut stream = Stream::new("ristretto255 mapped");
    for _ in 0..32 {
        let uniform = stream.octets(64).try_into().expect("64 octets");
        all.push(case("random", uniform));
    }
    all
}

fn group() -> Vec<RistrettoGroup> {
    let mut stream = Stream::new("ristretto255 group");
    let case = |p: &Point, q: &Point, scalar: &BigUint| RistrettoGroup {
        p: ristretto::encode(p),
        q: ristretto::encode(q),
        scalar: field::to_bytes(scalar),
        sum: ristretto::encode(&p.add(q)),
        difference: ristretto::encode(&p.sub(q)),
        product: ristretto::encode(&p.mul(scalar)),
        of_the_generator: ristretto::encode(&BASE.mul(scalar)),
    };
    let zero = Point::identity();
    let mut all = Vec::new();
    for scalar in [int(0), int(1), int(2), int(8), &*L - 1u32, &*L - 2u32] {
        let p = BASE.mul(&stream.scalar());
        all.push(case(&p, &zero, &scalar));
        all.push(case(&zero, &p, &scalar));
        all.push(case(&p, &p, &scalar));
        all.push(case(&p, &p.negate(), &scalar));
    }
    for _ in 0..40 {
        let (p, q) = (BASE.mul(&stream.scalar()), BASE.mul(&stream.scalar()));
        all.push(case(&p, &q, &stream.scalar()));
    }
    all
}

/// `ristretto255.json`.
pub(super) fn ristretto255() -> Ristretto {
    Ristretto {
        about: "Ristretto255 (RFC 9496): encodings, the one-way map, the group. \
                Made by `cargo xtask vectors`."
            .to_owned(),
        encodings: encodings(),
        mapped: mapped(),
        group: group(),
    }
}

/// What a suite hashes a message to under a tag.
type Suite = fn(&[u8], &[u8]) -> [u8; 32];

const SUITES: [(&str, Suite); 5] = [
    ("edwards25519_XMD:SHA-512_ELL2_RO_", |message, tag| {
        hash_to_curve::hash_to_curve(message, tag).encode()
    }),
    ("edwards25519_XMD:SHA-512_ELL2_NU_", |message, tag| {
        hash_to_curve::encode_to_curve(message, tag).encode()
    }),
    ("curve25519_XMD:SHA-512_ELL2_RO_", |message, tag| {
        hash_to_curve::u_octets(&hash_to_curve::hash_to_curve(message, tag))
    }),
    ("curve25519_XMD:SHA-512_ELL2_NU_", |message, tag| {
        hash_to_curve::u_octets(&hash_to_curve::encode_to_curve(message, tag))
    }),
    (
        "ristretto255_XMD:SHA-512_R255MAP_RO_",
        hash_to_curve::hash_to_ristretto,
    ),
];

/// `hash_to_curve.json`: the messages of RFC 9380 appendix J under its tags, and more lengths of both.
pub(super) fn hashed() -> File<HashToCurveCase> {
    let mut cases = Vec::new();
    for (suite, hash) in SUITES {
        let mut push = |tag: Vec<u8>, message: Vec<u8>| {
            cases.push(HashToCurveCase {
                suite: suite.to_owned(),
                output: hash(&message, &tag),
                tag,
                message,
            });
        };
        let long = |start: &[u8], letter: u8, count: usize| {
            let mut message = start.to_vec();
            message.extend(vec![letter; count]);
            message
        };
        for message in [
            Vec::new(),
            b"abc".to_vec(),
            b"abcdef0123456789".to_vec(),
            long(b"q128_", b'q', 128),
            long(b"a512_", b'a', 512),
        ] {
            push(format!("QUUX-V01-CS02-with-{suite}").into_bytes(), message);
        }
        let mut stream = Stream::new(suite);
        // Around the blocks of SHA-512, and tags around the length that is hashed first.
        for length in [1, 63, 64, 111, 112, 127, 128, 129, 300] {
            push(b"lanner test vectors".to_vec(), stream.octets(length));
        }
        for length in [1, 63, 64, 254, 255, 256, 400] {
            push(stream.octets(length), b"message".to_vec());
        }
    }
    File {
        about: "Messages hashed to edwards25519, curve25519 and ristretto255 (RFC 9380). \
                Made by `cargo xtask vectors`."
            .to_owned(),
        cases,
    }
}
