//! Each instruction of x86-64 as it is modelled here, and as the processor does it.

use std::arch::naked_asm;
use std::io::Write;

use iced_x86::Register;

pub(in crate::machine) use super::seen::{is_end, split_flags, vector};
use crate::machine::Run;
use crate::machine::tests::{Snippet, State, compare_all, compare_some};
use crate::word::Word;

/// rax, rcx, rdx and r8, with the bits that were written.
pub(in crate::machine) fn general_registers(run: &Run) -> [(u64, Word); 4] {
    [Register::RAX, Register::RCX, Register::RDX, Register::R8]
        .map(|register| run.processor.0[register.number()].clone())
}

macro_rules! snippet {
    ([$($before:literal),*] $($line:literal)+ [$($after:literal),*]) => {{
        #[unsafe(naked)]
        extern "C" fn snippet(state: &mut State) {
            naked_asm!(
                $($before,)*
                "mov rax, [rdi]",
                "mov rcx, [rdi + 8]",
                "mov rdx, [rdi + 16]",
                "mov r8, [rdi + 24]",
                "mov r9, [rdi + 288]",
                "add r9, -1",
                $($line,)+
                "nop",
                "pushfq",
                "pop r9",
                "mov [rdi], rax",
                "mov [rdi + 8], rcx",
                "mov [rdi + 16], rdx",
                "mov [rdi + 24], r8",
                "mov [rdi + 288], r9",
                $($after,)*
                "ret",
            );
        }
        let function: extern "C" fn(&mut State) = snippet;
        (concat!($($line, "; "),+), function)
    }};
}

macro_rules! general {
    ($($($line:literal)+;)+) => {
        &[$(snippet!([] $($line)+ [])),+]
    };
}

macro_rules! vectors {
    ($($($line:literal)+;)+) => {
        &[$(snippet!(
            [
                "vmovdqu ymm0, [rdi + 96]",
                "vmovdqu ymm1, [rdi + 160]",
                "vmovdqu ymm2, [rdi + 224]"
            ]
            $($line)+
            [
                "vmovdqu [rdi + 96], ymm0",
                "vmovdqu [rdi + 160], ymm1",
                "vmovdqu [rdi + 224], ymm2",
                "vzeroupper"
            ]
        )),+]
    };
}

macro_rules! long_vectors {
    ($($($line:literal)+;)+) => {
        &[$(snippet!(
            [
                "vmovdqu64 zmm0, [rdi + 96]",
                "vmovdqu64 zmm1, [rdi + 160]",
                "vmovdqu64 zmm2, [rdi + 224]"
            ]
            $($line)+
            [
                "vmovdqu64 [rdi + 96], zmm0",
                "vmovdqu64 [rdi + 160], zmm1",
                "vmovdqu64 [rdi + 224], zmm2",
                "vzeroupper"
            ]
        )),+]
    };
}

/// Whether the processor has these instructions; if not, the test says so.
macro_rules! has {
    ($($feature:tt)+) => {{
        let has = $(is_x86_feature_detected!($feature))&&+;
        if !has {
            // Not by a macro whose output tests keep to themselves.
            let skipped = concat!("SKIPPED, for lack of", $(" ", $feature),+, "\n");
            let _ = std::io::stderr().write_all(skipped.as_bytes());
        }
        has
    }};
}

