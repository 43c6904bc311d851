//! The hashes of many files, in several threads.

use super::Entry;
use crate::error::{Error, Kind};
use crate::progress::Progress;
use crate::signals;
use crate::text::Shown;
use sha2::{Digest, Sha256, Sha512};
use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread::Builder;
use std::time::Duration;

/// Bytes per read.
const CHUNK: usize = 128 * 1024;

/// The hash functions that lists of files are made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum TreeHash {
    /// What sha256sum -c checks
    Sha256,
    /// What sha512sum -c checks
    Sha512,
    /// What b3sum --check checks
    Blake3,
}

impl TreeHash {
    pub(crate) const ALL: [TreeHash; 3] = [TreeHash::Sha256, TreeHash::Sha512, TreeHash::Blake3];

    /// As the command line and JSON call it.
    pub(crate) fn id(self) -> &'static str {
        match self {
            TreeHash::Sha256 => "sha256",
            TreeHash::Sha512 => "sha512",
            TreeHash::Blake3 => "blake3",
        }
    }

    /// As lists in the form of BSD call it.
    pub(crate) fn tag(self) -> &'static str {
        match self {
            TreeHash::Sha256 => "SHA256",
            TreeHash::Sha512 => "SHA512",
            TreeHash::Blake3 => "BLAKE3",
        }
    }

    /// The name that a list of such hashes has.
    pub(crate) fn file_name(self) -> &'static str {
        match self {
            TreeHash::Sha256 => "SHA256SUMS",
            TreeHash::Sha512 => "SHA512SUMS",
            TreeHash::Blake3 => "BLAKE3SUMS",
        }
    }

    /// Hexadecimal digits of a hash.
    pub(crate) fn digits(self) -> usize {
        match self {
            TreeHash::Sha256 | TreeHash::Blake3 => 64,
            TreeHash::Sha512 => 128,
        }
    }

    fn hasher(self) -> Hasher {
        match self {
            TreeHash::Sha256 => Hasher::Sha256(Sha256::new()),
            TreeHash::Sha512 => Hasher::Sha512(Sha512::new()),
            TreeHash::Blake3 => Hasher::Blake3(Box::new(blake3::Hasher::new())),
        }
    }
}

enum Hasher {
    Sha256(Sha256),
    Sha512(Sha512),
    Blake3(Box<blake3::Hasher>),
}

impl Hasher {
    fn update(&mut self, bytes: &[u8]) {
        match self {
            Hasher::Sha256(hasher) => hasher.update(bytes),
            Hasher::Sha512(hasher) => hasher.update(bytes),
            Hasher::Blake3(hasher) => drop(hasher.update(bytes)),
        }
    }

    fn finish(self) -> Vec<u8> {
        match self {
            Hasher::Sha256(hasher) => hasher.finalize().to_vec(),
            Hasher::Sha512(hasher) => hasher.finalize().to_vec(),
            Hasher::Blake3(hasher) => hasher.finalize().as_bytes().to_vec(),
        }
    }
}

/// What was read of a file.
#[derive(Clone, Debug)]
pub(crate) struct Hashed {
    pub(crate) digest: Vec<u8>,
    pub(crate) size: u64,
}

/// The number of threads, unless the user names one: as many as there are processors.
pub(crate) fn threads(wanted: Option<u16>) -> usize {
    match wanted {
        Some(wanted) => usize::from(wanted).max(1),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    }
}

