//! Small functions, assembled by hand, with what is to be said of each.

use super::{Arguments, Flow, Kind, Law};
use crate::objects::{Function, Program, Target};

/// The code of a function, and what the linker fills in.
type Code<'a> = (&'a [u8], &'a [(usize, Target)]);

const PUBLIC: Arguments = Arguments::Public;

/// Functions that are called `f0`, `f1` and so on, with the references of each.
fn program(functions: &[Code<'_>]) -> Program {
    let mut program = Program::default();
    for (i, (code, references)) in functions.iter().enumerate() {
        program.functions.push(Function {
            name: format!("f{i}"),
            code: code.to_vec(),
            references: references.iter().copied().collect(),
            ..Function::default()
        });
    }
    program
}

/// The suspects from the first function on: function, offset, kind.
fn suspects(program: &Program, arguments: Arguments) -> Vec<(usize, usize, Kind)> {
    let law = Law {
        ends: &|name| name == "f8",
        open: &|_| false,
        closed: &|name| name == "f9",
    };
    let (suspects, _) = Flow::new(program, 64, law).run(&[(0, arguments)]);
    let place = |s: &super::Suspect| (s.function, s.offset, s.kind);
    suspects.iter().map(place).collect()
}

fn of_code(code: &[u8], arguments: Arguments) -> Vec<(usize, usize, Kind)> {
    suspects(&program(&[(code, &[])]), arguments)
}

#[test]
fn a_loop_with_a_fixed_number_of_turns_is_public() {
    // mov ecx, 10; l: adc rax, [rdi]; dec ecx; jnz l; ret. What the addition leaves in the other flags is secret.
    let code = [
        0xb9, 10, 0, 0, 0, 0x48, 0x13, 0x07, 0xff, 0xc9, 0x75, 0xf9, 0xc3,
    ];
    assert_eq!(of_code(&code, PUBLIC), []);
    // The same with jb for jnz looks at the carry of the addition.
    let mut carry = code;
    carry[10] = 0x72;
    assert_eq!(of_code(&carry, PUBLIC), [(0, 10, Kind::Branch)]);
}

#[test]
fn what_a_pointer_leads_to_is_secret_and_a_length_is_not() {
    // cmp dword [rdi], 0; je +0; ret.
    let code = [0x83, 0x3f, 0, 0x74, 0, 0xc3];
    assert_eq!(of_code(&code, PUBLIC), [(0, 3, Kind::Branch)]);
    // cmp esi, 4; je +0; ret.
    let code = [0x83, 0xfe, 4, 0x74, 0, 0xc3];
    assert_eq!(of_code(&code, PUBLIC), []);
}

#[test]
fn a_closure_holds_public_words_and_addresses_of_secrets() {
    // mov rax, [rdi + 8]; test rax, rax; je +0; ret.
    let code = [0x48, 0x8b, 0x47, 8, 0x48, 0x85, 0xc0, 0x74, 0, 0xc3];
    assert_eq!(of_code(&code, Arguments::Held), []);
    assert_eq!(of_code(&code, PUBLIC), [(0, 7, Kind::Branch)]);
    // mov rax, [rdi]; mov al, [rax]; test al, al; je +0; ret.
    let code = [0x48, 0x8b, 0x07, 0x8a, 0x00, 0x84, 0xc0, 0x74, 0, 0xc3];
    assert_eq!(of_code(&code, Arguments::Held), [(0, 7, Kind::Branch)]);
}

#[test]
fn a_choice_is_secret_and_the_addresses_beside_it_are_not() {
    // test ecx, ecx; je +0; ret, and the same for rdx.
    let code = [0x85, 0xc9, 0x74, 0, 0xc3];
    assert_eq!(of_code(&code, Arguments::Choice), [(0, 2, Kind::Branch)]);
    let code = [0x48, 0x85, 0xd2, 0x74, 0, 0xc3];
    assert_eq!(of_code(&code, Arguments::Choice), []);
}

#[test]
fn a_slot_keeps_what_was_stored() {
    // mov [rsp - 8], rsi; mov rax, [rsp - 8]; test rax, rax; je +0; ret.
    let mut code = vec![0x48, 0x89, 0x74, 0x24, 0xf8];
    code.extend([
        0x48, 0x8b, 0x44, 0x24, 0xf8, 0x48, 0x85, 0xc0, 0x74, 0, 0xc3,
    ]);
    assert_eq!(of_code(&code, PUBLIC), []);
    // The same, when a secret has been stored over a part of it: mov eax, [rdi]; mov [rsp - 4], eax.
    let over = [0x8b, 0x07, 0x89, 0x44, 0x24, 0xfc];
    code.splice(5..5, over);
    assert_eq!(of_code(&code, PUBLIC), [(0, 19, Kind::Branch)]);
}

#[test]
fn ways_that_meet_are_secret_if_one_is() {
    // xor eax, eax; cmp esi, 1; je +2; mov eax, [rdi]; test eax, eax; je +0; ret.
    let code = [
        0x31, 0xc0, 0x83, 0xfe, 1, 0x74, 2, 0x8b, 0x07, 0x85, 0xc0, 0x74, 0, 0xc3,
    ];
    assert_eq!(of_code(&code, PUBLIC), [(0, 11, Kind::Branch)]);
}

#[test]
fn divisions_of_secrets_are_found() {
    // xor edx, edx; mov eax, [rdi]; div esi; ret.
    let code = [0x31, 0xd2, 0x8b, 0x07, 0xf7, 0xf6, 0xc3];
    assert_eq!(of_code(&code, PUBLIC), [(0, 4, Kind::Division)]);
    // xor edx, edx; mov eax, esi; div esi; ret.
    let code = [0x31, 0xd2, 0x89, 0xf0, 0xf7, 0xf6, 0xc3];
    assert_eq!(of_code(&code, PUBLIC), []);
}

#[test]
fn callees_know_what_their_callers_know() {
    // f0: mov edi, 3; call f1; test eax, eax; je +0; ret.
    let caller = [
        0xbf, 3, 0, 0, 0, 0xe8, 0, 0, 0, 0, 0x85, 0xc0, 0x74, 0, 0xc3,
    ];
    let call: &[(usize, Target)] = &[(6, Target::Function(1))];
    // f1: test edi, edi; je +0; mov eax, edi; ret.
    let callee = [0x85, 0xff, 0x74, 0, 0x89, 0xf8, 0xc3];
    let both = program(&[(&caller, call), (&callee, &[])]);
    assert_eq!(suspects(&both, PUBLIC), []);
    // f0: mov edi, [rdi], two bytes and nothing for the rest.
    let mut secret = caller;
    secret[..5].copy_from_slice(&[0x8b, 0x3f, 0x90, 0x90, 0x90]);
    let both = program(&[(&secret, call), (&callee, &[])]);
    let expected = [(0, 12, Kind::Branch), (1, 2, Kind::Branch)];
    assert_eq!(suspects(&both, PUBLIC), expected);
}

#[test]
fn calls_that_cannot_be_followed_are_found() {
    // call f1, which is of another library.
    let code = [0xe8, 0, 0, 0, 0, 0xc3];
    let call: &[(usize, Target)] = &[(1, Target::Function(1))];
    let both = program(&[(&code, call), (&[], &[])]);
    assert_eq!(suspects(&both, PUBLIC), [(0, 0, Kind::Call)]);
    // call rsi.
    assert_eq!(of_code(&[0xff, 0xd6, 0xc3], PUBLIC), [(0, 0, Kind::Call)]);
    // call f9, whose name says that its time varies.
    let mut functions: Vec<Code<'_>> = vec![(&[0xc3], &[]); 10];
    let call: &[(usize, Target)] = &[(1, Target::Function(9))];
    functions[0] = (&code, call);
    assert_eq!(suspects(&program(&functions), PUBLIC), [(0, 0, Kind::Call)]);
}

/// A function, one that it calls at an offset, and what the other is called. The code of a function elsewhere is empty.
fn calling(caller: &[u8], at: usize, callee: &[u8], name: &str) -> Vec<(usize, usize, Kind)> {
    let call: &[(usize, Target)] = &[(at + 1, Target::Function(1))];
    let mut program = program(&[(caller, call), (callee, &[])]);
    name.clone_into(&mut program.functions[1].name);
    suspects(&program, PUBLIC)
}

/// A slot of zeros, and a call with its address and that of a secret: sub rsp, 24; mov rsi, rdi; mov qword [rsp], 0;
/// mov rdi, rsp; mov edx, 8; call; cmp qword [rsp], 0; je +0; add rsp, 24; ret.
const OVER_A_SLOT: [u8; 40] = [
    0x48, 0x83, 0xec, 0x18, 0x48, 0x89, 0xfe, 0x48, 0xc7, 0x04, 0x24, 0, 0, 0, 0, 0x48, 0x89, 0xe7,
    0xba, 8, 0, 0, 0, 0xe8, 0, 0, 0, 0, 0x48, 0x83, 0x3c, 0x24, 0, 0x74, 0, 0x48, 0x83, 0xc4, 0x18,
    0xc3,
];

#[test]
fn what_is_copied_from_a_secret_is_secret() {
    for name in ["memcpy", "memmove"] {
        let found = calling(&OVER_A_SLOT, 23, &[], name);
        assert_eq!(found, [(0, 33, Kind::Branch)], "{name}");
    }
    // mov rsi, rsp, after the store, in the place of mov rsi, rdi: what is copied is the slot itself.
    let mut itself = OVER_A_SLOT;
    itself.copy_within(7..18, 4);
    itself[15..18].copy_from_slice(&[0x48, 0x89, 0xe6]);
    assert_eq!(calling(&itself, 23, &[], "memcpy"), []);
    // mov rdx, [rsi]: as many bytes as a secret says.
    let mut many = OVER_A_SLOT;
    many[18..23].copy_from_slice(&[0x48, 0x8b, 0x16, 0x66, 0x90]);
    let expected = [(0, 23, Kind::Call), (0, 33, Kind::Branch)];
    assert_eq!(calling(&many, 23, &[], "memcpy"), expected);
}

#[test]
fn what_is_filled_is_as_what_fills_it() {
    // sub rsp, 24; xor esi, esi; mov rdi, rsp; mov edx, 16; call memset; cmp qword [rsp + 8], 0; je +0;
    // add rsp, 24; ret.
    let mut code = [
        0x48, 0x83, 0xec, 0x18, 0x31, 0xf6, 0x48, 0x89, 0xe7, 0xba, 16, 0, 0, 0, 0xe8, 0, 0, 0, 0,
        0x48, 0x83, 0x7c, 0x24, 8, 0, 0x74, 0, 0x48, 0x83, 0xc4, 0x18, 0xc3,
    ];
    assert_eq!(calling(&code, 14, &[], "memset"), []);
    // So many bytes that the slot is not among them.
    code[10] = 15;
    let branch = [(0, 25, Kind::Branch)];
    assert_eq!(calling(&code, 14, &[], "memset"), branch);
    // mov esi, [rdi].
    code[10] = 16;
    code[4..6].copy_from_slice(&[0x8b, 0x37]);
    assert_eq!(calling(&code, 14, &[], "memset"), branch);
}

#[test]
fn secrets_are_not_compared_by_the_library_of_c() {
    // mov edx, 32; call; test eax, eax; je +0; ret.
    let code = [
        0xba, 32, 0, 0, 0, 0xe8, 0, 0, 0, 0, 0x85, 0xc0, 0x74, 0, 0xc3,
    ];
    for name in ["memcmp", "bcmp"] {
        let expected = [(0, 5, Kind::Call), (0, 12, Kind::Branch)];
        assert_eq!(calling(&code, 5, &[], name), expected, "{name}");
    }
    // Two zeros may be: mov rsi, rsp in the place of mov rsi, rdi, after the store.
    let mut zeros = OVER_A_SLOT;
    zeros.copy_within(7..18, 4);
    zeros[15..18].copy_from_slice(&[0x48, 0x89, 0xe6]);
    assert_eq!(calling(&zeros, 23, &[], "memcmp"), []);
    assert_eq!(
        calling(&OVER_A_SLOT, 23, &[], "memcmp"),
        [(0, 23, Kind::Call)]
    );
}

#[test]
fn a_load_is_secret_if_any_of_its_bytes_is() {
    // mov eax, [rdi]; mov [rsp - 4], eax; mov dword [rsp - 8], 0; mov rax, [rsp - 8]; test rax, rax; je +0; ret.
    let mut code = [
        0x8b, 0x07, 0x89, 0x44, 0x24, 0xfc, 0xc7, 0x44, 0x24, 0xf8, 0, 0, 0, 0, 0x48, 0x8b, 0x44,
        0x24, 0xf8, 0x48, 0x85, 0xc0, 0x74, 0, 0xc3,
    ];
    assert_eq!(of_code(&code, PUBLIC), [(0, 22, Kind::Branch)]);
    // xor eax, eax.
    code[..2].copy_from_slice(&[0x31, 0xc0]);
    assert_eq!(of_code(&code, PUBLIC), []);
}

#[test]
fn what_is_stored_through_an_address_in_memory_is_found() {
    // sub rsp, 24; mov qword [rsp + 16], 0; lea rax, [rsp + 16]; mov [rsp], rax; mov rsi, rdi; mov rdi, rsp; call f1;
    // cmp qword [rsp + 16], 0; je +0; add rsp, 24; ret.
    let caller = [
        0x48, 0x83, 0xec, 0x18, 0x48, 0xc7, 0x44, 0x24, 0x10, 0, 0, 0, 0, 0x48, 0x8d, 0x44, 0x24,
        0x10, 0x48, 0x89, 0x04, 0x24, 0x48, 0x89, 0xfe, 0x48, 0x89, 0xe7, 0xe8, 0, 0, 0, 0, 0x48,
        0x83, 0x7c, 0x24, 0x10, 0, 0x74, 0, 0x48, 0x83, 0xc4, 0x18, 0xc3,
    ];
    // mov rax, [rdi]; mov rcx, [rsi]; mov [rax], rcx; ret.
    let mut callee = [0x48, 0x8b, 0x07, 0x48, 0x8b, 0x0e, 0x48, 0x89, 0x08, 0xc3];
    let branch = [(0, 39, Kind::Branch)];
    assert_eq!(calling(&caller, 28, &callee, "f1"), branch);
    // xor ecx, ecx; nop: what is stored is public.
    callee[3..6].copy_from_slice(&[0x31, 0xc9, 0x90]);
    assert_eq!(calling(&caller, 28, &callee, "f1"), []);
}

#[test]
fn what_is_stored_far_behind_an_argument_is_found() {
    // sub rsp, 0x208; mov qword [rsp + 0x200], 0; mov rsi, rdi; mov rdi, rsp; call f1; cmp qword [rsp + 0x200], 0;
    // je +0; add rsp, 0x208; ret.
    let caller = [
        0x48, 0x81, 0xec, 8, 2, 0, 0, 0x48, 0xc7, 0x84, 0x24, 0, 2, 0, 0, 0, 0, 0, 0, 0x48, 0x89,
        0xfe, 0x48, 0x89, 0xe7, 0xe8, 0, 0, 0, 0, 0x48, 0x83, 0xbc, 0x24, 0, 2, 0, 0, 0, 0x74, 0,
        0x48, 0x81, 0xc4, 8, 2, 0, 0, 0xc3,
    ];
    // mov rcx, [rsi]; mov [rdi + 0x200], rcx; ret.
    let mut callee = [0x48, 0x8b, 0x0e, 0x48, 0x89, 0x8f, 0, 2, 0, 0, 0xc3];
    assert_eq!(calling(&caller, 25, &callee, "f1"), [(0, 39, Kind::Branch)]);
    // One slot before it.
    callee[6..8].copy_from_slice(&[0xf8, 1]);
    assert_eq!(calling(&caller, 25, &callee, "f1"), []);
}

#[test]
fn an_address_that_moves_leads_to_all_that_it_passes() {
    // sub rsp, 40; mov qword [rsp + 8], 0; lea rax, [rsp]; lea rdx, [rsp + 32]; l: mov rcx, [rdi]; mov [rax], rcx;
    // add rax, 8; cmp rax, rdx; jne l; cmp qword [rsp + 8], 0; je +0; add rsp, 40; ret.
    let code = [
        0x48, 0x83, 0xec, 0x28, 0x48, 0xc7, 0x44, 0x24, 8, 0, 0, 0, 0, 0x48, 0x8d, 0x04, 0x24,
        0x48, 0x8d, 0x54, 0x24, 0x20, 0x48, 0x8b, 0x0f, 0x48, 0x89, 0x08, 0x48, 0x83, 0xc0, 8,
        0x48, 0x39, 0xd0, 0x75, 0xf1, 0x48, 0x83, 0x7c, 0x24, 8, 0, 0x74, 0, 0x48, 0x83, 0xc4,
        0x28, 0xc3,
    ];
    assert_eq!(of_code(&code, PUBLIC), [(0, 43, Kind::Branch)]);
}

#[test]
fn nothing_comes_after_the_end_of_the_program() {
    // cmp esi, 1; jne +1; ret; call f8; cmp byte [rdi], 0; je +0; ret.
    let code = [
        0x83, 0xfe, 1, 0x75, 1, 0xc3, 0xe8, 0, 0, 0, 0, 0x80, 0x3f, 0, 0x74, 0, 0xc3,
    ];
    assert_eq!(calling(&code, 6, &[], "f8"), []);
    assert_eq!(calling(&code, 6, &[0xc3], "f1"), [(0, 14, Kind::Branch)]);
}

#[test]
fn a_function_that_is_not_known_to_come_back_is_found() {
    // call f1; cmp byte [rdi], 0; je +0; ret, and f1: l: jmp l.
    let code = [0xe8, 0, 0, 0, 0, 0x80, 0x3f, 0, 0x74, 0, 0xc3];
    let expected = [(0, 0, Kind::Branch), (1, 0, Kind::Branch)];
    assert_eq!(calling(&code, 0, &[0xeb, 0xfe], "f1"), expected);
}

#[test]
fn an_address_that_one_way_loses_still_leads_somewhere() {
    // sub rsp, 24; mov qword [rsp], 0; mov rax, [rdi]; cmp esi, 1; je +3; mov rax, rsp; mov rcx, [rdi]; mov [rax], rcx;
    // cmp qword [rsp], 0; je +0; add rsp, 24; ret.
    let code = [
        0x48, 0x83, 0xec, 0x18, 0x48, 0xc7, 0x04, 0x24, 0, 0, 0, 0, 0x48, 0x8b, 0x07, 0x83, 0xfe,
        1, 0x74, 3, 0x48, 0x89, 0xe0, 0x48, 0x8b, 0x0f, 0x48, 0x89, 0x08, 0x48, 0x83, 0x3c, 0x24,
        0, 0x74, 0, 0x48, 0x83, 0xc4, 0x18, 0xc3,
    ];
    assert_eq!(of_code(&code, PUBLIC), [(0, 34, Kind::Branch)]);
}

#[test]
fn an_address_that_is_fetched_with_an_index_still_leads_somewhere() {
    // sub rsp, 24; mov qword [rsp + 16], 0; lea rax, [rsp + 16]; mov [rsp], rax; mov rax, [rsp + 8 rsi]; mov rcx, [rdi];
    // mov [rax], rcx; cmp qword [rsp + 16], 0; je +0; add rsp, 24; ret.
    let code = [
        0x48, 0x83, 0xec, 0x18, 0x48, 0xc7, 0x44, 0x24, 0x10, 0, 0, 0, 0, 0x48, 0x8d, 0x44, 0x24,
        0x10, 0x48, 0x89, 0x04, 0x24, 0x48, 0x8b, 0x04, 0xf4, 0x48, 0x8b, 0x0f, 0x48, 0x89, 0x08,
        0x48, 0x83, 0x7c, 0x24, 0x10, 0, 0x74, 0, 0x48, 0x83, 0xc4, 0x18, 0xc3,
    ];
    assert_eq!(of_code(&code, PUBLIC), [(0, 38, Kind::Branch)]);
}
