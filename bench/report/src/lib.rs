//! The page that shows what the benchmarks measured, made from the files that they submit: nothing here measures.

pub mod data;
pub mod import;
pub mod page;
pub mod plot;
mod show;
pub mod words;
