//! libp2p-identity: a signature verified.

mod clock;

use libp2p_identity::Keypair;

fn main() {
    let key = Keypair::ed25519_from_bytes([7; 32]).expect("a key");
    let signature = key.sign(b"message").expect("signs");
    let public = key.public();
    clock::time(|| assert!(public.verify(b"message", &signature)));
}
