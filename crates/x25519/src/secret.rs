//! Secret keys, in three types that differ in what they allow.

use core::fmt;

use lanner_curve::montgomery::MontgomeryPoint;
use lanner_simd::stack::cleared;
use rand_core::CryptoRng;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::checked::{NonContributory, require_contributory};
use crate::public::PublicKey;
use crate::shared::SharedSecret;
use crate::x25519::{CALLER_DEPTH, GROUP, GROUP_DEPTH};

/// 32 random bytes, not clamped: that is done whenever they are used. Wiped
/// when dropped.
#[derive(Clone)]
pub(crate) struct SecretBytes(pub(crate) [u8; 32]);

impl Drop for SecretBytes {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl SecretBytes {
    fn random_from_rng<R: CryptoRng + ?Sized>(csprng: &mut R) -> Self {
        let mut secret = SecretBytes([0; 32]);
        csprng.fill_bytes(&mut secret.0);
        secret
    }

    #[cfg(all(
        feature = "getrandom",
        not(all(target_family = "wasm", any(target_os = "unknown", target_os = "none")))
    ))]
    fn random() -> Result<Self, lanner_simd::NoRandomness> {
        let mut secret = SecretBytes([0; 32]);
        lanner_simd::OsRng::try_fill(&mut secret.0)?;
        Ok(secret)
    }

    fn diffie_hellman(&self, their_public: &PublicKey) -> SharedSecret {
        cleared::<CALLER_DEPTH, _>(|| SharedSecret(their_public.0.mul_clamped(self.0)))
    }

    fn public(&self) -> PublicKey {
        cleared::<CALLER_DEPTH, _>(|| PublicKey(MontgomeryPoint::mul_base_clamped(self.0)))
    }
}

/// The public keys of at most `GROUP` secret keys.
fn public_group<'s>(
    secrets: impl ExactSizeIterator<Item = &'s SecretBytes>,
    public_keys: &mut [PublicKey],
) {
    cleared::<GROUP_DEPTH, _>(|| {
        let count = secrets.len();
        let mut bytes = Zeroizing::new([[0; 32]; GROUP]);
        for (bytes, secret) in bytes.iter_mut().zip(secrets) {
            *bytes = secret.0;
        }
        let mut points = [MontgomeryPoint::default(); GROUP];
        MontgomeryPoint::mul_base_clamped_each(&bytes[..count], &mut points[..count]);
        for (public_key, point) in public_keys.iter_mut().zip(points) {
            *public_key = PublicKey(point);
        }
    });
}

