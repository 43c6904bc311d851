//! The exports of the module.
#![allow(unsafe_code)]

use lanner_x25519::x25519;

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

/// The address of the input and the output.
#[unsafe(no_mangle)]
extern "C" fn i() -> *mut State {
    &raw mut STATE
}

/// X25519 of the scalar and the u that are the input, to the output.
#[unsafe(no_mangle)]
extern "C" fn x() {
    let state = state();
    let (mut scalar, mut u) = ([0; 32], [0; 32]);
    scalar.copy_from_slice(&state[..32]);
    u.copy_from_slice(&state[32..]);
    state[..32].copy_from_slice(&x25519(scalar, u));
}
