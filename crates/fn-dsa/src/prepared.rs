//! Signing with what depends on the key alone at hand, one message at a time or several side by side.

use core::fmt;

use rand_core::{TryCryptoRng, TryRng};
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::attempts::{SigningSpace, derive, digest_of};
use crate::errors::Error;
use crate::hash::{
    DIGEST_LENGTH, DomainContext, Frame, HashIdentifier, LANES, MessageHash, parts, points_each,
};
use crate::ntt;
use crate::params::{FnDsa, NONCE_LENGTH, P3, Variant, signature_size};
use crate::rules::Ruled;
use crate::sign::stored::{MAX_LANES, SpaceEach, StoredTree, lanes};
use crate::signing::{SigningKeyOf, write_padded};
use crate::vectors::avx2;
use crate::verifying::is_short;
use crate::wiping::{after_preparing, after_signing_each};

/// A signing key with its transformed basis and the tree of the sampler, which signing computes anew each time
/// otherwise: for keys that sign often. The signatures are the same.
///
/// Takes 126 `N` + at most 128 bytes: 65 kB at degree 512, 129 kB at 1024. Made empty, and filled in its place by
/// [`prepare`](Self::prepare). Wiped when dropped; `Debug` shows the verifying key alone.
///
/// ```
/// # #[cfg(feature = "keygen")] {
/// use lanner_fn_dsa::{DOMAIN_NONE, HASH_ID_RAW, PreparedSigningKey512, SigningKey512, shake::SeededRng};
///
/// let key = SigningKey512::from_seed(&[7; 32])?;
/// let mut prepared = Box::new(PreparedSigningKey512::new());
/// prepared.prepare(&key);
///
/// let rng = &mut SeededRng::new(b"use a real generator");
/// let mut signature = [0; 666];
/// prepared.sign_bytes(rng, &DOMAIN_NONE, &HASH_ID_RAW, b"message", &mut signature)?;
/// key.verifying_key().try_verify(&signature, &DOMAIN_NONE, &HASH_ID_RAW, b"message")?;
/// # }
/// # Ok::<(), lanner_fn_dsa::Error>(())
/// ```
pub struct PreparedSigningKeyOf<V: Variant, const MIN: u32, const N: usize> {
    key: SigningKeyOf<V, MIN, N>,
    tree: StoredTree<N>,
}

/// A prepared signing key of degree 512.
pub type PreparedSigningKey512 = PreparedSigningKeyOf<P3, 9, 512>;

/// A prepared signing key of degree 1024.
pub type PreparedSigningKey1024 = PreparedSigningKeyOf<P3, 10, 1024>;

impl<V: FnDsa, const MIN: u32, const N: usize> PreparedSigningKeyOf<V, MIN, N> {
    /// No key yet: whoever signs with it gets [`Error::Key`].
    #[must_use]
    #[inline(always)]
    pub const fn new() -> Self {
        const { assert!(MIN >= 2, "keys of degree 2 have no tree") }
        Self {
            key: SigningKeyOf::EMPTY,
            tree: StoredTree::EMPTY,
        }
    }

    /// Becomes the prepared form of a key. Constant time. Takes 70 `N` bytes of stack. Of a key that was wiped it becomes empty.
    pub fn prepare(&mut self, key: &SigningKeyOf<V, MIN, N>) {
        if key.secret.present().is_err() {
            self.zeroize();
            return;
        }
        self.key.secret.copy_from(&key.secret);
        let mut space = SigningSpace::<N>::new();
        after_preparing::<N, _>(|| {
            let secret = &self.key.secret;
            let scratch = space.scratch.as_flattened_mut();
            self.tree
                .grow(secret.logn, &secret.basis(), V::SAMPLER, scratch);
        });
        space.wipe();
    }

    /// The key, if there is one.
    #[must_use]
    pub fn signing_key(&self) -> Option<&SigningKeyOf<V, MIN, N>> {
        (self.tree.logn != 0).then_some(&self.key)
    }

