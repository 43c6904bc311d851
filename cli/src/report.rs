//! What a command has to say, as text or as JSON.

use crate::error::{EXIT_OK, Error, Kind};
use crate::formats::write::Beside;
use crate::keys::PublicKey;
use crate::text::{self, Plain, Shown};
use clap::error::{ContextKind, ContextValue};
use serde_json::{Map, Value, json};
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The result of a command that came to an end.
#[derive(Debug)]
pub(crate) struct Report {
    /// For people; empty if standard output carries the result itself.
    pub(crate) text: String,
    /// For programs, beside `command`, `ok`, `exit_code` and `warnings`.
    pub(crate) fields: Map<String, Value>,
    /// A result that is a refusal ("not valid") still is a result, with an exit code of its own.
    pub(crate) refusal: Option<Error>,
    /// The text is what the user asked for, and not about it: `--quiet` leaves it alone.
    pub(crate) is_result: bool,
    /// The files that were written, which the user should hear of even where the report cannot be.
    pub(crate) written: Vec<PathBuf>,
}

impl Report {
    /// `fields` must be a JSON object.
    pub(crate) fn new(text: String, fields: Value) -> Self {
        let Value::Object(fields) = fields else {
            unreachable!("reports are made of objects")
        };
        Report {
            text,
            fields,
            refusal: None,
            is_result: false,
            written: Vec::new(),
        }
    }

    /// The same of a command that has written these files.
    pub(crate) fn with_written<'p>(mut self, files: impl IntoIterator<Item = &'p Path>) -> Self {
        self.written.extend(files.into_iter().map(Path::to_owned));
        self
    }

    /// That they were written, if there are any.
    pub(crate) fn about_written(&self) -> Option<String> {
        Some(match &self.written[..] {
            [] => return None,
            [file] => format!("{} was written", Shown(file)),
            [one, other] => format!("{} and {} were written", Shown(one), Shown(other)),
            [first, others @ ..] => {
                format!(
                    "{} and {} other files were written",
                    Shown(first),
                    others.len()
                )
            }
        })
    }

    /// The same, as something that was asked for.
    pub(crate) fn into_result(self) -> Self {
        Report {
            is_result: true,
            ..self
        }
    }
}

/// How much is printed, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Text,
    Quiet,
    Json,
}

/// Prints how a command ended and returns the exit code. Text: results on standard output,
/// errors and warnings on standard error. JSON: one object on standard output. Quiet: errors, refusals among them, and
/// results that are no reports.
pub(crate) fn print(
    command: Option<&str>,
    outcome: &Result<Report, Error>,
    warnings: &[String],
    style: Style,
) -> io::Result<u8> {
    let error = match outcome {
        Ok(report) => report.refusal.as_ref(),
        Err(error) => Some(error),
    };
    let exit_code = error.map_or(EXIT_OK, |error| error.kind.exit_code());
    let mut stdout = io::stdout().lock();
    if style == Style::Json {
        let mut object = Map::new();
        object.insert("command".into(), json!(command));
        object.insert("ok".into(), json!(exit_code == EXIT_OK));
        object.insert("exit_code".into(), json!(exit_code));
        if let Ok(report) = outcome {
            object.extend(report.fields.clone());
        }
        if let Some(error) = error {
            object.insert("error".into(), error.to_json());
        }
        object.insert("warnings".into(), json!(warnings));
        writeln!(
            stdout,
            "{}",
            text::in_json(&Value::Object(object).to_string())
        )?;
    } else {
        let quiet = style == Style::Quiet;
        for warning in warnings.iter().filter(|_| !quiet) {
            say(format_args!("lanner: warning: {warning}"));
        }
        match outcome {
            Ok(report) if !quiet || report.is_result => {
                stdout.write_all(report.text.as_bytes())?;
                // The text says what is wrong, and not what to do.
                if let Some(hint) = report.refusal.as_ref().and_then(Error::hint) {
                    stdout.flush()?;
                    say(format_args!("lanner: hint: {hint}"));
                }
            }
            Ok(report) => {
                if let Some(error) = &report.refusal {
                    say(format_args!("lanner: {error}"));
                }
            }
            Err(error) => say(format_args!("lanner: error: {error}")),
        }
    }
    stdout.flush()?;
    Ok(exit_code)
}

/// A line on standard error. One that cannot be written changes nothing: how a command ended, its exit code tells.
pub(crate) fn say(line: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Has a usage error show what it quotes of the command line as file names are shown: one that begins with a dash, and came out
/// of an archive, is quoted there, too.
pub(crate) fn quote(error: &mut clap::Error) {
    let quoted = |text: &String| Plain(text).to_string();
    let shown: Vec<_> = error
        .context()
        .map(|(kind, value)| {
            let shown = match value {
                ContextValue::String(text) => ContextValue::String(quoted(text)),
                ContextValue::Strings(texts) => {
                    ContextValue::Strings(texts.iter().map(quoted).collect())
                }
                other => other.clone(),
            };
            (kind, *value != shown, shown)
        })
        .collect();
    if shown.iter().any(|(_, differs, _)| *differs) {
        for (kind, _, value) in shown {
            error.insert(kind, value);
        }
        // What it suggests has the same words in it, among those that colour them.
        error.remove(ContextKind::Suggested);
    }
}

/// A usage error as the parser words it, for `--json`.
pub(crate) fn usage_error(error: &clap::Error) -> Error {
    let text = error.render().to_string();
    let text = text.trim();
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let (message, rest) = text.split_once("\n\n").unwrap_or((text, ""));
    let error = Error::new(Kind::Usage, message);
    if rest.is_empty() {
        error
    } else {
        error.with_hint(rest)
    }
}

/// The lines of a report that say which key it is about: fingerprint, and what stands beside the key.
pub(crate) fn key_facts(key: &PublicKey, beside: &Beside) -> String {
    let mut text = format!("  fingerprint  {}\n", key.fingerprint());
    if let Some(id) = beside.key_id {
        text.push_str(&format!("  key number   {id}\n"));
    }
    if let Some(comment) = &beside.comment {
        text.push_str(&format!("  comment      {}\n", Plain(comment)));
    }
    text
}
