//! Tables that are in columns: Parquet files, and what Arrow calls IPC, in files and streams. The verdicts have the same form.
//!
//! Rows are read and judged a few at a time, so that what is in memory does not depend on how long the table is, beside what
//! its own format makes a reader hold: a page and a dictionary of each column of Parquet, a record batch of Arrow.

use super::in_order;
use crate::algorithm::SignatureAlgorithm::{
    self, FnDsa512, FnDsa1024, Hybrid512, Hybrid1024, SkEd25519,
};
use crate::args::batch::{FieldEncoding, OWN_COLUMNS, TableForm};
use crate::batch::Counts;
use crate::error::{Error, Kind};
use crate::input::{Message, is_dash};
use crate::keys::VerifyingKey;
use crate::schemes::ed25519::profile::ProfileName;
use crate::schemes::fn_dsa;
use crate::signatures::guard;
use crate::text::Shown;
use arrow_array::{
    Array, ArrayRef, BinaryArray, Datum, Int64Array, RecordBatch, RecordBatchReader, Scalar,
    StringArray, StringViewArray,
};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use lanner_arrow::{Column, Ed25519, Encoding, Explained, FnDsa, Reason, each_value};
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::arrow::{ArrowWriter, ProjectionMask};
use parquet::basic::{Compression, Type};
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::properties::WriterProperties;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Rows that are judged together, at most: two batches of the kernel, some twenty milliseconds.
const ROWS: usize = 2048;

/// Bytes that they have, about, where that is known beforehand.
const BYTES: i64 = 4 << 20;

/// Verdicts that are held before Parquet writes them: so many rows, or as many as have so many bytes with what is kept.
const ROWS_WRITTEN: usize = 1 << 17;
const BYTES_WRITTEN: usize = 32 << 20;

/// What the user has said of the table.
pub(crate) struct Settings<'s> {
    pub(crate) form: TableForm,
    pub(crate) path: &'s Path,
    /// The names of the columns of keys, messages and signatures.
    pub(crate) names: &'s [String],
    pub(crate) keep: &'s [String],
    /// Of keys, messages and signatures.
    pub(crate) encodings: [FieldEncoding; 3],
    pub(crate) key: Option<&'s VerifyingKey>,
    pub(crate) algorithm: Option<SignatureAlgorithm>,
    pub(crate) profile: ProfileName,
}

type Batches = Box<dyn RecordBatchReader + Send>;

/// A table that is being read.
pub(crate) struct Table<'s> {
    settings: Settings<'s>,
    batches: Batches,
}

impl<'s> Table<'s> {
    /// Begins to read: the columns are there.
    pub(crate) fn open(settings: Settings<'s>) -> Result<Self, Error> {
        let batches = open(&settings)?;
        Ok(Self { settings, batches })
    }

    pub(crate) fn form(&self) -> TableForm {
        self.settings.form
    }
}

/// Judges everything in the table. `write` gets the verdicts in order, as they are to be written, and how many rows they are
/// of.
pub(crate) fn run(
    table: &mut Table,
    threads: usize,
    mut write: impl FnMut(&[u8], u64) -> Result<(), Error>,
) -> Result<Counts, Error> {
    let Table { settings, batches } = table;
    let settings = &*settings;
    let judge = Judge::new(settings, &batches.schema())?;
    let shared = Shared::default();
    let mut writer = Writer::new(settings, judge.schema(), shared.clone())?;
    let mut total = Counts::default();
    let mut current: Option<RecordBatch> = None;
    let mut done = 0;
    let next = || {
        loop {
            if let Some(batch) = current.take().filter(|batch| batch.num_rows() > 0) {
                let rows = batch.num_rows().min(ROWS);
                current = Some(batch.slice(rows, batch.num_rows() - rows));
                let first = done;
                done += rows as u64;
                return Ok(Some((first, batch.slice(0, rows))));
            }
            match batches.next() {
                Some(batch) => current = Some(batch.map_err(|error| unreadable(settings, &error))?),
                None => return Ok(None),
            }
        }
    };
    in_order(
        threads,
        next,
        |(first, batch)| judge.judge(first, &batch),
        |judged| {
            let (verdicts, counts) = judged?;
            writer.write(&verdicts)?;
            write(&shared.take(), counts.all())?;
            total.add(&counts);
            Ok(())
        },
    )?;
    writer.finish()?;
    write(&shared.take(), 0)?;
    Ok(total)
}

