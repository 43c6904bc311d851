//! Policies: which files need whose signatures.
//!
//! A policy is a TOML file. What it does not say is not allowed: a file that no rule matches, a field that is not known
//! and a rule that asks for nothing are errors, since a policy that is half understood might be the half that allows.

pub(crate) mod document;
pub(crate) mod pattern;
pub(crate) mod standing;

pub(crate) use document::{Policy, Rule};
