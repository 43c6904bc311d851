//! The command line.

pub(crate) mod attest;
pub(crate) mod batch;
mod examples;
pub(crate) mod note;
mod shared;
mod signing;
mod trees;

pub(crate) use shared::{ContextArgs, OpenKey, SecretArgs, SignerArgs, TrustArgs};
pub(crate) use signing::{HashName, Sign, Verify};
pub(crate) use trees::{SignTree, VerifyTree};

use crate::algorithm::Algorithm;
use crate::error::EXIT_CODES_HELP;
use crate::formats::write::Encoding;
use crate::password::NewPasswordArgs;
use attest::{Attest, VerifyAttestation};
use batch::VerifyBatch;
use clap::{Args, Parser, Subcommand, ValueEnum};
use note::{SignNote, VerifyNote};
use std::path::PathBuf;

/// Signs and verifies files with Ed25519 or FN-DSA, and agrees on shared secrets with X25519.
///
/// Keys and signatures are everyone's: those of OpenSSH, minisign, signify and OpenSSL are read and
/// written. Unless another form is asked for, keys are PEM files and signatures are SSH signatures;
/// for Ed25519, those that `openssl pkey` and `ssh-keygen -Y` know. Files of any size are read in
/// pieces.
///
/// New here? Try: lanner quickstart FILE
#[derive(Debug, Parser)]
#[command(name = "lanner", version, after_help = EXIT_CODES_HELP, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// Print one JSON object on standard output, for results and errors alike
    #[arg(long, global = true, display_order = 100)]
    pub(crate) json: bool,

    /// Print errors and what was asked for, and nothing else: no report, no progress bar, no warnings
    #[arg(
        short,
        long,
        global = true,
        display_order = 101,
        conflicts_with = "json"
    )]
    pub(crate) quiet: bool,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Quickstart(Quickstart),
    Keygen(Keygen),
    Public(Public),
    Inspect(Inspect),
    Convert(Convert),
    Sign(Sign),
    Verify(Verify),
    SignTree(SignTree),
    VerifyTree(VerifyTree),
    VerifyBatch(VerifyBatch),
    Attest(Attest),
    VerifyAttestation(VerifyAttestation),
    SignNote(SignNote),
    VerifyNote(VerifyNote),
    Exchange(Exchange),
    Bench(Bench),
    Doctor(Doctor),
}

impl Command {
    /// The name that the user typed.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Command::Quickstart(_) => "quickstart",
            Command::Keygen(_) => "keygen",
            Command::Public(_) => "public",
            Command::Inspect(_) => "inspect",
            Command::Convert(_) => "convert",
            Command::Sign(_) => "sign",
            Command::Verify(_) => "verify",
            Command::SignTree(_) => "sign-tree",
            Command::VerifyTree(_) => "verify-tree",
            Command::VerifyBatch(_) => "verify-batch",
            Command::Attest(_) => "attest",
            Command::VerifyAttestation(_) => "verify-attestation",
            Command::SignNote(_) => "sign-note",
            Command::VerifyNote(_) => "verify-note",
            Command::Exchange(_) => "exchange",
            Command::Bench(_) => "bench",
            Command::Doctor(_) => "doctor",
        }
    }
}

/// Show everything once, on a real file: keys, signature, verification, key agreement
///
/// Makes keys in a fresh directory, signs FILE with Ed25519, FN-DSA-512 and FN-DSA-1024, verifies
/// the signatures, shows that a tampered copy and a wrong key are refused, and agrees on a shared
/// secret with X25519. FILE itself is only read.
#[derive(Args, Debug)]
#[command(after_help = examples::QUICKSTART)]
pub(crate) struct Quickstart {
    /// The file to sign
    pub(crate) file: PathBuf,

    /// Where to put keys and signatures: a new or empty directory [default: a new one under the
    /// system's directory for temporary files]
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
}

/// Make a key pair
///
/// Asks for a password at the terminal. Where there is none, say which one with
/// --new-password-file and its like, or say --no-password.
#[derive(Args, Debug)]
#[command(after_help = examples::KEYGEN)]
pub(crate) struct Keygen {
    /// What the key is for
    #[arg(short, long, visible_alias = "alg", value_enum, default_value_t = Algorithm::Ed25519)]
    pub(crate) algorithm: Algorithm,

    /// The secret key file to write (readable by its owner only)
    #[arg(short, long, value_name = "KEY")]
    pub(crate) output: PathBuf,

    /// The public key file to write [default: alice.pem has alice.pub.pem beside it, alice has
    /// alice.pub]
    #[arg(long, value_name = "PUB")]
    pub(crate) public: Option<PathBuf>,

    /// The form of both files
    #[arg(long = "to", value_enum, value_name = "FORM", default_value_t = Encoding::Pem)]
    pub(crate) encoding: Encoding,

    /// Whose key it is, say alice@example.org: it stands in both files and is not secret
    #[arg(short = 'C', long)]
    pub(crate) comment: Option<String>,

    #[command(flatten)]
    pub(crate) new_password: NewPasswordArgs,

    /// Replace files that exist already; a key that was in them is lost. Until both new files are
    /// written, the old secret key is kept as KEY.old
    #[arg(short, long)]
    pub(crate) force: bool,
}

