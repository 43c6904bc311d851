//! The tasks: what one row of the report measures.

use std::fmt;
use std::str::FromStr;

/// The batch sizes.
pub const BATCHES: [usize; 8] = [4, 8, 16, 32, 64, 128, 256, 1024];

/// How many pairs the row of many key agreements hands over at once.
pub const MANY: usize = 64;

/// How many key pairs a run of a row of FN-DSA key generation makes: how long one takes depends on how many
/// candidates its seed makes it refuse, and several even that out.
pub const FN_DSA_PAIRS: usize = 8;

/// How many keys sign and verify in the rows of FN-DSA, while messages and signatures differ from entry to
/// entry. Decoded, some libraries' keys take 100 kB and more: many would measure the memory.
pub const FN_DSA_KEYS: usize = 8;

/// How many messages the row of many signatures of FN-DSA hands over at once.
pub const FN_DSA_MANY: usize = 16;

/// What a row of FN-DSA measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FnDsa {
    /// From a 32-byte seed to the bytes of both keys; per pair.
    Keygen,
    /// A signature, from the bytes of the signing key.
    Sign,
    /// The same with the decoded key held.
    SignDecoded,
    /// A signature of the draft guess, bit for bit that of fn-dsa 0.4, with the decoded key held.
    SignDraft,
    /// A signature with all that depends on the key held.
    SignPrepared,
    /// The same for [`FN_DSA_MANY`] messages at once; per signature.
    SignMany,
    /// Verification from the bytes of key and signature.
    Verify,
    /// The same with the decoded key held.
    VerifyDecoded,
    /// From the bytes of [`FN_DSA_MANY`] keys and signatures at once; per signature.
    VerifyMany,
}

impl FnDsa {
    /// All of them, in the order of the report.
    pub const ALL: [Self; 9] = [
        Self::Keygen,
        Self::Sign,
        Self::SignDecoded,
        Self::SignDraft,
        Self::SignPrepared,
        Self::SignMany,
        Self::Verify,
        Self::VerifyDecoded,
        Self::VerifyMany,
    ];
}

/// How many terms the sums of multiples have, and how many elements are encoded together.
pub const SUMS: [usize; 2] = [64, 1024];

/// What a row of Ristretto255 measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ristretto {
    /// From an element to its 32 bytes.
    Encode,
    /// From 32 bytes to the element.
    Decode,
    /// A multiple by a secret, from bytes to bytes.
    Mul,
    /// The 32 bytes of the doubles of so many elements in one call; per element.
    EncodeDoubles(usize),
    /// The sum of so many multiples by secrets, of decoded elements; per term.
    Multiscalar(usize),
    /// The same in variable time.
    VartimeMultiscalar(usize),
}

impl Ristretto {
    /// All of them, in the order of the report.
    pub fn all() -> Vec<Self> {
        let mut tasks = vec![Self::Encode, Self::Decode, Self::Mul];
        tasks.extend(SUMS.map(Self::EncodeDoubles));
        tasks.extend(SUMS.map(Self::Multiscalar));
        tasks.extend(SUMS.map(Self::VartimeMultiscalar));
        tasks
    }
}

/// A scheme beside those that Lanner's peers share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// ECDSA on P-256 with SHA-256.
    EcdsaP256,
    /// RSA of 2048 bits, PKCS #1 1.5, with SHA-256.
    Rsa2048,
    /// The same of 3072 bits.
    Rsa3072,
    /// ML-DSA-44.
    MlDsa44,
    /// ML-DSA-65.
    MlDsa65,
    /// Ed25519 and FN-DSA-512 in one signature.
    Hybrid512,
    /// Ed25519 and FN-DSA-1024 in one signature.
    Hybrid1024,
}

