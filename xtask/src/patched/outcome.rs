//! What was found out about one program.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The tests of one run, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tests {
    pub(super) passed: BTreeSet<String>,
    pub(super) failed: BTreeSet<String>,
}

/// Without the patch and with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Outcome {
    pub(super) name: String,
    pub(super) version: String,
    /// Without the patch, with it; `None` where they cannot be built from the registry.
    pub(super) tests: Option<[Tests; 2]>,
    /// Of one operation: without the patch, with it.
    pub(super) nanoseconds: Option<[u64; 2]>,
}

impl Outcome {
    /// The file that keeps it.
    pub(super) fn path(name: &str) -> PathBuf {
        super::directory()
            .join("outcomes")
            .join(format!("{name}.json"))
    }

    /// The tests that pass without the patch and not with it.
    pub(super) fn lost(&self) -> impl Iterator<Item = &String> {
        self.tests
            .iter()
            .flat_map(|[before, after]| before.passed.difference(&after.passed))
    }

    /// How many times as fast it is with the patch.
    pub(super) fn factor(&self) -> Option<f64> {
        let [before, after] = self.nanoseconds?;
        Some(before as f64 / after as f64)
    }
}
