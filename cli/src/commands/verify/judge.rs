//! One signature against one message, and against what the user has said of its signer.

use super::finding::{Finding, Verdict};
use crate::algorithm::Algorithm;
use crate::args::TrustArgs;
use crate::error::{Error, Kind};
use crate::formats::Form;
use crate::input::Source;
use crate::keyfile::Loaded;
use crate::keys::{PublicKey, VerifyingKey};
use crate::signatures::{self, Signature, bare, sshsig, verify};
use crate::signers::{Signers, Standing};
use crate::text::Shown;
use crate::time::Moment;
use std::path::Path;

/// What the user has said of who may sign, and for what.
pub(crate) struct Trust<'a> {
    key: Option<Expected<'a>>,
    list: Option<Signers>,
    time: Moment,
    /// Empty unless one was named.
    context: Vec<u8>,
    args: &'a TrustArgs,
}

impl<'a> Trust<'a> {
    /// Reads the key or the list that the user has named.
    pub(crate) fn read(args: &'a TrustArgs) -> Result<Self, Error> {
        // The parser lets this pass beside -k.
        if args.signer.signers.is_none()
            && (args.signer_name.is_some() || args.verify_time.is_some())
        {
            return Err(Error::new(
                Kind::Usage,
                "--signer and --verify-time belong to --signers",
            ));
        }
        sshsig::check_namespace(args.namespace.as_deref())?;
        let context = args.context.bytes()?;
        let key = args
            .signer
            .read(Algorithm::Ed25519)?
            .map(|(loaded, path)| {
                let loaded = loaded.map(|key| key.into_verifying(args.algorithm, path))?;
                verify::refuse_weak(&loaded.key, path)?;
                let algorithm = loaded.key.algorithm();
                if !algorithm.has_context() {
                    args.context
                        .refuse(&format!("a signature of {algorithm}"))?;
                }
                Ok::<_, Error>(Expected { loaded, path })
            })
            .transpose()?;
        let list = args
            .signer
            .signers
            .as_deref()
            .map(Signers::read)
            .transpose()?;
        Ok(Trust {
            key,
            list,
            time: Moment::of_option(args.verify_time.as_deref())?,
            context,
            args,
        })
    }
}

/// Whose signature it should be.
struct Expected<'a> {
    loaded: Loaded<VerifyingKey>,
    path: &'a Path,
}
/// Reads the message, and compares it with the signature that was read from `path`.
pub(crate) fn judge(
    trust: &Trust<'_>,
    signature: &Signature,
    source: Source<'_>,
    path: &Path,
) -> Result<Finding, Error> {
    let signer = trust.key.as_ref();
    if let Some(list) = &trust.list
        && !matches!(signature, Signature::Ssh(_))
    {
        return Err(Error::new(
            Kind::Usage,
            format!(
                "{} is no SSH signature: {} does not say whose it should be",
                Shown(path),
                Shown(list.path())
            ),
        )
        .with_path(path)
        .with_hint("name the key with -k PUB or -P TEXT"));
    }
    if trust.args.namespace.is_some() && !matches!(signature, Signature::Ssh(_)) {
        return Err(Error::new(
            Kind::Usage,
            format!("{} has no namespace: leave out --namespace", Shown(path)),
        )
        .with_path(path));
    }
    if !signature.format().is_bare() {
        trust.args.context.refuse(&format!(
            "{}, a {},",
            Shown(path),
            signature.format().name()
        ))?;
    }
    let mut finding = Finding {
        verdict: Verdict::NotValid,
        why: None,
        error: None,
        format: Some(signature.format()),
        algorithm: signature.algorithm(),
        key: signer.map(|signer| PublicKey::Verifying(signer.loaded.key.clone())),
        is_bare: signer.is_some_and(|signer| matches!(signer.loaded.form, Form::Bare(_))),
        key_name: signer.map(|signer| signer.path.to_owned()),
        key_id: signer.and_then(|signer| signer.loaded.key_id),
        comment: signer.and_then(|signer| signer.loaded.comment.clone()),
        mode: "pure",
        hash: None,
        namespace: None,
        trusted_comment: None,
        touch: None,
        signer: None,
        has_list: trust.list.is_some(),
        context: None,
    };
    match signature {
        Signature::Ssh(signature) => ssh(trust, signature, source, path, &mut finding)?,
        Signature::Minisign(signature) => minisign(signer, signature, source, &mut finding)?,
        Signature::Cose(signature) => {
            let signer = signer.ok_or_else(|| by_nobody(path))?;
            let mut message = source.sized()?;
            let prefix = signature.prefix(message.known_size(source.path())?);
            if !matches!(signer.loaded.key, VerifyingKey::Ed25519(_)) {
                finding.why = Some("it is one of Ed25519".to_owned());
            } else if verify::fed(&signer.loaded.key, signature.signature(), b"", |update| {
                update(&prefix);
                verify::hash(&mut message, "verifying", update)
            })? {
                finding.verdict = Verdict::Valid;
            }
        }
        Signature::Bare { bytes, .. } => {
            let signer = signer.ok_or_else(|| by_nobody(path))?;
            let key = &signer.loaded.key;
            let algorithm = key.algorithm();
            bare::check_length(bytes, algorithm, path)?;
            finding.algorithm = Some(algorithm);
            if let Some(hash) = algorithm.hash_of_bare() {
                finding.mode = "prehashed";
                finding.hash = Some(hash);
            }
            finding.context = algorithm.has_context().then(|| trust.context.clone());
            let mut message = source.once()?;
            if verify::file(key, bytes, &trust.context, &mut message, source.path())? {
                finding.verdict = Verdict::Valid;
            }
        }
    }
    Ok(finding)
}

