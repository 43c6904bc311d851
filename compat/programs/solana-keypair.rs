//! solana-keypair: a signature made and verified.

mod clock;

use solana_keypair::{Keypair, Signer};

fn main() {
    let key = Keypair::new_from_array([7; 32]);
    let address = key.pubkey();
    clock::time(|| {
        let signature = key.sign_message(b"message");
        assert!(signature.verify(address.as_ref(), b"message"));
    });
}
