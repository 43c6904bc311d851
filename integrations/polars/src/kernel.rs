//! The kernels of lanner-arrow, as the expressions call them.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{BooleanArray, Datum, StringViewArray};
use lanner_arrow::{Ed25519, Error, FnDsa};

use crate::options::{Options, Rule};

pub(crate) enum Kernel {
    Ed25519(Ed25519),
    FnDsa(FnDsa),
}

impl Kernel {
    fn new(options: &Options) -> Result<Self, Error> {
        macro_rules! with_options {
            ($kernel:expr) => {
                $kernel
                    .key_encoding(options.encodings[0])
                    .message_encoding(options.encodings[1])
                    .signature_encoding(options.encodings[2])
                    .nulls(options.nulls)
                    .strict(options.strict)
            };
        }
        Ok(match &options.rule {
            Rule::Ed25519(profile) => Self::Ed25519(with_options!(Ed25519::new(*profile))),
            Rule::FnDsa(context) => Self::FnDsa(with_options!(FnDsa::with_context(context)?)),
        })
    }

    /// `go_on` is asked every ten milliseconds or so.
    pub(crate) fn verify(
        &self,
        [keys, messages, signatures]: [&dyn Datum; 3],
        go_on: impl Fn() -> bool,
    ) -> Result<BooleanArray, Error> {
        match self {
            Self::Ed25519(kernel) => kernel.verify_while(keys, messages, signatures, go_on),
            Self::FnDsa(kernel) => kernel.verify_while(keys, messages, signatures, go_on),
        }
    }

    pub(crate) fn explain(
        &self,
        [keys, messages, signatures]: [&dyn Datum; 3],
        go_on: impl Fn() -> bool,
    ) -> Result<StringViewArray, Error> {
        let explained = match self {
            Self::Ed25519(kernel) => kernel.explain_while(keys, messages, signatures, go_on),
            Self::FnDsa(kernel) => kernel.explain_while(keys, messages, signatures, go_on),
        };
        Ok(explained?.reasons)
    }
}

/// How many kernels are kept.
const KEPT: usize = 8;

/// The kernels that were used last, and with them the keys that they have decoded: an expression is evaluated part by part.
/// The first was used last.
static KERNELS: Mutex<Vec<(Options, Arc<Kernel>)>> = Mutex::new(Vec::new());

/// The kernel of an expression.
pub(crate) fn kernel(options: Options) -> Result<Arc<Kernel>, Error> {
    let mut kept = KERNELS.lock().unwrap_or_else(PoisonError::into_inner);
    match kept.iter().position(|(other, _)| *other == options) {
        Some(place) => kept[..=place].rotate_right(1),
        None => {
            let kernel = Arc::new(Kernel::new(&options)?);
            kept.truncate(KEPT - 1);
            kept.insert(0, (options, kernel));
        }
    }
    Ok(Arc::clone(&kept[0].1))
}
