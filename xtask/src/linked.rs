//! What is linked into what is shipped: the licences of it, which go along, and a bill of materials (CycloneDX 1.5).
//! `cargo xtask linked` writes those that are committed, of packages that their users build: pip has nothing that could make
//! them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use cargo_metadata::MetadataCommand;
use serde_json::{Value, json};

use crate::files::{read, text, write};
use crate::process::{Cmd, Tally, root};

/// What is built: a package of a workspace, for targets: what one of them links is among what is linked.
pub(crate) struct Product<'a> {
    /// The directory of the workspace, from the root on.
    pub(crate) workspace: &'a str,
    pub(crate) package: &'a str,
    pub(crate) targets: &'a [&'a str],
}

/// The names of the files.
pub(crate) const NOTICES: &str = "THIRD-PARTY-LICENSES";
pub(crate) const BILL: &str = "lanner.cdx.json";

/// Where the Python package is built for, as `.github/workflows/python.yml` says.
const WHEELS: &[&str] = &[
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-musl",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-msvc",
    "aarch64-pc-windows-msvc",
];

/// Those whose files are committed, each in the directory of its workspace.
const COMMITTED: &[Product<'_>] = &[
    Product {
        workspace: "python",
        package: "lanner-python",
        targets: WHEELS,
    },
    Product {
        workspace: "integrations/polars",
        package: "lanner-polars",
        targets: WHEELS,
    },
    Product {
        workspace: "integrations/duckdb",
        package: "lanner-duckdb",
        targets: WHEELS,
    },
];

pub(crate) const HELP: &str = "\
  linked [--check]
                  write what goes along with the Python package, the plugin of Polars and the extension of DuckDB: the
                  licences of what is linked and a bill of materials
                    --check      write nothing; fail where a file would change
";

/// `cargo xtask linked`.
///
/// # Errors
///
/// An option is unknown, a file cannot be read or written, or it is not what would be written.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    match args {
        [] => COMMITTED.iter().try_for_each(|product| {
            let dir = root().join(product.workspace);
            write_both(product, &dir)
        }),
        [check] if check == "--check" => check_committed().map(drop),
        _ => Err(String::from("usage: cargo xtask linked [--check]")),
    }
}

/// Holds the committed files against what cargo says that is linked.
///
/// # Errors
///
/// One of them is another, or cargo fails.
pub(crate) fn check_committed() -> Result<Tally, String> {
    let mut tally = Tally::default();
    for product in COMMITTED {
        for (name, wanted) in both(product)? {
            let file = Path::new(product.workspace).join(name);
            if read(&root().join(&file))?.replace('\r', "") != wanted {
                return Err(format!(
                    "{} is not what `cargo xtask linked` writes",
                    file.display()
                ));
            }
            tally.passed += 1;
        }
    }
    Ok(tally)
}

/// A crate that is linked.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    name: String,
    version: String,
    licence: String,
    /// Whether it comes from a registry, and not from this repository.
    is_others: bool,
    /// Places in the list.
    depends: BTreeSet<usize>,
}

/// What comes with the compiler and is no crate.
struct Runtime {
    name: &'static str,
    licence: &'static str,
    /// What must go along.
    text: &'static str,
}

/// The C library and the unwinder in a program that needs nothing of the system but its kernel.
const OF_STATIC_PROGRAMS: &[Runtime] = &[
    Runtime {
        name: "musl",
        licence: "MIT",
        text: include_str!("linked/musl.txt"),
    },
    Runtime {
        name: "libunwind",
        licence: "Apache-2.0 WITH LLVM-exception",
        text: include_str!("linked/libunwind.txt"),
    },
];

/// What is linked beside crates. Libraries leave it to the programs that they become part of.
fn runtime(product: &Product<'_>) -> Vec<&'static Runtime> {
    let is_static = product.package == "lanner-cli"
        && product.targets.iter().any(|name| name.ends_with("-musl"));
    OF_STATIC_PROGRAMS.iter().filter(|_| is_static).collect()
}

/// Writes both files into a directory.
///
/// # Errors
///
/// Cargo fails, or a file cannot be read or written.
pub(crate) fn write_both(product: &Product<'_>, dir: &Path) -> Result<(), String> {
    both(product)?
        .into_iter()
        .try_for_each(|(name, text)| write(&dir.join(name), text))
}

/// The names of both files, and what is in them.
fn both(product: &Product<'_>) -> Result<[(&'static str, String); 2], String> {
    let parts = parts(&tree(product)?)?;
    let runtime = runtime(product);
    let mut texts = texts(product, &parts)?;
    for part in &runtime {
        let named = texts.entry(String::from(part.text.trim())).or_default();
        named.push(format!("{} ({})", part.name, part.licence));
    }
    let notices = notices(&texts);
    let lock = read(&root().join(product.workspace).join("Cargo.lock"))?;
    let bill = bill(&parts, &runtime, &checksums(&lock));
    let bill = serde_json::to_string_pretty(&bill).map_err(|error| error.to_string())?;
    Ok([(NOTICES, notices), (BILL, bill + "\n")])
}

