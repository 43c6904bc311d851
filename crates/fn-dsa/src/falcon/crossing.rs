//! One key pair for Falcon and for FN-DSA: what the types are there to prevent, by name.
//!
//! An FN-DSA signature of m with nonce r is one of r ‖ hpk ‖ 0 ‖ 0 ‖ m, where hpk is the hash of the verifying
//! key; a Falcon signature of m' is one of r ‖ m'. With m' = hpk ‖ 0 ‖ 0 ‖ m the two are the same bytes.

#[cfg(feature = "sign")]
use crate::ntt::Room;
use crate::params::{P3, R3};
#[cfg(feature = "sign")]
use crate::rules::Ruled;
#[cfg(feature = "sign")]
use crate::signing::SigningKeyOf;
use crate::verifying::VerifyingKeyOf;
#[cfg(feature = "sign")]
use crate::wiping::{after_copying, after_decoding};

#[cfg(feature = "sign")]
impl<const MIN: u32, const N: usize> SigningKeyOf<R3, MIN, N> {
    /// **Opens the key to forgery**: the Falcon key with the secret of an FN-DSA key.
    ///
    /// Whoever gets a Falcon signature of a message of his choice, which begins with the public
    /// [hash of the verifying key](crate::VerifyingKeyOf::hashed) and two zeros, has an FN-DSA signature of what follows.
    /// Keys for one scheme come from [`from_bytes`](Self::from_bytes) or a key generator; this is for keys that
    /// have to serve both, and whose owner chooses every message that he signs.
    ///
    /// ```
    /// # #[cfg(feature = "keygen")] {
    /// use lanner_fn_dsa::falcon::{self, Encoding};
    /// use lanner_fn_dsa::{DOMAIN_NONE, HASH_ID_RAW, SigningKey512, shake::SeededRng};
    ///
    /// let key = SigningKey512::from_seed(&[3; 32])?;
    /// let public = key.verifying_key();
    /// let chosen = [&public.hashed()[..], &[0, 0], b"I owe you a horse"].concat();
    ///
    /// let falcon_key = falcon::SigningKey512::dangerous_from_fn_dsa(&key);
    /// let rng = &mut SeededRng::new(b"use a real generator");
    /// let mut signature = [0; 666];
    /// falcon::sign(&falcon_key, rng, &chosen, Encoding::Padded, &mut signature)?;
    ///
    /// // Nobody has signed this.
    /// assert!(public.try_verify(&signature, &DOMAIN_NONE, &HASH_ID_RAW, b"I owe you a horse").is_ok());
    /// # }
    /// # Ok::<(), lanner_fn_dsa::Error>(())
    /// ```
    ///
    /// Without it there is no way from one type to the other:
    ///
    /// ```compile_fail,E0308
    /// # use lanner_fn_dsa::{SigningKey512, falcon::{self, Encoding}, shake::SeededRng};
    /// # let key = SigningKey512::from_seed(&[3; 32]).unwrap();
    /// # let (rng, mut signature) = (&mut SeededRng::new(b""), [0; 666]);
    /// let signed = falcon::sign(&key, rng, b"message", Encoding::Padded, &mut signature);
    /// ```
    #[must_use]
    pub fn dangerous_from_fn_dsa(key: &SigningKeyOf<P3, MIN, N>) -> Self {
        after_copying::<N, _>(|| {
            let mut copy = Self::EMPTY;
            copy.secret.copy_from(&key.secret);
            copy
        })
    }

    /// **Opens the key to forgery**: the FN-DSA key with the secret of this one. See
    /// [`dangerous_from_fn_dsa`](Self::dangerous_from_fn_dsa).
    #[must_use]
    pub fn dangerous_to_fn_dsa(&self) -> SigningKeyOf<P3, MIN, N> {
        after_decoding::<N, _>(|| {
            let mut copy = SigningKeyOf::EMPTY;
            copy.secret.copy_from(&self.secret);
            // One that was wiped stays without.
            if copy.secret.present().is_ok() {
                copy.secret.hash(P3::RULES, &mut Room::<N>::new().0);
            }
            copy
        })
    }
}

impl<const MIN: u32, const N: usize> VerifyingKeyOf<R3, MIN, N> {
    /// **Accepts forgeries if the pair signs in both schemes**: the Falcon key with the bytes of an FN-DSA key.
    ///
    /// What the owner signs for FN-DSA is then valid here as a Falcon signature of another message, and the other
    /// way round: see [`SigningKey512::dangerous_from_fn_dsa`](super::SigningKey512::dangerous_from_fn_dsa).
    ///
    /// ```compile_fail,E0308
    /// # use lanner_fn_dsa::{SigningKey512, falcon::{self, Encoding}};
    /// # let key = SigningKey512::from_seed(&[3; 32]).unwrap().verifying_key();
    /// let verdict = falcon::verify_as(&key, &[0; 666], b"message", Encoding::Padded);
    /// ```
    #[must_use]
    pub fn dangerous_from_fn_dsa(key: &VerifyingKeyOf<P3, MIN, N>) -> Self {
        key.of_variant()
    }

    /// **Accepts forgeries if the pair signs in both schemes**: the FN-DSA key with the bytes of this one. See
    /// [`dangerous_from_fn_dsa`](Self::dangerous_from_fn_dsa).
    ///
    /// ```compile_fail,E0599
    /// # use lanner_fn_dsa::{DOMAIN_NONE, HASH_ID_RAW, falcon};
    /// # let key = falcon::VerifyingKey512::from_bytes(&[9; 897]).unwrap();
    /// let verdict = key.try_verify(&[0; 666], &DOMAIN_NONE, &HASH_ID_RAW, b"message");
    /// ```
    #[must_use]
    pub fn dangerous_to_fn_dsa(&self) -> VerifyingKeyOf<P3, MIN, N> {
        self.of_variant()
    }
}
