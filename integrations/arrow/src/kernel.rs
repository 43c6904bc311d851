//! What the schemes share: from columns to verdicts, a chunk of rows at a time.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread;

use arrow_array::builder::StringViewBuilder;
use arrow_array::{BooleanArray, Datum, StringViewArray};
use arrow_buffer::{BooleanBufferBuilder, NullBuffer};

use crate::chunk::Chunk;
use crate::column::Bytes;
use crate::keys::Store;
use crate::options::Options;
use crate::scheme::Scheme;
use crate::{Column, Error, Nulls, Reason};

/// Verdicts, and why they are what they are.
#[derive(Clone, Debug)]
pub struct Explained {
    /// One verdict for each row.
    pub valid: BooleanArray,
    /// The name of the [`Reason`] ([`Reason::as_str`]) of each row that is not valid, null where the row is.
    /// These are views of a few names: so they have no length that offsets could not count.
    pub reasons: StringViewArray,
}

/// The options of a scheme, and the keys that it has seen.
pub(crate) struct Kernel<S: Scheme> {
    pub(crate) options: Options,
    /// A store for each call that is under way at one time, handed out and taken back.
    stores: Mutex<Vec<Store<S>>>,
}

/// What is said of rows: none where a row is valid.
type Outcomes<'o> = &'o mut dyn FnMut(&[Option<Reason>]);

impl<S: Scheme> Kernel<S> {
    pub(crate) fn new(options: Options) -> Self {
        Self {
            options,
            stores: Mutex::new(Vec::new()),
        }
    }

