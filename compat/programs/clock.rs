//! How long an operation takes: what `cargo xtask patched` reads.

use std::time::{Duration, Instant};

/// Prints the nanoseconds that one call takes: the fastest of many short rounds. Whatever else runs on the machine only adds
/// to the time, and a round of a millisecond is short enough that some rounds have the processor for themselves.
pub fn time(mut operation: impl FnMut()) {
    const ROUND: Duration = Duration::from_millis(1);
    const ALL: Duration = Duration::from_millis(800);
    // Caches and tables are warm, and what is built at first use is there.
    for _ in 0..3 {
        operation();
    }
    let start = Instant::now();
    let mut calls = 0_u32;
    while start.elapsed() < ROUND {
        operation();
        calls += 1;
    }
    let start = Instant::now();
    let mut fastest = u128::MAX;
    while start.elapsed() < ALL {
        let start = Instant::now();
        (0..calls).for_each(|_| operation());
        fastest = fastest.min(start.elapsed().as_nanos() / u128::from(calls));
    }
    println!("nanoseconds {fastest}");
}
