//! Signing: falcon.py's signatures made again, and one vector for a nonce and a message. Known answers that need no more than what
//! is public are in `tests/vectors_falcon.rs`.

use super::sign::sign_with;
#[cfg(feature = "keygen")]
use super::verify::split_blob;
use super::*;
use crate::attempts::{Reference, SigningSpace};
#[cfg(feature = "keygen")]
use crate::codec;
use crate::outside::{integer, integers, octets, outside};
use crate::rules::Ruled;
use crate::secret::DecodingSpace;
#[cfg(feature = "keygen")]
use crate::{
    attempts::{Attempts, Derived},
    errors::Error,
    sampler::wide::FastSource,
    shake::{RATE_256, SeededRng, Sponge},
};
use alloc::vec;
#[cfg(feature = "keygen")]
use alloc::vec::Vec;
use serde_json::Value;

fn sign_again<const MIN: u32, const N: usize>(logn: u32, case: &Value) {
    let n = 1 << logn;
    let mut key = SigningKeyOf::<R3, MIN, N>::EMPTY;
    let secret = &mut key.secret;
    secret.logn = logn;
    secret.f[..n].copy_from_slice(&integers(&case["f"]));
    secret.g[..n].copy_from_slice(&integers(&case["g"]));
    secret.big_f[..n].copy_from_slice(&integers(&case["F"]));
    secret
        .complete(R3::RULES, &mut DecodingSpace::new())
        .unwrap();
    assert_eq!(secret.big_g[..n], integers::<i8>(&case["G"])[..]);
    let expected = octets(&case["vk"]);
    let mut vk = vec![0; expected.len()];
    key.verifying_key().write_bytes(&mut vk).unwrap();
    assert_eq!(vk, expected);

    let random = octets(&case["rng_bytes"]);
    let (nonce, mut seeds) = random.split_first_chunk().unwrap();
    let mut attempts = 0;
    let reference = &mut Reference::new(*nonce, |seed| {
        attempts += 1;
        let (now, rest) = seeds.split_at(56);
        seeds = rest;
        seed.copy_from_slice(now);
        Ok(())
    });
    let mut signature = vec![0; signature_size(logn)];
    sign_with(
        &key,
        &mut SigningSpace::new(),
        reference,
        b"data1",
        Encoding::Padded,
        &mut signature,
    )
    .unwrap();
    assert_eq!(signature, octets(&case["sig"]));
    assert_eq!(case["attempts"], attempts);
}

/// Nonce and s2 of a signature of degree 1024.
#[cfg(feature = "keygen")]
fn opened(signature: &[u8], encoding: Encoding) -> ([u8; NONCE_LENGTH], Vec<i16>) {
    let (nonce, body) = signature[1..].split_first_chunk().unwrap();
    let mut s2 = vec![0; 1024];
    match encoding {
        Encoding::ConstantTime => codec::unpack_s2(R3::RULES, body, &mut s2).unwrap(),
        _ => _ = codec::decompress(R3::RULES, body, &mut s2).unwrap(),
    }
    (*nonce, s2)
}

/// Draws as signing does, and accepts what has no padded form.
#[cfg(feature = "keygen")]
struct Longer<'a>(Derived<'a, SeededRng>);

#[cfg(feature = "keygen")]
impl Attempts for Longer<'_> {
    type Source = FastSource;

    fn nonce(&mut self) -> Result<Option<[u8; NONCE_LENGTH]>, Error> {
        self.0.nonce()
    }

    fn source(&mut self, digest: &Sponge<RATE_256>) -> Result<&mut FastSource, Error> {
        self.0.source(digest)
    }
}

/// A nonce and a message have one vector, in whatever encoding it is asked for first: also where the first one that is
/// short has no padded form, as one in a thousand of degree 1024.
#[test]
#[cfg(feature = "keygen")]
fn a_target_has_one_vector_in_all_encodings() {
    let key = SigningKey1024::from_seed(&[1; 32]).unwrap();
    let rng = || SeededRng::new(b"nonce");
    let mut signature = vec![0; max_signature_size(Encoding::ConstantTime, 10)];
    let message = (0..20_000_u16).map(u16::to_le_bytes).find(|message| {
        let (rng, source) = (&mut rng(), &mut FastSource::empty());
        let longer = &mut Longer(Derived::new(rng, &key.secret.hsk, true, source));
        let space = &mut SigningSpace::new();
        let encoding = Encoding::Compressed;
        let length = sign_with(&key, space, longer, message, encoding, &mut signature);
        length.unwrap() > signature_size(10)
    });
    let message = &message.expect("one of 20,000");

    let mut sign = |encoding| {
        let length = sign(&key, &mut rng(), message, encoding, &mut signature).unwrap();
        let mut signer = stream_signer(&key, &mut rng()).unwrap();
        signer.update(message);
        let mut streamed = vec![0; max_signature_size(encoding, 10)];
        assert_eq!(signer.finish_as(encoding, &mut streamed), Ok(length));
        assert_eq!(streamed[..length], signature[..length]);
        opened(&streamed[..length], encoding)
    };
    let padded = sign(Encoding::Padded);
    assert_eq!(padded, sign(Encoding::Compressed));
    assert_eq!(padded, sign(Encoding::ConstantTime));
    let mut sealed = vec![0; max_sealed_size(10, 2)];
    let length = seal(&key, &mut rng(), message, &mut sealed).unwrap();
    let (nonce, _, body) = split_blob(10, &sealed[..length]).unwrap();
    let mut s2 = vec![0; 1024];
    codec::decompress(R3::RULES, body, &mut s2).unwrap();
    assert_eq!((*nonce, s2), padded);
}

#[test]
fn falcon_py_sign() {
    let Some(outside) = outside("falcon.py's signatures") else {
        return;
    };
    let cases = outside.vectors("falcon.py/sign_KAT.shared.json.gz");
    assert_eq!(cases.len(), 60);
    for case in cases {
        match integer(&case["logn"]) {
            10 => sign_again::<10, 1024>(10, &case),
            9 => sign_again::<9, 512>(9, &case),
            logn => sign_again::<1, 256>(logn, &case),
        }
    }
}
