//! `lanner-git`: what git asks of `ssh-keygen -Y`, with the same options, output and exit codes.
//!
//! `git config gpg.format ssh && git config gpg.ssh.program lanner-git` makes git use it.

use crate::agent;
use crate::algorithm::Algorithm;
use crate::args::SecretArgs;
use crate::commands::keygen::{default_public_path, default_secret_path};
use crate::descriptor::refuse_stdin;
use crate::error::{Error, Kind};
use crate::formats::openssh::Container;
use crate::formats::{Form, Recognised, recognise};
use crate::input::{Message, STDIN};
use crate::keyfile;
use crate::keys::{PublicKey, SecretKey, SigningKey, VerifyingKey};
use crate::output::{Access, Output, Target};
use crate::report;
use crate::signatures::sshsig::{self, Hash, SshSignature};
use crate::signatures::{Format, read::read_as_ssh_keygen, sign, verify};
use crate::signers::{Signers, Standing, is_revoked};
use crate::text::{Plain, Shown};
use crate::time::Moment;
use clap::{Parser, ValueEnum};
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Signs and verifies for git, in the place of ssh-keygen: set gpg.ssh.program to lanner-git
#[derive(Debug, Parser)]
#[command(
    name = "lanner-git",
    version,
    disable_help_subcommand = true,
    after_help = "Exit codes, as ssh-keygen's: 0; 1 where the command line is not understood, or a namespace, a file or a \
                  principal is missing from it; 255 for everything else that does not come out well"
)]
struct Cli {
    /// What to do
    #[arg(short = 'Y', value_enum)]
    operation: Operation,

    /// What the signature is for; git says git
    #[arg(short = 'n', value_name = "NAMESPACE")]
    namespace: Option<String>,

    /// To sign: the key, secret, or public if the secret one is beside it or an agent has it. To verify:
    /// who may sign
    #[arg(short = 'f', value_name = "FILE")]
    file: Option<PathBuf>,

    /// In whose name the signature should be
    #[arg(short = 'I', value_name = "PRINCIPAL")]
    principal: Option<String>,

    /// The signature file
    #[arg(short = 's', value_name = "SIG")]
    signature: Option<PathBuf>,

    /// hashalg=sha256 or sha512; verify-time=YYYYMMDD[HHMM[SS]][Z]
    #[arg(short = 'O', value_name = "OPTION")]
    options: Vec<String>,

    /// The keys that are no longer good: a file with the line of each
    #[arg(short = 'r', value_name = "FILE")]
    revoked: Option<PathBuf>,

    /// The key is one that an agent has
    #[arg(short = 'U')]
    agent: bool,

    /// Say nothing but errors
    #[arg(short = 'q')]
    quiet: bool,

    /// The files to sign, each with its signature in FILE.sig, which must not be there; without one,
    /// standard input is signed to standard output
    // git hands over an empty one where it has no time of a signature to verify, as for a push certificate.
    #[arg(value_name = "FILE")]
    messages: Vec<OsString>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Operation {
    Sign,
    Verify,
    FindPrincipals,
    CheckNovalidate,
}

/// ssh-keygen's code for everything that does not come out well.
const FAILURE: u8 = 255;

/// And for a command line from which something is missing, whatever else is wrong.
const USAGE: u8 = 1;

pub(crate) fn command_line() -> clap::Command {
    <Cli as clap::CommandFactory>::command()
}

pub(crate) fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(mut error) => {
            report::quote(&mut error);
            let _ = error.print();
            let code = if error.use_stderr() { USAGE } else { 0 };
            return ExitCode::from(code);
        }
    };
    let outcome = cli.refuse_stdin().and_then(|()| match cli.operation {
        Operation::Sign => cli.sign(),
        Operation::Verify => cli.verify(),
        Operation::FindPrincipals => cli.find_principals(),
        Operation::CheckNovalidate => cli.check_novalidate(),
    });
    match outcome {
        Ok(_) if cli.quiet && cli.verifies() => ExitCode::SUCCESS,
        Ok(text) => {
            let mut stdout = io::stdout();
            let written = stdout
                .write_all(text.as_bytes())
                .and_then(|()| stdout.flush());
            ExitCode::from(if written.is_ok() { 0 } else { FAILURE })
        }
        Err(error) => {
            if cli.wants_stdin() {
                drain();
            }
            report::say(format_args!("lanner-git: {error}"));
            if !cli.is_complete() {
                return ExitCode::from(USAGE);
            }
            if cli.verifies() && !cli.quiet {
                // The exit code says so as well.
                let _ = writeln!(io::stdout(), "Could not verify signature.");
            }
            ExitCode::from(FAILURE)
        }
    }
}

