//! Packing value by value and byte by byte: little code. Results and errors are those of [`pack`](super::pack) and
//! [`unpack`](super::unpack), and the time depends on lengths alone as well.

#![cfg_attr(not(target_arch = "wasm32"), allow(dead_code))]

use crate::params::BitOrder;
use crate::rules::Rules;

/// As [`super::pack`].
pub(super) fn pack<T: Copy>(
    rules: impl Rules,
    bits: u32,
    values: &[T],
    output: &mut [u8],
    convert: impl Fn(T) -> u32,
) {
    // The bits that wait are the low ones, at most 7 + 14; above them may be others, which are out already.
    let (mut window, mut waiting) = (0, 0);
    let mut values = values.iter();
    for to in output {
        if waiting < 8
            && let Some(&value) = values.next()
        {
            take(rules, &mut window, waiting, convert(value), bits);
            waiting += bits;
            if waiting < 8
                && let Some(&value) = values.next()
            {
                take(rules, &mut window, waiting, convert(value), bits);
                waiting += bits;
            }
        }
        *to = match rules.bit_order() {
            // The last byte may have fewer bits.
            BitOrder::MsbFirst if waiting < 8 => (window << (8 - waiting)) as u8,
            BitOrder::MsbFirst => (window >> (waiting - 8)) as u8,
            BitOrder::LsbFirst => window as u8,
        };
        if rules.bit_order() == BitOrder::LsbFirst {
            window >>= 8;
        }
        waiting = waiting.saturating_sub(8);
    }
}

/// Adds the low bits of a value to those that wait.
#[inline(always)]
fn take(rules: impl Rules, window: &mut u32, waiting: u32, value: u32, bits: u32) {
    let value = value & ((1 << bits) - 1);
    match rules.bit_order() {
        BitOrder::MsbFirst => *window = *window << bits | value,
        BitOrder::LsbFirst => *window |= value << waiting,
    }
}

/// As [`super::unpack`].
pub(super) fn unpack<T>(
    rules: impl Rules,
    bits: u32,
    input: &[u8],
    values: &mut [T],
    convert: impl Fn(u32) -> T,
) {
    let (mut window, mut waiting) = (0_u32, 0);
    let mut bytes = input.iter();
    for to in values {
        while waiting < bits {
            let byte = u32::from(*bytes.next().unwrap_or(&0));
            match rules.bit_order() {
                BitOrder::MsbFirst => window = window << 8 | byte,
                BitOrder::LsbFirst => window |= byte << waiting,
            }
            waiting += 8;
        }
        waiting -= bits;
        let value = match rules.bit_order() {
            BitOrder::MsbFirst => window >> waiting,
            BitOrder::LsbFirst => {
                let value = window;
                window >>= bits;
                value
            }
        };
        *to = convert(value & ((1 << bits) - 1));
    }
}
