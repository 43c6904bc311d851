//! How long an operation takes: what `cargo xtask patched` reads.

use std::time::{Duration, Instant};

/// Prints the nanoseconds that one call takes: the median of some rounds.
pub fn time(mut operation: impl FnMut()) {
    const ROUND: Duration = Duration::from_millis(40);
    let mut calls = 0_u32;
    let start = Instant::now();
    while start.elapsed() < 5 * ROUND {
        operation();
        calls += 1;
    }
    let calls = (calls / 5).max(1);
    let mut rounds: Vec<u128> = (0..15)
        .map(|_| {
            let start = Instant::now();
            (0..calls).for_each(|_| operation());
            start.elapsed().as_nanos() / u128::from(calls)
        })
        .collect();
    rounds.sort_unstable();
    println!("nanoseconds {}", rounds[rounds.len() / 2]);
}
