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
    let message = Message::rewindable(&args.file).map_err(|e| match e.kind {
        Kind::NotAFile => e.with_hint("name any regular file: it is read, and nothing else"),
        _ => e,
    })?;
    let mut tour = Tour {
        home: Home::new(args.dir.as_deref())?,
        steps: Vec::new(),
        name: args.file.file_name().unwrap_or(args.file.as_os_str()),
        message,
    };
    let ed25519 = tour.ed25519(&args.file)?;
    let stranger_public = tour.stranger(&ed25519.signature)?;
    let tampered = ed25519.tampered.as_deref();
    let post_quantum = [SignatureAlgorithm::FnDsa512, SignatureAlgorithm::FnDsa1024]
        .into_iter()
        .map(|algorithm| tour.fn_dsa(algorithm, tampered))
        .collect::<Result<_, _>>()?;
    let (alice, bob) = tour.exchange()?;
    let Tour {
        home,
        steps,
        message,
        ..
    } = tour;

    let files = Files {
        message: args.file.clone(),
        size: message.size(),
        signer: ed25519.signer,
        signature: ed25519.signature,
        tampered: ed25519.tampered,
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
    let report = report.with_written([home.path.as_path()]);
    home.keep()?;
    Ok(report)
}

/// What the tour has done so far. After something was written, everything comes from the files, as it would on another
/// machine.
struct Tour<'a> {
    home: Home,
    steps: Vec<Step>,
    /// The name of the file that is signed.
    name: &'a OsStr,
    message: Message,
}

