//! The exports of the module.
#![allow(unsafe_code)]

use crate::scheme::{Fixed, State};

static mut STATE: State = State::EMPTY;
static mut FIXED: Fixed = Fixed::EMPTY;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}

/// The state.
fn state() -> &'static mut State {
    let state = &raw mut STATE;
    // SAFETY: the module runs on one thread, exports do not call each other, and each takes the
    // reference once.
    unsafe { &mut *state }
}

fn fixed() -> &'static Fixed {
    let fixed = &raw const FIXED;
    // SAFETY: as above; written in `i` alone.
    unsafe { &*fixed }
}

/// Prepares the module; the address of the input.
#[unsafe(no_mangle)]
extern "C" fn i() -> *mut State {
    let fixed = &raw mut FIXED;
    // SAFETY: as in `state`.
    unsafe { &mut *fixed }.fill();
    &raw mut STATE
}
#[cfg(feature = "sign")]
#[unsafe(no_mangle)]
extern "C" fn h() {
    state().hash_start(fixed());
}
#[unsafe(no_mangle)]
extern "C" fn u(length: usize) {
    state().update(fixed(), length);
}
#[cfg(feature = "sign")]
#[unsafe(no_mangle)]
extern "C" fn d() {
    state().hash_finish(fixed());
}
#[cfg(feature = "sign")]
#[unsafe(no_mangle)]
extern "C" fn e() {
    state().expand(fixed());
}
#[cfg(feature = "sign")]
#[unsafe(no_mangle)]
extern "C" fn k() {
    state().derive(fixed());
}
#[cfg(feature = "sign")]
#[unsafe(no_mangle)]
extern "C" fn s(length: usize) {
    state().sign_start(fixed(), length);
}
#[cfg(feature = "sign")]
#[unsafe(no_mangle)]
extern "C" fn c(length: usize, check: bool) -> bool {
    state().commit(fixed(), length, check)
}
#[cfg(feature = "sign")]
#[unsafe(no_mangle)]
extern "C" fn r() {
    state().respond(fixed());
}
#[unsafe(no_mangle)]
extern "C" fn v(length: usize, rules: u32) {
    state().verify_start(fixed(), length, rules);
}
#[unsafe(no_mangle)]
extern "C" fn f() -> bool {
    state().verify_finish(fixed())
}
#[cfg(feature = "x25519")]
#[unsafe(no_mangle)]
extern "C" fn x() {
    state().x25519();
}
