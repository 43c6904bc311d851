//! The algorithms: their names, identifiers and purposes.

use pkcs8::ObjectIdentifier;
use std::fmt;

/// The algorithms that a key can be for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Algorithm {
    /// Signatures (RFC 8032)
    Ed25519,
    /// Signatures against quantum computers too (Falcon; no standard yet)
    #[value(name = "fn-dsa-512")]
    FnDsa512,
    /// The same with larger keys and signatures, and a larger margin
    #[value(name = "fn-dsa-1024")]
    FnDsa1024,
    /// Both in one signature (experimental)
    #[value(name = "ed25519+fn-dsa-512")]
    Hybrid512,
    /// The same with FN-DSA-1024
    #[value(name = "ed25519+fn-dsa-1024")]
    Hybrid1024,
    /// Key agreement (RFC 7748)
    X25519,
    /// Signatures by a security key, which OpenSSH makes and this command verifies
    #[value(skip)]
    SkEd25519,
}

/// The algorithms that sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum SignatureAlgorithm {
    /// RFC 8032
    Ed25519,
    /// FN-DSA of degree 512
    #[value(name = "fn-dsa-512")]
    FnDsa512,
    /// FN-DSA of degree 1024
    #[value(name = "fn-dsa-1024")]
    FnDsa1024,
    /// Ed25519 and FN-DSA of degree 512, both of which must be valid
    #[value(name = "ed25519+fn-dsa-512")]
    Hybrid512,
    /// The same of degree 1024
    #[value(name = "ed25519+fn-dsa-1024")]
    Hybrid1024,
    /// Ed25519 in a security key: OpenSSH makes these signatures, this command verifies them
    #[value(skip)]
    SkEd25519,
}

impl Algorithm {
    /// Those that sign, security keys as the last.
    pub(crate) fn signing() -> impl Iterator<Item = Algorithm> {
        let made_here = SignatureAlgorithm::ALL.iter().copied();
        made_here
            .chain([SignatureAlgorithm::SkEd25519])
            .map(Algorithm::from)
    }

    /// The field's name for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Algorithm::Ed25519 => "Ed25519",
            Algorithm::FnDsa512 => "FN-DSA-512",
            Algorithm::FnDsa1024 => "FN-DSA-1024",
            Algorithm::Hybrid512 => "Ed25519+FN-DSA-512",
            Algorithm::Hybrid1024 => "Ed25519+FN-DSA-1024",
            Algorithm::X25519 => "X25519",
            Algorithm::SkEd25519 => "Ed25519-SK",
        }
    }

    /// What is to be known of it before anybody counts on it, in the words of [`SignatureAlgorithm::description`].
    pub(crate) fn standing(self) -> Option<&'static str> {
        match self {
            Algorithm::FnDsa512 | Algorithm::FnDsa1024 => Some("as fn-dsa 0.3; no standard yet"),
            Algorithm::Hybrid512 | Algorithm::Hybrid1024 => {
                Some("experimental; FN-DSA is no standard yet")
            }
            Algorithm::Ed25519 | Algorithm::X25519 | Algorithm::SkEd25519 => None,
        }
    }

    /// What keys of this kind are for.
    pub(crate) fn purpose(self) -> &'static str {
        match self {
            Algorithm::X25519 => "key agreement",
            _ => "signatures",
        }
    }

    /// How it is called on the command line.
    pub(crate) fn option(self) -> String {
        self.name().to_lowercase()
    }
}

impl SignatureAlgorithm {
    /// All of them, as a sentence has it.
    pub(crate) const NAMES: &str = "Ed25519, FN-DSA-512, FN-DSA-1024 or a hybrid";

    /// Those that this command makes.
    pub(crate) const ALL: [SignatureAlgorithm; 5] = [
        SignatureAlgorithm::Ed25519,
        SignatureAlgorithm::FnDsa512,
        SignatureAlgorithm::FnDsa1024,
        SignatureAlgorithm::Hybrid512,
        SignatureAlgorithm::Hybrid1024,
    ];

    /// True if bare signatures of it can be bound to a context.
    pub(crate) fn has_context(self) -> bool {
        match self {
            SignatureAlgorithm::Ed25519 | SignatureAlgorithm::SkEd25519 => false,
            SignatureAlgorithm::FnDsa512
            | SignatureAlgorithm::FnDsa1024
            | SignatureAlgorithm::Hybrid512
            | SignatureAlgorithm::Hybrid1024 => true,
        }
    }

