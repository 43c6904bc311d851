//! Ristretto255, on every backend: the values of RFC 9496, and the laws of the group.

mod common;

use common::{cases, on_every_backend, scalars};
use lanner_curve::constants::{RISTRETTO_BASEPOINT_COMPRESSED, RISTRETTO_BASEPOINT_POINT};
use lanner_curve::ristretto::{CompressedRistretto, RistrettoPoint};
use lanner_curve::scalar::Scalar;
use lanner_curve::traits::{Identity, IsIdentity};
use proptest::prelude::*;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

/// Encodings of RFC 9496: `appendix` A.1, the multiples 0 to 15 of the base point, or A.2, which are of no element.
fn of_the_rfc(appendix: &str) -> Vec<CompressedRistretto> {
    let note = format!("RFC 9496 appendix {appendix}");
    let cases = lanner_vectors::own::ristretto().encodings;
    let cases = cases.into_iter().filter(|case| case.note == note);
    cases.map(|case| CompressedRistretto(case.bytes)).collect()
}

fn multiples() -> Vec<CompressedRistretto> {
    let multiples = of_the_rfc("A.1");
    assert_eq!(multiples.len(), 16);
    multiples
}

fn refused() -> Vec<CompressedRistretto> {
    let refused = of_the_rfc("A.2");
    assert_eq!(refused.len(), 29);
    refused
}

/// Elements: multiples of the base point, and what bytes are mapped to.
fn elements() -> impl Strategy<Value = RistrettoPoint> {
    let multiples = scalars().prop_map(|scalar| RistrettoPoint::mul_base(&scalar));
    let mapped = any::<[u8; 32]>().prop_map(RistrettoPoint::map_to_curve);
    let edges = prop::sample::select(vec![0x00, 0x01, 0xed, 0xff])
        .prop_map(|byte| RistrettoPoint::map_to_curve([byte; 32]));
    prop_oneof![4 => multiples, 4 => mapped, 1 => edges]
}

#[test]
fn multiples_of_the_base_point_are_those_of_the_rfc() {
    let multiples = multiples();
    on_every_backend(|_| {
        assert_eq!(RISTRETTO_BASEPOINT_COMPRESSED, multiples[1]);
        let mut sum = RistrettoPoint::identity();
        for (i, encoding) in (0u64..).zip(&multiples) {
            assert_eq!(sum.compress(), *encoding, "{i}");
            assert_eq!(RistrettoPoint::mul_base(&Scalar::from(i)), sum);
            assert_eq!(RISTRETTO_BASEPOINT_POINT * Scalar::from(i), sum);
            assert_eq!(encoding.decompress(), Some(sum));
            sum += RISTRETTO_BASEPOINT_POINT;
        }
    });
}

#[test]
fn what_encodes_nothing_is_refused() {
    let (multiples, refused) = (multiples(), refused());
    on_every_backend(|_| {
        for encoding in &refused {
            assert_eq!(encoding.decompress(), None, "{encoding:?}");
        }
        // A bit more than there is.
        for CompressedRistretto(mut bytes) in multiples.iter().copied() {
            bytes[31] |= 0x80;
            assert_eq!(CompressedRistretto(bytes).decompress(), None);
        }
    });
}

#[test]
fn the_one_way_map_is_that_of_the_rfc() {
    let cases: Vec<_> = lanner_vectors::own::ristretto()
        .mapped
        .into_iter()
        .filter(|case| case.note == "RFC 9496 appendix A.3")
        .collect();
    assert_eq!(cases.len(), 11);
    on_every_backend(|_| {
        for case in &cases {
            let point = RistrettoPoint::from_uniform_bytes(&case.uniform);
            assert_eq!(point.compress().0, case.element);
            // The top bits do not count.
            let mut bytes = case.uniform;
            bytes[31] ^= 0x80;
            bytes[63] ^= 0x80;
            assert_eq!(RistrettoPoint::from_uniform_bytes(&bytes), point);
        }
    });
}

