//! FN-DSA and Falcon: keys, key generation, and signing in every variant.

use lanner_fn_dsa::falcon::{self, Encoding, det1024, max_sealed_size, max_signature_size};
use lanner_fn_dsa::jose::{self, Jwk};
use lanner_fn_dsa::shake::SeededRng;
use lanner_fn_dsa::{
    DOMAIN_NONE, DecodingSpace, DomainContext, HASH_ID_RAW, HASH_ID_SHA256, KeyPairGenerator,
    KeyPairGenerator512, PreparedSigningKey512, SigningKey512, SigningKey1024, SigningKeyStandard,
    SigningKeyWeak, SigningSpace, SigningSpaceEach, draft2026,
};
use subtle::ConstantTimeEq;

use super::Check;
use crate::output::Output;
use crate::secrets::Secrets;

/// Decoding, encoding and comparing signing keys.
pub(super) const KEYS: &[Check] = &[
    ("fn-dsa-decode-512", |s| public_512(&key_512(s))),
    ("fn-dsa-decode-1024", |s| public_1024(&key_1024(s))),
    ("fn-dsa-decode-either", |s| {
        let key = SigningKeyStandard::from_bytes(&s.fn_dsa.main_512).expect("a key");
        let mut out = Output::default();
        out.write(897, |bytes| {
            key.verifying_key().write_bytes(bytes).expect("its size")
        });
        out
    }),
    ("fn-dsa-decode-draft-512", |s| {
        let mut out = Output::default();
        let key = draft_512(s).verifying_key();
        out.write(897, |bytes| key.write_bytes(bytes).expect("its size"));
        out
    }),
    ("fn-dsa-decode-draft-1024", |s| {
        let mut out = Output::default();
        let key = draft_1024(s).verifying_key();
        out.write(1793, |bytes| key.write_bytes(bytes).expect("its size"));
        out
    }),
    ("fn-dsa-encode-512", |s| {
        let mut out = Output::default();
        out.write(1281, |bytes| {
            key_512(s).write_bytes(bytes).expect("its size")
        });
        out
    }),
    ("fn-dsa-encode-1024", |s| {
        let mut out = Output::default();
        out.write(2305, |bytes| {
            key_1024(s).write_bytes(bytes).expect("its size")
        });
        out
    }),
    ("fn-dsa-encode-draft-512", |s| {
        let mut out = Output::default();
        out.write(1345, |bytes| {
            draft_512(s).write_bytes(bytes).expect("its size")
        });
        out
    }),
    ("fn-dsa-decode-in", |s| {
        let space = &mut Box::new(DecodingSpace::new());
        public_512(&SigningKey512::from_bytes_in(space, &s.fn_dsa.main_512).expect("a key"))
    }),
    ("fn-dsa-jwk", |s| {
        let jwk = Jwk::try_from(&key_512(s)).expect("the degree has a name");
        public_512(&SigningKey512::try_from(&jwk).expect("a key"))
    }),
    ("fn-dsa-falcon-crossing", |s| {
        let key = falcon::SigningKey512::dangerous_from_fn_dsa(&key_512(s));
        public_512(&key.dangerous_to_fn_dsa())
    }),
    ("fn-dsa-equal", |s| {
        let key = key_512(s);
        let copy = key.clone();
        [key.ct_eq(&copy).unwrap_u8()].into()
    }),
];

