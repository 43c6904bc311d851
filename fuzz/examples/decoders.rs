//! `decoders`: what the decoders in Rust make of inputs, for a face that has decoders of its own to be compared with:
//! `js/test/decoders.mjs`.
//!
//! Requests come on standard input, answers go to standard output in the same order: each is its length (four bytes,
//! little-endian) and what has that length. A request is the number of a decoder and the input; an answer is 1 and what was read,
//! or 0 and words that say why nothing was. What was read is in parts, each after its length in the same form; the last part
//! is the key as it is written, where it is one. A request of the number 255 is answered with the decoders' names.

use std::io::{self, BufRead, BufReader, Read, Write};

use lanner_cli::decoders::{Text, bytes_of, web_key};
use lanner_ed25519::pkcs8::spki::der::pem;
use lanner_ed25519::pkcs8::{
    DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, PublicKeyBytes,
};
use lanner_ed25519::{SigningKey, VerifyingKey};
use lanner_fn_dsa::{self as fn_dsa, falcon};
use lanner_hybrid as hybrid;
use lanner_x25519::{PublicKey, StaticSecret};

/// The parts that were read, or why there are none.
type Answer = Result<Vec<Vec<u8>>, String>;

type Decoder = fn(&[u8]) -> Answer;

const ED25519: &[u8] = b"Ed25519";
const X25519: &[u8] = b"X25519";

fn words(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Of either curve.
fn pkcs8(der: &[u8]) -> Answer {
    let error = match SigningKey::from_pkcs8_der(der) {
        Ok(key) => {
            let written = key.to_pkcs8_der().map_err(words)?;
            return Ok(vec![
                ED25519.into(),
                key.to_bytes().into(),
                key.verifying_key().to_bytes().into(),
                written.as_bytes().into(),
            ]);
        }
        Err(error) => error,
    };
    let key = StaticSecret::from_pkcs8_der(der).map_err(|other| format!("{error}; {other}"))?;
    let written = key.to_pkcs8_der().map_err(words)?;
    Ok(vec![
        X25519.into(),
        key.to_bytes().into(),
        PublicKey::from(&key).to_bytes().into(),
        written.as_bytes().into(),
    ])
}

/// Of either curve.
fn spki(der: &[u8]) -> Answer {
    let error = match VerifyingKey::from_public_key_der(der) {
        Ok(key) => {
            let written = key.to_public_key_der().map_err(words)?;
            return Ok(vec![
                ED25519.into(),
                key.to_bytes().into(),
                written.into_vec(),
            ]);
        }
        Err(_) if PublicKeyBytes::from_public_key_der(der).is_ok() => {
            return Err("32 bytes that are not a point".into());
        }
        Err(error) => error,
    };
    let key = PublicKey::from_public_key_der(der).map_err(|other| format!("{error}; {other}"))?;
    let written = key.to_public_key_der().map_err(words)?;
    Ok(vec![
        X25519.into(),
        key.to_bytes().into(),
        written.into_vec(),
    ])
}

/// As the key types of the schemes read PEM.
fn pem_strict(text: &[u8]) -> Answer {
    let (label, der) = pem::decode_vec(text).map_err(words)?;
    Ok(vec![label.into(), der])
}

/// PEM as `lanner/keys` of the npm package says that it reads it: text before the block, in lines of its own; white space
/// around the block, and within the base64. What is left is for the reader of the schemes.
fn pem_lax(text: &[u8]) -> Answer {
    const BEGIN: &str = "-----BEGIN ";
    let text = str::from_utf8(text).map_err(words)?;
    if text.encode_utf16().count() > 65536 {
        return Err("too long".into());
    }
    // What ECMAScript calls white space.
    let text = text.trim_matches(|c: char| c == '\u{feff}' || c.is_whitespace() && c != '\u{85}');
    let mut lines = text.match_indices(BEGIN).map(|(place, _)| place);
    let starts_line = |place: &usize| {
        let before = text[..*place].chars().next_back();
        before.is_none_or(|c| matches!(c, '\n' | '\r'))
    };
    let block = &text[lines.find(starts_line).ok_or("no block")?..];
    let (label, rest) = block[BEGIN.len()..].split_once("-----").ok_or("no label")?;
    let capitals = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_uppercase());
    if !label.split(' ').all(capitals) {
        return Err("not a label of keys".into());
    }
    let end = format!("-----END {label}-----");
    let body = rest.strip_suffix(&end).ok_or("no end")?;
    let space = |c: char| matches!(c, '\t'..='\r' | ' ');
    if !body.starts_with(space) {
        return Err("something behind the label".into());
    }
    let body: String = body.chars().filter(|c| !space(*c)).collect();
    let mut normal = format!("{BEGIN}{label}-----\n");
    for (place, character) in body.chars().enumerate() {
        if place % 64 == 0 && place > 0 {
            normal.push('\n');
        }
        normal.push(character);
    }
    normal = format!("{normal}\n{end}\n");
    pem_strict(normal.as_bytes())
}

fn text(form: Text, text: &[u8]) -> Answer {
    bytes_of(form, text)
        .map(|bytes| vec![bytes])
        .ok_or_else(String::new)
}

fn jwk(text: &[u8], with_secret: bool) -> Answer {
    let key = web_key(text, with_secret)?;
    let curve = if key.agrees { X25519 } else { ED25519 };
    let mut parts = vec![curve.to_vec(), key.public];
    parts.extend(key.secret.map(Vec::from));
    Ok(parts)
}

/// The 64 bytes of a secret key of Ed25519.
fn pair(bytes: &[u8]) -> Answer {
    let bytes = bytes.try_into().map_err(words)?;
    let key = SigningKey::from_keypair_bytes(bytes).map_err(words)?;
    Ok(vec![
        key.to_bytes().into(),
        key.verifying_key().to_bytes().into(),
    ])
}

