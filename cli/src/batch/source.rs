//! Cuts a table into pieces.

use super::decode::Columns;
use super::quotes::{Quotes, UNPAIRED};
use crate::args::batch::{TableForm, WITHOUT_ARROW};
use crate::error::{Error, Kind};
use crate::text::Shown;
use csv::ByteRecord;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A piece has at most so many records, or as many as have so many bytes. Batches gain little by being larger.
const PIECE_RECORDS: usize = 512;
const PIECE_BYTES: usize = 1 << 20;

/// More than this is no record: a line feed or a quotation mark is missing somewhere.
const MAX_RECORD: usize = 64 << 20;

/// Records as they were read.
pub(super) enum Records {
    /// Lines of JSON; an empty place for one that was longer than a record can be.
    Lines(Vec<Option<Vec<u8>>>),
    /// An empty place for one whose quotation marks do not pair.
    Csv(Vec<Option<ByteRecord>>),
}

/// Some records that follow each other; none at all of many blank lines.
pub(super) struct Piece {
    /// The number of the first one, from 1.
    pub(super) first: u64,
    pub(super) records: Records,
}

/// What was read to tell the form, and what follows.
type Input = BufReader<Chain<Cursor<Vec<u8>>, Box<dyn Read + Send>>>;

enum Reader {
    Lines(Input),
    Csv(Box<csv::Reader<Bounded>>),
}

/// A table that is being read.
pub(crate) struct Source {
    reader: Reader,
    path: PathBuf,
    /// How many records were handed out.
    done: u64,
    /// How many bytes the CSV reader has taken since the last record.
    taken: Arc<AtomicUsize>,
    /// What the CSV reader has been given, which may be more than it has made records of.
    quotes: Arc<Mutex<Quotes>>,
}

impl Source {
    /// Begins to read; `path` is for errors. Of a table in CSV, the names of the columns are read.
    pub(crate) fn new(
        mut reader: Box<dyn Read + Send>,
        form: Option<TableForm>,
        path: &Path,
    ) -> Result<Self, Error> {
        let mut start = start_of(&mut reader).map_err(|e| Error::io("read", path, &e))?;
        let form = match form {
            Some(form) => form,
            None => guess(&start, path)?,
        };
        if start.starts_with(BYTE_ORDER_MARK) {
            start.drain(..BYTE_ORDER_MARK.len());
        }
        let input = BufReader::with_capacity(256 * 1024, Cursor::new(start).chain(reader));
        let taken = Arc::new(AtomicUsize::new(0));
        let quotes = Arc::new(Mutex::new(Quotes::default()));
        let reader = match form {
            TableForm::Jsonl => Reader::Lines(input),
            TableForm::Csv => {
                let bounded = Bounded {
                    input,
                    taken: Arc::clone(&taken),
                    quotes: Arc::clone(&quotes),
                };
                // Records of another length than the first line are judged, not fatal.
                let mut reader = csv::ReaderBuilder::new()
                    .flexible(true)
                    .from_reader(bounded);
                reader.byte_headers().map_err(|e| csv_error(&e, 0, path))?;
                if is_faulty(&quotes, &reader) {
                    return Err(Error::new(
                        Kind::BadSignatureFile,
                        format!("the first line of {}: {UNPAIRED}", Shown(path)),
                    )
                    .with_path(path));
                }
                Reader::Csv(Box::new(reader))
            }
            TableForm::Parquet | TableForm::Arrow => {
                unreachable!("the command reads columns otherwise, or not at all")
            }
        };
        Ok(Source {
            reader,
            path: path.to_owned(),
            done: 0,
            taken,
            quotes,
        })
    }

    pub(crate) fn form(&self) -> TableForm {
        match self.reader {
            Reader::Lines(_) => TableForm::Jsonl,
            Reader::Csv(_) => TableForm::Csv,
        }
    }

