//! pqcrypto-falcon. liboqs has the same code of PQClean in C, and no table of its own.

use lanner_fn_dsa as own;
use lanner_interop::{bytes, start};

use crate::page::{Rows, new, old};
use crate::replay::Replay;

/// Right, with a bit changed, cut short, longer, and padded in part.
fn good_and_bad(rng: &mut fastrand::Rng, signature: &[u8]) -> Vec<Vec<u8>> {
    let mut all = vec![signature.to_vec(), Vec::new()];
    for _ in 0..12 {
        let mut changed = signature.to_vec();
        let at = rng.usize(..signature.len());
        changed[at] ^= 1 << rng.u8(..8);
        all.push(changed);
        all.push(signature[..at].to_vec());
    }
    for more in [1, 3, 20] {
        all.push([signature, &vec![0; more]].concat());
        all.push([signature, &bytes(rng, more)].concat());
    }
    all
}

/// The same, of the signature without padding and with zeros up to the fixed length.
fn good_and_bad_in_both_forms(
    rng: &mut fastrand::Rng,
    size: usize,
    signature: &[u8],
) -> Vec<Vec<u8>> {
    let end = signature.iter().rposition(|&byte| byte != 0);
    let short = &signature[..end.map_or(0, |last| last + 1)];
    let mut all = good_and_bad(rng, short);
    if short.len() < size {
        all.extend(good_and_bad(rng, &padded_to(size, short)));
    }
    all
}

/// With zeros behind it.
fn padded_to(size: usize, signature: &[u8]) -> Vec<u8> {
    let mut padded = signature.to_vec();
    padded.resize(size, 0);
    padded
}

