//! What the features of version 2 turn on in the rest of a program's tree. Manifests that name these packages without
//! features count on it: as they are here, a feature of the sibling is there only if this package asks for it.

#[test]
#[cfg(feature = "precomputed-tables")]
fn the_sibling_has_its_tables() {
    use curve25519_dalek::constants::{ED25519_BASEPOINT_TABLE, RISTRETTO_BASEPOINT_TABLE};
    use curve25519_dalek::{EdwardsPoint, RistrettoPoint, Scalar};

    let scalar = Scalar::from(7_u64);
    assert_eq!(
        &scalar * ED25519_BASEPOINT_TABLE,
        EdwardsPoint::mul_base(&scalar)
    );
    assert_eq!(
        &scalar * RISTRETTO_BASEPOINT_TABLE,
        RistrettoPoint::mul_base(&scalar)
    );
}

#[test]
#[cfg(feature = "alloc")]
fn the_sibling_has_what_allocates() {
    use curve25519_dalek::Scalar;

    let mut scalars = [Scalar::from(2_u64), Scalar::from(3_u64)];
    let product = Scalar::batch_invert(&mut scalars);
    assert_eq!(product * Scalar::from(6_u64), Scalar::ONE);
}

#[test]
#[cfg(feature = "serde")]
fn serde_is_the_siblings_too_and_has_its_macros() {
    #[derive(serde::Serialize, serde::Deserialize)]
    struct Record {
        scalar: curve25519_dalek::Scalar,
        public: x25519_dalek::PublicKey,
    }

    let record = Record {
        scalar: curve25519_dalek::Scalar::from(7_u64),
        public: [9; 32].into(),
    };
    let json = serde_json::to_string(&record).expect("serialises");
    let read: Record = serde_json::from_str(&json).expect("reads");
    assert!(read.scalar == record.scalar && read.public == record.public);
}

#[test]
#[cfg(feature = "zeroize")]
fn zeroize_has_its_macros() {
    use zeroize::{Zeroize, ZeroizeOnDrop};

    #[derive(Zeroize, ZeroizeOnDrop)]
    struct Secret {
        scalar: curve25519_dalek::Scalar,
        bytes: [u8; 32],
    }

    let mut secret = Secret {
        scalar: curve25519_dalek::Scalar::ONE,
        bytes: [1; 32],
    };
    secret.zeroize();
    assert_eq!((secret.scalar.to_bytes(), secret.bytes), ([0; 32], [0; 32]));
}
