//! SHA-512 (FIPS 180-4), rolled up for size.

/// The first 64 bits of the fractional part of the root of a prime: the square root (`degree` 2)
/// or the cube root (3), FIPS 180-4 sections 4.2.3 and 5.3.5.
const fn root(prime: u64, degree: u32) -> u64 {
    // The largest r with r^degree < prime 2^(64 degree), bit by bit; r has at most 68 bits.
    let mut r: u128 = 0;
    let mut bit = 68;
    while bit > 0 {
        bit -= 1;
        let t = r | 1 << bit;
        // t as words of 32 bits, to the power.
        let mut power = [0_u64; 12];
        power[0] = 1;
        let mut n = 0;
        while n < degree {
            let mut product = [0_u64; 12];
            let mut i = 0;
            while i < 9 {
                let mut carry = 0;
                let mut j = 0;
                while j < 3 {
                    let s = product[i + j] + power[i] * ((t >> (32 * j)) as u32 as u64) + carry;
                    product[i + j] = s as u32 as u64;
                    carry = s >> 32;
                    j += 1;
                }
                product[i + 3] = carry;
                i += 1;
            }
            power = product;
            n += 1;
        }
        let at = 2 * degree as usize;
        let whole = power[at] | power[at + 1] << 32;
        if whole < prime {
            r = t;
        }
    }
    r as u64
}

const fn roots<const N: usize>(degree: u32) -> [u64; N] {
    let mut roots = [0; N];
    let mut n = 0;
    let mut candidate = 2;
    while n < N {
        let mut divisor = 2;
        while candidate % divisor != 0 {
            divisor += 1;
        }
        if divisor == candidate {
            roots[n] = root(candidate, degree);
            n += 1;
        }
        candidate += 1;
    }
    roots
}

#[allow(long_running_const_eval)]
static K: [u64; 80] = roots(3);
const IV: [u64; 8] = roots(2);

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

    pub(crate) fn start(&mut self) {
        self.state = IV;
        self.length = 0;
    }

    #[inline(never)]
    pub(crate) fn update(&mut self, data: &[u8]) {
        for &byte in data {
            self.block[self.length as usize % 128] = byte;
            self.length += 1;
            if self.length.is_multiple_of(128) {
                self.compress();
            }
        }
    }

    #[inline(never)]
    pub(crate) fn finish(&mut self) -> [u8; 64] {
        let bits = self.length * 8;
        self.update(&[0x80]);
        while self.length % 128 != 112 {
            self.update(&[0]);
        }
        self.update(&[0; 8]);
        self.update(&swap(bits).to_ne_bytes());
        let mut digest = [0; 64];
        for i in 0..8 {
            digest[8 * i..8 * i + 8].copy_from_slice(&swap(self.state[i]).to_ne_bytes());
        }
        digest
    }

    #[inline(never)]
    fn compress(&mut self) {
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
                .wrapping_add(K[i])
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
