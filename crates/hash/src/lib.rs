//! SHA-512 and Keccak, several messages at once in vector lanes.
//!
//! A vector register holds the same word of several messages side by side, so that one
//! instruction works on all of them: [`sha512`] hashes any number of messages,
//! [`keccak`] permutes several states and has SHAKE128 and SHAKE256 on top of that. For one
//! message alone there is nothing to gain from vectors; that is what the crates `sha2` and `sha3`
//! are for. (Those who need the permutation itself, of a single state, have
//! [`keccak::permute_one`], which uses what x86-64 has for single words.)
//!
//! ```
//! let messages: [[&[u8]; 2]; 3] = [[b"a", b"bc"], [b"", b""], [b"abc", b""]];
//! let mut digests = [[0; 64]; 3];
//! lanner_hash::sha512::digest_each(messages, &mut digests);
//! assert_eq!(digests[0], digests[2]);
//! assert_eq!(digests[0][..4], [0xdd, 0xaf, 0x35, 0xa1]);
//! ```
//!
//! Every instruction set that the target may have is compiled in and the processor decides at
//! run time, see [`backend`]. WebAssembly modules cannot ask: there, the feature `simd128` or the
//! target feature of that name chooses.
//!
//! # Secrets
//!
//! Time depends on the number of messages and on the lengths of their parts, never on their
//! bytes. What a call held of them, in its own state and on the stack below it, is overwritten
//! before it returns; vector registers are not.
//!
//! # Features
//!
//! * `digest`: `sha512::Compact`, SHA-512 of one message in little code.
//! * `simd128`: the vector instructions of WebAssembly. The module then runs only in engines
//!   that have them. Without effect on other targets.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(test)]
extern crate std;

mod parts;
mod vectors;

pub mod keccak;
pub mod sha512;

pub use lanner_simd::backend;

#[cfg(test)]
mod testing;

/// The program of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