/// Reads the rest of standard input. git writes the message whatever comes of it, and in some calls ends, by the
/// signal of a broken pipe, where nobody reads it.
fn drain() {
    let mut stdin = io::stdin().lock();
    if !stdin.is_terminal() {
        // The outcome is clear already.
        let _ = io::copy(&mut stdin, &mut io::sink());
    }
}

/// The options after `-O`.
#[derive(Default)]
struct Options {
    hash: Option<Hash>,
    time: Option<Moment>,
}

/// A key that signs, wherever it is.
enum Signer {
    Here(SigningKey),
    Agent(VerifyingKey),
    /// An agent must have it: no secret key lies beside the public one.
    AgentAlone(VerifyingKey),
}

impl Cli {
    fn options(&self) -> Result<Options, Error> {
        let mut options = Options::default();
        for option in &self.options {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            match (name, value) {
                ("hashalg", "sha256") if options.hash.is_none() => {
                    options.hash = Some(Hash::Sha256)
                }
                ("hashalg", "sha512") if options.hash.is_none() => {
                    options.hash = Some(Hash::Sha512)
                }
                ("verify-time", time) if options.time.is_none() => {
                    options.time = Some(Moment::of_option_of_git(time)?);
                }
                _ => {
                    return Err(usage(&format!(
                        "the option -O {option:?} is unknown, or stands there twice"
                    )));
                }
            }
        }
        Ok(options)
    }

    /// The files to sign.
    fn messages(&self) -> impl Iterator<Item = &Path> {
        let names = self.messages.iter().filter(|name| !name.is_empty());
        names.map(Path::new)
    }

    /// True if everything is named that the operation takes.
    fn is_complete(&self) -> bool {
        let operation = self.operation;
        let namespace = self.namespace.as_ref().filter(|name| !name.is_empty());
        (operation == Operation::FindPrincipals || namespace.is_some())
            && (operation == Operation::CheckNovalidate || self.file.is_some())
            && (operation == Operation::Sign || self.signature.is_some())
            && (operation != Operation::Verify || self.principal.is_some())
    }

    /// True if the message comes from standard input.
    fn wants_stdin(&self) -> bool {
        match self.operation {
            Operation::Sign => self.messages().next().is_none(),
            Operation::Verify | Operation::CheckNovalidate => true,
            Operation::FindPrincipals => false,
        }
    }

    /// True if what comes out is a verdict.
    fn verifies(&self) -> bool {
        matches!(
            self.operation,
            Operation::Verify | Operation::CheckNovalidate
        )
    }

    /// The message must have standard input for itself.
    fn refuse_stdin(&self) -> Result<(), Error> {
        if self.wants_stdin() {
            for path in [&self.file, &self.signature, &self.revoked]
                .into_iter()
                .flatten()
            {
                refuse_stdin(path, "key, list or signature")?;
            }
        }
        Ok(())
    }

    /// Refuses options that another operation has.
    fn refuse(&self, unused: &[(&str, bool)]) -> Result<(), Error> {
        match unused.iter().find(|(_, given)| *given) {
            Some((option, _)) => Err(usage(&format!("{option} does not go with this operation"))),
            None => Ok(()),
        }
    }

    fn namespace(&self) -> Result<&str, Error> {
        let namespace = self.namespace.as_deref();
        sshsig::check_namespace(namespace)?;
        namespace.ok_or_else(|| usage("say what the signature is for: -n NAMESPACE"))
    }

    fn sign(&self) -> Result<String, Error> {
        self.refuse(&[
            ("-I", self.principal.is_some()),
            ("-s", self.signature.is_some()),
            ("-r", self.revoked.is_some()),
        ])?;
        let options = self.options()?;
        if options.time.is_some() {
            return Err(usage("-O verify-time does not go with this operation"));
        }
        let namespace = self.namespace()?;
        let path = self
            .file
            .as_deref()
            .ok_or_else(|| usage("say which key signs: -f KEY"))?;
        // ssh-keygen asks before it replaces a signature; git hands over a new file each time.
        let taken = |e: Error| match e.kind {
            Kind::AlreadyExists => e.with_hint("remove it first, or sign another file"),
            _ => e,
        };
        // All of them, before anybody is asked for a password.
        let outputs = self
            .messages()
            .map(|message| {
                let path = Format::Ssh.path_for(message);
                Output::new(&path, Access::Default, false, &[]).map_err(taken)
            })
            .collect::<Result<Vec<_>, _>>()?;
        if outputs.is_empty() {
            let hint = "name the file to sign, or send standard output somewhere";
            Target::Stdout
                .must_arrive("the signature")
                .map_err(|e| e.with_hint(hint))?;
        }
        let signer = self.signer(path)?;
        let public = match &signer {
            Signer::Here(key) => key.public(),
            Signer::Agent(key) | Signer::AgentAlone(key) => key.clone(),
        };
        let hash = options.hash.unwrap_or(Hash::Sha512);
        let sign = |message: &Path| {
            let digest = digest_of(message, hash)?;
            sshsig::compose(&public, namespace, hash, &digest, |data| match &signer {
                Signer::Here(key) => sign::short(key, data),
                Signer::Agent(key) => agent::sign(key, data),
                Signer::AgentAlone(key) => agent::sign(key, data).map_err(|e| {
                    e.with_more(format_args!(
                        "{} is a public key, and no secret key lies beside it",
                        Shown(path)
                    ))
                }),
            })
        };
        if outputs.is_empty() {
            let bytes = sign(Path::new(STDIN))?;
            return Ok(String::from_utf8(bytes).expect("it is Base64"));
        }
        for (message, output) in self.messages().zip(&outputs) {
            output.write(&sign(message)?).map_err(taken)?;
            if !self.quiet {
                report::say(format_args!("Write signature to {}", Shown(output.path())));
            }
        }
        Ok(String::new())
    }

