//! How messages and keys are hashed: where most of the variants' differences lie.
//!
//! * original Falcon: c = point(r ‖ message)
//! * the main variant: c = point(r ‖ hpk ‖ 0 or 1 ‖ len(ctx) ‖ ctx ‖ [OID] ‖ message or its hash)
//! * the draft guess: mu = SHAKE256(hpk ‖ 0 or 1 ‖ …), the same without r, and c = point(r ‖ mu)
//!
//! where hpk = SHAKE256(verifying key), 64 bytes, and point(x) reads SHAKE256(x) as 16-bit words, takes
//! those below 5q, and reduces them modulo q (Falcon specification, section 3.7). In every variant the
//! message is the last part of the input, so it can come in pieces.

use lanner_hash::keccak::Shake256;
use lanner_simd::{Ifma, IfmaOperation, Rows};

use crate::codec;
use crate::errors::Error;
use crate::params::{BitOrder, HPK_LENGTH, HSK_LENGTH, NONCE_LENGTH, P3, Q};
use crate::rules::{Ruled, Rules};
use crate::shake::{RATE_256, SUFFIX_SHAKE, Sponge, Work, shake256};
use crate::vectors::avx512;

/// Which hash function made the hash value that is signed: the DER encoding of its object
/// identifier, or one of the one-byte values [`HASH_ID_RAW`] and [`HASH_ID_ORIGINAL_FALCON`].
///
/// It must be a constant of the program, on both sides, and never come with a signature: identifier and hash value are hashed one
/// after the other, and nothing says where one ends, so that a signature of one pair is one of each other that has the same
/// bytes in a row. Nor is the length of a hash value checked. So it is in fn-dsa 0.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashIdentifier<'a>(pub &'a [u8]);

/// The message itself is signed, without a hash function before it.
pub const HASH_ID_RAW: HashIdentifier<'static> = HashIdentifier(&[0x00]);

/// **Opens a key that signs in other ways too to forgery**: the message itself is signed, in the way of the
/// original Falcon (round 3), and neither the context nor the verifying key enter the hash.
///
/// A name of fn-dsa 0.3, for its programs. The hash of such a message can be that of any other kind of input: whoever
/// chooses the message chooses what else the signature is one of. A key that signs with this identifier must sign with
/// no other. New programs take the types of [`falcon`](crate::falcon), which keep the keys apart.
pub const HASH_ID_ORIGINAL_FALCON: HashIdentifier<'static> = HashIdentifier(&[0xff]);

/// A 64-byte message representative mu is given in place of the message, and the context is ignored, of whatever length it is.
/// Only the [draft guess](crate::draft2026) among the variants here knows this identifier.
pub const HASH_ID_EXTMU: HashIdentifier<'static> = HashIdentifier(&[0xfe]);

/// Bytes of the message representative mu.
pub(crate) const MU_LENGTH: usize = 64;

macro_rules! nist_hashes {
    ($($(#[$doc:meta])* $name:ident = $last:literal;)+) => {$(
        $(#[$doc])*
        ///
        /// The value to sign is the hash of the message.
        pub const $name: HashIdentifier<'static> = HashIdentifier(&[
            // OBJECT IDENTIFIER 2.16.840.1.101.3.4.2.x
            0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, $last,
        ]);
    )+};
}

nist_hashes! {
    /// SHA-256.
    HASH_ID_SHA256 = 0x01;
    /// SHA-384.
    HASH_ID_SHA384 = 0x02;
    /// SHA-512.
    HASH_ID_SHA512 = 0x03;
    /// SHA-512/256.
    HASH_ID_SHA512_256 = 0x06;
    /// SHA3-256.
    HASH_ID_SHA3_256 = 0x08;
    /// SHA3-384.
    HASH_ID_SHA3_384 = 0x09;
    /// SHA3-512.
    HASH_ID_SHA3_512 = 0x0a;
    /// SHAKE128.
    HASH_ID_SHAKE128 = 0x0b;
    /// SHAKE256.
    HASH_ID_SHAKE256 = 0x0c;
}

