//! DSSE envelopes (Dead Simple Signing Envelope, version 1.0.2, of the in-toto project): a payload, the type of the
//! payload, and signatures of both together.

use crate::base64;
use crate::error::{Error, Kind};
use crate::text::{Shown, without_mark};
use serde_json::{Value, json};
use std::path::Path;

/// A signature, and the hint at its key that nothing protects.
#[derive(Debug)]
pub(crate) struct EnvelopeSignature {
    pub(crate) key_id: Option<String>,
    pub(crate) signature: Vec<u8>,
}

/// An envelope, of which nothing is checked.
#[derive(Debug)]
pub(crate) struct Envelope {
    pub(crate) payload_type: String,
    pub(crate) payload: Vec<u8>,
    pub(crate) signatures: Vec<EnvelopeSignature>,
}

/// What is signed: the type and the payload, each with its length before it, so that neither can be taken for a part
/// of the other ("pre-authentication encoding").
pub(crate) fn signed_data(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    let mut data = format!(
        "DSSEv1 {} {payload_type} {} ",
        payload_type.len(),
        payload.len()
    )
    .into_bytes();
    data.extend_from_slice(payload);
    data
}

/// The envelope with one signature, as one line of JSON.
pub(crate) fn compose(
    payload_type: &str,
    payload: &[u8],
    key_id: &str,
    signature: &[u8],
) -> Vec<u8> {
    let envelope = json!({
        "payloadType": payload_type,
        "payload": *base64::encode(payload),
        "signatures": [{ "keyid": key_id, "sig": *base64::encode(signature) }],
    });
    format!("{envelope}\n").into_bytes()
}

/// Reads one envelope, or several of which each has a line; `path` is for errors.
pub(crate) fn parse(bytes: &[u8], path: &Path) -> Result<Vec<Envelope>, Error> {
    let envelopes = serde_json::Deserializer::from_slice(without_mark(bytes))
        .into_iter::<Value>()
        .map(|value| match value {
            Ok(value) => envelope(&value).map_err(|why| bad(path, why)),
            Err(e) => Err(bad(path, &format!("the JSON is broken ({e})"))),
        })
        .collect::<Result<Vec<_>, _>>()?;
    if envelopes.is_empty() {
        return Err(bad(path, "the file is empty"));
    }
    Ok(envelopes)
}

fn envelope(value: &Value) -> Result<Envelope, &'static str> {
    let text = |value: &Value, name: &str| value.get(name)?.as_str().map(str::to_owned);
    if value.get("dsseEnvelope").is_some() {
        return Err(
            "it is a bundle of Sigstore; the envelope is within, in dsseEnvelope (jq -c .dsseEnvelope)",
        );
    }
    let payload_type = text(value, "payloadType").ok_or("it has no payloadType")?;
    let payload = value
        .get("payload")
        .and_then(bytes)
        .ok_or("its payload is not Base64")?;
    let signatures = value
        .get("signatures")
        .and_then(Value::as_array)
        .ok_or("it has no signatures")?
        .iter()
        .map(|signature| {
            Ok(EnvelopeSignature {
                key_id: text(signature, "keyid").filter(|id| !id.is_empty()),
                signature: signature
                    .get("sig")
                    .and_then(bytes)
                    .ok_or("the Base64 of a signature is broken")?,
            })
        })
        .collect::<Result<Vec<_>, _>>()?;
    if signatures.is_empty() {
        return Err("it has no signatures");
    }
    Ok(Envelope {
        payload_type,
        payload,
        signatures,
    })
}

/// The specification lets writers choose one of the two alphabets.
fn bytes(value: &Value) -> Option<Vec<u8>> {
    let text = value.as_str()?.as_bytes();
    base64::decode(text)
        .or_else(|| base64::decode_url_padded(text))
        .map(|bytes| bytes.to_vec())
}

fn bad(path: &Path, why: &str) -> Error {
    Error::new(
        Kind::BadSignatureFile,
        format!("{} is not a usable DSSE envelope: {why}", Shown(path)),
    )
    .with_path(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test vector of the specification (protocol.md).
    #[test]
    fn the_specifications_example() {
        let data = signed_data("http://example.com/HelloWorld", b"hello world");
        let expected = b"DSSEv1 29 http://example.com/HelloWorld 11 hello world";
        assert_eq!(data, expected);
    }

    #[test]
    fn both_alphabets_and_nothing_else() {
        let path = Path::new("e");
        for (payload, expected) in [
            ("-_8=", Some(&b"\xfb\xff"[..])),
            ("+/8=", Some(b"\xfb\xff")),
            ("+_8=", None),
            ("+/8", None),
            ("+/9=", None),
        ] {
            let text = format!(
                r#"{{"payloadType":"t","payload":"{payload}","signatures":[{{"sig":"AA=="}}]}}"#
            );
            let parsed = parse(text.as_bytes(), path);
            assert_eq!(parsed.is_ok(), expected.is_some(), "{payload}");
            if let Some(expected) = expected {
                assert_eq!(parsed.unwrap()[0].payload, expected);
            }
        }
    }
}
