//! The exports of the module, which are those of the small one.
#![allow(unsafe_code)]

use core::mem::MaybeUninit;

use lanner_curve::Scalar;
use lanner_curve::scalar::clamp_integer;
use sha2::{Digest, Sha512};

use crate::multiply::Base;
use crate::scheme;

/// How many octets of input fit in at once.
const ROOM: usize = 16384;

/// Everything that lives from one call to the next. The other side overwrites it with zeros, and
/// so all zeros must be a valid value.
#[repr(C, align(1024))]
struct State {
    io: [u8; ROOM],
    /// The clamped scalar.
    secret: [u8; 32],
    prefix: [u8; 32],
    nonce: [u8; 32],
    public: [u8; 32],
    /// The halves of a signature.
    r: [u8; 32],
    s: [u8; 32],
    rules: u32,
    /// Whether `hash` is there.
    hashing: bool,
    hash: MaybeUninit<Sha512>,
}

const _: () = assert!(size_of::<State>() == 17 * 1024);

static mut STATE: State = State {
    io: [0; ROOM],
    secret: [0; 32],
    prefix: [0; 32],
    nonce: [0; 32],
    public: [0; 32],
    r: [0; 32],
    s: [0; 32],
    rules: 0,
    hashing: false,
    hash: MaybeUninit::uninit(),
};

static mut BASE: Base = Base::EMPTY;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}

fn state() -> &'static mut State {
    let state = &raw mut STATE;
    // SAFETY: the module runs on one thread, exports do not call each other, and each takes the
    // reference once.
    unsafe { &mut *state }
}

fn base() -> &'static mut Base {
    let base = &raw mut BASE;
    // SAFETY: as above.
    unsafe { &mut *base }
}

impl State {
    fn input(&self, at: usize) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(&self.io[at..at + 32]);
        bytes
    }

    fn start(&mut self) -> &mut Sha512 {
        self.hashing = true;
        self.hash.write(Sha512::new())
    }

    fn finish(&mut self) -> [u8; 64] {
        let mut bytes = [0; 64];
        if self.hashing {
            self.hashing = false;
            // SAFETY: `start` has written it, and nobody has read it since.
            bytes.copy_from_slice(&unsafe { self.hash.assume_init_read() }.finalize());
        }
        bytes
    }

    /// Starts the hash of what the input begins with, and of R and the public key.
    fn challenge(&mut self, at: usize, length: usize) {
        let (r, public) = (self.r, self.public);
        let State { io, hash, .. } = self;
        let hash = hash.write(Sha512::new());
        hash.update(io.get(at..at.wrapping_add(length)).unwrap_or(&[]));
        hash.update(r);
        hash.update(public);
        self.hashing = true;
    }
}

/// The address of the state.
#[unsafe(no_mangle)]
extern "C" fn i() -> *mut State {
    &raw mut STATE
}

/// Starts a hash.
#[unsafe(no_mangle)]
extern "C" fn h() {
    state().start();
}

/// Hashes octets of the input.
#[unsafe(no_mangle)]
extern "C" fn u(length: usize) {
    let state = state();
    if state.hashing {
        // SAFETY: `start` has written it.
        let hash = unsafe { state.hash.assume_init_mut() };
        hash.update(&state.io[..length.min(ROOM)]);
    }
}

/// The hash to the output.
#[unsafe(no_mangle)]
extern "C" fn d() {
    let state = state();
    let digest = state.finish();
    state.io[..64].copy_from_slice(&digest);
}

/// Expands the seed; the public key is after it.
#[unsafe(no_mangle)]
extern "C" fn e() {
    let state = state();
    let seed = state.input(0);
    state.start().update(seed);
    let digest = state.finish();
    state.secret.copy_from_slice(&digest[..32]);
    state.secret = clamp_integer(state.secret);
    state.prefix.copy_from_slice(&digest[32..]);
    state.public = state.input(32);
}

/// Derives the public key.
#[unsafe(no_mangle)]
extern "C" fn k() {
    let state = state();
    state.public = scheme::public_key(&state.secret, base());
    state.io[32..64].copy_from_slice(&state.public);
}

/// Starts a signature; the first octets of the input are hashed before all else (the prefix of
/// Ed25519ctx and Ed25519ph).
#[unsafe(no_mangle)]
extern "C" fn s(length: usize) {
    let state = state();
    let State {
        io, prefix, hash, ..
    } = state;
    let hash = hash.write(Sha512::new());
    hash.update(&io[..length.min(ROOM)]);
    hash.update(prefix);
    state.hashing = true;
}

/// The message has been: R to the output, and whether the public key is right, if it is to be
/// checked. Input as for `s`.
#[unsafe(no_mangle)]
extern "C" fn c(length: usize, check: bool) -> bool {
    let state = state();
    let nonce = Scalar::from_bytes_mod_order_wide(&state.finish());
    state.nonce = nonce.to_bytes();
    let mut right = true;
    if check {
        let public;
        [state.r, public] = scheme::commitment_and_key(&nonce, &state.secret, base());
        right = public == state.public;
    } else {
        state.r = scheme::commitment(&nonce, base());
    }
    state.challenge(0, length);
    state.io[..32].copy_from_slice(&state.r);
    right
}

/// The message has been again: the signature to the output.
#[unsafe(no_mangle)]
extern "C" fn r() {
    let state = state();
    let digest = state.finish();
    let nonce = Scalar::from_bytes_mod_order(state.nonce);
    let response = scheme::response(&digest, &state.secret, &nonce);
    state.io[..32].copy_from_slice(&state.r);
    state.io[32..64].copy_from_slice(&response);
}

/// Starts a verification under the rules of a profile: the signature and the public key are the
/// input, and after them what is hashed before all else.
#[unsafe(no_mangle)]
extern "C" fn v(length: usize, rules: u32) {
    let state = state();
    state.rules = rules;
    state.r = state.input(0);
    state.s = state.input(32);
    state.public = state.input(64);
    state.challenge(96, length);
}

/// The message has been: the verdict.
#[unsafe(no_mangle)]
extern "C" fn f() -> bool {
    let state = state();
    let digest = state.finish();
    let signature = [&state.r, &state.s];
    scheme::verify(&digest, signature, &state.public, state.rules, base())
}
