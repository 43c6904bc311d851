//! A program written for fn-dsa 0.3, with the one edit: `OsRng` comes from the crate itself.
#![cfg(all(feature = "keygen", feature = "sign", feature = "getrandom"))]

use fn_dsa::OsRng;
use lanner_fn_dsa as fn_dsa;

use fn_dsa::{
    CryptoRng, DOMAIN_NONE, DomainContext, FN_DSA_LOGN_512, FN_DSA_LOGN_1024,
    HASH_ID_ORIGINAL_FALCON, HASH_ID_RAW, HASH_ID_SHA3_256, HASH_ID_SHA3_384, HASH_ID_SHA3_512,
    HASH_ID_SHA256, HASH_ID_SHA384, HASH_ID_SHA512, HASH_ID_SHA512_256, HASH_ID_SHAKE128,
    HASH_ID_SHAKE256, HashIdentifier, KeyPairGenerator, KeyPairGenerator512, KeyPairGenerator1024,
    KeyPairGeneratorStandard, KeyPairGeneratorWeak, RngCore, SHA3_224, SHA3_256, SHA3_384,
    SHA3_512, SHAKE, SHAKE128, SHAKE256, SigningKey, SigningKey512, SigningKey1024,
    SigningKeyStandard, SigningKeyWeak, VerifyingKey, VerifyingKey512, VerifyingKey1024,
    VerifyingKeyStandard, VerifyingKeyWeak, sign_key_size, signature_size, vrfy_key_size,
};

const SIGNING_KEY_512: usize = sign_key_size(FN_DSA_LOGN_512);
const VERIFYING_KEY_1024: usize = vrfy_key_size(FN_DSA_LOGN_1024);
const NOTHING: DomainContext = DOMAIN_NONE;

struct Signer<K: SigningKey> {
    key: K,
}

impl<K: SigningKey> Signer<K> {
    fn sign<R: CryptoRng + RngCore>(&mut self, rng: &mut R, message: &[u8]) -> Vec<u8> {
        let mut signature = vec![0u8; signature_size(self.key.get_logn())];
        self.key
            .sign(rng, &NOTHING, &HASH_ID_RAW, message, &mut signature);
        signature
    }
}

fn round_trip<G: KeyPairGenerator, S: SigningKey, V: VerifyingKey>(logn: u32) {
    let mut generator = G::default();
    let mut sign_key = vec![0u8; sign_key_size(logn)];
    let mut vrfy_key = vec![0u8; vrfy_key_size(logn)];
    generator.keygen(logn, &mut OsRng, &mut sign_key, &mut vrfy_key);

    // The seed crate signs with `&mut self`, so programs have this.
    #[allow(unused_mut)]
    let mut key = S::decode(&sign_key).expect("a key");
    assert_eq!(key.get_logn(), logn);
    let mut derived = vec![0u8; vrfy_key_size(logn)];
    key.to_verifying_key(&mut derived);
    assert_eq!(derived, vrfy_key);

    let public = V::decode(&vrfy_key).expect("a key");
    let mut signature = vec![0u8; signature_size(logn)];
    let ids: [&HashIdentifier; 11] = [
        &HASH_ID_RAW,
        &HASH_ID_ORIGINAL_FALCON,
        &HASH_ID_SHA256,
        &HASH_ID_SHA384,
        &HASH_ID_SHA512,
        &HASH_ID_SHA512_256,
        &HASH_ID_SHA3_256,
        &HASH_ID_SHA3_384,
        &HASH_ID_SHA3_512,
        &HASH_ID_SHAKE128,
        &HASH_ID_SHAKE256,
    ];
    for (i, id) in ids.iter().enumerate() {
        let context = DomainContext(b"context");
        key.sign(&mut OsRng, &context, id, b"message", &mut signature);
        for (j, other) in ids.iter().enumerate() {
            let good = public.verify(&signature, &context, other, b"message");
            assert_eq!(good, i == j);
        }
        assert!(!public.verify(&signature, &context, id, b"another"));
        let falcon = id.0 == HASH_ID_ORIGINAL_FALCON.0;
        assert_eq!(
            public.verify(&signature, &DOMAIN_NONE, id, b"message"),
            falcon
        );
    }
    let mut signer = Signer { key };
    let signature = signer.sign(&mut OsRng, b"generic");
    assert!(public.verify(&signature, &DOMAIN_NONE, &HASH_ID_RAW, b"generic"));
}