/// The hash of each file, in their order, or why it cannot be had. With `all`, an error of one file ends the work on the
/// others.
pub(crate) fn hashes(
    entries: &[Entry],
    hash: TreeHash,
    threads: usize,
    what: &'static str,
    all: bool,
) -> Result<Vec<Result<Hashed, Error>>, Error> {
    let total = entries.iter().map(|entry| entry.size).sum();
    let mut progress = Progress::new(what, Some(total));
    let next = AtomicUsize::new(0);
    let done = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let results: Vec<_> = entries.iter().map(|_| Mutex::new(None)).collect();
    let (finished, ended) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let work = |_| {
            let finished = finished.clone();
            let (next, done, stop, results) = (&next, &done, &stop, &results);
            move || {
                let mut buffer = vec![0; CHUNK];
                while !stop.load(Ordering::Relaxed) {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(entry) = entries.get(at) else { break };
                    let result = one(entry, hash, &mut buffer, |bytes| {
                        done.fetch_add(bytes as u64, Ordering::Relaxed);
                        !stop.load(Ordering::Relaxed)
                    });
                    if all && result.is_err() {
                        stop.store(true, Ordering::Relaxed);
                    }
                    *results[at].lock().expect("no thread panics") = Some(result);
                }
                drop(finished);
            }
        };
        // As many as the system gives; without any, this thread does it all.
        let workers: Vec<_> = (0..threads.min(entries.len()))
            .map_while(|i| Builder::new().spawn_scoped(scope, work(i)).ok())
            .collect();
        if workers.is_empty() {
            work(0)();
        }
        drop(finished);
        let mut shown = 0;
        // Until the last thread has dropped its end.
        while let Err(mpsc::RecvTimeoutError::Timeout) =
            ended.recv_timeout(Duration::from_millis(50))
        {
            let now = done.load(Ordering::Relaxed);
            progress.advance((now - shown) as usize);
            shown = now;
            if signals::check().is_err() {
                stop.store(true, Ordering::Relaxed);
            }
        }
        // Until they are gone: a scope waits for what its threads do and not for their ends, and a signal that one of them
        // takes there could end the process when files already get their names.
        for worker in workers {
            if let Err(panic) = worker.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
    signals::check()?;
    let results: Vec<_> = results
        .into_iter()
        .map(|result| result.into_inner().expect("no thread panics"))
        .collect();
    if all && let Some(error) = results.iter().flatten().find_map(|it| it.as_ref().err()) {
        return Err(error.clone());
    }
    results
        .into_iter()
        .map(|result| result.ok_or_else(|| Error::new(Kind::Io, "the work was given up")))
        .collect()
}

/// The hash of one file. `go_on` hears of each piece, and says whether more is wanted.
fn one(
    entry: &Entry,
    hash: TreeHash,
    buffer: &mut [u8],
    mut go_on: impl FnMut(usize) -> bool,
) -> Result<Hashed, Error> {
    let error = |e: io::Error| Error::io("read", &entry.path, &e);
    if let Some(what) = entry.other {
        return Err(not_a_file(entry, what));
    }
    let mut file = open(entry).map_err(error)?;
    if !file.metadata().map_err(error)?.is_file() {
        return Err(not_a_file(entry, "no longer a regular file"));
    }
    let mut hasher = hash.hasher();
    let mut size = 0;
    loop {
        match file.read(buffer) {
            Ok(0) => break,
            Ok(n) => {
                hasher.update(&buffer[..n]);
                size += n as u64;
                if !go_on(n) {
                    return Err(Error::new(Kind::Io, "the work was given up"));
                }
            }
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(error(e)),
        }
    }
    Ok(Hashed {
        digest: hasher.finish(),
        size,
    })
}

/// Opens what the walk has found to be a file, even if something else has its name by now: without following a link,
/// and without waiting for somebody to write to a pipe.
fn open(entry: &Entry) -> io::Result<File> {
    #[cfg(unix)]
    {
        use rustix::fs::{Mode, OFlags};
        let mut flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
        if !entry.is_link {
            flags |= OFlags::NOFOLLOW;
        }
        Ok(File::from(rustix::fs::open(
            &entry.path,
            flags,
            Mode::empty(),
        )?))
    }
    #[cfg(not(unix))]
    File::open(&entry.path)
}

/// The error for something that has no hash.
pub(crate) fn not_a_file(entry: &Entry, what: &str) -> Error {
    Error::new(Kind::NotAFile, format!("{} is {what}", Shown(&entry.path)))
        .with_path(&entry.path)
        .with_hint(if entry.is_link || what == "a symbolic link" {
            "--links follow takes links to files of the same tree for these files"
        } else {
            "remove it from the tree, or pack the tree with tar and sign the archive"
        })
}
