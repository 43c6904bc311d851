//! A chunk of rows: as many as fill the lanes and make a batch worth its while, few enough to stay in the caches.

use std::ops::Range;

use crate::column::Bytes;
use crate::keys::Store;
use crate::scheme::{Row, Scheme};
use crate::{Column, Encoding, Error, Reason};

/// Where the bytes of a value are.
#[derive(Clone)]
enum Part<'a> {
    /// In the column.
    Column(&'a [u8]),
    /// Among the decoded text of the chunk.
    Decoded(Range<usize>),
}

impl<'a> Part<'a> {
    fn bytes<'s>(&'s self, decoded: &'s [u8]) -> &'s [u8]
    where
        'a: 's,
    {
        match self {
            Self::Column(bytes) => bytes,
            Self::Decoded(range) => &decoded[range.clone()],
        }
    }
}

/// A row that is to be verified.
struct Open<'a> {
    /// Its place in the chunk.
    at: usize,
    /// The place of its key in the store.
    key: u32,
    key_bytes: Part<'a>,
    message: Part<'a>,
    signature: Part<'a>,
}

/// What stands for a value that was not looked up yet.
const UNKNOWN: u32 = u32::MAX;

pub(crate) struct Chunk<'c, 'a, S: Scheme> {
    scheme: &'c S,
    columns: &'c [Bytes<'a>; 3],
    store: &'c mut Store<S>,
    strict: bool,
    explain: bool,
    /// The place in the store of each value of the column of keys, if rows share them and are not far fewer.
    known_keys: Vec<u32>,
    outcomes: Vec<Option<Reason>>,
    open: Vec<Open<'a>>,
    decoded: Vec<u8>,
    /// How long the text was that was read for the chunk, whatever it came to.
    read: usize,
    verdicts: Vec<bool>,
}

/// Of how many values there is a table: of all that the rows may share, but of none where these are far fewer. A call over a
/// few rows of a large dictionary takes the time of these rows, and each looks for its key itself.
fn values_known(distinct: Option<usize>, rows: usize) -> usize {
    /// So many values for each row are worth a table: four bytes that are cleared beside some microseconds of arithmetic.
    const VALUES: usize = 64;
    let shared = distinct.filter(|&values| values <= rows.saturating_mul(VALUES));
    shared.unwrap_or(0)
}

