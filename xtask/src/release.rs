//! `cargo xtask dist`: what is released for those who have no Rust. With `--everything`, all that this machine can make: archives,
//! Debian packages, the wheel of this machine, the archive of its sources and that of npm, what they were made of and by what (a
//! statement in the form of in-toto, with SLSA's provenance), the checksums of all, and signatures. To PyPI and npm the workflows
//! publish what they have built themselves, where it is what the list of checksums says.

use std::path::Path;

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
use crate::{js, python, twice};

/// `cargo xtask dist`.
///
/// # Errors
///
/// An option is unknown, or a build fails.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let mut triples = Vec::new();
    let (mut command, mut deb, mut everything, mut twice) = (false, false, false, false);
    let (mut wheel, mut npm, mut install) = (false, false, false);
    let mut key = None;
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--target" => triples.push(value(arg, &mut args)?.to_owned()),
            "--command" => command = true,
            "--deb" => deb = true,
            "--everything" => everything = true,
            "--twice" => twice = true,
            "--wheel" => wheel = true,
            "--npm" => npm = true,
            "--install" => install = true,
            "--key" => key = Some(value(arg, &mut args)?),
            other => return Err(format!("dist: unknown option '{other}'")),
        }
    }
    let kinds = [command, deb, everything, twice, wheel, npm];
    let kinds = kinds.iter().filter(|is| **is).count();
    let here_alone = kinds > 0 && !command;
    let of_everything = key.is_some() || install;
    if kinds > 1 || here_alone && !triples.is_empty() || of_everything && !everything {
        return Err(String::from("dist: these options do not go together"));
    }
    if everything {
        everything_with(key, install)
    } else if twice {
        twice::check_all()
    } else if wheel {
        python::dist()
    } else if npm {
        js::dist()
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
/// The checkout is not what the tag of the version names, something is missing for what registries have, a build fails, or a
/// signature is not made.
fn everything_with(key: Option<&str>, install: bool) -> Result<(), String> {
    let commit = commit_of_the_tag()?;
    // Not all values are text.
    let names = std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
    is_plain(names)?;
    let key = key.map(readable).transpose()?;
    let mut left_out = Vec::new();
    let [here, elsewhere] = STATIC.map(|triple| {
        is_possible(
            "the command",
            triple,
            &[Need::Target(triple)],
            &mut left_out,
        )
    });
    if key.is_some() && !here {
        return Err(format!("nothing could sign: {}", left_out[0]));
    }
    // No release leaves these out: the workflows publish nothing that its list does not have.
    python::can_release(install)?;
    js::can_release(install)?;
    fresh(&dist_dir())?;
    for (triple, is_possible) in STATIC.into_iter().zip([here, elsewhere]) {
        if is_possible {
            command::dist(&[triple.to_owned()])?;
        }
    }
    let lanner = text(&target_dir().join(STATIC[0]).join("release/lanner"));
    // Before hours of building: not every key signs in all of these formats, and some it refuses.
    if let Some(key) = &key {
        try_to_sign(&lanner, key, &target_dir().join("dist-trial"))?;
    }
    python::dist()?;
    js::dist()?;
    let mut compilers = vec![
        first_line("rustc", "-V")?,
        first_line("cargo", "-V")?,
        python::builder()?,
        js::compiler()?,
        format!("node {}", first_line("node", "--version")?),
    ];
    for target in TESTED {
        let target = find(target.triple)?;
        let needs = [Need::Target(target.triple), target.need()];
        if is_possible("the library", target.triple, &needs, &mut left_out) {
            libraries(vec![target.triple.to_owned()])?;
            compilers.push(first_line(target.cc[0], "--version")?);
        }
    }
    for foreign in FOREIGN {
        let needs = foreign.needs();
        if is_possible("the library", foreign.triple, &needs, &mut left_out) {
            libraries(vec![foreign.triple.to_owned()])?;
            for tool in foreign.tools() {
                compilers.push(first_line(tool, "--version")?);
            }
        }
    }
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
    let predicate = predicate(&commit, &locks()?, &compilers);
    let name = format!("lanner-{VERSION}.provenance.json");
    write_json(&dist_dir().join(&name), &statement(&predicate, &sums))?;
    checksum(&name)?;
    match key {
        None => println!("not signed: no --key"),
        Some(key) => sign(&lanner, &key, &dist_dir(), &predicate)?,
    }
    left_out.iter().for_each(|what| println!("SKIPPED: {what}"));
    println!("{}", dist_dir().display());
    Ok(())
}

/// The path of a key that can be read, from the root of the file system on: the commands that use it start elsewhere.
fn readable(key: &str) -> Result<String, String> {
    // Octets, since not every form of a key is text.
    let read = std::fs::read(key).and_then(|_| Path::new(key).canonicalize());
    read.map(|path| text(&path))
        .map_err(|error| format!("the key {key}: {error}"))
}

/// Whether all is there that something takes; if not, it is noted.
fn is_possible(what: &str, of: &str, needs: &[Need], left_out: &mut Vec<String>) -> bool {
    let missing = needs.iter().find(|need| !need.is_met());
    if let Some(need) = missing {
        left_out.push(format!("{what} for {of}: {} is missing", need.describe()));
    }
    missing.is_none()
}

/// The commit, if there is nothing beside it and the tag of the version names it: whoever makes the release anew starts
/// from the tag.
fn commit_of_the_tag() -> Result<String, String> {
    let git = |args: &[&str]| Cmd::new("git").args(args.iter().copied()).capture();
    is_released(
        &git(&["status", "--porcelain", "--untracked-files=all"])?,
        &git(&["tag", "--points-at", "HEAD"])?,
    )?;
    Ok(git(&["rev-parse", "HEAD"])?.trim().to_owned())
}

/// Judges what git says: the changes, and the tags of the commit.
fn is_released(changes: &str, tags: &str) -> Result<(), String> {
    if !changes.is_empty() {
        return Err(format!(
            "the checkout differs from its commit, of which a release would speak:\n{changes}"
        ));
    }
    let tag = format!("v{VERSION}");
    if !tags.lines().any(|name| name == tag) {
        return Err(format!(
            "this commit has no tag {tag}, of which a release would speak: check that out, or make it (git tag {tag}); \
             a trial without it is cargo xtask dist with --command, --deb or --target"
        ));
    }
    Ok(())
}

/// Variables that change what is built, and the beginnings of the names of more.
const STEERING: [&str; 9] = [
    "CARGO_ENCODED_RUSTFLAGS",
    "CFLAGS",
    "LDFLAGS",
    "RUSTC",
    "RUSTC_BOOTSTRAP",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTC_WRAPPER",
    "RUSTFLAGS",
    // Dates in archives, which those who pack the same elsewhere would have to know.
    "SOURCE_DATE_EPOCH",
];
const STEERING_STARTS: [&str; 4] = [
    "CARGO_BUILD_",
    "CARGO_PROFILE_",
    "CARGO_TARGET_",
    "CARGO_UNSTABLE_",
];

/// Those that begin so and change nothing of it.
const HARMLESS: [&str; 3] = [
    "CARGO_BUILD_JOBS",
    "CARGO_BUILD_TARGET_DIR",
    "CARGO_TARGET_DIR",
];

/// Refuses an environment in which the same commit would become other programs, of which the provenance says nothing: with
/// flags for the processor of whoever makes the release, say.
fn is_plain(variables: impl Iterator<Item = String>) -> Result<(), String> {
    let steers = |name: &String| {
        let begins = STEERING_STARTS.iter().any(|start| name.starts_with(start));
        STEERING.contains(&name.as_str()) || begins && !HARMLESS.contains(&name.as_str())
    };
    let names: Vec<String> = variables.filter(steers).collect();
    if names.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "these variables change what is built, and nothing that is released says so: {}; unset them",
            names.join(", ")
        ))
    }
}