    /// The hash of a message that a bare signature is of; `None` if it is of the message itself.
    pub(crate) fn hash_of_bare(self) -> Option<&'static str> {
        match self {
            SignatureAlgorithm::Hybrid512 | SignatureAlgorithm::Hybrid1024 => Some("sha512"),
            SignatureAlgorithm::Ed25519
            | SignatureAlgorithm::SkEd25519
            | SignatureAlgorithm::FnDsa512
            | SignatureAlgorithm::FnDsa1024 => None,
        }
    }

    /// The field's name for it.
    pub(crate) fn name(self) -> &'static str {
        Algorithm::from(self).name()
    }

    /// Bytes of a signature.
    pub(crate) fn signature_size(self) -> usize {
        match self {
            SignatureAlgorithm::Ed25519 | SignatureAlgorithm::SkEd25519 => 64,
            SignatureAlgorithm::FnDsa512 => 666,
            SignatureAlgorithm::FnDsa1024 => 1280,
            SignatureAlgorithm::Hybrid512 => 730,
            SignatureAlgorithm::Hybrid1024 => 1344,
        }
    }

    /// Its name, and what is to be known of it before anybody counts on it.
    pub(crate) fn name_and_standing(self) -> String {
        match Algorithm::from(self).standing() {
            Some(standing) => format!("{self} ({standing})"),
            None => self.name().to_owned(),
        }
    }

    /// Its name, and what exactly is computed.
    pub(crate) fn description(self) -> &'static str {
        match self {
            SignatureAlgorithm::Ed25519 => "Ed25519, pure (RFC 8032)",
            SignatureAlgorithm::SkEd25519 => "Ed25519 in a security key (sk-ssh-ed25519)",
            SignatureAlgorithm::FnDsa512 => "FN-DSA-512, pure (as fn-dsa 0.3; no standard yet)",
            SignatureAlgorithm::FnDsa1024 => "FN-DSA-1024, pure (as fn-dsa 0.3; no standard yet)",
            SignatureAlgorithm::Hybrid512 => {
                "Ed25519 and FN-DSA-512, both of the SHA-512 (experimental)"
            }
            SignatureAlgorithm::Hybrid1024 => {
                "Ed25519 and FN-DSA-1024, both of the SHA-512 (experimental)"
            }
        }
    }
}

impl From<SignatureAlgorithm> for Algorithm {
    fn from(algorithm: SignatureAlgorithm) -> Self {
        match algorithm {
            SignatureAlgorithm::Ed25519 => Algorithm::Ed25519,
            SignatureAlgorithm::FnDsa512 => Algorithm::FnDsa512,
            SignatureAlgorithm::FnDsa1024 => Algorithm::FnDsa1024,
            SignatureAlgorithm::Hybrid512 => Algorithm::Hybrid512,
            SignatureAlgorithm::Hybrid1024 => Algorithm::Hybrid1024,
            SignatureAlgorithm::SkEd25519 => Algorithm::SkEd25519,
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for SignatureAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// id-Ed25519 and id-X25519 (RFC 8410, section 3). The identifiers of FN-DSA, which are several and no
/// standard's, are the library's business.
pub(crate) const OID_ED25519: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.112");
pub(crate) const OID_X25519: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.110");

/// True for the identifiers of Falcon's keys in Open Quantum Safe's provider, of all its generations. The keys have the
/// bytes of FN-DSA's, but one that signs in both schemes lets signatures be forged across them.
pub(crate) fn is_falcon(oid: &str) -> bool {
    const LAST: [&str; 8] = ["1", "4", "6", "9", "11", "14", "16", "19"];
    oid.strip_prefix("1.3.9999.3.")
        .is_some_and(|last| LAST.contains(&last))
}

/// The kind of key that an identifier which is none of ours stands for, with its article.
pub(crate) fn foreign_kind(oid: ObjectIdentifier) -> String {
    let oid = oid.to_string();
    let name = match oid.as_str() {
        "1.2.840.113549.1.1.1" => "an RSA",
        "1.2.840.10045.2.1" => "an elliptic-curve (ECDSA or ECDH)",
        "1.2.840.10040.4.1" => "a DSA",
        "1.3.101.111" => "an X448",
        "1.3.101.113" => "an Ed448",
        "2.16.840.1.101.3.4.3.17" | "2.16.840.1.101.3.4.3.18" | "2.16.840.1.101.3.4.3.19" => {
            "an ML-DSA"
        }
        _ if is_falcon(&oid) => "a Falcon",
        _ => return format!("a key of the unknown algorithm {oid}"),
    };
    format!("{name} key")
}
