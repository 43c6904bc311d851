//! The C library: the functions of `lanner.h` and of donna's headers that take secrets, called through
//! the C ABI of the library that was loaded.
//!
//! `unsafe` because that is what C is: each call hands over pointers to arrays of the length that the
//! headers ask for, and to functions that keep to them.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_uint, c_void};
use core::ptr::{null, null_mut};
use core::sync::atomic::{AtomicPtr, Ordering};
use std::sync::OnceLock;

use lanner_curve::backend::Backend;
use lanner_ed25519::{Digest, Sha512};

use super::Check;
use crate::c_library;
use crate::memcheck;
use crate::output::Output;
use crate::secrets::Secrets;

/// Calls a function of the library, whose result the caller may look at.
macro_rules! c {
    ($name:ident($($argument:expr => $type:ty),* $(,)?)) => { c!($name($($argument => $type),*) -> c_int) };
    ($name:ident($($argument:expr => $type:ty),* $(,)?) -> $result:ty) => {{
        type Function = unsafe extern "C" fn($($type),*) -> $result;
        // Found once: the dynamic linker's search, between two calls, made times uneven by up to three nanoseconds, in
        // either direction from process to process.
        static FUNCTION: OnceLock<Function> = OnceLock::new();
        // SAFETY: the type is that of the header; all pointers are to enough memory.
        unsafe {
            let function = FUNCTION.get_or_init(|| c_library::function(stringify!($name)));
            function($($argument),*)
        }
    }};
}

/// The same for functions of `lanner.h` that must succeed.
macro_rules! ok {
    ($name:ident($($rest:tt)*)) => {{
        let mut status = c!($name($($rest)*)).to_ne_bytes();
        // Whoever called it knows.
        memcheck::declassify(&mut status);
        assert_eq!(c_int::from_ne_bytes(status), 0, stringify!($name));
    }};
}

type In = *const u8;
type Out = *mut u8;

/// An object of the library, of any kind.
#[repr(C, align(16))]
struct Object([u64; 1024]);

impl Object {
    fn new() -> Self {
        Self([0; 1024])
    }

    fn get(&self) -> *const u64 {
        self.0.as_ptr()
    }

    fn set(&mut self) -> *mut u64 {
        self.0.as_mut_ptr()
    }
}

/// What the random source gives again and again: 32 bytes.
static RANDOM: AtomicPtr<u8> = AtomicPtr::new(null_mut());

extern "C" fn random(out: *mut c_void, length: usize) -> c_int {
    let bytes = RANDOM.load(Ordering::Relaxed);
    for i in 0..length {
        // SAFETY: `bytes` points to 32 bytes that outlive the call, `out` to `length` bytes.
        unsafe { out.cast::<u8>().add(i).write(bytes.add(i % 32).read()) };
    }
    0
}

/// Runs something while these are the random bytes.
fn drawing<T>(from: &[u8; 32], run: impl FnOnce() -> T) -> T {
    type Source = Option<extern "C" fn(*mut c_void, usize) -> c_int>;
    RANDOM.store(from.as_ptr().cast_mut(), Ordering::Relaxed);
    c!(lanner_set_random_source(Some(random) => Source) -> ());
    let result = run();
    c!(lanner_set_random_source(None => Source) -> ());
    result
}

/// Hands a message over, in two pieces.
extern "C" fn feed(user: *mut c_void, sink: *mut c_void) -> c_int {
    // SAFETY: every caller below passes the message of its secrets.
    let message = unsafe { *user.cast::<&[u8]>() };
    let (first, second) = message.split_at(10);
    let status = c!(lanner_sink_update(sink => *mut c_void, first.as_ptr() => In, 10 => usize));
    status
        | c!(lanner_sink_update(sink => *mut c_void, second.as_ptr() => In, second.len() => usize))
}

type Feed = extern "C" fn(*mut c_void, *mut c_void) -> c_int;

fn message_for_feed(s: &Secrets) -> *mut c_void {
    (&raw const s.message).cast_mut().cast()
}

/// `lanner_hash`, with SHA-512.
#[repr(C)]
struct Hash {
    state_size: usize,
    init: extern "C" fn(*mut c_void),
    update: extern "C" fn(*mut c_void, *const u8, usize),
    finish: extern "C" fn(*mut c_void, *mut u8),
}

const SHA512: Hash = Hash {
    state_size: size_of::<Sha512>(),
    init: {
        extern "C" fn init(state: *mut c_void) {
            // SAFETY: the library gives `state_size` bytes, aligned to 16.
            unsafe { state.cast::<Sha512>().write(Sha512::new()) };
        }
        init
    },
    update: {
        extern "C" fn update(state: *mut c_void, data: *const u8, length: usize) {
            if length > 0 {
                // SAFETY: `init` came first, and there are so many bytes.
                let (hash, data) = unsafe {
                    (
                        &mut *state.cast::<Sha512>(),
                        core::slice::from_raw_parts(data, length),
                    )
                };
                Digest::update(hash, data);
            }
        }
        update
    },
    finish: {
        extern "C" fn finish(state: *mut c_void, output: *mut u8) {
            // SAFETY: `init` came first, and there is room for 64 bytes.
            unsafe {
                let hash = (*state.cast::<Sha512>()).clone().finalize();
                output.copy_from_nonoverlapping(hash.as_ptr(), 64);
            }
        }
        finish
    },
};

