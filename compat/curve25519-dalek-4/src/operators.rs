//! What newtypes of points and scalars have in common: operators in every form, conversions, sums.

#[cfg(feature = "alloc")]
use core::borrow::Borrow;

/// A binary operator of two types whose field 0 has it.
macro_rules! binary {
    ($($Trait:ident::$method:ident: $Left:ty, $Right:ty => $Output:ident;)*) => {$(
        impl $Trait<&$Right> for &$Left {
            type Output = $Output;

            #[inline]
            fn $method(self, rhs: &$Right) -> $Output {
                $Output($Trait::$method(&self.0, &rhs.0))
            }
        }

        by_value!($Trait::$method: $Left, $Right => $Output);
    )*};
}

/// The forms of a binary operator with values in place of references.
macro_rules! by_value {
    ($Trait:ident::$method:ident: $Left:ty, $Right:ty => $Output:ident) => {
        impl $Trait<$Right> for &$Left {
            type Output = $Output;

            #[inline]
            fn $method(self, rhs: $Right) -> $Output {
                $Trait::$method(self, &rhs)
            }
        }

        impl $Trait<&$Right> for $Left {
            type Output = $Output;

            #[inline]
            fn $method(self, rhs: &$Right) -> $Output {
                $Trait::$method(&self, rhs)
            }
        }

        impl $Trait<$Right> for $Left {
            type Output = $Output;

            #[inline]
            fn $method(self, rhs: $Right) -> $Output {
                $Trait::$method(&self, &rhs)
            }
        }
    };
}

/// The assigning forms of operators that are there.
macro_rules! assigning {
    ($($Trait:ident::$method:ident: $Left:ty, $Right:ty, $operator:tt;)*) => {$(
        impl $Trait<&$Right> for $Left {
            #[inline]
            fn $method(&mut self, rhs: &$Right) {
                *self = &*self $operator rhs;
            }
        }

        impl $Trait<$Right> for $Left {
            #[inline]
            fn $method(&mut self, rhs: $Right) {
                *self = &*self $operator &rhs;
            }
        }
    )*};
}

/// The sign in front of a type whose field 0 has it.
macro_rules! negation {
    ($Type:ident) => {
        impl Neg for &$Type {
            type Output = $Type;

            #[inline]
            fn neg(self) -> $Type {
                $Type(-&self.0)
            }
        }

        impl Neg for $Type {
            type Output = $Type;

            #[inline]
            fn neg(self) -> $Type {
                -&self
            }
        }
    };
}

/// The conversions between a newtype and what it holds, and the traits that this has.
macro_rules! newtype {
    ($Type:ident, $Inner:ty) => {
        impl From<$Inner> for $Type {
            #[inline]
            fn from(inner: $Inner) -> Self {
                $Type(inner)
            }
        }

        impl From<$Type> for $Inner {
            #[inline]
            fn from(outer: $Type) -> $Inner {
                outer.0
            }
        }

        impl ConstantTimeEq for $Type {
            #[inline]
            fn ct_eq(&self, other: &Self) -> Choice {
                self.0.ct_eq(&other.0)
            }
        }

        impl PartialEq for $Type {
            fn eq(&self, other: &Self) -> bool {
                self.ct_eq(other).into()
            }
        }

        impl Eq for $Type {}

        impl ConditionallySelectable for $Type {
            #[inline]
            fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
                $Type(ConditionallySelectable::conditional_select(
                    &a.0, &b.0, choice,
                ))
            }
        }

        impl Zeroize for $Type {
            fn zeroize(&mut self) {
                self.0.zeroize();
            }
        }

        impl fmt::Debug for $Type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

/// What the three encodings have in common: 32 bytes, any of which are allowed.
macro_rules! encoding {
    ($Type:ident, $Inner:ty) => {
        impl $Type {
            /// The 32 bytes.
            pub const fn as_bytes(&self) -> &[u8; 32] {
                &self.0
            }

            /// The 32 bytes.
            pub const fn to_bytes(&self) -> [u8; 32] {
                self.0
            }

            /// Takes a slice of 32 bytes.
            ///
            /// # Errors
            ///
            /// If the length is another.
            pub fn from_slice(bytes: &[u8]) -> Result<Self, TryFromSliceError> {
                bytes.try_into().map(Self)
            }
        }

        impl TryFrom<&[u8]> for $Type {
            type Error = TryFromSliceError;

            fn try_from(bytes: &[u8]) -> Result<Self, TryFromSliceError> {
                Self::from_slice(bytes)
            }
        }

        impl From<$Inner> for $Type {
            fn from(inner: $Inner) -> Self {
                $Type(inner.0)
            }
        }

        impl ConstantTimeEq for $Type {
            fn ct_eq(&self, other: &Self) -> Choice {
                self.0.ct_eq(&other.0)
            }
        }

        impl fmt::Debug for $Type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($Type), ": {:?}"), self.0)
            }
        }
    };
}

