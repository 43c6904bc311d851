//! opaque-ke: a login by password over Ristretto255, both sides, without the slow hash of the password.

mod clock;

use opaque_ke::ciphersuite::CipherSuite;
use opaque_ke::ksf::Identity;
use opaque_ke::{
    ClientLogin, ClientLoginFinishParameters, ClientRegistration,
    ClientRegistrationFinishParameters, Ristretto255, ServerLogin, ServerLoginParameters,
    ServerRegistration, ServerSetup, TripleDh,
};
use rand::rngs::OsRng;

struct Suite;

impl CipherSuite for Suite {
    type OprfCs = Ristretto255;
    type KeyExchange = TripleDh<Ristretto255, sha2::Sha512>;
    type Ksf = Identity;
}

const PASSWORD: &[u8] = b"password";
const USER: &[u8] = b"user";

fn main() {
    let mut rng = OsRng;
    let server = ServerSetup::<Suite>::new(&mut rng);
    let start = ClientRegistration::<Suite>::start(&mut rng, PASSWORD).expect("starts");
    let answer = ServerRegistration::start(&server, start.message, USER).expect("answers");
    let parameters = ClientRegistrationFinishParameters::default();
    let upload = start
        .state
        .finish(&mut rng, PASSWORD, answer.message, parameters)
        .expect("registers");
    let record = ServerRegistration::finish(upload.message);
    clock::time(|| {
        let client = ClientLogin::<Suite>::start(&mut rng, PASSWORD).expect("starts");
        let answer = ServerLogin::start(
            &mut rng,
            &server,
            Some(record.clone()),
            client.message,
            USER,
            ServerLoginParameters::default(),
        )
        .expect("answers");
        let parameters = ClientLoginFinishParameters::default();
        let finished = client
            .state
            .finish(&mut rng, PASSWORD, answer.message, parameters)
            .expect("the password is right");
        let session = answer
            .state
            .finish(finished.message, ServerLoginParameters::default())
            .expect("the client is the one");
        assert_eq!(session.session_key, finished.session_key);
    });
}
