//! The commands for directories.

use super::{SecretArgs, TrustArgs, examples};
use crate::algorithm::SignatureAlgorithm;
use crate::signatures::Format;
use crate::tree::Links;
use crate::tree::hash::TreeHash;
use clap::Args;
use std::path::PathBuf;

/// Sign a directory: a list of its files' hashes, and the signature of the list
///
/// Writes DIR/SHA256SUMS, which sha256sum -c checks, and its signature DIR/SHA256SUMS.sig, which is one
/// as lanner sign writes it. With --format signify, what has the signature has the list as well, and
/// signify -C checks both.
///
/// Listed is every regular file below DIR but these two. Directories without files are not listed, and
/// neither are modes, owners and times: pack the tree with tar and sign the archive where these
/// matter. What is neither a file nor a directory is an error, and so are two names that some file
/// systems take for the same one.
#[derive(Args, Debug)]
#[command(after_help = examples::SIGN_TREE)]
pub(crate) struct SignTree {
    /// The secret key file; with --agent, the public one
    #[arg(short, long, value_name = "KEY")]
    pub(crate) key: PathBuf,

    /// Fail unless the key is for this [default: what the key is for]
    #[arg(short, long, visible_alias = "alg", value_enum)]
    pub(crate) algorithm: Option<SignatureAlgorithm>,

    /// The directory
    #[arg(value_name = "DIR")]
    pub(crate) directory: PathBuf,

    /// The hash of the files
    #[arg(long, value_enum, default_value_t = TreeHash::Sha256)]
    pub(crate) hash: TreeHash,

    /// Write lines as BSD has them: SHA256 (name) = hash
    #[arg(long)]
    pub(crate) tag: bool,

    /// The list to write; its signature has .sig, .minisig or .cose after the name [default: DIR/SHA256SUMS,
    /// DIR/SHA512SUMS or DIR/BLAKE3SUMS]
    #[arg(short, long, value_name = "LIST")]
    pub(crate) output: Option<PathBuf>,

    /// The form of the signature
    #[arg(long, value_enum, default_value_t = Format::Ssh)]
    pub(crate) format: Format,

    /// What the signature is for: who verifies must expect the same [default: file]
    #[arg(short, long)]
    pub(crate) namespace: Option<String>,

    /// The first line of a signature of minisign or signify, which nothing protects
    #[arg(short, long, value_name = "TEXT")]
    pub(crate) comment: Option<String>,

    /// The comment of a signature of minisign that is signed with it
    #[arg(short, long, value_name = "TEXT")]
    pub(crate) trusted_comment: Option<String>,

    /// What to do about symbolic links
    #[arg(long, value_enum, default_value_t = Links::Refuse)]
    pub(crate) links: Links,

    /// Accept names that differ in letter case or normal form of Unicode alone
    #[arg(long)]
    pub(crate) allow_collisions: bool,

    /// How many files to read at the same time [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    /// The key is a public one, whose secret one an SSH agent has; for SSH signatures of Ed25519
    #[arg(long)]
    pub(crate) agent: bool,

    /// Replace a list and a signature that exist already
    #[arg(short, long)]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) secret: SecretArgs,
}

/// Check a directory against its signed list: which files were changed, removed and added
///
/// Takes lists as sha256sum, sha512sum and b3sum write them, in the form of GNU or of BSD, with a
/// signature of any form; lines that begin with # are comments. First the signature is checked, as
/// verify does; only then the files are read. Names that are absolute or lead out of DIR are refused.
#[derive(Args, Debug)]
#[command(after_help = examples::VERIFY_TREE)]
pub(crate) struct VerifyTree {
    #[command(flatten)]
    pub(crate) trust: TrustArgs,

    /// The directory
    #[arg(value_name = "DIR")]
    pub(crate) directory: PathBuf,

    /// The list [default: the one of SHA256SUMS, SHA512SUMS and BLAKE3SUMS that is in DIR]
    #[arg(short = 'l', long, value_name = "LIST")]
    pub(crate) list: Option<PathBuf>,

    /// The signature of the list [default: LIST.sig, or where there is none, LIST.minisig or LIST.cose]
    #[arg(short, long, value_name = "SIG")]
    pub(crate) signature: Option<PathBuf>,

    /// Fail unless the list has this hash [default: what the list says of itself, or its name]
    #[arg(long, value_enum)]
    pub(crate) hash: Option<TreeHash>,

    /// What to do about symbolic links
    #[arg(long, value_enum, default_value_t = Links::Refuse)]
    pub(crate) links: Links,

    /// Files that are not in the list are named, but are no failure
    #[arg(long)]
    pub(crate) allow_added: bool,

    /// How many files to read at the same time [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}
