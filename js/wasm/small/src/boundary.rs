//! The exports of the module.
#![allow(unsafe_code)]

use crate::point::{Comb, EMPTY};
use crate::scheme::{self, State};

static mut STATE: State = State::EMPTY;
static mut BASE: Comb = EMPTY;

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

fn base() -> &'static Comb {
    let base = &raw const BASE;
    // SAFETY: as above; written in `init` alone.
    unsafe { &*base }
}

/// Prepares the module; the address of the input.
#[unsafe(no_mangle)]
extern "C" fn i() -> *mut State {
    let base = &raw mut BASE;
    // SAFETY: as in `state`.
    scheme::base(unsafe { &mut *base });
    &raw mut STATE
}
#[cfg(feature = "sign")]
#[unsafe(no_mangle)]
extern "C" fn h() {
    state().hash_start();
}
#[unsafe(no_mangle)]
extern "C" fn u(length: usize) {
    state().update(length);
}
#[cfg(feature = "sign")]
#[unsafe(no_mangle)]
extern "C" fn d() {
    state().hash_finish();
}
#[cfg(feature = "sign")]
#[unsafe(no_mangle)]
extern "C" fn e() {
    state().expand();
}
#[cfg(feature = "sign")]
#[unsafe(no_mangle)]
extern "C" fn k() {
    state().derive(base());
}
#[cfg(feature = "sign")]
#[unsafe(no_mangle)]
extern "C" fn s(length: usize) {
    state().sign_start(length);
}
#[cfg(feature = "sign")]
#[unsafe(no_mangle)]
extern "C" fn c(length: usize, check: bool) -> bool {
    state().commit(length, check, base())
}
#[cfg(feature = "sign")]
#[unsafe(no_mangle)]
extern "C" fn r() {
    state().respond();
}
#[unsafe(no_mangle)]
extern "C" fn v(length: usize, rules: u32) {
    state().verify_start(length, rules);
}
#[unsafe(no_mangle)]
extern "C" fn f() -> bool {
    state().verify_finish(base())
}
#[cfg(feature = "x25519")]
#[unsafe(no_mangle)]
extern "C" fn x() {
    state().x25519();
}
