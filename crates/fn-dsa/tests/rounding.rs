//! Signing in a program that rounds doubles in another direction, or has inexact results interrupt it: the same bytes, and its
//! settings are as they were. The C library's tests do it on other processors, by `fesetround`.
#![cfg(all(
    feature = "keygen",
    feature = "sign",
    target_arch = "x86_64",
    not(miri)
))]
#![allow(unsafe_code)]

use core::arch::asm;
use std::convert::Infallible;

use lanner_fn_dsa::falcon::{self, Encoding, det1024};
use lanner_fn_dsa::shake::SeededRng;
use lanner_fn_dsa::variant::{P3, P4};
use lanner_fn_dsa::{
    DOMAIN_NONE, HASH_ID_RAW, PreparedSigningKeyOf, SigningKey512, SigningKeyOf, SigningSpaceEach,
    backend, signature_size,
};
use rand_core::{TryCryptoRng, TryRng};

/// Rounds to nearest; all exceptions are masked.
const DEFAULT: u32 = 0x1f80;

fn state() -> u32 {
    let mut state = 0;
    // SAFETY: writes four bytes to `state`.
    unsafe { asm!("stmxcsr [{0}]", in(reg) &raw mut state, options(nostack, preserves_flags)) }
    state
}

fn set(state: u32) {
    // SAFETY: no reserved bit is set.
    unsafe { asm!("ldmxcsr [{0}]", in(reg) &raw const state, options(nostack, preserves_flags)) }
}

fn rng() -> SeededRng {
    SeededRng::new(b"rounding")
}

/// Signs with each operation that a key of FN-DSA has.
fn with_key<V: lanner_fn_dsa::variant::FnDsa>(logn: u32, all: &mut Vec<Vec<u8>>) {
    let key = SigningKeyOf::<V, 9, 1024>::from_seed_of_degree(logn, &[7; 32]).unwrap();
    let mut one = |sign: &dyn Fn(&mut [u8])| {
        let mut signature = vec![0; signature_size(logn)];
        sign(&mut signature);
        all.push(signature);
    };
    let (context, id, message) = (&DOMAIN_NONE, &HASH_ID_RAW, b"message");
    one(&|output| {
        key.sign_bytes(&mut rng(), context, id, message, output)
            .unwrap();
    });
    one(&|output| {
        key.sign_bytes_checked(&mut rng(), context, id, message, output)
            .unwrap();
    });
    one(&|output| {
        key.sign_stream(&mut rng(), context, id, output, |sink| {
            sink.update(message);
            Ok::<_, Infallible>(())
        })
        .unwrap();
    });
    one(&|output| {
        let mut signer = key.stream_signer(&mut rng(), context, id).unwrap();
        signer.update(message);
        signer.finish(output).unwrap();
    });
    let mut prepared = Box::new(PreparedSigningKeyOf::<V, 9, 1024>::new());
    prepared.prepare(&key);
    one(&|output| {
        prepared
            .sign_bytes(&mut rng(), context, id, message, output)
            .unwrap();
    });
    let messages: [&[u8]; 9] = [b"message"; 9];
    let mut each = vec![0; 9 * signature_size(logn)];
    let space = &mut Box::new(SigningSpaceEach::new());
    prepared
        .sign_each(space, &mut rng(), context, id, &messages, &mut each)
        .unwrap();
    all.push(each);
}

/// Signatures of all kinds, from the same random bytes.
fn signatures() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for logn in [9, 10] {
        with_key::<P3>(logn, &mut all);
        with_key::<P4>(logn, &mut all);
    }
    let mut output = vec![0; 1500];
    let key = SigningKey512::from_seed(&[7; 32]).unwrap();
    key.sign_bytes_compat(
        &mut rng(),
        &DOMAIN_NONE,
        &HASH_ID_RAW,
        b"message",
        &mut output[..666],
    )
    .unwrap();
    all.push(output.clone());
    let key = falcon::SigningKey512::from_seed(&[7; 32]).unwrap();
    let mut of_falcon = |sign: &dyn Fn(&mut [u8]) -> usize| {
        let length = sign(&mut output);
        all.push(output[..length].to_vec());
    };
    let compressed = Encoding::Compressed;
    of_falcon(&|output| falcon::sign(&key, &mut rng(), b"message", compressed, output).unwrap());
    of_falcon(&|output| {
        falcon::sign_reference(&key, &mut rng(), b"message", compressed, output).unwrap()
    });
    of_falcon(&|output| falcon::seal(&key, &mut rng(), b"message", output).unwrap());
    of_falcon(&|output| falcon::seal_reference(&key, &mut rng(), b"message", output).unwrap());
    of_falcon(&|output| {
        let mut signer = falcon::stream_signer(&key, &mut rng()).unwrap();
        signer.update(b"message");
        signer.finish_as(compressed, output).unwrap()
    });
    let key = falcon::SigningKey1024::from_seed(&[7; 32]).unwrap();
    of_falcon(&|output| det1024::sign(&key, b"message", output).unwrap());
    all
}

