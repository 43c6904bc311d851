//! Instructions on vector registers, lane by lane (C4.1.96).

use super::{Instruction, stop};
use crate::machine::Run;
use crate::unknowns::Value;
use crate::word::{self, Word};

/// Bytes of a register.
const SIZE: u64 = 16;

impl Instruction {
    /// Bytes of the vectors that most instructions name by Q.
    fn whole(self) -> u64 {
        if self.is_set(30) { SIZE } else { SIZE / 2 }
    }
}

/// Extends a word of so many bits to twice as many.
fn long(run: &mut Run, word: &Word, bits: u64, signed: bool) -> Word {
    let value = if signed {
        word.signed(bits, &mut run.all)
    } else {
        word.unsigned().clone()
    };
    Word::of(value, 2 * bits, &mut run.all)
}

impl Run {
    /// Does an instruction on vectors, if it is one of these.
    pub(super) fn lanes(&mut self, i: Instruction) -> bool {
        if !i.is_set(31) {
            match (i.bits(28, 24), i.bits(21, 21), i.bits(11, 10)) {
                (0b0_1110, 1, 0b01 | 0b11) => return self.three_same(i),
                (0b0_1110, 1, 0b00) => return self.three_different(i),
                (0b0_1110, 1, 0b10) if i.bits(20, 17) == 0 => return self.two(i),
                (0b0_1110, 0, 0b01 | 0b11) if i.bits(23, 22) == 0 && !i.is_set(15) => {
                    return self.copy(i);
                }
                (0b0_1110, 0, 0b10) if !i.is_set(29) && !i.is_set(15) => return self.permute(i),
                (0b0_1110, 0, 0b00 | 0b10) if i.is_set(29) && i.bits(23, 22) == 0 => {
                    return !i.is_set(15) && self.extract(i);
                }
                (0b0_1111, _, 0b00 | 0b10) => return self.by_element(i),
                (0b0_1111, _, _) if i.bits(23, 19) == 0 => return self.constant(i),
                (0b0_1111, _, _) if !i.is_set(23) => return self.shift(i, i.whole()),
                (0b1_1111, _, 0b01 | 0b11) if i.bits(30, 30) == 1 && i.bits(23, 22) == 0b01 => {
                    // A scalar is a vector of one lane.
                    return self.shift(i, SIZE / 2);
                }
                (0b1_1110, 1, 0b01) if i.bits(30, 30) == 1 && i.bits(23, 22) == 0b11 => {
                    return i.bits(15, 11) == 0b1_0000 && self.sum_of_lanes(i, 8, SIZE / 2);
                }
                (0b1_1110, 0, 0b01)
                    if i.bits(30, 29) == 0b10 && i.bits(23, 22) == 0 && i.bits(15, 11) == 0 =>
                {
                    let Some((lane, index)) = element(i) else {
                        return false;
                    };
                    let word = self.element(i.n(), lane, index);
                    self.set_elements(i.d(), lane, &[word]);
                    return true;
                }
                _ => {}
            }
        }
        self.float_move(i)
    }

    fn element(&mut self, number: usize, lane: u64, index: u64) -> Word {
        self.load(self.vector(number) + lane * index, lane)
    }

    fn elements(&mut self, number: usize, lane: u64, size: u64) -> Vec<Word> {
        (0..size / lane)
            .map(|k| self.element(number, lane, k))
            .collect()
    }

    /// Stores lanes from the lowest on, and zeros above them.
    fn set_elements(&mut self, number: usize, lane: u64, words: &[Word]) {
        let at = self.vector(number);
        for (word, at) in words.iter().zip((at..).step_by(lane as usize)) {
            self.store(at, lane, word.clone());
        }
        self.clear(number, lane * words.len() as u64);
    }

    /// Those of two vectors, by pairs.
    fn each(
        &mut self,
        i: Instruction,
        lane: u64,
        size: u64,
        f: impl FnMut(&mut Self, &Word, &Word) -> Option<Word>,
    ) -> bool {
        let (a, b) = (
            self.elements(i.n(), lane, size),
            self.elements(i.m(), lane, size),
        );
        self.each_of(i.d(), lane, &a, &b, f)
    }

