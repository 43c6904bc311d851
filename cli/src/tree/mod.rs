//! Directories with all that is in them: what there is, and what each file's hash is.

pub(crate) mod collisions;
pub(crate) mod hash;
pub(crate) mod manifest;
pub(crate) mod walk;

pub(crate) use walk::{Entry, Links, Name, walk};
