//! curve25519-dalek 4: scalars and the points of both shapes.

#![expect(
    clippy::op_ref,
    reason = "operators on references are among what must compile"
)]

use curve25519_dalek_4::constants::{
    ED25519_BASEPOINT_COMPRESSED, ED25519_BASEPOINT_POINT, EIGHT_TORSION, X25519_BASEPOINT,
};
use curve25519_dalek_4::edwards::{CompressedEdwardsY, EdwardsPoint};
use curve25519_dalek_4::montgomery::MontgomeryPoint;
use curve25519_dalek_4::scalar::{Scalar, clamp_integer};
use curve25519_dalek_4::traits::{Identity, IsIdentity, MultiscalarMul, VartimeMultiscalarMul};

use crate::story::{Sequence, Story};

pub(crate) fn tell(story: &mut Story) {
    let mut rng = Sequence(1);
    for _ in 0..4 {
        scalars(story, &mut rng);
        edwards(story, &mut rng);
        montgomery(story, &mut rng);
        tables::tell(story, &mut rng);
        unreduced(story, &mut rng);
        elligator(story, &mut rng);
        serialized(story, &mut rng);
    }
    uneven(story);
    edges(story);
}

fn scalars(story: &mut Story, rng: &mut Sequence) {
    let a = Scalar::from_bytes_mod_order(rng.array());
    let b = Scalar::from_bytes_mod_order_wide(&rng.array());
    story.bytes("a", a.to_bytes());
    story.bytes("b", b.as_bytes());
    story.bytes("a + b", (a + b).to_bytes());
    story.bytes("a - b", (&a - &b).to_bytes());
    story.bytes("a b", (a * &b).to_bytes());
    story.bytes("-a", (-a).to_bytes());
    story.bytes("1/a", a.invert().to_bytes());
    story.value("a/a", a * a.invert() == Scalar::ONE);
    let mut c = a;
    c += b;
    c *= &a;
    c -= Scalar::from(7_u8);
    story.bytes("c", c.to_bytes());
    let sum: Scalar = [a, b, c].iter().sum();
    let product: Scalar = [a, b, c].iter().product();
    story.bytes("sum", sum.to_bytes());
    story.bytes("product", product.to_bytes());
    story.bytes("random", Scalar::random(rng).to_bytes());
    story.bytes(
        "hash",
        Scalar::hash_from_bytes::<ed25519_dalek_2::Sha512>(b"a scalar").to_bytes(),
    );
    let mut many = [a, b, c];
    story.bytes(
        "batch inversion",
        Scalar::batch_invert(&mut many).to_bytes(),
    );
    story.bytes("its second", many[1].to_bytes());
    story.value(
        "equal",
        (a == Scalar::from_bytes_mod_order(a.to_bytes()), a == b),
    );
    story.value("index", a[0]);
    let canonical = Option::<Scalar>::from(Scalar::from_canonical_bytes(a.to_bytes()));
    story.value("canonical", canonical == Some(a));
    story.value(
        "not canonical",
        bool::from(Scalar::from_canonical_bytes([0xff; 32]).is_some()),
    );
    story.bytes("clamped", clamp_integer(rng.array()));
    story.bytes("from u64", Scalar::from(u64::MAX).to_bytes());
    story.bytes("from u128", Scalar::from(u128::MAX).to_bytes());
}