#[test]
fn moves() {
    compare_all(
        general! {
            "mov rax, rcx";
            "mov eax, ecx";
            "mov ax, cx";
            "mov al, cl";
            "mov eax, 0xfffffff0";
            "mov rax, -2";
            "mov rax, 0x123456789abcdef0";
            "mov [rdi + 40], rcx";
            "mov [rdi + 44], ecx";
            "mov [rdi + 41], cl";
            "mov [rdi + 43], rcx";
            "mov word ptr [rdi + 41], -3";
            "mov [rdi + 46], cx" "mov rax, [rdi + 43]";
            "mov eax, [rdi + 45]";
            "mov rax, rdi" "mov ecx, 2" "mov rax, [rax + 8 * rcx + 24]";
            "movzx eax, cl";
            "movzx rax, cx";
            "movzx ax, cl";
            "movzx eax, byte ptr [rdi + 35]";
            "movzx eax, word ptr [rdi + 35]";
            "movsx eax, cl";
            "movsx rax, cx";
            "movsx ax, cl";
            "movsx rax, byte ptr [rdi + 36]";
            "movsxd rax, ecx";
            "movsxd rax, dword ptr [rdi + 36]";
            "cdqe";
            "lea rax, [rcx + 4 * rdx + 7]";
            "lea rax, [rcx + 8 * rdx - 7]";
            "lea rax, [2 * rcx]";
            "lea eax, [rcx + rdx]";
            "lea ax, [rcx + rdx]";
            "lea rax, [rip + 5]";
            "push rax" "push -3" "push qword ptr [rdi + 40]" "pop rcx" "pop rdx" "pop qword ptr [rdi + 56]";
            "xchg rax, rcx";
            "xchg eax, ecx";
            "xchg cl, al";
            "xchg [rdi + 32], rax";
            "call 2f" "jmp 3f" "2: add rax, 1" "ret" "3:";
            "push rax" "call 2f" "jmp 3f" "2: mov rcx, [rsp + 8]" "ret 8" "3:";
            "call 2f" "add rcx, 1" "jmp 4f" "2: pop r9" "lea rax, [rdi + 32]" "jmp r9" "4: sub rax, rax";
        },
        0,
    );
}

#[test]
fn sums() {
    compare_all(
        general! {
            "add rax, rcx";
            "add eax, ecx";
            "add ax, cx";
            "add al, cl";
            "add rax, -5";
            "add eax, -5";
            "add al, 0x7f";
            "add rax, [rdi + 40]";
            "add [rdi + 40], rax";
            "add dword ptr [rdi + 44], 5";
            "adc rax, rcx";
            "adc eax, ecx";
            "adc al, cl";
            "adc rax, 0";
            "adc rax, -1";
            "adc [rdi + 40], rax";
            "add rax, rcx" "adc rdx, r8";
            "add rax, rcx" "adc rdx, 0" "adc r8, 0";
            "add eax, ecx" "adc edx, 0";
            "sub rax, rcx";
            "sub eax, ecx";
            "sub al, cl";
            "sub rax, rax";
            "sub rax, -5";
            "sub [rdi + 40], rax";
            "sbb rax, rcx";
            "sbb eax, ecx";
            "sbb rax, rax";
            "sbb eax, eax";
            "sbb rax, 0";
            "sub rax, rcx" "sbb rdx, r8";
            "sub rax, rcx" "sbb rdx, rdx" "and edx, 38";
            "cmp rax, rcx";
            "cmp rax, rax";
            "cmp eax, 5";
            "cmp cl, -5";
            "cmp rax, [rdi + 40]";
            "cmp rax, rcx" "sbb rdx, 0";
            "inc rax";
            "inc ecx";
            "dec rax";
            "dec ecx";
            "dec byte ptr [rdi + 40]";
            "add rax, rcx" "inc rdx" "adc r8, 0";
            "add rax, rcx" "dec rdx" "adc r8, 0";
            "neg rax";
            "neg eax";
            "neg rax" "sbb rcx, 0";
        },
        0,
    );
}

#[test]
fn two_chains() {
    if !has!("adx") {
        return;
    }
    compare_all(
        general! {
            "adcx rax, rcx";
            "adcx eax, ecx";
            "adox rax, rcx";
            "adox eax, ecx";
            "xor r9d, r9d" "adcx rax, rcx" "adox rdx, r8" "adcx rcx, rdx" "adox r8, rax";
            "test rax, rax" "adox rcx, rdx" "adcx rdx, r8";
            "movsxd rax, eax" "movsxd rcx, ecx" "cmp rax, rcx" "adox rcx, rdx";
            "adox rax, rcx" "adox rdx, r8" "adc rax, 0";
            "adcx rax, [rdi + 40]" "adox rcx, [rdi + 48]";
        },
        0,
    );
}

