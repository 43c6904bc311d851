//! snow: a handshake of Noise XX, both sides.

mod clock;

use snow::Builder;

fn main() {
    let pattern = || {
        "Noise_XX_25519_ChaChaPoly_BLAKE2s"
            .parse()
            .expect("a pattern")
    };
    let [ours, theirs] = [(); 2].map(|()| {
        Builder::new(pattern())
            .generate_keypair()
            .expect("a key pair")
    });
    let [mut sent, mut read] = [[0; 256]; 2];
    clock::time(|| {
        let builder = |key| {
            Builder::new(pattern())
                .local_private_key(key)
                .expect("once")
        };
        let mut one = builder(&ours.private).build_initiator().expect("builds");
        let mut other = builder(&theirs.private).build_responder().expect("builds");
        for _ in 0..3 {
            let length = one.write_message(&[], &mut sent).expect("fits");
            other
                .read_message(&sent[..length], &mut read)
                .expect("valid");
            std::mem::swap(&mut one, &mut other);
        }
        assert!(one.is_handshake_finished() && other.is_handshake_finished());
    });
}
