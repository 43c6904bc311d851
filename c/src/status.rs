//! The return codes, `enum lanner_status` of `lanner.h`, and their texts.
#![allow(unsafe_code)]

use core::ffi::{CStr, c_char, c_int};

/// Success.
pub(crate) const OK: c_int = 0;

/// Why a function of `lanner.h` failed: the negative values of `enum lanner_status`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum Error {
    Signature = -1,
    Null = -2,
    Length = -3,
    Key = -4,
    Profile = -5,
    Context = -6,
    State = -7,
    Buffer = -8,
    Encoding = -9,
    Random = -10,
    MessageChanged = -11,
    Callback = -12,
    NonContributory = -13,
    Alignment = -14,
    Unsupported = -15,
    Memory = -16,
    Element = -17,
    Zero = -18,
    Fault = -19,
}

impl Error {
    /// Every error, in the order of their values.
    const ALL: [Error; 19] = [
        Error::Signature,
        Error::Null,
        Error::Length,
        Error::Key,
        Error::Profile,
        Error::Context,
        Error::State,
        Error::Buffer,
        Error::Encoding,
        Error::Random,
        Error::MessageChanged,
        Error::Callback,
        Error::NonContributory,
        Error::Alignment,
        Error::Unsupported,
        Error::Memory,
        Error::Element,
        Error::Zero,
        Error::Fault,
    ];

    pub(crate) const fn code(self) -> c_int {
        self as c_int
    }

    const fn text(self) -> &'static CStr {
        match self {
            Error::Signature => c"the signature is not valid",
            Error::Null => c"a pointer is NULL that must not be",
            Error::Length => c"a length is out of range",
            Error::Key => c"the key is malformed, or its halves do not belong together",
            Error::Profile => c"there is no such verification profile",
            Error::Context => c"the context has a length that the scheme does not allow",
            Error::State => c"the object is not initialised, or was cleared",
            Error::Buffer => c"the output buffer or the scratch is too small",
            Error::Encoding => c"this is no key file of the wanted kind",
            Error::Random => c"the source of randomness failed, or there is none",
            Error::MessageChanged => c"the message changed while it was being signed",
            Error::Callback => c"the caller's function reported a failure",
            Error::NonContributory => {
                c"the other party's key has small order: the shared secret would be zero"
            }
            Error::Alignment => c"an object is not aligned as its type demands",
            Error::Unsupported => {
                c"not supported: a degree other than 512 and 1024, an unknown variant, a key of another scheme, \
                or what this build lacks"
            },
            Error::Memory => c"there is not enough memory",
            Error::Element => c"the bytes encode no element or scalar of the group",
            Error::Zero => c"the result would be the neutral element, or the inverse of zero",
            Error::Fault => {
                c"the signature did not pass its check: the processor or the memory failed"
            }
        }
    }
}

/// What a function returns for a result without a value.
pub(crate) fn code(result: Result<(), Error>) -> c_int {
    match result {
        Ok(()) => OK,
        Err(error) => error.code(),
    }
}

/// `lanner_strerror` of `lanner.h`.
#[unsafe(no_mangle)]
extern "C" fn lanner_strerror(status: c_int) -> *const c_char {
    let known = Error::ALL.iter().find(|error| error.code() == status);
    match known {
        Some(error) => error.text(),
        None if status == OK => c"success",
        None => c"unknown status",
    }
    .as_ptr()
}
