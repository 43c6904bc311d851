//! How deep on the stack the operations on secrets go, in bytes, for [`lanner_cpu::stack::cleared`].
//!
//! Multiplications of points go deeper, but clear that part themselves (`lanner_curve`); what is here is the rest:
//! hashes, inversions, encodings. A scan of the stack holds these numbers to what is left there.

/// Expanding a secret key, and deriving its public key.
pub(crate) const KEY: usize = 2112;
/// Signing.
pub(crate) const SIGN: usize = 2624;
/// Signing a message that comes in pieces, with three hashes at once.
pub(crate) const SIGN_STREAM: usize = 3072;
/// A key that is copied into a result.
pub(crate) const COPY: usize = 768;
/// Reading and writing key files.
#[cfg(feature = "pkcs8")]
pub(crate) const KEY_FILE: usize = 2048;
