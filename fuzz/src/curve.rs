//! The curve's encodings: Edwards points by both rules, Ristretto255, the u-line, and scalars; and each in `serde`. What decodes by a
//! rule for one encoding a value encodes to the same bytes; in constant time and in variable time, alone and beside
//! others, and in both shapes of the curve, the verdicts are the same.

use lanner_curve::edwards::{CompressedEdwardsY, DecodingRule, EdwardsPoint};
use lanner_curve::montgomery::MontgomeryPoint;
use lanner_curve::ristretto::{CompressedRistretto, RistrettoPoint};
use lanner_curve::scalar::Scalar;
use lanner_ed25519::VerifyingKey;

use crate::bytes::Bytes;
use crate::items::{encoding, odd_encoding};
use crate::serialized::{agrees, seed};

fn edwards(bytes: [u8; 32]) {
    let encoding = CompressedEdwardsY(bytes);
    let canonical = encoding.vartime_decompress(DecodingRule::Canonical);
    let lax = encoding.decompress();
    assert_eq!(lax, encoding.vartime_decompress(DecodingRule::Zip215));
    let key = VerifyingKey::from_bytes(&bytes);
    assert_eq!(key.as_ref().ok().map(VerifyingKey::to_edwards), lax);
    if let Ok(key) = key {
        assert_eq!(key.to_bytes(), bytes);
        assert_eq!(key.is_canonical(), canonical.is_some());
    }
    if let Some(point) = canonical {
        assert_eq!(lax, Some(point));
        assert_eq!(point.compress(), encoding);
    }
    if let Some(point) = lax {
        let again = point.compress();
        assert_eq!(again == encoding, canonical.is_some());
        assert_eq!(again.decompress(), Some(point));
        // The neutral element alone has no u, and is given 0, which the point of order 2 has.
        let u = point.to_montgomery();
        let back = u
            .to_edwards(again.0[31] >> 7)
            .expect("it came from a point");
        let exception = point.is_small_order() && u.to_bytes() == [0; 32];
        assert!(back == point || exception, "over the u-line");
    }
}

fn ristretto(bytes: [u8; 32]) {
    let encoding = CompressedRistretto(bytes);
    if let Some(element) = encoding.decompress() {
        assert_eq!(element.compress(), encoding);
        assert!(bytes[0] & 1 == 0 && bytes[31] < 0x80, "canonical and even");
        assert_eq!(
            RistrettoPoint::double_and_compress_batch([&element])[0],
            (element + element).compress()
        );
    }
}

fn montgomery(bytes: [u8; 32]) {
    let u = MontgomeryPoint(bytes);
    let [even, odd] = [0, 1].map(|sign| u.to_edwards(sign));
    assert_eq!(even.is_some(), odd.is_some());
    if let (Some(even), Some(odd)) = (even, odd) {
        assert_eq!((even.to_montgomery(), odd.to_montgomery()), (u, u));
        assert_eq!(even, -odd);
    }
    let point = MontgomeryPoint::map_to_point(&bytes);
    for tweak in [0, 0xff] {
        let back: Option<[u8; 32]> = point.to_representative(tweak).into();
        let back = back.expect("it came from one");
        assert_eq!(MontgomeryPoint::map_to_point(&back), point);
    }
}

fn scalar(bytes: [u8; 32], wide: &[u8; 64]) {
    let reduced = Scalar::from_bytes_mod_order(bytes);
    let canonical: Option<Scalar> = Scalar::from_canonical_bytes(bytes).into();
    assert_eq!(canonical.is_some(), Scalar::vartime_is_canonical(&bytes));
    assert_eq!(canonical.is_some(), reduced.to_bytes() == bytes);
    assert!(Scalar::vartime_is_canonical(reduced.as_bytes()));
    assert!(canonical.is_none_or(|scalar| scalar == reduced));
    // 2^256 times the upper half, and the lower half.
    let half = |at| {
        let half: &[u8; 32] = wide[at..].first_chunk().expect("half of 64 bytes");
        Scalar::from_bytes_mod_order(*half)
    };
    let shift = Scalar::from(1_u64 << 32);
    let shift = shift * shift * shift * shift;
    let shift = shift * shift;
    assert_eq!(
        Scalar::from_bytes_mod_order_wide(wide),
        half(0) + shift * half(32)
    );
    assert_eq!(reduced.div_by_2() + reduced.div_by_2(), reduced);
    if reduced != Scalar::ZERO {
        let inverse = reduced.vartime_invert();
        assert_eq!(inverse, reduced.invert());
        assert_eq!(inverse * reduced, Scalar::ONE);
    }
}

/// Each type in `serde`, which is 32 numbers.
fn numbers(data: &[u8]) {
    let array = |bytes: &[u8]| <[u8; 32]>::try_from(bytes).ok();
    agrees(data, false, |bytes| array(bytes).map(CompressedEdwardsY));
    agrees(data, false, |bytes| {
        CompressedEdwardsY(array(bytes)?).decompress()
    });
    agrees(data, false, |bytes| array(bytes).map(CompressedRistretto));
    agrees(data, false, |bytes| {
        CompressedRistretto(array(bytes)?).decompress()
    });
    agrees(data, false, |bytes| array(bytes).map(MontgomeryPoint));
    agrees(data, false, |bytes| {
        Option::<Scalar>::from(Scalar::from_canonical_bytes(array(bytes)?))
    });
    for bytes in [
        CompressedEdwardsY::from_slice(data).map(|it| it.0).ok(),
        CompressedRistretto::from_slice(data).map(|it| it.0).ok(),
    ] {
        assert_eq!(bytes, array(data));
    }
}

/// The first byte says which encoding the rest is.
pub fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    match bytes.below(6) {
        5 => numbers(bytes.rest()),
        0 => edwards(bytes.array()),
        1 => edwards(encoding(&mut bytes)),
        2 => ristretto(bytes.array()),
        3 => montgomery(bytes.array()),
        _ => scalar(bytes.array(), &bytes.array()),
    }
}

/// Encodings of every kind, and what is next to them.
pub fn seeds() -> Vec<Vec<u8>> {
    let with = |kind: u8, bytes: &[u8]| [&[kind], bytes].concat();
    let mut seeds = Vec::new();
    for factor in [0, 1, 2, 7, 500_u64] {
        let point = EdwardsPoint::mul_base(&Scalar::from(factor));
        seeds.push(with(0, &point.compress().0));
        seeds.push(with(3, &point.to_montgomery().0));
        let element = RistrettoPoint::mul_base(&Scalar::from(factor));
        seeds.push(with(2, &element.compress().0));
        let scalar = -Scalar::from(factor);
        seeds.push(with(4, &[scalar.to_bytes(); 3].concat()));
        let mut raised = scalar.to_bytes();
        raised[0] ^= 0x0d;
        seeds.push(with(4, &[raised; 3].concat()));
    }
    for which in [0, 1, 2, 3, 20, 21, 38, 39] {
        seeds.push(with(0, &odd_encoding(which)));
        seeds.push(with(2, &odd_encoding(which)));
        seeds.push(with(3, &odd_encoding(which)));
        seeds.push(with(5, &odd_encoding(which)));
        seeds.push(with(5, &seed(&odd_encoding(which))));
    }
    seeds.push(with(5, &Scalar::ONE.to_bytes()));
    seeds.push(with(5, &seed(&[0; 32])));
    seeds.extend((0..8).map(|class| with(1, &[2, 0, class])));
    seeds
}