    /// The columns, and how many rows they have.
    fn columns<'a>(
        &self,
        scheme: &S,
        columns: [&'a dyn Datum; 3],
    ) -> Result<([Bytes<'a>; 3], usize), Error> {
        let keys = scheme.key_lengths();
        let signatures: Vec<usize> = keys
            .iter()
            .map(|&key| scheme.signature_length(key))
            .collect();
        let [a, b, c] = self.options.encodings;
        let columns = [
            Bytes::new(columns[0], Column::PublicKeys, a, keys)?,
            Bytes::new(columns[1], Column::Messages, b, &[])?,
            Bytes::new(columns[2], Column::Signatures, c, &signatures)?,
        ];
        let mut rows = None;
        for (it, column) in
            columns
                .iter()
                .zip([Column::PublicKeys, Column::Messages, Column::Signatures])
        {
            match (rows, it.rows) {
                (Some(expected), Some(found)) if expected != found => {
                    return Err(Error::Rows {
                        column,
                        found,
                        expected,
                    });
                }
                (_, Some(found)) => rows = Some(found),
                (_, None) => {}
            }
        }
        Ok((columns, rows.unwrap_or(1)))
    }

    /// Judges a range of rows.
    fn judge(
        &self,
        scheme: &S,
        columns: &[Bytes<'_>; 3],
        rows: Range<usize>,
        explain: bool,
        go_on: &dyn Fn() -> bool,
        outcomes: Outcomes<'_>,
    ) -> Result<(), Error> {
        let store = self.stores().and_then(|mut stores| stores.pop());
        let mut store = store.unwrap_or_else(|| Store::new(self.options.keys_kept));
        let mut chunk = Chunk::new(
            scheme,
            columns,
            &mut store,
            rows.len(),
            self.options.strict,
            explain,
        );
        let mut judged = Ok(());
        let mut start = rows.start;
        while start < rows.end && judged.is_ok() {
            judged = if go_on() {
                let end = rows.end.min(start + Chunk::<S>::rows(explain));
                chunk.judge(start..end).map(|found| {
                    start += found.len();
                    outcomes(found);
                })
            } else {
                Err(Error::Stopped)
            };
        }
        // After a panic the store is gone, which costs a few decodings.
        if let Some(mut stores) = self.stores() {
            stores.push(store);
        }
        judged
    }

    /// The stores; none if they are not to be had, without which a call decodes its keys itself.
    // Others have them for a few instructions. But in a process that was forked (by Python's multiprocessing, say) while another thread
    // had them they are never given back, because that thread is not there. So nobody waits for them without an end.
    fn stores(&self) -> Option<MutexGuard<'_, Vec<Store<S>>>> {
        const TRIES: usize = 100;
        for _ in 0..TRIES {
            match self.stores.try_lock() {
                Ok(stores) => return Some(stores),
                Err(TryLockError::Poisoned(error)) => return Some(error.into_inner()),
                Err(TryLockError::WouldBlock) => thread::yield_now(),
            }
        }
        None
    }

    pub(crate) fn verify(
        &self,
        scheme: &S,
        columns: [&dyn Datum; 3],
        go_on: &dyn Fn() -> bool,
    ) -> Result<BooleanArray, Error> {
        let (columns, rows) = self.columns(scheme, columns)?;
        let mut verdicts = Verdicts::new(self.options.nulls, rows);
        self.judge(scheme, &columns, 0..rows, false, go_on, &mut |outcomes| {
            verdicts.extend(outcomes)
        })?;
        Ok(verdicts.finish())
    }

    pub(crate) fn explain(
        &self,
        scheme: &S,
        columns: [&dyn Datum; 3],
        go_on: &dyn Fn() -> bool,
    ) -> Result<Explained, Error> {
        let (columns, rows) = self.columns(scheme, columns)?;
        let mut verdicts = Verdicts::new(self.options.nulls, rows);
        let mut reasons = StringViewBuilder::with_capacity(rows).with_deduplicate_strings();
        self.judge(scheme, &columns, 0..rows, true, go_on, &mut |outcomes| {
            verdicts.extend(outcomes);
            reasons.extend(outcomes.iter().map(|reason| reason.map(Reason::as_str)));
        })?;
        Ok(Explained {
            valid: verdicts.finish(),
            reasons: reasons.finish(),
        })
    }

    /// As [`Self::verify`], over the threads of the current pool.
    #[cfg(feature = "rayon")]
    pub(crate) fn par_verify(
        &self,
        scheme: &S,
        columns: [&dyn Datum; 3],
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<BooleanArray, Error> {
        use rayon::prelude::*;

        let (columns, rows) = self.columns(scheme, columns)?;
        // Several parts for each thread, because signatures that are not valid take longer; whole chunks.
        let part = rows.div_ceil(4 * rayon::current_num_threads());
        let part = part.next_multiple_of(S::ROWS).max(S::ROWS);
        let parts: Vec<Verdicts> = (0..rows.div_ceil(part))
            .into_par_iter()
            .map(|i| {
                let rows = i * part..rows.min((i + 1) * part);
                let mut verdicts = Verdicts::new(self.options.nulls, rows.len());
                self.judge(
                    scheme,
                    &columns,
                    rows,
                    false,
                    &|| go_on(),
                    &mut |outcomes| {
                        verdicts.extend(outcomes);
                    },
                )?;
                Ok(verdicts)
            })
            .collect::<Result<_, Error>>()?;
        let mut all = Verdicts::new(self.options.nulls, rows);
        for part in parts {
            all.append(part);
        }
        Ok(all.finish())
    }
}

/// A column of verdicts that grows.
struct Verdicts {
    valid: BooleanBufferBuilder,
    /// Which are not null; none if no verdict may be.
    known: Option<BooleanBufferBuilder>,
}

impl Verdicts {
    fn new(nulls: Nulls, rows: usize) -> Self {
        let propagate = nulls == Nulls::Propagate;
        Self {
            valid: BooleanBufferBuilder::new(rows),
            known: propagate.then(|| BooleanBufferBuilder::new(rows)),
        }
    }

    fn extend(&mut self, outcomes: &[Option<Reason>]) {
        for outcome in outcomes {
            self.valid.append(outcome.is_none());
            if let Some(known) = &mut self.known {
                known.append(!matches!(outcome, Some(Reason::Null(_))));
            }
        }
    }

    #[cfg(feature = "rayon")]
    fn append(&mut self, mut part: Self) {
        self.valid.append_buffer(&part.valid.finish());
        if let (Some(known), Some(part)) = (&mut self.known, &mut part.known) {
            known.append_buffer(&part.finish());
        }
    }

    fn finish(mut self) -> BooleanArray {
        let known = self.known.map(|mut known| NullBuffer::new(known.finish()));
        let known = known.filter(|known| known.null_count() > 0);
        BooleanArray::new(self.valid.finish(), known)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::cell::Cell;
    use std::sync::mpsc::channel;
    use std::sync::{Arc, Mutex};
    use std::thread;
    use std::time::Duration;

    use arrow_array::BinaryArray;

    use super::Kernel;
    use crate::Reason;
    use crate::options::Options;
    use crate::scheme::{Row, Scheme};

    /// A scheme in which what is signed with a one is valid, and a batch is searched for what is signed with a zero. It notes what it is
    /// told of each chunk.
    #[derive(Default)]
    pub(crate) struct Noting(Mutex<Vec<bool>>);

    thread_local! {
        /// How many keys it has decoded.
        static DECODED: Cell<usize> = const { Cell::new(0) };
    }

    impl Scheme for Noting {
        type Key = ();
        type Encoded = [u8; 1];

        const ROWS: usize = 1000;

        fn key_lengths(&self) -> &'static [usize] {
            &[1]
        }

        fn signature_length(&self, _: usize) -> usize {
            1
        }

        fn encoded(bytes: &[u8]) -> [u8; 1] {
            [bytes[0]]
        }

        fn decode_each<T>(
            items: &mut [T],
            _: impl Fn(&T) -> &[u8; 1],
            put: impl Fn(&mut T, Option<()>),
        ) {
            DECODED.set(DECODED.get() + items.len());
            items.iter_mut().for_each(|item| put(item, Some(())));
        }

        fn verify_each(&self, rows: &[Row<'_, ()>], many_invalid: bool, verdicts: &mut [bool]) {
            self.0.lock().unwrap().push(many_invalid);
            for (row, verdict) in rows.iter().zip(verdicts) {
                *verdict = row.signature == [1];
            }
        }

        fn is_searched_for(&self, row: &Row<'_, ()>) -> bool {
            row.signature == [0]
        }

        fn reason(&self, _: &[u8], _: &[u8], _: &[u8]) -> Reason {
            Reason::Signature
        }
    }

    #[test]
    fn keys_that_come_again_are_decoded_once() {
        let of = |keys: &[u8]| BinaryArray::from_iter_values(keys.iter().map(|key| [*key]));
        // How many keys are decoded in which rows have these, if so many are kept.
        let decoded = |kept: usize, rows: &[u8]| {
            let kernel = Kernel::new(Options::new(kept));
            let (keys, others) = (of(rows), of(&vec![1; rows.len()]));
            let columns: [&dyn arrow_array::Datum; 3] = [&keys, &others, &others];
            DECODED.set(0);
            for _ in 0..2 {
                kernel
                    .verify(&Noting::default(), columns, &|| true)
                    .unwrap();
            }
            DECODED.get()
        };
        // Whole chunks, as many rows as keys are kept, in two calls.
        let many: Vec<u8> = (0..3000).map(|i| (i % 100) as u8).collect();
        assert_eq!(decoded(1000, &[7; 3000]), 1);
        assert_eq!(decoded(1000, &many), 100);
        assert_eq!(decoded(100, &many), 100);
        // More than are kept, which begins anew at each chunk.
        assert_eq!(decoded(99, &many), 600);
        assert_eq!(decoded(0, &[7; 3000]), 6);
    }

    /// As they are in a process that was forked by one thread while another one had them.
    #[test]
    fn stores_that_are_never_given_back_are_not_waited_for() {
        let kernel = Arc::new(Kernel::new(Options::new(100)));
        let verify = |kernel: &Kernel<Noting>| {
            let column = BinaryArray::from_iter_values([[1], [0]]);
            let columns: [&dyn arrow_array::Datum; 3] = [&column, &column, &column];
            kernel.verify(&Noting::default(), columns, &|| true)
        };
        let taken = kernel.stores.lock().unwrap();
        let (done, wait) = channel();
        let other = Arc::clone(&kernel);
        thread::spawn(move || done.send(verify(&other)));
        let found = wait.recv_timeout(Duration::from_secs(60));
        let found = found.expect("it does not wait").unwrap();
        assert_eq!((found.value(0), found.value(1)), (true, false));
        drop(taken);
        verify(&kernel).unwrap();
        assert_eq!(kernel.stores.lock().unwrap().len(), 1);
    }

    #[test]
    fn each_chunk_is_told_of_the_one_before() {
        let (kernel, scheme) = (Kernel::new(Options::new(4)), Noting::default());
        // What the chunks are told in which rows have these signatures.
        let told = |signatures: &[u8]| {
            let of = |column: &[u8]| BinaryArray::from_iter_values(column.iter().map(|it| [*it]));
            let (keys, column) = (of(&vec![0; signatures.len()]), of(signatures));
            let found = kernel.verify(&scheme, [&keys, &keys, &column], &|| true);
            let valid = signatures.iter().filter(|it| **it == 1).count();
            assert_eq!(found.unwrap().true_count(), valid);
            std::mem::take(&mut *scheme.0.lock().unwrap())
        };
        let rows = |of: fn(usize) -> u8| (0..1000).map(of).collect::<Vec<_>>();
        let (good, bad, other) = (rows(|_| 1), rows(|_| 0), rows(|_| 2));
        let one = rows(|i| u8::from(i != 500));
        let two = rows(|i| u8::from(i % 500 != 3));
        let [good, bad, other, one, two] = [&good, &bad, &other, &one, &two].map(Vec::as_slice);
        let chunks = [good, one, two, bad, one, good];
        assert_eq!(
            told(&chunks.concat()),
            [false, false, false, true, true, false]
        );
        // From one call to the next; few rows say nothing.
        assert_eq!(told(two), [false]);
        assert!(told(&[]).is_empty());
        assert_eq!(told(&good[..31]), [true]);
        assert_eq!(told(good), [true]);
        assert_eq!(told(&bad[..31]), [false]);
        // And neither do rows that are not valid, and for which a batch is not searched.
        let (few, half) = (
            rows(|i| if i % 500 == 3 { 2 } else { 1 }),
            rows(|i| (i / 2 % 2) as u8 * 2),
        );
        let chunks = [other, &few, &half, other, good];
        assert_eq!(told(&chunks.concat()), [false, false, false, true, false]);
    }
}