fn ed25519_key(s: &Secrets) -> Object {
    let mut key = Object::new();
    ok!(lanner_ed25519_key_from_seed(key.set() => *mut u64, s.seed.as_ptr() => In));
    key
}

fn array<const N: usize>(fill: impl FnOnce(Out)) -> [u8; N] {
    let mut bytes = [0; N];
    fill(bytes.as_mut_ptr());
    bytes
}

/// An element of Ristretto255 that is as secret as the bytes of which it is made.
fn element(hash: &[u8; 64]) -> [u8; 32] {
    array(|point| ok!(lanner_ristretto255_from_hash(hash.as_ptr() => In, point => Out)))
}

/// 64 bytes of two times 32.
fn halves(first: &[u8; 32], second: &[u8; 32]) -> [u8; 64] {
    core::array::from_fn(|i| if i < 32 { first[i] } else { second[i - 32] })
}

/// The integer modulo L of these bytes.
fn reduced(wide: &[u8; 64]) -> [u8; 32] {
    array(|scalar| ok!(lanner_ristretto255_scalar_reduce(wide.as_ptr() => In, scalar => Out)))
}

/// Lets a backend do the work of the library.
///
/// # Errors
///
/// The library does not have it.
pub(super) fn force(backend: Backend) -> Result<(), String> {
    let name = format!("{backend}\0");
    match c!(lanner_backend_force(name.as_ptr() => In)) {
        0 => Ok(()),
        _ => Err(format!("the C library has no backend {backend}")),
    }
}

/// Output whose length the function tells.
fn sized(fill: impl FnOnce(Out, *mut usize)) -> Output {
    let mut bytes = [0; 4096];
    let mut length = bytes.len();
    fill(bytes.as_mut_ptr(), &raw mut length);
    let mut length = length.to_ne_bytes();
    memcheck::declassify(&mut length);
    Output::from(&bytes[..usize::from_ne_bytes(length)])
}

