//! Whether all of many signatures are valid.
//!
//! With D = \[S]B - \[k]A - R of each, and numbers z that nobody could foresee, the sum of all \[z]D is of small order only
//! if each D is (but for a probability of 2^-128), because the group modulo its points of small order has prime order.
//! One chain of doublings serves them all. A rule without the cofactor wants D itself to be 0: then
//! [`characters`](crate::characters) have to find no component of small order in R + \[k]A, of which D has the opposite.
//! So a batch that is found valid is valid by single verification, by every profile. One that is not found so may be valid
//! still, without the cofactor, where a signer made R + \[k]A the neutral element but for what is free of small order:
//! who asks verifies one by one then, and has to anyway, to know which one is not.
//!
//! The numbers z come from a hash of all that is claimed, so that the answer to the same claims is always the same, and
//! depends on no generator of random numbers.

use crate::characters::vartime_have_none;
use crate::field::Lanes;
use crate::hash::Hash;
use crate::multiply::{Base, DIGITS, Form, ONCE, Odd, fill_odd, vartime_add};
use crate::point::{double, negated, sum};
use lanner_wasm_curve::constants::Constants;
use lanner_wasm_curve::edwards::{IDENTITY, Point};
use lanner_wasm_curve::field::ZERO;
use lanner_wasm_curve::rule;
use lanner_wasm_curve::scalar::{multiply_add, reduce_wide};
use lanner_wasm_curve::scheme::{Engine, vartime_admit, vartime_is_small_order};

/// R, S, the public key, and what SHA-512 makes of R, the public key and the message.
pub(crate) type Item = [u8; 160];

/// The most signatures.
const MOST: usize = 64;

/// How many odd multiples of a key: its scalars are not of half the size.
const OF_KEY: usize = 8;

/// What is computed of a signature.
struct Term {
    /// Odd multiples of -A, and of -R.
    of_key: Odd<OF_KEY>,
    of_r: Odd<ONCE>,
    /// By what they are multiplied: z k, and z.
    forms: [Form; 2],
    /// A point with the component of small order of R + \[k]A.
    residue: Point,
}

/// Room for what is computed.
pub(crate) struct Batch([Term; MOST]);

impl Batch {
    pub(crate) const EMPTY: Self = Self(
        [const {
            Term {
                of_key: [ZERO; OF_KEY],
                of_r: [ZERO; ONCE],
                forms: [Form::EMPTY; 2],
                residue: ZERO,
            }
        }; MOST],
    );
}

/// The numbers z, four to a hash.
struct Coefficients<'a> {
    constants: &'a Constants,
    seed: [u8; 64],
    digest: [u8; 64],
}

impl<'a> Coefficients<'a> {
    fn new(constants: &'a Constants, items: &[Item], rules: u32) -> Self {
        let mut hash = Hash::EMPTY;
        hash.start(constants);
        hash.update(constants, b"lanner batch");
        hash.update(constants, &rules.to_le_bytes());
        hash.update(constants, items.as_flattened());
        Self {
            constants,
            seed: hash.finish(constants),
            digest: [0; 64],
        }
    }

    /// The number at a place; they are asked for in order.
    fn at(&mut self, i: usize) -> [u8; 32] {
        if i.is_multiple_of(4) {
            let mut hash = Hash::EMPTY;
            hash.start(self.constants);
            hash.update(self.constants, &self.seed);
            hash.update(self.constants, &[i as u8]);
            self.digest = hash.finish(self.constants);
        }
        let mut number = [0; 32];
        number[..16].copy_from_slice(&self.digest.as_chunks::<16>().0[i % 4]);
        number
    }
}

/// R + \[k]A but for what is free of small order, given odd multiples of -A: 8A is, and so it is R - \[m]A with m = -k
/// modulo 8.
fn vartime_residue(r: &Point, of_key: &Odd<OF_KEY>, k: u8) -> Point {
    let m = usize::from(k.wrapping_neg() % 8);
    if m == 0 {
        return *r;
    }
    let first = if m.is_multiple_of(2) {
        sum(r, &of_key[0])
    } else {
        *r
    };
    sum(&first, &of_key[(m - 1) / 2])
}

impl Batch {
    /// Whether all of some signatures (at most 64) are found valid by the rules together; not in constant time.
    /// `E` works with the constants of the hash and the multiples of the base point.
    #[inline(always)]
    pub(crate) fn vartime_are_valid<E: Engine<Work = Lanes>>(
        &mut self,
        hash: &Constants,
        base: &mut Base,
        items: &[Item],
        rules: u32,
    ) -> bool {
        let Some(terms) = self.0.get_mut(..items.len()) else {
            return false;
        };
        let mut coefficients = Coefficients::new(hash, items, rules);
        let mut multiple_of_base = [0; 32];
        for (i, (item, term)) in items.iter().zip(&mut *terms).enumerate() {
            let [r, s, public, low, high] = item.as_chunks::<32>().0 else {
                return false;
            };
            let mut points = [ZERO; 2];
            if !vartime_admit::<E>(&mut Lanes(2), &mut points, [public, r], s, rules) {
                return false;
            }
            let [a, r] = &points;
            let mut digest = [0; 64];
            digest[..32].copy_from_slice(low);
            digest[32..].copy_from_slice(high);
            let k = reduce_wide(&digest);
            let z = coefficients.at(i);
            multiple_of_base = multiply_add(&z, s, &multiple_of_base);
            term.forms = [Form::EMPTY; 2];
            term.forms[0].vartime_set(&multiply_add(&z, &k, &[0; 32]), OF_KEY);
            term.forms[1].vartime_set(&z[..16], ONCE);
            fill_odd(&mut term.of_key, &negated(a));
            fill_odd(&mut term.of_r, &negated(r));
            term.residue = vartime_residue(r, &term.of_key, k[0]);
        }
        if rules & rule::COFACTORED == 0 {
            for terms in terms.chunks(4) {
                let last = terms.len() - 1;
                if !vartime_have_none([0, 1, 2, 3].map(|i: usize| &terms[i.min(last)].residue)) {
                    return false;
                }
            }
        }
        let (low, high) = multiple_of_base.split_at(16);
        let odd = base.odd();
        let mut forms = [Form::EMPTY; 2];
        for ((form, integer), odd) in forms.iter_mut().zip([low, high]).zip(odd) {
            form.vartime_set(integer, odd.len());
        }
        let mut defect = IDENTITY;
        for i in (0..DIGITS).rev() {
            defect = double(&defect);
            let mut add = |form: &Form, odd| {
                if form.digits[i] != 0 {
                    defect = vartime_add(&defect, form.digits[i], odd);
                }
            };
            for term in &*terms {
                add(&term.forms[0], &term.of_key);
                add(&term.forms[1], &term.of_r);
            }
            for (form, odd) in forms.iter().zip(odd) {
                add(form, odd);
            }
        }
        vartime_is_small_order::<E>(&mut Lanes(2), &mut defect)
    }
}
