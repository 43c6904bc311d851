//! The constants of SHA-512 (FIPS 180-4).

/// The constants: the first 64 bits of the fractional parts of roots of the first primes. They are
/// computed, because they do not compress.
pub struct Constants {
    /// Of cube roots (FIPS 180-4 section 4.2.3).
    pub rounds: [u64; 80],
    /// Of square roots (section 5.3.5), where a hash starts.
    pub start: [u64; 8],
}

impl Constants {
    pub const EMPTY: Self = Self {
        rounds: [0; 80],
        start: [0; 8],
    };

    pub fn fill(&mut self) {
        let mut n = 0;
        let mut candidate = 2_u32;
        while n < 80 {
            let mut divisor = 2;
            while !candidate.is_multiple_of(divisor) {
                divisor += 1;
            }
            if divisor == candidate {
                self.rounds[n] = root(candidate, 3);
                if let Some(start) = self.start.get_mut(n) {
                    *start = root(candidate, 2);
                }
                n += 1;
            }
            candidate += 1;
        }
    }
}

/// The first 64 bits of the fractional part of the root of a prime.
#[inline(never)]
fn root(prime: u32, degree: usize) -> u64 {
    const WORD: f64 = 4294967296.0;
    let prime = f64::from(prime);
    // Newton's iteration, from above: 51 bits are right.
    let mut x = prime;
    let mut slope = 0.0;
    for _ in 0..24 {
        let power = if degree == 3 { x * x } else { x };
        slope = degree as f64 * power;
        x -= (x * power - prime) / slope;
    }
    // The same as an integer in words of 32 bits, times 2^64; and its power.
    let whole = x as u32;
    let low = ((x - f64::from(whole)) * (WORD * WORD)) as u64;
    let mut r = [0_u64; 8];
    r[0] = low & 0xffff_ffff;
    r[1] = low >> 32;
    r[2] = whole.into();
    let mut power = r;
    for _ in 1..degree {
        let mut product = [0_u64; 8];
        for i in 0..6 {
            for j in 0..3 {
                let s = product[(i + j) % 8] + power[i] * r[j];
                product[(i + j) % 8] = s & 0xffff_ffff;
                product[(i + j + 1) % 8] += s >> 32;
            }
        }
        power = product;
    }
    // What is missing, of which the upper words cancel; and one more iteration.
    let mut rest = prime;
    for i in 0..4 {
        rest = rest * if i > 0 { WORD } else { 1.0 } - power[(2 * degree - i) % 8] as f64;
    }
    const OFFSET: f64 = 1048576.0;
    low.wrapping_add((rest / WORD / slope + OFFSET) as u64)
        .wrapping_sub(OFFSET as u64)
}
