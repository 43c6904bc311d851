//! Many signatures out of one table: read in pieces, verified on all processors, answered in the order of the table.
//!
//! One thread reads and cuts the input into pieces, as many as there are processors judge them, and the caller's
//! writes. Both queues are short, so that what is in memory at one time does not depend on how long the input is.

#[cfg(feature = "arrow")]
pub(crate) mod columns;
mod decode;
mod judge;
mod quotes;
mod source;

pub(crate) use decode::Settings;
pub(crate) use source::Source;

use crate::error::Error;
use crate::signals;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::Builder;

/// How many records were judged in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) valid: u64,
    pub(crate) not_valid: u64,
    /// What could not be judged, because something of it is not there or not written as it should be.
    pub(crate) malformed: u64,
    /// What bare signatures must not be of.
    pub(crate) refused: u64,
}

impl Counts {
    pub(crate) fn all(&self) -> u64 {
        self.valid + self.not_valid + self.malformed + self.refused
    }

    fn add(&mut self, other: &Counts) {
        self.valid += other.valid;
        self.not_valid += other.not_valid;
        self.malformed += other.malformed;
        self.refused += other.refused;
    }
}

/// The verdicts on one piece, as they are written.
struct Judged {
    text: Vec<u8>,
    counts: Counts,
}

/// Judges everything that `source` has. `write` gets the verdicts in order, and how many records they are of.
pub(crate) fn run(
    source: &mut Source,
    settings: &Settings,
    threads: usize,
    mut write: impl FnMut(&[u8], u64) -> Result<(), Error>,
) -> Result<Counts, Error> {
    let mut total = Counts::default();
    write(&settings.heading(), 0)?;
    in_order(
        threads,
        || source.next(),
        |piece| judge::judge(piece, settings),
        |judged| {
            write(&judged.text, judged.counts.all())?;
            total.add(&judged.counts);
            Ok(())
        },
    )?;
    Ok(total)
}

/// The same on this thread alone, without what stands before the verdicts.
pub(crate) fn all(source: &mut Source, settings: &Settings) -> Result<(Vec<u8>, Counts), Error> {
    let (mut text, mut total) = (Vec::new(), Counts::default());
    while let Some(piece) = source.next()? {
        let judged = judge::judge(piece, settings);
        text.extend_from_slice(&judged.text);
        total.add(&judged.counts);
    }
    Ok((text, total))
}

/// A piece, and where what is said of it is waited for.
type Job<P, J> = (P, SyncSender<J>);

/// Judges pieces on so many threads, or on as many as the system gives, until `next` has no more. `take` gets what is said of
/// each, in their order.
fn in_order<P: Send, J: Send>(
    threads: usize,
    mut next: impl FnMut() -> Result<Option<P>, Error> + Send,
    judge: impl Fn(P) -> J + Sync,
    mut take: impl FnMut(J) -> Result<(), Error>,
) -> Result<(), Error> {
    let on_threads = std::thread::scope(|scope| {
        let (jobs, queue) = sync_channel::<Job<P, J>>(threads);
        let (promises, answers) = sync_channel::<Result<Receiver<J>, Error>>(2 * threads);
        let queue = Arc::new(Mutex::new(queue));
        let (next, judge) = (&mut next, &judge);
        let begins = |_: &usize| {
            let queue = Arc::clone(&queue);
            let work = move || work(&queue, judge);
            Builder::new().spawn_scoped(scope, work).is_ok()
        };
        if (0..threads).take_while(begins).count() == 0 {
            return None;
        }
        // Only the workers have it now: without them, nobody waits for them.
        drop(queue);
        let read = move || read(next, &jobs, &promises);
        let reader = Builder::new().spawn_scoped(scope, read);
        reader.is_ok().then(|| deliver(answers, &mut take))
    });
    // Without any thread, this one does it all: nothing was read yet.
    on_threads.unwrap_or_else(|| {
        while let Some(piece) = next()? {
            signals::check()?;
            take(judge(piece))?;
        }
        Ok(())
    })
}

/// Hands over what is said of each piece, until there is no more.
fn deliver<J>(
    answers: Receiver<Result<Receiver<J>, Error>>,
    take: &mut impl FnMut(J) -> Result<(), Error>,
) -> Result<(), Error> {
    for answer in answers {
        signals::check()?;
        // A worker that is gone has panicked, and the scope passes that on.
        let Ok(judged) = answer?.recv() else { break };
        take(judged)?;
    }
    Ok(())
}

/// Hands out pieces until there are no more, or until nobody wants them.
fn read<P, J>(
    mut next: impl FnMut() -> Result<Option<P>, Error>,
    jobs: &SyncSender<Job<P, J>>,
    promises: &SyncSender<Result<Receiver<J>, Error>>,
) {
    loop {
        let piece = match next() {
            Ok(Some(piece)) => piece,
            Ok(None) => return,
            Err(error) => {
                // What was read before the error has its verdicts first.
                let _ = promises.send(Err(error));
                return;
            }
        };
        let (answer, promise) = sync_channel(1);
        if promises.send(Ok(promise)).is_err() || jobs.send((piece, answer)).is_err() {
            return;
        }
    }
}

fn work<P, J>(queue: &Mutex<Receiver<Job<P, J>>>, judge: impl Fn(P) -> J) {
    loop {
        let job = queue.lock().expect("no thread panics with it").recv();
        let Ok((piece, answer)) = job else { return };
        // Nobody listens once writing has failed.
        let _ = answer.send(judge(piece));
    }
}
