//! Instructions on general registers.

use iced_x86::{ConditionCode, Instruction, Mnemonic, OpKind, Register};
use num_bigint::BigInt;

use super::{Run, STACK_POINTER, WORD, as_constant, stop};
use crate::machine::flags::Flags;
use crate::unknowns::Value;
use crate::word::{self, Sum, Word};

impl Run {
    /// Does an instruction, if it is one of these.
    #[allow(clippy::too_many_lines)]
    pub(super) fn general(&mut self, i: &Instruction) -> bool {
        use Mnemonic as Is;
        let bits = Self::bits(i, 0);
        let has_condition = i.condition_code() != ConditionCode::None;
        match i.mnemonic() {
            Is::Nop | Is::Endbr64 => {}
            Is::Mov => {
                let word = self.operand(i, 1, bits);
                self.write(i, 0, word);
            }
            Is::Movzx => {
                let word = self.operand(i, 1, Self::bits(i, 1));
                let word = Word::of(word.unsigned().clone(), bits, &mut self.all);
                self.write(i, 0, word);
            }
            Is::Movsx | Is::Movsxd => {
                let from = Self::bits(i, 1);
                let value = self.operand(i, 1, from).signed(from, &mut self.all);
                let word = Word::of(value, bits, &mut self.all);
                self.write(i, 0, word);
            }
            Is::Cdqe => {
                let value = self.get(Register::EAX, 32).signed(32, &mut self.all);
                let word = Word::of(value, 64, &mut self.all);
                self.set(Register::RAX, word);
            }
            Is::Lea => self.lea(i, bits),
            Is::Push | Is::Pop if !matches!(bits, 0 | WORD) => {
                stop(i, "has operands that are not known here")
            }
            Is::Push => {
                let word = self.operand(i, 0, WORD);
                self.push(word);
            }
            Is::Pop => {
                let word = self.pop();
                self.write(i, 0, word);
            }
            Is::Xchg => {
                let (a, b) = (self.operand(i, 0, bits), self.operand(i, 1, bits));
                self.write(i, 0, b);
                self.write(i, 1, a);
            }
            Is::Call | Is::Jmp
                if i.is_call_far()
                    || i.is_call_far_indirect()
                    || i.is_jmp_far()
                    || i.is_jmp_far_indirect() =>
            {
                stop(i, "is not known here");
            }
            Is::Call => {
                self.push(Word::constant(self.at));
                self.jump(i);
            }
            Is::Jmp => self.jump(i),
            Is::Ret => {
                let to = self.pop();
                self.at = as_constant(&to).unwrap_or_else(|| stop(i, "returns to somewhere"));
                if i.op_count() > 0 {
                    // Arguments that the function takes off the stack.
                    let top = self.stack_pointer() + i.immediate(0);
                    self.set(STACK_POINTER, Word::constant(top));
                }
            }
            Is::Add | Is::Adc | Is::Sub | Is::Sbb | Is::Cmp | Is::Inc | Is::Dec | Is::Neg => {
                self.sum(i, bits);
            }
            Is::Adcx | Is::Adox => {
                let (a, b) = (self.operand(i, 0, bits), self.operand(i, 1, bits));
                let chain = i.mnemonic() == Is::Adcx;
                let flag = if chain {
                    &self.flags.carry
                } else {
                    &self.flags.overflow
                };
                let Some(carry) = flag.clone() else {
                    stop(i, "takes a flag that is not known");
                };
                let sum = word::add(&a, &b, &carry, bits, &mut self.all);
                if chain {
                    self.flags.carry = Some(sum.over);
                } else {
                    self.flags.overflow = Some(sum.over);
                    // Signs are compared by the overflow, too.
                    self.flags.compared = None;
                }
                self.write(i, 0, sum.word);
            }
            Is::And | Is::Or | Is::Xor | Is::Test => self.logic(i, bits),
            Is::Not => {
                let word = word::not(&self.operand(i, 0, bits), bits);
                self.write(i, 0, word);
            }
            Is::Mul => {
                let a = self.get(Register::RAX, bits);
                let b = self.operand(i, 0, bits);
                let (high, low) = word::mul_wide(&a, &b, bits, &mut self.all);
                let (rax, rdx) = match bits {
                    64 => (Register::RAX, Register::RDX),
                    32 => (Register::EAX, Register::EDX),
                    _ => stop(i, "has operands that are not known here"),
                };
                // Without knowing more than that, whether the high word is 0.
                self.flags = Flags::default();
                self.flags.overflow = high
                    .as_constant()
                    .map(|high| Value::constant(u8::from(*high != BigInt::ZERO)));
                self.flags.carry = self.flags.overflow.clone();
                self.set(rax, low);
                self.set(rdx, high);
            }
            Is::Mulx => {
                let a = self.get(Register::RDX, bits);
                let b = self.operand(i, 2, bits);
                let (high, low) = word::mul_wide(&a, &b, bits, &mut self.all);
                self.write(i, 1, low);
                self.write(i, 0, high);
            }
            Is::Imul => {
                let (a, b) = match i.op_count() {
                    2 => (0, 1),
                    3 => (1, 2),
                    _ => stop(i, "is not known here"),
                };
                let (a, b) = (self.operand(i, a, bits), self.operand(i, b, bits));
                let product = word::mul_low(&a, &b, bits, &mut self.all);
                self.flags = Flags::default();
                self.flags.overflow = product.fits_signed.then(|| Value::constant(0));
                self.write(i, 0, product.word);
            }
            Is::Shl | Is::Shr | Is::Sar | Is::Shlx | Is::Shrx | Is::Sarx => {
                let plain = matches!(i.mnemonic(), Is::Shl | Is::Shr | Is::Sar);
                let (from, by) = if plain { (0, 1) } else { (1, 2) };
                let by = if plain && i.op_count() == 1 {
                    1
                } else {
                    self.count(i, by, bits)
                };
                let a = self.operand(i, from, bits);
                let word = match i.mnemonic() {
                    Is::Shl | Is::Shlx => word::shl(&a, by, bits, &mut self.all),
                    Is::Shr | Is::Shrx => word::shr(&a, by, &mut self.all),
                    _ => word::sar(&a, by, bits, &mut self.all),
                };
                if plain && by > 0 {
                    self.flags = Flags {
                        result: Some((word.clone(), bits)),
                        ..Flags::default()
                    };
                }
                self.write(i, 0, word);
            }
            Is::Rorx | Is::Ror | Is::Rol => {
                let (from, by) = if i.mnemonic() == Is::Rorx {
                    (1, 2)
                } else {
                    (0, 1)
                };
                let by = if i.op_count() == 1 {
                    1
                } else {
                    self.count(i, by, bits) % bits
                };
                let a = self.operand(i, from, bits);
                let by = if i.mnemonic() == Is::Rol {
                    (bits - by) % bits
                } else {
                    by
                };
                let word = word::shrd(&a, &a, by, bits, &mut self.all);
                if i.mnemonic() != Is::Rorx {
                    // The carry is the bit that went around; zero and sign stay what they were.
                    self.flags.carry = None;
                    self.flags.overflow = None;
                    self.flags.compared = None;
                }
                self.write(i, 0, word);
            }
            Is::Shld | Is::Shrd => {
                let (a, b) = (self.operand(i, 0, bits), self.operand(i, 1, bits));
                let by = self.count(i, 2, bits);
                if by > bits {
                    stop(i, "leaves what no manual says");
                }
                let word = if i.mnemonic() == Is::Shld {
                    word::shld(&a, &b, by, bits, &mut self.all)
                } else {
                    word::shrd(&a, &b, by, bits, &mut self.all)
                };
                self.flags = Flags::default();
                self.write(i, 0, word);
            }
            Is::Btr | Is::Bt => {
                if i.op_kind(0) == OpKind::Memory && i.op_kind(1) == OpKind::Register {
                    stop(i, "may mean another word than its address names");
                }
                let a = self.operand(i, 0, bits);
                let bit = self.count(i, 1, bits) % bits;
                let (above, below) = self.all.cut(a.unsigned(), bit);
                let (rest, bit_value) = self.all.cut(&above, 1);
                // Zero stays what it was, but sign and overflow are anything.
                self.flags = Flags {
                    carry: Some(bit_value),
                    ..Flags::default()
                };
                if i.mnemonic() == Is::Btr {
                    let value = rest.raised(bit + 1).plus(&below);
                    let word = Word::of(value, bits, &mut self.all);
                    self.write(i, 0, word);
                }
            }
            Is::Bzhi => {
                let (a, from) = (self.operand(i, 1, bits), self.low_byte(i, 2));
                let (_, low) = self.all.cut(a.unsigned(), from.min(bits));
                let word = Word::of(low, bits, &mut self.all);
                self.flags = Flags {
                    carry: Some(Value::constant(u8::from(from >= bits))),
                    ..Flags::of_bits(&word, bits)
                };
                self.write(i, 0, word);
            }
            _ if i.is_jcc_short_or_near() => match self.holds(i.condition_code()) {
                Some(true) => self.at = i.near_branch_target(),
                Some(false) => {}
                None => stop(i, "depends on inputs"),
            },
            // Not a loop, which has a condition and one operand, too.
            _ if has_condition
                && i.op_count() == 1
                && matches!(i.op_kind(0), OpKind::Register | OpKind::Memory) =>
            {
                self.set_condition(i);
            }
            _ if has_condition && i.op_count() == 2 => {
                let (old, new) = (self.operand(i, 0, bits), self.operand(i, 1, bits));
                let word = match (self.holds(i.condition_code()), i.condition_code()) {
                    (Some(true), _) => new,
                    (Some(false), _) => old,
                    (None, ConditionCode::b | ConditionCode::ae) if self.flags.carry.is_some() => {
                        let carry = self
                            .flags
                            .carry
                            .clone()
                            .unwrap_or_else(|| Value::constant(0));
                        let set = i.condition_code() == ConditionCode::b;
                        let (zero, one) = if set { (old, new) } else { (new, old) };
                        word::choose(&zero, &one, &carry)
                    }
                    (None, _) => stop(i, "depends on inputs"),
                };
                self.write(i, 0, word);
            }
            _ => return false,
        }
        true
    }

