//! Verifying keys and verification (Falcon specification, section 3.10).
//!
//! Everything here is public: time may vary with it.

use core::fmt;
use core::hash::{Hash, Hasher};

use lanner_simd::memory::view_mut;

use crate::codec::{self, Decompression};
use crate::errors::Error;
use crate::hash::{
    DomainContext, Frame, HashIdentifier, LANES, MessageHash, hash_of_h, hash_verifying_key,
    hash_verifying_keys, parts, points_each,
};
use crate::ntt::{self, Room};
use crate::params::{
    FnDsa, HPK_LENGTH, LOGN_MAX, NONCE_LENGTH, P3, SQUARED_NORM_BOUND, Variant, check_degree,
    max_logn, vrfy_key_size,
};
use crate::rules::{Ruled, Rules, Specialised};
use crate::vectors::avx2;

/// A verifying key: the public half of a key pair.
///
/// The types that implement this, one for each choice of degrees, are [`VerifyingKeyStandard`],
/// [`VerifyingKey512`], [`VerifyingKey1024`] and, for toy degrees, [`VerifyingKeyWeak`]. More can be
/// done with them by the methods of [`VerifyingKeyOf`] itself.
pub trait VerifyingKey: Sized {
    /// Decodes a key: [`vrfy_key_size`] bytes. `None` if the encoding is not canonical, or of a
    /// degree that this type does not support.
    fn decode(src: &[u8]) -> Option<Self>;

    /// Whether `sig` is a signature of `hv` under `ctx`, where `id` says what `hv` is: the message
    /// ([`HASH_ID_RAW`](crate::HASH_ID_RAW)) or its hash. A malformed signature and a context that is
    /// too long are not valid; for the latter, and for a mu that does not have 64 bytes, the crates fn-dsa panic.
    fn verify(
        &self,
        sig: &[u8],
        ctx: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
        hv: &[u8],
    ) -> bool;
}

/// A verifying key of variant `V`, of a degree from 2^`MIN` to `N`.
///
/// Takes 2 `N` + 72 bytes. The polynomial h is kept in the transformed domain, and the hash of the key
/// beside it, so that nothing is computed twice over many signatures. `N` is a power of two, 1024 at most:
///
/// ```compile_fail,E0080
/// use lanner_fn_dsa::{VerifyingKeyOf, variant::P3};
///
/// let key = VerifyingKeyOf::<P3, 9, 2048>::from_bytes(&[0x0b; 100]);
/// ```
#[derive(Clone, Copy)]
pub struct VerifyingKeyOf<V: Variant, const MIN: u32, const N: usize> {
    /// 0 of a signing key that was wiped.
    logn: u32,
    /// h in values; slots from the degree on are zero.
    h_values: [u16; N],
    /// Zeros where the variant has no use for it.
    hpk: [u8; HPK_LENGTH],
    rules: <V as Ruled>::Rules,
}

/// A verifying key of degree 512 or 1024.
pub type VerifyingKeyStandard = VerifyingKeyOf<P3, 9, 1024>;

/// A verifying key of degree 512.
pub type VerifyingKey512 = VerifyingKeyOf<P3, 9, 512>;

/// A verifying key of degree 1024.
pub type VerifyingKey1024 = VerifyingKeyOf<P3, 10, 1024>;

/// A verifying key of degree 4 to 256, for tests and research: **such keys are broken at once**.
pub type VerifyingKeyWeak = VerifyingKeyOf<P3, 2, 256>;

impl<V: Variant, const MIN: u32, const N: usize> VerifyingKeyOf<V, MIN, N> {
    const MAX: u32 = max_logn(MIN, N);

