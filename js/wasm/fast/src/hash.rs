//! SHA-512 (FIPS 180-4): eight rounds in a row, ten times, and beside them the schedule, two words in a vector.

use lanner_wasm_curve::constants::Constants;
use lanner_wasm_curve::schedule;
use lanner_wasm_curve::vector::Two;

const BLOCK: usize = 128;

/// A hash under way. All zeros is a value, because the other side overwrites it with zeros.
#[repr(C)]
pub struct Hash {
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

/// Takes a block into the state.
#[inline(never)]
fn compress(state: &mut [u64; 8], constants: &Constants, block: &[u8; BLOCK]) {
    // The last two turns make words that nobody takes.
    let mut w: [Two; 48] = schedule::of_block(block);
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    let mut differ = b ^ c;
    for (turn, constants) in constants.rounds.as_chunks::<8>().0.iter().enumerate() {
        let word = |w: &[Two; 48], i: usize| {
            let both = w[4 * turn + i / 2].words();
            both[i % 2].wrapping_add(constants[i])
        };
        // A round leaves its variables to the next one by their names. The majority is b unless a and b differ and b
        // and c do, which is known from the round before.
        macro_rules! round {
            ($i:literal: $a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident) => {
                let s1 = $e.rotate_right(14) ^ $e.rotate_right(18) ^ $e.rotate_right(41);
                let s0 = $a.rotate_right(28) ^ $a.rotate_right(34) ^ $a.rotate_right(39);
                let now = $a ^ $b;
                let t = $h
                    .wrapping_add(word(&w, $i))
                    .wrapping_add($g ^ $e & ($f ^ $g));
                // The sums that the next round waits for are short.
                $d = $d.wrapping_add(t).wrapping_add(s1);
                $h = t
                    .wrapping_add(s0.wrapping_add($b ^ now & differ))
                    .wrapping_add(s1);
                differ = now;
            };
        }
        // Two words of the schedule, eight rounds ahead of what is taken, so that neither waits for the other.
        macro_rules! schedule {
            ($i:literal) => {
                let i = 4 * turn + $i + 8;
                w[i] = schedule::next(&w, i);
            };
        }
        round!(0: a b c d e f g h);
        round!(1: h a b c d e f g);
        schedule!(0);
        round!(2: g h a b c d e f);
        round!(3: f g h a b c d e);
        schedule!(1);
        round!(4: e f g h a b c d);
        round!(5: d e f g h a b c);
        schedule!(2);
        round!(6: c d e f g h a b);
        round!(7: b c d e f g h a);
        schedule!(3);
    }
    for (word, sum) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(sum);
    }
}
