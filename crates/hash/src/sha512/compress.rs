//! The compression function of SHA-512 (FIPS 180-4, 6.4.2), on lanes.

use super::constants::ROUND;
use lanner_simd::U64;

use crate::vectors::{Kernel, MAX_LANES};

/// The states of the messages at work: the same word of all of them side by side.
pub(super) type States = [[u64; MAX_LANES]; 8];

/// Hashes one block into each of the first lanes, as many as the vectors have.
pub(super) struct Compress<'a> {
    pub(super) states: &'a mut States,
    pub(super) blocks: &'a [&'a [u8; 128]; MAX_LANES],
}

macro_rules! rotate_right {
    ($x:expr, $bits:literal) => {
        $x.rotate_left::<{ 64 - $bits }, $bits>()
    };
}

/// One round, with the names of the standard; instead of moving the words along, the caller
/// renames them. `$differences` is `$b` ^ `$c` before and `$a` ^ `$b` after it.
macro_rules! round {
    (
        $a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident,
        $differences:ident, $input:expr
    ) => {
        let sum1 = rotate_right!($e, 14).xor3(rotate_right!($e, 18), rotate_right!($e, 41));
        // What is known first is added first.
        let t1 = $h.add($input).add($e.choose($f, $g)).add(sum1);
        let sum0 = rotate_right!($a, 28).xor3(rotate_right!($a, 34), rotate_right!($a, 39));
        let t2 = $a.majority($b, $c, &mut $differences).add(sum0);
        $d = $d.add(t1);
        $h = t1.add(t2);
    };
}

/// W(t) from the 16 words before it (6.4.2, step 1), in place of W(t-16).
macro_rules! schedule {
    ($w:ident, $i:expr) => {{
        let (w15, w2) = ($w[($i + 1) % 16], $w[($i + 14) % 16]);
        let sigma0 = rotate_right!(w15, 1).xor3(rotate_right!(w15, 8), w15.shr::<7>());
        let sigma1 = rotate_right!(w2, 19).xor3(rotate_right!(w2, 61), w2.shr::<6>());
        $w[$i] = $w[$i].add($w[($i + 9) % 16]).add(sigma0).add(sigma1);
        $w[$i]
    }};
}

impl Kernel for Compress<'_> {
    #[inline(always)]
    fn run<V: U64>(self) {
        // A closure might not be inlined, see `Kernel`.
        macro_rules! load {
            ($row:ident) => {
                V::load($row)
            };
        }
        let [s0, s1, s2, s3, s4, s5, s6, s7] = &*self.states;
        let (mut a, mut b, mut c, mut d) = (load!(s0), load!(s1), load!(s2), load!(s3));
        let (mut e, mut f, mut g, mut h) = (load!(s4), load!(s5), load!(s6), load!(s7));
        let mut w = V::load_blocks_be(self.blocks);
        let mut differences = b.xor(c);

        macro_rules! eight_rounds {
            ($t:expr, $base:literal, $word:ident) => {
                round!(a b c d e f g h, differences, $word!($t, $base));
                round!(h a b c d e f g, differences, $word!($t, $base + 1));
                round!(g h a b c d e f, differences, $word!($t, $base + 2));
                round!(f g h a b c d e, differences, $word!($t, $base + 3));
                round!(e f g h a b c d, differences, $word!($t, $base + 4));
                round!(d e f g h a b c, differences, $word!($t, $base + 5));
                round!(c d e f g h a b, differences, $word!($t, $base + 6));
                round!(b c d e f g h a, differences, $word!($t, $base + 7));
            };
        }
        macro_rules! message_word {
            ($t:expr, $i:expr) => {
                w[$i].add(V::splat(ROUND[$i]))
            };
        }
        macro_rules! scheduled_word {
            ($t:expr, $i:expr) => {
                schedule!(w, $i).add(V::splat($t[$i]))
            };
        }

        eight_rounds!((), 0, message_word);
        eight_rounds!((), 8, message_word);
        let (constants, _) = ROUND.as_chunks::<16>();
        for constants in &constants[1..] {
            eight_rounds!(constants, 0, scheduled_word);
            eight_rounds!(constants, 8, scheduled_word);
        }

        let results = [a, b, c, d, e, f, g, h];
        for (row, result) in self.states.iter_mut().zip(results) {
            V::load(row).add(result).store(row);
        }
    }
}
