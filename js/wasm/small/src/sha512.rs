//! SHA-512 (FIPS 180-4), rolled up for size.

use lanner_wasm_curve::constants::Constants;
use lanner_wasm_curve::vector::Two;

/// Between a word and its big-endian octets. WebAssembly has no instruction for it but the shuffle: one copy.
#[inline(never)]
fn swap(word: u64) -> u64 {
    Two::splat(word as i64).swapped().words()[0]
}

/// A hash under way.
#[repr(C)]
pub struct Sha512 {
    state: [u64; 8],
    block: [u8; 128],
    /// Octets taken so far.
    length: u64,
}

impl Sha512 {
    pub(crate) const EMPTY: Self = Self {
        state: [0; 8],
        block: [0; 128],
        length: 0,
    };

    pub(crate) fn start(&mut self, constants: &Constants) {
        self.state = constants.start;
        self.length = 0;
    }

    #[inline(never)]
    pub(crate) fn update(&mut self, constants: &Constants, data: &[u8]) {
        let mut data = data;
        while !data.is_empty() {
            let (now, rest) = data.split_at(data.len().min(128 - self.length as usize % 128));
            data = rest;
            for (to, from) in self.block[self.length as usize % 128..].iter_mut().zip(now) {
                *to = *from;
            }
            self.length += now.len() as u64;
            if self.length.is_multiple_of(128) {
                self.compress(constants);
            }
        }
    }

    #[inline(never)]
    pub(crate) fn finish(&mut self, constants: &Constants) -> [u8; 64] {
        let bits = self.length * 8;
        self.update(constants, &[0x80]);
        while self.length % 128 != 112 {
            self.update(constants, &[0]);
        }
        self.update(
            constants,
            [0, swap(bits)].map(u64::to_le_bytes).as_flattened(),
        );
        let mut digest = [0; 64];
        for i in 0..8 {
            digest[8 * i..8 * i + 8].copy_from_slice(&swap(self.state[i]).to_le_bytes());
        }
        digest
    }

    #[inline(never)]
    fn compress(&mut self, constants: &Constants) {
        let w = schedule(&self.block);
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = self.state;
        for i in 0..80 {
            let s1 = e.rotate_right(14) ^ e.rotate_right(18) ^ e.rotate_right(41);
            let s0 = a.rotate_right(28) ^ a.rotate_right(34) ^ a.rotate_right(39);
            let t = h
                .wrapping_add(s1)
                .wrapping_add(g ^ e & (f ^ g))
                .wrapping_add(constants.rounds[i])
                .wrapping_add(w[i]);
            h = g;
            g = f;
            f = e;
            e = d.wrapping_add(t);
            d = c;
            c = b;
            b = a;
            a = t.wrapping_add(s0).wrapping_add(b & (c ^ d) ^ c & d);
        }
        let words = [a, b, c, d, e, f, g, h];
        for i in 0..8 {
            self.state[i] = self.state[i].wrapping_add(words[i]);
        }
    }
}

/// The words of the schedule, in vectors: four fifths of the time that a hash takes without, and 60 bytes in a bundle.
#[cfg(all(
    feature = "sign",
    any(target_feature = "simd128", not(target_arch = "wasm32"))
))]
#[inline(always)]
fn schedule(block: &[u8; 128]) -> [u64; 80] {
    use lanner_wasm_curve::schedule::{next, of_block};

    let mut w = of_block(block);
    for i in 8..40 {
        w[i] = next(&w, i);
    }
    Two::flat(w)
}

/// The same one by one: for verification alone, which leaves long messages to the engine, and for engines without vectors.
#[cfg(not(all(
    feature = "sign",
    any(target_feature = "simd128", not(target_arch = "wasm32"))
)))]
#[inline(always)]
fn schedule(block: &[u8; 128]) -> [u64; 80] {
    let mut w = [0; 80];
    for i in 0..16 {
        let mut word = [0; 8];
        word.copy_from_slice(&block[8 * i..8 * i + 8]);
        w[i] = swap(u64::from_le_bytes(word));
    }
    for i in 16..80 {
        let (x, y): (u64, u64) = (w[i - 15], w[i - 2]);
        let s0 = x.rotate_right(1) ^ x.rotate_right(8) ^ (x >> 7);
        let s1 = y.rotate_right(19) ^ y.rotate_right(61) ^ (y >> 6);
        w[i] = s0
            .wrapping_add(s1)
            .wrapping_add(w[i - 16])
            .wrapping_add(w[i - 7]);
    }
    w
}
