//! `lanner verify-batch`: checks the signatures in a table.

use crate::algorithm::Algorithm;
use crate::args::batch::VerifyBatch;
use crate::batch::{self, Counts, Settings, Source};
use crate::error::{Error, Kind};
use crate::input::{Message, is_dash};
use crate::keyfile;
use crate::output::{Access, Target, stdout_error};
use crate::progress::Progress;
use crate::report::Report;
use crate::signatures::verify;
use crate::text::Shown;
use serde_json::json;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Instant;

pub(crate) fn run(args: &VerifyBatch, json: bool) -> Result<Report, Error> {
    args.form.check()?;
    let target = target(args, json)?;
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
    let mut source = Source::new(
        Message::once(&args.file)?.into_reader(),
        args.form.from,
        &args.file,
    )?;
    let mut names = [0, 1, 2].map(|i| Some(args.form.columns[i].clone()));
    if key.is_some() {
        names[0] = None;
    }
    let columns = source.columns(&names, &args.form.keep)?;
    let settings = Settings {
        form: source.form(),
        names,
        keep: args.form.keep.clone(),
        columns,
        encoding: args.form.encoding,
        message_encoding: args.form.message_encoding.unwrap_or(args.form.encoding),
        key,
        algorithm: args.algorithm,
        profile: args.profile,
    };
    let threads = args
        .threads
        .or_else(|| std::thread::available_parallelism().ok())
        .map_or(1, NonZeroUsize::get);
    let started = Instant::now();
    let mut progress = Progress::of_signatures("verifying");
    let mut judge = |write: &mut dyn FnMut(&[u8]) -> Result<(), Error>| {
        batch::run(&mut source, &settings, threads, |bytes, count| {
            write(bytes)?;
            progress.advance(usize::try_from(count).unwrap_or(usize::MAX));
            Ok(())
        })
    };
    let mut counts = Counts::default();
    match &target {
        Target::File(output) => output.write_pieces(|write| {
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
    Ok(report(args, &settings, &target, counts, seconds))
}

fn target(args: &VerifyBatch, json: bool) -> Result<Target, Error> {
    let path = args.output.as_deref();
    // Verdicts are text, and welcome on a terminal.
    if !json && path.is_none_or(is_dash) {
        return Ok(Target::Stdout);
    }
    let inputs: Vec<&Path> = [Some(args.file.as_path()), args.key.as_deref()]
        .into_iter()
        .flatten()
        .collect();
    let what = "verdicts beside its own line";
    Target::new(path, Access::Default, args.force, json, what, &inputs)
}

fn report(
    args: &VerifyBatch,
    settings: &Settings,
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
        settings.profile
    ));
    let (text, path) = match target {
        Target::File(output) => {
            let path = output.path();
            let text = format!("{summary}.\n  verdicts     {}\n", Shown(path));
            (text, Some(path))
        }
        // Standard output has the verdicts; a summary that cannot be shown changes nothing.
        Target::Stdout => {
            let _ = writeln!(std::io::stderr(), "lanner: {summary}");
            (String::new(), None)
        }
    };
    let mut report = Report::new(
        text,
        json!({
            "file": args.file.to_string_lossy(),
            "verdicts_file": path.map(|path| path.to_string_lossy()),
            "format": settings.form.id(),
            "profile": settings.profile.as_str(),
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
    report
}

/// The exit code tells the worst that there was.
fn refusal(counts: &Counts, file: &Path) -> Option<Error> {
    let (kind, count, what) = if counts.not_valid > 0 {
        (Kind::SignatureInvalid, counts.not_valid, "are not valid")
    } else if counts.refused > 0 {
        (Kind::RefusedMessage, counts.refused, "are refused")
    } else if counts.malformed > 0 {
        (Kind::BadSignatureFile, counts.malformed, "are malformed")
    } else {
        return None;
    };
    let message = format!("{count} of {} records {what}", counts.all());
    Some(Error::new(kind, message).with_path(file))
}
