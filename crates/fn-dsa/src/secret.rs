//! The secret polynomials of a key pair, and what is derived from them once.

use subtle::ConstantTimeEq;
use zeroize::Zeroize;

use crate::codec;
use crate::errors::Error;
use crate::hash::hash_secret;
use crate::ntt;
use crate::params::{HPK_LENGTH, HSK_LENGTH, N_MAX, Variant, check_degree};
#[cfg(feature = "sign")]
use crate::sign::SigningBasis;
use crate::verifying::hash_of_values;

/// f, g, F and G with f * G - g * F = q, the public key h = g / f, and two hashes. Of arrays longer than
/// the degree the rest is zero. Wiped when dropped.
#[derive(Clone)]
pub(crate) struct Secret<const N: usize> {
    pub(crate) logn: u32,
    pub(crate) f: [i8; N],
    pub(crate) g: [i8; N],
    pub(crate) big_f: [i8; N],
    pub(crate) big_g: [i8; N],
    /// h in values.
    pub(crate) h_values: [u16; N],
    /// The hash of the verifying key, or zeros where the variant has no use for it.
    pub(crate) hpk: [u8; HPK_LENGTH],
    /// The hash of f and g.
    pub(crate) hsk: [u8; HSK_LENGTH],
}

impl<const N: usize> Secret<N> {
    pub(crate) fn zero(logn: u32) -> Self {
        assert!(1 << logn <= N);
        Self {
            logn,
            f: [0; N],
            g: [0; N],
            big_f: [0; N],
            big_g: [0; N],
            h_values: [0; N],
            hpk: [0; HPK_LENGTH],
            hsk: [0; HSK_LENGTH],
        }
    }

    #[cfg_attr(not(feature = "sign"), allow(dead_code))]
    pub(crate) fn decode<V: Variant>(bytes: &[u8], min: u32, max: u32) -> Result<Self, Error> {
        let logn = codec::header_logn(bytes, codec::header::SIGNING_KEY).ok_or(Error::Key)?;
        check_degree(logn, min, max)?;
        let mut secret = Self::zero(logn);
        codec::decode_signing_key::<V>(
            logn,
            bytes,
            &mut secret.f,
            &mut secret.g,
            &mut secret.big_f,
        )?;
        secret.complete::<V>()?;
        if V::KEY_HOLDS_HPK {
            let stored = &bytes[bytes.len() - HPK_LENGTH..];
            if !bool::from(stored.ct_eq(&secret.hpk)) {
                return Err(Error::Key);
            }
        }
        Ok(secret)
    }

    /// Derives from f, g and F what follows from them. The key is bad if f is not invertible, if a
    /// coefficient of G is not within [-127, 127], or if f * G - g * F is not q over the integers.
    #[cfg_attr(not(feature = "sign"), allow(dead_code))]
    pub(crate) fn complete<V: Variant>(&mut self) -> Result<(), Error> {
        let (logn, n) = (self.logn, 1 << self.logn);
        let h_values = &mut self.h_values[..n];
        if !ntt::public_key(logn, &self.f[..n], &self.g[..n], h_values) {
            return Err(Error::Key);
        }
        // f * G = q + g * F, so that G = h * F modulo q.
        let mut product = [0; N_MAX];
        let product = &mut product[..n];
        ntt::product(logn, h_values, &self.big_f[..n], product);
        let mut largest = 0;
        for (to, &x) in self.big_g.iter_mut().zip(&*product) {
            largest |= x.unsigned_abs();
            *to = x as i8;
        }
        product.zeroize();
        if largest > 127 {
            return Err(Error::Key);
        }
        // Modulo q the equation holds for any f that is invertible.
        let parts = [&self.f, &self.g, &self.big_f, &self.big_g].map(|poly| &poly[..n]);
        if !crate::keygen::equation_holds(parts) {
            return Err(Error::Key);
        }
        self.hash::<V>();
        Ok(())
    }

    /// Fills the hashes in.
    pub(crate) fn hash<V: Variant>(&mut self) {
        if V::BINDS_KEY {
            self.hpk = hash_of_values::<V>(self.logn, &self.h_values);
        }
        self.hsk = hash_secret::<V>(self.logn, &self.f, &self.g);
    }

    pub(crate) fn encode<V: Variant>(&self, output: &mut [u8]) -> Result<(), Error> {
        if output.len() != V::sign_key_size(self.logn) {
            return Err(Error::Length);
        }
        codec::encode_signing_key::<V>(self.logn, &self.f, &self.g, &self.big_f, &self.hpk, output);
        Ok(())
    }

    #[cfg(feature = "sign")]
    pub(crate) fn basis(&self) -> SigningBasis<'_> {
        let n = 1 << self.logn;
        SigningBasis {
            f: &self.f[..n],
            g: &self.g[..n],
            F: &self.big_f[..n],
            G: &self.big_g[..n],
        }
    }
}

impl<const N: usize> Drop for Secret<N> {
    fn drop(&mut self) {
        self.f.zeroize();
        self.g.zeroize();
        self.big_f.zeroize();
        self.big_g.zeroize();
        self.hsk.zeroize();
    }
}
