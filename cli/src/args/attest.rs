//! The command lines of `lanner attest` and `lanner verify-attestation`.

use super::{HashName, SecretArgs, SignerArgs, examples};
use crate::algorithm::SignatureAlgorithm;
use clap::Args;
use std::path::PathBuf;

/// Sign a statement about files: how they were built, what is in them
///
/// Writes an in-toto statement in a DSSE envelope, as one line of JSON. The subjects are named by
/// their file names and hashes; the predicate is what is said of them, a JSON object.
#[derive(Args, Debug)]
#[command(after_help = examples::ATTEST)]
pub(crate) struct Attest {
    /// The secret key file
    #[arg(short, long, value_name = "KEY")]
    pub(crate) key: PathBuf,

    /// Fail unless the key is for this [default: what the key is for]
    #[arg(short, long, visible_alias = "alg", value_enum)]
    pub(crate) algorithm: Option<SignatureAlgorithm>,

    /// What kind of statement it is: a URI, or slsa-provenance, vsa, spdx, cyclonedx, test-result,
    /// release
    #[arg(long, value_name = "TYPE")]
    pub(crate) predicate_type: String,

    /// The file with what is said: a JSON object
    #[arg(long, value_name = "FILE")]
    pub(crate) predicate: PathBuf,

    /// The files that the statement is about
    #[arg(required = true, value_name = "SUBJECT")]
    pub(crate) subjects: Vec<PathBuf>,

    /// The hash by which subjects are named
    #[arg(long, value_enum, default_value = "sha256")]
    pub(crate) hash: HashName,

    /// The envelope to write, or - for standard output [default: SUBJECT.intoto.jsonl, for one
    /// subject]
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// Replace a file that exists already
    #[arg(short, long)]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) secret: SecretArgs,
}

/// Check a statement about files
///
/// Takes DSSE envelopes with in-toto statements, one or one in each line. Each subject must be in a
/// statement that the signer has signed, with a hash that is the file's. Say whose the statement
/// should be: if you do not, nothing is trusted (exit code 5).
#[derive(Args, Debug)]
#[command(after_help = examples::VERIFY_ATTESTATION)]
pub(crate) struct VerifyAttestation {
    #[command(flatten)]
    pub(crate) signer: SignerArgs,

    /// Fail unless the key is for this [default: what the key is for]
    #[arg(short, long, visible_alias = "alg", value_enum)]
    pub(crate) algorithm: Option<SignatureAlgorithm>,

    /// Take statements of this kind only: a URI, or a name as attest takes it
    #[arg(long, value_name = "TYPE")]
    pub(crate) predicate_type: Option<String>,

    /// The file of envelopes [default: SUBJECT.intoto.jsonl, for one subject]
    #[arg(short = 's', long, value_name = "FILE")]
    pub(crate) attestation: Option<PathBuf>,

    /// The files that the statement should be about
    #[arg(required = true, value_name = "SUBJECT")]
    pub(crate) subjects: Vec<PathBuf>,

    /// Write the predicates of the statements about the subjects as they were signed, one in each line, in
    /// the order of the subjects, or - for standard output
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// Replace a file that exists already
    #[arg(short, long, requires = "output")]
    pub(crate) force: bool,
}
