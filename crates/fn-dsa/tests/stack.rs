//! What lies on the stack below the caller after an operation with secrets: nothing. In release builds, for what
//! compilers leave in debug builds nobody can wipe: `cargo test --release -p lanner-fn-dsa --test stack`.
//!
//! The stack is painted, the operation run, and what is below the caller's frame copied out. Then eight bytes of
//! a secret anywhere are a leak; and because operations overwrite all of their stack, so is anything that
//! is neither zero nor paint, beyond a thin frame or the tables of key generation.
#![cfg(all(
    feature = "keygen",
    feature = "sign",
    target_arch = "x86_64",
    not(debug_assertions)
))]
#![allow(unsafe_code)]

use std::collections::HashSet;
use std::mem::MaybeUninit;

use lanner_fn_dsa::shake::SeededRng;
use lanner_fn_dsa::{
    DOMAIN_NONE, Error, HASH_ID_RAW, KeyPairGenerator, SigningKey, SigningSpace, draft2026, falcon,
};

/// How deep is looked.
const DEPTH: usize = 300_000;
const PAINT: u64 = 0xa5a5_a5a5_a5a5_a5a5;
/// What the frame that calls an operation and the overwriting of its stack may keep: pointers.
const THIN: usize = 256;

#[inline(never)]
fn paint() {
    let mut area = MaybeUninit::<[u64; DEPTH / 8 + 4096]>::uninit();
    let at = area.as_mut_ptr().cast::<u64>();
    for i in 0..DEPTH / 8 + 4096 {
        // SAFETY: within the array.
        unsafe { at.add(i).write_volatile(PAINT) }
    }
}

/// Copies what is below this frame, without a frame of its own.
#[inline(always)]
fn look(seen: &mut [u8]) {
    assert_eq!(seen.len(), DEPTH);
    // SAFETY: reads the thread's stack below the pointer, which is mapped because it was painted, and writes as
    // many bytes as the slice has.
    unsafe {
        core::arch::asm!(
            "lea rsi, [rsp - {depth}]",
            "rep movsb",
            depth = const DEPTH,
            in("rcx") DEPTH,
            in("rdi") seen.as_mut_ptr(),
            lateout("rcx") _,
            lateout("rdi") _,
            out("rsi") _,
        );
    }
}

/// Runs an operation that writes to a place on the heap, and looks.
#[inline(never)]
fn run<T>(place: &mut MaybeUninit<T>, seen: &mut [u8], operation: impl FnOnce() -> T) {
    place.write(operation());
    look(seen);
}

/// What was found of an operation: its depth, eight bytes of a secret, and anything else below a thin frame.
#[derive(Debug)]
#[allow(dead_code)] // for `Debug`
struct Seen {
    depth: usize,
    secrets: usize,
    rest: usize,
}

struct Watch {
    windows: HashSet<[u8; 8]>,
    seen: Vec<u8>,
}

impl Watch {
    fn of(secrets: &[&[u8]]) -> Self {
        let windows = secrets
            .iter()
            .flat_map(|secret| secret.windows(8))
            .filter(|window| window.iter().collect::<HashSet<_>>().len() > 3)
            .map(|window| window.try_into().expect("eight bytes"))
            .collect();
        Self {
            windows,
            seen: vec![0; DEPTH],
        }
    }

    fn see<T>(&mut self, operation: impl FnOnce() -> T) -> (Box<MaybeUninit<T>>, Seen) {
        let mut place = Box::new(MaybeUninit::uninit());
        paint();
        run(&mut place, &mut self.seen, operation);
        let painted = |word: &[u8]| *word == PAINT.to_ne_bytes();
        let words = self.seen.chunks_exact(8);
        let depth = DEPTH - 8 * words.clone().take_while(|word| painted(word)).count();
        let rest = words
            .take((DEPTH - THIN) / 8)
            .filter(|word| !painted(word) && **word != [0; 8])
            .count();
        let secrets = self.seen.windows(8);
        let secrets = secrets
            .filter(|window| self.windows.contains(*window))
            .count();
        (
            place,
            Seen {
                depth,
                secrets,
                rest,
            },
        )
    }

    /// An operation that leaves nothing.
    fn clean<T>(&mut self, name: &str, operation: impl FnOnce() -> T) {
        let (_, seen) = self.see(operation);
        println!("{name}: {seen:?}");
        assert_eq!((seen.secrets, seen.rest), (0, 0), "{name}: {seen:?}");
    }

