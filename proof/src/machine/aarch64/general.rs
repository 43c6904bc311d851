//! Instructions on general registers, and branches.

use super::{Instruction, LAST, LINK, stop};
use crate::machine::flags::Flags;
use crate::machine::{Run, as_constant};
use crate::unknowns::{Interval, Value};
use crate::word::{self, Sum, Word};

/// What a sum is made of.
struct Operands {
    a: Word,
    b: Word,
    bits: u64,
    /// Whether `b` is subtracted.
    minus: bool,
    /// Whether the flags are set.
    sets: bool,
}

impl Run {
    /// C4.1.92, "Data processing -- immediate".
    pub(super) fn immediate(&mut self, i: Instruction) -> bool {
        let bits = i.width();
        match i.bits(25, 23) {
            0b000 | 0b001 => {
                let distance = i.signed(23, 5) << 2 | i.bits(30, 29).cast_signed();
                let address = if i.is_set(31) {
                    Instruction {
                        at: i.at & !0xfff,
                        ..i
                    }
                    .away(distance << 12)
                } else {
                    i.away(distance)
                };
                self.set(i.d(), 64, Word::constant(address));
            }
            0b010 => {
                let by = if i.is_set(22) { 12 } else { 0 };
                let operands = Operands {
                    a: self.get_or_stack(i.n(), bits),
                    b: Word::constant(i.bits(21, 10) << by),
                    bits,
                    minus: i.is_set(30),
                    sets: i.is_set(29),
                };
                let sets = operands.sets;
                let word = self.sum(&operands);
                if sets {
                    self.set(i.d(), bits, word);
                } else {
                    self.set_or_stack(i.d(), bits, word);
                }
            }
            0b100 => {
                let Some(mask) = mask(i, bits) else {
                    return false;
                };
                let (a, b) = (self.get(i.n(), bits), Word::constant(mask));
                let word = self.logic(i, i.bits(30, 29), &a, &b, bits);
                if i.bits(30, 29) == 0b11 {
                    self.set(i.d(), bits, word);
                } else {
                    self.set_or_stack(i.d(), bits, word);
                }
            }
            0b101 => {
                let at = 16 * i.bits(22, 21);
                let part = i.bits(20, 5);
                if at >= bits {
                    return false;
                }
                let ones = u64::MAX >> (64 - bits);
                let word = match i.bits(30, 29) {
                    0b00 => Word::constant(!(part << at) & ones),
                    0b10 => Word::constant(part << at),
                    0b11 => {
                        let old = self.get(i.d(), bits);
                        self.insert(&old, &Word::constant(part), at, 16, bits)
                    }
                    _ => return false,
                };
                self.set(i.d(), bits, word);
            }
            0b110 if i.is_set(22) == i.is_set(31) => return self.field(i, bits),
            0b111
                if i.bits(30, 29) == 0
                    && !i.is_set(21)
                    && i.is_set(22) == i.is_set(31)
                    && i.bits(15, 10) < bits =>
            {
                let (high, low) = (self.get(i.n(), bits), self.get(i.m(), bits));
                let word = word::shrd(&low, &high, i.bits(15, 10), bits, &mut self.all);
                self.set(i.d(), bits, word);
            }
            _ => return false,
        }
        true
    }

    /// The moves of bit fields, which shifts are made of.
    fn field(&mut self, i: Instruction, bits: u64) -> bool {
        let (rotated, last) = (i.bits(21, 16), i.bits(15, 10));
        if rotated >= bits || last >= bits {
            return false;
        }
        let a = self.get(i.n(), bits);
        // The field's bits, where they come from and where they go.
        let (count, from, to) = if last >= rotated {
            (last - rotated + 1, rotated, 0)
        } else {
            (last + 1, 0, bits - rotated)
        };
        let all = &mut self.all;
        let word = match i.bits(30, 29) {
            0b00 if from + count == bits => word::sar(&a, from, bits, all),
            0b10 if from + count == bits => word::shr(&a, from, all),
            0b10 if to + count == bits => word::shl(&a, to, bits, all),
            0b00 => {
                let part = word::shr(&a, from, all).narrowed(bits, count, all);
                let value = part.signed(count, all).raised(to);
                Word::of(value, bits, all)
            }
            0b10 => {
                let part = word::shr(&a, from, all).narrowed(bits, count, all);
                Word::of(part.unsigned().raised(to), bits, all)
            }
            0b01 => {
                let part = word::shr(&a, from, all).narrowed(bits, count, all);
                let old = self.get(i.d(), bits);
                self.insert(&old, &part, to, count, bits)
            }
            _ => return false,
        };
        self.set(i.d(), bits, word);
        true
    }

