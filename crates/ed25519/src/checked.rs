//! Signing that answers for its result: what a fault of the processor or of memory made of it is not given out.
//!
//! A signature is a function of the key and the message alone. Whoever gets one of them right, and another whose
//! computation was disturbed between nonce and response, computes the secret scalar of the two (Romailler and Pelissier,
//! "Practical Fault Attack against the Ed25519 and EdDSA Signature Schemes", FDTC 2017; Poddebniak et al., "Attacking
//! Deterministic Signature Schemes Using Fault Attacks", EuroS&P 2018). Verification finds most of that, but not a message
//! that changed between its two passes through the hash, and not a nonce that became a constant: such signatures are
//! valid. So everything is computed twice, the second time from the secret key on, and compared; and then the signature is
//! verified under the public key as it is encoded.

use core::hint::black_box;

use lanner_simd::stack::cleared;
#[cfg(feature = "digest")]
use sha2::{Digest, digest::typenum::U64};
use subtle::ConstantTimeEq;

use crate::depth;
use crate::domain::Domain;
use crate::errors::require;
use crate::expanded::ExpandedSecretKey;
use crate::profile::DROP_IN_STRICT;
use crate::sha512::Sha512;
use crate::verify::verify_encoded;
use crate::{SIGNATURE_LENGTH, Signature, SignatureError, SigningKey};

impl SigningKey {
    /// Makes the signature that [`Signer::sign`](crate::Signer::sign) makes, and gives it out only if it is that one,
    /// whatever single fault of the processor or of memory happened meanwhile: it is made twice, from the secret
    /// key on, compared, and verified under the public key. For machines that others can heat, starve or disturb, and
    /// for keys that sign one message often.
    ///
    /// Takes the time of two signatures and a verification, and 20 kB of stack. Constant time in all but the length of the
    /// message, and in what the verification shows of the signature, which is public.
    ///
    /// # Errors
    ///
    /// If the two differ or the signature is not valid. Nothing is known of the key then, but this key or this machine
    /// should sign no more before the reason is found.
    ///
    /// ```
    /// use lanner_ed25519::{Signer, SigningKey};
    ///
    /// let signing_key = SigningKey::from_bytes(&[4; 32]);
    /// assert_eq!(signing_key.sign_checked(b"message")?, signing_key.sign(b"message"));
    /// # Ok::<(), lanner_ed25519::SignatureError>(())
    /// ```
    pub fn sign_checked(&self, message: &[u8]) -> Result<Signature, SignatureError> {
        self.sign_domain_checked(|_| Ok(Domain::PURE), &[], message)
    }

    /// Makes the signature that [`sign_ctx`](Self::sign_ctx) makes, as [`sign_checked`](Self::sign_checked) does.
    ///
    /// # Errors
    ///
    /// If the context is empty or longer than 255 bytes, or those of [`sign_checked`](Self::sign_checked).
    pub fn sign_ctx_checked(
        &self,
        context: &[u8],
        message: &[u8],
    ) -> Result<Signature, SignatureError> {
        self.sign_domain_checked(Domain::with_context, context, message)
    }

    /// Makes the signature that [`sign_prehashed`](Self::sign_prehashed) makes, as [`sign_checked`](Self::sign_checked)
    /// does. The hash of the message is taken once: what it is computed of is not looked at again.
    ///
    /// # Errors
    ///
    /// If the context is longer than 255 bytes, or those of [`sign_checked`](Self::sign_checked).
    #[cfg(feature = "digest")]
    pub fn sign_prehashed_checked<MsgDigest>(
        &self,
        prehashed_message: MsgDigest,
        context: Option<&[u8]>,
    ) -> Result<Signature, SignatureError>
    where
        MsgDigest: Digest<OutputSize = U64>,
    {
        let context = context.unwrap_or_default();
        self.sign_domain_checked(Domain::prehashed, context, &prehashed_message.finalize())
    }

    #[inline(always)]
    fn sign_domain_checked<'a>(
        &self,
        domain: impl Fn(&'a [u8]) -> Result<Domain<'a>, SignatureError>,
        context: &'a [u8],
        message: &'a [u8],
    ) -> Result<Signature, SignatureError> {
        // What is signed is named for each use, as it comes in: one name for all would be one place for a fault, after which
        // another message is signed, rightly. The same goes for the domain, which would lie in one register.
        let [first, second, verified] = [(); 3].map(|()| black_box((context, message)));
        let named = |name| {
            let (context, message) = black_box(name);
            anew(|| domain(context).map(|domain| (domain, message)))
        };
        // Where the call is left out, there is no signature.
        let mut checked = (Err(SignatureError::new()), Wiped(Wiped::zeros()));
        let (verdict, Wiped(out)) = black_box(&mut checked);
        // What differs from the right signature is a secret: it goes with the stack.
        cleared::<{ depth::CHECKED }, _>(|| {
            *verdict = named(first).and_then(|(domain, message)| {
                let signature = self.sign_domain(domain, &[message]);
                // What hides its origin is computed, not remembered.
                let (domain, message) = named(second)?;
                let again = black_box(self).sign_anew(domain, &[message]);
                require(signature.to_bytes().ct_eq(&again.to_bytes()).into())?;
                // The point is decoded from the bytes that were hashed: a fault in either parts them.
                let key = black_box(self.as_ref().as_bytes());
                let (domain, message) = named(verified)?;
                verify(key, domain, message, &signature)?;
                *out = signature;
                Ok(())
            });
        });
        // By nothing but a copy: a function that made the signature of bytes would be another place for a fault, after which what
        // else lies on the stack is the result.
        let Wiped(signature) = &checked.1;
        checked.0.map(|()| *signature)
    }

