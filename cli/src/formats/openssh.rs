//! OpenSSH's files: the private key file (PROTOCOL.key in OpenSSH's sources) and the line of a public key.

use super::{Secret, Unlocked};
use crate::base64;
use crate::error::{Error, Kind};
use crate::keys::{PublicKey, malformed};
use crate::password::Password;
use crate::text::Shown;
use crate::wire::{Reader, put_string};
use aes::cipher::{BlockModeDecrypt, KeyIvInit, StreamCipher};
use std::path::Path;
use zeroize::Zeroizing;

pub(crate) const LABEL: &str = "OPENSSH PRIVATE KEY";
const MAGIC: &[u8] = b"openssh-key-v1\0";
const SSH_ED25519: &str = "ssh-ed25519";
/// What `ssh-keygen -a` has by default since OpenSSH 9.4.
const ROUNDS: u32 = 24;
/// A bound on the time that a file can make somebody wait: hours.
const MAX_ROUNDS: u32 = 1 << 20;
const SALT: usize = 16;
const BLOCK: usize = 16;

/// A private key file, whose secret part may be encrypted.
pub(crate) struct Container<'a> {
    cipher: &'a str,
    options: &'a [u8],
    public: &'a [u8],
    secret: &'a [u8],
}

impl<'a> Container<'a> {
    pub(crate) fn read(der: &'a [u8], path: &Path) -> Result<Self, Error> {
        let body = der
            .strip_prefix(MAGIC)
            .ok_or_else(|| malformed(path, "it is no OpenSSH private key of version 1"))?;
        let mut reader = Reader::new(body);
        let parts = (|| {
            let cipher = reader.text()?;
            let kdf = reader.text()?;
            let options = reader.string()?;
            let count = reader.number()?;
            let public = reader.string()?;
            let secret = reader.string()?;
            Some((cipher, kdf, options, count, public, secret))
        })();
        let Some((cipher, kdf, options, count, public, secret)) = parts else {
            return Err(malformed(path, "its OpenSSH structure is cut short"));
        };
        if count != 1 {
            return Err(malformed(path, "it does not hold exactly one key"));
        }
        let known = matches!(
            (cipher, kdf),
            ("none", "none")
                | (
                    "aes256-ctr" | "aes192-ctr" | "aes128-ctr" | "aes256-cbc",
                    "bcrypt"
                )
        );
        if !known {
            return Err(Error::new(
                Kind::BadKey,
                format!(
                    "{} is encrypted with {:?} and {:?}, which lanner does not read",
                    Shown(path),
                    cipher,
                    kdf
                ),
            )
            .with_path(path)
            .with_hint(format!(
                "encrypt it anew with: ssh-keygen -p -Z aes256-ctr -f {}",
                crate::text::shell_word(path)
            )));
        }
        if !reader.is_empty() {
            return Err(malformed(path, "there is something after the key"));
        }
        Ok(Container {
            cipher,
            options,
            public,
            secret,
        })
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        self.cipher != "none"
    }

    /// The public key, which stands in the clear.
    pub(crate) fn public(&self, path: &Path) -> Result<PublicKey, Error> {
        PublicKey::from_ssh_blob(self.public, path)
    }

    /// The secret key and its comment.
    pub(crate) fn unlock(
        &self,
        password: Option<&Password>,
        path: &Path,
    ) -> Result<Unlocked, Error> {
        let mut plain = Zeroizing::new(self.secret.to_vec());
        if let Some(password) = password {
            self.decrypt(&mut plain, password, path)?;
        }
        // Refused before anything is decrypted if it is a key of another algorithm.
        let public = self.public(path)?;
        let mut reader = Reader::new(&plain);
        let checks = (reader.number(), reader.number());
        if checks.0.is_none() || checks.0 != checks.1 {
            return Err(if self.is_encrypted() {
                wrong_password(path)
            } else {
                malformed(path, "its check numbers differ")
            });
        }
        let parts = (|| {
            let kind = reader.text()?;
            let public = reader.string()?;
            let secret = reader.string()?;
            let comment = reader.string()?;
            Some((kind, public, secret, comment))
        })();
        let Some((kind, inner_public, secret, comment)) = parts else {
            return Err(malformed(path, "its secret part is cut short"));
        };
        let padding = reader.rest();
        let is_padding = (1..).zip(padding).all(|(i, &byte)| byte == i) && padding.len() < 256;
        let bytes = public.to_bytes();
        if kind != SSH_ED25519 || secret.len() != 64 || inner_public != bytes || !is_padding {
            return Err(malformed(path, "its secret part is broken"));
        }
        let secret = Secret::ed25519_with_public(secret, path)?;
        if secret.public().to_bytes() != bytes {
            return Err(malformed(
                path,
                "its secret key does not belong to its public key",
            ));
        }
        let comment = String::from_utf8_lossy(comment).into_owned();
        Ok(Unlocked {
            key: secret,
            comment: (!comment.is_empty()).then_some(comment),
            key_id: None,
        })
    }