/// Derive the public key of a secret key
#[derive(Args, Debug)]
#[command(after_help = examples::PUBLIC)]
pub(crate) struct Public {
    /// The secret key file
    pub(crate) key: PathBuf,

    /// Fail unless the key is for this
    #[arg(short, long, visible_alias = "alg", value_enum)]
    pub(crate) algorithm: Option<Algorithm>,

    /// The public key file to write [default: standard output]
    #[arg(short, long, value_name = "PUB")]
    pub(crate) output: Option<PathBuf>,

    /// Replace a file that exists already
    #[arg(short, long, requires = "output")]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) secret: SecretArgs,
}

/// Say what a key or signature file is, without trusting it
///
/// Says of keys what form and algorithm they have, their fingerprint as `ssh-keygen -l` prints it,
/// the key number of minisign and signify, the comment, and whether they have a password, which is
/// not asked for.
#[derive(Args, Debug)]
#[command(after_help = examples::INSPECT)]
pub(crate) struct Inspect {
    /// The file
    pub(crate) file: PathBuf,
}

/// Write a key in another form, or with another password or comment
///
/// Reads every form that there is. A secret key stays one unless --public is given.
#[derive(Args, Debug)]
#[command(after_help = examples::CONVERT)]
pub(crate) struct Convert {
    /// The key file
    pub(crate) key: PathBuf,

    /// The form to write
    #[arg(long = "to", value_enum, value_name = "FORM")]
    pub(crate) encoding: Encoding,

    /// Write the public key, whichever is in the file
    #[arg(long)]
    pub(crate) public: bool,

    /// The file to write, or - for standard output [default: standard output; for a secret key, unless
    /// it is a terminal or a file that others can read]
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// The comment to write [default: the one that the key has]
    #[arg(short = 'C', long)]
    pub(crate) comment: Option<String>,

    /// Fail unless the key is for this
    #[arg(short, long, visible_alias = "alg", value_enum)]
    pub(crate) algorithm: Option<Algorithm>,

    /// The file holds nothing but the 32 bytes of a public key of this algorithm, as they are, in hexadecimal
    /// or in Base64
    #[arg(long, value_enum, value_name = "ALGORITHM", conflicts_with = "seed")]
    pub(crate) bare_public: Option<CurveAlgorithm>,

    /// Replace a file that exists already
    #[arg(short, long, requires = "output")]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) secret: SecretArgs,

    #[command(flatten)]
    pub(crate) new_password: NewPasswordArgs,
}

/// The algorithms whose public keys are 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CurveAlgorithm {
    Ed25519,
    X25519,
}

impl From<CurveAlgorithm> for Algorithm {
    fn from(algorithm: CurveAlgorithm) -> Self {
        match algorithm {
            CurveAlgorithm::Ed25519 => Algorithm::Ed25519,
            CurveAlgorithm::X25519 => Algorithm::X25519,
        }
    }
}

/// Agree on a shared secret with somebody who has your public key
///
/// Computes the X25519 function of RFC 7748, as `openssl pkeyutl -derive` does. Hash the 32 bytes
/// with a key derivation function before use. A public key that would give zero is refused.
#[derive(Args, Debug)]
#[command(after_help = examples::EXCHANGE)]
pub(crate) struct Exchange {
    /// Your X25519 secret key file
    #[arg(short, long, value_name = "KEY")]
    pub(crate) key: PathBuf,

    /// The X25519 public key file of the other side
    #[arg(value_name = "PEER_PUB")]
    pub(crate) peer: PathBuf,

    /// The file to write the secret to (readable by its owner only), or - for standard output
    /// [default: standard output, unless it is a terminal or a file that others can read]
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// How to write it
    #[arg(long, value_enum, default_value_t = SecretFormat::Raw)]
    pub(crate) format: SecretFormat,

    /// Replace a file that exists already
    #[arg(short, long, requires = "output")]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) secret: SecretArgs,
}

/// How a shared secret is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SecretFormat {
    /// 32 bytes
    Raw,
    /// 64 hexadecimal digits and a line feed
    Hex,
}

/// Say how fast this machine signs, verifies and hashes
///
/// Each number is of one processor, measured as long as --seconds says; other work on the machine
/// makes it smaller. Signing is as the command signs hashes: twice, compared and verified. Files are
/// limited by the hash, or by the disk.
#[derive(Args, Debug)]
#[command(after_help = examples::BENCH)]
pub(crate) struct Bench {
    /// Measure this algorithm only
    #[arg(short, long, visible_alias = "alg", value_enum)]
    pub(crate) algorithm: Option<Algorithm>,

    /// How long to measure each operation
    #[arg(long, default_value_t = 0.5, value_parser = seconds)]
    pub(crate) seconds: f64,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.01..=60.0).contains(&seconds) => Ok(seconds),
        _ => Err("a number from 0.01 to 60".to_owned()),
    }
}

/// Check that the command works here, and say what a report of an error should have in it
///
/// Computes known answers with each algorithm, asks the system for random numbers, and says which
/// instructions are used, which files can be written, and whether an SSH agent answers. No key of yours
/// is looked at, and nothing is sent anywhere.
#[derive(Args, Debug)]
#[command(after_help = examples::DOCTOR)]
pub(crate) struct Doctor {}
