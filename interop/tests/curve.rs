//! The arithmetic of the curve against curve25519-dalek: Ristretto255, hashing to the curves, sums of multiples, tables,
//! serde and the traits of `group`.

use curve25519_dalek as dalek;
use dalek::traits::{
    BasepointTable as _, MultiscalarMul as _, VartimeMultiscalarMul as _,
    VartimePrecomputedMultiscalarMul as _,
};
use lanner_curve as ours;
use lanner_interop::encodings::{P, add, small, top_bit, unreduced};
use lanner_interop::{array, hex, start};
use ours::traits::{
    BasepointTable as _, MultiscalarMul as _, VartimeMultiscalarMul as _,
    VartimePrecomputedMultiscalarMul as _,
};
use sha2::{Sha256, Sha512};

/// A scalar of both libraries.
fn scalars(rng: &mut fastrand::Rng) -> (ours::Scalar, dalek::Scalar) {
    let wide: [u8; 64] = array(rng);
    (
        ours::Scalar::from_bytes_mod_order_wide(&wide),
        dalek::Scalar::from_bytes_mod_order_wide(&wide),
    )
}

/// Asserts that both decode these bytes to the same element, or refuse them.
fn decode(bytes: [u8; 32]) -> bool {
    let a = ours::ristretto::CompressedRistretto(bytes).decompress();
    let b = dalek::ristretto::CompressedRistretto(bytes).decompress();
    assert_eq!(a.is_some(), b.is_some(), "{}", hex(&bytes));
    let (Some(a), Some(b)) = (a, b) else {
        return false;
    };
    assert_eq!(a.compress().0, bytes);
    // They are the same element with the same coordinates: sums go on alike.
    let (c, d) = (a + a, b + b);
    assert_eq!(c.compress().0, d.compress().0, "{}", hex(&bytes));
    true
}

#[test]
fn ristretto_encodings_of_every_kind() {
    let mut rng = start("ristretto_encodings_of_every_kind");
    let mut bytes = vec![[0; 32], [0xff; 32], add(&P, &[0xff; 32])];
    bytes.extend(unreduced());
    bytes.extend((0..=255).map(small));
    bytes.extend((0..=255).map(|n| add(&P, &[0xff; 32]).map(|byte| byte ^ n)));
    bytes.extend(bytes.clone().into_iter().map(top_bit));
    for bytes in bytes {
        decode(bytes);
    }
    // Elements, their opposites, and their neighbours.
    let mut accepted = 0;
    for _ in 0..200 {
        let mut random: [u8; 32] = array(&mut rng);
        random[0] &= 0xfe;
        random[31] &= 0x7f;
        accepted += u32::from(decode(random));
        let (a, b) = scalars(&mut rng);
        let encoding = ours::RistrettoPoint::mul_base(&a).compress().0;
        assert_eq!(encoding, dalek::RistrettoPoint::mul_base(&b).compress().0);
        assert!(decode(encoding));
        for spoiled in [
            top_bit(encoding),
            add(&encoding, &small(1)),
            add(&encoding, &P),
        ] {
            decode(spoiled);
        }
        let mut opposite = P;
        let mut borrow = 0i16;
        for i in 0..32 {
            let difference = i16::from(P[i]) - i16::from(encoding[i]) + borrow;
            opposite[i] = difference as u8;
            borrow = difference >> 8;
        }
        assert!(!decode(opposite));
    }
    assert!(accepted > 0, "some random encodings are of elements");
}