    /// Makes a padded signature of `message`: the one that [`SigningKeyOf::sign_bytes`] makes of the same random bytes. Takes
    /// 40 of them an attempt, and 70 `N` bytes of stack. Constant time as that.
    ///
    /// # Errors
    ///
    /// [`Error::Key`] if there is no key; those of [`SigningKeyOf::sign_bytes`].
    pub fn sign_bytes<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        context: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
        message: &[u8],
        signature: &mut [u8],
    ) -> Result<(), Error> {
        let space = &mut SigningSpace::new();
        self.sign_bytes_in(space, rng, context, id, message, signature)
    }

    /// [`sign_bytes`](Self::sign_bytes) in memory that the caller provides.
    ///
    /// # Errors
    ///
    /// [`Error::Key`] if there is no key; those of [`SigningKeyOf::sign_bytes`].
    pub fn sign_bytes_in<R: TryCryptoRng + ?Sized>(
        &self,
        space: &mut SigningSpace<N>,
        rng: &mut R,
        context: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
        message: &[u8],
        signature: &mut [u8],
    ) -> Result<(), Error> {
        let key = self.signing_key().ok_or(Error::Key)?;
        let hash = |nonce: &[u8; NONCE_LENGTH], hash: &mut MessageHash| -> Result<(), Error> {
            hash.start(V::RULES, nonce, &key.secret.hpk, context, id)?;
            hash.update(message);
            Ok(())
        };
        key.sign_hashed(&self.tree, space, rng, id, signature, hash)
    }

    /// Signs many messages under one context, several side by side in vectors: as many as eight with AVX-512, four with AVX2,
    /// two with other vectors. The signatures stand one behind the other in `signatures`, each of [`signature_size`]
    /// bytes: those that [`sign_bytes`](Self::sign_bytes) makes, message after message, of the same random bytes. Constant
    /// time as that.
    ///
    /// # Errors
    ///
    /// [`Error::Key`] if there is no key; [`Error::Length`] if `signatures` does not have the length of all of them; those of
    /// [`SigningKeyOf::sign_bytes`]. `signatures` is not meaningful then.
    ///
    /// ```
    /// # #[cfg(feature = "keygen")] {
    /// use lanner_fn_dsa::{
    ///     DOMAIN_NONE, HASH_ID_RAW, PreparedSigningKey512, SigningKey512, SigningSpaceEach, shake::SeededRng,
    /// };
    ///
    /// let key = SigningKey512::from_seed(&[7; 32])?;
    /// let mut prepared = Box::new(PreparedSigningKey512::new());
    /// prepared.prepare(&key);
    /// let mut space = Box::new(SigningSpaceEach::new());
    ///
    /// let rng = &mut SeededRng::new(b"use a real generator");
    /// let messages: [&[u8]; 3] = [b"one", b"two", b"three"];
    /// let mut signatures = [0; 3 * 666];
    /// prepared.sign_each(&mut space, rng, &DOMAIN_NONE, &HASH_ID_RAW, &messages, &mut signatures)?;
    ///
    /// let key = key.verifying_key();
    /// for (message, signature) in messages.iter().zip(signatures.chunks_exact(666)) {
    ///     key.try_verify(signature, &DOMAIN_NONE, &HASH_ID_RAW, message)?;
    /// }
    /// # }
    /// # Ok::<(), lanner_fn_dsa::Error>(())
    /// ```
    pub fn sign_each<R: TryCryptoRng + ?Sized>(
        &self,
        space: &mut SigningSpaceEach<N>,
        rng: &mut R,
        context: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
        messages: &[&[u8]],
        signatures: &mut [u8],
    ) -> Result<(), Error> {
        let size = signature_size(self.signing_key().ok_or(Error::Key)?.logn());
        if Some(signatures.len()) != messages.len().checked_mul(size) {
            return Err(Error::Length);
        }
        let lanes = lanes();
        for (messages, signatures) in messages
            .chunks(lanes)
            .zip(signatures.chunks_mut(lanes * size))
        {
            // Vectors that are less than half full take longer. Where the sampler's bytes have a prescribed order,
            // there is no other way.
            if V::HASHES_MU || 2 * messages.len() < lanes || lanes == 1 {
                for (message, signature) in messages.iter().zip(signatures.chunks_exact_mut(size)) {
                    self.sign_bytes(rng, context, id, message, signature)?;
                }
            } else {
                self.sign_group(&mut space.0, rng, context, id, messages, signatures)?;
            }
        }
        Ok(())
    }

    /// Signs as many messages as there are lanes at most.
    fn sign_group<R: TryCryptoRng + ?Sized>(
        &self,
        space: &mut SpaceEach<N>,
        rng: &mut R,
        context: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
        messages: &[&[u8]],
        signatures: &mut [u8],
    ) -> Result<(), Error> {
        let logn = self.tree.logn;
        let size = signature_size(logn);
        let mut nonces = [[0; NONCE_LENGTH]; MAX_LANES];
        let nonces = &mut nonces[..messages.len()];
        for nonce in &mut *nonces {
            rng.try_fill_bytes(nonce).map_err(|_| Error::Random)?;
        }
        let wiped = Wiped(space);
        let space = &mut *wiped.0;
        // How many are signatures at once.
        let done = after_signing_each::<N, _>(|| {
            let served = self.sample_group(space, context, id, messages, nonces)?;
            let signatures = signatures.chunks_exact_mut(size);
            for (lane, signature) in signatures.enumerate().take(served) {
                let (s1, s2) = (&space.s1[lane][..1 << logn], &space.s2[lane][..1 << logn]);
                if !is_short(V::RULES, logn, ntt::norms(s1, s2))
                    || write_padded(V::RULES, logn, &nonces[lane], s2, signature).is_none()
                {
                    return Ok(lane);
                }
            }
            Ok::<_, Error>(served)
        })?;
        // One that needs another attempt takes the random bytes behind its own, and so do all that follow.
        let drawn = &mut Queue {
            first: nonces[done..].iter(),
            rng,
        };
        for (message, signature) in messages
            .iter()
            .zip(signatures.chunks_exact_mut(size))
            .skip(done)
        {
            self.sign_bytes(drawn, context, id, message, signature)?;
        }
        Ok(())
    }

    /// The targets of messages, and a vector for each; for how many of them. That is fewer where another thread has changed the
    /// backend meanwhile to one with other lanes.
    fn sample_group(
        &self,
        space: &mut SpaceEach<N>,
        context: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
        messages: &[&[u8]],
        nonces: &[[u8; NONCE_LENGTH]],
    ) -> Result<usize, Error> {
        let secret = &self.key.secret;
        let n = 1 << secret.logn;
        // Lanes without a message do what the first one does.
        let of = |lane: usize| if lane < messages.len() { lane } else { 0 };
        let ready = if avx2().is_some() {
            let frame = Frame::new(V::RULES, context, id)?;
            let inputs = core::array::from_fn(|lane| {
                parts(&nonces[of(lane)], &secret.hpk, &frame, messages[of(lane)])
            });
            let mut digests = [[0; DIGEST_LENGTH]; LANES];
            let points = space.c.each_mut().map(|c| &mut c[..n]);
            points_each::<6>(V::RULES, inputs, points, Some(&mut digests));
            for (digest, source) in digests.iter().zip(&mut space.sources) {
                derive(&secret.hsk, digest, 1, source);
            }
            LANES
        } else {
            let lanes = lanes();
            for lane in 0..lanes {
                let nonce = &nonces[of(lane)];
                let mut hash = MessageHash::new(V::RULES, nonce, &secret.hpk, context, id)?;
                hash.update(messages[of(lane)]);
                hash.point(V::RULES, nonce, &mut space.c[lane][..n])?;
                let digest = digest_of(hash.digest());
                derive(&secret.hsk, &digest, 1, &mut space.sources[lane]);
            }
            lanes
        };
        let served = self.tree.sample_each(space).map_err(|_| Error::Attempts)?;
        Ok(served.min(ready).min(messages.len()))
    }
}

