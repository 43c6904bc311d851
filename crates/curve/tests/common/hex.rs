//! Hexadecimal digits.
// Each program of tests has a part of it.
#![allow(dead_code)]

pub(crate) fn bytes<const N: usize>(digits: &str) -> [u8; N] {
    assert_eq!(digits.len(), 2 * N);
    core::array::from_fn(|i| {
        u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).expect("hexadecimal digits")
    })
}

pub(crate) fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
