//! Buckets in lanes.
//!
//! Pippenger's buckets could be updated as points come, each lane the buckets of a window of its own: but every
//! update would gather a bucket and scatter it again. Here the points of a window are sorted by bucket first, and a
//! lane sums one bucket after the other:
//!
//! ```text
//! digits of a window      points by bucket        lanes
//! P0  3                   bucket 1: P1 -P4        lane 0   bucket 3:  P0 + P2 + P5
//! P1  1                   bucket 2: P3            lane 1   bucket 1:  P1 - P4
//! P2  3         --->      bucket 3: P0 P2 P5  --> lane 2   bucket 2:  P3
//! P3  2
//! P4 -1
//! P5  3
//! ```
//!
//! The sums stay in registers, and only points are gathered. Buckets are taken up longest first, so that those side
//! by side are about equally long, and a bucket that is much longer than the others is cut into pieces.
//!
//! As many windows as there are lanes go together. Of windows 0 to W - 1 lane j has the j-th part, so that the
//! weighted sums of their buckets, and the doublings from window to window within a part, are done in lanes as well;
//! only the sums of the parts meet at the end.

use super::Terms;
use super::room;
use crate::backend::{InLanes, Kind};
use crate::edwards::EdwardsPoint;
use crate::edwards::models::{Cached, Extended};
use crate::edwards::niels::AffineNiels;
use crate::field::lanes::{Engine, Lanes, MAX_LANES, Quads};
use crate::scalar::recode::SignedRadix;
use alloc::vec::Vec;

/// (y + x, y - x, 2dxy) of a point, five words each.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct NielsRow([[u64; 4]; 4]);

/// (X, Y, Z, T) of a sum, five words each.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
struct SumRow([[u64; 4]; 5]);

/// A place of the sorted points: the row of the point.
type Entry = u32;

/// A bucket or a piece of one, to be summed.
#[derive(Clone, Copy)]
struct Job {
    /// Its first entry.
    start: u32,
    len: u32,
    /// The row of its sum.
    row: u32,
}

impl Job {
    const NONE: Self = Self {
        start: 0,
        len: 0,
        row: 0,
    };
}

/// The sum of \[a]P over the terms as sums of parts, of which sum j counts 2^(j shift).
pub(super) struct Parts {
    pub(super) sums: [EdwardsPoint; MAX_LANES],
    pub(super) shift: u32,
}

/// How windows are cut.
struct Plan {
    width: u32,
    /// Windows, of all scalars and of the short ones.
    windows: usize,
    short_windows: usize,
    /// Windows of one lane.
    part: usize,
}

impl Plan {
    /// The width with the least cost, which is counted in products of all lanes.
    #[inline(always)]
    fn new(terms: &Terms, lanes: usize) -> Self {
        let with = |width| {
            let windows = SignedRadix::len_of(terms.bits, width);
            Self {
                width,
                windows,
                short_windows: SignedRadix::len_of(terms.short_bits + 1, width).min(windows),
                part: windows.div_ceil(lanes),
            }
        };
        let mut best = with(2);
        let mut least = usize::MAX;
        for width in 3..=MAX_WIDTH {
            let plan = with(width);
            let short = terms.points.len() - terms.long;
            let entries = terms.long * plan.windows + short * plan.short_windows;
            let cost = entries * 8 / lanes + ((plan.part * 14) << (width - 1));
            if cost < least {
                (best, least) = (plan, cost);
            }
        }
        best
    }
}

/// The widest windows: digits have 16 bits.
const MAX_WIDTH: u32 = 12;

/// What the sums are computed in, made before.
struct Workspace {
    biased: Vec<[u64; 5]>,
    /// Each point, and its negative behind it; last the neutral element.
    points: Vec<NielsRow>,
    /// Of each lane the digits of all points.
    digits: Vec<i16>,
    /// Of each lane and each bucket: first how many points it has, and then where the next one goes. Bucket 0 is
    /// for the digit 0, and is not summed.
    cursors: Vec<u32>,
    entries: Vec<Entry>,
    jobs: Vec<Job>,
    sorted: Vec<Job>,
    /// For each length how many jobs are longer.
    by_len: Vec<u32>,
    /// The sums of buckets, lane after lane, and of pieces of buckets behind them.
    sums: Vec<SumRow>,
    /// The bucket to which a piece belongs.
    pieces: Vec<u32>,
    /// The sum of an empty bucket.
    identity: SumRow,
}

/// A vector of so many copies.
#[inline(always)]
fn filled<T: Clone>(element: T, len: usize) -> Option<Vec<T>> {
    let mut elements = room(len)?;
    elements.resize(len, element);
    Some(elements)
}

