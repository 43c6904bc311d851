//! The lines of shell on the pages: README.md, RELEASING.md, cli/README.md and docs/migration-command.md.

use crate::harness::*;
use crate::tools::*;

fn page(name: &str) -> String {
    let path = format!("{}/../{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap().replace("\r\n", "\n")
}

/// The blocks of a language on a page, in their order.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let opening = format!("```{language}\n");
    let begins = page.split(&opening).skip(1);
    begins
        .map(|rest| rest.split("```").next().unwrap().to_owned())
        .collect()
}

/// The lines that call this command; the others need cargo and the repository.
fn ours(block: &str) -> String {
    let lines = block.lines().filter(|line| !line.starts_with("cargo "));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_shell_of_the_readme() {
    const WHAT: &str = "the lines of shell in README.md";
    let blocks = blocks(&page("README.md"), "sh");
    let lines: String = blocks.iter().map(|block| ours(block)).collect();
    let theirs = ["ssh-keygen ", "openssl "];
    for call in ["lanner keygen", "lanner sign ", "lanner exchange"] {
        assert!(lines.contains(call), "{call}");
    }
    let place = Place::new();
    place.write("README.md", "# A real file\n");
    let (theirs, ours): (Vec<&str>, Vec<&str>) = lines
        .lines()
        .partition(|line| theirs.iter().any(|program| line.starts_with(program)));
    script(&place, &ours.join("\n"));
    for file in [
        "README.md.sig",
        "README.md.raw",
        "alice.pub.pem",
        "secret",
        "signers",
    ] {
        assert!(place.exists(file), "{file}");
    }
    assert_eq!(theirs.len(), 2);
    for line in theirs {
        let program = line.split(' ').next().unwrap();
        if have(program, WHAT) {
            script(&place, line);
            place.write("README.md", "# Another file\n");
            assert_ne!(try_script(&place, line).0, Some(0), "{line}");
            place.write("README.md", "# A real file\n");
        }
    }
}

#[test]
fn the_shell_of_the_commands_own_readme() {
    let page = page("cli/README.md");
    let blocks = blocks(&page, "sh");
    let first = |call: &str| {
        let block = blocks.iter().find(|block| block.contains(call));
        block.unwrap_or_else(|| panic!("no block has {call}"))
    };
    let letter = first("lanner sign -k alice.pem letter.txt");
    let place = Place::new();
    place.write("letter.txt", "Dear Bob\n");
    // At a terminal the first line asks; a script says what it wants.
    let said = letter.replace("keygen -o", "keygen --no-password -o");
    assert_ne!(&said, letter);
    let theirs = |line: &&str| line.starts_with("ssh-keygen");
    let ours: Vec<&str> = said.lines().filter(|line| !theirs(line)).collect();
    script(&place, &ours.join("\n"));
    if have("ssh-keygen", "a line of shell in cli/README.md") {
        let line = said.lines().find(theirs).unwrap();
        script(&place, line);
    }
    let git = first("git config gpg.format ssh");
    if have("git", "the settings of git in cli/README.md") {
        script(
            &place,
            "git init -q . && git config user.name Alice && git config user.email alice@example.org",
        );
        let said = git.replace("keygen --to", "keygen --no-password --to");
        assert_ne!(&said, git);
        script(
            &place,
            &said.replace("commit -S", "commit -q -S --allow-empty -m one"),
        );
    }
}

/// The key of releases in all its public forms, and what the notes of a release tell to type.
#[test]
fn the_shell_of_a_release() {
    let page = page("RELEASING.md");
    let blocks = blocks(&page, "sh");
    let [made, checked @ ..] = &blocks[..] else {
        panic!("no block makes the key");
    };
    let place = Place::new();
    let said = made.replace("keygen -o", "keygen --no-password -o");
    assert_ne!(&said, made);
    script(&place, &said);
    place.write("lanner.deb", "a package\n");
    for line in [
        "sha256sum lanner.deb > SHA256SUMS",
        "lanner sign -k RELEASE_KEY SHA256SUMS",
        "lanner sign -k RELEASE_KEY --format minisign SHA256SUMS",
        "lanner sign -k RELEASE_KEY --format raw -o SHA256SUMS.raw SHA256SUMS",
        "lanner verify -k release.pub.pem SHA256SUMS",
    ] {
        script(&place, line);
    }
    assert_eq!(checked.len(), 3);
    for line in checked {
        let program = line.split(' ').next().unwrap();
        if have(program, "the lines of shell in RELEASING.md") {
            script(&place, line);
            let list = place.read("SHA256SUMS");
            place.write("SHA256SUMS", [&list[..], b"\n"].concat());
            assert_ne!(try_script(&place, line).0, Some(0), "{line}");
            place.write("SHA256SUMS", list);
            place.write("lanner.deb", "another package\n");
            assert_ne!(try_script(&place, line).0, Some(0), "{line}");
            place.write("lanner.deb", "a package\n");
        }
    }
}

/// The policy is one, once names and keys are somebody's.
#[test]
fn the_policy_of_the_commands_own_readme() {
    let page = page("cli/README.md");
    let policies = blocks(&page, "toml");
    let [policy] = &policies[..] else {
        panic!("{} policies", policies.len());
    };
    let place = Place::new();
    let mut text = policy.clone();
    for (number, algorithm) in ["ed25519", "fn-dsa-512", "ed25519"].iter().enumerate() {
        script(
            &place,
            &format!("lanner keygen --no-password -a {algorithm} -o {number}.pem"),
        );
        let line = script(
            &place,
            &format!("lanner convert {number}.pub.pem --to openssh"),
        );
        let blob = line.split_whitespace().nth(1).unwrap().to_owned();
        text = text.replacen("AAAA…", &blob, 1);
    }
    place.write("release.toml", text);
    std::fs::create_dir(place.path("dist")).unwrap();
    place.write("dist/a.tar.gz", "an archive");
    let verify = "lanner verify --policy release.toml dist/ --verify-time 20270101Z";
    script(
        &place,
        "lanner sign -k 0.pem dist/a.tar.gz -o dist/a.tar.gz.alice.sig",
    );
    assert_eq!(try_script(&place, verify).0, Some(7), "one of two");
    script(
        &place,
        "lanner sign -k 2.pem dist/a.tar.gz -o dist/a.tar.gz.bob.sig",
    );
    script(&place, verify);
}

/// All lines on the left, all on the right, and each line alone among those of the other side.
#[test]
fn switching_from_other_programs() {
    let page = page("docs/migration-command.md");
    let given = &blocks(&page, "sh")[0];
    let mut number = 0;
    for section in page.split("\n## ").skip(1) {
        let rows: Vec<[&str; 2]> = section
            .lines()
            .filter(|line| line.starts_with("| `"))
            .map(|line| {
                let mut cells = line.trim_matches('|').split(" | ");
                let mut code = || cells.next().unwrap().trim().trim_matches('`');
                [code(), code()]
            })
            .collect();
        assert!(rows.len() >= 3, "{section}");
        let program = rows[0][0].split(' ').next().unwrap();
        if !have(program, "a section of docs/migration-command.md") {
            continue;
        }
        let alone = (0..rows.len()).map(|i| 1 << i);
        let all = (1 << rows.len()) - 1;
        for mixture in [0]
            .into_iter()
            .chain(alone)
            .flat_map(|one| [one, all ^ one])
        {
            let place = Place::new();
            let line = |(i, row): (usize, &[&str; 2])| row[mixture >> i & 1].to_owned();
            let lines: Vec<String> = rows.iter().enumerate().map(line).collect();
            script(&place, &format!("{given}{}", lines.join("\n")));
            number += 1;
        }
    }
    assert!(number == 0 || number >= 6, "{number} mixtures");
}
