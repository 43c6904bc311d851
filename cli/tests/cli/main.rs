//! The command as its users run it: real files, real exit codes.

mod cases;
mod exchange;
mod fn_dsa;
mod fn_dsa_files;
mod harness;
mod interrupted;
mod json;
mod key_sources;
mod keys;
mod openssl;
mod quickstart;
mod residue;
mod resources;
mod sign;
mod verify;
