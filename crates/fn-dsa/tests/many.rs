//! Prepared keys, and many signatures and verifications at once: the results of single calls.
#![cfg(all(feature = "keygen", feature = "sign"))]

use std::convert::Infallible;

use lanner_fn_dsa::backend;
use lanner_fn_dsa::rand_core::{TryCryptoRng, TryRng};
use lanner_fn_dsa::shake::SeededRng;
use lanner_fn_dsa::variant::{FnDsa, P3, P4};
use lanner_fn_dsa::{
    DOMAIN_NONE, DomainContext, Error, HASH_ID_ORIGINAL_FALCON, HASH_ID_RAW, HASH_ID_SHA256,
    PreparedSigningKey512, PreparedSigningKeyOf, SigningKey512, SigningKeyOf, SigningSpaceEach,
    VerifyingKeyOf, signature_size, vrfy_key_size,
};

/// As many messages as fill the vectors, fewer and more.
const COUNTS: [usize; 9] = [0, 1, 2, 3, 4, 5, 8, 9, 21];

fn check<V: FnDsa, const MIN: u32, const N: usize>(logn: u32, seeds: u8) {
    let mut prepared = Box::new(PreparedSigningKeyOf::<V, MIN, N>::new());
    let mut space = Box::new(SigningSpaceEach::new());
    let size = signature_size(logn);
    for seed in 0..seeds {
        let key = SigningKeyOf::<V, MIN, N>::from_seed_of_degree(logn, &[seed; 32]).unwrap();
        prepared.prepare(&key);
        assert_eq!(prepared.signing_key(), Some(&key));
        let messages: Vec<Vec<u8>> = (0..21_usize).map(|i| vec![seed; 13 * i]).collect();
        let messages = slices(&messages);
        for (i, count) in COUNTS.into_iter().enumerate() {
            let context = DomainContext(&b"context"[..i % 8]);
            let id = [HASH_ID_RAW, HASH_ID_SHA256, HASH_ID_ORIGINAL_FALCON][i % 3];
            let seed = [seed, i as u8];
            let (mut one, mut other) = (SeededRng::new(&seed), SeededRng::new(&seed));
            let mut expected = vec![0; count * size];
            for (message, signature) in messages.iter().zip(expected.chunks_exact_mut(size)) {
                let mut again = vec![0; size];
                key.sign_bytes(&mut one, &context, &id, message, signature)
                    .unwrap();
                prepared
                    .sign_bytes(&mut other, &context, &id, message, &mut again)
                    .unwrap();
                assert!(again == signature);
            }
            let mut rng = SeededRng::new(&seed);
            let mut signatures = vec![1; count * size];
            prepared
                .sign_each(
                    &mut space,
                    &mut rng,
                    &context,
                    &id,
                    &messages[..count],
                    &mut signatures,
                )
                .unwrap();
            assert!(signatures == expected, "{count} messages, degree 2^{logn}");
        }
    }
}

/// At toy degrees attempts fail often: what follows takes other random bytes then, as in single calls.
#[test]
fn many_are_single_ones_on_every_backend() {
    for backend in backend::list() {
        backend::force(backend).unwrap();
        check::<P3, 9, 512>(9, 2);
        check::<P3, 10, 1024>(10, 1);
        check::<P3, 9, 1024>(9, 1);
        for logn in 2..=8 {
            check::<P3, 2, 256>(logn, 6);
        }
        check::<P4, 2, 256>(5, 2);
        check_verification::<P3, 9, 1024>(&[9, 10]);
        check_verification::<P3, 9, 512>(&[9]);
        check_verification::<P3, 2, 256>(&[2, 5, 8]);
        check_verification::<P4, 2, 256>(&[3, 6]);
    }
}

/// A generator that is asked between two looks at the backend, and changes it.
struct Changing<'a>(SeededRng, &'a [backend::Backend], usize);

impl TryRng for Changing<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!()
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        unreachable!()
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        backend::force(self.1[self.2 % self.1.len()]).unwrap();
        self.2 += 1;
        self.0.try_fill_bytes(bytes)
    }
}

impl TryCryptoRng for Changing<'_> {}

/// Whatever lanes there are when a group was begun, and when it is signed.
#[test]
fn the_backend_may_change_meanwhile() {
    let key = SigningKey512::from_seed(&[1; 32]).unwrap();
    let mut prepared = Box::new(PreparedSigningKey512::new());
    prepared.prepare(&key);
    let mut space = Box::new(SigningSpaceEach::new());
    let messages: [&[u8]; 24] = [b"message"; 24];
    let mut sign = |rng: &mut Changing<'_>| {
        let mut signatures = vec![0; 24 * 666];
        prepared
            .sign_each(
                &mut space,
                rng,
                &DOMAIN_NONE,
                &HASH_ID_RAW,
                &messages,
                &mut signatures,
            )
            .unwrap();
        signatures
    };
    let all: Vec<_> = backend::list().collect();
    let rng = || SeededRng::new(b"changing");
    let expected = sign(&mut Changing(rng(), &all[..1], 0));
    for first in &all {
        for second in &all {
            backend::force(*first).unwrap();
            assert!(
                sign(&mut Changing(rng(), &[*second], 0)) == expected,
                "{first}, then {second}"
            );
            let both = [*first, *second];
            assert!(
                sign(&mut Changing(rng(), &both, 0)) == expected,
                "{first} and {second} by turns"
            );
        }
    }
}

