//! The operations that promise constant time.
//!
//! Each takes the secrets and returns bytes, which are declassified before anybody looks at them.

mod curve;
mod ed25519;
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

/// All of them.
pub(crate) const GROUPS: &[Group] = &[
    Group {
        name: "ed25519",
        on_backends: true,
        checks: ed25519::ALL,
    },
    Group {
        name: "x25519",
        on_backends: true,
        checks: x25519::ALL,
    },
    Group {
        name: "curve",
        on_backends: true,
        checks: curve::ALL,
    },
];

/// All checks of all groups.
pub(crate) fn all() -> impl Iterator<Item = &'static Check> {
    GROUPS.iter().flat_map(|group| group.checks)
}
