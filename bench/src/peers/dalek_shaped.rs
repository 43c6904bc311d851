//! Lanner and the dalek libraries: the same calls, since the names are the same.

use super::{Implementation, Operation, each, runs};
use crate::pool::Pool;
use crate::rows::Row;

macro_rules! dalek_shaped {
    ($type:ident, $name:literal, $package:literal, $ed25519:ident, $x25519:ident, $zip215:expr) => {
        #[doc = concat!("The column ", $name, ".")]
        pub(crate) struct $type;

        impl Implementation for $type {
            fn name(&self) -> &'static str {
                $name
            }

            fn package(&self) -> &'static str {
                $package
            }

            fn operation<'p>(&self, row: Row, pool: &'p Pool) -> Option<Operation<'p>> {
                use $ed25519::{Signature, Signer, SigningKey, Verifier, VerifyingKey};
                use $x25519::{PublicKey, StaticSecret};

                let decode = |bytes| VerifyingKey::from_bytes(bytes).expect("a public key");
                let signatures: Vec<Signature> =
                    pool.signatures.iter().map(Signature::from_bytes).collect();
                Some(match row {
                    Row::Keygen => each(move |i| {
                        let key = SigningKey::from_bytes(&pool.seeds[i]);
                        assert_eq!(key.verifying_key().to_bytes(), pool.publics[i]);
                    }),
                    Row::Sign => {
                        let keys: Vec<_> = pool.seeds.iter().map(SigningKey::from_bytes).collect();
                        each(move |i| {
                            let signature = keys[i].sign(&pool.messages[i]);
                            assert_eq!(signature.to_bytes(), pool.signatures[i]);
                        })
                    }
                    Row::Verify => each(move |i| {
                        let signature = Signature::from_bytes(&pool.signatures[i]);
                        let key = decode(&pool.publics[i]);
                        assert!(key.verify(&pool.messages[i], &signature).is_ok());
                    }),
                    Row::VerifyDecoded => {
                        let keys: Vec<_> = pool.publics.iter().map(decode).collect();
                        each(move |i| {
                            assert!(keys[i].verify(&pool.messages[i], &signatures[i]).is_ok());
                        })
                    }
                    Row::VerifyStrict => each(move |i| {
                        let signature = Signature::from_bytes(&pool.signatures[i]);
                        let key = decode(&pool.publics[i]);
                        assert!(key.verify_strict(&pool.messages[i], &signature).is_ok());
                    }),
                    Row::Batch(size) => {
                        let messages = pool.slices();
                        runs(size, pool, move |run| {
                            let keys: Vec<_> =
                                pool.publics[run.clone()].iter().map(decode).collect();
                            let (messages, signatures) = (&messages[run.clone()], &signatures[run]);
                            assert!($ed25519::verify_batch(messages, signatures, &keys).is_ok());
                        })
                    }
                    Row::BatchDecoded(size) => {
                        let messages = pool.slices();
                        let keys: Vec<_> = pool.publics.iter().map(decode).collect();
                        runs(size, pool, move |run| {
                            let (messages, keys) = (&messages[run.clone()], &keys[run.clone()]);
                            let signatures = &signatures[run];
                            assert!($ed25519::verify_batch(messages, signatures, keys).is_ok());
                        })
                    }
                    Row::BatchZip215(size) => return $zip215(size, pool),
                    Row::X25519Base => {
                        let mut last = [0; 32];
                        each(move |i| {
                            let secret = StaticSecret::from(pool.seeds[i]);
                            let public = PublicKey::from(&secret).to_bytes();
                            assert_ne!(public, last);
                            last = public;
                        })
                    }
                    Row::X25519 => {
                        let secrets: Vec<_> = pool
                            .seeds
                            .iter()
                            .map(|seed| StaticSecret::from(*seed))
                            .collect();
                        each(move |i| {
                            let peer = PublicKey::from(pool.peers[i]);
                            let shared = secrets[i].diffie_hellman(&peer);
                            assert_eq!(shared.to_bytes(), pool.shared[i]);
                        })
                    }
                })
            }
        }
    };
}

dalek_shaped!(
    Lanner,
    "lanner",
    "lanner-ed25519",
    lanner_ed25519,
    lanner_x25519,
    lanner_zip215
);
dalek_shaped!(
    Dalek,
    "dalek",
    "ed25519-dalek",
    ed25519_dalek,
    x25519_dalek,
    |_, _| None
);

/// ed25519-dalek has no such rule.
fn lanner_zip215(size: usize, pool: &Pool) -> Option<Operation<'_>> {
    use lanner_ed25519::{Signature, VerifyingKey, batch, profile::Zip215};

    let messages = pool.slices();
    Some(runs(size, pool, move |run| {
        let decode = |bytes| VerifyingKey::from_bytes(bytes).expect("a public key");
        let keys: Vec<_> = pool.publics[run.clone()].iter().map(decode).collect();
        let signatures: Vec<_> = pool.signatures[run.clone()]
            .iter()
            .map(Signature::from_bytes)
            .collect();
        let verdict = batch::verify_batch_with::<Zip215>(&messages[run], &signatures, &keys);
        assert!(verdict.is_ok());
    }))
}
