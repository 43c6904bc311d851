//! `cargo xtask dist`: what is released for those who have no Rust. With `--everything`, all that this machine can make: archives,
//! Debian packages, what they were made of and by what (a statement in the form of in-toto, with SLSA's provenance), the
//! checksums of all, and signatures. Wheels and the npm archive are made and published by their workflows.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::c::dist::{VERSION, checksum, dist_dir, libraries};
use crate::c::foreign::FOREIGN;
use crate::command::{self, STATIC};
use crate::debian;
use crate::files::{fresh, read, text, write};
use crate::needs::Need;
use crate::process::{Cmd, root, target_dir, value};
use crate::targets::{TESTED, find};
use crate::twice;

/// `cargo xtask dist`.
///
/// # Errors
///
/// An option is unknown, or a build fails.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let mut triples = Vec::new();
    let (mut command, mut deb, mut everything, mut twice) = (false, false, false, false);
    let mut key = None;
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--target" => triples.push(value(arg, &mut args)?.to_owned()),
            "--command" => command = true,
            "--deb" => deb = true,
            "--everything" => everything = true,
            "--twice" => twice = true,
            "--key" => key = Some(value(arg, &mut args)?),
            other => return Err(format!("dist: unknown option '{other}'")),
        }
    }
    let kinds = [command, deb, everything, twice];
    let kinds = kinds.iter().filter(|is| **is).count();
    let here_alone = deb || everything || twice;
    if kinds > 1 || here_alone && !triples.is_empty() || key.is_some() && !everything {
        return Err(String::from("dist: these options do not go together"));
    }
    if everything {
        everything_with(key)
    } else if twice {
        twice::check().map(drop)
    } else if deb {
        for package in debian::packages()? {
            println!("{}", package.display());
        }
        Ok(())
    } else if command {
        command::dist(&triples)
    } else {
        libraries(triples)
    }
}

/// Makes everything; with a key, signs it. What could not be made is said at the end.
///
/// # Errors
///
/// The checkout differs from its commit, a build fails, or a signature is not made.
fn everything_with(key: Option<&str>) -> Result<(), String> {
    let commit = clean_commit()?;
    // Before hours of building.
    let key = key.map(readable).transpose()?;
    fresh(&dist_dir())?;
    let mut compilers = vec![first_line("rustc", "-V")?, first_line("cargo", "-V")?];
    let mut left_out = Vec::new();
    for target in TESTED {
        let target = find(target.triple)?;
        let needs = [Need::Target(target.triple), target.need()];
        if is_possible("the library", target.triple, &needs, &mut left_out) {
            libraries(vec![target.triple.to_owned()])?;
            compilers.push(first_line(target.cc[0], "--version")?);
        }
    }
    for foreign in FOREIGN {
        if is_possible(
            "the library",
            foreign.triple,
            &foreign.needs(),
            &mut left_out,
        ) {
            libraries(vec![foreign.triple.to_owned()])?;
        }
    }
    let needs = [Need::Target(STATIC)];
    let signer = if is_possible("the command", STATIC, &needs, &mut left_out) {
        command::dist(&[STATIC.to_owned()])?;
        Some(target_dir().join(STATIC).join("release/lanner"))
    } else {
        None
    };
    let needs = [
        Need::program("dpkg-deb", &["dpkg"]),
        Need::program("dpkg-shlibdeps", &["dpkg-dev"]),
    ];
    if is_possible("packages", "Debian", &needs, &mut left_out) {
        debian::packages()?;
    }
    compilers.sort();
    compilers.dedup();
    let sums = read(&dist_dir().join("SHA256SUMS"))?;
    let lock = std::fs::read(root().join("Cargo.lock")).map_err(|error| error.to_string())?;
    let predicate = predicate(&commit, &hex(&Sha256::digest(&lock)), &compilers);
    let name = format!("lanner-{VERSION}.provenance.json");
    write_json(&dist_dir().join(&name), &statement(&predicate, &sums))?;
    checksum(&name)?;
    match (key, signer) {
        (None, _) => println!("not signed: no --key"),
        (Some(_), None) => return Err(String::from("there is no command here that could sign")),
        (Some(key), Some(lanner)) => sign(&lanner, &key, &predicate)?,
    }
    left_out.iter().for_each(|what| println!("SKIPPED: {what}"));
    println!("{}", dist_dir().display());
    Ok(())
}

/// The path of a key that can be read, from the root of the file system on: the commands that use it start elsewhere.
fn readable(key: &str) -> Result<String, String> {
    read(Path::new(key)).map_err(|error| format!("the key: {error}"))?;
    let path = Path::new(key).canonicalize();
    path.map(|path| text(&path))
        .map_err(|error| format!("the key: {error}"))
}

