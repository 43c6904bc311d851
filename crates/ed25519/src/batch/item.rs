//! What a batch keeps of a signature.

use super::admitted::Admitted;
use crate::VerifyingKey;
use lanner_curve::edwards::TorsionCharacter;

/// A signature that passed every check but the equation, and its key.
pub(super) struct Item<'b> {
    pub(super) admitted: Admitted,
    pub(super) key: &'b VerifyingKey,
    /// What the equation tells of torsion, once a cofactorless rule has asked. An item without is
    /// not valid under one.
    pub(super) character: Option<TorsionCharacter>,
}
