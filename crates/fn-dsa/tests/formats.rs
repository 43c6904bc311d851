//! Key files and the traits of the crate `signature`.
#![cfg(all(
    feature = "keygen",
    feature = "sign",
    feature = "pkcs8",
    feature = "alloc",
    feature = "signature"
))]

use lanner_fn_dsa::pkcs8::der::asn1::{BitStringRef, OctetStringRef};
use lanner_fn_dsa::pkcs8::der::{AnyRef, Encode};
use lanner_fn_dsa::pkcs8::spki::{AlgorithmIdentifierRef, SubjectPublicKeyInfo};
use lanner_fn_dsa::pkcs8::{
    DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, ObjectIdentifier,
    PrivateKeyInfoRef,
};
use lanner_fn_dsa::shake::SeededRng;
use lanner_fn_dsa::signature::{
    Keypair, MultipartVerifier, RandomizedMultipartSigner, RandomizedSigner, SignatureEncoding,
    Verifier,
};
use lanner_fn_dsa::{
    FALCON_512_OID, FALCON_1024_OID, FN_DSA_512_OID, FN_DSA_1024_OID, Signature512, Signature1024,
    SigningKey512, SigningKey1024, SigningKeyStandard, SigningKeyWeak, VerifyingKey512,
    VerifyingKey1024, VerifyingKeyStandard, draft2026, falcon,
};

fn keys() -> (SigningKey512, SigningKey1024) {
    (
        SigningKey512::from_seed(&[1; 32]).unwrap(),
        SigningKey1024::from_seed(&[1; 32]).unwrap(),
    )
}

fn encoded(key: &SigningKey512) -> (Vec<u8>, Vec<u8>) {
    let (mut sk, mut vk) = (vec![0; 1281], vec![0; 897]);
    key.write_bytes(&mut sk).unwrap();
    key.verifying_key().write_bytes(&mut vk).unwrap();
    (sk, vk)
}

/// The files that all faces write and read.
#[test]
fn files_of_the_vectors() {
    macro_rules! holds {
        ($signing:ty, $verifying:ty, $case:expr, $degree:expr) => {
            let (case, logn) = ($case, u32::ilog2($degree));
            let key = <$signing>::from_seed_of_degree(logn, &case.seed).unwrap();
            assert_eq!(key.to_pkcs8_der().unwrap().as_bytes(), case.pkcs8);
            let read = <$signing>::from_pkcs8_der(&case.pkcs8).unwrap();
            let verifying = key.verifying_key();
            assert_eq!(read.verifying_key(), verifying);
            let spki = verifying.to_public_key_der().unwrap();
            assert_eq!(spki.as_bytes(), case.spki);
            let read = <$verifying>::from_public_key_der(&case.spki).unwrap();
            assert_eq!(read, verifying);
        };
    }
    let mut seen = 0;
    for case in &lanner_vectors::own::key_files().cases {
        let (name, degree) = case.algorithm.rsplit_once('-').unwrap();
        let degree: u32 = degree.parse().unwrap();
        match name {
            "fn-dsa" => {
                holds!(SigningKeyStandard, VerifyingKeyStandard, case, degree);
            }
            "falcon" => {
                use falcon::{SigningKeyStandard, VerifyingKeyStandard};
                holds!(SigningKeyStandard, VerifyingKeyStandard, case, degree);
            }
            _ => continue,
        }
        seen += 1;
    }
    assert_eq!(seen, 4);
}