#[test]
fn bits() {
    compare_all(
        general! {
            "and rax, rcx";
            "and eax, ecx";
            "and al, cl";
            "and rax, 38";
            "and eax, 0xff0";
            "and rax, -16";
            "and [rdi + 40], rax";
            "sbb rax, rax" "and rax, rcx";
            "sbb eax, eax" "and rax, 38";
            "sbb eax, eax" "and eax, ecx";
            "or rax, rcx";
            "or eax, ecx";
            "or rax, rax";
            "shl rax, 32" "mov ecx, ecx" "or rax, rcx";
            "xor rax, rcx";
            "xor eax, ecx";
            "xor rax, rax";
            "xor eax, eax";
            "xor rax, -1";
            "xor eax, -1";
            "xor rax, 1";
            "xor al, 1";
            "shl rax, 32" "mov ecx, ecx" "xor rax, rcx";
            "test rax, rcx";
            "test rax, rax";
            "test eax, eax";
            "test al, 1";
            "add rax, rcx" "test rdx, rdx";
            "not rax";
            "not eax";
            "not al";
            "add rax, rcx" "not rax" "adc rdx, 0";
            "bt rax, 5";
            "bt eax, 31";
            "bt rax, 69";
            "mov ecx, 67" "bt rax, rcx";
            "bt qword ptr [rdi + 40], 63";
            "btr rax, 63";
            "btr eax, 3";
            "btr qword ptr [rdi + 40], 7";
        },
        0,
    );
}

#[test]
fn products() {
    compare_all(
        general! {
            "mul rcx";
            "mul ecx";
            "mul qword ptr [rdi + 40]";
            "imul rax, rcx";
            "imul eax, ecx";
            "imul ax, cx";
            "imul rax, rcx, 38";
            "imul rax, rcx, -38";
            "imul eax, ecx, 19";
            "imul rax, [rdi + 40], 3000";
        },
        0,
    );
    if has!("bmi2") {
        compare_all(
            general! {
                "mulx rax, rcx, r8";
                "mulx eax, ecx, r8d";
                "mulx rax, rax, rcx";
                "add rax, rcx" "mulx rax, r9, [rdi + 40]" "adc r8, 0";
            },
            0,
        );
    }
}

#[test]
fn shifts() {
    compare_all(
        general! {
            "shl rax, 5";
            "shl eax, 5";
            "shl ax, 5";
            "shl ax, 17";
            "shl al, 9";
            "shl rax, 1";
            "shl eax, 33";
            "shl rax, 64";
            "shl qword ptr [rdi + 40], 3";
            "mov ecx, 13" "shl rax, cl";
            "shr rax, 5";
            "shr eax, 5";
            "shr ax, 5";
            "shr ax, 20";
            "shr al, 9";
            "shr rax, 63";
            "shr rax";
            "sar rax, 5";
            "sar eax, 31";
            "sar ax, 20";
            "sar al, 30";
            "sar rax, 63";
            "sar rax";
            "rol rax, 5";
            "rol eax, 5";
            "rol ax, 19";
            "rol al, 3";
            "ror rax, 5";
            "ror eax, 37";
            "ror al, 11";
            "ror rax";
            "rol eax";
            "mov ecx, 7" "ror rax, cl";
            "shld rax, rcx, 13";
            "shld eax, ecx, 13";
            "shld rax, rcx, 64";
            "shrd rax, rcx, 13";
            "shrd eax, ecx, 31";
            "shrd [rdi + 40], rcx, 51";
        },
        0,
    );
    if has!("bmi2") {
        compare_all(
            general! {
                "mov ecx, 13" "shlx rax, rdx, rcx";
                "mov ecx, 77" "shlx rax, rdx, rcx";
                "mov ecx, 45" "shrx eax, edx, ecx";
                "mov ecx, 61" "sarx rax, [rdi + 40], rcx";
                "rorx rax, rcx, 13";
                "rorx eax, ecx, 13";
                "add rax, rcx" "rorx rdx, rdx, 3" "adc r8, 0";
                "mov ecx, 13" "bzhi rax, rdx, rcx";
                "mov ecx, 64" "bzhi rax, rdx, rcx";
                "mov ecx, 261" "bzhi rax, rdx, rcx";
                "mov ecx, 33" "bzhi eax, edx, ecx";
                "mov ecx, 31" "bzhi eax, edx, ecx";
            },
            0,
        );
    }
}

