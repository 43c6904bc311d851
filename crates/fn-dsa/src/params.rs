//! The numbers of the schemes: degrees, sizes, bounds, and what differs between the variants.
//!
//! A *degree* is n = 2^logn. Degrees 512 and 1024 are for use; 4 to 256 are toys for tests and
//! research. Sources: the Falcon specification 1.2 (section 3.13, table 3.3) and, for the draft
//! guess, the bound on single coefficients that came with it.

use crate::errors::Error;

/// The modulus, 12289 = 3 * 2^12 + 1: a prime under which all 2048-th roots of unity exist.
pub(crate) const Q: u32 = 12289;

/// Degree 512 as its logarithm: `logn` = 9.
pub const FN_DSA_LOGN_512: u32 = 9;

/// Degree 1024 as its logarithm: `logn` = 10.
pub const FN_DSA_LOGN_1024: u32 = 10;

/// The smallest and the largest `logn`. Degree 2 occurs in tests of original Falcon alone.
pub(crate) const LOGN_MIN: u32 = 1;
pub(crate) const LOGN_MAX: u32 = 10;

/// Whether a setting of the compiler (`--cfg lanner_degrees="standard"`) leaves the toy degrees out, for modules for
/// WebAssembly, which are loaded from afar: keys of those degrees are then refused as of a wrong degree.
pub(crate) const STANDARD_ONLY: bool = cfg!(lanner_degrees = "standard");

/// The smallest `logn` of which keys are generated.
#[cfg(feature = "keygen")]
pub(crate) const KEYGEN_LOGN_MIN: u32 = 2;

/// The largest degree.
pub(crate) const N_MAX: usize = 1 << LOGN_MAX;

/// Bytes of the nonce that starts the hash of a message.
pub const NONCE_LENGTH: usize = 40;

/// Bytes of the seed from which a key pair is made.
pub const SEED_LENGTH: usize = 32;

/// Bytes of the hash of a verifying key.
pub(crate) const HPK_LENGTH: usize = 64;

/// Bytes of the hash of (f, g) that hedges the randomness of signing.
pub(crate) const HSK_LENGTH: usize = 40;

/// The most that [`Variant::COMPRESSED_BOUND`] may be.
pub(crate) const COMPRESSED_BOUND_MAX: u16 = 2047;

/// Bits of one coefficient of h in a verifying key.
pub(crate) const BITS_H: u32 = 14;

/// Bits of one coefficient of F in a signing key.
pub(crate) const BITS_BIG_F: u32 = 8;

/// (1.17 * sqrt(q))^2 rounded up: ||(g, -f)||^2 must be below.
#[cfg(any(feature = "keygen", feature = "sign"))]
pub(crate) const KEYGEN_NORM_BOUND: u32 = 16823;

/// floor(beta^2), indexed by logn: the largest ||(s1, s2)||^2 of a signature (specification,
/// table 3.3; the toy degrees by the same derivation).
pub(crate) const SQUARED_NORM_BOUND: [u32; 11] = [
    0, 101_498, 208_714, 428_865, 892_039, 1_852_696, 3_842_630, 7_959_734, 16_468_416, 34_034_726,
    70_265_242,
];

/// Bytes of a padded signature, indexed by logn.
const SIGNATURE_SIZE: [usize; 11] = [0, 44, 47, 52, 63, 82, 122, 200, 356, 666, 1280];

/// Bits of one coefficient of f and g in a signing key (specification, section 3.11.5).
pub(crate) const fn bits_fg(logn: u32) -> u32 {
    match logn {
        0..=5 => 8,
        6..=7 => 7,
        8..=9 => 6,
        _ => 5,
    }
}

/// Bytes of a signing key of degree 2^`logn`: 1281 for `logn` = 9, 2305 for 10.
///
/// # Panics
///
/// If `logn` is not in 1..=10 (as a constant, that is an error of compilation).
///
/// ```
/// use lanner_fn_dsa::{FN_DSA_LOGN_512, sign_key_size};
///
/// let key = [0; sign_key_size(FN_DSA_LOGN_512)];
/// assert_eq!(key.len(), 1281);
/// ```
#[must_use]
pub const fn sign_key_size(logn: u32) -> usize {
    assert!(LOGN_MIN <= logn && logn <= LOGN_MAX);
    1 + (((2 * bits_fg(logn) + BITS_BIG_F) as usize) << logn) / 8
}

