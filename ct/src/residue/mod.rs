//! What operations on secrets leave on the stack: nothing that depends on a secret.
//!
//! Each operation runs twice on the same painted stack, with different secrets and everything else equal. Then the
//! memory below its caller's frame must be equal, but for public results. That finds secrets in any form, those
//! included that nobody thought of. To help with the search, a finding names the well-known secrets in it.

mod operations;
mod stack;

use lanner_curve::backend::Backend;

use crate::secrets::Secrets;
use operations::Left;
pub(crate) use operations::{ALL, CONTROLS, Operation};
use stack::{PAINT, Stack};

/// Runs the operations on the backend that is active. Says what they left; returns how many left nothing.
pub(crate) fn observe(operations: &[Operation], backend: Backend) -> usize {
    let mut stack = Stack::new();
    let clean = operations.iter().filter(|operation| {
        let (name, run) = operation;
        // The first run of all may set things up: what the processor can do, say.
        run(&mut stack, &Secrets::new(0));
        let [first, second] = [0, 1].map(|i| run(&mut stack, &Secrets::with_secrets(i)));
        let Some(finding) = difference(&first, &second) else {
            return true;
        };
        let names = operations::named(&Secrets::with_secrets(0), &first.0, &second.0);
        println!("{backend} {name}: {finding}; named: {}", names.join(", "));
        false
    });
    clean.count()
}

/// Where the two runs differ, public results apart.
fn difference(first: &Left, second: &Left) -> Option<String> {
    let length = first.0.len();
    assert_eq!(length, second.0.len(), "the frames are in the same place");
    let public = [first, second].map(public_bytes);
    let different =
        |i: &usize| first.0[*i] != second.0[*i] && !public.iter().any(|public| public[*i]);
    let (low, high) = ((0..length).find(different)?, (0..length).rfind(different)?);
    let deepest = [first, second].map(|(below, _)| below.iter().position(|&byte| byte != PAINT));
    Some(format!(
        "{} bytes depend on the secret, {} to {} below the caller, of {} touched",
        (low..=high).filter(different).count(),
        length - high,
        length - low,
        length - deepest.into_iter().flatten().min()?,
    ))
}

/// Which of the bytes belong to a copy of eight bytes or more of a public result.
fn public_bytes((below, results): &Left) -> Vec<bool> {
    let mut public = vec![false; below.len()];
    for (i, window) in below.windows(8).enumerate() {
        if results.windows(8).any(|result| result == window) {
            public[i..i + 8].fill(true);
        }
    }
    public
}
