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
use crate::formats::write::{Beside, Encoding};
use crate::text::Shown;
use std::path::Path;

/// The longest comment: signify reads lines of 1024 bytes.
const MAX_COMMENT: usize = 900;

fn is_comment(text: &str) -> bool {
    text.len() <= MAX_COMMENT && !text.chars().any(char::is_control)
}

/// A comment that stands in a key or signature: one line, so that nothing after it can be faked.
fn check_comment(comment: Option<&str>) -> Result<(), Error> {
    match comment {
        Some(text) if !is_comment(text) => Err(Error::new(
            Kind::Usage,
            format!("a comment is one line of at most {MAX_COMMENT} bytes"),
        )),
        _ => Ok(()),
    }
}

/// The same of a comment that the key in `path` has, where the form that is written has room for it: whoever made the file
/// has chosen it, and what looks like several lines would be some in the new one.
fn check_comment_of_key(beside: &Beside, encoding: Encoding, path: &Path) -> Result<(), Error> {
    match &beside.comment {
        Some(text) if encoding.has_comment() && !is_comment(text) => Err(Error::new(
            Kind::BadKey,
            format!(
                "the comment of {} is not one line of at most {MAX_COMMENT} bytes",
                Shown(path)
            ),
        )
        .with_path(path)),
        _ => Ok(()),
    }
}