    /// A word with `count` bits from `at` on replaced.
    pub(super) fn insert(
        &mut self,
        old: &Word,
        new: &Word,
        at: u64,
        count: u64,
        bits: u64,
    ) -> Word {
        let (above, _) = self.all.cut(old.unsigned(), at + count);
        let (_, below) = self.all.cut(old.unsigned(), at);
        let value = above
            .raised(at + count)
            .plus(&new.unsigned().raised(at))
            .plus(&below);
        Word::of(value, bits, &mut self.all)
    }

    /// C4.1.93, "Branches, exception generating and system instructions".
    pub(super) fn branch(&mut self, i: Instruction) -> bool {
        let (is_zero_branch, is_bit_branch) =
            (i.bits(30, 25) == 0b01_1010, i.bits(30, 25) == 0b01_1011);
        if i.bits(30, 26) == 0b0_0101 {
            if i.is_set(31) {
                self.set(LINK, 64, Word::constant(self.at));
            }
            self.at = i.away(i.signed(25, 0) << 2);
        } else if i.bits(31, 24) == 0b0101_0100 && !i.is_set(4) {
            let to = i.away(i.signed(23, 5) << 2);
            let holds = self.holds(i.bits(3, 0));
            self.go_if(i, holds, to);
        } else if is_zero_branch {
            let bits = i.width();
            let word = self.get(i.d(), bits);
            self.compare_with_zero(i, word, bits, i.away(i.signed(23, 5) << 2));
        } else if is_bit_branch {
            let bit = i.bits(31, 31) << 5 | i.bits(23, 19);
            let word = self.get(i.d(), 64);
            let all = &mut self.all;
            let word = word::shr(&word, bit, all).narrowed(64, 1, all);
            self.compare_with_zero(i, word, 1, i.away(i.signed(18, 5) << 2));
        } else if i.bits(31, 25) == 0b110_1011 {
            let is_plain = i.bits(20, 10) == 0b111_1100_0000 && i.bits(4, 0) == 0;
            if !is_plain || i.bits(24, 21) > 0b0010 {
                return false;
            }
            let to = self.get(i.n(), 64);
            if i.bits(24, 21) == 0b0001 {
                self.set(LINK, 64, Word::constant(self.at));
            }
            self.at = as_constant(&to)
                .unwrap_or_else(|| stop(i, "goes somewhere that depends on inputs"));
        } else {
            return self.system(i);
        }
        true
    }

    fn go_if(&mut self, i: Instruction, holds: Option<bool>, to: u64) {
        if holds.unwrap_or_else(|| stop(i, "depends on inputs")) {
            self.at = to;
        }
    }

    fn compare_with_zero(&mut self, i: Instruction, word: Word, bits: u64, to: u64) {
        // A branch leaves the flags as they were.
        let flags = std::mem::replace(&mut self.flags, Flags::of_bits(&word, bits));
        let is_zero = self.is_result_zero();
        self.flags = flags;
        self.go_if(i, is_zero.map(|zero| zero != i.is_set(24)), to);
    }

