//! What the crate offers beside the names of fn-dsa 0.3: errors, streams, memory, own randomness.
#![cfg(all(feature = "keygen", feature = "sign"))]

use std::mem::size_of;

use lanner_fn_dsa::rand_core::{TryCryptoRng, TryRng};
use lanner_fn_dsa::shake::SeededRng;
use lanner_fn_dsa::{
    DOMAIN_NONE, DomainContext, Error, HASH_ID_RAW, KeyPairGenerator, KeyPairGenerator512,
    KeyPairGenerator1024, KeyPairGeneratorStandard, KeyPairGeneratorWeak, PreparedSigningKeyOf,
    SigningKey, SigningKey512, SigningKey1024, SigningKeyStandard, SigningKeyWeak, SigningSpace,
    StreamError, VerifyingKey512, VerifyingKey1024, VerifyingKeyStandard, VerifyingKeyWeak,
    draft2026, sign_key_size, signature_size, vrfy_key_size,
};

/// A generator that fails.
struct Broken;

impl TryRng for Broken {
    type Error = std::io::Error;

    fn try_next_u32(&mut self) -> Result<u32, std::io::Error> {
        Err(std::io::Error::other("broken"))
    }

    fn try_next_u64(&mut self) -> Result<u64, std::io::Error> {
        Err(std::io::Error::other("broken"))
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), std::io::Error> {
        Err(std::io::Error::other("broken"))
    }
}

impl TryCryptoRng for Broken {}

/// A generator that gives these nonces, and the last of them for ever.
struct Nonces(Vec<[u8; 40]>);

impl TryRng for Nonces {
    type Error = std::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        unreachable!("signing asks for bytes")
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        unreachable!("signing asks for bytes")
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        bytes.copy_from_slice(&self.0[0]);
        if self.0.len() > 1 {
            self.0.remove(0);
        }
        Ok(())
    }
}

impl TryCryptoRng for Nonces {}

fn key_512() -> SigningKey512 {
    SigningKey512::from_seed(&[1; 32]).unwrap()
}

fn rng() -> SeededRng {
    SeededRng::new(b"api")
}

#[test]
fn wrong_sizes_and_degrees_are_errors() {
    let mut generator = KeyPairGeneratorStandard::default();
    let mut sk = vec![0; sign_key_size(9)];
    let mut vk = vec![0; vrfy_key_size(9)];
    let seed = &[0; 32];
    assert_eq!(
        generator.keygen_from_seed(9, seed, &mut sk, &mut vk),
        Ok(())
    );
    for logn in [0, 1, 2, 8, 11, 31, 32, 64, u32::MAX] {
        let result = generator.keygen_from_seed(logn, seed, &mut sk, &mut vk);
        assert_eq!(result, Err(Error::Degree), "{logn}");
    }
    let wrong = Err(Error::Length);
    assert_eq!(
        generator.keygen_from_seed(9, seed, &mut sk[1..], &mut vk),
        wrong
    );
    assert_eq!(
        generator.keygen_from_seed(9, seed, &mut sk, &mut vk[1..]),
        wrong
    );
    assert_eq!(
        generator.keygen_from_seed(10, seed, &mut sk, &mut vk),
        wrong
    );
    let broken = generator.try_keygen(9, &mut Broken, &mut sk, &mut vk);
    assert_eq!(broken, Err(Error::Random));
    for logn in [9, 10] {
        let result = KeyPairGeneratorWeak::default().keygen_from_seed(logn, seed, &mut sk, &mut vk);
        assert_eq!(result, Err(Error::Degree));
    }
    let result = KeyPairGenerator512::default().keygen_from_seed(10, seed, &mut sk, &mut vk);
    assert_eq!(result, Err(Error::Degree));
    let result = KeyPairGenerator1024::default().keygen_from_seed(9, seed, &mut sk, &mut vk);
    assert_eq!(result, Err(Error::Degree));

    // Each type takes its degrees alone.
    assert!(SigningKey512::from_bytes(&sk).is_ok());
    assert!(SigningKeyStandard::from_bytes(&sk).is_ok());
    assert_eq!(SigningKey1024::from_bytes(&sk).err(), Some(Error::Degree));
    assert_eq!(SigningKeyWeak::from_bytes(&sk).err(), Some(Error::Degree));
    assert!(VerifyingKey512::from_bytes(&vk).is_ok());
    assert!(VerifyingKeyStandard::from_bytes(&vk).is_ok());
    assert_eq!(VerifyingKey1024::from_bytes(&vk).err(), Some(Error::Degree));
    assert_eq!(VerifyingKeyWeak::from_bytes(&vk).err(), Some(Error::Degree));

    let key = key_512();
    assert_eq!(key.try_to_verifying_key(&mut vk[1..]), wrong);
    assert_eq!(key.write_bytes(&mut sk[1..]), wrong);
    let mut sig = vec![0; signature_size(9)];
    let sign = |context: &[u8], sig: &mut [u8]| {
        key.try_sign(&mut rng(), &DomainContext(context), &HASH_ID_RAW, b"m", sig)
    };
    assert_eq!(sign(b"", &mut sig[1..]), wrong);
    assert_eq!(sign(b"", &mut []), wrong);
    assert_eq!(sign(&[0; 256], &mut sig), Err(Error::Context));
    assert_eq!(sign(&[0; 255], &mut sig), Ok(()));
    let result = key.try_sign(&mut Broken, &DOMAIN_NONE, &HASH_ID_RAW, b"m", &mut sig);
    assert_eq!(result, Err(Error::Random));
    assert_eq!(
        SigningKey512::generate(&mut Broken).err(),
        Some(Error::Random)
    );

    let public = key.verifying_key();
    let long = public.try_verify(&sig, &DomainContext(&[0; 256]), &HASH_ID_RAW, b"m");
    assert_eq!(long, Err(Error::Context));
    for length in [0, 1, 40, 41, 665] {
        let result = public.try_verify(&sig[..length], &DOMAIN_NONE, &HASH_ID_RAW, b"m");
        assert_eq!(result, Err(Error::Signature));
    }
}

