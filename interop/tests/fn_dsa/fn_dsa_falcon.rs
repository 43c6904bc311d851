//! Original Falcon against PQClean's, in both directions and in every encoding that it has: compressed,
//! padded, and the signed messages of the NIST interface. Its randomness is its own, from the system.

use lanner_fn_dsa::falcon::{self, Encoding, max_sealed_size, max_signature_size};
use lanner_interop::{hex, start};
use pqcrypto_falcon::{falcon512, falcon1024, falconpadded512, falconpadded1024};
use pqcrypto_traits::sign::{
    DetachedSignature as _, PublicKey as _, SecretKey as _, SignedMessage as _,
};

use crate::replay::{Replay, one_bit_changed, some_bytes, spoiled};

macro_rules! rounds {
    ($name:ident, $logn:literal, $signing:ident, $verifying:ident, $plain:ident, $padded:ident) => {
        fn $name(count: usize) {
            let mut rng = start(stringify!($name));
            let (mut accepted, mut refused) = (0, 0);
            for round in 0..count {
                // One key of theirs, one of ours, in turn.
                let (sk, vk) = if round % 2 == 0 {
                    let (public, secret) = $plain::keypair();
                    (secret.as_bytes().to_vec(), public.as_bytes().to_vec())
                } else {
                    let key = falcon::$signing::from_seed(&lanner_interop::array(&mut rng));
                    let key = key.expect("a key");
                    let mut sk = vec![0; lanner_fn_dsa::sign_key_size($logn)];
                    let mut vk = vec![0; lanner_fn_dsa::vrfy_key_size($logn)];
                    key.write_bytes(&mut sk).expect("the length");
                    key.verifying_key()
                        .write_bytes(&mut vk)
                        .expect("the length");
                    (sk, vk)
                };
                let ours = falcon::$signing::from_bytes(&sk).expect("a key");
                let our_public = falcon::$verifying::from_bytes(&vk).expect("a key");
                assert_eq!(ours.verifying_key(), our_public, "{}", hex(&vk));
                let plain_secret = $plain::SecretKey::from_bytes(&sk).expect("a key");
                let plain_public = $plain::PublicKey::from_bytes(&vk).expect("a key");
                let padded_secret = $padded::SecretKey::from_bytes(&sk).expect("a key");
                let padded_public = $padded::PublicKey::from_bytes(&vk).expect("a key");
                let message = some_bytes(&mut rng, 400);
                let random = &mut Replay::new(rng.u64(..));

                // They sign.
                let plain = $plain::detached_sign(&message, &plain_secret);
                assert_eq!(
                    falcon::verify_as(
                        &our_public,
                        plain.as_bytes(),
                        &message,
                        Encoding::Compressed
                    ),
                    Ok(())
                );
                let padded = $padded::detached_sign(&message, &padded_secret);
                let size = max_signature_size(Encoding::Padded, $logn);
                assert_eq!(padded.as_bytes().len(), size);
                assert_eq!(
                    falcon::verify_as(&our_public, padded.as_bytes(), &message, Encoding::Padded),
                    Ok(())
                );
                let sealed = $plain::sign(&message, &plain_secret);
                assert_eq!(
                    falcon::open(&our_public, sealed.as_bytes()),
                    Ok(&message[..])
                );
                // A padded signed message is the signature, and then the message.
                let sealed = $padded::sign(&message, &padded_secret);
                let (signature, text) = sealed.as_bytes().split_at(size);
                assert_eq!(text, message);
                let verdict = falcon::verify_as(&our_public, signature, text, Encoding::Padded);
                assert_eq!(verdict, Ok(()));

                // We sign.
                let mut buffer = vec![0; max_sealed_size($logn, message.len()).max(4096)];
                let length =
                    falcon::sign(&ours, random, &message, Encoding::Compressed, &mut buffer)
                        .expect("signs");
                let compressed = buffer[..length].to_vec();
                let signature = $plain::DetachedSignature::from_bytes(&compressed).expect("fits");
                let verdict =
                    $plain::verify_detached_signature(&signature, &message, &plain_public);
                assert!(verdict.is_ok(), "{}", hex(&compressed));
                let length = falcon::sign(&ours, random, &message, Encoding::Padded, &mut buffer);
                assert_eq!(length, Ok(size));
                let padded = buffer[..size].to_vec();
                let signature = $padded::DetachedSignature::from_bytes(&padded).expect("fits");
                let verdict =
                    $padded::verify_detached_signature(&signature, &message, &padded_public);
                assert!(verdict.is_ok(), "{}", hex(&padded));
                let sealed = [&padded[..], &message].concat();
                let sealed = $padded::SignedMessage::from_bytes(&sealed).expect("fits");
                let opened = $padded::open(&sealed, &padded_public);
                assert_eq!(opened.ok(), Some(message.clone()));
                let length = falcon::seal(&ours, random, &message, &mut buffer).expect("signs");
                let blob = buffer[..length].to_vec();
                let sealed = $plain::SignedMessage::from_bytes(&blob).expect("fits");
                let opened = $plain::open(&sealed, &plain_public);
                assert_eq!(opened.ok(), Some(message.clone()));
                // They have no encoding of constant time; we read our own.
                let length =
                    falcon::sign(&ours, random, &message, Encoding::ConstantTime, &mut buffer);
                let length = length.expect("signs");
                assert_eq!(
                    falcon::verify_as(
                        &our_public,
                        &buffer[..length],
                        &message,
                        Encoding::ConstantTime
                    ),
                    Ok(())
                );

                // The same verdict on what is spoiled.
                if round % 8 == 0 {
                    for bad in one_bit_changed(&padded, 41) {
                        let theirs = $padded::DetachedSignature::from_bytes(&bad).expect("fits");
                        let theirs =
                            $padded::verify_detached_signature(&theirs, &message, &padded_public);
                        let ours = falcon::verify_as(&our_public, &bad, &message, Encoding::Padded);
                        assert!(theirs.is_err() && ours.is_err(), "{}", hex(&bad));
                    }
                }
                let wrong = [&message[..], b"!"].concat();
                for message in [&message, &wrong] {
                    for _ in 0..6 {
                        let bad = if rng.u8(..4) == 0 {
                            compressed.clone()
                        } else {
                            spoiled(&mut rng, &compressed)
                        };
                        let theirs = $plain::DetachedSignature::from_bytes(&bad).is_ok_and(|s| {
                            $plain::verify_detached_signature(&s, message, &plain_public).is_ok()
                        });
                        let ours =
                            falcon::verify_as(&our_public, &bad, message, Encoding::Compressed)
                                .is_ok();
                        assert_eq!(ours, theirs, "{}", hex(&bad));
                        let bad = if rng.u8(..4) == 0 {
                            padded.clone()
                        } else {
                            spoiled(&mut rng, &padded)
                        };
                        let theirs = $padded::DetachedSignature::from_bytes(&bad).is_ok_and(|s| {
                            $padded::verify_detached_signature(&s, message, &padded_public).is_ok()
                        });
                        let ours =
                            falcon::verify_as(&our_public, &bad, message, Encoding::Padded).is_ok();
                        assert_eq!(ours, theirs, "{}", hex(&bad));
                        if ours {
                            accepted += 1;
                        } else {
                            refused += 1;
                        }
                        let bad = spoiled(&mut rng, &blob);
                        let theirs = $plain::SignedMessage::from_bytes(&bad)
                            .is_ok_and(|s| $plain::open(&s, &plain_public).is_ok());
                        let ours = falcon::open(&our_public, &bad).is_ok();
                        assert_eq!(ours, theirs, "{}", hex(&bad));
                    }
                }
            }
            assert!(accepted > 0 && refused > 0, "both outcomes");
        }
    };
}

rounds!(
    of_512,
    9,
    SigningKey512,
    VerifyingKey512,
    falcon512,
    falconpadded512
);
rounds!(
    of_1024,
    10,
    SigningKey1024,
    VerifyingKey1024,
    falcon1024,
    falconpadded1024
);

#[test]
fn pqclean_512() {
    of_512(30);
}

#[test]
fn pqclean_1024() {
    of_1024(16);
}

#[test]
#[ignore = "long: a thousand keys"]
fn pqclean_long() {
    of_512(1_000);
    of_1024(500);
}
