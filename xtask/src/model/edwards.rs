//! Points of edwards25519 (RFC 8032 section 5.1).

use std::sync::LazyLock;

use num_bigint::BigUint;

use super::field::{self, D, L, P, SQRT_M1, add, int, invert, mul, neg, sub};

/// A point in the extended homogeneous coordinates of RFC 8032 section 5.1.4:
/// x = X/Z, y = Y/Z, x·y = T/Z.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    x: BigUint,
    y: BigUint,
    z: BigUint,
    t: BigUint,
}

/// Which encodings of a point are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DecodeRule {
    /// RFC 8032 section 5.1.3: y below p, and x = 0 only with a clear sign bit.
    Rfc8032,
    /// ZIP 215: y is reduced mod p, and the sign bit of x = 0 is ignored.
    Zip215,
}

/// The base point B: y = 4/5, x even.
pub(crate) static BASE: LazyLock<Point> = LazyLock::new(|| {
    let y = mul(&int(4), &invert(&int(5)));
    Point::decode(&field::to_bytes(&y), DecodeRule::Rfc8032).expect("the base point")
});

/// A point of order 8, from which [`TORSION`] counts. Its encoding starts with
/// the octet 0xc7 and its x is even; any other generator would serve as well.
static TORSION_GENERATOR: LazyLock<Point> = LazyLock::new(|| {
    // [L]P is a torsion point for every P; look for one of order 8.
    for y in 2u32.. {
        let Some(p) = Point::decode(&field::to_bytes(&int(y)), DecodeRule::Rfc8032) else {
            continue;
        };
        let t = p.mul(&L);
        if t.mul(&int(4)).is_identity() {
            continue;
        }
        // One of t, 3t, 5t, 7t is the generator described above.
        for j in [1u32, 3, 5, 7] {
            let candidate = t.mul(&int(j));
            let bytes = candidate.encode();
            if bytes[0] == 0xc7 && bytes[31] >> 7 == 0 {
                return candidate;
            }
        }
    }
    unreachable!("half of all points have a torsion part of order 8")
});

/// The eight torsion points: entry j is j times a fixed point of order 8.
pub(crate) static TORSION: LazyLock<[Point; 8]> =
    LazyLock::new(|| std::array::from_fn(|j| TORSION_GENERATOR.mul(&int(j as u32))));

impl Point {
    /// The neutral element (0, 1).
    pub(crate) fn identity() -> Self {
        Self::from_affine(&int(0), &int(1))
    }

    /// The point (x, y), which must lie on the curve -x² + y² = 1 + d·x²·y².
    pub(crate) fn from_affine(x: &BigUint, y: &BigUint) -> Self {
        let (xx, yy) = (mul(x, x), mul(y, y));
        assert_eq!(
            sub(&yy, &xx),
            add(&int(1), &mul(&D, &mul(&xx, &yy))),
            "not on the curve"
        );
        Self {
            x: x.clone(),
            y: y.clone(),
            z: int(1),
            t: mul(x, y),
        }
    }

    /// The affine coordinates.
    pub(crate) fn to_affine(&self) -> (BigUint, BigUint) {
        let inverse = invert(&self.z);
        (mul(&self.x, &inverse), mul(&self.y, &inverse))
    }

    /// Decodes 32 octets (RFC 8032 section 5.1.3), with or without ZIP 215's
    /// two relaxations.
    pub(crate) fn decode(bytes: &[u8; 32], rule: DecodeRule) -> Option<Self> {
        let mut number = field::from_bytes(bytes);
        let sign = number.bit(255);
        number.set_bit(255, false);
        if rule == DecodeRule::Rfc8032 && number >= *P {
            return None;
        }
        let y = number % &*P;

        // x² = (y² - 1) / (d·y² + 1) = u/v, with v never zero.
        let yy = mul(&y, &y);
        let u = sub(&yy, &int(1));
        let v = add(&mul(&D, &yy), &int(1));
        let ratio = mul(&u, &invert(&v));
        // A candidate root: (u/v)^((p+3)/8), perhaps off by a root of -1.
        let mut x = ratio.modpow(&((&*P + 3u8) / 8u8), &P);
        if mul(&x, &x) != ratio {
            x = mul(&x, &SQRT_M1);
        }
        if mul(&x, &x) != ratio {
            return None;
        }
        if rule == DecodeRule::Rfc8032 && x == int(0) && sign {
            return None;
        }
        if x.bit(0) != sign {
            x = neg(&x);
        }
        Some(Self::from_affine(&x, &y))
    }