    /// One that keeps tables in memory of its own: no secrets.
    fn no_secrets<T>(&mut self, name: &str, operation: impl FnOnce() -> T) {
        let (_, seen) = self.see(operation);
        println!("{name}: {seen:?}");
        assert_eq!(seen.secrets, 0, "{name}: {seen:?}");
    }
}

/// Values of `bits` bits, the most significant first.
fn unpack(bytes: &[u8], bits: usize, n: usize) -> Vec<i8> {
    let bit = |i: usize| i32::from(bytes[i / 8] >> (7 - i % 8) & 1);
    let value = |i: usize| (0..bits).fold(0, |value, j| value << 1 | bit(i * bits + j));
    (0..n)
        .map(|i| (value(i) << (32 - bits) >> (32 - bits)) as i8)
        .collect()
}

/// The secrets in an encoded key of the main variant: f, g and F, encoded and as numbers of 8 and 16 bits.
fn secrets_of(encoded: &[u8], n: usize, bits: usize) -> Vec<Vec<u8>> {
    let (f, rest) = encoded[1..].split_at(n * bits / 8);
    let (g, big_f) = rest.split_at(n * bits / 8);
    let mut all = Vec::new();
    for (part, bits) in [(f, bits), (g, bits), (big_f, 8)] {
        let values = unpack(part, bits, n);
        all.push(part.to_vec());
        all.push(values.iter().map(|x| *x as u8).collect());
        all.push(
            values
                .iter()
                .flat_map(|x| i16::from(*x).to_le_bytes())
                .collect(),
        );
    }
    all
}

