//! FN-DSA on every choice of vectors: keys, signatures, verdicts and points are the same. Degrees are mostly small, so
//! that an execution is cheap; the vectors fill up from degree 16 or 32 on. The first byte chooses the operation.

use std::sync::OnceLock;

use lanner_fn_dsa::shake::SeededRng;
use lanner_fn_dsa::variant::P3;
use lanner_fn_dsa::{
    DOMAIN_NONE, DomainContext, HASH_ID_RAW, HashIdentifier, PreparedSigningKeyOf, SigningKeyOf,
    SigningSpaceEach, VerifyingKeyOf, hash_to_point, sign_key_size, signature_size, vrfy_key_size,
};

use crate::agree::on_all_vectors;
use crate::bytes::Bytes;

/// Degrees from 4 to 512 in one type.
type Signing = SigningKeyOf<P3, 2, 512>;
type Verifying = VerifyingKeyOf<P3, 2, 512>;
type Prepared = PreparedSigningKeyOf<P3, 2, 512>;

const OPERATIONS: &[fn(Bytes<'_>)] = &[
    make_a_key,
    make_a_key_of_four_streams,
    sign,
    sign_prepared,
    verify,
    verify,
    verify_many,
    decode_keys,
    hash,
];

/// A key of each degree.
fn keys() -> &'static [Signing; 8] {
    static KEYS: OnceLock<[Signing; 8]> = OnceLock::new();
    KEYS.get_or_init(|| {
        std::array::from_fn(|i| {
            Signing::from_seed_of_degree(2 + i as u32, &[i as u8; 32]).expect("a degree")
        })
    })
}

fn key(bytes: &mut Bytes<'_>) -> &'static Signing {
    // The largest degree is by far the most expensive one.
    &keys()[[0, 1, 2, 3, 4, 5, 5, 6, 6, 7][bytes.below(10)]]
}

fn of_verifying(key: &Verifying) -> Vec<u8> {
    let mut bytes = vec![0; vrfy_key_size(key.logn())];
    key.write_bytes(&mut bytes).expect("the length");
    bytes
}

/// A key's bytes.
fn of_signing(key: &Signing) -> (Vec<u8>, Vec<u8>) {
    let mut bytes = vec![0; sign_key_size(key.logn())];
    key.write_bytes(&mut bytes).expect("the length");
    (bytes, of_verifying(&key.verifying_key()))
}

fn degree(bytes: &mut Bytes<'_>) -> u32 {
    2 + [0, 1, 2, 2, 3, 3, 4, 5][bytes.below(8)]
}

fn make_a_key(mut bytes: Bytes<'_>) {
    let (logn, seed) = (degree(&mut bytes), bytes.array());
    on_all_vectors(|| {
        of_signing(&Signing::from_seed_of_degree(logn, &seed).expect("the type has the degree"))
    });
}

fn make_a_key_of_four_streams(mut bytes: Bytes<'_>) {
    let (logn, seed) = (degree(&mut bytes), bytes.array());
    on_all_vectors(|| {
        let key = Signing::from_seed_of_degree_shake256x4(logn, &seed);
        of_signing(&key.expect("the type has the degree"))
    });
}

fn sign_with(key: &Signing, seed: &[u8], message: &[u8]) -> Vec<u8> {
    let mut signature = vec![0; signature_size(key.logn())];
    let rng = &mut SeededRng::new(seed);
    key.sign_bytes(rng, &DOMAIN_NONE, &HASH_ID_RAW, message, &mut signature)
        .expect("it signs");
    signature
}

fn sign(mut bytes: Bytes<'_>) {
    let key = key(&mut bytes);
    let (seed, message): ([u8; 8], _) = (bytes.array(), bytes.rest());
    let (signature, verdict) = on_all_vectors(|| {
        let signature = sign_with(key, &seed, message);
        let verdict =
            key.verifying_key()
                .try_verify(&signature, &DOMAIN_NONE, &HASH_ID_RAW, message);
        (signature, verdict)
    });
    assert_eq!(verdict, Ok(()));
    assert_eq!(signature.len(), signature_size(key.logn()));
}

/// Several signatures at once.
fn sign_prepared(mut bytes: Bytes<'_>) {
    // Not the largest degree.
    let key = &keys()[bytes.below(7)];
    let count = bytes.below(6);
    let seed: [u8; 8] = bytes.array();
    let messages: Vec<&[u8]> = (0..count)
        .map(|_| {
            let length = bytes.below(64);
            bytes.slice(length)
        })
        .collect();
    on_all_vectors(|| {
        let (mut prepared, mut space) =
            (Box::new(Prepared::new()), Box::new(SigningSpaceEach::new()));
        prepared.prepare(key);
        let mut signatures = vec![0; count * signature_size(key.logn())];
        let rng = &mut SeededRng::new(&seed);
        prepared
            .sign_each(
                &mut space,
                rng,
                &DOMAIN_NONE,
                &HASH_ID_RAW,
                &messages,
                &mut signatures,
            )
            .expect("it signs");
        signatures
    });
}

/// A signature that was made of the message, spoiled or not, or any bytes of its length.
fn claim<'a>(bytes: &mut Bytes<'a>, key: &Signing) -> (Vec<u8>, &'a [u8]) {
    let kind = bytes.below(4);
    let seed: [u8; 2] = bytes.array();
    let at = usize::from(u16::from_le_bytes(bytes.array()));
    let bits = bytes.byte();
    let length = bytes.below(200);
    let message = bytes.slice(length);
    let size = signature_size(key.logn());
    let signature = match kind {
        0 => {
            // Its first byte says the degree; what is not there is padding.
            let mut signature = vec![0; size];
            let piece = bytes.slice(size - 1);
            signature[0] = 0x30 + key.logn() as u8;
            signature[1..=piece.len()].copy_from_slice(piece);
            signature
        }
        1 => {
            let mut signature = sign_with(key, &seed, message);
            signature[at % size] ^= bits;
            signature
        }
        _ => sign_with(key, &seed, message),
    };
    (signature, message)
}

