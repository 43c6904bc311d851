//! What came out of a verification, in words and as JSON.

use crate::algorithm::{Algorithm, SignatureAlgorithm};
use crate::error::{Error, Kind};
use crate::formats::KeyId;
use crate::input::{STDIN_NAME, is_dash};
use crate::keys::PublicKey;
use crate::signatures::{Format, sshsig};
use crate::text::{Plain, Shown, hex};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Valid,
    NotValid,
    /// The signature is one by the key that it names, and nobody has said that this key is trusted.
    UnknownSigner,
    /// Or the key is trusted, but not now.
    OutsideValidity,
}

/// Everything that there is to say about one file.
pub(crate) struct Finding {
    pub(crate) verdict: Verdict,
    pub(super) why: Option<String>,
    pub(super) error: Option<Error>,
    pub(super) format: Option<Format>,
    /// That of the signature, which need not be that of the key.
    pub(super) algorithm: Option<SignatureAlgorithm>,
    pub(super) key: Option<PublicKey>,
    /// The key's bytes stood alone where it was read: they may be a secret one, named by mistake.
    pub(super) is_bare: bool,
    pub(super) key_name: Option<PathBuf>,
    pub(super) key_id: Option<KeyId>,
    pub(super) comment: Option<String>,
    pub(super) mode: &'static str,
    pub(super) hash: Option<&'static str>,
    pub(super) namespace: Option<String>,
    pub(super) trusted_comment: Option<String>,
    pub(super) touch: Option<sshsig::Touch>,
    pub(super) signer: Option<String>,
    /// The user has named a list of signers.
    pub(super) has_list: bool,
    /// The context that it was verified under, where signatures have one: nothing in them says which.
    pub(super) context: Option<Vec<u8>>,
}

impl Finding {
    pub(crate) fn failed(error: Error) -> Self {
        Finding {
            verdict: Verdict::NotValid,
            why: None,
            error: Some(error),
            format: None,
            algorithm: None,
            key: None,
            is_bare: false,
            key_name: None,
            key_id: None,
            comment: None,
            mode: "pure",
            hash: None,
            namespace: None,
            trusted_comment: None,
            touch: None,
            signer: None,
            has_list: false,
            context: None,
        }
    }

    pub(crate) fn text(&self, file: &Path, path: &Path) -> String {
        let name = Shown(name_of(file)).to_string();
        if let Some(error) = &self.error {
            return format!("NOT VERIFIED: {name}\n  {error}\n");
        }
        let verdict = match self.verdict {
            Verdict::Valid => "VALID",
            Verdict::NotValid => "NOT VALID",
            Verdict::UnknownSigner => "UNKNOWN SIGNER",
            Verdict::OutsideValidity => "OUTSIDE VALIDITY",
        };
        let mut text = format!("{verdict}: {name}\n");
        let mut line = |name: &str, value: &dyn std::fmt::Display| {
            text.push_str(&format!("  {name:<11}  {value}\n"));
        };
        let format = self.format.map_or("", Format::name);
        line("signature", &format!("{}  ({format})", Shown(path)));
        if let Some(why) = &self.why {
            line("because", &Plain(why));
        }
        if let Some(signer) = &self.signer {
            line("signer", &Plain(signer));
        }
        if let Some(algorithm) = self.algorithm {
            line("algorithm", &self.what_was_computed(algorithm));
        }
        if let Some(namespace) = &self.namespace {
            line("namespace", &Plain(namespace));
        }
        match self.context.as_deref() {
            None => {}
            Some([]) if self.verdict == Verdict::Valid => {}
            Some([]) => line("context", &"none was named: --context"),
            Some(context) => match std::str::from_utf8(context) {
                Ok(text) => line("context", &Plain(text)),
                Err(_) => line("context", &*hex(context)),
            },
        }
        if let Some(comment) = &self.trusted_comment {
            line("says", &Plain(comment));
        }
        if let Some(touch) = self.touch {
            let how = match (touch.is_present(), touch.is_verified()) {
                (_, true) => "touched, by its verified owner",
                (true, false) => "touched",
                (false, false) => "not touched",
            };
            line("device", &how);
        }
        if let Some(name) = &self.key_name {
            line("public key", &Shown(name));
        }
        if let Some(key) = &self.key {
            line("fingerprint", &key.fingerprint());
        }
        if let Some(id) = self.key_id {
            line("key number", &id);
        }
        if let Some(comment) = &self.comment {
            line("comment", &Plain(comment));
        }
        text
    }

