//! The rules of the profiles, as bits of one number.

/// The equation is multiplied by 8.
pub const COFACTORED: u32 = 1;
/// A and R of small order are refused.
pub const LARGE_ORDER: u32 = 2;
/// A non-canonical A is refused.
pub const CANONICAL_KEY: u32 = 4;
/// A non-canonical R is refused; without the cofactor it always is.
pub const CANONICAL_R: u32 = 8;
/// Of S, only the top three bits are checked.
pub const LOOSE_SCALAR: u32 = 16;
