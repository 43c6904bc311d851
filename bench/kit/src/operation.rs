//! Tasks made ready for timing.

use std::ops::Range;

use crate::{Pool, SINGLES, Task};

/// A task, ready to be timed: runs the given number of times over the pool's entries.
/// Wrong results panic, so that nothing broken is ever reported as fast.
pub type Operation<'p> = Box<dyn FnMut(usize) + 'p>;

/// One library under measurement.
pub trait Library {
    /// A task, or nothing where the library does not offer it.
    fn operation<'p>(&self, task: Task, pool: &'p Pool) -> Option<Operation<'p>>;
}

/// An operation that takes the pool's entries one after the other.
pub fn each<'p>(mut operation: impl FnMut(usize) + 'p) -> Operation<'p> {
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
///
/// # Panics
///
/// The pool is smaller than the run.
pub fn runs<'p>(
    size: usize,
    pool: &Pool,
    mut operation: impl FnMut(Range<usize>) + 'p,
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
