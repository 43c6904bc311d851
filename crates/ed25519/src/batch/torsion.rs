//! Whether the two sides of many equations have the same component of small order, which a
//! cofactorless rule wants. Variable time.

use lanner_curve::edwards::{EdwardsPoint, GroupEquation, TorsionCharacter};
use lanner_curve::scalar::Scalar;

use super::coefficients::Coefficients;
use super::item::Item;
use super::{admitted, room};

/// From how many items on products over subsets are faster than an exponentiation for each.
pub(super) const PRODUCTS_FROM: usize = 192;

/// Computes the characters that are not there yet.
pub(super) fn characters(items: &mut [Item]) {
    for group in items.chunks_mut(admitted::GROUP) {
        let mut equations = [GroupEquation {
            s: Scalar::ZERO,
            r: EdwardsPoint::default(),
            k: Scalar::ZERO,
            a: EdwardsPoint::default(),
        }; admitted::GROUP];
        let mut characters = [None; admitted::GROUP];
        for (equation, item) in equations.iter_mut().zip(&*group) {
            *equation = item.admitted.equation;
        }
        let count = group.len();
        EdwardsPoint::vartime_torsion_characters(&equations[..count], &mut characters[..count]);
        for (item, character) in group.iter_mut().zip(characters) {
            item.character = character;
        }
    }
}

/// Whether the equation of an item with a character, if it has one, has no torsion. Exact.
pub(super) fn vartime_is_free(item: &Item) -> bool {
    item.character
        .is_some_and(|character| TorsionCharacter::vartime_all_one(&[character]))
}

/// Whether no equation of items with characters has torsion, exactly or up to a probability of
/// 2^-128; `None` if there is not enough memory to tell.
pub(super) fn vartime_all_free(items: &[Item], coefficients: &Coefficients) -> Option<bool> {
    let mut values = room(items.len())?;
    for item in items {
        match item.character {
            Some(character) => values.push(character),
            None => return Some(false),
        }
    }
    if values.len() < PRODUCTS_FROM {
        return Some(TorsionCharacter::vartime_all_one(&values));
    }
    let subsets = coefficients.subsets(values.len().div_ceil(TorsionCharacter::GROUP))?;
    Some(TorsionCharacter::vartime_products_are_one(
        &values, &subsets,
    ))
}