/// Ed25519 and X25519.
pub(super) const CURVE: &[Check] = &[
    ("c-ed25519-key", |s| {
        let mut key = ed25519_key(s);
        let mut out = Output::default();
        out.extend(array::<32>(
            |seed| ok!(lanner_ed25519_key_seed(key.get() => *const u64, seed => Out)),
        ));
        out.extend(array::<64>(
            |pair| ok!(lanner_ed25519_key_pair(key.get() => *const u64, pair => Out)),
        ));
        out.extend(array::<32>(
            |public| ok!(lanner_ed25519_key_public(key.get() => *const u64, public => Out)),
        ));
        out.extend(array::<32>(
            |secret| ok!(lanner_ed25519_key_to_x25519(key.get() => *const u64, secret => Out)),
        ));
        out.extend(array::<32>(|public| {
            ok!(lanner_ed25519_public_from_seed(s.seed.as_ptr() => In, public => Out));
        }));
        c!(lanner_ed25519_key_clear(key.set() => *mut u64) -> ());
        out
    }),
    ("c-ed25519-generate", |s| {
        let mut key = Object::new();
        drawing(
            &s.other,
            || ok!(lanner_ed25519_key_generate(key.set() => *mut u64)),
        );
        array::<32>(|seed| ok!(lanner_ed25519_key_seed(key.get() => *const u64, seed => Out)))
            .into()
    }),
    ("c-ed25519-sign", |s| {
        let key = ed25519_key(s);
        let (message, length) = (s.message.as_ptr(), s.message.len());
        let mut out = Output::default();
        out.extend(array::<64>(|signature| {
            ok!(lanner_ed25519_sign(key.get() => *const u64, message => In, length => usize, signature => Out));
        }));
        out.extend(array::<64>(|signature| {
            ok!(lanner_ed25519_sign_ctx(key.get() => *const u64, s.public.as_ptr() => In, 32 => usize,
                message => In, length => usize, signature => Out));
        }));
        out.extend(array::<64>(|signature| {
            ok!(lanner_ed25519_sign_seed(s.seed.as_ptr() => In, message => In, length => usize,
                signature => Out));
        }));
        out
    }),
    ("c-ed25519-sign-hedged", |s| {
        let key = ed25519_key(s);
        let signature = drawing(&s.other, || {
            array::<64>(|signature| {
                ok!(lanner_ed25519_sign_hedged(key.get() => *const u64, s.message.as_ptr() => In,
                s.message.len() => usize, signature => Out));
            })
        });
        signature.into()
    }),
    ("c-ed25519ph-sign", |s| {
        let key = ed25519_key(s);
        let (message, length) = (s.message.as_ptr(), s.message.len());
        let mut out = Output::default();
        out.extend(array::<64>(|signature| {
            ok!(lanner_ed25519ph_sign(key.get() => *const u64, null() => In, 0 => usize, message => In,
                length => usize, signature => Out));
        }));
        let mut state = Object::new();
        ok!(lanner_ed25519ph_init(state.set() => *mut u64));
        ok!(lanner_ed25519ph_update(state.set() => *mut u64, message => In, length => usize));
        out.extend(array::<64>(|signature| {
            ok!(lanner_ed25519ph_final_sign(state.set() => *mut u64, key.get() => *const u64,
                null() => In, 0 => usize, signature => Out));
        }));
        out
    }),
    ("c-ed25519-hash", |s| {
        let mut out = Output::default();
        out.extend(array::<32>(|public| {
            ok!(lanner_ed25519_hash_public(&SHA512 => *const Hash, s.seed.as_ptr() => In, public => Out));
        }));
        out.extend(array::<64>(|signature| {
            ok!(lanner_ed25519_hash_sign(&SHA512 => *const Hash, s.seed.as_ptr() => In,
                s.message.as_ptr() => In, s.message.len() => usize, signature => Out));
        }));
        out
    }),
    ("c-x25519-public", |s| {
        let mut out = Output::default();
        out.extend(array::<32>(
            |public| ok!(lanner_x25519_public(s.seed.as_ptr() => In, public => Out)),
        ));
        out.extend(array::<32>(|shared| {
            ok!(lanner_x25519_unchecked(s.seed.as_ptr() => In, s.peer.as_ptr() => In, shared => Out));
        }));
        out.extend(array::<32>(|product| {
            ok!(lanner_x25519_unclamped(s.seed.as_ptr() => In, s.peer.as_ptr() => In, product => Out));
        }));
        out.extend(drawing(&s.other, || {
            array::<32>(|secret| ok!(lanner_x25519_generate(secret => Out)))
        }));
        out
    }),
    ("c-random", |s| {
        let mut out = Output::default();
        out.extend(drawing(&s.other, || {
            array::<40>(|drawn| ok!(lanner_random_bytes(drawn => Out, 40 => usize)))
        }));
        out.extend(drawing(&s.other, || {
            array::<40>(|drawn| c!(ed25519_randombytes_unsafe(drawn => Out, 40 => usize) -> ()))
        }));
        // What is wiped may be secret, too.
        out.extend(drawing(&s.other, || {
            array::<40>(|drawn| {
                ok!(lanner_random_bytes(drawn => Out, 40 => usize));
                c!(lanner_wipe(drawn.cast() => *mut c_void, 40 => usize) -> ());
            })
        }));
        out
    }),
    ("c-donna-ed25519", |s| {
        let mut out = Output::default();
        out.extend(array::<32>(
            |public| c!(ed25519_publickey(s.seed.as_ptr() => In, public => Out) -> ()),
        ));
        out.extend(array::<64>(|signature| {
            c!(ed25519_sign(s.message.as_ptr() => In, s.message.len() => usize, s.seed.as_ptr() => In,
                s.public.as_ptr() => In, signature => Out) -> ());
        }));
        out.extend(array::<32>(|public| {
            c!(curved25519_scalarmult_basepoint(public => Out, s.seed.as_ptr() => In) -> ());
        }));
        out
    }),
    ("c-donna-curve25519", |s| {
        let mut out = Output::default();
        out.extend(array::<32>(|shared| {
            c!(curve25519_donna(shared => Out, s.seed.as_ptr() => In, s.peer.as_ptr() => In) -> ());
        }));
        out.extend(array::<32>(|public| {
            c!(curve25519_donna_basepoint(public => Out, s.seed.as_ptr() => In) -> ());
        }));
        out.extend(array::<32>(|product| {
            c!(curve25519_donna_raw(product => Out, s.seed.as_ptr() => In, s.peer.as_ptr() => In) -> ());
        }));
        out
    }),
    ("c-donna-tor", |s| {
        let mut out = Output::default();
        out.extend(array::<32>(|public| {
            c!(curved25519_scalarmult_basepoint_donna(public => Out, s.seed.as_ptr() => In) -> ());
        }));
        let secret = array::<64>(|secret| {
            ok!(ed25519_donna_seckey_expand(secret => Out, s.seed.as_ptr() => In));
        });
        out.extend(array::<32>(
            |public| ok!(ed25519_donna_pubkey(public => Out, secret.as_ptr() => In)),
        ));
        out.extend(array::<64>(|signature| {
            ok!(ed25519_donna_sign(signature => Out, s.message.as_ptr() => In,
                s.message.len() => usize, secret.as_ptr() => In, s.public.as_ptr() => In));
        }));
        out.extend(array::<64>(|blinded| {
            ok!(ed25519_donna_blind_secret_key(blinded => Out, secret.as_ptr() => In,
                s.public.as_ptr() => In));
        }));
        out.extend(drawing(&s.other, || {
            array::<64>(|drawn| ok!(ed25519_donna_seckey(drawn => Out)))
        }));
        let mut drawn = [0; 64];
        out.extend(drawing(&s.other, || {
            array::<32>(|public| {
                ok!(ed25519_donna_keygen(public => Out, drawn.as_mut_ptr() => Out));
            })
        }));
        out.extend(drawn);
        out
    }),
    ("c-ed25519-expanded", |s| {
        let mut out = Output::default();
        out.extend(array::<32>(|public| {
            ok!(lanner_ed25519_expanded_public(s.wide.as_ptr() => In, public => Out));
        }));
        out.extend(array::<64>(|signature| {
            ok!(lanner_ed25519_expanded_sign(s.wide.as_ptr() => In, s.message.as_ptr() => In,
                s.message.len() => usize, signature => Out));
        }));
        out
    }),
    ("c-xeddsa-sign", |s| {
        let mut out = Output::default();
        out.extend(array::<64>(|signature| {
            ok!(lanner_xeddsa_sign_from_random(s.seed.as_ptr() => In, s.wide.as_ptr() => In,
                s.message.as_ptr() => In, s.message.len() => usize, signature => Out));
        }));
        out.extend(drawing(&s.other, || {
            array::<64>(|signature| {
                ok!(lanner_xeddsa_sign(s.seed.as_ptr() => In, s.message.as_ptr() => In,
                s.message.len() => usize, signature => Out));
            })
        }));
        out
    }),
    ("c-ristretto255-map", |s| {
        let mut out = Output::from(element(&s.wide));
        out.extend(drawing(&s.other, || {
            array::<32>(|point| ok!(lanner_ristretto255_random(point => Out)))
        }));
        out
    }),
    ("c-ristretto255-scalars", |s| {
        let (x, y) = (s.seed.as_ptr(), s.other.as_ptr());
        let mut out = Output::from(reduced(&s.wide));
        out.extend(array::<32>(
            |negative| ok!(lanner_ristretto255_scalar_negate(x => In, negative => Out)),
        ));
        out.extend(array::<32>(
            |complement| ok!(lanner_ristretto255_scalar_complement(x => In, complement => Out)),
        ));
        out.extend(array::<32>(
            |sum| ok!(lanner_ristretto255_scalar_add(x => In, y => In, sum => Out)),
        ));
        out.extend(array::<32>(
            |difference| ok!(lanner_ristretto255_scalar_sub(x => In, y => In, difference => Out)),
        ));
        out.extend(array::<32>(
            |product| ok!(lanner_ristretto255_scalar_mul(x => In, y => In, product => Out)),
        ));
        out
    }),
];

