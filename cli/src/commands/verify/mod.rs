//! `lanner verify`: checks the signatures of files.

mod by_policy;
mod finding;
mod judge;

pub(crate) use judge::{Trust, judge};

use crate::args::Verify;
use crate::descriptor::refuse_stdin;
use crate::error::{Error, Kind};
use crate::input::{Source, directory, is_dash};
use crate::report::Report;
use crate::signatures::{self, Format};
use crate::text::Shown;
use finding::Finding;
use serde_json::json;
use std::io;
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &Verify) -> Result<Report, Error> {
    if let Some(policy) = &args.policy {
        return by_policy::run(args, policy);
    }
    check(args)?;
    if args.files.iter().any(|file| is_dash(file)) {
        args.trust.signer.refuse_stdin()?;
        if let Some(path) = &args.signature {
            refuse_stdin(path, "signature")?;
        }
    }
    let trust = Trust::read(&args.trust)?;
    let paths: Vec<PathBuf> = args
        .files
        .iter()
        .map(|file| signature_path(args, file))
        .collect::<Result<_, _>>()?;
    let mut text = String::new();
    let mut results = Vec::new();
    let mut refusal = None;
    for (file, path) in args.files.iter().zip(&paths) {
        let finding = match one(args, &trust, file, path) {
            Ok(finding) => finding,
            // With one file, the error is the result.
            Err(error) if args.files.len() == 1 => return Err(error),
            Err(error) => Finding::failed(error),
        };
        text.push_str(&finding.text(file, path));
        results.push(finding.fields(file, path));
        if let Some(error) = finding.refusal(file)
            && refusal
                .as_ref()
                .is_none_or(|worst: &Error| error.is_worse(worst))
        {
            refusal = Some(error);
        }
    }
    let mut report = Report::new(
        text,
        json!({ "valid": refusal.is_none(), "results": results }),
    );
    report.refusal = refusal;
    Ok(report)
}

/// More than the messages of unknown size have bytes that stand after their signatures.
const MAX_MESSAGE: u64 = 1 << 30;

fn one(args: &Verify, trust: &Trust<'_>, file: &Path, path: &Path) -> Result<Finding, Error> {
    // Before the signature, which nobody misses where there is no file.
    let metadata = match std::fs::metadata(file) {
        _ if is_dash(file) => None,
        Ok(metadata) if metadata.is_dir() => return Err(directory(file)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Err(Error::io("read", file, &e)),
        metadata => metadata.ok(),
    };
    let size = metadata.filter(|it| it.is_file()).map(|it| it.len());
    let size = size.unwrap_or(MAX_MESSAGE);
    let signature = signatures::read(path, args.trust.format, size).map_err(|error| {
        match signed_file(file) {
            Some(signed) if error.kind == Kind::NotFound && args.signature.is_none() => error
                .with_hint(format!(
                    "{} looks like a signature; name the file that was signed: {}",
                    Shown(file),
                    Shown(&signed)
                )),
            _ => error,
        }
    })?;
    judge(trust, &signature, Source::File(file), path)
}

fn check(args: &Verify) -> Result<(), Error> {
    let usage = |message: &str| Err(Error::new(Kind::Usage, message));
    // The parser lets this pass beside what does not go with --policy.
    if args.policy_key.is_some() {
        return usage("--policy-key belongs to --policy");
    }
    if args.signature.is_some() && args.files.len() > 1 {
        return usage("-s names one signature file, and there are several files");
    }
    if args.files.iter().filter(|file| is_dash(file)).count() > 1 {
        return usage("standard input is named twice");
    }
    Ok(())
}

fn signature_path(args: &Verify, file: &Path) -> Result<PathBuf, Error> {
    match &args.signature {
        Some(path) if is_dash(path) => Err(Error::new(
            Kind::Usage,
            "a signature cannot come from standard input",
        )
        .with_hint("save it as a file and name that with -s SIG")),
        Some(path) => Ok(path.clone()),
        None if is_dash(file) => Err(Error::new(
            Kind::Usage,
            "for standard input, say which signature file belongs to it",
        )
        .with_hint("add -s SIG")),
        None => Ok(signatures::usual_path(file, args.trust.format)),
    }
}

/// The file whose signature this is by its name, if there is one: gpg wants the signature, and here the file is named.
fn signed_file(signature: &Path) -> Option<PathBuf> {
    let signed = signature.with_extension("");
    let mut endings = Format::ENDINGS.iter();
    let is_one = endings.any(|it| it.path_for(&signed) == signature);
    (is_one && signed.is_file()).then_some(signed)
}
