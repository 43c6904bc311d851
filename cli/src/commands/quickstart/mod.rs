//! `lanner quickstart`: everything once, on a real file.

mod home;
mod report;

use super::exchange::agree;
use crate::algorithm::{Algorithm, SignatureAlgorithm};
use crate::args::{Quickstart, SecretArgs};
use crate::error::{Error, Kind};
use crate::input::{Message, is_dash};
use crate::keyfile;
use crate::keys::{SecretKey, SigningKey, VerifyingKey};
use crate::output::Access;
use crate::progress::Progress;
use crate::report::Report;
use crate::signatures::sshsig::{self, FILE_NAMESPACE, Hash, SshSignature};
use crate::signatures::{self, Signature, sign};
use crate::text::Shown;
use home::Home;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use subtle::ConstantTimeEq;

/// Of larger files no tampered copy is written: the bit is flipped on the way into the verifier.
const LARGEST_COPY: u64 = 64 * 1024 * 1024;

pub(crate) fn run(args: &Quickstart) -> Result<Report, Error> {
    if is_dash(&args.file) {
        return Err(
            Error::new(Kind::Usage, "quickstart needs a file, not standard input")
                .with_hint("any file will do, for instance: lanner quickstart README.md"),
        );
    }
    if args.dir.as_deref().is_some_and(is_dash) {
        return Err(Error::new(
            Kind::Usage,
            "quickstart needs a directory, not standard output",
        )
        .with_hint("name one; one that is called - is ./-"));
    }
    // Before the directory is made: a wrong name should leave nothing behind.
    let mut message = Message::rewindable(&args.file)?;
    let name = args
        .file
        .file_name()
        .unwrap_or(args.file.as_os_str())
        .to_owned();
    let mut home = Home::new(args.dir.as_deref())?;
    let mut steps = Vec::new();

    let (signer, took) = timed(|| SecretKey::generate(Algorithm::Ed25519))?;
    let signer_files = home.write_pair(&signer, "signer.pem")?;
    steps.push(Step::new(
        "make_signing_key",
        "make an Ed25519 key pair",
        took,
        "made",
    ));

    let signing_key =
        read_secret(&signer_files.secret)?.into_signing(None, &signer_files.secret)?;
    let (signature, took) = timed(|| sign_ssh(&signing_key, &mut message))?;
    let signature_file = home.write(suffixed(&name, ".sig"), Access::Default, &signature)?;
    steps.push(Step::new(
        "sign",
        format!("sign {}", Shown(&args.file)),
        took,
        "signed",
    ));

    // From here on, everything comes from the files, as it would on another machine.
    let public = read_verifying(&signer_files.public)?;
    let signature = read_signature(&signature_file)?;
    let (valid, took) = timed(|| verify_again(&public, &signature, &mut message))?;
    steps.push(Step::verdict(
        "verify",
        "verify the signature",
        took,
        valid,
        true,
    ));

    let (tampered_file, valid, took) =
        tampered(&mut home, &name, &mut message, &public, &signature)?;
    let label = "refuse a tampered copy (one bit differs)";
    steps.push(Step::verdict(
        "refuse_tampered_copy",
        label,
        took,
        valid,
        false,
    ));

    let (stranger, took_key) = timed(|| SecretKey::generate(Algorithm::Ed25519))?;
    let stranger_public = home.write_public(&stranger, "stranger.pub.pem")?;
    drop(stranger);
    let wrong = read_verifying(&stranger_public)?;
    let (valid, took) = timed(|| verify_again(&wrong, &signature, &mut message))?;
    let label = "refuse the wrong key (a stranger's)";
    steps.push(Step::verdict(
        "refuse_wrong_key",
        label,
        took_key + took,
        valid,
        false,
    ));

    let mut post_quantum = Vec::new();
    for algorithm in [SignatureAlgorithm::FnDsa512, SignatureAlgorithm::FnDsa1024] {
        post_quantum.push(fn_dsa_tour(
            &mut home,
            &mut steps,
            algorithm,
            &name,
            &mut message,
            tampered_file.as_deref(),
        )?);
    }

    let (pair, took) = timed(|| {
        let alice = SecretKey::generate(Algorithm::X25519)?;
        let bob = SecretKey::generate(Algorithm::X25519)?;
        // The public halves are part of making a key pair.
        std::hint::black_box((alice.public(), bob.public()));
        Ok((alice, bob))
    })?;
    let alice = home.write_pair(&pair.0, "alice.pem")?;
    let bob = home.write_pair(&pair.1, "bob.pem")?;
    drop(pair);
    let label = "make two X25519 key pairs, Alice's and Bob's";
    steps.push(Step::new("make_exchange_keys", label, took, "made"));

    let read_pair = |files: &PairFiles| {
        let secret = read_secret(&files.secret)?;
        let public = keyfile::read_public(&files.public, Algorithm::X25519)?;
        Ok((
            secret.into_x25519(&files.secret)?,
            public.key.into_x25519(&files.public)?,
        ))
    };
    let (alice_secret, alice_public) = read_pair(&alice)?;
    let (bob_secret, bob_public) = read_pair(&bob)?;
    let (equal, took) = timed(|| {
        let ours = agree(&alice_secret, &bob_public, &bob.public)?;
        let theirs = agree(&bob_secret, &alice_public, &alice.public)?;
        Ok(bool::from(ours.as_bytes().ct_eq(theirs.as_bytes())))
    })?;
    steps.push(Step {
        id: "agree_on_secret".into(),
        label: "agree on a shared secret, from both sides".into(),
        took,
        result: if equal { "equal" } else { "different" },
        as_expected: equal,
    });

    let files = Files {
        message: args.file.clone(),
        size: message.size(),
        signer: signer_files,
        signature: signature_file,
        tampered: tampered_file,
        stranger_public,
        post_quantum,
        alice,
        bob,
    };
    let failed = steps.iter().filter(|step| !step.as_expected).count();
    let mut report = Report::new(
        report::as_text(&home.path, &files, &steps),
        report::as_json(&home.path, &files, &steps),
    );
    if failed > 0 {
        report.refusal = Some(
            Error::new(
                Kind::CheckFailed,
                format!(
                    "{failed} of {} steps did not come out as expected",
                    steps.len()
                ),
            )
            .with_path(&home.path)
            .with_hint("this is a defect of lanner or of this machine; please report it"),
        );
    }
    home.keep()?;
    Ok(report)
}

