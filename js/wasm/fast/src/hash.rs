//! SHA-512 (FIPS 180-4): sixteen rounds in a row, five times, with two words of the schedule in a vector.

use lanner_wasm_curve::constants::Constants;
use lanner_wasm_curve::vector::Two;

const BLOCK: usize = 128;

/// A hash under way. All zeros is a value, because the other side overwrites it with zeros.
#[repr(C)]
pub(crate) struct Hash {
    state: [u64; 8],
    block: [u8; BLOCK],
    /// Octets taken so far.
    length: u64,
}

impl Hash {
    pub(crate) const EMPTY: Self = Self {
        state: [0; 8],
        block: [0; BLOCK],
        length: 0,
    };

    #[inline(always)]
    pub(crate) fn start(&mut self, constants: &Constants) {
        self.state = constants.start;
        self.length = 0;
    }

    #[inline(never)]
    pub(crate) fn update(&mut self, constants: &Constants, mut data: &[u8]) {
        while !data.is_empty() {
            let at = self.length as usize % BLOCK;
            let (now, rest) = data.split_at((BLOCK - at).min(data.len()));
            data = rest;
            self.length += now.len() as u64;
            if let Ok(block) = now.try_into() {
                compress(&mut self.state, constants, block);
                continue;
            }
            for (to, from) in self.block[at..].iter_mut().zip(now) {
                *to = *from;
            }
            if at + now.len() == BLOCK {
                compress(&mut self.state, constants, &self.block);
            }
        }
    }

    #[inline(never)]
    pub(crate) fn finish(&mut self, constants: &Constants) -> [u8; 64] {
        let bits = self.length * 8;
        // A one, zeros to 16 octets before the end of a block, and the length.
        let mut padding = [0; BLOCK];
        padding[0] = 0x80;
        let zeros = 111_usize.wrapping_sub(self.length as usize) % BLOCK;
        self.update(constants, &padding[..1 + zeros]);
        self.update(constants, &u128::from(bits).to_be_bytes());
        let mut digest = [0; 64];
        for (octets, word) in digest.chunks_exact_mut(8).zip(self.state) {
            octets.copy_from_slice(&word.to_be_bytes());
        }
        digest
    }
}

/// Two words of the schedule: a rotation to the right by each of two numbers, and a shift by a third.
macro_rules! sigma {
    ($x:expr, $a:literal, $b:literal, $c:literal) => {{
        let x = $x;
        let a = x.shr::<$a>().xor(x.shl::<{ 64 - $a }>());
        let b = x.shr::<$b>().xor(x.shl::<{ 64 - $b }>());
        a.xor(b).xor(x.shr::<$c>())
    }};
}

/// Takes a block into the state.
#[inline(never)]
fn compress(state: &mut [u64; 8], constants: &Constants, block: &[u8; BLOCK]) {
    let mut w = [Two::splat(0); 8];
    for (w, octets) in w.iter_mut().zip(block.as_chunks().0) {
        *w = Two::from_be_bytes(octets);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    macro_rules! round {
        ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident, $w:expr) => {
            let s1 = $e.rotate_right(14) ^ $e.rotate_right(18) ^ $e.rotate_right(41);
            let s0 = $a.rotate_right(28) ^ $a.rotate_right(34) ^ $a.rotate_right(39);
            let t = $h
                .wrapping_add($w)
                .wrapping_add($g ^ $e & ($f ^ $g))
                .wrapping_add(s1);
            $d = $d.wrapping_add(t);
            $h = t.wrapping_add(s0).wrapping_add($a & $b | $c & ($a | $b));
        };
    }
    for rounds in constants.rounds.as_chunks::<16>().0 {
        // The last turn makes words that nobody takes.
        macro_rules! rounds {
            ($($i:literal: $a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident;)*) => {$(
                let constant = Two::new([rounds[2 * $i] as i64, rounds[2 * $i + 1] as i64]);
                let [first, last] = w[$i].wrapping_add(constant).words();
                round!($a $b $c $d $e $f $g $h, first);
                round!($h $a $b $c $d $e $f $g, last);
                let s0 = sigma!(Two::between(w[$i], w[($i + 1) % 8]), 1, 8, 7);
                let s1 = sigma!(w[($i + 7) % 8], 19, 61, 6);
                w[$i] = w[$i]
                    .wrapping_add(s0)
                    .wrapping_add(s1)
                    .wrapping_add(Two::between(w[($i + 4) % 8], w[($i + 5) % 8]));
            )*};
        }
        rounds! {
            0: a b c d e f g h;
            1: g h a b c d e f;
            2: e f g h a b c d;
            3: c d e f g h a b;
            4: a b c d e f g h;
            5: g h a b c d e f;
            6: e f g h a b c d;
            7: c d e f g h a b;
        }
    }
    for (word, sum) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(sum);
    }
}
