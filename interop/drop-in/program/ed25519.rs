//! ed25519-dalek: keys, signatures, batches, prehashing, hazmat, key files and serde.

use curve25519_dalek::digest::common::{Generate, KeySizeUser, TryKeyInit};
use ed25519_dalek::ed25519::signature::{MultipartSigner, MultipartVerifier};
use ed25519_dalek::hazmat::{
    ExpandedSecretKey, raw_sign, raw_sign_byupdate, raw_sign_prehashed, raw_verify,
    raw_verify_prehashed,
};
use ed25519_dalek::pkcs8::spki::SignatureAlgorithmIdentifier;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::pkcs8::{
    DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, PrivateKeyInfoRef,
};
use ed25519_dalek::{
    Context, Digest, DigestSigner, DigestVerifier, KEYPAIR_LENGTH, PUBLIC_KEY_LENGTH,
    SECRET_KEY_LENGTH, SIGNATURE_LENGTH, SecretKey, Sha512, Signature, SignatureError, Signer,
    SigningKey, Verifier, VerifyingKey, verify_batch,
};

use crate::story::{Sequence, Story};

pub(crate) fn tell(story: &mut Story) {
    let lengths = (
        SECRET_KEY_LENGTH,
        PUBLIC_KEY_LENGTH,
        SIGNATURE_LENGTH,
        KEYPAIR_LENGTH,
    );
    story.value("lengths", lengths);
    let mut rng = Sequence(2);
    for _ in 0..4 {
        let key = SigningKey::generate(&mut rng);
        keys(story, &key);
        signatures(story, &key, b"a message");
        prehashed(story, &key);
        hazardous(story, &key);
        files(story, &key);
        serialized(story, &key);
        generic(story, &key, &mut rng);
    }
    batches(story, &mut rng);
}

fn keys(story: &mut Story, key: &SigningKey) {
    let secret: SecretKey = key.to_bytes();
    story.bytes("secret", key.as_bytes());
    story.bytes("public", key.verifying_key().as_bytes());
    story.bytes("pair", key.to_keypair_bytes());
    story.bytes("scalar", key.to_scalar().to_bytes());
    story.bytes("scalar bytes", key.to_scalar_bytes());
    story.value("equal", *key == SigningKey::from(secret));
    story.value("equal", key.clone() == SigningKey::from(&[1; 32]));
    story.value("from a slice", SigningKey::try_from(&secret[..]).is_ok());
    story.value(
        "from a short slice",
        SigningKey::try_from(&secret[1..]).is_err(),
    );
    let pair = key.to_keypair_bytes();
    story.value("from a pair", SigningKey::from_keypair_bytes(&pair).is_ok());
    let public: &VerifyingKey = key.as_ref();
    story.value("from a reference", *public == VerifyingKey::from(key));
    story.bytes("as bytes", AsRef::<[u8]>::as_ref(public));
    story.value("weak", public.is_weak());
    story.bytes("to Montgomery", public.to_montgomery().to_bytes());
    story.bytes("to Edwards", public.to_edwards().compress().to_bytes());
    let again = VerifyingKey::from(public.to_edwards());
    story.value("from Edwards", again == *public);
    let read = VerifyingKey::try_from(&public.to_bytes()[..]);
    story.value("from bytes", read.is_ok_and(|read| read == *public));
    let mut set = std::collections::HashSet::new();
    set.insert(*public);
    story.value("hashes", set.contains(public));
    let not_a_point = VerifyingKey::from_bytes(&[2; 32]);
    story.value("not a point", not_a_point.is_err());
}

