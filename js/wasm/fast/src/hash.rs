//! A hash under way of which all zeros is a value, because the other side overwrites it with zeros.
#![allow(unsafe_code)]

use core::mem::MaybeUninit;

use sha2::{Digest, Sha512};

pub(crate) struct Hash {
    /// Whether `state` has been written, and not been read out.
    there: bool,
    state: MaybeUninit<Sha512>,
}

impl Hash {
    pub(crate) const EMPTY: Self = Self {
        there: false,
        state: MaybeUninit::uninit(),
    };

    pub(crate) fn start(&mut self) {
        self.state.write(Sha512::new());
        self.there = true;
    }

    pub(crate) fn update(&mut self, data: &[u8]) {
        if self.there {
            // SAFETY: `start` has written it.
            unsafe { self.state.assume_init_mut() }.update(data);
        }
    }

    /// Zeros where no hash was started.
    pub(crate) fn finish(&mut self) -> [u8; 64] {
        let mut bytes = [0; 64];
        if self.there {
            self.there = false;
            // SAFETY: `start` has written it, and nobody has read it since.
            bytes.copy_from_slice(&unsafe { self.state.assume_init_read() }.finalize());
        }
        bytes
    }
}
