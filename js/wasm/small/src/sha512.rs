//! SHA-512 (FIPS 180-4), rolled up for size.

/// The constants: the first 64 bits of the fractional parts of roots of the first primes. They are
/// computed, because they do not compress.
pub(crate) struct Constants {
    /// Of cube roots (FIPS 180-4 section 4.2.3).
    rounds: [u64; 80],
    /// Of square roots (section 5.3.5), where a hash starts.
    start: [u64; 8],
}

impl Constants {
    pub(crate) const EMPTY: Self = Self {
        rounds: [0; 80],
        start: [0; 8],
    };

    pub(crate) fn fill(&mut self) {
        let mut n = 0;
        let mut candidate = 2_u32;
        while n < 80 {
            let mut divisor = 2;
            while !candidate.is_multiple_of(divisor) {
                divisor += 1;
            }
            if divisor == candidate {
                self.rounds[n] = root(candidate, 3);
                if let Some(start) = self.start.get_mut(n) {
                    *start = root(candidate, 2);
                }
                n += 1;
            }
            candidate += 1;
        }
    }
}

/// The first 64 bits of the fractional part of the root of a prime.
#[inline(never)]
fn root(prime: u32, degree: usize) -> u64 {
    const WORD: f64 = 4294967296.0;
    let prime = f64::from(prime);
    // Newton's iteration, from above: 51 bits are right.
    let mut x = prime;
    let mut slope = 0.0;
    for _ in 0..24 {
        let power = if degree == 3 { x * x } else { x };
        slope = degree as f64 * power;
        x -= (x * power - prime) / slope;
    }
    // The same as an integer in words of 32 bits, times 2^64; and its power.
    let whole = x as u32;
    let low = ((x - f64::from(whole)) * (WORD * WORD)) as u64;
    let mut r = [0_u64; 8];
    r[0] = low & 0xffff_ffff;
    r[1] = low >> 32;
    r[2] = whole.into();
    let mut power = r;
    for _ in 1..degree {
        let mut product = [0_u64; 8];
        for i in 0..6 {
            for j in 0..3 {
                let s = product[(i + j) % 8] + power[i] * r[j];
                product[(i + j) % 8] = s & 0xffff_ffff;
                product[(i + j + 1) % 8] += s >> 32;
            }
        }
        power = product;
    }
    // What is missing, of which the upper words cancel; and one more iteration.
    let mut rest = prime;
    for i in 0..4 {
        rest = rest * if i > 0 { WORD } else { 1.0 } - power[(2 * degree - i) % 8] as f64;
    }
    const OFFSET: f64 = 1048576.0;
    low.wrapping_add((rest / WORD / slope + OFFSET) as u64)
        .wrapping_sub(OFFSET as u64)
}

/// Between a word and its big-endian octets. WebAssembly has no instruction for it: one copy.
#[inline(never)]
fn swap(word: u64) -> u64 {
    word.to_be()
}

/// A hash under way.
#[repr(C)]
pub(crate) struct Sha512 {
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
        for &byte in data {
            self.block[self.length as usize % 128] = byte;
            self.length += 1;
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
        self.update(constants, &[0; 8]);
        self.update(constants, &swap(bits).to_ne_bytes());
        let mut digest = [0; 64];
        for i in 0..8 {
            digest[8 * i..8 * i + 8].copy_from_slice(&swap(self.state[i]).to_ne_bytes());
        }
        digest
    }

    #[inline(never)]
    fn compress(&mut self, constants: &Constants) {
        let mut w = [0; 80];
        for i in 0..16 {
            let mut word = [0; 8];
            word.copy_from_slice(&self.block[8 * i..8 * i + 8]);
            w[i] = swap(u64::from_ne_bytes(word));
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
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = self.state;
        for i in 0..80 {
            let s1 = e.rotate_right(14) ^ e.rotate_right(18) ^ e.rotate_right(41);
            let s0 = a.rotate_right(28) ^ a.rotate_right(34) ^ a.rotate_right(39);
            let t = h
                .wrapping_add(s1)
                .wrapping_add((e & f) ^ (!e & g))
                .wrapping_add(constants.rounds[i])
                .wrapping_add(w[i]);
            h = g;
            g = f;
            f = e;
            e = d.wrapping_add(t);
            d = c;
            c = b;
            b = a;
            a = t.wrapping_add(s0).wrapping_add((b & c) ^ (b & d) ^ (c & d));
        }
        let words = [a, b, c, d, e, f, g, h];
        for i in 0..8 {
            self.state[i] = self.state[i].wrapping_add(words[i]);
        }
    }
}
