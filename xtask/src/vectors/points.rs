//! Encodings of points: who takes them, and what they are. Also the lists of
//! special encodings that the other files build on.

use lanner_vectors::own::{File, PointCase, PointFacts};
use num_bigint::BigUint;

use super::stream::Stream;
use crate::model::edwards::{BASE, DecodeRule, Point, TORSION};
use crate::model::field::{self, P, int};

/// The octets of y (which may be p or more) with the sign bit.
pub(super) fn octets(y: &BigUint, sign: bool) -> [u8; 32] {
    let mut bytes = field::to_bytes(y);
    assert!(bytes[31] < 0x80, "y below 2^255");
    bytes[31] |= u8::from(sign) << 7;
    bytes
}

/// Every encoding of the torsion point of an index, the canonical one first:
/// y or y + p where that is below 2^255, and either sign bit where x = 0.
pub(super) fn torsion_encodings(index: usize) -> Vec<[u8; 32]> {
    let point = &TORSION[index];
    let mut all = vec![point.encode()];
    let (_, y) = point.to_affine();
    for y in [y.clone(), y + &*P] {
        if y.bits() > 255 {
            continue;
        }
        for sign in [false, true] {
            let bytes = octets(&y, sign);
            let decoded = Point::decode(&bytes, DecodeRule::Zip215);
            if decoded.is_some_and(|p| p.equals(point)) && !all.contains(&bytes) {
                all.push(bytes);
            }
        }
    }
    all
}

/// Encodings with y of p or more whose point is not of small order.
pub(super) fn large_non_canonical() -> Vec<[u8; 32]> {
    let mut all = Vec::new();
    for low in 0..19u32 {
        for sign in [false, true] {
            let bytes = octets(&(int(low) + &*P), sign);
            let decoded = Point::decode(&bytes, DecodeRule::Zip215);
            if decoded.is_some_and(|p| !p.has_small_order()) {
                all.push(bytes);
            }
        }
    }
    all
}

/// Encodings of no point at all, canonical y first, then y of p or more.
pub(super) fn no_points() -> Vec<[u8; 32]> {
    (2..19u32)
        .map(int)
        .chain((2..19u32).map(|low| int(low) + &*P))
        .map(|y| octets(&y, false))
        .filter(|bytes| Point::decode(bytes, DecodeRule::Zip215).is_none())
        .collect()
}

fn case(id: usize, note: String, bytes: [u8; 32]) -> PointCase {
    let point = Point::decode(&bytes, DecodeRule::Zip215);
    PointCase {
        id: u32::try_from(id).expect("few cases"),
        note,
        bytes,
        rfc8032: Point::decode(&bytes, DecodeRule::Rfc8032).is_some(),
        zip215: point.is_some(),
        point: point.map(|point| PointFacts {
            canonical: point.encode(),
            small_order: point.has_small_order(),
            torsion_order: point.torsion_order(),
            u: field::to_bytes(&point.montgomery_u()),
        }),
    }
}

/// Every special encoding, every y near 0 and near p, and ordinary ones.
pub(super) fn cases() -> File<PointCase> {
    let mut encodings = Vec::new();
    for index in 0..8 {
        for (nth, bytes) in torsion_encodings(index).into_iter().enumerate() {
            let which = if nth == 0 {
                "canonical"
            } else {
                "non-canonical"
            };
            encodings.push((format!("torsion point {index}, {which}"), bytes));
        }
    }
    for low in 0..19u32 {
        for sign in [false, true] {
            encodings.push((format!("y = {low}"), octets(&int(low), sign)));
            encodings.push((format!("y = p + {low}"), octets(&(int(low) + &*P), sign)));
            encodings.push((
                format!("y = p - {}", low + 1),
                octets(&(&*P - low - 1u32), sign),
            ));
        }
    }
    let mut stream = Stream::new("points");
    for nth in 0..24 {
        let y = field::from_bytes(&stream.array()) % &*P;
        for sign in [false, true] {
            encodings.push((format!("random y {nth}"), octets(&y, sign)));
        }
    }
    encodings.push(("the base point".to_owned(), BASE.encode()));
    encodings.push(("the negated base point".to_owned(), BASE.negate().encode()));
    for (index, torsion) in TORSION.iter().enumerate() {
        let point = BASE.mul(&stream.scalar());
        let note = format!("a point of order L plus torsion point {index}");
        encodings.push((note, point.add(torsion).encode()));
    }
    // An encoding may come from two lists; its first note stays.
    let mut seen = Vec::new();
    encodings.retain(|(_, bytes)| {
        !seen.contains(bytes) && {
            seen.push(*bytes);
            true
        }
    });

    let cases = encodings.into_iter().enumerate();
    File {
        about: "Encodings of points on edwards25519, and who takes them. \
                Made by `cargo xtask vectors`."
            .to_owned(),
        cases: cases
            .map(|(id, (note, bytes))| case(id, note, bytes))
            .collect(),
    }
}
