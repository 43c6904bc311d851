//! Products of ten limbs of 26 and 25 bits in assembly, of instructions that every 32-bit x86 processor has.
//!
//! As in `products51` for 64 bits: a product is added to its column where it is made, and the carry of the column before
//! comes last. There are seven registers: two for a product, two for a column and two for a carry, which change places
//! from column to column, and one for the frame that has the factors and their multiples.
//!
//! The sums are those of `radix25`. They are carried in one chain, from limb 0 to limb 9, around and into limb 1: with
//! sums below 2^62.2, the carry of the top is below 2^37.3, and 19 times it below 2^41.6, so that limb 1 ends below
//! 2^25 + 2^16.
#![allow(unsafe_code)]

use core::arch::asm;
use core::mem::MaybeUninit;

type Limbs = [u32; 10];

/// Factors, their multiples, and the limbs of the product.
#[repr(C)]
struct Frame {
    a: Limbs,
    /// Twice the limbs of a factor.
    d: Limbs,
    b: Limbs,
    /// 19 times the limbs of a factor.
    r: Limbs,
    /// Four times those of a factor.
    q: Limbs,
    product: Limbs,
}

/// Limb `i` of what is in the frame.
macro_rules! at {
    (a $i:literal) => {
        concat!("[edi + 4*", $i, "]")
    };
    (d $i:literal) => {
        concat!("[edi + 40 + 4*", $i, "]")
    };
    (b $i:literal) => {
        concat!("[edi + 80 + 4*", $i, "]")
    };
    (r $i:literal) => {
        concat!("[edi + 120 + 4*", $i, "]")
    };
    (q $i:literal) => {
        concat!("[edi + 160 + 4*", $i, "]")
    };
    (product $i:literal) => {
        concat!("[edi + 200 + 4*", $i, "]")
    };
}

/// Sums products in two registers, adds the carry that is in two others, takes off the limb and leaves the carry.
macro_rules! column {
    ($k:literal $bits:literal $lo:ident $hi:ident $over:ident $above:ident;
     $x0:ident $i0:literal $y0:ident $j0:literal $(, $x:ident $i:literal $y:ident $j:literal)+) => {
        concat!(
            "mov eax, ", at!($x0 $i0), "\n mul dword ptr ", at!($y0 $j0),
            "\n mov ", stringify!($lo), ", eax\n mov ", stringify!($hi), ", edx\n",
            $(
                "mov eax, ", at!($x $i), "\n mul dword ptr ", at!($y $j),
                "\n add ", stringify!($lo), ", eax\n adc ", stringify!($hi), ", edx\n",
            )+
            "add ", stringify!($lo), ", ", stringify!($over),
            "\n adc ", stringify!($hi), ", ", stringify!($above),
            "\n mov eax, ", stringify!($lo), "\n and eax, (1 << ", $bits, ") - 1\n mov ", at!(product $k),
            ", eax\n shrd ", stringify!($lo), ", ", stringify!($hi), ", ", $bits,
            "\n shr ", stringify!($hi), ", ", $bits, "\n"
        )
    };
}

/// Copies limbs from `$from` to the frame, and there their doubles to `d`.
macro_rules! take_twice {
    ($from:literal: $($i:literal)+) => {
        concat!($(
            "mov eax, [", $from, " + 4*", $i, "]\n mov ", at!(a $i), ", eax\n add eax, eax\n mov ", at!(d $i), ", eax\n",
        )+)
    };
}
/// The same without doubles, to a or b.
macro_rules! take {
    ($from:literal $to:ident: $($i:literal)+) => {
        concat!($("mov eax, [", $from, " + 4*", $i, "]\n mov ", at!($to $i), ", eax\n",)+)
    };
}
/// Copies limbs from `$from` to b, and 19 times them to `r`.
macro_rules! take_19_times {
    ($from:literal: $($i:literal)+) => {
        concat!($(
            "mov eax, [", $from, " + 4*", $i, "]\n mov ", at!(b $i), ", eax\n imul eax, eax, 19\n mov ", at!(r $i), ", eax\n",
        )+)
    };
}
/// 19 times limbs of a.
macro_rules! times_19 {
    ($($i:literal)+) => {
        concat!($("imul eax, ", at!(a $i), ", 19\n mov ", at!(r $i), ", eax\n",)+)
    };
}
/// Twice the doubles.
macro_rules! four_times {
    ($($i:literal)+) => {
        concat!($("mov eax, ", at!(d $i), "\n add eax, eax\n mov ", at!(q $i), ", eax\n",)+)
    };
}