    fn each_of(
        &mut self,
        number: usize,
        lane: u64,
        a: &[Word],
        b: &[Word],
        mut f: impl FnMut(&mut Self, &Word, &Word) -> Option<Word>,
    ) -> bool {
        let words = a.iter().zip(b).map(|(a, b)| f(self, a, b));
        let Some(words) = words.collect::<Option<Vec<Word>>>() else {
            return false;
        };
        self.set_elements(number, lane, &words);
        true
    }

    fn sum_of_lanes(&mut self, i: Instruction, lane: u64, size: u64) -> bool {
        let none = Value::constant(0);
        let sum = if i.is_set(29) { word::sub } else { word::add };
        self.each(i, lane, size, |run, a, b| {
            Some(sum(a, b, &none, 8 * lane, &mut run.all).word)
        })
    }

    fn three_same(&mut self, i: Instruction) -> bool {
        let (size, lane) = (i.whole(), 1 << i.bits(23, 22));
        let (bits, none) = (8 * lane, Value::constant(0));
        match (i.bits(15, 11), i.is_set(29)) {
            // One lane of a vector would be a scalar.
            (0b1_0000, _) if lane < size => self.sum_of_lanes(i, lane, size),
            (0b1_0011, false) if lane < 8 => self.each(i, lane, size, |run, a, b| {
                Some(word::mul_low(a, b, bits, &mut run.all).word)
            }),
            // MLA and MLS.
            (0b1_0010, minus) if lane < 8 => {
                let sums = self.elements(i.d(), lane, size);
                let mut sums = sums.iter();
                let sum = if minus { word::sub } else { word::add };
                self.each(i, lane, size, |run, a, b| {
                    let product = word::mul_low(a, b, bits, &mut run.all).word;
                    Some(sum(sums.next()?, &product, &none, bits, &mut run.all).word)
                })
            }
            (0b0_0011, other) => {
                let same = i.n() == i.m();
                let kind = i.bits(23, 22);
                // Smaller lanes where larger ones are not enough.
                [8, 4].into_iter().any(|lane| {
                    let bits = 8 * lane;
                    self.each(i, lane, size, |run, a, b| {
                        let all = &mut run.all;
                        match (other, kind) {
                            (false, 0b00 | 0b10) if same => Some(a.clone()),
                            (true, 0b00) if same => Some(Word::constant(0)),
                            (false, 0b00) => word::and(a, b, bits, all),
                            (false, 0b01) => word::and(a, &word::not(b, bits), bits, all),
                            (false, 0b10) => word::or(a, b, all),
                            (true, 0b00) => word::xor(a, b, bits, all),
                            _ => None,
                        }
                    })
                }) || stop(i, "joins bits that are not known to be apart")
            }
            _ => false,
        }
    }

    /// Products and sums of words of half the length: UMULL, UMLAL, UMLSL, UADDL, UADDW, USUBL, USUBW, and with signs.
    fn three_different(&mut self, i: Instruction) -> bool {
        let lane = 1 << i.bits(23, 22);
        if lane == 8 {
            return false;
        }
        // Of the upper half, where the name ends in 2.
        let upper = if i.is_set(30) { SIZE / 2 / lane } else { 0 };
        let half = |run: &mut Self, number| -> Vec<Word> {
            (0..SIZE / 2 / lane)
                .map(|k| run.element(number, lane, upper + k))
                .collect()
        };
        let (bits, signed) = (8 * lane, !i.is_set(29));
        let none = Value::constant(0);
        let kind = i.bits(15, 12);
        let wide = matches!(kind, 0b0001 | 0b0011);
        let a = if wide {
            self.elements(i.n(), 2 * lane, SIZE)
        } else {
            half(self, i.n())
        };
        let b = half(self, i.m());
        match kind {
            0b0000..=0b0011 => {
                let sum = if kind & 2 == 0 { word::add } else { word::sub };
                self.each_of(i.d(), 2 * lane, &a, &b, |run, a, b| {
                    let b = long(run, b, bits, signed);
                    let a = if wide {
                        a.clone()
                    } else {
                        long(run, a, bits, signed)
                    };
                    Some(sum(&a, &b, &none, 2 * bits, &mut run.all).word)
                })
            }
            0b1000 | 0b1010 | 0b1100 => self.long_products(i, kind, lane, &a, &b),
            _ => false,
        }
    }

