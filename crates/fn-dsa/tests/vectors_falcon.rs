//! Original Falcon, round 3: known answers of NIST's submission, PQClean, liboqs, falcon.py and COSE's draft, which verify, and are
//! made again where the generator is known.

use lanner_fn_dsa::falcon::{Encoding, VerifyingKey512, VerifyingKeyWeak, open, verify, verify_as};
use lanner_fn_dsa::variant::R3;
use lanner_fn_dsa::{VerifyingKeyOf, signature_size};
use lanner_vectors::falcon::KnownAnswer;
use lanner_vectors::outside;

/// The nonce, and s2 as it is compressed, of a signed message of the NIST interface: the length of the latter, the nonce, the
/// message, and a header before s2.
fn split(logn: u32, signed: &[u8]) -> (&[u8], &[u8]) {
    let (length, rest) = signed.split_at(2);
    let length = usize::from(u16::from_be_bytes([length[0], length[1]]));
    let (nonce, rest) = rest.split_at(40);
    let part = &rest[rest.len() - length..];
    assert_eq!(u32::from(part[0]), 0x20 + logn);
    (nonce, &part[1..])
}

/// The coefficients: a sign, seven bits and the rest in unary, from the most significant bit of each byte on.
fn decompress(logn: u32, bytes: &[u8]) -> Vec<i16> {
    let mut bits = (0..8 * bytes.len()).map(|at| bytes[at / 8] >> (7 - at % 8) & 1);
    let mut coefficient = || {
        let mut bit = || i16::from(bits.next().expect("another bit"));
        let sign = 1 - 2 * bit();
        let mut value = (0..7).fold(0, |value, _| 2 * value + bit());
        while bit() == 0 {
            value += 128;
        }
        sign * value
    };
    (0..1 << logn).map(|_| coefficient()).collect()
}

/// Coefficients of twelve bits; two of them are three bytes.
fn of_twelve_bits(s2: &[i16]) -> Vec<u8> {
    s2.as_chunks::<2>()
        .0
        .iter()
        .map(|pair| pair.map(|x| u32::from(x as u16 & 0xfff)))
        .flat_map(|[a, b]| (a << 12 | b).to_be_bytes().into_iter().skip(1))
        .collect()
}

fn check_known<const MIN: u32, const N: usize>(case: &KnownAnswer) {
    let key = VerifyingKeyOf::<R3, MIN, N>::from_bytes(&case.pk).unwrap();
    let logn = key.logn();
    assert_eq!(open(&key, &case.sm).unwrap(), case.msg);
    for at in [0, 2, 42, case.sm.len() / 2, case.sm.len() - 1] {
        let mut spoiled = case.sm.clone();
        spoiled[at] ^= 1;
        assert!(open(&key, &spoiled).is_err(), "byte {at}");
    }
    // The same signature in the other encodings.
    let (nonce, body) = split(logn, &case.sm);
    let head = |kind| [&[kind + logn as u8], nonce].concat();
    let compressed = [&head(0x30), body].concat();
    let constant = [head(0x50), of_twelve_bits(&decompress(logn, body))].concat();
    let message = &case.msg;
    check_lengths(&key, &compressed, message, Encoding::Compressed);
    check_lengths(&key, &constant, message, Encoding::ConstantTime);
    // About one signature of degree 1024 in a thousand has no padded form.
    let size = signature_size(logn);
    if compressed.len() <= size {
        let mut padded = compressed.clone();
        padded.resize(size, 0);
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
    use super::*;
    use aes::cipher::{BlockCipherEncrypt, KeyInit};
    use lanner_fn_dsa::SigningKeyOf;
    use lanner_fn_dsa::falcon::{max_sealed_size, seal_reference, sign_reference};
    use lanner_fn_dsa::rand_core::{TryCryptoRng, TryRng};
    use std::convert::Infallible;

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
}
