//! A generator of random bytes that are secret.

use core::convert::Infallible;

use rand_core::{TryCryptoRng, TryRng};

/// Gives the same 32 bytes again and again: they carry the marks.
pub(crate) struct Fixed(pub(crate) [u8; 32]);

impl TryRng for Fixed {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(self.try_next_u64()? as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, into: &mut [u8]) -> Result<(), Self::Error> {
        for (byte, secret) in into.iter_mut().zip(self.0.iter().cycle()) {
            *byte = *secret;
        }
        Ok(())
    }
}

impl TryCryptoRng for Fixed {}