    /// Products of twice the length, and their sums with what was there, or differences from it.
    fn long_products(
        &mut self,
        i: Instruction,
        kind: u64,
        lane: u64,
        a: &[Word],
        b: &[Word],
    ) -> bool {
        let (bits, signed) = (8 * lane, !i.is_set(29));
        let none = Value::constant(0);
        let sums = self.elements(i.d(), 2 * lane, SIZE);
        let mut sums = sums.iter();
        self.each_of(i.d(), 2 * lane, a, b, |run, a, b| {
            let product = if signed {
                let product = a
                    .signed(bits, &mut run.all)
                    .times(&b.signed(bits, &mut run.all));
                Word::of(product, 2 * bits, &mut run.all)
            } else {
                word::mul_wide(a, b, 2 * bits, &mut run.all).1
            };
            let all = &mut run.all;
            match kind {
                0b1000 => Some(word::add(sums.next()?, &product, &none, 2 * bits, all).word),
                0b1010 => Some(word::sub(sums.next()?, &product, &none, 2 * bits, all).word),
                _ => Some(product),
            }
        })
    }

    /// XTN, and REV64 of words.
    fn two(&mut self, i: Instruction) -> bool {
        let lane = 1 << i.bits(23, 22);
        match (i.bits(16, 12), i.is_set(29)) {
            (0b1_0010, false) if lane < 8 => {
                let words = self.elements(i.n(), 2 * lane, SIZE);
                let words: Vec<Word> = words
                    .iter()
                    .map(|word| word.narrowed(16 * lane, 8 * lane, &mut self.all))
                    .collect();
                self.set_narrow(i, lane, &words);
                true
            }
            (0b0_0000, false) if lane == 4 => {
                let mut words = self.elements(i.n(), 4, i.whole());
                for pair in words.chunks_mut(2) {
                    pair.reverse();
                }
                self.set_elements(i.d(), 4, &words);
                true
            }
            _ => false,
        }
    }

    /// Stores a half of a vector: the lower one with zeros above, or the upper one alone.
    fn set_narrow(&mut self, i: Instruction, lane: u64, words: &[Word]) {
        if i.is_set(30) {
            let at = self.vector(i.d()) + SIZE / 2;
            for (word, at) in words.iter().zip((at..).step_by(lane as usize)) {
                self.store(at, lane, word.clone());
            }
        } else {
            self.set_elements(i.d(), lane, words);
        }
    }

    /// Between lanes and general registers, and from lane to lane.
    fn copy(&mut self, i: Instruction) -> bool {
        let Some((lane, index)) = element(i) else {
            return false;
        };
        let lanes = i.whole() / lane;
        match (i.is_set(29), i.bits(14, 11)) {
            (false, 0b0000 | 0b0001) if lane < i.whole() => {
                let word = if i.is_set(11) {
                    self.get(i.n(), 8 * lane)
                } else {
                    self.element(i.n(), lane, index)
                };
                self.set_elements(i.d(), lane, &vec![word; lanes as usize]);
            }
            (false, 0b0011) if i.is_set(30) => {
                let word = self.get(i.n(), 8 * lane);
                self.store(self.vector(i.d()) + lane * index, lane, word);
            }
            (false, kind @ (0b0101 | 0b0111)) => {
                let bits = if i.is_set(30) { 64 } else { 32 };
                let signed = kind == 0b0101;
                let fits = if signed {
                    8 * lane < bits
                } else {
                    8 * lane <= bits
                };
                if !fits || !signed && bits == 64 && lane < 8 {
                    return false;
                }
                let word = self.element(i.n(), lane, index);
                let word = if 8 * lane == bits {
                    word
                } else {
                    let value = if signed {
                        word.signed(8 * lane, &mut self.all)
                    } else {
                        word.unsigned().clone()
                    };
                    Word::of(value, bits, &mut self.all)
                };
                self.set(i.d(), bits, word);
            }
            (true, from) if i.is_set(30) => {
                let word = self.element(i.n(), lane, from / lane);
                self.store(self.vector(i.d()) + lane * index, lane, word);
            }
            _ => return false,
        }
        true
    }

