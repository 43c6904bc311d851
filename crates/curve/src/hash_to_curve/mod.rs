//! Hashing to the curves (RFC 9380) and to Ristretto255 (its appendix B).
//!
//! | suite | function, with `D` = SHA-512 |
//! |---|---|
//! | `edwards25519_XMD:SHA-512_ELL2_RO_` | [`EdwardsPoint::hash_to_curve`] |
//! | `edwards25519_XMD:SHA-512_ELL2_NU_` | [`EdwardsPoint::encode_to_curve`] |
//! | `curve25519_XMD:SHA-512_ELL2_RO_` | [`MontgomeryPoint::hash_to_curve`] |
//! | `curve25519_XMD:SHA-512_ELL2_NU_` | [`MontgomeryPoint::encode_to_curve`] |
//! | `ristretto255_XMD:SHA-512_R255MAP_RO_` | [`RistrettoPoint::hash_to_curve`] |
//!
//! Messages and domain separation tags come in parts, which count as their concatenation. A tag that is longer than
//! 255 bytes is hashed first, as section 5.3.3 says.

mod expand;

use crate::backend::with_field;
use crate::edwards::EdwardsPoint;
use crate::field::{Field, Packed};
use crate::montgomery::MontgomeryPoint;
use crate::montgomery::elligator2::{map_each, map_one};
use crate::ristretto::RistrettoPoint;
use crate::scalar::Scalar;
use digest::array::typenum::{IsGreater, True};
use digest::block_api::BlockSizeUser;
use digest::consts::U64;
use digest::{FixedOutput, HashMarker};
use expand::expand_message;
use zeroize::Zeroizing;

/// hash_to_field for `N` elements of 48 bytes each (RFC 9380, section 5.2), `N` up to two.
fn hash_to_field<D, const N: usize>(message: &[&[u8]], tag: &[&[u8]]) -> [Packed; N]
where
    D: BlockSizeUser + Default + FixedOutput<OutputSize = U64> + HashMarker,
{
    const { assert!(N == 1 || N == 2) }
    let mut uniform = [0; 96];
    let uniform = &mut uniform[..48 * N];
    expand_message::<D>(message, tag, uniform);
    core::array::from_fn(|i| {
        let mut words = [0; 8];
        for (word, bytes) in words
            .iter_mut()
            .zip(uniform[48 * i..48 * (i + 1)].rchunks_exact(8))
        {
            *word = u64::from_be_bytes(bytes.try_into().expect("eight bytes"));
        }
        Packed::from_wide_words(&words)
    })
}

/// The sum of two points or one point, not multiplied by the cofactor.
fn map_and_add<D, const N: usize>(message: &[&[u8]], tag: &[&[u8]]) -> EdwardsPoint
where
    D: BlockSizeUser + Default + FixedOutput<OutputSize = U64> + HashMarker,
{
    sum_of_mapped(&hash_to_field::<D, N>(message, tag))
}

/// Apart from what hashes, which is compiled anew for every hash function.
fn sum_of_mapped<const N: usize>(elements: &[Packed; N]) -> EdwardsPoint {
    with_field!(F => {
        let elements = elements.map(|element| F::from_packed(&element));
        let points = if F::PAIRS && N > 1 {
            map_each(&elements)
        } else {
            elements.map(|element| map_one(&element))
        };
        let mut sum = points[0].to_edwards();
        for point in &points[1..] {
            sum = sum.add(&point.to_edwards().to_cached()).to_extended();
        }
        sum.pack()
    })
}

impl EdwardsPoint {
    /// The point of the subgroup of order L that a message is hashed to, with a domain separation tag: as uniform as a
    /// random oracle's (hash_to_curve of RFC 9380, section 3). `D` is a hash function of 64 bytes of output, such as
    /// SHA-512. Constant time in all but the lengths.
    ///
    /// # Panics
    ///
    /// If the tag is empty.
    ///
    /// ```
    /// use lanner_curve::edwards::EdwardsPoint;
    /// use sha2::Sha512;
    ///
    /// let tag = b"EXAMPLE-V01-CS01-with-edwards25519_XMD:SHA-512_ELL2_RO_";
    /// let point = EdwardsPoint::hash_to_curve::<Sha512>(&[b"a ", b"message"], &[tag]);
    /// assert_eq!(point, EdwardsPoint::hash_to_curve::<Sha512>(&[b"a message"], &[tag]));
    /// assert!(point.is_torsion_free());
    /// ```
    #[must_use]
    pub fn hash_to_curve<D>(bytes: &[&[u8]], domain_sep: &[&[u8]]) -> Self
    where
        D: BlockSizeUser + Default + FixedOutput<OutputSize = U64> + HashMarker,
        D::BlockSize: IsGreater<D::OutputSize, Output = True>,
    {
        map_and_add::<D, 2>(bytes, domain_sep).mul_by_cofactor()
    }

