//! Constant-time code, from the roots of the table on: what branches, divides or calls as no secret may.

use std::collections::BTreeMap;

use crate::flow::{Arguments, Flow, Kind, Law, Suspect};
use crate::law;
use crate::objects::{Id, Program};

/// The findings: suspects that the table does not explain, and entries that explain nothing.
pub(crate) fn check(program: &Program) -> Vec<String> {
    let mut findings = Vec::new();
    let mut roots: Vec<(Id, Arguments)> = Vec::new();
    for root in law::ROOTS {
        let of: Vec<Id> = (0..program.functions.len())
            .filter(|id| law::matches(root.function, &program.functions[*id].name))
            .collect();
        if of.is_empty() {
            findings.push(format!("no function is {} (roots)", root.function));
        }
        roots.extend(of.into_iter().map(|id| (id, root.arguments)));
    }
    let (suspects, seen) = suspects(program, &roots);
    println!("{} roots, {seen} functions followed", roots.len());
    let mut places: BTreeMap<&str, Vec<(usize, Kind)>> = BTreeMap::new();
    for suspect in &suspects {
        let name = program.functions[suspect.function].name.as_str();
        let of = places.entry(name).or_default();
        of.push((suspect.offset, suspect.kind));
    }
    let mut used = vec![false; law::PUBLIC.len()];
    for (name, places) in places {
        let entry = law::PUBLIC
            .iter()
            .position(|entry| law::matches(entry.function, name));
        let at_most = entry.map_or(0, |i| law::PUBLIC[i].at_most);
        if let Some(i) = entry {
            used[i] = true;
        }
        if places.len() > at_most {
            let list: Vec<String> = places
                .iter()
                .map(|(offset, kind)| format!("{kind:?} at {offset:#x}"))
                .collect();
            findings.push(format!(
                "{name}: {} places may depend on a secret, {at_most} are explained: {}",
                places.len(),
                list.join(", ")
            ));
        } else if let Some(i) = entry {
            println!(
                "{} places in {name}: {}",
                places.len(),
                law::PUBLIC[i].reason
            );
        }
    }
    for (entry, used) in law::PUBLIC.iter().zip(used) {
        if !used {
            findings.push(format!("nothing to explain in {}", entry.function));
        }
    }
    findings
}

/// The suspects from some roots on, by the law, and how many functions were followed.
fn suspects(program: &Program, roots: &[(Id, Arguments)]) -> (Vec<Suspect>, usize) {
    let law = Law {
        ends: &|name| law::ENDS.iter().any(|pattern| law::matches(pattern, name)),
        open: &|name| law::is_allowed(law::OPEN, name),
        closed: &law::varies,
    };
    Flow::new(program, 64, law).run(roots)
}

#[cfg(all(test, target_arch = "x86_64", target_os = "linux"))]
mod controls;