/// Those of the curve that end in an answer which is public by its nature.
pub(super) const ANSWERS: &[Check] = &[
    ("c-ed25519-pair", |s| {
        let mut key = Object::new();
        let mut pair = [0; 64];
        pair[..32].copy_from_slice(&s.seed);
        pair[32..].copy_from_slice(&s.public);
        ok!(lanner_ed25519_key_from_pair(key.set() => *mut u64, pair.as_ptr() => In));
        array::<32>(|seed| ok!(lanner_ed25519_key_seed(key.get() => *const u64, seed => Out)))
            .into()
    }),
    ("c-ed25519-sign-feed", |s| {
        let key = ed25519_key(s);
        array::<64>(|signature| {
            ok!(lanner_ed25519_sign_feed(key.get() => *const u64, null() => In, 0 => usize, feed => Feed,
                message_for_feed(s) => *mut c_void, signature => Out));
        })
        .into()
    }),
    ("c-x25519", |s| {
        array::<32>(|shared| {
            ok!(lanner_x25519(s.seed.as_ptr() => In, s.peer.as_ptr() => In, shared => Out));
        })
        .into()
    }),
    ("c-x25519-public-each", |s| {
        let secrets: [[u8; 32]; 11] =
            core::array::from_fn(|i| if i % 2 == 0 { s.seed } else { s.other });
        array::<352>(|public| {
            ok!(lanner_x25519_public_each(secrets.as_ptr().cast() => In, 11 => usize, public => Out));
        })
        .into()
    }),
    ("c-ed25519-each", |s| {
        let seeds: [[u8; 32]; 11] =
            core::array::from_fn(|i| if i % 2 == 0 { s.seed } else { s.other });
        let mut out = Output::from(array::<352>(|public| {
            ok!(lanner_ed25519_public_from_seed_each(seeds.as_ptr().cast() => In, 11 => usize, public => Out));
        }));
        // Objects of 64 words, and messages of three.
        let mut keys = [[0_u64; 64]; 11];
        ok!(lanner_ed25519_key_from_seed_each(keys.as_mut_ptr().cast() => *mut u64,
            seeds.as_ptr().cast() => In, 11 => usize));
        let messages: [[usize; 3]; 11] = core::array::from_fn(|i| {
            [
                keys[i].as_ptr().addr(),
                s.message.as_ptr().addr(),
                s.message.len(),
            ]
        });
        out.extend(array::<704>(|signatures| {
            ok!(lanner_ed25519_sign_each(messages.as_ptr().cast() => *const c_void, 11 => usize,
                signatures => Out));
        }));
        out
    }),
    ("c-x25519-each", |s| {
        let secrets: [[u8; 32]; 11] =
            core::array::from_fn(|i| if i % 2 == 0 { s.seed } else { s.other });
        let peers = [s.peer; 11];
        array::<352>(|shared| {
            ok!(lanner_x25519_each(secrets.as_ptr().cast() => In, peers.as_ptr().cast() => In, 11 => usize,
                shared => Out));
        })
        .into()
    }),
    ("c-ristretto255-check", |s| {
        // What is refused is odd: no encoding is.
        let valid = element(&s.wide);
        let mut refused = valid;
        refused[0] |= 1;
        ok!(lanner_ristretto255_check(valid.as_ptr() => In));
        let mut out = Output::from(valid);
        out.extend(c!(lanner_ristretto255_check(refused.as_ptr() => In)).to_ne_bytes());
        out
    }),
    ("c-ristretto255-sum", |s| {
        let (p, q) = (element(&s.wide), element(&halves(&s.seed, &s.other)));
        let mut refused = q;
        refused[0] |= 1;
        let mut out = Output::default();
        out.extend(array::<32>(|sum| {
            ok!(lanner_ristretto255_add(p.as_ptr() => In, q.as_ptr() => In, sum => Out));
        }));
        out.extend(array::<32>(|difference| {
            ok!(lanner_ristretto255_sub(p.as_ptr() => In, q.as_ptr() => In, difference => Out));
        }));
        let mut nothing = [1; 32];
        let status = c!(lanner_ristretto255_add(p.as_ptr() => In, refused.as_ptr() => In,
            nothing.as_mut_ptr() => Out));
        out.extend(status.to_ne_bytes());
        let status = c!(lanner_ristretto255_sub(refused.as_ptr() => In, p.as_ptr() => In,
            nothing.as_mut_ptr() => Out));
        out.extend(status.to_ne_bytes());
        out.extend(nothing);
        out
    }),
    ("c-ristretto255-product", |s| {
        let point = element(&s.wide);
        let mut out = Output::default();
        out.extend(array::<32>(|product| {
            ok!(lanner_ristretto255_mul(s.seed.as_ptr() => In, point.as_ptr() => In, product => Out));
        }));
        out.extend(array::<32>(
            |product| ok!(lanner_ristretto255_mul_base(s.seed.as_ptr() => In, product => Out)),
        ));
        out
    }),
    ("c-ristretto255-scalar-answers", |s| {
        let scalar = reduced(&s.wide);
        ok!(lanner_ristretto255_scalar_check(scalar.as_ptr() => In));
        let mut refused = scalar;
        refused[31] |= 0xf0;
        let mut out = Output::default();
        out.extend(c!(lanner_ristretto255_scalar_check(refused.as_ptr() => In)).to_ne_bytes());
        out.extend(array::<32>(
            |inverse| ok!(lanner_ristretto255_scalar_invert(s.seed.as_ptr() => In, inverse => Out)),
        ));
        out.extend(drawing(&s.other, || {
            array::<32>(|scalar| ok!(lanner_ristretto255_scalar_random(scalar => Out)))
        }));
        out
    }),
];

