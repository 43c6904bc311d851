//! Secret keys, in three types that differ in what they allow.

use lanner_simd::stack::cleared;
use lanner_x25519 as lanner;
use rand_core::{CryptoRng, RngCore};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::PublicKey;
use crate::shared::{CALLER_DEPTH, SharedSecret};

/// The secret key of these bytes.
fn load(bytes: &[u8; 32]) -> lanner::StaticSecret {
    cleared::<CALLER_DEPTH, _>(|| lanner::StaticSecret::from(*bytes))
}

/// What the three types have in common but for the receiver of `diffie_hellman`, which is what sets them apart.
macro_rules! secret_type {
    ($name:ident, $self_type:ty) => {
        impl $name {
            /// The secret shared with the owner of `their_public` (RFC 7748, section 6.1). Constant time.
            ///
            /// It is all zero if that key has small order: see [`SharedSecret::was_contributory`].
            #[inline]
            pub fn diffie_hellman(self: $self_type, their_public: &PublicKey) -> SharedSecret {
                SharedSecret::of(&self.0, &their_public.0)
            }

            /// The former name of [`Self::random_from_rng`].
            #[deprecated(since = "2.0.0", note = "renamed to `random_from_rng`")]
            pub fn new<T: RngCore + CryptoRng>(csprng: T) -> Self {
                Self::random_from_rng(csprng)
            }

            /// A new random secret key, from any cryptographically secure generator.
            pub fn random_from_rng<T: RngCore + CryptoRng>(mut csprng: T) -> Self {
                cleared::<CALLER_DEPTH, _>(|| {
                    let mut bytes = Zeroizing::new([0; 32]);
                    csprng.fill_bytes(&mut *bytes);
                    $name(load(&bytes))
                })
            }

            /// A new random secret key, from the generator of the operating system.
            ///
            /// # Panics
            ///
            /// If the operating system gives no randomness.
            #[cfg(feature = "getrandom")]
            pub fn random() -> Self {
                Self::random_from_rng(rand_core::OsRng)
            }
        }

        impl From<&$name> for PublicKey {
            /// The public key of this secret key. Constant time.
            fn from(secret: &$name) -> PublicKey {
                PublicKey((&secret.0).into())
            }
        }

        impl Zeroize for $name {
            fn zeroize(&mut self) {
                // What is replaced wipes itself.
                self.0 = load(&[0; 32]);
            }
        }

        // Its only field wipes itself.
        impl ZeroizeOnDrop for $name {}
    };
}

/// A secret key for one key agreement, which consumes it. It cannot be copied, stored or loaded. Wiped when dropped.
pub struct EphemeralSecret(lanner::StaticSecret);
secret_type!(EphemeralSecret, Self);

/// A secret key for several key agreements within one run of a protocol. It cannot be stored or loaded. Wiped when
/// dropped.
#[cfg(feature = "reusable_secrets")]
#[derive(Clone)]
pub struct ReusableSecret(lanner::StaticSecret);
#[cfg(feature = "reusable_secrets")]
secret_type!(ReusableSecret, &Self);

/// A secret key that can be stored, loaded and used again. Wiped when dropped.
///
/// The bytes are kept as given and exported so; they are clamped whenever they are used.
#[cfg(feature = "static_secrets")]
#[derive(Clone)]
pub struct StaticSecret(pub(crate) lanner::StaticSecret);
#[cfg(feature = "static_secrets")]
secret_type!(StaticSecret, &Self);

#[cfg(feature = "static_secrets")]
impl StaticSecret {
    /// A copy of the 32 bytes, which the caller should wipe.
    #[inline]
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0.to_bytes()
    }

    /// The 32 bytes.
    #[inline]
    pub fn as_bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }
}

#[cfg(feature = "static_secrets")]
impl From<[u8; 32]> for StaticSecret {
    /// Loads a secret key. Every 32 bytes are one.
    fn from(mut bytes: [u8; 32]) -> Self {
        let secret = StaticSecret(load(&bytes));
        bytes.zeroize();
        secret
    }
}

#[cfg(feature = "static_secrets")]
impl AsRef<[u8]> for StaticSecret {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}
