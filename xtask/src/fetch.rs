//! `cargo xtask vectors --fetch`: outside test data from where it is published, for clones that have none.
//!
//! Each file is pinned: the commit of the repository that publishes it, its length and its SHA-256. What is
//! fetched goes to `vectors/outside`, which git ignores and the tests read; a file appears there whole and
//! checked, or not at all. Sources that publish no such file (values in the text of a standard, generators,
//! selections that were made by hand) are not here.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use lanner_vectors::{golang, noble, ring, wycheproof};
use sha2::{Digest, Sha256};

/// A file and where it comes from.
struct Source {
    /// Its name below `vectors/outside`, by the constant of its reader.
    file: &'static str,
    /// Owner and name of the repository.
    repository: &'static str,
    commit: &'static str,
    path: &'static str,
    bytes: u64,
    sha256: &'static str,
    licence: &'static str,
}

const SOURCES: &[Source] = &[
    Source {
        file: golang::SIGN_INPUT,
        repository: "golang/go",
        commit: "250fccbface5ca3f8e88e054e63ddbdf6edf2ef5",
        path: "src/crypto/ed25519/testdata/sign.input.gz",
        bytes: 50330,
        sha256: "ae02ad0b05f2aa54bbc1a90cd87d1733932caa298a243e69d6623f27d1251d5c",
        licence: "BSD-3-Clause",
    },
    Source {
        file: noble::ZIP215,
        repository: "paulmillr/noble-curves",
        commit: "242ee620c5e0104300859740fe79b6afe5f590ea",
        path: "test/ed25519/zip215.json",
        bytes: 61543,
        sha256: "b2716ff6e90fed207942f9d000a6c83cc5c133096a63f3b12104da91b5f771cb",
        licence: "MIT",
    },
    Source {
        file: ring::VERIFY,
        repository: "briansmith/ring",
        commit: "9219dc3ac23e733a7fbc5e433846ed86b364b2c3",
        path: "tests/ed25519_verify_tests.txt",
        bytes: 1808,
        sha256: "5dbd394599c840176de328a90b0af7020a5865a1c25d5b7cff658a7201d3f436",
        licence: "ISC",
    },
    Source {
        file: wycheproof::ED25519,
        repository: "C2SP/wycheproof",
        commit: "00de17e37d98c65a8d44df716f9edd28dbfa7ec5",
        path: "testvectors_v1/ed25519_test.json",
        bytes: 126_699,
        sha256: "752d2ea7d7c6cf4736381b6cbacb61f8182b126ab7cd9b058f00c50084975536",
        licence: "Apache-2.0",
    },
];

/// Where the repositories serve single files of a commit.
const SERVER: &str = "https://raw.githubusercontent.com";

/// Fetches what is not there yet.
///
/// # Errors
///
/// A file could not be had or is not what it should be; the message says what was to be fetched.
pub(crate) fn run() -> Result<(), String> {
    fetch(SOURCES, SERVER, &lanner_vectors::fetched_dir())
}

fn fetch(sources: &[Source], server: &str, dir: &Path) -> Result<(), String> {
    let mut failures = String::new();
    for source in sources {
        let at = dir.join(source.file);
        if fs::read(&at).is_ok_and(|bytes| source.check(&bytes).is_ok()) {
            println!("{} is there", source.file);
            continue;
        }
        match source.fetch(server, &at) {
            Ok(()) => println!("{}: {} bytes", at.display(), source.bytes),
            Err(error) => {
                // Writing to a string does not fail.
                let _ = writeln!(failures, "  {}\n    {error}", source.describe(server));
            }
        }
    }
    if failures.is_empty() {
        Ok(())
    } else {
        Err(format!("these files were to be fetched:\n{failures}"))
    }
}

impl Source {
    fn url(&self, server: &str) -> String {
        format!("{server}/{}/{}/{}", self.repository, self.commit, self.path)
    }

    fn describe(&self, server: &str) -> String {
        format!(
            "{} ({} bytes, {}) from {}",
            self.file,
            self.bytes,
            self.licence,
            self.url(server)
        )
    }

    /// Whether these are the bytes that are pinned.
    fn check(&self, bytes: &[u8]) -> Result<(), String> {
        if bytes.len() as u64 != self.bytes {
            return Err(format!("{} bytes came", bytes.len()));
        }
        let sum = Sha256::digest(bytes);
        let sum = lanner_vectors::hex::encode(&sum);
        if sum == self.sha256 {
            Ok(())
        } else {
            Err(format!("its SHA-256 is {sum}, not {}", self.sha256))
        }
    }

    /// Fetches the file to a place beside, checks it there, and then gives it its name.
    fn fetch(&self, server: &str, at: &Path) -> Result<(), String> {
        let told = |error: std::io::Error| format!("{}: {error}", at.display());
        let dir = at.parent().ok_or("a file without a directory")?;
        fs::create_dir_all(dir).map_err(told)?;
        let part = at.with_extension("part");
        let outcome = download(&self.url(server), &part)
            .and_then(|()| fs::read(&part).map_err(told))
            .and_then(|bytes| self.check(&bytes))
            .and_then(|()| fs::rename(&part, at).map_err(told));
        if outcome.is_err() {
            // There may be none.
            let _ = fs::remove_file(&part);
        }
        outcome
    }
}

/// Downloads a file with curl, which knows the system's certificates and proxies.
fn download(url: &str, to: &Path) -> Result<(), String> {
    let output = Command::new("curl")
        .args(["--fail", "--location", "--silent", "--show-error"])
        .args(["--connect-timeout", "20", "--max-time", "300", "--output"])
        .arg(to)
        .arg(url)
        .output()
        .map_err(|error| format!("cannot start curl: {error}"))?;
    if output.status.success() {
        Ok(())
    } else {
        let said = String::from_utf8_lossy(&output.stderr);
        Err(said.lines().last().unwrap_or("curl failed").to_owned())
    }
}

#[cfg(test)]
mod tests;
