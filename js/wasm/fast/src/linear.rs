//! Linear maps of lanes as sums of shuffles, found by the compiler.

use lanner_wasm_curve::edwards::Matrix;

/// A shuffle: where each lane comes from, and times what.
#[derive(Clone, Copy)]
pub(crate) struct Term {
    pub(crate) order: [usize; 4],
    pub(crate) factors: [i32; 4],
}

impl Term {
    /// Whether there is anything but zeros.
    pub(crate) const fn is_any(&self) -> bool {
        let [a, b, c, d] = self.factors;
        a != 0 || b != 0 || c != 0 || d != 0
    }

    /// Whether lanes are only put in order.
    pub(crate) const fn is_plain(&self) -> bool {
        matches!(self.factors, [1, 1, 1, 1])
    }
}

/// The shuffles whose sum is a map, of which no row has more than three lanes. The first of a row is one
/// that comes as it is, if there is any, so that the first shuffle costs no multiplication.
pub(crate) const fn terms(matrix: &Matrix) -> [Term; 3] {
    let mut terms = [Term {
        order: [0, 1, 2, 3],
        factors: [0; 4],
    }; 3];
    let mut i = 0;
    while i < 4 {
        let row = matrix[i];
        let mut first = 4;
        let mut lane = 4;
        while lane > 0 {
            lane -= 1;
            if row[lane] == 1 || row[lane] != 0 && (first == 4 || row[first] != 1) {
                first = lane;
            }
        }
        let mut k = 0;
        let mut n = 0;
        // The first, and then the others in order.
        while n <= 4 {
            let lane = if n == 0 { first } else { n - 1 };
            if lane < 4 && row[lane] != 0 && (n == 0 || lane != first) {
                terms[k].order[i] = lane;
                terms[k].factors[i] = row[lane];
                k += 1;
            }
            n += 1;
        }
        i += 1;
    }
    terms
}

/// What a constant matrix makes of a point.
macro_rules! linear {
    ($a:expr, $matrix:expr) => {{
        const TERMS: [$crate::linear::Term; 3] = $crate::linear::terms(&$matrix);
        ::lanner_wasm_curve::each!(10, I => {
            let v = $a[I];
            let sum = $crate::linear::linear!(@ v, TERMS[0]);
            let sum = if TERMS[1].is_any() { sum.add($crate::linear::linear!(@ v, TERMS[1])) } else { sum };
            if TERMS[2].is_any() { sum.add($crate::linear::linear!(@ v, TERMS[2])) } else { sum }
        })
    }};
    (@ $v:ident, $term:expr) => {{
        const TERM: $crate::linear::Term = $term;
        let lanes = $v.order::<
            { TERM.order[0] },
            { TERM.order[1] },
            { TERM.order[2] },
            { TERM.order[3] },
        >();
        if TERM.is_plain() {
            lanes
        } else {
            lanes.mul(const { ::lanner_wasm_curve::vector::Four::new(TERM.factors) })
        }
    }};
}
pub(crate) use linear;
