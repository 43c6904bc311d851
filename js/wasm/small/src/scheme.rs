//! Ed25519 (RFC 8032) in steps, between which the caller hands the message over piece by piece.

use crate::limbs::same;
use crate::point::{self, Comb};
use crate::scalar;
use crate::sha512::Sha512;

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

/// The bits of a profile.
pub(crate) mod rule {
    /// The equation is multiplied by 8.
    pub(crate) const COFACTORED: u32 = 1;
    /// A and R of small order are refused.
    pub(crate) const LARGE_ORDER: u32 = 2;
    /// A non-canonical A is refused.
    pub(crate) const CANONICAL_KEY: u32 = 4;
    /// A non-canonical R is refused; without the cofactor it always is.
    pub(crate) const CANONICAL_R: u32 = 8;
    /// Of S, only the top three bits are checked.
    pub(crate) const LOOSE_SCALAR: u32 = 16;
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
    pub(crate) fn hash_start(&mut self) {
        self.hash.start();
    }

    /// Hashes the first octets of the input.
    pub(crate) fn update(&mut self, length: usize) {
        self.hash.update(&self.io[..length.min(ROOM)]);
    }

    /// The hash's 64 octets to the output.
    #[cfg(feature = "sign")]
    pub(crate) fn hash_finish(&mut self) {
        self.io[..64].copy_from_slice(&self.hash.finish());
    }

    /// Reads a seed and a public key that belongs to it (the caller knows that it does).
    #[cfg(feature = "sign")]
    pub(crate) fn expand(&mut self) {
        self.hash.start();
        self.update(32);
        [self.secret, self.prefix] = halves(&self.hash.finish());
        self.secret[0] &= 248;
        self.secret[31] = self.secret[31] & 63 | 64;
        self.public = self.input(32);
    }

    /// After [`State::expand`]: puts the public key in its place.
    #[cfg(feature = "sign")]
    pub(crate) fn derive(&mut self, base: &Comb) {
        self.public = point::encode(&point::multiply(&[(&self.secret, base)], true));
        self.io[32..64].copy_from_slice(&self.public);
    }

    /// Starts a signature; the first octets of the input are hashed before all else (the prefix
    /// of Ed25519ctx and Ed25519ph). The message follows.
    #[cfg(feature = "sign")]
    pub(crate) fn sign_start(&mut self, length: usize) {
        self.hash.start();
        self.update(length);
        self.hash.update(&self.prefix);
    }

    /// The message has been; computes R, and puts it to the output. Input as for
    /// [`State::sign_start`], the message again. Whether the public key is the secret's, if that
    /// is to be checked.
    #[cfg(feature = "sign")]
    pub(crate) fn commit(&mut self, length: usize, check: bool, base: &Comb) -> bool {
        self.nonce = reduce_wide(&self.hash.finish());
        let r = point::encode(&point::multiply(&[(&self.nonce, base)], true));
        self.r = r;
        self.challenge(0, length);
        self.io[..32].copy_from_slice(&r);
        !check
            || same(
                &point::encode(&point::multiply(&[(&self.secret, base)], true)),
                &self.public,
            )
    }

    /// The message has been again; the signature to the output.
    #[cfg(feature = "sign")]
    pub(crate) fn respond(&mut self) {
        let k = reduce_wide(&self.hash.finish());
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

    fn challenge(&mut self, at: usize, length: usize) {
        self.hash.start();
        let prefix = self.io.get(at..at.wrapping_add(length));
        self.hash.update(prefix.unwrap_or(&[]));
        self.hash.update(&self.r);
        self.hash.update(&self.public);
    }

    /// Takes the bits of a profile; reads a signature and a public key, 96 octets, and what [`State::sign_start`] reads, after
    /// them. The message follows.
    pub(crate) fn verify_start(&mut self, length: usize, rules: u32) {
        self.rules = rules;
        self.r = self.input(0);
        self.s = self.input(32);
        self.public = self.input(64);
        self.challenge(96, length);
    }

    /// The message has been; whether the signature is valid.
    pub(crate) fn verify_finish(&mut self, base: &Comb) -> bool {
        let k = reduce_wide(&self.hash.finish());
        let (r, s) = (&self.r, &self.s);
        let rules = self.rules;
        let is = |bit| rules & bit != 0;
        // S + 0: reduced, it is itself.
        let reduced = scalar::multiply_add(s, &ONE, &[0; 32]);
        if s[31] >> 5 != 0 || !is(rule::LOOSE_SCALAR) && !same(&reduced, s) {
            return false;
        }
        let Some(a) = point::vartime_decode(&self.public) else {
            return false;
        };
        if is(rule::CANONICAL_KEY) && !same(&point::encode(&a), &self.public)
            || is(rule::LARGE_ORDER) && point::vartime_is_small_order(&a)
        {
            return false;
        }
        let mut comb = point::EMPTY;
        point::comb(&mut comb, &point::negate(&a));
        let p = point::multiply(&[(s, base), (&k, &comb)], false);
        if !is(rule::COFACTORED) {
            return same(&point::encode(&p), r)
                && !(is(rule::LARGE_ORDER) && point::vartime_is_small_order(&p));
        }
        let Some(point_r) = point::vartime_decode(r) else {
            return false;
        };
        let difference = point::sum(&p, &point::summand(&point::negate(&point_r)));
        (!is(rule::CANONICAL_R) || same(&point::encode(&point_r), r))
            && point::vartime_is_small_order(&difference)
    }
}

/// The comb of the base point.
pub(crate) fn base(comb: &mut Comb) {
    if let Some(base) = point::vartime_decode(&point::BASE) {
        point::comb(comb, &base);
    }
}
