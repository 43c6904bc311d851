//! Instructions on vector registers, lane by lane.

use std::ops::Range;

use iced_x86::{Instruction, Mnemonic, OpKind, Register};
use num_bigint::BigInt;

use super::{Run, as_constant, is_vector_move, stop};
use crate::machine::VECTOR as SIZE;
use crate::unknowns::Value;
use crate::word::{self, Word};

impl Run {
    /// Where a register lies.
    pub(super) fn vector(&self, register: Register) -> u64 {
        assert!(
            register.is_vector_register(),
            "{register:?} is not known here"
        );
        self.ours.vectors().start + SIZE * register.number() as u64
    }

    /// The lanes of an operand, of `lane` bytes each, in all `size` bytes.
    fn lanes(&mut self, i: &Instruction, operand: u32, lane: u64, size: u64) -> Vec<Word> {
        let (address, element) = match i.op_kind(operand) {
            OpKind::Register => (self.vector(i.op_register(operand)), size),
            _ if i.is_broadcast() => (self.address(i), i.memory_size().element_size() as u64),
            _ => (self.address(i), size),
        };
        let lanes = 0..size / lane;
        if lane <= element {
            return lanes
                .map(|k| self.load(address + lane * k % element, lane))
                .collect();
        }
        // An element in each part of a lane.
        let once = self.load(address, element);
        let all = (0..lane / element).fold(Value::constant(0), |sum, k| {
            sum.plus(&once.unsigned().raised(8 * element * k))
        });
        let word = Word::of(all, 8 * lane, &mut self.all);
        lanes.map(|_| word.clone()).collect()
    }

    /// Stores lanes; what is above them in a register is zeros, but for instructions of SSE.
    fn set_lanes(&mut self, i: &Instruction, operand: u32, lane: u64, lanes: &[Word]) {
        let size = lane * lanes.len() as u64;
        let (address, clear) = match i.op_kind(operand) {
            OpKind::Register => (
                self.vector(i.op_register(operand)),
                i.encoding() != iced_x86::EncodingKind::Legacy,
            ),
            _ => (self.address(i), false),
        };
        for (k, word) in lanes.iter().enumerate() {
            self.store(address + lane * k as u64, lane, word.clone());
        }
        if clear {
            self.clear(address + size..address + SIZE);
        }
    }

    /// Zeros in whole words.
    fn clear(&mut self, range: Range<u64>) {
        for at in range.step_by(8) {
            self.store(at, 8, Word::constant(0));
        }
    }

    /// The last operand.
    fn immediate(i: &Instruction) -> u64 {
        if i.op_kind(i.op_count() - 1) != OpKind::Immediate8 {
            stop(i, "is not known here");
        }
        i.immediate(i.op_count() - 1)
    }