/// Key files of the curve.
pub(super) const CURVE_FILES: &[Check] = &[
    ("c-ed25519-read", |s| {
        let mut out = Output::default();
        for der in [&s.files.ed25519_der, &s.files.ed25519_der_v2] {
            let (mut key, der) = (Object::new(), der.bytes());
            ok!(lanner_ed25519_key_from_der(key.set() => *mut u64, der.as_ptr() => In, der.len() => usize));
            out.extend(array::<32>(
                |seed| ok!(lanner_ed25519_key_seed(key.get() => *const u64, seed => Out)),
            ));
        }
        let (mut key, pem) = (Object::new(), s.files.ed25519_pem.text());
        ok!(lanner_ed25519_key_from_pem(key.set() => *mut u64, pem.as_ptr() => In, pem.len() => usize));
        out.extend(array::<32>(
            |seed| ok!(lanner_ed25519_key_seed(key.get() => *const u64, seed => Out)),
        ));
        out
    }),
    ("c-ed25519-write", |s| {
        let key = ed25519_key(s);
        let mut out = sized(|der, length| {
            ok!(lanner_ed25519_key_to_der(key.get() => *const u64, der => Out, length => *mut usize));
        });
        out.append(&sized(|der, length| {
            ok!(lanner_ed25519_key_to_der_v2(key.get() => *const u64, der => Out, length => *mut usize));
        }));
        out.append(&sized(|pem, length| {
            ok!(lanner_ed25519_key_to_pem(key.get() => *const u64, pem => Out, length => *mut usize));
        }));
        out
    }),
    ("c-x25519-read", |s| {
        let (der, pem) = (s.files.x25519_der.bytes(), s.files.x25519_pem.text());
        let mut out = Output::default();
        out.extend(array::<32>(|secret| {
            ok!(lanner_x25519_secret_from_der(secret => Out, der.as_ptr() => In, der.len() => usize));
        }));
        out.extend(array::<32>(|secret| {
            ok!(lanner_x25519_secret_from_pem(secret => Out, pem.as_ptr() => In, pem.len() => usize));
        }));
        out
    }),
    ("c-x25519-write", |s| {
        let mut out = sized(|der, length| {
            ok!(lanner_x25519_secret_to_der(s.seed.as_ptr() => In, der => Out, length => *mut usize));
        });
        out.append(&sized(|pem, length| {
            ok!(lanner_x25519_secret_to_pem(s.seed.as_ptr() => In, pem => Out, length => *mut usize));
        }));
        out
    }),
];

/// Key files of FN-DSA.
pub(super) const FN_DSA_FILES: &[Check] = &[
    ("c-fn-dsa-read", |s| {
        let (der, pem) = (s.files.fn_dsa_der.bytes(), s.files.fn_dsa_pem.text());
        let mut key = Object::new();
        ok!(lanner_fn_dsa_key_from_der(key.set() => *mut u64, der.as_ptr() => In, der.len() => usize));
        let mut out = secret(&key);
        ok!(lanner_fn_dsa_key_from_pem(key.set() => *mut u64, pem.as_ptr() => In, pem.len() => usize));
        out.append(&secret(&key));
        out
    }),
    ("c-fn-dsa-write", |s| {
        let key = fn_dsa_key(0, &s.fn_dsa.main_512);
        sized(|der, length| {
            ok!(lanner_fn_dsa_key_to_der(key.get() => *const u64, der => Out, length => *mut usize));
        })
    }),
    ("c-fn-dsa-write-pem", |s| {
        let key = fn_dsa_key(0, &s.fn_dsa.main_512);
        sized(|pem, length| {
            ok!(lanner_fn_dsa_key_to_pem(key.get() => *const u64, pem => Out, length => *mut usize));
        })
    }),
];

