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

#[cfg(feature = "std")]
extern crate alloc;
// In the released libraries for Linux the feature `std` does without Rust's own: `system` says why. Elsewhere nobody here
// could try that, and what unwinds, as tests do, needs it.
#[cfg(any(
    test,
    all(feature = "std", not(all(target_os = "linux", panic = "abort")))
))]
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
#[cfg(all(
    not(test),
    any(
        all(feature = "bare-metal", not(feature = "std")),
        all(feature = "std", target_os = "linux", panic = "abort")
    )
))]
mod panic;
mod random;
mod ristretto255;
mod scratch;
mod sink;
mod status;
#[cfg(all(not(test), feature = "std", target_os = "linux", panic = "abort"))]
mod system;
#[cfg(all(
    feature = "std",
    any(test, not(all(target_os = "linux", panic = "abort")))
))]
#[path = "system_by_std.rs"]
mod system;
mod version;
mod wipe;
mod x25519;