/// A domain separation context: 0 to 255 bytes that signer and verifier agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DomainContext<'a>(pub &'a [u8]);

/// The empty context.
pub const DOMAIN_NONE: DomainContext<'static> = DomainContext(b"");

/// What the value to sign is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Raw,
    Prehashed,
    OriginalFalcon,
    ExternalMu,
}

impl Kind {
    fn of(rules: impl Rules, id: &HashIdentifier<'_>) -> Self {
        match (*id, rules.hashes_mu()) {
            (HASH_ID_RAW, _) => Kind::Raw,
            (HASH_ID_ORIGINAL_FALCON, false) => Kind::OriginalFalcon,
            (HASH_ID_EXTMU, true) => Kind::ExternalMu,
            _ => Kind::Prehashed,
        }
    }

    /// The byte for the length of the context. Beside a mu that comes from outside the context is not read at all, and may
    /// be of any length.
    fn length_of(self, context: &DomainContext<'_>) -> Result<u8, Error> {
        match self {
            Kind::ExternalMu => Ok(0),
            _ => u8::try_from(context.0.len()).map_err(|_| Error::Context),
        }
    }
}

/// Whether a signer keeps its nonce when it starts again: so does original Falcon.
#[cfg_attr(not(feature = "sign"), allow(dead_code))]
pub(crate) fn keeps_nonce(rules: impl Rules, id: &HashIdentifier<'_>) -> bool {
    Kind::of(rules, id) == Kind::OriginalFalcon
}

/// The hash of a message that comes in pieces.
#[derive(Clone)]
pub(crate) struct MessageHash {
    sponge: Sponge<RATE_256>,
    kind: Kind,
    /// mu, when it is given from outside, and how much of it has come.
    mu: [u8; MU_LENGTH],
    mu_filled: usize,
}

impl MessageHash {
    /// Nothing yet.
    #[inline(always)]
    pub(crate) fn empty() -> Self {
        Self {
            sponge: Sponge::new(),
            kind: Kind::Raw,
            mu: [0; MU_LENGTH],
            mu_filled: 0,
        }
    }

    /// [`empty`](Self::empty), and [`start`](Self::start).
    pub(crate) fn new(
        rules: impl Rules,
        nonce: &[u8; NONCE_LENGTH],
        hpk: &[u8; HPK_LENGTH],
        context: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
    ) -> Result<Self, Error> {
        let mut hash = Self::empty();
        hash.start(rules, nonce, hpk, context, id)?;
        Ok(hash)
    }

    /// Begins anew, and takes everything that precedes the message. Variants that hash mu ignore the nonce here.
    pub(crate) fn start(
        &mut self,
        rules: impl Rules,
        nonce: &[u8; NONCE_LENGTH],
        hpk: &[u8; HPK_LENGTH],
        context: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
    ) -> Result<(), Error> {
        let kind = Kind::of(rules, id);
        let length = kind.length_of(context)?;
        self.mu_filled = 0;
        let sponge = &mut self.sponge;
        sponge.clear();
        if !rules.hashes_mu() {
            sponge.absorb(nonce);
        }
        if matches!(kind, Kind::Raw | Kind::Prehashed) {
            sponge.absorb(hpk);
            sponge.absorb(&[u8::from(kind == Kind::Prehashed), length]);
            sponge.absorb(context.0);
        }
        if kind == Kind::Prehashed {
            sponge.absorb(id.0);
        }
        self.kind = kind;
        Ok(())
    }

    /// Takes the next piece of the message, of its hash, or of mu.
    pub(crate) fn update(&mut self, piece: &[u8]) {
        if self.kind != Kind::ExternalMu {
            return self.sponge.absorb(piece);
        }
        // Remembers that there was too much, too.
        let end = self.mu_filled.saturating_add(piece.len());
        if let Some(room) = self.mu.get_mut(self.mu_filled..end) {
            room.copy_from_slice(piece);
        }
        self.mu_filled = end;
    }

