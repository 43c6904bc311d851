//! `lanner sign-tree`: signs a list of the hashes of all files below a directory.

use super::sign::{self, Signer};
use crate::args::{ContextArgs, Sign, SignTree};
use crate::error::{Error, Kind};
use crate::input::{Source, is_dash};
use crate::output::{self, Access, Output};
use crate::paths::same_destination;
use crate::report::Report;
use crate::signatures::Format;
use crate::text::{Shown, hex, size};
use crate::tree::hash::{TreeHash, hashes, not_a_file, threads};
use crate::tree::manifest::{self, Form};
use crate::tree::{Entry, collisions, walk};
use serde_json::json;
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &SignTree, warnings: &mut Vec<String>) -> Result<Report, Error> {
    let list_path = args
        .output
        .clone()
        .unwrap_or_else(|| args.directory.join(args.hash.file_name()));
    if is_dash(&list_path) {
        return Err(Error::new(
            Kind::Usage,
            "a list and its signature go to two files, not to standard output",
        )
        .with_hint("name the list; one that is called - is ./-"));
    }
    let signature_path = args.format.path_for(&list_path);
    let how = signing(args, &list_path);
    sign::check(&how)?;
    if args.format == Format::Signify && args.hash == TreeHash::Blake3 {
        return Err(Error::new(
            Kind::Usage,
            "signify knows SHA-256 and SHA-512 only: choose one with --hash",
        ));
    }
    let inputs = [args.key.as_path()];
    let output = |path: &Path| Output::new(path, Access::Default, args.force, &inputs);
    // Before the names of the outputs, which would not be what is wrong.
    walk::check_root(&args.directory)?;
    // Before the walk: what a killed run has left behind is removed, and not listed.
    let (list_output, signature_output) = (output(&list_path)?, output(&signature_path)?);
    refuse_stale(args, &list_path, &signature_path)?;
    let entries = files(args, &list_path, &signature_path, warnings)?;
    let signer = Signer::read(&how, warnings)?;
    let hashed = hashes(&entries, args.hash, threads(args.threads), "hashing", true)?
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    let bytes = hashed.iter().map(|it| it.size).sum::<u64>();
    let list = manifest::compose(
        args.hash,
        form(args),
        entries
            .iter()
            .map(|entry| &entry.name)
            .zip(hashed.iter().map(|it| &it.digest[..])),
    );
    let source = Source::Bytes {
        name: &list_path,
        bytes: &list,
    };
    let mut signature = signer.content(source)?;
    if args.format == Format::Signify {
        // What `signify -S -e` writes.
        signature.extend_from_slice(&list);
    }
    output::write_both((&list_output, &list), (&signature_output, &signature))?;
    let text = format!(
        "Signed {} with {} ({}).\n  list         {}  ({}, {})\n  signature    {}  ({})\n{}",
        Shown(&args.directory),
        counted(entries.len()),
        size(bytes),
        Shown(&list_path),
        args.hash.tag(),
        match form(args) {
            Form::Gnu => "the form of GNU",
            Form::Bsd => "the form of BSD",
        },
        Shown(&signature_path),
        args.format.name(),
        signer.facts(),
    );
    let results = vec![json!({
        "file": list_path.to_string_lossy(),
        "signature_file": signature_path.to_string_lossy(),
        "signature_hex": *hex(&signature),
    })];
    let report = Report::new(
        text,
        json!({
            "directory": args.directory.to_string_lossy(),
            "list_file": list_path.to_string_lossy(),
            "list_hash": args.hash.id(),
            "list_form": form(args).id(),
            "files": entries.len(),
            "bytes": bytes,
            "signature": signer.fields(results),
        }),
    );
    Ok(report.with_written([list_path.as_path(), &signature_path]))
}

pub(super) fn counted(files: usize) -> String {
    match files {
        1 => "1 file".to_owned(),
        n => format!("{n} files"),
    }
}

/// signify reads the form of BSD only.
fn form(args: &SignTree) -> Form {
    if args.tag || args.format == Format::Signify {
        Form::Bsd
    } else {
        Form::Gnu
    }
}