#[test]
fn ristretto_arithmetic() {
    let mut rng = start("ristretto_arithmetic");
    for _ in 0..40 {
        let bytes: [u8; 64] = array(&mut rng);
        let one: [u8; 32] = array(&mut rng);
        let (x, x_theirs) = scalars(&mut rng);
        let a = ours::RistrettoPoint::from_uniform_bytes(&bytes);
        let b = dalek::RistrettoPoint::from_uniform_bytes(&bytes);
        assert_eq!(a.compress().0, b.compress().0);
        let (c, d) = (
            ours::RistrettoPoint::map_to_curve(one),
            dalek::RistrettoPoint::map_to_curve(one),
        );
        assert_eq!(c.compress().0, d.compress().0);
        assert_eq!((a + c * x).compress().0, (b + d * x_theirs).compress().0);
        assert_eq!((a - c).compress().0, (b - d).compress().0);
        assert_eq!((-a).compress().0, (-b).compress().0);
        assert_eq!(
            ours::RistrettoPoint::hash_from_bytes::<Sha512>(&bytes)
                .compress()
                .0,
            dalek::RistrettoPoint::hash_from_bytes::<Sha512>(&bytes)
                .compress()
                .0
        );
        let both = ours::RistrettoPoint::double_and_compress_batch(&[a, c, a]);
        let theirs = dalek::RistrettoPoint::double_and_compress_batch(&[b, d, b]);
        assert_eq!(
            both.iter().map(|e| e.0).collect::<Vec<_>>(),
            theirs.iter().map(|e| e.0).collect::<Vec<_>>()
        );
    }
    let edges = unreduced().chain((0..40).map(small)).chain([[0xff; 32]]);
    for bytes in edges {
        let a = ours::RistrettoPoint::map_to_curve(bytes).compress().0;
        let b = dalek::RistrettoPoint::map_to_curve(bytes).compress().0;
        assert_eq!(a, b, "{}", hex(&bytes));
    }
}

#[test]
fn lizard_and_the_inverse_map() {
    let mut rng = start("lizard_and_the_inverse_map");
    for round in 0..24 {
        let data: [u8; 16] = array(&mut rng);
        let a = ours::RistrettoPoint::lizard_encode::<Sha256>(&data);
        let b = dalek::RistrettoPoint::lizard_encode::<Sha256>(&data);
        assert_eq!(a.compress().0, b.compress().0);
        assert_eq!(a.lizard_decode::<Sha256>(), Some(data));
        let (a, b) = if round == 0 {
            Default::default()
        } else {
            let bytes: [u8; 64] = array(&mut rng);
            (
                ours::RistrettoPoint::from_uniform_bytes(&bytes),
                dalek::RistrettoPoint::from_uniform_bytes(&bytes),
            )
        };
        let set = |found: [subtle::CtOption<[u8; 32]>; 16]| found.map(Option::<[u8; 32]>::from);
        let (found, theirs) = (set(a.map_to_curve_inverse()), set(b.map_to_curve_inverse()));
        // Theirs are those of the coordinates that the sum happens to have, in their order.
        let sorted = |found: &[Option<[u8; 32]>]| {
            let mut found: Vec<_> = found.iter().flatten().copied().collect();
            found.sort_unstable();
            found.dedup();
            found
        };
        assert_eq!(sorted(&found[..8]), sorted(&theirs[..8]));
        assert_eq!(sorted(&found[8..]), sorted(&theirs[8..]));
        assert_eq!(
            a.lizard_decode::<Sha256>(),
            b.lizard_decode::<Sha256>(),
            "round {round}"
        );
    }
}

#[test]
fn hashing_to_the_curve() {
    let mut rng = start("hashing_to_the_curve");
    for length in [0, 1, 7, 128, 300] {
        for tag_length in [1, 20, 254, 255] {
            let message: Vec<u8> = (0..length).map(|_| rng.u8(..)).collect();
            let tag: Vec<u8> = (0..tag_length).map(|_| rng.u8(..)).collect();
            let (message, tag) = ([&message[..], b"more"], [&tag[..]]);
            let ours = ours::EdwardsPoint::hash_to_curve::<Sha512>(&message, &tag);
            let theirs = dalek::EdwardsPoint::hash_to_curve::<Sha512>(&message, &tag);
            assert_eq!(ours.compress().0, theirs.compress().0);
            let ours = ours::EdwardsPoint::encode_to_curve::<Sha512>(&message, &tag);
            let theirs = dalek::EdwardsPoint::encode_to_curve::<Sha512>(&message, &tag);
            assert_eq!(ours.compress().0, theirs.compress().0);
        }
    }
}

