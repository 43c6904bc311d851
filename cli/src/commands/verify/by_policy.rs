//! `lanner verify --policy`: checks directories and files against a policy.

use super::{Trust, judge};
use crate::args::{TrustArgs, Verify};
use crate::error::{Error, Kind};
use crate::input::{Source, is_dash};
use crate::paths::directory_of;
use crate::policy::standing::{self, Digests, Heard, Standing};
use crate::policy::{Policy, Rule};
use crate::report::Report;
use crate::signatures::Format;
use crate::signatures::Signature;
use crate::smallfile;
use crate::text::{Plain, Shown};
use crate::time::Moment;
use crate::tree::{Entry, Links, Name, walk};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

/// What signatures of policies are for.
pub(crate) const POLICY_NAMESPACE: &str = "lanner-policy";

/// More than any policy has bytes.
const MAX_POLICY: usize = 16 << 20;

pub(super) fn run(args: &Verify, path: &Path) -> Result<Report, Error> {
    if is_dash(path) || args.files.iter().any(|file| is_dash(file)) {
        return Err(Error::new(
            Kind::Usage,
            "--policy takes files and directories, not standard input",
        ));
    }
    let time = Moment::of_option(args.trust.verify_time.as_deref())?;
    let bytes = smallfile::read_public(path, "policy", MAX_POLICY)?;
    if let Some(refused) = unsigned_or_untrusted(args, path, &bytes)? {
        return Ok(refused);
    }
    let policy = Policy::parse(&bytes, path)?;
    if !policy.period.holds_at(time) {
        return Err(Error::new(
            Kind::OutsideValidity,
            format!("the policy {} holds at another time only", Shown(path)),
        )
        .with_path(path)
        .with_hint("ask who wrote it for a new one"));
    }
    let mut outcome = Outcome::default();
    for file in &args.files {
        for judged in judged(file, path, &policy)? {
            let standing = standing::of(&policy, &judged.entry, &judged.signatures, time);
            outcome.add(&judged, &standing);
            for count in &standing.counts {
                outcome.matched.push(std::ptr::from_ref(count.rule));
            }
        }
    }
    for rule in &policy.rules {
        if rule.required && !outcome.matched.contains(&std::ptr::from_ref(rule)) {
            outcome.absent.push(rule.title());
        }
    }
    Ok(outcome.report(path))
}

/// The policy must not come from what it judges, unless a key that the user has named vouches for it. What comes back is
/// a refusal.
fn unsigned_or_untrusted(
    args: &Verify,
    path: &Path,
    bytes: &[u8],
) -> Result<Option<Report>, Error> {
    let Some(key) = &args.policy_key else {
        let places = walk::places_on_the_way(path).map_err(|e| Error::io("read", path, &e))?;
        for file in &args.files {
            let trees = trees_of(file).map_err(|e| Error::io("read", file, &e))?;
            let is_below = |place: &PathBuf| {
                trees
                    .iter()
                    .any(|tree| place != tree && place.starts_with(tree))
            };
            if places.iter().any(is_below) {
                let is_direct = trees.iter().all(|tree| *tree == trees[0]);
                let why = if file.is_dir() {
                    "lies in what it would judge: whoever can change that can change it".to_owned()
                } else {
                    format!(
                        "lies in the directory of {}{}, where whoever replaces the file can replace it",
                        Shown(file),
                        if is_direct {
                            ""
                        } else {
                            ", or of a link on the way to it"
                        },
                    )
                };
                return Err(Error::new(
                    Kind::Usage,
                    format!("the policy {} {why}", Shown(path)),
                )
                .with_path(path)
                .with_hint(
                    "keep it elsewhere, or sign it (lanner sign -n lanner-policy) and name the key with \
                     --policy-key PUB",
                ));
            }
        }
        return Ok(None);
    };
    let mut trust_args = TrustArgs::of_key(key);
    trust_args.namespace = Some(POLICY_NAMESPACE.to_owned());
    let trust = Trust::read(&trust_args)?;
    let signature_path = Format::Ssh.path_for(path);
    let signature = crate::signatures::read(&signature_path, Some(Format::Ssh), 0)?;
    // It is not judged as a file where the policy lies in the tree.
    if matches!(&signature, Signature::Ssh(signature) if signature.has_reserved) {
        return Err(Error::new(
            Kind::BadSignatureFile,
            format!(
                "{} has something in its reserved field, which nobody signs",
                Shown(&signature_path)
            ),
        )
        .with_path(&signature_path)
        .with_hint("sign the policy anew: lanner sign -n lanner-policy"));
    }
    let source = Source::Bytes { name: path, bytes };
    let finding = judge(&trust, &signature, source, &signature_path)?;
    Ok(finding.refusal(path).map(|error| {
        let mut text = finding.text(path, &signature_path);
        text.push_str("The files were not looked at.\n");
        let mut report = Report::new(
            text,
            json!({
                "valid": false,
                "policy_file": path.to_string_lossy(),
                "policy_signature": finding.fields(path, &signature_path),
            }),
        );
        report.refusal = Some(error);
        report
    }))
}