impl Tour<'_> {
    /// Key pair, signature, verification and the refusal of a copy that was tampered with.
    fn ed25519(&mut self, file: &Path) -> Result<Ed25519, Error> {
        let (key, took) = timed(|| SecretKey::generate(Algorithm::Ed25519))?;
        let signer = self.home.write_pair(&key, "signer.pem")?;
        drop(key);
        let label = "make an Ed25519 key pair";
        self.did("make_signing_key", label, took, "made");

        let label = format!("sign {}", Shown(file));
        let path = self.sign(&signer, None, ".sig", "sign", label)?;

        let public = read_verifying(&signer.public)?;
        let signature = read_signature(&path)?;
        self.verify(&public, &signature, "verify", "verify the signature")?;

        let (tampered, valid, took) = tampered(
            &mut self.home,
            self.name,
            &mut self.message,
            &public,
            &signature,
        )?;
        let label = "refuse a tampered copy (one bit differs)";
        self.judged("refuse_tampered_copy", label, took, valid, false);
        Ok(Ed25519 {
            signer,
            signature: path,
            tampered,
        })
    }

    /// The refusal of a signature under another key than the signer's, whose file it returns.
    fn stranger(&mut self, signature: &Path) -> Result<PathBuf, Error> {
        let (stranger, took_key) = timed(|| SecretKey::generate(Algorithm::Ed25519))?;
        let public = self.home.write_public(&stranger, "stranger.pub.pem")?;
        drop(stranger);
        let wrong = read_verifying(&public)?;
        let signature = read_signature(signature)?;
        let (valid, took) = timed(|| verify_again(&wrong, &signature, &mut self.message))?;
        let label = "refuse the wrong key (a stranger's)";
        self.judged("refuse_wrong_key", label, took_key + took, valid, false);
        Ok(public)
    }

    /// Key pair, signature, verification and refusal once more, for an algorithm of FN-DSA.
    fn fn_dsa(
        &mut self,
        algorithm: SignatureAlgorithm,
        tampered: Option<&Path>,
    ) -> Result<Signed, Error> {
        let option = Algorithm::from(algorithm).option();
        let id = |verb: &str| format!("{verb}_{}", option.replace('-', "_"));

        let (key, took) = timed(|| SecretKey::generate(algorithm.into()))?;
        let name = format!("signer-{option}.pem");
        let signer = self.home.write_pair(&key, &name)?;
        drop(key);
        let label = format!("make an {algorithm} key pair");
        self.did(id("make"), label, took, "made");

        let suffix = format!(".{option}.sig");
        let label = format!("sign with {algorithm}");
        let path = self.sign(&signer, Some(algorithm), &suffix, id("sign"), label)?;

        let public = read_verifying(&signer.public)?;
        let signature = read_signature(&path)?;
        let label = format!("verify the {algorithm} signature");
        self.verify(&public, &signature, id("verify"), label)?;

        let (valid, took) = refuse(&mut self.message, tampered, &public, &signature)?;
        let label = format!("refuse the tampered copy with {algorithm}");
        self.judged(id("refuse_tampered_copy"), label, took, valid, false);
        Ok(Signed {
            algorithm,
            signer,
            signature: path,
        })
    }

    /// Two key pairs and the secret that they agree on.
    fn exchange(&mut self) -> Result<(PairFiles, PairFiles), Error> {
        let ((alice, bob), took) = timed(|| {
            let alice = SecretKey::generate(Algorithm::X25519)?;
            let bob = SecretKey::generate(Algorithm::X25519)?;
            // The public halves are part of making a key pair.
            std::hint::black_box((alice.public(), bob.public()));
            Ok((alice, bob))
        })?;
        let files = (
            self.home.write_pair(&alice, "alice.pem")?,
            self.home.write_pair(&bob, "bob.pem")?,
        );
        drop((alice, bob));
        let (alice, bob) = files;
        let label = "make two X25519 key pairs, Alice's and Bob's";
        self.did("make_exchange_keys", label, took, "made");

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
        self.steps.push(Step {
            id: "agree_on_secret".into(),
            label: "agree on a shared secret, from both sides".into(),
            took,
            result: if equal { "equal" } else { "different" },
            as_expected: equal,
        });
        Ok((alice, bob))
    }

    /// Signs the message with a key from its file, and writes the signature beside the keys.
    fn sign(
        &mut self,
        signer: &PairFiles,
        algorithm: Option<SignatureAlgorithm>,
        suffix: &str,
        id: impl Into<String>,
        label: String,
    ) -> Result<PathBuf, Error> {
        let key = read_secret(&signer.secret)?.into_signing(algorithm, &signer.secret)?;
        let (signature, took) = timed(|| sign_ssh(&key, &mut self.message))?;
        let name = suffixed(self.name, suffix);
        let path = self.home.write(name, Access::Default, &signature)?;
        self.did(id, label, took, "signed");
        Ok(path)
    }

    fn verify(
        &mut self,
        public: &VerifyingKey,
        signature: &SshSignature,
        id: impl Into<String>,
        label: impl Into<String>,
    ) -> Result<(), Error> {
        let (valid, took) = timed(|| verify_again(public, signature, &mut self.message))?;
        self.judged(id, label, took, valid, true);
        Ok(())
    }

    /// Notes a step that came to its end.
    fn did(
        &mut self,
        id: impl Into<String>,
        label: impl Into<String>,
        took: Duration,
        result: &'static str,
    ) {
        self.steps.push(Step {
            id: id.into(),
            label: label.into(),
            took,
            result,
            as_expected: true,
        });
    }

    /// Notes a verdict, and whether it is the one that it should be.
    fn judged(
        &mut self,
        id: impl Into<String>,
        label: impl Into<String>,
        took: Duration,
        valid: bool,
        expected: bool,
    ) {
        self.steps.push(Step {
            id: id.into(),
            label: label.into(),
            took,
            result: if valid { "valid" } else { "not valid" },
            as_expected: valid == expected,
        });
    }
}

/// One step and how it came out.
struct Step {
    id: String,
    label: String,
    took: Duration,
    result: &'static str,
    as_expected: bool,
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

/// What was made for Ed25519.
struct Ed25519 {
    signer: PairFiles,
    signature: PathBuf,
    tampered: Option<PathBuf>,
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