#[test]
fn the_bytes_do_not_depend_on_the_direction_of_rounding() {
    let expected = signatures();
    let directions = [0x2000, 0x4000, 0x6000].map(|direction| DEFAULT | direction);
    // Inexact results, which nearly all are, and all exceptions.
    let interrupts = [DEFAULT & !0x1000, DEFAULT & !0x1f80];
    // Subnormal numbers taken for zero, as programs have it that are linked with -ffast-math; interrupts by the exceptions that
    // some languages want, invalid operations, division by zero and overflow.
    let programs = [DEFAULT | 0x8040, DEFAULT & !0x0680];
    for backend in backend::list() {
        backend::force(backend).unwrap();
        for other in directions.into_iter().chain(interrupts).chain(programs) {
            set(other);
            let signatures = signatures();
            let after = state();
            set(DEFAULT);
            assert_eq!(after & !0x3f, other, "{backend}, {other:#x}");
            for (i, (seen, expected)) in signatures.iter().zip(&expected).enumerate() {
                assert!(seen == expected, "signature {i}, {backend}, {other:#x}");
            }
        }
    }
}

/// So it does not matter what becomes of them.
#[test]
fn no_number_is_subnormal() {
    for backend in backend::list() {
        backend::force(backend).unwrap();
        set(DEFAULT);
        let _ = signatures();
        let after = state();
        set(DEFAULT);
        // A subnormal operand, and a result that is too small.
        assert_eq!(after & 0x12, 0, "{backend}");
        // Inexact ones are noted, as they should be.
        assert_ne!(after & 0x20, 0, "{backend}");
    }
}

/// A generator that sets the state of doubles whenever it is asked.
struct Setting(SeededRng, u32);

impl TryRng for Setting {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        set(self.1);
        self.0.try_next_u32()
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        set(self.1);
        self.0.try_next_u64()
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        set(self.1);
        self.0.try_fill_bytes(bytes)
    }
}

impl TryCryptoRng for Setting {}

/// Callers' code runs in the midst of signing: it may change the direction of rounding, and leave it so.
#[test]
fn nor_on_what_a_callback_sets() {
    for backend in backend::list() {
        backend::force(backend).unwrap();
        for (logn, other) in [(9, 0x5f80), (10, 0x3f80), (9, DEFAULT & !0x1000)] {
            let key = SigningKeyOf::<P4, 9, 1024>::from_seed_of_degree(logn, &[7; 32]).unwrap();
            let mut seen = [(); 3].map(|()| vec![0; signature_size(logn)]);
            let [expected, fed, drawn] = &mut seen;
            let (context, id, message) = (&DOMAIN_NONE, &HASH_ID_RAW, b"message");
            key.sign_bytes(&mut rng(), context, id, message, expected)
                .unwrap();
            let stream = key.sign_stream(&mut rng(), context, id, fed, |sink| {
                sink.update(message);
                set(other);
                Ok::<_, Infallible>(())
            });
            let left = state();
            set(DEFAULT);
            stream.unwrap();
            // What the callback has set is there afterwards, as after a function that sets it.
            assert_eq!(left & !0x3f, other, "{backend}");
            let generator = &mut Setting(rng(), other);
            let signed = key.sign_bytes(generator, context, id, message, drawn);
            set(DEFAULT);
            signed.unwrap();
            assert!(expected == fed, "{backend}, {other:#x}: fed");
            assert!(expected == drawn, "{backend}, {other:#x}: drawn");
        }
    }
}
