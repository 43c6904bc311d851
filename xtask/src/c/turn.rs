//! One process after the other: two that build the C library in one checkout would each remove what the other one reads.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::files::make;
use crate::process::target_dir;

/// The turn of this process, which ends with the last copy of it.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    _locked: Arc<File>,
}

/// Where the turn of this process is, while it has one: whoever asks again gets the same.
type Own = Mutex<Weak<File>>;

impl Turn {
    /// Waits until no other process builds the library here or uses what it has built, and says so.
    ///
    /// # Errors
    ///
    /// The file that is locked cannot be made.
    pub(super) fn take() -> Result<Self, String> {
        static OWN: Own = Mutex::new(Weak::new());
        let dir = target_dir().join("liblanner");
        make(&dir)?;
        let waits = || {
            eprintln!(
                "waiting for another process, which builds the C library in {} or uses it",
                dir.display()
            );
        };
        Self::at(&dir.join("lock"), &OWN, waits)
    }

    fn at(path: &Path, own: &Own, waits: impl FnOnce()) -> Result<Self, String> {
        let mut own = own.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(locked) = own.upgrade() {
            return Ok(Self { _locked: locked });
        }
        let of = |error: std::io::Error| format!("{}: {error}", path.display());
        let file = File::create(path).map_err(of)?;
        let result = match file.try_lock() {
            Ok(()) => Ok(()),
            Err(TryLockError::WouldBlock) => {
                waits();
                file.lock()
            }
            Err(TryLockError::Error(error)) => Err(error),
        };
        match result {
            // Some file systems know no locks.
            Err(error) if error.kind() != ErrorKind::Unsupported => return Err(of(error)),
            _ => {}
        }
        let locked = Arc::new(file);
        *own = Arc::downgrade(&locked);
        Ok(Self { _locked: locked })
    }
}

#[cfg(test)]
mod tests {
    use super::{Own, Turn};
    use std::sync::mpsc::channel;

    #[test]
    fn who_comes_second_says_so_and_waits() {
        let path = std::env::temp_dir().join(format!("lanner-turn-{}", std::process::id()));
        let (one, other) = (Own::default(), Own::default());
        let free = || panic!("nobody has it");
        let first = Turn::at(&path, &one, free).expect("made");
        // The same process has to wait for nothing.
        let again = Turn::at(&path, &one, free).expect("made");
        drop(first);
        let (says, said) = channel();
        std::thread::scope(|scope| {
            let path = &path;
            let second = scope.spawn(move || {
                let waits = || says.send("waits").expect("somebody listens");
                let turn = Turn::at(path, &other, waits);
                says.send("has it").expect("somebody listens");
                turn
            });
            assert_eq!(said.recv(), Ok("waits"));
            assert!(said.try_recv().is_err());
            drop(again);
            assert_eq!(said.recv(), Ok("has it"));
            drop(second.join().expect("it does not panic").expect("made"));
        });
        drop(Turn::at(&path, &one, free).expect("made"));
        std::fs::remove_file(&path).expect("it was made");
    }
}
