//! liblanner: the C face of Lanner.
//!
//! The headers in `include/` are the reference of what is here; `README.md` states the conventions
//! that all functions keep (pointers, errors, ownership, threads). Each module holds the functions
//! of one header, or of one part of `lanner.h`.
//!
//! | module | header |
//! |---|---|
//! | `donna` | `ed25519.h`, `ed25519_donna_tor.h`, `curve25519.h` |
//! | the others | `lanner.h` |

#![no_std]

#[cfg(any(feature = "std", test))]
extern crate std;

mod backend;
mod boundary;
#[cfg(feature = "donna-names")]
mod donna;
mod ed25519;
mod fn_dsa;
mod hybrid;
#[cfg(feature = "key-files")]
mod key_files;
#[cfg(all(feature = "bare-metal", not(feature = "std")))]
mod panic;
mod random;
mod ristretto255;
mod sink;
mod status;
mod version;
mod x25519;