/// Whether all is there that something takes; if not, it is noted.
fn is_possible(what: &str, of: &str, needs: &[Need], left_out: &mut Vec<String>) -> bool {
    let missing = needs.iter().find(|need| !need.is_met());
    if let Some(need) = missing {
        left_out.push(format!("{what} for {of}: {} is missing", need.describe()));
    }
    missing.is_none()
}

/// The commit, if there is nothing beside it.
fn clean_commit() -> Result<String, String> {
    let git = |args: &[&str]| Cmd::new("git").args(args.iter().copied()).capture();
    let changes = git(&["status", "--porcelain"])?;
    if !changes.is_empty() {
        return Err(format!(
            "the checkout differs from its commit, of which a release would speak:\n{changes}"
        ));
    }
    Ok(git(&["rev-parse", "HEAD"])?.trim().to_owned())
}

fn first_line(program: &str, option: &str) -> Result<String, String> {
    let said = Cmd::new(program).args([option]).capture()?;
    Ok(said.lines().next().unwrap_or_default().to_owned())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// How it was made: SLSA's provenance, version 1. It has no times, so that who makes it again gets the same.
fn predicate(commit: &str, lock: &str, compilers: &[String]) -> Value {
    json!({
        "buildDefinition": {
            "buildType": "tag:lanner.invalid,2026:cargo-xtask-dist",
            "externalParameters": { "command": "cargo xtask dist --everything", "version": VERSION },
            "internalParameters": { "compilers": compilers },
            "resolvedDependencies": [
                { "name": "lanner", "digest": { "gitCommit": commit } },
                { "name": "Cargo.lock", "digest": { "sha256": lock } },
            ],
        },
        "runDetails": { "builder": { "id": "tag:lanner.invalid,2026:by-hand" } },
    })
}

/// The predicate about the files of a list of checksums: a statement of in-toto, version 1.
fn statement(predicate: &Value, sums: &str) -> Value {
    let subject: Vec<Value> = sums
        .lines()
        .filter_map(|line| line.split_once("  "))
        .map(|(digest, name)| json!({ "name": name, "digest": { "sha256": digest } }))
        .collect();
    json!({
        "_type": "https://in-toto.io/Statement/v1",
        "subject": subject,
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": predicate,
    })
}

fn write_json(file: &Path, value: &Value) -> Result<(), String> {
    let text = serde_json::to_string_pretty(value).map_err(|error| error.to_string())?;
    write(file, text + "\n")
}

/// Signs the checksums, in the command's own format and in minisign's, and the provenance in an envelope.
fn sign(lanner: &Path, key: &str, predicate: &Value) -> Result<(), String> {
    let dist = dist_dir();
    let sums = text(&dist.join("SHA256SUMS"));
    let lanner = |args: &[&str]| {
        Cmd::new(&text(lanner))
            .args(args.iter().copied())
            .run()
            .map(drop)
    };
    lanner(&["sign", "-k", key, &sums])?;
    lanner(&["sign", "-k", key, "--format", "minisign", &sums])?;
    let said = target_dir().join("provenance.json");
    write_json(&said, predicate)?;
    let envelope = text(&dist.join(format!("lanner-{VERSION}.intoto.jsonl")));
    let (said, files) = (text(&said), made(&read(Path::new(&sums))?));
    let files: Vec<String> = files.iter().map(|name| text(name)).collect();
    let mut args = vec!["attest", "-k", key, "--predicate-type", "slsa-provenance"];
    args.extend(["--predicate", &said, "-o", &envelope]);
    args.extend(files.iter().map(String::as_str));
    lanner(&args)
}

/// The files of a list of checksums.
fn made(sums: &str) -> Vec<PathBuf> {
    let names = sums.lines().filter_map(|line| line.split_once("  "));
    names.map(|(_, name)| dist_dir().join(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_names_every_file() {
        let statement = statement(
            &predicate("c0ffee", "10cc", &[]),
            "aa  one.deb\nbb  two.tar.gz\n",
        );
        assert_eq!(statement["subject"][1]["name"], "two.tar.gz");
        assert_eq!(statement["subject"][1]["digest"]["sha256"], "bb");
        let made_of = &statement["predicate"]["buildDefinition"]["resolvedDependencies"];
        assert_eq!(made_of[0]["digest"]["gitCommit"], "c0ffee");
        assert_eq!(made("aa  one.deb\n")[0].file_name().unwrap(), "one.deb");
    }

    /// Tests start in the directory of their package, commands in the root.
    #[test]
    fn a_key_is_found_from_where_it_is_named() {
        let here = std::env::current_dir().expect("it has one");
        let key = readable("src/release.rs").expect("it is there");
        assert_eq!(Path::new(&key), here.join("src/release.rs"));
        assert!(Cmd::new("test").args(["-f", &key]).capture().is_ok());
        assert!(readable("no-such.pem").is_err());
    }

    #[test]
    fn what_is_missing_is_noted() {
        let mut left_out = Vec::new();
        let missing = [Need::program("no-such-program-here", &["no-such-package"])];
        assert!(!is_possible("a", "b", &missing, &mut left_out));
        assert!(is_possible(
            "a",
            "b",
            &[Need::program("sh", &["dash"])],
            &mut left_out
        ));
        assert!(left_out.len() == 1 && left_out[0].starts_with("a for b: no-such-program-here"));
    }

    /// What a piece of the page between backquotes asks for, where that is something of this repository that is not there.
    fn lacks(code: &str) -> Option<String> {
        let words: Vec<&str> = code.split_whitespace().collect();
        let there = |path: &str| {
            ["", "js", "python"]
                .iter()
                .any(|dir| root().join(dir).join(path).exists())
        };
        let option = |help: &str| {
            words
                .iter()
                .find(|word| word.starts_with("--") && !help.contains(*word))
                .map(|word| (*word).to_owned())
        };
        match words[..] {
            ["cargo", "xtask", name, ..] => {
                match crate::COMMANDS.iter().find(|command| command.name == name) {
                    Some(command) => option(command.help),
                    None => Some(name.to_owned()),
                }
            }
            ["cargo", "publish" | "package", ..] => words
                .iter()
                .find(|word| word.starts_with("lanner-") && !is_package(word))
                .map(|word| (*word).to_owned()),
            ["cargo", "install", "--locked", name] | ["cargo", "install", name] => {
                (!is_package(name)).then(|| name.to_owned())
            }
            ["npm", "run", script, ..] => {
                let scripts = read(&root().join("js/package.json")).expect("it is there");
                (!scripts.contains(&format!("\"{script}\":"))).then(|| script.to_owned())
            }
            ["lanner", verb, ..] => {
                let page = read(&root().join("cli/README.md")).expect("it is there");
                if !page.contains(&format!("`lanner {verb} ")) {
                    Some(verb.to_owned())
                } else {
                    option(&page)
                }
            }
            [name] if name.starts_with("lanner-") && !name.contains('.') => {
                (!is_package(name)).then(|| name.to_owned())
            }
            [workflow] if workflow.ends_with(".yml") && !workflow.contains('/') => {
                (!there(&format!(".github/workflows/{workflow}"))).then(|| workflow.to_owned())
            }
            // A file of the repository, which is there, or one of a release, which is not.
            [path]
                if path.contains('/')
                    && !path.starts_with(['@', 'v'])
                    && !path.starts_with("target/") =>
            {
                (!there(path)).then(|| path.to_owned())
            }
            _ => None,
        }
    }

    /// Whether a package of that name is published.
    fn is_package(name: &str) -> bool {
        let dirs = ["crates", "integrations", ""];
        let short = name.trim_start_matches("lanner-");
        dirs.iter().any(|dir| {
            read(&root().join(dir).join(short).join("Cargo.toml")).is_ok_and(|manifest| {
                manifest.contains(&format!("name = \"{name}\""))
                    && !manifest.contains("publish = false")
            })
        })
    }

    #[test]
    fn the_list_of_a_release_asks_for_nothing_that_is_not_there() {
        let page = read(&root().join("RELEASING.md")).expect("it is there");
        // Lines end within commands, and the programs of the last part are others'.
        let (page, _) = page.split_once("\n## ").expect("it has parts");
        let joined = page.split_whitespace().collect::<Vec<_>>().join(" ");
        let pieces: Vec<&str> = joined.split('`').skip(1).step_by(2).collect();
        assert!(pieces.len() > 40, "{} pieces of code", pieces.len());
        for piece in pieces {
            assert_eq!(lacks(piece), None, "'{piece}'");
        }
        for (wrong, part) in [
            ("cargo xtask no-such", "no-such"),
            ("cargo xtask dist --no-such", "--no-such"),
            ("cargo package --list -p lanner-nothing", "lanner-nothing"),
            ("cargo install --locked lanner-nothing", "lanner-nothing"),
            ("npm run no:such", "no:such"),
            ("lanner no-such -k KEY", "no-such"),
            ("lanner sign --no-such", "--no-such"),
            ("no/such.file", "no/such.file"),
            ("no-such.yml", "no-such.yml"),
            ("lanner-ct", "lanner-ct"),
        ] {
            assert_eq!(lacks(wrong).as_deref(), Some(part));
        }
    }
}
