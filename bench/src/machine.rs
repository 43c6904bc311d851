//! What the figures were measured on, and with which versions.

use std::process::Command;

/// The lock file of the house, for the versions of the peers.
const LOCK: &str = include_str!("../../Cargo.lock");
/// That of the runner processes.
const RUNNERS_LOCK: &str = include_str!("../runners/Cargo.lock");
/// The module file of the runner in Go.
const GO_MOD: &str = include_str!("../runners/voi/go.mod");

/// The processor's name, where the system tells it.
pub(crate) fn processor() -> String {
    std::fs::read_to_string("/proc/cpuinfo")
        .ok()
        .and_then(|text| {
            let value = |name: &str| {
                let line = text.lines().find(|line| line.starts_with(name))?;
                Some(line.split_once(':')?.1.trim().to_owned())
            };
            let (family, model) = (value("cpu family")?, value("model\t")?);
            let name = value("model name")?;
            Some(format!("{name} (family {family}, model {model})"))
        })
        .unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// The vector and multiplication extensions that matter here and that the processor reports.
pub(crate) fn extensions() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let flags = text.lines().find(|line| line.starts_with("flags"));
    let flags: Vec<&str> = flags.unwrap_or_default().split_whitespace().collect();
    ["bmi2", "adx", "avx2", "avx512ifma", "sha512"]
        .into_iter()
        .filter(|name| flags.contains(name))
        .collect::<Vec<_>>()
        .join(", ")
}

/// How many processes wanted a processor in the last minute, on average, where the system tells it.
pub(crate) fn load() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split(' ').next()?.parse().ok()
}

/// The first line that a program prints about its version.
pub(crate) fn tool(program: &str, argument: &str) -> String {
    let output = Command::new(program).arg(argument).output();
    output.map_or_else(
        |_| format!("no {program}"),
        |output| {
            let text = String::from_utf8_lossy(&output.stdout);
            text.lines().next().unwrap_or_default().trim().to_owned()
        },
    )
}

/// A package with its version in the lock file of the house.
pub(crate) fn version(package: &str) -> String {
    locked(LOCK, package)
}

/// A package with its version in the lock file of the runners.
pub(crate) fn runner_version(package: &str) -> String {
    locked(RUNNERS_LOCK, package)
}

/// A Go module with its version.
pub(crate) fn go_version(module: &str) -> String {
    let line = GO_MOD.lines().find(|line| line.contains(module));
    let version = line.and_then(|line| line.split_whitespace().last());
    let name = module.rsplit('/').next().unwrap_or(module);
    format!("{name} {}", version.unwrap_or("?"))
}

/// Of several versions of a package the first, or the one that begins as given: `package@0.4`.
fn locked(lock: &str, package: &str) -> String {
    let (package, wanted) = package.split_once('@').unwrap_or((package, ""));
    let mut lines = lock.lines();
    while let Some(line) = lines.next() {
        if line.strip_prefix("name = ") == Some(&format!("\"{package}\"")) {
            let version = lines
                .next()
                .and_then(|line| line.strip_prefix("version = "));
            let version = version.map_or("?", |version| version.trim_matches('"'));
            if version.starts_with(wanted) {
                return format!("{package} {version}");
            }
        }
    }
    format!("{package} ?")
}

/// Keeps this thread on one processor; returns its number, or nothing where that is impossible.
pub(crate) fn pin(wanted: Option<usize>) -> Option<usize> {
    let all = core_affinity::get_core_ids()?;
    let id = match wanted {
        Some(number) => all.into_iter().find(|id| id.id == number)?,
        // The last one: the first often serves the system's interrupts.
        None => all.into_iter().last()?,
    };
    core_affinity::set_for_current(id).then_some(id.id)
}

#[cfg(test)]
mod tests {
    use super::{go_version, runner_version, version};

    #[test]
    fn versions_come_from_the_lock_files() {
        assert!(version("ring").starts_with("ring 0.17"));
        assert!(version("fn-dsa@0.3").starts_with("fn-dsa 0.3"));
        assert!(version("fn-dsa@0.4").starts_with("fn-dsa 0.4"));
        assert!(runner_version("crrl").starts_with("crrl 0.9"));
        assert!(go_version("github.com/oasisprotocol/curve25519-voi").contains(" v0."));
        assert_eq!(version("no-such-package"), "no-such-package ?");
    }
}