#[test]
fn the_projects_own_values() {
    let own = lanner_vectors::own::ristretto();
    on_every_backend(|_| {
        for case in &own.encodings {
            let encoding = CompressedRistretto(case.bytes);
            let element = encoding.decompress();
            assert_eq!(element.is_some(), case.valid, "{}: {encoding:?}", case.note);
            if let Some(element) = element {
                assert_eq!(element.compress(), encoding);
            }
        }
        for case in &own.mapped {
            let element = RistrettoPoint::from_uniform_bytes(&case.uniform);
            assert_eq!(element.compress().0, case.element, "{}", case.note);
        }
        for case in &own.group {
            let decode = |bytes| CompressedRistretto(bytes).decompress().expect("an element");
            let (p, q) = (decode(case.p), decode(case.q));
            let scalar = Scalar::from_canonical_bytes(case.scalar).expect("below L");
            assert_eq!((p + q).compress().0, case.sum);
            assert_eq!((p - q).compress().0, case.difference);
            assert_eq!((p * scalar).compress().0, case.product);
            let multiple = RistrettoPoint::mul_base(&scalar);
            assert_eq!(multiple.compress().0, case.of_the_generator);
            assert_eq!(p == q, case.p == case.q);
        }
    });
}

proptest! {
    #![proptest_config(cases(30))]

    #[test]
    fn elements_are_a_group(a in elements(), b in elements(), x in scalars(), y in scalars()) {
        on_every_backend(|_| {
            let zero = RistrettoPoint::default();
            assert_eq!(a + b, b + a);
            assert_eq!(a + zero, a);
            assert_eq!(a - b + b, a);
            assert_eq!(a + (-a), zero);
            assert!((a - a).is_identity());
            assert_eq!(a * x + a * y, a * (x + y));
            assert_eq!((a * x) * y, y * (a * x));
            assert_eq!([a, b].iter().sum::<RistrettoPoint>(), a + b);
            let mut sum = a;
            sum += b;
            sum -= &a;
            sum *= x;
            assert_eq!(sum, b * x);
            let both = RistrettoPoint::vartime_double_scalar_mul_basepoint(&x, &a, &y);
            assert_eq!(both, a * x + RistrettoPoint::mul_base(&y));
            assert_eq!(RistrettoPoint::conditional_select(&a, &b, Choice::from(0)), a);
            assert_eq!(RistrettoPoint::conditional_select(&a, &b, Choice::from(1)), b);
        });
    }

    #[test]
    fn each_element_has_one_encoding(a in elements(), b in elements()) {
        on_every_backend(|_| {
            let encoded = a.compress();
            let decoded = encoded.decompress().expect("an encoding");
            assert_eq!(decoded, a);
            assert_eq!(decoded.compress(), encoded);
            assert_eq!(a == b, encoded == b.compress());
            // By another way, with other coordinates.
            let detour = (a + b) - b;
            assert_eq!(detour, a);
            assert_eq!(detour.compress(), encoded);
            assert_eq!(bool::from(a.ct_eq(&b)), a == b);
        });
    }

    #[test]
    fn bytes_are_encodings_of_elements_or_refused(bytes in any::<[u8; 32]>()) {
        let backends = std::cell::RefCell::new(Vec::new());
        on_every_backend(|_| {
            let mut bytes = bytes;
            bytes[0] &= 0xfe;
            bytes[31] &= 0x7f;
            let point = CompressedRistretto(bytes).decompress();
            if let Some(point) = point {
                assert_eq!(point.compress().0, bytes);
            }
            backends.borrow_mut().push(point);
        });
        assert!(backends.borrow().windows(2).all(|pair| pair[0] == pair[1]));
    }

    #[test]
    fn maps_agree_on_every_backend(bytes in any::<[u8; 32]>(), more in any::<[u8; 32]>()) {
        let backends = std::cell::RefCell::new(Vec::new());
        on_every_backend(|_| {
            let mut both = [0; 64];
            both[..32].copy_from_slice(&bytes);
            both[32..].copy_from_slice(&more);
            let sum = RistrettoPoint::map_to_curve(bytes) + RistrettoPoint::map_to_curve(more);
            assert_eq!(RistrettoPoint::from_uniform_bytes(&both), sum);
            backends.borrow_mut().push(sum.compress());
        });
        assert!(backends.borrow().windows(2).all(|pair| pair[0] == pair[1]));
    }
}