    /// Decodes a key: [`vrfy_key_size`] bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Key`] if header, length or a coefficient are not canonical, [`Error::Degree`] if the
    /// header tells a degree that this type does not support.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut key = Self::without_hash(bytes)?;
        if V::BINDS_KEY {
            key.hpk = hash_verifying_key(bytes);
        }
        Ok(key)
    }

    /// The same, but for the hash.
    fn without_hash(bytes: &[u8]) -> Result<Self, Error> {
        let mut key = Self {
            logn: 0,
            h_values: [0; N],
            hpk: [0; HPK_LENGTH],
            rules: V::RULES,
        };
        key.logn = decode_values(V::RULES, MIN, Self::MAX, bytes, &mut key.h_values)?;
        Ok(key)
    }

    /// The key with the same h in a variant whose keys hold it in the same way.
    pub(crate) fn of_variant<W: Variant>(&self) -> VerifyingKeyOf<W, MIN, N> {
        let hpk = if W::BINDS_KEY && self.logn != 0 {
            hash_of_values(W::RULES, self.logn, &self.h_values, &mut Room::<N>::new().0)
        } else {
            [0; HPK_LENGTH]
        };
        VerifyingKeyOf::from_values(self.logn, &self.h_values, hpk)
    }

    /// The key with these values of h.
    pub(crate) fn from_values(logn: u32, values: &[u16], hpk: [u8; HPK_LENGTH]) -> Self {
        const { assert!(Self::MAX > 0) }
        let mut h_values = [0; N];
        h_values[..1 << logn].copy_from_slice(&values[..1 << logn]);
        Self {
            logn,
            h_values,
            hpk,
            rules: V::RULES,
        }
    }

    /// Encodes the key.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if `output` does not have [`vrfy_key_size`] bytes; [`Error::Key`] if this is the key of a signing key
    /// that was wiped.
    pub fn write_bytes(&self, output: &mut [u8]) -> Result<(), Error> {
        write_verifying_key(
            self.rules,
            self.logn,
            &self.h_values,
            output,
            &mut Room::<N>::new().0,
        )
    }

    /// The logarithm of the degree.
    #[must_use]
    pub fn logn(&self) -> u32 {
        self.logn
    }

    /// The hash of the key, which stands for it in the hash of a message: SHAKE256 of its encoding, 64
    /// bytes.
    #[must_use]
    pub fn hashed(&self) -> &[u8; 64]
    where
        V: FnDsa,
    {
        &self.hpk
    }

    /// Verifies a padded signature ([`signature_size`](crate::signature_size) bytes), as [`VerifyingKey::verify`] does. Where `id`
    /// names a hash, `message` is one, of whatever length.
    ///
    /// # Errors
    ///
    /// [`Error::Signature`] if it is not valid, whatever the reason; [`Error::Context`] if the context
    /// is longer than 255 bytes.
    pub fn try_verify(
        &self,
        signature: &[u8],
        context: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
        message: &[u8],
    ) -> Result<(), Error>
    where
        V: FnDsa,
    {
        let (nonce, body) = codec::split_signature(self.logn, signature).ok_or(Error::Signature)?;
        self.verify_body(nonce, Body::Padded(body), context, id, message)
    }

    /// Decodes many keys, `keys[i]` from `encoded[i]` as [`from_bytes`](Self::from_bytes) does, or `None`. With vectors of
    /// AVX2 or AVX-512 their hashes are computed side by side.
    ///
    /// # Panics
    ///
    /// If the slices have different lengths.
    pub fn from_bytes_each(encoded: &[&[u8]], keys: &mut [Option<Self>])
    where
        V: FnDsa,
    {
        assert_eq!(encoded.len(), keys.len(), "a place for each key");
        for (encoded, keys) in encoded.chunks(LANES).zip(keys.chunks_mut(LANES)) {
            if encoded.len() < 2 || avx2().is_none() {
                for (bytes, key) in encoded.iter().zip(keys) {
                    *key = Self::from_bytes(bytes).ok();
                }
                continue;
            }
            for (bytes, key) in encoded.iter().zip(&mut *keys) {
                *key = Self::without_hash(bytes).ok();
            }
            // What is no key may be of any length, and all lanes go on as long as the longest.
            let hashes = hash_verifying_keys(core::array::from_fn(|lane| match keys.get(lane) {
                Some(Some(_)) => encoded[lane],
                _ => b"",
            }));
            for (key, hash) in keys.iter_mut().zip(hashes) {
                if let Some(key) = key {
                    key.hpk = hash;
                }
            }
        }
    }

    /// Verifies many padded signatures under one context, each by its own key: `verdicts[i]` is whether
    /// [`try_verify`](Self::try_verify) accepts `signatures[i]` of `messages[i]` under `keys[i]`. With vectors of AVX2 or
    /// AVX-512 the messages are hashed side by side, which takes 32 `N` bytes of stack and 13 kB.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if the slices have different lengths; [`Error::Context`] if the context is longer than 255 bytes.
    ///
    /// ```
    /// # #[cfg(all(feature = "keygen", feature = "sign"))] {
    /// use lanner_fn_dsa::{DOMAIN_NONE, HASH_ID_RAW, SigningKey512, VerifyingKey512, shake::SeededRng};
    ///
    /// let rng = &mut SeededRng::new(b"use a real generator");
    /// let (one, two) = (SigningKey512::generate(rng)?, SigningKey512::generate(rng)?);
    /// let mut signatures = [[0; 666]; 2];
    /// one.sign_bytes(rng, &DOMAIN_NONE, &HASH_ID_RAW, b"from one", &mut signatures[0])?;
    /// two.sign_bytes(rng, &DOMAIN_NONE, &HASH_ID_RAW, b"from two", &mut signatures[1])?;
    ///
    /// let (one, two) = (one.verifying_key(), two.verifying_key());
    /// let mut verdicts = [false; 2];
    /// VerifyingKey512::verify_each(
    ///     &[&one, &two],
    ///     &[&signatures[0], &signatures[1]],
    ///     &DOMAIN_NONE,
    ///     &HASH_ID_RAW,
    ///     &[b"from one", b"from someone else"],
    ///     &mut verdicts,
    /// )?;
    /// assert_eq!(verdicts, [true, false]);
    /// # }
    /// # Ok::<(), lanner_fn_dsa::Error>(())
    /// ```
    pub fn verify_each(
        keys: &[&Self],
        signatures: &[&[u8]],
        context: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
        messages: &[&[u8]],
        verdicts: &mut [bool],
    ) -> Result<(), Error>
    where
        V: FnDsa,
    {
        let count = verdicts.len();
        if [keys.len(), signatures.len(), messages.len()] != [count; 3] {
            return Err(Error::Length);
        }
        let frame = Frame::new(V::RULES, context, id)?;
        for first in (0..count).step_by(LANES) {
            let range = first..count.min(first + LANES);
            let (keys, signatures) = (&keys[range.clone()], &signatures[range.clone()]);
            let (messages, verdicts) = (&messages[range.clone()], &mut verdicts[range]);
            if V::HASHES_MU || keys.len() < 2 || avx2().is_none() {
                let items = keys.iter().zip(signatures).zip(messages);
                for (((key, signature), message), verdict) in items.zip(verdicts) {
                    *verdict = key.try_verify(signature, context, id, message).is_ok();
                }
            } else {
                Self::verify_group(keys, signatures, &frame, messages, verdicts);
            }
        }
        Ok(())
    }

    /// Verifies as many signatures as are hashed side by side at most.
    fn verify_group(
        keys: &[&Self],
        signatures: &[&[u8]],
        frame: &Frame<'_>,
        messages: &[&[u8]],
        verdicts: &mut [bool],
    ) {
        let split = |i: usize| codec::split_signature(keys[i].logn, signatures[i]);
        let inputs = core::array::from_fn(|lane| {
            let i = if lane < keys.len() { lane } else { 0 };
            // Under malformed signatures, and in lanes without one, nothing is hashed that has a length of its own.
            let (nonce, message): (_, &[u8]) = match split(i) {
                Some((nonce, _)) if i == lane => (nonce, messages[i]),
                _ => (&[0; NONCE_LENGTH], b""),
            };
            parts(nonce, &keys[i].hpk, frame, message)
        });
        let mut points = [[0; N]; LANES];
        let mut places = points.each_mut().map(|point| &mut point[..]);
        for (lane, place) in places.iter_mut().enumerate() {
            // Lanes without a signature want nothing.
            let key = keys.get(lane).filter(|key| key.logn != 0);
            let n = key.map_or(0, |key| 1 << key.logn);
            *place = &mut core::mem::take(place)[..n];
        }
        points_each::<6>(V::RULES, inputs, places, None);
        let mut rooms = [const { Room::<N>::new() }; LANES];
        let mut places = (0..).zip(&mut rooms);
        let decodings = core::array::from_fn(|_| {
            let (i, room) = places.next()?;
            let logn = keys.get(i)?.logn;
            let (_, body) = split(i)?;
            Some(Decompression::new(V::RULES, body, &mut room.0[..1 << logn]))
        });
        let decoded = Decompression::finish_all(V::RULES, decodings);
        for (i, verdict) in verdicts.iter_mut().enumerate() {
            let (key, s) = (keys[i], &mut rooms[i].0);
            let n = 1 << key.logn;
            *verdict = decoded[i]
                && makes_short(
                    V::RULES,
                    key.logn,
                    &points[i][..n],
                    &mut s[..n],
                    &key.h_values[..n],
                );
        }
    }

    /// Begins to verify a padded signature of a message that comes in pieces.
    ///
    /// # Errors
    ///
    /// [`Error::Signature`] if the signature is malformed; [`Error::Context`] if the context is longer
    /// than 255 bytes.
    ///
    /// ```
    /// # #[cfg(all(feature = "keygen", feature = "sign"))] {
    /// use lanner_fn_dsa::{DOMAIN_NONE, HASH_ID_RAW, SigningKey512, shake::SeededRng};
    ///
    /// let signing_key = SigningKey512::from_seed(&[1; 32])?;
    /// let mut signature = [0; 666];
    /// let rng = &mut SeededRng::new(b"use a real generator");
    /// signing_key.sign_bytes(rng, &DOMAIN_NONE, &HASH_ID_RAW, b"in pieces", &mut signature)?;
    ///
    /// let key = signing_key.verifying_key();
    /// let mut stream = key.verify_stream(&signature, &DOMAIN_NONE, &HASH_ID_RAW)?;
    /// stream.update(b"in ");
    /// stream.update(b"pieces");
    /// stream.finish()?;
    /// # }
    /// # Ok::<(), lanner_fn_dsa::Error>(())
    /// ```
    pub fn verify_stream<'k, 's>(
        &'k self,
        signature: &'s [u8],
        context: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
    ) -> Result<StreamVerifier<'k, 's, V>, Error>
    where
        V: FnDsa,
    {
        let (nonce, body) = codec::split_signature(self.logn, signature).ok_or(Error::Signature)?;
        self.stream(nonce, Body::Padded(body), context, id)
    }

    /// Begins to verify a signature in any encoding.
    pub(crate) fn stream<'k, 's>(
        &'k self,
        nonce: &'s [u8; NONCE_LENGTH],
        body: Body<'s>,
        context: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
    ) -> Result<StreamVerifier<'k, 's, V>, Error> {
        if self.logn == 0 {
            return Err(Error::Signature);
        }
        let mut stream = StreamVerifier(self.unstarted(nonce, body));
        stream
            .0
            .hash
            .start(self.rules, nonce, &self.hpk, context, id)?;
        Ok(stream)
    }

    /// Verifies a signature in any encoding, with the state of the hash in one place.
    pub(crate) fn verify_body(
        &self,
        nonce: &[u8; NONCE_LENGTH],
        body: Body<'_>,
        context: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
        message: &[u8],
    ) -> Result<(), Error> {
        if self.logn == 0 {
            return Err(Error::Signature);
        }
        let mut stream = self.unstarted(nonce, body);
        stream
            .hash
            .start(self.rules, nonce, &self.hpk, context, id)?;
        stream.hash.update(message);
        stream.verdict()
    }

    #[inline(always)]
    fn unstarted<'k, 's>(
        &'k self,
        nonce: &'s [u8; NONCE_LENGTH],
        body: Body<'s>,
    ) -> Verification<'k, 's, <V as Ruled>::Rules> {
        Verification {
            logn: self.logn,
            h_values: &self.h_values[..1 << self.logn],
            nonce,
            body,
            hash: MessageHash::empty(),
            rules: self.rules,
        }
    }
}

