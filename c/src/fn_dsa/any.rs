//! Keys of every variant and degree, signing and verifying ones, as objects.
use lanner_fn_dsa::{
    DecodingSpace, SigningKey512, SigningKey1024, VerifyingKey512, VerifyingKey1024, draft2026,
    falcon, vrfy_key_size,
};

use super::{Variant, status};
use crate::boundary::{Object, Slot};
use crate::scratch::Scratch;
use crate::status::Error;

/// The longest encodings.
pub(crate) const MAX_SECRET: usize = draft2026::sign_key_size(10);
pub(crate) const MAX_PUBLIC: usize = vrfy_key_size(10);

/// One half of a key pair, `H`, of any variant and either degree. In the layout of C, so that the tag stands
/// before the key ([`Object::extent`]).
#[repr(C)]
pub(crate) enum Any<H: Half> {
    Main512(H::Main512),
    Main1024(H::Main1024),
    Draft512(H::Draft512),
    Draft1024(H::Draft1024),
    Falcon512(H::Falcon512),
    Falcon1024(H::Falcon1024),
}

/// A signing key.
pub(crate) type Key = Any<Signing>;

/// A verifying key.
pub(crate) type Public = Any<Verifying>;

/// `lanner_fn_dsa_key` of `lanner.h`.
pub(crate) type KeySlot = Slot<Key, 896>;

/// `lanner_fn_dsa_public` of `lanner.h`.
pub(crate) type PublicSlot = Slot<Public, 288>;

/// A half of key pairs: its type for each variant and degree.
pub(crate) trait Half {
    /// The tag of its objects.
    const TAG: u64;

    type Main512: Encoded;
    type Main1024: Encoded;
    type Draft512: Encoded;
    type Draft1024: Encoded;
    type Falcon512: Encoded;
    type Falcon1024: Encoded;

    /// The bytes of an encoded key.
    fn size(variant: Variant, logn: u32) -> usize;
}

/// The half that signs.
pub(crate) enum Signing {}

impl Half for Signing {
    const TAG: u64 = u64::from_le_bytes(*b"FN-DSA k");

    type Main512 = SigningKey512;
    type Main1024 = SigningKey1024;
    type Draft512 = draft2026::SigningKey512;
    type Draft1024 = draft2026::SigningKey1024;
    type Falcon512 = falcon::SigningKey512;
    type Falcon1024 = falcon::SigningKey1024;

    fn size(variant: Variant, logn: u32) -> usize {
        variant.secret_size(logn)
    }
}

/// The half that verifies.
pub(crate) enum Verifying {}

impl Half for Verifying {
    const TAG: u64 = u64::from_le_bytes(*b"FN-DSA p");

    type Main512 = VerifyingKey512;
    type Main1024 = VerifyingKey1024;
    type Draft512 = draft2026::VerifyingKey512;
    type Draft1024 = draft2026::VerifyingKey1024;
    type Falcon512 = falcon::VerifyingKey512;
    type Falcon1024 = falcon::VerifyingKey1024;

    fn size(_: Variant, logn: u32) -> usize {
        vrfy_key_size(logn)
    }
}

/// A key of one variant and one degree.
pub(crate) trait Encoded: Sized {
    fn from_bytes(bytes: &[u8]) -> Result<Self, lanner_fn_dsa::Error>;
    fn logn(&self) -> u32;
    fn write_bytes(&self, out: &mut [u8]) -> Result<(), lanner_fn_dsa::Error>;
}

/// The types have these functions themselves, but no trait of theirs.
macro_rules! encoded {
    ($($key:ty),*) => {
        $(impl Encoded for $key {
            fn from_bytes(bytes: &[u8]) -> Result<Self, lanner_fn_dsa::Error> {
                <$key>::from_bytes(bytes)
            }

            fn logn(&self) -> u32 {
                <$key>::logn(self)
            }

            fn write_bytes(&self, out: &mut [u8]) -> Result<(), lanner_fn_dsa::Error> {
                <$key>::write_bytes(self, out)
            }
        })*
    };
}

encoded!(SigningKey512, SigningKey1024);
encoded!(VerifyingKey512, VerifyingKey1024);
encoded!(draft2026::SigningKey512, draft2026::SigningKey1024);
encoded!(draft2026::VerifyingKey512, draft2026::VerifyingKey1024);
encoded!(falcon::SigningKey512, falcon::SigningKey1024);
encoded!(falcon::VerifyingKey512, falcon::VerifyingKey1024);

/// The same expression for each of the types.
macro_rules! each {
    ($key:expr, $inner:ident => $body:expr) => {
        match $key {
            Any::Main512($inner) => $body,
            Any::Main1024($inner) => $body,
            Any::Draft512($inner) => $body,
            Any::Draft1024($inner) => $body,
            Any::Falcon512($inner) => $body,
            Any::Falcon1024($inner) => $body,
        }
    };
}

