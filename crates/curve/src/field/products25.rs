//! Products of ten limbs of 26 and 25 bits in assembly, of instructions that every 32-bit x86 processor has.
//!
//! As in `products51` for 64 bits: a product is added to its column where it is made. There are seven registers, so
//! the factors stay in memory. A column begins with what the one before carries, both words of it.
//!
//! The sums are those of `radix25`. They are carried in one chain, from limb 0 to limb 9, around and into limb 1: with
//! sums below 2^62.2, the carry of the top is below 2^37.3, and 19 times it below 2^41.6, so that limb 1 ends below
//! 2^25 + 2^16.
#![allow(unsafe_code)]

use super::radix25::Limbs;
use core::arch::asm;
use core::mem::MaybeUninit;

/// Multiples of limbs, and the limbs of the product.
#[repr(C)]
struct Frame {
    /// 19 times the limbs of a factor.
    r: Limbs,
    /// Twice the limbs of a factor.
    d: Limbs,
    /// Four times.
    q: Limbs,
    product: Limbs,
}

/// Limb `i` of a factor or of its multiples.
macro_rules! at {
    (a $i:literal) => {
        concat!("[esi + 4*", $i, "]")
    };
    (b $i:literal) => {
        concat!("[ebp + 4*", $i, "]")
    };
    (r $i:literal) => {
        concat!("[edi + 4*", $i, "]")
    };
    (d $i:literal) => {
        concat!("[edi + 40 + 4*", $i, "]")
    };
    (q $i:literal) => {
        concat!("[edi + 80 + 4*", $i, "]")
    };
    (product $i:literal) => {
        concat!("[edi + 120 + 4*", $i, "]")
    };
}

/// Adds products to ebx:ecx, takes off the limb and leaves the carry.
macro_rules! column {
    ($k:literal $bits:literal; $($x:ident $i:literal $y:ident $j:literal),+) => {
        concat!(
            $(
                "mov eax, ", at!($x $i), "\n mul dword ptr ", at!($y $j),
                "\n add ecx, eax\n adc ebx, edx\n",
            )+
            "mov eax, ecx\n and eax, (1 << ", $bits, ") - 1\n mov ", at!(product $k),
            ", eax\n shrd ecx, ebx, ", $bits, "\n shr ebx, ", $bits, "\n"
        )
    };
}

/// Writes multiples of the limbs at `$of`.
macro_rules! times_19 {
    ($of:ident: $($i:literal)+) => {
        concat!($("imul eax, ", at!($of $i), ", 19\n mov ", at!(r $i), ", eax\n",)+)
    };
}
macro_rules! twice {
    ($to:ident $of:ident: $($i:literal)+) => {
        concat!($("mov eax, ", at!($of $i), "\n add eax, eax\n mov ", at!($to $i), ", eax\n",)+)
    };
}

/// The carry of the top returns times 19.
macro_rules! fold {
    () => {
        concat!(
            "mov eax, 19\n mul ecx\n imul ebx, ebx, 19\n add edx, ebx\n add eax, ", at!(product 0),
            "\n adc edx, 0\n mov ecx, eax\n and ecx, (1 << 26) - 1\n mov ", at!(product 0),
            ", ecx\n shrd eax, edx, 26\n add ", at!(product 1), ", eax\n"
        )
    };
}