impl Workspace {
    fn new(
        n: usize,
        lanes: usize,
        buckets: usize,
        longest: usize,
        identity: SumRow,
    ) -> Option<Self> {
        let entries = n * lanes;
        // A piece has `longest` entries, but for the last of a bucket.
        let pieces = entries / longest;
        let jobs = buckets * lanes + pieces;
        Some(Self {
            biased: room(n)?,
            points: room(2 * n + 2 * MAX_LANES)?,
            digits: filled(0, entries)?,
            cursors: filled(0, (buckets + 1) * lanes)?,
            entries: filled(0, entries)?,
            jobs: room(jobs)?,
            sorted: filled(Job::NONE, jobs)?,
            by_len: filled(0, longest + 1)?,
            sums: filled(identity, jobs)?,
            pieces: room(pieces)?,
            identity,
        })
    }
}

/// Four coordinates from rows of a lane each.
#[inline(always)]
fn load_sums<L: Lanes>(rows: &[&SumRow; MAX_LANES]) -> Extended<L> {
    macro_rules! block {
        ($i:literal) => {
            L::load_words(&[
                rows[0].0[$i],
                rows[1].0[$i],
                rows[2].0[$i],
                rows[3].0[$i],
                rows[4].0[$i],
                rows[5].0[$i],
                rows[6].0[$i],
                rows[7].0[$i],
            ])
        };
    }
    let (a, b, c, d, e) = (block!(0), block!(1), block!(2), block!(3), block!(4));
    Extended {
        x: L::from_words(&[a[0], a[1], a[2], a[3], b[0]]),
        y: L::from_words(&[b[1], b[2], b[3], c[0], c[1]]),
        z: L::from_words(&[c[2], c[3], d[0], d[1], d[2]]),
        t: L::from_words(&[d[3], e[0], e[1], e[2], e[3]]),
    }
}

#[inline(always)]
fn store_sums<L: Lanes>(sums: &Extended<L>) -> [SumRow; MAX_LANES] {
    let (x, y, z, t) = (
        sums.x.to_words(),
        sums.y.to_words(),
        sums.z.to_words(),
        sums.t.to_words(),
    );
    let blocks = [
        L::store_words(&[x[0], x[1], x[2], x[3]]),
        L::store_words(&[x[4], y[0], y[1], y[2]]),
        L::store_words(&[y[3], y[4], z[0], z[1]]),
        L::store_words(&[z[2], z[3], z[4], t[0]]),
        L::store_words(&[t[1], t[2], t[3], t[4]]),
    ];
    let mut rows = [SumRow([[0; 4]; 5]); MAX_LANES];
    for lane in 0..L::LANES {
        for (row, block) in rows[lane].0.iter_mut().zip(&blocks) {
            *row = block[lane];
        }
    }
    rows
}

#[inline(always)]
fn load_points<L: Lanes>(rows: &[&NielsRow; MAX_LANES]) -> AffineNiels<L> {
    macro_rules! block {
        ($i:literal) => {
            L::load_words(&[
                rows[0].0[$i],
                rows[1].0[$i],
                rows[2].0[$i],
                rows[3].0[$i],
                rows[4].0[$i],
                rows[5].0[$i],
                rows[6].0[$i],
                rows[7].0[$i],
            ])
        };
    }
    let (a, b, c, d) = (block!(0), block!(1), block!(2), block!(3));
    AffineNiels::from_coordinates([
        L::from_words(&[a[0], a[1], a[2], a[3], b[0]]),
        L::from_words(&[b[1], b[2], b[3], c[0], c[1]]),
        L::from_words(&[c[2], c[3], d[0], d[1], d[2]]),
    ])
}

#[inline(always)]
fn store_points<L: Lanes>(points: &AffineNiels<L>) -> [NielsRow; MAX_LANES] {
    let [p, m, t] = points.coordinates();
    let (p, m, t) = (p.to_words(), m.to_words(), t.to_words());
    let blocks = [
        L::store_words(&[p[0], p[1], p[2], p[3]]),
        L::store_words(&[p[4], m[0], m[1], m[2]]),
        L::store_words(&[m[3], m[4], t[0], t[1]]),
        L::store_words(&[t[2], t[3], t[4], t[4]]),
    ];
    let mut rows = [NielsRow([[0; 4]; 4]); MAX_LANES];
    for lane in 0..L::LANES {
        for (row, block) in rows[lane].0.iter_mut().zip(&blocks) {
            *row = block[lane];
        }
    }
    rows
}

