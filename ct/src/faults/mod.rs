//! Faults: a signature is made in a process that is followed, and after one of its instructions a bit of what that wrote is
//! flipped, or the next instruction is left out. What comes of it is looked at: nothing, a refusal, a crash, or a signature
//! that is not the right one.
//!
//! The process is followed once, from the first instruction to the last. At each place it is doubled, and the double gets the
//! fault and runs on by itself: so a run costs what is left of it, at full speed.

mod double;
mod extended;
mod flip;
mod judge;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;
use std::hint::black_box;
use std::process::Stdio;
use std::sync::atomic::{AtomicU8, Ordering};

use iced_x86::Mnemonic;
use lanner_ed25519::{Signer, SigningKey};
use lanner_fn_dsa::falcon::{self, Encoding};
use lanner_fn_dsa::{DOMAIN_NONE, HASH_ID_RAW, SigningKey512};
use lanner_hybrid::SigningKey512 as HybridKey;
use nix::libc::user_regs_struct;
use rand_core::{TryCryptoRng, TryRng};

use crate::followed::{Halted, Process, be_followed};
use crate::instructions::decode;
use double::{Doubler, End, address_in};
use flip::{Fault, Random};
use judge::Judge;

const MESSAGE: &[u8] = b"what is signed";

/// What signs: its name, and a function that makes it ready.
type Operation = (&'static str, fn() -> Signs);

/// Makes a signature, or refuses to.
type Signs = Box<dyn Fn(&mut [u8]) -> Option<usize> + Sync>;

/// The operations, each beside the one that checks. That one is called by its address, so that it is not inlined, and its
/// first instruction is known ([`Entry`]).
pub(crate) const ALL: &[Operation] = &[
    ("sign", || {
        let key = key();
        Box::new(move |output| copy(&key.sign(MESSAGE).to_bytes(), output))
    }),
    ("sign-checked", || {
        let key = key();
        let sign: fn(&SigningKey, &[u8]) -> _ = SigningKey::sign_checked;
        Box::new(move |output| copy(&black_box(sign)(&key, MESSAGE).ok()?.to_bytes(), output))
    }),
    ("fn-dsa-sign", || {
        let key = fn_dsa_key();
        Box::new(move |output| {
            let (rng, output) = (&mut Drawn(0), &mut output[..666]);
            let signed = key.sign_bytes(rng, &DOMAIN_NONE, &HASH_ID_RAW, MESSAGE, output);
            signed.ok().map(|()| 666)
        })
    }),
    ("fn-dsa-sign-checked", || {
        let key = fn_dsa_key();
        let sign: fn(&SigningKey512, &mut Drawn, &_, &_, &[u8], &mut [u8]) -> _ =
            SigningKey512::sign_bytes_checked;
        Box::new(move |output| {
            let (rng, output) = (&mut Drawn(0), &mut output[..666]);
            let signed = black_box(sign)(&key, rng, &DOMAIN_NONE, &HASH_ID_RAW, MESSAGE, output);
            signed.ok().map(|()| 666)
        })
    }),
    ("falcon-sign", || {
        let key = falcon_key();
        Box::new(move |output| {
            let rng = &mut Drawn(0);
            falcon::sign(&key, rng, MESSAGE, Encoding::Padded, output).ok()
        })
    }),
    ("falcon-sign-checked", || {
        let key = falcon_key();
        let sign: fn(&_, &mut Drawn, &[u8], _, &mut [u8]) -> _ = falcon::sign_checked;
        Box::new(move |output| {
            let rng = &mut Drawn(0);
            black_box(sign)(&key, rng, MESSAGE, Encoding::Padded, output).ok()
        })
    }),
    ("hybrid-sign", || {
        let key = hybrid_key();
        Box::new(move |output| {
            let (rng, output) = (&mut Drawn(0), &mut output[..730]);
            let signed = key.sign_bytes(rng, b"", MESSAGE, output);
            signed.ok().map(|()| 730)
        })
    }),
    ("hybrid-sign-checked", || {
        let key = hybrid_key();
        let sign: fn(&HybridKey, &mut Drawn, &[u8], &[u8], &mut [u8]) -> _ =
            HybridKey::sign_bytes_checked;
        Box::new(move |output| {
            let (rng, output) = (&mut Drawn(0), &mut output[..730]);
            let signed = black_box(sign)(&key, rng, b"", MESSAGE, output);
            signed.ok().map(|()| 730)
        })
    }),
];

/// What a generator gives, over and over. It is memory, so that it can be changed.
static DRAWN: [AtomicU8; 64] = {
    let mut bytes = [const { AtomicU8::new(0) }; 64];
    let mut i = 0;
    while i < bytes.len() {
        bytes[i] = AtomicU8::new((37 * i + 11) as u8);
        i += 1;
    }
    bytes
};

/// A generator that has hardly an instruction of its own, and what it gives next.
struct Drawn(usize);

impl TryRng for Drawn {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    // Called, as generators are: within what calls it, two draws would have a register in common.
    #[inline(never)]
    fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Infallible> {
        for to in dst {
            *to = DRAWN[self.0 % DRAWN.len()].load(Ordering::Relaxed);
            self.0 += 1;
        }
        Ok(())
    }
}

impl TryCryptoRng for Drawn {}

fn key() -> SigningKey {
    SigningKey::from_bytes(&[0x4c; 32])
}

fn fn_dsa_key() -> SigningKey512 {
    SigningKey512::from_seed(&[0x4c; 32]).expect("every seed has a key")
}

fn falcon_key() -> falcon::SigningKey512 {
    falcon::SigningKey512::from_seed(&[0x4c; 32]).expect("every seed has a key")
}

fn hybrid_key() -> HybridKey {
    HybridKey::from_seed(&[0x4c; 32]).expect("every seed has a key")
}

fn copy(bytes: &[u8], output: &mut [u8]) -> Option<usize> {
    output[..bytes.len()].copy_from_slice(bytes);
    Some(bytes.len())
}

/// Where the process that is followed leaves what came out: first what it was.
static OUTCOME: [AtomicU8; 1 + LONGEST] = [const { AtomicU8::new(0) }; 1 + LONGEST];
const LONGEST: usize = 1024;
const SIGNED: u8 = 1;
const REFUSED: u8 = 2;

fn operation(name: &str) -> Result<&'static Operation, String> {
    let known = ALL.iter().find(|(known, _)| *known == name);
    known.ok_or_else(|| format!("no operation '{name}' that faults are tried on"))
}

