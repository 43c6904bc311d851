//! Ed25519 (RFC 8032) in steps, between which the caller hands the message over piece by piece.

use crate::field::ZERO;
use crate::limbs::same;
#[cfg(feature = "sign")]
use crate::point::Combs;
use crate::point::{self, Summand, Work};
use crate::rule;
use crate::scalar;
use crate::sha512::{Constants, Sha512};

/// How many octets of input fit in at once.
pub(crate) const ROOM: usize = 16384;

/// Everything that lives from one call to the next; wiped as a whole, and so the alignment makes
/// its size a round number that the other side knows.
#[repr(C, align(1024))]
pub(crate) struct State {
    /// Input and output.
    pub(crate) io: [u8; ROOM],
    /// A hash under way.
    hash: Sha512,
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

const ONE: [u8; 32] = {
    let mut one = [0; 32];
    one[0] = 1;
    one
};

/// 64 octets modulo L: the halves apart, the upper one times 2^256.
#[inline(never)]
fn reduce_wide(digest: &[u8; 64]) -> [u8; 32] {
    /// 2^256 modulo L.
    const SHIFT: [u8; 32] = [
        0x1d, 0x95, 0x98, 0x8d, 0x74, 0x31, 0xec, 0xd6, 0x70, 0xcf, 0x7d, 0x73, 0xf4, 0x5b, 0xef,
        0xc6, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xff, 0x0f,
    ];
    let [low, high] = halves(digest);
    scalar::multiply_add(&high, &SHIFT, &low)
}

/// What never changes.
pub(crate) struct Fixed {
    hash: Constants,
    /// Of the base point, for secret scalars, and
    #[cfg(feature = "sign")]
    combs: Combs,
    /// for others.
    multiples: [Summand; 32],
}

impl Fixed {
    pub(crate) const EMPTY: Self = Self {
        hash: Constants::EMPTY,
        #[cfg(feature = "sign")]
        combs: [[ZERO; 16]; 4],
        multiples: [ZERO; 32],
    };

    pub(crate) fn fill(&mut self) {
        self.hash.fill();
        let mut work = Work::new();
        let mut points = [ZERO; 2];
        point::vartime_decode(&mut work, &mut points, [&point::BASE; 2]);
        #[cfg(feature = "sign")]
        point::combs(&mut work, &mut self.combs, &points[0]);
        point::odd_multiples(&mut work, &mut self.multiples, &points[0]);
    }

    /// The encodings of one or two secret multiples of the base point.
    #[cfg(feature = "sign")]
    #[inline(never)]
    fn multiples(&self, scalars: [&[u8; 32]; 2], count: usize) -> [[u8; 32]; 2] {
        let mut work = Work::new();
        let mut points = [ZERO; 2];
        for i in 0..count.min(2) {
            point::multiply(&mut work, &mut points[i], scalars[i], &self.combs);
        }
        point::encode(&mut work, &points)
    }
}

fn halves(bytes: &[u8; 64]) -> [[u8; 32]; 2] {
    let mut halves = [[0; 32]; 2];
    halves[0].copy_from_slice(&bytes[..32]);
    halves[1].copy_from_slice(&bytes[32..]);
    halves
}

const _: () = assert!(size_of::<State>() == 17 * 1024);

impl State {
    pub(crate) const EMPTY: Self = Self {
        io: [0; ROOM],
        hash: Sha512::EMPTY,
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
    };

    fn input(&self, at: usize) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(&self.io[at..at + 32]);
        bytes
    }

    /// Starts a hash.
    #[cfg(feature = "sign")]
    pub(crate) fn hash_start(&mut self, fixed: &Fixed) {
        self.hash.start(&fixed.hash);
    }

    /// Hashes the first octets of the input.
    pub(crate) fn update(&mut self, fixed: &Fixed, length: usize) {
        self.hash.update(&fixed.hash, &self.io[..length.min(ROOM)]);
    }

    /// The hash's 64 octets to the output.
    #[cfg(feature = "sign")]
    pub(crate) fn hash_finish(&mut self, fixed: &Fixed) {
        self.io[..64].copy_from_slice(&self.hash.finish(&fixed.hash));
    }

    /// Reads a seed and a public key that belongs to it (the caller knows that it does).
    #[cfg(feature = "sign")]
    pub(crate) fn expand(&mut self, fixed: &Fixed) {
        self.hash.start(&fixed.hash);
        self.update(fixed, 32);
        [self.secret, self.prefix] = halves(&self.hash.finish(&fixed.hash));
        self.secret[0] &= 248;
        self.secret[31] = self.secret[31] & 63 | 64;
        self.public = self.input(32);
    }

