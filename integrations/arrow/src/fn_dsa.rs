//! FN-DSA (Falcon) in columns.

use arrow_array::{BooleanArray, Datum};
use lanner_fn_dsa::{
    DomainContext, FN_DSA_LOGN_512, FN_DSA_LOGN_1024, HASH_ID_RAW, VerifyingKeyStandard,
    signature_size, vrfy_key_size,
};

use crate::kernel::Kernel;
use crate::options::{Options, option_methods};
use crate::scheme::{Row, Scheme};
use crate::{Encoding, Error, Explained, Nulls, Reason};

/// How many decoded keys a thread keeps: about 4 MB of them.
const KEYS_KEPT: usize = 1 << 10;

/// Verifies FN-DSA signatures in columns: the main variant of [`lanner_fn_dsa`], of degree 512 and 1024 in one column if need
/// be. Public keys have 897 or 1793 bytes, signatures 666 or 1280; messages are as they are, not hashed beforehand.
///
/// The verdicts are those of `VerifyingKeyStandard::from_bytes(key)?.try_verify(…)`, row by row. Variable time.
pub struct FnDsa {
    scheme: Lattice,
    kernel: Kernel<Lattice>,
}

impl Default for FnDsa {
    fn default() -> Self {
        Self::new()
    }
}

impl FnDsa {
    /// A verifier of signatures without a context.
    #[must_use]
    pub fn new() -> Self {
        Self {
            scheme: Lattice {
                context: Vec::new(),
            },
            kernel: Kernel::new(Options::new(KEYS_KEPT)),
        }
    }

    /// A verifier of signatures with this context, of at most 255 bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Context`] if it is longer.
    pub fn with_context(context: &[u8]) -> Result<Self, Error> {
        if context.len() > 255 {
            return Err(Error::Context);
        }
        let mut new = Self::new();
        new.scheme.context = context.to_vec();
        Ok(new)
    }

    /// How many decoded keys are kept at most from one chunk of 1,024 rows to the next, for each call that is under way at one
    /// time: about four kilobytes each, 1,024 unless this is called. Those of a chunk are beside them.
    #[must_use]
    pub fn keys_kept(mut self, keys: usize) -> Self {
        self.kernel.options.keys_kept = keys;
        self
    }

    option_methods!();
}

pub(crate) struct Lattice {
    context: Vec<u8>,
}

/// In bytes.
const KEY_LENGTHS: [usize; 2] = [
    vrfy_key_size(FN_DSA_LOGN_512),
    vrfy_key_size(FN_DSA_LOGN_1024),
];

impl Scheme for Lattice {
    type Key = VerifyingKeyStandard;
    type Encoded = Box<[u8]>;

    const ROWS: usize = 1024;

    fn key_lengths(&self) -> &'static [usize] {
        &KEY_LENGTHS
    }

    fn signature_length(&self, key_length: usize) -> usize {
        let small = key_length == KEY_LENGTHS[0];
        signature_size(if small {
            FN_DSA_LOGN_512
        } else {
            FN_DSA_LOGN_1024
        })
    }

    fn encoded(bytes: &[u8]) -> Box<[u8]> {
        bytes.into()
    }

    fn decode_each<T>(
        items: &mut [T],
        of: impl Fn(&T) -> &Box<[u8]>,
        put: impl Fn(&mut T, Option<VerifyingKeyStandard>),
    ) {
        let encoded: Vec<&[u8]> = items.iter().map(|item| &of(item)[..]).collect();
        let mut keys = vec![None; items.len()];
        VerifyingKeyStandard::from_bytes_each(&encoded, &mut keys);
        for (item, key) in items.iter_mut().zip(keys) {
            put(item, key);
        }
    }

    fn verify_each(&self, rows: &[Row<'_, VerifyingKeyStandard>], _: bool, verdicts: &mut [bool]) {
        let keys: Vec<_> = rows.iter().map(|row| row.key).collect();
        let signatures: Vec<_> = rows.iter().map(|row| row.signature).collect();
        let messages: Vec<_> = rows.iter().map(|row| row.message).collect();
        VerifyingKeyStandard::verify_each(
            &keys,
            &signatures,
            &DomainContext(&self.context),
            &HASH_ID_RAW,
            &messages,
            verdicts,
        )
        .expect("as many of each, and a context that is not too long");
    }

    fn is_searched_for(&self, _: &Row<'_, VerifyingKeyStandard>) -> bool {
        // There are no batches.
        false
    }

    fn reason(&self, key: &[u8], _: &[u8], _: &[u8]) -> Reason {
        match VerifyingKeyStandard::from_bytes(key) {
            Ok(_) => Reason::Signature,
            Err(_) => Reason::Key,
        }
    }
}
