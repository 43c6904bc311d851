//! Ten rows in words.

use crate::data::{OURS, Results};
use crate::plot::digits;
use crate::show::fastest;

/// A row: what it is about, whose column is ours, and where the peers do the same.
const ROWS: [(&str, &str, &str, &str); 10] = [
    ("Verifying one signature", "verify", OURS, "verify"),
    (
        "Verifying under a key that was prepared",
        "verify-prepared",
        OURS,
        "verify-decoded",
    ),
    ("Signing", "sign", OURS, "sign"),
    ("A public key from a seed", "keygen", OURS, "keygen"),
    ("A shared secret by X25519", "x25519", OURS, "x25519"),
    (
        "A signature in a batch of 64, by ZIP 215",
        "batch-64-zip215",
        OURS,
        "batch-64-zip215",
    ),
    (
        "Signing by FN-DSA-512",
        "fn-dsa-512-sign",
        OURS,
        "fn-dsa-512-sign",
    ),
    (
        "Verifying FN-DSA-512",
        "fn-dsa-512-verify",
        OURS,
        "fn-dsa-512-verify",
    ),
    (
        "Verifying in JavaScript, in Node",
        "npm verify",
        "lanner/fast",
        "npm verify",
    ),
    (
        "Verifying in Python",
        "python verify",
        "lanner.ed25519",
        "python verify",
    ),
];

/// A sentence, and whether a peer is the faster.
#[derive(Clone, Debug, PartialEq)]
pub struct Sentence {
    /// The words before the verdict.
    pub what: String,
    /// The verdict.
    pub verdict: String,
    /// Nothing where a cell is missing.
    pub behind: Option<bool>,
}

/// Ten of them.
#[must_use]
pub fn ten(results: &Results) -> Vec<Sentence> {
    let of = |&(what, row, column, theirs): &(&str, &str, &str, &str)| {
        let ours = results.micros(row, column);
        let (Some(ours), Some((peer, micros))) = (ours, fastest(results, theirs)) else {
            return Sentence {
                what: what.into(),
                verdict: "not measured in this run".into(),
                behind: None,
            };
        };
        let behind = micros < ours;
        let times = digits(if behind { ours / micros } else { micros / ours });
        let (ours, micros) = (digits(ours), digits(micros));
        Sentence {
            what: format!("{what}: {ours} µs; the fastest peer, {peer}, {micros} µs"),
            verdict: if behind {
                format!("{peer} is {times} times as fast")
            } else {
                format!("{times} times as fast")
            },
            behind: Some(behind),
        }
    };
    ROWS.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Cell, SHORT};

    #[test]
    fn losses_are_said_as_wins_are() {
        let cell = |row: &str, column: &str, ns| Cell {
            row: row.into(),
            column: column.into(),
            bytes: SHORT,
            ns,
            ..Cell::default()
        };
        let results = Results {
            cells: vec![
                cell("verify", OURS, 10e3),
                cell("verify", "a peer", 15e3),
                cell("sign", OURS, 10e3),
                cell("sign", "a peer", 8e3),
            ],
            ..Results::default()
        };
        let said = ten(&results);
        assert_eq!(said.len(), 10);
        assert_eq!(said[0].verdict, "1.50 times as fast");
        assert_eq!(said[2].verdict, "a peer is 1.25 times as fast");
        let behind: Vec<_> = said[..3].iter().map(|sentence| sentence.behind).collect();
        assert_eq!(behind, [Some(false), None, Some(true)]);
    }
}
