//! A progress bar for long work.

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Work that is done sooner than this shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);

static SILENT: AtomicBool = AtomicBool::new(false);

/// From here on, no bar appears.
pub(crate) fn silence() {
    SILENT.store(true, Ordering::Relaxed);
}

/// Counts bytes, or signatures. A bar appears on standard error once the work has taken half a second, and only
/// if standard error is a terminal; it vanishes when this is dropped.
pub(crate) struct Progress {
    what: &'static str,
    counted: Counted,
    started: Instant,
    done: u64,
    total: Option<u64>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Counted {
    Bytes,
    Signatures,
}

enum State {
    Off,
    Waiting,
    Shown(ProgressBar),
}

impl Progress {
    /// `what` says what is going on ("signing"); `total` is the number of bytes to come, if known.
    pub(crate) fn new(what: &'static str, total: Option<u64>) -> Self {
        Self::of(Counted::Bytes, what, total)
    }

    /// The same for signatures, of which nobody knows how many will come.
    pub(crate) fn of_signatures(what: &'static str) -> Self {
        Self::of(Counted::Signatures, what, None)
    }

    fn of(counted: Counted, what: &'static str, total: Option<u64>) -> Self {
        Progress {
            what,
            counted,
            started: Instant::now(),
            done: 0,
            total,
            state: if std::io::stderr().is_terminal() && !SILENT.load(Ordering::Relaxed) {
                State::Waiting
            } else {
                State::Off
            },
        }
    }

    pub(crate) fn advance(&mut self, count: usize) {
        self.done += count as u64;
        match &self.state {
            State::Off => {}
            State::Waiting if self.started.elapsed() < PATIENCE => {}
            State::Waiting => self.state = State::Shown(self.bar()),
            State::Shown(bar) => bar.set_position(self.done),
        }
    }

    fn bar(&self) -> ProgressBar {
        let template = match (self.counted, self.total) {
            (Counted::Bytes, Some(_)) => "{prefix} [{wide_bar}] {bytes}/{total_bytes}, {eta} left",
            (Counted::Bytes, None) => "{prefix} {bytes}, {bytes_per_sec}",
            (Counted::Signatures, _) => "{prefix} {human_pos} signatures, {rate} per second",
        };
        // What was done before the bar appeared counts as done, but not as speed.
        let bar = ProgressBar::with_draw_target(self.total, ProgressDrawTarget::stderr())
            .with_position(self.done)
            .with_elapsed(self.started.elapsed());
        if let Ok(style) = ProgressStyle::with_template(template) {
            let style =
                style.with_key("rate", |state: &ProgressState, out: &mut dyn fmt::Write| {
                    // A rate that cannot be shown is no reason to end.
                    let _ = write!(out, "{}", HumanCount(state.per_sec() as u64));
                });
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_prefix(self.what);
        bar.reset_eta();
        bar
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let State::Shown(bar) = &self.state {
            bar.finish_and_clear();
        }
    }
}