    /// The algorithm, and what exactly was computed.
    fn what_was_computed(&self, algorithm: SignatureAlgorithm) -> String {
        let name = algorithm.name_and_standing();
        let what = match self.hash {
            // What is said of the scheme itself says its hash as well.
            _ if self.mode == "prehashed" && self.hash == algorithm.hash_of_bare() => {
                algorithm.description().to_owned()
            }
            Some("sha512") => format!("{name}, of the SHA-512"),
            Some("sha256") => format!("{name}, of the SHA-256"),
            Some(_) => format!("{name}, of the BLAKE2b-512"),
            None => algorithm.description().to_owned(),
        };
        match self.profile() {
            Some(profile) => format!("{what}, {profile} verification"),
            None => what,
        }
    }

    /// The rule that decided. FN-DSA has no choice of rules.
    fn profile(&self) -> Option<&'static str> {
        match self.algorithm? {
            SignatureAlgorithm::FnDsa512 | SignatureAlgorithm::FnDsa1024 => None,
            SignatureAlgorithm::Ed25519
            | SignatureAlgorithm::SkEd25519
            | SignatureAlgorithm::Hybrid512
            | SignatureAlgorithm::Hybrid1024 => Some("strict"),
        }
    }

    pub(crate) fn fields(&self, file: &Path, path: &Path) -> Value {
        if let Some(error) = &self.error {
            return json!({
                "file": file.to_string_lossy(),
                "signature_file": path.to_string_lossy(),
                "error": error.to_json(),
            });
        }
        json!({
            "file": file.to_string_lossy(),
            "signature_file": path.to_string_lossy(),
            "valid": self.verdict == Verdict::Valid,
            "verdict": match self.verdict {
                Verdict::Valid => "valid",
                Verdict::NotValid => "not_valid",
                Verdict::UnknownSigner => "unknown_signer",
                Verdict::OutsideValidity => "outside_validity",
            },
            "reason": self.why,
            "signer": self.signer,
            "format": self.format.map(Format::id),
            "algorithm": self.algorithm.map(|algorithm| Algorithm::from(algorithm).option()),
            "mode": self.mode,
            "hash": self.hash,
            "namespace": self.namespace,
            "context_hex": self.context.as_deref().map(|context| hex(context).to_string()),
            "profile": self.profile(),
            "public_key_file": self.key_name.as_deref().map(Path::to_string_lossy),
            "fingerprint": self.key.as_ref().map(PublicKey::fingerprint),
            "key_id": self.key_id.map(|id| id.to_string()),
            "comment": self.comment,
            "trusted_comment": self.trusted_comment,
            "touched": self.touch.map(sshsig::Touch::is_present),
            "public_key_hex": self.public_bytes(),
        })
    }

    /// In hexadecimal. Of what stood alone, only where a signature has shown what it is.
    fn public_bytes(&self) -> Option<String> {
        let key = self.key.as_ref()?;
        let is_public = !self.is_bare || self.verdict == Verdict::Valid;
        is_public.then(|| hex(&key.to_bytes()).to_string())
    }

    pub(crate) fn refusal(&self, file: &Path) -> Option<Error> {
        let name = Shown(name_of(file));
        if let Some(error) = &self.error {
            return Some(error.clone());
        }
        let why = self.why.as_ref();
        let why = why.map_or(String::new(), |why| format!(": {}", Plain(why)));
        let error = match self.verdict {
            Verdict::Valid => return None,
            Verdict::NotValid => {
                let message = format!("the signature of {name} is not valid{why}");
                let error = Error::new(Kind::SignatureInvalid, message);
                if self.why.is_some() {
                    error
                } else if self.context.is_some() {
                    error.with_hint(
                        "the file, the signature, the key or the context (--context) is not the one that belongs to \
                         the others",
                    )
                } else {
                    error.with_hint(
                        "the file, the signature or the key is not the one that belongs to the others",
                    )
                }
            }
            Verdict::UnknownSigner if self.has_list => Error::new(
                Kind::UnknownSigner,
                format!("the signer of {name} is unknown{why}"),
            )
            .with_hint(
                "if you know whose key it is, give it a line in the list; a key is not to be trusted because a \
                 signature names it",
            ),
            Verdict::UnknownSigner => Error::new(
                Kind::UnknownSigner,
                format!("nobody has said who may sign {name}"),
            )
            .with_hint(
                "say whose signature it should be, with -k PUB, -P TEXT or --signers FILE; a key is not to \
                 be trusted because a signature names it",
            ),
            Verdict::OutsideValidity => Error::new(
                Kind::OutsideValidity,
                format!("the signer of {name} may not sign at this time{why}"),
            )
            .with_hint("what a comment or a file says of its own time proves nothing"),
        };
        Some(error.with_path(file))
    }
}

fn name_of(file: &Path) -> &Path {
    if is_dash(file) {
        Path::new(STDIN_NAME)
    } else {
        file
    }
}