#[test]
#[should_panic(expected = "wrong length")]
fn the_incumbents_names_panic() {
    let mut signature = [0; 665];
    key_512().sign(&mut rng(), &DOMAIN_NONE, &HASH_ID_RAW, b"m", &mut signature);
}

/// f not invertible, G out of range, and parts of two keys.
#[test]
fn bad_signing_keys_are_refused() {
    let mut bytes = vec![0; sign_key_size(9)];
    bytes[0] = 0x59;
    assert_eq!(SigningKey512::from_bytes(&bytes).err(), Some(Error::Key));
    key_512().write_bytes(&mut bytes).unwrap();
    let mut other = bytes.clone();
    SigningKey512::from_seed(&[2; 32])
        .unwrap()
        .write_bytes(&mut other)
        .unwrap();
    // F of another key: G comes out as noise.
    let at = 1 + 2 * 512 * 6 / 8;
    bytes[at..].copy_from_slice(&other[at..]);
    assert_eq!(SigningKey512::from_bytes(&bytes).err(), Some(Error::Key));

    // The hash of the verifying key, in the draft guess.
    let key = draft2026::SigningKey512::from_seed(&[1; 32]).unwrap();
    let mut bytes = vec![0; draft2026::sign_key_size(9)];
    key.write_bytes(&mut bytes).unwrap();
    assert_eq!(draft2026::SigningKey512::from_bytes(&bytes).unwrap(), key);
    bytes[1344] ^= 1;
    let result = draft2026::SigningKey512::from_bytes(&bytes);
    assert_eq!(result.err(), Some(Error::Key));
}

#[test]
fn generate_takes_the_seed_from_the_generator() {
    let mut seed = [0; 32];
    lanner_fn_dsa::RngCore::fill_bytes(&mut rng(), &mut seed);
    let key = SigningKey1024::generate(&mut rng()).unwrap();
    assert_eq!(key, SigningKey1024::from_seed(&seed).unwrap());
    assert_ne!(key, SigningKey1024::from_seed(&[0; 32]).unwrap());

    let mut sk = vec![0; sign_key_size(10)];
    let mut vk = vec![0; vrfy_key_size(10)];
    KeyPairGenerator1024::default().keygen(10, &mut rng(), &mut sk, &mut vk);
    assert_eq!(SigningKey1024::from_bytes(&sk).unwrap(), key);
    assert_eq!(
        VerifyingKey1024::from_bytes(&vk).unwrap(),
        key.verifying_key()
    );
    assert_eq!(key.verifying_key().hashed(), &{
        let mut hash = [0; 64];
        let mut shake = lanner_fn_dsa::SHAKE256::new();
        shake.inject(&vk);
        shake.flip();
        shake.extract(&mut hash);
        hash
    });
}