    /// Does an instruction, if it is one of these.
    #[allow(clippy::too_many_lines)]
    pub(super) fn vectors(&mut self, i: &Instruction) -> bool {
        use Mnemonic as Is;
        let size = Self::bits(i, 0) / 8;
        let none = Value::constant(0);
        // The two sources: instructions of SSE have the first one's place for the result.
        let count = i.op_count();
        let (first, second) = if i.encoding() == iced_x86::EncodingKind::Legacy {
            (0, 1)
        } else {
            (1, 2)
        };
        let lane = match i.mnemonic() {
            Is::Paddd
            | Is::Vpaddd
            | Is::Psubd
            | Is::Vpsubd
            | Is::Psrld
            | Is::Vpsrld
            | Is::Pslld
            | Is::Vpslld
            | Is::Psrad
            | Is::Vpsrad
            | Is::Pshufd
            | Is::Vpshufd
            | Is::Punpckldq
            | Is::Vpunpckldq
            | Is::Punpckhdq
            | Is::Vpunpckhdq
            | Is::Shufps
            | Is::Vshufps
            | Is::Vpblendd
            | Is::Unpcklps
            | Is::Unpckhps => 4,
            _ => 8,
        };
        match i.mnemonic() {
            Is::Vzeroupper => {
                for register in 0..16 {
                    let at = self.ours.vectors().start + SIZE * register;
                    self.clear(at + 16..at + SIZE);
                }
            }
            mnemonic if is_vector_move(mnemonic) => {
                let lane = if size.is_multiple_of(8) { 8 } else { 4 };
                let words = self.lanes(i, 1, lane, size);
                self.set_lanes(i, 0, lane, &words);
            }
            Is::Movq | Is::Vmovq | Is::Movd | Is::Vmovd => {
                let bytes = if matches!(i.mnemonic(), Is::Movq | Is::Vmovq) {
                    8
                } else {
                    4
                };
                let vector = |k: u32| {
                    i.op_kind(k) == OpKind::Register && i.op_register(k).is_vector_register()
                };
                let word = if vector(1) {
                    self.load(self.vector(i.op_register(1)), bytes)
                } else {
                    self.operand(i, 1, 8 * bytes)
                };
                if vector(0) {
                    let at = self.vector(i.op_register(0));
                    let legacy = i.encoding() == iced_x86::EncodingKind::Legacy;
                    self.clear(at..at + if legacy { 16 } else { SIZE });
                    self.store(at, bytes, word);
                } else {
                    self.write(i, 0, word);
                }
            }
            Is::Movhps | Is::Movlps | Is::Movhpd | Is::Movlpd => {
                let upper = if matches!(i.mnemonic(), Is::Movhps | Is::Movhpd) {
                    8
                } else {
                    0
                };
                if i.op_kind(0) == OpKind::Register {
                    let word = self.operand(i, 1, 64);
                    self.store(self.vector(i.op_register(0)) + upper, 8, word);
                } else {
                    let word = self.load(self.vector(i.op_register(1)) + upper, 8);
                    self.write(i, 0, word);
                }
            }
            Is::Movss | Is::Movsd if count == 2 => {
                let bytes = if i.mnemonic() == Is::Movsd { 8 } else { 4 };
                let register = |k: u32| i.op_kind(k) == OpKind::Register;
                let word = if register(1) {
                    self.load(self.vector(i.op_register(1)), bytes)
                } else {
                    self.operand(i, 1, 8 * bytes)
                };
                if !register(0) {
                    self.write(i, 0, word);
                } else {
                    let at = self.vector(i.op_register(0));
                    if !register(1) {
                        self.clear(at..at + 16);
                    }
                    self.store(at, bytes, word);
                }
            }
            Is::Paddq | Is::Vpaddq | Is::Paddd | Is::Vpaddd => {
                self.each(i, lane, size, first, second, |run, a, b, bits| {
                    Some(word::add(a, b, &none, bits, &mut run.all).word)
                });
            }
            Is::Psubq | Is::Vpsubq | Is::Psubd | Is::Vpsubd => {
                self.each(i, lane, size, first, second, |run, a, b, bits| {
                    Some(word::sub(a, b, &none, bits, &mut run.all).word)
                });
            }
            Is::Pmuludq | Is::Vpmuludq => {
                self.each(i, lane, size, first, second, |run, a, b, _| {
                    let mut low = |word: &Word| {
                        let (_, low) = run.all.cut(word.unsigned(), 32);
                        Word::of(low, 64, &mut run.all)
                    };
                    let (a, b) = (low(a), low(b));
                    Some(word::mul_wide(&a, &b, 64, &mut run.all).1)
                });
            }
            Is::Pand | Is::Vpand | Is::Vpandq | Is::Vpandd | Is::Andps | Is::Vandps | Is::Andpd => {
                self.each(i, lane, size, first, second, |run, a, b, bits| {
                    word::and(a, b, bits, &mut run.all)
                });
            }
            Is::Por | Is::Vpor | Is::Vporq | Is::Orps => {
                self.each(i, lane, size, first, second, |run, a, b, _| {
                    word::or(a, b, &mut run.all)
                });
            }
            Is::Pxor | Is::Vpxor | Is::Vpxorq | Is::Vpxord | Is::Xorps | Is::Vxorps | Is::Xorpd => {
                if i.op_kind(second) == OpKind::Register
                    && i.op_register(first) == i.op_register(second)
                {
                    let zeros = vec![Word::constant(0); (size / 8) as usize];
                    self.set_lanes(i, 0, 8, &zeros);
                } else {
                    self.each(i, lane, size, first, second, |run, a, b, bits| {
                        word::xor(a, b, bits, &mut run.all)
                    });
                }
            }
            Is::Psrlq
            | Is::Vpsrlq
            | Is::Psrld
            | Is::Vpsrld
            | Is::Psllq
            | Is::Vpsllq
            | Is::Pslld
            | Is::Vpslld
            | Is::Psrad
            | Is::Vpsrad
            | Is::Vpsraq => {
                let by = if i.op_kind(count - 1) == OpKind::Immediate8 {
                    Self::immediate(i)
                } else {
                    let by = self.lanes(i, count - 1, 8, 8);
                    as_constant(&by[0])
                        .unwrap_or_else(|| stop(i, "has a count that depends on inputs"))
                };
                // More bits than there are is as good as all.
                let by = by.min(8 * lane);
                let left = matches!(
                    i.mnemonic(),
                    Is::Psllq | Is::Vpsllq | Is::Pslld | Is::Vpslld
                );
                let arithmetic = matches!(i.mnemonic(), Is::Psrad | Is::Vpsrad | Is::Vpsraq);
                let from = count - 2;
                let words = self.lanes(i, if count == 2 { 0 } else { from }, lane, size);
                let all = &mut self.all;
                let shifted: Vec<Word> = words
                    .iter()
                    .map(|word| {
                        if arithmetic {
                            word::sar(word, by, 8 * lane, all)
                        } else if left {
                            word::shl(word, by, 8 * lane, all)
                        } else {
                            word::shr(word, by, all)
                        }
                    })
                    .collect();
                self.set_lanes(i, 0, lane, &shifted);
            }
            Is::Vpmadd52luq | Is::Vpmadd52huq => {
                let high = i.mnemonic() == Is::Vpmadd52huq;
                let sums = self.lanes(i, 0, 8, size);
                let (a, b) = (self.lanes(i, 1, 8, size), self.lanes(i, 2, 8, size));
                let mut words = Vec::new();
                for ((sum, a), b) in sums.iter().zip(&a).zip(&b) {
                    let all = &mut self.all;
                    let a = all.cut(a.unsigned(), 52).1;
                    let b = all.cut(b.unsigned(), 52).1;
                    let parts = all.cut(&a.times(&b), 52);
                    let part = Word::of(if high { parts.0 } else { parts.1 }, 64, all);
                    words.push(word::add(sum, &part, &none, 64, all).word);
                }
                self.set_lanes(i, 0, 8, &words);
            }
            Is::Pshufd | Is::Vpshufd => {
                let words = self.lanes(i, 1, 4, size);
                let order = Self::immediate(i);
                let shuffled: Vec<Word> = (0..words.len())
                    .map(|k| words[(k & !3) | (order >> (2 * (k & 3)) & 3) as usize].clone())
                    .collect();
                self.set_lanes(i, 0, 4, &shuffled);
            }
            Is::Vpermq => {
                let words = self.lanes(i, 1, 8, size);
                let order = Self::immediate(i);
                let shuffled: Vec<Word> = (0..words.len())
                    .map(|k| words[(k & !3) | (order >> (2 * (k & 3)) & 3) as usize].clone())
                    .collect();
                self.set_lanes(i, 0, 8, &shuffled);
            }
            Is::Shufps | Is::Vshufps => {
                let (a, b) = (
                    self.lanes(i, first, 4, size),
                    self.lanes(i, second, 4, size),
                );
                let order = Self::immediate(i);
                let shuffled: Vec<Word> = (0..a.len())
                    .map(|k| {
                        let from = if k & 3 < 2 { &a } else { &b };
                        from[(k & !3) | (order >> (2 * (k & 3)) & 3) as usize].clone()
                    })
                    .collect();
                self.set_lanes(i, 0, 4, &shuffled);
            }
            Is::Vpblendd => {
                let (a, b) = (self.lanes(i, 1, 4, size), self.lanes(i, 2, 4, size));
                let choice = Self::immediate(i);
                let chosen: Vec<Word> = (0..a.len())
                    .map(|k| {
                        if choice >> k & 1 == 1 {
                            b[k].clone()
                        } else {
                            a[k].clone()
                        }
                    })
                    .collect();
                self.set_lanes(i, 0, 4, &chosen);
            }
            Is::Punpcklqdq
            | Is::Vpunpcklqdq
            | Is::Punpckhqdq
            | Is::Vpunpckhqdq
            | Is::Punpckldq
            | Is::Vpunpckldq
            | Is::Punpckhdq
            | Is::Vpunpckhdq
            | Is::Unpcklps
            | Is::Unpckhps
            | Is::Movlhps
            | Is::Unpcklpd
            | Is::Unpckhpd => {
                let high = matches!(
                    i.mnemonic(),
                    Is::Punpckhqdq
                        | Is::Vpunpckhqdq
                        | Is::Punpckhdq
                        | Is::Vpunpckhdq
                        | Is::Unpckhps
                        | Is::Unpckhpd
                );
                let (a, b) = (
                    self.lanes(i, first, lane, size),
                    self.lanes(i, second, lane, size),
                );
                let each = (16 / lane) as usize;
                let mut words = Vec::new();
                for group in (0..a.len()).step_by(each) {
                    let from = group + if high { each / 2 } else { 0 };
                    for k in from..from + each / 2 {
                        words.extend([a[k].clone(), b[k].clone()]);
                    }
                }
                self.set_lanes(i, 0, lane, &words);
            }
            Is::Psrldq | Is::Pslldq => {
                let at = self.vector(i.op_register(0));
                let by = Self::immediate(i).min(16);
                let old = self.load(at, 16);
                let word = if i.mnemonic() == Is::Psrldq {
                    word::shr(&old, 8 * by, &mut self.all)
                } else {
                    word::shl(&old, 8 * by, 128, &mut self.all)
                };
                self.store(at, 16, word);
            }
            Is::Vpbroadcastq | Is::Vpbroadcastd | Is::Vbroadcastsd => {
                let lane = if i.mnemonic() == Is::Vpbroadcastd {
                    4
                } else {
                    8
                };
                let word = match i.op_kind(1) {
                    OpKind::Register if i.op_register(1).is_vector_register() => {
                        self.load(self.vector(i.op_register(1)), lane)
                    }
                    _ => self.operand(i, 1, 8 * lane),
                };
                let words = vec![word; (size / lane) as usize];
                self.set_lanes(i, 0, lane, &words);
            }
            Is::Pcmpeqd | Is::Vpcmpeqd | Is::Pcmpeqb
                if i.op_kind(second) == OpKind::Register
                    && i.op_register(first) == i.op_register(second) =>
            {
                let ones = Word::constant((BigInt::from(1) << 64) - 1);
                let words = vec![ones; (size / 8) as usize];
                self.set_lanes(i, 0, 8, &words);
            }
            _ => return false,
        }
        true
    }

    /// An operation on the lanes of two operands. Those on bits are done on smaller lanes where larger ones are not enough.
    fn each(
        &mut self,
        i: &Instruction,
        lane: u64,
        size: u64,
        first: u32,
        second: u32,
        mut f: impl FnMut(&mut Self, &Word, &Word, u64) -> Option<Word>,
    ) {
        for lane in [lane, 4] {
            let (a, b) = (
                self.lanes(i, first, lane, size),
                self.lanes(i, second, lane, size),
            );
            let words = a.iter().zip(&b).map(|(a, b)| f(self, a, b, 8 * lane));
            if let Some(words) = words.collect::<Option<Vec<Word>>>() {
                return self.set_lanes(i, 0, lane, &words);
            }
        }
        stop(i, "joins bits that are not known to be apart");
    }
}