/// One step and how it came out.
struct Step {
    id: String,
    label: String,
    took: Duration,
    result: &'static str,
    as_expected: bool,
}

impl Step {
    fn new(
        id: impl Into<String>,
        label: impl Into<String>,
        took: Duration,
        result: &'static str,
    ) -> Self {
        Step {
            id: id.into(),
            label: label.into(),
            took,
            result,
            as_expected: true,
        }
    }

    fn verdict(
        id: impl Into<String>,
        label: impl Into<String>,
        took: Duration,
        valid: bool,
        expected: bool,
    ) -> Self {
        Step {
            as_expected: valid == expected,
            ..Step::new(id, label, took, if valid { "valid" } else { "not valid" })
        }
    }
}

/// Runs `work` and takes the time. Flushing files to the disk is left out: it would drown the
/// rest.
fn timed<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<(T, Duration), Error> {
    let start = Instant::now();
    let result = work()?;
    Ok((result, start.elapsed()))
}

/// The two files of a key pair.
struct PairFiles {
    secret: PathBuf,
    public: PathBuf,
}

/// What was made for one more algorithm.
struct Signed {
    algorithm: SignatureAlgorithm,
    signer: PairFiles,
    signature: PathBuf,
}

/// All that the report names.
struct Files {
    message: PathBuf,
    size: Option<u64>,
    signer: PairFiles,
    signature: PathBuf,
    tampered: Option<PathBuf>,
    stranger_public: PathBuf,
    post_quantum: Vec<Signed>,
    alice: PairFiles,
    bob: PairFiles,
}

fn suffixed(name: &OsStr, suffix: &str) -> OsString {
    let mut name = name.to_owned();
    name.push(suffix);
    name
}

/// Whatever the mode of a new file looks like on the file system that it is on.
fn read_secret(path: &Path) -> Result<SecretKey, Error> {
    keyfile::read_secret(path, &SecretArgs::for_own_keys(), &mut Vec::new())
        .map(|loaded| loaded.key)
}

fn read_verifying(path: &Path) -> Result<VerifyingKey, Error> {
    keyfile::read_public(path, Algorithm::Ed25519)?
        .key
        .into_verifying(None, path)
}

/// Key pair, signature, verification and refusal once more, for an algorithm of FN-DSA.
fn fn_dsa_tour(
    home: &mut Home,
    steps: &mut Vec<Step>,
    algorithm: SignatureAlgorithm,
    name: &OsStr,
    message: &mut Message,
    tampered_file: Option<&Path>,
) -> Result<Signed, Error> {
    let option = Algorithm::from(algorithm).option();
    let id = |verb: &str| format!("{verb}_{}", option.replace('-', "_"));

    let (key, took) = timed(|| SecretKey::generate(algorithm.into()))?;
    let signer = home.write_pair(&key, &format!("signer-{option}.pem"))?;
    drop(key);
    let label = format!("make an {algorithm} key pair");
    steps.push(Step::new(id("make"), label, took, "made"));

    let key = read_secret(&signer.secret)?.into_signing(Some(algorithm), &signer.secret)?;
    let (signature, took) = timed(|| sign_ssh(&key, message))?;
    let path = home.write(
        suffixed(name, &format!(".{option}.sig")),
        Access::Default,
        &signature,
    )?;
    let label = format!("sign with {algorithm}");
    steps.push(Step::new(id("sign"), label, took, "signed"));

    let public = read_verifying(&signer.public)?;
    let signature = read_signature(&path)?;
    let (valid, took) = timed(|| verify_again(&public, &signature, message))?;
    let label = format!("verify the {algorithm} signature");
    steps.push(Step::verdict(id("verify"), label, took, valid, true));

    let (valid, took) = refuse(message, tampered_file, &public, &signature)?;
    let label = format!("refuse the tampered copy with {algorithm}");
    steps.push(Step::verdict(
        id("refuse_tampered_copy"),
        label,
        took,
        valid,
        false,
    ));
    Ok(Signed {
        algorithm,
        signer,
        signature: path,
    })
}