    fn decrypt(&self, bytes: &mut [u8], password: &Password, path: &Path) -> Result<(), Error> {
        let mut options = Reader::new(self.options);
        let (Some(salt), Some(rounds)) = (options.string(), options.number()) else {
            return Err(malformed(path, "its encryption has no parameters"));
        };
        if rounds == 0 || rounds > MAX_ROUNDS || salt.is_empty() || !options.is_empty() {
            return Err(malformed(
                path,
                "the parameters of its encryption are out of bounds",
            ));
        }
        if !bytes.len().is_multiple_of(BLOCK) {
            return Err(malformed(
                path,
                "its secret part is no whole number of blocks",
            ));
        }
        if password.is_empty() {
            return Err(wrong_password(path));
        }
        let key_size = match self.cipher {
            "aes128-ctr" => 16,
            "aes192-ctr" => 24,
            _ => 32,
        };
        let mut derived = Zeroizing::new([0; 48]);
        let derived = &mut derived[..key_size + BLOCK];
        bcrypt_pbkdf::bcrypt_pbkdf(password.as_slice(), salt, rounds, derived)
            .map_err(|e| malformed(path, &format!("its encryption is broken ({e})")))?;
        let (key, iv) = derived.split_at(key_size);
        let lengths = "the lengths are the cipher's";
        match self.cipher {
            "aes256-ctr" => ctr::Ctr128BE::<aes::Aes256>::new_from_slices(key, iv)
                .expect(lengths)
                .apply_keystream(bytes),
            "aes192-ctr" => ctr::Ctr128BE::<aes::Aes192>::new_from_slices(key, iv)
                .expect(lengths)
                .apply_keystream(bytes),
            "aes128-ctr" => ctr::Ctr128BE::<aes::Aes128>::new_from_slices(key, iv)
                .expect(lengths)
                .apply_keystream(bytes),
            _ => {
                let mut cipher =
                    cbc::Decryptor::<aes::Aes256>::new_from_slices(key, iv).expect(lengths);
                for block in bytes.chunks_exact_mut(BLOCK) {
                    let block: &mut [u8; BLOCK] = block.try_into().expect("it is a block");
                    cipher.decrypt_block(block.into());
                }
            }
        }
        Ok(())
    }
}

fn wrong_password(path: &Path) -> Error {
    super::wrong_password(path)
}

