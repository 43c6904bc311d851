//! Runs the built command in a directory of its own.

use serde_json::Value;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// RFC 8032, section 7.1, TEST 1: the empty message.
pub(crate) const RFC8032_SECRET: &str =
    "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
pub(crate) const RFC8032_PUBLIC: &str =
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
pub(crate) const RFC8032_SIGNATURE: &str = "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065\
     224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b";
/// What `ssh-keygen -l` prints of that public key.
pub(crate) const RFC8032_FINGERPRINT: &str = "SHA256:bbXpuKG6zhzdmnxq256TlqzFBzRl2f6OOg722cYNbU8";
/// RFC 7748, section 6.1.
pub(crate) const RFC7748_ALICE_SECRET: &str =
    "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a";
pub(crate) const RFC7748_BOB_PUBLIC: &str =
    "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f";
pub(crate) const RFC7748_SHARED: &str =
    "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742";

/// The DER before the 32 bytes of a key (RFC 8410): OpenSSL writes the same.
pub(crate) const ED25519_SECRET_DER: &str = "302e020100300506032b657004220420";
pub(crate) const ED25519_PUBLIC_DER: &str = "302a300506032b6570032100";
pub(crate) const X25519_SECRET_DER: &str = "302e020100300506032b656e04220420";
pub(crate) const X25519_PUBLIC_DER: &str = "302a300506032b656e032100";

pub(crate) fn unhex(hex: &str) -> Vec<u8> {
    assert!(hex.len().is_multiple_of(2), "odd number of digits");
    (0..hex.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&hex[i..i + 2], 16).expect("hexadecimal"))
        .collect()
}

/// PEM, written independently of the code under test.
pub(crate) fn pem(label: &str, der: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for piece in der.chunks(3) {
        let mut bytes = [0; 3];
        bytes[..piece.len()].copy_from_slice(piece);
        let word = u32::from_be_bytes([0, bytes[0], bytes[1], bytes[2]]);
        for i in 0..4 {
            let digit = ALPHABET[(word >> (18 - 6 * i)) as usize & 63];
            text.push(if i <= piece.len() { digit as char } else { '=' });
        }
    }
    let lines: Vec<&str> = (0..text.len())
        .step_by(64)
        .map(|i| &text[i..text.len().min(i + 64)])
        .collect();
    format!(
        "-----BEGIN {label}-----\n{}\n-----END {label}-----\n",
        lines.join("\n")
    )
}

pub(crate) fn secret_pem(prefix: &str, key: &str) -> String {
    pem("PRIVATE KEY", &unhex(&format!("{prefix}{key}")))
}

pub(crate) fn public_pem(prefix: &str, key: &str) -> String {
    pem("PUBLIC KEY", &unhex(&format!("{prefix}{key}")))
}

/// How a run of the command ended.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn of(command: &mut Command) -> Run {
        let output = command.output().expect("the command starts");
        Run::from(output)
    }

    pub(crate) fn from(output: std::process::Output) -> Run {
        let stderr = String::from_utf8(output.stderr).expect("standard error is text");
        assert!(!stderr.contains("panicked"), "a panic: {stderr}");
        Run {
            code: output.status.code(),
            stdout: output.stdout,
            stderr,
        }
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).expect("standard output is text")
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.text().lines().count(), 1, "one line: {self:?}");
        serde_json::from_slice(&self.stdout).expect("standard output is JSON")
    }

    /// The exit code is `code`.
    #[track_caller]
    pub(crate) fn ended(self, code: i32) -> Run {
        assert_eq!(self.code, Some(code), "{self:?}");
        self
    }

    /// Nothing that stands in files or in their names steers the terminal, or begins a line of standard error that looks like a
    /// verdict.
    #[track_caller]
    pub(crate) fn says_nothing_by_itself(&self) {
        let is_control = |c: char| c.is_control() && c != '\n';
        assert!(!self.stderr.contains(is_control), "{self:?}");
        let mut lines = self.stderr.lines();
        assert!(!lines.any(|line| line.starts_with("VALID")), "{self:?}");
    }

    /// The exit code is `code`, there is no result, and the error says all of `words`.
    #[track_caller]
    pub(crate) fn failed(self, code: i32, words: &[&str]) -> Run {
        let run = self.ended(code);
        assert_eq!(run.text(), "", "an error has no result");
        for word in words {
            assert!(run.stderr.contains(word), "{word:?} is not in {run:?}");
        }
        run
    }
}

/// A fresh directory with the command at hand.
pub(crate) struct Place {
    directory: TempDir,
}

