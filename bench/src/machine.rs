//! What the figures were measured on, and with which versions.

use std::process::Command;

/// The lock file, for the versions of the peers.
const LOCK: &str = include_str!("../../Cargo.lock");

/// The processor's name, where the system tells it.
pub(crate) fn processor() -> String {
    std::fs::read_to_string("/proc/cpuinfo")
        .ok()
        .and_then(|text| {
            let line = text.lines().find(|line| line.starts_with("model name"))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        })
        .unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// The compiler's version line.
pub(crate) fn compiler() -> String {
    let rustc = Command::new("rustc").arg("--version").output();
    rustc.map_or_else(
        |_| String::from("unknown compiler"),
        |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    )
}

/// The version of a package in the lock file.
pub(crate) fn version(package: &str) -> &'static str {
    let mut lines = LOCK.lines();
    while let Some(line) = lines.next() {
        if line.strip_prefix("name = ") == Some(&format!("\"{package}\"")) {
            let version = lines
                .next()
                .and_then(|line| line.strip_prefix("version = "));
            return version.map_or("?", |version| version.trim_matches('"'));
        }
    }
    "?"
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
    use super::version;

    #[test]
    fn versions_come_from_the_lock_file() {
        assert!(version("ring").starts_with("0.17"));
        assert_eq!(version("no-such-package"), "?");
    }
}
