//! Inverses modulo L.

use super::{Scalar, arith};
use crate::safegcd::{self, Modulus};
use zeroize::Zeroize;

/// L, for inversion.
pub(crate) const ORDER: Modulus = Modulus::new(&arith::L);

impl Scalar {
    /// The inverse modulo L, and 0 for 0.
    ///
    /// ```
    /// use lanner_curve::scalar::Scalar;
    ///
    /// let x = Scalar::from(42u64);
    /// assert_eq!(x * x.invert(), Scalar::ONE);
    /// assert_eq!(Scalar::ZERO.invert(), Scalar::ZERO);
    /// ```
    #[must_use]
    pub fn invert(&self) -> Self {
        let reduced = arith::reduce(&self.limbs());
        Self::from_limbs(&safegcd::invert(&reduced, &ORDER))
    }

    /// The inverse modulo L, and 0 for 0, in variable time: for public values.
    #[must_use]
    pub fn vartime_invert(&self) -> Self {
        let reduced = arith::reduce(&self.limbs());
        Self::from_limbs(&safegcd::vartime_invert(&reduced, &ORDER))
    }

    /// Replaces every scalar by its inverse, for the price of one inversion and
    /// three multiplications each (Montgomery's trick), and returns the product of
    /// the inverses.
    ///
    /// No scalar may be 0. If one is, all of them become 0, and so is what is returned; a build with debug
    /// assertions panics. That is the rule of `curve25519-dalek`, under the same name.
    ///
    /// ```
    /// use lanner_curve::scalar::Scalar;
    ///
    /// let mut scalars = [3u64, 5, 7].map(Scalar::from);
    /// let product = Scalar::invert_batch(&mut scalars);
    /// assert_eq!(scalars[1], Scalar::from(5u64).invert());
    /// assert_eq!(product, Scalar::from(3u64 * 5 * 7).invert());
    /// ```
    pub fn invert_batch<const N: usize>(inputs: &mut [Self; N]) -> Self {
        invert_batch_with(inputs, &mut [Self::ZERO; N])
    }

    /// [`Scalar::invert_batch`] for a slice. It allocates 32 bytes for each scalar.
    #[cfg(feature = "alloc")]
    pub fn invert_batch_alloc(inputs: &mut [Self]) -> Self {
        invert_batch_with(inputs, &mut alloc::vec![Self::ZERO; inputs.len()])
    }
}

/// `before` is scratch space as long as `inputs`; it is wiped.
fn invert_batch_with(inputs: &mut [Scalar], before: &mut [Scalar]) -> Scalar {
    // before[i] is the product of the inputs before the i-th.
    let mut product = Scalar::ONE;
    for (input, before) in inputs.iter().zip(before.iter_mut()) {
        *before = product;
        product *= input;
    }
    debug_assert!(product != Scalar::ZERO, "a scalar of the batch is 0");

    let inverse = product.invert();

    // rest is the inverse of the product up to and including the i-th input.
    let mut rest = inverse;
    for (input, before) in inputs.iter_mut().zip(before.iter()).rev() {
        let with_input = rest * *input;
        *input = rest * before;
        rest = with_input;
    }

    before.iter_mut().zeroize();
    product.zeroize();
    rest.zeroize();
    inverse
}