impl<V: FnDsa, const MIN: u32, const N: usize> VerifyingKey for VerifyingKeyOf<V, MIN, N> {
    fn decode(src: &[u8]) -> Option<Self> {
        Self::from_bytes(src).ok()
    }

    fn verify(
        &self,
        sig: &[u8],
        ctx: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
        hv: &[u8],
    ) -> bool {
        self.try_verify(sig, ctx, id, hv).is_ok()
    }
}

impl<V: Variant, const MIN: u32, const N: usize> PartialEq for VerifyingKeyOf<V, MIN, N> {
    fn eq(&self, other: &Self) -> bool {
        (self.logn, &self.h_values) == (other.logn, &other.h_values)
    }
}

impl<V: Variant, const MIN: u32, const N: usize> Eq for VerifyingKeyOf<V, MIN, N> {}

impl<V: Variant, const MIN: u32, const N: usize> Hash for VerifyingKeyOf<V, MIN, N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.logn, &self.h_values).hash(state);
    }
}

impl<V: Variant, const MIN: u32, const N: usize> TryFrom<&[u8]> for VerifyingKeyOf<V, MIN, N> {
    type Error = Error;

    /// As [`from_bytes`](Self::from_bytes).
    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes(bytes)
    }
}

impl<V: Variant, const MIN: u32, const N: usize> fmt::Debug for VerifyingKeyOf<V, MIN, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.logn == 0 {
            return write!(f, "VerifyingKey({}, none)", V::NAME);
        }
        write!(
            f,
            "VerifyingKey({}, degree {}, hash ",
            V::NAME,
            1 << self.logn
        )?;
        let hash = if V::BINDS_KEY {
            self.hpk
        } else {
            hash_of_values(V::RULES, self.logn, &self.h_values, &mut Room::<N>::new().0)
        };
        for byte in &hash[..8] {
            write!(f, "{byte:02x}")?;
        }
        f.write_str("…)")
    }
}

