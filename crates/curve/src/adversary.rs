//! Limbs and words that carries and reductions tend to get wrong, without end: also the tests of js/wasm include this file.

// Each of the tests that share this uses a part of it.
#![allow(dead_code)]

/// A generator of words (Steele, Lea, Flood 2014), so that a failure repeats itself, and how it makes the limbs of the element
/// that it is at.
pub(crate) struct Adversary {
    state: u64,
    style: Style,
}

#[derive(Clone, Copy)]
enum Style {
    /// Each limb of a kind of its own.
    Each,
    /// Nearly all limbs of one kind: a carry ripples through them, or just does not.
    Row(u64),
    /// Each any.
    Uniform,
}

/// How many kinds there are.
const KINDS: u64 = 14;

impl Adversary {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            state: seed,
            style: Style::Each,
        }
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// An integer below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.word() % end
    }

    /// Begins another element.
    pub(crate) fn begin(&mut self) {
        self.style = match self.below(8) {
            0..3 => Style::Each,
            3..7 => Style::Row(self.below(KINDS)),
            _ => Style::Uniform,
        };
    }

    /// A limb from 0 to `most`: where limbs have signs, half of that stands for 0.
    pub(crate) fn limb(&mut self, most: u64) -> u64 {
        let style = self.style;
        let kind = match style {
            Style::Row(kind) if self.below(8) != 0 => kind,
            Style::Each | Style::Row(_) => self.below(KINDS),
            Style::Uniform => KINDS,
        };
        self.of_kind(kind, most)
    }

    /// A word of the element.
    pub(crate) fn limb_of_64_bits(&mut self) -> u64 {
        self.limb(u64::MAX)
    }

    fn of_kind(&mut self, kind: u64, most: u64) -> u64 {
        // The greatest power of two: most often what is carried above it.
        let unit = 1 << (63 - (most | 1).leading_zeros());
        // Distances that matter: 19, 38 and their multiples.
        let near = self.below(80);
        let bit = 1 << self.below(64 - u64::from((most | 1).leading_zeros()));
        let limb: u64 = match kind {
            0 => 0,
            1 => most,
            2 => unit,
            3 => unit - 1,
            4 => near,
            5 => most.saturating_sub(near),
            6 => unit.saturating_sub(near),
            7 => unit.saturating_add(near),
            8 => bit,
            9 => bit - 1,
            10 => bit | 1,
            11 => most / 2,
            12 => (most / 2).wrapping_add(near).wrapping_sub(40),
            // Ones in a row.
            13 => (u64::MAX << self.below(64)) & (u64::MAX >> self.below(64)) & (unit | (unit - 1)),
            _ => match most {
                u64::MAX => self.word(),
                _ => self.below(most + 1),
            },
        };
        limb.min(most)
    }

    /// An integer of `N` words, often next to a multiple of 2^255 - 19 or to a power of two.
    pub(crate) fn words<const N: usize>(&mut self) -> [u64; N] {
        self.begin();
        let mut words = [(); N].map(|()| self.limb_of_64_bits());
        if self.below(3) == 0 {
            // 2^(64N - 1) k - 19k, up to a few more or less.
            let multiple = self.below(4);
            let (offset, negative) = (self.below(80), self.below(2) == 1);
            words = [0; N];
            words[N - 1] = multiple << 63;
            let mut add = |amount: u64, negative: bool| {
                let mut amount = amount;
                for word in &mut words {
                    let (sum, over) = match negative {
                        true => word.overflowing_sub(amount),
                        false => word.overflowing_add(amount),
                    };
                    (*word, amount) = (sum, over.into());
                }
            };
            add(19 * multiple, true);
            add(offset, negative);
        }
        words
    }

    pub(crate) fn bytes(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        let words: [u64; 4] = self.words();
        for (octets, word) in bytes.chunks_exact_mut(8).zip(words) {
            octets.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }
}
