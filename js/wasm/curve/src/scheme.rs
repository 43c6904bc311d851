//! Ed25519 (RFC 8032) in steps, between which the caller hands the message over piece by piece.

use crate::edwards::{self, Point, same, vartime_is_zero};
use crate::field::{Field, ZERO};
use crate::rule;
#[cfg(feature = "sign")]
use crate::scalar::{halves, multiply_add};
use crate::scalar::{is_reduced, reduce_wide};

/// How many bytes of input fit in at once.
pub const ROOM: usize = 16384;

/// How many the whole state has.
pub const STATE: usize = ROOM + 1024;

/// What a module computes with: its tables, and how it hashes, reduces and multiplies.
pub trait Engine {
    /// A hash under way. All zeros is a value.
    type Hash;
    /// Where points are computed.
    type Work: Field;

    const EMPTY: Self;
    const NO_HASH: Self::Hash;

    /// Computes the tables that everything needs.
    fn prepare(&mut self);

    fn start(&self, hash: &mut Self::Hash);
    fn update(&self, hash: &mut Self::Hash, data: &[u8]);
    fn finish(&self, hash: &mut Self::Hash) -> [u8; 64];

    /// The encodings of one or two (`count`) secret multiples of the base point.
    #[cfg(feature = "sign")]
    fn multiples(&mut self, scalars: [&[u8; 32]; 2], count: usize) -> [[u8; 32]; 2];

    fn work() -> Self::Work;

    /// The points of two encodings, canonical or not (y up to 2^255 - 1, a sign bit where x = 0); not
    /// in constant time.
    fn vartime_decode(
        work: &mut Self::Work,
        points: &mut [Point; 2],
        encodings: [&[u8; 32]; 2],
    ) -> bool;

    fn double(work: &mut Self::Work, p: &mut Point);

    /// \[s]B - \[k]A - R, or a multiple of it by a number that is prime to 8L; k is below L, s below 2^253.
    /// A and R are overwritten. Not in constant time.
    fn vartime_defect(
        &mut self,
        work: &mut Self::Work,
        s: &[u8; 32],
        k: &[u8; 32],
        a_and_r: &mut [Point; 2],
    ) -> Point;
}

/// Whether 8p is the identity, that is whether 2p is one of the four points with xy = 0; p is
/// overwritten. Not in constant time.
#[inline(always)]
pub fn vartime_is_small_order<E: Engine>(work: &mut E::Work, p: &mut Point) -> bool {
    E::double(work, p);
    vartime_is_zero::<E::Work>(p, 3)
}

/// Not in constant time.
#[inline(always)]
#[must_use]
pub fn vartime_is_identity<F: Field>(p: &Point) -> bool {
    vartime_is_zero::<F>(p, 0) && same(&F::to_bytes(p, 1), &F::to_bytes(p, 2))
}

/// The points of a public key and of R, where they and S are what the rules admit, whatever the equation says; not in
/// constant time.
#[inline]
pub fn vartime_admit<E: Engine>(
    work: &mut E::Work,
    points: &mut [Point; 2],
    encodings: [&[u8; 32]; 2],
    s: &[u8; 32],
    rules: u32,
) -> bool {
    let is = |bit| rules & bit != 0;
    if s[31] >> 5 != 0 || !is(rule::LOOSE_SCALAR) && !is_reduced(s) {
        return false;
    }
    if !E::vartime_decode(work, points, encodings) {
        return false;
    }
    for (i, bytes) in encodings.into_iter().enumerate() {
        if (if i == 0 {
            is(rule::CANONICAL_KEY)
        } else {
            !is(rule::COFACTORED) || is(rule::CANONICAL_R)
        }) && !same(&edwards::encode_affine::<E::Work>(&points[i]), bytes)
            || is(rule::LARGE_ORDER) && vartime_is_small_order::<E>(work, &mut { points[i] })
        {
            return false;
        }
    }
    true
}

/// Everything that lives from one call to the next; the other side keeps it, puts it back, and overwrites
/// it with zeros.
#[repr(C, align(1024))]
pub struct State<E: Engine> {
    /// Input and output.
    pub io: [u8; ROOM],
    hash: E::Hash,
    /// The secret scalar, clamped; after [`State::commit`] the nonce is beside it.
    #[cfg(feature = "sign")]
    secret: [u8; 32],
    #[cfg(feature = "sign")]
    prefix: [u8; 32],
    #[cfg(feature = "sign")]
    nonce: [u8; 32],
    public: [u8; 32],
    /// The halves of a signature.
    r: [u8; 32],
    s: [u8; 32],
    rules: u32,
}

impl<E: Engine> State<E> {
    pub const EMPTY: Self = {
        assert!(size_of::<Self>() == STATE);
        Self {
            io: [0; ROOM],
            hash: E::NO_HASH,
            #[cfg(feature = "sign")]
            secret: [0; 32],
            #[cfg(feature = "sign")]
            prefix: [0; 32],
            #[cfg(feature = "sign")]
            nonce: [0; 32],
            public: [0; 32],
            r: [0; 32],
            s: [0; 32],
            rules: 0,
        }
    };

