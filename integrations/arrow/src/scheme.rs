//! What a signature scheme is to the kernel.

use crate::Reason;

/// A row whose key decodes and whose lengths are right.
pub(crate) struct Row<'r, K> {
    pub(crate) key: &'r K,
    pub(crate) message: &'r [u8],
    pub(crate) signature: &'r [u8],
}

/// A signature scheme, as the kernel sees it.
pub(crate) trait Scheme: Sync {
    /// A decoded public key.
    type Key: Send;
    /// The bytes of a public key.
    type Encoded: AsRef<[u8]> + Send;

    /// Rows that are verified together: so many that more would gain little, and that take some milliseconds.
    const ROWS: usize;

    /// The lengths of public keys, in bytes.
    fn key_lengths(&self) -> &'static [usize];

    /// The length of signatures under a key of `key_length` bytes.
    fn signature_length(&self, key_length: usize) -> usize;

    /// Takes bytes that have one of the lengths.
    fn encoded(bytes: &[u8]) -> Self::Encoded;

    /// Decodes several keys. `of` and `put` say where in each item the bytes and the key are.
    fn decode_each<T>(
        items: &mut [T],
        of: impl Fn(&T) -> &Self::Encoded,
        put: impl Fn(&mut T, Option<Self::Key>),
    );

    /// Verifies rows, of which all lengths are right, each under its own key. The verdicts are the same whether many that are not valid are
    /// expected or not; what they cost is not.
    fn verify_each(&self, rows: &[Row<'_, Self::Key>], many_invalid: bool, verdicts: &mut [bool]);

    /// Whether a row that is not valid is one that a batch has to be searched for: where nothing but the equation shows it.
    fn is_searched_for(&self, row: &Row<'_, Self::Key>) -> bool;

    /// Why a signature is not valid, or a key none, of which it is known already that it is.
    fn reason(&self, key: &[u8], message: &[u8], signature: &[u8]) -> Reason;
}
