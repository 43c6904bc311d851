//! How deep on the stack the operations on secrets go, in bytes, for [`lanner_simd::stack::cleared`].
//!
//! Multiplications of points go deeper, but clear that part themselves (`lanner_curve`); what is here is the rest:
//! hashes, inversions, encodings. A scan of the stack holds these numbers to what is left there, in builds for speed and for
//! size: SHA-512 is deepest in the latter, and on 32-bit processors, where a word of it takes two registers.

/// Whether inversions are powers, which are deeper than the algorithm that large builds have.
const SMALL: bool = cfg!(not(feature = "fast"));

/// Expanding a secret key, and deriving its public key.
pub(crate) const KEY: usize = 3008;
/// Signing.
pub(crate) const SIGN: usize = if SMALL { 3520 } else { 3136 };
/// Signing twice and verifying, which is the deepest, and leaves what only depends on public points and bytes.
pub(crate) const CHECKED: usize = 22 * 1024;
/// Signing a message that comes in pieces, with three hashes at once.
pub(crate) const SIGN_STREAM: usize = 3712;
/// A group of keys or of signatures, hashed side by side.
pub(crate) const MANY: usize = 12288;
/// A key that is copied into a result.
pub(crate) const COPY: usize = 768;
/// Reading and writing key files.
#[cfg(feature = "pkcs8")]
pub(crate) const KEY_FILE: usize = 2048;