/// The carry of the top, in ebp:esi, returns times 19.
macro_rules! fold {
    () => {
        concat!(
            "mov eax, 19\n mul esi\n imul ebp, ebp, 19\n add edx, ebp\n add eax, ", at!(product 0),
            "\n adc edx, 0\n mov ecx, eax\n and ecx, (1 << 26) - 1\n mov ", at!(product 0),
            ", ecx\n shrd eax, edx, 26\n add ", at!(product 1), ", eax\n"
        )
    };
}

/// Runs instructions with the addresses of factors in esi and ebp, which they may change, and that of a frame in edi.
/// The compiler keeps the first two registers for itself, so they are saved and given back.
macro_rules! with_frame {
    ($a:expr, $b:expr, $($instructions:expr,)+) => {{
        let mut frame = MaybeUninit::<Frame>::uninit();
        // SAFETY: reads the limbs of the factors, reads and writes the frame, whose product is written whole,
        // and eight bytes of the stack that it takes and gives back. The registers are declared or restored.
        unsafe {
            asm!(
                "push esi\n push ebp\n mov esi, eax\n mov ebp, edx",
                $($instructions,)+
                "pop ebp\n pop esi",
                in("edi") frame.as_mut_ptr(),
                inout("eax") $a.as_ptr() => _,
                inout("edx") $b.as_ptr() => _,
                out("ecx") _,
                out("ebx") _,
            );
            (&raw const (*frame.as_ptr()).product).read()
        }
    }};
}

/// The product of factors: carried.
#[inline(always)]
pub(super) fn mul(a: &Limbs, b: &Limbs) -> Limbs {
    with_frame!(
        a,
        b,
        take_twice!("esi": 1 3 5 7 9),
        take!("esi" a: 0 2 4 6 8),
        // Limb 0 of b is in no product that goes around.
        take!("ebp" b: 0),
        take_19_times!("ebp": 1 2 3 4 5 6 7 8 9),
        "xor esi, esi\n xor ebp, ebp",
        column!(0 26 ecx ebx esi ebp; d 9 r 1, a 8 r 2, d 7 r 3, a 6 r 4, d 5 r 5, a 4 r 6, d 3 r 7, a 2 r 8, d 1 r 9, a 0 b 0),
        column!(1 25 esi ebp ecx ebx; a 9 r 2, a 8 r 3, a 7 r 4, a 6 r 5, a 5 r 6, a 4 r 7, a 3 r 8, a 2 r 9, a 1 b 0, a 0 b 1),
        column!(2 26 ecx ebx esi ebp; d 9 r 3, a 8 r 4, d 7 r 5, a 6 r 6, d 5 r 7, a 4 r 8, d 3 r 9, a 2 b 0, d 1 b 1, a 0 b 2),
        column!(3 25 esi ebp ecx ebx; a 9 r 4, a 8 r 5, a 7 r 6, a 6 r 7, a 5 r 8, a 4 r 9, a 3 b 0, a 2 b 1, a 1 b 2, a 0 b 3),
        column!(4 26 ecx ebx esi ebp; d 9 r 5, a 8 r 6, d 7 r 7, a 6 r 8, d 5 r 9, a 4 b 0, d 3 b 1, a 2 b 2, d 1 b 3, a 0 b 4),
        column!(5 25 esi ebp ecx ebx; a 9 r 6, a 8 r 7, a 7 r 8, a 6 r 9, a 5 b 0, a 4 b 1, a 3 b 2, a 2 b 3, a 1 b 4, a 0 b 5),
        column!(6 26 ecx ebx esi ebp; d 9 r 7, a 8 r 8, d 7 r 9, a 6 b 0, d 5 b 1, a 4 b 2, d 3 b 3, a 2 b 4, d 1 b 5, a 0 b 6),
        column!(7 25 esi ebp ecx ebx; a 9 r 8, a 8 r 9, a 7 b 0, a 6 b 1, a 5 b 2, a 4 b 3, a 3 b 4, a 2 b 5, a 1 b 6, a 0 b 7),
        column!(8 26 ecx ebx esi ebp; d 9 r 9, a 8 b 0, d 7 b 1, a 6 b 2, d 5 b 3, a 4 b 4, d 3 b 5, a 2 b 6, d 1 b 7, a 0 b 8),
        column!(9 25 esi ebp ecx ebx; a 9 b 0, a 8 b 1, a 7 b 2, a 6 b 3, a 5 b 4, a 4 b 5, a 3 b 6, a 2 b 7, a 1 b 8, a 0 b 9),
        fold!(),
    )
}

