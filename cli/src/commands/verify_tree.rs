//! `lanner verify-tree`: checks the files below a directory against a signed list.

use super::sign_tree::counted;
use super::verify::{Trust, judge};
use crate::args::VerifyTree;
use crate::error::{Error, Kind};
use crate::input::{Source, is_dash};
use crate::report::Report;
use crate::signatures::{self, usual_path};
use crate::smallfile;
use crate::text::{Shown, size};
use crate::tree::hash::{TreeHash, hashes, threads};
use crate::tree::manifest::{self, Manifest};
use crate::tree::{Entry, Name, walk};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// More than the list of any tree has bytes.
const MAX_LIST: usize = 1 << 30;

pub(crate) fn run(args: &VerifyTree) -> Result<Report, Error> {
    // Before the list, which nobody misses where there is no directory.
    walk::check_root(&args.directory)?;
    let list_path = list_path(args)?;
    let signature_path = signature_path(args, &list_path)?;
    let trust = Trust::read(&args.trust)?;
    // Once: what is verified is what is used.
    let list = smallfile::read_public(&list_path, "list", MAX_LIST)?;
    let signature = signatures::read(&signature_path, args.trust.format, list.len() as u64)?;
    let source = Source::Bytes {
        name: &list_path,
        bytes: &list,
    };
    let finding = judge(&trust, &signature, source, &signature_path)?;
    let mut text = finding.text(&list_path, &signature_path);
    let mut fields = json!({
        "valid": false,
        "directory": args.directory.to_string_lossy(),
        "list_file": list_path.to_string_lossy(),
        "signature": finding.fields(&list_path, &signature_path),
    });
    // A list that nobody has vouched for says nothing of the files.
    if let Some(error) = finding.refusal(&list_path) {
        text.push_str("The files were not looked at.\n");
        let mut report = Report::new(text, fields);
        report.refusal = Some(error);
        return Ok(report);
    }
    let manifest = manifest::parse(&list, &list_path, args.hash)?;
    let own = [&list_path, &signature_path].map(|path| walk::name_below(&args.directory, path));
    let mut entries = walk(&args.directory, args.links)?;
    entries.retain(|entry| !own.iter().flatten().any(|name| *name == entry.name));
    let difference = Difference::find(&manifest, &own, entries, threads(args.threads))?;
    difference.describe(args, &mut text);
    let refusal = difference.refusal(args);
    let more = difference.fields(&manifest);
    if let (Value::Object(fields), Value::Object(more)) = (&mut fields, more) {
        fields.extend(more);
        fields.insert("valid".into(), json!(refusal.is_none()));
    }
    let mut report = Report::new(text, fields);
    report.refusal = refusal;
    Ok(report)
}

fn list_path(args: &VerifyTree) -> Result<PathBuf, Error> {
    if let Some(path) = &args.list {
        return Ok(path.clone());
    }
    let usual = TreeHash::ALL.map(|hash| args.directory.join(hash.file_name()));
    let mut there = usual.iter().filter(|path| path.symlink_metadata().is_ok());
    match (there.next(), there.next()) {
        (Some(path), None) => Ok(path.clone()),
        (None, _) => Err(Error::new(
            Kind::NotFound,
            format!("there is no list of hashes in {}", Shown(&args.directory)),
        )
        .with_path(&args.directory)
        .with_hint("name it with -l LIST; lanner sign-tree makes one")),
        (Some(_), Some(_)) => Err(Error::new(
            Kind::Usage,
            format!("there are several lists in {}", Shown(&args.directory)),
        )
        .with_path(&args.directory)
        .with_hint("name the one that counts with -l LIST")),
    }
}

fn signature_path(args: &VerifyTree, list: &Path) -> Result<PathBuf, Error> {
    if is_dash(list) || args.signature.as_deref().is_some_and(is_dash) {
        return Err(Error::new(
            Kind::Usage,
            "neither a list nor its signature can come from standard input",
        ));
    }
    Ok(match &args.signature {
        Some(path) => path.clone(),
        None => usual_path(list, args.trust.format),
    })
}