    /// A count of bits, of which the processor takes six for words of 64 bits, five for all others: so those of 8 and 16 bits
    /// may be shifted by more than they have.
    fn count(&mut self, i: &Instruction, operand: u32, bits: u64) -> u64 {
        self.low_byte(i, operand) & if bits == 64 { 63 } else { 31 }
    }

    /// The lowest byte of an operand that must be a constant.
    fn low_byte(&mut self, i: &Instruction, operand: u32) -> u64 {
        let word = match i.op_kind(operand) {
            OpKind::Register => self.get(i.op_register(operand), 8),
            _ => self.operand(i, operand, 8),
        };
        as_constant(&word).unwrap_or_else(|| stop(i, "has a count that depends on inputs"))
    }

    fn jump(&mut self, i: &Instruction) {
        self.at = match i.op_kind(0) {
            OpKind::NearBranch64 | OpKind::NearBranch32 => i.near_branch_target(),
            _ => {
                let to = self.operand(i, 0, WORD);
                as_constant(&to).unwrap_or_else(|| stop(i, "goes somewhere that depends on inputs"))
            }
        };
    }

    fn lea(&mut self, i: &Instruction, bits: u64) {
        let mut sum = if i.is_ip_rel_memory_operand() {
            Word::constant(i.ip_rel_memory_address())
        } else {
            let displacement = if WORD == 64 {
                i.memory_displacement64().cast_signed()
            } else {
                i.memory_displacement32().cast_signed().into()
            };
            Word::of(Value::constant(displacement), WORD, &mut self.all)
        };
        let none = Value::constant(0);
        for (register, scale) in [
            (i.memory_base(), 1),
            (i.memory_index(), i.memory_index_scale()),
        ] {
            if register == Register::None || register == Register::RIP {
                continue;
            }
            let word = self.get(register, WORD);
            let word = word::shl(&word, scale.trailing_zeros().into(), WORD, &mut self.all);
            sum = word::add(&word, &sum, &none, WORD, &mut self.all).word;
        }
        if bits == WORD {
            self.write(i, 0, sum);
        } else {
            let (_, low) = self.all.cut(sum.unsigned(), bits);
            let word = Word::of(low, bits, &mut self.all);
            self.write(i, 0, word);
        }
    }

