//! The prefix `dom2` that separates Ed25519, Ed25519ctx and Ed25519ph
//! (RFC 8032 sections 2 and 5.1).

use crate::errors::{SignatureError, require};
use sha2::Digest;

/// Longest context, in bytes.
pub(crate) const MAX_CONTEXT_LENGTH: usize = 255;

/// Which of the three schemes a hash belongs to.
#[derive(Clone, Copy)]
pub(crate) struct Domain<'c> {
    /// `None` for Ed25519, which has an empty prefix.
    dom2: Option<(u8, &'c [u8])>,
}

impl<'c> Domain<'c> {
    /// Ed25519.
    pub(crate) const PURE: Domain<'static> = Domain { dom2: None };

    /// Ed25519ctx. RFC 8032 section 5.1 says that its context should not be
    /// empty; here it must not be.
    pub(crate) fn with_context(context: &'c [u8]) -> Result<Self, SignatureError> {
        require(!context.is_empty() && context.len() <= MAX_CONTEXT_LENGTH)?;
        Ok(Domain {
            dom2: Some((0, context)),
        })
    }

    /// Ed25519ph, with a context of 0 to 255 bytes.
    #[cfg(feature = "digest")]
    pub(crate) fn prehashed(context: &'c [u8]) -> Result<Self, SignatureError> {
        require(context.len() <= MAX_CONTEXT_LENGTH)?;
        Ok(Domain {
            dom2: Some((1, context)),
        })
    }

    /// A hash that has absorbed the prefix.
    pub(crate) fn start<D: Digest>(&self) -> D {
        let mut hash = D::new();
        if let Some((phflag, context)) = self.dom2 {
            hash.update(b"SigEd25519 no Ed25519 collisions");
            // The constructors bound the length by 255.
            hash.update([phflag, context.len() as u8]);
            hash.update(context);
        }
        hash
    }
}
