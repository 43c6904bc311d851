//! `lanner convert`: writes a key in another form.

use super::keygen::refuse_public_name;
use crate::algorithm::Algorithm;
use crate::args::Convert;
use crate::error::{Error, Kind};
use crate::formats::write::{self, Beside};
use crate::formats::{Form, recognise};
use crate::input::is_dash;
use crate::keyfile::{self, Loaded};
use crate::keys::{PublicKey, SecretKey, without_traces};
use crate::output::{Access, Target};
use crate::report::{Report, key_facts};
use crate::text::Shown;
use serde_json::json;
use zeroize::Zeroizing;

/// What is converted.
enum Key {
    Secret(Loaded<SecretKey>),
    Public(Loaded<PublicKey>),
}

pub(crate) fn run(args: &Convert, json: bool, warnings: &mut Vec<String>) -> Result<Report, Error> {
    super::check_comment(args.comment.as_deref())?;
    // Before anybody is asked for a password.
    let mut target = None;
    let key = read(args, warnings, |is_secret| {
        target = target_of(args, is_secret, json)?;
        Ok(())
    })?;
    let (public, mut beside, from) = match &key {
        Key::Secret(loaded) => (loaded.key.public(), loaded.beside(), loaded.form),
        Key::Public(loaded) => (loaded.key.clone(), loaded.beside(), loaded.form),
    };
    if let Some(wanted) = args.algorithm
        && wanted != public.algorithm()
    {
        return Err(crate::keys::wrong_algorithm(
            &args.key,
            public.algorithm(),
            wanted,
        ));
    }
    if args.comment.is_some() {
        beside.comment.clone_from(&args.comment);
    }
    super::check_comment_of_key(&beside, args.encoding, &args.key)
        .map_err(|e| e.with_hint("give another with -C COMMENT"))?;
    let bytes = content(args, &key, &beside)?;
    let is_secret = matches!(key, Key::Secret(_));
    let what = name(is_secret);
    let file = args.output.as_deref().filter(|path| !is_dash(path));
    if let Some(target) = &target {
        target.write(&bytes)?;
    }
    let text = match file {
        Some(path) => format!(
            "Wrote {what} to {}.\n{}",
            Shown(path),
            key_facts(&public, &beside)
        ),
        None => String::new(),
    };
    let stands_here = target.is_none().then(|| String::from_utf8(bytes.to_vec()));
    let (text, content) = match stands_here {
        Some(Ok(key)) => (key.clone(), Some(key)),
        Some(Err(_)) if json || std::io::IsTerminal::is_terminal(&std::io::stdout()) => {
            return Err(
                Error::new(Kind::Usage, "the bytes of a key do not belong here")
                    .with_hint("name a file with -o FILE, or say --to hex"),
            );
        }
        Some(Err(_)) => {
            Target::Stdout.write(&bytes)?;
            (String::new(), None)
        }
        None => (text, None),
    };
    let report = Report::new(
        text,
        json!({
            "algorithm": public.algorithm().option(),
            "secret": is_secret,
            "from": from.id(),
            "to": args.encoding.name(),
            "file": file.map(|path| path.to_string_lossy()),
            "content": content,
            "fingerprint": public.fingerprint(),
            "key_id": beside.key_id.map(|id| id.to_string()),
            "comment": beside.comment,
        }),
    );
    Ok(match file {
        Some(path) => report.with_written([path]),
        None => report.into_result(),
    })
}

fn name(is_secret: bool) -> &'static str {
    if is_secret {
        "a secret key"
    } else {
        "a public key"
    }
}

