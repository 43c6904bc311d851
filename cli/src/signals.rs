//! Signals. SIGINT, SIGTERM and SIGHUP end the command at once, except while files get their names:
//! then they wait until the names are whole.
//!
//! A signal that the command was started to ignore, as `nohup` starts it, stays ignored.

use crate::error::{Error, Kind};
#[cfg(unix)]
use signal_hook::SigId;
use signal_hook::consts::signal::{SIGINT, SIGTERM};
use signal_hook::{flag, low_level};
#[cfg(unix)]
use std::io::{Read, Write};
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

#[cfg(unix)]
const SIGNALS: [i32; 3] = [SIGINT, SIGTERM, signal_hook::consts::signal::SIGHUP];
#[cfg(not(unix))]
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// What the handlers share with the program.
struct State {
    /// Signals do what they do by default.
    at_once: Arc<AtomicBool>,
    /// The last signal that came, or 0.
    came: Arc<AtomicUsize>,
    /// How many [`Held`] there are.
    holds: AtomicUsize,
}

static STATE: OnceLock<State> = OnceLock::new();

impl State {
    fn new() -> Self {
        let state = State {
            at_once: Arc::new(AtomicBool::new(true)),
            came: Arc::new(AtomicUsize::new(0)),
            holds: AtomicUsize::new(0),
        };
        for signal in SIGNALS {
            if is_ignored(signal) {
                continue;
            }
            // In this order, which is the order in which the handler does them. Where the system takes no
            // handler, the signal ends the command as it does anyway, and leaves what a power cut would.
            let _ = flag::register_usize(signal, Arc::clone(&state.came), signal as usize);
            let _ = flag::register_conditional_default(signal, Arc::clone(&state.at_once));
        }
        state
    }
}

/// What a limit on the size of files sends, which would end the command without a word, and may leave its memory in a file: the
/// write that went too far fails instead.
pub(crate) fn take_limits_as_errors() {
    #[cfg(unix)]
    {
        // A handler, and not ignored, which programs that the command runs would inherit. Nobody reads the flag. Where the
        // system takes no handler, the signal ends the command as it does anyway.
        let flag = Arc::new(AtomicBool::new(false));
        let _ = flag::register(signal_hook::consts::signal::SIGXFSZ, flag);
    }
}

/// As long as this lives, the signals wait; when it is dropped, one that came ends the process.
#[must_use]
#[derive(Debug)]
pub(crate) struct Held(());

/// Makes the signals wait. The handlers are installed by the first call, so that a command which only
/// reads can be ended at any time.
pub(crate) fn hold() -> Held {
    let state = STATE.get_or_init(State::new);
    state.holds.fetch_add(1, Ordering::SeqCst);
    state.at_once.store(false, Ordering::SeqCst);
    Held(())
}

/// Does `work`, during which a signal ends the process at once, after `cleanup`. For what waits for somebody else, whom a
/// signal that waits as well would wait for.
pub(crate) fn ending_with<T>(cleanup: impl FnOnce() + Send, work: impl FnOnce() -> T) -> T {
    let _held = hold();
    #[cfg(unix)]
    {
        let Some(watch) = STATE.get().and_then(|state| Watch::new(state).ok()) else {
            return work();
        };
        std::thread::scope(|scope| {
            let watch = &watch;
            let watcher = std::thread::Builder::new().stack_size(64 * 1024);
            // Where there is no thread to be had, the signals wait.
            let _ = watcher.spawn_scoped(scope, move || watch.wait(cleanup));
            let _over = Over(watch);
            work()
        })
    }
    #[cfg(not(unix))]
    {
        let _ = cleanup;
        work()
    }
}

/// Tells a thread of signals as they come.
#[cfg(unix)]
struct Watch {
    state: &'static State,
    ours: UnixStream,
    theirs: UnixStream,
    registered: Vec<SigId>,
}

#[cfg(unix)]
impl Watch {
    fn new(state: &'static State) -> std::io::Result<Self> {
        let (ours, theirs) = UnixStream::pair()?;
        let mut watch = Watch {
            state,
            ours,
            theirs,
            registered: Vec::new(),
        };
        for signal in SIGNALS {
            if !is_ignored(signal) {
                let end = watch.theirs.try_clone()?;
                watch
                    .registered
                    .push(low_level::pipe::register(signal, end)?);
            }
        }
        // One that came before is news as well.
        if state.came.load(Ordering::SeqCst) != 0 {
            watch.wake();
        }
        Ok(watch)
    }

    fn wake(&self) {
        let _ = (&self.theirs).write_all(b"X");
    }

    /// Returns when the work is over.
    fn wait(&self, cleanup: impl FnOnce()) {
        // The other end is open as long as this is.
        let _ = (&self.ours).read_exact(&mut [0]);
        let came = self.state.came.load(Ordering::SeqCst);
        if came != 0 {
            cleanup();
            // Does not return.
            let _ = low_level::emulate_default_handler(came as i32);
        }
    }
}

#[cfg(unix)]
impl Drop for Watch {
    fn drop(&mut self) {
        for &id in &self.registered {
            low_level::unregister(id);
        }
    }
}

/// Says that the work is over, even if it has panicked.
#[cfg(unix)]
struct Over<'a>(&'a Watch);

#[cfg(unix)]
impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.wake();
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let Some(state) = STATE.get() else { return };
        if state.holds.fetch_sub(1, Ordering::SeqCst) != 1 {
            return;
        }
        // First this: what comes from here on ends the process by itself.
        state.at_once.store(true, Ordering::SeqCst);
        let came = state.came.load(Ordering::SeqCst);
        if came != 0 {
            // Does not return.
            let _ = low_level::emulate_default_handler(came as i32);
        }
    }
}

/// Fails if a signal is waiting: long work that holds the signals asks now and then, so that it ends
/// early and takes its files back. The error itself is seen by nobody: the signal ends the process when
/// the last [`Held`] is dropped.
pub(crate) fn check() -> Result<(), Error> {
    match STATE.get() {
        Some(state) if state.came.load(Ordering::SeqCst) != 0 => {
            Err(Error::new(Kind::Io, "interrupted by a signal"))
        }
        _ => Ok(()),
    }
}

/// True if the command was started with this signal ignored. False where the system does not tell: such
/// a signal is then obeyed while files are written, and nowhere else.
fn is_ignored(signal: i32) -> bool {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else {
        return false;
    };
    status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
