//! Derive macros, which come with the packages: neither manifest asks `serde` or `zeroize` for them.

use serde::{Deserialize, Serialize};
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::story::Story;

#[derive(Serialize, Deserialize)]
struct Record {
    scalar: curve25519_dalek_4::Scalar,
    point: curve25519_dalek::RistrettoPoint,
    verifying: ed25519_dalek_2::VerifyingKey,
    public: x25519_dalek_2::PublicKey,
}

#[derive(Zeroize, ZeroizeOnDrop)]
struct Secret {
    scalar: curve25519_dalek_4::Scalar,
    key: x25519_dalek_2::StaticSecret,
}

pub(crate) fn tell(story: &mut Story) {
    let record = Record {
        scalar: 7_u64.into(),
        point: curve25519_dalek::constants::RISTRETTO_BASEPOINT_POINT,
        verifying: ed25519_dalek_2::SigningKey::from_bytes(&[7; 32]).verifying_key(),
        public: [9; 32].into(),
    };
    let json = serde_json::to_string(&record).expect("serialises");
    let read: Record = serde_json::from_str(&json).expect("reads");
    story.value(
        "read",
        serde_json::to_string(&read).ok().as_ref() == Some(&json),
    );
    story.value("record", json);

    let mut secret = Secret {
        scalar: record.scalar,
        key: [8; 32].into(),
    };
    secret.zeroize();
    story.bytes("scalar", secret.scalar.to_bytes());
    story.bytes("key", secret.key.to_bytes());
}
