//! Signatures that an honest signer does not make.
#![allow(dead_code, reason = "features leave out files that use it")]

pub(crate) mod items;

use lanner_curve::constants::ED25519_BASEPOINT_POINT as B;
use lanner_curve::edwards::{CompressedEdwardsY, EdwardsPoint};
use lanner_curve::scalar::Scalar;
use lanner_curve::traits::Identity;
use lanner_ed25519::{Signature, VerifyingKey};
use sha2::{Digest, Sha512};

/// Does the work in a pool of three threads, however many processors there are.
#[cfg(feature = "rayon")]
pub(crate) fn over_threads<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    static POOL: std::sync::LazyLock<rayon::ThreadPool> = std::sync::LazyLock::new(|| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3);
        pool.build().expect("threads")
    });
    POOL.install(work)
}

/// A generator of the points of small order, times `class`. This one's y is a
/// root of d*y^4 + 2*y^2 - 1.
pub(crate) fn torsion(class: u8) -> EdwardsPoint {
    let encoding = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05";
    let order_8 = CompressedEdwardsY(hex::decode(encoding).unwrap().try_into().unwrap())
        .decompress()
        .unwrap();
    (0..class).fold(EdwardsPoint::identity(), |sum, _| sum + order_8)
}

/// k of RFC 8032 section 5.1.7 step 2.
pub(crate) fn challenge(key: &VerifyingKey, signature: &Signature, message: &[u8]) -> Scalar {
    let hash = Sha512::new()
        .chain_update(signature.r_bytes())
        .chain_update(key.as_bytes())
        .chain_update(message);
    Scalar::from_bytes_mod_order_wide(&hash.finalize().into())
}

/// A key `[a]B` and a signature with `R = [r]B`, to which the signer added
/// torsion of the classes given. It satisfies the cofactored equation.
pub(crate) fn forge(
    a: u64,
    r: u64,
    a_class: u8,
    r_class: u8,
    message: &[u8],
) -> (VerifyingKey, Signature) {
    let (a, r) = (Scalar::from(a), Scalar::from(r));
    let key = VerifyingKey::from(B * a + torsion(a_class));
    let commitment = (B * r + torsion(r_class)).compress().0;
    let unfinished = Signature::from_components(commitment, [0; 32]);
    let s = r + challenge(&key, &unfinished, message) * a;
    (key, Signature::from_components(commitment, s.to_bytes()))
}

/// The neutral element as public key, and a signature `([s]B, s)`, valid for
/// every message where weak keys are.
pub(crate) fn identity_forgery(s: u64) -> (VerifyingKey, Signature) {
    let s = Scalar::from(s);
    let key = VerifyingKey::from(EdwardsPoint::identity());
    let signature = Signature::from_components((B * s).compress().0, s.to_bytes());
    (key, signature)
}

/// L, little-endian.
pub(crate) fn order_l() -> [u8; 32] {
    let mut l = (-Scalar::ONE).to_bytes();
    l[0] += 1;
    l
}

/// The signature with S + `times` * L in the place of S.
pub(crate) fn shifted(signature: &Signature, times: usize) -> Signature {
    let mut s = *signature.s_bytes();
    for _ in 0..times {
        let mut carry = 0;
        for (byte, l) in s.iter_mut().zip(order_l()) {
            let sum = u16::from(*byte) + u16::from(l) + carry;
            *byte = sum as u8;
            carry = sum >> 8;
        }
        assert_eq!(carry, 0);
    }
    Signature::from_components(*signature.r_bytes(), s)
}