/// Writes the points and their negatives into rows.
#[inline(always)]
fn fill_points<L: Lanes>(points: &[EdwardsPoint], rows: &mut Vec<NielsRow>) {
    for points in points.chunks(L::LANES) {
        // x, y and t.
        let mut coordinates = [[[0; 4]; MAX_LANES]; 3];
        for (lane, point) in points.iter().enumerate() {
            coordinates[0][lane] = point.x.0;
            coordinates[1][lane] = point.y.0;
            coordinates[2][lane] = point.t.0;
        }
        let niels = AffineNiels::from_affine(&Extended {
            x: L::from_lanes(&coordinates[0]),
            y: L::from_lanes(&coordinates[1]),
            z: L::ONE,
            t: L::from_lanes(&coordinates[2]),
        });
        let (positive, negative) = (store_points(&niels), store_points(&niels.neg()));
        for lane in 0..points.len() {
            rows.push(positive[lane]);
            rows.push(negative[lane]);
        }
    }
    rows.push(store_points::<L>(&AffineNiels::IDENTITY)[0]);
}

/// Sorts the points by the digits of window `part` j + `index`, for each lane j: makes the jobs.
#[inline(always)]
fn sort(
    terms: &Terms,
    plan: &Plan,
    radix: &SignedRadix,
    index: usize,
    longest: usize,
    work: &mut Workspace,
) {
    let n = terms.points.len();
    let buckets = 1 << (plan.width - 1);
    let lanes = work.cursors.len() / (buckets + 1);
    work.cursors.fill(0);
    let ranges = |lane: usize| {
        let window = plan.part * lane + index;
        let len = if window < plan.short_windows {
            n
        } else if window < plan.windows {
            terms.long
        } else {
            0
        };
        (window, len)
    };
    for ((lane, counts), digits) in (0..lanes)
        .zip(work.cursors.chunks_exact_mut(buckets + 1))
        .zip(work.digits.chunks_exact_mut(n))
    {
        let (window, len) = ranges(lane);
        for (biased, place) in work.biased[..len].iter().zip(digits) {
            let digit = radix.digit(biased, window);
            *place = digit;
            counts[usize::from(digit.unsigned_abs())] += 1;
        }
    }

    // Where each bucket begins, and its jobs.
    work.jobs.clear();
    work.pieces.clear();
    work.by_len.fill(0);
    let mut start = 0;
    for (i, cursor) in work.cursors.iter_mut().enumerate() {
        let mut len = *cursor;
        *cursor = start;
        let (lane, bucket) = (i / (buckets + 1), i % (buckets + 1));
        if bucket == 0 {
            start += len;
            continue;
        }
        let mut row = lane * buckets + bucket - 1;
        if len == 0 {
            work.sums[row] = work.identity;
        }
        while len > 0 {
            let piece = len.min(longest as u32);
            work.jobs.push(Job {
                start,
                len: piece,
                row: row as u32,
            });
            work.by_len[piece as usize] += 1;
            start += piece;
            len -= piece;
            if len > 0 {
                // A piece of the same bucket.
                row = buckets * lanes + work.pieces.len();
                work.pieces.push((lane * buckets + bucket - 1) as u32);
            }
        }
    }

    // The jobs, longest first.
    let mut longer = 0;
    for count in work.by_len.iter_mut().rev() {
        let these = *count;
        *count = longer;
        longer += these;
    }
    for job in &work.jobs {
        let place = &mut work.by_len[job.len as usize];
        work.sorted[*place as usize] = *job;
        *place += 1;
    }

    for ((lane, cursors), digits) in (0..lanes)
        .zip(work.cursors.chunks_exact_mut(buckets + 1))
        .zip(work.digits.chunks_exact(n))
    {
        let (_, len) = ranges(lane);
        for (i, &digit) in digits[..len].iter().enumerate() {
            let cursor = &mut cursors[usize::from(digit.unsigned_abs())];
            work.entries[*cursor as usize] = (2 * i + usize::from(digit < 0)) as Entry;
            *cursor += 1;
        }
    }
}

/// In each lane the point at a place of its job, or the neutral element beyond its end.
#[inline(always)]
fn load_step<L: Quads>(
    points: &[NielsRow],
    entries: &[Entry],
    jobs: &[Job; MAX_LANES],
    step: u32,
) -> AffineNiels<L> {
    let neutral = (points.len() - 1) as Entry;
    let mut rows = [&points[0]; MAX_LANES];
    for lane in 0..L::LANES {
        let job = &jobs[lane];
        let entry = if step < job.len {
            entries[(job.start + step) as usize]
        } else {
            neutral
        };
        rows[lane] = &points[entry as usize];
    }
    load_points(&rows)
}

