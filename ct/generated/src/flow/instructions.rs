//! What single instructions do to what is known, but for those that lead elsewhere.

use iced_x86::{
    ConditionCode, EncodingKind, Instruction, InstructionInfo, InstructionInfoFactory, Mnemonic,
    OpAccess, OpKind, Register, UsedRegister,
};

use super::TOLD;
use super::registers::{ARGUMENTS, STACK_POINTER, STATUS, WORDS, number, vector_number};
use super::state::State;
use super::value::{Value, further};
use crate::objects::Target;

pub(super) fn push(state: &mut State, bits: u32, value: Value) {
    let word = i64::from(bits / 8);
    if let Value::Frame(base, top) = state.registers[STACK_POINTER] {
        state.registers[STACK_POINTER] = Value::Frame(base, top - word);
        state.store(base, top - word, word, value);
    }
}

/// One instruction that goes on to the next. Returns whether all that it read was public.
pub(super) fn step(
    state: &mut State,
    factory: &mut InstructionInfoFactory,
    instruction: &Instruction,
    target: Option<&Target>,
    bits: u32,
) -> bool {
    if let Some(public) = addresses(state, instruction, target, bits) {
        return public;
    }
    if let Some(public) = whole_registers(state, instruction, bits) {
        return public;
    }
    if moves_words(state, instruction, target) {
        return true;
    }
    any(state, factory, instruction, target, bits)
}

/// The number of the register that is an operand as a whole.
fn whole(instruction: &Instruction, operand: u32, bits: u32) -> Option<usize> {
    let register = instruction.op_register(operand);
    let is_whole =
        instruction.op_kind(operand) == OpKind::Register && register.size() * 8 == bits as usize;
    is_whole.then(|| number(register)).flatten()
}

/// What becomes of addresses, exactly, where that is known; and as [`step`].
fn addresses(
    state: &mut State,
    instruction: &Instruction,
    target: Option<&Target>,
    bits: u32,
) -> Option<bool> {
    use Mnemonic::{Add, And, Cpuid, Lea, Mov, Pop, Push, Sub, Xgetbv};
    let mnemonic = instruction.mnemonic();
    let whole = |operand| whole(instruction, operand, bits);
    let immediate = (instruction.op_count() == 2)
        .then(|| instruction.try_immediate(1).ok())
        .flatten()
        .map(|value| value as i64);
    match (mnemonic, whole(0)) {
        (Push, _) => {
            let value = operand(instruction, target, state);
            push(state, bits, value);
            return Some(true);
        }
        (Pop, Some(to)) => {
            if let Value::Frame(base, top) = state.registers[STACK_POINTER] {
                let word = i64::from(bits / 8);
                state.registers[to] = state.load(base, top, word);
                state.registers[STACK_POINTER] = Value::Frame(base, top + word);
            }
            return Some(true);
        }
        // As many bits as are constants mostly moved with; what is above them becomes zero.
        (Mov, None)
            if immediate.is_some() && target.is_none() && instruction.op0_register().is_gpr32() =>
        {
            if let Some(to) = number(instruction.op0_register()) {
                let value = instruction.try_immediate(1).unwrap_or_default();
                state.registers[to] = Value::Number(value as u32 as i64);
            }
            return Some(true);
        }
        (Mov, None)
            if instruction.op0_kind() == OpKind::Memory
                && instruction.op1_kind() == OpKind::Register
                && whole(1).is_some() =>
        {
            let value = whole(1).map_or(Value::Secret, |from| state.registers[from]);
            store(state, instruction, target, value);
            return Some(value.is_public());
        }
        (Lea | Mov, Some(to)) if matches!(target, Some(Target::Function(_))) => {
            if let Some(Target::Function(callee)) = target {
                state.registers[to] = Value::Code(*callee);
            }
            return Some(true);
        }
        (Lea, Some(to)) => {
            let value = address(instruction, target, state);
            if value.on_stack().is_none() {
                for register in [instruction.memory_base(), instruction.memory_index()] {
                    let of = number(register).map_or(Value::Public, |i| state.registers[i]);
                    state.escape(of);
                }
            }
            state.registers[to] = value;
            return Some(true);
        }
        (Mov, Some(to)) => {
            let value = match instruction.op1_kind() {
                OpKind::Register => whole(1).map(|from| state.registers[from]),
                OpKind::Memory => match address(instruction, target, state) {
                    // Addresses in static data, the linker's table of them above all, lead to static data.
                    Value::Static => Some(Value::Static),
                    at => Some(read(at, size_in_memory(instruction), state)),
                },
                _ if target.is_some() => Some(Value::Static),
                _ => Some(immediate.map_or(Value::Public, Value::Number)),
            };
            if let Some(value) = value {
                state.registers[to] = value;
                return Some(true);
            }
        }
        (Add | Sub, Some(to)) if target.is_none() => {
            let was = state.registers[to];
            if let (Some(_), Some(by)) = (was.on_stack(), immediate) {
                let by = if mnemonic == Add { by } else { -by };
                state.registers[to] = was.moved(by);
                state.flags = if was.is_public() { STATUS } else { 0 };
                return Some(was.is_public());
            }
            // An index is added.
            let pair = [Some(was), whole(1).map(|from| state.registers[from])];
            if let (Add, [Some(one), Some(other)]) = (mnemonic, pair)
                && let Some((base, low)) = one.on_stack().or(other.on_stack())
                && one.on_stack().is_none() != other.on_stack().is_none()
                && one.is_public()
                && other.is_public()
            {
                state.registers[to] = Value::Within(base, low);
                state.flags = STATUS;
                return Some(true);
            }
        }
        (And, Some(STACK_POINTER)) => {
            state.registers[STACK_POINTER] = Value::Frame(instruction.next_ip() as usize, 0);
            state.flags = STATUS;
            return Some(true);
        }
        (Cpuid | Xgetbv, _) => {
            for register in [0, 1, 2, 3] {
                state.registers[register] = Value::Public;
            }
            return Some(true);
        }
        _ => {}
    }
    None
}

