//! Signatures in Arrow columns: public keys, messages and signatures in, verdicts out.
//!
//! [`Ed25519`] and [`FnDsa`] verify three columns (arrays or scalars of [`arrow_array`]) and give a [`BooleanArray`]. They are
//! kernels for engines that move columns about: they read the columns where they lie, copy no message, fill the vector lanes
//! of the processor, and keep the decoded keys that come again from one call to the next.
//!
//! ```
//! use arrow_array::{Array, BinaryArray, FixedSizeBinaryArray, StringArray};
//! use lanner_arrow::{Ed25519, Encoding};
//! use lanner_ed25519::{Signer, SigningKey, profile::Strict};
//!
//! let key = SigningKey::from_bytes(&[1; 32]);
//! let signatures = [key.sign(b"one").to_bytes(), key.sign(b"two").to_bytes()];
//! let keys = vec![key.verifying_key().to_bytes(); 2];
//! let keys = FixedSizeBinaryArray::try_from_iter(keys.into_iter())?;
//! let messages = BinaryArray::from_vec(vec![b"one", b"three"]);
//! let signatures = FixedSizeBinaryArray::try_from_iter(signatures.into_iter())?;
//!
//! let valid = Ed25519::new(Strict).verify(&keys, &messages, &signatures)?;
//! assert_eq!((valid.value(0), valid.value(1)), (true, false));
//! assert_eq!(lanner_arrow::count_invalid(&valid), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Columns
//!
//! Each may be `FixedSizeBinary`, `Binary`, `LargeBinary`, `BinaryView`, `Utf8`, `LargeUtf8` or `Utf8View`, a dictionary or
//! run-end encoded array of one of these, sliced, or a scalar that stands for every row. Text is in an [`Encoding`] that the
//! caller names; nothing is guessed. Keys and signatures in text columns without one are an error, and so is a
//! `FixedSizeBinary` of a width that no key or signature has; a message in a text column without one is the UTF-8 text. A
//! column of type `Null` is nulls.
//!
//! # Rows
//!
//! A row whose key or signature has a wrong length, or whose text does not decode, is not valid, and says so in
//! [`Ed25519::explain`]; with [`Ed25519::strict`] it is an error instead. **A row with a null is not valid either**, because
//! `NOT verify(…)` in a query would lose it silently; [`Nulls::Propagate`] gives SQL's null for it.
//!
//! # What this crate never takes
//!
//! Secrets do not belong in columns, and nothing here takes one. So nothing here is constant in time.
//!
//! # Threads and memory
//!
//! A call uses the calling thread, as engines that have threads of their own want it. With the feature `rayon`,
//! [`Ed25519::par_verify`] shares the rows out to a pool. A verifier may be shared by threads; each call works with a
//! [store of keys](Ed25519::keys_kept) that it borrows. Beside that and the verdicts a call needs some two
//! megabytes, whatever the number of rows; some megabytes of decoded text, if columns are text in an encoding, or one value, if that
//! is longer; and four bytes for each value of a dictionary of keys, unless its rows are far fewer.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod chunk;
mod column;
mod ed25519;
mod encoding;
mod errors;
mod fn_dsa;
mod kernel;
mod keys;
mod options;
mod reason;
mod scheme;

pub use arrow_array;
pub use arrow_array::BooleanArray;
pub use column::each_value;
pub use ed25519::Ed25519;
pub use encoding::Encoding;
pub use errors::Error;
pub use fn_dsa::FnDsa;
pub use kernel::Explained;
pub use options::Nulls;
pub use reason::{Column, Reason};

/// How many rows of verdicts are not `true`: the invalid ones, and those that are null.
///
/// `count(*) - sum(verdict)` in a query leaves the nulls out; this does not.
#[must_use]
pub fn count_invalid(verdicts: &BooleanArray) -> usize {
    verdicts.len() - verdicts.true_count()
}

/// The example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