/// Is the process that is followed.
///
/// # Errors
///
/// There is no such operation, or nobody follows.
pub(crate) fn be_disturbed(name: &str) -> Result<(), String> {
    let (_, prepare) = operation(name)?;
    let prepare = || {
        let sign = prepare();
        // Whatever is done once is done, and on another stack: its signature is not to be what a call finds that was left out.
        std::thread::scope(|scope| {
            scope.spawn(|| sign(&mut [0; LONGEST]));
        });
        (sign, [0; LONGEST])
    };
    be_followed(prepare, |(sign, mut output)| {
        let tag = match sign(&mut output) {
            Some(_) => SIGNED,
            None => REFUSED,
        };
        // What is not a signature is not given out, whatever is in its place.
        if tag == SIGNED {
            for (to, from) in OUTCOME[1..].iter().zip(&output) {
                to.store(*from, Ordering::Relaxed);
            }
        }
        OUTCOME[0].store(tag, Ordering::SeqCst);
    })
}

/// What a fault did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Effect {
    /// The right signature came out.
    None,
    Refused,
    Crashed,
    Hung,
    /// A signature of another nonce or by another vector, which is valid and was made of what was drawn: nobody knows its
    /// randomness either.
    OtherDraw,
    /// A signature with the right R and another S: together with the right one it tells the scalar to whoever knows
    /// which other challenge that answers.
    OtherResponse,
    /// A signature of another nonce, or by another vector, which is valid.
    OtherValid,
    /// Another signature, which is not valid.
    OtherInvalid,
    /// The right signature, of which a piece was damaged when it stood there: nothing but that and the fault is in it.
    Damaged,
    /// What lay elsewhere: addresses, zeros and pieces of the right signature.
    Addresses,
}

impl Effect {
    const NAMES: [(Self, &'static str); 10] = [
        (Self::None, "no effect"),
        (Self::Refused, "refused"),
        (Self::Crashed, "crashed"),
        (Self::Hung, "hung"),
        (Self::OtherDraw, "another draw"),
        (Self::OtherResponse, "ANOTHER RESPONSE"),
        (Self::OtherValid, "ANOTHER VALID SIGNATURE"),
        (Self::OtherInvalid, "ANOTHER SIGNATURE"),
        (Self::Damaged, "damaged behind the check"),
        (Self::Addresses, "addresses from elsewhere"),
    ];
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.iter().find(|(effect, _)| effect == self);
        f.write_str(name.map_or("", |(_, name)| name))
    }
}

/// What a campaign found.
#[derive(Default)]
pub(crate) struct Campaign {
    /// The instructions of the operation.
    pub(crate) instructions: usize,
    pub(crate) effects: BTreeMap<Effect, usize>,
    /// Those that let out what they should not, in words.
    pub(crate) findings: Vec<String>,
}

impl Campaign {
    /// Whether nothing came out but the right signature, or what a fault left of it behind the check.
    pub(crate) fn is_clean(&self) -> bool {
        let (first, last) = (Effect::OtherResponse, Effect::OtherInvalid);
        self.effects
            .range(first..=last)
            .all(|(_, number)| *number == 0)
    }
}