#[test]
fn sums_of_multiples() {
    let mut rng = start("sums_of_multiples");
    for n in [0, 1, 2, 3, 8, 9, 17, 64, 200] {
        let (scalars, theirs): (Vec<_>, Vec<_>) = (0..n).map(|_| scalars(&mut rng)).unzip();
        let (points, their_points): (Vec<_>, Vec<_>) = (0..n)
            .map(|i| {
                let bytes: [u8; 64] = array(&mut rng);
                let _ = i;
                (
                    ours::RistrettoPoint::from_uniform_bytes(&bytes),
                    dalek::RistrettoPoint::from_uniform_bytes(&bytes),
                )
            })
            .unzip();
        let expected = dalek::RistrettoPoint::multiscalar_mul(&theirs, &their_points)
            .compress()
            .0;
        let sum = ours::RistrettoPoint::multiscalar_mul(&scalars, &points);
        assert_eq!(sum.compress().0, expected, "{n}");
        let sum = ours::RistrettoPoint::vartime_multiscalar_mul(&scalars, &points);
        assert_eq!(sum.compress().0, expected, "{n}");
        let half = n / 2;
        let tables = ours::ristretto::VartimeRistrettoPrecomputation::new(&points[..half]);
        let sum = tables.vartime_mixed_multiscalar_mul(
            &scalars[..half],
            &scalars[half..],
            &points[half..],
        );
        assert_eq!(sum.compress().0, expected, "{n}");
        let theirs_sum =
            dalek::ristretto::VartimeRistrettoPrecomputation::new(&their_points[..half])
                .vartime_mixed_multiscalar_mul(
                    &theirs[..half],
                    &theirs[half..],
                    &their_points[half..],
                );
        assert_eq!(theirs_sum.compress().0, expected, "{n}");
        let sum = dalek::RistrettoPoint::vartime_multiscalar_mul(&theirs, &their_points);
        assert_eq!(sum.compress().0, expected, "{n}");
    }
}

#[test]
fn tables() {
    let mut rng = start("tables");
    for _ in 0..8 {
        let encoding: [u8; 32] = array(&mut rng);
        let (Some(point), Some(theirs)) = (
            ours::edwards::CompressedEdwardsY(encoding).decompress(),
            dalek::edwards::CompressedEdwardsY(encoding).decompress(),
        ) else {
            continue;
        };
        let (a, b) = scalars(&mut rng);
        let clamped: [u8; 32] = array(&mut rng);
        let table = ours::edwards::EdwardsBasepointTableRadix64::create(&point);
        let their_table = dalek::edwards::EdwardsBasepointTableRadix64::create(&theirs);
        assert_eq!(
            table.mul_base(&a).compress().0,
            their_table.mul_base(&b).compress().0
        );
        assert_eq!(
            table.mul_base_clamped(clamped).compress().0,
            their_table.mul_base_clamped(clamped).compress().0
        );
    }
    let (a, b) = scalars(&mut rng);
    assert_eq!(
        (&a * ours::constants::RISTRETTO_BASEPOINT_TABLE)
            .compress()
            .0,
        (&b * dalek::constants::RISTRETTO_BASEPOINT_TABLE)
            .compress()
            .0
    );
    for (a, b) in ours::constants::X25519_LOW_ORDER_POINTS
        .iter()
        .zip(&dalek::constants::X25519_LOW_ORDER_POINTS)
    {
        assert_eq!(a.0, b.0);
    }
}

#[test]
fn conversions_of_many_points() {
    let mut rng = start("conversions_of_many_points");
    let (mut points, mut theirs) = (
        vec![ours::EdwardsPoint::default()],
        vec![Default::default()],
    );
    for _ in 0..20 {
        let (a, b) = scalars(&mut rng);
        points.push(ours::EdwardsPoint::mul_base(&a));
        theirs.push(dalek::EdwardsPoint::mul_base(&b));
    }
    let ours: Vec<_> = ours::EdwardsPoint::to_montgomery_batch(&points)
        .iter()
        .map(|u| u.0)
        .collect();
    let theirs: Vec<_> = dalek::EdwardsPoint::to_montgomery_batch(&theirs)
        .iter()
        .map(|u| u.0)
        .collect();
    assert_eq!(ours, theirs);
}

/// What both say of the same text.
#[track_caller]
fn read_alike<A, B>(text: &str)
where
    A: serde::de::DeserializeOwned + serde::Serialize,
    B: serde::de::DeserializeOwned + serde::Serialize,
{
    let a = serde_json::from_str::<A>(text);
    let b = serde_json::from_str::<B>(text);
    match (a, b) {
        (Ok(a), Ok(b)) => assert_eq!(
            serde_json::to_string(&a).expect("it can be written"),
            serde_json::to_string(&b).expect("it can be written")
        ),
        (Err(a), Err(b)) => assert_eq!(a.to_string(), b.to_string(), "{text}"),
        (a, b) => panic!("{text}: {} and {}", a.is_ok(), b.is_ok()),
    }
}

