//! Known answers of round 3.

use super::verify::split_blob;
use super::*;
use crate::codec::{self, header};
use crate::errors::Error;
use crate::rules::Ruled;
#[cfg(feature = "sign")]
use crate::secret::DecodingSpace;
use alloc::vec;
use lanner_vectors::falcon::KnownAnswer;
use lanner_vectors::outside;

fn check_known<const MIN: u32, const N: usize>(case: &KnownAnswer) {
    let key = VerifyingKeyOf::<R3, MIN, N>::from_bytes(&case.pk).unwrap();
    assert_eq!(open(&key, &case.sm).unwrap(), case.msg);
    for at in [0, 2, 42, case.sm.len() / 2, case.sm.len() - 1] {
        let mut spoiled = case.sm.clone();
        spoiled[at] ^= 1;
        assert_eq!(open(&key, &spoiled), Err(Error::Signature), "byte {at}");
    }
    // The same signature in the other encodings.
    let (nonce, message, body) = split_blob(key.logn(), &case.sm).unwrap();
    let mut s2 = vec![0; 1 << key.logn()];
    codec::decompress(R3::RULES, body, &mut s2).unwrap();
    let head = |kind| [&[kind + key.logn() as u8], &nonce[..]].concat();
    let compressed = [&head(header::COMPRESSED), body].concat();
    let mut constant = head(header::CONSTANT_TIME);
    constant.resize(max_signature_size(Encoding::ConstantTime, key.logn()), 0);
    codec::pack_s2(R3::RULES, &s2, &mut constant[41..]).unwrap();
    check_lengths(&key, &compressed, message, Encoding::Compressed);
    check_lengths(&key, &constant, message, Encoding::ConstantTime);
    // About one signature of degree 1024 in a thousand has no padded form.
    let size = signature_size(key.logn());
    let mut padded = vec![0; size];
    let fits = codec::compress(R3::RULES, &s2, &mut padded[41..]).is_some();
    assert_eq!(fits, compressed.len() <= size);
    if fits {
        padded[..41].copy_from_slice(&compressed[..41]);
        check_lengths(&key, &padded, message, Encoding::Padded);
        // Partial padding is no encoding at all.
        for length in [compressed.len() + 1, size - 1, size + 1] {
            let mut other = padded.clone();
            other.resize(length, 0);
            let valid = length == compressed.len() || length == size;
            assert_eq!(verify(&key, &other, message).is_ok(), valid);
        }
    } else {
        assert!(verify_as(&key, &compressed, message, Encoding::Padded).is_err());
    }
}

/// The signature is valid, and under its encoding of no other length.
fn check_lengths<const MIN: u32, const N: usize>(
    key: &VerifyingKeyOf<R3, MIN, N>,
    signature: &[u8],
    message: &[u8],
    encoding: Encoding,
) {
    verify(key, signature, message).unwrap();
    verify_as(key, signature, message, encoding).unwrap();
    let near = signature.len() - 1..=signature.len() + 2;
    for length in near.chain([0, 1, 40, 41, 666, 809, 1280, 1577, 2000]) {
        let mut other = signature.to_vec();
        other.resize(length, 0);
        let verdict = verify_as(key, &other, message, encoding);
        assert_eq!(verdict.is_ok(), length == signature.len(), "{length} bytes");
    }
}

#[test]
fn nist_verify() {
    let Some(outside) = outside("NIST Falcon known answers") else {
        return;
    };
    let cases = outside.falcon_known_answers(512);
    assert_eq!(cases.len(), 100);
    cases.iter().for_each(check_known::<9, 512>);
    let cases = outside.falcon_known_answers(1024);
    assert_eq!(cases.len(), 100);
    cases.iter().for_each(check_known::<10, 1024>);
}

#[test]
fn pqclean_verify() {
    let Some(outside) = outside("PQClean's known answers") else {
        return;
    };
    check_known::<9, 512>(&outside.pqclean_falcon("falcon-512"));
    check_known::<10, 1024>(&outside.pqclean_falcon("falcon-1024"));
    for (name, logn) in [("falcon-padded-512", 9), ("falcon-padded-1024", 10)] {
        let case = outside.pqclean_falcon(name);
        let (signature, message) = case.sm.split_at(signature_size(logn));
        assert_eq!(message, case.msg);
        let key = VerifyingKeyOf::<R3, 9, 1024>::from_bytes(&case.pk).unwrap();
        verify(&key, signature, message).unwrap();
        assert!(verify(&key, signature, b"another").is_err());
    }
}

