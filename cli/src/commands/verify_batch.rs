//! `lanner verify-batch`: checks the signatures in a table.

use crate::algorithm::Algorithm;
use crate::args::batch::{FieldEncoding, TableForm, VerifyBatch};
use crate::batch::{self, Counts, Settings, Source};
use crate::descriptor::{refuse_stdin, stdout_is};
use crate::error::{Error, Kind};
use crate::input::{Message, is_dash};
use crate::keyfile;
use crate::keys::VerifyingKey;
use crate::output::{Access, Target, overwritten, stdout_error};
use crate::progress::Progress;
use crate::report::{self, Report};
use crate::signatures::verify;
use crate::text::Shown;
use crate::tree::hash::threads;
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

pub(crate) fn run(args: &VerifyBatch, json: bool) -> Result<Report, Error> {
    args.form.check()?;
    if let Some(path) = args.key.as_deref().filter(|_| is_dash(&args.file)) {
        refuse_stdin(path, "key")?;
    }
    let in_columns = form_in_columns(args);
    let target = target(args, json, in_columns.is_some())?;
    let key = args
        .key
        .as_deref()
        .map(|path| {
            let loaded = keyfile::read_public(path, Algorithm::Ed25519)?;
            let key = loaded.key.into_verifying(args.algorithm, path)?;
            verify::refuse_weak(&key, path)?;
            Ok(key)
        })
        .transpose()?;
    let mut table = open(args, in_columns, key.as_ref())?;
    let form = table.form();
    let threads = threads(args.threads);
    let started = Instant::now();
    let mut progress = Progress::of_signatures("verifying");
    let mut judge = |write: &mut dyn FnMut(&[u8]) -> Result<(), Error>| {
        let write = |bytes: &[u8], count| {
            write(bytes)?;
            progress.advance(usize::try_from(count).unwrap_or(usize::MAX));
            Ok(())
        };
        match &mut table {
            Table::Text(source, settings) => batch::run(source, settings, threads, write),
            #[cfg(feature = "arrow")]
            Table::Columns(table) => batch::columns::run(table, threads, write),
        }
    };
    let mut counts = Counts::default();
    match &target {
        Target::File(output) => output.write_awaited_pieces(|write| {
            counts = judge(write)?;
            Ok(())
        })?,
        Target::Stdout => {
            let mut stdout = std::io::stdout().lock();
            counts = judge(&mut |bytes| stdout.write_all(bytes).map_err(|e| stdout_error(&e)))?;
            stdout.flush().map_err(|e| stdout_error(&e))?;
        }
    }
    drop(progress);
    let seconds = started.elapsed().as_secs_f64();
    Ok(report(args, form, &target, counts, seconds))
}

/// A table that is being read, and what was said of it.
enum Table<'a> {
    Text(Source, Box<Settings<'a>>),
    #[cfg(feature = "arrow")]
    Columns(batch::columns::Table<'a>),
}

impl Table<'_> {
    fn form(&self) -> TableForm {
        match self {
            Table::Text(source, _) => source.form(),
            #[cfg(feature = "arrow")]
            Table::Columns(table) => table.form(),
        }
    }
}

/// Begins to read.
fn open<'a>(
    args: &'a VerifyBatch,
    in_columns: Option<TableForm>,
    key: Option<&'a VerifyingKey>,
) -> Result<Table<'a>, Error> {
    #[cfg(feature = "arrow")]
    if let Some(form) = in_columns {
        args.context.refuse("a table in columns")?;
        return batch::columns::Table::open(columns(args, form, key)).map(Table::Columns);
    }
    debug_assert!(in_columns.is_none(), "no other build knows of columns");
    let mut source = Source::new(
        Message::once(&args.file)
            .map_err(|e| match e.kind {
                Kind::NotAFile => e.with_hint("name the file that has the table"),
                _ => e,
            })?
            .into_reader(),
        args.form.from,
        &args.file,
    )?;
    let context = args.context.bytes()?;
    let mut names = [0, 1, 2].map(|i| Some(args.form.columns[i].clone()));
    if key.is_some() {
        names[0] = None;
    }
    let columns = source.columns(&names, &args.form.keep)?;
    let encoding = args.form.encoding.unwrap_or(FieldEncoding::Hex);
    let settings = Settings {
        form: source.form(),
        names,
        keep: args.form.keep.clone(),
        columns,
        encoding,
        message_encoding: args.form.message_encoding.unwrap_or(encoding),
        key,
        algorithm: args.algorithm,
        profile: args.profile,
        context: args.context.is_named().then_some(context),
    };
    Ok(Table::Text(source, Box::new(settings)))
}

