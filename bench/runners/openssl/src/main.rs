//! OpenSSL, called from C: `main` is in `c/serve.c`.

#![no_main]