#[test]
fn serde_reads_and_refuses_alike() {
    let mut rng = start("serde_reads_and_refuses_alike");
    let point = ours::RistrettoPoint::mul_base(&scalars(&mut rng).0)
        .compress()
        .0;
    let mut bytes = vec![[0; 32], [2; 32], [0xff; 32], P, point, small(1)];
    bytes.push(
        ours::EdwardsPoint::mul_base(&scalars(&mut rng).0)
            .compress()
            .0,
    );
    bytes.push(array(&mut rng));
    let mut texts: Vec<String> = bytes
        .iter()
        .map(|bytes| serde_json::to_string(bytes).expect("an array"))
        .collect();
    for length in [0, 1, 31, 33, 40, 64] {
        texts.push(serde_json::to_string(&vec![0u8; length]).expect("a list"));
    }
    texts.extend(["1", "\"text\"", "[256]", "{}", "null", "[[0]]"].map(String::from));
    for text in &texts {
        read_alike::<ours::Scalar, dalek::Scalar>(text);
        read_alike::<ours::EdwardsPoint, dalek::EdwardsPoint>(text);
        read_alike::<ours::RistrettoPoint, dalek::RistrettoPoint>(text);
        read_alike::<ours::MontgomeryPoint, dalek::MontgomeryPoint>(text);
        read_alike::<ours::edwards::CompressedEdwardsY, dalek::edwards::CompressedEdwardsY>(text);
        read_alike::<ours::ristretto::CompressedRistretto, dalek::ristretto::CompressedRistretto>(
            text,
        );
    }
}

#[test]
fn the_traits_of_group() {
    use group::cofactor::CofactorGroup;
    use group::ff::{Field, PrimeField};
    use group::{Group, GroupEncoding};
    let mut rng = start("the_traits_of_group");
    fn facts<S: PrimeField<Repr = [u8; 32]>>() -> Vec<[u8; 32]> {
        [
            S::TWO_INV,
            S::MULTIPLICATIVE_GENERATOR,
            S::ROOT_OF_UNITY,
            S::ROOT_OF_UNITY_INV,
            S::DELTA,
        ]
        .map(|scalar| scalar.to_repr())
        .to_vec()
    }
    assert_eq!(facts::<ours::Scalar>(), facts::<dalek::Scalar>());
    assert_eq!(ours::Scalar::MODULUS, dalek::Scalar::MODULUS);
    for _ in 0..40 {
        let (a, b) = scalars(&mut rng);
        assert_eq!(
            Option::<ours::Scalar>::from(a.sqrt()).map(|root| root.to_bytes()),
            Option::<dalek::Scalar>::from(b.sqrt()).map(|root| root.to_bytes())
        );
        let bytes: [u8; 32] = array(&mut rng);
        fn of_group<G: Group + GroupEncoding<Repr = [u8; 32]>>(
            bytes: &[u8; 32],
        ) -> Option<[u8; 32]> {
            Option::<G>::from(G::from_bytes(bytes)).map(|point| point.double().to_bytes())
        }
        for bytes in [bytes, ours::EdwardsPoint::mul_base(&a).compress().0] {
            assert_eq!(
                of_group::<ours::EdwardsPoint>(&bytes),
                of_group::<dalek::EdwardsPoint>(&bytes)
            );
            assert_eq!(
                of_group::<ours::edwards::SubgroupPoint>(&bytes),
                of_group::<dalek::edwards::SubgroupPoint>(&bytes)
            );
            assert_eq!(
                of_group::<ours::RistrettoPoint>(&bytes),
                of_group::<dalek::RistrettoPoint>(&bytes)
            );
        }
    }
    for small in ours::constants::EIGHT_TORSION {
        assert!(bool::from(CofactorGroup::is_small_order(&small)));
        let of_subgroup = bool::from(Group::is_identity(&small));
        assert_eq!(bool::from(small.into_subgroup().is_some()), of_subgroup);
    }
}

/// Logs and snapshots have them.
#[test]
fn encodings_are_shown_alike() {
    let mut rng = start("encodings_are_shown_alike");
    for _ in 0..20 {
        let bytes: [u8; 32] = array(&mut rng);
        assert_eq!(
            format!("{:?}", ours::edwards::CompressedEdwardsY(bytes)),
            format!("{:?}", dalek::edwards::CompressedEdwardsY(bytes))
        );
        assert_eq!(
            format!("{:?}", ours::ristretto::CompressedRistretto(bytes)),
            format!("{:?}", dalek::ristretto::CompressedRistretto(bytes))
        );
    }
}