    /// ZIP, UZP and TRN.
    fn permute(&mut self, i: Instruction) -> bool {
        let (size, lane) = (i.whole(), 1 << i.bits(23, 22));
        if lane == size {
            return false;
        }
        let (a, b) = (
            self.elements(i.n(), lane, size),
            self.elements(i.m(), lane, size),
        );
        let count = a.len();
        let second = i.bits(14, 14) as usize;
        let from = |k: usize| if k < count { &a[k] } else { &b[k - count] };
        let places: Vec<usize> = match i.bits(13, 12) {
            0b01 => (0..count).map(|k| 2 * k + second).collect(),
            0b10 => (0..count)
                .map(|k| (k & !1) + second + count * (k & 1))
                .collect(),
            0b11 => (0..count)
                .map(|k| k / 2 + second * count / 2 + count * (k & 1))
                .collect(),
            _ => return false,
        };
        let words: Vec<Word> = places.into_iter().map(|k| from(k).clone()).collect();
        self.set_elements(i.d(), lane, &words);
        true
    }

    /// EXT, by whole words.
    fn extract(&mut self, i: Instruction) -> bool {
        let (size, from) = (i.whole(), i.bits(14, 11));
        let lane = if from % 8 == 0 { 8 } else { 4 };
        if from % 4 != 0 || from >= size || i.is_set(10) {
            return false;
        }
        let mut words = self.elements(i.n(), lane, size);
        words.extend(self.elements(i.m(), lane, size));
        let first = (from / lane) as usize;
        let words = words[first..first + (size / lane) as usize].to_vec();
        self.set_elements(i.d(), lane, &words);
        true
    }

    /// Products with one lane.
    fn by_element(&mut self, i: Instruction) -> bool {
        // Of words, whose register has five bits and whose lane two.
        if i.bits(23, 22) != 0b10 {
            return false;
        }
        let index = i.bits(11, 11) << 1 | i.bits(21, 21);
        let b = self.element(i.m(), 4, index);
        let (kind, none) = (i.bits(15, 12), Value::constant(0));
        match (kind, i.is_set(29)) {
            (0b1010, _) | (0b0110, _) | (0b0010, _) => {
                let upper = if i.is_set(30) { 2 } else { 0 };
                let a: Vec<Word> = (0..2).map(|k| self.element(i.n(), 4, upper + k)).collect();
                let kind = match kind {
                    0b0010 => 0b1000,
                    0b0110 => 0b1010,
                    _ => 0b1100,
                };
                self.long_products(i, kind, 4, &a, &[b.clone(), b])
            }
            (0b1000, false) | (0b0000, true) => {
                let a = self.elements(i.n(), 4, i.whole());
                let sums = self.elements(i.d(), 4, i.whole());
                let mut sums = sums.iter();
                let b = vec![b; a.len()];
                self.each_of(i.d(), 4, &a, &b, |run, a, b| {
                    let all = &mut run.all;
                    let product = word::mul_low(a, b, 32, all).word;
                    if kind == 0b1000 {
                        return Some(product);
                    }
                    Some(word::add(sums.next()?, &product, &none, 32, all).word)
                })
            }
            _ => false,
        }
    }

    /// MOVI and MVNI of words, shifted, and of bytes that are all ones or zeros.
    fn constant(&mut self, i: Instruction) -> bool {
        let byte = i.bits(18, 16) << 5 | i.bits(9, 5);
        let word = match (i.bits(15, 12), i.is_set(29)) {
            _ if i.is_set(11) || !i.is_set(10) => return false,
            (0b0000 | 0b0010 | 0b0100 | 0b0110, other) => {
                let word = byte << (8 * i.bits(14, 13));
                let word = if other { !word & 0xffff_ffff } else { word };
                word << 32 | word
            }
            (0b1110, false) => byte * 0x0101_0101_0101_0101,
            (0b1110, true) => (0..8).map(|k| (byte >> k & 1) * (0xff << (8 * k))).sum(),
            _ => return false,
        };
        let words = vec![Word::constant(word); (i.whole() / 8) as usize];
        self.set_elements(i.d(), 8, &words);
        true
    }