/// Signing is a function of key, message, context and random bytes, wherever its memory is and however
/// the message is cut; with a generator that repeats itself, too, no target gets two vectors.
#[test]
fn all_ways_to_sign_agree() {
    let key = key_512();
    let message = &[0x5a; 1000];
    let context = &DomainContext(b"context");
    let mut expected = [0; 666];
    key.sign_bytes(&mut rng(), context, &HASH_ID_RAW, message, &mut expected)
        .unwrap();

    let space = &mut SigningSpace::new();
    for _ in 0..2 {
        let mut signature = [1; 666];
        key.sign_bytes_in(
            space,
            &mut rng(),
            context,
            &HASH_ID_RAW,
            message,
            &mut signature,
        )
        .unwrap();
        assert_eq!(signature, expected);
    }
    let standard = SigningKeyStandard::from_bytes(&{
        let mut bytes = [0; 1281];
        key.write_bytes(&mut bytes).unwrap();
        bytes
    });
    let mut signature = [1; 666];
    standard
        .unwrap()
        .sign(&mut rng(), context, &HASH_ID_RAW, message, &mut signature);
    assert_eq!(signature, expected);

    let mut passes = 0;
    key.sign_stream(&mut rng(), context, &HASH_ID_RAW, &mut signature, |sink| {
        passes += 1;
        message.chunks(7).for_each(|chunk| sink.update(chunk));
        Ok::<(), ()>(())
    })
    .unwrap();
    assert_eq!((signature, passes), (expected, 1));

    let public = key.verifying_key();
    let mut stream = public
        .verify_stream(&signature, context, &HASH_ID_RAW)
        .unwrap();
    message.chunks(11).for_each(|chunk| stream.update(chunk));
    let mut more = stream.clone();
    stream.finish().unwrap();
    more.update(b"x");
    assert_eq!(more.finish(), Err(Error::Signature));

    let failed = key.sign_stream(&mut rng(), context, &HASH_ID_RAW, &mut signature, |_| {
        Err(7)
    });
    assert_eq!(failed, Err(StreamError::Source(7)));
    let failed = key.sign_stream(&mut rng(), context, &HASH_ID_RAW, &mut [0; 7], |_| {
        Ok::<(), ()>(())
    });
    assert_eq!(failed, Err(StreamError::Sign(Error::Length)));
}

/// A target has one vector, whichever attempt of a call reaches it, and however often: after another nonce whose attempt
/// failed, from a generator that repeats itself or that somebody shifted, and where the message changes between passes.
#[test]
fn a_target_has_one_vector() {
    const SIZE: usize = signature_size(3);
    // At toy degrees attempts fail often.
    let key = SigningKeyWeak::from_seed_of_degree(3, &[4; 32]).unwrap();
    let mut prepared = PreparedSigningKeyOf::<_, 2, 256>::new();
    prepared.prepare(&key);
    let nonce_of = |signature: &[u8; SIZE]| -> [u8; 40] { signature[1..41].try_into().unwrap() };
    let sign = |nonces: &[[u8; 40]], message: &[u8]| {
        let rng = &mut Nonces(nonces.to_vec());
        let mut signature = [0; SIZE];
        key.sign_bytes(rng, &DOMAIN_NONE, &HASH_ID_RAW, message, &mut signature)
            .unwrap();
        signature
    };
    // The vector of a nonce that is kept from the start.
    let kept = |nonce: [u8; 40], message: &[u8]| {
        let rng = &mut Nonces(vec![nonce]);
        let mut signer = key.stream_signer(rng, &DOMAIN_NONE, &HASH_ID_RAW).unwrap();
        signer.update(message);
        let mut signature = [0; SIZE];
        signer.finish(&mut signature).unwrap();
        signature
    };
    let (mut second, mut third, mut changed) = (0, 0, 0);
    for i in 0..300_u16 {
        let mut random = SeededRng::new(&i.to_le_bytes());
        let [mut a, mut b] = [[0; 40]; 2];
        random.try_fill_bytes(&mut a).unwrap();
        random.try_fill_bytes(&mut b).unwrap();
        let signature = sign(&[a, b], b"message");
        second += u32::from(nonce_of(&signature) == b);
        assert_eq!(signature, kept(nonce_of(&signature), b"message"));
        assert_eq!(signature, sign(&[nonce_of(&signature)], b"message"));
        let signature = sign(&[a, b, a, b, a], b"message");
        third += u32::from(nonce_of(&signature) == a && signature != sign(&[a, b], b"message"));
        assert_eq!(signature, kept(nonce_of(&signature), b"message"));

        let mut signature = [0; SIZE];
        let rng = &mut Nonces(vec![a, b]);
        prepared
            .sign_bytes(rng, &DOMAIN_NONE, &HASH_ID_RAW, b"message", &mut signature)
            .unwrap();
        assert_eq!(signature, sign(&[a, b], b"message"));

        let mut passes = 0;
        let rng = &mut Nonces(vec![a]);
        key.sign_stream(rng, &DOMAIN_NONE, &HASH_ID_RAW, &mut signature, |sink| {
            passes += 1;
            sink.update(if passes == 1 { b"before" } else { b"behind" });
            Ok::<(), ()>(())
        })
        .unwrap();
        if passes > 1 {
            changed += 1;
            assert_eq!(signature, kept(a, b"behind"));
        }
    }
    let counts = [second, third, changed];
    assert!(counts.iter().all(|count| *count > 10), "{counts:?}");
}