/// Where what is judged can be changed: the directory itself; of a file, the directories that it lies in and that every
/// link on the way to it lies in.
fn trees_of(file: &Path) -> io::Result<Vec<PathBuf>> {
    let real = std::fs::canonicalize(file)?;
    if real.is_dir() {
        return Ok(vec![real]);
    }
    let places = walk::places_on_the_way(file)?;
    let links = places.iter().filter(|place| place.is_symlink());
    let ends = links.chain(places.last()).chain([&real]);
    Ok(ends
        .filter_map(|place| Some(place.parent()?.to_owned()))
        .collect())
}

/// The files that an argument stands for, each with what may be its signatures.
fn judged(file: &Path, policy_path: &Path, policy: &Policy) -> Result<Vec<Judged>, Error> {
    let metadata = std::fs::metadata(file).map_err(|e| Error::io("read", file, &e))?;
    if metadata.is_dir() {
        let signature = Format::Ssh.path_for(policy_path);
        // A signed policy may lie in the tree; it was judged by itself.
        let own = [policy_path, &signature].map(|path| walk::name_below(file, path));
        let mut entries = walk(file, Links::Refuse)?;
        entries.retain(|entry| !own.iter().flatten().any(|name| *name == entry.name));
        return with_signatures(entries, policy, None);
    }
    // A file that is named itself is judged by its name alone. What may be a signature of it has its name and a dot.
    let directory = directory_of(file);
    let name = walk::name_of(file)?;
    let beginning = [&name.0[..], b"."].concat();
    let mut entries = Vec::new();
    let error = |e| Error::io("read the directory", directory, &e);
    for entry in std::fs::read_dir(directory).map_err(error)? {
        let entry = entry.map_err(error)?;
        let is_file = entry.file_type().map_err(error)?.is_file();
        let path = entry.path();
        let sibling = walk::name_of(&path)?;
        if is_file && sibling.0.starts_with(&beginning) {
            entries.push(Entry {
                name: sibling,
                path: directory.join(entry.file_name()),
                size: 0,
                is_link: false,
                other: None,
            });
        }
    }
    let is_file = metadata.is_file();
    entries.push(Entry {
        name: name.clone(),
        path: file.to_owned(),
        size: 0,
        is_link: true,
        other: (!is_file).then_some("no regular file"),
    });
    let mut judged = with_signatures(entries, policy, Some(&name))?;
    judged.retain(|judged| judged.entry.name == name);
    Ok(judged)
}

/// A file, and what is a signature by its name and by what is in it.
struct Judged {
    entry: Entry,
    digests: Digests,
    /// What was heard of the signatures by its name, those too that are none and are judged as files.
    signatures: Vec<Heard>,
    /// Why it is no signature, although it is called as one.
    no_signature: Option<String>,
}

/// Shares signatures out to the files that they are of. A file is a signature if its name is that of another file, a
/// dot, perhaps some words with a dot after each, and `sig` (it belongs to the longest such name), and if there is nothing in
/// it but a signature of that file. One that only looks like it is a file like any other: else anything could be smuggled in
/// under such a name. With `only`, signatures of other files than this one are not looked at.
fn with_signatures(
    mut entries: Vec<Entry>,
    policy: &Policy,
    only: Option<&Name>,
) -> Result<Vec<Judged>, Error> {
    let mut files: Vec<Judged> = Vec::new();
    let mut places: HashMap<Name, usize> = HashMap::new();
    // Names of files come before those of their signatures.
    entries.sort_by_key(|entry| entry.name.0.len());
    for entry in entries {
        let name = &entry.name.0;
        let owner = name
            .strip_suffix(b".sig")
            .filter(|_| entry.other.is_none())
            .and_then(|stem| {
                let within = stem.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
                let dots = (within..stem.len()).rev().filter(|&at| stem[at] == b'.');
                std::iter::once(stem.len())
                    .chain(dots)
                    .find_map(|end| places.get(&Name(stem[..end].to_vec())))
            });
        let no_signature = match owner {
            Some(&place) if only.is_some_and(|only| *only != files[place].entry.name) => continue,
            Some(&place) => match standing::signature(&entry.path)? {
                Ok(signature) => {
                    let file = &mut files[place];
                    let path = entry.path.clone();
                    let heard =
                        standing::hear(policy, &mut file.digests, &file.entry, path, &signature)?;
                    let is_signature = heard.is_signature;
                    let why = heard.why_not.clone().unwrap_or_default();
                    file.signatures.push(heard);
                    if is_signature {
                        continue;
                    }
                    Some(format!(
                        "{} is not one of {}: {why}",
                        Shown(&entry.path),
                        Shown(&file.entry.path)
                    ))
                }
                Err(why) => Some(why),
            },
            None => None,
        };
        places.insert(entry.name.clone(), files.len());
        files.push(Judged {
            entry,
            digests: Digests::default(),
            signatures: Vec::new(),
            no_signature,
        });
    }
    for file in &mut files {
        file.signatures.sort_by(|a, b| a.path.cmp(&b.path));
    }
    files.sort_by(|a, b| a.entry.name.cmp(&b.entry.name));
    Ok(files)
}