/// What cargo says that is linked. A macro is not, nor what it is made of: these run in the compiler.
fn tree(product: &Product<'_>) -> Result<String, String> {
    let manifest = root().join(product.workspace).join("Cargo.toml");
    Cmd::cargo([
        "tree",
        "--locked",
        "--edges",
        "normal,no-proc-macro",
        "--prefix",
        "depth",
    ])
    .args(["--format", "\t{p}\t{l}"])
    .args(
        product
            .targets
            .iter()
            .flat_map(|target| ["--target", target]),
    )
    .args(["--package", product.package])
    .args(["--manifest-path", &text(&manifest)])
    .capture()
}

/// Reads what `cargo tree` says, the product first: depth, name and version, licence. What was said before is not said again.
/// There is a tree for each target, and a blank line between two.
fn parts(tree: &str) -> Result<Vec<Part>, String> {
    let mut parts: Vec<Part> = Vec::new();
    let mut above: Vec<usize> = Vec::new();
    for line in tree.lines().filter(|line| !line.is_empty()) {
        let mut fields = line.split('\t');
        let (Some(depth), Some(package), Some(licence)) =
            (fields.next(), fields.next(), fields.next())
        else {
            return Err(format!("cargo tree says '{line}'"));
        };
        let depth: usize = depth
            .parse()
            .map_err(|_| format!("cargo tree says '{line}'"))?;
        let mut words = package.split(' ');
        let (name, version) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        let version = version.trim_start_matches('v');
        let known = parts
            .iter()
            .position(|part| part.name == name && part.version == version);
        let at = known.unwrap_or_else(|| {
            parts.push(Part {
                name: String::from(name),
                version: String::from(version),
                licence: licence.trim_end_matches(" (*)").replace('/', " OR "),
                is_others: !package.contains(" ("),
                depends: BTreeSet::new(),
            });
            parts.len() - 1
        });
        above.truncate(depth);
        if let Some(parent) = above.last() {
            parts[*parent].depends.insert(at);
        }
        above.push(at);
    }
    Ok(parts)
}

/// The files of licences of others' crates: their text, and the crates that have it.
fn texts(product: &Product<'_>, parts: &[Part]) -> Result<BTreeMap<String, Vec<String>>, String> {
    let metadata = MetadataCommand::new()
        .manifest_path(root().join(product.workspace).join("Cargo.toml"))
        .other_options([String::from("--locked")])
        .exec()
        .map_err(|error| error.to_string())?;
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for part in parts.iter().filter(|part| part.is_others) {
        let package = metadata.packages.iter().find(|package| {
            package.name == part.name && package.version.to_string() == part.version
        });
        let manifest = &package
            .ok_or(format!("no package {}", part.name))?
            .manifest_path;
        let dir = manifest.parent().ok_or("a manifest without a directory")?;
        let crate_ = format!("{} {} ({})", part.name, part.version, part.licence);
        let files = chosen(&part.licence, files(dir.as_std_path())?);
        if files.is_empty() {
            let none = String::from("(The package has no file of its licence.)");
            texts.entry(none).or_default().push(crate_);
            continue;
        }
        for file in files {
            // Lines may end in two ways, and texts differ in nothing else.
            let text = read(&file)?.replace('\r', "");
            let crates = texts.entry(String::from(text.trim())).or_default();
            crates.push(crate_.clone());
        }
    }
    Ok(texts)
}

