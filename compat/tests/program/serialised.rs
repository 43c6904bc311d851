//! Keys, signatures, scalars and points in a format that writes the names and levels of newtypes (RON), and what is read in
//! their place.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::story::Story;

/// Every form that a value of these bytes might have.
fn forms(name: &str, bytes: &[u8]) -> Vec<String> {
    let numbers = bytes.iter().map(u8::to_string).collect::<Vec<_>>();
    let numbers = numbers.join(",");
    let hex: String = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    vec![
        format!("({numbers})"),
        format!("(({numbers}))"),
        format!("((({numbers})))"),
        format!("{name}({numbers})"),
        format!("{name}(({numbers}))"),
        format!("{name}(MontgomeryPoint(({numbers})))"),
        format!("[{numbers}]"),
        // No scalar and no point: 2 is the y of none, and no element of Ristretto255 is written so.
        format!("(2{})", ",0".repeat(bytes.len() - 1)),
        format!("\n [2{}]", ",0".repeat(bytes.len() - 1)),
        format!("[{}255]", "255,".repeat(bytes.len() - 1)),
        format!("[{numbers},7]"),
        String::from("[1]"),
        String::from("[]"),
        String::from("{}"),
        String::from("true"),
        format!("([{numbers}])"),
        format!("(({numbers},7))"),
        format!("\"{hex}\""),
        format!("\"{}\"", hex.to_lowercase()),
        format!("b\"{}\"", "a".repeat(bytes.len())),
    ]
}

pub(crate) fn tell_one<T: Serialize + DeserializeOwned>(
    story: &mut Story,
    name: &str,
    value: &T,
    bytes: &[u8],
) {
    let written = |value: &T| {
        let names = ron::ser::PrettyConfig::new().struct_names(true);
        ron::ser::to_string_pretty(value, names).expect("is written")
    };
    let text = written(value);
    let read = ron::from_str::<T>(&text).expect("reads what it writes");
    story.value("read", written(&read) == text);
    story.value(name, text);
    for form in forms(name, bytes) {
        let read = ron::from_str::<T>(&form);
        story.value(
            name,
            read.map(|read| written(&read))
                .map_err(|error| error.to_string()),
        );
        // Its errors say what was expected, and where.
        let read = serde_json::from_str::<T>(&form);
        story.value(
            name,
            read.map(|read| written(&read))
                .map_err(|error| error.to_string()),
        );
    }
}

/// The types of one version of each package.
macro_rules! tell {
    ($story:ident, $curve:ident, $ed25519:ident, $x25519:ident) => {{
        use $curve::{EdwardsPoint, MontgomeryPoint, RistrettoPoint, Scalar};
        use $ed25519::{Signer, SigningKey};

        let seed = [7; 32];
        let scalar = Scalar::from(1_000_000_u64);
        tell_one($story, "Scalar", &scalar, scalar.as_bytes());
        let point = EdwardsPoint::mul_base(&scalar);
        let bytes = point.compress();
        tell_one($story, "EdwardsPoint", &point, bytes.as_bytes());
        tell_one($story, "CompressedEdwardsY", &bytes, bytes.as_bytes());
        let point: MontgomeryPoint = point.to_montgomery();
        tell_one($story, "MontgomeryPoint", &point, point.as_bytes());
        let point = RistrettoPoint::mul_base(&scalar);
        let bytes = point.compress();
        tell_one($story, "RistrettoPoint", &point, bytes.as_bytes());
        tell_one($story, "CompressedRistretto", &bytes, bytes.as_bytes());

        let key = SigningKey::from_bytes(&seed);
        tell_one($story, "SigningKey", &key, &seed);
        let public = key.verifying_key();
        tell_one($story, "VerifyingKey", &public, public.as_bytes());
        let signature = key.sign(b"message");
        tell_one($story, "Signature", &signature, &signature.to_bytes());

        let secret = $x25519::StaticSecret::from(seed);
        tell_one($story, "StaticSecret", &secret, &seed);
        let public = $x25519::PublicKey::from(&secret);
        tell_one($story, "PublicKey", &public, public.as_bytes());
    }};
}

pub(crate) fn tell(story: &mut Story) {
    tell!(story, curve25519_dalek_4, ed25519_dalek_2, x25519_dalek_2);
    tell!(story, curve25519_dalek, ed25519_dalek, x25519_dalek);
}