    /// Hints that do nothing, and flags as a number.
    fn system(&mut self, i: Instruction) -> bool {
        const NOP: u32 = 0xd503_201f;
        /// BTI, with any targets.
        const LANDING: [u32; 4] = [0xd503_241f, 0xd503_245f, 0xd503_249f, 0xd503_24df];
        const READ_FLAGS: u64 = 0xd53b_4200 >> 5;
        const WRITE_FLAGS: u64 = 0xd51b_4200 >> 5;
        if i.code == NOP || LANDING.contains(&i.code) {
            return true;
        }
        match i.bits(31, 5) {
            READ_FLAGS => {
                // Of the number no more is known than where flags come from that are written back.
                let value = self.all.fresh(Interval::of_bits(32));
                let flags = self.flags.clone();
                self.processor.saved.push((value.clone(), flags));
                let word = Word::of(value, 64, &mut self.all);
                self.set(i.d(), 64, word);
            }
            WRITE_FLAGS => {
                let word = self.get(i.d(), 64);
                let mut saved = self.processor.saved.iter();
                let same = saved.find(|(value, _)| value.polynomial == word.unsigned().polynomial);
                let Some((_, flags)) = same else {
                    stop(i, "writes flags that were not read");
                };
                self.flags = flags.clone();
            }
            _ => return false,
        }
        true
    }

    /// C4.1.95, "Data processing -- register".
    pub(super) fn general(&mut self, i: Instruction) -> bool {
        let bits = i.width();
        match i.bits(28, 24) {
            0b0_1010 => {
                let by = i.bits(15, 10);
                if by >= bits {
                    return false;
                }
                let a = self.get(i.n(), bits);
                let b = self.get(i.m(), bits);
                let b = self.shifted(&b, i.bits(23, 22), by, bits);
                let b = if i.is_set(21) { word::not(&b, bits) } else { b };
                let word = if i.n() == i.m() && by == 0 {
                    self.of_the_same(i, &a, bits)
                } else if i.n() == LAST && i.bits(30, 29) == 0b01 {
                    // A move, which keeps what is known of a sign.
                    b
                } else {
                    self.logic(i, i.bits(30, 29), &a, &b, bits)
                };
                self.set(i.d(), bits, word);
            }
            0b0_1011 if !i.is_set(21) => {
                let by = i.bits(15, 10);
                if by >= bits || i.bits(23, 22) == 0b11 {
                    return false;
                }
                let (a, b) = (self.get(i.n(), bits), self.get(i.m(), bits));
                let b = self.shifted(&b, i.bits(23, 22), by, bits);
                let (minus, sets) = (i.is_set(30), i.is_set(29));
                let word = self.sum(&Operands {
                    a,
                    b,
                    bits,
                    minus,
                    sets,
                });
                self.set(i.d(), bits, word);
            }
            0b0_1011 => {
                let by = i.bits(12, 10);
                if by > 4 || i.bits(23, 22) != 0 {
                    return false;
                }
                let (a, b) = (self.get_or_stack(i.n(), bits), self.get(i.m(), 64));
                let b = self.extended(&b, i.bits(15, 13), by, bits);
                let (minus, sets) = (i.is_set(30), i.is_set(29));
                let word = self.sum(&Operands {
                    a,
                    b,
                    bits,
                    minus,
                    sets,
                });
                if sets {
                    self.set(i.d(), bits, word);
                } else {
                    self.set_or_stack(i.d(), bits, word);
                }
            }
            0b1_1010 => match (i.bits(23, 21), i.bits(30, 30), i.bits(15, 10)) {
                (0b000, _, 0) => self.sum_with_carry(i, bits),
                (0b100, ..) if !i.is_set(29) && !i.is_set(11) => {
                    self.conditional(i, bits);
                }
                (0b110, 0, 0b00_1000..=0b00_1011) if !i.is_set(29) => {
                    let by = self.get(i.m(), bits);
                    let by = as_constant(&by)
                        .unwrap_or_else(|| stop(i, "has a count that depends on inputs"));
                    let a = self.get(i.n(), bits);
                    let word = self.shifted(&a, i.bits(11, 10), by % bits, bits);
                    self.set(i.d(), bits, word);
                }
                _ => return false,
            },
            0b1_1011 => return self.product(i, bits),
            _ => return false,
        }
        true
    }

