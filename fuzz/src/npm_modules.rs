//! The two modules of the npm package that compute Ed25519 by arithmetic of their own, compiled for this machine, against
//! the library: keys, signatures, verdicts under every profile, and whole batches of the fast one.

use lanner_curve::edwards::CompressedEdwardsY;
use lanner_curve::scalar::Scalar;
use lanner_ed25519::profile::ProfileName;
use lanner_ed25519::{Digest, Sha512, Signer, SigningKey};
use lanner_wasm_curve::rule::{CANONICAL_KEY, CANONICAL_R, COFACTORED, LARGE_ORDER, LOOSE_SCALAR};
use lanner_wasm_curve::scheme::{Engine, State};

use crate::bytes::Bytes;
use crate::items::{Item, item};

/// The profiles, and the bits that a module takes for them.
const PROFILES: [(ProfileName, u32); 7] = [
    (
        ProfileName::Rfc8032,
        COFACTORED | CANONICAL_KEY | CANONICAL_R,
    ),
    (ProfileName::Rfc8032Cofactorless, CANONICAL_KEY),
    (ProfileName::Dalek, 0),
    (ProfileName::Strict, LARGE_ORDER),
    (ProfileName::Zip215, COFACTORED),
    (ProfileName::Donna, LOOSE_SCALAR),
    (ProfileName::Libsodium, LARGE_ORDER | CANONICAL_KEY),
];

/// What a module has in its memory.
struct Module<E: Engine> {
    state: State<E>,
    engine: E,
}

impl<E: Engine> Module<E> {
    fn new() -> Box<Self> {
        let mut module = Box::new(Self {
            state: State::EMPTY,
            engine: E::EMPTY,
        });
        module.engine.prepare();
        module
    }

    fn hash(&mut self, message: &[u8]) {
        self.state.io[..message.len()].copy_from_slice(message);
        self.state.update(&self.engine, message.len());
    }

    /// A public key and a signature, in the steps that JavaScript takes.
    fn sign(&mut self, seed: &[u8; 32], message: &[u8]) -> ([u8; 32], [u8; 64]) {
        self.state.io[..32].copy_from_slice(seed);
        self.state.expand(&self.engine);
        self.state.derive(&mut self.engine);
        let key = self.state.input(32);
        self.state.sign_start(&self.engine, 0);
        self.hash(message);
        assert!(self.state.commit(&mut self.engine, 0, true), "its own key");
        self.hash(message);
        self.state.respond(&self.engine);
        let signature = self.state.io.first_chunk().expect("there is room");
        (key, *signature)
    }

    fn verify(&mut self, item: &Item, rules: u32) -> bool {
        let (signature, key) = self.state.io.split_at_mut(64);
        signature.copy_from_slice(&item.signature.to_bytes());
        key[..32].copy_from_slice(item.key.as_bytes());
        self.state.verify_start(&self.engine, 0, rules);
        self.hash(&item.message);
        self.state.hash_finish(&self.engine);
        self.state.verify_finish(&mut self.engine)
    }
}

/// Both modules; a thread has its own.
struct Both {
    small: Box<Module<lanner_wasm_small::Engine>>,
    fast: Box<Module<lanner_wasm_fast::Engine>>,
}

impl Both {
    fn sign(&mut self, mut bytes: Bytes<'_>) {
        let seed = bytes.array();
        let message = &bytes.rest()[..bytes.rest().len().min(1000)];
        let key = SigningKey::from_bytes(&seed);
        let expected = (key.verifying_key().to_bytes(), key.sign(message).to_bytes());
        assert_eq!(self.small.sign(&seed, message), expected, "small");
        assert_eq!(self.fast.sign(&seed, message), expected, "fast");
    }

    fn verify(&mut self, mut bytes: Bytes<'_>) {
        let (profile, rules) = PROFILES[bytes.below(7)];
        let item = item(&mut bytes, 100);
        let expected = verdict(&item, profile);
        assert_eq!(
            self.small.verify(&item, rules),
            expected,
            "small, {profile}"
        );
        assert_eq!(self.fast.verify(&item, rules), expected, "fast, {profile}");
    }

    /// Whether all are found valid together: one equation for the whole batch. Where they are not, JavaScript asks one by
    /// one; that must not happen to valid ones, but for those of a signer who brought it about.
    fn batch(&mut self, mut bytes: Bytes<'_>) {
        let (profile, rules) = PROFILES[bytes.below(7)];
        let count = bytes.below(12);
        let items: Vec<Item> = (0..count).map(|_| item(&mut bytes, 24)).collect();
        let hashed: Vec<[u8; 160]> = items.iter().map(hashed).collect();
        let expected = items.iter().all(|item| verdict(item, profile));
        let valid = self.fast.engine.vartime_are_valid(&hashed, rules);
        let odd = rules & COFACTORED == 0 && items.iter().any(has_neutral_residue);
        assert!(valid == expected || expected && odd, "{profile}: {valid}");
    }
}

fn verdict(item: &Item, profile: ProfileName) -> bool {
    let key = item.key.under(profile);
    key.verify(&item.message, &item.signature).is_ok()
}

/// R, S, the key, and the hash of R, the key and the message.
fn hashed(item: &Item) -> [u8; 160] {
    let hash = Sha512::new()
        .chain_update(item.signature.r_bytes())
        .chain_update(item.key.as_bytes())
        .chain_update(&item.message);
    let mut bytes = [0; 160];
    bytes[..64].copy_from_slice(&item.signature.to_bytes());
    bytes[64..96].copy_from_slice(item.key.as_bytes());
    bytes[96..].copy_from_slice(&hash.finalize());
    bytes
}

/// Whether R is \[-k mod 8]A.
fn has_neutral_residue(item: &Item) -> bool {
    let k = Scalar::from_bytes_mod_order_wide(hashed(item)[96..].first_chunk().expect("64"));
    let m = Scalar::from(u64::from(k.as_bytes()[0].wrapping_neg() % 8));
    let r = CompressedEdwardsY(*item.signature.r_bytes()).decompress();
    r.is_some_and(|r| r == item.key.to_edwards() * m)
}

/// The first byte says what is compared.
pub fn run(data: &[u8]) {
    use std::cell::RefCell;
    thread_local! {
        static BOTH: RefCell<Both> = RefCell::new(Both {
            small: Module::new(),
            fast: Module::new(),
        });
    }
    let mut bytes = Bytes::new(data);
    let what = bytes.below(4);
    BOTH.with_borrow_mut(|both| match what {
        0 => both.sign(bytes),
        3 => both.batch(bytes),
        _ => both.verify(bytes),
    });
}

/// Each kind of claim under each profile, signatures, and batches.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = vec![vec![0], [&[0][..], &[7; 200]].concat()];
    for profile in 0..7 {
        for kind in 0..9 {
            seeds.push(vec![1, profile, kind, profile, 2, 3, 4, 5, 6, 7]);
        }
        let mut batch = vec![3, profile, 8];
        for i in 0..8 {
            batch.extend([8 - i % (1 + profile % 2 * 8), i, 3, 1, 2, 3]);
        }
        seeds.push(batch);
    }
    seeds
}
