//! The hashes that programs bring, under the traits that Lanner asks for.

use lanner_digest::{FixedOutput, HashMarker, Output, OutputSizeUser, Update};

use crate::ecosystem::{Digest, U64};

/// A hash of 64 bytes of this package's version of `digest`, as one of Lanner's version.
pub(crate) struct Adapted<D>(pub(crate) D);

impl<D: Digest<OutputSize = U64>> Default for Adapted<D> {
    fn default() -> Self {
        Adapted(D::new())
    }
}

impl<D: Digest<OutputSize = U64>> Update for Adapted<D> {
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }
}

impl<D> OutputSizeUser for Adapted<D> {
    type OutputSize = lanner_digest::typenum::U64;
}

impl<D: Digest<OutputSize = U64>> FixedOutput for Adapted<D> {
    fn finalize_into(self, out: &mut Output<Self>) {
        // What may be secret is wiped by Lanner where it arrives; this copy is.
        let mut output = self.0.finalize();
        out.copy_from_slice(&output);
        zeroize::Zeroize::zeroize(&mut output[..]);
    }
}

impl<D> HashMarker for Adapted<D> {}
