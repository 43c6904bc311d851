//! From a target to a signature: attempts, and where their randomness comes from.
//!
//! A vector that is too long, or does not fit its encoding, is thrown away, and signing starts again.
//! What a new attempt takes from the random generator is what the incumbents do differently; each way
//! is a type here.

use lanner_simd::rounding::Nearest;
use rand_core::TryCryptoRng;
use subtle::{ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroizing;

use crate::codec;
use crate::errors::Error;
use crate::fpr::{Fpr, Real};
use crate::hash::{DIGEST_LENGTH, MU_LENGTH};
use crate::ntt;
use crate::params::{HSK_LENGTH, N_MAX, NONCE_LENGTH};
use crate::rules::Rules;
use crate::sampler::source::{ReferenceChaCha20, Reseed};
use crate::sampler::wide::FastSource;
use crate::sampler::{NoSample, Ordered, SamplerRng, SamplerTables};
use crate::secret::Secret;
use crate::shake::{RATE_256, ShakeStream, Sponge, shake256_to};
use crate::sign::{self, stored::StoredTree};
use crate::verifying::is_short;
use crate::wiping::{after_signing, after_signing_prepared, after_signing_shake, wipe};

/// Memory for signing: 70 `N` bytes and a little. Wiped after each signature, whether it was made or not.
///
/// Methods that are not given one take it from the stack. With one, signing takes less than 14 kB of stack, where it
/// does not check what it made.
#[repr(C, align(32))]
pub struct SigningSpace<const N: usize> {
    pub(crate) scratch: [[Fpr; N]; 8],
    c: [u16; N],
    s1: [i16; N],
    s2: [i16; N],
}

impl<const N: usize> SigningSpace<N> {
    /// A constant, or builds for size make it on the stack twice.
    const ZERO: Self = Self {
        scratch: [[<Fpr as Real>::ZERO; N]; 8],
        c: [0; N],
        s1: [0; N],
        s2: [0; N],
    };

    /// Memory for keys of degrees up to `N`.
    #[inline(always)]
    #[must_use]
    pub fn new() -> Self {
        Self::ZERO
    }

    pub(crate) fn wipe(&mut self) {
        wipe(self.scratch.as_flattened_mut(), <Fpr as Real>::ZERO);
        wipe(&mut self.c, 0);
        wipe(&mut self.s1, 0);
        wipe(&mut self.s2, 0);
    }
}

/// Memory that is wiped when this is dropped: however signing ends.
struct Wiped<'s, const N: usize>(&'s mut SigningSpace<N>);

impl<const N: usize> Drop for Wiped<'_, N> {
    fn drop(&mut self) {
        self.0.wipe();
    }
}

impl<const N: usize> Default for SigningSpace<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> core::fmt::Debug for SigningSpace<N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SigningSpace").finish_non_exhaustive()
    }
}

/// The nonces of the attempts, and the randomness of their samplers.
pub(crate) trait Attempts {
    type Source: SamplerRng;

    /// Whether a vector is refused that has no padded form, whatever the encoding: then how often a target is tried,
    /// and so which vector it gets, does not depend on the encoding.
    const PADDED_FORM: bool = false;

    /// The nonce of the next attempt, if it is a new one.
    fn nonce(&mut self) -> Result<Option<[u8; NONCE_LENGTH]>, Error>;

    /// The sampler's randomness in the same attempt: it stays in its place here, because it is secret. `digest`
    /// is the stream that gave the target, just behind it: a digest of the nonce and of everything that is
    /// signed.
    fn source(&mut self, digest: &Sponge<RATE_256>) -> Result<&mut Self::Source, Error>;
}

fn fill<R: TryCryptoRng + ?Sized>(rng: &mut R, bytes: &mut [u8]) -> Result<(), Error> {
    rng.try_fill_bytes(bytes).map_err(|_| Error::Random)
}

/// How the main variant draws by default: a nonce from the generator, and nothing else.
///
/// The sampler's seed is a hash of the secret key, the nonce, the message, and how many attempts at that target
/// there were. So a target always gets the same vector, even if the generator repeats itself: two short vectors
/// for one target would give the key away (Gentry, Peikert, Vaikuntanathan, STOC 2008, section 5.1, for the same
/// remedy). In Falcon's encodings as well: the seed knows nothing of them.
pub(crate) struct Derived<'a, R: ?Sized> {
    rng: &'a mut R,
    hsk: &'a [u8; HSK_LENGTH],
    keep_nonce: bool,
    first: bool,
    /// Of the target of the last attempt.
    digest: [u8; DIGEST_LENGTH],
    /// Which attempt at this target that was. A count of all attempts would depend on the nonces before.
    attempt: u32,
    source: &'a mut FastSource,
}

