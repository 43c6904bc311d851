//! One task with one library on a bare Cortex-M4: a key pair, a signature (with the key decoded), or a verification
//! (likewise). The name of the program says which: `library-task-degree`. Hybrid signatures are verified only.
//!
//! Keys and signatures go from one program to the next in files of the host, so that each program has the code of its
//! own task alone. A file `<program>.txt` tells what the task took: bytes of stack, instructions, and bytes of flash.

#![no_std]
#![no_main]

mod board;
mod libraries;

use libraries::{Draft, FnDsa03, FnDsa04, Lanner, Library};

/// How many keys and signatures are made: their costs vary.
const ROUNDS: u64 = 4;

/// Of the same bytes for all: the libraries differ in what they make of them.
pub(crate) struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(2) + 1)
    }

    /// Marsaglia's xorshift with a product: not for secrets.
    pub(crate) fn fill(&mut self, bytes: &mut [u8]) {
        for byte in bytes {
            self.0 ^= self.0 >> 12;
            self.0 ^= self.0 << 25;
            self.0 ^= self.0 >> 27;
            *byte = (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 56) as u8;
        }
    }
}

const NAME: &str = env!("CARGO_BIN_NAME");

/// Whether this is the program's name: decided by the compiler, so that the other tasks are not linked.
const fn named(name: &str) -> bool {
    let (own, name) = (NAME.as_bytes(), name.as_bytes());
    if own.len() != name.len() {
        return false;
    }
    let mut i = 0;
    while i < name.len() {
        if own[i] != name[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// Runs the task that the program is named after, if it is of this library.
macro_rules! tasks {
    ($library:ident, $prefix:literal) => {
        if const { named(concat!($prefix, "-keygen-512")) } {
            keygen::<$library, 9>(concat!($prefix, "-512"));
        } else if const { named(concat!($prefix, "-keygen-1024")) } {
            keygen::<$library, 10>(concat!($prefix, "-1024"));
        } else if const { named(concat!($prefix, "-sign-512")) } {
            sign::<$library, 9>(concat!($prefix, "-512"));
        } else if const { named(concat!($prefix, "-sign-1024")) } {
            sign::<$library, 10>(concat!($prefix, "-1024"));
        } else if const { named(concat!($prefix, "-verify-512")) } {
            verify::<$library, 9>(concat!($prefix, "-512"));
        } else if const { named(concat!($prefix, "-verify-1024")) } {
            verify::<$library, 10>(concat!($prefix, "-1024"));
        }
    };
}

/// The whole program.
extern "C" fn main() -> ! {
    tasks!(Lanner, "lanner");
    tasks!(Draft, "lanner-draft");
    tasks!(FnDsa03, "fn-dsa-03");
    tasks!(FnDsa04, "fn-dsa-04");
    if const { named("hybrid-verify-512") } {
        verify_hybrid::<9, 512>("hybrid-512");
    } else if const { named("hybrid-verify-1024") } {
        verify_hybrid::<10, 1024>("hybrid-1024");
    }
    board::exit(0)
}

fn file(name: &str, ending: &str) -> Text {
    let mut text = Text::new();
    text.put(name);
    text.put(ending);
    text
}

fn keygen<L: Library, const LOGN: u32>(name: &str) {
    let (mut sk, mut vk) = ([0; 2369], [0; 1793]);
    let sk = &mut sk[..L::sign_key_size(LOGN)];
    let vk = &mut vk[..L::vrfy_key_size(LOGN)];
    let (mut stack, mut instructions) = (0, 0);
    for seed in 0..ROUNDS {
        let rng = &mut Random::new(seed);
        let taken = board::measure(|| L::keygen::<LOGN>(rng, sk, vk));
        stack = stack.max(taken.stack);
        instructions += taken.instructions;
    }
    board::write(file(name, ".sk").as_str(), sk);
    board::write(file(name, ".vk").as_str(), vk);
    tell(stack, instructions / ROUNDS);
}

fn sign<L: Library, const LOGN: u32>(name: &str) {
    let (mut sk, mut signature) = ([0; 2369], [0; 1280]);
    let sk = &mut sk[..L::sign_key_size(LOGN)];
    let signature = &mut signature[..L::signature_size(LOGN)];
    board::read(file(name, ".sk").as_str(), sk);
    let (mut stack, mut instructions) = (0, 0);
    for seed in 0..ROUNDS {
        let rng = &mut Random::new(seed);
        let taken = board::measure(|| L::sign::<LOGN>(rng, sk, b"message", signature));
        stack = stack.max(taken.stack);
        instructions += taken.instructions;
    }
    board::write(file(name, ".sig").as_str(), signature);
    tell(stack, instructions / ROUNDS);
}

fn verify<L: Library, const LOGN: u32>(name: &str) {
    let (mut vk, mut signature) = ([0; 1793], [0; 1280]);
    let vk = &mut vk[..L::vrfy_key_size(LOGN)];
    let signature = &mut signature[..L::signature_size(LOGN)];
    board::read(file(name, ".vk").as_str(), vk);
    board::read(file(name, ".sig").as_str(), signature);
    let mut valid = false;
    let taken = board::measure(|| valid = L::verify::<LOGN>(vk, b"message", signature));
    board::demand(valid);
    signature[100] ^= 1;
    board::demand(!L::verify::<LOGN>(vk, b"message", signature));
    tell(taken.stack, taken.instructions);
}

/// A hybrid signature of an empty message under an empty context, which the host has put there: nobody signs here.
fn verify_hybrid<const LOGN: u32, const N: usize>(name: &str) {
    type Key<const LOGN: u32, const N: usize> = lanner_hybrid::VerifyingKeyOf<LOGN, N>;
    let (mut vk, mut signature) = ([0; 1825], [0; 1344]);
    let vk = &mut vk[..lanner_hybrid::verifying_key_size(LOGN)];
    let signature = &mut signature[..lanner_hybrid::signature_size(LOGN)];
    board::read(file(name, ".vk").as_str(), vk);
    board::read(file(name, ".sig").as_str(), signature);
    let verify = |signature: &[u8]| {
        Key::<LOGN, N>::from_bytes(vk).is_ok_and(|key| key.verify(signature, b"", b"").is_ok())
    };
    let mut valid = false;
    let taken = board::measure(|| valid = verify(signature));
    board::demand(valid);
    for at in [40, 164] {
        signature[at] ^= 1;
        board::demand(!verify(signature));
        signature[at] ^= 1;
    }
    tell(taken.stack, taken.instructions);
}

/// Writes the numbers into the program's file.
fn tell(stack: usize, instructions: u64) {
    let mut text = Text::new();
    text.number(stack as u64);
    text.put(" ");
    text.number(instructions);
    text.put(" ");
    text.number(board::flash() as u64);
    text.put("\n");
    board::write(file(NAME, ".txt").as_str(), text.as_str().as_bytes());
}

/// A short text, without the formatting of `core`, which is kilobytes of code.
struct Text {
    bytes: [u8; 60],
    length: usize,
}

impl Text {
    fn new() -> Self {
        Self {
            bytes: [0; 60],
            length: 0,
        }
    }

    fn put(&mut self, text: &str) {
        for &byte in text.as_bytes() {
            board::demand(self.length < self.bytes.len());
            self.bytes[self.length] = byte;
            self.length += 1;
        }
    }

    fn number(&mut self, number: u64) {
        if number >= 10 {
            self.number(number / 10);
        }
        const DIGITS: &str = "0123456789";
        let digit = (number % 10) as usize;
        self.put(&DIGITS[digit..=digit]);
    }

    fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..self.length]).unwrap_or("")
    }
}
