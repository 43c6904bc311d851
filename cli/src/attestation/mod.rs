//! Attestations: statements of the in-toto framework in DSSE envelopes.

mod statement;

pub(crate) use statement::{
    Digests, PAYLOAD_TYPE, Statement, Subject, compose, name_of, predicate_type,
};