fn verify(mut bytes: Bytes<'_>) {
    let key = key(&mut bytes);
    let length = bytes.below(4);
    let context = DomainContext(bytes.slice(length));
    let (signature, message) = claim(&mut bytes, key);
    let encoded = of_verifying(&key.verifying_key());
    let verdict = on_all_vectors(|| {
        let key = Verifying::from_bytes(&encoded).expect("a key");
        key.try_verify(&signature, &context, &HASH_ID_RAW, message)
    });
    let key = key.verifying_key();
    let one = key.verify_stream(&signature, &context, &HASH_ID_RAW);
    let streamed = one.and_then(|mut stream| {
        message.chunks(7).for_each(|piece| stream.update(piece));
        stream.finish()
    });
    assert_eq!(streamed.is_ok(), verdict.is_ok());
}

fn verify_many(mut bytes: Bytes<'_>) {
    let count = bytes.below(10);
    let claims: Vec<_> = (0..count)
        .map(|_| {
            let key = key(&mut bytes);
            let (signature, message) = claim(&mut bytes, key);
            (key.verifying_key(), signature, message)
        })
        .collect();
    let keys: Vec<_> = claims.iter().map(|claim| &claim.0).collect();
    let signatures: Vec<_> = claims.iter().map(|claim| &claim.1[..]).collect();
    let messages: Vec<_> = claims.iter().map(|claim| claim.2).collect();
    let verdicts = on_all_vectors(|| {
        let mut verdicts = vec![false; count];
        Verifying::verify_each(
            &keys,
            &signatures,
            &DOMAIN_NONE,
            &HASH_ID_RAW,
            &messages,
            &mut verdicts,
        )
        .expect("as many of each");
        verdicts
    });
    for ((key, signature, message), verdict) in claims.iter().zip(verdicts) {
        let single = key.try_verify(signature, &DOMAIN_NONE, &HASH_ID_RAW, message);
        assert_eq!(verdict, single.is_ok());
    }
}

/// Keys of up to degree 64, spoiled or not, beside each other.
fn decode_keys(mut bytes: Bytes<'_>) {
    let count = bytes.below(6);
    let encoded: Vec<Vec<u8>> = (0..count)
        .map(|_| {
            let mut encoded = of_verifying(&keys()[bytes.below(5)].verifying_key());
            let (at, bits) = (bytes.below(256), bytes.byte());
            let size = encoded.len();
            encoded[at % size] ^= bits;
            encoded
        })
        .collect();
    let encoded: Vec<&[u8]> = encoded.iter().map(Vec::as_slice).collect();
    let keys = on_all_vectors(|| {
        let mut keys = vec![None; count];
        Verifying::from_bytes_each(&encoded, &mut keys);
        let keys: Vec<_> = keys.iter().flatten().collect();
        keys.into_iter()
            .map(|key| (of_verifying(key), *key.hashed()))
            .collect::<Vec<_>>()
    });
    let alone = encoded
        .iter()
        .filter_map(|it| Verifying::from_bytes(it).ok());
    assert!(
        keys.iter()
            .map(|key| key.1)
            .eq(alone.map(|key| *key.hashed()))
    );
}

fn hash(mut bytes: Bytes<'_>) {
    let (nonce, key): ([u8; 40], [u8; 64]) = (bytes.array(), bytes.array());
    let length = bytes.below(256);
    let context = DomainContext(bytes.slice(length));
    let length = 1 + bytes.below(11);
    let id = HashIdentifier(bytes.slice(length));
    let point = vec![0; 1 << (2 + bytes.below(9))];
    let point = on_all_vectors(|| {
        let mut point = point.clone();
        hash_to_point(&nonce, &key, &context, &id, bytes.rest(), &mut point);
        point
    });
    assert!(point.iter().all(|&coefficient| coefficient < 12289));
}

/// The operation that the first byte names, on the rest.
pub fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    OPERATIONS[bytes.below(OPERATIONS.len())](bytes);
}

/// Each operation on bytes of several kinds.
pub fn seeds() -> Vec<Vec<u8>> {
    crate::bytes::seeds(OPERATIONS.len())
}
