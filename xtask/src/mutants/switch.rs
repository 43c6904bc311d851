//! Stands in the crate that is mutated: which mutant is to be there in this process.

extern crate std;

use core::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};
use std::format;
use std::io::Write as _;

const COUNT: usize = MUTANTS;

/// Not known yet.
const UNKNOWN: u32 = u32::MAX;
/// None: those that are reached are written down.
const RECORD: u32 = u32::MAX - 1;

static CHOSEN: AtomicU32 = AtomicU32::new(UNKNOWN);
static REACHED: [AtomicU8; COUNT] = [const { AtomicU8::new(0) }; COUNT];

/// Whether the mutant of this number is there.
#[inline(always)]
pub(crate) fn is(number: u32) -> bool {
    let chosen = CHOSEN.load(Relaxed);
    chosen == number || chosen >= RECORD && slowly(number, chosen)
}

#[cold]
#[inline(never)]
fn slowly(number: u32, mut chosen: u32) -> bool {
    if chosen == UNKNOWN {
        let named = std::env::var("LANNER_MUTANT").ok();
        chosen = named.and_then(|text| text.parse().ok()).unwrap_or(RECORD);
        CHOSEN.store(chosen, Relaxed);
    }
    let reached = &REACHED[number as usize];
    // Looked at first, because an exchange takes many times as long.
    if chosen == RECORD && reached.load(Relaxed) == 0 && reached.swap(1, Relaxed) == 0 {
        if let Some(file) = std::env::var_os("LANNER_MUTANTS_REACHED") {
            let file = std::fs::OpenOptions::new().append(true).create(true).open(file);
            // One write, which threads and processes do not mix.
            let _ = file.and_then(|mut file| file.write_all(format!("{number}\n").as_bytes()));
        }
    }
    chosen == number
}
