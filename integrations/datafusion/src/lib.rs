//! Signatures in SQL: Ed25519 and FN-DSA as functions of [DataFusion](https://datafusion.apache.org).
//!
//! [`register`] adds them to a session, or to whatever else has a [`FunctionRegistry`]:
//!
//! | function | gives |
//! |---|---|
//! | `ed25519_verify(key, message, signature [, profile [, options]])` | whether each row is valid |
//! | `ed25519_explain(key, message, signature [, profile [, options]])` | why a row is not valid; null where it is |
//! | `fn_dsa_verify(key, message, signature [, context [, options]])` | whether each row is valid |
//! | `fn_dsa_explain(key, message, signature [, context [, options]])` | why a row is not valid; null where it is |
//! | `count_invalid(verdict)`, an aggregate | how many rows are not true: false ones, and nulls |
//!
//! ```
//! # use datafusion::prelude::SessionContext;
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> datafusion::error::Result<()> {
//! let mut context = SessionContext::new();
//! lanner_datafusion::register(&mut context)?;
//! # let key = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
//! # let signature = "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155\
//! #                  5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b";
//! let sql = format!("SELECT ed25519_verify(X'{key}', '', X'{signature}', 'rfc8032') AS valid");
//! let rows = context.sql(&sql).await?.collect().await?;
//! # let valid = arrow_array::cast::AsArray::as_boolean(rows[0].column(0));
//! # assert!(valid.value(0));
//! # Ok(())
//! # }
//! ```
//!
//! # Arguments
//!
//! `key`, `message` and `signature` may be of any type that holds bytes: `Binary`, `LargeBinary`, `BinaryView`,
//! `FixedSizeBinary`, dictionaries and run-end encoded columns of these, or constants, which are not expanded. Nothing is
//! cast. Text as a message is its UTF-8; text as a key or a signature is an error, unless an option says how it is written.
//! The types are looked at when a query is planned, and an error names the function, the argument and the column.
//!
//! `profile` names a profile of [`lanner_ed25519::profile`]; it is `'strict'` unless it is given. `context` is the domain
//! separation of FN-DSA, text or bytes; there is none unless it is given. Both must be constants or parameters (`$1`), and so must `options`: text
//! such as `'key=hex, signature=base64, nulls=propagate'`, of which each part says one of these:
//!
//! | option | values | unless it is given |
//! |---|---|---|
//! | `key`, `message`, `signature` | `bytes`, `hex`, `base64`, `base64url`: how that argument is written | `bytes` |
//! | `nulls` | `invalid`: a row with a null is not valid; `propagate`: its verdict is null | `invalid` |
//! | `malformed` | `invalid`: a row of a wrong length, or with text that does not decode, is not valid; `error`: it ends the query, and says the number of the row in its batch | `invalid` |
//!
//! All five arguments can be given by name as well: `options => '…'`.
//!
//! `base64` and `base64url` are in one line, with their padding or without any; `hex` has no prefix. What other systems write:
//! [`Encoding`](lanner_arrow::Encoding) and the README.
//!
//! `AND` does not keep rows away from a function: the engine evaluates it for all rows of a batch unless nearly all of them are
//! settled already, and `malformed=error` then ends the query for a row that a condition beside it excludes. The optimizer makes the
//! same of a `CASE` of Booleans. An argument that is null for these rows keeps them away: `ed25519_verify(key, message, CASE WHEN …
//! THEN signature END)`.
//!
//! # Nulls
//!
//! **A row with a null is not valid**, because `WHERE NOT ed25519_verify(…)` would lose it silently. [`count_invalid`](CountInvalid)
//! counts what is not true, nulls among it.
//!
//! # How it runs
//!
//! The functions are immutable: equal calls among the columns of one list are computed once (a filter and what is selected
//! behind it are two), and calls of constants when the query is planned. They are given batches by the threads of the engine and start none themselves. Decoded keys are kept from one batch to the next, in
//! bounded memory; so it pays to register once for many queries. Nothing here takes a secret, and nothing is constant in time.
//!
//! A query that is cancelled (its stream is dropped) ends after the batch under way, whatever the plan: verifying uses up the budget
//! of a task of Tokio by rows, so that a task gives way after [`BATCH_SIZE`] of them, also where an aggregate reads a table
//! in memory and would otherwise take dozens of batches before it does. At the engine's usual 8,192 rows a batch takes some
//! thirty milliseconds with AVX-512 and some sixty with AVX2; with `datafusion.execution.batch_size` set to
//! [`BATCH_SIZE`], at which the functions are as fast, a quarter of that.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod count_invalid;
mod function;
mod giving_way;
mod kernel;
mod options;

use std::sync::Arc;

use datafusion_common::Result;
use datafusion_expr::registry::FunctionRegistry;
use datafusion_expr::{AggregateUDF, ScalarUDF};

pub use count_invalid::CountInvalid;
pub use function::SignatureFunction;

/// Rows in a batch, for sessions whose queries are to end quickly when they are cancelled.
pub const BATCH_SIZE: usize = 2048;

/// The scalar functions.
#[must_use]
pub fn scalar_functions() -> Vec<Arc<ScalarUDF>> {
    [
        SignatureFunction::ed25519_verify(),
        SignatureFunction::ed25519_explain(),
        SignatureFunction::fn_dsa_verify(),
        SignatureFunction::fn_dsa_explain(),
    ]
    .map(|function| Arc::new(ScalarUDF::from(function)))
    .into()
}

/// The aggregate functions.
#[must_use]
pub fn aggregate_functions() -> Vec<Arc<AggregateUDF>> {
    vec![Arc::new(AggregateUDF::from(CountInvalid::new()))]
}

/// Adds all functions to a registry: a `SessionContext` or a `SessionState` of DataFusion.
///
/// # Errors
///
/// The registry takes no functions.
pub fn register(registry: &mut dyn FunctionRegistry) -> Result<()> {
    for function in scalar_functions() {
        registry.register_udf(function)?;
    }
    for function in aggregate_functions() {
        registry.register_udaf(function)?;
    }
    Ok(())
}

/// The example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