    /// Where in a record of CSV the columns are. In JSON, each record says so itself.
    pub(crate) fn columns(
        &mut self,
        wanted: &[Option<String>; 3],
        keep: &[String],
    ) -> Result<Columns, Error> {
        let Reader::Csv(reader) = &mut self.reader else {
            return Ok(Columns::default());
        };
        let names = reader
            .byte_headers()
            .map_err(|e| csv_error(&e, 0, &self.path))?;
        // Of an empty table: there are no records either.
        if names.is_empty() {
            return Ok(Columns::default());
        }
        let find = |wanted: &str, hint: &str| {
            let near = |name: &[u8]| name.trim_ascii().eq_ignore_ascii_case(wanted.as_bytes());
            let mut found = (0..names.len()).filter(|&i| names[i] == *wanted.as_bytes());
            match (found.next(), found.next()) {
                (Some(at), None) => Ok(at),
                (first, _) => Err(Error::new(
                    Kind::Usage,
                    format!(
                        "the first line of {} {} a column {wanted:?}",
                        Shown(&self.path),
                        if first.is_none() {
                            "does not name"
                        } else {
                            "names twice"
                        },
                    ),
                )
                .with_path(&self.path)
                .with_hint(match first {
                    None if names.len() == 1 && names[0].iter().any(|it| b";\t|".contains(it)) => {
                        "what stands between the fields of CSV is a comma"
                    }
                    None if names.iter().any(near) => {
                        "names are taken as they stand in the table, with spaces and capital letters"
                    }
                    _ => hint,
                })),
            }
        };
        let mut places = [0; 3];
        for (place, wanted) in places.iter_mut().zip(wanted) {
            if let Some(wanted) = wanted {
                *place = find(
                    wanted,
                    "name the columns with --columns KEY,MESSAGE,SIGNATURE",
                )?;
            }
        }
        let keep = keep
            .iter()
            .map(|name| find(name, "--keep takes names that stand there, each once"))
            .collect::<Result<_, _>>()?;
        Ok(Columns {
            places,
            keep,
            count: names.len(),
        })
    }

