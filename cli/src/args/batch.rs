//! The command line of `lanner verify-batch`.

use super::{ContextArgs, examples};
use crate::algorithm::SignatureAlgorithm;
use crate::error::{Error, Kind};
use crate::schemes::ed25519::profile::ProfileName;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Check many signatures, each by its own key, out of a table
///
/// Reads JSON lines or CSV (and Parquet or Arrow, if it was built to) with the columns public_key,
/// message and signature, and answers with a verdict for each record, in the same form and order:
/// valid, not_valid, malformed (what cannot be read), or refused (a message that begins as what
/// another format signs). Signatures are bare ones of the message itself. All processors work; the
/// input may be larger than memory.
///
/// The keys stand in the table: a verdict says whether a signature is one by that key, and not
/// whether the key is to be trusted. With -k there is one key for all, and no such column.
#[derive(Args, Debug)]
#[command(after_help = examples::VERIFY_BATCH)]
pub(crate) struct VerifyBatch {
    /// The table, or - for standard input
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) form: FormArgs,

    /// The public key file of the signer of everything
    #[arg(short, long, value_name = "PUB")]
    pub(crate) key: Option<PathBuf>,

    /// The only algorithm that is valid [default: the one whose keys have that length]
    #[arg(short, long, visible_alias = "alg", value_enum)]
    pub(crate) algorithm: Option<SignatureAlgorithm>,

    /// Who accepts what, of Ed25519: strict, rfc8032, rfc8032-cofactorless, dalek, zip215, donna or
    /// libsodium
    #[arg(long, value_name = "NAME", default_value = "strict", value_parser = profile)]
    pub(crate) profile: ProfileName,

    #[command(flatten)]
    pub(crate) context: ContextArgs,

    /// The file of verdicts to write [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// How many threads work [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    /// Replace a file that exists already
    #[arg(short, long, requires = "output")]
    pub(crate) force: bool,
}

// How the table is written.
#[derive(Args, Clone, Debug)]
pub(crate) struct FormArgs {
    /// The form of the table [default: what it begins like]
    #[arg(long, value_enum, value_name = "FORM")]
    pub(crate) from: Option<TableForm>,

    /// The names of the columns of keys, messages and signatures
    #[arg(
        long,
        value_name = "KEY,MESSAGE,SIGNATURE",
        value_delimiter = ',',
        num_args = 1,
        default_value = "public_key,message,signature"
    )]
    pub(crate) columns: Vec<String>,

    /// How keys, messages and signatures are written [default: hex in text, raw in columns]
    #[arg(long, value_enum)]
    pub(crate) encoding: Option<FieldEncoding>,

    /// How messages are written, if it is otherwise
    #[arg(long, value_enum, value_name = "ENCODING")]
    pub(crate) message_encoding: Option<FieldEncoding>,

    /// Columns to copy to the verdicts, between commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', num_args = 1)]
    pub(crate) keep: Vec<String>,
}

impl FormArgs {
    /// Refuses names that would stand for two things.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let usage = |message: &str| Err(Error::new(Kind::Usage, message));
        if let Some(form @ (TableForm::Parquet | TableForm::Arrow)) = self.from
            && cfg!(not(feature = "arrow"))
        {
            let message = format!("--from {} is for tables in columns", form.id());
            return Err(Error::new(Kind::Usage, message).with_hint(WITHOUT_ARROW));
        }
        if self.columns.len() != 3 || self.columns.iter().any(String::is_empty) {
            return usage("--columns takes three names: of keys, of messages, of signatures");
        }
        let twice = |names: &[String]| (1..names.len()).any(|i| names[..i].contains(&names[i]));
        if twice(&self.columns) || twice(&self.keep) {
            return usage("a column is named twice");
        }
        if self
            .keep
            .iter()
            .any(|name| name.is_empty() || OWN_COLUMNS.contains(&name.as_str()))
        {
            return usage("--keep takes names of columns, and none of record, verdict, reason");
        }
        Ok(())
    }
}

/// Where somebody has a table in columns, and the program is one that reads none.
pub(crate) const WITHOUT_ARROW: &str =
    "this program was built without the feature `arrow`, which reads such tables";

/// The columns of verdicts.
pub(crate) const OWN_COLUMNS: [&str; 3] = ["record", "verdict", "reason"];

/// The forms of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableForm {
    /// One JSON object in each line
    Jsonl,
    /// RFC 4180, with a line of names at the beginning
    Csv,
    /// A Parquet file
    #[cfg_attr(not(feature = "arrow"), value(hide = true))]
    Parquet,
    /// Arrow's IPC, a file or a stream
    #[cfg_attr(not(feature = "arrow"), value(hide = true))]
    Arrow,
}

impl TableForm {
    pub(crate) fn id(self) -> &'static str {
        match self {
            TableForm::Jsonl => "jsonl",
            TableForm::Csv => "csv",
            TableForm::Parquet => "parquet",
            TableForm::Arrow => "arrow",
        }
    }
}

/// How bytes stand in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FieldEncoding {
    Hex,
    /// RFC 4648, section 4, with padding or without
    Base64,
    /// As they are: in JSON the UTF-8 of a string, or a list of numbers
    Raw,
}

fn profile(name: &str) -> Result<ProfileName, String> {
    name.parse()
        .map_err(|e: crate::schemes::ed25519::profile::UnknownProfile| e.to_string())
}
