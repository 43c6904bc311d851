//! The twelve cases of "Taming the many EdDSAs" (eprint 2020/1244), with the
//! verdicts of libraries (2020 and 2026) and of policies.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::hex;
use crate::outside::Outside;

/// A signature and who accepts it.
#[derive(Clone, Debug)]
pub struct SpeccheckCase {
    /// The number of the case.
    pub index: usize,
    /// The message.
    pub message: Vec<u8>,
    /// The public key.
    pub key: [u8; 32],
    /// The signature.
    pub signature: [u8; 64],
    /// Verdict by library, as of 2020.
    pub libraries_2020: BTreeMap<String, bool>,
    /// Verdict by library, re-run.
    pub libraries: BTreeMap<String, bool>,
    /// Verdict by policy; [`crate::cctv::profile_of_policy`] names the profile.
    pub policies: BTreeMap<String, bool>,
}

impl Outside {
    /// The twelve cases.
    pub fn speccheck(&self) -> Vec<SpeccheckCase> {
        #[derive(Deserialize)]
        struct Case {
            #[serde(with = "hex::bytes")]
            message: Vec<u8>,
            #[serde(with = "hex::array")]
            pub_key: [u8; 32],
            #[serde(with = "hex::array")]
            signature: [u8; 64],
        }
        #[derive(Deserialize)]
        struct Verdicts {
            index: usize,
            libs: BTreeMap<String, bool>,
            policy: BTreeMap<String, bool>,
        }
        #[derive(Deserialize)]
        struct VerdictFile {
            vectors: Vec<Verdicts>,
        }
        let cases: Vec<Case> = self.json("speccheck/cases.json");
        let verdicts: VerdictFile = self.json("speccheck/verdicts2026.json");
        let table = self.text("speccheck/results.md");
        assert_eq!(cases.len(), verdicts.vectors.len());
        let join = |(index, (case, verdict)): (usize, (Case, Verdicts))| {
            assert_eq!(verdict.index, index);
            SpeccheckCase {
                index,
                message: case.message,
                key: case.pub_key,
                signature: case.signature,
                libraries_2020: column(&table, index),
                libraries: verdict.libs,
                policies: verdict.policy,
            }
        };
        cases
            .into_iter()
            .zip(verdicts.vectors)
            .enumerate()
            .map(join)
            .collect()
    }
}

/// A column of the table of 2020: `|library | V | X | …`.
fn column(table: &str, index: usize) -> BTreeMap<String, bool> {
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let verdict = match cells[1 + index] {
            "V" => true,
            "X" => false,
            other => panic!("neither V nor X in the table: {other}"),
        };
        (cells[0].to_owned(), verdict)
    };
    table
        .lines()
        .filter(|line| line.starts_with('|'))
        .map(row)
        .collect()
}