/// The form of a table, if it is one in columns.
#[cfg(feature = "arrow")]
fn form_in_columns(args: &VerifyBatch) -> Option<TableForm> {
    match args.form.from {
        None => batch::columns::form_of(&args.file),
        Some(form @ (TableForm::Parquet | TableForm::Arrow)) => Some(form),
        Some(TableForm::Jsonl | TableForm::Csv) => None,
    }
}

#[cfg(not(feature = "arrow"))]
fn form_in_columns(_: &VerifyBatch) -> Option<TableForm> {
    None
}

/// What was said of a table in columns.
#[cfg(feature = "arrow")]
fn columns<'a>(
    args: &'a VerifyBatch,
    form: TableForm,
    key: Option<&'a VerifyingKey>,
) -> batch::columns::Settings<'a> {
    let encoding = args.form.encoding.unwrap_or(FieldEncoding::Raw);
    let of_messages = args.form.message_encoding.unwrap_or(encoding);
    batch::columns::Settings {
        form,
        path: &args.file,
        names: &args.form.columns,
        keep: &args.form.keep,
        encodings: [encoding, of_messages, encoding],
        key,
        algorithm: args.algorithm,
        profile: args.profile,
    }
}

fn target(args: &VerifyBatch, json: bool, in_columns: bool) -> Result<Target, Error> {
    let path = args.output.as_deref();
    let named = (!is_dash(&args.file)).then_some(args.file.as_path());
    if path.is_none_or(is_dash) && stdout_is(named) {
        return Err(overwritten(&args.file));
    }
    // Verdicts in text are welcome on a terminal.
    if !json && !in_columns && path.is_none_or(is_dash) {
        return Ok(Target::Stdout);
    }
    let inputs: Vec<&Path> = [Some(args.file.as_path()), args.key.as_deref()]
        .into_iter()
        .flatten()
        .collect();
    let what = if json {
        "verdicts beside its own line"
    } else {
        "a table in columns"
    };
    Target::new(path, Access::Default, args.force, json, what, &inputs)
}

fn report(
    args: &VerifyBatch,
    form: TableForm,
    target: &Target,
    counts: Counts,
    seconds: f64,
) -> Report {
    let rate = counts.all() as f64 / seconds.max(1e-9);
    let mut summary = format!("{} of {} signatures are valid", counts.valid, counts.all());
    for (count, what) in [
        (counts.not_valid, "not valid"),
        (counts.malformed, "malformed"),
        (counts.refused, "refused"),
    ] {
        if count > 0 {
            summary.push_str(&format!(", {count} {what}"));
        }
    }
    summary.push_str(&format!(
        "; {seconds:.1} s, {rate:.0} per second, profile {}",
        args.profile
    ));
    if counts.all() == 0 {
        summary.push_str("; ");
        summary.push_str(&no_records(&args.file));
    }
    let (text, path) = match target {
        Target::File(output) => {
            let path = output.path();
            let text = format!("{summary}.\n  verdicts     {}\n", Shown(path));
            (text, Some(path))
        }
        // Standard output has the verdicts.
        Target::Stdout => {
            report::say(format_args!("lanner: {summary}"));
            (String::new(), None)
        }
    };
    let mut report = Report::new(
        text,
        json!({
            "file": args.file.to_string_lossy(),
            "verdicts_file": path.map(|path| path.to_string_lossy()),
            "format": form.id(),
            "profile": args.profile.as_str(),
            "records": counts.all(),
            "valid": counts.valid,
            "not_valid": counts.not_valid,
            "malformed": counts.malformed,
            "refused": counts.refused,
            "seconds": seconds,
            "per_second": rate,
        }),
    );
    report.refusal = refusal(&counts, &args.file);
    report.with_written(path)
}

fn no_records(file: &Path) -> String {
    format!("there are no records in {}", Shown(file))
}

/// The exit code tells the worst that there was.
fn refusal(counts: &Counts, file: &Path) -> Option<Error> {
    let (kind, count, what) = if counts.not_valid > 0 {
        (Kind::SignatureInvalid, counts.not_valid, "are not valid")
    } else if counts.refused > 0 {
        (Kind::RefusedMessage, counts.refused, "are refused")
    } else if counts.malformed > 0 {
        (Kind::BadSignatureFile, counts.malformed, "are malformed")
    } else if counts.all() == 0 {
        return Some(
            Error::new(Kind::BadSignatureFile, no_records(file))
                .with_path(file)
                .with_hint("is it the right table, and whole? Nothing was verified"),
        );
    } else {
        return None;
    };
    let message = format!("{count} of {} records {what}", counts.all());
    Some(Error::new(kind, message).with_path(file))
}
