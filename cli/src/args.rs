//! The command line.

use crate::algorithm::{Algorithm, SignatureAlgorithm};
use crate::error::EXIT_CODES_HELP;
use crate::keyfile::OpenKey;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Signs and verifies files with Ed25519 or FN-DSA, and agrees on shared secrets with X25519.
///
/// Keys are PEM files; those of Ed25519 and X25519 are the ones that `openssl pkey` reads and
/// writes. Signatures are bare bytes; for Ed25519 the 64 that `openssl pkeyutl -rawin` reads and
/// writes. Files of any size are read in pieces.
///
/// New here? Try: lanner quickstart FILE
#[derive(Debug, Parser)]
#[command(name = "lanner", version, after_help = EXIT_CODES_HELP, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// Print one JSON object on standard output, for results and errors alike
    #[arg(long, global = true, display_order = 100)]
    pub(crate) json: bool,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Quickstart(Quickstart),
    Keygen(Keygen),
    Public(Public),
    Sign(Sign),
    Verify(Verify),
    Exchange(Exchange),
}

impl Command {
    /// The name that the user typed.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Command::Quickstart(_) => "quickstart",
            Command::Keygen(_) => "keygen",
            Command::Public(_) => "public",
            Command::Sign(_) => "sign",
            Command::Verify(_) => "verify",
            Command::Exchange(_) => "exchange",
        }
    }
}

/// Show everything once, on a real file: keys, signature, verification, key agreement
///
/// Makes keys in a fresh directory, signs FILE with Ed25519, FN-DSA-512 and FN-DSA-1024, verifies
/// the signatures, shows that a tampered copy and a wrong key are refused, and agrees on a shared
/// secret with X25519. FILE itself is only read.
#[derive(Args, Debug)]
#[command(after_help = EXIT_CODES_HELP)]
pub(crate) struct Quickstart {
    /// The file to sign
    pub(crate) file: PathBuf,

    /// Where to put keys and signatures: a new or empty directory [default: a new one under the
    /// system's directory for temporary files]
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
}

/// Make a key pair
#[derive(Args, Debug)]
#[command(after_help = EXIT_CODES_HELP)]
pub(crate) struct Keygen {
    /// What the key is for
    #[arg(short, long, visible_alias = "alg", value_enum, default_value_t = Algorithm::Ed25519)]
    pub(crate) algorithm: Algorithm,

    /// The secret key file to write (PKCS#8 PEM, readable by its owner only)
    #[arg(short, long, value_name = "KEY")]
    pub(crate) output: PathBuf,

    /// The public key file to write (SubjectPublicKeyInfo PEM) [default: alice.pem has
    /// alice.pub.pem beside it, alice has alice.pub]
    #[arg(long, value_name = "PUB")]
    pub(crate) public: Option<PathBuf>,

    /// Replace files that exist already; a key that was in them is lost. Until both new files are
    /// written, the old secret key is kept as KEY.old
    #[arg(short, long)]
    pub(crate) force: bool,
}

/// Derive the public key of a secret key
#[derive(Args, Debug)]
#[command(after_help = EXIT_CODES_HELP)]
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
    #[arg(short, long)]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) open_key: OpenKeyFlag,
}

/// Sign a file
///
/// The key decides how: pure Ed25519 (RFC 8032), or FN-DSA without context, as fn-dsa 0.3 has it
/// and no standard yet. Ed25519 reads the message twice, FN-DSA nearly always once, so FILE must
/// be a regular file. It should not change meanwhile: Ed25519 then writes nothing, FN-DSA signs what
/// it has read. Standard input is first copied: up to 1 MiB in memory, more in an unnamed
/// temporary file (in TMPDIR), as much as has room there.
#[derive(Args, Debug)]
#[command(after_help = EXIT_CODES_HELP)]
pub(crate) struct Sign {
    /// The secret key file
    #[arg(short, long, value_name = "KEY")]
    pub(crate) key: PathBuf,

    /// Fail unless the key is for this [default: what the key is for]
    #[arg(short, long, visible_alias = "alg", value_enum)]
    pub(crate) algorithm: Option<SignatureAlgorithm>,

    /// The file to sign, or - for standard input
    pub(crate) file: PathBuf,

    /// The signature file to write, or - for standard output [default: FILE.sig; standard output
    /// if FILE is -]
    #[arg(short, long, value_name = "SIG")]
    pub(crate) output: Option<PathBuf>,

    /// Replace a signature file that exists already
    #[arg(short, long)]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) open_key: OpenKeyFlag,
}

/// Check the signature of a file
///
/// The key decides how. For Ed25519 the rule is strict verification: the equation without
/// cofactor, S below the group order, R in canonical form, and neither the key nor R of small
/// order. For FN-DSA it is the one rule there is, without context, for padded signatures.
#[derive(Args, Debug)]
#[command(after_help = EXIT_CODES_HELP)]
pub(crate) struct Verify {
    /// The public key file of the signer
    #[arg(short, long, value_name = "PUB")]
    pub(crate) key: PathBuf,

    /// Fail unless the key is for this [default: what the key is for]
    #[arg(short, long, visible_alias = "alg", value_enum)]
    pub(crate) algorithm: Option<SignatureAlgorithm>,

    /// The signed file, or - for standard input
    pub(crate) file: PathBuf,

    /// The signature file [default: FILE.sig]
    #[arg(short, long, value_name = "SIG")]
    pub(crate) signature: Option<PathBuf>,
}

/// Agree on a shared secret with somebody who has your public key
///
/// Computes the X25519 function of RFC 7748, as `openssl pkeyutl -derive` does. Hash the 32 bytes
/// with a key derivation function before use. A peer key that would give zero is refused.
#[derive(Args, Debug)]
#[command(after_help = EXIT_CODES_HELP)]
pub(crate) struct Exchange {
    /// Your X25519 secret key file
    #[arg(short, long, value_name = "KEY")]
    pub(crate) key: PathBuf,

    /// The X25519 public key file of the other side
    #[arg(value_name = "PEER_PUB")]
    pub(crate) peer: PathBuf,

    /// The file to write the secret to (readable by its owner only), or - for standard output
    /// [default: standard output, unless it is a terminal]
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// How to write it
    #[arg(long, value_enum, default_value_t = SecretFormat::Raw)]
    pub(crate) format: SecretFormat,

    /// Replace a file that exists already
    #[arg(short, long)]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) open_key: OpenKeyFlag,
}

// What commands share. Not a doc comment: it would take the place of the commands' own descriptions.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct OpenKeyFlag {
    /// Use the secret key even if other users can read its file
    #[arg(long)]
    allow_open_key: bool,
}

impl From<OpenKeyFlag> for OpenKey {
    fn from(flag: OpenKeyFlag) -> Self {
        if flag.allow_open_key {
            OpenKey::Accept
        } else {
            OpenKey::Refuse
        }
    }
}

/// How a shared secret is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SecretFormat {
    /// 32 bytes
    Raw,
    /// 64 hexadecimal digits and a line feed
    Hex,
}
