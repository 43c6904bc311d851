//! Each instruction of 32-bit x86 that differs from its like with 64 bits, or that assembly here is made of, as it is modelled here
//! and as the processor does it.

use std::arch::naked_asm;

use iced_x86::Register;

pub(in crate::machine) use super::seen::{is_end, split_flags, vector};
use crate::machine::Run;
use crate::machine::tests::{State, compare_all};
use crate::word::Word;

/// eax, ecx, edx and ebx, with the bits that were written.
pub(in crate::machine) fn general_registers(run: &Run) -> [(u64, Word); 4] {
    [Register::EAX, Register::ECX, Register::EDX, Register::EBX]
        .map(|register| run.processor.0[register.number()].clone())
}

macro_rules! snippets {
    ($($($line:literal)+;)+) => {
        &[$({
            #[unsafe(naked)]
            extern "C" fn snippet(state: &mut State) {
                naked_asm!(
                    "push ebx",
                    "push esi",
                    "push edi",
                    "push ebp",
                    "mov edi, [esp + 20]",
                    "movdqu xmm0, [edi + 96]",
                    "movdqu xmm1, [edi + 160]",
                    "movdqu xmm2, [edi + 224]",
                    "mov eax, [edi]",
                    "mov ecx, [edi + 8]",
                    "mov edx, [edi + 16]",
                    "mov ebx, [edi + 24]",
                    "mov esi, [edi + 288]",
                    "add esi, -1",
                    $($line,)+
                    "nop",
                    "pushfd",
                    "pop esi",
                    "mov [edi], eax",
                    "mov [edi + 8], ecx",
                    "mov [edi + 16], edx",
                    "mov [edi + 24], ebx",
                    "mov [edi + 288], esi",
                    "movdqu [edi + 96], xmm0",
                    "movdqu [edi + 160], xmm1",
                    "movdqu [edi + 224], xmm2",
                    "pop ebp",
                    "pop edi",
                    "pop esi",
                    "pop ebx",
                    "ret",
                );
            }
            let function: extern "C" fn(&mut State) = snippet;
            (concat!($($line, "; "),+), function)
        }),+]
    };
}

#[test]
fn addresses_and_the_stack() {
    compare_all(
        snippets! {
            "mov eax, [edi + 40]";
            "mov [edi + 44], ecx";
            "mov [edi + 41], cl";
            "mov eax, edi" "mov ecx, 2" "mov eax, [eax + 8 * ecx + 24]";
            "lea eax, [ecx + 4 * edx + 7]";
            "lea eax, [ecx + 8 * edx - 7]";
            "lea eax, [2 * ecx]";
            "lea ax, [ecx + edx]";
            "lea esi, [edi + 100]" "mov eax, [esi - 60]";
            "mov esi, -4" "mov eax, [edi + esi + 44]";
            "push eax" "push -3" "push dword ptr [edi + 40]" "pop ecx" "pop edx" "pop dword ptr [edi + 56]";
            "push eax" "push ecx" "mov eax, [esp]" "mov ecx, [esp + 4]" "add esp, 8";
            "call 2f" "jmp 3f" "2: add eax, 1" "ret" "3:";
            "call 2f" "2: pop esi" "sub esi, esi";
            "push eax" "call 2f" "jmp 3f" "2: mov ecx, [esp + 4]" "ret 4" "3:";
            "movzx eax, cl";
            "movsx eax, cx";
            "xchg eax, ecx";
        },
        2,
    );
}

#[test]
fn sums_and_bits() {
    compare_all(
        snippets! {
            "add eax, ecx";
            "add eax, ecx" "adc edx, ebx";
            "add eax, [edi + 40]" "adc edx, [edi + 44]";
            "add [edi + 40], eax" "adc dword ptr [edi + 44], 0";
            "sub eax, ecx" "sbb edx, ebx";
            "sub eax, ecx" "sbb edx, edx" "and edx, 38";
            "cmp eax, ecx" "setb dl";
            "inc eax";
            "dec ecx";
            "neg eax";
            "and eax, (1 << 26) - 1";
            "and eax, ecx";
            "xor eax, eax";
            "xor eax, -1";
            "not eax";
            "test eax, eax";
            "shl eax, 16" "movzx ecx, cx" "or eax, ecx";
        },
        2,
    );
}

#[test]
fn products_and_shifts() {
    compare_all(
        snippets! {
            "mul ecx";
            "mul dword ptr [edi + 40]";
            "mul ecx" "add eax, ebx" "adc edx, 0";
            "imul eax, ecx";
            "imul eax, ecx, 19";
            "imul eax, [edi + 40], 19";
            "shl eax, 5";
            "shr eax, 26";
            "sar eax, 31";
            "mov ecx, 13" "shl eax, cl";
            "shrd eax, edx, 26";
            "shrd eax, edx, 26" "shr edx, 26";
            "shld eax, ecx, 13";
            "rol eax, 5";
        },
        2,
    );
}

#[test]
fn vectors() {
    compare_all(
        snippets! {
            "movdqu xmm0, [edi + 40]";
            "movdqu [edi + 40], xmm1";
            "movd xmm0, eax";
            "movd eax, xmm1";
            "movq xmm0, [edi + 40]";
            "movq [edi + 40], xmm1";
            "movss xmm0, [edi + 40]";
            "movsd xmm0, [edi + 40]";
            "movsd [edi + 40], xmm1";
            "paddd xmm0, xmm1";
            "paddq xmm0, xmm1";
            "psubd xmm0, xmm1";
            "pmuludq xmm0, xmm1";
            "psrlq xmm0, 26";
            "pshufd xmm0, xmm1, 0x4e";
            "punpckldq xmm0, xmm1";
            "pxor xmm0, xmm0";
        },
        2,
    );
}