/// Signs as `lanner sign` does.
fn sign_ssh(key: &SigningKey, message: &mut Message) -> Result<Vec<u8>, Error> {
    message.rewind()?;
    let digest = digest_of(message, "signing")?;
    sshsig::compose(
        &key.public(),
        FILE_NAMESPACE,
        Hash::Sha512,
        &digest,
        |data| sign::short(key, data),
    )
}

fn digest_of(message: &mut Message, what: &'static str) -> Result<Vec<u8>, Error> {
    let mut hasher = Hash::Sha512.hasher();
    signatures::verify::hash(message, what, |bytes| hasher.update(bytes))?;
    Ok(hasher.finish())
}

fn read_signature(path: &Path) -> Result<SshSignature, Error> {
    match signatures::read(path, Some(signatures::Format::Ssh), 0)? {
        Signature::Ssh(signature) => Ok(*signature),
        _ => Err(Error::new(
            Kind::CheckFailed,
            "the signature changed its form",
        )),
    }
}

/// True if the signature of a message with this hash is valid, and by `key`.
fn is_valid(key: &VerifyingKey, signature: &SshSignature, digest: &[u8]) -> bool {
    key.ssh_blob() == signature.public.ssh_blob() && signature.is_valid(digest)
}

fn verify_again(
    key: &VerifyingKey,
    signature: &SshSignature,
    message: &mut Message,
) -> Result<bool, Error> {
    message.rewind()?;
    Ok(is_valid(key, signature, &digest_of(message, "verifying")?))
}

/// Verifies the tampered copy of the message or, without one, the message tampered with on the way.
/// Returns whether it passed as valid, and the time.
fn refuse(
    message: &mut Message,
    copy: Option<&Path>,
    key: &VerifyingKey,
    signature: &SshSignature,
) -> Result<(bool, Duration), Error> {
    timed(|| {
        let digest = match copy {
            Some(path) => digest_of(&mut Message::once(path)?, "verifying")?,
            None => {
                let mut hasher = Hash::Sha512.hasher();
                feed_tampered(message, |bytes| {
                    hasher.update(bytes);
                    Ok(())
                })?;
                hasher.finish()
            }
        };
        Ok(is_valid(key, signature, &digest))
    })
}

/// Verifies a copy of the message in which one bit differs. Returns where the copy is, if it was
/// written, whether it passed as valid, and the time of the verification.
fn tampered(
    home: &mut Home,
    name: &OsStr,
    message: &mut Message,
    key: &VerifyingKey,
    signature: &SshSignature,
) -> Result<(Option<PathBuf>, bool, Duration), Error> {
    let copy_it = message.size().is_some_and(|size| size <= LARGEST_COPY);
    let path = copy_it
        .then(|| write_tampered(home, name, message))
        .transpose()?;
    let (valid, took) = refuse(message, path.as_deref(), key, signature)?;
    Ok((path, valid, took))
}

fn write_tampered(home: &mut Home, name: &OsStr, message: &mut Message) -> Result<PathBuf, Error> {
    let mut copy_name = OsString::from("tampered-");
    copy_name.push(name);
    home.write_pieces(copy_name, |sink| feed_tampered(message, sink))
}

/// Feeds the message with the lowest bit of its middle byte flipped; an empty message gets one
/// byte more.
fn feed_tampered(
    message: &mut Message,
    mut sink: impl FnMut(&[u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    let target = message.size().unwrap_or(0) / 2;
    let mut position = 0;
    let mut flipped = false;
    let mut piece = Vec::new();
    message.rewind()?;
    let mut progress = Progress::new("tampering", message.size());
    message.feed(&mut progress, |bytes| {
        piece.clear();
        piece.extend_from_slice(bytes);
        let end = position + bytes.len() as u64;
        if (position..end).contains(&target) {
            // In range: the difference is less than the length of the piece.
            piece[(target - position) as usize] ^= 1;
            flipped = true;
        }
        position = end;
        sink(&piece)
    })?;
    if flipped { Ok(()) } else { sink(&[0]) }
}