/// The form of a table, by its first bytes; none if it is text, or not to be known without reading what cannot be read again.
pub(crate) fn form_of(path: &Path) -> Option<TableForm> {
    let is_file = |path: &Path| std::fs::metadata(path).is_ok_and(|it| it.is_file());
    if is_dash(path) || !is_file(path) {
        return None;
    }
    let mut start = [0; 6];
    let length = File::open(path).ok()?.read(&mut start).ok()?;
    let start = &start[..length];
    if start.starts_with(b"PAR1") {
        Some(TableForm::Parquet)
    } else if start == b"ARROW1" || start.starts_with(&[0xff; 4]) {
        Some(TableForm::Arrow)
    } else {
        None
    }
}

fn unreadable(settings: &Settings, error: &dyn std::error::Error) -> Error {
    let path = settings.path;
    let form = match settings.form {
        TableForm::Parquet => "Parquet",
        _ => "Arrow",
    };
    let message = format!("cannot read {} as {form}: {error}", Shown(path));
    Error::new(Kind::BadSignatureFile, message).with_path(path)
}

/// Opens the table, of which only the columns that matter are read.
fn open(settings: &Settings) -> Result<Batches, Error> {
    let path = settings.path;
    let wanted = |schema: &Schema| -> Result<Vec<usize>, Error> {
        let mut places = Vec::new();
        for name in wanted_names(settings) {
            places.push(place_of(schema, name, path)?);
        }
        Ok(places)
    };
    let fail = |error: &dyn std::error::Error| unreadable(settings, error);
    if settings.form == TableForm::Parquet {
        if is_dash(path) {
            return Err(Error::new(
                Kind::Usage,
                "a table in Parquet is read from its end, which standard input has not",
            )
            .with_hint("name a file, or pass the table on as an Arrow stream"));
        }
        // The checks of every input: that it is there, and no directory.
        drop(Message::once(path)?);
        let file = File::open(path).map_err(|e| Error::io("read", path, &e))?;
        // The types of Parquet alone: the crate panics on some of those that Arrow's writers note beside them, such as
        // dictionaries of fixed width.
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let metadata = ArrowReaderMetadata::load(&file, options).map_err(|e| fail(&e))?;
        let metadata = as_views(metadata);
        let places = wanted(metadata.schema())?;
        let mask = ProjectionMask::roots(metadata.parquet_schema(), places);
        let rows = rows_at_once(metadata.metadata(), &mask);
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata)
            .with_projection(mask)
            .with_batch_size(rows)
            .build()
            .map_err(|e| fail(&e))?;
        return Ok(Box::new(reader));
    }
    let mut reader = Message::once(path)?.into_reader();
    let mut start = [0; 6];
    let length = read_up_to(&mut reader, &mut start).map_err(|e| Error::io("read", path, &e))?;
    if start == *b"ARROW1" && !is_dash(path) {
        drop(reader);
        let mut file = File::open(path).map_err(|e| Error::io("read", path, &e))?;
        file.seek(SeekFrom::Start(0))
            .map_err(|e| Error::io("read", path, &e))?;
        let reader = FileReader::try_new(BufReader::new(file), None).map_err(|e| fail(&e))?;
        wanted(&reader.schema())?;
        return Ok(Box::new(reader));
    }
    let whole = io::Cursor::new(start[..length].to_vec()).chain(reader);
    let reader = StreamReader::try_new(BufReader::new(whole), None).map_err(|e| fail(&e))?;
    wanted(&reader.schema())?;
    Ok(Box::new(reader))
}