/// Writes a private key file: text, as OpenSSH lays it out.
pub(crate) fn write(
    seed: &[u8; 32],
    public: &PublicKey,
    comment: &str,
    password: Option<&Password>,
) -> Result<Zeroizing<String>, Error> {
    let blob = public.ssh_blob();
    let bytes = public.to_bytes();
    // Room for all of it: growing would leave copies behind.
    let mut secret = Zeroizing::new(Vec::with_capacity(256 + comment.len()));
    let mut check = [0; 4];
    super::fill_random(&mut check)?;
    secret.extend_from_slice(&check);
    secret.extend_from_slice(&check);
    put_string(&mut secret, SSH_ED25519.as_bytes());
    put_string(&mut secret, &bytes);
    let mut pair = Zeroizing::new([0; 64]);
    pair[..32].copy_from_slice(seed);
    pair[32..].copy_from_slice(&bytes);
    put_string(&mut secret, &*pair);
    put_string(&mut secret, comment.as_bytes());
    let block = if password.is_some() { BLOCK } else { 8 };
    for i in 1u8.. {
        if secret.len().is_multiple_of(block) {
            break;
        }
        secret.push(i);
    }

    let mut file = Zeroizing::new(Vec::with_capacity(512 + secret.len() + blob.len()));
    file.extend_from_slice(MAGIC);
    match password {
        None => {
            put_string(&mut file, b"none");
            put_string(&mut file, b"none");
            put_string(&mut file, b"");
        }
        Some(password) => {
            let mut salt = [0; SALT];
            super::fill_random(&mut salt)?;
            let mut derived = Zeroizing::new([0; 32 + BLOCK]);
            bcrypt_pbkdf::bcrypt_pbkdf(password.as_slice(), &salt, ROUNDS, &mut *derived)
                .map_err(|e| Error::new(Kind::Io, format!("cannot encrypt the key: {e}")))?;
            let (key, iv) = derived.split_at(32);
            ctr::Ctr128BE::<aes::Aes256>::new_from_slices(key, iv)
                .expect("the lengths are the cipher's")
                .apply_keystream(&mut secret);
            put_string(&mut file, b"aes256-ctr");
            put_string(&mut file, b"bcrypt");
            let mut options = Vec::new();
            put_string(&mut options, &salt);
            options.extend_from_slice(&ROUNDS.to_be_bytes());
            put_string(&mut file, &options);
        }
    }
    file.extend_from_slice(&1u32.to_be_bytes());
    put_string(&mut file, &blob);
    put_string(&mut file, &secret);
    Ok(armoured(LABEL, &file))
}

/// Bytes between the lines that OpenSSH puts around them.
pub(crate) fn armoured(label: &str, bytes: &[u8]) -> Zeroizing<String> {
    let body = base64::encode_lines(bytes, 70);
    let mut text = Zeroizing::new(String::with_capacity(body.len() + 2 * label.len() + 40));
    text.push_str("-----BEGIN ");
    text.push_str(label);
    text.push_str("-----\n");
    text.push_str(&body);
    text.push_str("-----END ");
    text.push_str(label);
    text.push_str("-----\n");
    text
}

/// The line of a public key: type, Base64, comment.
pub(crate) fn public_line(public: &PublicKey, comment: Option<&str>) -> String {
    let blob = public.ssh_blob();
    let mut line = format!("{} {}", public.ssh_name(), *base64::encode(&blob));
    if let Some(comment) = comment {
        line.push(' ');
        line.push_str(comment);
    }
    line.push('\n');
    line
}

/// True if a file begins as the line of a public key of OpenSSH does.
pub(crate) fn is_public_line(text: &[u8]) -> bool {
    let word = text.split(|byte| byte.is_ascii_whitespace()).next();
    word.is_some_and(|word| {
        [&b"ssh-"[..], b"sk-ssh-", b"ecdsa-", b"sk-ecdsa-"]
            .iter()
            .any(|prefix| word.starts_with(prefix))
            || crate::keys::is_private_ssh_name(word)
    })
}

/// Reads the one line of a public key file, and its comment.
pub(crate) fn read_public_line(
    text: &[u8],
    path: &Path,
) -> Result<(PublicKey, Option<String>), Error> {
    let text = std::str::from_utf8(text).map_err(|_| malformed(path, "its line is not UTF-8"))?;
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let line = lines.next().unwrap_or_default().trim();
    if lines.next().is_some() {
        return Err(Error::new(
            Kind::BadKey,
            format!("{} holds more than one line", Shown(path)),
        )
        .with_path(path)
        .with_hint("give each key a file of its own"));
    }
    let mut words = line.splitn(3, [' ', '\t']);
    let (name, body) = (
        words.next().unwrap_or_default(),
        words.next().unwrap_or_default(),
    );
    let comment = words.next().map(str::trim).filter(|text| !text.is_empty());
    let blob = base64::decode(body.as_bytes())
        .ok_or_else(|| malformed(path, "the Base64 of its line is broken"))?;
    if Reader::new(&blob).string() != Some(name.as_bytes()) {
        return Err(malformed(
            path,
            "the type at the start of its line is not the one within",
        ));
    }
    let key = PublicKey::from_ssh_blob(&blob, path)?;
    Ok((key, comment.map(str::to_owned)))
}