    /// Ends the message of a variant that hashes mu, and gives it.
    pub(crate) fn mu(&mut self) -> Result<[u8; MU_LENGTH], Error> {
        if self.kind == Kind::ExternalMu {
            return if self.mu_filled == MU_LENGTH {
                Ok(self.mu)
            } else {
                Err(Error::Length)
            };
        }
        let mut mu = [0; MU_LENGTH];
        self.sponge.pad(SUFFIX_SHAKE);
        self.sponge.squeeze(&mut mu);
        Ok(mu)
    }

    /// Ends the message and writes its point, coefficients in [0, q).
    pub(crate) fn point(
        &mut self,
        rules: impl Rules,
        nonce: &[u8; NONCE_LENGTH],
        c: &mut [u16],
    ) -> Result<(), Error> {
        self.point_beside(rules, nonce, c, &mut ())
    }

    /// [`point`](Self::point), beside other work, some of which may be left.
    pub(crate) fn point_beside<W: Work>(
        &mut self,
        rules: impl Rules,
        nonce: &[u8; NONCE_LENGTH],
        c: &mut [u16],
        work: &mut W,
    ) -> Result<(), Error> {
        if rules.hashes_mu() {
            let mu = self.mu()?;
            point_of_mu_beside(rules, nonce, &mu, c, &mut self.sponge, work);
        } else {
            point(rules, &mut self.sponge, c, work);
        }
        Ok(())
    }

    /// After [`point`](Self::point): what this gives next is a digest of the nonce and of the whole input.
    #[cfg_attr(not(feature = "sign"), allow(dead_code))]
    pub(crate) fn digest(&self) -> &Sponge<RATE_256> {
        &self.sponge
    }
}

/// The point of a message in the main variant, as the crate fn-dsa-comm 0.3 has it: `c` gets as many
/// coefficients in [0, 12289) as it is long. Varies in time with the result.
///
/// # Panics
///
/// If `nonce` is not 40 bytes long, `hashed_vrfy_key` not 64, or `ctx` longer than 255.
pub fn hash_to_point(
    nonce: &[u8],
    hashed_vrfy_key: &[u8],
    ctx: &DomainContext<'_>,
    id: &HashIdentifier<'_>,
    hv: &[u8],
    c: &mut [u16],
) {
    let nonce = nonce.try_into().expect("a nonce of 40 bytes");
    let hpk = hashed_vrfy_key.try_into().expect("a hash of 64 bytes");
    let mut hash = match MessageHash::new(P3::RULES, nonce, hpk, ctx, id) {
        Ok(hash) => hash,
        Err(error) => panic!("{error}"),
    };
    hash.update(hv);
    // Without mu, nothing can fail.
    let _ = hash.point(P3::RULES, nonce, c);
}

/// The point of a nonce and mu. What the sponge gives next is a digest of both.
#[cfg_attr(not(feature = "sign"), allow(dead_code))]
pub(crate) fn point_of_mu(
    rules: impl Rules,
    nonce: &[u8; NONCE_LENGTH],
    mu: &[u8; MU_LENGTH],
    c: &mut [u16],
    sponge: &mut Sponge<RATE_256>,
) {
    point_of_mu_beside(rules, nonce, mu, c, sponge, &mut ());
}

#[inline(always)]
fn point_of_mu_beside<W: Work>(
    rules: impl Rules,
    nonce: &[u8; NONCE_LENGTH],
    mu: &[u8; MU_LENGTH],
    c: &mut [u16],
    sponge: &mut Sponge<RATE_256>,
    work: &mut W,
) {
    sponge.clear();
    sponge.absorb(nonce);
    sponge.absorb(mu);
    point(rules, sponge, c, work);
}

