//! The operations that promise constant time.
//!
//! Each takes the secrets and returns bytes, which are declassified before anybody looks at them.

mod c_face;
mod curve;
mod ed25519;
mod fn_dsa;
mod hybrid;
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
    pub(crate) checks: &'static [Check],
    /// Whether the backends of the curve do the work. If not, one run is all.
    pub(crate) on_backends: bool,
    /// Whether the C library is called. There may be none.
    pub(crate) of_c: bool,
    /// Whether keys of FN-DSA are needed. They take a second to make under valgrind.
    pub(crate) fn_dsa: bool,
    /// Whether a random draw beside the secrets decides how long it takes, as in signing of FN-DSA: how often a sampler rejects.
    pub(crate) draws: bool,
}

/// Checks of which no times are taken, and why not.
pub(crate) const UNTIMED: &[(&str, &str)] = &[
    ("hybrid-", KEY_GENERATION),
    ("c-hybrid-", KEY_GENERATION),
    ("c-fn-dsa-keygen", KEY_GENERATION),
    ("fn-dsa-keygen", KEY_GENERATION),
    ("falcon-det1024", OF_ITSELF),
    ("c-falcon-det1024", OF_ITSELF),
];
const KEY_GENERATION: &str =
    "it generates a key of FN-DSA, from as many candidates as the seed needs";
const OF_ITSELF: &str = "it draws of the key and the message alone, for each key in another time";

/// All of them. Memcheck tells a place once in a run, and a run is a group: so the checks at which a
/// documented place may show are in groups of their own.
pub(crate) const GROUPS: &[Group] = &[
    curve("ed25519", ed25519::ALL),
    curve("answers", ed25519::ANSWERS),
    curve("x25519", x25519::ALL),
    curve("x25519-answers", x25519::ANSWERS),
    curve("curve", curve::ALL),
    curve("curve-answers", curve::ANSWERS),
    files("key-files", key_files::CURVE),
    fn_dsa("fn-dsa-files", key_files::FN_DSA),
    fn_dsa("fn-dsa-keys", fn_dsa::KEYS),
    fn_dsa("fn-dsa-keygen", fn_dsa::KEYGEN),
    drawing(fn_dsa("fn-dsa-sign", fn_dsa::SIGN)),
    drawing(fn_dsa("falcon-sign", fn_dsa::FALCON)),
    files("hybrid", hybrid::ALL),
    in_c(curve("c-curve", c_face::CURVE)),
    in_c(curve("c-answers", c_face::ANSWERS)),
    in_c(files("c-key-files", c_face::CURVE_FILES)),
    in_c(fn_dsa("c-fn-dsa-files", c_face::FN_DSA_FILES)),
    in_c(fn_dsa("c-fn-dsa-keys", c_face::FN_DSA_KEYS)),
    in_c(fn_dsa("c-fn-dsa-keygen", c_face::FN_DSA_KEYGEN)),
    in_c(drawing(fn_dsa("c-fn-dsa-sign", c_face::FN_DSA_SIGN))),
    in_c(drawing(fn_dsa("c-falcon-sign", c_face::FALCON_SIGN))),
    in_c(files("c-hybrid", c_face::HYBRID)),
];

const fn files(name: &'static str, checks: &'static [Check]) -> Group {
    Group {
        name,
        checks,
        on_backends: false,
        of_c: false,
        fn_dsa: false,
        draws: false,
    }
}

/// What the arithmetic of the curve does.
pub(crate) const fn curve(name: &'static str, checks: &'static [Check]) -> Group {
    Group {
        on_backends: true,
        ..files(name, checks)
    }
}

const fn fn_dsa(name: &'static str, checks: &'static [Check]) -> Group {
    Group {
        fn_dsa: true,
        ..files(name, checks)
    }
}

const fn drawing(group: Group) -> Group {
    Group {
        draws: true,
        ..group
    }
}

const fn in_c(group: Group) -> Group {
    Group {
        of_c: true,
        ..group
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
