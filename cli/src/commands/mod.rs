//! The commands, one file each.

pub(crate) mod attest;
pub(crate) mod bench;
pub(crate) mod convert;
pub(crate) mod doctor;
pub(crate) mod exchange;
pub(crate) mod inspect;
mod inspect_signature;
pub(crate) mod keygen;
pub(crate) mod public;
pub(crate) mod quickstart;
pub(crate) mod sign;
pub(crate) mod sign_note;
pub(crate) mod sign_tree;
pub(crate) mod verify;
pub(crate) mod verify_attestation;
pub(crate) mod verify_batch;
pub(crate) mod verify_note;
pub(crate) mod verify_tree;

use crate::error::{Error, Kind};

/// A comment that stands in a key or signature: one line, so that nothing after it can be faked.
fn check_comment(comment: Option<&str>) -> Result<(), Error> {
    /// signify reads lines of 1024 bytes.
    const MAX: usize = 900;
    match comment {
        Some(text) if text.chars().any(char::is_control) || text.len() > MAX => Err(Error::new(
            Kind::Usage,
            format!("a comment is one line of at most {MAX} bytes"),
        )),
        _ => Ok(()),
    }
}