#[test]
fn conditions() {
    // Each after a comparison of words and of parts of them, an operation on bits, and what changes some flags only.
    macro_rules! after_each {
        ($($condition:literal)+) => {
            [
                general! { $("cmp rax, rcx" $condition;)+ },
                general! { $("cmp eax, ecx" $condition;)+ },
                general! { $("cmp al, cl" $condition;)+ },
                general! { $("test rax, rax" $condition;)+ },
                general! { $("and eax, 0xff" $condition;)+ },
                general! { $("sub rax, rcx" $condition;)+ },
            ]
        };
    }
    let snippets: [&[Snippet]; 6] = after_each! {
        "setb dl" "setae dl" "sete dl" "setne dl" "setbe dl" "seta dl" "sets dl" "setns dl" "setl dl" "setge dl"
        "setle dl" "setg dl" "setb [rdi + 41]"
        "cmovb rdx, r8" "cmovae rdx, r8" "cmove rdx, r8" "cmovne rdx, r8" "cmovbe rdx, r8" "cmova rdx, r8"
        "cmovs rdx, r8" "cmovns rdx, r8" "cmovl rdx, r8" "cmovge rdx, r8" "cmovle rdx, r8" "cmovg rdx, r8"
        "cmovb edx, r8d" "cmovae edx, [rdi + 40]"
        "jb 2f; mov edx, 5; 2:" "jae 2f; mov edx, 5; 2:" "je 2f; mov edx, 5; 2:" "jne 2f; mov edx, 5; 2:"
        "jbe 2f; mov edx, 5; 2:" "ja 2f; mov edx, 5; 2:" "js 2f; mov edx, 5; 2:" "jns 2f; mov edx, 5; 2:"
        "jl 2f; mov edx, 5; 2:" "jge 2f; mov edx, 5; 2:" "jle 2f; mov edx, 5; 2:" "jg 2f; mov edx, 5; 2:"
        "inc r8; setb dl" "dec r8; setae dl" "lea r8, [rax + rcx]; setb dl" "mov r8, rax; setb dl" "not r8; sete dl"
    };
    for snippets in snippets {
        compare_some(snippets, 0);
    }
    // Of two words whose sum has no sign too many, overflow is known.
    compare_all(
        general! {
            "movsxd rax, eax" "movsxd rcx, ecx" "add rax, rcx" "seto dl";
            "movsxd rax, eax" "movsxd rcx, ecx" "sub rax, rcx" "setno dl" "jo 2f" "mov r8d, 5" "2:";
            "movzx eax, al" "movzx ecx, cl" "cmp eax, ecx" "setb dl";
            "movzx eax, al" "add eax, 1" "test eax, eax" "setne dl" "cmove rcx, r8";
        },
        0,
    );
}

