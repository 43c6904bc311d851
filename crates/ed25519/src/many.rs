//! Many keys and many signatures at once: the results of the single operations, bit for bit.
//!
//! A group goes through each step of RFC 8032 together. Its messages are hashed side by side, and its multiples of the
//! base point are computed side by side, with one inversion for all. What remains one by one is arithmetic modulo L.

use crate::sha512::Sha512;
use lanner_curve::edwards::{CompressedEdwardsY, EdwardsPoint};
use lanner_curve::scalar::Scalar;
use lanner_simd::stack::cleared;
use sha2::Digest;
use zeroize::Zeroizing;

use crate::depth;
use crate::domain::Domain;
use crate::expanded::{ExpandedSecretKey, Nonce, hash_output};
use crate::{SecretKey, Signature, SigningKey, VerifyingKey};

/// How many go together: their hashes, scalars and points are on the stack. A multiple of the lanes of every backend.
const GROUP: usize = 16;

impl SigningKey {
    /// The signing keys of several secret keys of 32 bytes: `keys[i]` becomes what [`Self::from_bytes`] makes of
    /// `secret_keys[i]`; none stays `None`. Constant time in all but their number. No allocation.
    ///
    /// Where the processor has vectors that are wide enough, keys are derived side by side: with AVX-512 IFMA each takes
    /// a third to a half of the time of one alone.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    ///
    /// ```
    /// use lanner_ed25519::SigningKey;
    ///
    /// let secret_keys = [[1; 32], [2; 32], [3; 32]];
    /// let mut keys = [None, None, None];
    /// SigningKey::from_bytes_each(&secret_keys, &mut keys);
    /// assert_eq!(keys[2], Some(SigningKey::from_bytes(&secret_keys[2])));
    /// ```
    pub fn from_bytes_each(secret_keys: &[SecretKey], keys: &mut [Option<SigningKey>]) {
        assert_eq!(secret_keys.len(), keys.len());
        for (secret_keys, keys) in secret_keys.chunks(GROUP).zip(keys.chunks_mut(GROUP)) {
            derive(secret_keys, |i, expanded, verifying_key| {
                let key = SigningKey::from_parts(&secret_keys[i], expanded, verifying_key);
                keys[i] = Some(key);
            });
        }
    }

    /// Signs several messages with this key: `signatures[i]` becomes the signature of `messages[i]` (RFC 8032 section
    /// 5.1.6), the same as [`Signer::sign`] makes. Constant time in all but the number and the lengths of the messages.
    /// No allocation.
    ///
    /// Where the processor has vectors that are wide enough, messages are signed side by side: with AVX-512 IFMA each
    /// takes a third to a half of the time of one alone.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    ///
    /// ```
    /// use lanner_ed25519::{Signature, Signer, SigningKey};
    ///
    /// let key = SigningKey::from_bytes(&[1; 32]);
    /// let messages: [&[u8]; 3] = [b"one", b"two", b"three"];
    /// let mut signatures = [Signature::from_bytes(&[0; 64]); 3];
    /// key.sign_each(&messages, &mut signatures);
    /// assert_eq!(signatures[2], key.sign(b"three"));
    /// ```
    ///
    /// [`Signer::sign`]: crate::Signer::sign
    pub fn sign_each(&self, messages: &[&[u8]], signatures: &mut [Signature]) {
        assert_eq!(messages.len(), signatures.len());
        for (messages, signatures) in messages.chunks(GROUP).zip(signatures.chunks_mut(GROUP)) {
            sign(|_| self, messages, signatures);
        }
    }

    /// Signs each message with a key of its own: `signatures[i]` becomes the signature of `messages[i]` by `keys[i]`, as
    /// [`Self::sign_each`] makes it. Constant time in all but the number and the lengths of the messages. No allocation.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    ///
    /// ```
    /// use lanner_ed25519::{Signature, Signer, SigningKey};
    ///
    /// let (alice, bob) = (SigningKey::from_bytes(&[1; 32]), SigningKey::from_bytes(&[2; 32]));
    /// let mut signatures = [Signature::from_bytes(&[0; 64]); 2];
    /// SigningKey::sign_each_by(&[&alice, &bob], &[b"one", b"two"], &mut signatures);
    /// assert_eq!(signatures, [alice.sign(b"one"), bob.sign(b"two")]);
    /// ```
    pub fn sign_each_by(keys: &[&SigningKey], messages: &[&[u8]], signatures: &mut [Signature]) {
        assert_eq!(keys.len(), messages.len());
        assert_eq!(messages.len(), signatures.len());
        let groups = messages.chunks(GROUP).zip(signatures.chunks_mut(GROUP));
        for (keys, (messages, signatures)) in keys.chunks(GROUP).zip(groups) {
            sign(|i| keys[i], messages, signatures);
        }
    }
}

