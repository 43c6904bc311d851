//! Signatures in SQL: functions for [DataFusion](datafusion), and so for every engine built on it, Ballista among them.
//!
//! ```
//! use datafusion::prelude::SessionContext;
//!
//! let mut context = SessionContext::new();
//! lanner_datafusion::register_all(&mut context)?;
//! # Ok::<(), datafusion::error::DataFusionError>(())
//! ```
//!
//! ```sql
//! SELECT id FROM ledger WHERE NOT ed25519_verify(public_key, message, signature, 'strict');
//! SELECT count_invalid(ed25519_verify(public_key, message, signature, 'strict')) FROM ledger;
//! ```
//!
//! | function | arguments | result |
//! |---|---|---|
//! | `ed25519_verify` | key, message, signature \[, profile \[, encoding\]\] | boolean, never null |
//! | `ed25519_explain` | the same | text: why the row is not valid; null if it is |
//! | `fn_dsa_verify` | key, message, signature \[, context \[, encoding\]\] | boolean, never null |
//! | `count_invalid` | boolean | how many are not true, nulls among them |
//!
//! Keys, messages and signatures are binary columns of any kind, dictionaries of them, or literals. Keys and signatures may be
//! text if `encoding` says how it is written: `'hex'`, `'base64'` or `'base64url'`. A message that is text is its UTF-8;
//! where messages are in hexadecimal too, SQL's own `decode(message, 'hex')` serves. The profile is a literal, `'strict'`
//! unless it is given ([`lanner_ed25519::profile`] lists them), and so are the context and the encoding.
//!
//! **A null key, message or signature is not valid**: the verdict is `false`, so that `NOT ed25519_verify(…)` finds the row.
//! A key or signature of a wrong length is not valid either, and no error.
//!
//! The functions are immutable: an engine may evaluate them once for literals, on any node and in any order. They are
//! registered by name, the same in a scheduler and in executors.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod arguments;
mod count;
mod verify;

use std::sync::Arc;

use datafusion::error::Result;
use datafusion::execution::FunctionRegistry;
use datafusion::logical_expr::{AggregateUDF, ScalarUDF};

/// The functions of rows: `ed25519_verify`, `ed25519_explain` and `fn_dsa_verify`.
#[must_use]
pub fn scalar_functions() -> Vec<Arc<ScalarUDF>> {
    verify::functions()
}

/// The function of groups: `count_invalid`.
#[must_use]
pub fn aggregate_functions() -> Vec<Arc<AggregateUDF>> {
    vec![Arc::new(count::count_invalid())]
}

/// Registers every function: in a [`SessionContext`](datafusion::prelude::SessionContext), or in the state of a session that
/// a scheduler or an executor is built with.
///
/// # Errors
///
/// If the registry takes no functions.
pub fn register_all(registry: &mut dyn FunctionRegistry) -> Result<()> {
    for function in scalar_functions() {
        registry.register_udf(function)?;
    }
    for function in aggregate_functions() {
        registry.register_udaf(function)?;
    }
    Ok(())
}
