//! The exports of the module.
#![allow(unsafe_code)]

use lanner_x25519::{X25519_BASEPOINT_BYTES, x25519};

/// Input and output; the other side overwrites it.
#[repr(C, align(1024))]
struct State([u8; 64]);

static mut STATE: State = State([0; 64]);

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}

fn state() -> &'static mut [u8; 64] {
    let state = &raw mut STATE;
    // SAFETY: the module runs on one thread, exports do not call each other, and each takes the
    // reference once.
    unsafe { &mut (*state).0 }
}

fn multiply(state: &mut [u8; 64], u: [u8; 32]) -> bool {
    let mut scalar = [0; 32];
    scalar.copy_from_slice(&state[..32]);
    let product = x25519(scalar, u);
    state[..32].copy_from_slice(&product);
    // No secret: the caller is told.
    product.iter().fold(0, |all, byte| all | byte) != 0
}

/// The address of the input and the output.
#[unsafe(no_mangle)]
extern "C" fn i() -> *mut State {
    &raw mut STATE
}

/// The public key of the scalar that is the input.
#[unsafe(no_mangle)]
extern "C" fn b() {
    multiply(state(), X25519_BASEPOINT_BYTES);
}

/// X25519 of the scalar and the u that are the input; whether the product is not zero.
#[unsafe(no_mangle)]
extern "C" fn x() -> bool {
    let state = state();
    let mut u = [0; 32];
    u.copy_from_slice(&state[32..]);
    multiply(state, u)
}