/// Sums the jobs, `LANES` at a time.
#[inline(always)]
fn sum_buckets<L: Quads>(work: &mut Workspace) {
    let (points, entries) = (&work.points[..], &work.entries[..]);
    for jobs in work.sorted[..work.jobs.len()].chunks(L::LANES) {
        let mut lanes = [Job::NONE; MAX_LANES];
        lanes[..jobs.len()].copy_from_slice(jobs);
        // The points of the step after this one are loaded before the sums are computed, which takes longer.
        let mut next = load_step::<L>(points, entries, &lanes, 0);
        let first = next.to_extended_inline();
        next = load_step(points, entries, &lanes, 1);
        let sums = if jobs[0].len == 1 {
            first
        } else {
            let niels = next;
            next = load_step(points, entries, &lanes, 2);
            let mut sums = first.add_affine_inline(&niels);
            for step in 3..=jobs[0].len {
                let niels = next;
                next = load_step(points, entries, &lanes, step);
                sums = sums.add_affine_in_lanes(&niels);
            }
            sums.to_extended_inline()
        };
        let sums = store_sums(&sums);
        for (job, sum) in jobs.iter().zip(&sums) {
            work.sums[job.row as usize] = *sum;
        }
    }
}

/// Adds the pieces to their buckets.
#[inline(always)]
fn gather_pieces<L: Quads>(work: &mut Workspace, buckets: usize) {
    for (i, &row) in work.pieces.iter().enumerate() {
        let (bucket, piece) = (work.sums[row as usize], work.sums[buckets + i]);
        let piece = load_sums::<L>(&[&piece; MAX_LANES]).to_cached();
        let sum = load_sums::<L>(&[&bucket; MAX_LANES])
            .add_inline(&piece)
            .to_extended_inline();
        work.sums[row as usize] = store_sums(&sum)[0];
    }
}

/// In each lane the sum of all buckets, bucket i of weight i + 1: the sum of all suffix sums.
#[inline(always)]
fn weighted<L: Quads>(sums: &[SumRow], buckets: usize) -> Cached<L> {
    let rows = |bucket: usize| {
        let mut rows = [&sums[0]; MAX_LANES];
        for lane in 0..L::LANES {
            rows[lane] = &sums[lane * buckets + bucket];
        }
        rows
    };
    let mut suffix = load_sums::<L>(&rows(buckets - 1)).to_augend();
    let mut weighted = suffix;
    for bucket in (0..buckets - 1).rev() {
        let next = load_sums::<L>(&rows(bucket)).to_cached();
        suffix = suffix.add(&next).to_augend();
        weighted = weighted.add(&suffix.to_cached()).to_augend();
    }
    weighted.to_cached()
}

/// The operation.
pub(super) struct VartimeBuckets<'a>(pub(super) &'a Terms);

impl InLanes for VartimeBuckets<'_> {
    type Output = Option<Parts>;

    #[inline(always)]
    fn pays(kind: Kind) -> bool {
        kind.wide || kind.shares
    }

    #[inline(always)]
    fn run<E: Engine>(self) -> Option<Parts> {
        buckets_in::<E::Many>(self.0)
    }
}

#[inline(always)]
fn buckets_in<L: Quads>(terms: &Terms) -> Option<Parts> {
    let n = terms.points.len();
    let plan = Plan::new(terms, L::LANES);
    let radix = SignedRadix::new(terms.bits, plan.width);
    let buckets = 1 << (plan.width - 1);
    // Four times what a bucket has on average.
    let longest = (4 * n).div_ceil(buckets).max(8);
    let identity = store_sums(&Extended::<L>::IDENTITY)[0];
    let mut work = Workspace::new(n, L::LANES, buckets, longest, identity)?;
    for scalar in &terms.scalars {
        work.biased.push(radix.biased(scalar));
    }
    fill_points::<L>(&terms.points, &mut work.points);

    let mut sum = Extended::<L>::IDENTITY;
    for index in (0..plan.part).rev() {
        sort(terms, &plan, &radix, index, longest, &mut work);
        sum_buckets::<L>(&mut work);
        gather_pieces::<L>(&mut work, buckets * L::LANES);
        let weighted = weighted::<L>(&work.sums, buckets);
        if index + 1 < plan.part {
            let mut double = sum.double_inline();
            for _ in 1..plan.width {
                double = double.double_in_lanes();
            }
            sum = double.to_extended_inline();
        }
        sum = sum.add_inline(&weighted).to_extended_inline();
    }

    let (x, y, z, t) = (
        sum.x.to_lanes(),
        sum.y.to_lanes(),
        sum.z.to_lanes(),
        sum.t.to_lanes(),
    );
    let mut sums = [EdwardsPoint::default(); MAX_LANES];
    for lane in 0..L::LANES {
        sums[lane] = EdwardsPoint {
            x: x[lane],
            y: y[lane],
            z: z[lane],
            t: t[lane],
        };
    }
    Some(Parts {
        sums,
        shift: plan.width * plan.part as u32,
    })
}
