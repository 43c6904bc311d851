//! The formulas on all carried elements: sums of products, which have no type that counts them, have room, and what comes out
//! is carried again (`field::lanes::bounds`).

use super::{QuadCached, QuadPoint};
use crate::edwards::straus::Accumulator;
use crate::field::lanes::bounds::{
    Documented, WithAnyLimbs, any_carried, assert_carried, with_any_limbs,
};

fn point<Q: Documented>() -> QuadPoint<Q> {
    QuadPoint(any_carried())
}

fn cached<Q: Documented>() -> QuadCached<Q> {
    QuadCached(any_carried())
}

#[derive(Clone, Copy)]
struct Formulas;

impl WithAnyLimbs for Formulas {
    fn run<Q: Documented>(self) {
        assert_carried("a sum", &point::<Q>().add(&cached()).0);
        assert_carried("a difference", &point::<Q>().sub(&cached()).0);
        assert_carried("twice a point", &point::<Q>().double().0);
        assert_carried("a negative", &point::<Q>().neg().0);
        assert_carried("a second operand", &point::<Q>().to_cached().0);
        let window = [cached::<Q>(); 8];
        assert_carried("a multiple", &QuadCached::select(&window, -3).0);
    }
}

#[test]
fn formulas_have_room_for_all_points() {
    with_any_limbs(Formulas);
}
