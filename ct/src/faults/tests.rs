//! What is flipped in a process that is followed, shown by its own instructions.

use std::collections::BTreeSet;
use std::io::Write;

use iced_x86::Register;
use nix::libc::user_regs_struct;

use super::double::{Doubler, End};
use super::extended::Extended;
use super::flip::{Fault, Random, What};
use super::{OUTCOME, Process};
use crate::instructions::decode;

/// `syscall`, for the doubles; what comes behind it stores a register where `rdi` says.
const CALL: &[u8] = &[0x0f, 0x05];
/// `kill(getpid(), SIGUSR2)`: mov eax, 39; syscall; mov edi, eax; mov esi, 12; mov eax, 62; syscall.
const TO_THE_END: &[u8] = &[
    0xb8, 0x27, 0, 0, 0, 0x0f, 0x05, 0x89, 0xc7, 0xbe, 0x0c, 0, 0, 0, 0xb8, 0x3e, 0, 0, 0, 0x0f,
    0x05,
];

/// A program that waits, and what it would do next.
fn followed() -> (Process, user_regs_struct) {
    let process = Process::attach("cat").expect("it is followed");
    let registers = process.registers().expect("it stands still");
    (process, registers)
}

/// Says that something is left out, so that it is read even when the test passes.
fn skip(reason: &str) {
    // Not println!, which the test runner swallows.
    let _ = std::io::stdout().write_all(format!("\nSKIPPED: {reason}\n").as_bytes());
}

#[test]
fn flipped_bits_arrive() {
    let (process, mut registers) = followed();
    let mut doubler = Doubler::new(&process, &OUTCOME).expect("it can be doubled");
    // Its code and stack are of no use to it any more.
    (doubler.call, doubler.outcome, doubler.length) = (registers.rip, registers.rsp - 4096, 64);
    let empty = process.write(doubler.outcome, &[0; 64]);
    empty.expect("there is a stack");
    registers.rdi = doubler.outcome;
    registers.rip = doubler.call + CALL.len() as u64;
    registers.orig_rax = u64::MAX;
    let shown: [(What, &[u8], usize); 8] = [
        // movdqu [rdi], xmm9; vmovdqu [rdi], ymm2; vmovdqu64 [rdi], zmm5; vmovdqu64 [rdi], zmm17; kmovw [rdi], k3.
        (What::Vector(9, 77), &[0xf3, 0x44, 0x0f, 0x7f, 0x0f], 77),
        (What::Vector(2, 200), &[0xc5, 0xfe, 0x7f, 0x17], 200),
        (What::Vector(2, 3), &[0xc5, 0xfe, 0x7f, 0x17], 3),
        (
            What::Vector(5, 437),
            &[0x62, 0xf1, 0xfe, 0x48, 0x7f, 0x2f],
            437,
        ),
        (
            What::Vector(17, 300),
            &[0x62, 0xe1, 0xfe, 0x48, 0x7f, 0x0f],
            300,
        ),
        (
            What::Vector(17, 5),
            &[0x62, 0xe1, 0xfe, 0x48, 0x7f, 0x0f],
            5,
        ),
        (What::Mask(3, 11), &[0xc5, 0xf8, 0x91, 0x1f], 11),
        (What::Mask(3, 0), &[0xc5, 0xf8, 0x91, 0x1f], 0),
    ];
    // The registers as a program finds them, none of them in use, and then with something in each.
    for in_use in [false, true] {
        let mut extended = Extended::of(process.id()).expect("it has registers");
        extended.clear();
        if in_use {
            fill(&mut extended);
        }
        extended.put(process.id()).expect("they are taken");
        for (what, store, place) in &shown {
            let there = match what {
                What::Vector(number, bit) => *bit < extended.bits_of_vector(*number),
                _ => extended.bits_of_masks() > 0,
            };
            if !there {
                skip(&format!("{what:?}: this processor has no such register"));
                continue;
            }
            let code = [CALL, store, TO_THE_END].concat();
            process.write(doubler.call, &code).expect("it is written");
            let run = |what: What| {
                let after = decode(CALL, doubler.call).expect("an instruction");
                let end = doubler.run(
                    &process,
                    &registers,
                    &Fault {
                        what: what.clone(),
                        after,
                    },
                );
                match end {
                    Ok(End::Outcome(bytes)) => bytes,
                    Ok(_) => panic!("{what:?}: it did not come to its end"),
                    Err(error) => panic!("{what:?}: {error}"),
                }
            };
            let (before, after) = (run(What::Flags(0)), run(what.clone()));
            assert_eq!(before.iter().any(|byte| *byte != 0), in_use, "{what:?}");
            let differs = |bit: &usize| (before[bit / 8] ^ after[bit / 8]) >> (bit % 8) & 1 != 0;
            let different: Vec<usize> = (0..8 * before.len()).filter(differs).collect();
            assert_eq!(different, [*place], "{what:?}, in use: {in_use}");
        }
    }
}

/// Puts something into each register.
fn fill(extended: &mut Extended) {
    for number in 0..32 {
        for bit in (number..extended.bits_of_vector(number)).step_by(3) {
            extended.flip_vector(number, bit).expect("it is there");
        }
    }
    if extended.bits_of_masks() > 0 {
        for number in 0..8 {
            extended.flip_mask(number, 7 + number).expect("it is there");
        }
    }
}

