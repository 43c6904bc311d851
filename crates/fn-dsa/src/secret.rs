//! The secret polynomials of a key pair, and what is derived from them once.

use subtle::ConstantTimeEq;

use crate::codec;
use crate::errors::Error;
use crate::hash::hash_secret;
use crate::keygen::Memory;
use crate::ntt;
use crate::params::{HPK_LENGTH, HSK_LENGTH, check_degree};
use crate::rules::Rules;
use crate::sign::SigningBasis;
use crate::verifying::hash_of_values;
use crate::wiping::wipe;

/// Memory for the checks of a signing key that is decoded: 16 `N` bytes. Wiped after each
/// use.
///
/// Methods that are not given one take it from the stack.
#[repr(C, align(64))]
pub struct DecodingSpace<const N: usize>([[u32; N]; 4]);

impl<const N: usize> DecodingSpace<N> {
    /// Memory for keys of degrees up to `N`, which is 64 at least.
    #[inline(always)]
    #[must_use]
    pub fn new() -> Self {
        const { assert!(N >= 64) }
        Self([[0; N]; 4])
    }

    fn wipe(&mut self) {
        wipe(self.0.as_flattened_mut(), 0);
    }
}

impl<const N: usize> Drop for DecodingSpace<N> {
    fn drop(&mut self) {
        self.wipe();
    }
}

impl<const N: usize> Default for DecodingSpace<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> core::fmt::Debug for DecodingSpace<N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("DecodingSpace").finish_non_exhaustive()
    }
}

