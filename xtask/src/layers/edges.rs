//! Who depends on whom.

use std::collections::HashSet;
use std::path::Path;

use super::law::{
    Apart, COMPAT, COMPAT_FOREIGN, FOR_TESTS, FOREIGN, LIBRARIES, MEMBERS, MODULES_OF_NPM, NEVER,
    PEER_USERS, PEERS, PUBLISHED,
};
use super::workspace::Member;
use crate::process::Cmd;

/// Holds every dependency of every member against the law.
pub(super) fn check(members: &[Member]) -> Vec<String> {
    let mut findings = Vec::new();
    let names: HashSet<&str> = members.iter().map(|m| m.name.as_str()).collect();
    for (name, _) in MEMBERS {
        if !names.contains(name) {
            findings.push(format!(
                "{name}: the law names it, but it is not in the workspace"
            ));
        }
    }
    for member in members {
        let name = member.name.as_str();
        let Some((_, allowed)) = MEMBERS.iter().find(|(listed, _)| *listed == name) else {
            findings.push(format!("{name}: the law does not list this member"));
            continue;
        };
        let library = LIBRARIES.contains(&name);
        for dependency in &member.depends {
            let dependency = dependency.as_str();
            if names.contains(dependency) {
                if !allowed.contains(&dependency) {
                    findings.push(format!("{name} -> {dependency}: a forbidden edge"));
                }
            } else if library && !FOREIGN.contains(&dependency) {
                findings.push(format!(
                    "{name} -> {dependency}: not among the foreign crates that a library may use"
                ));
            }
        }
        for dependency in &member.tests_depend {
            let dependency = dependency.as_str();
            let of_the_house = names.contains(dependency);
            let permitted = dependency == name
                || allowed.contains(&dependency)
                || FOR_TESTS.contains(&dependency);
            if of_the_house && !permitted {
                findings.push(format!("{name} -> {dependency} (tests): a forbidden edge"));
            }
        }
        for dependency in member.depends.iter().chain(&member.tests_depend) {
            if PEERS.contains(&dependency.as_str()) && !PEER_USERS.contains(&name) {
                findings.push(format!(
                    "{name} -> {dependency}: peers are for {} only",
                    PEER_USERS.join(" and ")
                ));
            }
        }
        if library && !member.publishes {
            findings.push(format!(
                "{name}: a library crate must not say publish = false"
            ));
        }
        if !library && member.publishes && !PUBLISHED.contains(&name) {
            findings.push(format!(
                "{name}: not for publishing, so say publish = false"
            ));
        }
    }
    findings
}

/// Holds the dependencies of a workspace apart against the law: of the house what is listed, of others what a library may
/// use and what is listed, and no peers.
pub(super) fn check_apart(workspace: &Apart, members: &[Member]) -> Vec<String> {
    let mut findings = Vec::new();
    for (name, _) in workspace.crates {
        if !members.iter().any(|member| member.name == *name) {
            findings.push(format!(
                "{name}: the law names it, but it is not in the workspace {}",
                workspace.directory
            ));
        }
    }
    for member in members {
        let name = member.name.as_str();
        let Some((_, allowed)) = workspace.crates.iter().find(|(listed, _)| *listed == name) else {
            findings.push(format!("{name}: the law does not list this member"));
            continue;
        };
        for dependency in &member.depends {
            let dependency = dependency.as_str();
            let own = |(member, _): &(&str, _)| *member == dependency;
            let of_the_house = LIBRARIES.contains(&dependency) || PUBLISHED.contains(&dependency);
            if of_the_house || workspace.crates.iter().any(own) {
                if !allowed.contains(&dependency) {
                    findings.push(format!("{name} -> {dependency}: a forbidden edge"));
                }
            } else if !FOREIGN.contains(&dependency) && !workspace.foreign.contains(&dependency) {
                findings.push(format!(
                    "{name} -> {dependency}: not among the foreign crates that it may use"
                ));
            }
        }
        for dependency in member.depends.iter().chain(&member.tests_depend) {
            if PEERS.contains(&dependency.as_str()) {
                findings.push(format!("{name} -> {dependency}: peers are not for it"));
            }
        }
        if member.publishes && !workspace.published.contains(&name) {
            findings.push(format!(
                "{name}: not for publishing, so say publish = false"
            ));
        }
    }
    findings
}