impl<'a, R: TryCryptoRng + ?Sized> Derived<'a, R> {
    /// With a source that waits for its seed: it is large, and made in its place.
    pub(crate) fn new(
        rng: &'a mut R,
        hsk: &'a [u8; HSK_LENGTH],
        keep_nonce: bool,
        source: &'a mut FastSource,
    ) -> Self {
        Self {
            rng,
            hsk,
            keep_nonce,
            first: true,
            digest: [0; DIGEST_LENGTH],
            attempt: 0,
            source,
        }
    }
}

impl<R: TryCryptoRng + ?Sized> Attempts for Derived<'_, R> {
    type Source = FastSource;

    const PADDED_FORM: bool = true;

    fn nonce(&mut self) -> Result<Option<[u8; NONCE_LENGTH]>, Error> {
        if self.keep_nonce && !core::mem::replace(&mut self.first, false) {
            return Ok(None);
        }
        let mut nonce = [0; NONCE_LENGTH];
        fill(self.rng, &mut nonce)?;
        Ok(Some(nonce))
    }

    fn source(&mut self, digest: &Sponge<RATE_256>) -> Result<&mut FastSource, Error> {
        let digest = digest_of(digest);
        // Without a branch, because the generator's bytes are in it.
        let again = digest.ct_eq(&self.digest);
        self.attempt = 1 + u32::conditional_select(&0, &self.attempt, again);
        self.digest = digest;
        derive(self.hsk, &self.digest, self.attempt, self.source);
        Ok(self.source)
    }
}

/// The digest that a stream goes on with behind a target.
pub(crate) fn digest_of(stream: &Sponge<RATE_256>) -> [u8; DIGEST_LENGTH] {
    let mut digest = [0; DIGEST_LENGTH];
    stream.clone().squeeze(&mut digest);
    digest
}

/// Restarts a source for an attempt, counted from 1, at the target with this digest.
pub(crate) fn derive(
    hsk: &[u8; HSK_LENGTH],
    digest: &[u8; DIGEST_LENGTH],
    attempt: u32,
    source: &mut FastSource,
) {
    let mut seed = Zeroizing::new([0; 32]);
    let label = b"lanner-fn-dsa sampler";
    shake256_to(&[label, hsk, digest, &attempt.to_le_bytes()], &mut *seed);
    source.restart(&seed);
}

/// How the crates fn-dsa 0.2 and 0.3 draw: a nonce, then 56 bytes, of which `S` makes the stream. That is SHAKE256
/// in 0.3, and four of them in 0.2 (`shake256x4`).
pub(crate) struct Compat<'a, R: ?Sized, S> {
    rng: &'a mut R,
    keep_nonce: bool,
    first: bool,
    source: &'a mut Ordered<S>,
}

impl<'a, R: TryCryptoRng + ?Sized, S: Reseed> Compat<'a, R, S> {
    pub(crate) fn new(rng: &'a mut R, keep_nonce: bool, source: &'a mut Ordered<S>) -> Self {
        Self {
            rng,
            keep_nonce,
            first: true,
            source,
        }
    }
}

impl<R: TryCryptoRng + ?Sized, S: Reseed> Attempts for Compat<'_, R, S> {
    type Source = Ordered<S>;

    fn nonce(&mut self) -> Result<Option<[u8; NONCE_LENGTH]>, Error> {
        if self.keep_nonce && !core::mem::replace(&mut self.first, false) {
            return Ok(None);
        }
        let mut nonce = [0; NONCE_LENGTH];
        fill(self.rng, &mut nonce)?;
        Ok(Some(nonce))
    }

    fn source(&mut self, _: &Sponge<RATE_256>) -> Result<&mut Self::Source, Error> {
        let mut seed = Zeroizing::new([0; 56]);
        fill(self.rng, &mut *seed)?;
        self.source.restart().reseed(&seed);
        Ok(self.source)
    }
}

/// How the reference of round 3 draws: one nonce, and ChaCha20 from 56 bytes for each attempt.
pub(crate) struct Reference<F> {
    nonce: Option<[u8; NONCE_LENGTH]>,
    seeds: F,
    source: Ordered<ReferenceChaCha20>,
}

