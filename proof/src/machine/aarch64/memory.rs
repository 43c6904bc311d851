//! Loads and stores (C4.1.94).

use super::{Instruction, LAST};
use crate::machine::Run;
use crate::word::Word;

/// How an address is made of a base and a distance.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Distance,
    /// The base is changed before, or after.
    Before,
    After,
}

/// What is loaded or stored, for each of one or two registers.
#[derive(Clone, Copy)]
struct Kind {
    load: bool,
    vector: bool,
    /// Bytes in memory.
    size: u64,
    /// Whether what is loaded has a sign, and the bits of the register.
    signed: bool,
    bits: u64,
}

impl Run {
    /// Does a load or a store, if it is one of these.
    pub(super) fn access(&mut self, i: Instruction) -> bool {
        let vector = i.is_set(26);
        let size = i.bits(31, 30);
        match (i.bits(29, 27), i.bits(25, 24)) {
            // Pairs.
            (0b101, 0b00 | 0b01) => {
                let mode = match i.bits(24, 23) {
                    0b01 => Mode::After,
                    0b10 => Mode::Distance,
                    0b11 => Mode::Before,
                    _ => return false,
                };
                let load = i.is_set(22);
                let (log, signed) = match (vector, size) {
                    (true, 0..=2) => (size + 2, false),
                    (false, 0b00) => (2, false),
                    (false, 0b01) if load => (2, true),
                    (false, 0b10) => (3, false),
                    _ => return false,
                };
                let kind = Kind {
                    load,
                    vector,
                    size: 1 << log,
                    signed,
                    bits: if signed { 64 } else { 8 << log },
                };
                let registers = [i.d(), i.register(10)];
                self.transfer(i, kind, &registers, i.signed(21, 15) << log, mode)
            }
            // A constant beside the code.
            (0b011, 0b00) => {
                let (log, signed) = match (vector, size) {
                    (true, 0..=2) => (size + 2, false),
                    (false, 0b00) => (2, false),
                    (false, 0b01) => (3, false),
                    (false, 0b10) => (2, true),
                    _ => return false,
                };
                let kind = Kind {
                    load: true,
                    vector,
                    size: 1 << log,
                    signed,
                    bits: if signed { 64 } else { 8 << log },
                };
                self.transfer_at(kind, &[i.d()], i.away(i.signed(23, 5) << 2));
                true
            }
            (0b111, 0b00 | 0b01) => {
                let Some((kind, log)) = Self::kind(i) else {
                    return false;
                };
                if i.is_set(24) {
                    let distance = i.bits(21, 10) << log;
                    let distance = distance.cast_signed();
                    return self.transfer(i, kind, &[i.d()], distance, Mode::Distance);
                }
                let distance = i.signed(20, 12);
                match (i.is_set(21), i.bits(11, 10)) {
                    (false, 0b00) => self.transfer(i, kind, &[i.d()], distance, Mode::Distance),
                    (false, 0b01) => self.transfer(i, kind, &[i.d()], distance, Mode::After),
                    (false, 0b11) => self.transfer(i, kind, &[i.d()], distance, Mode::Before),
                    (true, 0b10) if i.is_set(14) => {
                        let by = if i.is_set(12) { log } else { 0 };
                        let index = self.get(i.m(), 64);
                        let index = self.extended(&index, i.bits(15, 13), by, 64);
                        let Some(index) = super::as_constant(&index) else {
                            super::stop(i, "has an address that depends on inputs");
                        };
                        self.transfer(i, kind, &[i.d()], index.cast_signed(), Mode::Distance)
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// What a load or store of one register does, and the logarithm of its bytes.
    fn kind(i: Instruction) -> Option<(Kind, u64)> {
        let (vector, size, opcode) = (i.is_set(26), i.bits(31, 30), i.bits(23, 22));
        let (load, log, signed, bits) = match (vector, opcode) {
            (true, 0b00 | 0b01) => (opcode == 1, size, false, 8 << size),
            (true, _) if size == 0 => (opcode == 0b11, 4, false, 128),
            (false, 0b00 | 0b01) => (opcode == 1, size, false, if size == 3 { 64 } else { 32 }),
            (false, 0b10) if size < 3 => (true, size, true, 64),
            (false, 0b11) if size < 2 => (true, size, true, 32),
            _ => return None,
        };
        let kind = Kind {
            load,
            vector,
            size: 1 << log,
            signed,
            bits,
        };
        Some((kind, log))
    }

    fn transfer(
        &mut self,
        i: Instruction,
        kind: Kind,
        registers: &[usize],
        distance: i64,
        mode: Mode,
    ) -> bool {
        let base = self.address(i, i.n());
        let changed = base.wrapping_add_signed(distance);
        let is_base = |&number: &usize| number == i.n() && number != LAST;
        if mode != Mode::Distance && !kind.vector && registers.iter().any(is_base) {
            // What comes of it no manual says.
            return false;
        }
        let at = if mode == Mode::After { base } else { changed };
        self.transfer_at(kind, registers, at);
        if mode != Mode::Distance {
            self.set_or_stack(i.n(), 64, Word::constant(changed));
        }
        true
    }

    fn transfer_at(&mut self, kind: Kind, registers: &[usize], at: u64) {
        let size = kind.size;
        for (&number, at) in registers.iter().zip((at..).step_by(size as usize)) {
            match (kind.vector, kind.load) {
                (false, false) => {
                    let word = self.get(number, 8 * size);
                    self.store(at, size, word);
                }
                (false, true) => {
                    let word = self.load(at, size);
                    let value = if kind.signed {
                        word.signed(8 * size, &mut self.all)
                    } else {
                        word.unsigned().clone()
                    };
                    let word = if 8 * size == kind.bits {
                        word
                    } else {
                        Word::of(value, kind.bits, &mut self.all)
                    };
                    self.set(number, kind.bits, word);
                }
                (true, _) => {
                    let register = self.vector(number);
                    let (from, to) = if kind.load {
                        (at, register)
                    } else {
                        (register, at)
                    };
                    let part = size.min(8);
                    for k in (0..size).step_by(8) {
                        let word = self.load(from + k, part);
                        self.store(to + k, part, word);
                    }
                    if kind.load {
                        self.clear(number, size);
                    }
                }
            }
        }
    }

    /// Zeros in a vector register above so many bytes.
    pub(super) fn clear(&mut self, number: usize, size: u64) {
        let register = self.vector(number);
        if size < 8 {
            self.store(register + size, 8 - size, Word::constant(0));
        }
        if size <= 8 {
            self.store(register + 8, 8, Word::constant(0));
        }
    }
}
