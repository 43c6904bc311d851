//! A progress bar for long work.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Work that is done sooner than this shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// Counts bytes. A bar appears on standard error once the work has taken half a second, and only
/// if standard error is a terminal; it vanishes when this is dropped.
pub(crate) struct Progress {
    what: &'static str,
    started: Instant,
    done: u64,
    total: Option<u64>,
    state: State,
}

enum State {
    Off,
    Waiting,
    Shown(ProgressBar),
}

impl Progress {
    /// `what` says what is going on ("signing"); `total` is the number of bytes to come, if known.
    pub(crate) fn new(what: &'static str, total: Option<u64>) -> Self {
        Progress {
            what,
            started: Instant::now(),
            done: 0,
            total,
            state: if std::io::stderr().is_terminal() {
                State::Waiting
            } else {
                State::Off
            },
        }
    }

    pub(crate) fn advance(&mut self, bytes: usize) {
        self.done += bytes as u64;
        match &self.state {
            State::Off => {}
            State::Waiting if self.started.elapsed() < PATIENCE => {}
            State::Waiting => self.state = State::Shown(self.bar()),
            State::Shown(bar) => bar.set_position(self.done),
        }
    }

    fn bar(&self) -> ProgressBar {
        let template = if self.total.is_some() {
            "{prefix} [{wide_bar}] {bytes}/{total_bytes}, {eta} left"
        } else {
            "{prefix} {bytes}, {bytes_per_sec}"
        };
        // What was done before the bar appeared counts as done, but not as speed.
        let bar = ProgressBar::with_draw_target(self.total, ProgressDrawTarget::stderr())
            .with_position(self.done)
            .with_elapsed(self.started.elapsed());
        if let Ok(style) = ProgressStyle::with_template(template) {
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
