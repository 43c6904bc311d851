//! The tasks of the fn-dsa crates and of Lanner: the same calls, since the names are the same.
//!
//! Each library works on keys and signatures of its own, because not all make the same key of the same
//! random bytes. Those are fixed by the number of the entry, so that each result can be compared with
//! the one that was made, and verified, before.

/// A generator whose bytes are fixed by a number. It costs next to nothing.
pub struct FixedBytes(u64);

impl FixedBytes {
    /// The generator of a number.
    pub fn new(number: usize) -> Self {
        Self(number as u64)
    }

    /// Fills a buffer.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            // Any odd constant serves: the libraries hash what they get.
            self.0 = (self.0 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            chunk.copy_from_slice(&self.0.to_le_bytes()[..chunk.len()]);
        }
    }
}

/// Makes a generator of fixed bytes for one of the two generations of the traits of `rand_core`.
#[macro_export]
macro_rules! fixed_rng {
    ($rng:ident, rand_core_06 of $fn_dsa:ident) => {
        struct $rng($crate::FixedBytes);

        impl $fn_dsa::RngCore for $rng {
            fn next_u32(&mut self) -> u32 {
                self.next_u64() as u32
            }

            fn next_u64(&mut self) -> u64 {
                let mut bytes = [0; 8];
                self.0.fill(&mut bytes);
                u64::from_le_bytes(bytes)
            }

            fn fill_bytes(&mut self, bytes: &mut [u8]) {
                self.0.fill(bytes);
            }

            fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), $fn_dsa::RngError> {
                self.0.fill(bytes);
                Ok(())
            }
        }

        impl $fn_dsa::CryptoRng for $rng {}
    };
    ($rng:ident, rand_core_010 of $fn_dsa:ident) => {
        struct $rng($crate::FixedBytes);

        impl $fn_dsa::rand_core::TryRng for $rng {
            type Error = std::convert::Infallible;

            fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
                Ok(self.try_next_u64()? as u32)
            }

            fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
                let mut bytes = [0; 8];
                self.0.fill(&mut bytes);
                Ok(u64::from_le_bytes(bytes))
            }

            fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
                self.0.fill(bytes);
                Ok(())
            }
        }

        impl $fn_dsa::rand_core::TryCryptoRng for $rng {}
    };
}

/// Defines the function `$name(task, pool)` that makes the tasks of FN-DSA, with `$fn_dsa` as the crate,
/// whose traits of `rand_core` are of the generation `$rand_core`.
#[macro_export]
macro_rules! fn_dsa_shaped {
    ($name:ident, $fn_dsa:ident, $rand_core:ident) => {
        $crate::fixed_rng!(Fixed, $rand_core of $fn_dsa);

        #[doc = concat!("The tasks of ", stringify!($fn_dsa), ".")]
        fn $name<'p>(task: $crate::Task, pool: &'p $crate::Pool) -> Option<$crate::Operation<'p>> {
            use $fn_dsa::{
                KeyPairGenerator512, KeyPairGenerator1024, SigningKey512, SigningKey1024,
                VerifyingKey512, VerifyingKey1024,
            };

            match task {
                // What only Lanner has.
                $crate::Task::FnDsa(
                    $crate::FnDsa::SignDraft
                    | $crate::FnDsa::SignPrepared
                    | $crate::FnDsa::SignMany
                    | $crate::FnDsa::VerifyMany,
                    _,
                ) => None,
                $crate::Task::FnDsa(task, 9) => Some(of_degree::<
                    KeyPairGenerator512,
                    SigningKey512,
                    VerifyingKey512,
                >(task, 9, pool)),
                $crate::Task::FnDsa(task, 10) => Some(of_degree::<
                    KeyPairGenerator1024,
                    SigningKey1024,
                    VerifyingKey1024,
                >(task, 10, pool)),
                _ => None,
            }
        }

        /// The same with the types of a degree. Some of these libraries have signing take a key that it
        /// may change, some have it return something.
        #[allow(unused_mut, clippy::let_unit_value)]
        fn of_degree<'p, K, S, V>(
            task: $crate::FnDsa,
            logn: u32,
            pool: &'p $crate::Pool,
        ) -> $crate::Operation<'p>
        where
            K: $fn_dsa::KeyPairGenerator + 'p,
            S: $fn_dsa::SigningKey + 'p,
            V: $fn_dsa::VerifyingKey + 'p,
        {
            use $crate::{FN_DSA_KEYS, FN_DSA_PAIRS, FixedBytes, FnDsa, SINGLES, each, runs};
            use $fn_dsa::{DOMAIN_NONE, HASH_ID_RAW};

            let fixed = |i| Fixed(FixedBytes::new(i));
            let pair = move |generator: &mut K, i| {
                let mut signing = vec![0; $fn_dsa::sign_key_size(logn)];
                let mut verifying = vec![0; $fn_dsa::vrfy_key_size(logn)];
                generator.keygen(logn, &mut fixed(i), &mut signing, &mut verifying);
                (signing, verifying)
            };
            let mut generator = K::default();
            if task == FnDsa::Keygen {
                let mut made = vec![None; pool.seeds.len()];
                return runs(FN_DSA_PAIRS, pool, move |run| {
                    for i in run {
                        let pair = pair(&mut generator, i);
                        assert!(made[i].get_or_insert_with(|| pair.clone()) == &pair);
                    }
                });
            }
            let keys: Vec<_> = (0..FN_DSA_KEYS).map(|i| pair(&mut generator, i)).collect();
            let decode = |bytes: &Vec<u8>| S::decode(bytes).expect("a signing key");
            let decode_verifying = |bytes: &Vec<u8>| V::decode(bytes).expect("a verifying key");
            let sign = move |key: &mut S, i: usize| {
                let mut signature = vec![0; $fn_dsa::signature_size(logn)];
                let (rng, message) = (&mut fixed(i), &pool.messages[i]);
                let _ = key.sign(rng, &DOMAIN_NONE, &HASH_ID_RAW, message, &mut signature);
                signature
            };
            let verify = move |key: &V, i: usize, signature: &[u8]| {
                assert!(key.verify(signature, &DOMAIN_NONE, &HASH_ID_RAW, &pool.messages[i]));
            };

            let mut signing: Vec<_> = keys.iter().map(|(key, _)| decode(key)).collect();
            let verifying: Vec<_> = keys.iter().map(|(_, key)| decode_verifying(key)).collect();
            let of = |i| i % FN_DSA_KEYS;
            let signatures: Vec<_> = (0..SINGLES).map(|i| sign(&mut signing[of(i)], i)).collect();
            for (i, signature) in signatures.iter().enumerate() {
                verify(&verifying[of(i)], i, signature);
            }
            match task {
                FnDsa::Keygen
                | FnDsa::SignDraft
                | FnDsa::SignPrepared
                | FnDsa::SignMany
                | FnDsa::VerifyMany => {
                    unreachable!("made above")
                }
                FnDsa::Sign => each(move |i| {
                    let mut key = decode(&keys[of(i)].0);
                    assert!(sign(&mut key, i) == signatures[i]);
                }),
                FnDsa::SignDecoded => each(move |i| {
                    assert!(sign(&mut signing[of(i)], i) == signatures[i]);
                }),
                FnDsa::Verify => each(move |i| {
                    verify(&decode_verifying(&keys[of(i)].1), i, &signatures[i]);
                }),
                FnDsa::VerifyDecoded => each(move |i| {
                    verify(&verifying[of(i)], i, &signatures[i]);
                }),
            }
        }
    };
}