#[test]
fn cose_verify() {
    let Some(outside) = outside("the COSE draft's example") else {
        return;
    };
    let example = outside.cose_falcon();
    let key = VerifyingKey512::from_bytes(&example.vk).unwrap();
    verify(&key, &example.sig, &example.sig_structure).unwrap();
    assert!(verify(&key, &example.sig, &example.cose_sign1).is_err());
}

#[test]
fn falcon_py_verify() {
    let Some(outside) = outside("falcon.py's signatures") else {
        return;
    };
    let cases = outside.falcon_py_signatures();
    assert_eq!(cases.len(), 60);
    for case in &cases {
        if case.logn < 9 {
            let key = VerifyingKeyWeak::from_bytes(&case.vk).unwrap();
            verify(&key, &case.sig, b"data1").unwrap();
            assert!(verify(&key, &case.sig, b"data2").is_err());
            let mut again = vec![0; case.vk.len()];
            key.write_bytes(&mut again).unwrap();
            assert_eq!(again, case.vk);
        } else {
            let key = VerifyingKeyOf::<R3, 9, 1024>::from_bytes(&case.vk).unwrap();
            verify(&key, &case.sig, b"data1").unwrap();
        }
    }
}

#[cfg(feature = "sign")]
mod signing {
    use super::super::sign::sign_with;
    use super::*;
    use crate::attempts::{Reference, SigningSpace};
    #[cfg(feature = "keygen")]
    use crate::{
        attempts::{Attempts, Derived},
        sampler::wide::FastSource,
        shake::{RATE_256, SeededRng, Sponge},
    };
    use aes::cipher::{BlockCipherEncrypt, KeyInit};
    use alloc::vec::Vec;
    use core::convert::Infallible;
    use rand_core::{TryCryptoRng, TryRng};
    use std::format;
    use std::string::String;

    /// The deterministic generator of NIST's known-answer tests: AES-256 in counter mode, as SP
    /// 800-90A defines it (section 10.2.1), without derivation function and personalisation.
    struct Drbg {
        key: [u8; 32],
        v: u128,
    }

    impl Drbg {
        fn new(seed: &[u8; 48]) -> Self {
            let mut drbg = Self { key: [0; 32], v: 0 };
            drbg.update(seed);
            drbg
        }

        fn block(&mut self) -> [u8; 16] {
            self.v = self.v.wrapping_add(1);
            let mut block = self.v.to_be_bytes().into();
            aes::Aes256::new(&self.key.into()).encrypt_block(&mut block);
            block.into()
        }

        fn update(&mut self, data: &[u8; 48]) {
            let mut fresh: Vec<u8> = (0..3).flat_map(|_| self.block()).collect();
            fresh.iter_mut().zip(data).for_each(|(x, y)| *x ^= y);
            self.key.copy_from_slice(&fresh[..32]);
            self.v = u128::from_be_bytes(fresh[32..].try_into().unwrap());
        }
    }