#[cfg(feature = "alloc")]
#[test]
fn doubles_are_encoded_together() {
    // The neutral element among them, alone and in full vectors; and more than any vector has.
    let mut points: Vec<RistrettoPoint> = (0u64..19)
        .map(|i| RistrettoPoint::mul_base(&Scalar::from(i * i)))
        .collect();
    points.insert(7, RistrettoPoint::identity());
    points.push(RistrettoPoint::map_to_curve([7; 32]));
    on_every_backend(|_| {
        for count in [0, 1, 2, 3, 4, 5, 8, 9, 16, points.len()] {
            let encodings = RistrettoPoint::double_and_compress_batch(&points[..count]);
            let each: Vec<_> = points[..count].iter().map(|p| (p + p).compress()).collect();
            assert_eq!(encodings, each);
        }
        let zeros = [RistrettoPoint::identity(); 9];
        let encodings = RistrettoPoint::double_and_compress_batch(&zeros);
        assert_eq!(encodings, [CompressedRistretto::identity(); 9]);
    });
}

#[cfg(feature = "alloc")]
#[test]
fn sums_of_multiples() {
    use lanner_curve::ristretto::VartimeRistrettoPrecomputation;
    use lanner_curve::traits::{
        MultiscalarMul, VartimeMultiscalarMul, VartimePrecomputedMultiscalarMul,
    };
    let scalars: Vec<Scalar> = (0u64..30).map(|i| -Scalar::from(i * i)).collect();
    let points: Vec<RistrettoPoint> = (0..30)
        .map(|i| RistrettoPoint::map_to_curve([i; 32]))
        .collect();
    on_every_backend(|_| {
        let expected: RistrettoPoint = scalars.iter().zip(&points).map(|(s, p)| s * p).sum();
        assert_eq!(RistrettoPoint::multiscalar_mul(&scalars, &points), expected);
        assert_eq!(
            RistrettoPoint::vartime_multiscalar_mul(&scalars, &points),
            expected
        );
        let tables = VartimeRistrettoPrecomputation::new(&points[..20]);
        assert_eq!(tables.len(), 20);
        assert!(!tables.is_empty());
        assert!(VartimeRistrettoPrecomputation::new(&points[..0]).is_empty());
        assert_eq!(
            format!("{tables:?}"),
            "VartimeRistrettoPrecomputation(20 points)"
        );
        let sum =
            tables.vartime_mixed_multiscalar_mul(&scalars[..20], &scalars[20..], &points[20..]);
        assert_eq!(sum, expected);
        let none = points[20..]
            .iter()
            .map(|point| (*point != points[25]).then_some(*point));
        assert_eq!(
            tables.optional_mixed_multiscalar_mul(&scalars[..20], &scalars[20..], none),
            None
        );
    });
}

#[cfg(feature = "precomputed-tables")]
#[test]
fn tables_of_multiples() {
    use lanner_curve::constants::RISTRETTO_BASEPOINT_TABLE;
    use lanner_curve::ristretto::RistrettoBasepointTable;
    let point = RistrettoPoint::map_to_curve([3; 32]);
    on_every_backend(|_| {
        let scalar = Scalar::from(0x1234_5678_9abc_u64) * -Scalar::ONE;
        assert_eq!(
            &scalar * RISTRETTO_BASEPOINT_TABLE,
            RistrettoPoint::mul_base(&scalar)
        );
        assert_eq!(
            RISTRETTO_BASEPOINT_TABLE.basepoint(),
            RISTRETTO_BASEPOINT_POINT
        );
        let table = RistrettoBasepointTable::create(&point);
        assert_eq!(&table * &scalar, point * scalar);
        assert_eq!(table.basepoint(), point);
        assert_eq!(
            format!("{table:?}"),
            format!("RistrettoBasepointTable({point:?})")
        );
    });
}

