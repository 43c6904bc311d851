//! The command `openssl` reads our keys and checks our signatures, and the reverse.
//!
//! Where the command is missing, or too old to sign without hashing first, the tests say so and
//! pass.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::OnceLock;

use lanner_ed25519::pkcs8::spki::der::pem::LineEnding;
use lanner_ed25519::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
use lanner_ed25519::{Signer, SigningKey, VerifyingKey};
use lanner_interop::{array, bytes, skip, start};
use lanner_x25519::{PublicKey, StaticSecret};

/// Whether a useful `openssl` is there; if not, says so.
fn present() -> bool {
    static PRESENT: OnceLock<bool> = OnceLock::new();
    *PRESENT.get_or_init(|| {
        let Ok(output) = Command::new("openssl").arg("version").output() else {
            skip("the command openssl is not installed: no test against it");
            return false;
        };
        let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let number = version
            .split_whitespace()
            .nth(1)
            .and_then(|text| text.split('.').next());
        let recent = version.starts_with("OpenSSL")
            && number
                .and_then(|text| text.parse().ok())
                .is_some_and(|major: u32| major >= 3);
        if !recent {
            skip(&format!(
                "'{version}' is not OpenSSL 3 or later: no test against it"
            ));
        }
        recent
    })
}

fn openssl(dir: &Path, args: &str) -> Output {
    Command::new("openssl")
        .args(args.split_whitespace())
        .current_dir(dir)
        .output()
        .expect("openssl starts")
}

fn succeeds(dir: &Path, args: &str) -> Vec<u8> {
    let output = openssl(dir, args);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "openssl {args}: {errors}");
    output.stdout
}

fn directory() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

fn write(dir: &Path, name: &str, content: impl AsRef<[u8]>) {
    std::fs::write(dir.join(name), content).expect("writes");
}

fn read(dir: &Path, name: &str) -> Vec<u8> {
    std::fs::read(dir.join(name)).expect("reads")
}

fn text(dir: &Path, name: &str) -> String {
    String::from_utf8(read(dir, name)).expect("PEM is text")
}

#[test]
fn openssl_reads_our_signing_keys_and_signs_alike() {
    let mut rng = start("openssl signing keys");
    if !present() {
        return;
    }
    for length in [0, 1, 32, 5_000] {
        let home = directory();
        let dir = home.path();
        let key = SigningKey::from_bytes(&array(&mut rng));
        let message = bytes(&mut rng, length);
        write(
            dir,
            "key.pem",
            key.to_pkcs8_pem(LineEnding::LF)
                .expect("encodes")
                .as_bytes(),
        );
        write(dir, "message", &message);
        let public = succeeds(dir, "pkey -in key.pem -pubout");
        let ours = key
            .verifying_key()
            .to_public_key_pem(LineEnding::LF)
            .expect("encodes");
        assert_eq!(public, ours.into_bytes());
        // OpenSSL 3.0 cannot sign an empty file this way.
        if length > 0 {
            succeeds(
                dir,
                "pkeyutl -sign -rawin -inkey key.pem -in message -out signature",
            );
            assert_eq!(read(dir, "signature"), key.sign(&message).to_bytes());
        }
    }
}

#[test]
fn openssl_verifies_our_signatures() {
    let mut rng = start("openssl verifies");
    if !present() {
        return;
    }
    let home = directory();
    let dir = home.path();
    let key = SigningKey::from_bytes(&array(&mut rng));
    let public = key
        .verifying_key()
        .to_public_key_pem(LineEnding::LF)
        .expect("encodes");
    write(dir, "public.pem", public);
    let mut message = bytes(&mut rng, 777);
    write(dir, "message", &message);
    message[400] ^= 4;
    write(dir, "tampered", &message);
    message[400] ^= 4;
    write(dir, "signature", key.sign(&message).to_bytes());
    let verify = "pkeyutl -verify -rawin -pubin -inkey public.pem -sigfile signature -in";
    succeeds(dir, &format!("{verify} message"));
    assert!(!openssl(dir, &format!("{verify} tampered")).status.success());
}

#[test]
fn we_read_openssl_signing_keys_and_verify_its_signatures() {
    let mut rng = start("we verify openssl");
    if !present() {
        return;
    }
    for format in ["PEM", "DER"] {
        let home = directory();
        let dir = home.path();
        succeeds(
            dir,
            &format!("genpkey -algorithm ED25519 -outform {format} -out key"),
        );
        succeeds(
            dir,
            &format!("pkey -in key -inform {format} -pubout -outform {format} -out public"),
        );
        let (key, public) = if format == "PEM" {
            (
                SigningKey::from_pkcs8_pem(&text(dir, "key")),
                VerifyingKey::from_public_key_pem(&text(dir, "public")).expect("decodes"),
            )
        } else {
            (
                SigningKey::from_pkcs8_der(&read(dir, "key")),
                VerifyingKey::from_public_key_der(&read(dir, "public")).expect("decodes"),
            )
        };
        let key = key.expect("decodes");
        assert_eq!(key.verifying_key(), public);
        let message = bytes(&mut rng, 1_234);
        write(dir, "message", &message);
        succeeds(
            dir,
            &format!(
                "pkeyutl -sign -rawin -inkey key -keyform {format} -in message -out signature"
            ),
        );
        let signature: [u8; 64] = read(dir, "signature").try_into().expect("64 bytes");
        assert!(public.verify_strict(&message, &signature.into()).is_ok());
        assert!(
            public
                .verify_strict(&message[1..], &signature.into())
                .is_err()
        );
    }
}

#[test]
fn x25519_keys_travel_both_ways_and_agree() {
    let mut rng = start("openssl x25519");
    if !present() {
        return;
    }
    for _ in 0..5 {
        let home = directory();
        let dir = home.path();
        let ours = StaticSecret::from(array(&mut rng));
        let public = PublicKey::from(&ours);
        write(
            dir,
            "ours.pem",
            ours.to_pkcs8_pem(LineEnding::LF)
                .expect("encodes")
                .as_bytes(),
        );
        write(
            dir,
            "ours-public.pem",
            public.to_public_key_pem(LineEnding::LF).expect("encodes"),
        );
        assert_eq!(
            succeeds(dir, "pkey -in ours.pem -pubout"),
            read(dir, "ours-public.pem")
        );

        succeeds(dir, "genpkey -algorithm X25519 -out theirs.pem");
        succeeds(dir, "pkey -in theirs.pem -pubout -out theirs-public.pem");
        let theirs = StaticSecret::from_pkcs8_pem(&text(dir, "theirs.pem")).expect("decodes");
        let their_public =
            PublicKey::from_public_key_pem(&text(dir, "theirs-public.pem")).expect("decodes");
        assert_eq!(PublicKey::from(&theirs), their_public);

        let shared = ours.diffie_hellman(&their_public).to_bytes();
        let one = succeeds(
            dir,
            "pkeyutl -derive -inkey ours.pem -peerkey theirs-public.pem",
        );
        let other = succeeds(
            dir,
            "pkeyutl -derive -inkey theirs.pem -peerkey ours-public.pem",
        );
        assert_eq!(
            (one.as_slice(), other.as_slice()),
            (&shared[..], &shared[..])
        );
    }
}
