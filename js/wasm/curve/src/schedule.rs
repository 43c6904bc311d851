//! The message schedule of SHA-512 (FIPS 180-4 section 6.4.2), two words in a vector.

use crate::vector::Two;

/// The vectors of a message block: words 2i and 2i + 1 in number i.
#[inline(always)]
pub fn of_block<const N: usize>(block: &[u8; 128]) -> [Two; N] {
    let mut w = [Two::splat(0); N];
    for (w, octets) in w.iter_mut().zip(block.as_chunks().0) {
        *w = Two::from_be_bytes(octets);
    }
    w
}

/// Vector number i, of those before it.
#[inline(always)]
pub fn next(w: &[Two], i: usize) -> Two {
    // A rotation to the right by each of two numbers, and a shift by a third.
    macro_rules! sigma {
        ($x:expr, $a:literal, $b:literal, $c:literal) => {{
            let x = $x;
            let a = x.shr::<$a>().xor(x.shl::<{ 64 - $a }>());
            let b = x.shr::<$b>().xor(x.shl::<{ 64 - $b }>());
            a.xor(b).xor(x.shr::<$c>())
        }};
    }
    let s0 = sigma!(Two::between(w[i - 8], w[i - 7]), 1, 8, 7);
    let s1 = sigma!(w[i - 1], 19, 61, 6);
    w[i - 8]
        .wrapping_add(s0)
        .wrapping_add(s1)
        .wrapping_add(Two::between(w[i - 4], w[i - 3]))
}