/// A signature that says nothing of its signer.
fn by_nobody(path: &Path) -> Error {
    Error::new(
        Kind::Usage,
        format!("{} does not say by whom it is", Shown(path)),
    )
    .with_path(path)
    .with_hint("say whose signature it should be, with -k PUB or -P TEXT")
}

fn ssh(
    trust: &Trust<'_>,
    signature: &sshsig::SshSignature,
    source: Source<'_>,
    path: &Path,
    finding: &mut Finding,
) -> Result<(), Error> {
    finding.mode = "hashed";
    finding.hash = Some(signature.hash.id());
    finding.namespace = Some(signature.namespace.clone());
    finding.touch = signature.touch;
    let wanted = trust
        .args
        .namespace
        .as_deref()
        .unwrap_or(sshsig::FILE_NAMESPACE);
    match &trust.key {
        Some(signer) if signer.loaded.key.ssh_blob() != signature.public.ssh_blob() => {
            finding.why = Some(format!(
                "it names another key, {}",
                signature.public.fingerprint()
            ));
            return Ok(());
        }
        Some(_) => {}
        None => {
            verify::refuse_weak(&signature.public, path)?;
            finding.key = Some(PublicKey::Verifying(signature.public.clone()));
        }
    }
    if signature.namespace != wanted {
        finding.why = Some(format!(
            "it is for the namespace {:?}, not {wanted:?}",
            signature.namespace
        ));
        return Ok(());
    }
    let mut hasher = signature.hash.hasher();
    verify::hash(&mut source.once()?, "verifying", |bytes| {
        hasher.update(bytes)
    })?;
    if !signature.is_valid(&hasher.finish()) {
        return Ok(());
    }
    finding.verdict = match (&trust.key, &trust.list) {
        (Some(_), _) => Verdict::Valid,
        (None, None) => Verdict::UnknownSigner,
        (None, Some(list)) => listed(trust, list, signature, finding)?,
    };
    Ok(())
}

/// What the list of signers says of a signature that is valid by itself.
fn listed(
    trust: &Trust<'_>,
    list: &Signers,
    signature: &sshsig::SshSignature,
    finding: &mut Finding,
) -> Result<Verdict, Error> {
    let name = trust.args.signer_name.as_deref();
    let namespace = Some(signature.namespace.as_str());
    Ok(
        match list.standing(&signature.public, name, namespace, trust.time)? {
            Standing::Trusted { principals } => {
                finding.signer = Some(name.map_or(principals, str::to_owned));
                Verdict::Valid
            }
            Standing::OutsideValidity { line } => {
                finding.why = Some(format!(
                    "{}, line {line}, lets it sign at another time only",
                    Shown(list.path())
                ));
                Verdict::OutsideValidity
            }
            Standing::OtherNamespace { line, namespaces } => {
                finding.why = Some(format!(
                    "{}, line {line}, lists it for {namespaces:?}, not for {:?}",
                    Shown(list.path()),
                    signature.namespace
                ));
                Verdict::UnknownSigner
            }
            Standing::Unknown => {
                let for_whom = name.map_or(String::new(), |name| format!(" for {name}"));
                finding.why = Some(format!(
                    "{} does not list its key{for_whom}",
                    Shown(list.path())
                ));
                Verdict::UnknownSigner
            }
        },
    )
}

fn minisign<'a>(
    signer: Option<&Expected<'_>>,
    signature: &'a signatures::minisign::Minisig,
    mut source: Source<'a>,
    finding: &mut Finding,
) -> Result<(), Error> {
    finding.mode = if signature.prehashed {
        "prehashed"
    } else {
        "pure"
    };
    finding.hash = signature.prehashed.then_some("blake2b-512");
    let Some(signer) = signer else {
        finding.verdict = Verdict::UnknownSigner;
        finding.key_id = Some(signature.key_id);
        finding.why = Some("without the key, it cannot be checked".to_owned());
        return Ok(());
    };
    let key = &signer.loaded.key;
    if !matches!(key, VerifyingKey::Ed25519(_)) {
        finding.why = Some("it is one of Ed25519".to_owned());
        return Ok(());
    }
    // A key in another form has no number, and then the signature itself must do.
    if let Some(id) = signer.loaded.key_id
        && id != signature.key_id
    {
        finding.why = Some(format!(
            "it is by the key with the number {}, not {id}",
            signature.key_id
        ));
        return Ok(());
    }
    finding.key_id = Some(signature.key_id);
    // Who looks at the signature file alone believes the message in it: both must be one.
    if let Some(bytes) = &signature.message {
        let mut rest = Some(&bytes[..]);
        verify::hash(&mut source.once()?, "comparing", |piece| {
            rest = rest.and_then(|rest| rest.strip_prefix(piece));
        })?;
        if !rest.is_some_and(<[u8]>::is_empty) {
            finding.why = Some("another message stands after the signature".to_owned());
            return Ok(());
        }
        let name = source.path();
        source = Source::Bytes { name, bytes };
    }
    let mut message = source.once()?;
    let valid = if signature.prehashed {
        let hash = crate::commands::sign::minisign_hash(&mut message)?;
        verify::is_valid(key, &signature.signature, &hash)
    } else {
        verify::file(key, &signature.signature, b"", &mut message, source.path())?
    };
    if !valid {
        return Ok(());
    }
    if !signature.comment_is_valid(|signature, message| verify::is_valid(key, signature, message)) {
        finding.why = Some("its trusted comment was changed".to_owned());
        return Ok(());
    }
    finding.trusted_comment = signature.trusted.as_ref().map(|it| it.text().into_owned());
    finding.verdict = Verdict::Valid;
    Ok(())
}