/// Key generation.
pub(super) const KEYGEN: &[Check] = &[
    ("fn-dsa-keygen-16", |s| weak(4, s)),
    ("fn-dsa-keygen-256", |s| weak(8, s)),
    ("fn-dsa-keygen-512", |s| {
        let key = SigningKey512::from_seed(&s.seed).expect("the degree is its own");
        let mut out = public_512(&key);
        out.write(1281, |bytes| key.write_bytes(bytes).expect("its size"));
        out
    }),
    ("fn-dsa-keygen-1024", |s| {
        let key = SigningKey1024::from_seed(&s.seed).expect("the degree is its own");
        let mut out = public_1024(&key);
        out.write(2305, |bytes| key.write_bytes(bytes).expect("its size"));
        out
    }),
    ("fn-dsa-keygen-drawn", |s| {
        let key = SigningKey512::generate(&mut rng(s)).expect("the generator does not fail");
        public_512(&key)
    }),
    ("fn-dsa-keygen-shake256x4", |s| {
        let key = SigningKey512::from_seed_shake256x4(&s.seed).expect("the degree is its own");
        public_512(&key)
    }),
    ("fn-dsa-keygen-in-place", |s| {
        let (mut secret, mut public) = ([0; 1281], [0; 897]);
        KeyPairGenerator512::new()
            .keygen_from_seed(9, &s.seed, &mut secret, &mut public)
            .expect("the sizes are right");
        let mut out = Output::from(secret);
        out.extend(public);
        out
    }),
    ("fn-dsa-keygen-draft-16", |s| {
        let key = draft2026::SigningKeyWeak::from_seed_of_degree(4, &s.seed).expect("a degree");
        let mut out = Output::default();
        let length = draft2026::sign_key_size(4);
        out.write(length, |bytes| key.write_bytes(bytes).expect("its size"));
        out
    }),
    ("fn-dsa-keygen-draft-512", |s| {
        let key = draft2026::SigningKey512::from_seed(&s.seed).expect("the degree is its own");
        let mut out = Output::default();
        out.write(1345, |bytes| key.write_bytes(bytes).expect("its size"));
        out
    }),
    ("fn-dsa-keygen-draft-1024", |s| {
        let key = draft2026::SigningKey1024::from_seed(&s.seed).expect("the degree is its own");
        let mut out = Output::default();
        out.write(2369, |bytes| key.write_bytes(bytes).expect("its size"));
        out
    }),
];