impl Scheme {
    /// All of them, in the order of the report.
    pub const ALL: [Self; 7] = [
        Self::EcdsaP256,
        Self::Rsa2048,
        Self::Rsa3072,
        Self::MlDsa44,
        Self::MlDsa65,
        Self::Hybrid512,
        Self::Hybrid1024,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::EcdsaP256 => "ecdsa-p256",
            Self::Rsa2048 => "rsa-2048",
            Self::Rsa3072 => "rsa-3072",
            Self::MlDsa44 => "ml-dsa-44",
            Self::MlDsa65 => "ml-dsa-65",
            Self::Hybrid512 => "hybrid-512",
            Self::Hybrid1024 => "hybrid-1024",
        }
    }
}

/// One measured task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Task {
    /// From a 32-byte seed to the 32-byte public key.
    Keygen,
    /// A signature, with the key object held.
    Sign,
    /// Verification from the bytes of key and signature, by the default rule.
    Verify,
    /// The same by two calls, one that decodes the key and one that verifies, where a library has one call for both.
    VerifyTwoCalls,
    /// The same with the decoded key held.
    VerifyDecoded,
    /// The same with tables of the key held.
    VerifyPrepared,
    /// From bytes, by the strict rule.
    VerifyStrict,
    /// Batch verification from bytes, by the library's own rule for batches; per signature.
    Batch(usize),
    /// The same with decoded keys held.
    BatchDecoded(usize),
    /// Batch verification from bytes by the rule of ZIP 215; per signature.
    BatchZip215(usize),
    /// The same with decoded keys held.
    BatchZip215Decoded(usize),
    /// One verdict for each signature by the default rule, from bytes; per signature.
    Each(usize),
    /// The same by the strict rule.
    EachStrict(usize),
    /// From a 32-byte secret to the 32-byte public key.
    X25519Base,
    /// The shared secret, from the bytes of the peer's public key.
    X25519,
    /// [`MANY`] tasks [`Task::Keygen`] in one call; per key.
    KeygenMany,
    /// [`MANY`] tasks [`Task::Sign`] in one call, each with a key of its own; per signature.
    SignMany,
    /// [`MANY`] tasks [`Task::VerifyPrepared`] in one call, each with a key of its own and a verdict; per signature.
    VerifyPreparedMany,
    /// [`MANY`] tasks [`Task::X25519Base`] in one call; per key.
    X25519BaseMany,
    /// [`MANY`] shared secrets of as many pairs in one call; per pair.
    X25519Many,
    /// A task of Ristretto255.
    Ristretto(Ristretto),
    /// A task of FN-DSA, of degree 2 to the power of the number.
    FnDsa(FnDsa, u32),
    /// A signature of another scheme, with the key object held.
    SchemeSign(Scheme),
    /// Its verification from the bytes of key and signature.
    SchemeVerify(Scheme),
}

impl Task {
    /// All tasks, in the order of the report.
    pub fn all() -> Vec<Self> {
        let mut tasks = vec![
            Self::Keygen,
            Self::Sign,
            Self::Verify,
            Self::VerifyTwoCalls,
            Self::VerifyDecoded,
            Self::VerifyPrepared,
            Self::VerifyStrict,
        ];
        tasks.extend(BATCHES.map(Self::Batch));
        tasks.extend(BATCHES.map(Self::BatchDecoded));
        tasks.extend(BATCHES.map(Self::BatchZip215));
        tasks.extend(BATCHES.map(Self::BatchZip215Decoded));
        tasks.extend([64, 1024].map(Self::Each));
        tasks.extend([64, 1024].map(Self::EachStrict));
        tasks.extend([Self::KeygenMany, Self::SignMany, Self::VerifyPreparedMany]);
        tasks.extend([Self::X25519Base, Self::X25519]);
        tasks.extend([Self::X25519BaseMany, Self::X25519Many]);
        tasks.extend(Ristretto::all().into_iter().map(Self::Ristretto));
        for logn in [9, 10] {
            tasks.extend(FnDsa::ALL.map(|task| Self::FnDsa(task, logn)));
        }
        for scheme in Scheme::ALL {
            tasks.extend([Self::SchemeSign(scheme), Self::SchemeVerify(scheme)]);
        }
        tasks
    }

