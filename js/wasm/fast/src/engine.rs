//! What the steps of the scheme are computed with.

use lanner_curve::Scalar;
use lanner_wasm_curve::edwards::Point;
use lanner_wasm_curve::scheme;

use crate::field::Lanes;
use crate::hash::Hash;
use crate::multiply::{Base, multiply_base, vartime_defect};
use crate::point;

impl scheme::Engine for Base {
    type Hash = Hash;
    type Work = Lanes<2>;

    const EMPTY: Self = Self::NONE;
    const NO_HASH: Hash = Hash::EMPTY;

    /// Nothing: tables are made when they are first needed.
    #[inline(always)]
    fn prepare(&mut self) {}

    #[inline(always)]
    fn start(&self, hash: &mut Hash) {
        hash.start();
    }

    #[inline(always)]
    fn update(&self, hash: &mut Hash, data: &[u8]) {
        hash.update(data);
    }

    #[inline(always)]
    fn finish(&self, hash: &mut Hash) -> [u8; 64] {
        hash.finish()
    }

    #[inline(always)]
    fn reduce_wide(digest: &[u8; 64]) -> [u8; 32] {
        Scalar::from_bytes_mod_order_wide(digest).to_bytes()
    }

    #[inline(always)]
    fn is_reduced(n: &[u8; 32]) -> bool {
        Scalar::from_bytes_mod_order(*n).as_bytes() == n
    }

    #[inline(always)]
    fn multiply_add(a: &[u8; 32], b: &[u8; 32], c: &[u8; 32]) -> [u8; 32] {
        let a = Scalar::from_bytes_mod_order(*a);
        let b = Scalar::from_bytes_mod_order(*b);
        (a * b + Scalar::from_bytes_mod_order(*c)).to_bytes()
    }

    #[inline(always)]
    fn multiples(&mut self, scalars: [&[u8; 32]; 2], count: usize) -> [[u8; 32]; 2] {
        let [first, second] = scalars;
        let p = multiply_base(first, self);
        if count == 1 {
            return [point::encode(&p), [0; 32]];
        }
        point::encode_both([&p, &multiply_base(second, self)])
    }

    #[inline(always)]
    fn work() -> Self::Work {
        Lanes
    }

    #[inline(always)]
    fn vartime_decode(
        _: &mut Self::Work,
        points: &mut [Point; 2],
        encodings: [&[u8; 32]; 2],
    ) -> bool {
        match point::vartime_decode(encodings) {
            Some(decoded) => *points = decoded,
            None => return false,
        }
        true
    }

    #[inline(always)]
    fn double(_: &mut Self::Work, p: &mut Point) {
        *p = point::double(p);
    }

    #[inline(always)]
    fn vartime_defect(
        &mut self,
        _: &mut Self::Work,
        s: &[u8; 32],
        k: &[u8; 32],
        a_and_r: &mut [Point; 2],
    ) -> Point {
        vartime_defect(s, self, k, a_and_r)
    }
}