impl<F: FnMut(&mut [u8]) -> Result<(), Error>> Reference<F> {
    /// `seeds` fills in the 56 bytes.
    pub(crate) fn new(nonce: [u8; NONCE_LENGTH], seeds: F) -> Self {
        Self {
            nonce: Some(nonce),
            seeds,
            source: Ordered::new(ReferenceChaCha20::empty()),
        }
    }
}

impl<F: FnMut(&mut [u8]) -> Result<(), Error>> Attempts for Reference<F> {
    type Source = Ordered<ReferenceChaCha20>;

    fn nonce(&mut self) -> Result<Option<[u8; NONCE_LENGTH]>, Error> {
        Ok(self.nonce.take())
    }

    fn source(&mut self, _: &Sponge<RATE_256>) -> Result<&mut Self::Source, Error> {
        let mut seed = Zeroizing::new([0; 56]);
        (self.seeds)(&mut *seed)?;
        self.source.restart().restart(&seed);
        Ok(&mut self.source)
    }
}

/// How the crate fn-dsa 0.4.0 draws: 40 bytes, hashed with the secret key and with mu; with a counter,
/// that is the seed of a stream which begins with the nonce and goes on as the sampler's.
pub(crate) struct Hedged {
    seed: Zeroizing<[u8; 40]>,
    /// A byte of the hash. A whole word here, so that there is no padding behind it: that is never wiped, and holds what
    /// was on the stack before the value.
    counter: u64,
    source: Ordered<ShakeStream>,
}

impl Hedged {
    /// One that waits for its seed.
    pub(crate) fn empty() -> Self {
        Self {
            seed: Zeroizing::new([0; 40]),
            counter: 0,
            source: Ordered::new(ShakeStream::empty()),
        }
    }

    /// Draws the seed.
    pub(crate) fn start<R: TryCryptoRng + ?Sized>(
        &mut self,
        rng: &mut R,
        hsk: &[u8; HSK_LENGTH],
        mu: &[u8; MU_LENGTH],
    ) -> Result<(), Error> {
        let mut drawn = Zeroizing::new([0; 40]);
        fill(rng, &mut *drawn)?;
        shake256_to(&[hsk, mu, &*drawn], &mut *self.seed);
        Ok(())
    }
}

impl Attempts for Hedged {
    type Source = Ordered<ShakeStream>;

    fn nonce(&mut self) -> Result<Option<[u8; NONCE_LENGTH]>, Error> {
        let stream = self.source.restart();
        stream.restart(&[&*self.seed, &[self.counter as u8]]);
        self.counter += 1;
        let mut nonce = [0; NONCE_LENGTH];
        stream.fill(&mut nonce);
        Ok(Some(nonce))
    }

    fn source(&mut self, _: &Sponge<RATE_256>) -> Result<&mut Self::Source, Error> {
        // `nonce` came first.
        Ok(&mut self.source)
    }
}

/// What draws short vectors: a key, or what is prepared of one.
pub(crate) trait Core {
    /// The logarithm of the degree.
    fn logn(&self) -> u32;

    /// As [`sign::sample`], with the table of the variant of the key.
    fn sample<S: SamplerRng>(
        &self,
        c: &[u16],
        tables: SamplerTables,
        source: &mut S,
        outputs: (&mut [i16], &mut [i16]),
        scratch: &mut [Fpr],
    ) -> Result<(), NoSample>;

    /// Signs with this, and overwrites the stack that it used; `SHAKE` if the sampler's source is SHAKE256.
    fn cleared<const SHAKE: bool, R>(operation: impl FnOnce() -> R) -> R;
}

impl<const N: usize> Core for Secret<N> {
    #[inline(always)]
    fn logn(&self) -> u32 {
        self.logn
    }

    #[inline(always)]
    fn cleared<const SHAKE: bool, R>(operation: impl FnOnce() -> R) -> R {
        if SHAKE {
            after_signing_shake::<N, R>(operation)
        } else {
            after_signing::<N, R>(operation)
        }
    }

    #[inline(always)]
    fn sample<S: SamplerRng>(
        &self,
        c: &[u16],
        tables: SamplerTables,
        source: &mut S,
        outputs: (&mut [i16], &mut [i16]),
        scratch: &mut [Fpr],
    ) -> Result<(), NoSample> {
        sign::sample(
            self.logn,
            &self.basis(),
            c,
            tables,
            source,
            outputs,
            scratch,
        )
    }
}

impl<const N: usize> Core for StoredTree<N> {
    #[inline(always)]
    fn logn(&self) -> u32 {
        self.logn
    }

    #[inline(always)]
    fn cleared<const SHAKE: bool, R>(operation: impl FnOnce() -> R) -> R {
        after_signing_prepared::<N, R>(operation)
    }