/// Whether both operands are the same register.
fn twice(instruction: &Instruction) -> bool {
    instruction.op_count() == 2
        && instruction.op0_kind() == OpKind::Register
        && instruction.op1_kind() == OpKind::Register
        && instruction.op0_register() == instruction.op1_register()
}

/// Whether what comes out is zero, whatever goes in.
fn zeroes(instruction: &Instruction) -> bool {
    twice(instruction) && matches!(instruction.mnemonic(), Mnemonic::Xor | Mnemonic::Sub)
}

/// What becomes of registers that are cleared, or take one address or the other; and as [`step`].
fn whole_registers(state: &mut State, instruction: &Instruction, bits: u32) -> Option<bool> {
    if zeroes(instruction)
        && instruction.op0_register().size() >= 4
        && let Some(to) = number(instruction.op0_register())
        && to != STACK_POINTER
    {
        state.registers[to] = Value::Number(0);
        state.flags = STATUS;
        return Some(true);
    }
    // One address or the other.
    if instruction.condition_code() != ConditionCode::None
        && instruction.op_count() == 2
        && let (Some(to), Some(from)) = (whole(instruction, 0, bits), whole(instruction, 1, bits))
        && instruction.rflags_read() & STATUS & !state.flags == 0
    {
        let (one, other) = (state.registers[to], state.registers[from]);
        for address in one.lost(other) {
            state.escape(address);
        }
        let met = one.meet(other);
        state.registers[to] = met;
        return Some(met.is_public());
    }
    None
}

/// What an instruction reads.
struct Inputs {
    public: bool,
    /// An address of static data is among it.
    is_static: bool,
    /// Addresses that go into something of which one no longer knows that it is one.
    lost: Vec<Value>,
}

/// Any instruction: what it writes is as secret as what it reads.
fn any(
    state: &mut State,
    factory: &mut InstructionInfoFactory,
    instruction: &Instruction,
    target: Option<&Target>,
    bits: u32,
) -> bool {
    let mnemonic = instruction.mnemonic();
    let info = factory.info(instruction);
    let inputs = inputs(state, info, instruction, target, bits);
    if !matches!(mnemonic, Mnemonic::Cmp | Mnemonic::Test) {
        for address in inputs.lost {
            state.escape(address);
        }
    }
    let leads_to_static = inputs.is_static && mnemonic == Mnemonic::Add || target.is_some();
    let value = match (inputs.public, leads_to_static) {
        (false, _) => Value::Secret,
        (true, true) => Value::Static,
        (true, false) => Value::Public,
    };
    output(state, info, instruction, target, value);
    let modified = instruction.rflags_modified() & STATUS;
    state.flags = if inputs.public {
        state.flags | modified
    } else {
        state.flags & !modified
    };
    inputs.public
}