/// The key of `lanner_fn_dsa_key_from_bytes`.
fn fn_dsa_key(variant: c_int, bytes: &[u8]) -> Object {
    let mut key = Object::new();
    ok!(lanner_fn_dsa_key_from_bytes(key.set() => *mut u64, variant => c_int, bytes.as_ptr() => In,
        bytes.len() => usize, null() => In, 0 => usize));
    key
}

fn secret(key: &Object) -> Output {
    sized(|out, length| {
        ok!(lanner_fn_dsa_key_secret(key.get() => *const u64, out => Out, length => *mut usize));
    })
}

/// Keys of FN-DSA.
pub(super) const FN_DSA_KEYS: &[Check] = &[("c-fn-dsa-key", |s| {
    let mut out = Output::default();
    for (variant, bytes) in [(0, &s.fn_dsa.main_512), (1, &s.fn_dsa.draft_512)] {
        let mut key = fn_dsa_key(variant, bytes);
        out.append(&secret(&key));
        out.append(&sized(|public, length| {
            ok!(lanner_fn_dsa_key_public(key.get() => *const u64, public => Out, length => *mut usize));
        }));
        c!(lanner_fn_dsa_key_clear(key.set() => *mut u64) -> ());
    }
    out
})];

/// Key generation.
pub(super) const FN_DSA_KEYGEN: &[Check] = &[
    ("c-fn-dsa-keygen", |s| {
        let mut secret = [0; 1281];
        let public = drawing(&s.other, || {
            array::<897>(|public| {
                ok!(lanner_fn_dsa_keygen(0 => c_int, 512 => c_uint, secret.as_mut_ptr() => Out, public => Out,
                null_mut() => *mut c_void, 0 => usize));
            })
        });
        let mut out = Output::from(secret);
        out.extend(public);
        out
    }),
    ("c-fn-dsa-keygen-seeded", |s| {
        let mut secret = [0; 1345];
        let public = array::<897>(|public| {
            ok!(lanner_fn_dsa_keygen_seeded(1 => c_int, 512 => c_uint, s.seed.as_ptr() => In,
                secret.as_mut_ptr() => Out, public => Out, null_mut() => *mut c_void, 0 => usize));
        });
        let mut out = Output::from(secret);
        out.extend(public);
        out
    }),
];

/// Signing in the variants of FN-DSA.
pub(super) const FN_DSA_SIGN: &[Check] = &[
    ("c-fn-dsa-sign", |s| {
        let key = fn_dsa_key(0, &s.fn_dsa.main_512);
        drawing(&s.other, || array::<666>(|signature| {
            ok!(lanner_fn_dsa_sign(key.get() => *const u64, s.public.as_ptr() => In, 32 => usize, 0 => c_int,
                s.message.as_ptr() => In, s.message.len() => usize, signature => Out,
                null_mut() => *mut c_void, 0 => usize));
        }))
        .into()
    }),
    ("c-fn-dsa-sign-draft", |s| {
        let key = fn_dsa_key(1, &s.fn_dsa.draft_512);
        drawing(&s.other, || array::<666>(|signature| {
            ok!(lanner_fn_dsa_sign(key.get() => *const u64, s.public.as_ptr() => In, 32 => usize, 0 => c_int,
                s.message.as_ptr() => In, s.message.len() => usize, signature => Out,
                null_mut() => *mut c_void, 0 => usize));
        }))
        .into()
    }),
    ("c-fn-dsa-sign-seeded", |s| {
        let key = fn_dsa_key(0, &s.fn_dsa.main_512);
        array::<666>(|signature| {
            ok!(lanner_fn_dsa_sign_seeded(key.get() => *const u64, s.other.as_ptr() => In, 32 => usize,
                null() => In, 0 => usize, 0 => c_int, s.message.as_ptr() => In,
                s.message.len() => usize, signature => Out, null_mut() => *mut c_void, 0 => usize));
        })
        .into()
    }),
    ("c-fn-dsa-sign-from-random", |s| {
        let key = fn_dsa_key(1, &s.fn_dsa.draft_512);
        array::<666>(|signature| {
            ok!(lanner_fn_dsa_sign_from_random(key.get() => *const u64, s.wide.as_ptr() => In, 40 => usize,
                null() => In, 0 => usize, 0 => c_int, s.message.as_ptr() => In,
                s.message.len() => usize, signature => Out));
        })
        .into()
    }),
    ("c-fn-dsa-sign-feed", |s| {
        let key = fn_dsa_key(0, &s.fn_dsa.main_512);
        drawing(&s.other, || array::<666>(|signature| {
            ok!(lanner_fn_dsa_sign_feed(key.get() => *const u64, null() => In, 0 => usize, feed => Feed,
                message_for_feed(s) => *mut c_void, signature => Out));
        }))
        .into()
    }),
];

