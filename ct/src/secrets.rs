//! The input of the checks.

use std::ops::Range;
use std::sync::OnceLock;

use lanner_ed25519::SigningKey;
use lanner_fn_dsa::{SigningKey512, SigningKey1024, draft2026, falcon};
use lanner_hybrid::HYBRID_512_OID;
use lanner_x25519::StaticSecret;
use lanner_x25519::pkcs8::der::asn1::OctetStringRef;
use lanner_x25519::pkcs8::der::pem::PemLabel;
use lanner_x25519::pkcs8::spki::AlgorithmIdentifierRef;
use lanner_x25519::pkcs8::{EncodePrivateKey, LineEnding, PrivateKeyInfoRef, SecretDocument};

use crate::memcheck;

/// Secrets, to be marked or not, and what is public beside them.
#[derive(Clone)]
pub(crate) struct Secrets {
    /// A seed, a secret scalar, a secret key.
    pub(crate) seed: [u8; 32],
    /// Another.
    pub(crate) other: [u8; 32],
    /// What a hash gives.
    pub(crate) wide: [u8; 64],
    /// The public key of X25519 that somebody sent; marked as well, since that operation
    /// promises constant time in it.
    pub(crate) peer: [u8; 32],
    /// Encoded signing keys.
    pub(crate) fn_dsa: FnDsa,
    /// Key files.
    pub(crate) files: Files,
    /// Public, and the same in every input.
    pub(crate) message: &'static [u8],
    /// Public, and the same in every input: an Ed25519 public key that belongs to none of these secrets.
    pub(crate) somebody: [u8; 32],
    /// Public: the Ed25519 public key of the seed.
    pub(crate) public: [u8; 32],
}

/// Encoded signing keys of FN-DSA. All of them is secret but the header and, at the end of those of
/// the draft guess, the hash of the public key.
#[derive(Clone, Default)]
pub(crate) struct FnDsa {
    pub(crate) main_512: Vec<u8>,
    pub(crate) main_1024: Vec<u8>,
    pub(crate) draft_512: Vec<u8>,
    pub(crate) draft_1024: Vec<u8>,
}

/// Key files of secret keys.
#[derive(Clone, Default)]
pub(crate) struct Files {
    pub(crate) ed25519_der: File,
    pub(crate) ed25519_der_v2: File,
    pub(crate) ed25519_pem: File,
    pub(crate) x25519_der: File,
    pub(crate) x25519_pem: File,
    pub(crate) hybrid_der: File,
    pub(crate) hybrid_pem: File,
    pub(crate) fn_dsa_der: File,
    pub(crate) fn_dsa_pem: File,
    pub(crate) falcon_der: File,
}

/// A file, and which of its bytes are secret.
#[derive(Clone, Default)]
pub(crate) struct File {
    /// A string, so that whoever wants one need not look whether these bytes are one.
    text: Option<String>,
    bytes: Vec<u8>,
    secret: Vec<usize>,
}

impl File {
    /// A file in DER that holds a secret key.
    fn der(bytes: &[u8], key: &[u8]) -> Self {
        let at = bytes.windows(key.len()).position(|window| window == key);
        let at = at.expect("the key lies in the file");
        Self {
            text: None,
            bytes: bytes.to_vec(),
            secret: (at..at + key.len()).collect(),
        }
    }

    /// A file in PEM, around these bytes. A character stands for six bits; those that stand for the
    /// secret and for nothing else are secret, except the last four of the text, which tell its length.
    fn pem(text: &str, der: &Self) -> Self {
        let (first, last) = (der.secret[0], der.secret[der.secret.len() - 1]);
        let inside: Range<usize> =
            (first * 4).div_ceil(3)..((last + 1) * 4 / 3).min((der.bytes.len() - 1) / 3 * 4);
        let body = text.find('\n').expect("PEM has lines") + 1;
        let characters = text.bytes().enumerate().skip(body);
        let characters = characters.filter(|(_, character)| *character != b'\n');
        let secret = characters.skip(inside.start).take(inside.len());
        Self {
            secret: secret.map(|(at, _)| at).collect(),
            text: Some(String::from(text)),
            bytes: Vec::new(),
        }
    }