/// The rows, in one degree: the page has the names of the other.
macro_rules! in_degree {
    ($test:ident, $plain:ident, $padded:ident, $signing:ident, $verifying:ident, $logn:literal) => {
        #[test]
        fn $test() {
            use own::falcon::Encoding;
            use own::falcon::{
                max_sealed_size, max_signature_size, open, seal, sign, verify, verify_as,
                $signing as SigningKey512, $verifying as VerifyingKey512,
            };
            use pqcrypto_falcon::{$padded as falconpadded512, $plain as falcon512};
            use pqcrypto_traits::Error;
            use pqcrypto_traits::sign::{
                DetachedSignature as _, PublicKey as _, SecretKey as _, SignedMessage as _,
                VerificationError,
            };

            let random = &mut start(stringify!($test));
            let mut rows = Rows::default();
            let size = max_signature_size(Encoding::Padded, $logn);

            // A key of theirs and one of ours, in the types of both, which is the first rows' to show.
            let mut keys = Vec::new();
            rows.row(|| {
                let (pk, sk) = old!(falcon512::keypair());
                keys.push((pk.as_bytes().to_vec(), sk.as_bytes().to_vec()));
                let mut rng = Replay::new(random.u64(..));
                let key = new!(SigningKey512::generate(&mut rng)?);
                let public = new!(key.verifying_key());
                let mut pair = (
                    vec![0; own::vrfy_key_size($logn)],
                    vec![0; own::sign_key_size($logn)],
                );
                public.write_bytes(&mut pair.0)?;
                key.write_bytes(&mut pair.1)?;
                keys.push(pair);
                Ok(())
            });
            rows.row(|| {
                let theirs = |bytes: &[u8]| -> Result<Vec<u8>, Error> {
                    Ok(old!(falcon512::PublicKey::from_bytes(bytes)?)
                        .as_bytes()
                        .to_vec())
                };
                let ours = |bytes: &[u8]| -> Result<Vec<u8>, own::Error> {
                    let key = new!(VerifyingKey512::from_bytes(bytes)?);
                    let mut public = vec![0; own::vrfy_key_size($logn)];
                    key.write_bytes(&mut public)?;
                    Ok(public)
                };
                for (pk, _) in &keys {
                    assert_eq!(theirs(pk).ok().as_ref(), Some(pk));
                    assert_eq!(ours(pk)?, *pk);
                    for bad in [&pk[..pk.len() - 1], &[&pk[..], &[0]].concat()] {
                        assert!(theirs(bad).is_err() && ours(bad).is_err());
                    }
                    // What the page says: the length is all that is looked at there.
                    let nothing = vec![0xff; pk.len()];
                    assert!(theirs(&nothing).is_ok() && ours(&nothing).is_err());
                }
                Ok(())
            });
            rows.row(|| {
                let theirs = |bytes: &[u8]| -> Result<Vec<u8>, Error> {
                    Ok(old!(falcon512::SecretKey::from_bytes(bytes)?)
                        .as_bytes()
                        .to_vec())
                };
                let ours = |bytes: &[u8]| -> Result<Vec<u8>, own::Error> {
                    let key = new!(SigningKey512::from_bytes(bytes)?);
                    let mut secret = vec![0; own::sign_key_size($logn)];
                    key.write_bytes(&mut secret)?;
                    Ok(secret)
                };
                for (_, sk) in &keys {
                    assert_eq!(theirs(sk).ok().as_ref(), Some(sk));
                    assert_eq!(ours(sk)?, *sk);
                    for bad in [&sk[..sk.len() - 1], &[&sk[..], &[0]].concat()] {
                        assert!(theirs(bad).is_err() && ours(bad).is_err());
                    }
                    let nothing = vec![0xff; sk.len()];
                    assert!(theirs(&nothing).is_ok() && ours(&nothing).is_err());
                }
                Ok(())
            });
            type Keys = (falcon512::PublicKey, falcon512::SecretKey, SigningKey512);
            let decoded: Vec<Keys> = keys
                .iter()
                .map(|(pk, sk)| {
                    (
                        falcon512::PublicKey::from_bytes(pk).expect("a key"),
                        falcon512::SecretKey::from_bytes(sk).expect("a key"),
                        SigningKey512::from_bytes(sk).expect("a key"),
                    )
                })
                .collect();
            rows.row(|| {
                for (pk, sk, key) in &decoded {
                    let mut buffer = vec![0; own::vrfy_key_size($logn)];
                    new!(key.verifying_key().write_bytes(&mut buffer)?);
                    assert_eq!(buffer, old!(pk.as_bytes()));
                    let mut buffer = vec![0; own::sign_key_size($logn)];
                    new!(key.write_bytes(&mut buffer)?);
                    assert_eq!(buffer, old!(sk.as_bytes()));
                }
                Ok(())
            });

            // The verdicts of both sides, which rows about verification say.
            let theirs = |sig: &[u8], m: &[u8], pk: &falcon512::PublicKey| {
                let run = || -> Result<bool, VerificationError> {
                    let Ok(sig) = falcon512::DetachedSignature::from_bytes(sig) else {
                        return Ok(false);
                    };
                    old!(falcon512::verify_detached_signature(&sig, m, pk)?);
                    Ok(true)
                };
                run().unwrap_or(false)
            };
            let theirs_padded = |sig: &[u8], m: &[u8], pk: &falcon512::PublicKey| {
                let run = || -> Result<bool, VerificationError> {
                    let Ok(sig) = falconpadded512::DetachedSignature::from_bytes(sig) else {
                        return Ok(false);
                    };
                    let pk = &falconpadded512::PublicKey::from_bytes(pk.as_bytes()).expect("a key");
                    old!(falconpadded512::verify_detached_signature(&sig, m, pk)?);
                    Ok(true)
                };
                run().unwrap_or(false)
            };
            let ours = |sig: &[u8], m: &[u8], key: &SigningKey512| -> Result<(), own::Error> {
                let key = &key.verifying_key();
                new!(verify_as(key, sig, m, Encoding::Compressed)?);
                verify(key, sig, m)
            };
            let ours_padded =
                |sig: &[u8], m: &[u8], key: &SigningKey512| -> Result<(), own::Error> {
                    let key = &key.verifying_key();
                    new!(verify_as(key, sig, m, Encoding::Padded)?);
                    verify(key, sig, m)
                };
            let as_other = |sig: &[u8], m: &[u8], key: &SigningKey512, encoding| {
                verify_as(&key.verifying_key(), sig, m, encoding).is_ok()
            };
            let compressed_of = |key: &SigningKey512, m: &[u8]| {
                let mut buffer = vec![0; max_signature_size(Encoding::Compressed, $logn)];
                let rng = &mut Replay::new(m.len() as u64);
                let length = sign(key, rng, m, Encoding::Compressed, &mut buffer).expect("signs");
                buffer.truncate(length);
                buffer
            };
            let padded_of = |key: &SigningKey512, m: &[u8]| {
                let mut buffer = vec![0; size];
                let rng = &mut Replay::new(m.len() as u64);
                let length = sign(key, rng, m, Encoding::Padded, &mut buffer);
                assert_eq!(length, Ok(size));
                buffer
            };
            let m = &*bytes(random, 100);

            // Signing. What the notes of a verdict would add to a row is left out of it: each side has the other's.
            rows.row(|| {
                let mut made = Vec::new();
                for (pk, sk, key) in &decoded {
                    let theirs = old!(falcon512::detached_sign(m, sk)).as_bytes().to_vec();
                    let mut rng = Replay::new(random.u64(..));
                    let mut buffer = vec![0; max_signature_size(Encoding::Compressed, $logn)];
                    let length = new!(sign(key, &mut rng, m, Encoding::Compressed, &mut buffer)?);
                    buffer.truncate(length);
                    made.push((pk, key, [theirs, buffer]));
                }
                crate::page::unnoted(|| {
                    for (pk, key, signatures) in made {
                        for sig in &signatures {
                            assert!(theirs(sig, m, pk) && ours(sig, m, key).is_ok());
                        }
                    }
                });
                Ok(())
            });
            rows.row(|| {
                let mut made = Vec::new();
                for (pk, sk, key) in &decoded {
                    let sk = &falconpadded512::SecretKey::from_bytes(sk.as_bytes()).expect("a key");
                    let theirs = old!(falconpadded512::detached_sign(m, sk))
                        .as_bytes()
                        .to_vec();
                    let mut rng = Replay::new(random.u64(..));
                    let mut buffer = vec![0; size];
                    let length = new!(sign(key, &mut rng, m, Encoding::Padded, &mut buffer)?);
                    assert_eq!((theirs.len(), length), (size, size));
                    made.push((pk, key, [theirs, buffer]));
                }
                crate::page::unnoted(|| {
                    for (pk, key, signatures) in made {
                        for sig in &signatures {
                            assert!(theirs_padded(sig, m, pk) && ours_padded(sig, m, key).is_ok());
                        }
                    }
                });
                Ok(())
            });

            // Verification, of what is good and bad. PQClean takes both forms in both schemes, which the page says.
            rows.row(|| {
                let mut number = [0; 2];
                for (pk, _, key) in &decoded {
                    for sig in good_and_bad_in_both_forms(random, size, &compressed_of(key, m)) {
                        for m in [m, b"another"] {
                            let verdict = ours(&sig, m, key).is_ok();
                            let padded =
                                sig.len() == size && as_other(&sig, m, key, Encoding::Padded);
                            assert_eq!(verdict || padded, theirs(&sig, m, pk), "{sig:02x?}");
                            number[usize::from(verdict)] += 1;
                        }
                    }
                }
                assert!(number[0] > 20 && number[1] >= 2, "{number:?}");
                Ok(())
            });
            rows.row(|| {
                let mut number = [0; 2];
                for (pk, _, key) in &decoded {
                    for sig in good_and_bad_in_both_forms(random, size, &padded_of(key, m)) {
                        for m in [m, b"another"] {
                            let verdict = ours_padded(&sig, m, key).is_ok();
                            let short =
                                sig.len() < size && as_other(&sig, m, key, Encoding::Compressed);
                            assert_eq!(verdict || short, theirs_padded(&sig, m, pk), "{sig:02x?}");
                            number[usize::from(verdict)] += 1;
                        }
                    }
                }
                assert!(number[0] > 20 && number[1] >= 2, "{number:?}");
                Ok(())
            });

            // Signed messages.
            rows.row(|| {
                for (pk, sk, key) in &decoded {
                    let theirs = old!(falcon512::sign(m, sk));
                    assert_eq!(open(&key.verifying_key(), theirs.as_bytes()), Ok(m));
                    let mut rng = Replay::new(random.u64(..));
                    let mut buffer = vec![0; max_sealed_size($logn, m.len())];
                    let length = new!(seal(key, &mut rng, m, &mut buffer)?);
                    let ours = falcon512::SignedMessage::from_bytes(&buffer[..length]);
                    let opened = falcon512::open(&ours.expect("some"), pk);
                    assert_eq!(opened.ok().as_deref(), Some(m));
                }
                Ok(())
            });
            rows.row(|| {
                for (pk, _, key) in &decoded {
                    let mut buffer = vec![0; max_sealed_size($logn, m.len())];
                    let length = seal(key, &mut Replay::new(5), m, &mut buffer)?;
                    let theirs = |sm: &[u8]| -> Result<Vec<u8>, VerificationError> {
                        let sm = falcon512::SignedMessage::from_bytes(sm).expect("any");
                        Ok(old!(falcon512::open(&sm, pk)?))
                    };
                    let ours = |sm: &[u8]| -> Result<Vec<u8>, own::Error> {
                        let key = &key.verifying_key();
                        Ok(new!(open(key, sm)?).to_vec())
                    };
                    let blob = &buffer[..length];
                    for sm in good_and_bad(random, blob) {
                        assert_eq!(ours(&sm).ok(), theirs(&sm).ok(), "{sm:02x?}");
                    }
                    assert_eq!(ours(blob)?, m);
                    // Two bytes of the part's length, which has all of a signature but the nonce.
                    if blob.len() - 2 - m.len() < size {
                        let mut padded = padded_to(2 + m.len() + size, blob);
                        padded[..2].copy_from_slice(&((size - 40) as u16).to_be_bytes());
                        assert_eq!(theirs(&padded).ok().as_deref(), Some(m));
                        assert!(ours(&padded).is_err());
                    }
                }
                Ok(())
            });
            rows.row(|| {
                for (pk, sk, key) in &decoded {
                    let sk = &falconpadded512::SecretKey::from_bytes(sk.as_bytes()).expect("a key");
                    let pk = &falconpadded512::PublicKey::from_bytes(pk.as_bytes()).expect("a key");
                    let theirs = old!(falconpadded512::sign(m, sk));
                    let (sig, text) = theirs.as_bytes().split_at(size);
                    assert_eq!(text, m);
                    let key_of_theirs = key.verifying_key();
                    assert_eq!(
                        verify_as(&key_of_theirs, sig, text, Encoding::Padded),
                        Ok(())
                    );
                    let mut rng = Replay::new(random.u64(..));
                    let mut buffer = vec![0; size];
                    new!(sign(key, &mut rng, m, Encoding::Padded, &mut buffer)?);
                    let sealed = [&buffer[..], m].concat();
                    let sealed = falconpadded512::SignedMessage::from_bytes(&sealed);
                    let opened = falconpadded512::open(&sealed.expect("some"), pk);
                    assert_eq!(opened.ok().as_deref(), Some(m));
                }
                Ok(())
            });
            rows.row(|| {
                for (pk, _, key) in &decoded {
                    let pk = &falconpadded512::PublicKey::from_bytes(pk.as_bytes()).expect("a key");
                    let theirs = |sm: &[u8]| -> Result<Vec<u8>, VerificationError> {
                        let sm = falconpadded512::SignedMessage::from_bytes(sm).expect("any");
                        Ok(old!(falconpadded512::open(&sm, pk)?))
                    };
                    let ours = |sm: &[u8]| -> Result<Vec<u8>, own::Error> {
                        let key = &key.verifying_key();
                        let (sig, m) = sm.split_at_checked(size).ok_or(own::Error::Signature)?;
                        new!(verify_as(key, sig, m, Encoding::Padded)?);
                        Ok(m.to_vec())
                    };
                    let good = [&padded_of(key, m)[..], m].concat();
                    for sm in good_and_bad(random, &good) {
                        assert_eq!(ours(&sm).ok(), theirs(&sm).ok(), "{sm:02x?}");
                    }
                    assert_eq!(ours(&good)?, m);
                }
                Ok(())
            });
            rows.are_those_of("### pqcrypto-falcon and liboqs");
        }
    };
}

in_degree!(
    fn_dsa_from_pqcrypto_falcon_512,
    falcon512,
    falconpadded512,
    SigningKey512,
    VerifyingKey512,
    9
);
in_degree!(
    fn_dsa_from_pqcrypto_falcon_1024,
    falcon1024,
    falconpadded1024,
    SigningKey1024,
    VerifyingKey1024,
    10
);