impl Place {
    pub(crate) fn new() -> Place {
        Place {
            directory: tempfile::Builder::new()
                .prefix("lanner-test-")
                .tempdir()
                .expect("a temporary directory"),
        }
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(crate) fn root(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn program() -> &'static str {
        env!("CARGO_BIN_EXE_lanner")
    }

    /// The command, with this place as its working directory.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(Place::program());
        command.current_dir(self.root()).stdin(Stdio::null());
        command
    }

    pub(crate) fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Run {
        Run::of(self.command().args(args))
    }

    pub(crate) fn run_with_stdin(&self, args: &[&str], stdin: &[u8]) -> Run {
        let mut child = self
            .command()
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let mut pipe = child.stdin.take().expect("a pipe");
        let bytes = stdin.to_vec();
        // The command may end before it has read everything.
        let writer = std::thread::spawn(move || drop(pipe.write_all(&bytes)));
        let output = child.wait_with_output().expect("the command ends");
        writer.join().expect("the writer ends");
        Run::from(output)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).expect("a file is written");
    }

    /// A file that only its owner may read, as secret keys are.
    pub(crate) fn write_private(&self, name: &str, content: impl AsRef<[u8]>) {
        self.write(name, content);
        #[cfg(unix)]
        set_mode(&self.path(name), 0o600);
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).expect("the file is there")
    }

    pub(crate) fn exists(&self, name: &str) -> bool {
        self.path(name).symlink_metadata().is_ok()
    }

    /// The names of all files here, hidden ones included.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.root())
            .expect("the directory is there")
            .map(|entry| {
                let name = entry.expect("an entry").file_name();
                name.into_string().expect("a name in UTF-8")
            })
            .collect();
        names.sort();
        names
    }

    /// The RFC 8032 key as `k.pem` and `k.pub.pem`, and an X25519 pair as `x.pem`, `x.pub.pem`
    /// (the two halves of which are different people's).
    pub(crate) fn with_keys(self) -> Place {
        self.write_private("k.pem", secret_pem(ED25519_SECRET_DER, RFC8032_SECRET));
        self.write("k.pub.pem", public_pem(ED25519_PUBLIC_DER, RFC8032_PUBLIC));
        self.write_private("x.pem", secret_pem(X25519_SECRET_DER, RFC7748_ALICE_SECRET));
        self.write(
            "x.pub.pem",
            public_pem(X25519_PUBLIC_DER, RFC7748_BOB_PUBLIC),
        );
        self
    }
}

/// A message of two pieces of those that files are read in, and a part of a third.
pub(crate) fn long_message() -> Vec<u8> {
    (0..300_000u32).map(|i| (i % 253) as u8).collect()
}

/// Verifies the message `m`.
pub(crate) fn verify(place: &Place) -> Run {
    place.run(&["verify", "-k", "k.pub.pem", "m"])
}

/// The verdict on `m` is that its signature, of an algorithm that is named so, is not valid.
#[track_caller]
pub(crate) fn not_valid(run: Run, algorithm: &str, what: &str) {
    assert_eq!(run.code, Some(1), "{what}: {run:?}");
    assert!(run.text().starts_with("NOT VALID: m\n"), "{what}: {run:?}");
    assert!(run.text().contains(algorithm), "{what}: {run:?}");
}

/// Where [`long_message`] is signed as `m`, no other message is valid.
#[track_caller]
pub(crate) fn tamper_with_message(place: &Place, algorithm: &str) {
    let good = place.read("m");
    // The ends of the file and of the pieces it is read in.
    for at in [0, 1, 131_071, 131_072, 131_073, 262_143, 262_144, 299_999] {
        let mut bad = good.clone();
        bad[at] ^= 0x80;
        place.write("m", &bad);
        not_valid(verify(place), algorithm, &format!("byte {at}"));
    }
    for (what, bad) in [
        ("one byte less", good[..good.len() - 1].to_vec()),
        ("one byte more", [&good[..], &[0]].concat()),
        ("empty", Vec::new()),
    ] {
        place.write("m", bad);
        not_valid(verify(place), algorithm, what);
    }
    place.write("m", &good);
    verify(place).ended(0);
}

#[cfg(unix)]
pub(crate) fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("a mode is set");
}

#[cfg(unix)]
pub(crate) fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .expect("the file is there")
        .permissions()
        .mode()
        & 0o7777
}

/// Says on standard error, past the capture of the test harness, that a check did not run.
pub(crate) fn skip(what: &str) {
    let _ = writeln!(std::io::stderr(), "\n*** NOT CHECKED: {what} ***");
}
