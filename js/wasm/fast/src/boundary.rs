//! The exports of the module: those of the small one, but for the prefix of Ed25519ctx and
//! Ed25519ph, which is always empty.
#![allow(unsafe_code)]

use core::mem::MaybeUninit;

use lanner_curve::edwards::EdwardsPoint;
use lanner_curve::scalar::{Scalar, clamp_integer};
use lanner_ed25519::profile::ProfileName;
use lanner_ed25519::{Signature, StreamVerifier, VerifyingKey};
use sha2::{Digest, Sha512};

/// How many octets of input fit in at once.
const ROOM: usize = 16384;

/// Everything that lives from one call to the next. The other side overwrites it with zeros, and
/// so all zeros must be a valid value.
#[repr(C, align(1024))]
struct State {
    io: [u8; ROOM],
    secret: [u8; 32],
    prefix: [u8; 32],
    nonce: [u8; 32],
    public: [u8; 32],
    r: [u8; 32],
    /// Whether `hash` is there.
    hashing: bool,
    hash: MaybeUninit<Sha512>,
    /// Whether `verifier` is there; if it is, the message goes there.
    verifying: bool,
    verifier: MaybeUninit<StreamVerifier>,
}

const _: () = assert!(size_of::<State>() == 17 * 1024);

static mut STATE: State = State {
    io: [0; ROOM],
    secret: [0; 32],
    prefix: [0; 32],
    nonce: [0; 32],
    public: [0; 32],
    r: [0; 32],
    hashing: false,
    hash: MaybeUninit::uninit(),
    verifying: false,
    verifier: MaybeUninit::uninit(),
};

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

impl State {
    fn input(&self, at: usize) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(&self.io[at..at + 32]);
        bytes
    }

    fn start(&mut self, first: &[u8]) {
        self.verifying = false;
        self.hashing = true;
        self.hash.write(Sha512::new_with_prefix(first));
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

    fn secret(&self) -> Scalar {
        Scalar::from_bytes_mod_order(self.secret)
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
    state().start(&[]);
}

/// Hashes octets of the input.
#[unsafe(no_mangle)]
extern "C" fn u(length: usize) {
    let state = state();
    let input = &state.io[..length.min(ROOM)];
    if state.verifying {
        // SAFETY: `v` has written it.
        unsafe { state.verifier.assume_init_mut() }.update(input);
    } else if state.hashing {
        // SAFETY: `start` has written it.
        unsafe { state.hash.assume_init_mut() }.update(input);
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
    state.start(&seed);
    let digest = state.finish();
    state.secret.copy_from_slice(&digest[..32]);
    state.prefix.copy_from_slice(&digest[32..]);
    state.secret = clamp_integer(state.secret);
    state.public = state.input(32);
}

/// Derives the public key.
#[unsafe(no_mangle)]
extern "C" fn k() {
    let state = state();
    state.public = EdwardsPoint::mul_base(&state.secret())
        .compress()
        .to_bytes();
    state.io[32..64].copy_from_slice(&state.public);
}

/// Starts a signature.
#[unsafe(no_mangle)]
extern "C" fn s(_length: usize) {
    let state = state();
    let prefix = state.prefix;
    state.start(&prefix);
}

/// The message has been: R, and whether the public key is right, if it is to be checked.
#[unsafe(no_mangle)]
extern "C" fn c(_length: usize, check: bool) -> bool {
    let state = state();
    let nonce = Scalar::from_bytes_mod_order_wide(&state.finish());
    state.nonce = nonce.to_bytes();
    let right = if check {
        let points = EdwardsPoint::mul_base_pair(&state.secret(), &nonce);
        let [public, r] = EdwardsPoint::compress_batch(&points).map(|point| point.to_bytes());
        state.r = r;
        public == state.public
    } else {
        state.r = EdwardsPoint::mul_base(&nonce).compress().to_bytes();
        true
    };
    let mut first = [0; 64];
    first[..32].copy_from_slice(&state.r);
    first[32..].copy_from_slice(&state.public);
    state.start(&first);
    state.io[..32].copy_from_slice(&first[..32]);
    right
}

/// The message has been again: the signature to the output.
#[unsafe(no_mangle)]
extern "C" fn r() {
    let state = state();
    let challenge = Scalar::from_bytes_mod_order_wide(&state.finish());
    let answer = challenge * state.secret() + Scalar::from_bytes_mod_order(state.nonce);
    state.io[..32].copy_from_slice(&state.r);
    state.io[32..64].copy_from_slice(&answer.to_bytes());
}

/// The profile of the bits that the small module has.
fn profile(rules: u32) -> Option<ProfileName> {
    Some(match rules {
        2 => ProfileName::Strict,
        13 => ProfileName::Rfc8032,
        4 => ProfileName::Rfc8032Cofactorless,
        0 => ProfileName::Dalek,
        1 => ProfileName::Zip215,
        16 => ProfileName::Donna,
        6 => ProfileName::Libsodium,
        _ => return None,
    })
}

/// Starts a verification of the signature and under the public key that are the input.
#[unsafe(no_mangle)]
extern "C" fn v(_length: usize, rules: u32) {
    let state = state();
    let mut signature = [0; 64];
    signature.copy_from_slice(&state.io[..64]);
    let verifier = profile(rules)
        .zip(VerifyingKey::from_bytes(&state.input(64)).ok())
        .and_then(|(profile, key)| {
            key.verify_stream_by_name(profile, &Signature::from_bytes(&signature))
                .ok()
        });
    state.hashing = false;
    state.verifying = verifier.is_some();
    if let Some(verifier) = verifier {
        state.verifier.write(verifier);
    }
}

/// The message has been: the verdict.
#[unsafe(no_mangle)]
extern "C" fn f() -> bool {
    let state = state();
    if !state.verifying {
        return false;
    }
    state.verifying = false;
    // SAFETY: `v` has written it, and nobody has read it since.
    let verifier = unsafe { state.verifier.assume_init_read() };
    verifier.finalize_and_verify().is_ok()
}
