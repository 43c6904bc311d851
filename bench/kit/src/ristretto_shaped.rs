//! The tasks of Ristretto255 of curve25519-dalek and of Lanner: the same calls, since the names are the same.

/// Defines the function `$name(task, pool)` that makes the tasks of Ristretto255, with `$curve` as the crate. The elements are
/// the multiples of the base point by the pool's seeds, and the scalars are the pool's shared secrets.
#[macro_export]
macro_rules! ristretto_shaped {
    ($name:ident, $curve:ident) => {
        #[doc = concat!("The tasks of Ristretto255 of ", stringify!($curve), ".")]
        fn $name<'p>(task: $crate::Task, pool: &'p $crate::Pool) -> Option<$crate::Operation<'p>> {
            use $crate::{Ristretto, SINGLES, Task, each, runs};
            use $curve::ristretto::{CompressedRistretto, RistrettoPoint};
            use $curve::scalar::Scalar;
            use $curve::traits::{MultiscalarMul, VartimeMultiscalarMul};

            let Task::Ristretto(task) = task else {
                return None;
            };
            let scalar = |bytes: &[u8; 32]| Scalar::from_bytes_mod_order(*bytes);
            let logarithms: Vec<Scalar> = pool.seeds.iter().map(scalar).collect();
            let scalars: Vec<Scalar> = pool.shared.iter().map(scalar).collect();
            let elements: Vec<_> = logarithms.iter().map(RistrettoPoint::mul_base).collect();
            let encodings: Vec<CompressedRistretto> = elements[..SINGLES]
                .iter()
                .map(RistrettoPoint::compress)
                .collect();

            // What the terms from each place on sum up to.
            let sums = |size: usize| -> Vec<RistrettoPoint> {
                let products: Vec<Scalar> = logarithms
                    .iter()
                    .zip(&scalars)
                    .map(|(logarithm, scalar)| logarithm * scalar)
                    .collect();
                products
                    .windows(size)
                    .map(|terms| RistrettoPoint::mul_base(&terms.iter().sum()))
                    .collect()
            };

            Some(match task {
                Ristretto::Encode => {
                    each(move |i| assert_eq!(elements[i].compress(), encodings[i]))
                }
                Ristretto::Decode => each(move |i| {
                    let element = encodings[i].decompress().expect("an element");
                    assert_eq!(element, elements[i]);
                }),
                Ristretto::Mul => {
                    let products: Vec<CompressedRistretto> = logarithms
                        .iter()
                        .zip(&scalars)
                        .take(SINGLES)
                        .map(|(logarithm, scalar)| {
                            RistrettoPoint::mul_base(&(logarithm * scalar)).compress()
                        })
                        .collect();
                    each(move |i| {
                        let element = encodings[i].decompress().expect("an element");
                        assert_eq!((element * scalars[i]).compress(), products[i]);
                    })
                }
                Ristretto::EncodeDoubles(size) => {
                    let doubles: Vec<CompressedRistretto> = elements
                        .iter()
                        .map(|element| (element + element).compress())
                        .collect();
                    runs(size, pool, move |run| {
                        let encoded =
                            RistrettoPoint::double_and_compress_batch(&elements[run.clone()]);
                        assert_eq!(encoded, doubles[run]);
                    })
                }
                Ristretto::Multiscalar(size) => {
                    let sums = sums(size);
                    runs(size, pool, move |run| {
                        let (scalars, elements) = (&scalars[run.clone()], &elements[run.clone()]);
                        let sum = RistrettoPoint::multiscalar_mul(scalars, elements);
                        assert_eq!(sum, sums[run.start]);
                    })
                }
                Ristretto::VartimeMultiscalar(size) => {
                    let sums = sums(size);
                    runs(size, pool, move |run| {
                        let (scalars, elements) = (&scalars[run.clone()], &elements[run.clone()]);
                        let sum = RistrettoPoint::vartime_multiscalar_mul(scalars, elements);
                        assert_eq!(sum, sums[run.start]);
                    })
                }
            })
        }
    };
}
