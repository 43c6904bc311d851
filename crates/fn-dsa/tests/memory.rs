//! How much memory the operations take: the sizes of what has it, and how deep they go on the stack, on every backend.
//!
//! The limits are what the documentation of the crate says of release builds (`cargo test --release -p lanner-fn-dsa --test
//! memory`), in kB and rounded there. Checks of overflow make frames larger, so that builds with them are allowed half as
//! much again of stack.
#![cfg(all(feature = "keygen", feature = "sign"))]
#![allow(unsafe_code)]

use std::hint::black_box;

use lanner_fn_dsa::shake::SeededRng;
use lanner_fn_dsa::{
    DOMAIN_NONE, DecodingSpace, HASH_ID_RAW, KeyPairGenerator, KeyPairGenerator512,
    KeyPairGenerator1024, PreparedSigningKey512, PreparedSigningKey1024, SigningKey512,
    SigningKey1024, SigningSpace, VerifyingKey512, VerifyingKey1024, backend, sign_key_size,
    signature_size, vrfy_key_size,
};

/// More than anything here takes.
const DEEPEST: usize = 256 << 10;

/// What the stack is painted with.
const PAINT: u8 = 0xa5;

/// An address in the frame of a function that the caller calls.
#[inline(never)]
fn below() -> usize {
    let mark = 0_u8;
    black_box(&raw const mark).addr()
}

/// How many bytes of stack the operation writes to below the frame of this function.
#[inline(never)]
fn depth(operation: &mut dyn FnMut()) -> usize {
    let top = below();
    // The frame of this function ends above, or at most a little below `top`; nothing of it is lower than that.
    let painted = top - 512;
    let bottom = top - DEEPEST;
    let at = |address: usize| core::ptr::with_exposed_provenance_mut::<u8>(address);
    for address in (bottom..painted).rev() {
        // SAFETY: memory of this thread's stack, which is large enough, and where no frame is now. The accesses are
        // volatile, because the language does not know what lies there.
        unsafe { at(address).write_volatile(PAINT) };
    }
    operation();
    let touched = (bottom..painted)
        // SAFETY: as above.
        .find(|&address| unsafe { at(address).read_volatile() } != PAINT);
    top - touched.unwrap_or(painted)
}

/// What so many kB in the documents may be, which are rounded to the nearest, and what is overwritten beside under an
/// operating system.
const fn documented(kilobytes: usize) -> usize {
    const MARGIN: usize = if cfg!(any(unix, windows)) { 768 } else { 0 };
    kilobytes * 1000 + 499 + MARGIN
}

/// Runs the operation twice, so that what happens once is not counted, and demands that it goes no deeper.
fn check(name: &str, limit: usize, mut operation: impl FnMut()) -> usize {
    operation();
    let depth = depth(&mut operation);
    let allowed = if cfg!(debug_assertions) {
        limit + limit / 2
    } else {
        limit
    };
    println!("{:10} {name:28} {depth:6} of {limit}", backend::active());
    assert!(
        depth <= allowed,
        "{} {name}: {depth} bytes of stack, {allowed} allowed",
        backend::active()
    );
    depth
}

macro_rules! degree {
    (
        $n:literal, $logn:literal, $signing:ident, $prepared:ident, $verifying:ident, $generator:ident,
        pair: $pair:literal, seed: $seed:literal, sign: $sign:literal, checked: $checked:literal, prepared: $kept:literal,
        verify: $verify:literal, each: $each:literal, decode: $decode:literal
    ) => {{
        let generator = &mut *Box::new($generator::new());
        let mut secret = [0; sign_key_size($logn)];
        let mut public = [0; vrfy_key_size($logn)];
        assert_eq!(size_of_val(generator), 44 * $n);
        check("key pair", documented($pair) - 44 * $n, || {
            generator
                .keygen_from_seed($logn, &[5; 32], &mut secret, &mut public)
                .expect("a key pair");
        });
        // The results have a place in the closure.
        let result = size_of::<$signing>();
        check("from_seed", documented($seed) + result, || {
            assert!(black_box(&$signing::from_seed(black_box(&[5; 32]))).is_ok());
        });

        let space = &mut *Box::new(DecodingSpace::<$n>::new());
        assert_eq!(size_of_val(space), 16 * $n);
        check("decoding, in memory", documented($decode) + result, || {
            assert!(black_box(&$signing::from_bytes_in(space, &secret)).is_ok());
        });

        let key = Box::new($signing::from_bytes(&secret).expect("a key"));
        let space = &mut *Box::new(SigningSpace::<$n>::new());
        let mut signature = [0; signature_size($logn)];
        let rng = &mut SeededRng::new(b"memory");
        let fixed = size_of_val(&*key) + size_of_val(space);
        assert!(size_of_val(&*key) <= 6 * $n + 112);
        assert_eq!(size_of_val(space), 70 * $n);
        let prepared = size_of::<$prepared>();
        assert!(
            (126 * $n..=126 * $n + 128).contains(&prepared),
            "{prepared}"
        );
        assert_eq!((prepared + 500) / 1000, $kept);
        check("signing, in memory", documented($sign) - fixed, || {
            key.sign_bytes_in(space, rng, &DOMAIN_NONE, &HASH_ID_RAW, b"m", &mut signature)
                .expect("a signature");
        });
        check("signing, checked, in memory", documented($checked), || {
            let (context, id) = (&DOMAIN_NONE, &HASH_ID_RAW);
            key.sign_bytes_checked_in(space, rng, context, id, b"m", &mut signature)
                .expect("a signature");
        });

        let key = $verifying::from_bytes(&public).expect("a key");
        assert!(size_of_val(&key) <= 2 * $n + 72);
        check("verification", documented($verify), || {
            key.try_verify(&signature, &DOMAIN_NONE, &HASH_ID_RAW, b"m")
                .expect("valid");
        });
        let (keys, signatures) = ([&key; 8], [&signature[..]; 8]);
        let mut verdicts = [false; 8];
        check("verify_each", documented($each), || {
            let messages = [&b"m"[..]; 8];
            $verifying::verify_each(
                &keys,
                &signatures,
                &DOMAIN_NONE,
                &HASH_ID_RAW,
                &messages,
                &mut verdicts,
            )
            .expect("the lengths are right");
        });
        assert_eq!(verdicts, [true; 8]);
    }};
}

/// One test for all backends: forcing one is for the whole process.
#[test]
fn memory() {
    let thread = std::thread::Builder::new().stack_size(4 * DEEPEST);
    let all = thread.spawn(|| {
        for backend in backend::list() {
            backend::force(backend).expect("available");
            // In kB. `pair` and `sign` are sums of all memory, the others the stack: `seed` and `decode` that beside the
            // key, `checked` that beside the memory for signing.
            degree!(
                512, 9, SigningKey512, PreparedSigningKey512, VerifyingKey512, KeyPairGenerator512,
                pair: 28, seed: 28, sign: 51, checked: 18, prepared: 65, verify: 5, each: 29, decode: 7
            );
            degree!(
                1024, 10, SigningKey1024, PreparedSigningKey1024, VerifyingKey1024, KeyPairGenerator1024,
                pair: 50, seed: 52, sign: 91, checked: 24, prepared: 129, verify: 7, each: 45, decode: 10
            );
        }
    });
    all.expect("a thread").join().expect("within the limits");
}