/// What is chosen for an instruction, often enough to see everything.
fn chosen(code: &[u8], registers: &user_regs_struct, extended: &Extended) -> Vec<What> {
    let after = decode(code, 0x1000).expect("an instruction");
    let mut random = Random(7);
    (0..20_000)
        .map(|_| Fault::of(after, registers, extended, &mut random).what)
        .collect()
}

/// The bits of one vector register among them, and no other register may be there.
fn bits(chosen: &[What], register: usize) -> Vec<usize> {
    let bits = chosen.iter().filter_map(|what| match what {
        What::Skip => None,
        What::Vector(number, bit) if *number == register => Some(*bit),
        other => panic!("{other:?}"),
    });
    bits.collect()
}

#[test]
fn every_bit_that_is_written_is_chosen() {
    let (process, registers) = followed();
    let extended = Extended::of(process.id()).expect("it has registers");
    let all = extended.bits_of_vector(2);
    // movdqu xmm2, [rsi]: what lies above stays.
    let seen = bits(&chosen(&[0xf3, 0x0f, 0x6f, 0x16], &registers, &extended), 2);
    assert_eq!(BTreeSet::from_iter(seen), (0..128).collect());
    if all < 256 {
        return skip("this processor has no AVX");
    }
    // vmovdqu xmm2, [rsi]; vpaddq ymm2, ymm1, ymm2; vextracti128 xmm2, ymm2, 1: zeros above the result.
    let codes: [(&[u8], usize); 3] = [
        (&[0xc5, 0xfa, 0x6f, 0x16], 128),
        (&[0xc5, 0xf5, 0xd4, 0xd2], 256),
        (&[0xc4, 0xe3, 0x7d, 0x39, 0xd2, 0x01], 128),
    ];
    for (code, width) in codes {
        let seen = bits(&chosen(code, &registers, &extended), 2);
        let zeros = seen.iter().filter(|bit| **bit >= width).count();
        let part = if all > width { seen.len() / 8 } else { 0 };
        assert!(
            zeros.abs_diff(part) < 200,
            "{code:x?}: {zeros} of {}",
            seen.len()
        );
        assert!(seen.iter().all(|bit| *bit < all), "{code:x?}");
        let result = seen.into_iter().filter(|bit| *bit < width);
        let result = BTreeSet::from_iter(result);
        assert_eq!(result, (0..width).collect(), "{code:x?}");
    }
}

#[test]
fn registers_of_avx512_are_chosen() {
    let (process, mut registers) = followed();
    let mut extended = Extended::of(process.id()).expect("it has registers");
    if extended.bits_of_vector(17) == 0 {
        return skip("this processor has no AVX-512");
    }
    // vpaddq zmm17, zmm1, zmm2
    let sum = [0x62, 0xe1, 0xf5, 0x48, 0xd4, 0xca];
    let seen = bits(&chosen(&sum, &registers, &extended), 17);
    assert_eq!(BTreeSet::from_iter(seen), (0..512).collect());
    // vpcmpequq k3, zmm1, zmm2
    let compared = [0x62, 0xf3, 0xf5, 0x48, 0x1e, 0xda, 0x00];
    let mut seen = BTreeSet::new();
    for what in chosen(&compared, &registers, &extended) {
        match what {
            What::Mask(3, bit) => drop(seen.insert(bit)),
            What::Skip => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(seen, (0..64).collect());
    // vscatterdpd [rsi + ymm0]{k1}, zmm1: two elements, the third 16 bytes from the base, the sixth 4096 before it.
    let scattered = [0x62, 0xf2, 0xfd, 0x49, 0xa2, 0x0c, 0x06];
    registers.rsi = 0x5000;
    extended.clear();
    extended.flip_mask(1, 3).expect("it is there");
    extended.flip_mask(1, 6).expect("it is there");
    let negative = (12..32).map(|bit| 6 * 32 + bit);
    for bit in negative.chain([3 * 32 + 4]) {
        extended.flip_vector(0, bit).expect("it is there");
    }
    let mut seen = BTreeSet::new();
    for what in chosen(&scattered, &registers, &extended) {
        match what {
            What::Memory(address, _) => drop(seen.insert(address)),
            // It clears its mask.
            What::Skip | What::Mask(1, _) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(seen, (0x4000..0x4008).chain(0x5010..0x5018).collect());
    extended.clear();
    let nothing = chosen(&scattered, &registers, &extended);
    let is_memory = |what: &What| matches!(what, What::Memory(..));
    assert!(!nothing.iter().any(is_memory));
}

#[test]
fn general_registers_are_chosen_as_before() {
    let (process, mut registers) = followed();
    let extended = Extended::of(process.id()).expect("it has registers");
    registers.rsi = 0x5000;
    registers.rcx = 3;
    // add [rsi + 4 * rcx + 8], eax; mov eax, ecx.
    let added = chosen(&[0x01, 0x44, 0x8e, 0x08], &registers, &extended);
    let memory = added.iter().filter_map(|what| match what {
        What::Memory(address, _) => Some(*address),
        What::Flags(_) | What::Skip => None,
        other => panic!("{other:?}"),
    });
    assert_eq!(BTreeSet::from_iter(memory), (0x5014..0x5018).collect());
    let moved = chosen(&[0x89, 0xc8], &registers, &extended);
    let is_rax = |what: &What| matches!(what, What::General(Register::RAX, _) | What::Skip);
    assert!(moved.iter().all(is_rax));
}
