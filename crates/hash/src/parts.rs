//! A message given as parts, read from front to back.

/// The place reached in a message, the concatenation of its parts.
pub(crate) struct Parts<M> {
    message: M,
    /// The part to read from next, and how many of its bytes are read.
    part: usize,
    offset: usize,
}

/// Bytes of a message that lie together in one part.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    part: usize,
    offset: usize,
}

impl<M> Parts<M> {
    pub(crate) fn new(message: M) -> Self {
        Self {
            message,
            part: 0,
            offset: 0,
        }
    }

    /// Passes over the next `N` bytes if they lie together, and says where.
    #[inline]
    pub(crate) fn skip<P, const N: usize>(&mut self) -> Option<Place>
    where
        M: AsRef<[P]>,
        P: AsRef<[u8]>,
    {
        let parts = self.message.as_ref();
        while let Some(part) = parts.get(self.part) {
            let rest = part.as_ref().len() - self.offset;
            if rest >= N {
                let place = Place {
                    part: self.part,
                    offset: self.offset,
                };
                self.offset += N;
                return Some(place);
            }
            if rest > 0 {
                return None;
            }
            self.part += 1;
            self.offset = 0;
        }
        None
    }

    /// The bytes that `skip` passed over.
    #[inline]
    pub(crate) fn at<'a, P, const N: usize>(&'a self, place: Place) -> &'a [u8; N]
    where
        M: AsRef<[P]>,
        P: AsRef<[u8]> + 'a,
    {
        let part = self.message.as_ref()[place.part].as_ref();
        part[place.offset..]
            .first_chunk()
            .expect("the part has kept its length")
    }

    /// Copies the next bytes out, across parts, and says how many: fewer than asked for only
    /// at the end of the message.
    #[inline]
    pub(crate) fn read<P>(&mut self, output: &mut [u8]) -> usize
    where
        M: AsRef<[P]>,
        P: AsRef<[u8]>,
    {
        let parts = self.message.as_ref();
        let mut filled = 0;
        while let Some(part) = parts.get(self.part) {
            let rest = &part.as_ref()[self.offset..];
            let room = &mut output[filled..];
            if rest.len() > room.len() {
                room.copy_from_slice(&rest[..room.len()]);
                self.offset += room.len();
                return output.len();
            }
            match (room.first_chunk_mut::<32>(), <&[u8; 32]>::try_from(rest)) {
                // The length of points and scalars, without a call.
                (Some(room), Ok(rest)) => *room = *rest,
                _ => room[..rest.len()].copy_from_slice(rest),
            }
            filled += rest.len();
            self.part += 1;
            self.offset = 0;
        }
        filled
    }
}
