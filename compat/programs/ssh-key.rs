//! ssh-key: a signature in OpenSSH's form, made and verified.

mod clock;

use ssh_key::private::{Ed25519Keypair, KeypairData};
use ssh_key::{HashAlg, PrivateKey};

fn main() {
    let pair = Ed25519Keypair::from_seed(&[7; 32]);
    let key = PrivateKey::new(KeypairData::Ed25519(pair), "").expect("a key");
    clock::time(|| {
        let signature = key
            .sign("file", HashAlg::Sha512, b"message")
            .expect("signs");
        let public = key.public_key();
        public
            .verify("file", b"message", &signature)
            .expect("valid");
    });
}
