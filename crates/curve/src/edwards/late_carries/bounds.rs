//! The formulas on all elements within bounds: sums of products, which have no type that counts them, have room, and what
//! comes out is what the next formula takes (`field::lanes::bounds`). Those of `models` beside them.

use super::Augend;
use crate::edwards::models::{Cached, Completed, Extended};
use crate::edwards::niels::AffineNiels;
use crate::field::lanes::bounds::{
    Documented, WithAnyLimbs, any_carried, any_factor, assert_carried, assert_factor,
    with_any_limbs,
};

fn completed<L: Documented>() -> Completed<L> {
    Completed {
        x: any_factor::<L>(),
        y: any_factor::<L>(),
        z: any_factor::<L>(),
        t: any_factor::<L>(),
    }
}

fn extended<L: Documented>() -> Extended<L> {
    Extended {
        x: any_carried(),
        y: any_carried(),
        z: any_carried(),
        t: any_carried(),
    }
}

fn cached<L: Documented>() -> Cached<L> {
    Cached {
        y_plus_x: any_carried(),
        y_minus_x: any_carried(),
        z2: any_carried(),
        t2d: any_carried(),
    }
}

fn affine<L: Documented>() -> AffineNiels<L> {
    AffineNiels::from_coordinates([any_carried(), any_carried(), any_carried()])
}

fn augend<L: Documented>() -> Augend<L> {
    Augend {
        y_plus_x: any_carried(),
        y_minus_x: any_carried(),
        z: any_carried(),
        t: any_carried(),
    }
}

fn assert_completed<L: Documented>(what: &str, point: &Completed<L>) {
    for coordinate in [&point.x, &point.y, &point.z, &point.t] {
        assert_factor::<L>(what, coordinate);
    }
}

fn assert_all_carried<L: Documented>(what: &str, coordinates: &[L]) {
    for coordinate in coordinates {
        assert_carried(what, coordinate);
    }
}

/// What a sum begins with.
fn assert_augend<L: Documented>(what: &str, point: &Augend<L>) {
    assert_all_carried(what, &[point.y_plus_x, point.y_minus_x, point.z, point.t]);
}

#[derive(Clone, Copy)]
struct Formulas;

impl WithAnyLimbs for Formulas {
    fn run<L: Documented>(self) {
        let point = completed::<L>();
        assert_completed("twice a point", &point.double_in_lanes());
        assert_completed("a sum", &point.add_in_lanes(&cached()));
        assert_completed("a sum", &point.add_affine_in_lanes(&affine()));
        assert_augend("an augend", &point.to_augend());
        assert_augend("an augend", &extended::<L>().to_augend());
        // Only where sums are carried is a product with a cover larger than another one.
        if L::SUMS_ARE_CARRIED {
            assert_completed("a sum", &augend::<L>().add(&cached()));
            assert_completed("a sum", &augend::<L>().add_affine(&affine()));
        }
        let second = augend::<L>().to_cached();
        assert_all_carried("a second operand", &second.coordinates());
    }
}

#[derive(Clone, Copy)]
struct Models;

impl WithAnyLimbs for Models {
    fn run<L: Documented>(self) {
        let point = extended::<L>();
        assert_completed("twice a point", &point.double_inline());
        assert_completed("a sum", &point.add_inline(&cached()));
        assert_completed("a difference", &point.sub_inline(&cached()));
        assert_completed("a sum", &point.add_affine_inline(&affine()));
        assert_completed("a difference", &point.sub_affine_inline(&affine()));
        assert_all_carried("a second operand", &point.to_cached().coordinates());
        let mut second = cached::<L>();
        second.conditional_negate(L::mask(1));
        assert_all_carried("a negative", &second.coordinates());
        let Extended { x, y, z, t } = completed::<L>().to_extended_inline();
        assert_all_carried("coordinates", &[x, y, z, t]);
    }
}

#[test]
fn formulas_have_room_for_all_points() {
    with_any_limbs(Formulas);
}

#[test]
fn those_of_models_have_room_for_all_points() {
    with_any_limbs(Models);
}