fn signatures(story: &mut Story, key: &SigningKey, message: &[u8]) {
    let signature: Signature = key.sign(message);
    story.bytes("signature", signature.to_bytes());
    story.bytes("R", signature.r_bytes());
    story.bytes("S", signature.s_bytes());
    story.value("tried", key.try_sign(message).ok() == Some(signature));
    let public = key.verifying_key();
    story.value("verify", public.verify(message, &signature).is_ok());
    story.value("strict", public.verify_strict(message, &signature).is_ok());
    story.value("by the signer", key.verify(message, &signature).is_ok());
    story.value(
        "strict, by the signer",
        key.verify_strict(message, &signature).is_ok(),
    );
    story.value("tampered", public.verify(b"another", &signature).is_err());
    let read = Signature::from_slice(&signature.to_bytes());
    story.value("from a slice", read.ok() == Some(signature));
    story.value(
        "from a short slice",
        Signature::from_slice(&[0; 63]).is_err(),
    );
    let result: Result<(), SignatureError> = public.verify(b"another", &signature);
    story.value("is an error", result.is_err());
    let parts = [&message[..3], &message[3..]];
    let multipart = key.try_multipart_sign(&parts);
    story.value("in parts", multipart.ok() == Some(signature));
    for parts in [&parts[..], &parts[1..]] {
        let verdict = public.multipart_verify(parts, &signature);
        story.value("verified in parts", verdict.is_ok());
    }
    let mut stream = public.verify_stream(&signature).expect("a stream");
    stream.update(&message[..5]);
    stream.update(&message[5..]);
    story.value("streamed", stream.finalize_and_verify().is_ok());
}

fn prehashed(story: &mut Story, key: &SigningKey) {
    let digest = || {
        let mut digest = Sha512::new();
        digest.update(b"a message that is hashed first");
        digest
    };
    let public = key.verifying_key();
    for context in [None, Some(&b"context"[..])] {
        let signature = key
            .sign_prehashed(digest(), context)
            .expect("a short context");
        story.bytes("prehashed", signature.to_bytes());
        let verdicts = (
            public
                .verify_prehashed(digest(), context, &signature)
                .is_ok(),
            public
                .verify_prehashed_strict(digest(), context, &signature)
                .is_ok(),
            key.verify_prehashed(digest(), context, &signature).is_ok(),
            public
                .verify_prehashed(digest(), Some(b"other"), &signature)
                .is_ok(),
        );
        story.value("verdicts", verdicts);
    }
    story.value(
        "a long context",
        key.sign_prehashed(digest(), Some(&[0; 256])).is_err(),
    );
    story.value("longest context", Context::<SigningKey>::MAX_LENGTH);
    let signer = key.with_context(b"context").expect("a short context");
    story.bytes("context", signer.value());
    let signature = signer.sign_digest(|digest: &mut Sha512| digest.update(b"message"));
    story.bytes("by the context", signature.to_bytes());
    let verifier = public.with_context(b"context").expect("a short context");
    let verdict = verifier.verify_digest(
        |digest: &mut Sha512| {
            digest.update(b"message");
            Ok(())
        },
        &signature,
    );
    story.value("verdict", verdict.is_ok());
    story.value("no context that long", key.with_context(&[0; 256]).is_err());
}

fn hazardous(story: &mut Story, key: &SigningKey) {
    let expanded = ExpandedSecretKey::from(key.as_bytes());
    story.bytes("expanded scalar", expanded.scalar.to_bytes());
    story.bytes("expanded prefix", expanded.hash_prefix);
    let public = VerifyingKey::from(&expanded);
    story.value("its public key", public == key.verifying_key());
    let signature = raw_sign::<Sha512>(&expanded, b"message", &public);
    story.value("the usual signature", signature == key.sign(b"message"));
    story.value(
        "raw verify",
        raw_verify::<Sha512>(&public, b"message", &signature).is_ok(),
    );
    let digest = Sha512::new_with_prefix(b"message");
    let signature =
        raw_sign_prehashed::<Sha512, Sha512>(&expanded, digest, &public, None).expect("no context");
    story.bytes("raw, prehashed", signature.to_bytes());
    for message in [b"message", b"another"] {
        let digest = Sha512::new_with_prefix(message);
        let verdict =
            raw_verify_prehashed::<Sha512, Sha512>(&public, digest, None, &signature).is_ok();
        story.value("raw verify, prehashed", verdict);
    }
    let signature = raw_sign_byupdate::<Sha512, _>(
        &expanded,
        |digest| {
            Digest::update(digest, b"mess");
            Digest::update(digest, b"age");
            Ok(())
        },
        &public,
    );
    story.value("by pieces", signature.ok() == Some(key.sign(b"message")));
    let other = ExpandedSecretKey::from_bytes(&[9; 64]);
    story.bytes("any scalar", other.scalar.to_bytes());
    story.bytes("its key", VerifyingKey::from(&other).to_bytes());
    story.value(
        "from a short slice",
        ExpandedSecretKey::from_slice(&[9; 63]).is_err(),
    );
}

