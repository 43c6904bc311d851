//! vodozemac: a session of Olm, both sides, with its first message.

mod clock;

use vodozemac::olm::{Account, OlmMessage, SessionConfig};

fn main() {
    let alice = Account::new();
    clock::time(|| {
        let mut bob = Account::new();
        bob.generate_one_time_keys(1);
        let (_, one_time) = bob.one_time_keys().into_iter().next().expect("one");
        let mut session = alice
            .create_outbound_session(SessionConfig::version_1(), bob.curve25519_key(), one_time)
            .expect("a session");
        let OlmMessage::PreKey(first) = session.encrypt("message").expect("encrypts") else {
            panic!("the first message brings the keys");
        };
        let session = bob
            .create_inbound_session(SessionConfig::version_1(), alice.curve25519_key(), &first)
            .expect("a session");
        assert_eq!(session.plaintext, b"message");
    });
}
