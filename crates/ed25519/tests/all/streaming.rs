//! Messages in pieces.

use lanner_ed25519::profile::{Dalek, Profile, ProfileName, Strict, Zip215};
use lanner_ed25519::{
    MessageSink, SignStreamError, Signature, Signer, SigningKey, Verifier, VerifyingKey,
};
use std::cell::Cell;
use std::convert::Infallible;

fn key() -> SigningKey {
    SigningKey::from_bytes(&[6; 32])
}

fn verify_in_pieces(
    key: &VerifyingKey,
    profile: ProfileName,
    message: &[u8],
    piece: usize,
    signature: &Signature,
) -> bool {
    let Ok(mut verifier) = key.under(profile).verify_stream(signature) else {
        return false;
    };
    for piece in message.chunks(piece) {
        verifier.update(piece);
    }
    verifier.finalize_and_verify().is_ok()
}

#[test]
fn stream_verification_equals_single() {
    let message: Vec<u8> = (0..1000u32).map(|i| i as u8).collect();
    let mut cases = vec![
        (key().verifying_key(), key().sign(&message)),
        (key().verifying_key(), key().sign(b"another")),
        (
            key().verifying_key(),
            crate::common::shifted(&key().sign(&message), 1),
        ),
        crate::common::identity_forgery(5),
        crate::common::identity_forgery(0),
        crate::common::forge(11, 0, 0, 0, &message),
    ];
    for class in 1..8 {
        cases.push(crate::common::forge(3, 4, class, 0, &message));
        cases.push(crate::common::forge(3, 4, 0, class, &message));
    }
    for (key, signature) in &cases {
        for &profile in ProfileName::ALL {
            let expected = key.under(profile).verify(&message, signature).is_ok();
            for piece in [1, 7, 127, 128, 129, 1000] {
                let verdict = verify_in_pieces(key, profile, &message, piece, signature);
                assert_eq!(verdict, expected, "{profile} {piece}");
            }
        }
    }
}

#[test]
fn stream_verification_by_type() {
    let (key, signature) = (key().verifying_key(), key().sign(b"ab"));
    for mut verifier in [
        key.under(Strict).verify_stream(&signature).unwrap(),
        key.under(Strict).verify_stream(&signature).unwrap(),
        key.under(Zip215).verify_stream(&signature).unwrap(),
        key.under(Dalek).verify_stream(&signature).unwrap(),
    ] {
        verifier.update(b"a");
        verifier.update(String::from("b"));
        assert!(verifier.finalize_and_verify().is_ok());
    }
    let (weak, forgery) = crate::common::identity_forgery(5);
    assert!(weak.under(Strict).verify_stream(&forgery).is_err());
    assert!(weak.under(Dalek).verify_stream(&forgery).is_ok());
    assert_eq!(Strict::NAME.as_str(), "strict");
}

#[cfg(feature = "hazmat")]
#[test]
fn dalek_stream() {
    let (weak, forgery) = crate::common::identity_forgery(5);
    let mut verifier = weak.verify_stream(&forgery).unwrap();
    verifier.update(b"anything");
    assert!(verifier.finalize_and_verify().is_ok());

    let signature = key().sign(b"message");
    let mut verifier = key().verify_stream(&signature).unwrap();
    verifier.update(b"massage");
    assert!(verifier.finalize_and_verify().is_err());
    let legacy = cfg!(feature = "legacy_compatibility");
    let shifted = crate::common::shifted(&signature, 1);
    assert_eq!(key().verify_stream(&shifted).is_ok(), legacy);
    assert!(
        key()
            .verifying_key()
            .under(Dalek)
            .verify_stream(&shifted)
            .is_err()
    );
}

fn feed(sink: &mut MessageSink<'_>, message: &[u8], piece: usize) -> Result<(), Infallible> {
    for piece in message.chunks(piece) {
        sink.update(piece);
    }
    Ok(())
}

#[test]
fn stream_signing_equals_signing() {
    for length in [0, 1, 111, 112, 127, 128, 129, 5000] {
        let message: Vec<u8> = (0..length).map(|i| (i / 3) as u8).collect();
        for piece in [1, 64, 128, 5000] {
            let calls = Cell::new(0);
            let signature = key()
                .sign_stream(|sink| {
                    calls.set(calls.get() + 1);
                    // Cut differently in the second pass.
                    feed(sink, &message, piece + calls.get())
                })
                .unwrap();
            assert_eq!(signature, key().sign(&message));
            assert_eq!(calls.get(), 2);
            assert!(key().verifying_key().verify(&message, &signature).is_ok());
        }
    }
}

