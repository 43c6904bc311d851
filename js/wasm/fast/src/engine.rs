//! What the steps of the scheme are computed with.

use lanner_wasm_curve::constants::Constants;
use lanner_wasm_curve::edwards::Point;
use lanner_wasm_curve::scheme;

use crate::batch::Batch;
use crate::field::Lanes;
use crate::hash::Hash;
use crate::multiply::{Base, multiply_base, vartime_defect};
use crate::point;

/// What never changes, and room for a batch.
pub struct Engine {
    pub(crate) hash: Constants,
    pub(crate) base: Base,
    pub(crate) batch: Batch,
}

impl Engine {
    /// Whether all of some signatures (at most 64) are found valid by the rules together; not in constant time.
    #[inline(never)]
    pub fn vartime_are_valid(&mut self, items: &[[u8; 160]], rules: u32) -> bool {
        self.batch
            .vartime_are_valid::<Self>(&self.hash, &mut self.base, items, rules)
    }
}

impl scheme::Engine for Engine {
    type Hash = Hash;
    type Work = Lanes;

    const EMPTY: Self = Self {
        hash: Constants::EMPTY,
        base: Base::NONE,
        batch: Batch::EMPTY,
    };
    const NO_HASH: Hash = Hash::EMPTY;

    /// The constants of the hash alone: tables are made when they are first needed.
    #[inline(always)]
    fn prepare(&mut self) {
        self.hash.fill();
    }

    #[inline(always)]
    fn start(&self, hash: &mut Hash) {
        hash.start(&self.hash);
    }

    #[inline(always)]
    fn update(&self, hash: &mut Hash, data: &[u8]) {
        hash.update(&self.hash, data);
    }

    #[inline(always)]
    fn finish(&self, hash: &mut Hash) -> [u8; 64] {
        hash.finish(&self.hash)
    }

    #[inline(always)]
    fn multiples(&mut self, scalars: [&[u8; 32]; 2], count: usize) -> [[u8; 32]; 2] {
        let [first, second] = scalars;
        let p = multiply_base(first, &mut self.base);
        if count == 1 {
            return [point::encode(&p), [0; 32]];
        }
        point::encode_both([&p, &multiply_base(second, &mut self.base)])
    }

    #[inline(always)]
    fn work() -> Self::Work {
        Lanes(2)
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
        vartime_defect(s, &mut self.base, k, a_and_r)
    }
}
