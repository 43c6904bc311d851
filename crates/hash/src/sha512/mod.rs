//! SHA-512 (FIPS 180-4) of many messages.

#[cfg(feature = "digest")]
mod compact;
mod compress;
mod constants;
#[cfg(test)]
mod tests;

use core::array::from_fn;

use zeroize::zeroize_stack;

use crate::parts::{Parts, Place};
use crate::vectors::{MAX_LANES, Vectors};
#[cfg(feature = "digest")]
pub use compact::Compact;
use compress::{Compress, States};
use constants::INITIAL;

/// The length of a block in bytes.
const BLOCK: usize = 128;

/// What a block stands on that no message needs.
static IDLE: [u8; BLOCK] = [0; BLOCK];

/// How many messages are hashed side by side; where it is 1, the crate `sha2` is as good, or better
/// where it knows instructions for SHA-512.
#[must_use]
pub fn lanes() -> usize {
    suitable(Vectors::active()).lanes()
}

/// The vectors to use in place of another.
///
/// Two lanes do not pay: their vectors have no rotation, which words have, and often in the
/// operand of another instruction. WebAssembly's take 1.1 times as long as two messages one
/// by one (V8 on x86-64); of NEON's the count of instructions says the same, and no measurement yet.
fn suitable(vectors: Vectors) -> Vectors {
    match vectors {
        Vectors::Two => Vectors::Portable,
        other => other,
    }
}

/// Hashes every message and writes its digest (64 bytes) to the same place in `digests`.
///
/// A message is a list of parts, and means their concatenation: `&[&[u8]]`, `[&[u8]; 3]`,
/// `[Vec<u8>; 1]` and so on. Parts and messages may be of any length, also of none, and
/// different in each.
///
/// The messages are hashed side by side, [`lanes`] at a time; a message that ends makes room for the next one. So it
/// costs little that lengths differ, as long as the longest messages do not come last.
///
/// Constant time in the bytes, not in the lengths; wiped, see the
/// [crate](crate#secrets).
///
/// ```
/// # let (r, key, message) = ([1u8; 32], [2u8; 32], [3u8; 200]);
/// let signatures = [(r, key, &message[..]), (r, key, &message[1..])];
/// let messages = signatures.iter().map(|(r, key, message)| [&r[..], key, message]);
/// let mut digests = [[0; 64]; 2];
/// lanner_hash::sha512::digest_each(messages, &mut digests);
/// ```
///
/// # Panics
///
/// If there are more or fewer messages than digests.
pub fn digest_each<M, P>(messages: impl IntoIterator<Item = M>, digests: &mut [[u8; 64]])
where
    M: AsRef<[P]>,
    P: AsRef<[u8]>,
{
    let mut count = 0;
    for_each_digest(messages, |index, digest| {
        digests[index] = *digest;
        count += 1;
    });
    assert_eq!(count, digests.len(), "one digest for each message");
}

/// Hashes every message as [`digest_each`] does, and gives each digest to `sink`, with the
/// number of its message (from 0).
///
/// The digests come in the order in which the messages end, which depends on their lengths and
/// on the vectors. For callers who want something smaller than a digest, or have no
/// room for all.
///
/// Constant time in the bytes, not in the lengths; wiped, see the
/// [crate](crate#secrets).
pub fn for_each_digest<M, P>(
    messages: impl IntoIterator<Item = M>,
    sink: impl FnMut(usize, &[u8; 64]),
) where
    M: AsRef<[P]>,
    P: AsRef<[u8]>,
{
    hash_with(Vectors::active(), messages, sink);
}

