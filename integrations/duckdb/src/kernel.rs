//! The kernels of lanner-arrow, as the functions call them.

use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{BooleanArray, LargeBinaryArray, StringViewArray};
use lanner_arrow::{Ed25519, Error, FnDsa};
use lanner_ed25519::profile::{ProfileName, Strict};

/// A signature scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    Ed25519,
    FnDsa,
}

/// What a function says of rows.
pub(crate) enum Judged {
    /// Whether each is valid. There are no nulls.
    Verdicts(BooleanArray),
    /// Why each is not valid, null where it is.
    Reasons(StringViewArray),
}

/// What is verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    Ed25519(ProfileName),
    /// With this context.
    FnDsa(Vec<u8>),
}

/// In bytes.
const MAX_CONTEXT: usize = 255;

impl Rule {
    /// `given` is the fourth argument, if there is one.
    pub(crate) fn new(scheme: Scheme, given: Option<&[u8]>) -> Result<Self, String> {
        match (scheme, given) {
            (Scheme::Ed25519, None) => Ok(Self::Ed25519(Strict.into())),
            (Scheme::Ed25519, Some(name)) => ProfileName::from_str(&String::from_utf8_lossy(name))
                .map(Self::Ed25519)
                .map_err(|error| error.to_string()),
            (Scheme::FnDsa, given) => {
                let context = given.unwrap_or_default();
                if context.len() > MAX_CONTEXT {
                    let found = context.len();
                    return Err(format!(
                        "a context has at most {MAX_CONTEXT} bytes, and this one {found}"
                    ));
                }
                Ok(Self::FnDsa(context.to_vec()))
            }
        }
    }
}

pub(crate) enum Kernel {
    Ed25519(Ed25519),
    FnDsa(FnDsa),
}

/// Keys, messages and signatures.
pub(crate) type Columns<'a> = [&'a LargeBinaryArray; 3];

impl Kernel {
    fn new(rule: &Rule) -> Result<Self, Error> {
        Ok(match rule {
            Rule::Ed25519(profile) => Self::Ed25519(Ed25519::new(*profile)),
            Rule::FnDsa(context) => Self::FnDsa(FnDsa::with_context(context)?),
        })
    }

    pub(crate) fn verify(
        &self,
        [keys, messages, signatures]: Columns<'_>,
    ) -> Result<BooleanArray, Error> {
        match self {
            Self::Ed25519(kernel) => kernel.verify(keys, messages, signatures),
            Self::FnDsa(kernel) => kernel.verify(keys, messages, signatures),
        }
    }

    pub(crate) fn explain(
        &self,
        [keys, messages, signatures]: Columns<'_>,
    ) -> Result<StringViewArray, Error> {
        let explained = match self {
            Self::Ed25519(kernel) => kernel.explain(keys, messages, signatures),
            Self::FnDsa(kernel) => kernel.explain(keys, messages, signatures),
        };
        Ok(explained?.reasons)
    }
}

/// How many kernels are kept.
const KEPT: usize = 8;

/// The kernels that were used last, and with them the keys that they have decoded. The first was used last.
static KERNELS: Mutex<Vec<(Rule, Arc<Kernel>)>> = Mutex::new(Vec::new());

/// The kernel of a call.
pub(crate) fn kernel(rule: Rule) -> Result<Arc<Kernel>, Error> {
    let mut kept = KERNELS.lock().unwrap_or_else(PoisonError::into_inner);
    match kept.iter().position(|(other, _)| *other == rule) {
        Some(place) => kept[..=place].rotate_right(1),
        None => {
            let kernel = Arc::new(Kernel::new(&rule)?);
            kept.truncate(KEPT - 1);
            kept.insert(0, (rule, kernel));
        }
    }
    Ok(Arc::clone(&kept[0].1))
}