/// f, g, F and G with f * G - g * F = q, the public key h = g / f, and two hashes. Of arrays longer than
/// the degree the rest is zero. Wiped when dropped.
///
/// A value that moves leaves a copy behind. So one is made empty, and filled in its place; and where it must be returned
/// as a value, that happens on a stack that is then overwritten.
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
    /// None yet: zeros, of no degree.
    pub(crate) const EMPTY: Self = Self {
        logn: 0,
        f: [0; N],
        g: [0; N],
        big_f: [0; N],
        big_g: [0; N],
        h_values: [0; N],
        hpk: [0; HPK_LENGTH],
        hsk: [0; HSK_LENGTH],
    };

    /// The logarithm of the degree, unless this is none (yet, or any more).
    #[inline(always)]
    pub(crate) fn present(&self) -> Result<u32, Error> {
        if self.logn == 0 {
            Err(Error::Key)
        } else {
            Ok(self.logn)
        }
    }

    /// Becomes empty.
    pub(crate) fn wipe(&mut self) {
        self.wipe_secrets();
        wipe(&mut self.h_values, 0);
        wipe(&mut self.hpk, 0);
        self.logn = 0;
    }

    fn wipe_secrets(&mut self) {
        wipe(&mut self.f, 0);
        wipe(&mut self.g, 0);
        wipe(&mut self.big_f, 0);
        wipe(&mut self.big_g, 0);
        wipe(&mut self.hsk, 0);
    }

    /// Fills an empty one from an encoded signing key.
    pub(crate) fn decode(
        &mut self,
        rules: impl Rules,
        space: &mut DecodingSpace<N>,
        bytes: &[u8],
        min: u32,
        max: u32,
    ) -> Result<(), Error> {
        let logn = codec::header_logn(bytes, codec::header::SIGNING_KEY).ok_or(Error::Key)?;
        check_degree(logn, min, max)?;
        self.logn = logn;
        let (f, g, big_f) = (&mut self.f, &mut self.g, &mut self.big_f);
        codec::decode_signing_key(rules, logn, bytes, f, g, big_f)?;
        let completed = self.complete(rules, space);
        space.wipe();
        completed?;
        if rules.key_holds_hpk() {
            let stored = &bytes[bytes.len() - HPK_LENGTH..];
            if !bool::from(stored.ct_eq(&self.hpk)) {
                return Err(Error::Key);
            }
        }
        Ok(())
    }

    /// Derives from f, g and F what follows from them. The key is bad if f and g are longer than those of any generator
    /// (signatures would lean along them, and still be valid), if f is not invertible, if a
    /// coefficient of G is not within [-127, 127], or if f * G - g * F is not q over the integers.
    pub(crate) fn complete(
        &mut self,
        rules: impl Rules,
        space: &mut DecodingSpace<N>,
    ) -> Result<(), Error> {
        let (logn, n) = (self.logn, 1 << self.logn);
        if !crate::keygen::is_short(&self.f[..n], &self.g[..n]) {
            return Err(Error::Key);
        }
        let words = space.0.as_flattened_mut();
        let mut memory = Memory::new(words);
        let (first, second) = (memory.room(n), memory.room(n));
        let h_values = &mut self.h_values[..n];
        let rooms = (&mut *first, second);
        if !ntt::public_key(logn, &self.f[..n], &self.g[..n], h_values, rooms) {
            return Err(Error::Key);
        }
        // f * G = q + g * F, so that G = h * F modulo q.
        let product = &mut *first;
        ntt::product(logn, h_values, &self.big_f[..n], product);
        let mut largest = 0;
        for (to, &x) in self.big_g.iter_mut().zip(&*product) {
            largest |= x.unsigned_abs();
            *to = x as i8;
        }
        if largest > 127 {
            return Err(Error::Key);
        }
        // Modulo q the equation holds for any f that is invertible.
        let parts = [&self.f, &self.g, &self.big_f, &self.big_g].map(|poly| &poly[..n]);
        if !crate::keygen::equation_holds(parts, Memory::new(words)) {
            return Err(Error::Key);
        }
        self.hash(rules, Memory::new(words).room(n));
        Ok(())
    }

    /// Fills the hashes in. `room` is the memory of a [`Room`] of the degree.
    pub(crate) fn hash(&mut self, rules: impl Rules, room: &mut [i16]) {
        if rules.binds_key() {
            self.hpk = hash_of_values(rules, self.logn, &self.h_values, room);
        }
        hash_secret(rules, self.logn, &self.f, &self.g, &mut self.hsk);
    }

    /// Fills an empty one from another.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.logn = other.logn;
        self.f.copy_from_slice(&other.f);
        self.g.copy_from_slice(&other.g);
        self.big_f.copy_from_slice(&other.big_f);
        self.big_g.copy_from_slice(&other.big_g);
        self.h_values.copy_from_slice(&other.h_values);
        self.hpk.copy_from_slice(&other.hpk);
        self.hsk.copy_from_slice(&other.hsk);
    }

    pub(crate) fn encode(&self, rules: impl Rules, output: &mut [u8]) -> Result<(), Error> {
        if output.len() != rules.sign_key_size(self.present()?) {
            return Err(Error::Length);
        }
        codec::encode_signing_key(
            rules,
            self.logn,
            &self.f,
            &self.g,
            &self.big_f,
            &self.hpk,
            output,
        );
        Ok(())
    }

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
        self.wipe_secrets();
    }
}

#[cfg(all(test, feature = "keygen"))]
mod tests {
    use crate::{Error, SigningKeyWeak, sign_key_size};

    /// The rows of a basis exchanged: it has the determinant q, and f and g are as long as F and G were.
    #[test]
    fn long_bases_are_no_keys() {
        let mut refused = 0;
        for logn in 2..=7 {
            for seed in 0..20 {
                let key = SigningKeyWeak::from_seed_of_degree(logn, &[seed; 32]).unwrap();
                let mut other = SigningKeyWeak::EMPTY;
                other.secret.copy_from(&key.secret);
                let negated = |x: i8| x.wrapping_neg();
                other.secret.f = key.secret.big_f;
                other.secret.g = key.secret.big_g;
                other.secret.big_f = key.secret.f.map(negated);
                other.secret.big_g = key.secret.g.map(negated);
                let n = 1 << logn;
                if crate::keygen::is_short(&other.secret.f[..n], &other.secret.g[..n]) {
                    continue;
                }
                let mut bytes = [0; sign_key_size(7)];
                let bytes = &mut bytes[..sign_key_size(logn)];
                other.secret.encode(other.rules, bytes).unwrap();
                assert_eq!(SigningKeyWeak::from_bytes(bytes).err(), Some(Error::Key));
                refused += 1;
            }
        }
        assert!(refused > 60, "{refused}");
    }
}