#[test]
fn public_keys() {
    let (small, large) = keys();
    let der = small.verifying_key().to_public_key_der().unwrap();
    // SEQUENCE { SEQUENCE { 2.25.2041985364.9 }, BIT STRING }
    let head = "30820391300906076987cdd8f2540903820382000900";
    assert!(hex::encode(der.as_bytes()).starts_with(&head[..head.len() - 2]));
    // SEQUENCE { SEQUENCE { 1.3.9999.3.11 }, BIT STRING }
    let key = small.verifying_key();
    let key = falcon::VerifyingKey512::dangerous_from_fn_dsa(&key);
    let der_of_falcon = key.to_public_key_der().unwrap();
    let head = "3082038f300706052bce0f030b03820382000900";
    assert!(hex::encode(der_of_falcon.as_bytes()).starts_with(&head[..head.len() - 2]));
    let back = VerifyingKey512::from_public_key_der(der.as_bytes()).unwrap();
    assert_eq!(back, small.verifying_key());
    let back = VerifyingKeyStandard::from_public_key_der(der.as_bytes()).unwrap();
    assert_eq!(back.logn(), 9);
    assert!(VerifyingKey1024::from_public_key_der(der.as_bytes()).is_err());
    let der = large.verifying_key().to_public_key_der().unwrap();
    assert!(VerifyingKey1024::from_public_key_der(der.as_bytes()).is_ok());
    assert!(VerifyingKey512::from_public_key_der(der.as_bytes()).is_err());
    let toy = SigningKeyWeak::from_seed_of_degree(4, &[0; 32]).unwrap();
    assert!(toy.verifying_key().to_public_key_der().is_err());
    assert!(toy.to_pkcs8_der().is_err());
}

/// The same key under other identifiers: those of its scheme and degree are taken, and without parameters.
#[test]
fn identifiers() {
    let (small, _) = keys();
    let (_, vk) = encoded(&small);
    let read = |oid: &str, parameters| {
        let info = SubjectPublicKeyInfo {
            algorithm: AlgorithmIdentifierRef {
                oid: ObjectIdentifier::new_unwrap(oid),
                parameters,
            },
            subject_public_key: BitStringRef::from_bytes(&vk).unwrap(),
        };
        let der = info.to_der().unwrap();
        (
            VerifyingKeyStandard::from_public_key_der(&der).is_ok(),
            falcon::VerifyingKeyStandard::from_public_key_der(&der).is_ok(),
        )
    };
    for last in 0..25 {
        let of_falcon = [1, 6, 11, 16].contains(&last);
        assert_eq!(
            read(&format!("1.3.9999.3.{last}"), None),
            (false, of_falcon),
            "{last}"
        );
        let of_fn_dsa = last == 9;
        assert_eq!(
            read(&format!("2.25.2041985364.{last}"), None),
            (of_fn_dsa, false),
            "{last}"
        );
    }
    assert_eq!(read("1.3.9999.3.11", Some(AnyRef::NULL)), (false, false));
    assert_eq!(
        read("2.25.2041985364.9", Some(AnyRef::NULL)),
        (false, false)
    );
    assert_eq!(read("1.3.101.112", None), (false, false));
    assert_eq!(FALCON_512_OID.to_string(), "1.3.9999.3.11");
    assert_eq!(FALCON_1024_OID.to_string(), "1.3.9999.3.14");
    assert_eq!(FN_DSA_512_OID.to_string(), "2.25.2041985364.9");
    assert_eq!(FN_DSA_1024_OID.to_string(), "2.25.2041985364.10");
}

/// A file tells its scheme: the secret keys of one are no keys of the other, though their bytes are.
#[test]
fn files_of_one_scheme_are_none_of_the_other() {
    let (small, large) = keys();
    let of_fn_dsa = [small.to_pkcs8_der().unwrap(), large.to_pkcs8_der().unwrap()];
    let small = falcon::SigningKey512::dangerous_from_fn_dsa(&small);
    let large = falcon::SigningKey1024::dangerous_from_fn_dsa(&large);
    let of_falcon = [small.to_pkcs8_der().unwrap(), large.to_pkcs8_der().unwrap()];
    for (fn_dsa, falcon) in of_fn_dsa.iter().zip(&of_falcon) {
        // The identifier has two bytes more.
        assert_eq!(fn_dsa.as_bytes().len(), falcon.as_bytes().len() + 2);
        assert!(SigningKeyStandard::from_pkcs8_der(fn_dsa.as_bytes()).is_ok());
        assert!(SigningKeyStandard::from_pkcs8_der(falcon.as_bytes()).is_err());
        assert!(falcon::SigningKeyStandard::from_pkcs8_der(falcon.as_bytes()).is_ok());
        assert!(falcon::SigningKeyStandard::from_pkcs8_der(fn_dsa.as_bytes()).is_err());
    }
    let back = falcon::SigningKey512::from_pkcs8_der(of_falcon[0].as_bytes()).unwrap();
    assert_eq!(back, small);
}

