//! Every decoder of this command, on what is nearly right: bytes changed, cut out, doubled and put in, at places and with
//! values that a generator with a fixed seed draws (`LANNER_TEST_SEED` is another one). Nothing may panic, and what is
//! understood must be understood the same way twice.
//!
//! A search that is led by coverage has them in `fuzz/`, by the module `decoders`.

use crate::algorithm::Algorithm;
use crate::args::SecretArgs;
use crate::decoders::{is_list_of_hashes, is_policy};
use crate::formats::recognise;
use crate::formats::write::{Encoding, public, secret};
use crate::keyfile::{is_encrypted, is_secret, public_of, read_secret};
use crate::keys::SecretKey;
use crate::policy::pattern::Pattern;
use crate::signatures::{read, sshsig};
use crate::signers::Signers;
use std::path::Path;

const LINE: &str =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINdamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea a@x";

/// splitmix64.
struct Generator(u64);

impl Generator {
    fn new() -> Self {
        let seed = std::env::var("LANNER_TEST_SEED").ok();
        Generator(seed.and_then(|seed| seed.parse().ok()).unwrap_or(18))
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound.max(1) as u64) as usize
    }

    fn changed(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for _ in 0..=self.below(3) {
            let at = self.below(bytes.len());
            let end = (at + self.below(24)).min(bytes.len());
            match self.below(6) {
                0 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
                1 if at < bytes.len() => bytes[at] = b"\0\n\r =\"\\/.:,*#[\xff9A+"[self.below(18)],
                2 => drop(bytes.drain(at..end)),
                3 => {
                    let piece = bytes[at..end].to_vec();
                    let to = self.below(bytes.len());
                    bytes.splice(to..to, piece);
                }
                4 => bytes.truncate(at),
                _ => bytes.insert(at, self.below(256) as u8),
            }
        }
        bytes
    }
}

/// Feeds `decode` with changed forms of `good`. It says whether it took what it got: some must be taken, some refused.
fn search(good: &[u8], mut decode: impl FnMut(&[u8]) -> bool) {
    assert!(decode(good), "the sample itself");
    let mut generator = Generator::new();
    let taken = (0..3000)
        .filter(|_| decode(&generator.changed(good)))
        .count();
    assert!(taken < 3000, "everything is taken");
}

fn key() -> crate::keys::PublicKey {
    crate::keyfile::inline_public(LINE, "-P").unwrap().key
}

#[test]
fn public_keys() {
    let path = Path::new("key");
    for form in [
        Encoding::Pem,
        Encoding::Der,
        Encoding::Openssh,
        Encoding::Minisign,
        Encoding::Signify,
        Encoding::Jwk,
        Encoding::Hex,
        Encoding::Base64,
    ] {
        let good = public(&key(), form, &Default::default()).unwrap();
        search(&good, |bytes| {
            let Ok(recognised) = recognise(bytes, path) else {
                return false;
            };
            let _ = is_encrypted(&recognised, path);
            let is_secret = is_secret(&recognised, path);
            !is_secret.is_ok_and(|it| it)
                && public_of(&recognised, path, Algorithm::Ed25519).is_ok()
        });
    }
}

/// Secret keys without a password, as far as they are read before one would be asked for.
#[test]
fn secret_keys() {
    let path = Path::new("key");
    let key = SecretKey::generate(Algorithm::Ed25519).unwrap();
    for form in [
        Encoding::Pem,
        Encoding::Der,
        Encoding::Openssh,
        Encoding::Minisign,
        Encoding::Signify,
        Encoding::Jwk,
    ] {
        let good = secret(&key, form, &Default::default(), None).unwrap();
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("key");
        let args = SecretArgs::for_own_keys();
        search(&good, |bytes| {
            let Ok(recognised) = recognise(bytes, path) else {
                return false;
            };
            let is_open = matches!(is_secret(&recognised, path), Ok(true))
                && matches!(is_encrypted(&recognised, path), Ok(false));
            is_open && {
                std::fs::write(&file, bytes).unwrap();
                read_secret(&file, &args, &mut Vec::new()).is_ok()
            }
        });
    }
}

#[test]
fn signatures() {
    let path = Path::new("signature");
    let crate::keys::PublicKey::Verifying(key) = key() else {
        unreachable!()
    };
    let hash = sshsig::Hash::Sha512;
    let ssh = sshsig::compose(&key, "file", hash, &[7; 64], |_| Ok(vec![9; 64])).unwrap();
    search(&ssh, |bytes| {
        read::of_known_form(bytes, path).is_ok_and(|it| it.is_some())
    });
    let minisign = crate::signatures::minisign::compose_minisign(
        &[1; 64],
        true,
        crate::formats::KeyId([2; 8]),
        "c",
        "t",
        |_| Ok(vec![3; 64]),
    );
    search(&minisign.unwrap(), |bytes| {
        read::of_known_form(bytes, path).is_ok_and(|it| it.is_some())
    });
}

#[test]
fn lists_of_hashes() {
    let hash = "0123456789abcdef".repeat(4);
    let good =
        format!("{hash}  a\n{hash} *d/b\n\\{hash}  x\\\\y\\nz\nSHA256 (c (d) = e) = {hash}\n");
    search(good.as_bytes(), is_list_of_hashes);
}

#[test]
fn policies_and_patterns() {
    let good = format!(
        "version = 1\nnot-after = 2030-01-01T00:00:00Z\n[[signer]]\nname = \"a\"\nkeys = [\"{LINE}\"]\n\
         [[rule]]\nfiles = [\"a/**\", \"*.b\"]\nsigners = [\"a\"]\nthreshold = 1\nalgorithms = [\"ed25519\"]\n"
    );
    search(good.as_bytes(), is_policy);
    search(b"a/**/b*c?/d", |bytes| {
        std::str::from_utf8(bytes).is_ok_and(|text| {
            Pattern::new(text).is_ok_and(|it| it.matches(b"a/x/y/bcc1/d") != it.text().is_empty())
        })
    });
}

#[test]
fn lists_of_signers() {
    let good =
        format!("a@x,*@y,!b@y namespaces=\"file,git\",valid-after=\"20200101Z\" {LINE}\n# c\n");
    search(good.as_bytes(), |bytes| {
        Signers::parse(bytes, Path::new("signers")).is_ok()
    });
}
