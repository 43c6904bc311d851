//! Test data that all faces share: the project's own (`vectors/data`, made by
//! `cargo xtask vectors`) and readers for outside files, which are not part of
//! the project and are read only where they exist.
//!
//! Loaders panic with the file's name on malformed data: a test that cannot
//! read its vectors must fail, not pass.
//!
//! ```
//! // The project's own data is always there.
//! let verdicts = lanner_vectors::own::verify();
//! assert!(verdicts.cases.len() > 1000);
//!
//! // Outside data may be absent; the call says so on standard error.
//! if let Some(outside) = lanner_vectors::outside("an example") {
//!     assert_eq!(outside.cctv().len(), 454);
//! }
//! ```

pub mod acvp;
pub mod boringssl;
pub mod cctv;
pub mod cose;
pub mod falcon;
pub mod fndsa;
pub mod golang;
pub mod hex;
pub mod jose;
pub mod noble;
pub mod own;
pub mod rfc;
pub mod ring;
pub mod speccheck;
pub mod wycheproof;

mod outside;
mod stanza;

pub use outside::{Outside, SHARED_DIR_VARIABLE, fetched_dir, outside, outside_files, shared_dir};
pub use stanza::Stanza;
