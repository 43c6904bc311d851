//! boringtun: a handshake of WireGuard, both sides.

mod clock;

use boringtun::noise::{Tunn, TunnResult};
use boringtun::x25519::{PublicKey, StaticSecret};

fn main() {
    let [ours, theirs] = [[1; 32], [2; 32]].map(StaticSecret::from);
    let [our_public, their_public] = [&ours, &theirs].map(PublicKey::from);
    let [mut first, mut second, mut third] = [[0; 2048]; 3];
    clock::time(|| {
        let mut us = Tunn::new(ours.clone(), their_public, None, None, 1, None);
        let mut them = Tunn::new(theirs.clone(), our_public, None, None, 2, None);
        let TunnResult::WriteToNetwork(initiation) =
            us.format_handshake_initiation(&mut first, true)
        else {
            panic!("no initiation");
        };
        let TunnResult::WriteToNetwork(response) = them.decapsulate(None, initiation, &mut second)
        else {
            panic!("no response");
        };
        let TunnResult::WriteToNetwork(_) = us.decapsulate(None, response, &mut third) else {
            panic!("no session");
        };
    });
}
