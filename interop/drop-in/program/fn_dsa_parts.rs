//! The crates behind fn-dsa, by themselves: a device that only verifies has one of them.

use crate::names::{
    RngError, fn_dsa_comm, fn_dsa_kgen, fn_dsa_sign, fn_dsa_vrfy, old_rand_chacha, taken, traits,
};
use crate::story::Story;
use fn_dsa_kgen::KeyPairGenerator as _;
use fn_dsa_sign::SigningKey as _;
use fn_dsa_vrfy::VerifyingKey as _;
use old_rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A generator of the program's own, behind the traits that fn-dsa names: bytes that count.
struct Counter(u8);

impl traits::RngCore for Counter {
    fn next_u32(&mut self) -> u32 {
        let mut bytes = [0; 4];
        self.fill_bytes(&mut bytes);
        u32::from_le_bytes(bytes)
    }

    fn next_u64(&mut self) -> u64 {
        let mut bytes = [0; 8];
        self.fill_bytes(&mut bytes);
        u64::from_le_bytes(bytes)
    }

    fn fill_bytes(&mut self, output: &mut [u8]) {
        for byte in output {
            *byte = self.0;
            self.0 = self.0.wrapping_add(1);
        }
    }

    fn try_fill_bytes(&mut self, output: &mut [u8]) -> Result<(), RngError> {
        self.fill_bytes(output);
        Ok(())
    }
}

impl traits::CryptoRng for Counter {}

/// A program that wipes what it has no more use for.
fn wipe<T: Zeroize + ZeroizeOnDrop>(mut secret: T) {
    secret.zeroize();
}

/// One that shows the hash that it is in the middle of.
#[derive(Clone, Debug)]
#[allow(dead_code)] // shown alone
struct Hashing {
    shake: fn_dsa_comm::shake::SHAKE256,
    sha3: fn_dsa_comm::shake::SHA3_256,
}

pub(crate) fn tell(story: &mut Story) {
    let mut counter = Counter(1);
    let mut own = ([0u8; 1281], [0u8; 897]);
    let mut generator = fn_dsa_kgen::KeyPairGenerator512::default();
    generator.keygen(9, &mut taken(&mut counter), &mut own.0, &mut own.1);
    story.value("parts: bytes drawn", counter.0);
    story.bytes("parts: by a generator of its own", own.1);
    wipe(generator);
    wipe(fn_dsa_sign::SigningKey512::decode(&own.0).expect("a key"));
    let hashing = Hashing {
        shake: fn_dsa_comm::shake::SHAKE256::new(),
        sha3: fn_dsa_comm::shake::SHA3_256::new(),
    };
    story.value("parts: shown", !format!("{:?}", hashing.clone()).is_empty());

    let mut sign_key = [0u8; fn_dsa_kgen::sign_key_size(fn_dsa_kgen::FN_DSA_LOGN_512)];
    let mut vrfy_key = [0u8; fn_dsa_kgen::vrfy_key_size(fn_dsa_kgen::FN_DSA_LOGN_512)];
    let mut rng = ChaCha20Rng::from_seed([99; 32]);
    let mut generator = fn_dsa_kgen::KeyPairGeneratorStandard::default();
    // Here the program keeps the generator that it has.
    generator.keygen(9, &mut taken(&mut rng), &mut sign_key, &mut vrfy_key);
    story.bytes("parts: verifying key", vrfy_key);

    let mut key = fn_dsa_sign::SigningKeyStandard::decode(&sign_key).expect("a key");
    let mut signature = [0u8; fn_dsa_sign::signature_size(9)];
    key.sign(
        &mut taken(&mut rng),
        &fn_dsa_sign::DOMAIN_NONE,
        &fn_dsa_sign::HASH_ID_RAW,
        b"message",
        &mut signature,
    );

    let key = fn_dsa_vrfy::VerifyingKeyStandard::decode(&vrfy_key).expect("a key");
    let context = fn_dsa_vrfy::DomainContext(b"");
    let id = fn_dsa_vrfy::HashIdentifier(&[0]);
    story.value(
        "parts: verdicts",
        (
            key.verify(&signature, &context, &id, b"message"),
            key.verify(&signature, &context, &id, b"massage"),
        ),
    );

    let mut point = [0u16; 512];
    fn_dsa_comm::hash_to_point(
        &[7; 40],
        &[8; 64],
        &fn_dsa_comm::DOMAIN_NONE,
        &fn_dsa_comm::HASH_ID_RAW,
        b"message",
        &mut point,
    );
    story.value("parts: point", point);
    let mut shake = fn_dsa_comm::shake::SHAKE256::new();
    shake.inject(b"abc");
    shake.flip();
    let mut output = [0u8; 32];
    shake.extract(&mut output);
    story.bytes("parts: SHAKE256", output);
}