    /// What is in a file in DER.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What is in a file in PEM.
    pub(crate) fn text(&self) -> &str {
        self.text.as_deref().expect("this file is text")
    }

    fn mark(&mut self) {
        let contents = match &self.text {
            Some(text) => text.as_bytes(),
            None => &self.bytes,
        };
        for &at in &self.secret {
            memcheck::classify(&contents[at..=at]);
        }
    }
}

impl FnDsa {
    fn new(seed: &[u8; 32]) -> Self {
        let (mut main_512, mut main_1024) = (vec![0; 1281], vec![0; 2305]);
        let (mut draft_512, mut draft_1024) = (vec![0; 1345], vec![0; 2369]);
        let written = SigningKey512::from_seed(seed)
            .and_then(|key| key.write_bytes(&mut main_512))
            .and(SigningKey1024::from_seed(seed))
            .and_then(|key| key.write_bytes(&mut main_1024))
            .and(draft2026::SigningKey512::from_seed(seed))
            .and_then(|key| key.write_bytes(&mut draft_512))
            .and(draft2026::SigningKey1024::from_seed(seed))
            .and_then(|key| key.write_bytes(&mut draft_1024));
        written.expect("degrees and sizes are right");
        Self {
            main_512,
            main_1024,
            draft_512,
            draft_1024,
        }
    }

    /// Those of the draft guess last.
    fn all(&mut self) -> [&mut Vec<u8>; 4] {
        [
            &mut self.main_512,
            &mut self.main_1024,
            &mut self.draft_512,
            &mut self.draft_1024,
        ]
    }

    fn mark(&mut self) {
        /// Bytes of the hash of the public key.
        const HASH: usize = 64;
        for (key, hash) in self.all().into_iter().zip([0, 0, HASH, HASH]) {
            if let [_, secret @ ..] = &key[..key.len().saturating_sub(hash)] {
                memcheck::classify(secret);
            }
        }
    }
}

impl Files {
    fn new(seed: &[u8; 32]) -> Self {
        const FINE: &str = "a key is written";
        let ed25519 = SigningKey::from_bytes(seed);
        let x25519 = StaticSecret::from(*seed);
        let ed25519_der = File::der(ed25519.to_pkcs8_der().expect(FINE).as_bytes(), seed);
        let ed25519_v2 = ed25519.to_pkcs8_v2_der().expect(FINE);
        let x25519_der = File::der(x25519.to_pkcs8_der().expect(FINE).as_bytes(), seed);
        let lines = LineEnding::LF;
        // The seed is all that such a file holds; the key itself would take as long as one of FN-DSA.
        let algorithm = AlgorithmIdentifierRef {
            oid: HYBRID_512_OID,
            parameters: None,
        };
        let hybrid = PrivateKeyInfoRef::new(algorithm, OctetStringRef::new(seed).expect(FINE));
        let hybrid = SecretDocument::try_from(hybrid).expect(FINE);
        let hybrid_der = File::der(hybrid.as_bytes(), seed);
        let hybrid_pem = hybrid.to_pem(PrivateKeyInfoRef::PEM_LABEL, lines);
        Self {
            ed25519_pem: File::pem(&ed25519.to_pkcs8_pem(lines).expect(FINE), &ed25519_der),
            ed25519_der_v2: File::der(ed25519_v2.as_bytes(), seed),
            ed25519_der,
            x25519_pem: File::pem(&x25519.to_pkcs8_pem(lines).expect(FINE), &x25519_der),
            x25519_der,
            hybrid_pem: File::pem(&hybrid_pem.expect(FINE), &hybrid_der),
            hybrid_der,
            ..Self::default()
        }
    }

