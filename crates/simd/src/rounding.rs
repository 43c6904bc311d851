//! The state of a thread's floating-point unit that its program may change: the direction of rounding, and which exceptions
//! interrupt.
#![allow(unsafe_code)] // Assembly that reads and writes that state.

/// The control and status register of SSE, which processors with AVX2 have, whatever the target demands.
#[cfg(all(
    any(
        target_arch = "x86",
        all(target_arch = "x86_64", target_feature = "sse2")
    ),
    not(miri)
))]
#[allow(dead_code)] // Where the target does not demand SSE2.
pub(crate) mod sse {
    use core::arch::asm;

    /// An address of this width, in a register.
    #[cfg(target_pointer_width = "64")]
    macro_rules! at {
        ($instruction:literal, $address:expr) => {
            asm!(concat!($instruction, " [{0}]"), in(reg) $address, options(nostack, preserves_flags))
        };
    }
    #[cfg(not(target_pointer_width = "64"))]
    macro_rules! at {
        ($instruction:literal, $address:expr) => {
            asm!(concat!($instruction, " [{0:e}]"), in(reg) $address, options(nostack, preserves_flags))
        };
    }

    pub(super) type State = u32;

    /// Rounds to nearest, masks all exceptions.
    pub(super) const DEFAULT: State = 0x1f80;

    /// Bits 7 to 12 mask the exceptions, 13 and 14 are the direction of rounding. What becomes of subnormal numbers, of which
    /// two more tell, and which exceptions there were (0 to 5), make no difference.
    const MATTERS: State = 0x7f80;

    /// The register.
    #[inline(always)]
    pub(crate) fn read() -> State {
        let mut state = 0;
        // SAFETY: writes the four bytes of `state`; whoever asks has SSE.
        unsafe { at!("stmxcsr", &raw mut state) }
        state
    }

    #[inline(always)]
    pub(super) fn write(state: State) {
        // SAFETY: `state` was read from the register or is its default, so that no reserved bit is set.
        unsafe { at!("ldmxcsr", &raw const state) }
    }

    /// Whether doubles round to nearest, and nothing that they do interrupts the program.
    #[inline(always)]
    pub(crate) fn is_default(state: State) -> bool {
        state & MATTERS == DEFAULT & MATTERS
    }
}

/// FPCR.
#[cfg(all(
    any(target_arch = "aarch64", target_arch = "arm64ec"),
    target_feature = "neon",
    not(miri)
))]
mod neon {
    use core::arch::asm;

    pub(super) type State = u64;

    /// Rounds to nearest, traps nothing, and has none of the behaviour that later versions let a program choose.
    pub(super) const DEFAULT: State = 0;

    /// All but bits 24 and 0, which flush subnormal numbers, and 25 and 26, which are about NaN and half precision.
    const MATTERS: State = !0x0700_0001;

    #[inline(always)]
    pub(super) fn read() -> State {
        let state;
        // SAFETY: reads a register that every program may read.
        unsafe { asm!("mrs {0}, fpcr", out(reg) state, options(nostack, preserves_flags)) }
        state
    }

    #[inline(always)]
    pub(super) fn write(state: State) {
        // SAFETY: `state` was read from the register or is its default.
        unsafe { asm!("msr fpcr, {0}", in(reg) state, options(nostack, preserves_flags)) }
    }

    #[inline(always)]
    pub(super) fn is_default(state: State) -> bool {
        state & MATTERS == DEFAULT
    }
}

/// `frm`; no exception interrupts on RISC-V.
#[cfg(all(target_arch = "riscv64", not(miri)))]
#[allow(dead_code)] // Without the extension D.
mod frm {
    use core::arch::asm;

    pub(super) type State = usize;

    /// Rounds to nearest, ties to even.
    pub(super) const DEFAULT: State = 0;

    #[inline(always)]
    pub(super) fn read() -> State {
        let state;
        // SAFETY: reads the register, by its number because assemblers know the name with the extension F alone.
        unsafe { asm!("csrr {0}, 0x002", out(reg) state, options(nostack, preserves_flags)) }
        state
    }

    #[inline(always)]
    pub(super) fn write(state: State) {
        // SAFETY: writes the register; `state` was read from there or is its default.
        unsafe { asm!("csrw 0x002, {0}", in(reg) state, options(nostack, preserves_flags)) }
    }

    #[inline(always)]
    pub(super) fn is_default(state: State) -> bool {
        state == DEFAULT
    }
}

/// Where there is nothing to set: WebAssembly always rounds to nearest, and elsewhere doubles are integers, or Miri's.
#[allow(dead_code)] // Where there is.
mod fixed {
    pub(super) type State = ();

