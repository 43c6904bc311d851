//! russh: a connection opened, over a pipe in memory: key exchange, the server's key, the client's key.

mod clock;

use std::borrow::Cow;
use std::sync::Arc;

use russh::keys::{Algorithm, PrivateKey, PrivateKeyWithHashAlg, PublicKeyOrCertificate};
use russh::server::VerifiedPublicKey;
use russh::{Preferred, client, kex, server};

struct Server;

impl server::Handler for Server {
    type Error = russh::Error;

    async fn auth_publickey(
        &mut self,
        _: &str,
        _: VerifiedPublicKey<'_>,
    ) -> Result<server::Auth, russh::Error> {
        Ok(server::Auth::Accept)
    }
}

struct Client;

impl client::Handler for Client {
    type Error = russh::Error;

    async fn check_server_key(&mut self, _: &PublicKeyOrCertificate) -> Result<bool, russh::Error> {
        Ok(true)
    }
}

fn main() {
    let key = || PrivateKey::random(&mut rand::rng(), Algorithm::Ed25519).expect("a key");
    let preferred = Preferred {
        kex: Cow::Borrowed(&[kex::CURVE25519]),
        ..Preferred::default()
    };
    let servers = Arc::new(server::Config {
        keys: vec![key()],
        preferred: preferred.clone(),
        ..server::Config::default()
    });
    let clients = Arc::new(client::Config {
        preferred,
        ..client::Config::default()
    });
    let own = Arc::new(key());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    clock::time(|| {
        runtime.block_on(async {
            let (here, there) = tokio::io::duplex(1 << 16);
            let served = tokio::spawn(server::run_stream(servers.clone(), there, Server));
            let mut session = client::connect_stream(clients.clone(), here, Client)
                .await
                .expect("a connection");
            let by_key = PrivateKeyWithHashAlg::new(own.clone(), None);
            let outcome = session.authenticate_publickey("one", by_key).await;
            assert!(outcome.expect("an answer").success());
            drop(session);
            // The server sees that its client is gone.
            let _ = served.await.expect("a server").expect("a session").await;
        });
    });
}