    /// After [`State::expand`]: puts the public key in its place.
    #[cfg(feature = "sign")]
    pub(crate) fn derive(&mut self, fixed: &Fixed) {
        [self.public, _] = fixed.multiples([&self.secret; 2], 1);
        self.io[32..64].copy_from_slice(&self.public);
    }

    /// Starts a signature; the first octets of the input are hashed before all else (the prefix
    /// of Ed25519ctx and Ed25519ph). The message follows.
    #[cfg(feature = "sign")]
    pub(crate) fn sign_start(&mut self, fixed: &Fixed, length: usize) {
        self.hash.start(&fixed.hash);
        self.update(fixed, length);
        self.hash.update(&fixed.hash, &self.prefix);
    }

    /// The message has been; computes R, and puts it to the output. Input as for
    /// [`State::sign_start`], the message again. Whether the public key is the secret's, if that
    /// is to be checked.
    #[cfg(feature = "sign")]
    pub(crate) fn commit(&mut self, fixed: &Fixed, length: usize, check: bool) -> bool {
        self.nonce = reduce_wide(&self.hash.finish(&fixed.hash));
        let multiples = fixed.multiples([&self.nonce, &self.secret], 1 + usize::from(check));
        self.r = multiples[0];
        self.challenge(fixed, 0, length);
        self.io[..32].copy_from_slice(&self.r);
        !check || same(&multiples[1], &self.public)
    }

    /// The message has been again; the signature to the output.
    #[cfg(feature = "sign")]
    pub(crate) fn respond(&mut self, fixed: &Fixed) {
        let k = reduce_wide(&self.hash.finish(&fixed.hash));
        let s = scalar::multiply_add(&k, &self.secret, &self.nonce);
        self.io[..32].copy_from_slice(&self.r);
        self.io[32..64].copy_from_slice(&s);
    }

    /// X25519 of two inputs to the output.
    #[cfg(feature = "x25519")]
    pub(crate) fn x25519(&mut self) {
        let product = crate::montgomery::x25519(&self.input(0), &self.input(32));
        self.io[..32].copy_from_slice(&product);
    }

    fn challenge(&mut self, fixed: &Fixed, at: usize, length: usize) {
        self.hash.start(&fixed.hash);
        let prefix = self.io.get(at..at.wrapping_add(length));
        self.hash.update(&fixed.hash, prefix.unwrap_or(&[]));
        self.hash.update(&fixed.hash, &self.r);
        self.hash.update(&fixed.hash, &self.public);
    }

    /// Takes the bits of a profile; reads a signature and a public key, 96 octets, and what [`State::sign_start`] reads, after
    /// them. The message follows.
    pub(crate) fn verify_start(&mut self, fixed: &Fixed, length: usize, rules: u32) {
        self.rules = rules;
        self.r = self.input(0);
        self.s = self.input(32);
        self.public = self.input(64);
        self.challenge(fixed, 96, length);
    }

    /// The message has been; whether the signature is valid.
    pub(crate) fn verify_finish(&mut self, fixed: &Fixed) -> bool {
        let k = reduce_wide(&self.hash.finish(&fixed.hash));
        let (r, s) = (&self.r, &self.s);
        let rules = self.rules;
        let is = |bit| rules & bit != 0;
        // S + 0: reduced, it is itself.
        let reduced = scalar::multiply_add(s, &ONE, &[0; 32]);
        if s[31] >> 5 != 0 || !is(rule::LOOSE_SCALAR) && !same(&reduced, s) {
            return false;
        }
        let mut work = Work::new();
        let mut points = [ZERO; 2];
        if !point::vartime_decode(&mut work, &mut points, [&self.public, r]) {
            return false;
        }
        let cofactored = is(rule::COFACTORED);
        for (i, bytes) in [&self.public, r].into_iter().enumerate() {
            if (if i == 0 {
                is(rule::CANONICAL_KEY)
            } else {
                !cofactored || is(rule::CANONICAL_R)
            }) && !same(&point::encode_affine(&points[i]), bytes)
                || is(rule::LARGE_ORDER) && point::vartime_is_small_order(&mut work, &points[i])
            {
                return false;
            }
            point::negate(&mut points[i]);
        }
        let mut multiples = [ZERO; 8];
        point::odd_multiples(&mut work, &mut multiples, &points[0]);
        let mut p = ZERO;
        let terms = [(s, &fixed.multiples[..]), (&k, &multiples[..])];
        point::vartime_multiply(&mut work, &mut p, &terms);
        let difference = &mut multiples[0];
        point::summand(&mut work, difference, &points[1]);
        point::add(&mut work, &mut p, difference);
        if cofactored {
            point::vartime_is_small_order(&mut work, &p)
        } else {
            point::vartime_is_identity(&p)
        }
    }
}