    fn shifted(&mut self, a: &Word, kind: u64, by: u64, bits: u64) -> Word {
        let all = &mut self.all;
        match kind {
            _ if by == 0 => a.clone(),
            0b00 => word::shl(a, by, bits, all),
            0b01 => word::shr(a, by, all),
            0b10 => word::sar(a, by, bits, all),
            _ => word::shrd(a, a, by, bits, all),
        }
    }

    /// A word's lowest bits, with their sign or with zeros above them, and shifted.
    pub(super) fn extended(&mut self, word: &Word, kind: u64, by: u64, bits: u64) -> Word {
        let count = (8 << (kind & 3)).min(bits);
        let all = &mut self.all;
        let part = word.narrowed(64, count, all);
        let part = if kind & 4 == 0 {
            part.unsigned().clone()
        } else {
            part.signed(count, all)
        };
        let part = Word::of(part, bits, all);
        word::shl(&part, by, bits, all)
    }

    fn sum(&mut self, operands: &Operands) -> Word {
        let &Operands {
            ref a,
            ref b,
            bits,
            minus,
            sets,
        } = operands;
        let none = Value::constant(0);
        if !minus {
            let sum = word::add(a, b, &none, bits, &mut self.all);
            return self.finish(sum, [a, b], bits, None, false, sets);
        }
        let same = a.unsigned().polynomial == b.unsigned().polynomial;
        let zero = Word::constant(0);
        let (a, b) = if same { (&zero, &zero) } else { (a, b) };
        let sum = word::sub(a, b, &none, bits, &mut self.all);
        let compared = Some((a.clone(), b.clone(), bits));
        self.finish(sum, [a, b], bits, compared, true, sets)
    }

    /// ADC and SBC, of which the second takes and leaves what is no borrow.
    fn sum_with_carry(&mut self, i: Instruction, bits: u64) {
        let (a, b) = (self.get(i.n(), bits), self.get(i.m(), bits));
        let carry = self.flags.carry.clone();
        let carry = carry.unwrap_or_else(|| stop(i, "takes a carry that is not known"));
        let minus = i.is_set(30);
        let sum = if minus {
            let borrow = Value::constant(1).minus(&carry);
            word::sub(&a, &b, &borrow, bits, &mut self.all)
        } else {
            word::add(&a, &b, &carry, bits, &mut self.all)
        };
        let word = self.finish(sum, [&a, &b], bits, None, minus, i.is_set(29));
        self.set(i.d(), bits, word);
    }

    /// Sets the flags of a sum or difference, if it does.
    fn finish(
        &mut self,
        sum: Sum,
        operands: [&Word; 2],
        bits: u64,
        compared: Option<(Word, Word, u64)>,
        minus: bool,
        sets: bool,
    ) -> Word {
        if sets {
            let carry = if minus {
                Value::constant(1).minus(&sum.over)
            } else {
                sum.over
            };
            // That it does not fit is certain of constants only.
            let is_known = operands.iter().all(|word| word.as_constant().is_some());
            let overflow = u8::from(!sum.fits_signed);
            self.flags = Flags {
                carry: Some(carry),
                overflow: (sum.fits_signed || is_known).then(|| Value::constant(overflow)),
                result: Some((sum.word.clone(), bits)),
                compared,
            };
        }
        sum.word
    }

    /// AND, ORR, EOR and ANDS.
    fn logic(&mut self, i: Instruction, kind: u64, a: &Word, b: &Word, bits: u64) -> Word {
        let all = &mut self.all;
        let word = match kind {
            0b01 => word::or(a, b, all),
            0b10 => word::xor(a, b, bits, all),
            _ => word::and(a, b, bits, all),
        };
        let word = word.unwrap_or_else(|| stop(i, "joins bits that are not known to be apart"));
        if kind == 0b11 {
            self.flags = Flags::of_bits(&word, bits);
        }
        word
    }