/// Signing, in the main variant and in the draft guess.
pub(super) const SIGN: &[Check] = &[
    ("fn-dsa-sign-512", |s| {
        let mut signature = [0; 666];
        key_512(s)
            .sign_bytes(
                &mut rng(s),
                &DOMAIN_NONE,
                &HASH_ID_RAW,
                s.message,
                &mut signature,
            )
            .expect("a key signs");
        signature.into()
    }),
    ("fn-dsa-sign-1024", |s| {
        let mut signature = [0; 1280];
        key_1024(s)
            .sign_bytes(
                &mut rng(s),
                &DOMAIN_NONE,
                &HASH_ID_RAW,
                s.message,
                &mut signature,
            )
            .expect("a key signs");
        signature.into()
    }),
    ("fn-dsa-sign-hashed", |s| {
        let mut signature = [0; 666];
        let context = DomainContext(b"context");
        key_512(s)
            .sign_bytes(
                &mut rng(s),
                &context,
                &HASH_ID_SHA256,
                &s.public,
                &mut signature,
            )
            .expect("a key signs");
        signature.into()
    }),
    ("fn-dsa-sign-prepared-512", |s| {
        let mut prepared = Box::new(PreparedSigningKey512::new());
        prepared.prepare(&key_512(s));
        let mut signature = [0; 666];
        prepared
            .sign_bytes(
                &mut rng(s),
                &DOMAIN_NONE,
                &HASH_ID_RAW,
                s.message,
                &mut signature,
            )
            .expect("a key signs");
        signature.into()
    }),
    ("fn-dsa-sign-each-512", |s| {
        let mut prepared = Box::new(PreparedSigningKey512::new());
        prepared.prepare(&key_512(s));
        let mut signatures = [0; 8 * 666];
        prepared
            .sign_each(
                &mut Box::new(SigningSpaceEach::new()),
                &mut rng(s),
                &DOMAIN_NONE,
                &HASH_ID_RAW,
                &[s.message; 8],
                &mut signatures,
            )
            .expect("a key signs");
        let mut out = Output::default();
        out.write(signatures.len(), |bytes| bytes.copy_from_slice(&signatures));
        out
    }),
    ("fn-dsa-sign-stream", |s| {
        let mut signature = [0; 666];
        let feed = |sink: &mut lanner_fn_dsa::MessageSink<'_>| {
            sink.update(&s.message[..10]);
            sink.update(&s.message[10..]);
            Ok::<(), ()>(())
        };
        let done = key_512(s).sign_stream(
            &mut rng(s),
            &DOMAIN_NONE,
            &HASH_ID_RAW,
            &mut signature,
            feed,
        );
        assert!(done.is_ok(), "a key signs");
        signature.into()
    }),
    ("fn-dsa-sign-compat", |s| {
        let mut signature = [0; 666];
        key_512(s)
            .sign_bytes_compat(
                &mut rng(s),
                &DOMAIN_NONE,
                &HASH_ID_RAW,
                s.message,
                &mut signature,
            )
            .expect("a key signs");
        signature.into()
    }),
    ("fn-dsa-sign-compat-shake256x4", |s| {
        let mut signature = [0; 666];
        key_512(s)
            .sign_bytes_compat_shake256x4(
                &mut rng(s),
                &DOMAIN_NONE,
                &HASH_ID_RAW,
                s.message,
                &mut signature,
            )
            .expect("a key signs");
        signature.into()
    }),
    ("fn-dsa-sign-in", |s| {
        let (mut space, mut signature) = (Box::new(SigningSpace::new()), [0; 666]);
        key_512(s)
            .sign_bytes_in(
                &mut space,
                &mut rng(s),
                &DOMAIN_NONE,
                &HASH_ID_RAW,
                s.message,
                &mut signature,
            )
            .expect("a key signs");
        signature.into()
    }),
    ("fn-dsa-stream-signer", |s| {
        let key = key_512(s);
        let signer = key.stream_signer(&mut rng(s), &DOMAIN_NONE, &HASH_ID_RAW);
        let mut signer = signer.expect("the generator does not fail");
        signer.update(s.message);
        let mut signature = [0; 666];
        signer.finish(&mut signature).expect("a key signs");
        signature.into()
    }),
    ("fn-dsa-sign-token", |s| {
        let header = r#"{"alg":"FN-DSA-512"}"#;
        let token = jose::sign(&key_512(s), &mut rng(s), header, s.message).expect("a key signs");
        Output::from(token.as_bytes())
    }),
    ("fn-dsa-sign-draft-512", |s| {
        let mut signature = [0; 666];
        draft_512(s)
            .sign_bytes(
                &mut rng(s),
                &DOMAIN_NONE,
                &HASH_ID_RAW,
                s.message,
                &mut signature,
            )
            .expect("a key signs");
        signature.into()
    }),
    ("fn-dsa-sign-draft-1024", |s| {
        let mut signature = [0; 1280];
        draft_1024(s)
            .sign_bytes(
                &mut rng(s),
                &DOMAIN_NONE,
                &HASH_ID_RAW,
                s.message,
                &mut signature,
            )
            .expect("a key signs");
        signature.into()
    }),
];

