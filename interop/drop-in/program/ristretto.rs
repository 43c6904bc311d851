//! curve25519-dalek: Ristretto255, tables, precomputed sums, hashing to the curve.

use curve25519_dalek::constants::{
    ED25519_BASEPOINT_TABLE, RISTRETTO_BASEPOINT_COMPRESSED, RISTRETTO_BASEPOINT_POINT,
    RISTRETTO_BASEPOINT_TABLE, X25519_LOW_ORDER_POINTS,
};
use curve25519_dalek::edwards::{
    CompressedEdwardsY, EdwardsBasepointTable, EdwardsBasepointTableRadix32,
    EdwardsBasepointTableRadix256, VartimeEdwardsPrecomputation,
};
use curve25519_dalek::ristretto::{
    CompressedRistretto, RistrettoBasepointTable, VartimeRistrettoPrecomputation,
};
use curve25519_dalek::traits::{
    BasepointTable, Identity, IsIdentity, MultiscalarMul, VartimeMultiscalarMul,
    VartimePrecomputedMultiscalarMul,
};
use curve25519_dalek::{EdwardsPoint, RistrettoPoint, Scalar};
use ed25519_dalek::Sha512;

use crate::story::{Sequence, Story};

pub(crate) fn tell(story: &mut Story) {
    let mut rng = Sequence(7);
    for _ in 0..4 {
        elements(story, &mut rng);
        sums(story, &mut rng);
        edwards(story, &mut rng);
    }
    story.bytes("base point", RISTRETTO_BASEPOINT_COMPRESSED.to_bytes());
    for point in &X25519_LOW_ORDER_POINTS {
        story.bytes("low order", point.as_bytes());
    }
    for first in 0..=255_u8 {
        for last in [0x00, 0x7f, 0x80, 0xff] {
            let fill = if last & 0x7f == 0 { 0 } else { 0xff };
            let mut bytes = [fill; 32];
            bytes[0] = first;
            bytes[31] = last;
            let point = CompressedRistretto(bytes).decompress();
            let again = point.map(|point| (point + point).compress().to_bytes());
            story.value("decompressed", again);
        }
    }
}

fn elements(story: &mut Story, rng: &mut Sequence) {
    let bytes = |point: RistrettoPoint| point.compress().to_bytes();
    let a = Scalar::random(rng);
    let p = RistrettoPoint::random(rng);
    let q = RistrettoPoint::from_uniform_bytes(&rng.array());
    let r = RistrettoPoint::hash_from_bytes::<Sha512>(&rng.array::<9>());
    story.bytes("p", bytes(p));
    story.bytes("q", bytes(q));
    story.bytes("r", bytes(r));
    story.bytes("mapped", bytes(RistrettoPoint::map_to_curve(rng.array())));
    let Ok(tried) = RistrettoPoint::try_random(rng);
    story.bytes("tried", bytes(tried));
    story.bytes("p + q", bytes(p + q));
    story.bytes("p - q", bytes(p - q));
    story.bytes("-p", bytes(-p));
    story.bytes("a q", bytes(a * q));
    story.bytes("a B", bytes(RistrettoPoint::mul_base(&a)));
    story.bytes("a B by the table", bytes(&a * RISTRETTO_BASEPOINT_TABLE));
    let table = RistrettoBasepointTable::create(&p);
    story.bytes("a p by a table", bytes(&table * &a));
    story.bytes("of the table", bytes(table.basepoint()));
    let both = RistrettoPoint::vartime_double_scalar_mul_basepoint(&a, &p, &a);
    story.bytes("double-base", bytes(both));
    let mut s = p;
    s += q;
    s -= &r;
    s *= &a;
    story.bytes("s", bytes(s));
    story.bytes("sum", bytes([p, q, r].iter().sum()));
    for encoding in RistrettoPoint::double_and_compress_batch([&p, &q, &RistrettoPoint::identity()])
    {
        story.bytes("doubled", encoding.as_bytes());
    }
    story.value("round trip", p.compress().decompress() == Some(p));
    let again = p;
    story.value("neutral", (p.is_identity(), (p - again).is_identity()));
    story.value("equal", (p == q, p + q == q + p));
    let slice = CompressedRistretto::from_slice(&bytes(p));
    story.value("from a slice", slice.ok() == Some(p.compress()));
    story.value(
        "default",
        CompressedRistretto::default() == CompressedRistretto::identity(),
    );
    story.value("base point", p == RISTRETTO_BASEPOINT_POINT);
}

fn sums(story: &mut Story, rng: &mut Sequence) {
    let scalars: Vec<Scalar> = (0..30).map(|_| Scalar::random(rng)).collect();
    let points: Vec<RistrettoPoint> = (0..30).map(|_| RistrettoPoint::random(rng)).collect();
    let bytes = |point: RistrettoPoint| point.compress().to_bytes();
    let sum = RistrettoPoint::multiscalar_mul(&scalars, &points);
    story.bytes("multiscalar", bytes(sum));
    let sum = RistrettoPoint::vartime_multiscalar_mul(&scalars, &points);
    story.bytes("vartime multiscalar", bytes(sum));
    let tables = VartimeRistrettoPrecomputation::new(&points[..12]);
    story.value("tables", (tables.len(), tables.is_empty()));
    let sum = tables.vartime_multiscalar_mul(&scalars[..12]);
    story.bytes("precomputed", bytes(sum));
    let sum = tables.vartime_mixed_multiscalar_mul(&scalars[..9], &scalars[12..], &points[12..]);
    story.bytes("mixed", bytes(sum));
    let holes = points[12..].iter().map(|_| None);
    let sum = tables.optional_mixed_multiscalar_mul(&scalars[..9], &scalars[12..], holes);
    story.value("with holes", sum.is_none());
}

fn edwards(story: &mut Story, rng: &mut Sequence) {
    let bytes = |point: EdwardsPoint| point.compress().to_bytes();
    let a = Scalar::random(rng);
    let p = EdwardsPoint::random(rng);
    story.bytes("P", bytes(p));
    story.bytes("a B by the table", bytes(&a * ED25519_BASEPOINT_TABLE));
    let table = EdwardsBasepointTable::create(&p);
    story.bytes("a P by a table", bytes(table.mul_base(&a)));
    story.bytes("clamped", bytes(table.mul_base_clamped(rng.array())));
    let wide = EdwardsBasepointTableRadix256::from(&table);
    story.bytes("by a wide one", bytes(&wide * &a));
    let narrow = EdwardsBasepointTableRadix32::from(&wide);
    story.bytes("of a narrow one", bytes(narrow.basepoint()));
    let tables = VartimeEdwardsPrecomputation::new([p, p + p]);
    story.bytes("precomputed", bytes(tables.vartime_multiscalar_mul([a, a])));
    for u in EdwardsPoint::to_montgomery_batch(&[p, EdwardsPoint::identity()]) {
        story.bytes("u", u.as_bytes());
    }
    for encoding in EdwardsPoint::compress_batch(&[p, p + p]) {
        story.bytes("encoding", encoding.as_bytes());
    }
    story.bytes("neutral", CompressedEdwardsY::identity().as_bytes());
    let (message, tag) = ([&b"a message"[..], b" in parts"], [&b"a tag"[..]]);
    let hashed = EdwardsPoint::hash_to_curve::<Sha512>(&message, &tag);
    story.bytes("hashed", bytes(hashed));
    let encoded = EdwardsPoint::encode_to_curve::<Sha512>(&message, &tag);
    story.bytes("encoded", bytes(encoded));
}