impl<V: FnDsa, const MIN: u32, const N: usize> Default for PreparedSigningKeyOf<V, MIN, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<V: Variant, const MIN: u32, const N: usize> fmt::Debug for PreparedSigningKeyOf<V, MIN, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedSigningKey")
            .field("verifying_key", &self.key.verifying_key())
            .finish_non_exhaustive()
    }
}

impl<V: Variant, const MIN: u32, const N: usize> Zeroize for PreparedSigningKeyOf<V, MIN, N> {
    /// Becomes empty.
    fn zeroize(&mut self) {
        self.key.zeroize();
        self.tree.wipe();
    }
}

impl<V: Variant, const MIN: u32, const N: usize> ZeroizeOnDrop for PreparedSigningKeyOf<V, MIN, N> {}

/// Memory for [`PreparedSigningKeyOf::sign_each`]: 304 `N` bytes and 13 kB. Wiped after each use.
pub struct SigningSpaceEach<const N: usize>(SpaceEach<N>);

impl<const N: usize> SigningSpaceEach<N> {
    /// Memory for keys of degrees up to `N`.
    #[inline(always)]
    #[must_use]
    pub fn new() -> Self {
        Self(SpaceEach::new())
    }
}

impl<const N: usize> Default for SigningSpaceEach<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> fmt::Debug for SigningSpaceEach<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningSpaceEach").finish_non_exhaustive()
    }
}

/// Memory that is wiped when this is dropped.
struct Wiped<'s, const N: usize>(&'s mut SpaceEach<N>);

impl<const N: usize> Drop for Wiped<'_, N> {
    fn drop(&mut self) {
        self.0.wipe();
    }
}

/// Random bytes that were drawn before, and then those of the generator.
struct Queue<'a, R: ?Sized> {
    first: core::slice::Iter<'a, [u8; NONCE_LENGTH]>,
    rng: &'a mut R,
}

impl<R: TryCryptoRng + ?Sized> TryRng for Queue<'_, R> {
    type Error = R::Error;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        self.rng.try_next_u32()
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        self.rng.try_next_u64()
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        match self.first.next() {
            // Signing asks for whole nonces alone.
            Some(nonce) if bytes.len() == nonce.len() => {
                bytes.copy_from_slice(nonce);
                Ok(())
            }
            _ => self.rng.try_fill_bytes(bytes),
        }
    }
}

impl<R: TryCryptoRng + ?Sized> TryCryptoRng for Queue<'_, R> {}
