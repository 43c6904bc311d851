//! pqcrypto-falcon: original Falcon by PQClean, in C, with AVX2.

use lanner_bench_kit::{FN_DSA_KEYS, FN_DSA_PAIRS, FnDsa, Library, Operation, Pool, SINGLES, Task};
use lanner_bench_kit::{each, runs};
use pqcrypto_falcon::{falcon512, falcon1024};

/// The column pqclean.
pub(crate) struct PqClean;

/// Both degrees have the same functions in modules of their own. Keys are held as bytes, and decoded each
/// time; randomness is the system's, so that results cannot be compared with former ones.
macro_rules! of_degree {
    ($name:ident, $falcon:ident) => {
        fn $name(task: FnDsa, pool: &Pool) -> Option<Operation<'_>> {
            use $falcon::{detached_sign, keypair, verify_detached_signature};

            if task == FnDsa::Keygen {
                return Some(runs(FN_DSA_PAIRS, pool, |run| {
                    for _ in run {
                        std::hint::black_box(keypair());
                    }
                }));
            }
            let keys: Vec<_> = (0..FN_DSA_KEYS).map(|_| keypair()).collect();
            let of = |i| i % FN_DSA_KEYS;
            let sign = |i: usize| detached_sign(&pool.messages[i], &keys[of(i)].1);
            let signatures: Vec<_> = (0..SINGLES).map(sign).collect();
            match task {
                FnDsa::Sign => Some(each(move |i| {
                    std::hint::black_box(detached_sign(&pool.messages[i], &keys[of(i)].1));
                })),
                FnDsa::Verify => Some(each(move |i| {
                    let (message, key) = (&pool.messages[i], &keys[of(i)].0);
                    assert!(verify_detached_signature(&signatures[i], message, key).is_ok());
                })),
                _ => None,
            }
        }
    };
}

of_degree!(of_512, falcon512);
of_degree!(of_1024, falcon1024);

impl Library for PqClean {
    fn operation<'p>(&self, task: Task, pool: &'p Pool) -> Option<Operation<'p>> {
        match task {
            Task::FnDsa(task, 9) => of_512(task, pool),
            Task::FnDsa(task, 10) => of_1024(task, pool),
            _ => None,
        }
    }
}