    fn sum(&mut self, i: &Instruction, bits: u64) {
        use Mnemonic as Is;
        let none = Value::constant(0);
        let one = Word::constant(1);
        let a = self.operand(i, 0, bits);
        let carry = self.flags.carry.clone();
        let carry = || carry.unwrap_or_else(|| stop(i, "takes a carry that is not known"));
        let Sum {
            word,
            over,
            fits_signed,
        } = match i.mnemonic() {
            Is::Add | Is::Adc => {
                let b = self.operand(i, 1, bits);
                let carry = if i.mnemonic() == Is::Adc {
                    carry()
                } else {
                    none
                };
                word::add(&a, &b, &carry, bits, &mut self.all)
            }
            Is::Sub | Is::Cmp | Is::Sbb => {
                let b = self.operand(i, 1, bits);
                let same = i.op_kind(1) == OpKind::Register
                    && i.op_kind(0) == OpKind::Register
                    && i.op_register(0) == i.op_register(1);
                let a = if same { Word::constant(0) } else { a.clone() };
                let b = if same { Word::constant(0) } else { b };
                let borrow = if i.mnemonic() == Is::Sbb {
                    carry()
                } else {
                    none
                };
                let sum = word::sub(&a, &b, &borrow, bits, &mut self.all);
                self.flags.compared = (i.mnemonic() != Is::Sbb).then_some((a, b, bits));
                sum
            }
            Is::Inc => word::add(&a, &one, &none, bits, &mut self.all),
            Is::Dec => word::sub(&a, &one, &none, bits, &mut self.all),
            _ => word::sub(&Word::constant(0), &a, &none, bits, &mut self.all),
        };
        let counted = matches!(i.mnemonic(), Is::Inc | Is::Dec);
        if !counted {
            self.flags.carry = Some(over);
        }
        if !matches!(i.mnemonic(), Is::Sub | Is::Cmp) {
            self.flags.compared = None;
        }
        self.flags.overflow = fits_signed.then(|| Value::constant(0));
        self.flags.result = Some((word.clone(), bits));
        if i.mnemonic() != Is::Cmp {
            self.write(i, 0, word);
        }
    }