    pub(super) const DEFAULT: State = ();

    #[inline(always)]
    pub(super) fn read() -> State {}

    #[inline(always)]
    pub(super) fn write((): State) {}

    #[inline(always)]
    pub(super) fn is_default((): State) -> bool {
        true
    }
}

// Where doubles are the processor's, as `fpr` of lanner-fn-dsa has it.
#[cfg(not(any(
    all(
        any(target_arch = "x86", target_arch = "x86_64"),
        target_feature = "sse2",
        not(miri)
    ),
    all(
        any(target_arch = "aarch64", target_arch = "arm64ec"),
        target_feature = "neon",
        not(miri)
    ),
    all(
        target_arch = "riscv64",
        any(
            target_feature = "d",
            target_os = "linux",
            target_os = "android",
            target_os = "freebsd",
            target_os = "netbsd",
            target_os = "openbsd",
            target_os = "fuchsia",
        ),
        not(miri)
    ),
)))]
use fixed as state;
#[cfg(all(
    target_arch = "riscv64",
    any(
        target_feature = "d",
        target_os = "linux",
        target_os = "android",
        target_os = "freebsd",
        target_os = "netbsd",
        target_os = "openbsd",
        target_os = "fuchsia",
    ),
    not(miri)
))]
use frm as state;
#[cfg(all(
    any(target_arch = "aarch64", target_arch = "arm64ec"),
    target_feature = "neon",
    not(miri)
))]
use neon as state;
#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2",
    not(miri)
))]
use sse as state;

/// While there is one, doubles round to nearest and no exception interrupts, on this thread; then everything is again
/// as it was before, the exceptions that C's `fetestexcept` tells of too.
///
/// Whoever computes with doubles meanwhile does it in a function that is not inlined where this is made, because compilers
/// do not know that the order matters: [`stack::cleared`](crate::stack::cleared) calls one.
///
/// ```
/// let nearest = lanner_simd::rounding::Nearest::set();
/// lanner_simd::stack::cleared::<256, _>(|| assert_eq!(1.0 + f64::EPSILON / 2.0, 1.0));
/// drop(nearest);
/// ```
#[derive(Debug)]
pub struct Nearest {
    /// What there was, where it was anything else.
    before: Option<state::State>,
}

impl Nearest {
    /// Sets what is not set already, which hardly ever is anything: a read and a comparison.
    #[must_use = "what it sets ends with it"]
    #[inline(always)]
    pub fn set() -> Self {
        let state = state::read();
        let before = (!state::is_default(state)).then_some(state);
        if before.is_some() {
            state::write(state::DEFAULT);
        }
        Self { before }
    }
}

impl Drop for Nearest {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(state) = self.before {
            state::write(state);
        }
    }
}

#[cfg(all(
    test,
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2",
    not(miri)
))]
mod tests {
    use super::{Nearest, sse as state};

    /// What `look` sees with a state.
    fn with<R>(changed: u32, look: impl FnOnce() -> R) -> R {
        let before = state::read();
        state::write(changed);
        let seen = look();
        state::write(before);
        seen
    }

    fn is_nearest() -> bool {
        state::is_default(state::read())
    }

    /// Whoever changes the direction of rounding, or lets inexact results be exceptions, is noticed.
    #[test]
    fn another_rounding_is_noticed_and_comes_back() {
        assert!(is_nearest());
        // What happened before, and what becomes of subnormal numbers, makes no difference.
        for same in [0, 0x3f, 0x8040] {
            assert!(with(state::DEFAULT | same, is_nearest));
        }
        let directions = [0x2000, 0x4000, 0x6000].map(|direction| state::DEFAULT | direction);
        let exceptions = (7..13).map(|exception| state::DEFAULT & !(1 << exception));
        for other in directions.into_iter().chain(exceptions) {
            let (noticed, within, after) = with(other, || {
                let noticed = !is_nearest();
                let within = {
                    let _nearest = Nearest::set();
                    is_nearest()
                };
                (noticed, within, state::read())
            });
            assert!(noticed && within);
            assert_eq!(after, other);
        }
    }

    /// It comes back from a panic, too.
    #[test]
    fn it_comes_back_from_a_panic() {
        extern crate std;
        let upward = state::DEFAULT | 0x4000;
        let after = with(upward, || {
            let caught = std::panic::catch_unwind(|| {
                let _nearest = Nearest::set();
                std::panic::resume_unwind(std::boxed::Box::new(()));
            });
            assert!(caught.is_err());
            state::read()
        });
        assert_eq!(after, upward);
    }
}