/// Words of 16 bits in a block of SHAKE256.
const WORDS: usize = RATE_256 / 2;

/// Words from here on are refused, so that those below are uniform modulo q.
const LIMIT: u32 = 5 * Q;

/// Pads, and takes words until `c` is full. Varies in time with the output, which is public.
fn point<W: Work>(rules: impl Rules, sponge: &mut Sponge<RATE_256>, c: &mut [u16], work: &mut W) {
    sponge.pad_beside(SUFFIX_SHAKE, work);
    let mut filled = 0;
    while filled < c.len() {
        filled += accept(rules, sponge.block_beside(work), &mut c[filled..]);
    }
    for x in c {
        *x = reduce(*x);
    }
}

/// Writes the words of a block below the limit to the front of `to`, in their order and without gaps, and returns how many:
/// all, or as many as there is room for. Behind them may be anything.
// A function of its own, so that its buffer is not on the stack beneath a permutation.
#[inline(never)]
fn accept(rules: impl Rules, block: &[u64], to: &mut [u16]) -> usize {
    if let Some(to) = to.first_chunk_mut() {
        return accept_all(rules, block, to);
    }
    let mut accepted = [0; MOST_ACCEPTED];
    let count = accept_all(rules, block, &mut accepted).min(to.len());
    to[..count].copy_from_slice(&accepted[..count]);
    count
}

#[inline(always)]
fn accept_all(rules: impl Rules, block: &[u64], accepted: &mut [u16; MOST_ACCEPTED]) -> usize {
    match avx512() {
        Some(witness) => witness.enter_ifma(Accept(rules, block, accepted)),
        None => accept_one_by_one(rules, block, accepted),
    }
}

/// Room for all words of a block, and a power of two.
const MOST_ACCEPTED: usize = 128;
const _: () = assert!(WORDS <= MOST_ACCEPTED);

/// Every word is written, and the place of the next one moves only if it is accepted: there is no branch to mispredict.
#[inline(always)]
fn accept_one_by_one(
    rules: impl Rules,
    block: &[u64],
    accepted: &mut [u16; MOST_ACCEPTED],
) -> usize {
    let mut count = 0;
    for &lane in block {
        let lane = match rules.bit_order() {
            // The bytes of each word the other way round.
            BitOrder::MsbFirst => lane.swap_bytes().rotate_left(16),
            BitOrder::LsbFirst => lane,
        };
        for i in 0..4 {
            let word = match rules.bit_order() {
                // The first word of the lane has come to the bottom, the others stand above it in
                // falling order.
                BitOrder::MsbFirst => lane.rotate_left(16 * i) as u16,
                BitOrder::LsbFirst => (lane >> (16 * i)) as u16,
            };
            // The mask only tells the compiler that there is room.
            accepted[count % MOST_ACCEPTED] = word;
            count += usize::from(u32::from(word) < LIMIT);
        }
    }
    count
}

/// Sixteen words at a time.
struct Accept<'a, R>(R, &'a [u64], &'a mut [u16; MOST_ACCEPTED]);

impl<R: Rules> IfmaOperation for Accept<'_, R> {
    type Output = usize;

    #[inline(always)]
    fn run<I: Ifma>(self) -> usize {
        let Self(rules, block, accepted) = self;
        // What is behind the block is refused.
        let mut words = [u16::MAX; WORDS.next_multiple_of(16)];
        for (words, lane) in words.as_chunks_mut::<4>().0.iter_mut().zip(block) {
            *words = core::array::from_fn(|i| {
                let word = (lane >> (16 * i)) as u16;
                match rules.bit_order() {
                    BitOrder::MsbFirst => word.swap_bytes(),
                    BitOrder::LsbFirst => word,
                }
            });
        }
        let mut count = 0;
        for words in words.as_chunks().0 {
            let mut front = [0; 16];
            let more = I::Rows::compact_below(words, LIMIT as u16, &mut front);
            if let Some(to) = accepted.get_mut(count..count + 16) {
                to.copy_from_slice(&front);
            }
            count += more;
        }
        count
    }
}