#[test]
fn draft_streams() {
    let key = draft2026::SigningKey512::from_seed(&[1; 32]).unwrap();
    let context = &DomainContext(b"context");
    let mut expected = [0; 666];
    key.sign_bytes(
        &mut rng(),
        context,
        &HASH_ID_RAW,
        b"in pieces",
        &mut expected,
    )
    .unwrap();
    let mut signature = [0; 666];
    key.sign_stream(&mut rng(), context, &HASH_ID_RAW, &mut signature, |sink| {
        sink.update(b"in ");
        sink.update(b"pieces");
        Ok::<(), ()>(())
    })
    .unwrap();
    assert_eq!(signature, expected);
    // mu from outside, by each way.
    let public = key.verifying_key();
    let mu = draft2026::compute_mu(public.hashed(), context, &HASH_ID_RAW, b"in pieces");
    let mut shake = draft2026::compute_mu_start(public.hashed(), context);
    shake.inject(b"in pieces");
    shake.flip();
    let mut streamed = [0; 64];
    shake.extract(&mut streamed);
    assert_eq!(mu, streamed);
    let external = &draft2026::HASH_ID_EXTMU;
    public
        .try_verify(&signature, &DOMAIN_NONE, external, &mu)
        .unwrap();
    key.sign_bytes(&mut rng(), &DOMAIN_NONE, external, &mu, &mut signature)
        .unwrap();
    assert_eq!(signature, expected);
    // In the main variant that identifier is one like any other.
    let mut main = key_512();
    main.sign(&mut rng(), context, external, &mu, &mut signature);
    assert!(
        main.verifying_key()
            .try_verify(&signature, &DOMAIN_NONE, external, &mu)
            .is_err()
    );
}

/// As in fn-dsa 0.4, and for the same reason: who has mu has nothing to compute.
#[test]
#[should_panic(expected = "mu is there already")]
fn mu_of_mu_panics() {
    let _ = draft2026::compute_mu(&[0; 64], &DOMAIN_NONE, &draft2026::HASH_ID_EXTMU, &[0; 64]);
}

/// Where the incumbents panic for lengths, which others may choose.
#[test]
fn some_names_refuse_and_do_not_panic() {
    use lanner_fn_dsa::VerifyingKey as _;

    let (long, none) = (&DomainContext(&[0; 256]), &DOMAIN_NONE);
    let main = key_512().verifying_key();
    assert!(!main.verify(&[0x39; 666], long, &HASH_ID_RAW, b"m"));
    let mut key = draft2026::SigningKey512::from_seed(&[1; 32]).unwrap();
    let draft = key.verifying_key();
    assert!(!draft.verify(&[0x39; 666], long, &HASH_ID_RAW, b"m"));
    assert!(!draft.verify(&[0x39; 666], none, &draft2026::HASH_ID_EXTMU, &[0; 63]));

    let mut signature = [0; 667];
    let mut sign = |context, id, hv: &[u8], length| {
        let signature = &mut signature[..length];
        draft2026::SigningKey::sign(&mut key, &mut rng(), context, id, hv, signature).is_some()
    };
    assert!(sign(none, &HASH_ID_RAW, b"m", 666));
    assert!(!sign(long, &HASH_ID_RAW, b"m", 666));
    assert!(!sign(none, &draft2026::HASH_ID_EXTMU, &[0; 63], 666));
    assert!(!sign(none, &HASH_ID_RAW, b"m", 667));
}

