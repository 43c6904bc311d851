//! Single integers of 64 bits with signs.

use super::{Number, fitting};
use core::ops::{Add, BitAnd, Mul, Shr, Sub};

#[derive(Clone, Copy)]
pub(crate) struct Signed(pub(crate) Number);

fn checked(what: &str, number: Number) -> Signed {
    Signed(fitting(what, number, i64::MIN.into(), i64::MAX.into()))
}

fn known(integer: i64) -> Number {
    Number::Known(integer.into())
}

macro_rules! operations {
    ($($trait:ident $function:ident $of:ident $what:literal;)*) => {$(
        impl $trait for Signed {
            type Output = Self;

            fn $function(self, other: Self) -> Self {
                checked($what, self.0.$of(other.0))
            }
        }

        impl $trait<i64> for Signed {
            type Output = Self;

            fn $function(self, other: i64) -> Self {
                checked($what, self.0.$of(known(other)))
            }
        }
    )*};
}
operations! {
    Add add plus "a sum";
    Sub sub minus "a difference";
    Mul mul times "a product";
}

impl BitAnd<i64> for Signed {
    type Output = Self;

    fn bitand(self, mask: i64) -> Self {
        let bits = (!mask).trailing_zeros();
        assert_eq!(mask >> bits, 0, "a mask of low bits");
        Self(self.0.cut(bits).0)
    }
}

impl Shr<i32> for Signed {
    type Output = Self;

    fn shr(self, bits: i32) -> Self {
        Self(self.0.cut(bits as u32).1)
    }
}