#[test]
fn short_vectors() {
    if !has!("avx2") {
        return;
    }
    compare_all(
        vectors! {
            "movdqa xmm0, xmm1";
            "movdqu xmm0, [rdi + 40]";
            "movups [rdi + 40], xmm1";
            "movaps xmm0, xmm1";
            "movapd xmm0, xmm1";
            "movupd xmm0, [rdi + 40]";
            "vmovdqa ymm0, ymm1";
            "vmovdqa xmm0, xmm1";
            "vmovaps xmm0, xmm1";
            "vmovups ymm0, [rdi + 36]";
            "vmovdqu [rdi + 36], ymm1";
            "movq xmm0, rax";
            "movq rax, xmm1";
            "movq xmm0, xmm1";
            "movq xmm0, [rdi + 40]";
            "movq [rdi + 40], xmm1";
            "movd xmm0, eax";
            "movd eax, xmm1";
            "movd [rdi + 41], xmm1";
            "vmovq xmm0, rax";
            "vmovq xmm0, xmm1";
            "vmovq rax, xmm1";
            "vmovd xmm0, eax";
            "vmovd eax, xmm1";
            "movhps xmm0, [rdi + 40]";
            "movlps xmm0, [rdi + 40]";
            "movhpd xmm0, [rdi + 40]";
            "movlpd xmm0, [rdi + 40]";
            "movhps [rdi + 40], xmm1";
            "movlps [rdi + 40], xmm1";
            "movlhps xmm0, xmm1";
            "movss xmm0, xmm1";
            "movss xmm0, [rdi + 40]";
            "movss [rdi + 40], xmm1";
            "movsd xmm0, xmm1";
            "movsd xmm0, [rdi + 40]";
            "movsd [rdi + 40], xmm1";
            "paddq xmm0, xmm1";
            "paddd xmm0, xmm1";
            "vpaddq ymm0, ymm1, ymm2";
            "vpaddq xmm0, xmm1, xmm2";
            "vpaddd ymm0, ymm1, [rdi + 32]";
            "psubq xmm0, xmm1";
            "psubd xmm0, xmm1";
            "vpsubq ymm0, ymm1, ymm2";
            "vpsubd ymm0, ymm1, ymm2";
            "pmuludq xmm0, xmm1";
            "vpmuludq ymm0, ymm1, ymm2";
            "pand xmm0, xmm1";
            "vpand ymm0, ymm1, ymm2";
            "andps xmm0, xmm1";
            "andpd xmm0, xmm1";
            "vandps ymm0, ymm1, ymm2";
            "por xmm0, xmm1";
            "orps xmm0, xmm1";
            "vpor ymm0, ymm1, ymm2";
            "psllq xmm0, 32" "psrlq xmm1, 32" "por xmm0, xmm1";
            "psllq xmm0, 32" "psrlq xmm1, 32" "pxor xmm0, xmm1";
            "pxor xmm0, xmm1";
            "pxor xmm0, xmm0";
            "xorps xmm0, xmm1";
            "xorpd xmm0, xmm1";
            "vpxor ymm0, ymm1, ymm2";
            "vpxor xmm0, xmm0, xmm0";
            "vxorps ymm0, ymm1, ymm2";
            "psrlq xmm0, 5";
            "psrlq xmm0, 64";
            "psrld xmm0, 5";
            "psrld xmm0, 200";
            "psllq xmm0, 5";
            "pslld xmm0, 5";
            "pslld xmm0, 32";
            "psrad xmm0, 5";
            "psrad xmm0, 40";
            "vpsrlq ymm0, ymm1, 13";
            "vpsllq ymm0, ymm1, 13";
            "vpsrld ymm0, ymm1, 13";
            "vpslld ymm0, ymm1, 13";
            "vpsrad ymm0, ymm1, 31";
            "mov ecx, 5" "movd xmm2, ecx" "psrlq xmm0, xmm2";
            "mov ecx, 5" "movd xmm2, ecx" "vpsllq ymm0, ymm1, xmm2";
            "mov rcx, -1" "movq xmm2, rcx" "psllq xmm0, xmm2";
            "mov rcx, -1" "movq xmm2, rcx" "psrad xmm0, xmm2";
            "pshufd xmm0, xmm1, 0x4e";
            "pshufd xmm0, xmm1, 0x31";
            "vpshufd ymm0, ymm1, 0x93";
            "vpermq ymm0, ymm1, 0x1b";
            "shufps xmm0, xmm1, 0x88";
            "vshufps ymm0, ymm1, ymm2, 0xdd";
            "vpblendd ymm0, ymm1, ymm2, 0xa5";
            "vpblendd xmm0, xmm1, xmm2, 0x5";
            "punpcklqdq xmm0, xmm1";
            "punpckhqdq xmm0, xmm1";
            "punpckldq xmm0, xmm1";
            "punpckhdq xmm0, xmm1";
            "vpunpcklqdq ymm0, ymm1, ymm2";
            "vpunpckhqdq ymm0, ymm1, ymm2";
            "vpunpckldq ymm0, ymm1, ymm2";
            "vpunpckhdq ymm0, ymm1, ymm2";
            "unpcklps xmm0, xmm1";
            "unpckhps xmm0, xmm1";
            "unpcklpd xmm0, xmm1";
            "unpckhpd xmm0, xmm1";
            "psrldq xmm0, 3";
            "psrldq xmm0, 8";
            "pslldq xmm0, 5";
            "pslldq xmm0, 17";
            "vpbroadcastq ymm0, xmm1";
            "vpbroadcastd ymm0, xmm1";
            "vpbroadcastd xmm0, [rdi + 41]";
            "vpbroadcastq xmm0, [rdi + 41]";
            "vbroadcastsd ymm0, xmm1";
            "pcmpeqd xmm0, xmm0";
            "pcmpeqb xmm0, xmm0";
            "vpcmpeqd ymm0, ymm1, ymm1";
            "vpcmpeqd xmm0, xmm1, xmm1";
            "vzeroupper";
        },
        4,
    );
}