/// Decodes a verifying key of a degree from 2^`min` to 2^`max`, which is `N`: its h in values, and the logarithm of the degree.
fn decode_values<const N: usize>(
    rules: impl Rules,
    min: u32,
    max: u32,
    bytes: &[u8],
    h_values: &mut [u16; N],
) -> Result<u32, Error> {
    let logn = codec::header_logn(bytes, codec::header::VERIFYING_KEY).ok_or(Error::Key)?;
    check_degree(logn, min, max)?;
    let h = &mut h_values[..1 << logn];
    codec::decode_verifying_key(rules, logn, bytes, h)?;
    if !rules.ntt_keys() {
        let mut room = Room::<N>::new();
        let values = view_mut(&mut room.0[..1 << logn]);
        values.copy_from_slice(h);
        ntt::to_values(logn, values);
        h.copy_from_slice(values);
    }
    Ok(logn)
}

/// Encodes the verifying key with these values of h. `room` is the memory of a [`Room`], not smaller than the degree.
pub(crate) fn write_verifying_key(
    rules: impl Rules,
    logn: u32,
    h_values: &[u16],
    output: &mut [u8],
    room: &mut [i16],
) -> Result<(), Error> {
    if logn == 0 {
        return Err(Error::Key);
    }
    if output.len() != vrfy_key_size(logn) {
        return Err(Error::Length);
    }
    codec::encode_verifying_key(rules, logn, h_of_key(rules, logn, h_values, room), output);
    Ok(())
}