    /// The next piece, or `None` at the end. A piece may be empty, so that whoever waits for pieces is heard of while blank
    /// lines go by; only the end of the input is the end.
    pub(super) fn next(&mut self) -> Result<Option<Piece>, Error> {
        let path = &self.path;
        let mut bytes = 0;
        let mut ended = false;
        let records = match &mut self.reader {
            Reader::Lines(input) => {
                let mut lines = Vec::new();
                while lines.len() < PIECE_RECORDS && bytes < PIECE_BYTES {
                    let Some(line) = next_line(input).map_err(|e| Error::io("read", path, &e))?
                    else {
                        ended = true;
                        break;
                    };
                    let length = line.as_ref().map_or(0, Vec::len);
                    bytes += length;
                    // Blank lines are nothing.
                    if line
                        .as_ref()
                        .is_none_or(|line| !line.trim_ascii().is_empty())
                    {
                        lines.push(line);
                    }
                }
                Records::Lines(lines)
            }
            Reader::Csv(reader) => {
                let mut records = Vec::new();
                while records.len() < PIECE_RECORDS && bytes < PIECE_BYTES {
                    let mut record = ByteRecord::new();
                    let number = self.done + records.len() as u64 + 1;
                    self.taken.store(0, Ordering::Relaxed);
                    if !reader
                        .read_byte_record(&mut record)
                        .map_err(|e| csv_error(&e, number, path))?
                    {
                        ended = true;
                        break;
                    }
                    bytes += record.as_slice().len();
                    records.push((!is_faulty(&self.quotes, reader)).then_some(record));
                }
                Records::Csv(records)
            }
        };
        let count = match &records {
            Records::Lines(lines) => lines.len(),
            Records::Csv(records) => records.len(),
        };
        if ended && count == 0 {
            return Ok(None);
        }
        let first = self.done + 1;
        self.done += count as u64;
        Ok(Some(Piece { first, records }))
    }
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// More white space than this before anything else tells no form.
const MAX_START: usize = 64 * 1024;

/// Reads so much of a table as tells its form, however little comes at once: from a pipe, that is what its writer wrote at once.
fn start_of(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    let mut buffer = [0; 4096];
    while !tells(&start) && start.len() < MAX_START {
        match reader.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => start.extend_from_slice(&buffer[..length]),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(start)
}

/// Whether [`guess`] says the same of whatever begins so.
fn tells(start: &[u8]) -> bool {
    let text = text_of(start);
    let decides = match text.strip_prefix(b"[") {
        Some(rest) => !rest.trim_ascii_start().is_empty(),
        None => !text.is_empty(),
    };
    decides && COLUMNAR.iter().all(|mark| start.len() >= mark.len())
}

/// What stands behind a byte order mark and white space.
fn text_of(start: &[u8]) -> &[u8] {
    let text = start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(start);
    text.trim_ascii_start()
}

/// JSON lines begin with a brace. What begins as an array of objects is no CSV either.
fn guess(start: &[u8], path: &Path) -> Result<TableForm, Error> {
    if COLUMNAR.iter().any(|mark| start.starts_with(mark)) {
        let message = format!("{} is a table in columns, Parquet or Arrow", Shown(path));
        let hint = if cfg!(feature = "arrow") {
            "of standard input, say --from arrow; Parquet must be a file"
        } else {
            WITHOUT_ARROW
        };
        return Err(Error::new(Kind::Usage, message)
            .with_path(path)
            .with_hint(hint));
    }
    if let Some(&(_, what, hint)) = FOREIGN.iter().find(|it| start.starts_with(it.0)) {
        let message = format!("{} is {what}, and no table of text", Shown(path));
        return Err(Error::new(Kind::Usage, message)
            .with_path(path)
            .with_hint(hint));
    }
    let text = text_of(start);
    if let Some(first) = text.strip_prefix(b"[")
        && matches!(first.trim_ascii_start().first(), Some(b'{' | b']'))
    {
        let message = format!(
            "{} is one array of JSON, and not lines of JSON",
            Shown(path)
        );
        return Err(Error::new(Kind::Usage, message)
            .with_path(path)
            .with_hint("each record is an object on a line of its own: jq -c '.[]' makes them"));
    }
    Ok(if text.starts_with(b"{") {
        TableForm::Jsonl
    } else {
        TableForm::Csv
    })
}

/// What else tables are taken for: how it begins, what it is, what to do with it.
const FOREIGN: [(&[u8], &str, &str); 6] = [
    (
        b"\x1f\x8b",
        "compressed by gzip",
        "gzip -dc FILE | lanner verify-batch -",
    ),
    (
        b"\x28\xb5\x2f\xfd",
        "compressed by Zstandard",
        "zstd -dc FILE | lanner verify-batch -",
    ),
    (
        b"\xfd7zXZ\0",
        "compressed by xz",
        "xz -dc FILE | lanner verify-batch -",
    ),
    (
        b"PK\x03\x04",
        "an archive or a spreadsheet",
        "export the table as CSV",
    ),
    (b"\xff\xfe", UTF_16, TO_UTF_8),
    (b"\xfe\xff", UTF_16, TO_UTF_8),
];
const UTF_16: &str = "in UTF-16";
const TO_UTF_8: &str = "iconv -f UTF-16 -t UTF-8 FILE | lanner verify-batch -";

/// What files of Parquet and of Arrow begin with, and streams of Arrow.
const COLUMNAR: [&[u8]; 3] = [b"PAR1", b"ARROW1", &[0xff; 4]];

/// The next line without its end; within, `None` for one that is longer than a record can be, which is passed over.
fn next_line(input: &mut Input) -> io::Result<Option<Option<Vec<u8>>>> {
    let mut line = Vec::new();
    let limit = MAX_RECORD as u64 + 1;
    if input.by_ref().take(limit).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') || line.len() <= MAX_RECORD {
        return Ok(Some(Some(line)));
    }
    drop(line);
    input.skip_until(b'\n')?;
    Ok(Some(None))
}

/// Whether the record that was read last is one in which [`Quotes`] has found a fault.
fn is_faulty(quotes: &Mutex<Quotes>, reader: &csv::Reader<Bounded>) -> bool {
    let mut quotes = quotes.lock().unwrap_or_else(PoisonError::into_inner);
    quotes.fault_before(reader.position().byte())
}

/// A reader that fails where a record is too long to be one, and looks at quotation marks.
struct Bounded {
    input: Input,
    taken: Arc<AtomicUsize>,
    quotes: Arc<Mutex<Quotes>>,
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.input.read(buffer)?;
        if self.taken.fetch_add(length, Ordering::Relaxed) > MAX_RECORD {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("it is longer than {MAX_RECORD} bytes; is a quotation mark not closed?"),
            ));
        }
        let mut quotes = self.quotes.lock().unwrap_or_else(PoisonError::into_inner);
        match length {
            0 if !buffer.is_empty() => quotes.end(),
            _ => quotes.pass(&buffer[..length]),
        }
        Ok(length)
    }
}