fn first_line(program: &str, option: &str) -> Result<String, String> {
    let said = Cmd::new(program).args([option]).capture()?;
    Ok(said.lines().next().unwrap_or_default().to_owned())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The lists of what others wrote and is linked, packed or builds what is released.
const LOCKS: [&str; 5] = [
    "Cargo.lock",
    "js/package-lock.json",
    "js/wasm/Cargo.lock",
    "python/Cargo.lock",
    "python/tests/requirements.txt",
];

/// These, each with its SHA-256.
fn locks() -> Result<Vec<(&'static str, String)>, String> {
    let sum = |name: &'static str| {
        let bytes = std::fs::read(root().join(name)).map_err(|error| format!("{name}: {error}"))?;
        Ok((name, hex(&Sha256::digest(&bytes))))
    };
    LOCKS.into_iter().map(sum).collect()
}

/// How it was made: SLSA's provenance, version 1. It has no times, so that who makes it again gets the same.
fn predicate(commit: &str, locks: &[(&str, String)], compilers: &[String]) -> Value {
    let mut made_of = vec![json!({ "name": "lanner", "digest": { "gitCommit": commit } })];
    made_of.extend(
        locks
            .iter()
            .map(|(name, sum)| json!({ "name": name, "digest": { "sha256": sum } })),
    );
    json!({
        "buildDefinition": {
            "buildType": "tag:lanner.invalid,2026:cargo-xtask-dist",
            "externalParameters": { "command": "cargo xtask dist --everything", "version": VERSION },
            "internalParameters": { "compilers": compilers },
            "resolvedDependencies": made_of,
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

/// The public key of releases in the repository, from the first one on.
const PUBLIC: &str = "release.pub.pem";

/// Signs an empty file with the calls of a release, in a directory for that alone, and verifies it as users do.
fn try_to_sign(lanner: &str, key: &str, dir: &Path) -> Result<(), String> {
    fresh(dir)?;
    write(&dir.join("trial"), "")?;
    let sums = dir.join("SHA256SUMS");
    write(&sums, format!("{}  trial\n", hex(&Sha256::digest(b""))))?;
    sign(lanner, key, dir, &json!({})).map_err(|error| format!("the key of releases: {error}"))?;
    if root().join(PUBLIC).exists() {
        let verify = Cmd::new(lanner).args(["verify", "-k", PUBLIC, &text(&sums)]);
        verify
            .run()
            .map_err(|error| format!("the key is not that of {PUBLIC}: {error}"))?;
    }
    Ok(())
}

/// Signs what was made in a directory.
fn sign(lanner: &str, key: &str, dir: &Path, predicate: &Value) -> Result<(), String> {
    let said = target_dir().join("provenance.json");
    write_json(&said, predicate)?;
    let sums = read(&dir.join("SHA256SUMS"))?;
    calls(key, dir, &text(&said), &sums)
        .into_iter()
        .try_for_each(|args| Cmd::new(lanner).args(args).run().map(drop))
}

/// What is signed of a directory: the checksums, in each format that RELEASING.md tells how to check, and the provenance of
/// all files, in an envelope.
fn calls(key: &str, dir: &Path, predicate: &str, sums: &str) -> [Vec<String>; 4] {
    let list = text(&dir.join("SHA256SUMS"));
    let raw = format!("{list}.raw");
    let envelope = text(&dir.join(format!("lanner-{VERSION}.intoto.jsonl")));
    let of = |args: &[&str]| args.iter().map(|arg| (*arg).to_owned()).collect();
    let mut attest: Vec<String> = of(&[
        "attest",
        "-k",
        key,
        "--predicate-type",
        "slsa-provenance",
        "--predicate",
        predicate,
        "-o",
        &envelope,
    ]);
    let names = sums.lines().filter_map(|line| line.split_once("  "));
    attest.extend(names.map(|(_, name)| text(&dir.join(name))));
    [
        of(&["sign", "-k", key, &list]),
        of(&["sign", "-k", key, "--format", "minisign", &list]),
        of(&["sign", "-k", key, "--format", "raw", "-o", &raw, &list]),
        attest,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_do_not_go_together_make_nothing() {
        for wrong in [
            &["--wheel", "--npm"][..],
            &["--npm", "--target", "x86_64-unknown-linux-gnu"],
            &["--twice", "--target", "x86_64-unknown-linux-gnu"],
            &["--install"],
            &["--npm", "--install"],
            &["--key", "K"],
            &["--deb", "--key", "K"],
        ] {
            let words: Vec<String> = wrong.iter().map(|word| (*word).to_owned()).collect();
            let error = run(&words).expect_err("they do not");
            assert!(error.contains("do not go together"), "{wrong:?}: {error}");
        }
    }

    #[test]
    fn a_statement_names_every_file() {
        let statement = statement(
            &predicate("c0ffee", &locks().expect("they are there"), &[]),
            "aa  one.deb\nbb  two.tar.gz\n",
        );
        assert_eq!(statement["subject"][1]["name"], "two.tar.gz");
        assert_eq!(statement["subject"][1]["digest"]["sha256"], "bb");
        let made_of = &statement["predicate"]["buildDefinition"]["resolvedDependencies"];
        assert_eq!(made_of[0]["digest"]["gitCommit"], "c0ffee");
        for (at, name) in LOCKS.iter().enumerate() {
            assert_eq!(made_of[at + 1]["name"], *name);
            let sum = made_of[at + 1]["digest"]["sha256"].as_str();
            assert!(sum.is_some_and(|sum| sum.len() == 64), "{name}");
        }
    }

    #[test]
    fn every_signature_that_the_page_checks_is_made() {
        let calls = calls("K", Path::new("/d"), "P", "aa  one.deb\nbb  two.tar.gz\n");
        let lines = calls.map(|args| args.join(" "));
        assert!(lines[3].starts_with("attest -k K ") && lines[3].contains(" --predicate P "));
        assert!(lines[3].ends_with(".intoto.jsonl /d/one.deb /d/two.tar.gz"));
        let page = read(&root().join("RELEASING.md")).expect("it is there");
        for (what, made) in [
            (".sig", "sign -k K /d/"),
            (".minisig", "--format minisign /d/"),
            (".raw", "--format raw -o /d/SHA256SUMS.raw /d/"),
        ] {
            assert!(page.contains(&format!("SHA256SUMS{what}")), "{what}");
            assert!(lines.iter().any(|line| line.contains(made)), "{made}");
        }
    }

    #[test]
    fn a_key_is_tried_before_all_else() {
        let dir = std::env::temp_dir().join(format!("lanner-trial-{}", std::process::id()));
        assert_eq!(try_to_sign("true", "K", &dir), Ok(()));
        assert!(dir.join("trial").is_file());
        assert!(try_to_sign("false", "K", &dir).is_err());
        std::fs::remove_dir_all(&dir).unwrap();
    }

    #[test]
    fn a_release_is_built_as_everybody_would() {
        let judged = |names: &[&str]| is_plain(names.iter().map(|name| String::from(*name)));
        let plain = [
            "PATH",
            "CARGO_HOME",
            "CARGO_TARGET_DIR",
            "CARGO_TERM_COLOR",
            "CARGO_BUILD_JOBS",
            "RUSTUP_HOME",
        ];
        assert_eq!(judged(&plain), Ok(()));
        for name in [
            "RUSTFLAGS",
            "CARGO_ENCODED_RUSTFLAGS",
            "CARGO_BUILD_RUSTFLAGS",
            "CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_RUSTFLAGS",
            "CARGO_PROFILE_RELEASE_LTO",
            "RUSTC_WRAPPER",
            "SOURCE_DATE_EPOCH",
        ] {
            assert!(judged(&["PATH", name]).is_err(), "{name}");
        }
    }

    #[test]
    fn a_release_is_of_the_tag_of_its_version() {
        let tag = format!("v{VERSION}");
        assert_eq!(is_released("", &format!("other\n{tag}\n")), Ok(()));
        for (changes, tags) in [
            ("?? new\n", &*tag),
            ("", ""),
            ("", "v0.0.0\n"),
            ("", &format!("{tag}-rc1\n")),
        ] {
            assert!(is_released(changes, tags).is_err(), "{changes}, {tags}");
        }
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

    /// As DER is.
    #[test]
    fn a_key_need_not_be_text() {
        let file = std::env::temp_dir().join(format!("lanner-key-{}", std::process::id()));
        std::fs::write(&file, [0x30, 0x2e, 0xff, 0xfe]).unwrap();
        assert!(readable(&text(&file)).is_ok());
        std::fs::remove_file(&file).unwrap();
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
            ["cargo", "publish" | "package" | "semver-checks", ..] => words
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
        let (page, _) = page.rsplit_once("\n## ").expect("it has parts");
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
            (
                "cargo semver-checks --exclude lanner-nothing",
                "lanner-nothing",
            ),
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