/// The files of licences in a directory.
fn files(dir: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    let names = ["LICEN", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .to_uppercase();
        if path.is_file() && names.iter().any(|start| name.starts_with(start)) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Where one may choose, the licence is MIT, which is short and has the names of the authors: without the files of others.
fn chosen(licence: &str, mut files: Vec<PathBuf>) -> Vec<PathBuf> {
    let named = |file: &Path, word: &str| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        name.to_uppercase().contains(word)
    };
    let may_choose = licence.split(" OR ").any(|one| one == "MIT");
    if may_choose && files.iter().any(|file| named(file, "MIT")) {
        files.retain(|file| !named(file, "APACHE") && !named(file, "BSD"));
    }
    files
}

/// The text that goes along.
fn notices(texts: &BTreeMap<String, Vec<String>>) -> String {
    let mut file = String::from(
        "Lanner itself is licensed under MIT or Apache-2.0, as you like. Linked with it are the standard library of Rust\n\
         (MIT OR Apache-2.0, the Rust Project Developers) and what is named below, some on some processors alone, under the licences\n\
         that stand behind their names. Where one may choose, the text is that of MIT.\n",
    );
    let mut texts: Vec<_> = texts.iter().map(|(text, crates)| (crates, text)).collect();
    texts.sort();
    for (crates, text) in texts {
        let line = "-".repeat(100);
        // Writing to a string does not fail.
        let _ = write!(file, "\n{line}\n{}\n{line}\n\n{text}\n", crates.join("\n"));
    }
    file
}

/// The checksums of a lock file, by name and version.
fn checksums(lock: &str) -> BTreeMap<(&str, &str), &str> {
    let value = |entry: &'_ str, key: &str| -> Option<(usize, usize)> {
        let start = entry.find(&format!("\n{key} = \""))? + key.len() + 5;
        Some((start, start + entry[start..].find('"')?))
    };
    lock.split("[[package]]")
        .filter_map(|entry| {
            let field = |key| value(entry, key).map(|(start, end)| &entry[start..end]);
            Some(((field("name")?, field("version")?), field("checksum")?))
        })
        .collect()
}