/// Reads columns of bytes and of text as views, which lie in the pages of the file: many rows may have one long value out of a
/// dictionary, and as arrays of their own they would be copies of it.
fn as_views(metadata: ArrowReaderMetadata) -> ArrowReaderMetadata {
    let schema = metadata.schema();
    let fields = schema.fields().iter().map(|field| {
        let viewed = match field.data_type() {
            DataType::Binary => DataType::BinaryView,
            DataType::Utf8 => DataType::Utf8View,
            _ => return Arc::clone(field),
        };
        Arc::new(field.as_ref().clone().with_data_type(viewed))
    });
    let fields: Vec<_> = fields.collect();
    let schema = Schema::new_with_metadata(fields, schema.metadata().clone());
    let options = ArrowReaderOptions::new().with_schema(Arc::new(schema));
    let viewed = ArrowReaderMetadata::try_new(Arc::clone(metadata.metadata()), options);
    // Of a schema that the crate does not take back from itself, the columns are read as they are.
    viewed.unwrap_or(metadata)
}

/// How many rows are read together: of long messages, fewer. Values count as long as they are, and not as short as a
/// dictionary makes them, where the file says it.
fn rows_at_once(metadata: &ParquetMetaData, wanted: &ProjectionMask) -> usize {
    let bytes = |group: &RowGroupMetaData| -> i64 {
        let columns = group.columns().iter().enumerate();
        let sizes = columns
            .filter(|(leaf, _)| wanted.leaf_included(*leaf))
            .map(|(_, column)| {
                let values = match column.column_type() {
                    Type::FIXED_LEN_BYTE_ARRAY => {
                        let width = i64::from(column.column_descr().type_length());
                        column.num_values().saturating_mul(width)
                    }
                    _ => column.unencoded_byte_array_data_bytes().unwrap_or(0),
                };
                column.uncompressed_size().max(values)
            });
        sizes.fold(0, i64::saturating_add)
    };
    let groups = metadata.row_groups().iter();
    groups
        .map(|group| BYTES / (bytes(group) / group.num_rows().max(1)).max(1))
        .min()
        .map_or(ROWS, |rows| {
            usize::try_from(rows).unwrap_or(0).clamp(1, ROWS)
        })
}

/// Fills a buffer, or as much of it as there is.
fn read_up_to(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < buffer.len() {
        match reader.read(&mut buffer[length..]) {
            Ok(0) => break,
            Ok(more) => length += more,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(length)
}

/// The columns that are read: those of keys only if there is not one key for all.
fn wanted_names<'s>(settings: &'s Settings) -> impl Iterator<Item = &'s String> {
    let skip = usize::from(settings.key.is_some());
    settings.names.iter().skip(skip).chain(settings.keep)
}

fn place_of(schema: &Schema, name: &str, path: &Path) -> Result<usize, Error> {
    let mut found = (0..schema.fields().len()).filter(|&i| schema.field(i).name() == name);
    match (found.next(), found.next()) {
        (Some(at), None) => Ok(at),
        (first, _) => {
            let verb = if first.is_none() {
                "has no"
            } else {
                "has twice a"
            };
            Err(Error::new(
                Kind::Usage,
                format!("{} {verb} column {name:?}", Shown(path)),
            )
            .with_path(path)
            .with_hint("name the columns with --columns KEY,MESSAGE,SIGNATURE"))
        }
    }
}

/// Which kernels a row may be for.
enum Kernels {
    /// Each row by the length of its key.
    ByLength,
    Ed25519,
    /// With keys of this length.
    FnDsa(usize),
}

struct Judge<'s> {
    settings: &'s Settings<'s>,
    kernels: Kernels,
    ed25519: Ed25519,
    fn_dsa: FnDsa,
    /// The one key for all.
    key: Option<Scalar<BinaryArray>>,
    /// The places of keys (unless there is one for all), messages and signatures, and of what is kept.
    places: Vec<usize>,
    schema: SchemaRef,
}