/// x mod q for x below 5q: floor(x/q) = ((x + 1) * 43687) >> 29 there.
#[inline(always)]
fn reduce(x: u16) -> u16 {
    let high = ((u32::from(x.wrapping_add(1)) * 43687) >> 16) as u16;
    x.wrapping_sub((high >> 13).wrapping_mul(Q as u16))
}

/// How many messages are hashed side by side, where there are vectors for that.
pub(crate) const LANES: usize = 8;

/// The points of messages whose hashes are side by side, each message in parts: coefficients in [0, q). `digests` gets what
/// the streams give behind the points' blocks, as the sponge of [`MessageHash::point`] does. Only for variants that hash the
/// message behind the nonce. Varies in time with the output, which is public.
pub(crate) fn points_each<const PARTS: usize>(
    rules: impl Rules,
    messages: [[&[u8]; PARTS]; LANES],
    mut points: [&mut [u16]; LANES],
    mut digests: Option<&mut [[u8; DIGEST_LENGTH]; LANES]>,
) {
    #[cfg(test)]
    longest::note(&messages);
    let mut streams = Shake256::new(messages);
    let (mut filled, mut done) = ([0; LANES], [false; LANES]);
    loop {
        for lane in 0..LANES {
            done[lane] |= digests.is_none() && filled[lane] == points[lane].len();
        }
        if done == [true; LANES] {
            break;
        }
        streams.next_block();
        for (lane, c) in points.iter_mut().enumerate() {
            if filled[lane] < c.len() {
                filled[lane] += accept(rules, &streams.words(lane), &mut c[filled[lane]..]);
            } else if let Some(digests) = &mut digests
                && !done[lane]
            {
                streams.copy_block(lane, &mut digests[lane]);
                done[lane] = true;
            }
        }
    }
    for c in points {
        for x in c {
            *x = reduce(*x);
        }
    }
}

/// Bytes of the digest of a nonce and of all that is signed, from which the randomness of signing is derived.
pub(crate) const DIGEST_LENGTH: usize = 64;

/// The parts of a message that [`MessageHash`] absorbs, in variants that hash it behind the nonce.
pub(crate) fn parts<'a>(
    nonce: &'a [u8; NONCE_LENGTH],
    hpk: &'a [u8; HPK_LENGTH],
    frame: &'a Frame<'_>,
    message: &'a [u8],
) -> [&'a [u8]; 6] {
    match frame.kind {
        Kind::OriginalFalcon => [nonce, message, b"", b"", b"", b""],
        _ => [nonce, hpk, &frame.head, frame.context, frame.oid, message],
    }
}

/// What messages with one context and one identifier have in common.
pub(crate) struct Frame<'a> {
    kind: Kind,
    head: [u8; 2],
    context: &'a [u8],
    oid: &'a [u8],
}

impl<'a> Frame<'a> {
    pub(crate) fn new(
        rules: impl Rules,
        context: &DomainContext<'a>,
        id: &HashIdentifier<'a>,
    ) -> Result<Self, Error> {
        let kind = Kind::of(rules, id);
        let length = kind.length_of(context)?;
        Ok(Self {
            kind,
            head: [u8::from(kind == Kind::Prehashed), length],
            context: context.0,
            oid: if kind == Kind::Prehashed { id.0 } else { b"" },
        })
    }
}

/// SHAKE256 of encoded verifying keys.
pub(crate) fn hash_verifying_keys(encoded: [&[u8]; LANES]) -> [[u8; HPK_LENGTH]; LANES] {
    let encoded = encoded.map(|key| [key]);
    #[cfg(test)]
    longest::note(&encoded);
    let streams = Shake256::new(encoded);
    let mut hashes = [[0; HPK_LENGTH]; LANES];
    for (lane, hash) in hashes.iter_mut().enumerate() {
        streams.copy_block(lane, hash);
    }
    hashes
}