/// Holds the packages that stand for others' versions against the law: of the house what is listed, of others what a
/// library may use or what they stand for uses, and never to be published.
pub(super) fn check_compat(packages: &[Member]) -> Vec<String> {
    let mut findings = Vec::new();
    for (dir, allowed) in COMPAT {
        let Some(package) = packages.iter().find(|p| p.dir.as_path() == Path::new(dir)) else {
            findings.push(format!("{dir}: the law names it, but it is not there"));
            continue;
        };
        for dependency in &package.depends {
            let dependency = dependency.as_str();
            let known = [*allowed, FOREIGN, COMPAT_FOREIGN];
            if !known.iter().any(|list| list.contains(&dependency)) {
                findings.push(format!("{dir} -> {dependency}: not on its list"));
            }
        }
        if package.publishes {
            findings.push(format!("{dir}: not for publishing, so say publish = false"));
        }
        // Without it, programs that pin `=4.1.3` would match, and nobody would see whose code it is.
        if !package.version.ends_with("+lanner") {
            findings.push(format!("{dir}: the version must end in +lanner"));
        }
    }
    findings
}

/// What the law allows and nothing has: foreign crates that no library, no workspace apart and no package in another's name
/// depends on, and edges between members.
pub(super) fn check_in_vain(members: &[Member], beside: &[&Member]) -> Vec<String> {
    let mut findings = Vec::new();
    let libraries = (members.iter()).filter(|member| LIBRARIES.contains(&member.name.as_str()));
    let users: Vec<&Member> = libraries.chain(beside.iter().copied()).collect();
    for foreign in FOREIGN {
        if !users.iter().any(|user| has(&user.depends, foreign)) {
            findings.push(format!("{foreign}: a library may use it, and none does"));
        }
    }
    for member in members {
        let listed = MEMBERS.iter().find(|(name, _)| *name == member.name);
        for allowed in listed.map_or(&[][..], |(_, allowed)| allowed) {
            if !has(&member.depends, allowed) && !has(&member.tests_depend, allowed) {
                findings.push(format!("{} -> {allowed}: allowed in vain", member.name));
            }
        }
    }
    findings
}

fn has(dependencies: &[String], name: &str) -> bool {
    dependencies.iter().any(|dependency| dependency == name)
}

/// Looks for crates that must not be in a library's graph on some target, with all features on.
///
/// # Errors
///
/// Cargo failed.
pub(super) fn check_never() -> Result<Vec<String>, String> {
    let mut findings = Vec::new();
    for (target, forbidden) in NEVER {
        for library in LIBRARIES {
            // `cargo tree` resolves features per target, as a build does; `cargo metadata` does not.
            let graph = Cmd::cargo(["tree", "--quiet", "-p", library, "--all-features"])
                .args(["--target", target, "-e", "normal", "--prefix", "none"])
                .capture()?;
            findings.extend(
                reaches(&graph, forbidden).map(|_| {
                    format!("{library}: reaches {forbidden} on {target} with all features")
                }),
            );
        }
        let modules = MODULES_OF_NPM.directory;
        let graph = Cmd::cargo(["tree", "--quiet", "--workspace", "--all-features"])
            .args(["--manifest-path", &format!("{modules}/Cargo.toml")])
            .args(["--target", target, "-e", "normal", "--prefix", "none"])
            .capture()?;
        findings.extend(
            reaches(&graph, forbidden)
                .map(|_| format!("{modules}: reaches {forbidden} on {target}")),
        );
    }
    Ok(findings)
}

/// The line of a flat `cargo tree` on which a crate stands.
fn reaches<'a>(graph: &'a str, name: &str) -> Option<&'a str> {
    graph
        .lines()
        .find(|line| line.split_whitespace().next() == Some(name))
}

#[cfg(test)]
mod tests {
    use super::{
        COMPAT, FOREIGN, LIBRARIES, MEMBERS, Member, check, check_apart, check_compat,
        check_in_vain, reaches,
    };
    use crate::layers::law::APART;

    /// The members as the law lists them, with no dependency at all.
    fn bare() -> Vec<Member> {
        MEMBERS
            .iter()
            .map(|(name, _)| Member {
                name: String::from(*name),
                publishes: LIBRARIES.contains(name),
                ..Member::default()
            })
            .collect()
    }

    fn with(name: &str, edit: impl Fn(&mut Member)) -> Vec<String> {
        let mut members = bare();
        edit(members.iter_mut().find(|m| m.name == name).expect("listed"));
        check(&members)
    }

    #[test]
    fn the_house_itself_is_lawful() {
        assert_eq!(check(&bare()), [""; 0]);
    }