/// A row that begins with what another format signs.
const REFUSED: &str = "foreign_mark";

impl<'s> Judge<'s> {
    fn new(settings: &'s Settings, schema: &Schema) -> Result<Self, Error> {
        let algorithm = (settings.key.map(VerifyingKey::algorithm)).or(settings.algorithm);
        let kernels = match algorithm {
            None => Kernels::ByLength,
            Some(SignatureAlgorithm::Ed25519) => Kernels::Ed25519,
            Some(FnDsa512) => Kernels::FnDsa(fn_dsa::vrfy_key_size(fn_dsa::FN_DSA_LOGN_512)),
            Some(FnDsa1024) => Kernels::FnDsa(fn_dsa::vrfy_key_size(fn_dsa::FN_DSA_LOGN_1024)),
            Some(other @ (Hybrid512 | Hybrid1024 | SkEd25519)) => {
                let message = format!("signatures of {other} are not verified in columns");
                return Err(Error::new(Kind::Usage, message)
                    .with_hint("Ed25519 and FN-DSA are; hybrid ones in tables of text"));
            }
        };
        if let (Some(key), Some(wanted)) = (settings.key, settings.algorithm)
            && key.algorithm() != wanted
        {
            let has = key.algorithm();
            let message = format!("the key is one of {has}, and not of {wanted}");
            return Err(Error::new(Kind::WrongKeyType, message));
        }
        let key = settings.key.map(key_bytes);
        let [mut of_keys, of_messages, of_signatures] = settings.encodings.map(encoding);
        if key.is_some() {
            of_keys = Encoding::Bytes;
        }
        macro_rules! kernel {
            ($kernel:expr) => {
                $kernel
                    .key_encoding(of_keys)
                    .message_encoding(of_messages)
                    .signature_encoding(of_signatures)
            };
        }
        let mut places = Vec::new();
        for name in wanted_names(settings) {
            places.push(place_of(schema, name, settings.path)?);
        }
        let kept = &places[3 - usize::from(key.is_some())..];
        let mut fields = vec![
            Field::new(OWN_COLUMNS[0], DataType::Int64, false),
            Field::new(OWN_COLUMNS[1], DataType::Utf8, false),
            Field::new(OWN_COLUMNS[2], DataType::Utf8, true),
        ];
        fields.extend(kept.iter().map(|&place| schema.field(place).clone()));
        Ok(Self {
            settings,
            kernels,
            ed25519: kernel!(Ed25519::new(settings.profile)),
            fn_dsa: kernel!(FnDsa::new()),
            key: key.map(|key| Scalar::new(BinaryArray::from_vec(vec![&key]))),
            places,
            schema: Arc::new(Schema::new(fields)),
        })
    }

    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// The verdicts on some rows, of which the first has the number `first`, counted from 0.
    fn judge(&self, first: u64, batch: &RecordBatch) -> Result<(RecordBatch, Counts), Error> {
        let mut columns = self.places.iter().map(|&place| batch.column(place));
        let own: Vec<&dyn Datum> = (self.key.iter().map(|key| key as &dyn Datum))
            .chain(
                (columns.by_ref())
                    .take(3 - usize::from(self.key.is_some()))
                    .map(|it| it as &dyn Datum),
            )
            .collect();
        let own: [&dyn Datum; 3] = own
            .try_into()
            .ok()
            .expect("three columns, or two and a key");
        let kept: Vec<ArrayRef> = columns.map(Arc::clone).collect();
        let reasons = self.reasons(own)?;

        let mut refused = vec![false; batch.num_rows()];
        let of_messages = encoding(self.settings.encodings[1]);
        each_value(own[1], Column::Messages, of_messages, |row, message| {
            refused[row] = message.is_some_and(|message| guard::mark_of(message).is_some());
        })
        .map_err(|error| self.column_error(&error))?;

        let mut counts = Counts::default();
        let mut verdict = |row: usize, reason: Option<&str>| {
            let (count, name) = match reason {
                _ if refused[row] => (&mut counts.refused, "refused"),
                None => (&mut counts.valid, "valid"),
                Some(reason) if is_malformed(reason) => (&mut counts.malformed, "malformed"),
                Some(_) => (&mut counts.not_valid, "not_valid"),
            };
            *count += 1;
            name
        };
        let verdicts: StringArray = (0..)
            .zip(reasons.iter())
            .map(|(row, reason)| Some(verdict(row, reason)))
            .collect();
        let reasons: StringArray = (refused.iter().zip(reasons.iter()))
            .map(|(&refused, reason)| if refused { Some(REFUSED) } else { reason })
            .collect();
        let numbers = first + 1..first + 1 + batch.num_rows() as u64;
        let numbers: Int64Array = numbers.map(|it| i64::try_from(it).ok()).collect();
        let mut columns: Vec<ArrayRef> =
            vec![Arc::new(numbers), Arc::new(verdicts), Arc::new(reasons)];
        columns.extend(kept);
        let verdicts = RecordBatch::try_new(self.schema(), columns)
            .map_err(|error| unreadable(self.settings, &error))?;
        Ok((verdicts, counts))
    }

