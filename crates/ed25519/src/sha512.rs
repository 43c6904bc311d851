//! The SHA-512 of the schemes: fast, or without the feature `fast` small.

#[cfg(not(feature = "fast"))]
pub(crate) use lanner_hash::sha512::Compact as Sha512;
#[cfg(feature = "fast")]
pub(crate) use sha2::Sha512;