    #[test]
    fn an_edge_that_is_not_listed_is_found() {
        let found = with("lanner-simd", |m| m.depends.push("lanner-curve".into()));
        assert_eq!(found, ["lanner-simd -> lanner-curve: a forbidden edge"]);
        let found = with("lanner-ed25519", |m| m.depends.push("lanner-x25519".into()));
        assert_eq!(found, ["lanner-ed25519 -> lanner-x25519: a forbidden edge"]);
        let found = with("lanner-curve", |m| m.tests_depend.push("lanner".into()));
        assert_eq!(found, ["lanner-curve -> lanner (tests): a forbidden edge"]);
    }

    #[test]
    fn foreign_crates_and_peers_are_held_to_their_lists() {
        let found = with("lanner-curve", |m| m.depends.push("rand".into()));
        assert_eq!(found.len(), 1);
        let found = with("lanner-ed25519", |m| m.tests_depend.push("ring".into()));
        assert_eq!(found.len(), 1);
        let found = with("lanner-bench", |m| m.depends.push("ring".into()));
        assert_eq!(found, [""; 0]);
    }

    #[test]
    fn members_must_be_listed_and_present() {
        let mut members = bare();
        members.push(Member {
            name: "stray".into(),
            ..Member::default()
        });
        assert_eq!(check(&members).len(), 1);
        members.retain(|m| m.name != "stray" && m.name != "lanner-curve");
        assert_eq!(check(&members).len(), 1);
    }

    #[test]
    fn workspaces_apart_are_held_to_their_lists() {
        for workspace in APART {
            let bare: Vec<Member> = (workspace.crates.iter())
                .map(|(name, _)| Member {
                    name: String::from(*name),
                    ..Member::default()
                })
                .collect();
            assert_eq!(check_apart(workspace, &bare), [""; 0]);
            assert_eq!(check_apart(workspace, &bare[1..]).len(), 1);
            let with = |edit: fn(&mut Member)| {
                let mut members = bare.clone();
                edit(&mut members[0]);
                check_apart(workspace, &members).len()
            };
            assert_eq!(with(|m| m.depends.push("zeroize".into())), 0);
            assert_eq!(with(|m| m.tests_depend.push("num-bigint".into())), 0);
            assert_eq!(with(|m| m.depends.push("lanner-curve".into())), 1);
            assert_eq!(with(|m| m.depends.push("wasm-bindgen".into())), 1);
            assert_eq!(with(|m| m.tests_depend.push("ring".into())), 1);
            let published = workspace.published.contains(&bare[0].name.as_str());
            assert_eq!(with(|m| m.publishes = true) == 0, published);
            assert_eq!(with(|m| m.name = "stray".into()), 2);
            let pyo3 = with(|m| m.depends.push("pyo3".into()));
            assert_eq!(pyo3 == 0, workspace.foreign.contains(&"pyo3"));
        }
    }

    #[test]
    fn packages_in_others_names_are_held_to_their_lists() {
        let lawful: Vec<Member> = COMPAT
            .iter()
            .map(|(dir, allowed)| Member {
                dir: dir.into(),
                depends: allowed.iter().map(|name| String::from(*name)).collect(),
                version: String::from("1.0.0+lanner"),
                ..Member::default()
            })
            .collect();
        assert_eq!(check_compat(&lawful), [""; 0]);
        let broken: [fn(&mut Member); 4] = [
            |package| package.depends.push(String::from("rand")),
            |package| package.publishes = true,
            |package| package.version = String::from("1.0.0"),
            |package| package.dir = "compat/other".into(),
        ];
        for edit in broken {
            let mut packages = lawful.clone();
            edit(&mut packages[0]);
            assert_eq!(check_compat(&packages).len(), 1);
        }
    }

    #[test]
    fn what_is_allowed_in_vain_is_found() {
        let mut members = bare();
        for (member, (_, allowed)) in members.iter_mut().zip(MEMBERS) {
            member.depends = allowed.iter().map(|name| String::from(*name)).collect();
        }
        let beside = Member {
            depends: FOREIGN.iter().map(|name| String::from(*name)).collect(),
            ..Member::default()
        };
        assert_eq!(check_in_vain(&members, &[&beside]), [""; 0]);
        assert_eq!(check_in_vain(&members, &[]).len(), FOREIGN.len());
        let curve = members.iter_mut().find(|m| m.name == "lanner-curve");
        curve.expect("listed").depends.clear();
        let found = ["lanner-curve -> lanner-simd: allowed in vain"];
        assert_eq!(check_in_vain(&members, &[&beside]), found);
    }

    #[test]
    fn a_crate_in_a_graph_is_found_by_its_whole_name() {
        let graph = "lanner v0.1.0 (/here)\ngetrandom v0.4.0\n";
        assert!(reaches(graph, "getrandom").is_some());
        assert!(reaches("getrandom-extra v1\n", "getrandom").is_none());
    }
}