/// The bill of materials. It tells no time and has no number of its own, so that the same input gives the same file.
fn bill(parts: &[Part], runtime: &[&Runtime], checksums: &BTreeMap<(&str, &str), &str>) -> Value {
    let address = |part: &Part| {
        // Where the product is to be had: the packages of that name are no registry's crates, and anybody could make some.
        let place = match part.name.as_str() {
            "lanner-python" => "pypi/lanner",
            "lanner-polars" => "pypi/lanner-polars",
            "lanner-duckdb" => "generic/lanner-duckdb",
            "lanner-c" => "generic/liblanner",
            name => return format!("pkg:cargo/{name}@{}", part.version),
        };
        format!("pkg:{place}@{}", part.version)
    };
    let component = |part: &Part, kind: &str| {
        let mut component = json!({
            "type": kind,
            "bom-ref": address(part),
            "name": part.name,
            "version": part.version,
            "purl": address(part),
            "licenses": [{ "expression": part.licence }],
        });
        if let Some(sum) = checksums.get(&(part.name.as_str(), part.version.as_str())) {
            component["hashes"] = json!([{ "alg": "SHA-256", "content": sum }]);
        }
        component
    };
    let edges = parts.iter().map(|part| {
        let on: Vec<String> = part.depends.iter().map(|at| address(&parts[*at])).collect();
        json!({ "ref": address(part), "dependsOn": on })
    });
    let others = parts.iter().skip(1).map(|part| component(part, "library"));
    // Of what version they are, the compiler does not say.
    let runtime = runtime.iter().map(|part| {
        json!({
            "type": "library",
            "bom-ref": format!("pkg:generic/{}", part.name),
            "name": part.name,
            "purl": format!("pkg:generic/{}", part.name),
            "licenses": [{ "expression": part.licence }],
        })
    });
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": parts.first().map(|part| component(part, "application")) },
        "components": others.chain(runtime).collect::<Vec<_>>(),
        "dependencies": edges.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = "\
0\tlanner-c v0.1.0 (/somewhere/c)\tMIT OR Apache-2.0
1\tdigest v0.11.3\tMIT OR Apache-2.0
2\tzeroize v1.9.1\tApache-2.0 OR MIT
1\tlanner-curve v0.1.0 (/somewhere)\tMIT OR Apache-2.0
2\tsubtle v2.6.1\tBSD-3-Clause
2\tzeroize v1.9.1\tApache-2.0 OR MIT (*)
";

    #[test]
    fn trees_are_read() {
        let parts = parts(TREE).expect("they are");
        let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
        assert_eq!(
            names,
            ["lanner-c", "digest", "zeroize", "lanner-curve", "subtle"]
        );
        assert_eq!(parts[0].depends, BTreeSet::from([1, 3]));
        assert_eq!(parts[3].depends, BTreeSet::from([2, 4]));
        assert!(parts[4].is_others && !parts[3].is_others);
        assert_eq!(parts[2].licence, "Apache-2.0 OR MIT");
        assert!(super::parts("no tree").is_err());
    }

    #[test]
    fn of_licences_to_choose_from_there_is_one() {
        let files = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        let all = files(&["/a/COPYRIGHT", "/a/LICENSE-APACHE", "/a/LICENSE-MIT"]);
        for licence in ["MIT OR Apache-2.0", "BSD-2-Clause OR Apache-2.0 OR MIT"] {
            let chosen = chosen(licence, all.clone());
            assert_eq!(chosen, files(&["/a/COPYRIGHT", "/a/LICENSE-MIT"]));
        }
        for licence in [
            "Apache-2.0 AND MIT",
            "Apache-2.0",
            "(MIT OR Apache-2.0) AND BSD-3-Clause",
        ] {
            assert_eq!(chosen(licence, all.clone()), all);
        }
        // A choice without a file of it is none.
        let apache = files(&["/MIT/LICENSE-APACHE"]);
        assert_eq!(chosen("MIT OR Apache-2.0", apache.clone()), apache);
    }

    #[test]
    fn bills_name_everything_once() {
        let lock = "\n[[package]]\nname = \"subtle\"\nversion = \"2.6.1\"\nchecksum = \"00ff\"\n";
        let program = |target| {
            runtime(&Product {
                workspace: "",
                package: "lanner-cli",
                targets: &[target],
            })
        };
        assert!(program("x86_64-unknown-linux-gnu").is_empty());
        let musl = program("x86_64-unknown-linux-musl");
        let parts = parts(TREE).expect("they are");
        let with = bill(&parts, &musl, &checksums(lock));
        assert_eq!(with["components"][4]["name"], "musl");
        let bill = bill(&parts, &[], &checksums(lock));
        assert_eq!(bill["components"].as_array().map(Vec::len), Some(4));
        let product = &bill["metadata"]["component"];
        assert_eq!(product["purl"], "pkg:generic/liblanner@0.1.0");
        assert_eq!(bill["components"][3]["hashes"][0]["content"], "00ff");
        assert_eq!(bill["metadata"]["component"]["name"], "lanner-c");
        assert_eq!(
            bill["dependencies"][3]["dependsOn"]
                .as_array()
                .map(Vec::len),
            Some(2)
        );
    }

    /// Of several targets there is what any of them links.
    #[test]
    fn several_targets_are_one_product() {
        let of = |targets: &[&str]| {
            let product = Product {
                workspace: "",
                package: "lanner-c",
                targets,
            };
            let parts = parts(&tree(&product).expect("cargo tells")).expect("a tree");
            let edges = |part: &Part| -> BTreeSet<_> {
                let on = part.depends.iter();
                on.map(|at| (part.name.clone(), parts[*at].name.clone()))
                    .collect()
            };
            let names: BTreeSet<String> = parts.iter().map(|part| part.name.clone()).collect();
            let edges: BTreeSet<_> = parts.iter().flat_map(edges).collect();
            (names, edges)
        };
        let pair = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];
        let (all, single) = (of(&pair), pair.map(|target| of(&[target])));
        assert_ne!(single[0], single[1], "else this shows nothing");
        assert_eq!(all.0, &single[0].0 | &single[1].0);
        assert_eq!(all.1, &single[0].1 | &single[1].1);
    }

    /// Of the library as it is: what asks that its notice goes along is there.
    #[test]
    fn notices_have_what_must_go_along() {
        let product = Product {
            workspace: "",
            package: "lanner-c",
            targets: &["x86_64-unknown-linux-gnu"],
        };
        let parts = parts(&tree(&product).expect("cargo tells")).expect("a tree");
        let file = notices(&texts(&product, &parts).expect("files"));
        assert!(file.contains("subtle 2.6.1 (BSD-3-Clause)") || file.contains("\nsubtle "));
        for words in [
            "Isis Agora Lovecruft",
            "Redistribution and use in source and binary forms",
        ] {
            assert!(file.contains(words), "{words}");
        }
        assert!(!file.contains("\nlanner-"), "ours are no third party's");
    }
}
