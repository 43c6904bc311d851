//! Witnesses of processor features.
//!
//! They exist for every target, so that whoever asks for one needs no conditional compilation: where an instruction set
//! is not the target's, its witness has no values, and the compiler drops what would run with one.
#![allow(unsafe_code)]

use crate::Task;
use crate::isa::{FmaOperation, IfmaOperation, Operation};
#[cfg(all(
    any(
        target_arch = "x86",
        all(target_arch = "x86_64", target_feature = "sse2")
    ),
    not(miri)
))]
use crate::rounding::sse;
use crate::stack::Overwrite;

/// Defines a witness: its name, the features that it proves (for `cpufeatures`, one by one, and
/// for `target_feature`), what overwrites the stack, the setting that may leave it out, and its documentation.
macro_rules! witness {
    ($(#[$doc:meta])* $name:ident, $module:ident, [$($feature:tt),+], $enabled:literal, $block:ty, $setting:ident, $target:meta) => {
        #[cfg(all($target, not(miri)))]
        cpufeatures::new!($module, $($feature),+);

        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name(
            #[cfg(all($target, not(miri)))] (),
            #[cfg(not(all($target, not(miri))))] core::convert::Infallible,
        );

        #[cfg(all($target, not(miri)))]
        impl $name {
            /// Whether the build has not left it out.
            pub const LEFT_IN: bool = crate::settings::$setting;

            /// The witness, where the processor (and the operating system, for the wider
            /// registers) has every feature, and the build has not left it out. Detected once; after
            /// that it is one load.
            #[inline]
            #[must_use]
            pub fn detect() -> Option<Self> {
                (Self::LEFT_IN && $module::get()).then_some(Self(()))
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
                // Known to the compiler: what a build leaves out is not compiled.
                if !Self::LEFT_IN {
                    unreachable!("there is no witness");
                }
                // SAFETY: the witness exists, so the features do.
                unsafe { inside(task) }
            }
        }

        #[cfg(all($target, not(miri)))]
        impl Overwrite for $name {
            #[inline(always)]
            fn overwrite<const DEPTH: usize>(self) {
                #[inline(never)]
                #[target_feature(enable = $enabled)]
                fn inside<const DEPTH: usize>() {
                    crate::stack::fill::<$block, DEPTH>();
                }
                // SAFETY: the witness exists, so the features do.
                unsafe { inside::<DEPTH>() }
            }
        }

        #[cfg(not(all($target, not(miri))))]
        impl $name {
            /// There is nothing to leave in.
            pub const LEFT_IN: bool = false;

            /// Not on this target.
            #[inline(always)]
            #[must_use]
            pub const fn detect() -> Option<Self> {
                None
            }

            /// Does not happen: there is no witness.
            #[inline(always)]
            pub fn run<T: Task>(self, _: T) -> T::Output {
                match self.0 {}
            }
        }

        #[cfg(not(all($target, not(miri))))]
        impl Overwrite for $name {
            #[inline(always)]
            fn overwrite<const DEPTH: usize>(self) {
                match self.0 {}
            }
        }
    };
}

witness!(
    /// Proof that the processor has ADX and BMI2: `mulx`, and the two independent
    /// carry chains of `adcx` and `adox`. On x86-64.
    Adx, adx_bmi2, ["adx", "bmi2"], "adx,bmi2", crate::stack::Block, ADX, target_arch = "x86_64"
);

witness!(
    /// Proof of BMI1 and BMI2: `andn`, and rotations into another register. On x86-64.
    Bmi, bmi1_bmi2, ["bmi1", "bmi2"], "bmi1,bmi2", crate::stack::Block, BMI, target_arch = "x86_64"
);

#[cfg(all(target_arch = "x86", not(miri)))]
use core::arch::x86::__m256i;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
use core::arch::x86_64::{__m256i, __m512i};

witness!(
    /// Proof of AVX2 and FMA: 256-bit vectors of integers, and multiplications and additions of doubles in one
    /// rounding. On x86 and x86-64.
    Avx2, avx2_fma, ["avx2", "fma"], "avx2,fma", __m256i, AVX2, any(target_arch = "x86", all(target_arch = "x86_64", target_feature = "sse2"))
);

witness!(
    /// Proof of AVX-512 with the 52-bit multiply-add (F, CD, VL, DQ, BW and IFMA; AVX2, FMA, ADX, BMI1
    /// and BMI2 beside them): Intel since Ice Lake, AMD since Zen 4. On x86-64.
    Avx512Ifma,
    avx512_ifma,
    ["avx512ifma", "avx512f", "avx512cd", "avx512vl", "avx512dq", "avx512bw", "avx2", "fma", "adx", "bmi1", "bmi2"],
    "avx512ifma,avx512f,avx512cd,avx512vl,avx512dq,avx512bw,avx2,fma,adx,bmi1,bmi2",
    __m512i,
    AVX512,
    all(target_arch = "x86_64", target_feature = "sse2")
);

impl Bmi {
    /// Runs an operation as [`portable`](crate::portable) does, in a function that is compiled for the features.
    #[inline(always)]
    pub fn enter<O: Operation>(self, operation: O) -> O::Output {
        self.run(crate::isa::On::<O, crate::isa::Portable>::new(operation))
    }
}

impl Avx2 {
    /// Runs an operation on the vectors of AVX2, in a function of its own that is compiled for them.
    #[inline(always)]
    pub fn enter<O: Operation>(self, operation: O) -> O::Output {
        #[cfg(all(
            any(
                target_arch = "x86",
                all(target_arch = "x86_64", target_feature = "sse2")
            ),
            not(miri)
        ))]
        return self.run(crate::isa::On::<O, crate::isa::avx2::Avx2>::new(operation));
        #[cfg(not(all(
            any(
                target_arch = "x86",
                all(target_arch = "x86_64", target_feature = "sse2")
            ),
            not(miri)
        )))]
        {
            let _ = operation;
            match self.0 {}
        }
    }
}

