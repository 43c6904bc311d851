//! What the packages in others' names leave of secrets: nothing in the memory of what was dropped, and nothing on the stack
//! below who called an operation. Lanner's own operations are observed by `lanner-ct`; here it is the types around them,
//! which copy and convert.
//!
//! Prints a line for each operation; fails if one left a secret, or if the control, which does, was not found.

#[path = "../../../crates/ed25519/tests/freed/watching.rs"]
mod freed;
#[path = "../../../ct/src/residue/stack.rs"]
#[cfg_attr(
    not(target_arch = "x86_64"),
    expect(dead_code, reason = "one other has it")
)]
mod stack;
#[path = "../../../ct/src/wiped.rs"]
mod wiped;

mod curve;
mod keys;

use std::collections::HashSet;
use std::hint::black_box;
use std::process::ExitCode;

use stack::{PAINT, Stack};

/// What is secret, and what operations are about.
struct Secrets {
    seed: [u8; 32],
    wide: [u8; 64],
    /// Public.
    other: [u8; 32],
}

/// The stack that operations run on, and how they fared.
struct Observed {
    stack: Stack,
    operations: usize,
    failed: usize,
}

impl Observed {
    /// Runs an operation on a value that is made elsewhere, in a frame that is not looked at, and says whether eight bytes of a
    /// secret are below it then.
    fn leaves<T>(&mut self, value: T, secrets: &[&[u8]], operation: impl FnMut(&mut T)) -> bool {
        let parts: HashSet<&[u8]> = secrets
            .iter()
            .flat_map(|secret| secret.windows(8))
            .collect();
        let (below, _value) = self.stack.run_on(value, operation);
        let touched = below.iter().position(|byte| *byte != PAINT);
        let touched = &below[touched.unwrap_or(below.len())..];
        touched.windows(8).any(|window| parts.contains(window))
    }

    /// An operation that must leave nothing.
    fn observe<T>(
        &mut self,
        name: &str,
        value: T,
        secrets: &[&[u8]],
        operation: impl FnMut(&mut T),
    ) {
        let left = self.leaves(value, secrets, operation);
        println!("{name}: {}", if left { "LEFT" } else { "nothing" });
        self.operations += 1;
        self.failed += usize::from(left);
    }
}

/// Copies the secret to its frame: what must be found.
#[inline(never)]
fn leave_copy(secret: &[u8; 32]) {
    black_box(*secret);
}

fn main() -> ExitCode {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state = state.wrapping_mul(0xD129_0D3E_2C5B_4A75).wrapping_add(1);
        state.to_be_bytes()[0]
    };
    let secrets = Secrets {
        seed: [(); 32].map(|()| next()),
        wide: [(); 64].map(|()| next()),
        other: [(); 32].map(|()| next()),
    };
    let mut observed = Observed {
        stack: Stack::new(),
        operations: 0,
        failed: 0,
    };
    keys::dropped(&secrets);
    keys::observe(&mut observed, &secrets);
    curve::observe(&mut observed, &secrets);
    let seed = secrets.seed;
    let found = observed.leaves(seed, &[&seed], |seed| leave_copy(seed));
    println!("control: {}", if found { "found" } else { "NOT FOUND" });
    let Observed {
        operations, failed, ..
    } = observed;
    println!("{failed} of {operations} operations left something");
    ExitCode::from(u8::from(failed != 0 || !found))
}
