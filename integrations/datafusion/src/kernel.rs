//! The kernels of lanner-arrow, as the functions call them.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{BooleanArray, Datum, StringViewArray};
use lanner_arrow::{Ed25519, Error, FnDsa};

use crate::options::{Options, Rule};

pub(crate) enum Kernel {
    Ed25519(Ed25519),
    FnDsa(FnDsa),
}

impl Kernel {
    pub(crate) fn new(rule: &Rule, options: &Options) -> Result<Self, Error> {
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
        Ok(match rule {
            Rule::Ed25519(profile) => Self::Ed25519(with_options!(Ed25519::new(*profile))),
            Rule::FnDsa(context) => Self::FnDsa(with_options!(FnDsa::with_context(context)?)),
        })
    }

    pub(crate) fn verify(
        &self,
        [keys, messages, signatures]: [&dyn Datum; 3],
    ) -> Result<BooleanArray, Error> {
        match self {
            Self::Ed25519(kernel) => kernel.verify(keys, messages, signatures),
            Self::FnDsa(kernel) => kernel.verify(keys, messages, signatures),
        }
    }

    pub(crate) fn explain(
        &self,
        [keys, messages, signatures]: [&dyn Datum; 3],
    ) -> Result<StringViewArray, Error> {
        let explained = match self {
            Self::Ed25519(kernel) => kernel.explain(keys, messages, signatures),
            Self::FnDsa(kernel) => kernel.explain(keys, messages, signatures),
        };
        Ok(explained?.reasons)
    }
}

/// How many kernels a function keeps.
const KEPT: usize = 8;

/// The kernels that a function has used last, and with them the keys that they have decoded. The first was used last.
#[derive(Default)]
pub(crate) struct Kernels(Mutex<Vec<(Rule, Options, Arc<Kernel>)>>);

impl Kernels {
    /// The kernel of a call.
    pub(crate) fn get(&self, rule: Rule, options: Options) -> Result<Arc<Kernel>, Error> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept
            .iter()
            .position(|(a, b, _)| *a == rule && *b == options);
        match place {
            Some(place) => kept[..=place].rotate_right(1),
            None => {
                let kernel = Arc::new(Kernel::new(&rule, &options)?);
                kept.truncate(KEPT - 1);
                kept.insert(0, (rule, options, kernel));
            }
        }
        Ok(Arc::clone(&kept[0].2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_kernels_are_kept_as_are_allowed() {
        let kernels = Kernels::default();
        let get = |context: u8| {
            kernels
                .get(Rule::FnDsa(vec![context]), Options::default())
                .unwrap()
        };
        let first = get(0);
        for context in 1..KEPT as u8 {
            get(context);
        }
        assert!(Arc::ptr_eq(&first, &get(0)));
        // Now the second is the one that was used least lately.
        let second = get(1);
        get(0);
        for context in 2..=KEPT as u8 {
            get(context);
        }
        assert!(Arc::ptr_eq(&first, &get(0)));
        assert!(!Arc::ptr_eq(&second, &get(1)));
        assert_eq!(kernels.0.lock().unwrap().len(), KEPT);
    }
}