/// The hash of the verifying key with these values of h; `room` as in [`write_verifying_key`].
pub(crate) fn hash_of_values(
    rules: impl Rules,
    logn: u32,
    h_values: &[u16],
    room: &mut [i16],
) -> [u8; HPK_LENGTH] {
    hash_of_h(rules, logn, h_of_key(rules, logn, h_values, room))
}

/// h as the variant's keys hold it.
fn h_of_key<'h>(
    rules: impl Rules,
    logn: u32,
    h_values: &'h [u16],
    room: &'h mut [i16],
) -> &'h [u16] {
    let h_values = &h_values[..1 << logn];
    if rules.ntt_keys() {
        return h_values;
    }
    let h = view_mut(&mut room[..1 << logn]);
    h.copy_from_slice(h_values);
    ntt::to_coefficients(logn, h);
    h
}

/// How s2 is encoded.
#[derive(Clone, Copy)]
pub(crate) enum Body<'s> {
    /// Compressed and zero-padded to the fixed length.
    Padded(&'s [u8]),
    /// Compressed, without a byte of padding.
    Compressed(&'s [u8]),
    /// Twelve bits each.
    ConstantTime(&'s [u8]),
}

impl<'s> Body<'s> {
    /// Begins to decode s2. `None` if it can be seen at once that this is not the encoding of one.
    #[inline(always)]
    fn start<R: Rules>(self, rules: R, logn: u32, s2: &'s mut [i16]) -> Option<Decoding<'s, R>> {
        let (bytes, s2): (&[u8], _) = match self {
            Body::Padded(bytes) | Body::Compressed(bytes) => (bytes, s2),
            Body::ConstantTime(bytes) => {
                if bytes.len() * 8 != (codec::BITS_CONSTANT_TIME as usize) << logn {
                    return None;
                }
                codec::unpack_s2(rules, bytes, s2)?;
                // Nothing is left.
                Default::default()
            }
        };
        Some(Decoding {
            compressed: Decompression::new(rules, bytes, s2),
            length: bytes.len(),
            padded: matches!(self, Body::Padded(_)),
        })
    }
}

/// s2 being decoded.
struct Decoding<'s, R> {
    compressed: Decompression<'s, R>,
    length: usize,
    padded: bool,
}

impl<R: Rules> Decoding<'_, R> {
    /// Decodes what is left. `None` if this is not the encoding of an s2.
    #[inline(always)]
    fn finish(self) -> Option<()> {
        let used = self.compressed.finish()?;
        (self.padded || used == self.length).then_some(())
    }
}

/// Verifies a signature of a message that comes in pieces: see [`VerifyingKeyOf::verify_stream`].
#[derive(Clone)]
pub struct StreamVerifier<'k, 's, V: Variant>(Verification<'k, 's, <V as Ruled>::Rules>);

#[derive(Clone)]
struct Verification<'k, 's, R> {
    logn: u32,
    h_values: &'k [u16],
    nonce: &'s [u8; NONCE_LENGTH],
    body: Body<'s>,
    hash: MessageHash,
    rules: R,
}

impl<R: Rules> Verification<'_, '_, R> {
    /// The verdict, and the end.
    fn verdict(&mut self) -> Result<(), Error> {
        // Each in a frame of its own, so that a small key takes a small one; but a module for WebAssembly is better small.
        match self.logn {
            0..=9 if cfg!(not(target_arch = "wasm32")) => self.decide::<512>(),
            _ => self.decide::<1024>(),
        }
    }

    #[cfg_attr(not(target_arch = "wasm32"), inline(never))]
    fn decide<const N: usize>(&mut self) -> Result<(), Error> {
        self.rules.specialise(Decide::<'_, '_, '_, R, N>(self))
    }
}

/// The verdict with a frame for degrees up to `N`.
struct Decide<'v, 'k, 's, R, const N: usize>(&'v mut Verification<'k, 's, R>);

impl<R, const N: usize> Specialised for Decide<'_, '_, '_, R, N> {
    type Output = Result<(), Error>;

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn run(self, rules: impl Rules) -> Result<(), Error> {
        let verification = self.0;
        let (logn, n) = (verification.logn, 1 << verification.logn);
        let (mut room, mut c) = (Room::<N>::new(), [0; N]);
        let (s, c) = (&mut room.0[..n], &mut c[..n]);
        // Falcon specification, algorithm 16. Lines 2 to 4, s2, beside line 1, c = HashToPoint(r || m).
        let decoding = verification.body.start(rules, logn, s);
        let mut decoding = decoding.ok_or(Error::Signature)?;
        verification
            .hash
            .point_beside(rules, verification.nonce, c, &mut decoding.compressed)
            .map_err(|_| Error::Signature)?;
        decoding.finish().ok_or(Error::Signature)?;
        // Lines 5 to 9.
        if makes_short(rules, logn, c, s, verification.h_values) {
            Ok(())
        } else {
            Err(Error::Signature)
        }
    }
}

