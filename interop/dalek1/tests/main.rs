//! ed25519-dalek 1.0.1 and x25519-dalek 1.1.1: the columns of version 1 in the tables of `docs/migration.md`, each row beside Lanner,
//! and what the page says of that version besides.

mod ed25519;
mod expanded;
mod manifests;
#[path = "../../tests/switching/odd.rs"]
mod odd;
#[allow(dead_code)]
#[path = "../../tests/switching/page.rs"]
mod page;
mod serialised;
mod x25519;

use std::convert::Infallible;

use lanner_ed25519::rand_core::{TryCryptoRng, TryRng};
use rand::rngs::StdRng;
use rand::{RngCore as _, SeedableRng as _};

/// A generator of rand 0.7, for the old library.
fn generator(seed: u64) -> StdRng {
    StdRng::seed_from_u64(seed)
}

/// The same one, for Lanner.
struct Same(StdRng);

fn same_generator(seed: u64) -> Same {
    Same(generator(seed))
}

impl TryRng for Same {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.0.next_u32())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.next_u64())
    }

    fn try_fill_bytes(&mut self, output: &mut [u8]) -> Result<(), Infallible> {
        self.0.fill_bytes(output);
        Ok(())
    }
}

impl TryCryptoRng for Same {}