    /// The same of a register and itself, or what it has not.
    fn of_the_same(&mut self, i: Instruction, a: &Word, bits: u64) -> Word {
        let word = match (i.bits(30, 29), i.is_set(21)) {
            (0b10, false) | (0b00 | 0b11, true) => Word::constant(0),
            (_, true) => Word::constant(u64::MAX >> (64 - bits)),
            _ => a.clone(),
        };
        if i.bits(30, 29) == 0b11 {
            self.flags = Flags::of_bits(&word, bits);
        }
        word
    }

    /// CSEL, CSINC, CSINV and CSNEG.
    fn conditional(&mut self, i: Instruction, bits: u64) {
        let one = self.get(i.n(), bits);
        let zero = self.get(i.m(), bits);
        let none = Value::constant(0);
        let bit = self.condition(i, i.bits(15, 12));
        let all = &mut self.all;
        if i.n() == i.m() && !i.is_set(30) && i.is_set(10) {
            // A register, or one more than that: a sum.
            let more = Value::constant(1).minus(&bit);
            let word = word::add(&one, &Word::constant(0), &more, bits, all).word;
            self.set(i.d(), bits, word);
            return;
        }
        let zero = match (i.is_set(30), i.is_set(10)) {
            (false, false) => zero,
            (false, true) => word::add(&zero, &Word::constant(1), &none, bits, all).word,
            (true, false) => word::not(&zero, bits),
            (true, true) => word::sub(&Word::constant(0), &zero, &none, bits, all).word,
        };
        let word = self.choose(&zero, &one, &bit, bits);
        self.set(i.d(), bits, word);
    }

    /// Products, with what is added to them.
    fn product(&mut self, i: Instruction, bits: u64) -> bool {
        let (minus, more) = (i.is_set(15), i.register(10));
        let none = Value::constant(0);
        if i.bits(30, 29) != 0 {
            return false;
        }
        let product = match (i.bits(23, 21), bits) {
            (0b000, _) => {
                let (a, b) = (self.get(i.n(), bits), self.get(i.m(), bits));
                word::mul_low(&a, &b, bits, &mut self.all).word
            }
            (0b101, 64) => {
                let (a, b) = (self.get(i.n(), 32), self.get(i.m(), 32));
                word::mul_wide(&a, &b, 64, &mut self.all).1
            }
            (0b001, 64) => {
                let (a, b) = (self.get(i.n(), 32), self.get(i.m(), 32));
                let all = &mut self.all;
                let product = a.signed(32, all).times(&b.signed(32, all));
                Word::of(product, 64, all)
            }
            (0b110, 64) if !minus && more == LAST => {
                let (a, b) = (self.get(i.n(), 64), self.get(i.m(), 64));
                let (high, _) = word::mul_wide(&a, &b, 64, &mut self.all);
                self.set(i.d(), 64, high);
                return true;
            }
            _ => return false,
        };
        let word = if more == LAST && !minus {
            product
        } else {
            let more = self.get(more, bits);
            let sum = if minus { word::sub } else { word::add };
            sum(&more, &product, &none, bits, &mut self.all).word
        };
        self.set(i.d(), bits, word);
        true
    }
}

/// The constant of an operation on bits ("DecodeBitMasks"): a run of ones, rotated, in each part of a word.
fn mask(i: Instruction, bits: u64) -> Option<u64> {
    let (wide, rotated, last) = (i.bits(22, 22), i.bits(21, 16), i.bits(15, 10));
    let size = (wide << 6 | (!last & 0x3f)).checked_ilog2()?;
    let part = 1u64 << size;
    if part < 2 || part > bits {
        return None;
    }
    let (ones, rotated) = ((last & (part - 1)) + 1, rotated & (part - 1));
    if ones == part {
        return None;
    }
    let run = (1u64 << ones) - 1;
    let within = u64::MAX >> (64 - part);
    let run = if rotated == 0 {
        run
    } else {
        (run >> rotated | run << (part - rotated)) & within
    };
    let all = (0..64 / part).fold(0, |all, k| all | run << (k * part));
    Some(all & (u64::MAX >> (64 - bits)))
}
