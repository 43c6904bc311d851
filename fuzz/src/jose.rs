//! JSON Web Keys and signatures of FN-DSA, for the targets of key files and of signatures: beside a reader of one's own, which
//! asks for every member by its name.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use lanner_cli::decoders::{Text, bytes_of};
use lanner_fn_dsa::jose::{Jwk, algorithm, sign, verify};
use lanner_fn_dsa::shake::SeededRng;
use lanner_fn_dsa::{
    DOMAIN_NONE, HASH_ID_RAW, SigningKeyStandard, VerifyingKey512, VerifyingKey1024,
    VerifyingKeyStandard, sign_key_size, vrfy_key_size,
};
use serde_json::value::RawValue;

/// The members of an object: of a name that stands there twice, the last one.
type Members = BTreeMap<String, Box<RawValue>>;

fn string(members: &Members, name: &str) -> Option<String> {
    serde_json::from_str(members.get(name)?.get()).ok()
}

/// The octets of a member in base64url, of which each length of octets has one form.
fn octets(text: &str) -> Option<Vec<u8>> {
    bytes_of(Text::Base64Url, text.as_bytes())
}

/// What a key has, if it is one: the degree, the public key and the private one.
type Parts = (u32, Vec<u8>, Option<Vec<u8>>);

fn parts(members: &Members) -> Option<Parts> {
    let name = string(members, "alg")?;
    let logn = [9, 10]
        .into_iter()
        .find(|logn| algorithm(*logn) == Some(&name))?;
    let public = octets(&string(members, "pub")?)?;
    let private = match members.get("priv") {
        None => None,
        Some(_) => Some(octets(&string(members, "priv")?)?),
    };
    let fits = string(members, "kty")? == "AKP"
        && public.len() == vrfy_key_size(logn)
        && private
            .as_ref()
            .is_none_or(|octets| octets.len() == sign_key_size(logn));
    fits.then_some((logn, public, private))
}

fn text_of(jwk: &Jwk) -> String {
    serde_json::to_string(jwk).expect("strings are JSON")
}

/// What need not be text: within what is skipped, JSON's reader does not look.
pub(crate) fn web_key_of_bytes(data: &[u8]) {
    if let Ok(jwk) = serde_json::from_slice::<Jwk>(data) {
        keys(&jwk);
    }
}

/// A text as a JSON Web Key, in which no member may stand twice.
pub(crate) fn web_key(text: &str) {
    let read = serde_json::from_str::<Jwk>(text).ok();
    // A name that cannot be read is none that is known, and so the whole is no object.
    let Ok(members) = serde_json::from_str::<Members>(text) else {
        assert!(read.is_none(), "more than an object");
        return;
    };
    let parts = parts(&members);
    let once = serde_json::to_string(&members).expect("it was JSON");
    let again = serde_json::from_str::<Jwk>(&once).ok();
    assert_eq!(again.is_some(), parts.is_some(), "by its members");
    // Each value on its own, as a program has it that has read the text before.
    if let Ok(value) = serde_json::from_str::<serde_json::Value>(&once) {
        let by_value = serde_json::from_value::<Jwk>(value).ok();
        assert_eq!(
            by_value.as_ref().map(text_of),
            again.as_ref().map(text_of),
            "text and value"
        );
    }
    let Some(jwk) = read else { return };
    let again = again.expect("one that has every member once");
    assert_eq!(text_of(&jwk), text_of(&again));
    let (logn, public, private) = parts.expect("the members of a key");
    assert_eq!(Some(jwk.algorithm()), algorithm(logn));
    assert_eq!(jwk.is_private(), private.is_some());
    // What is written has these members, letter by letter.
    let written: Members = serde_json::from_str(&text_of(&jwk)).expect("our own form");
    for name in ["kty", "alg", "pub", "priv"] {
        let given = string(&members, name);
        assert_eq!(string(&written, name), given, "a second form of {name}");
    }

    let verifying = VerifyingKeyStandard::from_bytes(&public);
    let verifying = verifying.ok().filter(|key| key.logn() == logn);
    assert_eq!(VerifyingKeyStandard::try_from(&jwk).ok(), verifying);
    let signing = private
        .and_then(|octets| SigningKeyStandard::from_bytes(&octets).ok())
        .filter(|key| Some(key.verifying_key()) == verifying);
    assert_eq!(SigningKeyStandard::try_from(&jwk).ok(), signing);
    keys(&jwk);
}

/// What becomes of a key that was read.
fn keys(jwk: &Jwk) {
    let written = text_of(jwk);
    let again: Jwk = serde_json::from_str(&written).expect("our own form");
    assert_eq!(text_of(&again), written);
    let public = text_of(&jwk.to_public());
    let hashed: Jwk = serde_json::from_str(&jwk.thumbprint_input()).expect("a public key");
    assert_eq!(text_of(&hashed), public);

    let small = jwk.algorithm() == "FN-DSA-512";
    let verifying = VerifyingKeyStandard::try_from(jwk).ok();
    let of_degrees = [
        VerifyingKey512::try_from(jwk).is_ok(),
        VerifyingKey1024::try_from(jwk).is_ok(),
    ];
    assert_eq!(
        of_degrees,
        [small, !small].map(|it| it && verifying.is_some())
    );
    if let Some(key) = &verifying {
        assert_eq!(text_of(&Jwk::try_from(key).expect("it has a name")), public);
    }
    if let Ok(key) = SigningKeyStandard::try_from(jwk) {
        assert_eq!(Some(key.verifying_key()), verifying);
        assert_eq!(
            text_of(&Jwk::try_from(&key).expect("it has a name")),
            written
        );
    }
}

