//! What a dropped value leaves in the memory where it was.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;

/// The bytes of a value, before and after it is dropped where it stands.
fn before_and_after<T>(value: T) -> [Vec<u8>; 2] {
    let mut place = Box::new(MaybeUninit::new(value));
    let bytes = |place: &MaybeUninit<T>| {
        let first = (&raw const *place).cast::<u8>();
        // SAFETY: The bytes are those of the value, which is there or was, and has no padding.
        (0..size_of::<T>())
            .map(|i| unsafe { first.add(i).read_volatile() })
            .collect()
    };
    let before = bytes(&place);
    // SAFETY: The value is there, and is not used again.
    unsafe { place.assume_init_drop() };
    [before, bytes(&place)]
}

/// Fails unless the value holds these secrets, and nothing of them when it has been dropped.
#[track_caller]
pub(crate) fn is_wiped<T>(value: T, secrets: &[&[u8]]) {
    let [before, after] = before_and_after(value);
    for secret in secrets {
        assert!(
            before.windows(secret.len()).any(|part| part == *secret),
            "it is not held"
        );
        for window in secret.windows(8) {
            assert!(!after.windows(8).any(|part| part == window), "it is left");
        }
    }
}