/// What is wrong with a sound key of a degree that the type does not support is the type, not the key.
#[test]
fn files_of_other_degrees_are_not_called_malformed() {
    use lanner_fn_dsa::pkcs8::{Error, spki};
    let (small, large) = keys();
    let of = |key: &SigningKey512| key.to_pkcs8_der().unwrap();
    let (small_der, large_der) = (of(&small), large.to_pkcs8_der().unwrap());
    let unknown = |oid| Error::PublicKey(spki::Error::OidUnknown { oid });
    let error = SigningKey512::from_pkcs8_der(large_der.as_bytes()).unwrap_err();
    assert_eq!(error, unknown(FN_DSA_1024_OID));
    let error = SigningKey1024::from_pkcs8_der(small_der.as_bytes()).unwrap_err();
    assert_eq!(error, unknown(FN_DSA_512_OID));
    let small = small.verifying_key().to_public_key_der().unwrap();
    let large = large.verifying_key().to_public_key_der().unwrap();
    let unknown = |oid| spki::Error::OidUnknown { oid };
    let error = VerifyingKey512::from_public_key_der(large.as_bytes()).unwrap_err();
    assert_eq!(error, unknown(FN_DSA_1024_OID));
    let error = VerifyingKey1024::from_public_key_der(small.as_bytes()).unwrap_err();
    assert_eq!(error, unknown(FN_DSA_512_OID));
}

#[test]
fn private_keys() {
    let (small, large) = keys();
    let der = small.to_pkcs8_der().unwrap();
    assert_eq!(
        SigningKey512::from_pkcs8_der(der.as_bytes()).unwrap(),
        small
    );
    let standard = SigningKeyStandard::from_pkcs8_der(der.as_bytes()).unwrap();
    assert_eq!(standard.logn(), 9);
    assert!(SigningKey1024::from_pkcs8_der(der.as_bytes()).is_err());
    let der = large.to_pkcs8_der().unwrap();
    assert_eq!(
        SigningKey1024::from_pkcs8_der(der.as_bytes()).unwrap(),
        large
    );
}

/// The contents of a private key, in each form that is found, and spoiled.
#[test]
fn forms_of_private_keys() {
    let (small, _) = keys();
    let (sk, vk) = encoded(&small);
    let read = |contents: &[u8], public: Option<&[u8]>| {
        let algorithm = AlgorithmIdentifierRef {
            oid: FN_DSA_512_OID,
            parameters: None,
        };
        let mut info = PrivateKeyInfoRef::new(algorithm, OctetStringRef::new(contents).unwrap());
        info.public_key = public.map(|bytes| BitStringRef::from_bytes(bytes).unwrap());
        let der = info.to_der().unwrap();
        SigningKey512::from_pkcs8_der(&der).is_ok_and(|key| key == small)
    };
    let octets = |bytes: &[u8]| OctetStringRef::new(bytes).unwrap().to_der().unwrap();
    let sequence = |parts: &[&[u8]]| {
        let body = parts.concat();
        let length = (body.len() as u16).to_be_bytes();
        [&[0x30, 0x82][..], &length, &body].concat()
    };
    let both = [&sk[..], &vk].concat();
    assert!(read(&sk, None));
    assert!(read(&both, None));
    assert!(read(&octets(&sk), None));
    assert!(read(&octets(&both), None));
    assert!(read(&sk, Some(&vk)));
    assert!(read(&sk, Some(&vk[1..])));

    let (f, g, big_f) = (&sk[1..385], &sk[385..769], &sk[769..]);
    let (f, g, big_f) = (octets(f), octets(g), octets(big_f));
    let public = sequence(&[&octets(&vk[1..])]);
    let version = [2, 1, 0];
    assert!(read(&sequence(&[&version, &f, &g, &big_f, &public]), None));
    assert!(read(&sequence(&[&version, &f, &g, &big_f]), None));
    assert!(!read(&sequence(&[&[2, 1, 1], &f, &g, &big_f]), None));
    assert!(!read(&sequence(&[&version, &f, &g]), None));
    assert!(!read(&sequence(&[&version, &f, &g, &g]), None));
    assert!(!read(
        &sequence(&[&version, &f, &g, &big_f, &public, &public]),
        None
    ));

    let mut other = vk.clone();
    other[500] ^= 1;
    assert!(!read(&[&sk[..], &other].concat(), None));
    assert!(!read(&sk, Some(&other)));
    assert!(!read(&sk, Some(&[])));
    let wrong = sequence(&[&octets(&other[1..])]);
    assert!(!read(&sequence(&[&version, &f, &g, &big_f, &wrong]), None));
    other[500] ^= 1;
    other[0] = 10;
    assert!(!read(&[&sk[..], &other].concat(), None));
    assert!(!read(&sk[1..], None));
    assert!(!read(&both[..both.len() - 1], None));
    assert!(!read(&[], None));
}

