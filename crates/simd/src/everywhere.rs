//! Operations on every instruction set, for tests.

use crate::isa::{IfmaOperation, Operation, baseline, portable, portable_ifma, portable128};
use crate::witness::{Avx2, Avx512Ifma};

/// Runs an operation on every instruction set that this processor has, and on the portable twin: for tests.
pub fn everywhere<O: Operation<Output = ()> + Clone>(operation: O) {
    portable(operation.clone());
    portable128(operation.clone());
    baseline(operation.clone());
    if let Some(witness) = Avx2::detect() {
        witness.enter(operation.clone());
    }
    if let Some(witness) = Avx512Ifma::detect() {
        witness.enter(operation);
    }
}

/// As [`everywhere`], for operations with the 52-bit multiplication.
pub fn everywhere_ifma<O: IfmaOperation<Output = ()> + Clone>(operation: O) {
    portable_ifma(operation.clone());
    if let Some(witness) = Avx512Ifma::detect() {
        witness.enter_ifma(operation);
    }
}
