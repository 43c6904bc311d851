//! Ristretto255, on every backend: the values of RFC 9496, and the laws of the group.

mod common;
#[path = "common/hex.rs"]
mod hex;

use common::{cases, on_every_backend, scalars};
use lanner_curve::constants::{RISTRETTO_BASEPOINT_COMPRESSED, RISTRETTO_BASEPOINT_POINT};
use lanner_curve::ristretto::{CompressedRistretto, RistrettoPoint};
use lanner_curve::scalar::Scalar;
use lanner_curve::traits::{Identity, IsIdentity};
use proptest::prelude::*;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

/// The multiples 0 to 15 of the base point (RFC 9496, appendix A.1).
const MULTIPLES: [&str; 16] = [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76",
    "6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919",
    "94741f5d5d52755ece4f23f044ee27d5d1ea1e2bd196b462166b16152a9d0259",
    "da80862773358b466ffadfe0b3293ab3d9fd53c5ea6c955358f568322daf6a57",
    "e882b131016b52c1d3337080187cf768423efccbb517bb495ab812c4160ff44e",
    "f64746d3c92b13050ed8d80236a7f0007c3b3f962f5ba793d19a601ebb1df403",
    "44f53520926ec81fbd5a387845beb7df85a96a24ece18738bdcfa6a7822a176d",
    "903293d8f2287ebe10e2374dc1a53e0bc887e592699f02d077d5263cdd55601c",
    "02622ace8f7303a31cafc63f8fc48fdc16e1c8c8d234b2f0d6685282a9076031",
    "20706fd788b2720a1ed2a5dad4952b01f413bcf0e7564de8cdc816689e2db95f",
    "bce83f8ba5dd2fa572864c24ba1810f9522bc6004afe95877ac73241cafdab42",
    "e4549ee16b9aa03099ca208c67adafcafa4c3f3e4e5303de6026e3ca8ff84460",
    "aa52e000df2e16f55fb1032fc33bc42742dad6bd5a8fc0be0167436c5948501f",
    "46376b80f409b29dc2b5f6f0c52591990896e5716f41477cd30085ab7f10301e",
    "e0c418f7c8d9c4cdd7395b93ea124f3ad99021bb681dfc3302a9d99a2e53e64e",
];

/// Encodings of nothing, of every kind that RFC 9496, appendix A.2, has: not canonical, odd, x^2 not a square, xy odd,
/// and s = -1, for which y = 0.
const REFUSED: [&str; 29] = [
    "00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "f3ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "ed57ffd8c914fb201471d1c3d245ce3c746fcbe63a3679d51b6a516ebebe0e20",
    "c34c4e1826e5d403b78e246e88aa051c36ccf0aafebffe137d148a2bf9104562",
    "c940e5a4404157cfb1628b108db051a8d439e1a421394ec4ebccb9ec92a8ac78",
    "47cfc5497c53dc8e61c91d17fd626ffb1c49e2bca94eed052281b510b1117a24",
    "f1c6165d33367351b0da8f6e4511010c68174a03b6581212c71c0e1d026c3c72",
    "87260f7a2f12495118360f02c26a470f450dadf34a413d21042b43b9d93e1309",
    "26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371",
    "4eac077a713c57b4f4397629a4145982c661f48044dd3f96427d40b147d9742f",
    "de6a7b00deadc788eb6b6c8d20c0ae96c2f2019078fa604fee5b87d6e989ad7b",
    "bcab477be20861e01e4a0e295284146a510150d9817763caf1a6f4b422d67042",
    "2a292df7e32cababbd9de088d1d1abec9fc0440f637ed2fba145094dc14bea08",
    "f4a9e534fc0d216c44b218fa0c42d99635a0127ee2e53c712f70609649fdff22",
    "8268436f8c4126196cf64b3c7ddbda90746a378625f9813dd9b8457077256731",
    "2810e5cbc2cc4d4eece54f61c6f69758e289aa7ab440b3cbeaa21995c2f4232b",
    "3eb858e78f5a7254d8c9731174a94f76755fd3941c0ac93735c07ba14579630e",
    "a45fdc55c76448c049a1ab33f17023edfb2be3581e9c7aade8a6125215e04220",
    "d483fe813c6ba647ebbfd3ec41adca1c6130c2beeee9d9bf065c8d151c5f396e",
    "8a2e1d30050198c65a54483123960ccc38aef6848e1ec8f5f780e8523769ba32",
    "32888462f8b486c68ad7dd9610be5192bbeaf3b443951ac1a8118419d9fa097b",
    "227142501b9d4355ccba290404bde41575b037693cef1f438c47f8fbf35d1165",
    "5c37cc491da847cfeb9281d407efc41e15144c876e0170b499a96a22ed31e01e",
    "445425117cb8c90edcbc7c1cc0e74f747f2c1efa5630a967c64f287792a48a4b",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
];

