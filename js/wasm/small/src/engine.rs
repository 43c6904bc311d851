//! What the steps of the scheme are computed with: the tables, made once, and the parts of this crate.

#[cfg(feature = "sign")]
use crate::point::Combs;
use crate::point::{self, Work};
use crate::sha512::Sha512;
use lanner_wasm_curve::constants::Constants;
use lanner_wasm_curve::edwards::{BASE, Point, Summand};
use lanner_wasm_curve::field::ZERO;
use lanner_wasm_curve::scheme;

/// What never changes.
pub struct Engine {
    hash: Constants,
    /// Of the base point, for secret scalars, and
    #[cfg(feature = "sign")]
    combs: Combs,
    /// for others.
    multiples: [Summand; 32],
}

impl scheme::Engine for Engine {
    type Hash = Sha512;
    type Work = Work;

    const EMPTY: Self = Self {
        hash: Constants::EMPTY,
        #[cfg(feature = "sign")]
        combs: [[ZERO; 16]; 4],
        multiples: [ZERO; 32],
    };
    const NO_HASH: Sha512 = Sha512::EMPTY;

    #[inline(always)]
    fn prepare(&mut self) {
        self.hash.fill();
        let mut work = Work::new();
        let mut points = [ZERO; 2];
        point::vartime_decode(&mut work, &mut points, [&BASE; 2]);
        #[cfg(feature = "sign")]
        point::combs(&mut work, &mut self.combs, &points[0]);
        point::odd_multiples(&mut work, &mut self.multiples, &points[0]);
    }

    #[inline(always)]
    fn start(&self, hash: &mut Sha512) {
        hash.start(&self.hash);
    }

    #[inline(always)]
    fn update(&self, hash: &mut Sha512, data: &[u8]) {
        hash.update(&self.hash, data);
    }

    #[inline(always)]
    fn finish(&self, hash: &mut Sha512) -> [u8; 64] {
        hash.finish(&self.hash)
    }

    #[cfg(feature = "sign")]
    #[inline(never)]
    fn multiples(&mut self, scalars: [&[u8; 32]; 2], count: usize) -> [[u8; 32]; 2] {
        let mut work = Work::new();
        let mut points = [ZERO; 2];
        for i in 0..count.min(2) {
            point::multiply(&mut work, &mut points[i], scalars[i], &self.combs);
        }
        point::encode(&mut work, &points)
    }

    #[inline(always)]
    fn work() -> Work {
        Work::new()
    }

    #[inline(always)]
    fn vartime_decode(work: &mut Work, points: &mut [Point; 2], encodings: [&[u8; 32]; 2]) -> bool {
        point::vartime_decode(work, points, encodings)
    }

    #[inline(always)]
    fn double(work: &mut Work, p: &mut Point) {
        point::double(work, p, 1);
    }

    #[inline(always)]
    fn vartime_defect(
        &mut self,
        work: &mut Work,
        s: &[u8; 32],
        k: &[u8; 32],
        a_and_r: &mut [Point; 2],
    ) -> Point {
        for point in &mut *a_and_r {
            point::negate(point);
        }
        let mut multiples = [ZERO; 8];
        point::odd_multiples(work, &mut multiples, &a_and_r[0]);
        let mut p = ZERO;
        let terms = [(s, &self.multiples[..]), (k, &multiples[..])];
        point::vartime_multiply(work, &mut p, &terms);
        let r = &mut multiples[0];
        point::summand(work, r, &a_and_r[1]);
        point::add(work, &mut p, r);
        p
    }
}
