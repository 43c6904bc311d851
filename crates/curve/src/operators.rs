//! The forms of operators that follow from the one on references.

/// The forms of a binary operator with values in place of references.
macro_rules! by_value {
    ($output:ty: $($trait:ident::$method:ident: $lhs:ty, $rhs:ty;)*) => {$(
        impl $trait<$rhs> for $lhs {
            type Output = $output;

            fn $method(self, rhs: $rhs) -> $output {
                $trait::$method(&self, &rhs)
            }
        }

        impl $trait<&$rhs> for $lhs {
            type Output = $output;

            fn $method(self, rhs: &$rhs) -> $output {
                $trait::$method(&self, rhs)
            }
        }

        impl $trait<$rhs> for &$lhs {
            type Output = $output;

            fn $method(self, rhs: $rhs) -> $output {
                $trait::$method(self, &rhs)
            }
        }
    )*};
}
pub(crate) use by_value;

/// The assigning forms.
macro_rules! assigning {
    ($lhs:ty: $($trait:ident::$method:ident: $rhs:ty, $operator:tt;)*) => {$(
        impl $trait<$rhs> for $lhs {
            fn $method(&mut self, rhs: $rhs) {
                *self = &*self $operator &rhs;
            }
        }

        impl $trait<&$rhs> for $lhs {
            fn $method(&mut self, rhs: &$rhs) {
                *self = &*self $operator rhs;
            }
        }
    )*};
}
pub(crate) use assigning;