/// The forms of others under their own names: what each writes, both ways, and that it reads no other.
#[test]
fn named_forms() {
    use lanner_fn_dsa::key_forms::{
        BouncyCastle, FALCON_PADDED_512_OID, FALCON_PADDED_1024_OID, Padded,
    };

    let (small, large) = keys();
    let small = falcon::SigningKey512::dangerous_from_fn_dsa(&small);
    let large = falcon::SigningKey1024::dangerous_from_fn_dsa(&large);
    let plain = small.to_pkcs8_der().unwrap();
    let padded = Padded(&small).to_pkcs8_der().unwrap();
    let castle = BouncyCastle(&small).to_pkcs8_der().unwrap();
    // The padded form differs in the last byte of the identifier alone.
    let differing: Vec<_> = (0..plain.as_bytes().len())
        .filter(|&i| plain.as_bytes()[i] != padded.as_bytes()[i])
        .collect();
    assert_eq!(plain.as_bytes().len(), padded.as_bytes().len());
    assert_eq!(differing.len(), 1);
    assert_eq!(
        (
            plain.as_bytes()[differing[0]],
            padded.as_bytes()[differing[0]]
        ),
        (11, 16)
    );
    // SEQUENCE { 0, { 1.3.9999.3.11 }, OCTET STRING { SEQUENCE { 0, f, … } } }
    let head = "308208ab0201003007 06052bce0f030b 0482089b 30820897 020100 04820180";
    let head = hex::decode(head.replace(' ', "")).unwrap();
    assert_eq!(castle.as_bytes()[..head.len()], head);
    let mut sk = vec![0; 1281];
    small.write_bytes(&mut sk).unwrap();
    let (f, g, big_f) = (&sk[1..385], &sk[385..769], &sk[769..]);
    let mut vk = vec![0; 897];
    small.verifying_key().write_bytes(&mut vk).unwrap();
    let tails: [(&str, &[u8]); 4] = [
        ("", f),
        ("04820180", g),
        ("04820200", big_f),
        ("30820384 04820380", &vk[1..]),
    ];
    let mut at = head.len();
    for (head, octets) in tails {
        let head = hex::decode(head.replace(' ', "")).unwrap();
        let expected = [&head[..], octets].concat();
        assert_eq!(castle.as_bytes()[at..at + expected.len()], expected);
        at += expected.len();
    }
    assert_eq!(at, castle.as_bytes().len());

    let files = [&plain, &padded, &castle];
    for (i, file) in files.iter().enumerate() {
        let file = file.as_bytes();
        assert_eq!(falcon::SigningKey512::from_pkcs8_der(file).unwrap(), small);
        let read = Padded::<falcon::SigningKey512>::from_pkcs8_der(file);
        assert_eq!(read.is_ok_and(|key| key.0 == small), i == 1);
        let read = BouncyCastle::<falcon::SigningKey512>::from_pkcs8_der(file);
        assert_eq!(read.is_ok_and(|key| key.0 == small), i == 2);
    }
    for file in [
        Padded(&large).to_pkcs8_der().unwrap(),
        BouncyCastle(&large).to_pkcs8_der().unwrap(),
    ] {
        let back = falcon::SigningKey1024::from_pkcs8_der(file.as_bytes()).unwrap();
        assert_eq!(back, large);
        assert!(falcon::SigningKey512::from_pkcs8_der(file.as_bytes()).is_err());
    }

    let public = small.verifying_key();
    let plain = public.to_public_key_der().unwrap();
    let padded = Padded(&public).to_public_key_der().unwrap();
    let castle = BouncyCastle(&public).to_public_key_der().unwrap();
    assert_eq!(plain.as_bytes(), castle.as_bytes());
    assert_ne!(plain.as_bytes(), padded.as_bytes());
    type Read = falcon::VerifyingKey512;
    let Padded(back) = Padded::<Read>::from_public_key_der(padded.as_bytes()).unwrap();
    assert_eq!(back, public);
    assert!(Padded::<Read>::from_public_key_der(plain.as_bytes()).is_err());
    let BouncyCastle(back) = BouncyCastle::<Read>::from_public_key_der(plain.as_bytes()).unwrap();
    assert_eq!(back, public);
    assert!(BouncyCastle::<Read>::from_public_key_der(padded.as_bytes()).is_err());

    assert_eq!(FALCON_PADDED_512_OID.to_string(), "1.3.9999.3.16");
    assert_eq!(FALCON_PADDED_1024_OID.to_string(), "1.3.9999.3.19");
    let toy = falcon::SigningKeyWeak::from_seed_of_degree(4, &[0; 32]).unwrap();
    assert!(Padded(&toy).to_pkcs8_der().is_err());
    assert!(BouncyCastle(&toy).to_pkcs8_der().is_err());
    assert!(Padded(&toy.verifying_key()).to_public_key_der().is_err());
}

