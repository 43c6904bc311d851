//! The command lines of `lanner sign-note` and `lanner verify-note`.

use super::{SecretArgs, SignerArgs, examples};
use clap::Args;
use std::path::PathBuf;

/// Sign a text so that people can read it and the signature stands below it
///
/// Writes a signed note (C2SP): the text, an empty line, and a line for each signature with the name of
/// its key. The text is UTF-8 that ends in a line feed. Keys are of Ed25519.
#[derive(Args, Debug)]
#[command(after_help = examples::SIGN_NOTE)]
pub(crate) struct SignNote {
    /// The secret key file
    #[arg(short, long, value_name = "KEY")]
    pub(crate) key: PathBuf,

    /// The name of the key, say example.org/releases [default: the comment of the key]
    #[arg(long)]
    pub(crate) name: Option<String>,

    /// The file with the text
    pub(crate) file: PathBuf,

    /// The file is a note already, which gets one more signature
    #[arg(long, requires = "output")]
    pub(crate) add: bool,

    /// The note to write, or - for standard output [default: FILE.note]
    #[arg(short, long, value_name = "NOTE")]
    pub(crate) output: Option<PathBuf>,

    /// Replace a file that exists already
    #[arg(short, long)]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) secret: SecretArgs,
}

/// Check a signed note
///
/// A note may have signatures of others, which are not looked at. A signature by the name and hash of your
/// key must be valid.
#[derive(Args, Debug)]
#[command(after_help = examples::VERIFY_NOTE)]
pub(crate) struct VerifyNote {
    #[command(flatten)]
    pub(crate) signer: SignerArgs,

    /// The name of the key [default: what the key says itself, as NAME+HASH+KEY or in its comment]
    #[arg(long)]
    pub(crate) name: Option<String>,

    /// The note
    #[arg(value_name = "NOTE")]
    pub(crate) file: PathBuf,

    /// Write the text that was verified, or - for standard output
    #[arg(short, long, value_name = "TEXT")]
    pub(crate) output: Option<PathBuf>,

    /// Replace a file that exists already
    #[arg(short, long, requires = "output")]
    pub(crate) force: bool,
}