/// A key in this form, with its private part and without, as it is written and as others might write it.
pub(crate) fn web_keys(key: &SigningKeyStandard) -> Vec<Vec<u8>> {
    let private = Jwk::try_from(key).expect("it has a name");
    let public = text_of(&private.to_public());
    let members = public.strip_prefix('{').expect("an object");
    let other = format!(" {{\n\"kid\":[1,{{\"use\":null}}],\"\\u0065\":\"\\n\", {members}\n");
    // What is next to a key: with the padding that is left out, and with a member twice.
    let padded = public.replace("\"}", "=\"}");
    let twice = format!("{{\"kty\":\"AKP\",{members}");
    vec![
        text_of(&private).into_bytes(),
        public.clone().into_bytes(),
        other.into_bytes(),
        padded.into_bytes(),
        twice.into_bytes(),
    ]
}

struct Known {
    signing: SigningKeyStandard,
    verifying: VerifyingKeyStandard,
    tokens: Vec<String>,
}

const PAYLOAD: &[u8] = b"payload";

fn known() -> &'static [Known; 2] {
    static KNOWN: OnceLock<[Known; 2]> = OnceLock::new();
    KNOWN.get_or_init(|| {
        [9, 10].map(|logn| {
            let signing =
                SigningKeyStandard::from_seed_of_degree(logn, &[logn as u8; 32]).expect("a degree");
            let name = algorithm(logn).expect("a degree for use");
            let rng = &mut SeededRng::new(b"tokens");
            let tokens = [
                (format!(r#"{{"alg":"{name}"}}"#), PAYLOAD),
                (format!("{{\"typ\":\"JWT\",\n\"alg\":\"{name}\"}}"), b""),
            ]
            .map(|(header, payload)| {
                sign(&signing, rng, &header, payload).expect("the name of the key")
            });
            Known {
                verifying: signing.verifying_key(),
                signing,
                tokens: tokens.into(),
            }
        })
    })
}

/// Whether this is a header for signatures of the degree: with every member once, and read by its members.
fn names(members: &Members, logn: u32) -> bool {
    string(members, "alg").as_deref() == algorithm(logn) && !members.contains_key("crit")
}

/// A text as a signature in compact form; and as the header of one.
pub(crate) fn token(text: &str) {
    for (logn, known) in [9, 10].into_iter().zip(known()) {
        let verified = verify(&known.verifying, text);
        // Whoever finds another one has broken the scheme, or written the same one in a second way.
        let expected = known.tokens.iter().any(|token| token == text);
        assert_eq!(verified.is_ok(), expected, "another token");
        let pieces: Option<Vec<Vec<u8>>> = text.split('.').map(octets).collect();
        if let Ok(verified) = &verified {
            let pieces = pieces.expect("three times base64url");
            assert_eq!(pieces.len(), 3);
            assert_eq!(pieces[0], verified.header.as_bytes());
            assert_eq!(pieces[1], verified.payload);
            let (input, _) = text.rsplit_once('.').expect("three parts");
            let verdict = known.verifying.try_verify(
                &pieces[2],
                &DOMAIN_NONE,
                &HASH_ID_RAW,
                input.as_bytes(),
            );
            assert_eq!(verdict, Ok(()));
        }

        let rng = &mut SeededRng::new(text.as_bytes());
        let signed = sign(&known.signing, rng, text, PAYLOAD);
        let members = serde_json::from_str::<Members>(text).ok();
        let is_header = members.as_ref().is_some_and(|members| names(members, logn));
        assert!(is_header || signed.is_err(), "no header of this key");
        if let Ok(signed) = &signed {
            let verified = verify(&known.verifying, signed).expect("what was signed is valid");
            assert_eq!((&*verified.header, &*verified.payload), (text, PAYLOAD));
        } else if is_header {
            // Refused because something stands there twice; once it may.
            let once = serde_json::to_string(&members).expect("it was JSON");
            assert!(sign(&known.signing, rng, &once, PAYLOAD).is_ok());
        }
    }
}

/// Tokens of both degrees and what is next to them, and headers.
pub(crate) fn tokens() -> Vec<Vec<u8>> {
    let mut tokens = Vec::new();
    for (logn, known) in [9, 10].into_iter().zip(known()) {
        for token in &known.tokens {
            // What is next to a token: its padding, and a part more.
            for end in ["", "=", "."] {
                tokens.push(format!("{token}{end}").into_bytes());
            }
        }
        let name = algorithm(logn).expect("a degree for use");
        for header in [
            format!(r#"{{"alg":"{name}","kid":[{{}},1e9,"\ud800"]}}"#),
            format!(r#"{{"alg":"{name}","crit":["b64"]}}"#),
            format!(r#"{{"alg":"{name}","\u0061lg":"{name}"}}"#),
        ] {
            tokens.push(header.into_bytes());
        }
    }
    tokens
}