/// What it reads: flags, registers, memory.
fn inputs(
    state: &State,
    info: &InstructionInfo,
    instruction: &Instruction,
    target: Option<&Target>,
    bits: u32,
) -> Inputs {
    let reads = |access| {
        matches!(
            access,
            OpAccess::Read | OpAccess::CondRead | OpAccess::ReadWrite | OpAccess::ReadCondWrite
        )
    };
    let mnemonic = instruction.mnemonic();
    let mut inputs = Inputs {
        public: true,
        is_static: false,
        lost: Vec::new(),
    };
    if zeroes(instruction) {
        return inputs;
    }
    let flags = instruction.rflags_read() & STATUS;
    inputs.public &= flags & !state.flags == 0;
    for used in info.used_registers() {
        // The registers of an address count with the memory.
        let of_address = used.register() == instruction.memory_base()
            || used.register() == instruction.memory_index();
        if !reads(used.access()) || (of_address && !is_operand(instruction, used.register())) {
            continue;
        }
        match number(used.register()) {
            Some(_) if twice(instruction) && mnemonic == Mnemonic::Sbb => {}
            Some(i) => {
                inputs.public &= state.registers[i].is_public();
                inputs.is_static |= state.registers[i] == Value::Static;
                // A part of an address is none.
                if used.register().size() * 8 == bits as usize {
                    inputs.lost.push(state.registers[i]);
                }
            }
            // Vector and mask registers are not followed.
            None if used.register().is_segment_register()
                || used.register() == Register::EIP
                || used.register() == Register::RIP => {}
            None => {
                inputs.public = false;
                if let Some(i) = vector_number(used.register()) {
                    inputs.lost.extend(state.vectors[i]);
                }
            }
        }
    }
    for used in info.used_memory() {
        if reads(used.access()) && mnemonic != Mnemonic::Prefetcht0 {
            let at = address(instruction, target, state);
            let found = read(at, size_in_memory(instruction), state);
            inputs.public &= found.is_public();
            inputs.lost.push(found);
            // Several at once, as strings are moved.
            inputs.public &= !instruction.is_string_instruction();
        }
    }
    inputs
}

/// Puts a value where it writes: into memory and registers.
fn output(
    state: &mut State,
    info: &InstructionInfo,
    instruction: &Instruction,
    target: Option<&Target>,
    value: Value,
) {
    let writes = |access| {
        matches!(
            access,
            OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite
        )
    };
    let stores = info.used_memory().iter().any(|used| writes(used.access()));
    if stores && instruction.is_string_instruction() {
        // What is moved is not followed.
        state.escape(state.registers[ARGUMENTS[1]]);
        state.store_at(state.registers[ARGUMENTS[0]], None, value);
    } else if stores {
        store(state, instruction, target, value);
    }
    let used = info.used_registers().iter();
    for register in used
        .filter(|used| writes(used.access()))
        .map(UsedRegister::register)
    {
        if let Some(i) = vector_number(register) {
            state.vectors[i] = [Value::Secret; WORDS];
        }
        let Some(i) = number(register) else { continue };
        let conditional = info
            .used_registers()
            .iter()
            .any(|used| used.register() == register && used.access() == OpAccess::CondWrite);
        if i == STACK_POINTER {
            state.registers[i] = Value::Secret;
        } else if register.size() < 4 {
            state.registers[i] = state.registers[i].outside().meet(value);
        } else if conditional {
            let was = state.registers[i];
            for address in was.lost(value) {
                state.escape(address);
            }
            state.registers[i] = was.meet(value);
        } else {
            state.registers[i] = value;
        }
    }
}