/// Which instructions get a fault.
#[derive(Clone, Copy)]
pub(crate) struct Places {
    /// Each that has this distance from the one before.
    pub(crate) every: usize,
    /// None from here on.
    pub(crate) until: usize,
    pub(crate) seed: u64,
}

/// Runs an operation, and a double with a fault at each of the places.
///
/// # Errors
///
/// The process cannot be followed.
pub(crate) fn disturb(name: &str, backend: &str, places: Places) -> Result<Campaign, String> {
    let (name, _) = operation(name)?;
    // Doubles panic, and say so.
    let start = || Process::start(&["disturbed", name, "--backend", backend], Stdio::null());
    let mut process = start()?;
    let doubler = Doubler::new(&process, &OUTCOME)?;
    let judge = Judge::new(name, &process)?;
    let mut twin = match judge.is_ed25519 {
        true => None,
        false => Some(Twin::new(start()?)?),
    };
    let mut random = Random(places.seed);
    let mut campaign = Campaign::default();
    let mut before = process.registers()?;
    let mut entry = Entry::default();
    loop {
        let here = campaign.instructions;
        if here >= places.until {
            return Ok(campaign);
        }
        entry.look(&process, &before);
        let fault = match here % places.every {
            0 if entry.is_passed && !is_ending(&process, &before) => {
                Fault::choose(&process, &before, &mut random)?
            }
            _ => None,
        };
        let halted = process.step()?;
        campaign.instructions += 1;
        let Halted::At(registers) = halted else {
            return Ok(campaign);
        };
        before = *registers;
        twin = twin.map(|twin| twin.follow(&before)).transpose()?.flatten();
        if let Some(fault) = fault {
            let end = doubler.run(&process, &before, &fault)?;
            let mut effect = judge.effect(&end);
            if let (Effect::OtherValid, Some(twin)) = (effect, &twin) {
                let other = twin.run(&fault)?;
                if judge.effect(&other) == Effect::OtherValid && other != end {
                    effect = Effect::OtherDraw;
                }
            }
            *campaign.effects.entry(effect).or_default() += 1;
            if effect >= Effect::OtherResponse && campaign.findings.len() < 1000 {
                campaign.findings.push(format!(
                    "instruction {here}, {fault}: {effect}{}",
                    judge.shown(&end)
                ));
            }
        }
    }
}

/// Whether the next instruction sends the signal that ends it all: it is on its way then, and a double in the making would
/// have it arrive.
fn is_ending(process: &Process, registers: &user_regs_struct) -> bool {
    let (bytes, length) = process.code(registers.rip);
    let next = decode(&bytes[..length], registers.rip).map(|it| it.mnemonic());
    let sends = registers.rax == nix::libc::SYS_tgkill.cast_unsigned();
    next == Some(Mnemonic::Syscall) && sends
}

/// Where the operation begins: what its caller puts into registers before is what is asked for, and a fault there asks for
/// something else, of which nobody but the caller knows.
#[derive(Default)]
struct Entry {
    depth: i32,
    /// That of what runs the operation's closure.
    least: i32,
    is_passed: bool,
}

impl Entry {
    /// Looks at the next instruction. The closure is called, and then calls the operation.
    fn look(&mut self, process: &Process, registers: &user_regs_struct) {
        if self.is_passed {
            return;
        }
        self.is_passed = self.depth - self.least >= 2;
        let (bytes, length) = process.code(registers.rip);
        match decode(&bytes[..length], registers.rip).map(|it| it.mnemonic()) {
            Some(Mnemonic::Call) => self.depth += 1,
            Some(Mnemonic::Ret) => self.depth -= 1,
            _ => {}
        }
        self.least = self.least.min(self.depth);
    }
}

/// A process that draws something else, and does the same until that decides what is done. A fault whose signature is another
/// one here has not made the randomness known.
struct Twin {
    process: Process,
    doubler: Doubler,
}

impl Twin {
    fn new(process: Process) -> Result<Self, String> {
        let doubler = Doubler::new(&process, &OUTCOME)?;
        let other: Vec<u8> = DRAWN
            .iter()
            .map(|byte| !byte.load(Ordering::Relaxed))
            .collect();
        process.write(address_in(&process, &DRAWN)?, &other)?;
        Ok(Self { process, doubler })
    }

    /// Goes on by one instruction; it is of no use any more where that leads elsewhere.
    fn follow(mut self, registers: &user_regs_struct) -> Result<Option<Self>, String> {
        let here = self.process.step()?;
        let same = matches!(here, Halted::At(own) if own.rip == registers.rip);
        Ok(same.then_some(self))
    }

    fn run(&self, fault: &Fault) -> Result<End, String> {
        let registers = self.process.registers()?;
        self.doubler.run(&self.process, &registers, fault)
    }
}
