//! The formats of the command `lanner`: key files of OpenSSH, minisign, signify and others, signatures, lists of signers and
//! of hashes, policies, envelopes, statements, notes. The command has the body, because its formats are its own.

pub use lanner_cli::decoders::{run, seeds};