/// Notes what an instruction reads behind arguments, if an address may be in it.
pub(super) fn fetches(
    state: &mut State,
    instruction: &Instruction,
    target: Option<&Target>,
    bits: u32,
) {
    let size = size_in_memory(instruction);
    let has_memory = (0..instruction.op_count()).any(|i| instruction.op_kind(i) == OpKind::Memory);
    if !has_memory || size < i64::from(bits / 8) || instruction.mnemonic() == Mnemonic::Lea {
        return;
    }
    let at = address(instruction, target, state);
    state.fetch(at, Some(size));
    let displacement = instruction.memory_displacement64() as i64;
    let registers = [instruction.memory_base(), instruction.memory_index()];
    let unknown = at.on_stack().is_none();
    let with_index = registers.into_iter().filter(|_| unknown).filter_map(number);
    let places: Vec<Value> = with_index
        .map(|i| state.registers[i].moved(displacement))
        .chain([at])
        .collect();
    for place in places {
        if place != at {
            state.fetch(place, None);
        }
        // Addresses that are read as words of their own, or as the words of a vector that is only moved, are
        // followed. Others are lost.
        let addresses = match place {
            Value::Frame(base, low) if place == at => {
                if size == i64::from(bits / 8) || moves_vectors(instruction.mnemonic()) {
                    continue;
                }
                state.addresses_in(base, low, low.saturating_add(size))
            }
            _ => place.on_stack().map_or_else(Vec::new, |(base, low)| {
                // Arrays of addresses are short.
                state.addresses_in(base, low, further(low, TOLD))
            }),
        };
        let writes_only = instruction.op0_kind() == OpKind::Memory
            && (instruction.mnemonic() == Mnemonic::Mov || moves_vectors(instruction.mnemonic()));
        if !writes_only {
            for address in addresses {
                state.escape(address);
            }
        }
    }
}

/// The value of the first operand.
pub(super) fn operand(instruction: &Instruction, target: Option<&Target>, state: &State) -> Value {
    match instruction.op0_kind() {
        OpKind::Register => {
            number(instruction.op0_register()).map_or(Value::Secret, |i| state.registers[i])
        }
        OpKind::Memory => read(
            address(instruction, target, state),
            size_in_memory(instruction),
            state,
        ),
        _ => Value::Public,
    }
}

/// The place of an operand in memory, as a value.
pub(super) fn address(instruction: &Instruction, target: Option<&Target>, state: &State) -> Value {
    let of = |register: Register| match number(register) {
        Some(i) => Some(state.registers[i]),
        // Vectors of indices.
        None if vector_number(register).is_some() || register.is_zmm() => Some(Value::Secret),
        None => None,
    };
    let displacement = instruction.memory_displacement64() as i64;
    let (base, index) = (
        of(instruction.memory_base()),
        of(instruction.memory_index()),
    );
    let all_public = [base, index].into_iter().flatten().all(Value::is_public);
    match (base, index) {
        _ if !all_public => Value::Secret,
        _ if target.is_some() || instruction.is_ip_rel_memory_operand() => Value::Static,
        (None, None) => Value::Static,
        (Some(address @ (Value::Frame(..) | Value::Within(..))), None) => {
            address.moved(displacement)
        }
        (None, Some(address @ (Value::Frame(..) | Value::Within(..))))
            if instruction.memory_index_scale() == 1 =>
        {
            address.moved(displacement)
        }
        // Indices count upwards.
        (Some(address), other) | (other, Some(address))
            if address.on_stack().is_some() && other.and_then(Value::on_stack).is_none() =>
        {
            let (base, low) = address.on_stack().unwrap_or_default();
            Value::Within(base, further(low, displacement))
        }
        (Some(Value::Static | Value::Code(_)), _) | (_, Some(Value::Static)) => Value::Static,
        _ => Value::Public,
    }
}

/// What is read at an address.
pub(super) fn read(at: Value, size: i64, state: &State) -> Value {
    match at {
        Value::Frame(base, offset) => state.load(base, offset, size),
        // What another library names may be a function or static data.
        Value::Static | Value::Code(_) => Value::Public,
        _ => Value::Secret,
    }
}

/// The size of an operand in memory.
pub(super) fn size_in_memory(instruction: &Instruction) -> i64 {
    instruction.memory_size().size() as i64
}

/// Whether an instruction leaves what is above the vectors of SSE as it was.
pub(super) fn is_legacy(instruction: &Instruction) -> bool {
    matches!(instruction.encoding(), EncodingKind::Legacy)
}