    /// The reason of each row that is not valid.
    fn reasons(
        &self,
        [keys, messages, signatures]: [&dyn Datum; 3],
    ) -> Result<StringViewArray, Error> {
        let fail = |error: lanner_arrow::Error| self.column_error(&error);
        let ed25519 = || self.ed25519.explain(keys, messages, signatures);
        let fn_dsa = || self.fn_dsa.explain(keys, messages, signatures);
        let reasons = |explained: Explained| explained.reasons;
        let wrong_length = Reason::Length(Column::PublicKeys).as_str();
        match self.kernels {
            Kernels::Ed25519 => ed25519().map(reasons).map_err(fail),
            Kernels::FnDsa(length) => {
                let found = fn_dsa().map(reasons).map_err(fail)?;
                let mut right = vec![false; found.len()];
                let of_keys = match self.key {
                    Some(_) => Encoding::Bytes,
                    None => encoding(self.settings.encodings[0]),
                };
                each_value(keys, Column::PublicKeys, of_keys, |row, key| {
                    right[row] = key.is_none_or(|key| key.len() == length);
                })
                .map_err(fail)?;
                if self.key.is_some() {
                    return Ok(found);
                }
                let rows = right.iter().zip(found.iter());
                Ok(rows
                    .map(|(right, reason)| if *right { reason } else { Some(wrong_length) })
                    .collect())
            }
            Kernels::ByLength => {
                let found = match ed25519() {
                    Ok(explained) => explained.reasons,
                    // Keys or signatures of a width that is fixed, be it among the values of a dictionary, are of one scheme.
                    Err(error @ lanner_arrow::Error::Width { column, .. }) => {
                        let found = fn_dsa().map(reasons);
                        // Of neither: the keys say which scheme the error is to be one of.
                        let error = |other| match column {
                            Column::PublicKeys => other,
                            _ => error,
                        };
                        return found.map_err(|other| fail(error(other)));
                    }
                    Err(error) => return Err(fail(error)),
                };
                if !found.iter().flatten().any(|reason| reason == wrong_length) {
                    return Ok(found);
                }
                // The widths of signatures that are fixed are those of one scheme as well.
                let Ok(other) = fn_dsa().map(reasons) else {
                    return Ok(found);
                };
                let rows = found.iter().zip(other.iter());
                Ok(rows
                    .map(|(found, other)| {
                        if found == Some(wrong_length) {
                            other
                        } else {
                            found
                        }
                    })
                    .collect())
            }
        }
    }

