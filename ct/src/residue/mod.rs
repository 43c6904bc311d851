//! What operations on secrets leave on the stack: nothing that depends on a secret.
//!
//! Each operation runs twice on the same painted stack, with different secrets and everything else equal. Then the
//! memory below its caller's frame must be equal, but for public results. That finds secrets in any form, those
//! included that nobody thought of. To help with the search, a finding names the well-known secrets in it.

mod curve;
mod fn_dsa;
mod hybrid;
mod stack;

use std::hint::black_box;

use lanner_curve::Scalar;
use lanner_curve::backend::Backend;
use lanner_curve::scalar::clamp_integer;
use lanner_ed25519::hazmat::ExpandedSecretKey;
use lanner_ed25519::{Digest, Sha512};
use lanner_x25519::x25519;

use crate::secrets::Secrets;
use stack::{PAINT, Stack};

/// What an operation left: the memory below the frame of its caller, and its public results.
type Left = (Vec<u8>, Vec<u8>);

/// An operation: its name, and how it is run.
pub(crate) type Operation = (&'static str, fn(&mut Stack, &Secrets, &mut Left));

/// `$state` is made before, elsewhere; `$operation` works on it in a frame that is not looked at. `$public`, where
/// there is one, are the bytes of the result that everybody may know.
macro_rules! operation {
    ($name:literal, |$s:ident| $state:expr, |$x:ident| $operation:expr) => {
        operation!($name, |$s| $state, |$x| $operation, |_y| Vec::new())
    };
    ($name:literal, |$s:ident| $state:expr, |$x:ident| $operation:expr, |$y:ident| $public:expr) => {
        ($name, |stack, $s, left| {
            let (below, (_state, result)) = stack.run_on(($state, None), |(state, result)| {
                let $x = state;
                *result = Some($operation);
            });
            left.0.clear();
            left.0.extend_from_slice(below);
            let $y = result.as_ref().expect("the operation ran");
            left.1 = $public;
        })
    };
}
use operation;

/// Those on which the backends of the curve work.
pub(crate) const CURVE: &[Operation] = curve::ALL;

/// Those of FN-DSA and Falcon.
pub(crate) const FN_DSA: &[Operation] = fn_dsa::ALL;

/// Those of hybrid keys.
pub(crate) const HYBRID: &[Operation] = hybrid::ALL;

/// What is left and known, by operation: at most so many bytes.
const SPARED: [(&str, usize); 2] = [
    // One of the text, in the frame of a function of the crate pkcs8, on 32-bit x86 and in builds for size. It is provided for
    // every key, and cannot be wrapped: SECURITY.md says so.
    ("x25519-from-pem", 1),
    // The first byte of the nonce, twice, in registers that are saved: it stands in the signature, but is too short a piece of it.
    ("falcon-stream-signer", 2),
];

/// Operations that leave a secret on purpose, and that must be found.
pub(crate) const CONTROLS: &[Operation] = &[
    operation!("copy", |s| s.seed, |x| leave_copy(x)),
    operation!("reversed-copy", |s| s.seed, |x| leave_reversed(x)),
];

/// Copies the secret to its frame.
#[inline(never)]
fn leave_copy(secret: &[u8; 32]) {
    black_box(*secret);
}

/// The same in a form that no table of secrets names.
#[inline(never)]
fn leave_reversed(secret: &[u8; 32]) {
    let mut copy = *secret;
    copy.reverse();
    black_box(copy);
}

/// Runs the operations on the backend that is active. Says what they left; returns how many left nothing.
pub(crate) fn observe(operations: &[Operation], backend: Backend) -> usize {
    let mut stack = Stack::new();
    // Allocated before, so that what the runs allocate is at the same addresses in each.
    let mut runs = [(); 2].map(|()| (Vec::with_capacity(stack::SIZE), Vec::new()));
    let mut left = Left::default();
    let clean = operations.iter().filter(|operation| {
        let (name, run) = operation;
        // The first runs may set things up, what the processor can do, say, and others meet a heap in another order:
        // what depends on a secret shows again.
        let mut finding = None;
        for _ in 0..3 {
            for i in [0, 1, 0, 1] {
                // In one place, whose address is in a register of the caller.
                std::mem::swap(&mut left, &mut runs[i]);
                left.1 = Vec::new();
                run(&mut stack, &Secrets::new(i, true), &mut left);
                std::mem::swap(&mut left, &mut runs[i]);
            }
            let spared = SPARED.iter().find(|(spared, _)| spared == name);
            let spared = spared.map_or(0, |(_, bytes)| *bytes);
            finding = difference(&runs[0], &runs[1], spared);
            if finding.is_none() {
                return true;
            }
        }
        let (Some(finding), [first, second]) = (finding, &runs) else {
            return true;
        };
        let names = named(&Secrets::new(0, true), &first.0, &second.0);
        println!("{backend} {name}: {finding}; named: {}", names.join(", "));
        false
    });
    clean.count()
}

/// Where the two runs differ, public results apart, in more bytes than are spared.
fn difference(first: &Left, second: &Left, spared: usize) -> Option<String> {
    let length = first.0.len();
    assert_eq!(length, second.0.len(), "the frames are in the same place");
    // A word that is an address on the heap in both is no secret, but may differ.
    let heap = (&raw const *Box::new(0_u8)).addr();
    let is_address = |i: usize| {
        (i.saturating_sub(size_of::<usize>() - 1)..=i).any(|at| {
            [first, second].iter().all(|(below, _)| {
                let word = below.get(at..at + size_of::<usize>());
                let word = word.and_then(|word| word.try_into().ok());
                word.map(usize::from_ne_bytes)
                    .is_some_and(|word| word.abs_diff(heap) < 1 << 24)
            })
        })
    };
    let differs = |i: &usize| {
        let is_public = |left: &Left| belongs_to_public(left, *i);
        first.0[*i] != second.0[*i] && !is_address(*i) && !is_public(first) && !is_public(second)
    };
    let different: Vec<usize> = (0..length).filter(differs).collect();
    if different.len() <= spared {
        return None;
    }
    let deepest = [first, second].map(|(below, _)| below.iter().position(|&byte| byte != PAINT));
    Some(format!(
        "{} bytes depend on the secret, {} to {} below the caller, of {} touched",
        different.len(),
        length - different.last()?,
        length - different.first()?,
        length - deepest.into_iter().flatten().min()?,
    ))
}

/// So many bytes of a public result are known as such: by chance no secret is them.
const PIECE: usize = 4;

/// Whether a byte belongs to a copy of a piece or more of a public result.
fn belongs_to_public((below, results): &Left, at: usize) -> bool {
    let around = &below[at.saturating_sub(PIECE - 1)..(at + PIECE).min(below.len())];
    around
        .windows(PIECE)
        .any(|window| results.windows(PIECE).any(|result| result == window))
}

/// The secrets that have a name and are seen in one run and not in the other.
fn named(s: &Secrets, first: &[u8], second: &[u8]) -> Vec<&'static str> {
    let hash: [u8; 64] = Sha512::digest(s.seed).into();
    let expanded = ExpandedSecretKey::from_bytes(&hash);
    let nonce = Sha512::new_with_prefix(&hash[32..]).chain_update(s.message);
    let nonce: [u8; 64] = nonce.finalize().into();
    let table = [
        ("the seed", s.seed.to_vec()),
        ("the clamped seed", clamp_integer(s.seed).to_vec()),
        ("the hash of the seed", hash[..32].to_vec()),
        ("the prefix", hash[32..].to_vec()),
        ("the secret scalar", expanded.scalar.to_bytes().to_vec()),
        ("the nonce's hash", nonce.to_vec()),
        (
            "the nonce",
            Scalar::from_bytes_mod_order_wide(&nonce)
                .to_bytes()
                .to_vec(),
        ),
        ("the shared secret", x25519(s.seed, s.somebody).to_vec()),
    ];
    let seen = |run: &[u8], window: &[u8]| run.windows(8).any(|at| at == window);
    let is_left = |secret: &[u8]| {
        secret
            .windows(8)
            .any(|window| seen(first, window) && !seen(second, window))
    };
    table
        .iter()
        .filter(|(_, secret)| is_left(secret))
        .map(|(name, _)| *name)
        .collect()
}