/// Runs instructions with the addresses of factors in esi and ebp, and of a frame in edi. The compiler keeps the first
/// two registers for itself, so they are saved and given back.
macro_rules! with_frame {
    ($a:expr, $b:expr, $($instructions:expr,)+) => {{
        let mut frame = MaybeUninit::<Frame>::uninit();
        // SAFETY: reads the limbs of the factors, reads and writes the frame, whose product is written whole,
        // and eight bytes of the stack that it takes and gives back. The registers are declared or restored.
        unsafe {
            asm!(
                "push esi\n push ebp\n mov esi, eax\n mov ebp, edx\n xor ecx, ecx\n xor ebx, ebx",
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
        times_19!(b: 1 2 3 4 5 6 7 8 9),
        twice!(d a: 1 3 5 7 9),
        column!(0 26; a 0 b 0, d 1 r 9, a 2 r 8, d 3 r 7, a 4 r 6, d 5 r 5, a 6 r 4, d 7 r 3, a 8 r 2, d 9 r 1),
        column!(1 25; a 0 b 1, a 1 b 0, a 2 r 9, a 3 r 8, a 4 r 7, a 5 r 6, a 6 r 5, a 7 r 4, a 8 r 3, a 9 r 2),
        column!(2 26; a 0 b 2, d 1 b 1, a 2 b 0, d 3 r 9, a 4 r 8, d 5 r 7, a 6 r 6, d 7 r 5, a 8 r 4, d 9 r 3),
        column!(3 25; a 0 b 3, a 1 b 2, a 2 b 1, a 3 b 0, a 4 r 9, a 5 r 8, a 6 r 7, a 7 r 6, a 8 r 5, a 9 r 4),
        column!(4 26; a 0 b 4, d 1 b 3, a 2 b 2, d 3 b 1, a 4 b 0, d 5 r 9, a 6 r 8, d 7 r 7, a 8 r 6, d 9 r 5),
        column!(5 25; a 0 b 5, a 1 b 4, a 2 b 3, a 3 b 2, a 4 b 1, a 5 b 0, a 6 r 9, a 7 r 8, a 8 r 7, a 9 r 6),
        column!(6 26; a 0 b 6, d 1 b 5, a 2 b 4, d 3 b 3, a 4 b 2, d 5 b 1, a 6 b 0, d 7 r 9, a 8 r 8, d 9 r 7),
        column!(7 25; a 0 b 7, a 1 b 6, a 2 b 5, a 3 b 4, a 4 b 3, a 5 b 2, a 6 b 1, a 7 b 0, a 8 r 9, a 9 r 8),
        column!(8 26; a 0 b 8, d 1 b 7, a 2 b 6, d 3 b 5, a 4 b 4, d 5 b 3, a 6 b 2, d 7 b 1, a 8 b 0, d 9 r 9),
        column!(9 25; a 0 b 9, a 1 b 8, a 2 b 7, a 3 b 6, a 4 b 5, a 5 b 4, a 6 b 3, a 7 b 2, a 8 b 1, a 9 b 0),
        fold!(),
    )
}

/// The square of a factor: carried.
#[inline(always)]
pub(super) fn square(a: &Limbs) -> Limbs {
    with_frame!(
        a,
        a,
        times_19!(a: 5 6 7 8 9),
        twice!(d a: 0 1 2 3 4 5 6 7 8 9),
        twice!(q d: 1 3 5 7),
        column!(0 26; a 0 a 0, d 5 r 5, q 1 r 9, d 2 r 8, q 3 r 7, d 4 r 6),
        column!(1 25; d 0 a 1, d 2 r 9, d 3 r 8, d 4 r 7, d 5 r 6),
        column!(2 26; d 0 a 2, d 1 a 1, a 6 r 6, q 3 r 9, d 4 r 8, q 5 r 7),
        column!(3 25; d 0 a 3, d 1 a 2, d 4 r 9, d 5 r 8, d 6 r 7),
        column!(4 26; d 0 a 4, q 1 a 3, a 2 a 2, d 7 r 7, q 5 r 9, d 6 r 8),
        column!(5 25; d 0 a 5, d 1 a 4, d 2 a 3, d 6 r 9, d 7 r 8),
        column!(6 26; d 0 a 6, q 1 a 5, d 2 a 4, d 3 a 3, a 8 r 8, q 7 r 9),
        column!(7 25; d 0 a 7, d 1 a 6, d 2 a 5, d 3 a 4, d 8 r 9),
        column!(8 26; d 0 a 8, q 1 a 7, d 2 a 6, q 3 a 5, a 4 a 4, d 9 r 9),
        column!(9 25; d 0 a 9, d 1 a 8, d 2 a 7, d 3 a 6, d 4 a 5),
        fold!(),
    )
}

#[cfg(test)]
mod tests {
    use super::super::radix25::{bits, schoolbook};
    use super::Limbs;
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

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn limbs_are_those_of_the_sums(a in factor(), b in factor()) {
            check(&a, &b);
        }
    }
}