    fn shift(&mut self, i: Instruction, size: u64) -> bool {
        let immediate = i.bits(22, 16);
        let Some(log) = (immediate >> 3).checked_ilog2() else {
            return false;
        };
        let lane = 1u64 << log;
        let bits = 8 * lane;
        let (right, left) = (2 * bits - immediate, immediate - bits);
        let signed = !i.is_set(29);
        let none = Value::constant(0);
        // Lanes of eight bytes are two, or one scalar.
        let plain = lane < size || i.is_set(28);
        match i.bits(15, 11) {
            // SSHR and USHR, SSRA and USRA.
            kind @ (0b0_0000 | 0b0_0010) if plain => {
                let words = self.elements(i.n(), lane, size);
                let sums = self.elements(i.d(), lane, size);
                let all = &mut self.all;
                let shifted = words.iter().zip(&sums).map(|(word, sum)| {
                    let word = if signed {
                        word::sar(word, right, bits, all)
                    } else {
                        word::shr(word, right, all)
                    };
                    if kind == 0 {
                        word
                    } else {
                        word::add(sum, &word, &none, bits, all).word
                    }
                });
                let shifted: Vec<Word> = shifted.collect();
                self.set_elements(i.d(), lane, &shifted);
            }
            // SHL, SLI and SRI.
            kind @ (0b0_1010 | 0b0_1000) if plain && (kind == 0b0_1000) <= !signed => {
                let words = self.elements(i.n(), lane, size);
                let old = self.elements(i.d(), lane, size);
                let mut shifted = Vec::new();
                for (word, old) in words.iter().zip(&old) {
                    shifted.push(match (kind, signed) {
                        (0b0_1010, true) => word::shl(word, left, bits, &mut self.all),
                        (0b0_1010, false) => {
                            let (_, low) = self.all.cut(word.unsigned(), bits - left);
                            let low = Word::of(low, bits, &mut self.all);
                            self.insert(old, &low, left, bits - left, bits)
                        }
                        _ => {
                            let high = word::shr(word, right, &mut self.all);
                            self.insert(old, &high, 0, bits - right, bits)
                        }
                    });
                }
                self.set_elements(i.d(), lane, &shifted);
            }
            // SHRN.
            0b1_0000 if signed && lane < 8 && !i.is_set(28) => {
                let words = self.elements(i.n(), 2 * lane, SIZE);
                let all = &mut self.all;
                let words = words
                    .iter()
                    .map(|word| word::shr(word, right, all).narrowed(2 * bits, bits, all));
                let words: Vec<Word> = words.collect();
                self.set_narrow(i, lane, &words);
            }
            // SSHLL and USHLL.
            0b1_0100 if lane < 8 && !i.is_set(28) => {
                let upper = if i.is_set(30) { SIZE / 2 / lane } else { 0 };
                let words: Vec<Word> = (0..SIZE / 2 / lane)
                    .map(|k| {
                        let word = self.element(i.n(), lane, upper + k);
                        let word = long(self, &word, bits, signed);
                        word::shl(&word, left, 2 * bits, &mut self.all)
                    })
                    .collect();
                self.set_elements(i.d(), 2 * lane, &words);
            }
            _ => return false,
        }
        true
    }

    /// FMOV, which moves bits.
    fn float_move(&mut self, i: Instruction) -> bool {
        match i.bits(31, 10) << 10 {
            0x1e26_0000 => {
                let word = self.element(i.n(), 4, 0);
                self.set(i.d(), 32, word);
            }
            0x9e66_0000 => {
                let word = self.element(i.n(), 8, 0);
                self.set(i.d(), 64, word);
            }
            0x1e27_0000 => {
                let word = self.get(i.n(), 32);
                self.set_elements(i.d(), 4, &[word]);
            }
            0x9e67_0000 => {
                let word = self.get(i.n(), 64);
                self.set_elements(i.d(), 8, &[word]);
            }
            0x1e60_4000 => {
                let word = self.element(i.n(), 8, 0);
                self.set_elements(i.d(), 8, &[word]);
            }
            _ => return false,
        }
        true
    }
}

/// The bytes of a lane and its number, of an instruction that names one.
fn element(i: Instruction) -> Option<(u64, u64)> {
    let log = i.bits(20, 16).trailing_zeros();
    (log < 4).then(|| (1 << log, i.bits(20, 16) >> (log + 1)))
}