#[test]
fn secrets_do_not_show() {
    let key = key_512();
    let shown = format!("{key:?} {:?}", key.verifying_key());
    assert!(shown.contains("FN-DSA") && shown.len() < 250, "{shown}");
    assert_eq!(key, key.clone());
    assert!(std::mem::needs_drop::<SigningKey512>());
    assert!(std::mem::needs_drop::<KeyPairGenerator512>());
}

/// What holds secrets or is in the middle of something shows its name alone.
#[test]
fn names_alone_show() {
    let key = key_512();
    assert_eq!(
        format!("{:?}", SigningSpace::<512>::new()),
        "SigningSpace { .. }"
    );
    let mut signature = [0; 666];
    key.sign_stream(
        &mut rng(),
        &DOMAIN_NONE,
        &HASH_ID_RAW,
        &mut signature,
        |sink| {
            assert_eq!(format!("{sink:?}"), "MessageSink { .. }");
            Ok::<(), ()>(())
        },
    )
    .unwrap();
    let public = key.verifying_key();
    let stream = public.verify_stream(&signature, &DOMAIN_NONE, &HASH_ID_RAW);
    assert_eq!(format!("{:?}", stream.unwrap()), "StreamVerifier { .. }");
}

/// Errors of a stream say whose they are. The one beneath is their source, or stands for them: nobody says it twice.
#[test]
fn errors_of_streams() {
    use std::error::Error as _;
    let source = StreamError::Source(std::fmt::Error);
    assert_eq!(source.to_string(), "cannot read the message");
    assert!(source.source().unwrap().is::<std::fmt::Error>());
    let sign = StreamError::<std::fmt::Error>::from(Error::Length);
    assert_eq!(sign, StreamError::Sign(Error::Length));
    assert_eq!(sign.to_string(), Error::Length.to_string());
    assert!(sign.source().is_none());
}

/// What the documentation says of memory; feature `small_context` asks for 82 kB at degree 1024.
#[test]
fn memory() {
    assert!(size_of::<SigningKey1024>() <= 6 * 1024 + 112);
    assert!(size_of::<SigningSpace<1024>>() <= 70 * 1024 + 32);
    assert!(size_of::<SigningKey1024>() + size_of::<SigningSpace<1024>>() <= 82_000);
    assert!(size_of::<VerifyingKey512>() <= 2 * 512 + 72);
}

/// An attempt often fails at small degrees: the next one draws anew.
#[test]
fn attempts_go_on_until_one_succeeds() {
    macro_rules! all_verify {
        ($key:ty, $sign:ident) => {
            for logn in 2..=4 {
                let key = <$key>::from_seed_of_degree(logn, &[7; 32]).unwrap();
                let mut signature = vec![0; signature_size(logn)];
                for message in 0..300_u16 {
                    let message = message.to_le_bytes();
                    let rng = &mut SeededRng::new(&message);
                    let signed =
                        key.$sign(rng, &DOMAIN_NONE, &HASH_ID_RAW, &message, &mut signature);
                    assert_eq!(signed, Ok(()), "degree 2^{logn}, {message:?}");
                    let verdict = key.verifying_key().try_verify(
                        &signature,
                        &DOMAIN_NONE,
                        &HASH_ID_RAW,
                        &message,
                    );
                    assert_eq!(verdict, Ok(()), "degree 2^{logn}, {message:?}");
                }
            }
        };
    }
    all_verify!(SigningKeyWeak, sign_bytes);
    all_verify!(SigningKeyWeak, sign_bytes_compat);
    all_verify!(draft2026::SigningKeyWeak, sign_bytes);
}