#[cfg(feature = "pem")]
#[test]
fn pem() {
    use lanner_fn_dsa::pkcs8::LineEnding;
    let (small, _) = keys();
    let text = small.to_pkcs8_pem(LineEnding::LF).unwrap();
    assert!(text.starts_with("-----BEGIN PRIVATE KEY-----\n"));
    assert_eq!(SigningKey512::from_pkcs8_pem(&text).unwrap(), small);
    let text = small
        .verifying_key()
        .to_public_key_pem(LineEnding::LF)
        .unwrap();
    let back = VerifyingKey512::from_public_key_pem(&text).unwrap();
    assert_eq!(back, small.verifying_key());
}

#[test]
fn signature_traits() {
    let (small, large) = keys();
    let rng = &mut SeededRng::new(b"traits");
    let signature: Signature512 = small.sign_with_rng(rng, b"message");
    let public = Keypair::verifying_key(&small);
    public.verify(b"message", &signature).unwrap();
    public
        .multipart_verify(&[b"mess", b"age"], &signature)
        .unwrap();
    assert!(public.verify(b"another", &signature).is_err());
    let bytes = signature.to_bytes();
    assert_eq!(Signature512::try_from(&bytes[..]).unwrap(), signature);
    assert!(Signature512::try_from(&bytes[1..]).is_err());
    let again = Signature512::try_from(&bytes[..]).unwrap();
    assert_eq!(std::collections::HashSet::from([signature, again]).len(), 1);
    assert_eq!(SignatureEncoding::to_bytes(&signature), bytes);
    // The trait of fn-dsa sees the same signature.
    use lanner_fn_dsa::{DOMAIN_NONE, HASH_ID_RAW};
    public
        .try_verify(&bytes, &DOMAIN_NONE, &HASH_ID_RAW, b"message")
        .unwrap();

    let signature: Signature1024 = large.multipart_sign_with_rng(rng, &[b"mess", b"age"]);
    large
        .verifying_key()
        .verify(b"message", &signature)
        .unwrap();
    assert!(public.verify(b"message", &signature).is_err());

    let draft = draft2026::SigningKey512::from_seed(&[1; 32]).unwrap();
    let signature = draft.sign_with_rng(rng, b"message");
    draft
        .verifying_key()
        .verify(b"message", &signature)
        .unwrap();

    #[cfg(feature = "getrandom")]
    {
        use lanner_fn_dsa::signature::Signer;
        let signature = Signer::sign(&small, b"message");
        public.verify(b"message", &signature).unwrap();
        assert_ne!(Signer::sign(&small, b"message"), signature);
    }
}
