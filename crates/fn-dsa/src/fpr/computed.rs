//! The roots of the transform on WebAssembly: computed before they are first used, because each byte of a module is loaded
//! from afar.
//!
//! With x = pi / 1024, sin((k + 1) x) - sin(k x) = sin(k x) - sin((k - 1) x) - 4 sin^2(x / 2) sin(k x). The values are
//! fractions of 96 bits, which err by less than 2^-63 after a thousand steps; they round to the doubles of the table
//! ([`super::roots`]), as a test shows of every one.

/// sin(pi / 1024) 2^96.
const FIRST: u128 = 0xc9_0fc5_f665_25d2_5748_0f79;

/// 4 sin^2(pi / 2048) 2^80.
const BEND: u64 = 0x9de9_de2f_e2d5_9f9d;

const TWO_TO_MINUS_64: f64 = f64::from_bits((1023 - 64) << 52);

/// Tells the imaginary part of every root, by its number in the table.
fn imaginary_parts(mut tell: impl FnMut(usize, f64)) {
    let (mut value, mut step) = (FIRST, FIRST);
    for k in 1_u32..1024 {
        // Entry 2^l + i, i < 2^l, is at the angle whose number, reversed, is 2^(l + 1) + i.
        let reversed = k.reverse_bits() >> 22;
        let highest = 1 << reversed.ilog2() >> 1;
        if reversed & highest == 0 && highest != 0 {
            // The bits that are left out count as one; the rest is exact.
            let fraction = (value >> 32) as u64 | u64::from(value as u32 != 0);
            tell(
                (reversed - highest) as usize,
                fraction as f64 * TWO_TO_MINUS_64,
            );
        }
        let (high, low) = ((value >> 64) as u64, value as u64);
        let times = |x: u64| u128::from(x) * u128::from(BEND);
        let bend = (times(high) + (times(low) >> 64)) >> 16;
        step = step.wrapping_sub(bend);
        value = value.wrapping_add(step);
    }
}

/// The roots 2k and 2k + 1 differ by the factor i: from the imaginary parts of both, their real parts.
#[inline(always)]
fn real_parts([even, odd]: [f64; 2]) -> [f64; 2] {
    [odd, -even]
}

#[cfg(all(target_arch = "wasm32", not(target_feature = "atomics")))]
mod kept {
    use core::cell::Cell;
    use core::sync::atomic::{Ordering::SeqCst, compiler_fence};

    use lanner_simd::memory::Alone;

    use super::{imaginary_parts, real_parts};

    /// The imaginary parts, in the order of the table; 0 until [`prepare`] has come. Entry 0, which is no root, is minus that
    /// of root 1, whose real part is the same, and the last to be written.
    static IM: Alone<[Cell<f64>; 512]> = Alone([const { Cell::new(0.0) }; 512]);

    /// Comes before the first root.
    #[inline]
    pub(crate) fn prepare() {
        if IM.0[0].get() == 0.0 {
            compute();
        }
    }

    #[cold]
    #[inline(never)]
    fn compute() {
        imaginary_parts(|j, im| IM.0[j].set(im));
        // Not before: the engine may break a call off at any time, and what comes after it relies on the whole table.
        compiler_fence(SeqCst);
        IM.0[0].set(-IM.0[1].get());
    }

    /// Imaginary part j. There are no more: the mask only tells the compiler so.
    #[inline(always)]
    fn im(j: usize) -> f64 {
        IM.0[j & 511].get()
    }

    /// Root j.
    #[inline(always)]
    pub(crate) fn root(j: usize) -> (f64, f64) {
        let other = im(j ^ 1);
        (if j & 1 == 0 { other } else { -other }, im(j))
    }

    /// Roots j and j + 1, for even j.
    #[inline(always)]
    pub(crate) fn pair(j: usize) -> ([f64; 2], [f64; 2]) {
        let im = [im(j), im(j | 1)];
        (real_parts(im), im)
    }
}
#[cfg(all(target_arch = "wasm32", not(target_feature = "atomics")))]
pub(crate) use kept::{pair, prepare, root};

#[cfg(test)]
#[test]
fn they_are_those_of_the_table() {
    use super::roots::{IM, RE};

    let mut parts = [0.0_f64; 512];
    imaginary_parts(|j, im| {
        // By entry 0 the table tells whether it is whole: it is written when all others are.
        assert_ne!(j, 0);
        parts[j] = im;
    });
    parts[0] = -parts[1];
    assert_eq!(
        parts[1..]
            .iter()
            .map(|im| im.to_bits())
            .collect::<alloc::vec::Vec<_>>(),
        IM[1..]
    );
    for j in (0..512).step_by(2) {
        let [even, odd] = real_parts([parts[j], parts[j + 1]]);
        assert!(j == 0 || even.to_bits() == RE[j], "{j}");
        assert_eq!(odd.to_bits(), RE[j + 1], "{j}");
    }
}