/// `for_each_digest` on a vectors.
pub(crate) fn hash_with<M, P>(
    vectors: Vectors,
    messages: impl IntoIterator<Item = M>,
    mut sink: impl FnMut(usize, &[u8; 64]),
) where
    M: AsRef<[P]>,
    P: AsRef<[u8]>,
{
    let vectors = suitable(vectors);
    let mut messages = messages.into_iter().enumerate();
    let mut work = Work {
        states: [[0; MAX_LANES]; 8],
        buffers: [[0; BLOCK]; MAX_LANES],
    };
    // The lanes at work are the first ones: that lets few messages run on fewer lanes.
    let mut lanes: [Option<Lane<M>>; MAX_LANES] = from_fn(|_| None);
    let mut active = 0;
    while active < vectors.lanes() {
        let Some((index, message)) = messages.next() else {
            break;
        };
        lanes[active] = Some(Lane::new(index, message));
        work.start(active);
        active += 1;
    }

    while active > 0 {
        for (lane, buffer) in lanes.iter_mut().flatten().zip(&mut work.buffers) {
            lane.next_block::<P>(buffer);
        }
        let blocks = from_fn(|i| match &lanes[i] {
            Some(lane) => lane.block::<P>(&work.buffers[i]),
            None => &IDLE,
        });
        let kernel = Compress {
            states: &mut work.states,
            blocks: &blocks,
        };
        let width = vectors.run(active, kernel);
        debug_assert!(width >= active);

        // From the last to the first, so that a lane that moves has been looked at.
        for i in (0..active).rev() {
            let Some(Lane {
                index, ended: true, ..
            }) = lanes[i]
            else {
                continue;
            };
            let mut digest = work.digest(i);
            sink(index, &digest);
            digest = [0; 64];
            zeroize::optimization_barrier(&digest);
            if let Some((index, message)) = messages.next() {
                lanes[i] = Some(Lane::new(index, message));
                work.start(i);
            } else {
                active -= 1;
                lanes[i] = None;
                lanes.swap(i, active);
                work.copy(active, i);
            }
        }
    }
}

/// A message at work.
struct Lane<M> {
    index: usize,
    parts: Parts<M>,
    /// Bytes read.
    length: u128,
    /// Whether the one bit that follows the message is placed.
    terminated: bool,
    /// Whether the present block is the last one.
    ended: bool,
    /// Where the present block lies in the message; `None` if it was put together in the
    /// buffer.
    place: Option<Place>,
}

impl<M> Lane<M> {
    fn new(index: usize, message: M) -> Self {
        Self {
            index,
            parts: Parts::new(message),
            length: 0,
            terminated: false,
            ended: false,
            place: None,
        }
    }

    /// Goes to the next block of the padded message (FIPS 180-4, 5.1.2).
    #[inline]
    fn next_block<P>(&mut self, buffer: &mut [u8; BLOCK])
    where
        M: AsRef<[P]>,
        P: AsRef<[u8]>,
    {
        self.place = self.parts.skip::<P, BLOCK>();
        if self.place.is_some() {
            self.length += BLOCK as u128;
            return;
        }
        *buffer = [0; BLOCK];
        let mut filled = self.parts.read::<P>(buffer);
        self.length += filled as u128;
        if filled == BLOCK {
            return;
        }
        if !self.terminated {
            buffer[filled] = 0x80;
            filled += 1;
            self.terminated = true;
        }
        if let Some(length) = buffer[filled..].last_chunk_mut() {
            *length = (8 * self.length).to_be_bytes();
            self.ended = true;
        }
    }

    /// The present block.
    #[inline]
    fn block<'a, P>(&'a self, buffer: &'a [u8; BLOCK]) -> &'a [u8; BLOCK]
    where
        M: AsRef<[P]>,
        P: AsRef<[u8]> + 'a,
    {
        match self.place {
            Some(place) => self.parts.at::<P, BLOCK>(place),
            None => buffer,
        }
    }
}

/// What a call holds of the messages; wiped when dropped.
struct Work {
    states: States,
    buffers: [[u8; BLOCK]; MAX_LANES],
}

impl Work {
    #[inline]
    fn start(&mut self, lane: usize) {
        for (row, word) in self.states.iter_mut().zip(INITIAL) {
            row[lane] = word;
        }
    }

    #[inline]
    fn copy(&mut self, from: usize, to: usize) {
        for row in &mut self.states {
            row[to] = row[from];
        }
    }

    #[inline]
    fn digest(&self, lane: usize) -> [u8; 64] {
        let mut digest = [0; 64];
        let (words, _) = digest.as_chunks_mut();
        for (word, row) in words.iter_mut().zip(&self.states) {
            *word = row[lane].to_be_bytes();
        }
        digest
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.states = [[0; MAX_LANES]; 8];
        self.buffers = [[0; BLOCK]; MAX_LANES];
        zeroize::optimization_barrier(self);
        // The frame of the compression function: schedule and spilled words.
        zeroize_stack::<1024>();
    }
}
