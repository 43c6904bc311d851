//! Version 3: what the program of the drop-in leaves out, because `lanner_ed25519` has it otherwise.

use ed25519_dalek::pkcs8::{EncodePrivateKey, KeypairBytes, PrivateKeyInfoRef};
use ed25519_dalek::{Signature, SignatureError, Signer, SigningKey, Verifier, VerifyingKey};

use crate::story::Story;

pub(crate) fn tell(story: &mut Story) {
    let key = SigningKey::from_bytes(&[7; 32]);
    story.bytes("default", VerifyingKey::default().to_bytes());
    let written = key.to_pkcs8_der().expect("encodes");
    story.bytes("written", written.as_bytes());
    let info = PrivateKeyInfoRef::try_from(written.as_bytes()).expect("decodes");
    story.value(
        "read",
        SigningKey::try_from(info).is_ok_and(|read| read == key),
    );
    let pair = KeypairBytes {
        secret_key: [7; 32],
        public_key: Some(VerifyingKey::default().into()),
    };
    let error: Result<SigningKey, ed25519_dalek::pkcs8::Error> = pair.try_into();
    story.value("of another", error.map_err(|error| error.to_string()));
    errors(story, &key);
}

fn errors(story: &mut Story, key: &SigningKey) {
    let mut say = |error: SignatureError| {
        let source = std::error::Error::source(&error).map(|source| source.to_string());
        story.value("error", (error.to_string(), source));
    };
    let public = key.verifying_key();
    let signature = key.sign(b"message");
    say(public.verify(b"other", &signature).unwrap_err());
    let mut wrong = signature.to_bytes();
    wrong[63] = 0xff;
    say(public
        .verify(b"message", &Signature::from_bytes(&wrong))
        .unwrap_err());
    say(VerifyingKey::from_bytes(&[2; 32]).unwrap_err());
    say(SigningKey::try_from(&[2; 31][..]).unwrap_err());
    for json in [
        "[1]",
        "{}",
        &format!("{:?}", [1_u8; 33]),
        &format!("{:?}", [1_u8; 40]),
    ] {
        let signing = serde_json::from_str::<SigningKey>(json).unwrap_err();
        let verifying = serde_json::from_str::<VerifyingKey>(json).unwrap_err();
        story.value("serde", (signing.to_string(), verifying.to_string()));
    }
}