impl VerifyingKey {
    /// The public keys of several secret keys of 32 bytes (RFC 8032 section 5.1.5): `keys[i]` becomes that of
    /// [`SigningKey::from_bytes`] of `secret_keys[i]`; none stays `None`. Constant time in all but their number. No
    /// allocation.
    ///
    /// Where the processor has vectors that are wide enough, keys are derived side by side: with AVX-512 IFMA each takes
    /// a third to a half of the time of one alone.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    ///
    /// ```
    /// use lanner_ed25519::{SigningKey, VerifyingKey};
    ///
    /// let secret_keys = [[1; 32], [2; 32], [3; 32]];
    /// let mut keys = [None; 3];
    /// VerifyingKey::from_secret_keys_each(&secret_keys, &mut keys);
    /// assert_eq!(keys[2], Some(SigningKey::from_bytes(&secret_keys[2]).verifying_key()));
    /// ```
    pub fn from_secret_keys_each(secret_keys: &[SecretKey], keys: &mut [Option<VerifyingKey>]) {
        assert_eq!(secret_keys.len(), keys.len());
        for (secret_keys, keys) in secret_keys.chunks(GROUP).zip(keys.chunks_mut(GROUP)) {
            derive(secret_keys, |i, _, key| keys[i] = Some(key));
        }
    }
}

/// RFC 8032 section 5.1.5 for a group of secret keys; `tell` is given what each expands to, and its public key.
fn derive(secret_keys: &[SecretKey], mut tell: impl FnMut(usize, ExpandedSecretKey, VerifyingKey)) {
    cleared::<{ depth::MANY }, _>(|| {
        let count = secret_keys.len();
        // Step 1.
        let mut hashes = Zeroizing::new([[0; 64]; GROUP]);
        let seeds = secret_keys.iter().map(|secret_key| [&secret_key[..]]);
        hash_each(seeds, &mut hashes[..count]);
        // Step 2.
        let mut scalars = Zeroizing::new([Scalar::ZERO; GROUP]);
        for (scalar, hash) in scalars.iter_mut().zip(&hashes[..count]) {
            *scalar = ExpandedSecretKey::clamped(hash).scalar;
        }
        // Steps 3 and 4.
        let mut points = [EdwardsPoint::default(); GROUP];
        let mut encodings = [CompressedEdwardsY::default(); GROUP];
        EdwardsPoint::mul_base_each(
            &scalars[..count],
            &mut points[..count],
            &mut encodings[..count],
        );
        for i in 0..count {
            let expanded = ExpandedSecretKey {
                scalar: scalars[i],
                hash_prefix: *hashes[i].last_chunk().expect("64 is more than 32"),
            };
            tell(
                i,
                expanded,
                VerifyingKey::from_parts(encodings[i], points[i]),
            );
        }
    });
}

/// RFC 8032 section 5.1.6 for a group of messages, each signed by the key with its number.
fn sign<'k>(
    key: impl Fn(usize) -> &'k SigningKey,
    messages: &[&[u8]],
    signatures: &mut [Signature],
) {
    // A single signature is faster alone.
    if let ([message], [signature]) = (messages, &mut *signatures) {
        *signature = key(0).sign_domain(Domain::PURE, &[message]);
        return;
    }
    cleared::<{ depth::MANY }, _>(|| {
        let count = messages.len();
        // Step 2: r = SHA-512(prefix || M) modulo L.
        let mut hashes = Zeroizing::new([[0; 64]; GROUP]);
        let prefixed = messages.iter().enumerate();
        let prefixed = prefixed.map(|(i, message)| [&key(i).expanded().hash_prefix[..], message]);
        hash_each(prefixed, &mut hashes[..count]);
        let mut nonces = Zeroizing::new([Scalar::ZERO; GROUP]);
        for (nonce, hash) in nonces.iter_mut().zip(&hashes[..count]) {
            *nonce = Scalar::from_bytes_mod_order_wide(hash);
        }
        // Step 3: R = [r]B.
        let mut points = [EdwardsPoint::default(); GROUP];
        let mut commitments = [CompressedEdwardsY::default(); GROUP];
        EdwardsPoint::mul_base_each(
            &nonces[..count],
            &mut points[..count],
            &mut commitments[..count],
        );
        // Step 4: k = SHA-512(R || A || M).
        let challenged = messages.iter().zip(&commitments).enumerate();
        let challenged = challenged
            .map(|(i, (message, r))| [&r.0[..], &key(i).as_ref().as_bytes()[..], message]);
        hash_each(challenged, &mut hashes[..count]);
        for (i, signature) in signatures.iter_mut().enumerate() {
            let k = Scalar::from_bytes_mod_order_wide(&hashes[i]);
            // Steps 5 and 6.
            let nonce = Nonce::committed(&nonces[i], commitments[i].0);
            *signature = nonce.respond(&key(i).expanded().scalar, &k);
        }
    });
}

/// SHA-512 of each message, which is a list of parts.
pub(crate) fn hash_each<'m, const PARTS: usize>(
    messages: impl Iterator<Item = [&'m [u8]; PARTS]>,
    digests: &mut [[u8; 64]],
) {
    if cfg!(feature = "fast") && lanner_hash::sha512::lanes() > 1 {
        lanner_hash::sha512::digest_each(messages, digests);
        return;
    }
    for (parts, digest) in messages.zip(digests) {
        let mut hash = Sha512::new();
        for part in parts {
            hash.update(part);
        }
        *digest = *hash_output(hash);
    }
}
