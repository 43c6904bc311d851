//! russh: a connection within the process, opened and logged in to by a key.

mod clock;

use std::sync::Arc;

use russh::keys::{Algorithm, PrivateKey, PrivateKeyWithHashAlg, PublicKeyOrCertificate};
use russh::{Disconnect, Error, client, server};

struct Side;

impl server::Handler for Side {
    type Error = Error;

    async fn auth_publickey(
        &mut self,
        _user: &str,
        _key: server::VerifiedPublicKey<'_>,
    ) -> Result<server::Auth, Error> {
        Ok(server::Auth::Accept)
    }
}

impl client::Handler for Side {
    type Error = Error;

    async fn check_server_key(&mut self, _key: &PublicKeyOrCertificate) -> Result<bool, Error> {
        Ok(true)
    }
}

fn main() {
    let key = || PrivateKey::random(&mut rand::rng(), Algorithm::Ed25519).expect("a key");
    let ours = Arc::new(key());
    let mut config = server::Config::default();
    config.keys.push(key());
    let (server_config, client_config) = (Arc::new(config), Arc::new(client::Config::default()));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime");
    clock::time(|| {
        runtime.block_on(async {
            let (one, other) = tokio::io::duplex(1 << 16);
            let serving = tokio::spawn(server::run_stream(server_config.clone(), other, Side));
            let mut session = client::connect_stream(client_config.clone(), one, Side)
                .await
                .expect("connects");
            let key = PrivateKeyWithHashAlg::new(ours.clone(), None);
            let login = session.authenticate_publickey("user", key).await;
            assert!(login.expect("an answer").success());
            session
                .disconnect(Disconnect::ByApplication, "", "")
                .await
                .expect("says so");
            drop(serving);
        });
    });
}
