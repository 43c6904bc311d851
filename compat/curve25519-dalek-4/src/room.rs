//! Where tables that are made while a program runs have their room: 48 kB that those of the base points, which are part of the
//! program, do not need.

#[cfg(feature = "alloc")]
pub(crate) use alloc::boxed::Box as Room;

/// In place, where there is no other.
#[cfg(not(feature = "alloc"))]
#[derive(Clone)]
pub(crate) struct Room<T>(T);

#[cfg(not(feature = "alloc"))]
impl<T> Room<T> {
    pub(crate) fn new(content: T) -> Self {
        Self(content)
    }
}

#[cfg(not(feature = "alloc"))]
impl<T> core::ops::Deref for Room<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
