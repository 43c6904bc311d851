//! Tests alone: see `tests/main.rs`.