/// Secret keys are written in another version of PKCS#8, so only what is read is compared.
fn files(story: &mut Story, key: &SigningKey) {
    let der = key.to_pkcs8_der().expect("encodes");
    let read = SigningKey::from_pkcs8_der(der.as_bytes()).expect("decodes");
    story.value("DER", read == *key);
    let pem = key.to_pkcs8_pem(LineEnding::LF).expect("encodes");
    story.value(
        "a PEM label",
        pem.starts_with("-----BEGIN PRIVATE KEY-----\n"),
    );
    story.value(
        "PEM",
        SigningKey::from_pkcs8_pem(&pem).is_ok_and(|read| read == *key),
    );
    let public = key.verifying_key();
    story.bytes(
        "public DER",
        public.to_public_key_der().expect("encodes").as_bytes(),
    );
    let pem = public.to_public_key_pem(LineEnding::LF).expect("encodes");
    story.value("public PEM", &pem);
    story.value(
        "read",
        VerifyingKey::from_public_key_pem(&pem).is_ok_and(|read| read == public),
    );
    let der = public.to_public_key_der().expect("encodes");
    for der in [der.as_bytes(), &der.as_bytes()[1..]] {
        let read = VerifyingKey::from_public_key_der(der);
        story.value("read, DER", read.is_ok_and(|read| read == public));
    }
    let der = key.to_pkcs8_der().expect("encodes");
    let info: PrivateKeyInfoRef<'_> = der.decode_msg().expect("decodes");
    let read = SigningKey::try_from(info);
    story.value("of its parts", read.is_ok_and(|read| read == *key));
    let algorithm = <SigningKey as SignatureAlgorithmIdentifier>::SIGNATURE_ALGORITHM_IDENTIFIER;
    story.value("algorithm", algorithm.oid);
    story.value("without parameters", algorithm.parameters.is_none());
}

/// The traits of the crate `crypto-common`.
fn generic(story: &mut Story, key: &SigningKey, rng: &mut Sequence) {
    story.value("size", SigningKey::key_size());
    story.value("size", VerifyingKey::key_size());
    let read = <SigningKey as TryKeyInit>::new(&key.to_bytes().into());
    story.value("read", read.is_ok_and(|read| read == *key));
    let made = <SigningKey as Generate>::generate_from_rng(rng);
    story.bytes("generated", made.to_bytes());
}

fn serialized(story: &mut Story, key: &SigningKey) {
    let json = |value: Result<String, serde_json::Error>| value.expect("serialises");
    let secret = json(serde_json::to_string(key));
    let public = json(serde_json::to_string(&key.verifying_key()));
    let signature = json(serde_json::to_string(&key.sign(b"message")));
    let read: SigningKey = serde_json::from_str(&secret).expect("reads");
    story.value("read", read == *key);
    let read: VerifyingKey = serde_json::from_str(&public).expect("reads");
    story.value("read", read == key.verifying_key());
    let read: Signature = serde_json::from_str(&signature).expect("reads");
    story.value("read", read == key.sign(b"message"));
    story.value(
        "refused",
        serde_json::from_str::<SigningKey>("[1, 2, 3]").is_err(),
    );
    story.value("serialised", (secret, public, signature));
}

fn batches(story: &mut Story, rng: &mut Sequence) {
    for size in [0, 1, 2, 7, 40] {
        let keys: Vec<SigningKey> = (0..size).map(|_| SigningKey::generate(rng)).collect();
        let messages: Vec<Vec<u8>> = (0..size).map(|i| vec![i as u8; i]).collect();
        let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
        let mut signatures: Vec<Signature> = keys
            .iter()
            .zip(&messages)
            .map(|(key, message)| key.sign(message))
            .collect();
        let publics: Vec<VerifyingKey> = keys.iter().map(SigningKey::verifying_key).collect();
        story.value(
            "batch",
            verify_batch(&messages, &signatures, &publics).is_ok(),
        );
        if size > 1 {
            signatures.swap(0, 1);
            story.value(
                "swapped",
                verify_batch(&messages, &signatures, &publics).is_err(),
            );
            story.value(
                "uneven",
                verify_batch(&messages[1..], &signatures, &publics).is_err(),
            );
        }
    }
}