/// Bytes of a verifying key of degree 2^`logn`: 897 for `logn` = 9, 1793 for 10.
///
/// # Panics
///
/// If `logn` is not in 1..=10.
#[must_use]
pub const fn vrfy_key_size(logn: u32) -> usize {
    assert!(LOGN_MIN <= logn && logn <= LOGN_MAX);
    1 + ((BITS_H as usize) << logn).div_ceil(8)
}

/// Bytes of a signature of degree 2^`logn`: 666 for `logn` = 9, 1280 for 10.
///
/// # Panics
///
/// If `logn` is not in 1..=10.
#[must_use]
pub const fn signature_size(logn: u32) -> usize {
    assert!(LOGN_MIN <= logn && logn <= LOGN_MAX);
    SIGNATURE_SIZE[logn as usize]
}

/// The largest `logn` of a type for degrees from 2^`min` to `n`. Types for other numbers do not compile: nothing decodes into
/// an array that is no polynomial's, whatever the bytes say.
pub(crate) const fn max_logn(min: u32, n: usize) -> u32 {
    assert!(
        n.is_power_of_two() && n <= N_MAX,
        "N is a power of two, 1024 at most"
    );
    assert!(
        LOGN_MIN <= min && min <= n.ilog2(),
        "MIN is a degree's logarithm: 1 at least, and that of N at most"
    );
    n.ilog2()
}

/// `logn` if it is in `min..=max`.
pub(crate) fn check_degree(logn: u32, min: u32, max: u32) -> Result<u32, Error> {
    let least = if STANDARD_ONLY {
        FN_DSA_LOGN_512
    } else {
        LOGN_MIN
    };
    if (min.max(least)..=max).contains(&logn) {
        Ok(logn)
    } else {
        Err(Error::Degree)
    }
}

/// The distribution of f and g, and its rejection rules: what key generation knows of the variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "keygen"), allow(dead_code))]
pub enum KeygenRule {
    /// The rule of the crates fn-dsa 0.2 and 0.3, which read it from different streams: `shake256x4` is that of 0.2.
    P3,
    /// The rule of the crate fn-dsa 0.4.0, for the draft guess.
    P4,
}

/// The table of the sampler's base distribution: what signing knows of the variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "sign"), allow(dead_code))]
pub enum SamplerTables {
    /// 72 bits, round 3 of Falcon (specification, table 3.1).
    Rcdt72,
    /// 79 bits, fn-dsa 0.4.0.
    Rcdt79,
}

/// Where the first bit of a bit string stands in its first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BitOrder {
    /// In the most significant bit: big-endian.
    MsbFirst,
    /// In the least significant bit: little-endian.
    LsbFirst,
}

mod sealed {
    pub trait Sealed {}
}

/// A variant of the scheme. Sealed: [`P3`], [`R3`] and [`P4`] implement it.
// Everything that differs between variants is a constant here, or is decided by such a constant in
// `codec` or `hash`.
pub trait Variant: sealed::Sealed + Copy + Send + Sync + 'static {
    /// Its name, as `Debug` shows it.
    const NAME: &'static str;
    /// How values are packed into bytes, and hashed words are read.
    #[doc(hidden)]
    const BIT_ORDER: BitOrder;
    /// Whether verifying keys hold h in the NTT representation.
    #[doc(hidden)]
    const NTT_KEYS: bool;
    /// The largest |x| of a coefficient of s2 that the compressed encoding takes; at most 2047.
    #[doc(hidden)]
    const COMPRESSED_BOUND: u16;
    /// The largest |x| of a coefficient of s1 and of s2 in a valid signature.
    #[doc(hidden)]
    const COEFFICIENT_BOUND: u16;
    /// Whether signing keys end in the hash of the verifying key.
    #[doc(hidden)]
    const KEY_HOLDS_HPK: bool;
    /// Whether messages are first hashed to mu, with neither nonce nor degree.
    #[doc(hidden)]
    const HASHES_MU: bool;
    /// Whether the hash of the verifying key enters the hash of a message.
    #[doc(hidden)]
    const BINDS_KEY: bool;
    /// The rule of key generation.
    #[doc(hidden)]
    const KEYGEN: KeygenRule;
    /// The sampler's table.
    #[doc(hidden)]
    const SAMPLER: SamplerTables;

    /// Bytes of a signing key of degree 2^`logn`.
    ///
    /// # Panics
    ///
    /// If `logn` is not in 1..=10.
    #[must_use]
    fn sign_key_size(logn: u32) -> usize {
        sign_key_size(logn) + if Self::KEY_HOLDS_HPK { HPK_LENGTH } else { 0 }
    }
}

