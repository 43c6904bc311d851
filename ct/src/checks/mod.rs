//! The operations that promise constant time.
//!
//! Each takes the secrets and returns bytes, which are declassified before anybody looks at them.

mod curve;
mod ed25519;
mod fn_dsa;
mod key_files;
mod x25519;

use crate::output::Output;
use crate::secrets::Secrets;

/// A check: its name, and what it runs.
pub(crate) type Check = (&'static str, fn(&Secrets) -> Output);

/// Checks that belong together.
pub(crate) struct Group {
    pub(crate) name: &'static str,
    /// Whether the backends of the curve do the work. If not, one run is all.
    pub(crate) on_backends: bool,
    pub(crate) checks: &'static [Check],
}

/// All of them. Memcheck tells a place once in a run, and a run is a group: so the checks at which a
/// documented place may show are in groups of their own.
pub(crate) const GROUPS: &[Group] = &[
    on_backends("ed25519", ed25519::ALL),
    on_backends("ed25519-answers", ed25519::ANSWERS),
    on_backends("x25519", x25519::ALL),
    on_backends("curve", curve::ALL),
    once("key-files", key_files::CURVE),
    once("fn-dsa-files", key_files::FN_DSA),
    once("fn-dsa-keys", fn_dsa::KEYS),
    once("fn-dsa-keygen", fn_dsa::KEYGEN),
    once("fn-dsa-sign", fn_dsa::SIGN),
    once("falcon-sign", fn_dsa::FALCON),
];

const fn on_backends(name: &'static str, checks: &'static [Check]) -> Group {
    Group {
        name,
        on_backends: true,
        checks,
    }
}

const fn once(name: &'static str, checks: &'static [Check]) -> Group {
    Group {
        name,
        on_backends: false,
        checks,
    }
}

/// All checks of all groups.
pub(crate) fn all() -> impl Iterator<Item = &'static Check> {
    GROUPS.iter().flat_map(|group| group.checks)
}
