//! Signatures in SQL, for DuckDB: an extension that the database loads, with functions that verify Ed25519 and FN-DSA in
//! columns by [`lanner_arrow`].
//!
//! | function | gives |
//! |---|---|
//! | `ed25519_verify(key, message, signature [, profile])` | whether each row is valid |
//! | `ed25519_explain(key, message, signature [, profile])` | why a row is not valid; null where it is |
//! | `fn_dsa_verify(key, message, signature [, context])` | whether each row is valid |
//! | `fn_dsa_explain(key, message, signature [, context])` | why a row is not valid; null where it is |
//!
//! The database calls them on its own threads with 2,048 rows or fewer. Nothing here takes a secret, and nothing is constant
//! in time.

#![deny(unsafe_code)]

mod function;
mod interface;
mod kernel;