macro_rules! operations {
    ($key:ty, $falcon:ty, $draft:ty, $generator:ty, $logn:literal, $bits:literal, $secret:literal, $public:literal, $signature:literal) => {{
        let seed = &core::array::from_fn::<u8, 32, _>(|i| (37 * i + 11) as u8);
        let key = Box::new(<$key>::from_seed(seed).expect("a key"));
        let (mut encoded, mut public) = (vec![0; $secret], vec![0; $public]);
        key.write_bytes(&mut encoded).expect("a length");
        let mut secrets = secrets_of(&encoded, 1 << $logn, $bits);
        secrets.push(seed.to_vec());
        let secrets: Vec<&[u8]> = secrets.iter().map(Vec::as_slice).collect();
        let watch = &mut Watch::of(&secrets);

        // The watch sees: a copy in a frame below.
        #[inline(never)]
        fn leak(secret: &[u8]) -> usize {
            let mut copy = [0_u8; 512];
            copy.copy_from_slice(&secret[..512]);
            core::hint::black_box(&copy).len()
        }
        let (_, seen) = watch.see(|| leak(&encoded));
        assert!(seen.secrets > 100, "the control: {seen:?}");

        watch.clean("from_bytes", || <$key>::from_bytes(&encoded));
        watch.clean("decode", || <$key as SigningKey>::decode(&encoded));
        watch.no_secrets("from_seed", || <$key>::from_seed(seed));
        watch.clean("clone", || (*key).clone());
        let copy = key.clone();
        watch.clean("==", || key == copy);
        let mut output = vec![0; $secret];
        watch.clean("write_bytes", || key.write_bytes(&mut output));
        let generator = &mut Box::new(<$generator>::new());
        watch.clean("keygen_from_seed", || {
            generator.keygen_from_seed($logn, seed, &mut output, &mut public)
        });
        let space = &mut Box::new(SigningSpace::new());
        let rng = &mut SeededRng::new(b"randomness");
        let mut signature = vec![0; $signature];
        watch.clean("sign_bytes_in", || {
            key.sign_bytes_in(
                space,
                rng,
                &DOMAIN_NONE,
                &HASH_ID_RAW,
                b"message",
                &mut signature,
            )
        });
        watch.no_secrets("sign_bytes", || {
            key.sign_bytes(rng, &DOMAIN_NONE, &HASH_ID_RAW, b"message", &mut signature)
        });
        watch.no_secrets("sign_bytes_compat", || {
            key.sign_bytes_compat(rng, &DOMAIN_NONE, &HASH_ID_RAW, b"message", &mut signature)
        });
        watch.no_secrets("sign_stream", || {
            key.sign_stream(rng, &DOMAIN_NONE, &HASH_ID_RAW, &mut signature, |sink| {
                sink.update(b"message");
                Ok::<(), Error>(())
            })
        });
        watch.no_secrets("stream_signer", || {
            let mut signer = key.stream_signer(rng, &DOMAIN_NONE, &HASH_ID_RAW)?;
            signer.update(b"message");
            signer.finish(&mut signature)
        });
        // Errors.
        let mut wrong = encoded.clone();
        wrong[$secret - 1] ^= 1;
        watch.clean("from_bytes of no key", || <$key>::from_bytes(&wrong));
        watch.no_secrets("sign_stream that fails", || {
            key.sign_stream(rng, &DOMAIN_NONE, &HASH_ID_RAW, &mut signature, |_| Err(()))
        });

        let falcon_key = Box::new(<$falcon>::from_seed(seed).expect("a key"));
        watch.clean("falcon from_bytes", || <$falcon>::from_bytes(&encoded));
        watch.no_secrets("falcon::sign", || {
            falcon::sign(
                &falcon_key,
                rng,
                b"message",
                falcon::Encoding::Padded,
                &mut signature,
            )
        });
        watch.no_secrets("falcon::sign_reference", || {
            falcon::sign_reference(
                &falcon_key,
                rng,
                b"message",
                falcon::Encoding::Padded,
                &mut signature,
            )
        });
        watch.no_secrets("falcon::stream_signer", || {
            let mut signer = falcon::stream_signer(&falcon_key, rng)?;
            signer.update(b"message");
            signer.finish_as(falcon::Encoding::Padded, &mut signature)
        });
        let mut sealed = vec![0; falcon::max_sealed_size($logn, 7)];
        watch.no_secrets("falcon::seal", || {
            falcon::seal(&falcon_key, rng, b"message", &mut sealed)
        });

        let draft_key = Box::new(<$draft>::from_seed(seed).expect("a key"));
        watch.clean("draft2026 sign_bytes_in", || {
            draft_key.sign_bytes_in(
                space,
                rng,
                &DOMAIN_NONE,
                &HASH_ID_RAW,
                b"message",
                &mut signature,
            )
        });
        watch.no_secrets("draft2026 stream_signer", || {
            let mut signer = draft_key.stream_signer(rng, &DOMAIN_NONE, &HASH_ID_RAW)?;
            signer.update(b"message");
            signer.finish(&mut signature)
        });
        let mut output = vec![0; $secret + 64];
        draft_key.write_bytes(&mut output).expect("a length");
        watch.clean("draft2026 from_bytes", || <$draft>::from_bytes(&output));
    }};
}

/// On a thread of its own, whose stack has room for the paint.
fn with_room(test: fn()) {
    let thread = std::thread::Builder::new().stack_size(4 << 20).spawn(test);
    if let Err(panic) = thread.expect("a thread").join() {
        std::panic::resume_unwind(panic);
    }
}

#[test]
fn degree_512() {
    with_room(|| {
        operations!(
            lanner_fn_dsa::SigningKey512,
            falcon::SigningKey512,
            draft2026::SigningKey512,
            lanner_fn_dsa::KeyPairGenerator512,
            9,
            6,
            1281,
            897,
            666
        );
    });
}

#[test]
fn degree_1024() {
    with_room(|| {
        operations!(
            lanner_fn_dsa::SigningKey1024,
            falcon::SigningKey1024,
            draft2026::SigningKey1024,
            lanner_fn_dsa::KeyPairGenerator1024,
            10,
            5,
            2305,
            1793,
            1280
        );
        let key = Box::new(falcon::SigningKey1024::from_seed(&[3; 32]).expect("a key"));
        let mut encoded = vec![0; 2305];
        key.write_bytes(&mut encoded).expect("a length");
        let secrets = secrets_of(&encoded, 1024, 5);
        let secrets: Vec<&[u8]> = secrets.iter().map(Vec::as_slice).collect();
        let mut signature = vec![0; falcon::det1024::MAX_COMPRESSED_SIZE];
        Watch::of(&secrets).no_secrets("det1024::sign", || {
            falcon::det1024::sign(&key, b"message", &mut signature)
        });
    });
}