#[test]
fn wide_vectors() {
    if !has!("avx512f" "avx512vl" "avx512dq" "avx512ifma") {
        return;
    }
    compare_all(
        long_vectors! {
            "vmovdqa64 zmm0, zmm1";
            "vmovdqu64 ymm0, [rdi + 40]" "vmovdqu64 zmm16, zmm1";
            "vmovdqu32 zmm0, [rdi + 32]";
            "vmovdqa32 zmm0, zmm1";
            "vmovups zmm0, zmm1";
            "vmovdqu [rdi + 40], ymm1";
            "vmovdqa ymm0, ymm1";
            "movdqa xmm0, xmm1";
            "vmovq xmm0, rax";
            "vmovd xmm0, eax";
            "movq xmm0, rax";
            "vzeroupper";
            "vpxor xmm0, xmm0, xmm0";
            "vpxorq zmm0, zmm0, zmm0";
            "vpaddq zmm0, zmm1, zmm2";
            "vpaddq ymm0, ymm1, ymm2";
            "vpaddq zmm0, zmm1, qword ptr [rdi + 40]{{1to8}}";
            "vpaddq ymm0, ymm1, qword ptr [rdi + 44]{{1to4}}";
            "vpaddd zmm0, zmm1, dword ptr [rdi + 44]{{1to16}}";
            "vpsubq zmm0, zmm1, zmm2";
            "vpsubd zmm0, zmm1, zmm2";
            "vpmuludq zmm0, zmm1, zmm2";
            "vpmuludq zmm0, zmm1, qword ptr [rdi + 40]{{1to8}}";
            "vpandq zmm0, zmm1, zmm2";
            "vpandd zmm0, zmm1, zmm2";
            "vpandd zmm0, zmm1, dword ptr [rdi + 44]{{1to16}}";
            "vpandq zmm0, zmm1, qword ptr [rdi + 44]{{1to8}}";
            "mov dword ptr [rdi + 44], 0xffff" "vpandd zmm0, zmm1, dword ptr [rdi + 44]{{1to16}}";
            "mov qword ptr [rdi + 44], 0xffff" "vpandq zmm0, zmm1, qword ptr [rdi + 44]{{1to8}}";
            "vporq zmm0, zmm1, zmm2";
            "vpxorq zmm0, zmm1, zmm2";
            "vpxord zmm0, zmm1, zmm2";
            "vpsrlq zmm0, zmm1, 13";
            "vpsllq zmm0, zmm1, 13";
            "vpsraq zmm0, zmm1, 13";
            "vpsraq ymm0, ymm1, 63";
            "vpsrlq zmm0, qword ptr [rdi + 40]{{1to8}}, 13";
            "vpmadd52luq zmm0, zmm1, zmm2";
            "vpmadd52huq zmm0, zmm1, zmm2";
            "vpmadd52luq ymm0, ymm1, ymm2";
            "vpmadd52huq zmm0, zmm1, qword ptr [rdi + 40]{{1to8}}";
            "vpermq zmm0, zmm1, 0x1b";
            "vpshufd zmm0, zmm1, 0x4e";
            "vshufps zmm0, zmm1, zmm2, 0x88";
            "vpunpcklqdq zmm0, zmm1, zmm2";
            "vpunpckhqdq zmm0, zmm1, zmm2";
            "vpbroadcastq zmm0, rax";
            "vpbroadcastq zmm0, xmm1";
            "vpbroadcastd zmm0, xmm1";
            "vbroadcastsd zmm0, qword ptr [rdi + 40]";
            "vpblendd ymm0, ymm1, ymm2, 0xa5";
        },
        8,
    );
}