#[test]
fn small_things() {
    assert_eq!(
        CompressedRistretto::default(),
        CompressedRistretto::identity()
    );
    assert!(CompressedRistretto::from_slice(&[0; 31]).is_err());
    assert!(CompressedRistretto::try_from(&[0; 33][..]).is_err());
    let bytes = RISTRETTO_BASEPOINT_COMPRESSED.to_bytes();
    assert_eq!(
        CompressedRistretto::from_slice(&bytes).unwrap().as_bytes(),
        &bytes
    );
    let text = format!("CompressedRistretto: {bytes:?}");
    assert_eq!(format!("{RISTRETTO_BASEPOINT_COMPRESSED:?}"), text);
    assert_eq!(
        format!("{RISTRETTO_BASEPOINT_POINT:?}"),
        format!("RistrettoPoint({text})")
    );
    let mut point = RISTRETTO_BASEPOINT_POINT;
    point.zeroize();
    assert!(point.is_identity());
    let mut compressed = RISTRETTO_BASEPOINT_COMPRESSED;
    compressed.zeroize();
    assert_eq!(compressed, CompressedRistretto::identity());
    let hashed = |encoding| BuildHasherDefault::<DefaultHasher>::default().hash_one(encoding);
    assert_ne!(
        hashed(CompressedRistretto::identity()),
        hashed(RISTRETTO_BASEPOINT_COMPRESSED)
    );
}

#[cfg(feature = "digest")]
#[test]
fn hashes_are_mapped() {
    use sha2::{Digest, Sha512};
    // The text whose hash is the first of RFC 9496, appendix A.3.
    let text = b"Ristretto is traditionally a short shot of espresso coffee";
    let mapped = lanner_vectors::own::ristretto().mapped.swap_remove(0);
    on_every_backend(|_| {
        let point = RistrettoPoint::hash_from_bytes::<Sha512>(text);
        assert_eq!(point, RistrettoPoint::from_uniform_bytes(&mapped.uniform));
        assert_eq!(point.compress().0, mapped.element);
        assert_eq!(
            RistrettoPoint::from_hash(Sha512::new_with_prefix(text)),
            point
        );
    });
}

#[cfg(feature = "lizard")]
#[test]
fn data_in_elements() {
    use sha2::Sha256;
    on_every_backend(|_| {
        for i in 0..24u8 {
            let data: [u8; 16] = core::array::from_fn(|j| i.wrapping_mul(j as u8 ^ 0x5b));
            let point = RistrettoPoint::lizard_encode::<Sha256>(&data);
            assert_eq!(point.lizard_decode::<Sha256>(), Some(data));
            assert_eq!((point + point).lizard_decode::<Sha256>(), None);
        }
        // Whatever comes back is mapped to the same element, and the bytes themselves come back.
        for i in 0..16u8 {
            let mut bytes = [i.wrapping_mul(37); 32];
            bytes[0] &= 0xfe;
            bytes[31] &= 0x3f;
            let point = RistrettoPoint::map_to_curve_restricted(bytes);
            let found: Vec<[u8; 32]> = point
                .map_to_curve_inverse()
                .into_iter()
                .filter_map(Option::from)
                .collect();
            assert!(found.contains(&bytes));
            for bytes in found {
                assert_eq!(RistrettoPoint::map_to_curve(bytes), point);
            }
        }
        let zero = RistrettoPoint::identity();
        for bytes in zero.map_to_curve_inverse() {
            if let Some(bytes) = Option::from(bytes) {
                assert_eq!(RistrettoPoint::map_to_curve(bytes), zero);
            }
        }
    });
}

#[cfg(feature = "group")]
#[test]
fn the_traits_of_group() {
    use group::cofactor::CofactorGroup;
    use group::{Group, GroupEncoding};
    on_every_backend(|_| {
        let point = RistrettoPoint::map_to_curve([9; 32]);
        assert_eq!(Group::double(&point), point + point);
        assert_eq!(
            <RistrettoPoint as Group>::generator(),
            RISTRETTO_BASEPOINT_POINT
        );
        assert_eq!(
            RistrettoPoint::mul_by_generator(&Scalar::from(7u64)),
            RISTRETTO_BASEPOINT_POINT * Scalar::from(7u64)
        );
        let bytes = GroupEncoding::to_bytes(&point);
        assert_eq!(RistrettoPoint::from_bytes(&bytes).unwrap(), point);
        let unchecked = RistrettoPoint::from_bytes_unchecked(&bytes);
        assert_eq!(unchecked.unwrap(), point);
        for CompressedRistretto(bytes) in refused() {
            assert!(bool::from(RistrettoPoint::from_bytes(&bytes).is_none()));
            let unchecked = RistrettoPoint::from_bytes_unchecked(&bytes);
            assert!(bool::from(unchecked.is_none()));
        }
        assert!(bool::from(point.is_torsion_free()));
        assert_eq!(point.clear_cofactor(), point);
        assert_eq!(point.into_subgroup().unwrap(), point);
        let zero = <RistrettoPoint as Group>::identity();
        assert_eq!(zero, RistrettoPoint::default());
        assert!(bool::from(Group::is_identity(&zero)));
        assert!(!bool::from(Group::is_identity(&point)));
    });
}

