//! Operators on scalars, for values and references alike.

use super::{Scalar, arith};
use core::borrow::Borrow;
use core::iter::{Product, Sum};
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

macro_rules! binary_operator {
    ($Op:ident, $op:ident, $OpAssign:ident, $op_assign:ident, $function:path, $doc:literal) => {
        binary_operator!(@one Scalar, Scalar, $Op, $op, $function, $doc);
        binary_operator!(@one Scalar, &Scalar, $Op, $op, $function, $doc);
        binary_operator!(@one &Scalar, Scalar, $Op, $op, $function, $doc);
        binary_operator!(@one &Scalar, &Scalar, $Op, $op, $function, $doc);
        binary_operator!(@assign Scalar, $OpAssign, $op_assign, $function, $doc);
        binary_operator!(@assign &Scalar, $OpAssign, $op_assign, $function, $doc);
    };
    (@one $Lhs:ty, $Rhs:ty, $Op:ident, $op:ident, $function:path, $doc:literal) => {
        #[doc = $doc]
        impl $Op<$Rhs> for $Lhs {
            type Output = Scalar;

            #[inline]
            fn $op(self, rhs: $Rhs) -> Scalar {
                Scalar::from_limbs(&$function(&self.limbs(), &rhs.limbs()))
            }
        }
    };
    (@assign $Rhs:ty, $OpAssign:ident, $op_assign:ident, $function:path, $doc:literal) => {
        #[doc = $doc]
        impl $OpAssign<$Rhs> for Scalar {
            #[inline]
            fn $op_assign(&mut self, rhs: $Rhs) {
                *self = Scalar::from_limbs(&$function(&self.limbs(), &rhs.limbs()));
            }
        }
    };
}

binary_operator!(
    Add,
    add,
    AddAssign,
    add_assign,
    arith::add,
    "Addition modulo L."
);
binary_operator!(
    Sub,
    sub,
    SubAssign,
    sub_assign,
    arith::sub,
    "Subtraction modulo L."
);
binary_operator!(
    Mul,
    mul,
    MulAssign,
    mul_assign,
    arith::mul,
    "Multiplication modulo L."
);

/// Negation modulo L.
impl Neg for &Scalar {
    type Output = Scalar;

    #[inline]
    fn neg(self) -> Scalar {
        Scalar::from_limbs(&arith::sub(&[0; 4], &self.limbs()))
    }
}

/// Negation modulo L.
impl Neg for Scalar {
    type Output = Scalar;

    #[inline]
    fn neg(self) -> Scalar {
        -&self
    }
}

/// The sum modulo L, 0 for no items.
impl<T: Borrow<Scalar>> Sum<T> for Scalar {
    fn sum<I: Iterator<Item = T>>(iter: I) -> Self {
        iter.fold(Self::ZERO, |sum, item| sum + item.borrow())
    }
}

/// The product modulo L, 1 for no items.
impl<T: Borrow<Scalar>> Product<T> for Scalar {
    fn product<I: Iterator<Item = T>>(iter: I) -> Self {
        iter.fold(Self::ONE, |product, item| product * item.borrow())
    }
}
