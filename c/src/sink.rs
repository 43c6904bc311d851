//! Messages that the caller hands over in pieces: `lanner_sink` and `lanner_feed` of `lanner.h`.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_void};

use crate::boundary::bytes;
use crate::status::{Error, code};

/// `lanner_feed` of `lanner.h`.
pub(crate) type Feed = unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int;

/// `lanner_sink` of `lanner.h`, which C knows by pointer only: what takes the pieces, and whether all
/// of them were in order.
pub(crate) struct Sink<'s> {
    take: &'s mut dyn FnMut(&[u8]),
    failed: Option<Error>,
}

impl Sink<'_> {
    /// Lets the caller's function hand over a message, each piece of which goes to `take`.
    ///
    /// # Safety
    ///
    /// `feed` is a function of the caller's that keeps to `lanner.h`.
    pub(crate) unsafe fn run(
        feed: Feed,
        user: *mut c_void,
        mut take: impl FnMut(&[u8]),
    ) -> Result<(), Error> {
        let mut sink = Sink {
            take: &mut take,
            failed: None,
        };
        // SAFETY: the caller's promise. The sink is lent for the time of this call.
        let result = unsafe { feed(user, (&raw mut sink).cast()) };
        match (result, sink.failed) {
            (0, None) => Ok(()),
            (0, Some(error)) => Err(error),
            _ => Err(Error::Callback),
        }
    }
}

/// `lanner_sink_update` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_sink_update(
    sink: *mut c_void,
    piece: *const u8,
    piece_length: usize,
) -> c_int {
    // SAFETY: NULL, or the sink that `Sink::run` has just handed out.
    let Some(sink) = (unsafe { sink.cast::<Sink<'_>>().as_mut() }) else {
        return Error::Null.code();
    };
    // SAFETY: the caller's promise.
    let taken = unsafe { bytes(piece, piece_length) }.map(&mut *sink.take);
    if let Err(error) = taken {
        // A piece that was left out must not be forgotten.
        sink.failed.get_or_insert(error);
    }
    code(taken)
}
