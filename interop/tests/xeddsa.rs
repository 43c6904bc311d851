//! XEdDSA against the same in the terms of curve25519-dalek, as libsignal computes it: what is signed, and who accepts what.

use curve25519_dalek::edwards::EdwardsPoint;
use curve25519_dalek::montgomery::MontgomeryPoint;
use curve25519_dalek::scalar::{Scalar, clamp_integer};
use lanner_ed25519::Signature;
use lanner_ed25519::xeddsa::{SecretKey, verify, verify_with_sign};
use lanner_interop::encodings::{L, P, add, small, top_bit};
use lanner_interop::{array, bytes, hex, start};
use sha2::{Digest, Sha512};

fn hash(parts: &[&[u8]]) -> Scalar {
    let mut hash = Sha512::new();
    for part in parts {
        hash.update(part);
    }
    Scalar::from_bytes_mod_order_wide(&hash.finalize().into())
}

/// libsignal's form: the scalar as it is, and the sign of its point in the highest bit.
fn sign_with_sign(secret: [u8; 32], message: &[u8], random: &[u8; 64]) -> [u8; 64] {
    let secret = clamp_integer(secret);
    let a = Scalar::from_bytes_mod_order(secret);
    let public = EdwardsPoint::mul_base(&a).compress().0;
    let r = hash(&[&[0xfe], &[0xff; 31], &secret, message, random]);
    let commitment = EdwardsPoint::mul_base(&r).compress().0;
    let s = hash(&[&commitment, &public, message]) * a + r;
    let mut signature = [0; 64];
    signature[..32].copy_from_slice(&commitment);
    signature[32..].copy_from_slice(s.as_bytes());
    signature[63] |= public[31] & 0x80;
    signature
}

/// Whether S B - h A is R, for the point of this u and this sign.
fn accepts(u: &[u8; 32], sign: u8, message: &[u8], r: &[u8; 32], s: &[u8; 32]) -> bool {
    let Some(point) = MontgomeryPoint(*u).to_edwards(sign) else {
        return false;
    };
    if s[31] & 0xe0 != 0 {
        return false;
    }
    let h = hash(&[r, &point.compress().0, message]);
    let s = Scalar::from_bytes_mod_order(*s);
    EdwardsPoint::vartime_double_scalar_mul_basepoint(&h, &-point, &s)
        .compress()
        .0
        == *r
}

fn parts(signature: &[u8; 64]) -> ([u8; 32], [u8; 32]) {
    let (r, s) = signature.split_at(32);
    (
        r.try_into().expect("32 bytes"),
        s.try_into().expect("32 bytes"),
    )
}

/// Asserts the verdicts of both functions, and returns them.
fn agree(u: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> [bool; 2] {
    let (r, mut s) = parts(signature);
    let reduced = u.iter().rev().lt(P.iter().rev());
    let specified = reduced && accepts(u, 0, message, &r, &s);
    let sign = s[31] >> 7;
    s[31] &= 0x7f;
    let with_sign = accepts(u, sign, message, &r, &s);
    let shown = || format!("u {} signature {}", hex(u), hex(signature));
    let signature = Signature::from_bytes(signature);
    assert_eq!(
        verify(u, message, &signature).is_ok(),
        specified,
        "{}",
        shown()
    );
    let ours = verify_with_sign(u, message, &signature).is_ok();
    assert_eq!(ours, with_sign, "{}", shown());
    [specified, with_sign]
}

#[test]
fn both_accept_the_same() {
    let mut rng = start("both_accept_the_same");
    let mut accepted = [0; 2];
    for i in 0..300 {
        let secret: [u8; 32] = array(&mut rng);
        let random: [u8; 64] = array(&mut rng);
        let message = &bytes(&mut rng, i % 48);
        let key = SecretKey::from_x25519(&secret);
        let u = key.x25519_public_bytes();
        assert_eq!(u, MontgomeryPoint::mul_base_clamped(secret).0);

        let ours = key.sign(message, &random).to_bytes();
        assert_eq!(agree(&u, message, &ours), [true; 2]);
        let theirs = sign_with_sign(secret, message, &random);
        let odd = theirs[63] >> 7 == 1;
        assert_eq!(agree(&u, message, &theirs), [!odd, true]);

        for mut signature in [ours, theirs] {
            let (r, s) = parts(&signature);
            let mut u = u;
            match i % 6 {
                0 => signature[i % 64] ^= 1 << (i / 64 % 8),
                1 => u[i % 32] ^= 1 << (i / 32 % 8),
                2 => u = top_bit(u),
                3 => signature[32..].copy_from_slice(&add(&s, &L)),
                4 => signature[63] ^= 0x80,
                // R of a coordinate that is not reduced, where there is one.
                _ => signature[..32].copy_from_slice(&add(&r, &P)),
            }
            for (count, verdict) in accepted.iter_mut().zip(agree(&u, message, &signature)) {
                *count += u32::from(verdict);
            }
        }
    }
    // S + L, and for libsignal the highest bit of u.
    assert!(
        accepted[0] > 20 && accepted[1] > accepted[0],
        "{accepted:?}"
    );

    // Coordinates around 0 and p, of the curve, of its twist and of small order, with signatures by nobody.
    let mut accepted = [0; 2];
    // u = -1 is among them, which dalek refuses as well.
    let below = add(&P, &[0xff; 32]);
    for low in 0..40_u8 {
        for base in [[0; 32], below] {
            let u = add(&base, &small(low));
            for i in 0..8_u64 {
                let s = Scalar::from(i + 1);
                let r = EdwardsPoint::mul_base(&s).compress().0;
                let mut signature = [0; 64];
                signature[..32].copy_from_slice(&r);
                signature[32..].copy_from_slice(s.as_bytes());
                for sign in [0, 0x80] {
                    signature[63] = signature[63] & 0x7f | sign;
                    for (count, verdict) in accepted.iter_mut().zip(agree(&u, b"m", &signature)) {
                        *count += u32::from(verdict);
                    }
                }
            }
        }
    }
    assert!(accepted[0] > 0 && accepted[1] > accepted[0], "{accepted:?}");
}