/// Signing as in the original Falcon.
pub(super) const FALCON: &[Check] = &[
    ("falcon-sign-padded", |s| falcon_512(s, Encoding::Padded)),
    ("falcon-sign-compressed", |s| {
        falcon_512(s, Encoding::Compressed)
    }),
    ("falcon-sign-constant-time", |s| {
        falcon_512(s, Encoding::ConstantTime)
    }),
    ("falcon-sign-1024", |s| {
        let mut out = Output::default();
        let room = max_signature_size(Encoding::ConstantTime, 10);
        out.write(room, |bytes| {
            falcon::sign(
                &falcon_key_1024(s),
                &mut rng(s),
                s.message,
                Encoding::ConstantTime,
                bytes,
            )
            .expect("a key signs");
        });
        out
    }),
    ("falcon-sign-reference", |s| {
        let mut out = Output::default();
        out.write(max_signature_size(Encoding::Padded, 9), |bytes| {
            falcon::sign_reference(
                &falcon_key_512(s),
                &mut rng(s),
                s.message,
                Encoding::Padded,
                bytes,
            )
            .expect("a key signs");
        });
        out
    }),
    ("falcon-seal", |s| {
        let mut out = Output::default();
        out.write(max_sealed_size(9, s.message.len()), |bytes| {
            falcon::seal(&falcon_key_512(s), &mut rng(s), s.message, bytes).expect("a key signs");
        });
        out
    }),
    ("falcon-stream-signer", |s| {
        let key = falcon_key_512(s);
        let signer = falcon::stream_signer(&key, &mut rng(s));
        let mut signer = signer.expect("the generator does not fail");
        signer.update(s.message);
        let mut out = Output::default();
        out.write(max_signature_size(Encoding::Padded, 9), |bytes| {
            signer
                .finish_as(Encoding::Padded, bytes)
                .expect("a key signs");
        });
        out
    }),
    ("falcon-seal-reference", |s| {
        let mut out = Output::default();
        out.write(max_sealed_size(9, s.message.len()), |bytes| {
            falcon::seal_reference(&falcon_key_512(s), &mut rng(s), s.message, bytes)
                .expect("a key signs");
        });
        out
    }),
    ("falcon-sign-in", |s| {
        let mut out = Output::default();
        out.write(max_signature_size(Encoding::Padded, 9), |bytes| {
            falcon::sign_in(
                &falcon_key_512(s),
                &mut Box::new(SigningSpace::new()),
                &mut rng(s),
                s.message,
                Encoding::Padded,
                bytes,
            )
            .expect("a key signs");
        });
        out
    }),
    ("falcon-det1024", |s| {
        let mut out = Output::default();
        out.write(det1024::MAX_COMPRESSED_SIZE, |bytes| {
            det1024::sign(&falcon_key_1024(s), s.message, bytes).expect("a key signs");
        });
        out
    }),
];

fn key_512(s: &Secrets) -> SigningKey512 {
    SigningKey512::from_bytes(&s.fn_dsa.main_512).expect("a key")
}

fn key_1024(s: &Secrets) -> SigningKey1024 {
    SigningKey1024::from_bytes(&s.fn_dsa.main_1024).expect("a key")
}

fn falcon_key_512(s: &Secrets) -> falcon::SigningKey512 {
    falcon::SigningKey512::from_bytes(&s.fn_dsa.main_512).expect("a key")
}

fn falcon_key_1024(s: &Secrets) -> falcon::SigningKey1024 {
    falcon::SigningKey1024::from_bytes(&s.fn_dsa.main_1024).expect("a key")
}

fn draft_512(s: &Secrets) -> draft2026::SigningKey512 {
    draft2026::SigningKey512::from_bytes(&s.fn_dsa.draft_512).expect("a key")
}

fn draft_1024(s: &Secrets) -> draft2026::SigningKey1024 {
    draft2026::SigningKey1024::from_bytes(&s.fn_dsa.draft_1024).expect("a key")
}

fn public_512(key: &SigningKey512) -> Output {
    let mut out = Output::default();
    out.write(897, |bytes| {
        key.verifying_key().write_bytes(bytes).expect("its size")
    });
    out
}

fn public_1024(key: &SigningKey1024) -> Output {
    let mut out = Output::default();
    out.write(1793, |bytes| {
        key.verifying_key().write_bytes(bytes).expect("its size")
    });
    out
}

/// A key pair of a toy degree, where the sizes of numbers and the draws differ.
fn weak(logn: u32, s: &Secrets) -> Output {
    let key = SigningKeyWeak::from_seed_of_degree(logn, &s.seed).expect("a degree of its own");
    let mut out = Output::default();
    let length = lanner_fn_dsa::sign_key_size(logn);
    out.write(length, |bytes| key.write_bytes(bytes).expect("its size"));
    out
}

fn falcon_512(s: &Secrets, encoding: Encoding) -> Output {
    let mut out = Output::default();
    out.write(max_signature_size(encoding, 9), |bytes| {
        falcon::sign(&falcon_key_512(s), &mut rng(s), s.message, encoding, bytes)
            .expect("a key signs");
    });
    out
}

/// Random bytes that are secret, a new one each time.
fn rng(s: &Secrets) -> SeededRng {
    SeededRng::new(&s.other)
}