    /// The signature, from the secret key on.
    #[inline(never)]
    fn sign_anew(&self, domain: Domain<'_>, message: &[&[u8]]) -> Signature {
        let expanded = ExpandedSecretKey::expand(self.as_bytes());
        expanded.sign_parts::<Sha512>(domain, self.as_ref().as_bytes(), message)
    }
}

/// One function for all that are checked: verification is long.
#[inline(never)]
fn verify(
    key: &[u8; 32],
    domain: Domain<'_>,
    message: &[u8],
    signature: &Signature,
) -> Result<(), SignatureError> {
    verify_encoded::<Sha512>(&DROP_IN_STRICT, key, domain, &[message], signature)
}

/// A signature that is zeros when it is dropped.
struct Wiped(Signature);

impl Wiped {
    fn zeros() -> Signature {
        Signature::from_bytes(&[0; SIGNATURE_LENGTH])
    }
}

impl Drop for Wiped {
    fn drop(&mut self) {
        self.0 = Self::zeros();
        // What nobody reads would not be written.
        black_box(&mut self.0);
    }
}

/// Each call computes it: nothing is kept from one to the next.
#[inline(never)]
fn anew<T>(compute: impl Fn() -> T) -> T {
    compute()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Signer, VerifyingKey};

    const MESSAGE: &[u8] = b"message";

    fn key() -> SigningKey {
        SigningKey::from_bytes(&[7; 32])
    }

    fn expanded(change: impl FnOnce(&mut ExpandedSecretKey)) -> ExpandedSecretKey {
        let mut expanded = ExpandedSecretKey::expand(key().as_bytes());
        change(&mut expanded);
        expanded
    }

    /// Keys as a fault in memory leaves them. The right one of the others is refused by nothing that only verifies.
    #[test]
    fn keys_that_changed_sign_nothing() {
        let right = key();
        let flipped = |bytes: &mut [u8; 32]| bytes[3] ^= 0x10;
        let prefix = expanded(|secret| flipped(&mut secret.hash_prefix));
        let nothing = expanded(|secret| secret.hash_prefix = [0; 32]);
        let scalar = expanded(|secret| {
            secret.scalar += lanner_curve::scalar::Scalar::ONE;
        });
        for (expanded, verifies) in [(prefix, true), (nothing, true), (scalar, false)] {
            let key = SigningKey::from_parts(right.as_bytes(), expanded, right.verifying_key());
            let signature = key.sign(MESSAGE);
            assert_ne!(signature, right.sign(MESSAGE));
            assert_eq!(right.verify(MESSAGE, &signature).is_ok(), verifies);
            assert!(key.sign_checked(MESSAGE).is_err());
        }

        let mut other = *right.as_bytes();
        flipped(&mut other);
        let key = SigningKey::from_parts(&other, expanded(|_| ()), right.verifying_key());
        assert!(key.sign_checked(MESSAGE).is_err());

        // The bytes that are hashed, beside the point that they do not encode; and both, of another key.
        let stranger = SigningKey::from_bytes(&[8; 32]).verifying_key();
        let encoding = *VerifyingKey::from(stranger.to_edwards()).as_bytes();
        let point = right.verifying_key().to_edwards();
        let parted =
            VerifyingKey::from_parts(lanner_curve::edwards::CompressedEdwardsY(encoding), point);
        for public in [parted, stranger] {
            let key = SigningKey::from_parts(right.as_bytes(), expanded(|_| ()), public);
            // A point and bytes that are not its encoding: verification itself does not look.
            assert_eq!(
                key.verify(MESSAGE, &key.sign(MESSAGE)).is_ok(),
                public.to_edwards() == point
            );
            assert!(key.sign_checked(MESSAGE).is_err());
        }
        assert!(right.sign_checked(MESSAGE).is_ok());
    }

    #[test]
    fn right_signatures_are_those_of_the_plain_functions() {
        let key = key();
        for length in [0, 1, 100, 300] {
            let message = &[0x5a; 300][..length];
            assert_eq!(key.sign_checked(message).ok(), Some(key.sign(message)));
            assert_eq!(
                key.sign_ctx_checked(b"context", message).ok(),
                key.sign_ctx(b"context", message).ok()
            );
        }
        assert!(key.sign_ctx_checked(b"", MESSAGE).is_err());
        assert!(key.sign_ctx_checked(&[0; 256], MESSAGE).is_err());
        #[cfg(feature = "digest")]
        for context in [None, Some(&b"context"[..])] {
            let hash = || Sha512::new_with_prefix(MESSAGE);
            let checked = key.sign_prehashed_checked(hash(), context);
            assert_eq!(checked.ok(), key.sign_prehashed(hash(), context).ok());
        }
    }
}
