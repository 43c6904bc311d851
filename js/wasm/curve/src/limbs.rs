//! Little-endian octets to limbs of a few bits, and back.
//!
//! Nothing here, nor in what uses it, indexes where the compiler cannot see that the
//! index is in bounds: the code of panics would be a fifth of the module.

/// Ten limbs.
pub type Limbs = [i64; 10];

/// The limbs of `width` bits (at most 56) in 32 octets.
#[inline(never)]
#[must_use]
pub const fn load(bytes: &[u8; 32], width: u32) -> Limbs {
    let mut limbs = [0; 10];
    let (mut word, mut bits, mut at) = (0_i64, 0, 0);
    let mut i = 0;
    while i < 10 {
        while bits < width {
            if at < 32 {
                word |= (bytes[at] as i64) << bits;
                at += 1;
            }
            bits += 8;
        }
        limbs[i] = word & ((1 << width) - 1);
        word >>= width;
        bits -= width;
        i += 1;
    }
    limbs
}

/// The octets of limbs from 0 to 2^`width` - 1.
#[inline(never)]
#[must_use]
pub fn store(limbs: &Limbs, width: u32) -> [u8; 32] {
    let mut limbs = limbs.iter();
    let (mut word, mut bits) = (0, 0);
    let mut bytes = [0; 32];
    for byte in &mut bytes {
        if bits < 8 {
            word |= limbs.next().unwrap_or(&0) << bits;
            bits += width;
        }
        *byte = word as u8;
        word >>= 8;
        bits -= 8;
    }
    bytes
}