/// The same expression, a result, for each type of FN-DSA; an error for those of Falcon.
macro_rules! each_fn_dsa {
    ($key:expr, $inner:ident => $body:expr) => {
        match $key {
            $crate::fn_dsa::any::Any::Main512($inner) => $body,
            $crate::fn_dsa::any::Any::Main1024($inner) => $body,
            $crate::fn_dsa::any::Any::Draft512($inner) => $body,
            $crate::fn_dsa::any::Any::Draft1024($inner) => $body,
            $crate::fn_dsa::any::Any::Falcon512(_) | $crate::fn_dsa::any::Any::Falcon1024(_) => {
                Err($crate::status::Error::Unsupported)
            }
        }
    };
}
pub(super) use each_fn_dsa;

impl<H: Half> Object for Any<H> {
    const TAG: u64 = H::TAG;

    fn extent(&self) -> usize {
        let end = each!(self, key => (&raw const *key).addr() + size_of_val(key));
        end - (&raw const *self).addr()
    }
}

/// A key of one of two degrees. Each type refuses the other degree without a look at the rest.
fn of_degree<A: Encoded, B: Encoded, K>(
    bytes: &[u8],
    small: impl FnOnce(A) -> K,
    large: impl FnOnce(B) -> K,
) -> Result<K, Error> {
    A::from_bytes(bytes)
        .map(small)
        .or_else(|_| B::from_bytes(bytes).map(large))
        .map_err(|_| Error::Key)
}

impl<H: Half> Any<H> {
    /// Decodes a key of either degree, as its first byte says.
    pub(super) fn from_bytes(variant: Variant, bytes: &[u8]) -> Result<Self, Error> {
        match variant {
            Variant::Main => of_degree(bytes, Any::Main512, Any::Main1024),
            Variant::Draft2026 => of_degree(bytes, Any::Draft512, Any::Draft1024),
            Variant::Falcon => of_degree(bytes, Any::Falcon512, Any::Falcon1024),
        }
    }

    pub(crate) fn variant(&self) -> Variant {
        match self {
            Any::Main512(_) | Any::Main1024(_) => Variant::Main,
            Any::Draft512(_) | Any::Draft1024(_) => Variant::Draft2026,
            Any::Falcon512(_) | Any::Falcon1024(_) => Variant::Falcon,
        }
    }

    pub(crate) fn logn(&self) -> u32 {
        each!(self, key => key.logn())
    }

    /// Encodes the key at the start of `out`; the length.
    pub(crate) fn encode(&self, out: &mut [u8]) -> Result<usize, Error> {
        let length = H::size(self.variant(), self.logn());
        let out = out.get_mut(..length).ok_or(Error::Buffer)?;
        each!(self, key => key.write_bytes(out)).map_err(status)?;
        Ok(length)
    }
}

impl Key {
    /// Decodes a signing key in memory that the caller lends, or on the stack.
    pub(super) fn from_secret(
        variant: Variant,
        bytes: &[u8],
        scratch: Scratch,
    ) -> Result<Self, Error> {
        macro_rules! decode {
            ($key:ty, $n:literal, $wrap:path) => {
                scratch.with(DecodingSpace::<$n>::new, |space| {
                    <$key>::from_bytes_in(space, bytes)
                        .map($wrap)
                        .map_err(|_| Error::Key)
                })
            };
        }
        // The lower half of the first byte of every encoding is the logarithm of the degree.
        match (variant, bytes.first().map(|first| first & 15)) {
            (Variant::Main, Some(9)) => decode!(SigningKey512, 512, Any::Main512),
            (Variant::Main, Some(10)) => decode!(SigningKey1024, 1024, Any::Main1024),
            (Variant::Draft2026, Some(9)) => {
                decode!(draft2026::SigningKey512, 512, Any::Draft512)
            }
            (Variant::Draft2026, Some(10)) => {
                decode!(draft2026::SigningKey1024, 1024, Any::Draft1024)
            }
            (Variant::Falcon, Some(9)) => decode!(falcon::SigningKey512, 512, Any::Falcon512),
            (Variant::Falcon, Some(10)) => decode!(falcon::SigningKey1024, 1024, Any::Falcon1024),
            _ => Err(Error::Key),
        }
    }

    /// Encodes the verifying key that belongs to it at the start of `out`; the length.
    pub(crate) fn encode_public(&self, out: &mut [u8]) -> Result<usize, Error> {
        let length = vrfy_key_size(self.logn());
        let out = out.get_mut(..length).ok_or(Error::Buffer)?;
        each!(self, key => key.verifying_key().write_bytes(out)).map_err(status)?;
        Ok(length)
    }
}