#[test]
fn errors() {
    let mut prepared = Box::new(PreparedSigningKey512::new());
    let mut space = Box::new(SigningSpaceEach::new());
    let rng = &mut SeededRng::new(b"errors");
    let mut sign = |prepared: &PreparedSigningKey512, context: &[u8], messages: &[&[u8]], size| {
        let mut signatures = vec![0; size];
        prepared.sign_each(
            &mut space,
            rng,
            &DomainContext(context),
            &HASH_ID_RAW,
            messages,
            &mut signatures,
        )
    };
    let messages: [&[u8]; 8] = [b"message"; 8];
    assert_eq!(sign(&prepared, b"", &messages, 8 * 666), Err(Error::Key));
    assert!(prepared.signing_key().is_none());
    prepared.prepare(&SigningKey512::from_seed(&[1; 32]).unwrap());
    assert_eq!(
        sign(&prepared, b"", &messages, 8 * 666 - 1),
        Err(Error::Length)
    );
    assert_eq!(sign(&prepared, b"", &messages, 7 * 666), Err(Error::Length));
    let long = [0; 256];
    assert_eq!(
        sign(&prepared, &long, &messages, 8 * 666),
        Err(Error::Context)
    );
    assert_eq!(
        sign(&prepared, &long, &messages[..1], 666),
        Err(Error::Context)
    );
    assert_eq!(sign(&prepared, &long[1..], &messages, 8 * 666), Ok(()));
}

fn slices(all: &[Vec<u8>]) -> Vec<&[u8]> {
    all.iter().map(Vec::as_slice).collect()
}

/// Of every second signature something is wrong.
fn check_verification<V: FnDsa, const MIN: u32, const N: usize>(degrees: &[u32]) {
    let rng = &mut SeededRng::new(b"verification");
    let keys: Vec<_> = (0..11_u8)
        .map(|i| {
            let logn = degrees[usize::from(i) % degrees.len()];
            SigningKeyOf::<V, MIN, N>::from_seed_of_degree(logn, &[i; 32]).unwrap()
        })
        .collect();
    let context = DomainContext(b"context");
    for (i, id) in [HASH_ID_RAW, HASH_ID_SHA256, HASH_ID_ORIGINAL_FALCON]
        .into_iter()
        .enumerate()
    {
        let (mut encoded, mut signatures, mut messages) = (vec![], vec![], vec![]);
        for (k, key) in keys.iter().enumerate() {
            let mut message = vec![k as u8; 70 * k];
            let mut signature = vec![0; signature_size(key.logn())];
            key.sign_bytes(rng, &context, &id, &message, &mut signature)
                .unwrap();
            let mut bytes = vec![0; vrfy_key_size(key.logn())];
            key.verifying_key().write_bytes(&mut bytes).unwrap();
            match (k + i) % 10 {
                1 => message.push(0),
                3 => signature[43] ^= 4,
                5 => signature.push(0),
                7 => signature[0] ^= 1,
                9 => signature[20] ^= 1,
                _ => {}
            }
            encoded.push(bytes);
            signatures.push(signature);
            messages.push(message);
        }
        encoded[4][0] ^= 0x40;
        let (encoded, signatures, messages) =
            (slices(&encoded), slices(&signatures), slices(&messages));
        for count in [0, 1, 2, 3, 8, 9, 11] {
            let mut decoded = vec![None; count];
            VerifyingKeyOf::<V, MIN, N>::from_bytes_each(&encoded[..count], &mut decoded);
            for (bytes, key) in encoded.iter().zip(&decoded) {
                let alone = VerifyingKeyOf::from_bytes(bytes).ok();
                assert_eq!(*key, alone);
                assert_eq!(key.map(|key| *key.hashed()), alone.map(|key| *key.hashed()));
            }
            let of: Vec<_> = (0..count)
                .map(|k| decoded[k].unwrap_or(keys[k].verifying_key()))
                .collect();
            let of: Vec<_> = of.iter().collect();
            let mut verdicts = vec![false; count];
            VerifyingKeyOf::verify_each(
                &of,
                &signatures[..count],
                &context,
                &id,
                &messages[..count],
                &mut verdicts,
            )
            .unwrap();
            for k in 0..count {
                let alone = of[k].try_verify(signatures[k], &context, &id, messages[k]);
                assert_eq!(verdicts[k], alone.is_ok(), "{k} of {count}");
            }
            if count == 11 {
                assert!((3..9).contains(&verdicts.iter().filter(|valid| **valid).count()));
            }
        }
    }
}
