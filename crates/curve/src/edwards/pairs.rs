//! Scalars and points, pair by pair.

use core::iter::Fuse;

/// The pairs of two iterators that must end together. [`Iterator::zip`] would cut the longer one, and a sum without some
/// of its terms is a wrong verdict that nobody sees.
///
/// # Panics
///
/// [`Iterator::next`] panics when one of the two has ended and the other has not.
pub(super) struct Pairs<I, J> {
    scalars: Fuse<I>,
    points: Fuse<J>,
}

impl<I: Iterator, J: Iterator> Pairs<I, J> {
    pub(super) fn new(
        scalars: impl IntoIterator<IntoIter = I>,
        points: impl IntoIterator<IntoIter = J>,
    ) -> Self {
        Self {
            scalars: scalars.into_iter().fuse(),
            points: points.into_iter().fuse(),
        }
    }
}

impl<I: Iterator, J: Iterator> Iterator for Pairs<I, J> {
    type Item = (I::Item, J::Item);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match (self.scalars.next(), self.points.next()) {
            (Some(scalar), Some(point)) => Some((scalar, point)),
            (None, None) => None,
            _ => panic!("not as many points as scalars"),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        // As many as the one that knows more of them.
        let (scalars, points) = (self.scalars.size_hint(), self.points.size_hint());
        let most = scalars.1.into_iter().chain(points.1).min();
        let least = scalars.0.max(points.0);
        (most.map_or(least, |most| least.min(most)), most)
    }
}
