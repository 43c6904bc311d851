//! Items of a batch of every kind, honest and adversarial.

use lanner_ed25519::{Signature, Signer, SigningKey, VerifyingKey};
use proptest::prelude::*;

/// Key, message and signature.
pub(crate) type Item = (VerifyingKey, Vec<u8>, Signature);

pub(crate) fn honest(i: usize) -> Item {
    // Some keys repeat.
    let key = SigningKey::from_bytes(&[(i % 50) as u8; 32]);
    let message = vec![i as u8; i % 40];
    let signature = key.sign(&message);
    (key.verifying_key(), message, signature)
}

/// An encoding of the neutral element other than the canonical one.
pub(crate) fn odd_identity(which: u8) -> [u8; 32] {
    let mut y = [0; 32];
    y[0] = 1;
    if which & 1 == 1 {
        y = [0xff; 32];
        y[0] = 0xee;
        y[31] = 0x7f;
    }
    if which & 2 == 2 || which & 1 == 0 {
        y[31] |= 0x80;
    }
    y
}

/// Items of every kind that a batch might treat differently from a single
/// verification.
pub(crate) fn item() -> impl Strategy<Value = Item> {
    let message = || prop::collection::vec(any::<u8>(), 0..20);
    prop_oneof![
        4 => any::<u16>().prop_map(|i| honest(usize::from(i))),
        // Wrong message.
        1 => any::<u16>().prop_map(|i| {
            let mut item = honest(usize::from(i));
            item.1.push(0);
            item
        }),
        // A bit flipped in R or S.
        1 => (any::<u16>(), 0..512usize).prop_map(|(i, bit)| {
            let (key, message, signature) = honest(usize::from(i));
            let mut bytes = signature.to_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            (key, message, bytes.into())
        }),
        // S + L and S + 2L.
        1 => (any::<u16>(), 1..3usize).prop_map(|(i, times)| {
            let (key, message, signature) = honest(usize::from(i));
            (key, message, super::shifted(&signature, times))
        }),
        // Torsion in A and R; r = 0 makes R itself of small order.
        4 => (1u64..9, 0u64..4, 0u8..8, 0u8..8, message()).prop_map(|(a, r, ta, tr, message)| {
            let (key, signature) = super::forge(a, r, ta, tr, &message);
            (key, message, signature)
        }),
        // Weak keys.
        1 => (0u64..3, message()).prop_map(|(s, message)| {
            let (key, signature) = super::identity_forgery(s);
            (key, message, signature)
        }),
        // Weak keys and an R that is not encoded canonically.
        1 => (0u8..4, message()).prop_map(|(which, message)| {
            let (key, _) = super::identity_forgery(0);
            (key, message, Signature::from_components(odd_identity(which), [0; 32]))
        }),
        // A weak key that is not encoded canonically.
        1 => (0u8..4, 0u64..3, message()).prop_map(|(which, s, message)| {
            let (_, signature) = super::identity_forgery(s);
            let key = VerifyingKey::from_bytes(&odd_identity(which)).unwrap();
            (key, message, signature)
        }),
        // R is no point, or any point.
        1 => (any::<u16>(), any::<[u8; 32]>()).prop_map(|(i, r)| {
            let (key, message, signature) = honest(usize::from(i));
            (key, message, Signature::from_components(r, *signature.s_bytes()))
        }),
    ]
}