/// `number` is that of the record, 0 for the names of the columns.
fn csv_error(error: &csv::Error, number: u64, path: &Path) -> Error {
    match error.kind() {
        csv::ErrorKind::Io(e) if e.kind() == io::ErrorKind::InvalidData => Error::new(
            Kind::BadSignatureFile,
            format!("cannot read record {number} of {}: {e}", Shown(path)),
        )
        .with_path(path),
        csv::ErrorKind::Io(e) => Error::io("read", path, e),
        _ => Error::new(
            Kind::BadSignatureFile,
            format!("cannot read record {number} of {}: {error}", Shown(path)),
        )
        .with_path(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives so many bytes at once, the first time and later.
    struct Dripping {
        bytes: Cursor<Vec<u8>>,
        next: usize,
        later: usize,
    }

    impl Read for Dripping {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.next.min(buffer.len());
            self.next = self.later;
            self.bytes.read(&mut buffer[..length])
        }
    }

    /// The form and the records, or the error.
    fn read(bytes: &[u8], first: usize, later: usize) -> Result<String, String> {
        let dripping = Dripping {
            bytes: Cursor::new(bytes.to_vec()),
            next: first,
            later,
        };
        let run = || -> Result<String, Error> {
            let mut source = Source::new(Box::new(dripping), None, Path::new("table"))?;
            let mut text = format!("{:?}", source.form());
            if let Reader::Csv(reader) = &mut source.reader {
                text += &format!(" {:?}", reader.byte_headers().expect("they were read"));
            }
            while let Some(piece) = source.next()? {
                match piece.records {
                    Records::Lines(lines) => text += &format!(" {lines:?}"),
                    Records::Csv(records) => text += &format!(" {records:?}"),
                }
            }
            Ok(text)
        };
        run().map_err(|error| format!("{:?} {error}", error.kind))
    }

    /// A pipe gives what was written at once: nothing depends on how much that was.
    #[test]
    fn how_a_table_comes_in_pieces_changes_nothing() {
        let mut tables: Vec<Vec<u8>> = Vec::new();
        for mark in [&b""[..], BYTE_ORDER_MARK] {
            for space in [&b""[..], b"\n", b" \r\n\t"] {
                for text in [
                    &b"{\"a\":1}\n{\"b\":2}\n"[..],
                    b"[ {\"a\":1},\n{\"b\":2}]",
                    b"[]",
                    b"[x],y\n1,2\n",
                    b"a,b\n1,2\n\"3\n\",4\n",
                    b"a",
                    b"PAR1 and so on",
                    b"ARROW1 and so on",
                    b"ARROW,b\n1,2\n",
                    b"\xff\xff\xff\xff\x10\0\0\0",
                    b"\xff\xff\xff,b\n1,2\n",
                    b"",
                ] {
                    tables.push([mark, space, text].concat());
                }
            }
        }
        let whole = |table: &[u8]| read(table, usize::MAX, usize::MAX);
        let forms = |form: &str| {
            let of_form = |table: &&Vec<u8>| whole(table).is_ok_and(|text| text.starts_with(form));
            tables.iter().filter(of_form).count()
        };
        // What has marks of columns behind white space is text.
        assert_eq!((forms("Jsonl"), forms("Csv")), (6, 51));
        for table in &tables {
            for (first, later) in [
                (1, 1),
                (1, usize::MAX),
                (2, usize::MAX),
                (3, usize::MAX),
                (4, usize::MAX),
                (5, 2),
            ] {
                let text = String::from_utf8_lossy(table);
                let in_pieces = read(table, first, later);
                assert_eq!(in_pieces, whole(table), "{first}, {later}: {text}");
            }
        }
    }
}
