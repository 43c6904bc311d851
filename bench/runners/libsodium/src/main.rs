//! libsodium, called from C: `main` is in `c/serve.c`.

#![no_main]

use libsodium_sys as _;
