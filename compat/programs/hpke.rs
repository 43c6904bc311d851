//! hpke: a message sealed to a public key and opened (base mode, X25519, ChaCha20-Poly1305).

mod clock;

use hpke::aead::ChaCha20Poly1305;
use hpke::kdf::HkdfSha256;
use hpke::kem::{Kem, X25519HkdfSha256};
use hpke::{OpModeR, OpModeS, setup_receiver, setup_sender_with_rng};
use rand::SeedableRng;
use rand::rngs::StdRng;

type Suite = X25519HkdfSha256;

fn main() {
    let mut rng = StdRng::seed_from_u64(1);
    let (private, public) = Suite::derive_keypair(&[7; 32]);
    clock::time(|| {
        let (encapsulated, mut sender) =
            setup_sender_with_rng::<ChaCha20Poly1305, HkdfSha256, Suite>(
                &OpModeS::Base,
                &public,
                b"",
                &mut rng,
            )
            .expect("a key");
        let sealed = sender.seal(b"message", b"").expect("seals");
        let mut receiver = setup_receiver::<ChaCha20Poly1305, HkdfSha256, Suite>(
            &OpModeR::Base,
            &private,
            &encapsulated,
            b"",
        )
        .expect("a key");
        assert_eq!(receiver.open(&sealed, b"").expect("opens"), b"message");
    });
}
