//! curve25519-dalek 4: multiples by secrets, which overwrite the stack as Lanner's do. Version 5 is Lanner's own crate by
//! another name.

use curve25519_dalek_4::constants::{ED25519_BASEPOINT_TABLE, RISTRETTO_BASEPOINT_TABLE};
use curve25519_dalek_4::edwards::EdwardsPoint;
use curve25519_dalek_4::montgomery::MontgomeryPoint;
use curve25519_dalek_4::ristretto::RistrettoPoint;
use curve25519_dalek_4::scalar::Scalar;
use curve25519_dalek_4::traits::MultiscalarMul;

use crate::{Observed, Secrets};

pub(crate) fn observe(observed: &mut Observed, s: &Secrets) {
    let a = Scalar::from_bytes_mod_order_wide(&s.wide);
    let p = EdwardsPoint::mul_base(&Scalar::from(7_u8));
    let r = RistrettoPoint::mul_base(&Scalar::from(7_u8));
    let u = MontgomeryPoint::mul_base(&Scalar::from(7_u8));
    let bytes = a.to_bytes();
    let secrets: [&[u8]; 2] = [&bytes, &s.seed];
    macro_rules! multiples {
        ($($name:literal: |$a:ident| $product:expr;)*) => {$(
            observed.observe(concat!("curve 4: ", $name), (a, None), &secrets, |(scalar, product)| {
                let $a = &*scalar;
                *product = Some($product);
            });
        )*};
    }
    multiples! {
        "multiple of B": |a| EdwardsPoint::mul_base(a);
        "multiple of P": |a| &p * a;
        "multiple of P, by value": |a| p * *a;
        "multiple by the table": |a| a * ED25519_BASEPOINT_TABLE;
        "sum": |a| EdwardsPoint::multiscalar_mul([a, a], [&p, &p]);
        "multiple of an element": |a| &r * a;
        "multiple of the base element": |a| RistrettoPoint::mul_base(a);
        "multiple by its table": |a| a * RISTRETTO_BASEPOINT_TABLE;
        "sum of elements": |a| RistrettoPoint::multiscalar_mul([a, a], [&r, &r]);
        "multiple of u": |a| &u * a;
        "multiple of 9": |a| MontgomeryPoint::mul_base(a);
    }
    observed.observe(
        "curve 4: clamped",
        (s.seed, None),
        &secrets,
        |(seed, product)| {
            *product = Some(p.mul_clamped(*seed));
        },
    );
    observed.observe(
        "curve 4: clamped, u",
        (s.seed, None),
        &secrets,
        |(seed, product)| {
            *product = Some(u.mul_clamped(*seed));
        },
    );
}
