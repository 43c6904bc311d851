//! frost-ed25519: a signature by two of three, made and verified.

mod clock;

use std::collections::BTreeMap;

use frost_ed25519 as frost;
use rand::rngs::OsRng;

fn main() {
    let mut rng = OsRng;
    let all = frost::keys::IdentifierList::Default;
    let (shares, public) = frost::keys::generate_with_dealer(3, 2, all, &mut rng).expect("shares");
    let keys: BTreeMap<_, _> = shares
        .into_iter()
        .take(2)
        .map(|(id, share)| (id, frost::keys::KeyPackage::try_from(share).expect("valid")))
        .collect();
    clock::time(|| {
        let (mut nonces, mut commitments) = (BTreeMap::new(), BTreeMap::new());
        for (id, key) in &keys {
            let (nonce, commitment) = frost::round1::commit(key.signing_share(), &mut rng);
            nonces.insert(*id, nonce);
            commitments.insert(*id, commitment);
        }
        let package = frost::SigningPackage::new(commitments, b"message");
        let parts: BTreeMap<_, _> = keys
            .iter()
            .map(|(id, key)| {
                let part = frost::round2::sign(&package, &nonces[id], key).expect("signs");
                (*id, part)
            })
            .collect();
        let signature = frost::aggregate(&package, &parts, &public).expect("valid");
        public
            .verifying_key()
            .verify(b"message", &signature)
            .expect("valid");
    });
}
