//! Verifying keys of all schemes are used alike: looked up by the key, sent to other threads, decoded by whoever is generic.
#![cfg(all(feature = "ed25519", feature = "fn-dsa", feature = "hybrid"))]

use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::Hash;
use std::panic::{RefUnwindSafe, UnwindSafe};

use lanner::{ed25519, fn_dsa, hybrid};

/// Two keys, and bytes that are none.
fn keys<K>(encoded: [&[u8]; 2])
where
    K: Copy + Debug + Eq + Hash + Send + Sync + Unpin + UnwindSafe + RefUnwindSafe,
    K: for<'a> TryFrom<&'a [u8]>,
{
    let decode = |bytes: &[u8]| K::try_from(bytes).ok();
    let [one, two] = encoded.map(|bytes| decode(bytes).expect("it encodes a key"));
    let known = HashSet::from([one, two]);
    assert_eq!(known.len(), 2);
    for bytes in encoded {
        assert!(known.contains(&decode(bytes).expect("it encodes a key")));
        assert_eq!(decode(&bytes[1..]), None);
    }
}

#[test]
fn all_schemes() {
    let seeds = [[1; 32], [2; 32]];
    let encoded = seeds.map(|seed| ed25519::SigningKey::from_bytes(&seed).verifying_key());
    keys::<ed25519::VerifyingKey>(encoded.each_ref().map(|key| &key.as_bytes()[..]));

    let encoded = seeds.map(|seed| {
        let key = fn_dsa::SigningKey512::from_seed(&seed).expect("any seed");
        let mut bytes = [0; 897];
        key.verifying_key()
            .write_bytes(&mut bytes)
            .expect("its size");
        bytes
    });
    let encoded = encoded.each_ref().map(|bytes| &bytes[..]);
    keys::<fn_dsa::VerifyingKey512>(encoded);
    keys::<fn_dsa::VerifyingKeyStandard>(encoded);

    let encoded = seeds.map(|seed| {
        let key = hybrid::SigningKey512::from_seed(&seed).expect("any seed");
        let mut bytes = [0; 929];
        key.verifying_key()
            .write_bytes(&mut bytes)
            .expect("its size");
        bytes
    });
    let encoded = encoded.each_ref().map(|bytes| &bytes[..]);
    keys::<hybrid::VerifyingKey512>(encoded);
    keys::<hybrid::VerifyingKeyStandard>(encoded);
}
