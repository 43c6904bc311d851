//! Options that commands share.

use crate::algorithm::{Algorithm, SignatureAlgorithm};
use crate::error::{Error, Kind};
use crate::password::PasswordArgs;
use crate::schemes::hybrid;
use crate::signatures::Format;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

// What commands share. Not a doc comment: it would take the place of the commands' own descriptions.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct SecretArgs {
    /// Use the secret key even if other users can read its file
    #[arg(long)]
    allow_open_key: bool,

    /// The secret key file holds nothing but the 32 bytes of a secret key of this algorithm, as they are, in
    /// hexadecimal or in Base64
    #[arg(long, value_enum, value_name = "ALGORITHM")]
    seed: Option<SeedAlgorithm>,

    #[command(flatten)]
    password: PasswordArgs,
}

// Whose signature is expected, and of what kind.
#[derive(Args, Clone, Debug)]
pub(crate) struct TrustArgs {
    #[command(flatten)]
    pub(crate) signer: SignerArgs,

    /// Fail unless the key is for this [default: what the key is for]
    #[arg(short, long, visible_alias = "alg", value_enum)]
    pub(crate) algorithm: Option<SignatureAlgorithm>,

    /// Fail unless the signature has this form
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,

    /// What the SSH signature must be for [default: file]
    #[arg(short, long)]
    pub(crate) namespace: Option<String>,

    #[command(flatten)]
    pub(crate) context: ContextArgs,

    /// In whose name the signature must be [default: anybody's that the signers file lists]
    #[arg(long = "signer", value_name = "NAME", requires = "signers")]
    pub(crate) signer_name: Option<String>,

    /// The time at which the signer must have been allowed to sign, YYYYMMDD or YYYYMMDDHHMM[SS], with
    /// a Z at the end for UTC, else in the system's zone [default: now]
    #[arg(long, value_name = "TIME")]
    pub(crate) verify_time: Option<String>,
}

// What a bare signature is bound to beside its message.
#[derive(Args, Clone, Debug, Default)]
#[group(multiple = false)]
pub(crate) struct ContextArgs {
    /// The context of a bare signature of FN-DSA or of a hybrid, to which it is bound as to the message; at
    /// most 255 bytes [default: the empty one]
    #[arg(long, value_name = "TEXT")]
    context: Option<String>,

    /// The same in hexadecimal
    #[arg(long, value_name = "HEX")]
    context_hex: Option<String>,
}

impl ContextArgs {
    const LONGEST: usize = 255;

    /// True if the user has named one, be it empty.
    pub(crate) fn is_named(&self) -> bool {
        self.context.is_some() || self.context_hex.is_some()
    }

    /// Its bytes, at most 255, and not those that the halves of hybrid signatures are made under.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, Error> {
        let usage = |message: String| Error::new(Kind::Usage, message);
        let bytes = match (&self.context, &self.context_hex) {
            (Some(text), _) => text.as_bytes().to_vec(),
            (None, Some(digits)) => crate::text::unhex(digits.as_bytes())
                .ok_or_else(|| usage("--context-hex takes hexadecimal digits".to_owned()))?
                .to_vec(),
            (None, None) => Vec::new(),
        };
        // A second wall behind that which refuses such messages: see docs/hybrid.md.
        let labels = [hybrid::LOGN_512, hybrid::LOGN_1024].map(hybrid::label);
        if labels.contains(&&bytes[..]) {
            return Err(usage(
                "the halves of hybrid signatures are made under this context: take another"
                    .to_owned(),
            ));
        }
        if bytes.len() > Self::LONGEST {
            return Err(usage(format!(
                "a context has at most {} bytes, and this one {}",
                Self::LONGEST,
                bytes.len()
            )));
        }
        Ok(bytes)
    }

    /// Refuses a context where there can be none: `what` has none.
    pub(crate) fn refuse(&self, what: &str) -> Result<(), Error> {
        if self.is_named() {
            return Err(Error::new(
                Kind::Usage,
                format!("{what} has no context: leave out --context"),
            )
            .with_hint("bare signatures (raw, base64) of FN-DSA and of hybrids have one"));
        }
        Ok(())
    }
}

// Whose signature is expected.
#[derive(Args, Clone, Debug)]
#[group(multiple = false)]
pub(crate) struct SignerArgs {
    /// The public key file of the signer
    #[arg(short, long, value_name = "PUB")]
    pub(crate) key: Option<PathBuf>,

    /// The public key itself: the line of OpenSSH, PEM, what minisign takes after -P, a JSON Web Key,
    /// hexadecimal or Base64
    // PEM begins with hyphens.
    #[arg(short = 'P', long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) public_key: Option<String>,

    /// The public key itself, in Base64
    #[arg(long, value_name = "BASE64")]
    pub(crate) key_base64: Option<String>,

    /// Who may sign: a file as ssh-keygen -Y verify -f reads it (allowed_signers), for SSH signatures
    #[arg(long, value_name = "FILE")]
    pub(crate) signers: Option<PathBuf>,
}

impl TrustArgs {
    /// Nothing but the key in a file.
    pub(crate) fn of_key(path: &Path) -> Self {
        TrustArgs {
            signer: SignerArgs {
                key: Some(path.to_owned()),
                public_key: None,
                key_base64: None,
                signers: None,
            },
            algorithm: None,
            format: None,
            namespace: None,
            context: ContextArgs::default(),
            signer_name: None,
            verify_time: None,
        }
    }
}

/// What is done about a secret key that other users may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpenKey {
    Refuse,
    Accept,
}

/// The algorithms whose secret keys are 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SeedAlgorithm {
    Ed25519,
    X25519,
    #[value(name = "ed25519+fn-dsa-512")]
    Hybrid512,
    #[value(name = "ed25519+fn-dsa-1024")]
    Hybrid1024,
}

impl SecretArgs {
    /// For keys that this program has made itself a moment ago.
    pub(crate) fn for_own_keys() -> Self {
        SecretArgs {
            allow_open_key: true,
            seed: None,
            password: PasswordArgs::default(),
        }
    }

    /// For `lanner-git`.
    pub(crate) fn for_git() -> Self {
        SecretArgs {
            password: PasswordArgs::for_git(),
            ..SecretArgs::default()
        }
    }

    /// The same where the message comes from standard input.
    pub(crate) fn before_message(self) -> Result<Self, Error> {
        Ok(SecretArgs {
            password: self.password.before_message()?,
            ..self
        })
    }

    pub(crate) fn open_key(&self) -> OpenKey {
        if self.allow_open_key {
            OpenKey::Accept
        } else {
            OpenKey::Refuse
        }
    }

    pub(crate) fn seed(&self) -> Option<Algorithm> {
        self.seed.map(|algorithm| match algorithm {
            SeedAlgorithm::Ed25519 => Algorithm::Ed25519,
            SeedAlgorithm::X25519 => Algorithm::X25519,
            SeedAlgorithm::Hybrid512 => Algorithm::Hybrid512,
            SeedAlgorithm::Hybrid1024 => Algorithm::Hybrid1024,
        })
    }

    /// True if the user said anything that only matters for secret keys.
    pub(crate) fn is_used(&self) -> bool {
        self.allow_open_key || self.seed.is_some() || self.password.is_given()
    }

    pub(crate) fn password(&self) -> &PasswordArgs {
        &self.password
    }
}