fn edwards(story: &mut Story, rng: &mut Sequence) {
    let (a, b) = (Scalar::random(rng), Scalar::random(rng));
    let (p, q) = (EdwardsPoint::mul_base(&a), ED25519_BASEPOINT_POINT * b);
    let bytes = |point: EdwardsPoint| point.compress().to_bytes();
    story.bytes("P", bytes(p));
    story.bytes("Q", q.compress().as_bytes());
    story.bytes("P + Q", bytes(p + q));
    story.bytes("P - Q", bytes(&p - &q));
    story.bytes("-P", bytes(-p));
    story.bytes("a Q", bytes(a * q));
    story.value("commutes", &a * &q == &b * &p);
    let mut r = p;
    r += q;
    r -= &p;
    r *= a;
    story.bytes("R", bytes(r));
    let sum: EdwardsPoint = [p, q, r].iter().sum();
    story.bytes("sum", bytes(sum));
    story.bytes("8 P", bytes(p.mul_by_cofactor()));
    story.bytes("clamped", bytes(p.mul_clamped(rng.array())));
    story.bytes(
        "base, clamped",
        bytes(EdwardsPoint::mul_base_clamped(rng.array())),
    );
    story.bytes(
        "double-base",
        bytes(EdwardsPoint::vartime_double_scalar_mul_basepoint(
            &a, &q, &b,
        )),
    );
    story.bytes(
        "multiscalar",
        bytes(EdwardsPoint::multiscalar_mul([a, b], [p, q])),
    );
    let scalars: Vec<Scalar> = (0..40_u8).map(|i| a + Scalar::from(i)).collect();
    let points: Vec<EdwardsPoint> = scalars.iter().map(EdwardsPoint::mul_base).collect();
    story.bytes(
        "vartime multiscalar",
        bytes(EdwardsPoint::vartime_multiscalar_mul(&scalars, &points)),
    );
    let optional = points.iter().map(|point| Some(*point)).chain([None]);
    let scalars = scalars.iter().chain([&a]);
    story.value(
        "with a hole",
        EdwardsPoint::optional_multiscalar_mul(scalars, optional).is_none(),
    );
    let compressed = p.compress();
    story.value("round trip", compressed.decompress() == Some(p));
    let slice = CompressedEdwardsY::from_slice(compressed.as_bytes());
    story.value("from a slice", slice.ok() == Some(compressed));
    story.value(
        "from a short slice",
        CompressedEdwardsY::from_slice(&[0; 31]).is_err(),
    );
    let torsion = p + EIGHT_TORSION[3];
    story.bytes("with torsion", bytes(torsion));
    story.value("torsion", (p.is_torsion_free(), torsion.is_torsion_free()));
    story.value(
        "small order",
        (p.is_small_order(), EIGHT_TORSION[3].is_small_order()),
    );
    story.value(
        "identity",
        (p.is_identity(), EdwardsPoint::identity().is_identity()),
    );
    story.bytes("to Montgomery", p.to_montgomery().to_bytes());
    let zero = EdwardsPoint::default();
    story.value("default is neutral", p + zero == p);
}

fn montgomery(story: &mut Story, rng: &mut Sequence) {
    let a = Scalar::random(rng);
    let p = MontgomeryPoint::mul_base(&a);
    story.bytes("u of P", p.to_bytes());
    story.bytes("a P", (p * a).as_bytes());
    story.bytes("a P again", (&a * &p).to_bytes());
    story.bytes("clamped", p.mul_clamped(rng.array()).to_bytes());
    story.bytes(
        "base, clamped",
        MontgomeryPoint::mul_base_clamped(rng.array()).to_bytes(),
    );
    story.bytes(
        "by bits",
        p.mul_bits_be([true, false, true, true].into_iter())
            .to_bytes(),
    );
    for sign in 0..2 {
        let point = p.to_edwards(sign).map(|point| point.compress().to_bytes());
        story.value("to Edwards", point);
    }
    let any = MontgomeryPoint(rng.array());
    story.value(
        "perhaps on the twist",
        any.to_edwards(0).map(|point| point.compress().to_bytes()),
    );
    story.value("equal", (p == MontgomeryPoint(p.0), p == X25519_BASEPOINT));
}

fn edges(story: &mut Story) {
    story.bytes("base point", ED25519_BASEPOINT_COMPRESSED.to_bytes());
    story.bytes("u of the base point", X25519_BASEPOINT.to_bytes());
    for point in &EIGHT_TORSION {
        story.bytes("torsion", point.compress().to_bytes());
        story.bytes("its u", point.to_montgomery().to_bytes());
    }
    for first in 0..=255_u8 {
        for last in [0x00, 0x7f, 0x80, 0xff] {
            let fill = if last & 0x7f == 0 { 0 } else { 0xff };
            let mut bytes = [fill; 32];
            bytes[0] = first;
            bytes[31] = last;
            let point = CompressedEdwardsY(bytes).decompress();
            let again = point.map(|point| point.compress().to_bytes());
            story.value("decompressed", again);
        }
    }
    let unreduced = MontgomeryPoint([0xff; 32]);
    let mut reduced = MontgomeryPoint([0; 32]);
    reduced.0[0] = 18;
    story.value("u modulo p", unreduced == reduced);
}

/// Tables of multiples of any point.
mod tables {
    use curve25519_dalek_4::constants::ED25519_BASEPOINT_TABLE;
    use curve25519_dalek_4::edwards::{
        EdwardsBasepointTable, EdwardsBasepointTableRadix32, EdwardsBasepointTableRadix64,
        EdwardsBasepointTableRadix128, EdwardsBasepointTableRadix256, EdwardsPoint,
        VartimeEdwardsPrecomputation,
    };
    use curve25519_dalek_4::scalar::Scalar;
    use curve25519_dalek_4::traits::{BasepointTable, VartimePrecomputedMultiscalarMul};

    use crate::story::{Sequence, Story};

