//! fn-dsa 0.3.

use fn_dsa::{
    CryptoRng, DOMAIN_NONE, DomainContext, FN_DSA_LOGN_512, FN_DSA_LOGN_1024,
    HASH_ID_ORIGINAL_FALCON, HASH_ID_RAW, HASH_ID_SHA3_256, HASH_ID_SHA256, HASH_ID_SHAKE256,
    HashIdentifier, KeyPairGenerator, KeyPairGenerator512, KeyPairGenerator1024,
    KeyPairGeneratorStandard, KeyPairGeneratorWeak, RngCore, SHA3_256, SHA3_512, SHAKE, SHAKE128,
    SHAKE256, SigningKey, SigningKey512, SigningKey1024, SigningKeyStandard, SigningKeyWeak,
    VerifyingKey, VerifyingKey512, VerifyingKey1024, VerifyingKeyStandard, VerifyingKeyWeak,
    sign_key_size, signature_size, vrfy_key_size,
};
// A generator with a seed comes in the release that goes with its rand_core.
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};

use crate::names::OsRng;
use crate::story::Story;

/// One for each degree that is for use.
const SIZES: [(u32, usize, usize, usize); 2] = [
    (
        FN_DSA_LOGN_512,
        sign_key_size(FN_DSA_LOGN_512),
        vrfy_key_size(FN_DSA_LOGN_512),
        signature_size(FN_DSA_LOGN_512),
    ),
    (
        FN_DSA_LOGN_1024,
        sign_key_size(FN_DSA_LOGN_1024),
        vrfy_key_size(FN_DSA_LOGN_1024),
        signature_size(FN_DSA_LOGN_1024),
    ),
];

/// A signer that is generic over the degree and the generator, as applications have it.
struct Signer<'a, K: SigningKey> {
    key: K,
    context: DomainContext<'a>,
}

impl<K: SigningKey> Signer<'_, K> {
    fn sign<R: CryptoRng + RngCore>(
        &mut self,
        rng: &mut R,
        id: &HashIdentifier,
        hv: &[u8],
    ) -> Vec<u8> {
        let mut signature = vec![0u8; signature_size(self.key.get_logn())];
        self.key.sign(rng, &self.context, id, hv, &mut signature);
        signature
    }
}

fn tell_degree<G: KeyPairGenerator, S: SigningKey, V: VerifyingKey>(story: &mut Story, logn: u32) {
    let mut rng = ChaCha20Rng::from_seed([logn as u8; 32]);
    let mut generator = G::default();
    let mut sign_key = vec![0u8; sign_key_size(logn)];
    let mut vrfy_key = vec![0u8; vrfy_key_size(logn)];
    generator.keygen(logn, &mut rng, &mut sign_key, &mut vrfy_key);
    story.bytes("signing key", &sign_key);
    story.bytes("verifying key", &vrfy_key);
    generator.keygen(logn, &mut rng, &mut sign_key, &mut vrfy_key);
    story.bytes("the next verifying key", &vrfy_key);

    let key = S::decode(&sign_key).expect("a key");
    let mut derived = vec![0u8; vrfy_key_size(logn)];
    key.to_verifying_key(&mut derived);
    story.bytes("derived", &derived);
    story.value("degree", key.get_logn());
    let public = V::decode(&vrfy_key).expect("a key");

    let digest = {
        let mut hash = SHA3_256::new();
        hash.update(b"message");
        hash.digest()
    };
    let mut signer = Signer {
        key,
        context: DomainContext(b"context"),
    };
    for (name, id, hv) in [
        ("raw", HASH_ID_RAW, &b"message"[..]),
        ("falcon", HASH_ID_ORIGINAL_FALCON, b"message"),
        ("SHA3-256", HASH_ID_SHA3_256, &digest),
    ] {
        let signature = signer.sign(&mut OsRng, &id, hv);
        let again = signer.sign(&mut OsRng, &id, hv);
        story.value(name, (signature.len(), signature[0], signature == again));
        let verify = |context: &DomainContext, id: &HashIdentifier, hv: &[u8]| {
            public.verify(&signature, context, id, hv)
        };
        let context = DomainContext(b"context");
        story.value(
            "verdicts",
            (
                verify(&context, &id, hv),
                verify(&context, &id, b"other"),
                verify(&DOMAIN_NONE, &id, hv),
                verify(&context, &HASH_ID_SHA256, hv),
                verify(&context, &HASH_ID_SHAKE256, hv),
                public.verify(&signature[1..], &context, &id, hv),
            ),
        );
    }

    sign_key[0] ^= 1;
    story.value("a header of another degree", S::decode(&sign_key).is_none());
    story.value("cut short", V::decode(&vrfy_key[1..]).is_none());
    story.value(
        "too long",
        V::decode(&[&vrfy_key[..], &[0]].concat()).is_none(),
    );
    vrfy_key[1] = 0xff;
    vrfy_key[2] = 0xff;
    story.value("not reduced", V::decode(&vrfy_key).is_none());
}

fn tell_hashes(story: &mut Story) {
    let mut shake: SHAKE<256> = SHAKE256::new();
    shake.inject(b"abc");
    shake.flip();
    let mut output = [0u8; 200];
    shake.extract(&mut output);
    story.bytes("SHAKE256", output);
    shake.reset();
    shake.flip();
    shake.extract(&mut output[..7]);
    story.bytes("SHAKE256 of nothing", &output[..7]);
    let mut shake = SHAKE128::new();
    shake.inject(&output);
    shake.flip();
    shake.extract(&mut output);
    story.bytes("SHAKE128", output);
    let mut hash = SHA3_512::new();
    hash.update(&output);
    story.bytes("SHA3-512", hash.digest());
}

pub(crate) fn tell(story: &mut Story) {
    story.value("sizes", SIZES);
    tell_degree::<KeyPairGeneratorStandard, SigningKeyStandard, VerifyingKeyStandard>(story, 9);
    tell_degree::<KeyPairGeneratorStandard, SigningKeyStandard, VerifyingKeyStandard>(story, 10);
    tell_degree::<KeyPairGenerator512, SigningKey512, VerifyingKey512>(story, 9);
    tell_degree::<KeyPairGenerator1024, SigningKey1024, VerifyingKey1024>(story, 10);
    for logn in 2..=8 {
        tell_degree::<KeyPairGeneratorWeak, SigningKeyWeak, VerifyingKeyWeak>(story, logn);
    }
    tell_hashes(story);
}
