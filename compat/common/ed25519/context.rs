//! A key together with the context of Ed25519ph.

use crate::SignatureError;
use crate::verifying::check;

/// A key bound to a context for Ed25519ph (RFC 8032, sections 5.1 and 8.3).
#[derive(Clone, Debug)]
pub struct Context<'k, 'v, K> {
    key: &'k K,
    /// At most [`Self::MAX_LENGTH`] bytes.
    value: &'v [u8],
}

impl<'k, 'v, K> Context<'k, 'v, K> {
    /// Greatest length of a context, in bytes.
    pub const MAX_LENGTH: usize = 255;

    pub(crate) fn new(key: &'k K, value: &'v [u8]) -> Result<Self, SignatureError> {
        check(Some(value))?;
        Ok(Context { key, value })
    }

    /// The key.
    pub fn key(&self) -> &'k K {
        self.key
    }

    /// The context, 0 to 255 bytes.
    pub fn value(&self) -> &'v [u8] {
        self.value
    }
}