fn encoding(digits: &str) -> CompressedRistretto {
    CompressedRistretto(hex::bytes(digits))
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
    on_every_backend(|_| {
        assert_eq!(RISTRETTO_BASEPOINT_COMPRESSED, encoding(MULTIPLES[1]));
        let mut sum = RistrettoPoint::identity();
        for (i, digits) in (0u64..).zip(MULTIPLES) {
            assert_eq!(sum.compress(), encoding(digits), "{i}");
            assert_eq!(RistrettoPoint::mul_base(&Scalar::from(i)), sum);
            assert_eq!(RISTRETTO_BASEPOINT_POINT * Scalar::from(i), sum);
            assert_eq!(encoding(digits).decompress(), Some(sum));
            sum += RISTRETTO_BASEPOINT_POINT;
        }
    });
}

#[test]
fn what_encodes_nothing_is_refused() {
    on_every_backend(|_| {
        for digits in REFUSED {
            assert_eq!(encoding(digits).decompress(), None, "{digits}");
        }
        // A bit more than there is.
        for digits in MULTIPLES {
            let mut bytes: [u8; 32] = hex::bytes(digits);
            bytes[31] |= 0x80;
            assert_eq!(CompressedRistretto(bytes).decompress(), None);
        }
    });
}

#[test]
fn the_one_way_map_is_that_of_the_rfc() {
    // RFC 9496, appendix A.3, from SHA-512 of the text.
    const MAPPED: [(&str, &str); 1] = [(
        "5d1be09e3d0c82fc538112490e35701979d99e06ca3e2b5b54bffe8b4dc772c1\
         4d98b696a1bbfb5ca32c436cc61c16563790306c79eaca7705668b47dffe5bb6",
        "3066f82a1a747d45120d1740f14358531a8f04bbffe6a819f86dfe50f44a0a46",
    )];
    on_every_backend(|_| {
        for (input, output) in MAPPED {
            let point = RistrettoPoint::from_uniform_bytes(&hex::bytes(input));
            assert_eq!(point.compress(), encoding(output));
            // The top bits do not count.
            let mut bytes: [u8; 64] = hex::bytes(input);
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
    let text =
        "CompressedRistretto(e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76)";
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
}

#[cfg(feature = "digest")]
#[test]
fn hashes_are_mapped() {
    use sha2::{Digest, Sha512};
    let text = b"Ristretto is traditionally a short shot of espresso coffee";
    on_every_backend(|_| {
        let point = RistrettoPoint::hash_from_bytes::<Sha512>(text);
        let expected = "3066f82a1a747d45120d1740f14358531a8f04bbffe6a819f86dfe50f44a0a46";
        assert_eq!(point.compress(), encoding(expected));
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
        for digits in REFUSED {
            assert!(bool::from(
                RistrettoPoint::from_bytes(&hex::bytes(digits)).is_none()
            ));
        }
        assert!(bool::from(point.is_torsion_free()));
        assert_eq!(point.clear_cofactor(), point);
    });
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
    let refused = serde_json::to_string(&encoding(REFUSED[28])).unwrap();
    assert!(serde_json::from_str::<CompressedRistretto>(&refused).is_ok());
    assert!(serde_json::from_str::<RistrettoPoint>(&refused).is_err());
    assert!(serde_json::from_str::<RistrettoPoint>("[226,242]").is_err());
}
