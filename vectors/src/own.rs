//! The project's own data: `vectors/data`, made by `cargo xtask vectors`. The
//! README beside it describes the fields.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::hex;

/// A file of cases of one kind.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File<T> {
    /// What the file is and where its values come from.
    pub about: String,
    /// The cases.
    pub cases: Vec<T>,
}

/// One of the three schemes of RFC 8032 section 5.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scheme {
    /// Ed25519.
    Ed25519,
    /// Ed25519ctx.
    Ed25519ctx,
    /// Ed25519ph; the message is given whole, not hashed.
    Ed25519ph,
}

/// A deterministic signature.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignCase {
    /// A name, unique in its file.
    pub name: String,
    /// The scheme.
    pub scheme: Scheme,
    /// The context; empty where there is none.
    #[serde(with = "hex::bytes")]
    pub context: Vec<u8>,
    /// The secret key as a seed.
    #[serde(with = "hex::array")]
    pub seed: [u8; 32],
    /// The public key.
    #[serde(with = "hex::array")]
    pub public_key: [u8; 32],
    /// The message.
    #[serde(with = "hex::bytes")]
    pub message: Vec<u8>,
    /// The signature.
    #[serde(with = "hex::array")]
    pub signature: [u8; 64],
}

/// A hedged signature: its nonce is r = SHA-512(Z || prefix || 64 octets of zero || M).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HedgedCase {
    /// A name, unique in its file.
    pub name: String,
    /// The secret key as a seed.
    #[serde(with = "hex::array")]
    pub seed: [u8; 32],
    /// The public key.
    #[serde(with = "hex::array")]
    pub public_key: [u8; 32],
    /// Z, what the generator gives.
    #[serde(with = "hex::array")]
    pub z: [u8; 32],
    /// The message.
    #[serde(with = "hex::bytes")]
    pub message: Vec<u8>,
    /// The signature.
    #[serde(with = "hex::array")]
    pub signature: [u8; 64],
}

/// A key, a message, a signature, and who accepts.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerifyCase {
    /// The number of the case, from 0.
    pub id: u32,
    /// What the key is.
    pub a: String,
    /// What the first half of the signature is.
    pub r: String,
    /// What the second half of the signature is.
    pub s: String,
    /// The torsion part of S·B - k·A - R as a multiple, 0 to 7, of a fixed
    /// point of order 8; null where a point does not decode.
    pub residue: Option<u32>,
    /// The public key.
    #[serde(with = "hex::array")]
    pub key: [u8; 32],
    /// The message.
    #[serde(with = "hex::bytes")]
    pub msg: Vec<u8>,
    /// The signature.
    #[serde(with = "hex::array")]
    pub sig: [u8; 64],
    /// The names of the profiles that accept; all others reject.
    pub accept: Vec<String>,
}

impl VerifyCase {
    /// The verdict of a profile, by its name.
    pub fn accepted_by(&self, profile: &str) -> bool {
        self.accept.iter().any(|name| name == profile)
    }
}

/// The encoding of a point, and who takes it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PointCase {
    /// The number of the case, from 0.
    pub id: u32,
    /// What the case is.
    pub note: String,
    /// The encoding.
    #[serde(with = "hex::array")]
    pub bytes: [u8; 32],
    /// Whether RFC 8032 section 5.1.3 takes it.
    pub rfc8032: bool,
    /// Whether ZIP 215 takes it.
    pub zip215: bool,
    /// What the point is; null where there is none.
    pub point: Option<PointFacts>,
}

/// What a point is.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PointFacts {
    /// Its canonical encoding.
    #[serde(with = "hex::array")]
    pub canonical: [u8; 32],
    /// Whether its order divides 8.
    pub small_order: bool,
    /// The order of its torsion part: 1, 2, 4 or 8.
    pub torsion_order: u32,
    /// The u coordinate on curve25519 (0 for the neutral element).
    #[serde(with = "hex::array")]
    pub u: [u8; 32],
}

/// X25519 of a scalar and a u coordinate.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct X25519Case {
    /// The number of the case, from 0.
    pub id: u32,
    /// What the case is.
    pub note: String,
    /// The scalar, not clamped.
    #[serde(with = "hex::array")]
    pub scalar: [u8; 32],
    /// The u coordinate as sent.
    #[serde(with = "hex::array")]
    pub u: [u8; 32],
    /// The result.
    #[serde(with = "hex::array")]
    pub out: [u8; 32],
    /// False where the result is all zero: a checked exchange must refuse.
    pub contributory: bool,
    /// Whether u belongs to a point of the twist.
    pub twist: bool,
}

/// 32 octets that may encode an element of Ristretto255.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RistrettoEncoding {
    /// What the case is.
    pub note: String,
    /// The octets.
    #[serde(with = "hex::array")]
    pub bytes: [u8; 32],
    /// Whether they encode an element.
    pub valid: bool,
}

/// 64 octets and the element of Ristretto255 that they are mapped to.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RistrettoMapped {
    /// What the case is.
    pub note: String,
    /// The octets.
    #[serde(with = "hex::array")]
    pub uniform: [u8; 64],
    /// The encoding of the element.
    #[serde(with = "hex::array")]
    pub element: [u8; 32],
}

