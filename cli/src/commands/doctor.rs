//! `lanner doctor`: whether the command works here.

use crate::algorithm::Algorithm;
use crate::error::{Error, Kind};
use crate::keys::{PublicKey, SecretKey};
use crate::output::{Access, Output};
use crate::report::Report;
use crate::schemes::ed25519::{self, Signer};
use crate::signatures::{sign, verify};
use crate::text::{Plain, Shown, hex};
use crate::time::Moment;
use clap::ValueEnum;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

/// RFC 8032, section 7.1, TEST 2.
const SEED: [u8; 32] = [
    0x4c, 0xcd, 0x08, 0x9b, 0x28, 0xff, 0x96, 0xda, 0x9d, 0xb6, 0xc3, 0x46, 0xec, 0x11, 0x4e, 0x0f,
    0x5b, 0x8a, 0x31, 0x9f, 0x35, 0xab, 0xa6, 0x24, 0xda, 0x8c, 0xf6, 0xed, 0x4f, 0xb8, 0xa6, 0xfb,
];
const SIGNATURE: &str = "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da\
                         085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00";

pub(crate) fn run() -> Result<Report, Error> {
    let mut checks = Vec::new();
    checks.push(known_answer());
    for &algorithm in Algorithm::value_variants() {
        checks.push(round_trip(algorithm));
    }
    checks.push(random_numbers());
    checks.push(clock());
    checks.push(files(&std::env::temp_dir(), "temporary files"));
    checks.push(files(Path::new("."), "files in this directory"));
    checks.push(agent());
    Ok(report(&checks))
}

/// What came of one check.
struct Check {
    name: String,
    verdict: Verdict,
    detail: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Good,
    /// Nothing is broken, but something is missing that some commands want.
    Note,
    Bad,
}

impl Check {
    fn new(name: impl Into<String>, result: Result<String, String>) -> Self {
        let (verdict, detail) = match result {
            Ok(detail) => (Verdict::Good, detail),
            Err(detail) => (Verdict::Bad, detail),
        };
        Check {
            name: name.into(),
            verdict,
            detail,
        }
    }

    /// A failure that is none.
    fn or_note(self) -> Self {
        match self.verdict {
            Verdict::Bad => Check {
                verdict: Verdict::Note,
                ..self
            },
            _ => self,
        }
    }
}

fn known_answer() -> Check {
    let signature = ed25519::SigningKey::from_bytes(&SEED).sign(b"r");
    let is_right = hex(&signature.to_bytes()).as_str() == SIGNATURE;
    let result = if is_right {
        Ok("the signature of RFC 8032, TEST 2".to_owned())
    } else {
        Err("the signature of RFC 8032, TEST 2, comes out wrong".to_owned())
    };
    Check::new("known answer", result)
}

fn round_trip(algorithm: Algorithm) -> Check {
    let result = || -> Result<String, Error> {
        let wrong = |what: &str| Error::new(Kind::CheckFailed, what);
        let key = SecretKey::generate(algorithm)?;
        match (&key, key.public()) {
            (SecretKey::Signing(key), PublicKey::Verifying(public)) => {
                let signature = sign::short(key, b"message")?;
                if !verify::is_valid(&public, &signature, b"message") {
                    return Err(wrong("its own signature is not valid"));
                }
                if verify::is_valid(&public, &signature, b"massage") {
                    return Err(wrong("a signature is valid for another message"));
                }
                Ok("signs and verifies".to_owned())
            }
            (SecretKey::X25519(key), PublicKey::X25519(public)) => {
                let other = SecretKey::generate(algorithm)?;
                let (SecretKey::X25519(other), PublicKey::X25519(theirs)) =
                    (&other, other.public())
                else {
                    return Err(wrong("the key is of another kind"));
                };
                let ours = key.diffie_hellman(&theirs);
                if ours.as_bytes() != other.diffie_hellman(&public).as_bytes() {
                    return Err(wrong("the two sides do not agree"));
                }
                Ok("both sides agree".to_owned())
            }
            _ => Err(wrong("the two halves of a key are of two kinds")),
        }
    };
    Check::new(algorithm.name(), result().map_err(|e| e.message))
}

fn random_numbers() -> Check {
    let mut numbers = [[0u8; 32]; 2];
    let result = numbers
        .iter_mut()
        .try_for_each(|bytes| getrandom::fill(bytes).map_err(|e| e.to_string()))
        .and_then(|()| {
            if numbers[0] == numbers[1] {
                Err("the system gives the same random numbers twice".to_owned())
            } else {
                Ok("the system's generator answers".to_owned())
            }
        });
    Check::new("random numbers", result)
}

/// Signatures of keys with a validity are judged by it.
fn clock() -> Check {
    let written = Moment::parse("20251101Z").expect("it is a time");
    let result = if Moment::now() > written {
        Ok("later than this program".to_owned())
    } else {
        Err(
            "earlier than this program was written: times of validity are judged wrongly"
                .to_owned(),
        )
    };
    Check::new("clock", result).or_note()
}

/// Makes no file: it asks whether one could be made.
fn files(directory: &Path, name: &str) -> Check {
    let path = directory.join("lanner-doctor");
    let result = match Output::new(&path, Access::Owner, true, &[]) {
        Ok(_) => Ok(format!("can be written ({})", Shown(directory))),
        Err(error) => Err(error.message),
    };
    Check::new(name, result).or_note()
}

fn agent() -> Check {
    let result = crate::agent::keys().map(|n| match n {
        1 => "answers, with 1 key".to_owned(),
        n => format!("answers, with {n} keys"),
    });
    Check::new("SSH agent", result.map_err(|e| e.message)).or_note()
}

fn report(checks: &[Check]) -> Report {
    let backends: Vec<&str> = lanner::backend::list().map(|it| it.name()).collect();
    let active = lanner::backend::active().name();
    let version = env!("CARGO_PKG_VERSION");
    let system = format!("{} on {}", std::env::consts::ARCH, std::env::consts::OS);
    let build = if cfg!(debug_assertions) {
        "with checks (debug)"
    } else {
        "release"
    };
    let mut text = format!(
        "lanner {version}, {system}, {build}\n  backend          {active}  (of {})\n",
        backends.join(", ")
    );
    for check in checks {
        let verdict = match check.verdict {
            Verdict::Good => "ok  ",
            Verdict::Note => "note",
            Verdict::Bad => "BAD ",
        };
        let _ = writeln!(
            text,
            "  {verdict} {:<24} {}",
            check.name,
            Plain(&check.detail)
        );
    }
    let bad = checks
        .iter()
        .filter(|it| it.verdict == Verdict::Bad)
        .count();
    text.push_str(match bad {
        0 => "Everything that must work does.\n",
        _ => "Do not use this program here for keys or signatures.\n",
    });
    text.push_str(
        "An error is best reported with the lines above, the command line, and what was printed; a weakness\n\
         in private, as SECURITY.md of the project says. Never send a secret key.\n",
    );
    let checks: Vec<Value> = checks
        .iter()
        .map(|check| {
            json!({
                "name": check.name,
                "result": match check.verdict {
                    Verdict::Good => "ok",
                    Verdict::Note => "note",
                    Verdict::Bad => "bad",
                },
                "detail": check.detail,
            })
        })
        .collect();
    let mut report = Report::new(
        text,
        json!({
            "version": version,
            "system": system,
            "build": build,
            "backend": active,
            "backends": backends,
            "checks": checks,
        }),
    )
    .into_result();
    if bad > 0 {
        report.refusal = Some(Error::new(
            Kind::CheckFailed,
            "something that must work does not",
        ));
    }
    report
}