/// The readers of both kinds of files of types of keys: how the secret key is written, and how long the public one is.
macro_rules! files {
    ($($private:ident $public:ident: $signing:ty, $verifying:ty, $secret:expr, $length:expr;)*) => {$(
        fn $private(der: &[u8]) -> Answer {
            let key = <$signing>::from_pkcs8_der(der).map_err(words)?;
            let secret: fn(&$signing) -> Vec<u8> = $secret;
            let mut public = vec![0; $length];
            key.verifying_key().write_bytes(&mut public).map_err(words)?;
            let written = key.to_pkcs8_der().map_err(words)?;
            Ok(vec![secret(&key), public, written.as_bytes().into()])
        }

        fn $public(der: &[u8]) -> Answer {
            let key = <$verifying>::from_public_key_der(der).map_err(words)?;
            let mut public = vec![0; $length];
            key.write_bytes(&mut public).map_err(words)?;
            let written = key.to_public_key_der().map_err(words)?;
            Ok(vec![public, written.into_vec()])
        }
    )*};
}

/// The encoded signing key of FN-DSA or Falcon.
macro_rules! encoded {
    ($logn:literal) => {
        |key| {
            let mut bytes = vec![0; fn_dsa::sign_key_size($logn)];
            key.write_bytes(&mut bytes)
                .expect("the length is the key's");
            bytes
        }
    };
}

files! {
    fndsa512_pkcs8 fndsa512_spki:
        fn_dsa::SigningKey512, fn_dsa::VerifyingKey512, encoded!(9), fn_dsa::vrfy_key_size(9);
    fndsa1024_pkcs8 fndsa1024_spki:
        fn_dsa::SigningKey1024, fn_dsa::VerifyingKey1024, encoded!(10), fn_dsa::vrfy_key_size(10);
    falcon512_pkcs8 falcon512_spki:
        falcon::SigningKey512, falcon::VerifyingKey512, encoded!(9), fn_dsa::vrfy_key_size(9);
    falcon1024_pkcs8 falcon1024_spki:
        falcon::SigningKey1024, falcon::VerifyingKey1024, encoded!(10), fn_dsa::vrfy_key_size(10);
    hybrid512_pkcs8 hybrid512_spki:
        hybrid::SigningKey512, hybrid::VerifyingKey512,
        |key| key.seed().to_vec(), hybrid::verifying_key_size(9);
    hybrid1024_pkcs8 hybrid1024_spki:
        hybrid::SigningKey1024, hybrid::VerifyingKey1024,
        |key| key.seed().to_vec(), hybrid::verifying_key_size(10);
}

const DECODERS: &[(&str, Decoder)] = &[
    ("pkcs8", pkcs8),
    ("spki", spki),
    ("pem", pem_lax),
    ("pem, strict", pem_strict),
    ("base64", |bytes| text(Text::Base64, bytes)),
    ("base64url", |bytes| text(Text::Base64Url, bytes)),
    ("hex", |bytes| text(Text::Hex, bytes)),
    ("public jwk", |bytes| jwk(bytes, false)),
    ("private jwk", |bytes| jwk(bytes, true)),
    ("pair", pair),
    ("fndsa512 pkcs8", fndsa512_pkcs8),
    ("fndsa512 spki", fndsa512_spki),
    ("fndsa1024 pkcs8", fndsa1024_pkcs8),
    ("fndsa1024 spki", fndsa1024_spki),
    ("falcon512 pkcs8", falcon512_pkcs8),
    ("falcon512 spki", falcon512_spki),
    ("falcon1024 pkcs8", falcon1024_pkcs8),
    ("falcon1024 spki", falcon1024_spki),
    ("hybrid512 pkcs8", hybrid512_pkcs8),
    ("hybrid512 spki", hybrid512_spki),
    ("hybrid1024 pkcs8", hybrid1024_pkcs8),
    ("hybrid1024 spki", hybrid1024_spki),
];

/// What is asked for the names of the decoders.
const NAMES: u8 = 255;

fn answer(request: &[u8]) -> (u8, Vec<u8>) {
    let (&number, input) = request.split_first().expect("a request has a number");
    if number == NAMES {
        let names: Vec<&str> = DECODERS.iter().map(|(name, _)| *name).collect();
        return (1, names.join("\n").into_bytes());
    }
    match DECODERS[usize::from(number)].1(input) {
        Ok(parts) => {
            let framed = parts.iter().flat_map(|part| {
                let length = (part.len() as u32).to_le_bytes();
                length.into_iter().chain(part.iter().copied())
            });
            (1, framed.collect())
        }
        Err(why) => (0, why.into_bytes()),
    }
}

fn main() -> io::Result<()> {
    lanner_fuzz_targets::take_vectors();
    let mut requests = BufReader::with_capacity(1 << 20, io::stdin());
    let mut answers = Vec::new();
    let mut request = Vec::new();
    loop {
        // Nobody waits for what is not yet asked.
        if requests.buffer().is_empty() {
            io::stdout().write_all(&answers)?;
            io::stdout().flush()?;
            answers.clear();
        }
        if requests.fill_buf()?.is_empty() {
            return Ok(());
        }
        let mut length = [0; 4];
        requests.read_exact(&mut length)?;
        request.resize(u32::from_le_bytes(length) as usize, 0);
        requests.read_exact(&mut request)?;
        let (verdict, content) = answer(&request);
        answers.extend((content.len() as u32 + 1).to_le_bytes());
        answers.push(verdict);
        answers.extend(content);
    }
}