/// Two elements of Ristretto255, a scalar, and what is computed of them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RistrettoGroup {
    /// The first element, p.
    #[serde(with = "hex::array")]
    pub p: [u8; 32],
    /// The second one, q.
    #[serde(with = "hex::array")]
    pub q: [u8; 32],
    /// The scalar, below L.
    #[serde(with = "hex::array")]
    pub scalar: [u8; 32],
    /// p + q.
    #[serde(with = "hex::array")]
    pub sum: [u8; 32],
    /// p - q.
    #[serde(with = "hex::array")]
    pub difference: [u8; 32],
    /// The scalar times p.
    #[serde(with = "hex::array")]
    pub product: [u8; 32],
    /// The scalar times the generator.
    #[serde(with = "hex::array")]
    pub of_the_generator: [u8; 32],
}

/// Ristretto255.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ristretto {
    /// What the file is and where its values come from.
    pub about: String,
    /// Encodings of elements, and of nothing.
    pub encodings: Vec<RistrettoEncoding>,
    /// The one-way map.
    pub mapped: Vec<RistrettoMapped>,
    /// The group.
    pub group: Vec<RistrettoGroup>,
}

/// A message, and what it is hashed to.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HashToCurveCase {
    /// The name of the suite in RFC 9380.
    pub suite: String,
    /// The domain separation tag.
    #[serde(with = "hex::bytes")]
    pub tag: Vec<u8>,
    /// The message.
    #[serde(with = "hex::bytes")]
    pub message: Vec<u8>,
    /// The encoding of a point of edwards25519, the u coordinate on curve25519, or the encoding of an element of
    /// Ristretto255.
    #[serde(with = "hex::array")]
    pub output: [u8; 32],
}

/// The values of RFC 7748.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rfc7748 {
    /// What the file is and where its values come from.
    pub about: String,
    /// Section 5.2, the two single multiplications.
    pub x25519: Vec<X25519Case>,
    /// Section 5.2, the iteration: k after so many rounds of
    /// (k, u) = (X25519(k, u), k), from k = u = 9.
    pub iterated: BTreeMap<u32, Iterated>,
    /// Section 6.1.
    pub diffie_hellman: DiffieHellman,
}

/// A value of k in the iteration of RFC 7748 section 5.2.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Iterated(#[serde(with = "hex::array")] pub [u8; 32]);

/// RFC 7748 section 6.1.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiffieHellman {
    /// Alice's secret.
    #[serde(with = "hex::array")]
    pub alice_secret: [u8; 32],
    /// Alice's public key.
    #[serde(with = "hex::array")]
    pub alice_public: [u8; 32],
    /// Bob's secret.
    #[serde(with = "hex::array")]
    pub bob_secret: [u8; 32],
    /// Bob's public key.
    #[serde(with = "hex::array")]
    pub bob_public: [u8; 32],
    /// The shared secret.
    #[serde(with = "hex::array")]
    pub shared: [u8; 32],
}

/// The files of a key.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KeyFiles {
    /// The algorithm, as the command calls it.
    pub algorithm: String,
    /// What the key is made of.
    #[serde(with = "hex::array")]
    pub seed: [u8; 32],
    /// The signing key, PKCS#8 in DER.
    #[serde(with = "hex::bytes")]
    pub pkcs8: Vec<u8>,
    /// The verifying key, SubjectPublicKeyInfo in DER.
    #[serde(with = "hex::bytes")]
    pub spki: Vec<u8>,
}

/// The directory of the project's own data.
pub fn data_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data")
}

fn load<T: DeserializeOwned>(file: &str) -> T {
    let path = data_dir().join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| {
        panic!(
            "{}: {error}; `cargo xtask vectors` makes it",
            path.display()
        )
    });
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The signatures of RFC 8032 sections 7.1 to 7.3.
pub fn rfc8032() -> File<SignCase> {
    load("rfc8032.json")
}

/// The values of RFC 7748 sections 5.2 and 6.1.
pub fn rfc7748() -> Rfc7748 {
    load("rfc7748.json")
}

/// Signatures over many message and context lengths.
pub fn sign() -> File<SignCase> {
    load("ed25519_sign.json")
}

/// Hedged signatures over many message lengths.
pub fn hedged() -> File<HedgedCase> {
    load("ed25519_hedged.json")
}

/// Edge cases of verification, with each profile's verdict.
pub fn verify() -> File<VerifyCase> {
    load("ed25519_verify.json")
}

/// Edge cases of decoding points and public keys.
pub fn points() -> File<PointCase> {
    load("points.json")
}

/// Edge cases of X25519.
pub fn x25519() -> File<X25519Case> {
    load("x25519.json")
}

/// Ristretto255: encodings, the one-way map, and the group.
pub fn ristretto() -> Ristretto {
    load("ristretto255.json")
}

/// Messages hashed to edwards25519, curve25519 and ristretto255.
pub fn hash_to_curve() -> File<HashToCurveCase> {
    load("hash_to_curve.json")
}

/// Key files of FN-DSA, original Falcon and hybrid signatures.
pub fn key_files() -> File<KeyFiles> {
    load("key_files.json")
}
