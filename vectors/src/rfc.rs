//! Outside copies of the values in RFC 8032, RFC 7748 and RFC 8410.

use std::collections::BTreeMap;

use base64ct::{Base64, Encoding};
use pkcs8::der::{self, Decode, Reader, SliceReader, asn1::BitStringRef};
use serde::Deserialize;

use crate::hex;
use crate::outside::Outside;
use crate::own::Scheme;

/// One signature of RFC 8032 section 7.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Rfc8032Case {
    /// The RFC's name for it.
    pub name: String,
    /// The seed.
    #[serde(with = "hex::array")]
    pub secret_key: [u8; 32],
    /// The public key.
    #[serde(with = "hex::array")]
    pub public_key: [u8; 32],
    /// The message, not hashed.
    #[serde(with = "hex::bytes")]
    pub message: Vec<u8>,
    /// The context; empty where there is none.
    #[serde(with = "hex::bytes", default)]
    pub context: Vec<u8>,
    /// The signature.
    #[serde(with = "hex::array")]
    pub signature: [u8; 64],
}

/// The values of RFC 7748.
#[derive(Clone, Debug, Deserialize)]
pub struct Rfc7748 {
    /// Section 5.2.
    pub x25519: Vec<X25519Value>,
    /// Section 5.2, iterated.
    pub iterated: Iterated,
    /// Section 6.1.
    pub dh: Dh,
}

/// X25519(scalar, u) = out.
#[derive(Clone, Debug, Deserialize)]
pub struct X25519Value {
    /// The scalar, not clamped.
    #[serde(with = "hex::array")]
    pub scalar: [u8; 32],
    /// The u coordinate.
    #[serde(with = "hex::array")]
    pub u: [u8; 32],
    /// The result.
    #[serde(with = "hex::array")]
    pub out: [u8; 32],
}

/// The iteration (k, u) = (X25519(k, u), k).
#[derive(Clone, Debug, Deserialize)]
pub struct Iterated {
    /// Both k and u at the start.
    #[serde(with = "hex::array")]
    pub start_k_and_u: [u8; 32],
    /// k after so many rounds, in hexadecimal digits.
    pub after: BTreeMap<u32, String>,
}

/// RFC 7748 section 6.1.
#[derive(Clone, Debug, Deserialize)]
pub struct Dh {
    /// Alice's secret.
    #[serde(with = "hex::array")]
    pub alice_priv: [u8; 32],
    /// Alice's public key.
    #[serde(with = "hex::array")]
    pub alice_pub: [u8; 32],
    /// Bob's secret.
    #[serde(with = "hex::array")]
    pub bob_priv: [u8; 32],
    /// Bob's public key.
    #[serde(with = "hex::array")]
    pub bob_pub: [u8; 32],
    /// The shared secret.
    #[serde(with = "hex::array")]
    pub shared: [u8; 32],
}

/// The four PEM files of RFC 8410 section 10.
#[derive(Clone, Debug)]
pub struct Rfc8410 {
    /// Section 10.1: an Ed25519 public key (SubjectPublicKeyInfo).
    pub public_key: String,
    /// Section 10.2: an X25519 certificate that the key of section 10.1 signed.
    pub certificate: String,
    /// Section 10.3: the private key, version 1.
    pub private_key_v1: String,
    /// Section 10.3: the private key, version 2 with an attribute and the
    /// public key.
    pub private_key_v2: String,
}

impl Outside {
    /// RFC 8032 section 7, with the scheme of each case.
    pub fn rfc8032(&self) -> Vec<(Scheme, Rfc8032Case)> {
        #[derive(Deserialize)]
        struct File {
            ed25519: Vec<Rfc8032Case>,
            ed25519ctx: Vec<Rfc8032Case>,
            ed25519ph: Vec<Rfc8032Case>,
        }
        let file: File = self.json("rfc8032/rfc8032.json");
        let tag = |scheme: Scheme, cases: Vec<Rfc8032Case>| {
            cases.into_iter().map(move |case| (scheme, case))
        };
        tag(Scheme::Ed25519, file.ed25519)
            .chain(tag(Scheme::Ed25519ctx, file.ed25519ctx))
            .chain(tag(Scheme::Ed25519ph, file.ed25519ph))
            .collect()
    }

    /// RFC 7748 sections 5.2 and 6.1.
    pub fn rfc7748(&self) -> Rfc7748 {
        self.json("rfc7748/rfc7748.json")
    }

    /// RFC 8410 section 10.
    pub fn rfc8410(&self) -> Rfc8410 {
        Rfc8410 {
            public_key: self.text("rfc8410/10.1-ed25519-spki.pem"),
            certificate: self.text("rfc8410/10.2-x25519-cert-signed-by-ed25519.pem"),
            private_key_v1: self.text("rfc8410/10.3-ed25519-pkcs8-v1.pem"),
            private_key_v2: self.text("rfc8410/10.3-ed25519-pkcs8-v2-attrs-pub.pem"),
        }
    }
}

/// The DER inside a PEM text, of whatever line width.
pub fn pem_to_der(pem: &str) -> Vec<u8> {
    // The certificate's lines are 66 characters wide; rewrap before decoding.
    let body: String = pem
        .lines()
        .filter(|line| !line.starts_with("-----"))
        .collect();
    Base64::decode_vec(&body).expect("base64 in a PEM text")
}

/// Splits a certificate into the octets that are signed and the signature
/// (RFC 5280 section 4.1): no field inside is looked at, so a certificate whose
/// extensions are not strict DER splits as well.
pub fn split_certificate(der: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let parts: Result<_, der::Error> = SliceReader::new(der).and_then(|mut reader| {
        let parts = reader.sequence(|body| {
            let signed = body.tlv_bytes()?.to_vec();
            let _algorithm = body.tlv_bytes()?;
            Ok::<_, der::Error>((signed, BitStringRef::decode(body)?.raw_bytes().to_vec()))
        })?;
        reader.finish()?;
        Ok(parts)
    });
    parts.expect("a certificate")
}
