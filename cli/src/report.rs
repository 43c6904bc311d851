//! What a command has to say, as text or as JSON.

use crate::error::{EXIT_OK, Error, Kind};
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// The result of a command that came to an end.
#[derive(Debug)]
pub(crate) struct Report {
    /// For people; empty if standard output carries the result itself.
    pub(crate) text: String,
    /// For programs, beside `command`, `ok`, `exit_code` and `warnings`.
    pub(crate) fields: Map<String, Value>,
    /// A result that is a refusal ("not valid") still is a result, with an exit code of its own.
    pub(crate) refusal: Option<Error>,
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
        }
    }
}

/// Prints how a command ended and returns the exit code. Text: results on standard output,
/// errors and warnings on standard error. JSON: one object on standard output.
pub(crate) fn print(
    command: Option<&str>,
    outcome: &Result<Report, Error>,
    warnings: &[String],
    json: bool,
) -> io::Result<u8> {
    let error = match outcome {
        Ok(report) => report.refusal.as_ref(),
        Err(error) => Some(error),
    };
    let exit_code = error.map_or(EXIT_OK, |error| error.kind.exit_code());
    let mut stdout = io::stdout().lock();
    if json {
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
        writeln!(stdout, "{}", Value::Object(object))?;
    } else {
        let mut stderr = io::stderr().lock();
        for warning in warnings {
            // A warning that cannot be shown changes nothing.
            let _ = writeln!(stderr, "lanner: warning: {warning}");
        }
        match outcome {
            Ok(report) => stdout.write_all(report.text.as_bytes())?,
            Err(error) => writeln!(stderr, "lanner: error: {error}")?,
        }
    }
    stdout.flush()?;
    Ok(exit_code)
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