/// Whether so many rows are not valid that the next ones are verified each by its own equation; none if these are too few to say. A batch
/// in which one row is to be found is about as dear as that, one in which some are is dearer (the example `invalid`).
fn are_many_invalid<S: Scheme>(
    scheme: &S,
    rows: &[Row<'_, S::Key>],
    verdicts: &[bool],
) -> Option<bool> {
    /// More than one of so many.
    const MANY: usize = 1000;
    /// What says nothing.
    const FEW: usize = 32;
    /// How many are looked at, because a batch need not be searched for all.
    const LOOKED_AT: usize = 8;
    if rows.len() < FEW {
        return None;
    }
    let of = |(row, &valid): (_, &bool)| (!valid).then_some(row);
    let invalid = rows.iter().zip(verdicts).filter_map(of);
    let count = invalid.clone().count();
    if count * MANY <= rows.len() {
        return Some(false);
    }
    let step = count.div_ceil(LOOKED_AT);
    let searched_for = invalid
        .step_by(step)
        .filter(|row| scheme.is_searched_for(row));
    Some(searched_for.count() * step * MANY > rows.len())
}

impl<'c, 'a, S: Scheme> Chunk<'c, 'a, S> {
    /// A chunk ends after this many bytes of messages, and of text that is decoded, so that long ones take no longer than about
    /// ten milliseconds either.
    pub(crate) const BYTES: usize = 8 << 20;

    pub(crate) fn new(
        scheme: &'c S,
        columns: &'c [Bytes<'a>; 3],
        store: &'c mut Store<S>,
        rows: usize,
        strict: bool,
        explain: bool,
    ) -> Self {
        Self {
            scheme,
            columns,
            store,
            strict,
            explain,
            known_keys: vec![UNKNOWN; values_known(columns[0].distinct(), rows)],
            outcomes: Vec::new(),
            open: Vec::new(),
            decoded: Vec::new(),
            read: 0,
            verdicts: Vec::new(),
        }
    }

    /// How many rows it takes at most. Explaining takes a row that is not valid by itself, so these are fewer.
    pub(crate) const fn rows(explain: bool) -> usize {
        if explain { S::ROWS / 2 } else { S::ROWS }
    }

    /// What is said of each of these rows; fewer of them, and at least one, if their messages are long.
    pub(crate) fn judge(&mut self, rows: Range<usize>) -> Result<&[Option<Reason>], Error> {
        self.outcomes.clear();
        self.open.clear();
        self.decoded.clear();
        self.read = 0;
        if self.store.make_room() {
            self.known_keys.fill(UNKNOWN);
        }
        let mut bytes = 0;
        for (at, row) in rows.enumerate() {
            if bytes + self.read > Self::BYTES {
                break;
            }
            let start = self.decoded.len();
            let outcome = match self.look_at(at, row) {
                Ok(open) => {
                    if let Part::Column(message) = &open.message {
                        bytes += message.len();
                    }
                    self.open.push(open);
                    None
                }
                Err(reason) if self.strict && reason.is_malformed() => {
                    return Err(Error::Malformed { row, reason });
                }
                Err(reason) => {
                    // Many rows may have one long value, and no more than one of them stays here.
                    self.decoded.truncate(start);
                    Some(reason)
                }
            };
            self.outcomes.push(outcome);
        }
        self.store.decode_new();
        self.verify();
        Ok(&self.outcomes)
    }

    /// All that can be said of a row without arithmetic.
    fn look_at(&mut self, at: usize, row: usize) -> Result<Open<'a>, Reason> {
        let [keys, messages, signatures] = self.columns;
        let place = |column: &Bytes<'a>, name| column.place(row).ok_or(Reason::Null(name));
        let key = place(keys, Column::PublicKeys)?;
        let message = place(messages, Column::Messages)?;
        let signature = place(signatures, Column::Signatures)?;

        let key_bytes = self.read(keys, key, Column::PublicKeys)?;
        let bytes = key_bytes.bytes(&self.decoded);
        if !self.scheme.key_lengths().contains(&bytes.len()) {
            return Err(Reason::Length(Column::PublicKeys));
        }
        let signature_length = self.scheme.signature_length(bytes.len());
        let key = match self.known_keys.get_mut(key) {
            Some(known) if *known != UNKNOWN => *known,
            Some(known) => {
                *known = self.store.place_of(bytes);
                *known
            }
            None => self.store.place_of(bytes),
        };
        let signature = self.read(signatures, signature, Column::Signatures)?;
        if signature.bytes(&self.decoded).len() != signature_length {
            return Err(Reason::Length(Column::Signatures));
        }
        let message = self.read(messages, message, Column::Messages)?;
        Ok(Open {
            at,
            key,
            key_bytes,
            message,
            signature,
        })
    }

    fn read(&mut self, column: &Bytes<'a>, place: usize, name: Column) -> Result<Part<'a>, Reason> {
        let bytes = column.value(place);
        if column.encoding == Encoding::Bytes {
            return Ok(Part::Column(bytes));
        }
        self.read += bytes.len();
        let start = self.decoded.len();
        if !column.encoding.decode(bytes, &mut self.decoded) {
            return Err(Reason::Text(name));
        }
        Ok(Part::Decoded(start..self.decoded.len()))
    }

    /// Settles the rows that are open.
    fn verify(&mut self) {
        let mut rows = Vec::with_capacity(self.open.len());
        let decoded = &self.decoded;
        for open in &self.open {
            match self.store.key(open.key) {
                Some(key) => rows.push(Row {
                    key,
                    message: open.message.bytes(decoded),
                    signature: open.signature.bytes(decoded),
                }),
                None => self.outcomes[open.at] = Some(Reason::Key),
            }
        }
        self.verdicts.clear();
        self.verdicts.resize(rows.len(), false);
        self.scheme
            .verify_each(&rows, self.store.many_invalid, &mut self.verdicts);
        if let Some(many) = are_many_invalid(self.scheme, &rows, &self.verdicts) {
            self.store.many_invalid = many;
        }
        let mut verdicts = self.verdicts.iter();
        for open in &self.open {
            let outcome = &mut self.outcomes[open.at];
            if outcome.is_none() && verdicts.next() != Some(&true) {
                *outcome = Some(Reason::Signature);
            }
            if self.explain && outcome.is_some() {
                let [key, message, signature] = [&open.key_bytes, &open.message, &open.signature];
                let reason = self.scheme.reason(
                    key.bytes(decoded),
                    message.bytes(decoded),
                    signature.bytes(decoded),
                );
                *outcome = Some(reason);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{BinaryArray, DictionaryArray, Int32Array, StringArray};

    use super::{Chunk, values_known};
    use crate::column::Bytes;
    use crate::kernel::tests::Noting;
    use crate::keys::Store;
    use crate::{Column, Encoding, Reason};

    /// One long value for all rows, as a small file may have it: it is refused for its length, or because it does not decode.
    #[test]
    fn refused_text_of_many_rows_takes_the_room_of_one() {
        const ROWS: usize = 1000;
        const LENGTH: usize = 1 << 20;
        let one = BinaryArray::from_iter_values([[1]; ROWS]);
        for digit in ["0", "z"] {
            let text = StringArray::from_iter_values([digit.repeat(LENGTH)]);
            let long = DictionaryArray::new(Int32Array::from_value(0, ROWS), Arc::new(text));
            for place in [0, 2] {
                let column = |i, name, lengths: &[usize]| match i == place {
                    true => Bytes::new(&long, name, Encoding::Hex, lengths).unwrap(),
                    false => Bytes::new(&one, name, Encoding::Bytes, lengths).unwrap(),
                };
                let columns = [
                    column(0, Column::PublicKeys, &[1]),
                    column(1, Column::Messages, &[]),
                    column(2, Column::Signatures, &[1]),
                ];
                let name = [Column::PublicKeys, Column::Messages, Column::Signatures][place];
                let (scheme, mut store) = (Noting::default(), Store::new(100));
                let mut chunk = Chunk::new(&scheme, &columns, &mut store, ROWS, false, false);
                // After some megabytes it ends, as with long messages, so that one is asked whether to go on.
                let judged = chunk.judge(0..ROWS).unwrap();
                let most = Chunk::<Noting>::BYTES / LENGTH + 1;
                let reason = match digit {
                    "0" => Reason::Length(name),
                    _ => Reason::Text(name),
                };
                assert_eq!(judged, vec![Some(reason); most]);
                assert!(chunk.decoded.capacity() <= 2 * LENGTH, "{name:?}");
            }
        }
    }

    #[test]
    fn few_rows_of_a_large_dictionary_have_no_table_of_it() {
        assert_eq!(values_known(None, 8192), 0);
        assert_eq!(values_known(Some(1 << 20), 1), 0);
        assert_eq!(values_known(Some(65), 1), 0);
        assert_eq!(values_known(Some(64), 1), 64);
        assert_eq!(values_known(Some(1 << 20), 1 << 14), 1 << 20);
        assert_eq!(values_known(Some(usize::MAX), usize::MAX), usize::MAX);
    }
}
