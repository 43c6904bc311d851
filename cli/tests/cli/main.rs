//! The command as its users run it: real files, real exit codes.

mod cases;
mod exchange;
mod fn_dsa;
mod harness;
mod json;
mod keys;
mod openssl;
mod quickstart;
mod resources;
mod sign;
mod verify;
