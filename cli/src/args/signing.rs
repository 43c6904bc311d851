//! The commands for signatures of files.

use super::{ContextArgs, SecretArgs, TrustArgs, examples};
use crate::algorithm::SignatureAlgorithm;
use crate::signatures::Format;
use crate::signatures::sshsig::Hash;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Sign files
///
/// Writes FILE.sig, as `ssh-keygen -Y sign` does: the signature of a hash of the file, for one
/// purpose, the namespace. Files and standard input are read once.
///
/// Bare signatures (--format raw) and those of signify and of minisign with --legacy are of the file
/// itself. What is longer than 1 MiB is then read two or three times, the last time to verify the
/// signature, and must not change meanwhile; standard input is first copied, up to 1 MiB in memory,
/// more in an unnamed temporary file (in TMPDIR).
#[derive(Args, Debug)]
#[command(after_help = examples::SIGN)]
pub(crate) struct Sign {
    /// The secret key file; with --agent, the public one
    #[arg(short, long, value_name = "KEY")]
    pub(crate) key: PathBuf,

    /// Fail unless the key is for this [default: what the key is for]
    #[arg(short, long, visible_alias = "alg", value_enum)]
    pub(crate) algorithm: Option<SignatureAlgorithm>,

    /// The files to sign, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// The signature file to write, or - for standard output [default: FILE.sig, FILE.minisig for
    /// minisign, FILE.cose for COSE; standard output if FILE is -]
    #[arg(short, long, value_name = "SIG")]
    pub(crate) output: Option<PathBuf>,

    /// The form of the signature; openssl is another name for raw
    #[arg(long, value_enum, default_value_t = Format::Ssh)]
    pub(crate) format: Format,

    /// What the signature is for: who verifies must expect the same [default: file]
    #[arg(short, long)]
    pub(crate) namespace: Option<String>,

    #[command(flatten)]
    pub(crate) context: ContextArgs,

    /// The hash of an SSH signature [default: sha512]
    #[arg(long, value_enum)]
    pub(crate) hash: Option<HashName>,

    /// The first line of a signature of minisign or signify, which nothing protects
    #[arg(short, long, value_name = "TEXT")]
    pub(crate) comment: Option<String>,

    /// The comment of a signature of minisign that is signed with it
    #[arg(short, long, value_name = "TEXT")]
    pub(crate) trusted_comment: Option<String>,

    /// For minisign: sign the file itself, not its hash
    #[arg(long)]
    pub(crate) legacy: bool,

    /// The key is a public one, whose secret one an SSH agent has; for SSH signatures of Ed25519
    #[arg(long)]
    pub(crate) agent: bool,

    /// Replace signature files that exist already
    #[arg(short, long)]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) secret: SecretArgs,
}

/// The hash functions of SSH signatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HashName {
    Sha256,
    Sha512,
}

impl From<HashName> for Hash {
    fn from(name: HashName) -> Self {
        match name {
            HashName::Sha256 => Hash::Sha256,
            HashName::Sha512 => Hash::Sha512,
        }
    }
}

/// Check the signatures of files
///
/// Takes signatures of every form. Say whose they should be: a key that a signature names is not
/// trusted because it does. If you do not say, the report names that key, and the exit code is 5.
///
/// For Ed25519 the rule is strict verification: the equation without cofactor, S below the group
/// order, R in canonical form, and neither the key nor R of small order. For FN-DSA it is the one
/// rule there is, for padded signatures.
#[derive(Args, Debug)]
#[command(after_help = examples::VERIFY)]
pub(crate) struct Verify {
    #[command(flatten)]
    pub(crate) trust: TrustArgs,

    /// The signed files, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// The signature file [default: FILE.sig, or where there is none, FILE.minisig or FILE.cose]
    #[arg(short, long, value_name = "SIG")]
    pub(crate) signature: Option<PathBuf>,

    /// Which files need whose signatures: a policy (TOML), against which FILE, a file or a directory, is
    /// judged. The signatures of a file are FILE.sig and FILE.ANYTHING.sig beside it
    #[arg(
        long,
        value_name = "POLICY",
        conflicts_with_all = [
            "key", "public_key", "key_base64", "signers", "algorithm", "format", "namespace", "signer_name",
            "signature", "context", "context_hex",
        ]
    )]
    pub(crate) policy: Option<PathBuf>,

    /// The public key file by whose signature POLICY.sig, in the namespace lanner-policy, the policy is
    /// trusted; needed where the policy lies in what it judges
    #[arg(long, value_name = "PUB", requires = "policy")]
    pub(crate) policy_key: Option<PathBuf>,
}
