//! Steps of the ladder on all carried elements: sums of products, which have no type that counts them, have room, and what
//! comes out is carried again (`field::lanes::bounds`).

use super::{Sums, step_in_lanes, step_of_sums};
use crate::field::formulas::{Line, step};
use crate::field::lanes::bounds::{
    Documented, WithAnyLimbs, any_carried, assert_carried, with_any_limbs,
};

#[derive(Clone, Copy)]
struct Steps;

impl WithAnyLimbs for Steps {
    fn run<Q: Documented>(self) {
        // (1, 1, 1, difference).
        let difference = Q::blend::<0b1000>(&Q::ONE, &any_carried());
        let small = Q::mul_121666(&Q::ONE);
        let sums = step_in_lanes(&any_carried::<Q>(), 0.into(), &difference, &small);
        assert_carried("sums and differences", &sums);

        let sums = || Sums::<Q> {
            plus: any_carried(),
            minus: any_carried(),
        };
        if Q::LATE_CARRIES {
            let (mut p, mut q) = (sums(), sums());
            step_of_sums(&mut p, &mut q, &any_carried(), Q::mask(1));
            for sum in [p.plus, p.minus, q.plus, q.minus] {
                assert_carried("a sum or a difference", &sum);
            }
        }

        let line = || Line::<Q> {
            u: any_carried(),
            w: any_carried(),
        };
        let (mut p, mut q) = (line(), line());
        step(&mut p, &mut q, &any_carried());
        for coordinate in [p.u, p.w, q.u, q.w] {
            assert_carried("a coordinate", &coordinate);
        }
    }
}

#[test]
fn steps_have_room_for_all_points() {
    with_any_limbs(Steps);
}
