//! The input of the checks.

use crate::memcheck;

/// Secrets, to be marked or not, and what is public beside them.
#[derive(Clone)]
pub(crate) struct Secrets {
    /// A seed, a secret scalar, a secret key.
    pub(crate) seed: [u8; 32],
    /// Another.
    pub(crate) other: [u8; 32],
    /// What a hash gives.
    pub(crate) wide: [u8; 64],
    /// The public key of X25519 that somebody sent; marked as well, since that operation
    /// promises constant time in it.
    pub(crate) peer: [u8; 32],
    /// Public.
    pub(crate) message: Vec<u8>,
    /// Public, and the same for all inputs.
    pub(crate) fixed: [u8; 32],
    /// Public: the Ed25519 public key of the seed.
    pub(crate) public: [u8; 32],
}

impl Secrets {
    /// Input number `i`, not marked. Bytes from a multiplicative generator: any will do.
    pub(crate) fn new(i: u64) -> Self {
        let mut state = i.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut next = || {
            state = state.wrapping_mul(0xD129_0D3E_2C5B_4A75).wrapping_add(i);
            state.to_be_bytes()[0]
        };
        let seed = [(); 32].map(|()| next());
        Self {
            seed,
            other: [(); 32].map(|()| next()),
            wide: [(); 64].map(|()| next()),
            peer: [(); 32].map(|()| next()),
            message: (0..45).map(|_| next()).collect(),
            fixed: [9; 32],
            public: lanner_ed25519::SigningKey::from_bytes(&seed)
                .verifying_key()
                .to_bytes(),
        }
    }

    /// As [`Self::new`] with the message of input 0: only secrets differ.
    pub(crate) fn with_secrets(i: u64) -> Self {
        Self {
            message: Self::new(0).message,
            ..Self::new(i)
        }
    }

    /// The same, marked.
    pub(crate) fn marked(&self) -> Box<Self> {
        let mut marked = Box::new(self.clone());
        memcheck::classify(&mut marked.seed);
        memcheck::classify(&mut marked.other);
        memcheck::classify(&mut marked.wide);
        memcheck::classify(&mut marked.peer);
        marked
    }
}
