//! The operations that promise constant time.
//!
//! Each takes the secrets and returns bytes, which are declassified before anybody looks at them.

mod c_face;
mod curve;
mod ed25519;
mod fn_dsa;
mod key_files;
mod x25519;

use lanner_curve::backend::Backend;

use crate::output::Output;
use crate::secrets::Secrets;

/// A check: its name, and what it runs.
pub(crate) type Check = (&'static str, fn(&Secrets) -> Output);

/// Checks that belong together.
pub(crate) struct Group {
    pub(crate) name: &'static str,
    /// Whether the backends of the curve do the work. If not, one run is all.
    pub(crate) on_backends: bool,
    /// Whether the C library is called. There may be none.
    pub(crate) of_c: bool,
    pub(crate) checks: &'static [Check],
}

/// All of them. Memcheck tells a place once in a run, and a run is a group: so the checks at which a
/// documented place may show are in groups of their own.
pub(crate) const GROUPS: &[Group] = &[
    on_backends("ed25519", ed25519::ALL),
    on_backends("answers", ed25519::ANSWERS),
    on_backends("x25519-answers", x25519::ANSWERS),
    on_backends("x25519", x25519::ALL),
    on_backends("curve", curve::ALL),
    once("key-files", key_files::CURVE),
    once("fn-dsa-files", key_files::FN_DSA),
    once("fn-dsa-keys", fn_dsa::KEYS),
    once("fn-dsa-keygen", fn_dsa::KEYGEN),
    once("fn-dsa-sign", fn_dsa::SIGN),
    once("falcon-sign", fn_dsa::FALCON),
    of_c(true, "c-curve", c_face::CURVE),
    of_c(true, "c-answers", c_face::ANSWERS),
    of_c(false, "c-key-files", c_face::CURVE_FILES),
    of_c(false, "c-fn-dsa-files", c_face::FN_DSA_FILES),
    of_c(false, "c-fn-dsa-keys", c_face::FN_DSA_KEYS),
    of_c(false, "c-fn-dsa-keygen", c_face::FN_DSA_KEYGEN),
    of_c(false, "c-fn-dsa-sign", c_face::FN_DSA_SIGN),
    of_c(false, "c-falcon-sign", c_face::FALCON_SIGN),
];

const fn on_backends(name: &'static str, checks: &'static [Check]) -> Group {
    Group {
        name,
        on_backends: true,
        of_c: false,
        checks,
    }
}

const fn once(name: &'static str, checks: &'static [Check]) -> Group {
    Group {
        name,
        on_backends: false,
        of_c: false,
        checks,
    }
}

const fn of_c(on_backends: bool, name: &'static str, checks: &'static [Check]) -> Group {
    Group {
        name,
        on_backends,
        of_c: true,
        checks,
    }
}

/// Lets the backend do the work of the C library, which has a choice of its own.
///
/// # Errors
///
/// The library does not have it.
pub(crate) fn force_in_c(backend: Backend) -> Result<(), String> {
    c_face::force(backend)
}

/// All checks of all groups.
pub(crate) fn all() -> impl Iterator<Item = &'static Check> {
    GROUPS.iter().flat_map(|group| group.checks)
}