#[test]
fn every_type() {
    round_trip::<KeyPairGeneratorStandard, SigningKeyStandard, VerifyingKeyStandard>(9);
    round_trip::<KeyPairGeneratorStandard, SigningKeyStandard, VerifyingKeyStandard>(10);
    round_trip::<KeyPairGenerator512, SigningKey512, VerifyingKey512>(9);
    round_trip::<KeyPairGenerator1024, SigningKey1024, VerifyingKey1024>(10);
    for logn in 2..=8 {
        round_trip::<KeyPairGeneratorWeak, SigningKeyWeak, VerifyingKeyWeak>(logn);
    }
}

/// The example of fn-dsa's page, with its arrays.
#[test]
fn example() {
    let mut kg = KeyPairGeneratorStandard::default();
    let mut sign_key = [0u8; SIGNING_KEY_512];
    let mut vrfy_key = [0u8; vrfy_key_size(FN_DSA_LOGN_512)];
    kg.keygen(FN_DSA_LOGN_512, &mut OsRng, &mut sign_key, &mut vrfy_key);

    #[allow(unused_mut)] // 0.3 signs with `&mut self`
    let mut sk = SigningKeyStandard::decode(&sign_key).unwrap();
    let mut sig = vec![0u8; signature_size(sk.get_logn())];
    sk.sign(&mut OsRng, &DOMAIN_NONE, &HASH_ID_RAW, b"message", &mut sig);

    match VerifyingKeyStandard::decode(&vrfy_key) {
        Some(vk) => assert!(vk.verify(&sig, &DOMAIN_NONE, &HASH_ID_RAW, b"message")),
        _ => panic!("could not decode verifying key"),
    }
    assert_eq!(VERIFYING_KEY_1024, 1793);
}

#[test]
fn hashes() {
    let mut shake: SHAKE<256> = SHAKE256::new();
    shake.inject(b"abc");
    shake.flip();
    let mut first = [0u8; 32];
    shake.extract(&mut first);
    shake.reset();
    shake.inject(b"abc");
    shake.flip();
    let mut second = [0u8; 32];
    shake.extract(&mut second);
    assert_eq!(first, second);
    let mut other = SHAKE128::new();
    other.inject(b"abc");
    other.flip();
    other.extract(&mut second);
    assert_ne!(first, second);

    let mut hash = SHA3_256::new();
    hash.update(b"abc");
    let digest: [u8; 32] = hash.digest();
    assert_eq!(digest[0], 0x3a);
    let lengths = (
        SHA3_224::new().digest().len(),
        SHA3_384::new().digest().len(),
        SHA3_512::new().digest().len(),
    );
    assert_eq!(lengths, (28, 48, 64));
}

/// The traits that the types have there.
#[test]
fn traits() {
    use zeroize::{Zeroize, ZeroizeOnDrop};

    fn secrets<T: Zeroize + ZeroizeOnDrop>() {}
    secrets::<SigningKeyStandard>();
    secrets::<SigningKeyWeak>();
    secrets::<SigningKey512>();
    secrets::<SigningKey1024>();
    secrets::<KeyPairGeneratorStandard>();
    secrets::<KeyPairGeneratorWeak>();
    secrets::<KeyPairGenerator512>();
    secrets::<KeyPairGenerator1024>();
    fn public<T: Copy + core::fmt::Debug>() {}
    public::<VerifyingKeyStandard>();
    public::<VerifyingKeyWeak>();
    public::<VerifyingKey512>();
    public::<VerifyingKey1024>();

    // `Copy` as well, there.
    #[derive(Clone, Debug)]
    #[allow(dead_code)] // shown alone
    struct Hashes {
        shake: (SHAKE128, SHAKE256),
        sha3: (SHA3_224, SHA3_256, SHA3_384, SHA3_512),
    }
    let mut hashes = Hashes {
        shake: (SHAKE::new(), SHAKE::new()),
        sha3: Default::default(),
    };
    hashes.shake.1.inject(b"a secret");
    hashes.sha3.1.update(b"a secret");
    // They say nothing of what went in.
    assert_eq!(
        format!("{:?}", hashes.clone()),
        "Hashes { shake: (SHAKE<128> { .. }, SHAKE<256> { .. }), \
         sha3: (SHA3_224 { .. }, SHA3_256 { .. }, SHA3_384 { .. }, SHA3_512 { .. }) }"
    );
    // The errors of generators have one name in every variant.
    let _: fn(fn_dsa::RngError) -> fn_dsa::draft2026::RngError = |error| error;
}

