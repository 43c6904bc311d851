//! Witnesses for x86 and x86-64.
#![allow(unsafe_code)]

use crate::Task;
#[cfg(target_arch = "x86_64")]
use crate::stack::Block;
use crate::stack::{Overwrite, fill};
#[cfg(target_arch = "x86")]
use core::arch::x86::__m256i;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{__m256i, __m512i};

/// Defines a witness: its name, the features that it proves (for `cpufeatures`, one by one, and
/// for `target_feature`), what overwrites the stack, and its documentation.
macro_rules! witness {
    ($(#[$doc:meta])* $name:ident, $module:ident, [$($feature:tt),+], $enabled:literal, $block:ty) => {
        cpufeatures::new!($module, $($feature),+);

        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name(());

        impl $name {
            /// The witness, where the processor (and the operating system, for the wider
            /// registers) has every feature.
            #[inline]
            #[must_use]
            pub fn detect() -> Option<Self> {
                $module::get().then_some(Self(()))
            }

            /// Runs a task inside a function that is compiled for the features.
            ///
            /// What the task calls must be `#[inline(always)]` all the way down, or it is
            /// compiled without the features: correct, and slow. A closure is not always
            /// inlined; a type whose [`Task::run`] is `#[inline(always)]` is.
            #[inline(always)]
            pub fn run<T: Task>(self, task: T) -> T::Output {
                // Never inlined, not even where the whole program is compiled for the features: the stack that a
                // task used is overwritten after it.
                #[inline(never)]
                #[target_feature(enable = $enabled)]
                fn inside<T: Task>(task: T) -> T::Output {
                    task.run()
                }
                // SAFETY: the witness exists, so the features do.
                unsafe { inside(task) }
            }
        }

        impl Overwrite for $name {
            #[inline(always)]
            fn overwrite<const DEPTH: usize>(self) {
                #[inline(never)]
                #[target_feature(enable = $enabled)]
                fn inside<const DEPTH: usize>() {
                    fill::<$block, DEPTH>();
                }
                // SAFETY: the witness exists, so the features do.
                unsafe { inside::<DEPTH>() }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
witness!(
    /// Proof that the processor has ADX and BMI2: `mulx`, and the two independent
    /// carry chains of `adcx` and `adox`.
    Adx, adx_bmi2, ["adx", "bmi2"], "adx,bmi2", Block
);

#[cfg(target_arch = "x86_64")]
witness!(
    /// Proof of BMI1 and BMI2: `andn`, and rotations into another register.
    Bmi, bmi1_bmi2, ["bmi1", "bmi2"], "bmi1,bmi2", Block
);

witness!(
    /// Proof of AVX2: 256-bit vectors of integers.
    Avx2, avx2, ["avx2"], "avx2", __m256i
);

#[cfg(target_arch = "x86_64")]
witness!(
    /// Proof of AVX-512 with the 52-bit multiply-add (F, VL, DQ, BW and IFMA; AVX2, ADX and BMI2
    /// beside them): Intel since Ice Lake, AMD since Zen 4.
    Avx512Ifma,
    avx512_ifma,
    ["avx512ifma", "avx512f", "avx512vl", "avx512dq", "avx512bw", "avx2", "adx", "bmi2"],
    "avx512ifma,avx512f,avx512vl,avx512dq,avx512bw,avx2,adx,bmi2",
    __m512i
);