/// SHAKE256 of an encoded verifying key.
pub(crate) fn hash_verifying_key(encoded: &[u8]) -> [u8; HPK_LENGTH] {
    shake256(&[encoded])
}

/// SHAKE256 of the verifying key with this h.
pub(crate) fn hash_of_h(rules: impl Rules, logn: u32, h: &[u16]) -> [u8; HPK_LENGTH] {
    let mut sponge = Sponge::<RATE_256>::new();
    codec::verifying_key_in_pieces(rules, logn, h, |piece| sponge.absorb(piece));
    sponge.pad(SUFFIX_SHAKE);
    let mut hash = [0; HPK_LENGTH];
    sponge.squeeze(&mut hash);
    hash
}

/// SHAKE256 of f and g as a signing key holds them: the secret that hedges the randomness of signing.
#[cfg_attr(not(feature = "sign"), allow(dead_code))]
#[inline(never)]
pub(crate) fn hash_secret(
    rules: impl Rules,
    logn: u32,
    f: &[i8],
    g: &[i8],
    hash: &mut [u8; HSK_LENGTH],
) {
    let mut sponge = Sponge::<RATE_256>::new();
    codec::fg_in_pieces(rules, logn, f, g, |piece| sponge.absorb(piece));
    sponge.pad(SUFFIX_SHAKE);
    sponge.squeeze(hash);
}

/// How long the longest of the messages is that were hashed side by side in a thread: all lanes take its time.
#[cfg(test)]
pub(crate) mod longest {
    use std::cell::Cell;

    std::thread_local! {
        pub(crate) static SEEN: Cell<usize> = const { Cell::new(0) };
    }

