//! The commands, one file each.

pub(crate) mod exchange;
pub(crate) mod keygen;
pub(crate) mod public;
pub(crate) mod quickstart;
pub(crate) mod sign;
pub(crate) mod verify;
