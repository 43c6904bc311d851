//! SHA-512 (FIPS 180-4) of one message, in little code.

use super::BLOCK;
use super::constants::{INITIAL, ROUND};
use digest::common::{BlockSizeUser, Output};
use digest::consts::{U64, U128};
use digest::{FixedOutput, HashMarker, OutputSizeUser, Update};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// SHA-512 of one message, in about a kilobyte of code where the fast ones have tens: for programs
/// that must be small. A [`Digest`](digest::Digest), like `sha2::Sha512`, and with the same results.
///
/// Constant time in the bytes of the message, not in its length. Wiped when dropped.
///
/// ```
/// use digest::Digest;
/// use lanner_hash::sha512::Compact;
///
/// assert_eq!(Compact::digest(b"abc")[..4], [0xdd, 0xaf, 0x35, 0xa1]);
/// ```
#[derive(Clone)]
pub struct Compact {
    state: [u64; 8],
    /// The message after its last whole block.
    buffer: [u8; BLOCK],
    /// The length of the message in bytes.
    length: u64,
}

impl Default for Compact {
    fn default() -> Self {
        Self {
            state: INITIAL,
            buffer: [0; BLOCK],
            length: 0,
        }
    }
}

impl Compact {
    fn filled(&self) -> usize {
        self.length as usize % BLOCK
    }

    /// Absorbs the buffer (6.2.2, with the functions of 4.1.3).
    #[inline(never)]
    fn compress(&mut self) {
        let mut w = [0u64; 16];
        let (words, _) = self.buffer.as_chunks::<8>();
        for (w, bytes) in w.iter_mut().zip(words) {
            *w = u64::from_be_bytes(*bytes);
        }
        let mut s = self.state;
        for (t, k) in ROUND.iter().enumerate() {
            let word = w[t % 16];
            let [a, b, c, d, e, f, g, h] = s;
            let sum1 = e.rotate_right(14) ^ e.rotate_right(18) ^ e.rotate_right(41);
            let t1 = h
                .wrapping_add(sum1)
                .wrapping_add(g ^ (e & (f ^ g)))
                .wrapping_add(*k)
                .wrapping_add(word);
            let sum0 = a.rotate_right(28) ^ a.rotate_right(34) ^ a.rotate_right(39);
            let t2 = sum0.wrapping_add((a & b) | (c & (a | b)));
            s = [t1.wrapping_add(t2), a, b, c, d.wrapping_add(t1), e, f, g];

            let (w15, w2) = (w[(t + 1) % 16], w[(t + 14) % 16]);
            let sigma0 = w15.rotate_right(1) ^ w15.rotate_right(8) ^ (w15 >> 7);
            let sigma1 = w2.rotate_right(19) ^ w2.rotate_right(61) ^ (w2 >> 6);
            w[t % 16] = word
                .wrapping_add(w[(t + 9) % 16])
                .wrapping_add(sigma0)
                .wrapping_add(sigma1);
        }
        for (sum, word) in self.state.iter_mut().zip(s) {
            *sum = sum.wrapping_add(word);
        }
        w.zeroize();
    }
}

impl Update for Compact {
    fn update(&mut self, data: &[u8]) {
        for &byte in data {
            let at = self.filled();
            self.buffer[at] = byte;
            self.length += 1;
            if at == BLOCK - 1 {
                self.compress();
            }
        }
    }
}

impl BlockSizeUser for Compact {
    type BlockSize = U128;
}

impl OutputSizeUser for Compact {
    type OutputSize = U64;
}

impl FixedOutput for Compact {
    fn finalize_into(mut self, out: &mut Output<Self>) {
        let bits = u128::from(self.length) << 3;
        self.update(&[0x80]);
        while self.filled() != BLOCK - 16 {
            self.update(&[0]);
        }
        self.update(&bits.to_be_bytes());
        for (bytes, word) in out.chunks_exact_mut(8).zip(self.state) {
            bytes.copy_from_slice(&word.to_be_bytes());
        }
    }
}

impl HashMarker for Compact {}

impl Drop for Compact {
    fn drop(&mut self) {
        self.state.zeroize();
        self.buffer.zeroize();
    }
}

impl ZeroizeOnDrop for Compact {}