/// Signing as in the original Falcon.
pub(super) const FALCON_SIGN: &[Check] = &[
    ("c-falcon-sign", |s| {
        let key = fn_dsa_key(2, &s.fn_dsa.main_512);
        let mut out = Output::default();
        for encoding in 0..3 {
            out.append(&drawing(&s.other, || sized(|signature, length| {
                ok!(lanner_falcon_sign(key.get() => *const u64, encoding => c_int, s.message.as_ptr() => In,
                    s.message.len() => usize, signature => Out, length => *mut usize,
                    null() => In, 0 => usize));
            })));
        }
        out
    }),
    ("c-falcon-seal", |s| {
        let key = fn_dsa_key(2, &s.fn_dsa.main_512);
        drawing(&s.other, || {
            sized(|sealed, length| {
                ok!(lanner_falcon_seal(key.get() => *const u64, s.message.as_ptr() => In,
                s.message.len() => usize, sealed => Out, length => *mut usize));
            })
        })
    }),
    ("c-falcon-det1024", |s| {
        let key = fn_dsa_key(2, &s.fn_dsa.main_1024);
        sized(|signature, length| {
            ok!(lanner_falcon_det1024_sign(key.get() => *const u64, s.message.as_ptr() => In,
                s.message.len() => usize, signature => Out, length => *mut usize));
        })
    }),
];

/// The key that a seed is.
fn hybrid_key(seed: &[u8; 32]) -> Object {
    let mut key = Object::new();
    ok!(lanner_hybrid_key_from_seed(key.set() => *mut u64, 512 => c_uint, seed.as_ptr() => In));
    key
}