    fn all(&mut self) -> [&mut File; 10] {
        [
            &mut self.ed25519_der,
            &mut self.ed25519_der_v2,
            &mut self.ed25519_pem,
            &mut self.x25519_der,
            &mut self.x25519_pem,
            &mut self.hybrid_der,
            &mut self.hybrid_pem,
            &mut self.fn_dsa_der,
            &mut self.fn_dsa_pem,
            &mut self.falcon_der,
        ]
    }

    fn add_fn_dsa(&mut self, keys: &FnDsa) {
        const FINE: &str = "a key is written";
        let (key, secret) = (&keys.main_512, &keys.main_512[1..]);
        let falcon = falcon::SigningKey512::from_bytes(key).expect("a key");
        self.falcon_der = File::der(falcon.to_pkcs8_der().expect(FINE).as_bytes(), secret);
        let key = SigningKey512::from_bytes(key).expect("a key");
        self.fn_dsa_der = File::der(key.to_pkcs8_der().expect(FINE).as_bytes(), secret);
        let pem = key.to_pkcs8_pem(LineEnding::LF).expect(FINE);
        self.fn_dsa_pem = File::pem(&pem, &self.fn_dsa_der);
    }
}

/// So many different inputs exist.
pub(crate) const INPUTS: usize = 4;

impl Secrets {
    /// Input number `i`, not marked; with the keys of FN-DSA and their files, or with none.
    pub(crate) fn new(i: usize, fn_dsa: bool) -> Self {
        // Key generation takes a second under valgrind.
        static MADE: [OnceLock<FnDsa>; INPUTS] = [const { OnceLock::new() }; INPUTS];
        let mut secrets = Self::make(i as u64);
        if fn_dsa {
            let keys = MADE[i].get_or_init(|| FnDsa::new(&secrets.seed));
            secrets.files.add_fn_dsa(keys);
            secrets.fn_dsa = keys.clone();
        }
        secrets
    }

    /// Another input, of any number of them, not marked; with the keys of FN-DSA and their files, which take 25 ms, or with none.
    pub(crate) fn another(i: usize, fn_dsa: bool) -> Self {
        let mut secrets = Self::make(i as u64);
        if fn_dsa {
            secrets.fn_dsa = FnDsa::new(&secrets.seed);
            secrets.files.add_fn_dsa(&secrets.fn_dsa);
        }
        secrets
    }

    /// Takes the values of another input, each to where its own was.
    pub(crate) fn set(&mut self, another: &mut Self) {
        self.seed = another.seed;
        self.other = another.other;
        self.wide = another.wide;
        self.peer = another.peer;
        self.public = another.public;
        for (key, another) in self.fn_dsa.all().into_iter().zip(another.fn_dsa.all()) {
            key.clone_from(another);
        }
        for (file, another) in self.files.all().into_iter().zip(another.files.all()) {
            file.bytes.clone_from(&another.bytes);
            file.text.clone_from(&another.text);
        }
    }

    /// Bytes from a multiplicative generator: any will do.
    fn make(i: u64) -> Self {
        let mut state = i.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut next = || {
            state = state.wrapping_mul(0xD129_0D3E_2C5B_4A75).wrapping_add(i);
            state.to_be_bytes()[0]
        };
        let seed = [(); 32].map(|()| next());
        Self {
            seed,
            other: [(); 32].map(|()| next()),
            wide: [(); 64].map(|()| next()),
            peer: [(); 32].map(|()| next()),
            files: Files::new(&seed),
            fn_dsa: FnDsa::default(),
            message: b"a message that is longer than one of its pieces",
            somebody: SigningKey::from_bytes(&[1; 32]).verifying_key().to_bytes(),
            public: SigningKey::from_bytes(&seed).verifying_key().to_bytes(),
        }
    }

    /// The same, marked.
    pub(crate) fn marked(&self) -> Box<Self> {
        let mut marked = Box::new(self.clone());
        memcheck::classify(&marked.seed);
        memcheck::classify(&marked.other);
        memcheck::classify(&marked.wide);
        memcheck::classify(&marked.peer);
        marked.fn_dsa.mark();
        marked.files.all().into_iter().for_each(File::mark);
        marked
    }
}