/// Where the key goes, if that is not the report: a public key is welcome on a terminal and in JSON.
fn target_of(args: &Convert, is_secret: bool, json: bool) -> Result<Option<Target>, Error> {
    if !is_secret && args.output.is_none() {
        return Ok(None);
    }
    let (access, what) = match is_secret {
        true => (Access::Owner, name(true)),
        false => (Access::Default, name(false)),
    };
    let path = args.output.as_deref();
    if let Some(path) = path.filter(|_| is_secret) {
        refuse_public_name(path).map_err(|e| {
            e.with_hint("--public writes the public key; else give the secret one another name")
        })?;
    }
    let target = Target::new(path, access, args.force, json, what, &[&args.key])?;
    if is_secret {
        target.must_arrive(what)?;
    }
    Ok(Some(target))
}

/// Reads the key: the secret one, if there is one in the file and it is wanted. `begin` is told whether what is written will
/// be that, before it is unlocked.
fn read(
    args: &Convert,
    warnings: &mut Vec<String>,
    begin: impl FnOnce(bool) -> Result<(), Error>,
) -> Result<Key, Error> {
    without_traces(|| {
        let file = keyfile::read_key_file(&args.key)?;
        let recognised = recognise(&file.bytes, &args.key)?;
        let is_bare = matches!(recognised.form, Form::Bare(_));
        let is_seed = is_bare && args.secret.seed().is_some();
        let is_short = is_bare && recognised.body.len() == 32;
        match args.bare_public {
            // A secret key that is taken for a public one is there for all to read.
            None if is_short && !is_seed => {
                return Err(keyfile::either(&args.key).with_hint(
                    "say which they are: --seed ed25519 (or x25519, ed25519+fn-dsa-512, ed25519+fn-dsa-1024) if they are \
                     the secret key, --bare-public ed25519 (or x25519) if they are the public one",
                ));
            }
            Some(_) if !is_short => {
                return Err(Error::new(
                    Kind::Usage,
                    format!(
                        "{} does not hold 32 bytes that stand alone: leave out --bare-public",
                        Shown(&args.key)
                    ),
                )
                .with_path(&args.key));
            }
            _ => {}
        }
        if !is_seed && !keyfile::is_secret(&recognised, &args.key)? {
            if args.secret.is_used() {
                return Err(Error::new(
                    Kind::Usage,
                    format!(
                        "{} is a public key, to which the options for secret keys do not apply",
                        Shown(&args.key)
                    ),
                ));
            }
            begin(false)?;
            let bare = args.bare_public.map_or(Algorithm::Ed25519, Algorithm::from);
            return keyfile::public_of(&recognised, &args.key, bare).map(Key::Public);
        }
        begin(!args.public)?;
        let loaded = keyfile::secret_of(
            &recognised,
            &file.metadata,
            &args.key,
            &args.secret,
            warnings,
        )?;
        if args.public {
            return loaded.map(|key| Ok(key.public())).map(Key::Public);
        }
        Ok(Key::Secret(loaded))
    })
}

/// What is written. A secret key gets a password unless the user wants none.
fn content(args: &Convert, key: &Key, beside: &Beside) -> Result<Zeroizing<Vec<u8>>, Error> {
    let loaded = match key {
        Key::Secret(loaded) => loaded,
        Key::Public(loaded) => {
            if args.new_password.is_used() {
                return Err(Error::new(
                    Kind::Usage,
                    "a public key has no password: leave out the options for new ones",
                ));
            }
            return write::public(&loaded.key, args.encoding, beside).map(Zeroizing::new);
        }
    };
    // Before anything is asked of a password that would not be used.
    write::check_form(&loaded.key, args.encoding)?;
    let path = args.output.as_deref().unwrap_or(&args.key);
    let password = if args.encoding.can_encrypt() {
        args.new_password.get(path)?
    } else if args.new_password.is_none_wanted() {
        None
    } else {
        return Err(Error::new(
            Kind::Usage,
            format!(
                "a secret key in the form {:?} cannot have a password",
                args.encoding.name()
            ),
        )
        .with_hint("if that is all right, say --no-password"));
    };
    write::secret(&loaded.key, args.encoding, beside, password.as_ref())
}