    /// The key in a file; if that holds the public one, the secret one beside it, or in an agent. What has a password
    /// is not asked for where an agent has the key.
    fn signer(&self, path: &Path) -> Result<Signer, Error> {
        // As for ssh-keygen, of a key that an agent has the public half may lie there alone.
        let public = default_public_path(path).ok();
        let path: &Path = match &public {
            Some(public) if !path.exists() && public.is_file() => public,
            _ => path,
        };
        let file = keyfile::read_key_file(path)?;
        let recognised = recognise(&file.bytes, path)?;
        if keyfile::is_secret(&recognised, path)? {
            if self.agent {
                return Err(usage(
                    "-U wants a public key, whose secret one an agent has",
                ));
            }
            if let Some(public) = public_of_locked(&recognised, path)
                && agent::has(&public)
            {
                return Ok(Signer::Agent(public));
            }
            return Ok(Signer::Here(secret(path)?.into_signing(None, path)?));
        }
        let public = keyfile::public_of(&recognised, path, Algorithm::Ed25519)?;
        let public = public.key.into_verifying(None, path)?;
        // Beside alice.pub there may be alice, beside alice.pub.pem alice.pem.
        let beside = default_secret_path(path).filter(|beside| beside.is_file());
        if let Some(beside) = beside
            && !self.agent
        {
            if is_locked(&beside) && agent::has(&public) {
                return Ok(Signer::Agent(public));
            }
            let key = secret(&beside)?.into_signing(None, &beside)?;
            if key.public().ssh_blob() != public.ssh_blob() {
                return Err(Error::new(
                    Kind::BadKey,
                    format!(
                        "{} is not the secret key of {}",
                        Shown(&beside),
                        Shown(path)
                    ),
                ));
            }
            return Ok(Signer::Here(key));
        }
        Ok(if self.agent {
            Signer::Agent(public)
        } else {
            Signer::AgentAlone(public)
        })
    }

    fn signature(&self) -> Result<(SshSignature, &Path), Error> {
        let path = self
            .signature
            .as_deref()
            .ok_or_else(|| usage("say where the signature is: -s SIG"))?;
        let signature = read_as_ssh_keygen(path)?;
        verify::refuse_weak(&signature.public, path)?;
        Ok((signature, path))
    }

    fn signers(&self) -> Result<Signers, Error> {
        let path = self.file.as_deref();
        Signers::read(path.ok_or_else(|| usage("say who may sign: -f ALLOWED_SIGNERS"))?)
    }

    /// The signature of standard input, which is valid by itself.
    fn valid_signature(&self) -> Result<SshSignature, Error> {
        let namespace = self.namespace()?;
        let (signature, path) = self.signature()?;
        if self.messages().next().is_some() {
            return Err(usage("the message comes from standard input"));
        }
        let invalid = |why: &str| {
            Error::new(
                Kind::SignatureInvalid,
                format!("the signature in {} is not valid: {why}", Shown(path)),
            )
        };
        if signature.namespace != namespace {
            return Err(invalid(&format!(
                "it is for the namespace {:?}, not {namespace:?}",
                signature.namespace
            )));
        }
        let digest = digest_of(Path::new(STDIN), signature.hash)?;
        if !signature.is_valid(&digest) {
            return Err(invalid("it is not one of this message"));
        }
        if let Some(revoked) = &self.revoked
            && is_revoked(&signature.public, revoked)?
        {
            return Err(invalid("its key is revoked"));
        }
        Ok(signature)
    }

