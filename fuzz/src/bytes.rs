//! The input of a fuzzer, taken piece by piece. Where it ends, zeros follow: every input is one, and short ones stay
//! short.

/// What is left of the input.
pub(crate) struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    pub(crate) const fn new(data: &'a [u8]) -> Self {
        Self(data)
    }

    pub(crate) fn byte(&mut self) -> u8 {
        u8::from_le_bytes(self.array())
    }

    /// A number below `bound`, which is at most 256.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::from(self.byte()) % bound
    }

    pub(crate) fn array<const N: usize>(&mut self) -> [u8; N] {
        let mut array = [0; N];
        let piece = self.slice(N);
        array[..piece.len()].copy_from_slice(piece);
        array
    }

    /// As many bytes as there are, but no more than `length`.
    pub(crate) fn slice(&mut self, length: usize) -> &'a [u8] {
        let (piece, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        piece
    }

    /// All that is left.
    pub(crate) const fn rest(&self) -> &'a [u8] {
        self.0
    }
}

/// For a target whose first byte names one of so many operations: each on bytes of several kinds, numbers that differ, with small
/// choices at first.
pub(crate) fn seeds(operations: usize) -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for operation in 0..operations as u8 {
        for kind in 0..8_u8 {
            let rest = (0..160_u8).map(|i| i.wrapping_mul(97).wrapping_add(i / 3 + kind));
            seeds.push([operation, kind].into_iter().chain(rest).collect());
        }
    }
    seeds
}