/// How a tree differs from its list.
#[derive(Default)]
struct Difference {
    files: usize,
    bytes: u64,
    /// With the reason, where it is another one than the content.
    changed: Vec<(Name, Option<&'static str>)>,
    missing: Vec<Name>,
    added: Vec<(Name, Option<&'static str>)>,
    unreadable: Vec<(Name, Error)>,
}

impl Difference {
    /// `own` are the list and its signature, which are there and not among the entries.
    fn find(
        manifest: &Manifest,
        own: &[Option<Name>; 2],
        entries: Vec<Entry>,
        threads: usize,
    ) -> Result<Self, Error> {
        const WHY: [&str; 2] = [
            "it is the list itself, which cannot have its own hash",
            "it is the signature of the list, which cannot have the hash of that",
        ];
        let mut difference = Difference::default();
        for (name, why) in own.iter().zip(WHY) {
            let listed = name.as_ref().filter(|it| manifest.digests.contains_key(it));
            let listed = listed.map(|name| (name.clone(), Some(why)));
            difference.changed.extend(listed);
        }
        let there: BTreeSet<&Name> = entries.iter().map(|entry| &entry.name).collect();
        difference.missing = manifest
            .digests
            .keys()
            .filter(|name| !there.contains(name) && !own.iter().flatten().any(|it| it == *name))
            .cloned()
            .collect();
        let (listed, added): (Vec<_>, Vec<_>) = entries
            .into_iter()
            .partition(|entry| manifest.digests.contains_key(&entry.name));
        difference.added = added.into_iter().map(|it| (it.name, it.other)).collect();
        let (others, files): (Vec<_>, Vec<_>) =
            listed.into_iter().partition(|entry| entry.other.is_some());
        let others = others.into_iter().map(|it| (it.name, it.other));
        difference.changed.extend(others);
        let results = hashes(&files, manifest.hash, threads, "verifying", false)?;
        for (entry, result) in files.into_iter().zip(results) {
            match result {
                Ok(hashed) => {
                    difference.files += 1;
                    difference.bytes += hashed.size;
                    if hashed.digest != manifest.digests[&entry.name] {
                        difference.changed.push((entry.name, None));
                    }
                }
                Err(error) => difference.unreadable.push((entry.name, error)),
            }
        }
        difference.changed.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(difference)
    }

    fn describe(&self, args: &VerifyTree, text: &mut String) {
        let mut line = |what: &str, name: &Name, why: &str| {
            let _ = writeln!(text, "{what}: {name}{why}");
        };
        let reason = |why: &Option<&str>| why.map_or(String::new(), |why| format!("  ({why})"));
        for (name, why) in &self.changed {
            line("CHANGED", name, &reason(why));
        }
        for name in &self.missing {
            line("MISSING", name, "");
        }
        for (name, why) in &self.added {
            line("ADDED", name, &reason(why));
        }
        for (name, error) in &self.unreadable {
            line("UNREADABLE", name, &format!("  ({})", error.message));
        }
        let verdict = if self.refusal(args).is_none() {
            "AS SIGNED"
        } else {
            "NOT AS SIGNED"
        };
        let _ = writeln!(
            text,
            "{verdict}: {}\n  {} read ({}), {} changed, {} missing, {} added, {} unreadable",
            Shown(&args.directory),
            counted(self.files),
            size(self.bytes),
            self.changed.len(),
            self.missing.len(),
            self.added.len(),
            self.unreadable.len(),
        );
    }

    fn refusal(&self, args: &VerifyTree) -> Option<Error> {
        let counts_added = !self.added.is_empty() && !args.allow_added;
        if !self.changed.is_empty() || !self.missing.is_empty() || counts_added {
            let error = Error::new(
                Kind::TreeDiffers,
                format!(
                    "{} is not as it was signed: {} changed, {} missing, {} added",
                    Shown(&args.directory),
                    self.changed.len(),
                    self.missing.len(),
                    self.added.len()
                ),
            );
            return Some(error.with_path(&args.directory));
        }
        self.unreadable.first().map(|(_, error)| error.clone())
    }

    fn fields(&self, manifest: &Manifest) -> Value {
        let named = |list: &[(Name, Option<&str>)]| -> Vec<Value> {
            list.iter()
                .map(|(name, why)| json!({ "file": name.lossy(), "reason": why }))
                .collect()
        };
        let missing = self
            .missing
            .iter()
            .map(|name| json!({ "file": name.lossy() }));
        let unreadable = self
            .unreadable
            .iter()
            .map(|(name, error)| json!({ "file": name.lossy(), "error": error.to_json() }));
        json!({
            "list_hash": manifest.hash.id(),
            "files": self.files,
            "bytes": self.bytes,
            "changed": named(&self.changed),
            "missing": missing.collect::<Vec<_>>(),
            "added": named(&self.added),
            "unreadable": unreadable.collect::<Vec<_>>(),
        })
    }
}
