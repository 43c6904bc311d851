//! The tasks of the dalek libraries and of Lanner: the same calls, since the names are the same.

/// Defines the function `$name(task, pool)` that makes the tasks which both families of libraries
/// offer without features, with `$ed25519` and `$x25519` as the crates.
#[macro_export]
macro_rules! dalek_shaped {
    ($name:ident, $ed25519:ident, $x25519:ident) => {
        #[doc = concat!("The tasks of ", stringify!($ed25519), " and ", stringify!($x25519), ".")]
        fn $name<'p>(task: $crate::Task, pool: &'p $crate::Pool) -> Option<$crate::Operation<'p>> {
            use $crate::{Task, each};
            use $ed25519::{Signature, Signer, SigningKey, Verifier, VerifyingKey};
            use $x25519::{PublicKey, StaticSecret};

            let decode = |bytes| VerifyingKey::from_bytes(bytes).expect("a public key");
            Some(match task {
                Task::Keygen => each(move |i| {
                    let key = SigningKey::from_bytes(&pool.seeds[i]);
                    assert_eq!(key.verifying_key().to_bytes(), pool.publics[i]);
                }),
                Task::Sign => {
                    let keys: Vec<_> = pool.seeds.iter().map(SigningKey::from_bytes).collect();
                    each(move |i| {
                        let signature = keys[i].sign(&pool.messages[i]);
                        assert_eq!(signature.to_bytes(), pool.signatures[i]);
                    })
                }
                Task::Verify => each(move |i| {
                    let signature = Signature::from_bytes(&pool.signatures[i]);
                    let key = decode(&pool.publics[i]);
                    assert!(key.verify(&pool.messages[i], &signature).is_ok());
                }),
                Task::VerifyDecoded => {
                    let keys: Vec<_> = pool.publics.iter().map(decode).collect();
                    each(move |i| {
                        let signature = Signature::from_bytes(&pool.signatures[i]);
                        assert!(keys[i].verify(&pool.messages[i], &signature).is_ok());
                    })
                }
                Task::VerifyStrict => each(move |i| {
                    let signature = Signature::from_bytes(&pool.signatures[i]);
                    let key = decode(&pool.publics[i]);
                    assert!(key.verify_strict(&pool.messages[i], &signature).is_ok());
                }),
                Task::X25519Base => {
                    let mut last = [0; 32];
                    each(move |i| {
                        let secret = StaticSecret::from(pool.seeds[i]);
                        let public = PublicKey::from(&secret).to_bytes();
                        assert_ne!(public, last);
                        last = public;
                    })
                }
                Task::X25519 => {
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
                _ => return None,
            })
        }
    };
}

/// The same for the functions of batch verification: `$name(task, pool)`.
#[macro_export]
macro_rules! dalek_shaped_batch {
    ($name:ident, $ed25519:ident) => {
        #[doc = concat!("The batches of ", stringify!($ed25519), ".")]
        fn $name<'p>(task: $crate::Task, pool: &'p $crate::Pool) -> Option<$crate::Operation<'p>> {
            use $crate::{Task, runs};
            use $ed25519::{Signature, VerifyingKey, verify_batch};

            let messages = pool.slices();
            let decode = |bytes| VerifyingKey::from_bytes(bytes).expect("a public key");
            Some(match task {
                Task::Batch(size) => runs(size, pool, move |run| {
                    let keys: Vec<_> = pool.publics[run.clone()].iter().map(decode).collect();
                    let signatures = &pool.signatures[run.clone()];
                    let signatures: Vec<_> = signatures.iter().map(Signature::from_bytes).collect();
                    assert!(verify_batch(&messages[run], &signatures, &keys).is_ok());
                }),
                Task::BatchDecoded(size) => {
                    let keys: Vec<_> = pool.publics.iter().map(decode).collect();
                    runs(size, pool, move |run| {
                        let signatures = &pool.signatures[run.clone()];
                        let signatures: Vec<_> =
                            signatures.iter().map(Signature::from_bytes).collect();
                        let (messages, keys) = (&messages[run.clone()], &keys[run]);
                        assert!(verify_batch(messages, &signatures, keys).is_ok());
                    })
                }
                _ => return None,
            })
        }
    };
}