/// The nonce belongs to the first pass and the challenge to the second: if they
/// saw different messages, the signature must not leave.
#[test]
fn a_message_that_changes_is_refused() {
    let messages: [(&[u8], &[u8]); 6] = [
        (b"pay 1", b"pay 2"),
        (b"pay 1", b"pay 1 and more"),
        (b"pay 1 and more", b"pay 1"),
        (b"", b"x"),
        (b"x", b""),
        (&[7; 1000], &[7; 999]),
    ];
    for (first, second) in messages {
        let mut passes = [first, second].into_iter();
        let result = key().sign_stream(|sink| feed(sink, passes.next().unwrap(), 3));
        assert_eq!(result, Err(SignStreamError::MessageChanged));
    }
    let error = SignStreamError::<std::io::Error>::MessageChanged;
    assert!(error.to_string().contains("changed"));
}

#[test]
fn a_failing_source_is_reported() {
    for failing_pass in [1, 2] {
        let mut pass = 0;
        let result = key().sign_stream(|sink| {
            pass += 1;
            sink.update(b"some of it");
            if pass == failing_pass {
                return Err(std::io::Error::other("disk on fire"));
            }
            Ok(())
        });
        let error = result.unwrap_err();
        assert!(matches!(error, SignStreamError::Source(_)));
        // The source says it, and the error does not say it once more.
        assert_eq!(error.to_string(), "cannot read the message");
        let source = std::error::Error::source(&error).expect("there is one");
        assert_eq!(source.to_string(), "disk on fire");
        assert_eq!(pass, failing_pass);
    }
}

#[test]
fn streams_with_a_context() {
    let (context, message) = (&b"example v1"[..], &b"a message in pieces"[..]);
    let signature = key()
        .sign_stream_ctx(context, |sink| feed(sink, message, 3))
        .unwrap();
    assert_eq!(signature, key().sign_ctx(context, message).unwrap());

    let verify = |profile: ProfileName, context: &[u8], message: &[u8]| {
        let key = key().verifying_key();
        let mut verifier = key.under(profile).verify_stream_ctx(context, &signature)?;
        message.chunks(4).for_each(|piece| verifier.update(piece));
        verifier.finalize_and_verify()
    };
    for &profile in ProfileName::ALL {
        assert!(verify(profile, context, message).is_ok(), "{profile}");
        assert!(verify(profile, b"example v2", message).is_err());
        assert!(verify(profile, context, b"a message in places").is_err());
        assert!(verify(profile, b"", message).is_err());
        assert!(verify(profile, &[1; 256], message).is_err());
        let whole = key()
            .verifying_key()
            .under(profile)
            .verify_ctx(context, message, &signature);
        assert!(whole.is_ok());
    }
    // A weak key: refused before the message under the default, `strict`.
    let (weak, forgery) = crate::common::identity_forgery(5);
    assert!(
        weak.under(Strict)
            .verify_stream_ctx(context, &forgery)
            .is_err()
    );
    let mut verifier = weak
        .under(Zip215)
        .verify_stream_ctx(context, &forgery)
        .unwrap();
    verifier.update(b"anything");
    assert!(verifier.finalize_and_verify().is_ok());
}

#[test]
fn stream_signing_with_a_context_is_as_careful() {
    let long = [1; 256];
    for context in [&b""[..], &long] {
        let result = key().sign_stream_ctx(context, |_| -> Result<(), Infallible> {
            panic!("called with a context that is not valid")
        });
        assert_eq!(result, Err(SignStreamError::InvalidContext));
    }
    let error = SignStreamError::<std::io::Error>::InvalidContext;
    assert!(error.to_string().contains("context"));
    assert!(std::error::Error::source(&error).is_none());

    let mut passes = [&b"pay 1"[..], b"pay 2"].into_iter();
    let result = key().sign_stream_ctx(b"c", |sink| feed(sink, passes.next().unwrap(), 3));
    assert_eq!(result, Err(SignStreamError::MessageChanged));
}
