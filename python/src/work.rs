//! The lock of the interpreter, and interruptions.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use pyo3::prelude::{PyErr, PyResult, Python};

/// From how many bytes on a message is long: hashing it takes longer than handing the lock over and back. The number is that
/// of Python's hashlib. Signing or verifying a shorter one takes some microseconds, after which a thread that has given the
/// lock away may wait for it for milliseconds.
const LONG: usize = 2048;

/// Rows of a batch between two looks at pending signals: some ten milliseconds of work on the curve, and enough of them
/// for what batches share.
const ROWS: usize = 1024;

/// Does some work, which other threads do not wait for if it is long. `bytes`: how much is hashed.
pub(crate) fn release_if_long<T: Send>(
    py: Python<'_>,
    bytes: usize,
    work: impl FnOnce() -> T + Send,
) -> T {
    if bytes < LONG {
        work()
    } else {
        py.detach(work)
    }
}

/// How long it takes to make a key of what is in its file, and so whether other threads wait for it.
#[derive(Clone, Copy)]
pub(crate) enum Reading {
    /// Microseconds: keys of the curve.
    Short,
    /// Up to some milliseconds: keys of FN-DSA, and those that are made anew from a seed.
    Long,
}

impl Reading {
    /// Reads.
    pub(crate) fn run<T: Send>(self, py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
        match self {
            Self::Short => work(),
            Self::Long => py.detach(work),
        }
    }
}

/// The verdicts of `count` rows, computed chunk by chunk without the lock. Stops where a signal handler raises, as it does
/// after Ctrl-C.
pub(crate) fn in_chunks(
    py: Python<'_>,
    count: usize,
    judge: impl Fn(std::ops::Range<usize>) -> Vec<bool> + Sync,
) -> PyResult<Vec<bool>> {
    let mut verdicts = Vec::with_capacity(count);
    for start in (0..count).step_by(ROWS) {
        let end = count.min(start + ROWS);
        verdicts.extend(py.detach(|| judge(start..end)));
        py.check_signals()?;
    }
    Ok(verdicts)
}

/// How long work without the lock goes on before it looks for signals: for a user at once, and seldom enough that waiting for
/// the lock costs little where other threads hold it.
const PATIENCE: Duration = Duration::from_millis(25);

/// Looks for signals from time to time, in work that was begun without the lock of the interpreter.
pub(crate) struct Watch {
    since: Cell<Instant>,
    raised: RefCell<Option<PyErr>>,
}

impl Watch {
    pub(crate) fn new() -> Self {
        Self {
            since: Cell::new(Instant::now()),
            raised: RefCell::new(None),
        }
    }

    /// Whether to go on: not after a signal handler has raised.
    pub(crate) fn go_on(&self) -> bool {
        if self.since.get().elapsed() >= PATIENCE {
            if let Err(error) = Python::attach(|py| py.check_signals()) {
                *self.raised.borrow_mut() = Some(error);
            }
            self.since.set(Instant::now());
        }
        self.raised.borrow().is_none()
    }

    /// What the handler raised.
    pub(crate) fn raised(&self) -> Option<PyErr> {
        self.raised.borrow_mut().take()
    }
}
