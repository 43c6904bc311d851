//! The function X25519 on bytes.

use lanner_curve::montgomery::MontgomeryPoint;
use lanner_simd::stack::cleared;
use zeroize::{Zeroize, Zeroizing};

/// The u coordinate of the base point: 9 (RFC 7748 section 4.1).
pub const X25519_BASEPOINT_BYTES: [u8; 32] = {
    let mut bytes = [0; 32];
    bytes[0] = 9;
    bytes
};

/// The function X25519 of RFC 7748 section 5: the scalar `k`, which is clamped,
/// times the point with the coordinate `u`, whose top bit is ignored. Constant
/// time.
///
/// The result is all zero if `u` is the coordinate of a point of small order:
/// [`x25519_checked`](crate::x25519_checked) refuses that. The function
/// wipes its own copy of `k`; the caller's is the caller's to wipe.
///
/// ```
/// use lanner_x25519::{X25519_BASEPOINT_BYTES, x25519};
///
/// let (alice, bob) = ([1; 32], [2; 32]);
/// let alice_public = x25519(alice, X25519_BASEPOINT_BYTES);
/// let bob_public = x25519(bob, X25519_BASEPOINT_BYTES);
/// assert_eq!(x25519(alice, bob_public), x25519(bob, alice_public));
/// ```
pub fn x25519(mut k: [u8; 32], u: [u8; 32]) -> [u8; 32] {
    cleared::<CALLER_DEPTH, _>(|| {
        let shared = MontgomeryPoint(u).mul_clamped(k);
        k.zeroize();
        shared.to_bytes()
    })
}

/// The function X25519 for many pairs: `shared[i]` becomes `x25519(k[i], u[i])`. Constant
/// time in all but the number of pairs.
///
/// On a processor with wide vectors (AVX-512 IFMA) pairs are computed side by side, several
/// times as fast as one after the other. Results that are all zero come from points of small
/// order, as with [`x25519`].
///
/// # Panics
///
/// If the slices differ in length.
///
/// ```
/// use lanner_x25519::{X25519_BASEPOINT_BYTES, x25519, x25519_each};
///
/// let secrets = [[1; 32], [2; 32], [3; 32]];
/// let public = x25519([4; 32], X25519_BASEPOINT_BYTES);
/// let mut shared = [[0; 32]; 3];
/// x25519_each(&secrets, &[public; 3], &mut shared);
/// assert_eq!(shared[2], x25519(secrets[2], public));
/// ```
pub fn x25519_each(k: &[[u8; 32]], u: &[[u8; 32]], shared: &mut [[u8; 32]]) {
    assert_eq!(k.len(), u.len());
    assert_eq!(k.len(), shared.len());
    for ((k, u), shared) in k
        .chunks(GROUP)
        .zip(u.chunks(GROUP))
        .zip(shared.chunks_mut(GROUP))
    {
        cleared::<GROUP_DEPTH, _>(|| {
            let mut points = [MontgomeryPoint::default(); GROUP];
            for (point, u) in points.iter_mut().zip(u) {
                *point = MontgomeryPoint(*u);
            }
            let mut products = Zeroizing::new([MontgomeryPoint::default(); GROUP]);
            let (points, products) = (&points[..k.len()], &mut products[..k.len()]);
            MontgomeryPoint::mul_clamped_each(k, points, products);
            for (shared, product) in shared.iter_mut().zip(products) {
                *shared = product.to_bytes();
            }
        });
    }
}

/// The public keys of many secret keys, which are clamped: `public_keys[i]` becomes
/// `x25519(secrets[i], X25519_BASEPOINT_BYTES)`. Constant time in all but the number of keys. No
/// allocation.
///
/// On a processor with wide vectors (AVX-512 IFMA) keys are computed side by side, each in a third of
/// the time of one alone. The functions named `public_keys_each` do the same for the types of secret
/// keys.
///
/// # Panics
///
/// If the slices differ in length.
///
/// ```
/// use lanner_x25519::{X25519_BASEPOINT_BYTES, x25519, x25519_base_each};
///
/// let secrets = [[1; 32], [2; 32], [3; 32]];
/// let mut public_keys = [[0; 32]; 3];
/// x25519_base_each(&secrets, &mut public_keys);
/// assert_eq!(public_keys[2], x25519(secrets[2], X25519_BASEPOINT_BYTES));
/// ```
pub fn x25519_base_each(secrets: &[[u8; 32]], public_keys: &mut [[u8; 32]]) {
    assert_eq!(secrets.len(), public_keys.len());
    for (secrets, public_keys) in secrets.chunks(GROUP).zip(public_keys.chunks_mut(GROUP)) {
        cleared::<GROUP_DEPTH, _>(|| {
            let mut points = [MontgomeryPoint::default(); GROUP];
            let points = &mut points[..secrets.len()];
            MontgomeryPoint::mul_base_clamped_each(secrets, points);
            for (public_key, point) in public_keys.iter_mut().zip(points) {
                *public_key = point.to_bytes();
            }
        });
    }
}

/// How many pairs go together: their points are on the stack.
pub(crate) const GROUP: usize = 16;
/// So deep; deeper in a build for size, where less is inlined.
pub(crate) const GROUP_DEPTH: usize = if cfg!(lanner_size = "small") {
    3072
} else {
    1920
};

/// How deep on the stack the frames are that call a multiplication, which clears its own.
pub(crate) const CALLER_DEPTH: usize = 256;