    pub(super) fn note<const PARTS: usize>(messages: &[[&[u8]; PARTS]]) {
        let length = |parts: &[&[u8]; PARTS]| parts.iter().map(|part| part.len()).sum();
        let longest = messages.iter().map(length).max();
        SEEN.set(SEEN.get().max(longest.unwrap_or(0)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::P4;
    use crate::shake::SHAKE256;
    use alloc::vec;

    #[test]
    fn reduction_is_exact() {
        for x in 0..LIMIT {
            assert_eq!(u32::from(reduce(x as u16)), x % Q, "{x}");
        }
    }

    /// A mu of any length but its own is refused, also of more bytes than a length can count.
    #[test]
    fn a_mu_that_is_too_long() {
        let begun = || {
            MessageHash::new(
                P4::RULES,
                &[0; NONCE_LENGTH],
                &[0; HPK_LENGTH],
                &DOMAIN_NONE,
                &HASH_ID_EXTMU,
            )
            .unwrap()
        };
        let mut hash = begun();
        hash.update(&[1; MU_LENGTH - 1]);
        hash.update(&[2]);
        assert_eq!(hash.mu().map(|mu| mu[62..].to_vec()), Ok(vec![1, 2]));
        for filled in [MU_LENGTH, usize::MAX - 1, usize::MAX] {
            let mut hash = begun();
            hash.mu_filled = filled;
            for piece in [&[3][..], &[3; MU_LENGTH], &[3; MU_LENGTH + 1], &[]] {
                hash.update(piece);
                assert_eq!(hash.mu(), Err(Error::Length), "{filled}");
            }
        }
    }

    /// The definition, word by word.
    fn slow_point(input: &[u8], big_endian: bool, c: &mut [u16]) {
        let mut shake = SHAKE256::new();
        shake.inject(input);
        shake.flip();
        let mut filled = 0;
        while filled < c.len() {
            let mut bytes = [0; 2];
            shake.extract(&mut bytes);
            let word = if big_endian {
                u16::from_be_bytes(bytes)
            } else {
                u16::from_le_bytes(bytes)
            };
            if u32::from(word) < LIMIT {
                c[filled] = (u32::from(word) % Q) as u16;
                filled += 1;
            }
        }
    }

    #[test]
    fn points_are_those_of_the_definition() {
        for n in [4, 8, 64, 65, 512, 1024] {
            for seed in 0..8u8 {
                let input = [seed; 104];
                let (nonce, mu) = (&[seed; 40], &[seed; 64]);
                let (mut fast, mut slow) = (vec![0; n], vec![0; n]);
                let sponge = &mut Sponge::new();
                point_of_mu(P3::RULES, nonce, mu, &mut fast, sponge);
                slow_point(&input, true, &mut slow);
                assert_eq!(fast, slow);
                point_of_mu(P4::RULES, nonce, mu, &mut fast, sponge);
                slow_point(&input, false, &mut slow);
                assert_eq!(fast, slow);
            }
        }
    }

    /// The input is what the module's page says, put together in one piece.
    #[test]
    fn messages_are_framed() {
        let (nonce, hpk) = (&[1; 40], &[2; 64]);
        let context = DomainContext(b"ctx");
        let mut expected = vec![0; 16];
        let mut c = vec![0; 16];
        let mut check = |id: HashIdentifier<'_>, middle: &[u8]| {
            let mut hash = MessageHash::new(P3::RULES, nonce, hpk, &context, &id).unwrap();
            hash.update(b"mess");
            hash.update(b"age");
            hash.point(P3::RULES, nonce, &mut c).unwrap();
            let input = [&nonce[..], middle, b"message"].concat();
            slow_point(&input, true, &mut expected);
            assert_eq!(c, expected);
        };
        check(HASH_ID_ORIGINAL_FALCON, b"");
        check(HASH_ID_RAW, &[&hpk[..], b"\x00\x03ctx"].concat());
        let oid = b"\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x08";
        check(HASH_ID_SHA3_256, &[&hpk[..], b"\x01\x03ctx", oid].concat());

        let mut hash = MessageHash::new(P4::RULES, nonce, hpk, &context, &HASH_ID_RAW).unwrap();
        hash.update(b"message");
        let mu = hash.mu().unwrap();
        assert_eq!(mu, shake256(&[&hpk[..], b"\x00\x03ctxmessage"]));
    }

    #[test]
    fn wrong_lengths_are_errors() {
        let (nonce, hpk) = (&[1; 40], &[2; 64]);
        let long = [0; 256];
        let new = |context: &[u8], id| {
            MessageHash::new(P4::RULES, nonce, hpk, &DomainContext(context), &id)
        };
        assert!(new(&long[..255], HASH_ID_RAW).is_ok());
        assert_eq!(new(&long, HASH_ID_RAW).err(), Some(Error::Context));
        assert!(new(&long, HASH_ID_EXTMU).is_ok());
        assert!(Frame::new(P4::RULES, &DomainContext(&long), &HASH_ID_EXTMU).is_ok());
        let in_main = |id| {
            let context = &DomainContext(&long);
            [
                MessageHash::new(P3::RULES, nonce, hpk, context, &id).err(),
                Frame::new(P3::RULES, context, &id).err(),
            ]
        };
        for id in [HASH_ID_RAW, HASH_ID_EXTMU, HASH_ID_ORIGINAL_FALCON] {
            assert_eq!(in_main(id), [Some(Error::Context); 2]);
        }
        for length in [0, 63, 64, 65, 128] {
            let mut hash = new(b"", HASH_ID_EXTMU).unwrap();
            hash.update(&vec![7; length / 2]);
            hash.update(&vec![7; length - length / 2]);
            let mu = hash.mu();
            assert_eq!(
                mu,
                if length == 64 {
                    Ok([7; 64])
                } else {
                    Err(Error::Length)
                }
            );
        }
    }
}
