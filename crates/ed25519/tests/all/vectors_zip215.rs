//! ZIP 215's set: every pair of small-order encodings as key and R, with S = 0.

use crate::vectors_support::check;
use lanner_vectors::{noble, outside_files};

#[test]
fn small_order_pairs() {
    let Some(files) = outside_files("ZIP 215", &[noble::ZIP215]) else {
        return;
    };
    let cases = files.zip215();
    assert_eq!(cases.len(), 196);
    for (nth, case) in cases.iter().enumerate() {
        let name = format!("pair {nth}");
        check(
            &name,
            &case.key,
            noble::ZIP215_MESSAGE,
            &case.signature,
            |profile| match profile {
                "zip215" => Some(case.valid_zip215),
                // By their definition these refuse a key of small order.
                "strict" | "strict-legacy" | "libsodium" | "simd0376-2026" => Some(false),
                _ => None,
            },
        );
    }
}