    /// A column is not what it should be.
    fn column_error(&self, error: &lanner_arrow::Error) -> Error {
        use lanner_arrow::Error as E;
        let column = match error {
            E::Type { column, .. } | E::Text { column, .. } | E::Width { column, .. } => *column,
            _ => Column::PublicKeys,
        };
        let place = match column {
            Column::PublicKeys => 0,
            Column::Messages => 1,
            Column::Signatures => 2,
        };
        let name = &self.settings.names[place];
        let path = self.settings.path;
        let message = format!("the column {name:?} of {}: {error}", Shown(path));
        let is_width = matches!(error, E::Width { .. });
        let error = Error::new(Kind::Usage, message).with_path(path);
        match place {
            _ if is_width => error.with_hint(
                "--columns names the columns, --encoding says how they are written, --algorithm what they are of",
            ),
            1 => error.with_hint(
                "--columns names the columns, --message-encoding says how messages are written",
            ),
            _ => {
                error.with_hint("--columns names the columns, --encoding says how they are written")
            }
        }
    }
}

/// Whether a row could not be read, rather than judged.
fn is_malformed(reason: &str) -> bool {
    reason.starts_with("null_") || reason.starts_with("text_")
}

fn encoding(encoding: FieldEncoding) -> Encoding {
    match encoding {
        FieldEncoding::Hex => Encoding::Hex,
        FieldEncoding::Base64 => Encoding::Base64,
        FieldEncoding::Raw => Encoding::Bytes,
    }
}

fn key_bytes(key: &VerifyingKey) -> Vec<u8> {
    match key {
        VerifyingKey::Ed25519(key) => key.to_bytes().to_vec(),
        VerifyingKey::FnDsa(key) => {
            let mut bytes = vec![0; fn_dsa::vrfy_key_size(key.logn())];
            key.write_bytes(&mut bytes)
                .expect("as long as keys of its degree are");
            bytes
        }
        // Refused already.
        VerifyingKey::Hybrid(_) | VerifyingKey::Sk(_) => Vec::new(),
    }
}

/// Bytes that a writer of a format has written and nobody has taken yet.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut written = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        written.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

enum Writer {
    Parquet(Box<ArrowWriter<Shared>>),
    Arrow(Box<StreamWriter<Shared>>),
}

impl Writer {
    fn new(settings: &Settings, schema: SchemaRef, to: Shared) -> Result<Self, Error> {
        Ok(if settings.form == TableForm::Parquet {
            let properties = WriterProperties::builder()
                .set_compression(Compression::SNAPPY)
                .set_max_row_group_row_count(Some(ROWS_WRITTEN))
                .set_max_row_group_bytes(Some(BYTES_WRITTEN))
                .build();
            // The types of Parquet alone, as they were read: who reads the verdicts need not know of views.
            let options = ArrowWriterOptions::new()
                .with_properties(properties)
                .with_skip_arrow_metadata(true);
            let writer = ArrowWriter::try_new_with_options(to, schema, options);
            Self::Parquet(Box::new(writer.map_err(|e| unwritable(&e))?))
        } else {
            let writer = StreamWriter::try_new(to, &schema);
            Self::Arrow(Box::new(writer.map_err(|e| unwritable(&e))?))
        })
    }

    fn write(&mut self, verdicts: &RecordBatch) -> Result<(), Error> {
        match self {
            Self::Parquet(writer) => writer.write(verdicts).map_err(|e| unwritable(&e)),
            Self::Arrow(writer) => writer.write(verdicts).map_err(|e| unwritable(&e)),
        }
    }

    fn finish(self) -> Result<(), Error> {
        match self {
            Self::Parquet(writer) => writer.close().map(drop).map_err(|e| unwritable(&e)),
            Self::Arrow(mut writer) => writer.finish().map_err(|e: ArrowError| unwritable(&e)),
        }
    }
}

/// A column to keep has a type that the format has not.
fn unwritable(error: &dyn std::error::Error) -> Error {
    Error::new(
        Kind::Usage,
        format!("the verdicts cannot be written: {error}"),
    )
    .with_hint("keep fewer columns")
}