    fn verify(&self) -> Result<String, Error> {
        self.refuse(&[("-U", self.agent)])?;
        let time = self.options()?.time.unwrap_or_else(Moment::now);
        let principal = self
            .principal
            .as_deref()
            .ok_or_else(|| usage("say in whose name: -I PRINCIPAL"))?;
        let signers = self.signers()?;
        let signature = self.valid_signature()?;
        let namespace = Some(signature.namespace.as_str());
        let standing = signers.standing(&signature.public, Some(principal), namespace, time)?;
        match standing {
            Standing::Trusted { .. } => Ok(good(&signature, Some(principal))),
            standing => Err(Error::new(
                Kind::UnknownSigner,
                format!(
                    "the signature is by {}, which {} {}",
                    signature.public.fingerprint(),
                    Shown(signers.path()),
                    why(&standing, principal)
                ),
            )),
        }
    }

    fn check_novalidate(&self) -> Result<String, Error> {
        self.refuse(&[("-U", self.agent), ("-I", self.principal.is_some())])?;
        self.options()?;
        Ok(good(&self.valid_signature()?, None))
    }

    fn find_principals(&self) -> Result<String, Error> {
        self.refuse(&[("-U", self.agent), ("-I", self.principal.is_some())])?;
        let time = self.options()?.time.unwrap_or_else(Moment::now);
        let (signature, _) = self.signature()?;
        let signers = self.signers()?;
        let nobody = Error::new(Kind::UnknownSigner, "No principal matched.");
        match signers.standing(&signature.public, None, None, time)? {
            Standing::Trusted { principals } => Ok(principals
                .split(',')
                .filter(|name| !name.is_empty())
                .map(|name| format!("{}\n", Plain(name)))
                .collect()),
            Standing::OutsideValidity { line } => Err(nobody.with_hint(format!(
                "{}, line {line}, lets the key {} sign at another time only",
                Shown(signers.path()),
                signature.public.fingerprint()
            ))),
            Standing::Unknown | Standing::OtherNamespace { .. } => Err(nobody),
        }
    }
}

fn usage(message: &str) -> Error {
    Error::new(Kind::Usage, message)
}

fn why(standing: &Standing, principal: &str) -> String {
    match standing {
        Standing::OutsideValidity { line } => format!(
            "lets {} use at another time only (line {line})",
            Plain(principal)
        ),
        Standing::OtherNamespace { line, namespaces } => format!(
            "lets {} use for {namespaces:?} only (line {line})",
            Plain(principal)
        ),
        Standing::Trusted { .. } | Standing::Unknown => {
            format!("does not let {} use for this", Plain(principal))
        }
    }
}

fn digest_of(message: &Path, hash: Hash) -> Result<Vec<u8>, Error> {
    let mut hasher = hash.hasher();
    verify::hash(&mut Message::once(message)?, "hashing", |bytes| {
        hasher.update(bytes)
    })?;
    Ok(hasher.finish())
}

fn secret(path: &Path) -> Result<SecretKey, Error> {
    let mut warnings = Vec::new();
    Ok(keyfile::read_secret(path, &SecretArgs::for_git(), &mut warnings)?.key)
}

/// True if the file is a secret key under a password.
fn is_locked(path: &Path) -> bool {
    keyfile::read_key_file(path)
        .and_then(|file| keyfile::is_encrypted(&recognise(&file.bytes, path)?, path))
        .unwrap_or(false)
}

/// The public key of a secret one under a password, if it can be had without that: OpenSSH's form has it within, and
/// any may have it beside it. What an agent signs is verified with it.
fn public_of_locked(recognised: &Recognised, path: &Path) -> Option<VerifyingKey> {
    if !keyfile::is_encrypted(recognised, path).ok()? {
        return None;
    }
    let key = match recognised.form {
        Form::OpenSsh => Container::read(&recognised.body, path)
            .ok()?
            .public(path)
            .ok()?,
        _ => {
            let beside = default_public_path(path).ok()?;
            keyfile::read_public(&beside, Algorithm::Ed25519).ok()?.key
        }
    };
    key.into_verifying(None, path).ok()
}

/// The line that git looks for.
fn good(signature: &SshSignature, principal: Option<&str>) -> String {
    let by = principal.map_or(String::new(), |name| format!("for {} ", Plain(name)));
    let kind = match PublicKey::Verifying(signature.public.clone()).algorithm() {
        Algorithm::Ed25519 => "ED25519".to_owned(),
        Algorithm::SkEd25519 => "ED25519-SK".to_owned(),
        other => other.name().to_owned(),
    };
    format!(
        "Good \"{}\" signature {by}with {kind} key {}\n",
        Plain(&signature.namespace),
        signature.public.fingerprint()
    )
}