/// The square of a factor: carried.
#[inline(always)]
pub(super) fn square(a: &Limbs) -> Limbs {
    with_frame!(
        a,
        a,
        take_twice!("esi": 0 1 2 3 4 5 6 7 8 9),
        four_times!(1 3 5 7),
        times_19!(5 6 7 8 9),
        "xor esi, esi\n xor ebp, ebp",
        column!(0 26 ecx ebx esi ebp; d 4 r 6, q 3 r 7, d 2 r 8, q 1 r 9, d 5 r 5, a 0 a 0),
        column!(1 25 esi ebp ecx ebx; d 5 r 6, d 4 r 7, d 3 r 8, d 2 r 9, d 0 a 1),
        column!(2 26 ecx ebx esi ebp; q 5 r 7, d 4 r 8, q 3 r 9, a 6 r 6, d 1 a 1, d 0 a 2),
        column!(3 25 esi ebp ecx ebx; d 6 r 7, d 5 r 8, d 4 r 9, d 1 a 2, d 0 a 3),
        column!(4 26 ecx ebx esi ebp; d 6 r 8, q 5 r 9, d 7 r 7, a 2 a 2, q 1 a 3, d 0 a 4),
        column!(5 25 esi ebp ecx ebx; d 7 r 8, d 6 r 9, d 2 a 3, d 1 a 4, d 0 a 5),
        column!(6 26 ecx ebx esi ebp; q 7 r 9, a 8 r 8, d 3 a 3, d 2 a 4, q 1 a 5, d 0 a 6),
        column!(7 25 esi ebp ecx ebx; d 8 r 9, d 3 a 4, d 2 a 5, d 1 a 6, d 0 a 7),
        column!(8 26 ecx ebx esi ebp; d 9 r 9, a 4 a 4, q 3 a 5, d 2 a 6, q 1 a 7, d 0 a 8),
        column!(9 25 esi ebp ecx ebx; d 4 a 5, d 3 a 6, d 2 a 7, d 1 a 8, d 0 a 9),
        fold!(),
    )
}

#[cfg(test)]
mod tests {
    use super::super::radix25::{bits, schoolbook};
    use super::super::tests::long::LONG;
    use super::Limbs;
    use crate::adversary::Adversary;
    use proptest::prelude::*;

    /// The sums of a product, carried in one chain.
    fn carried(sums: [u64; 10]) -> Limbs {
        let mut limbs = [0; 10];
        let mut carry = 0;
        for (i, sum) in sums.into_iter().enumerate() {
            let sum = sum + carry;
            limbs[i] = (sum & ((1 << bits(i)) - 1)) as u32;
            carry = sum >> bits(i);
        }
        let lowest = u64::from(limbs[0]) + 19 * carry;
        limbs[0] = (lowest & ((1 << 26) - 1)) as u32;
        limbs[1] += (lowest >> 26) as u32;
        limbs
    }

    /// Limbs up to the most that a factor may have, and often that.
    fn factor() -> impl Strategy<Value = Limbs> {
        proptest::array::uniform10(any::<u32>()).prop_map(|words| {
            core::array::from_fn(|i| {
                let most = (194 << (bits(i) - 6)) - 1;
                match words[i] & 3 {
                    0 => most,
                    1 => 0,
                    _ => (words[i] >> 2) % most,
                }
            })
        })
    }

    fn check(a: &Limbs, b: &Limbs) {
        assert_eq!(super::mul(a, b), carried(schoolbook(a, b)), "{a:x?} {b:x?}");
        assert_eq!(super::square(a), carried(schoolbook(a, a)), "{a:x?}");
    }

    #[test]
    fn limbs_are_those_of_the_sums_at_the_edges() {
        let edges: [Limbs; 3] = [
            core::array::from_fn(|i| (194 << (bits(i) - 6)) - 1),
            core::array::from_fn(|i| (1 << bits(i)) - 1),
            [0; 10],
        ];
        for a in &edges {
            for b in &edges {
                for i in 0..10 {
                    let mut x = *a;
                    x[i] = b[i];
                    check(&x, b);
                    check(b, &x);
                }
            }
        }
    }

    /// Limb by limb; that the sums are right is for the tests of the representation.
    #[test]
    #[ignore = "long: a million inputs"]
    fn limbs_are_those_of_the_sums_long() {
        let source = &mut Adversary::new(4);
        for _ in 0..LONG {
            let [a, b] = [(); 2].map(|()| -> Limbs {
                source.begin();
                core::array::from_fn(|i| source.limb((194 << (bits(i) - 6)) - 1) as u32)
            });
            check(&a, &b);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn limbs_are_those_of_the_sums(a in factor(), b in factor()) {
            check(&a, &b);
        }
    }
}
