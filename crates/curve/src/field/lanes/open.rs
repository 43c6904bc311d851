//! Limbs in and out of elements, for tests that choose them.

/// Elements whose limbs a test can see and set.
pub(crate) trait Open {
    type Limbs;

    fn closed(limbs: Self::Limbs) -> Self;
    fn open(&self) -> Self::Limbs;
}

/// [`Open`] for elements of limbs.
macro_rules! open {
    ($parameter:ident: $bound:ident; $($name:ident),+) => {$(
        impl<$parameter: $bound> $crate::field::lanes::open::Open for $name<$parameter> {
            type Limbs = Limbs<$parameter>;

            fn closed(limbs: Limbs<$parameter>) -> Self {
                Self(limbs)
            }

            fn open(&self) -> Limbs<$parameter> {
                self.0
            }
        }
    )+};
}
pub(super) use open;