impl<V: Variant> StreamVerifier<'_, '_, V> {
    /// Takes the next piece of the message. The pieces may be cut anywhere.
    pub fn update(&mut self, piece: impl AsRef<[u8]>) {
        self.0.hash.update(piece.as_ref());
    }

    /// Ends the message and verifies the signature.
    ///
    /// # Errors
    ///
    /// [`Error::Signature`] if it is not valid.
    pub fn finish(mut self) -> Result<(), Error> {
        self.0.verdict()
    }
}

/// Lines 5 to 9 of algorithm 16 of the Falcon specification, with s2 in place of s1: whether it makes a short vector with c.
#[inline(always)]
fn makes_short(rules: impl Rules, logn: u32, c: &[u16], s: &mut [i16], h_values: &[u16]) -> bool {
    // Line 5: s1 = c - s2 h.
    let norms = ntt::residue(logn, c, s, h_values);
    // Lines 6 to 9: the norm of (s1, s2).
    is_short(rules, logn, norms)
}

impl<V: Variant> fmt::Debug for StreamVerifier<'_, '_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamVerifier").finish_non_exhaustive()
    }
}

/// Whether a vector of this size makes a valid signature.
pub(crate) fn is_short(rules: impl Rules, logn: u32, norms: ntt::Norms) -> bool {
    debug_assert!(logn <= LOGN_MAX);
    norms.squared <= u64::from(SQUARED_NORM_BOUND[logn as usize])
        && norms.largest <= rules.coefficient_bound()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ntt::Norms;
    use crate::params::{LOGN_MIN, P4};

    /// The bounds themselves are allowed; the one on coefficients is the draft guess's alone.
    #[test]
    fn bounds() {
        for logn in LOGN_MIN..=LOGN_MAX {
            let bound = u64::from(SQUARED_NORM_BOUND[logn as usize]);
            for (squared, largest, main, draft) in [
                (0, 0, true, true),
                (bound, 840, true, true),
                (bound + 1, 840, false, false),
                (bound, 841, true, false),
                (bound, 6144, true, false),
                (bound + (1 << 32), 1, false, false),
            ] {
                let norms = Norms { squared, largest };
                assert_eq!(is_short(P3::RULES, logn, norms), main);
                assert_eq!(is_short(P4::RULES, logn, norms), draft);
            }
        }
    }

    /// Whoever sends keys or signatures that are none does not make the rows beside them wait.
    #[cfg(all(feature = "keygen", feature = "sign"))]
    #[test]
    fn what_is_refused_is_not_hashed() {
        use crate::hash::longest::SEEN;
        use crate::shake::SeededRng;
        use crate::{DOMAIN_NONE, HASH_ID_RAW, SigningKey512, VerifyingKey512};

        let key = SigningKey512::from_seed(&[1; 32]).expect("a key");
        let (mut encoded, huge) = ([0; 897], std::vec![0; 1 << 20]);
        key.verifying_key()
            .write_bytes(&mut encoded)
            .expect("its length");
        // Of a right header, which is not all.
        let mut long = huge.clone();
        long[0] = encoded[0];
        let mut keys = [const { None }; 4];
        SEEN.set(0);
        VerifyingKey512::from_bytes_each(&[&huge, &encoded, &long, b""], &mut keys);
        assert_eq!(
            keys.map(|key| key.map(|key| key.hpk)),
            [None, Some(key.verifying_key().hpk), None, None]
        );
        assert!(SEEN.get() <= encoded.len());

        let key = &key.verifying_key();
        let mut signature = [0; 666];
        let signing = SigningKey512::from_seed(&[1; 32]).expect("a key");
        let rng = &mut SeededRng::new(b"rows");
        let (context, id) = (&DOMAIN_NONE, &HASH_ID_RAW);
        signing
            .sign_bytes(rng, context, id, b"short", &mut signature)
            .expect("a signature");
        let signatures: [&[u8]; 3] = [&signature[1..], &signature, b""];
        let messages: [&[u8]; 3] = [&huge, b"short", &huge];
        let mut verdicts = [true; 3];
        SEEN.set(0);
        VerifyingKey512::verify_each(
            &[key; 3],
            &signatures,
            context,
            id,
            &messages,
            &mut verdicts,
        )
        .expect("three of each");
        assert_eq!(verdicts, [false, true, false]);
        assert!(SEEN.get() < 1000);
    }
}