impl Avx2 {
    /// Whether sums and products of doubles in vectors round to nearest now, and nothing that they do raises an
    /// exception. So it is unless a program changed the state of its processor, as `fesetround` and `feenableexcept`
    /// do in C.
    #[must_use]
    #[inline]
    pub fn rounds_to_nearest(self) -> bool {
        #[cfg(all(
            any(
                target_arch = "x86",
                all(target_arch = "x86_64", target_feature = "sse2")
            ),
            not(miri)
        ))]
        return sse::is_default(sse::read());
        #[cfg(not(all(
            any(
                target_arch = "x86",
                all(target_arch = "x86_64", target_feature = "sse2")
            ),
            not(miri)
        )))]
        match self.0 {}
    }

    /// As [`enter`](Self::enter), for operations that multiply and add doubles in one rounding. It is to be entered only
    /// where [`rounds_to_nearest`](Self::rounds_to_nearest) says so, or the results are wrong.
    #[inline(always)]
    pub fn enter_fma<O: FmaOperation>(self, operation: O) -> O::Output {
        #[cfg(all(
            any(
                target_arch = "x86",
                all(target_arch = "x86_64", target_feature = "sse2")
            ),
            not(miri)
        ))]
        return self.run(crate::isa::OnFma::<O, crate::isa::avx2::Avx2>::new(
            operation,
        ));
        #[cfg(not(all(
            any(
                target_arch = "x86",
                all(target_arch = "x86_64", target_feature = "sse2")
            ),
            not(miri)
        )))]
        {
            let _ = operation;
            match self.0 {}
        }
    }
}

impl Avx512Ifma {
    /// Runs an operation on the vectors of AVX-512, in a function of its own that is compiled for them.
    #[inline(always)]
    pub fn enter<O: Operation>(self, operation: O) -> O::Output {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        return self.run(crate::isa::On::<O, crate::isa::avx512::Avx512>::new(
            operation,
        ));
        #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", not(miri))))]
        {
            let _ = operation;
            match self.0 {}
        }
    }

    /// As [`enter`](Self::enter), for operations with the 52-bit multiplication.
    #[inline(always)]
    pub fn enter_ifma<O: IfmaOperation>(self, operation: O) -> O::Output {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
        return self.run(crate::isa::OnIfma::<O, crate::isa::avx512::Avx512>::new(
            operation,
        ));
        #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", not(miri))))]
        {
            let _ = operation;
            match self.0 {}
        }
    }
}