    /// How many signatures, pairs or elements one run of the task handles; its time is divided by that.
    pub fn units(self) -> usize {
        match self {
            Self::Batch(n)
            | Self::BatchDecoded(n)
            | Self::BatchZip215(n)
            | Self::BatchZip215Decoded(n)
            | Self::Each(n)
            | Self::EachStrict(n)
            | Self::Ristretto(
                Ristretto::EncodeDoubles(n)
                | Ristretto::Multiscalar(n)
                | Ristretto::VartimeMultiscalar(n),
            ) => n,
            Self::KeygenMany
            | Self::SignMany
            | Self::VerifyPreparedMany
            | Self::X25519BaseMany
            | Self::X25519Many => MANY,
            Self::FnDsa(FnDsa::Keygen, _) => FN_DSA_PAIRS,
            Self::FnDsa(FnDsa::SignMany | FnDsa::VerifyMany, _) => FN_DSA_MANY,
            _ => 1,
        }
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Keygen => f.write_str("keygen"),
            Self::Sign => f.write_str("sign"),
            Self::Verify => f.write_str("verify"),
            Self::VerifyTwoCalls => f.write_str("verify-two-calls"),
            Self::VerifyDecoded => f.write_str("verify-decoded"),
            Self::VerifyPrepared => f.write_str("verify-prepared"),
            Self::VerifyStrict => f.write_str("verify-strict"),
            Self::Batch(n) => write!(f, "batch-{n}"),
            Self::BatchDecoded(n) => write!(f, "batch-{n}-decoded"),
            Self::BatchZip215(n) => write!(f, "batch-{n}-zip215"),
            Self::BatchZip215Decoded(n) => write!(f, "batch-{n}-zip215-decoded"),
            Self::Each(n) => write!(f, "each-{n}"),
            Self::EachStrict(n) => write!(f, "each-{n}-strict"),
            Self::X25519Base => f.write_str("x25519-base"),
            Self::X25519 => f.write_str("x25519"),
            Self::KeygenMany => f.write_str("keygen-many"),
            Self::SignMany => f.write_str("sign-many"),
            Self::VerifyPreparedMany => f.write_str("verify-prepared-many"),
            Self::X25519BaseMany => f.write_str("x25519-base-many"),
            Self::X25519Many => f.write_str("x25519-many"),
            Self::Ristretto(task) => match task {
                Ristretto::Encode => f.write_str("ristretto-encode"),
                Ristretto::Decode => f.write_str("ristretto-decode"),
                Ristretto::Mul => f.write_str("ristretto-mul"),
                Ristretto::EncodeDoubles(n) => write!(f, "ristretto-encode-doubles-{n}"),
                Ristretto::Multiscalar(n) => write!(f, "multiscalar-{n}"),
                Ristretto::VartimeMultiscalar(n) => write!(f, "vartime-multiscalar-{n}"),
            },
            Self::FnDsa(task, logn) => {
                let task = match task {
                    FnDsa::Keygen => "keygen",
                    FnDsa::Sign => "sign",
                    FnDsa::SignDecoded => "sign-decoded",
                    FnDsa::SignDraft => "sign-draft2026-decoded",
                    FnDsa::SignPrepared => "sign-prepared",
                    FnDsa::SignMany => "sign-many",
                    FnDsa::Verify => "verify",
                    FnDsa::VerifyDecoded => "verify-decoded",
                    FnDsa::VerifyMany => "verify-many",
                };
                write!(f, "fn-dsa-{}-{task}", 1 << logn)
            }
            Self::SchemeSign(scheme) => write!(f, "{}-sign", scheme.name()),
            Self::SchemeVerify(scheme) => write!(f, "{}-verify", scheme.name()),
        }
    }
}

impl FromStr for Task {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::all()
            .into_iter()
            .find(|task| task.to_string() == name)
            .ok_or_else(|| format!("no task '{name}'"))
    }
}

#[cfg(test)]
mod tests {
    use super::Task;

    #[test]
    fn names_are_distinct_and_lead_back() {
        for task in Task::all() {
            assert_eq!(task.to_string().parse(), Ok(task));
        }
        assert!("hash".parse::<Task>().is_err());
    }
}
