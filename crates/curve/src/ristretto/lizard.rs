//! Lizard: 16 bytes in an element, and back (Westerbaan; in Signal's group system, Chase, Perrin and Zaverucha 2019,
//! section 3.2).

use super::RistrettoPoint;
use digest::consts::U32;
use digest::{Digest, HashMarker};
use subtle::{ConditionallySelectable, ConstantTimeEq};

/// The integer that the data become: the middle of their own hash, made even and below 2^254.
fn padded<D>(data: &[u8; 16]) -> [u8; 32]
where
    D: Digest<OutputSize = U32> + HashMarker,
{
    let mut bytes = [0; 32];
    bytes.copy_from_slice(&D::digest(data));
    bytes[8..24].copy_from_slice(data);
    bytes[0] &= 0xfe;
    bytes[31] &= 0x3f;
    bytes
}

impl RistrettoPoint {
    /// The element that stands for 16 bytes, by a hash function of 32 bytes of output. Constant time.
    ///
    /// ```
    /// use lanner_curve::ristretto::RistrettoPoint;
    /// use sha2::Sha256;
    ///
    /// let point = RistrettoPoint::lizard_encode::<Sha256>(b"sixteen  letters");
    /// assert_eq!(&point.lizard_decode::<Sha256>().unwrap(), b"sixteen  letters");
    /// ```
    #[must_use]
    pub fn lizard_encode<D>(data: &[u8; 16]) -> Self
    where
        D: Digest<OutputSize = U32> + HashMarker,
    {
        Self::map_to_curve_restricted(padded::<D>(data))
    }

    /// The 16 bytes that the element stands for, or `None` if it was not made by
    /// [`lizard_encode`](Self::lizard_encode). Constant time but for that.
    #[must_use]
    pub fn lizard_decode<D>(&self) -> Option<[u8; 16]>
    where
        D: Digest<OutputSize = U32> + HashMarker,
    {
        let mut data = [0; 16];
        let mut found = 0;
        for candidate in &self.map_to_curve_inverse()[..8] {
            let bytes = candidate.unwrap_or([0; 32]);
            let middle: [u8; 16] = core::array::from_fn(|i| bytes[8 + i]);
            let fits = candidate.is_some() & padded::<D>(&middle).ct_eq(&bytes);
            data.conditional_assign(&middle, fits);
            found += fits.unwrap_u8();
        }
        // Two would be a collision of about 122 bits of the hash.
        (found == 1).then_some(data)
    }
}
