//! JSON Web Keys and signatures.
#![cfg(all(feature = "keygen", feature = "sign", feature = "jose"))]

use lanner_fn_dsa::jose::{Jwk, sign, verify};
use lanner_fn_dsa::shake::SeededRng;
use lanner_fn_dsa::{
    Error, SigningKey512, SigningKey1024, SigningKeyStandard, SigningKeyWeak, VerifyingKey512,
    VerifyingKey1024, VerifyingKeyStandard,
};
use serde_json::{Value, from_str, from_value, json, to_value};

#[test]
fn keys_go_both_ways() {
    let small = SigningKey512::from_seed(&[1; 32]).unwrap();
    let large = SigningKey1024::from_seed(&[1; 32]).unwrap();
    for (private, public, name, lengths) in [
        (
            Jwk::try_from(&small).unwrap(),
            Jwk::try_from(&small.verifying_key()).unwrap(),
            "FN-DSA-512",
            // Digits of base64 for 897 and 1281 bytes, and for 1793 and 2305.
            (1196, 1708),
        ),
        (
            Jwk::try_from(&large).unwrap(),
            Jwk::try_from(&large.verifying_key()).unwrap(),
            "FN-DSA-1024",
            (2391, 3074),
        ),
    ] {
        let value = to_value(&private).unwrap();
        let members: Vec<_> = value.as_object().unwrap().keys().cloned().collect();
        assert_eq!(members, ["alg", "kty", "priv", "pub"]);
        assert_eq!(
            (&value["kty"], &value["alg"]),
            (&json!("AKP"), &json!(name))
        );
        let length = |name: &str| value[name].as_str().unwrap().len();
        assert_eq!((length("pub"), length("priv")), lengths);
        assert_eq!(
            to_value(private.to_public()).unwrap(),
            to_value(&public).unwrap()
        );
        assert!(to_value(&public).unwrap().get("priv").is_none());
        let debug = format!("{private:?}");
        assert!(debug.len() < 80, "{debug}");

        let back: Jwk = from_value(value).unwrap();
        assert!(back.is_private() && !public.is_private());
        assert_eq!(back.algorithm(), name);
        let key = SigningKeyStandard::try_from(&back).unwrap();
        let other = VerifyingKeyStandard::try_from(&public).unwrap();
        assert_eq!(key.verifying_key(), other);
        assert_eq!(
            SigningKeyStandard::try_from(&public).err(),
            Some(Error::Key)
        );
        assert_eq!(SigningKey512::try_from(&back).is_ok(), name == "FN-DSA-512");
        assert_eq!(
            VerifyingKey1024::try_from(&back).is_ok(),
            name == "FN-DSA-1024"
        );
        let input: Value = from_str(&public.thumbprint_input()).unwrap();
        assert_eq!(input, to_value(&public).unwrap());
        assert!(public.thumbprint_input().starts_with(r#"{"alg":"FN-DSA-"#));
        assert_eq!(private.thumbprint_input(), public.thumbprint_input());
    }
    let toy = SigningKeyWeak::from_seed_of_degree(4, &[0; 32]).unwrap();
    assert_eq!(Jwk::try_from(&toy).err(), Some(Error::Degree));
}

#[test]
fn spoiled_keys_are_refused() {
    let key = SigningKey512::from_seed(&[1; 32]).unwrap();
    let good = to_value(Jwk::try_from(&key).unwrap()).unwrap();
    let read = |name: &str, value: Value| {
        let mut spoiled = good.clone();
        spoiled[name] = value;
        from_value::<Jwk>(spoiled)
    };
    assert!(read("kid", json!("of no account")).is_ok());
    let text = |name: &str| good[name].as_str().unwrap().to_owned();
    for (name, value) in [
        ("kty", json!("OKP")),
        ("alg", json!("FN-DSA-1024")),
        ("alg", json!("FALCON512")),
        ("alg", Value::Null),
        ("pub", json!(text("pub") + "=")),
        ("pub", json!(text("pub")[4..])),
        ("pub", json!(text("pub") + "AAAA")),
        ("pub", json!(text("pub").replace('_', "/"))),
        ("priv", json!(text("priv")[1..])),
        ("priv", json!(7)),
        ("priv", json!(null)),
    ] {
        assert!(read(name, value.clone()).is_err(), "{name} {value}");
    }
    // Members without names.
    let members = ["kty", "alg", "pub", "priv"].map(|name| good[name].clone());
    assert!(from_value::<Jwk>(Value::from(members.to_vec())).is_err());
    // Octets of the right length: the key tells.
    let other = SigningKey512::from_seed(&[2; 32]).unwrap();
    let other = to_value(Jwk::try_from(&other).unwrap()).unwrap();
    let mixed = read("pub", other["pub"].clone()).unwrap();
    assert_eq!(SigningKey512::try_from(&mixed).err(), Some(Error::Key));
    let zeros = read("pub", json!("A".repeat(1196))).unwrap();
    assert_eq!(VerifyingKey512::try_from(&zeros).err(), Some(Error::Key));
}

#[test]
fn signatures() {
    let key = SigningKey512::from_seed(&[1; 32]).unwrap();
    let public = key.verifying_key();
    let rng = &mut SeededRng::new(b"tokens");
    let header = r#"{"alg":"FN-DSA-512","typ":"JWT","kid":"1"}"#;
    let token = sign(&key, rng, header, b"payload").unwrap();
    let verified = verify(&public, &token).unwrap();
    assert_eq!(
        (verified.header.as_str(), &verified.payload[..]),
        (header, &b"payload"[..])
    );
    assert_eq!(token.split('.').count(), 3);
    // 666 bytes.
    assert_eq!(token.rsplit('.').next().unwrap().len(), 888);
    for header in [
        r#"{"alg":"FN-DSA-1024"}"#,
        r#"{"alg":"EdDSA"}"#,
        r#"{"alg":"FN-DSA-512","crit":["b64"]}"#,
        r#"{"alg":"FN-DSA-512","crit":null}"#,
        r#"{"alg":"FN-DSA-512","alg":"FN-DSA-512"}"#,
        r#"{"typ":"JWT"}"#,
        r#"["FN-DSA-512"]"#,
        r#""FN-DSA-512""#,
        "",
    ] {
        assert_eq!(
            sign(&key, rng, header, b"payload"),
            Err(Error::Degree),
            "{header}"
        );
    }
    let refused = |token: &str| assert_eq!(verify(&public, token), Err(Error::Signature));
    for at in [0, 30, 62, 70, token.len() - 4] {
        let mut spoiled = token.clone().into_bytes();
        spoiled[at] ^= 1;
        refused(core::str::from_utf8(&spoiled).unwrap());
    }
    refused(&token[1..]);
    refused(&token[..token.len() - 4]);
    refused(&(token.clone() + "AAAA"));
    refused(&(token.clone() + "."));
    refused("");
    refused("..");
    let large = SigningKey1024::from_seed(&[1; 32]).unwrap();
    let token = sign(&large, rng, r#"{"alg":"FN-DSA-1024"}"#, b"").unwrap();
    refused(&token);
    assert!(verify(&large.verifying_key(), &token).is_ok());
}
