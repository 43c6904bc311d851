//! The implementations under measurement.
//!
//! A further one is a file here that implements [`Implementation`] and a line in [`all`].

mod aws_lc;
mod dalek_shaped;
mod graviola;
mod ring;
mod zebra;

use crate::pool::{Pool, SINGLES};
use crate::rows::Row;

/// An operation, ready to be timed: runs the given number of times over the pool's entries.
/// Wrong results panic, so that nothing broken is ever reported as fast.
pub(crate) type Operation<'p> = Box<dyn FnMut(usize) + 'p>;

/// One library.
pub(crate) trait Implementation {
    /// Its name as a column.
    fn name(&self) -> &'static str;

    /// The package whose version the report states.
    fn package(&self) -> &'static str;

    /// The operation of a row, or nothing where the library does not offer it.
    fn operation<'p>(&self, row: Row, pool: &'p Pool) -> Option<Operation<'p>>;
}

/// All implementations; the first is the one that the others are held against.
pub(crate) fn all() -> Vec<Box<dyn Implementation>> {
    vec![
        Box::new(dalek_shaped::Lanner),
        Box::new(dalek_shaped::Dalek),
        Box::new(aws_lc::AwsLc),
        Box::new(graviola::Graviola),
        Box::new(ring::Ring),
        Box::new(zebra::Zebra),
    ]
}

/// An operation that takes the pool's entries one after the other.
fn each<'p>(mut operation: impl FnMut(usize) + 'p) -> Operation<'p> {
    let mut next = 0;
    Box::new(move |times| {
        for _ in 0..times {
            operation(next);
            next = (next + 1) % SINGLES;
        }
    })
}

/// An operation on runs of `size` entries of the pool, a different run each time where the pool
/// is larger than the run.
fn runs<'p>(
    size: usize,
    pool: &Pool,
    mut operation: impl FnMut(std::ops::Range<usize>) + 'p,
) -> Operation<'p> {
    let starts = pool.seeds.len() - size + 1;
    let mut start = 0;
    Box::new(move |times| {
        for _ in 0..times {
            operation(start..start + size);
            start = (start + size) % starts;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::all;
    use crate::pool::Pool;
    use crate::rows::Row;

    /// Every operation checks its own results while it runs.
    #[test]
    fn every_row_of_every_implementation_gives_the_right_result() {
        let pool = Pool::new(1024, 45, 1);
        for implementation in all() {
            let mut rows = 0;
            for row in Row::all() {
                if let Some(mut operation) = implementation.operation(row, &pool) {
                    operation(if row.units() == 1 { 130 } else { 2 });
                    rows += 1;
                }
            }
            assert!(rows >= 5, "{} measures too little", implementation.name());
        }
    }

    #[test]
    fn a_wrong_signature_is_noticed() {
        let mut pool = Pool::new(128, 45, 1);
        pool.signatures[0][5] ^= 1;
        for implementation in all() {
            for row in [Row::Sign, Row::Verify, Row::Batch(8)] {
                let Some(mut operation) = implementation.operation(row, &pool) else {
                    continue;
                };
                let result =
                    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| operation(1)));
                assert!(result.is_err(), "{} {row}", implementation.name());
            }
        }
    }
}
