//! The crate ml-dsa, of RustCrypto.

use lanner_bench_kit::pairs::{Pair, rows};
use lanner_bench_kit::{Library, Operation, Pool, Scheme, Task};
use ml_dsa::{
    EncodedVerifyingKey, KeyInit as _, Keypair as _, MlDsa44, MlDsa65, MlDsaParams, Signature,
    SignatureEncoding as _, Signer as _, Verifier as _,
};

/// The column ml-dsa.
pub(crate) struct MlDsa;

impl Library for MlDsa {
    fn operation<'p>(&self, task: Task, pool: &'p Pool) -> Option<Operation<'p>> {
        let (scheme, signs) = match task {
            Task::SchemeSign(scheme) => (scheme, true),
            Task::SchemeVerify(scheme) => (scheme, false),
            _ => return None,
        };
        Some(match scheme {
            Scheme::MlDsa44 => ml_dsa::<MlDsa44>(signs, pool),
            Scheme::MlDsa65 => ml_dsa::<MlDsa65>(signs, pool),
            _ => return None,
        })
    }
}

fn ml_dsa<P: MlDsaParams + 'static>(signs: bool, pool: &Pool) -> Operation<'_> {
    let pair = |i: usize| {
        let key = ml_dsa::SigningKey::<P>::new(&pool.seeds[i].into());
        Pair {
            public: key.verifying_key().encode().to_vec(),
            sign: Box::new(move |message| key.sign(message).to_vec()),
        }
    };
    rows(signs, pool, pair, |public, message, signature| {
        let key = EncodedVerifyingKey::<P>::try_from(public).expect("its length");
        let key = ml_dsa::VerifyingKey::<P>::decode(&key);
        Signature::try_from(signature)
            .and_then(|signature| key.verify(message, &signature))
            .is_ok()
    })
}
