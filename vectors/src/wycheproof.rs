//! Project Wycheproof: Ed25519 verification, X25519 on octets, X25519 on DER
//! keys.

use pkcs8::{ObjectIdentifier, PrivateKeyInfoRef, spki::SubjectPublicKeyInfoRef};
use serde::Deserialize;

use crate::hex;
use crate::outside::Outside;

/// The file of Ed25519, as Wycheproof publishes it.
pub const ED25519: &str = "wycheproof/ed25519_test.json";

/// What a case should end in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Must be accepted.
    Valid,
    /// Must be refused.
    Invalid,
    /// May be refused; where it is not, the result must be the one given.
    Acceptable,
}

/// A signature to verify.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EddsaCase {
    /// The number of the case.
    pub tc_id: u32,
    /// What the case is.
    pub comment: String,
    /// Its flags.
    pub flags: Vec<String>,
    /// The message.
    #[serde(with = "hex::bytes")]
    pub msg: Vec<u8>,
    /// The signature, of any length.
    #[serde(with = "hex::bytes")]
    pub sig: Vec<u8>,
    /// The verdict of RFC 8032.
    pub result: Verdict,
}

impl EddsaCase {
    /// The verdict of a profile. The file states RFC 8032's; it says of two
    /// sorts of cases who accepts them beyond that:
    ///
    /// - `SignatureMalleability` and `InvalidKtv` (L added to S, once or more
    ///   often): a verifier that does not check the range of S, as donna does
    ///   not below 2^253;
    /// - R = (-0, 1), a valid equation over an encoding that ignores the sign of
    ///   x: a verifier that ignores it too, as ZIP 215 asks.
    pub fn accepted_by(&self, profile: &str) -> bool {
        const MINUS_ZERO: [u8; 32] = {
            let mut bytes = [0; 32];
            (bytes[0], bytes[31]) = (1, 0x80);
            bytes
        };
        let stated = self.result == Verdict::Valid;
        match profile {
            "donna" => {
                let shifted = ["SignatureMalleability", "InvalidKtv"];
                let shifted = self
                    .flags
                    .iter()
                    .any(|flag| shifted.contains(&flag.as_str()));
                stated || (shifted && self.sig[63] & 0xe0 == 0)
            }
            "zip215" => {
                let lenient = self.flags.iter().any(|flag| flag == "InvalidEncoding");
                stated || (lenient && self.sig.starts_with(&MINUS_ZERO))
            }
            _ => stated,
        }
    }
}

/// Cases for one key.
#[derive(Clone, Debug)]
pub struct EddsaGroup {
    /// The public key.
    pub key: [u8; 32],
    /// The same as DER (SubjectPublicKeyInfo).
    pub key_der: Vec<u8>,
    /// The same as PEM.
    pub key_pem: String,
    /// The cases.
    pub tests: Vec<EddsaCase>,
}

/// An exchange: keys as 32 octets, or as DER in the ASN.1 file.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct XdhCase {
    /// The number of the case.
    pub tc_id: u32,
    /// What the case is.
    pub comment: String,
    /// Its flags.
    pub flags: Vec<String>,
    /// The peer's public key.
    #[serde(with = "hex::bytes")]
    pub public: Vec<u8>,
    /// The own private key.
    #[serde(with = "hex::bytes")]
    pub private: Vec<u8>,
    /// The shared secret.
    #[serde(with = "hex::bytes")]
    pub shared: Vec<u8>,
    /// The verdict.
    pub result: Verdict,
}

impl XdhCase {
    /// Whether the case has a flag.
    pub fn has_flag(&self, flag: &str) -> bool {
        self.flags.iter().any(|f| f == flag)
    }

    /// Private and public key of a case of the ASN.1 file, if both are X25519
    /// keys by RFC 8410.
    pub fn keys_from_der(&self) -> Option<([u8; 32], [u8; 32])> {
        const X25519: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.110");
        let private = PrivateKeyInfoRef::try_from(self.private.as_slice()).ok()?;
        let public = SubjectPublicKeyInfoRef::try_from(self.public.as_slice()).ok()?;
        if private.algorithm.oid != X25519 || public.algorithm.oid != X25519 {
            return None;
        }
        // CurvePrivateKey is an OCTET STRING inside the OCTET STRING.
        let private = private.private_key.as_bytes().strip_prefix(&[0x04, 0x20])?;
        let public = public.subject_public_key.as_bytes()?;
        Some((private.try_into().ok()?, public.try_into().ok()?))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File<G> {
    number_of_tests: usize,
    test_groups: Vec<G>,
}

#[derive(Deserialize)]
struct XdhGroup {
    tests: Vec<XdhCase>,
}

impl Outside {
    /// `ed25519_test.json`.
    pub fn wycheproof_ed25519(&self) -> Vec<EddsaGroup> {
        #[derive(Deserialize)]
        struct PublicKey {
            #[serde(with = "hex::array")]
            pk: [u8; 32],
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Group {
            public_key: PublicKey,
            #[serde(with = "hex::bytes")]
            public_key_der: Vec<u8>,
            public_key_pem: String,
            tests: Vec<EddsaCase>,
        }
        let file: File<Group> = self.json(ED25519);
        let count: usize = file.test_groups.iter().map(|group| group.tests.len()).sum();
        assert_eq!(count, file.number_of_tests);
        let convert = |group: Group| EddsaGroup {
            key: group.public_key.pk,
            key_der: group.public_key_der,
            key_pem: group.public_key_pem,
            tests: group.tests,
        };
        file.test_groups.into_iter().map(convert).collect()
    }

    fn wycheproof_xdh(&self, name: &str) -> Vec<XdhCase> {
        let file: File<XdhGroup> = self.json(name);
        let cases: Vec<_> = file
            .test_groups
            .into_iter()
            .flat_map(|group| group.tests)
            .collect();
        assert_eq!(cases.len(), file.number_of_tests);
        cases
    }

    /// `x25519_test.json`: keys are 32 octets.
    pub fn wycheproof_x25519(&self) -> Vec<XdhCase> {
        self.wycheproof_xdh("wycheproof/x25519_test.json")
    }

    /// `x25519_asn_test.json`: keys are DER.
    pub fn wycheproof_x25519_asn(&self) -> Vec<XdhCase> {
        self.wycheproof_xdh("wycheproof/x25519_asn_test.json")
    }
}
