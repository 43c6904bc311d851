//! Signatures of other schemes: two rows, whatever the scheme.

use crate::{FN_DSA_KEYS, Operation, Pool, SINGLES, each};

/// What signs a message.
pub type Sign = Box<dyn Fn(&[u8]) -> Vec<u8>>;

/// A key pair. Whether a signature is right tells the verification.
pub struct Pair {
    /// The bytes of the public key.
    pub public: Vec<u8>,
    /// What signs.
    pub sign: Sign,
}

/// Both rows of a scheme: signing with the key at hand, verification from bytes.
pub fn rows<'p>(
    signs: bool,
    pool: &'p Pool,
    pair: impl Fn(usize) -> Pair,
    verify: impl Fn(&[u8], &[u8], &[u8]) -> bool + 'p,
) -> Operation<'p> {
    let pairs: Vec<Pair> = (0..FN_DSA_KEYS).map(pair).collect();
    let messages = &pool.messages;
    let signatures: Vec<Vec<u8>> = (0..SINGLES)
        .map(|i| (pairs[i % FN_DSA_KEYS].sign)(&messages[i]))
        .collect();
    each(move |i| {
        let pair = &pairs[i % FN_DSA_KEYS];
        if signs {
            let signature = (pair.sign)(&messages[i]);
            assert_eq!(signature.len(), signatures[i].len());
        } else {
            assert!(verify(&pair.public, &messages[i], &signatures[i]));
        }
    })
}
