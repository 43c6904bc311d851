//! ed25519-dalek 2: who accepts what.

use curve25519_dalek_4::constants::EIGHT_TORSION;
use ed25519_dalek_2::hazmat::{ExpandedSecretKey, raw_sign, raw_sign_byupdate, raw_verify};
use ed25519_dalek_2::{
    Digest, Sha512, Signature, SignatureError, Signer, SigningKey, Verifier, VerifyingKey,
    verify_batch,
};

use crate::story::Story;

/// L, little-endian.
const ORDER: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

pub(crate) fn tell(story: &mut Story) {
    small_orders(story);
    large_scalars(story);
    errors(story);
    hashes(story);
}

/// The points of small order in every encoding.
fn encodings() -> Vec<[u8; 32]> {
    let mut encodings: Vec<[u8; 32]> = EIGHT_TORSION.map(|point| point.compress().0).into();
    // y = 1, 0 and -1 with p added, and with the other sign.
    for (first, fill, last) in [
        (0xee, 0xff, 0x7f),
        (0xed, 0xff, 0x7f),
        (1, 0, 0),
        (0xec, 0xff, 0x7f),
    ] {
        for sign in [0, 0x80] {
            let mut bytes = [fill; 32];
            bytes[0] = first;
            bytes[31] = last | sign;
            encodings.push(bytes);
        }
    }
    encodings
}

fn verdicts(story: &mut Story, key: &VerifyingKey, message: &[u8], signature: &Signature) {
    let mut stream = key.verify_stream(signature).ok();
    if let Some(stream) = &mut stream {
        stream.update(message);
    }
    let verdicts = (
        key.verify(message, signature).is_ok(),
        key.verify_strict(message, signature).is_ok(),
        raw_verify::<Sha512>(key, message, signature).is_ok(),
        stream.is_some_and(|stream| stream.finalize_and_verify().is_ok()),
        key.verify_prehashed(Sha512::new_with_prefix(message), None, signature)
            .is_ok(),
        key.verify_prehashed_strict(Sha512::new_with_prefix(message), None, signature)
            .is_ok(),
    );
    story.value("verdicts", verdicts);
}

fn small_orders(story: &mut Story) {
    for a in encodings() {
        let Ok(key) = VerifyingKey::from_bytes(&a) else {
            story.bytes("no key", a);
            continue;
        };
        story.value("weak", key.is_weak());
        for r in encodings() {
            let signature = Signature::from_components(r, [0; 32]);
            for message in 0..4_u8 {
                verdicts(story, &key, &[message], &signature);
            }
        }
    }
}

/// S and S + L, S + 2 L and so on, and with the top bits set.
fn large_scalars(story: &mut Story) {
    let key = SigningKey::from_bytes(&[5; 32]);
    let signature = key.sign(b"message");
    let mut s = *signature.s_bytes();
    for _ in 0..16 {
        let changed = Signature::from_components(*signature.r_bytes(), s);
        verdicts(story, &key.verifying_key(), b"message", &changed);
        // For two and more: that of one may be another in a batch.
        let batch = verify_batch(&[b"message"], &[changed], &[key.verifying_key()]);
        story.value("batch", batch.is_ok());
        let mut carry = 0;
        for (s, order) in s.iter_mut().zip(ORDER) {
            carry += u16::from(*s) + u16::from(order);
            *s = carry as u8;
            carry >>= 8;
        }
    }
}

/// The words of errors are an interface.
fn errors(story: &mut Story) {
    let mut say = |error: SignatureError| {
        let source = std::error::Error::source(&error).map(|source| source.to_string());
        story.value("error", (error.to_string(), source));
    };
    let key = SigningKey::from_bytes(&[6; 32]);
    let public = key.verifying_key();
    let signature = key.sign(b"message");
    say(public.verify(b"other", &signature).unwrap_err());
    say(public.verify_strict(b"other", &signature).unwrap_err());
    let mut wrong = signature.to_bytes();
    wrong[63] = 0xff;
    say(public
        .verify(b"message", &Signature::from_bytes(&wrong))
        .unwrap_err());
    say(VerifyingKey::from_bytes(&[2; 32]).unwrap_err());
    say(VerifyingKey::try_from(&[2; 31][..]).unwrap_err());
    say(SigningKey::try_from(&[2; 31][..]).unwrap_err());
    let mut pair = key.to_keypair_bytes();
    pair[32..].copy_from_slice(&VerifyingKey::default().to_bytes());
    say(SigningKey::from_keypair_bytes(&pair).unwrap_err());
    pair[32..].fill(2);
    say(SigningKey::from_keypair_bytes(&pair).unwrap_err());
    say(ExpandedSecretKey::from_slice(&[0; 1]).unwrap_err());
    say(key.with_context(&[0; 256]).unwrap_err());
    say(verify_batch(&[b"message"], &[], &[public]).unwrap_err());
    for json in [
        "[1]",
        "\"x\"",
        "{}",
        &format!("{:?}", [1_u8; 33]),
        &format!("{:?}", [1_u8; 40]),
    ] {
        let signing = serde_json::from_str::<SigningKey>(json).unwrap_err();
        let verifying = serde_json::from_str::<VerifyingKey>(json).unwrap_err();
        story.value("serde", (signing.to_string(), verifying.to_string()));
    }
}

/// Other hashes in the place of SHA-512, and messages in pieces.
fn hashes(story: &mut Story) {
    let expanded = ExpandedSecretKey::from_bytes(&[8; 64]);
    let public = VerifyingKey::from(&expanded);
    let signature = raw_sign::<blake2::Blake2b512>(&expanded, b"message", &public);
    story.bytes("another hash", signature.to_bytes());
    let verdict = raw_verify::<blake2::Blake2b512>(&public, b"message", &signature);
    story.value("verified", verdict.is_ok());
    let pieces = |hash: &mut Sha512| {
        hash.update(b"mess");
        hash.update(b"age");
        Ok(())
    };
    let signature = raw_sign_byupdate(&expanded, pieces, &public).expect("no error");
    story.bytes("in pieces", signature.to_bytes());
    let failing = |_: &mut Sha512| Err(SignatureError::new());
    story.value(
        "an error",
        raw_sign_byupdate(&expanded, failing, &public).is_err(),
    );
}