/// A generator of rand_core 0.6 gives its own bytes: the key pair and the signature are those that it makes there.
#[cfg(feature = "rand_core_06")]
#[test]
fn generators_of_rand_core_06() {
    use fn_dsa::rand_core_06 as old;
    use lanner_fn_dsa::Rng06;
    use lanner_fn_dsa::rand_core::{Rng, TryCryptoRng, TryRng};

    /// The bytes 0, 1, 2, …, by whichever traits they are asked for.
    #[derive(Default)]
    struct Counting(u8);

    impl Counting {
        fn fill(&mut self, output: &mut [u8]) {
            for byte in output {
                *byte = self.0;
                self.0 = self.0.wrapping_add(1);
            }
        }
    }

    impl old::RngCore for Counting {
        fn next_u32(&mut self) -> u32 {
            let mut bytes = [0; 4];
            self.fill(&mut bytes);
            u32::from_le_bytes(bytes)
        }

        fn next_u64(&mut self) -> u64 {
            let mut bytes = [0; 8];
            self.fill(&mut bytes);
            u64::from_le_bytes(bytes)
        }

        fn fill_bytes(&mut self, output: &mut [u8]) {
            self.fill(output);
        }

        fn try_fill_bytes(&mut self, output: &mut [u8]) -> Result<(), old::Error> {
            self.fill(output);
            Ok(())
        }
    }

    impl old::CryptoRng for Counting {}

    struct Same(Counting);

    impl TryRng for Same {
        type Error = core::convert::Infallible;

        fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
            unreachable!("bytes alone are asked for")
        }

        fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
            unreachable!("bytes alone are asked for")
        }

        fn try_fill_bytes(&mut self, output: &mut [u8]) -> Result<(), Self::Error> {
            self.0.fill(output);
            Ok(())
        }
    }

    impl TryCryptoRng for Same {}

    fn pair_and_signature(rng: &mut impl CryptoRng) -> (Vec<u8>, Vec<u8>) {
        let (mut sk, mut vk) = (vec![0; 1281], vec![0; 897]);
        KeyPairGeneratorStandard::default().keygen(9, rng, &mut sk, &mut vk);
        let mut signature = vec![0; 666];
        let mut key = SigningKeyStandard::decode(&sk).unwrap();
        key.sign(rng, &DOMAIN_NONE, &HASH_ID_RAW, b"m", &mut signature);
        (vk, signature)
    }

    // By value, and borrowed.
    let mut old = Counting::default();
    let expected = pair_and_signature(&mut Same(Counting::default()));
    assert_eq!(pair_and_signature(&mut Rng06(&mut old)), expected);
    assert_eq!(old.0, 32 + 40);
    assert_eq!(
        pair_and_signature(&mut Rng06(Counting::default())),
        expected
    );
    let mut both = (Rng06(Counting::default()), Counting::default());
    let mut bytes = [0; 12];
    both.1.fill(&mut bytes);
    assert_eq!(both.0.next_u32().to_le_bytes(), bytes[..4]);
    assert_eq!(both.0.next_u64().to_le_bytes(), bytes[4..]);
}