    /// The point of the subgroup of order L that a message is encoded to, with a domain separation tag: faster than
    /// [`hash_to_curve`](Self::hash_to_curve), and *not* uniform, since only part of the points are met
    /// (encode_to_curve of RFC 9380, section 3). `D` is a hash function of 64 bytes of output. Constant time in all but
    /// the lengths.
    ///
    /// # Panics
    ///
    /// If the tag is empty.
    #[must_use]
    pub fn encode_to_curve<D>(bytes: &[&[u8]], domain_sep: &[&[u8]]) -> Self
    where
        D: BlockSizeUser + Default + FixedOutput<OutputSize = U64> + HashMarker,
        D::BlockSize: IsGreater<D::OutputSize, Output = True>,
    {
        map_and_add::<D, 1>(bytes, domain_sep).mul_by_cofactor()
    }
}

impl MontgomeryPoint {
    /// The u-coordinate of the point of curve25519 that a message is hashed to: [`EdwardsPoint::hash_to_curve`] on the
    /// Montgomery curve. Constant time in all but the lengths.
    ///
    /// # Panics
    ///
    /// If the tag is empty.
    #[must_use]
    pub fn hash_to_curve<D>(bytes: &[&[u8]], domain_sep: &[&[u8]]) -> Self
    where
        D: BlockSizeUser + Default + FixedOutput<OutputSize = U64> + HashMarker,
        D::BlockSize: IsGreater<D::OutputSize, Output = True>,
    {
        EdwardsPoint::hash_to_curve::<D>(bytes, domain_sep).to_montgomery()
    }

    /// The u-coordinate of the point of curve25519 that a message is encoded to, which is not uniform:
    /// [`EdwardsPoint::encode_to_curve`] on the Montgomery curve. Constant time in all but the lengths.
    ///
    /// # Panics
    ///
    /// If the tag is empty.
    #[must_use]
    pub fn encode_to_curve<D>(bytes: &[&[u8]], domain_sep: &[&[u8]]) -> Self
    where
        D: BlockSizeUser + Default + FixedOutput<OutputSize = U64> + HashMarker,
        D::BlockSize: IsGreater<D::OutputSize, Output = True>,
    {
        EdwardsPoint::encode_to_curve::<D>(bytes, domain_sep).to_montgomery()
    }
}

impl RistrettoPoint {
    /// The element that a message is hashed to, with a domain separation tag (hash_to_ristretto255 of RFC 9380,
    /// appendix B). `D` is a hash function of 64 bytes of output, such as SHA-512. Constant time in all but the
    /// lengths.
    ///
    /// # Panics
    ///
    /// If the tag is empty.
    ///
    /// ```
    /// use lanner_curve::ristretto::RistrettoPoint;
    /// use sha2::Sha512;
    ///
    /// let tag = b"HashToGroup-OPRFV1-\0-ristretto255-SHA512";
    /// let element = RistrettoPoint::hash_to_curve::<Sha512>(&[b"input"], &[tag]);
    /// assert_ne!(element, RistrettoPoint::default());
    /// ```
    #[must_use]
    pub fn hash_to_curve<D>(bytes: &[&[u8]], domain_sep: &[&[u8]]) -> Self
    where
        D: BlockSizeUser + Default + FixedOutput<OutputSize = U64> + HashMarker,
        D::BlockSize: IsGreater<D::OutputSize, Output = True>,
    {
        let mut uniform = [0; 64];
        expand_message::<D>(bytes, domain_sep, &mut uniform);
        Self::from_uniform_bytes(&uniform)
    }
}

impl Scalar {
    /// The scalar that a message is hashed to, with a domain separation tag: 64 bytes of expand_message (RFC 9380, section
    /// 5.3.1), little-endian, modulo L. That is HashToScalar of ristretto255 in RFC 9497, section 4.1, with its tag. `D` is
    /// a hash function of 64 bytes of output, such as SHA-512. Constant time in all but the lengths.
    ///
    /// # Panics
    ///
    /// If the tag is empty.
    ///
    /// ```
    /// use lanner_curve::scalar::Scalar;
    /// use sha2::Sha512;
    ///
    /// let tag = b"HashToScalar-OPRFV1-\0-ristretto255-SHA512";
    /// let scalar = Scalar::hash_to_scalar::<Sha512>(&[b"in", b"put"], &[tag]);
    /// assert_eq!(scalar, Scalar::hash_to_scalar::<Sha512>(&[b"input"], &[tag]));
    /// ```
    #[must_use]
    pub fn hash_to_scalar<D>(bytes: &[&[u8]], domain_sep: &[&[u8]]) -> Self
    where
        D: BlockSizeUser + Default + FixedOutput<OutputSize = U64> + HashMarker,
        D::BlockSize: IsGreater<D::OutputSize, Output = True>,
    {
        let mut uniform = Zeroizing::new([0; 64]);
        expand_message::<D>(bytes, domain_sep, &mut *uniform);
        Self::from_bytes_mod_order_wide(&uniform)
    }
}