/// What borrows a newtype, seen as what borrows its field: nothing is copied.
#[cfg(feature = "alloc")]
pub(crate) struct Held<T>(pub(crate) T);

#[cfg(feature = "alloc")]
impl<T: Borrow<crate::Scalar>> Borrow<lanner_curve::Scalar> for Held<T> {
    fn borrow(&self) -> &lanner_curve::Scalar {
        &self.0.borrow().0
    }
}

#[cfg(feature = "alloc")]
impl<T: Borrow<crate::EdwardsPoint>> Borrow<lanner_curve::EdwardsPoint> for Held<T> {
    fn borrow(&self) -> &lanner_curve::EdwardsPoint {
        &self.0.borrow().0
    }
}

#[cfg(feature = "alloc")]
impl<T: Borrow<crate::RistrettoPoint>> Borrow<lanner_curve::RistrettoPoint> for Held<T> {
    fn borrow(&self) -> &lanner_curve::RistrettoPoint {
        &self.0.borrow().0
    }
}

/// Panics if two iterators do not say that they have the same length.
#[cfg(feature = "alloc")]
pub(crate) fn same_length(scalars: &impl Iterator, points: &impl Iterator) {
    let (len, exact) = scalars.size_hint();
    assert_eq!(exact, Some(len), "the scalars have no known number");
    assert_eq!(
        points.size_hint(),
        (len, exact),
        "not as many points as scalars"
    );
}

/// The traits of sums of multiples for a newtype of points.
#[cfg(feature = "alloc")]
macro_rules! sums {
    ($Point:ident, $Precomputation:ident, $InnerPoint:ty, $InnerPrecomputation:ty) => {
        impl MultiscalarMul for $Point {
            type Point = $Point;

            fn multiscalar_mul<I, J>(scalars: I, points: J) -> $Point
            where
                I: IntoIterator,
                I::Item: Borrow<Scalar>,
                J: IntoIterator,
                J::Item: Borrow<$Point>,
            {
                let (scalars, points) = (scalars.into_iter(), points.into_iter());
                same_length(&scalars, &points);
                $Point(
                    <$InnerPoint as inner_traits::MultiscalarMul>::multiscalar_mul(
                        scalars.map(Held),
                        points.map(Held),
                    ),
                )
            }
        }

        impl VartimeMultiscalarMul for $Point {
            type Point = $Point;

            fn optional_multiscalar_mul<I, J>(scalars: I, points: J) -> Option<$Point>
            where
                I: IntoIterator,
                I::Item: Borrow<Scalar>,
                J: IntoIterator<Item = Option<$Point>>,
            {
                let (scalars, points) = (scalars.into_iter(), points.into_iter());
                same_length(&scalars, &points);
                <$InnerPoint as inner_traits::VartimeMultiscalarMul>::optional_multiscalar_mul(
                    scalars.map(Held),
                    points.map(|point| Some(point?.0)),
                )
                .map($Point)
            }
        }

        /// Points known in advance, for sums of multiples in variable time.
        pub struct $Precomputation($InnerPrecomputation);

        impl VartimePrecomputedMultiscalarMul for $Precomputation {
            type Point = $Point;

            fn new<I>(static_points: I) -> Self
            where
                I: IntoIterator,
                I::Item: Borrow<$Point>,
            {
                $Precomputation(inner_traits::VartimePrecomputedMultiscalarMul::new(
                    static_points.into_iter().map(Held),
                ))
            }

            fn optional_mixed_multiscalar_mul<I, J, K>(
                &self,
                static_scalars: I,
                dynamic_scalars: J,
                dynamic_points: K,
            ) -> Option<$Point>
            where
                I: IntoIterator,
                I::Item: Borrow<Scalar>,
                J: IntoIterator,
                J::Item: Borrow<Scalar>,
                K: IntoIterator<Item = Option<$Point>>,
            {
                // Lanner lets the last static points go without a scalar, version 4 does not.
                let mut scalars = 0;
                let counted = static_scalars.into_iter().map(|scalar| {
                    scalars += 1;
                    Held(scalar)
                });
                let sum =
                    inner_traits::VartimePrecomputedMultiscalarMul::optional_mixed_multiscalar_mul(
                        &self.0,
                        counted,
                        dynamic_scalars.into_iter().map(Held),
                        dynamic_points.into_iter().map(|point| Some(point?.0)),
                    )?;
                let points = inner_traits::VartimePrecomputedMultiscalarMul::len(&self.0);
                assert_eq!(scalars, points, "not as many static scalars as points");
                Some($Point(sum))
            }
        }
    };
}