/// The options that `lanner sign` would have for the list.
fn signing(args: &SignTree, list: &Path) -> Sign {
    Sign {
        key: args.key.clone(),
        algorithm: args.algorithm,
        files: vec![PathBuf::from(list)],
        output: None,
        format: args.format,
        namespace: args.namespace.clone(),
        context: ContextArgs::default(),
        hash: None,
        comment: args.comment.clone(),
        trusted_comment: args.trusted_comment.clone(),
        legacy: false,
        agent: args.agent,
        force: args.force,
        secret: args.secret.clone(),
    }
}

/// Refuses to sign where verify-tree would find something older in the place of what is written.
fn refuse_stale(args: &SignTree, list: &Path, signature: &Path) -> Result<(), Error> {
    let refuse = |old: &Path, what: &str| {
        Err(Error::new(
            Kind::AlreadyExists,
            format!(
                "{} is {what}: verify-tree could not tell which one counts",
                Shown(old)
            ),
        )
        .with_path(old)
        .with_hint(
            "if it is of an earlier run, remove it; else write this list elsewhere with -o LIST",
        ))
    };
    let is_there = |path: &Path| path.symlink_metadata().is_ok();
    for format in Format::ENDINGS {
        let other = format.path_for(list);
        if other != signature && is_there(&other) {
            return refuse(&other, "another signature of this list");
        }
    }
    let usual = TreeHash::ALL.map(|hash| args.directory.join(hash.file_name()));
    // However either is spelt.
    if let Some(own) = usual.iter().find(|path| same_destination(path, list))
        && let Some(other) = usual.iter().find(|path| *path != own && is_there(path))
    {
        return refuse(other, "another list of this directory");
    }
    Ok(())
}

/// What is to be listed. Anything that a list has no words for is an error.
fn files(
    args: &SignTree,
    list: &Path,
    signature: &Path,
    warnings: &mut Vec<String>,
) -> Result<Vec<Entry>, Error> {
    let own = [list, signature].map(|path| walk::name_below(&args.directory, path));
    let mut entries = walk(&args.directory, args.links)?;
    entries.retain(|entry| !own.iter().flatten().any(|name| *name == entry.name));
    if entries.is_empty() {
        return Err(Error::new(
            Kind::Usage,
            format!("there are no files in {}", Shown(&args.directory)),
        )
        .with_path(&args.directory));
    }
    if let Some((entry, what)) = entries.iter().find_map(|it| Some((it, it.other?))) {
        return Err(not_a_file(entry, what));
    }
    let own = [list, signature].map(std::fs::canonicalize);
    let is_own = |entry: &&Entry| {
        entry.is_link
            && std::fs::canonicalize(&entry.path)
                .is_ok_and(|target| own.iter().flatten().any(|own| *own == target))
    };
    if let Some(entry) = entries.iter().find(is_own) {
        return Err(Error::new(
            Kind::NotAFile,
            format!(
                "{} is a link to the list, or to its signature, which are yet to be written",
                Shown(&entry.path)
            ),
        )
        .with_path(&entry.path)
        .with_hint("remove the link, or write the list outside of the directory with -o LIST"));
    }
    if let Some((a, b)) = collisions::first(entries.iter().map(|entry| &entry.name)) {
        let (a, b) = (
            Shown(Path::new(&a)).to_string(),
            Shown(Path::new(&b)).to_string(),
        );
        let message = format!("some file systems take {a} and {b} for the same name");
        if !args.allow_collisions {
            return Err(Error::new(Kind::Usage, message)
                .with_path(&args.directory)
                .with_hint("rename one, or give --allow-collisions"));
        }
        warnings.push(message);
    }
    // As signify reads a line: the name ends at a parenthesis, and has no spaces.
    if args.format == Format::Signify
        && let Some(entry) = entries.iter().find(|entry| {
            let is_unfit = |byte: &u8| byte.is_ascii_whitespace() || b"\\()".contains(byte);
            entry.name.0.iter().any(is_unfit) || entry.name.0.len() > 1000
        })
    {
        return Err(Error::new(
            Kind::Usage,
            format!("signify cannot read the name {}", entry.name),
        )
        .with_path(&entry.path)
        .with_hint("rename the file, or choose another --format"));
    }
    Ok(entries)
}
