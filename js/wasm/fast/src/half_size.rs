//! Half-size factors for the verification of signatures (Antipa, Brown, Gallant, Lambert, Struik, Vanstone
//! 2005; Pornin, eprint 2020/454), in few octets.
//!
//! The pairs (u, v) with u = v k modulo 8L are a lattice. Euclid's algorithm on 8L and k, stopped half-way,
//! finds one with both numbers below 2^128; where its v is even, it is combined with the one before.

/// 256 bits, two's complement; the lowest word first.
type Number = [u32; 8];

/// u and v.
type Pair = [Number; 2];

/// 8L.
const MODULUS: Number = [
    0xe7ae_9f68,
    0xc093_18d2,
    0x17bc_e6b2,
    0xa6f7_cef5,
    0,
    0,
    0,
    0x8000_0000,
];

/// Factors are below this, so that no sum of two products of one and a word is too large for 64 bits.
const LIMIT: u64 = 1 << 30;

/// p x + q y modulo 2^256; at most one of p and q is positive, and at most one negative.
#[inline(never)]
fn combine(x: &Number, p: i64, y: &Number, q: i64) -> Number {
    let mut carry = 0;
    let mut sum = [0; 8];
    for i in 0..8 {
        carry += p * i64::from(x[i]) + q * i64::from(y[i]);
        sum[i] = carry as u32;
        carry >>= 32;
    }
    sum
}

fn combine_both(x: &Pair, p: i64, y: &Pair, q: i64) -> Pair {
    [combine(&x[0], p, &y[0], q), combine(&x[1], p, &y[1], q)]
}

/// To the absolute value; whether it was negative.
fn make_absolute(x: &mut Number) -> bool {
    let negative = x[7] >> 31 != 0;
    if negative {
        *x = combine(x, -1, x, 0);
    }
    negative
}

/// The absolute value, about.
fn real(x: &Number) -> f64 {
    let mut value = f64::from(x[7] as i32);
    for i in (0..7).rev() {
        value = value * 4294967296.0 + f64::from(x[i]);
    }
    value.abs()
}

/// A pair for k, which is below L; not in constant time.
///
/// None where a quotient or the last factor is 2^30 or more, or where the leading words do not tell a quotient.
fn vartime_pair(k: &Number) -> Option<Pair> {
    // Consecutive vectors: u falls and is not negative, v grows and changes its sign with each.
    let mut a = [MODULUS, [0; 8]];
    let mut b = [*k, [1, 0, 0, 0, 0, 0, 0, 0]];
    while b[0][4..].iter().any(|&word| word != 0) {
        // The leading 64 bits of a, and those of b at the same place.
        let mut top = 7;
        while top > 4 && a[0][top] == 0 {
            top -= 1;
        }
        let shift = a[0][top].leading_zeros();
        let leading = |x: &Number| {
            (u64::from(x[top]) << 32 | u64::from(x[top - 1])) << shift
                | u64::from(x[top - 2]) << shift >> 32
        };
        let (mut high, mut low) = (leading(&a[0]), leading(&b[0]));
        // Of 2^128.
        let end = 1 << (160 + shift).saturating_sub(32 * top as u32);
        // As many steps as these determine (Lehmer's method), as a matrix. A quotient is right for the whole numbers
        // if the remainder is not less than the new factor, and its distance from the divisor not less than that and
        // the factor before (Collins; see Jebelean 1993). All steps but the first of a matrix leave 2^128 or more.
        let (mut x0, mut y0, mut x1, mut y1) = (1, 0, 0, 1);
        while let Some(quotient) = high.checked_div(low) {
            let rest = high - quotient * low;
            if quotient >= LIMIT {
                break;
            }
            let (x2, y2): (i64, i64) = (x0 - quotient as i64 * x1, y0 - quotient as i64 * y1);
            let (before, factor) = (y1.unsigned_abs(), y2.unsigned_abs());
            let least = factor + if x1 == 0 { 0 } else { end };
            if factor >= LIMIT || rest < least || low - rest < before + factor {
                break;
            }
            (high, low) = (low, rest);
            (x0, y0, x1, y1) = (x1, y1, x2, y2);
        }
        if x1 == 0 {
            return None;
        }
        (a, b) = (combine_both(&a, x0, &b, y0), combine_both(&a, x1, &b, y1));
    }
    if b[1][0] & 1 == 1 {
        return Some(b);
    }
    // Consecutive v have no common factor, so that of a is odd, and so is that of every a - m b. While m grows, u falls
    // and v grows: about where they cross, the larger of both is least.
    let m = (real(&a[0]) - real(&a[1])) / (real(&b[0]) + real(&b[1]));
    (m < LIMIT as f64).then(|| combine_both(&a, 1, &b, -(m as i64)))
}

/// Two numbers, little-endian, and a sign: (-1)^`negative` u = v k modulo 8L, and v is odd.
pub(crate) struct HalfSize {
    pub(crate) u: [u8; 32],
    pub(crate) v: [u8; 32],
    pub(crate) negative: bool,
}

/// Both are below 2^128 for two k in three, and seldom much above for the others; k itself and 1 where none were found.
/// k is below L. Not in constant time.
#[inline(never)]
pub(crate) fn vartime_half_size(k: &[u8; 32]) -> HalfSize {
    let mut number = [0; 8];
    for (word, octets) in number.iter_mut().zip(k.as_chunks().0) {
        *word = u32::from_le_bytes(*octets);
    }
    let [mut u, mut v] = vartime_pair(&number).unwrap_or([number, [1, 0, 0, 0, 0, 0, 0, 0]]);
    let negative = make_absolute(&mut u) != make_absolute(&mut v);
    HalfSize {
        u: bytes(&u),
        v: bytes(&v),
        negative,
    }
}

fn bytes(x: &Number) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (octets, word) in bytes.chunks_exact_mut(4).zip(x) {
        octets.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}
