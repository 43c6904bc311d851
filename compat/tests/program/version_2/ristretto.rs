//! curve25519-dalek 4: ristretto255.

#![expect(
    clippy::op_ref,
    reason = "operators on references are among what must compile"
)]

use curve25519_dalek_4::constants::{
    RISTRETTO_BASEPOINT_COMPRESSED, RISTRETTO_BASEPOINT_POINT, RISTRETTO_BASEPOINT_TABLE,
};
use curve25519_dalek_4::ristretto::{
    CompressedRistretto, RistrettoBasepointTable, RistrettoPoint, VartimeRistrettoPrecomputation,
};
use curve25519_dalek_4::scalar::Scalar;
use curve25519_dalek_4::traits::{
    Identity, IsIdentity, MultiscalarMul, VartimeMultiscalarMul, VartimePrecomputedMultiscalarMul,
};
use ed25519_dalek_2::{Digest, Sha512};
use zeroize::Zeroize;

use crate::story::{Sequence, Story};

pub(crate) fn tell(story: &mut Story) {
    story.bytes("base", RISTRETTO_BASEPOINT_COMPRESSED.as_bytes());
    story.bytes(
        "base",
        RISTRETTO_BASEPOINT_TABLE.basepoint().compress().as_bytes(),
    );
    let mut rng = Sequence(11);
    for _ in 0..4 {
        elements(story, &mut rng);
        sums(story, &mut rng);
    }
    decoding(story);
}

fn elements(story: &mut Story, rng: &mut Sequence) {
    let bytes = |point: RistrettoPoint| point.compress().to_bytes();
    let a = Scalar::random(rng);
    let p = RistrettoPoint::random(rng);
    let q = RistrettoPoint::from_uniform_bytes(&rng.array());
    story.bytes("P", bytes(p));
    story.bytes("Q", bytes(q));
    story.bytes(
        "hashed",
        bytes(RistrettoPoint::hash_from_bytes::<Sha512>(b"an element")),
    );
    let hash = Sha512::new_with_prefix(b"an element");
    story.bytes("hashed", bytes(RistrettoPoint::from_hash(hash)));
    story.bytes("P + Q", bytes(p + q));
    story.bytes("P - Q", bytes(&p - &q));
    story.bytes("-P", bytes(-p));
    story.bytes("a P", bytes(a * p));
    story.bytes("a B", bytes(RistrettoPoint::mul_base(&a)));
    story.bytes("a B", bytes(&a * RISTRETTO_BASEPOINT_TABLE));
    story.bytes("a B", bytes(RISTRETTO_BASEPOINT_POINT * &a));
    let table = RistrettoBasepointTable::create(&p);
    story.bytes("by a table", bytes(&table * &a));
    story.value("of P", table.basepoint() == p);
    let mut r = p;
    r += q;
    r -= &p;
    r *= a;
    story.bytes("R", bytes(r));
    story.value(
        "equal",
        (p == q, r == q * a, p - p == RistrettoPoint::identity()),
    );
    story.value("identity", ((p - p).is_identity(), p.is_identity()));
    let compressed = p.compress();
    story.value("round trip", compressed.decompress() == Some(p));
    let slice = CompressedRistretto::from_slice(compressed.as_bytes());
    story.value("from a slice", slice.ok() == Some(compressed));
    let short = CompressedRistretto::try_from(&[0; 31][..]);
    story.value("from a short slice", short.is_err());
    let json = serde_json::to_string(&(p, compressed)).expect("serialises");
    let read: (RistrettoPoint, CompressedRistretto) = serde_json::from_str(&json).expect("reads");
    story.value("read", read == (p, compressed));
    story.value("serialised", json);
    r.zeroize();
    story.bytes("wiped", bytes(r));
}

fn sums(story: &mut Story, rng: &mut Sequence) {
    let bytes = |point: RistrettoPoint| point.compress().to_bytes();
    for size in [0_usize, 1, 2, 9, 40] {
        let scalars: Vec<Scalar> = (0..size).map(|_| Scalar::random(rng)).collect();
        let points: Vec<RistrettoPoint> = (0..size).map(|_| RistrettoPoint::random(rng)).collect();
        story.bytes("sum", bytes(points.iter().sum()));
        story.bytes(
            "multiscalar",
            bytes(RistrettoPoint::multiscalar_mul(&scalars, &points)),
        );
        story.bytes(
            "vartime",
            bytes(RistrettoPoint::vartime_multiscalar_mul(&scalars, &points)),
        );
        let known = VartimeRistrettoPrecomputation::new(&points);
        story.bytes("known", bytes(known.vartime_multiscalar_mul(&scalars)));
        let mixed = known.vartime_mixed_multiscalar_mul(&scalars, &scalars, &points);
        story.bytes("mixed", bytes(mixed));
        let doubled = RistrettoPoint::double_and_compress_batch(&points);
        for doubled in doubled {
            story.bytes("doubled", doubled.to_bytes());
        }
        let optional = points.iter().map(|point| Some(*point)).chain([None]);
        let scalars: Vec<Scalar> = scalars.into_iter().chain([Scalar::ONE]).collect();
        let hole = RistrettoPoint::optional_multiscalar_mul(&scalars, optional);
        story.value("with a hole", hole.is_none());
    }
    let (a, b) = (Scalar::random(rng), Scalar::random(rng));
    let p = RistrettoPoint::random(rng);
    let double = RistrettoPoint::vartime_double_scalar_mul_basepoint(&a, &p, &b);
    story.bytes("double-base", bytes(double));
    let refused = std::panic::catch_unwind(|| RistrettoPoint::multiscalar_mul([a], [p, p]));
    story.value("uneven", refused.is_err());
}

fn decoding(story: &mut Story) {
    for first in 0..=255_u8 {
        for last in [0x00, 0x10, 0x7f, 0x80, 0xff] {
            let fill = if last & 0x7f == 0 { 0 } else { 0xff };
            let mut bytes = [fill; 32];
            bytes[0] = first;
            bytes[31] = last;
            let point = CompressedRistretto(bytes).decompress();
            story.value("decoded", point.map(|point| point.compress().to_bytes()));
        }
    }
}