/// What there is to say of all files.
#[derive(Default)]
struct Outcome {
    text: String,
    results: Vec<Value>,
    failed: Vec<PathBuf>,
    files: usize,
    matched: Vec<*const Rule>,
    absent: Vec<String>,
}

impl Outcome {
    fn add(&mut self, judged: &Judged, standing: &Standing<'_>) {
        let entry = &judged.entry;
        self.files += 1;
        let is_met = standing.is_met();
        if !is_met {
            self.failed.push(entry.path.clone());
        }
        let verdict = if is_met { "MET" } else { "NOT MET" };
        let text = &mut self.text;
        let _ = writeln!(text, "{verdict}: {}", Shown(&entry.path));
        if let Some(why) = &standing.why {
            let _ = writeln!(text, "  because      {why}");
        }
        if let Some(why) = judged.no_signature.as_ref().filter(|_| !is_met) {
            let _ = writeln!(
                text,
                "  no signature {}, so it is a file like any other",
                Plain(why)
            );
        }
        for count in &standing.counts {
            let names = |names: &mut dyn Iterator<Item = &String>| {
                let names: Vec<String> = names.map(|name| Plain(name).to_string()).collect();
                names.join(", ")
            };
            if standing.why.is_none() {
                let has = match count.signers.len() {
                    0 => "has none".to_owned(),
                    _ => format!("has {}", names(&mut count.signers.iter())),
                };
                let _ = writeln!(
                    text,
                    "  {}  needs {} of {}; {has}",
                    if count.is_met() {
                        "rule met   "
                    } else {
                        "because    "
                    },
                    count.rule.threshold,
                    names(&mut count.rule.signers.iter()),
                );
            }
        }
        for heard in &standing.heard {
            let what = if heard.why_not.is_some() {
                "no signature"
            } else {
                "signature   "
            };
            let mut said = vec![Shown(&heard.path).to_string()];
            said.extend(heard.why_not.as_ref().map(|why| Plain(why).to_string()));
            said.extend(heard.signer.as_ref().map(|name| Plain(name).to_string()));
            said.extend(heard.algorithm.clone());
            said.extend(heard.fingerprint.clone());
            let but = heard.but.as_ref();
            said.extend(but.map(|why| format!("but for another rule {why}")));
            let _ = writeln!(text, "  {what} {}", said.join(", "));
        }
        self.results.push(json!({
            "file": entry.path.to_string_lossy(),
            "name": entry.name.lossy(),
            "met": is_met,
            "reason": standing.why.as_ref().or(judged.no_signature.as_ref().filter(|_| !is_met)),
            "rules": standing.counts.iter().map(|count| json!({
                "files": count.rule.files.iter().map(|it| it.text()).collect::<Vec<_>>(),
                "threshold": count.rule.threshold,
                "signers": count.rule.signers,
                "signed_by": count.signers,
                "met": count.is_met(),
            })).collect::<Vec<_>>(),
            "signatures": standing.heard.iter().map(signature_fields).collect::<Vec<_>>(),
        }));
    }

    fn report(mut self, path: &Path) -> Report {
        for title in &self.absent {
            let _ = writeln!(self.text, "MISSING: {}", Plain(title));
        }
        let nothing = self.files == 0;
        let good = self.failed.is_empty() && self.absent.is_empty() && !nothing;
        let _ = writeln!(
            self.text,
            "{}: {}\n  {} files, {} of them without what the policy asks for",
            if good { "POLICY MET" } else { "POLICY NOT MET" },
            Shown(path),
            self.files,
            self.failed.len(),
        );
        let mut report = Report::new(
            self.text,
            json!({
                "valid": good,
                "policy_file": path.to_string_lossy(),
                "results": self.results,
                "missing": self.absent,
            }),
        );
        let message = match (self.failed.first(), self.absent.first()) {
            _ if nothing => "there are no files to judge".to_owned(),
            (Some(first), _) => {
                let others = match self.failed.len() {
                    1 => String::new(),
                    2 => ", nor has another file".to_owned(),
                    n => format!(", nor have {} other files", n - 1),
                };
                format!(
                    "{} has not the signatures that the policy asks for{others}",
                    Shown(first)
                )
            }
            (None, Some(title)) => format!("there is no file that is called {}", Plain(title)),
            (None, None) => return report,
        };
        let mut error = Error::new(Kind::PolicyNotMet, message);
        if let Some(first) = self.failed.first() {
            error = error.with_path(first);
        }
        report.refusal = Some(error);
        report
    }
}

fn signature_fields(heard: &Heard) -> Value {
    json!({
        "signature_file": heard.path.to_string_lossy(),
        "counts": heard.why_not.is_none(),
        "reason": heard.why_not.as_ref().or(heard.but.as_ref()),
        "signer": heard.signer,
        "algorithm": heard.algorithm,
        "fingerprint": heard.fingerprint,
    })
}