    fn logic(&mut self, i: &Instruction, bits: u64) {
        use Mnemonic as Is;
        let same = i.op_kind(1) == OpKind::Register
            && i.op_kind(0) == OpKind::Register
            && i.op_register(0) == i.op_register(1);
        let word = if same && i.mnemonic() == Is::Xor {
            Word::constant(0)
        } else {
            let a = self.operand(i, 0, bits);
            let b = self.operand(i, 1, bits);
            let word = match i.mnemonic() {
                _ if same => Some(a),
                Is::Or => word::or(&a, &b, &mut self.all),
                Is::Xor => word::xor(&a, &b, bits, &mut self.all),
                _ => word::and(&a, &b, bits, &mut self.all),
            };
            word.unwrap_or_else(|| stop(i, "joins bits that are not known to be apart"))
        };
        self.flags = Flags::of_bits(&word, bits);
        if i.mnemonic() != Is::Test {
            self.write(i, 0, word);
        }
    }

    fn set_condition(&mut self, i: &Instruction) {
        use ConditionCode as Is;
        let bit = match (i.condition_code(), &self.flags.carry) {
            (Is::b, Some(carry)) => carry.clone(),
            (Is::ae, Some(carry)) => Value::constant(1).minus(carry),
            (condition, _) => match (self.holds(condition), &self.flags.result) {
                (Some(holds), _) => Value::constant(u8::from(holds)),
                (None, Some((word, _))) if matches!(condition, Is::e | Is::ne) => {
                    let zero = self.all.is_zero_bit(word.unsigned());
                    match condition {
                        Is::e => zero,
                        _ => Value::constant(1).minus(&zero),
                    }
                }
                (None, _) => stop(i, "depends on inputs"),
            },
        };
        let word = Word::of(bit, 8, &mut self.all);
        self.write(i, 0, word);
    }
}
