//! Drawing f and g: coefficients from a discrete Gaussian distribution, by a table of cumulative
//! probabilities and words of 16 bits from the generator.
//!
//! The time depends on how many draws are rejected, which says nothing of those that are kept. The
//! look-ups read the whole table.

use crate::params::KeygenRule;
use crate::shake::ShakeStream;
use crate::wiping::wipe;
use lanner_simd::{Isa, Operation};

/// P3: the value is how many entries are below the word, minus half the length of the table.
/// Degree 256; lower degrees add several such values.
static P3_256: [u16; 48] = [
    1, 3, 6, 11, 22, 40, 73, 129, 222, 371, 602, 950, 1460, 2183, 3179, 4509, 6231, 8395, 11032,
    14150, 17726, 21703, 25995, 30487, 35048, 39540, 43832, 47809, 51385, 54503, 57140, 59304,
    61026, 62356, 63352, 64075, 64585, 64933, 65164, 65313, 65406, 65462, 65495, 65513, 65524,
    65529, 65532, 65534,
];

/// P3, degree 512.
static P3_512: [u16; 34] = [
    1, 4, 11, 28, 65, 146, 308, 615, 1164, 2083, 3535, 5692, 8706, 12669, 17574, 23285, 29542,
    35993, 42250, 47961, 52866, 56829, 59843, 62000, 63452, 64371, 64920, 65227, 65389, 65470,
    65507, 65524, 65531, 65534,
];

/// P3, degree 1024.
static P3_1024: [u16; 24] = [
    2, 8, 28, 94, 280, 742, 1761, 3753, 7197, 12472, 19623, 28206, 37329, 45912, 53063, 58338,
    61782, 63774, 64793, 65255, 65441, 65507, 65527, 65533,
];

/// P4: the lowest bit of the word is the sign, and the absolute value is how many entries are above
/// the other bits. Degree 512; lower degrees add several such values.
static P4_512: [u16; 17] = [
    29543, 23286, 17574, 12669, 8706, 5692, 3535, 2083, 1164, 615, 308, 146, 65, 28, 11, 4, 1,
];

/// P4, degree 1024.
static P4_1024: [u16; 12] = [
    28207, 19623, 12472, 7198, 3753, 1761, 742, 280, 94, 28, 8, 2,
];

/// The stream that a seed decides, in little-endian words.
pub(crate) trait KeyStream {
    /// Becomes the stream of a seed.
    fn start(&mut self, seed: &[u8; 32]);
    /// The next two bytes.
    fn next_u16(&mut self) -> u16;
    /// The next eight bytes.
    fn next_u64(&mut self) -> u64;
}

impl KeyStream for ShakeStream {
    fn start(&mut self, seed: &[u8; 32]) {
        self.restart(&[seed]);
    }

    #[inline]
    fn next_u16(&mut self) -> u16 {
        ShakeStream::next_u16(self)
    }

    #[inline]
    fn next_u64(&mut self) -> u64 {
        ShakeStream::next_u64(self)
    }
}

/// How many words are looked up at once.
const CHUNK: usize = 64;

/// The table of a rule and a degree, and how many values of it are added for one coefficient.
fn table(rule: KeygenRule, logn: u32) -> (&'static [u16], usize) {
    match (rule, logn) {
        (KeygenRule::P3, 10) => (&P3_1024, 1),
        (KeygenRule::P3, 9) => (&P3_512, 1),
        (KeygenRule::P3, _) => (&P3_256, 1 << (8 - logn)),
        (KeygenRule::P4, 10) => (&P4_1024, 1),
        (KeygenRule::P4, _) => (&P4_512, 1 << (9 - logn)),
    }
}

/// The values of words. Written so that compilers turn it into vector code, in lanes of 16 bits.
#[inline(always)]
fn values(rule: KeygenRule, table: &[u16], words: &[u16; CHUNK]) -> [i16; CHUNK] {
    let mut counts = [0i16; CHUNK];
    match rule {
        KeygenRule::P3 => {
            // Entries below the word, compared as signed numbers.
            let signed = |x: u16| (x ^ 0x8000) as i16;
            for &entry in table {
                for (count, &word) in counts.iter_mut().zip(words) {
                    *count += i16::from(signed(entry) < signed(word));
                }
            }
            for count in &mut counts {
                *count -= (table.len() / 2) as i16;
            }
        }
        KeygenRule::P4 => {
            for &entry in table {
                for (count, &word) in counts.iter_mut().zip(words) {
                    *count += i16::from(((word >> 1) as i16) < entry as i16);
                }
            }
            for (count, &word) in counts.iter_mut().zip(words) {
                // By a product: -1 or 1.
                *count *= 1 - 2 * (word & 1) as i16;
            }
        }
    }
    counts
}

/// [`values`], as an operation: the compiler makes vectors of its loops.
struct Values<'a>(KeygenRule, &'a [u16], &'a [u16; CHUNK]);

impl Operation for Values<'_> {
    type Output = [i16; CHUNK];

    #[inline(always)]
    fn run<I: Isa>(self) -> Self::Output {
        values(self.0, self.1, self.2)
    }
}

/// Draws one coefficient: the sum of `terms` values.
fn coefficient(rule: KeygenRule, table: &[u16], terms: usize, stream: &mut dyn KeyStream) -> i8 {
    loop {
        let mut words = [0; CHUNK];
        let mut sum = 0;
        let mut left = terms;
        while left > 0 {
            let now = left.min(CHUNK);
            for word in &mut words[..now] {
                *word = stream.next_u16();
            }
            sum += values(rule, table, &words)[..now].iter().sum::<i16>();
            left -= now;
        }
        wipe(&mut words, 0);
        // Only below degree 128 can it be out of range.
        if (-127..=127).contains(&sum) {
            return sum as i8;
        }
    }
}

/// Draws one polynomial. The sum of its coefficients is odd, so that its resultant with X^n + 1 is.
pub(crate) fn sample<I: Isa>(
    rule: KeygenRule,
    logn: u32,
    stream: &mut dyn KeyStream,
    f: &mut [i8],
) {
    let (table, terms) = table(rule, logn);
    loop {
        if logn >= 7 {
            // No sum is out of range, so that words can be drawn in bulk.
            for f in f.chunks_mut(CHUNK / terms) {
                let mut words = [0; CHUNK];
                for four in words.chunks_exact_mut(4) {
                    let word = stream.next_u64();
                    for (i, to) in four.iter_mut().enumerate() {
                        *to = (word >> (16 * i)) as u16;
                    }
                }
                let mut values = I::enter(Values(rule, table, &words));
                for (f, values) in f.iter_mut().zip(values.chunks_exact(terms)) {
                    *f = values.iter().sum::<i16>() as i8;
                }
                wipe(&mut words, 0);
                wipe(&mut values, 0);
            }
        } else {
            for x in f.iter_mut() {
                *x = coefficient(rule, table, terms, stream);
            }
        }
        let (last, others) = f.split_last_mut().expect("a polynomial has coefficients");
        let parity = others.iter().fold(0, |parity, x| parity ^ x) & 1;
        match rule {
            KeygenRule::P3 => {
                if (parity ^ *last) & 1 == 1 {
                    return;
                }
            }
            KeygenRule::P4 => {
                while (parity ^ *last) & 1 == 0 {
                    *last = coefficient(rule, table, terms, stream);
                }
                return;
            }
        }
    }
}