    #[inline(always)]
    fn sample<S: SamplerRng>(
        &self,
        c: &[u16],
        _: SamplerTables,
        source: &mut S,
        outputs: (&mut [i16], &mut [i16]),
        scratch: &mut [Fpr],
    ) -> Result<(), NoSample> {
        StoredTree::sample(self, c, source, outputs, scratch)
    }
}

/// How many attempts a signature gets: with a key from a key generator, all fail with a probability
/// below 2^-256. (fn-dsa 0.4.0 prescribes this number; at the degrees in use an attempt fails once in
/// 820 times at most. At toy degrees the other variants fail more often.)
pub(crate) fn limit(rules: impl Rules, logn: u32) -> u32 {
    if rules.hashes_mu() || logn >= 9 {
        27
    } else {
        1000
    }
}

/// A function of its own: no operation with doubles moves out of it.
#[inline(never)]
fn apart<R>(operation: impl FnOnce() -> R) -> R {
    operation()
}

/// Makes attempts until one gives a signature (Falcon specification, algorithm 10).
///
/// `hash` writes the target of a nonce, and leaves the stream that gave it; `encode` writes the signature and gives its length, or refuses
/// a vector that does not fit.
pub(crate) fn sign<A: Attempts, const N: usize, E: From<Error>>(
    rules: impl Rules,
    core: &impl Core,
    space: &mut SigningSpace<N>,
    attempts: &mut A,
    mut hash: impl FnMut(&[u8; NONCE_LENGTH], &mut [u16], &mut Sponge<RATE_256>) -> Result<(), E>,
    mut encode: impl FnMut(&[u8; NONCE_LENGTH], &[i16]) -> Option<usize>,
) -> Result<usize, E> {
    const { assert!(N <= N_MAX) }
    let logn = core.logn();
    let n = 1 << logn;
    // s1 and s2 of a signature are public; those of a rejected attempt are not, nor is what led to either.
    let wiped = Wiped(space);
    let space = &mut *wiped.0;
    let (c, s1, s2) = (&mut space.c[..n], &mut space.s1[..n], &mut space.s2[..n]);
    let mut nonce = [0; NONCE_LENGTH];
    let mut digest = Sponge::new();
    let mut result = Err(E::from(Error::Attempts));
    for _ in 0..limit(rules, logn) {
        // Line 1: the nonce r, where an attempt takes a new one.
        if let Some(new) = attempts.nonce()? {
            nonce = new;
            // Line 2: c = HashToPoint(r || m).
            hash(&nonce, c, &mut digest)?;
        }
        let source = attempts.source(&digest)?;
        // Lines 3 to 7 and 9: (s1, s2).
        let scratch = space.scratch.as_flattened_mut();
        // The generator and what feeds the hash are the caller's, and may have set another direction of rounding.
        let nearest = Nearest::set();
        let sampled =
            apart(|| core.sample(c, rules.sampler(), source, (&mut *s1, &mut *s2), scratch));
        drop(nearest);
        if sampled.is_err() {
            // The basis is not that of a key.
            break;
        }
        // Line 8: its norm.
        if !is_short(rules, logn, ntt::norms(s1, s2)) {
            continue;
        }
        if A::PADDED_FORM && !codec::has_padded_form(rules, logn, s2) {
            continue;
        }
        // Lines 10 to 12: s2 compressed, if it fits.
        if let Some(length) = encode(&nonce, s2) {
            result = Ok(length);
            break;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::{Attempts, Compat, Derived};
    use crate::sampler::Ordered;
    use crate::sampler::wide::FastSource;
    use crate::shake::SeededRng;
    use crate::shake::ShakeStream;

    /// Falcon's nonce is that of all attempts; FN-DSA takes a new one for each.
    #[test]
    fn nonces_are_kept_where_they_are_to_be() {
        fn drawn(mut attempts: impl Attempts) -> [bool; 3] {
            [(); 3].map(|()| attempts.nonce().expect("bytes").is_some())
        }
        for (keeps, expected) in [(true, [true, false, false]), (false, [true; 3])] {
            let rng = &mut SeededRng::new(b"nonces");
            let mut stream = Ordered::new(ShakeStream::empty());
            assert_eq!(drawn(Compat::new(rng, keeps, &mut stream)), expected);
            let mut fast = FastSource::empty();
            assert_eq!(
                drawn(Derived::new(rng, &[5; 40], keeps, &mut fast)),
                expected
            );
        }
    }
}