    /// 32 bytes of the input.
    #[inline(always)]
    pub fn input(&self, at: usize) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(&self.io[at..at + 32]);
        bytes
    }

    /// Starts a hash.
    #[cfg(feature = "sign")]
    #[inline(always)]
    pub fn hash_start(&mut self, engine: &E) {
        engine.start(&mut self.hash);
    }

    /// Hashes the first bytes of the input.
    #[inline(always)]
    pub fn update(&mut self, engine: &E, length: usize) {
        engine.update(&mut self.hash, &self.io[..length.min(ROOM)]);
    }

    /// The hash's 64 bytes to the output.
    #[cfg(feature = "sign")]
    #[inline(always)]
    pub fn hash_finish(&mut self, engine: &E) {
        self.io[..64].copy_from_slice(&engine.finish(&mut self.hash));
    }

    /// Reads a seed and a public key that belongs to it (the caller knows that it does). RFC 8032, section
    /// 5.1.5, steps 1 and 2.
    #[cfg(feature = "sign")]
    #[inline(always)]
    pub fn expand(&mut self, engine: &E) {
        engine.start(&mut self.hash);
        self.update(engine, 32);
        [self.secret, self.prefix] = halves(&engine.finish(&mut self.hash));
        self.secret[0] &= 248;
        self.secret[31] = self.secret[31] & 63 | 64;
        self.public = self.input(32);
    }

    /// After [`State::expand`]: puts the public key in its place. Steps 3 and 4.
    #[cfg(feature = "sign")]
    #[inline(always)]
    pub fn derive(&mut self, engine: &mut E) {
        [self.public, _] = engine.multiples([&self.secret; 2], 1);
        self.io[32..64].copy_from_slice(&self.public);
    }

    /// Starts a signature; the first bytes of the input are hashed before all else (the prefix
    /// of Ed25519ctx and Ed25519ph). The message follows.
    #[cfg(feature = "sign")]
    #[inline(always)]
    pub fn sign_start(&mut self, engine: &E, length: usize) {
        engine.start(&mut self.hash);
        self.update(engine, length);
        engine.update(&mut self.hash, &self.prefix);
    }

    /// The message has been; computes R, and puts it to the output. Input as for
    /// [`State::sign_start`], the message again. Whether the public key is the secret's, if that
    /// is to be checked. RFC 8032, section 5.1.6, steps 2 and 3.
    #[cfg(feature = "sign")]
    #[inline(always)]
    pub fn commit(&mut self, engine: &mut E, length: usize, check: bool) -> bool {
        self.nonce = reduce_wide(&engine.finish(&mut self.hash));
        let multiples = engine.multiples([&self.nonce, &self.secret], 1 + usize::from(check));
        self.r = multiples[0];
        self.challenge(engine, 0, length);
        self.io[..32].copy_from_slice(&self.r);
        !check || same(&multiples[1], &self.public)
    }

    /// The message has been again; the signature to the output. Steps 4 to 6.
    #[cfg(feature = "sign")]
    #[inline(always)]
    pub fn respond(&mut self, engine: &E) {
        let k = reduce_wide(&engine.finish(&mut self.hash));
        let s = multiply_add(&k, &self.secret, &self.nonce);
        self.io[..32].copy_from_slice(&self.r);
        self.io[32..64].copy_from_slice(&s);
    }

    /// Starts the hash of what the input has from `at` on, of R and of the public key.
    #[inline(never)]
    fn challenge(&mut self, engine: &E, at: usize, length: usize) {
        engine.start(&mut self.hash);
        let prefix = self.io.get(at..at.wrapping_add(length));
        engine.update(&mut self.hash, prefix.unwrap_or(&[]));
        engine.update(&mut self.hash, &self.r);
        engine.update(&mut self.hash, &self.public);
    }

    /// Takes the bits of a profile; reads a signature and a public key, 96 bytes, and what
    /// [`State::sign_start`] reads, after them. The message follows.
    #[inline(always)]
    pub fn verify_start(&mut self, engine: &E, length: usize, rules: u32) {
        self.rules = rules;
        self.r = self.input(0);
        self.s = self.input(32);
        self.public = self.input(64);
        self.challenge(engine, 96, length);
    }

    /// Whether the signature is valid. RFC 8032, section 5.1.7, under the rules.
    ///
    /// The input has what SHA-512 makes of R, the public key and the message, all of which is public: from
    /// [`State::hash_finish`], or from elsewhere, and then the message may still come. A module without signing, which
    /// has no such call, finishes the hash here. (A signature's own challenge never comes from elsewhere: under
    /// another one of the same nonce it would tell the secret.)
    #[inline(always)]
    pub fn verify_finish(&mut self, engine: &mut E) -> bool {
        #[cfg(feature = "sign")]
        let k = reduce_wide(self.io.first_chunk().unwrap_or(&[0; 64]));
        #[cfg(not(feature = "sign"))]
        let k = reduce_wide(&engine.finish(&mut self.hash));
        let (r, s) = (&self.r, &self.s);
        let rules = self.rules;
        let mut work = E::work();
        let mut points = [ZERO; 2];
        if !vartime_admit::<E>(&mut work, &mut points, [&self.public, r], s, rules) {
            return false;
        }
        let mut defect = engine.vartime_defect(&mut work, s, &k, &mut points);
        if rules & rule::COFACTORED != 0 {
            vartime_is_small_order::<E>(&mut work, &mut defect)
        } else {
            vartime_is_identity::<E::Work>(&defect)
        }
    }
}
