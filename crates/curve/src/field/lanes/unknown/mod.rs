//! Vectors whose lanes hold all integers within bounds, for tests: what the arithmetic of this module does with them it does
//! with every input at once.
//!
//! A lane is a number or a double of which bounds are known, and what polynomial in the inputs it is
//! ([`numbers`]). Where a result may have no room in its lane, where a factor may be longer than the instruction takes, where a
//! shift may lose bits, or a double may be rounded, the run ends.
//!
//! What is decided in secret, a selection or a permutation, is taken to be decided either way.

mod doubles;
mod halves;
mod lane;
mod narrow;
mod numbers;
mod polynomial;
mod signed;
mod words;

pub(crate) use halves::{Halves, Pair};
pub(crate) use lane::Lane;
pub(crate) use narrow::Narrow;
use numbers::fitting;
pub(crate) use numbers::{Integer, Number, forget};
pub(crate) use signed::Signed;
pub(crate) use words::Words;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::thread_local;
use std::vec::Vec;

thread_local! {
    /// Whether words that are loaded are any words, and shifts may lose bits: where elements are taken apart and put
    /// together.
    static AT_REST: Cell<bool> = const { Cell::new(false) };
    /// The words that were stored.
    static STORED: RefCell<Vec<Number>> = const { RefCell::new(Vec::new()) };
    /// The words that were loaded at rest, by what was there and how many bits.
    static LOADED: RefCell<BTreeMap<(u64, u32), Number>> = const { RefCell::new(BTreeMap::new()) };
}

/// Runs what takes elements apart or puts them together: whatever it loads is any words, the same ones if it is loaded
/// again ([`loaded`]); and gives the words that it stored, in order.
pub(crate) fn at_rest<T>(conversion: impl FnOnce() -> T) -> (T, Vec<Number>) {
    STORED.take();
    LOADED.take();
    AT_REST.set(true);
    let result = conversion();
    AT_REST.set(false);
    (result, STORED.take())
}

fn is_at_rest() -> bool {
    AT_REST.get()
}

/// Notes that a number is stored, and gives a word for it.
fn store(number: Number) -> u64 {
    STORED.with_borrow_mut(|stored| stored.push(number));
    number.bounds().0 as u64
}

/// The word that was loaded at rest where this stood.
pub(crate) fn loaded(word: u64, bits: u32) -> Option<Number> {
    LOADED.with_borrow(|loaded| loaded.get(&(word, bits)).copied())
}

/// Any word of so many bits, bit by bit, so that it can be cut anywhere.
fn load(word: u64, bits: u32) -> Number {
    if let Some(number) = loaded(word, bits) {
        return number;
    }
    let number = (0..bits).fold(Number::Known(0), |number, bit| {
        number.plus(Number::unknown(0, 1).shifted(bit))
    });
    LOADED.with_borrow_mut(|loaded| loaded.insert((word, bits), number));
    number
}