/// What the three types have in common but for the receiver of
/// `diffie_hellman`, which is what sets them apart.
macro_rules! secret_type {
    ($name:ident, $self_type:ty) => {
        impl $name {
            /// A new random secret key, from any cryptographically secure
            /// generator.
            pub fn random_from_rng<R: CryptoRng + ?Sized>(csprng: &mut R) -> Self {
                cleared::<CALLER_DEPTH, _>(|| $name(SecretBytes::random_from_rng(csprng)))
            }

            /// A new random secret key, from the generator of the operating
            /// system. Absent on WebAssembly without WASI, where there is none.
            ///
            /// # Panics
            ///
            /// If the operating system gives no randomness:
            /// [`Self::generate_from_os`] returns an error then.
            #[cfg(all(
                feature = "getrandom",
                not(all(target_family = "wasm", any(target_os = "unknown", target_os = "none")))
            ))]
            pub fn random() -> Self {
                Self::generate_from_os().expect("the operating system gives no randomness")
            }

            /// A new random secret key, from the generator of the operating
            /// system. Absent on WebAssembly without WASI, where there is none.
            ///
            /// # Errors
            ///
            /// If the operating system gives no randomness.
            #[cfg(all(
                feature = "getrandom",
                not(all(target_family = "wasm", any(target_os = "unknown", target_os = "none")))
            ))]
            pub fn generate_from_os() -> Result<Self, lanner_simd::NoRandomness> {
                cleared::<CALLER_DEPTH, _>(|| SecretBytes::random().map($name))
            }

            /// The public keys of several secret keys: `public_keys[i]` becomes that of
            /// `secrets[i]`. Constant time in all but their number. No allocation.
            ///
            /// On a processor with wide vectors (AVX-512 IFMA) they are computed side by side,
            /// each in a third to a half of the time of one alone.
            ///
            /// # Panics
            ///
            /// If the slices differ in length.
            ///
            /// ```
            /// use getrandom::{SysRng, rand_core::UnwrapErr};
            #[doc = concat!("use lanner_x25519::{", stringify!($name), ", PublicKey};")]
            ///
            /// let mut rng = UnwrapErr(SysRng);
            #[doc = concat!("let mut new = || ", stringify!($name), "::random_from_rng(&mut rng);")]
            /// let secrets = [(); 8].map(|()| new());
            /// let mut public_keys = [PublicKey::from([0; 32]); 8];
            #[doc = concat!(stringify!($name), "::public_keys_each(&secrets, &mut public_keys);")]
            /// assert_eq!(public_keys[7], PublicKey::from(&secrets[7]));
            /// ```
            pub fn public_keys_each(secrets: &[Self], public_keys: &mut [PublicKey]) {
                assert_eq!(secrets.len(), public_keys.len());
                let groups = secrets.chunks(GROUP).zip(public_keys.chunks_mut(GROUP));
                for (secrets, public_keys) in groups {
                    public_group(secrets.iter().map(|secret| &secret.0), public_keys);
                }
            }

            /// The secret shared with the owner of `their_public` (RFC 7748
            /// section 6.1). Constant time.
            ///
            /// It is all zero if that key has small order: see
            /// [`SharedSecret::was_contributory`], or use
            /// [`Self::diffie_hellman_checked`].
            pub fn diffie_hellman(self: $self_type, their_public: &PublicKey) -> SharedSecret {
                self.0.diffie_hellman(their_public)
            }

            /// The secret shared with the owner of `their_public` (RFC 7748
            /// section 6.1), 32 bytes that are not all zero. Constant time but
            /// for the verdict.
            ///
            /// # Errors
            ///
            /// If `their_public` has small order.
            pub fn diffie_hellman_checked(
                self: $self_type,
                their_public: &PublicKey,
            ) -> Result<SharedSecret, NonContributory> {
                cleared::<CALLER_DEPTH, _>(|| {
                    require_contributory(self.0.diffie_hellman(their_public))
                })
            }
        }

        impl From<&$name> for PublicKey {
            /// The public key of this secret key. Constant time.
            fn from(secret: &$name) -> PublicKey {
                secret.0.public()
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }

        // Its only field wipes itself.
        impl ZeroizeOnDrop for $name {}
    };
}

/// A secret key for one key agreement, which consumes it. It cannot be copied,
/// stored or loaded.
pub struct EphemeralSecret(SecretBytes);
secret_type!(EphemeralSecret, Self);

/// A secret key for several key agreements within one run of a protocol. It
/// cannot be stored or loaded.
///
/// Prefer [`EphemeralSecret`] where one agreement is enough.
#[cfg(feature = "reusable_secrets")]
#[derive(Clone)]
pub struct ReusableSecret(SecretBytes);
#[cfg(feature = "reusable_secrets")]
secret_type!(ReusableSecret, &Self);

/// A secret key that can be stored, loaded and used again.
///
/// The bytes are kept as given and exported so; they are clamped whenever they
/// are used. Prefer [`EphemeralSecret`] where one agreement is enough.
#[cfg(feature = "static_secrets")]
#[derive(Clone)]
pub struct StaticSecret(pub(crate) SecretBytes);
#[cfg(feature = "static_secrets")]
secret_type!(StaticSecret, &Self);

#[cfg(feature = "static_secrets")]
impl StaticSecret {
    /// A copy of the 32 bytes, which the caller should wipe.
    #[inline]
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0.0
    }

    /// The 32 bytes.
    #[inline]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0.0
    }
}

#[cfg(feature = "static_secrets")]
impl From<[u8; 32]> for StaticSecret {
    /// Loads a secret key. Every 32 bytes are one.
    fn from(bytes: [u8; 32]) -> StaticSecret {
        StaticSecret(SecretBytes(bytes))
    }
}

#[cfg(feature = "static_secrets")]
impl AsRef<[u8]> for StaticSecret {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}