/// Whether an instruction moves a whole vector.
pub(super) fn moves_vectors(mnemonic: Mnemonic) -> bool {
    use Mnemonic::{
        Movapd, Movaps, Movdqa, Movdqu, Movupd, Movups, Vmovapd, Vmovaps, Vmovdqa, Vmovdqa32,
        Vmovdqa64, Vmovdqu, Vmovdqu32, Vmovdqu64, Vmovupd, Vmovups,
    };
    matches!(
        mnemonic,
        Movups
            | Movaps
            | Movdqu
            | Movdqa
            | Movupd
            | Movapd
            | Vmovups
            | Vmovaps
            | Vmovdqu
            | Vmovdqa
            | Vmovupd
            | Vmovapd
            | Vmovdqa32
            | Vmovdqa64
            | Vmovdqu32
            | Vmovdqu64
    )
}

/// A move of a whole vector between the stack and a register, or a register of zeros; false for anything else.
pub(super) fn moves_words(
    state: &mut State,
    instruction: &Instruction,
    target: Option<&Target>,
) -> bool {
    use Mnemonic::{Pxor, Vpxor, Vxorps, Xorps};
    let followed = |i: u32| {
        let register = instruction.op_register(i);
        let is = instruction.op_kind(i) == OpKind::Register && !instruction.has_op_mask();
        is.then(|| vector_number(register)).flatten()
    };
    let last = instruction.op_count().saturating_sub(1);
    match instruction.mnemonic() {
        Xorps | Pxor | Vxorps | Vpxor
            if instruction.op_register(last) == instruction.op_register(last.saturating_sub(1)) =>
        {
            let words = if is_legacy(instruction) { 2 } else { WORDS };
            followed(0).map(|to| state.vectors[to][..words].fill(Value::Public))
        }
        mnemonic if moves_vectors(mnemonic) => {
            let words = match instruction.op0_kind() {
                OpKind::Register => instruction.op0_register().size() / 8,
                _ => instruction.memory_size().size() / 8,
            };
            // What is above a narrower one is not followed.
            let narrowed = |mut vector: [Value; WORDS]| {
                vector[words.min(WORDS)..].fill(Value::Secret);
                vector
            };
            match (followed(0), followed(1)) {
                (Some(to), Some(from)) => {
                    state.vectors[to] = narrowed(state.vectors[from]);
                    Some(())
                }
                (Some(to), None) if instruction.op1_kind() == OpKind::Memory => {
                    let at = address(instruction, target, state);
                    state.vectors[to] = narrowed(core::array::from_fn(|i| match at {
                        Value::Frame(base, offset) => state.load(base, offset + 8 * i as i64, 8),
                        other => read(other, 8, state),
                    }));
                    Some(())
                }
                (None, Some(from)) if instruction.op0_kind() == OpKind::Memory => {
                    let vector = state.vectors[from];
                    if let Value::Frame(base, offset) = address(instruction, target, state) {
                        for (i, value) in vector.into_iter().enumerate().take(words) {
                            state.store(base, offset + 8 * i as i64, 8, value);
                        }
                    } else {
                        let whole = vector[..words.min(WORDS)].iter();
                        let value = whole.fold(Value::Public, |all, word| all.meet(*word));
                        for word in vector {
                            state.escape(word);
                        }
                        store(state, instruction, target, value);
                    }
                    Some(())
                }
                _ => None,
            }
        }
        _ => None,
    }
    .is_some()
}

/// A store to memory: exactly to a slot, somewhere behind an address of the stack, or elsewhere.
pub(super) fn store(
    state: &mut State,
    instruction: &Instruction,
    target: Option<&Target>,
    value: Value,
) {
    let at = address(instruction, target, state);
    state.store_at(at, Some(size_in_memory(instruction)), value);
    // An address of the stack with an index that is not public, or two of them.
    if at.on_stack().is_none() {
        let displacement = instruction.memory_displacement64() as i64;
        let registers = [instruction.memory_base(), instruction.memory_index()];
        for register in registers.into_iter().filter_map(number) {
            if let Some((base, low)) = state.registers[register].on_stack() {
                state.store_within(base, further(low, displacement), value);
            }
        }
    }
}

/// Whether a register stands in the instruction by itself, and not only in an address.
pub(super) fn is_operand(instruction: &Instruction, register: Register) -> bool {
    (0..instruction.op_count()).any(|i| {
        instruction.op_kind(i) == OpKind::Register
            && instruction.op_register(i).full_register() == register.full_register()
    })
}