    /// The canonical encoding (RFC 8032 section 5.1.2).
    pub(crate) fn encode(&self) -> [u8; 32] {
        let (x, y) = self.to_affine();
        let mut bytes = field::to_bytes(&y);
        bytes[31] |= u8::from(x.bit(0)) << 7;
        bytes
    }

    /// The sum (RFC 8032 section 5.1.4; complete, so doubling needs no case).
    pub(crate) fn add(&self, other: &Self) -> Self {
        let a = mul(&sub(&self.y, &self.x), &sub(&other.y, &other.x));
        let b = mul(&add(&self.y, &self.x), &add(&other.y, &other.x));
        let c = mul(&mul(&mul(&self.t, &int(2)), &D), &other.t);
        let d = mul(&mul(&self.z, &int(2)), &other.z);
        let (e, f, g, h) = (sub(&b, &a), sub(&d, &c), add(&d, &c), add(&b, &a));
        Self {
            x: mul(&e, &f),
            y: mul(&g, &h),
            z: mul(&f, &g),
            t: mul(&e, &h),
        }
    }

    /// The negative (-x, y).
    pub(crate) fn negate(&self) -> Self {
        Self {
            x: neg(&self.x),
            y: self.y.clone(),
            z: self.z.clone(),
            t: neg(&self.t),
        }
    }

    /// The difference.
    pub(crate) fn sub(&self, other: &Self) -> Self {
        self.add(&other.negate())
    }

    /// \[n\]P by doubling and adding from the top bit. n is not reduced.
    pub(crate) fn mul(&self, n: &BigUint) -> Self {
        let mut sum = Self::identity();
        for i in (0..n.bits()).rev() {
            sum = sum.add(&sum);
            if n.bit(i) {
                sum = sum.add(self);
            }
        }
        sum
    }

    /// Whether both are the same point.
    pub(crate) fn equals(&self, other: &Self) -> bool {
        mul(&self.x, &other.z) == mul(&other.x, &self.z)
            && mul(&self.y, &other.z) == mul(&other.y, &self.z)
    }

    /// Whether this is the neutral element.
    pub(crate) fn is_identity(&self) -> bool {
        self.equals(&Self::identity())
    }

    /// Whether \[8\]P is the neutral element.
    pub(crate) fn has_small_order(&self) -> bool {
        self.mul(&int(8)).is_identity()
    }

    /// The part of order 1, 2, 4 or 8 as its index in [`TORSION`]. P is the sum
    /// of that part and of a point in the group of order L.
    pub(crate) fn torsion_index(&self) -> u32 {
        // 5·L = 1 mod 8 and 0 mod L, so [5L] keeps exactly the torsion part.
        let part = self.mul(&(&*L * 5u8));
        TORSION
            .iter()
            .position(|t| t.equals(&part))
            .expect("one of eight points") as u32
    }

    /// The order of the torsion part: 1, 2, 4 or 8.
    pub(crate) fn torsion_order(&self) -> u32 {
        [1, 8, 4, 8, 2, 8, 4, 8][self.torsion_index() as usize]
    }

    /// The u coordinate of the same point on curve25519: (1+y)/(1-y), with 0
    /// for the neutral element (RFC 7748 section 4.1; 1/0 is taken as 0).
    pub(crate) fn montgomery_u(&self) -> BigUint {
        let (_, y) = self.to_affine();
        mul(&add(&int(1), &y), &invert(&sub(&int(1), &y)))
    }
}
