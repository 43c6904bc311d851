//! `SamplerZ` with the randomness consumed as the variants prescribe: one attempt after the other.

use lanner_simd::Task;
use lanner_simd::mask::top_bit_u32;

use super::source::ByteSource;
use super::tables::{INVERSE_2_SIGMA_MAX_SQUARED, RCDT72, RCDT79, Rcdt};
use super::{MAX_ATTEMPTS, NoSample, SamplerRng, SamplerTables, Shape, exp};
use crate::fpr::{Lanes, Real};

/// The number of entries of a table above u = (high, middle, low).
#[inline(always)]
fn count(table: &Rcdt, high: u32, middle: u32, low: u32) -> u32 {
    let entries = table.high.iter().zip(&table.middle).zip(&table.low);
    entries
        .map(|((t_high, t_middle), t_low)| {
            // Limb by limb, the sign of each difference being the borrow of the next.
            let borrow = top_bit_u32(low.wrapping_sub(*t_low));
            let borrow = top_bit_u32(middle.wrapping_sub(*t_middle).wrapping_sub(borrow));
            top_bit_u32(high.wrapping_sub(*t_high).wrapping_sub(borrow))
        })
        .sum()
}

/// A sample of the half-Gaussian, and a uniform bit.
#[inline(always)]
fn base<S: ByteSource>(source: &mut S, tables: SamplerTables) -> (i32, i32) {
    const LIMB: u64 = (1 << 24) - 1;
    let (z, bit) = match tables {
        SamplerTables::Rcdt72 => {
            let (low, high) = source.next_u72();
            let limbs = (
                (low >> 48) as u32 | u32::from(high) << 16,
                (low >> 24 & LIMB) as u32,
                (low & LIMB) as u32,
            );
            let bit = source.next_u8() & 1;
            (count(&RCDT72, limbs.0, limbs.1, limbs.2), bit)
        }
        SamplerTables::Rcdt79 => {
            let low = source.next_u64();
            let (byte, top) = (source.next_u8(), source.next_u8());
            let high = u32::from(byte) | u32::from(top) << 8;
            let limbs = (
                (low >> 49) as u32 | high << 15,
                (low >> 25 & LIMB) as u32,
                (low >> 1 & LIMB) as u32,
            );
            (count(&RCDT79, limbs.0, limbs.1, limbs.2), (low & 1) as u8)
        }
    };
    (z as i32, i32::from(bit))
}

/// One sample of the Gaussian with a centre and an inverse deviation.
#[inline(always)]
pub(super) fn sample<R: Real, S: ByteSource>(
    source: &mut S,
    shape: &Shape<R>,
    centre: R,
    inverse_deviation: R,
) -> Result<i32, NoSample> {
    let (floor, rest) = centre.floor_and_rest();
    // 1 / (2 sigma'^2)
    let narrow = (inverse_deviation * inverse_deviation).half();
    let wide = R::from_bits(INVERSE_2_SIGMA_MAX_SQUARED);
    let ccs = inverse_deviation * shape.sigma_min;
    for _ in 0..MAX_ATTEMPTS {
        let (z0, bit) = base(source, shape.tables);
        // 0, -1, … or 1, 2, …: the half-Gaussian on either side of [0, 1].
        let z = bit + (2 * bit - 1) * z0;
        let distance = R::from_i32(z) - rest;
        let x = distance * distance * narrow - R::from_i32(z0 * z0) * wide;
        if exp::coin(source, x, ccs) {
            return Ok(floor.wrapping_add(z));
        }
    }
    Err(NoSample)
}

/// Two samples, as a task.
struct Pair<'a, R, S> {
    source: &'a mut S,
    shape: &'a Shape<R>,
    centres: [R; 2],
    inverse_deviation: R,
}

impl<R: Real, S: ByteSource> Task for Pair<'_, R, S> {
    type Output = Result<[R; 2], NoSample>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let mut samples = self.centres;
        for z in &mut samples {
            *z = R::from_i32(sample(self.source, self.shape, *z, self.inverse_deviation)?);
        }
        Ok(samples)
    }
}

impl<S: ByteSource> SamplerRng for S {
    #[inline(always)]
    fn pair<L: Lanes>(
        &mut self,
        shape: &Shape<L::Real>,
        centres: [L::Real; 2],
        inverse_deviation: L::Real,
    ) -> Result<[L::Real; 2], NoSample> {
        let source = self;
        L::outline(Pair {
            source,
            shape,
            centres,
            inverse_deviation,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten bytes, and no more.
    struct Bytes([u8; 10], usize);

    impl ByteSource for Bytes {
        fn next_u8(&mut self) -> u8 {
            self.1 += 1;
            self.0[self.1 - 1]
        }

        fn next_u64(&mut self) -> u64 {
            u64::from_le_bytes(core::array::from_fn(|_| self.next_u8()))
        }
    }

    /// Around each entry of a table, and at each bit, z is the number of entries above: what few signatures show.
    #[test]
    fn every_bit_decides() {
        let tables = [
            (SamplerTables::Rcdt72, &RCDT72, 72),
            (SamplerTables::Rcdt79, &RCDT79, 79),
        ];
        for (name, table, bits) in tables {
            let entries: [u128; 24] = core::array::from_fn(|i| {
                let (high, middle) = (u128::from(table.high[i]), u128::from(table.middle[i]));
                high << 48 | middle << 24 | u128::from(table.low[i])
            });
            let around = entries
                .iter()
                .flat_map(|&t| [t.saturating_sub(1), t, t + 1]);
            for u in around.chain((0..bits).map(|i| 1 << i)) {
                let z = entries.iter().filter(|&&t| t > u).count();
                for bit in [0, 1] {
                    let drawn = match name {
                        SamplerTables::Rcdt72 => u | bit << 72,
                        SamplerTables::Rcdt79 => u << 1 | bit,
                    };
                    let bytes = *drawn.to_le_bytes().first_chunk().expect("of sixteen");
                    let found = base(&mut Bytes(bytes, 0), name);
                    assert_eq!(found, (z as i32, bit as i32), "{u:x} of {bits} bits");
                }
            }
        }
    }
}