/// A variant that is FN-DSA: a message is hashed together with the verifying key, a context, and the
/// identifier of what it is. Implemented by [`P3`] and [`P4`].
pub trait FnDsa: Variant {}

/// The main variant: FN-DSA as the crates fn-dsa 0.2 and 0.3 have it; keys and signatures go both ways. From a seed it
/// makes the key of 0.3, and by another name [that of 0.2](crate::shake256x4). The types of the crate's root are of it.
#[derive(Clone, Copy, Debug)]
pub struct P3;

impl sealed::Sealed for P3 {}

impl Variant for P3 {
    const NAME: &'static str = "FN-DSA";
    const BIT_ORDER: BitOrder = BitOrder::MsbFirst;
    const NTT_KEYS: bool = false;
    const COMPRESSED_BOUND: u16 = COMPRESSED_BOUND_MAX;
    // No bound beyond the norm: the centred residues of s1 reach 6144.
    const COEFFICIENT_BOUND: u16 = (Q / 2) as u16;
    const KEY_HOLDS_HPK: bool = false;
    const HASHES_MU: bool = false;
    const BINDS_KEY: bool = true;
    const KEYGEN: KeygenRule = KeygenRule::P3;
    const SAMPLER: SamplerTables = SamplerTables::Rcdt72;
}

impl FnDsa for P3 {}

/// The original Falcon, round 3 (module [`falcon`](crate::falcon)): the numbers and encodings of the main
/// variant, and the hash of the message behind the nonce alone. A variant of its own so that its keys are types
/// of their own: what one key signs for Falcon can be a signature of something else in the main variant.
#[derive(Clone, Copy, Debug)]
pub struct R3;

impl sealed::Sealed for R3 {}

impl Variant for R3 {
    const NAME: &'static str = "Falcon";
    const BIT_ORDER: BitOrder = P3::BIT_ORDER;
    const NTT_KEYS: bool = P3::NTT_KEYS;
    const COMPRESSED_BOUND: u16 = P3::COMPRESSED_BOUND;
    const COEFFICIENT_BOUND: u16 = P3::COEFFICIENT_BOUND;
    const KEY_HOLDS_HPK: bool = P3::KEY_HOLDS_HPK;
    const HASHES_MU: bool = P3::HASHES_MU;
    const BINDS_KEY: bool = false;
    const KEYGEN: KeygenRule = P3::KEYGEN;
    const SAMPLER: SamplerTables = P3::SAMPLER;
}

/// The draft guess, as the crate fn-dsa 0.4.0 has it (module [`draft2026`](crate::draft2026)).
#[derive(Clone, Copy, Debug)]
pub struct P4;

impl sealed::Sealed for P4 {}

impl Variant for P4 {
    const NAME: &'static str = "FN-DSA draft 2026";
    const BIT_ORDER: BitOrder = BitOrder::LsbFirst;
    const NTT_KEYS: bool = true;
    const COMPRESSED_BOUND: u16 = 840;
    const COEFFICIENT_BOUND: u16 = 840;
    const KEY_HOLDS_HPK: bool = true;
    const HASHES_MU: bool = true;
    const BINDS_KEY: bool = true;
    const KEYGEN: KeygenRule = KeygenRule::P4;
    const SAMPLER: SamplerTables = SamplerTables::Rcdt79;
}

impl FnDsa for P4 {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_tables() {
        let sizes: [(u32, usize, usize, usize); 10] = [
            (1, 44, 5, 7),
            (2, 47, 8, 13),
            (3, 52, 15, 25),
            (4, 63, 29, 49),
            (5, 82, 57, 97),
            (6, 122, 113, 177),
            (7, 200, 225, 353),
            (8, 356, 449, 641),
            (9, 666, 897, 1281),
            (10, 1280, 1793, 2305),
        ];
        for (logn, signature, verifying, signing) in sizes {
            assert_eq!(signature_size(logn), signature);
            assert_eq!(vrfy_key_size(logn), verifying);
            assert_eq!(sign_key_size(logn), signing);
            assert_eq!(P4::sign_key_size(logn), signing + 64);
        }
    }
}
