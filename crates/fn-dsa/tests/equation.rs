//! A signing key decodes only if f * G - g * F = q over the integers, for the G that follows modulo q.
#![cfg(feature = "sign")]

use lanner_fn_dsa::{Error, SigningKey512, SigningKey1024, falcon};

/// Bits of a coefficient of f and g at degrees 512 and 1024.
const BITS: [(u32, usize); 2] = [(9, 6), (10, 5)];

/// A signing key with these parts, bits from the most significant one on.
fn encoded(logn: u32, bits_fg: usize, [f, g, big_f]: [&[i32]; 3]) -> Vec<u8> {
    let mut bits = Vec::new();
    for (poly, width) in [(f, bits_fg), (g, bits_fg), (big_f, 8)] {
        for i in 0..1usize << logn {
            let x = poly.get(i).copied().unwrap_or(0);
            bits.extend((0..width).rev().map(|at| (x >> at) as u8 & 1));
        }
    }
    let bytes = bits
        .chunks(8)
        .map(|byte| byte.iter().fold(0, |sum, bit| sum << 1 | bit));
    std::iter::once(0x50 + logn as u8).chain(bytes).collect()
}

fn decode(logn: u32, bytes: &[u8]) -> Result<(), Error> {
    if logn == 9 {
        assert_eq!(
            SigningKey512::from_bytes(bytes).is_ok(),
            falcon::SigningKey512::from_bytes(bytes).is_ok()
        );
        SigningKey512::from_bytes(bytes).map(|_| ())
    } else {
        SigningKey1024::from_bytes(bytes).map(|_| ())
    }
}

/// f = 1 and G = g * F small: every congruence modulo q holds, and no determinant is q.
#[test]
fn degenerate_parts_are_refused() {
    for (logn, bits) in BITS {
        let dense: Vec<i32> = (0..1 << logn).map(|i| i % 7 - 3).collect();
        for (f, g, big_f) in [
            // F = 0, then g = 0: G is 0 as well.
            (&[1][..], &dense[..], &[][..]),
            (&[1], &[], &dense),
            (&[1], &[], &[]),
            (&[1, 0, 0, 1, 1], &[], &[5, -3]),
            // G = g * F: f * G - g * F = 0.
            (&[1], &[3], &dense),
            (&[1], &dense, &[0, 0, -1]),
        ] {
            let bytes = encoded(logn, bits, [f, g, big_f]);
            assert_eq!(decode(logn, &bytes), Err(Error::Key), "{f:?} {g:?}");
        }
    }
}