    impl TryRng for Drbg {
        type Error = Infallible;

        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            unreachable!("bytes alone are asked for")
        }

        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            unreachable!("bytes alone are asked for")
        }

        fn try_fill_bytes(&mut self, output: &mut [u8]) -> Result<(), Infallible> {
            for chunk in output.chunks_mut(16) {
                chunk.copy_from_slice(&self.block()[..chunk.len()]);
            }
            self.update(&[0; 48]);
            Ok(())
        }
    }

    impl TryCryptoRng for Drbg {}

    /// The generator after key generation has taken its 48 bytes.
    fn after_keygen(case: &KnownAnswer) -> Drbg {
        let mut drbg = Drbg::new(&case.seed);
        drbg.try_fill_bytes(&mut [0; 48]).unwrap();
        drbg
    }

    fn upper(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02X}")).collect()
    }

    /// A case of a response file, without the line with its number's heading.
    fn response(case: &KnownAnswer, sm: &[u8]) -> String {
        format!(
            "count = {}\nseed = {}\nmlen = {}\nmsg = {}\npk = {}\nsk = {}\nsmlen = {}\nsm = {}\n",
            case.count,
            upper(&case.seed),
            case.msg.len(),
            upper(&case.msg),
            upper(&case.pk),
            upper(&case.sk),
            sm.len(),
            upper(sm)
        )
    }

    fn seal_again<const MIN: u32, const N: usize>(case: &KnownAnswer) -> Vec<u8> {
        let key = SigningKeyOf::<R3, MIN, N>::from_bytes(&case.sk).unwrap();
        let mut pk = vec![0; case.pk.len()];
        key.verifying_key().write_bytes(&mut pk).unwrap();
        assert_eq!(pk, case.pk);
        let mut sk = vec![0; case.sk.len()];
        key.write_bytes(&mut sk).unwrap();
        assert_eq!(sk, case.sk);

        let mut sm = vec![0; max_sealed_size(key.logn(), case.msg.len())];
        let length = seal_reference(&key, &mut after_keygen(case), &case.msg, &mut sm).unwrap();
        sm.truncate(length);
        sm
    }

    #[test]
    fn nist_sign() {
        let Some(outside) = outside("NIST Falcon known answers") else {
            return;
        };
        for case in outside.falcon_known_answers(512) {
            assert_eq!(seal_again::<9, 512>(&case), case.sm, "512, {}", case.count);
        }
        for case in outside.falcon_known_answers(1024) {
            assert_eq!(
                seal_again::<10, 1024>(&case),
                case.sm,
                "1024, {}",
                case.count
            );
        }
    }

    /// liboqs's hashes of the first case and of all 100, regenerated but for the key pairs: the key generator of the
    /// reference draws f and g in a way of its own. The padded cases have the same keys, and one of them has to be
    /// signed in two attempts, since the first signature has 1,281 bytes.
    #[test]
    fn liboqs() {
        use sha2::{Digest, Sha256};
        let Some(outside) = outside("liboqs's Falcon hashes") else {
            return;
        };
        let hashes = outside.liboqs_falcon();
        assert_eq!(hashes.len(), 4);
        let check = |name: &str, responses: &[String]| {
            let expected = &hashes[name];
            assert_eq!(Sha256::digest(&responses[0])[..], expected.single, "{name}");
            assert_eq!(
                Sha256::digest(responses.join("\n"))[..],
                expected.all,
                "{name}"
            );
        };
        let mut longer = 0;
        for (degree, logn) in [(512, 9), (1024, 10)] {
            let cases = outside.falcon_known_answers(degree);
            let responses: Vec<String> = cases
                .iter()
                .map(|case| {
                    let sm = if logn == 9 {
                        seal_again::<9, 512>(case)
                    } else {
                        seal_again::<10, 1024>(case)
                    };
                    longer += usize::from(sm.len() - case.msg.len() - 2 > signature_size(logn));
                    response(case, &sm)
                })
                .collect();
            check(&format!("Falcon-{degree}"), &responses);

            let responses: Vec<String> = cases
                .iter()
                .map(|case| {
                    let key = SigningKeyOf::<R3, 9, 1024>::from_bytes(&case.sk).unwrap();
                    let mut sm = vec![0; signature_size(logn)];
                    let rng = &mut after_keygen(case);
                    sign_reference(&key, rng, &case.msg, Encoding::Padded, &mut sm).unwrap();
                    sm.extend(&case.msg);
                    response(case, &sm)
                })
                .collect();
            check(&format!("Falcon-padded-{degree}"), &responses);
            let name = format!("falcon-padded-{degree}");
            let case = outside.pqclean_falcon(&name);
            assert_eq!(responses[0], response(&case, &case.sm), "{name}");
        }
        assert_eq!(longer, 1);
    }

    fn sign_again<const MIN: u32, const N: usize>(case: &lanner_vectors::falcon::PythonSignature) {
        let n = 1 << case.logn;
        let mut key = SigningKeyOf::<R3, MIN, N>::EMPTY;
        let secret = &mut key.secret;
        secret.logn = case.logn;
        secret.f[..n].copy_from_slice(&case.f);
        secret.g[..n].copy_from_slice(&case.g);
        secret.big_f[..n].copy_from_slice(&case.big_f);
        secret
            .complete(R3::RULES, &mut DecodingSpace::new())
            .unwrap();
        assert_eq!(secret.big_g[..n], case.big_g);
        let mut vk = vec![0; case.vk.len()];
        key.verifying_key().write_bytes(&mut vk).unwrap();
        assert_eq!(vk, case.vk);

        let (nonce, mut seeds) = case.rng_bytes.split_first_chunk().unwrap();
        let mut attempts = 0;
        let reference = &mut Reference::new(*nonce, |seed| {
            attempts += 1;
            let (now, rest) = seeds.split_at(56);
            seeds = rest;
            seed.copy_from_slice(now);
            Ok(())
        });
        let mut signature = vec![0; signature_size(case.logn)];
        sign_with(
            &key,
            &mut SigningSpace::new(),
            reference,
            b"data1",
            Encoding::Padded,
            &mut signature,
        )
        .unwrap();
        assert_eq!(signature, case.sig);
        assert_eq!(attempts, case.attempts);
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
        for case in outside.falcon_py_signatures() {
            match case.logn {
                10 => sign_again::<10, 1024>(&case),
                9 => sign_again::<9, 512>(&case),
                _ => sign_again::<1, 256>(&case),
            }
        }
    }
}
