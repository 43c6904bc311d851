//! curve25519-dalek 4: the traits of group 0.13 and ff 0.13.

use curve25519_dalek_4::edwards::{EdwardsPoint, SubgroupPoint};
use curve25519_dalek_4::ristretto::RistrettoPoint;
use curve25519_dalek_4::scalar::Scalar;
use group::cofactor::CofactorGroup;
use group::ff::{Field, FromUniformBytes, PrimeField, PrimeFieldBits};
use group::{Group, GroupEncoding};

use crate::story::{Sequence, Story};

pub(crate) fn tell(story: &mut Story) {
    let mut rng = Sequence(12);
    story.value("modulus", <Scalar as PrimeField>::MODULUS);
    for constant in [
        Scalar::TWO_INV,
        Scalar::MULTIPLICATIVE_GENERATOR,
        Scalar::ROOT_OF_UNITY,
        Scalar::ROOT_OF_UNITY_INV,
        Scalar::DELTA,
    ] {
        story.bytes("constant", constant.to_repr());
    }
    story.value("bits", (Scalar::NUM_BITS, Scalar::CAPACITY, Scalar::S));
    for _ in 0..4 {
        field(story, &mut rng);
        group::<EdwardsPoint>(story, &mut rng);
        group::<SubgroupPoint>(story, &mut rng);
        group::<RistrettoPoint>(story, &mut rng);
        cofactor(story, &mut rng);
    }
    for encoding in [[0; 32], [1; 32], [2; 32], [0xff; 32]] {
        let point = EdwardsPoint::from_bytes(&encoding);
        story.value("a point", bool::from(point.is_some()));
        story.value(
            "in the group",
            bool::from(SubgroupPoint::from_bytes(&encoding).is_some()),
        );
        story.value(
            "an element",
            bool::from(RistrettoPoint::from_bytes(&encoding).is_some()),
        );
        story.value(
            "a number",
            bool::from(Scalar::from_repr(encoding).is_some()),
        );
        story.value("a number", Scalar::from_repr_vartime(encoding).is_some());
    }
}

fn field(story: &mut Story, rng: &mut Sequence) {
    let a = <Scalar as Field>::random(&mut *rng);
    story.bytes("random", a.to_repr());
    story.bytes("squared", a.square().to_repr());
    story.bytes("doubled", a.double().to_repr());
    let inverse = Field::invert(&a)
        .into_option()
        .map(|inverse| inverse.to_repr());
    story.value("inverse", inverse);
    let none = Field::invert(&<Scalar as Field>::ZERO);
    story.value("of zero", bool::from(none.is_none()));
    let root = a.sqrt().into_option().map(|root| root.square() == a);
    story.value("root", root);
    let (square, root) = Scalar::sqrt_ratio(&a, &Scalar::DELTA);
    story.value("ratio", bool::from(square));
    story.bytes("its square", root.square().to_repr());
    story.value("odd", (bool::from(a.is_odd()), bool::from(a.is_even())));
    story.bytes(
        "uniform",
        Scalar::from_uniform_bytes(&rng.array()).to_repr(),
    );
    let bits: String = a
        .to_le_bits()
        .iter()
        .map(|bit| if *bit { '1' } else { '0' })
        .collect();
    story.value("bits", bits);
    story.value("of the order", Scalar::char_le_bits().len());
}

fn group<G>(story: &mut Story, rng: &mut Sequence)
where
    G: Group<Scalar = Scalar> + GroupEncoding<Repr = [u8; 32]>,
{
    let p = G::random(&mut *rng);
    let a = <Scalar as Field>::random(&mut *rng);
    story.bytes("random", p.to_bytes());
    story.bytes("generator", G::generator().to_bytes());
    story.bytes("doubled", p.double().to_bytes());
    story.bytes("a P", (p * a).to_bytes());
    story.bytes("a P + B", (p * a + G::generator()).to_bytes());
    story.bytes("a P - B", (p * a - G::generator()).to_bytes());
    story.value("neutral", bool::from((p - p).is_identity()));
    story.bytes("sum", [p, p, G::generator()].iter().sum::<G>().to_bytes());
    let read = G::from_bytes(&p.to_bytes()).into_option();
    story.value("read", read == Some(p));
    let read = G::from_bytes_unchecked(&p.to_bytes()).into_option();
    story.value("read", read == Some(p));
}

fn cofactor(story: &mut Story, rng: &mut Sequence) {
    let p = <EdwardsPoint as Group>::random(&mut *rng);
    let cleared = p.clear_cofactor();
    story.bytes("cleared", cleared.to_bytes());
    story.value(
        "torsion-free",
        bool::from(CofactorGroup::is_torsion_free(&p)),
    );
    story.value("in the group", bool::from(p.into_subgroup().is_some()));
    let mut q = p + cleared;
    q -= cleared;
    q += &cleared;
    story.bytes("mixed", GroupEncoding::to_bytes(&(q - cleared)));
    story.value("back", EdwardsPoint::from(cleared) == p.mul_by_cofactor());
}