/// Hybrid keys and signatures: the keys of both halves from one seed, and both halves of a signature.
pub(super) const HYBRID: &[Check] = &[
    ("c-hybrid-key", |s| {
        let mut key = hybrid_key(&s.seed);
        let seed =
            array::<32>(|seed| ok!(lanner_hybrid_key_seed(key.get() => *const u64, seed => Out)));
        let mut out = Output::from(seed);
        out.append(&sized(|public, length| {
            ok!(lanner_hybrid_key_public(key.get() => *const u64, public => Out, length => *mut usize));
        }));
        c!(lanner_hybrid_key_clear(key.set() => *mut u64) -> ());
        out
    }),
    ("c-hybrid-generate", |s| {
        let mut key = Object::new();
        drawing(&s.other, || {
            ok!(lanner_hybrid_key_generate(key.set() => *mut u64, 512 => c_uint));
        });
        array::<32>(|seed| ok!(lanner_hybrid_key_seed(key.get() => *const u64, seed => Out))).into()
    }),
    ("c-hybrid-sign", |s| {
        let key = hybrid_key(&s.seed);
        drawing(&s.other, || array::<730>(|signature| {
            ok!(lanner_hybrid_sign(key.get() => *const u64, s.public.as_ptr() => In, 32 => usize,
                s.message.as_ptr() => In, s.message.len() => usize, signature => Out,
                null_mut() => *mut c_void, 0 => usize));
        }))
        .into()
    }),
    ("c-hybrid-sign-digest", |s| {
        let key = hybrid_key(&s.seed);
        let digest = [7; 64];
        drawing(&s.other, || {
            array::<730>(|signature| {
                ok!(lanner_hybrid_sign_digest(key.get() => *const u64, null() => In, 0 => usize,
                digest.as_ptr() => In, signature => Out, null_mut() => *mut c_void, 0 => usize));
            })
        })
        .into()
    }),
    ("c-hybrid-read", |s| {
        let (der, pem) = (s.files.hybrid_der.bytes(), s.files.hybrid_pem.text());
        let mut key = Object::new();
        ok!(lanner_hybrid_key_from_der(key.set() => *mut u64, der.as_ptr() => In, der.len() => usize));
        ok!(lanner_hybrid_key_from_pem(key.set() => *mut u64, pem.as_ptr() => In, pem.len() => usize));
        array::<32>(|seed| ok!(lanner_hybrid_key_seed(key.get() => *const u64, seed => Out))).into()
    }),
    ("c-hybrid-write", |s| {
        let key = hybrid_key(&s.seed);
        let mut out = sized(|der, length| {
            ok!(lanner_hybrid_key_to_der(key.get() => *const u64, der => Out, length => *mut usize));
        });
        out.append(&sized(|pem, length| {
            ok!(lanner_hybrid_key_to_pem(key.get() => *const u64, pem => Out, length => *mut usize));
        }));
        out
    }),
];

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::report::root;

    /// Functions that take no secret, or only carry a public key.
    const PUBLIC: &[&str] = &[
        "lanner_version",
        "lanner_version_number",
        "lanner_strerror",
        "lanner_backend_name",
        "lanner_backend_active",
        "lanner_set_panic_function",
        "lanner_ed25519_public_properties",
        "lanner_ed25519_public_to_x25519",
        "lanner_ed25519_profile_by_name",
        "lanner_ed25519_profile_name",
        "lanner_ed25519_donna_profile",
        "lanner_ed25519_verify",
        "lanner_ed25519_verify_ctx",
        "lanner_ed25519_verifier_init",
        "lanner_ed25519_verifier_init_ctx",
        "lanner_ed25519_verifier_update",
        "lanner_ed25519_verifier_final",
        "lanner_ed25519_verifier_clear",
        "lanner_ed25519_verify_batch",
        "lanner_ed25519_prepared_init",
        "lanner_ed25519_prepared_verify",
        "lanner_ed25519_prepared_verify_batch",
        "lanner_ed25519_prepared_clear",
        "lanner_ed25519ph_verify",
        "lanner_ed25519ph_final_verify",
        "lanner_ed25519ph_clear",
        "lanner_xeddsa_verify",
        "lanner_xeddsa_verify_with_sign",
        "lanner_ed25519_hash_verify",
        "lanner_fn_dsa_secret_bytes",
        "lanner_fn_dsa_public_bytes",
        "lanner_fn_dsa_signature_bytes",
        "lanner_fn_dsa_keygen_scratch_bytes",
        "lanner_fn_dsa_key_scratch_bytes",
        "lanner_fn_dsa_sign_scratch_bytes",
        "lanner_fn_dsa_public_from_bytes",
        "lanner_fn_dsa_public_to_bytes",
        "lanner_fn_dsa_public_clear",
        "lanner_fn_dsa_verify",
        "lanner_fn_dsa_verifier_init",
        "lanner_fn_dsa_verifier_update",
        "lanner_fn_dsa_verifier_final",
        "lanner_fn_dsa_verifier_clear",
        "lanner_fn_dsa_draft2026_mu",
        "lanner_falcon_signature_bytes",
        "lanner_falcon_verify_as",
        "lanner_falcon_verify",
        "lanner_falcon_verifier_init_as",
        "lanner_falcon_verifier_init",
        "lanner_falcon_open",
        "lanner_falcon_det1024_verify_as",
        "lanner_falcon_det1024_verify",
        "lanner_hybrid_verify",
        "lanner_hybrid_verify_digest",
        "lanner_hybrid_public_from_der",
        "lanner_hybrid_public_from_pem",
        "lanner_hybrid_public_to_der",
        "lanner_hybrid_public_to_pem",
        "lanner_ed25519_public_from_der",
        "lanner_ed25519_public_from_pem",
        "lanner_ed25519_public_to_der",
        "lanner_ed25519_public_to_pem",
        "lanner_x25519_public_from_der",
        "lanner_x25519_public_from_pem",
        "lanner_x25519_public_to_der",
        "lanner_x25519_public_to_pem",
        "lanner_fn_dsa_public_from_der",
        "lanner_fn_dsa_public_from_pem",
        "lanner_fn_dsa_public_to_der",
        "lanner_fn_dsa_public_to_pem",
        "ed25519_sign_open",
        "ed25519_sign_open_batch",
        "ed25519_sign_open_batch_donna",
        "ed25519_donna_selftest",
        "ed25519_donna_open",
        "ed25519_donna_blind_public_key",
        "ed25519_donna_pubkey_from_curve25519_pubkey",
        "ed25519_donna_scalarmult_with_group_order",
    ];

    /// Those that verify what they signed. All that verification does depends on the signature, which is public then, and memcheck
    /// cannot know that; what they do with secrets are the other calls of `sign` and of `sign_seed`.
    const VERIFYING: &[&str] = &[
        "lanner_ed25519_sign_checked",
        "lanner_ed25519_sign_ctx_checked",
        "lanner_ed25519ph_final_sign_checked",
        "lanner_ed25519ph_sign_checked",
        "lanner_falcon_det1024_sign_checked",
        "lanner_falcon_sign_checked",
        "lanner_fn_dsa_sign_checked",
        "lanner_hybrid_sign_checked",
        "lanner_hybrid_sign_digest_checked",
    ];

    /// Names of the functions that a header declares.
    fn declared(header: &str) -> Vec<String> {
        let path = root().join("c/include").join(header);
        let text = fs::read_to_string(path).expect("a header");
        let mut names = Vec::new();
        let mut comment = false;
        for line in text.lines() {
            comment |= line.contains("/*");
            let code =
                !comment && !line.starts_with([' ', '#', '}']) && !line.starts_with("typedef");
            if comment && line.contains("*/") {
                comment = false;
            }
            if let (true, Some((before, _))) = (
                code,
                line.replace("_FN(", "_FN_")
                    .replace(")(", "(")
                    .split_once('('),
            ) {
                let name = before.rsplit([' ', '*']).next().unwrap_or_default();
                let name = name
                    .trim_start_matches("ED25519_FN_")
                    .trim_start_matches("CURVE25519_FN_");
                names.push(String::from(name));
            }
        }
        names
    }

    /// A new function in a header must be called here, or be named as one without secrets.
    #[test]
    fn all_functions_with_secrets_are_called() {
        let calls: String = include_str!("c_face.rs").split_whitespace().collect();
        let called = |name: &str| {
            calls.contains(&format!("c!({name}(")) || calls.contains(&format!("ok!({name}("))
        };
        let mut all = Vec::new();
        for header in [
            "lanner.h",
            "ed25519.h",
            "curve25519.h",
            "ed25519_donna_tor.h",
        ] {
            for name in declared(header) {
                let excused = [PUBLIC, VERIFYING]
                    .iter()
                    .any(|it| it.contains(&name.as_str()));
                assert!(
                    excused != called(&name),
                    "{header}: {name} is not called, or is excused and called"
                );
                all.push(name);
            }
        }
        assert!(
            all.len() > 100,
            "only {} functions in the headers",
            all.len()
        );
        for name in PUBLIC.iter().chain(VERIFYING) {
            assert!(
                all.iter().any(|declared| declared == name),
                "no header declares {name}"
            );
        }
    }
}
