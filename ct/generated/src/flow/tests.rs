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