/// Random elements are what the bytes of a generator are mapped to.
#[cfg(feature = "rand_core")]
mod random {
    use super::RistrettoPoint;
    use rand_core::{TryCryptoRng, TryRng, UnwrapErr};

    /// A generator of these bytes, which fails where there are too few.
    struct These(Vec<u8>);

    impl TryRng for These {
        type Error = std::fmt::Error;

        fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
            let mut bytes = [0; 4];
            self.try_fill_bytes(&mut bytes)?;
            Ok(u32::from_le_bytes(bytes))
        }

        fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
            let mut bytes = [0; 8];
            self.try_fill_bytes(&mut bytes)?;
            Ok(u64::from_le_bytes(bytes))
        }

        fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
            let these = self.0.get(..bytes.len()).ok_or(std::fmt::Error)?;
            bytes.copy_from_slice(these);
            self.0.drain(..bytes.len());
            Ok(())
        }
    }

    impl TryCryptoRng for These {}

    #[test]
    fn elements_from_64_bytes() {
        let bytes: [u8; 64] = core::array::from_fn(|i| i as u8);
        let these = || These(bytes.to_vec());
        let mapped = RistrettoPoint::from_uniform_bytes(&bytes);
        assert_eq!(RistrettoPoint::random(&mut UnwrapErr(these())), mapped);
        assert_eq!(RistrettoPoint::try_random(&mut these()), Ok(mapped));
        let short = &mut These(vec![0; 63]);
        assert!(RistrettoPoint::try_random(short).is_err());
    }

    /// The neutral element is not among those of `Group`.
    #[cfg(feature = "group")]
    #[test]
    fn not_the_neutral_element() {
        use group::Group;
        // Two halves that are mapped to opposite elements.
        let (half, opposite) = (0..=255)
            .find_map(|byte| {
                let point = RistrettoPoint::map_to_curve([byte; 32]);
                let found = (-point).map_to_curve_inverse();
                let found = found.into_iter().find_map(Option::from)?;
                Some(([byte; 32], found))
            })
            .expect("about every second element is mapped to");
        let neutral = [half, opposite].concat();
        let bytes: [u8; 64] = core::array::from_fn(|i| i as u8);
        let these = &mut These([&neutral[..], &bytes].concat());
        assert_eq!(
            <RistrettoPoint as Group>::try_random(these),
            Ok(RistrettoPoint::from_uniform_bytes(&bytes))
        );
        let these = &mut These(neutral);
        assert!(<RistrettoPoint as Group>::try_random(these).is_err());
    }
}

#[cfg(feature = "serde")]
#[test]
fn in_serde_a_tuple_of_bytes() {
    let point = RISTRETTO_BASEPOINT_POINT;
    let text = serde_json::to_string(&point).unwrap();
    assert_eq!(text, serde_json::to_string(&point.compress()).unwrap());
    assert!(text.starts_with("[226,242,174,"));
    assert_eq!(
        serde_json::from_str::<RistrettoPoint>(&text).unwrap(),
        point
    );
    assert_eq!(
        serde_json::from_str::<CompressedRistretto>(&text).unwrap(),
        point.compress()
    );
    let refused = serde_json::to_string(&refused()[28]).unwrap();
    assert!(serde_json::from_str::<CompressedRistretto>(&refused).is_ok());
    assert!(serde_json::from_str::<RistrettoPoint>(&refused).is_err());
    assert!(serde_json::from_str::<RistrettoPoint>("[226,242]").is_err());
}