    pub(super) fn tell(story: &mut Story, rng: &mut Sequence) {
        let bytes = |point: EdwardsPoint| point.compress().to_bytes();
        let (a, b) = (Scalar::random(rng), Scalar::random(rng));
        let p = &a * ED25519_BASEPOINT_TABLE;
        story.bytes("by the table", bytes(p));
        story.bytes("its point", bytes(ED25519_BASEPOINT_TABLE.basepoint()));
        let table = EdwardsBasepointTable::create(&p);
        story.bytes("by a table", bytes(&table * &b));
        story.bytes("clamped", bytes(table.mul_base_clamped(rng.array())));
        macro_rules! wider {
            ($($Table:ident)*) => {$(
                let wide = $Table::from(&table);
                story.bytes("wider", bytes(&wide * &b));
                story.bytes("clamped", bytes(wide.mul_base_clamped(rng.array())));
                story.bytes("back", bytes(EdwardsBasepointTable::from(&wide).basepoint()));
            )*};
        }
        wider! {
            EdwardsBasepointTableRadix32
            EdwardsBasepointTableRadix64
            EdwardsBasepointTableRadix128
            EdwardsBasepointTableRadix256
        }
        let points = [p, table.basepoint() * b];
        let known = VartimeEdwardsPrecomputation::new(&points);
        story.bytes("known", bytes(known.vartime_multiscalar_mul([a, b])));
        let mixed = known.vartime_mixed_multiscalar_mul([a, b], [b], [p]);
        story.bytes("mixed", bytes(mixed));
        let hole = known.optional_mixed_multiscalar_mul([a, b], [b, a], [Some(p), None]);
        story.value("with a hole", hole.is_none());
        for (scalars, others) in [(1, 1), (3, 1), (2, 0), (2, 2), (2, 1)] {
            let refused = std::panic::catch_unwind(|| {
                let scalars = [a; 3].into_iter().take(scalars);
                let others = [b; 2].into_iter().take(others);
                known.vartime_mixed_multiscalar_mul(scalars, others, [p])
            });
            story.value("uneven", refused.is_err());
        }
    }
}

/// Scalars that are not reduced: points are multiplied by the integer.
fn unreduced(story: &mut Story, rng: &mut Sequence) {
    let bytes = |point: EdwardsPoint| point.compress().to_bytes();
    for integer in [rng.array(), [0xff; 32], [0x7f; 32]] {
        #[expect(deprecated, reason = "it is there")]
        let integer = Scalar::from_bits(integer);
        story.bytes("integer", integer.to_bytes());
        let p = EdwardsPoint::mul_base(&Scalar::random(rng)) + EIGHT_TORSION[1];
        story.bytes("times P", bytes(p * integer));
        story.bytes("times B", bytes(EdwardsPoint::mul_base(&integer)));
        story.bytes("times u", (p.to_montgomery() * integer).to_bytes());
        let double = EdwardsPoint::vartime_double_scalar_mul_basepoint(&integer, &p, &integer);
        story.bytes("double-base", bytes(double));
    }
}

/// The map of old, which is no hash to the curve.
fn elligator(story: &mut Story, rng: &mut Sequence) {
    for _ in 0..16 {
        let message: [u8; 8] = rng.array();
        #[expect(deprecated, reason = "it is there")]
        let point = EdwardsPoint::nonspec_map_to_curve::<ed25519_dalek_2::Sha512>(&message);
        story.bytes("mapped", point.compress().to_bytes());
    }
}

/// What differs in length is refused.
fn uneven(story: &mut Story) {
    let (scalars, points) = ([Scalar::ONE; 2], [ED25519_BASEPOINT_POINT; 3]);
    let refused = std::panic::catch_unwind(|| EdwardsPoint::multiscalar_mul(scalars, points));
    story.value("uneven", refused.is_err());
    let refused =
        std::panic::catch_unwind(|| EdwardsPoint::vartime_multiscalar_mul(scalars, points));
    story.value("uneven", refused.is_err());
}

/// serde: tuples of 32 bytes, and the sequences of JSON.
fn serialized(story: &mut Story, rng: &mut Sequence) {
    let scalar = Scalar::random(rng);
    let point = EdwardsPoint::mul_base(&scalar);
    let all = (scalar, point, point.compress(), point.to_montgomery());
    let json = serde_json::to_string(&all).expect("serialises");
    let read: (Scalar, EdwardsPoint, CompressedEdwardsY, MontgomeryPoint) =
        serde_json::from_str(&json).expect("reads");
    story.value("read", read == all);
    story.value("serialised", json);
    for wrong in [vec![0xff; 32], vec![2; 32], vec![1; 31], vec![1; 33]] {
        let json = serde_json::to_string(&wrong).expect("serialises");
        story.value("read", serde_json::from_str::<Scalar>(&json).is_ok());
        story.value("read", serde_json::from_str::<EdwardsPoint>(&json).is_ok());
        story.value(
            "read",
            serde_json::from_str::<MontgomeryPoint>(&json).is_ok(),
        );
    }
}
