from collections.abc import Iterable
from typing import Any, Final, TypeAlias, final

from typing_extensions import Buffer, Self

from lanner import x25519
from lanner._native import HoldsKey
from lanner._native import InvalidSignature as InvalidSignature
from lanner._native import Profile as Profile
from lanner._native import Rows

__all__ = [
    "PROFILES",
    "InvalidSignature",
    "PreparedVerifyingKey",
    "Profile",
    "SigningKey",
    "VerifyingKey",
    "is_valid",
    "verify_batch",
]

PROFILES: Final[tuple[Profile, ...]]

@final
class SigningKey:
    """A secret key of Ed25519: 32 bytes. Wiped when the last reference goes; repr() shows nothing of it, and it is not
    pickled."""
    def __new__(cls, key: Buffer) -> Self: ...
    @staticmethod
    def generate() -> SigningKey:
        """A new random key, from the generator of the operating system."""
    @staticmethod
    def from_keypair(keypair: Buffer) -> SigningKey:
        """The key of 64 bytes: the secret key, then the public key. Raises ValueError unless they belong together."""
    @staticmethod
    def from_der(der: Buffer) -> SigningKey:
        """The key of a PKCS#8 file in DER (RFC 8410), without a password."""
    @staticmethod
    def from_pem(pem: str | Buffer) -> SigningKey:
        """The key of a PKCS#8 file in PEM (RFC 8410), without a password."""
    @property
    def verifying_key(self) -> VerifyingKey:
        """The public key."""
    def sign(self, message: Buffer) -> bytes:
        """The signature of a message: 64 bytes. Constant time in all but the length."""
    def sign_checked(self, message: Buffer) -> bytes:
        """The signature that sign() makes, and only that, whatever single fault of the processor or of memory happens meanwhile: it
        is made twice, compared and verified. Raises RuntimeError if it is not right; this key or this machine should sign no
        more then, before the reason is found."""
    def sign_ctx(self, message: Buffer, context: Buffer) -> bytes:
        """The Ed25519ctx signature of a message: 64 bytes. The context, 1 to 255 bytes, says what for: a protocol, say."""
    def sign_ctx_checked(self, message: Buffer, context: Buffer) -> bytes:
        """The signature that sign_ctx() makes, as sign_checked() makes it."""
    def sign_ph(self, message: Buffer, context: Buffer | None = None) -> bytes:
        """The Ed25519ph signature of a message, which is hashed once, by SHA-512: 64 bytes. The context has 0 to 255 bytes."""
    def sign_ph_checked(self, message: Buffer, context: Buffer | None = None) -> bytes:
        """The signature that sign_ph() makes, as sign_checked() makes it. The message is hashed once: a fault in that is not seen."""
    def sign_prehashed(self, digest: Buffer, context: Buffer | None = None) -> bytes:
        """The signature that sign_ph() makes of a message, from the 64 bytes of SHA-512 of it, as hashlib.file_digest() computes
        them of a file."""
    def sign_prehashed_checked(self, digest: Buffer, context: Buffer | None = None) -> bytes:
        """The signature that sign_prehashed() makes, as sign_checked() makes it."""
    def sign_many(self, messages: Rows) -> list[bytes]:
        """The signatures of many messages (a sequence of bytes-like objects, or an array of shape (n, m)): bit for bit those of
        sign(), made several at a time."""
    def to_x25519(self) -> x25519.SecretKey:
        """The secret key of X25519 that belongs to verifying_key.to_x25519(). Signing and agreeing by one key is safe in many
        protocols and not in all: prefer two keys."""
    def to_bytes(self) -> bytes:
        """The 32 bytes, in an object that Python does not wipe."""
    def to_der(self) -> bytes:
        """A PKCS#8 file in DER (RFC 8410, version 1: the secret key alone), without a password."""
    def to_pem(self) -> str:
        """A PKCS#8 file in PEM (RFC 8410, version 1: the secret key alone), without a password."""
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...

@final
class VerifyingKey:
    """A public key of Ed25519."""
    def __new__(cls, key: Buffer) -> Self: ...
    @staticmethod
    def from_der(der: Buffer) -> VerifyingKey:
        """The key of a SubjectPublicKeyInfo in DER (RFC 8410)."""
    @staticmethod
    def from_pem(pem: str | Buffer) -> VerifyingKey:
        """The key of a SubjectPublicKeyInfo in PEM (RFC 8410)."""
    def verify(self, message: Buffer, signature: Buffer, *, profile: Profile = "strict") -> None:
        """Verifies a signature of 64 bytes under a profile, a name of PROFILES. Raises InvalidSignature. Variable time."""
    def is_valid(self, message: Buffer, signature: Buffer, *, profile: Profile = "strict") -> bool:
        """Whether verify() accepts the signature. Arguments of a wrong type or length are errors all the same."""
    def verify_ctx(
        self, message: Buffer, signature: Buffer, context: Buffer, *, profile: Profile = "strict"
    ) -> None:
        """Verifies an Ed25519ctx signature; the context has 1 to 255 bytes. Raises InvalidSignature."""
    def verify_ph(
        self,
        message: Buffer,
        signature: Buffer,
        context: Buffer | None = None,
        *,
        profile: Profile = "strict",
    ) -> None:
        """Verifies an Ed25519ph signature; the context has 0 to 255 bytes. Raises InvalidSignature."""
    def verify_prehashed(
        self,
        digest: Buffer,
        signature: Buffer,
        context: Buffer | None = None,
        *,
        profile: Profile = "strict",
    ) -> None:
        """What verify_ph() does with a message, of the 64 bytes of SHA-512 of it. Raises InvalidSignature."""
    def prepare(self) -> PreparedVerifyingKey:
        """The key with tables of 6 kB, which verifies faster: for a key that verifies often."""
    @property
    def is_weak(self) -> bool:
        """Whether the key has small order, so that anybody can sign under it: strict and libsodium refuse it."""
    def to_x25519(self) -> x25519.PublicKey:
        """The public key of X25519 whose secret is SigningKey.to_x25519(). Raises ValueError for keys that nobody makes
        honestly: weak ones, and those with a component of small order."""
    def to_bytes(self) -> bytes:
        """The 32 bytes."""
    def to_der(self) -> bytes:
        """A SubjectPublicKeyInfo in DER."""
    def to_pem(self) -> str:
        """A SubjectPublicKeyInfo in PEM."""
    def __bytes__(self) -> bytes: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[type[VerifyingKey], tuple[bytes]]: ...

@final
class PreparedVerifyingKey:
    """A public key of Ed25519 with its tables, made by VerifyingKey.prepare()."""
    def verify(self, message: Buffer, signature: Buffer, *, profile: Profile = "strict") -> None:
        """As VerifyingKey.verify()."""
    def is_valid(self, message: Buffer, signature: Buffer, *, profile: Profile = "strict") -> bool:
        """As VerifyingKey.is_valid()."""
    @property
    def verifying_key(self) -> VerifyingKey:
        """The key without its tables."""
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...
    def __reduce__(self) -> tuple[Any, tuple[VerifyingKey]]: ...

# A public key as an object.
_Key: TypeAlias = VerifyingKey | PreparedVerifyingKey | HoldsKey

def is_valid(
    public_key: Buffer | _Key, message: Buffer, signature: Buffer, *, profile: Profile = "strict"
) -> bool:
    """Whether a signature is valid under a key of 32 bytes that is used once: faster than VerifyingKey(public_key).verify(…), and
    False where the bytes are no point of the curve. The key may be an object of the public keys of this package: the profile is
    that of this call. Arguments of a wrong type or length are errors."""
def verify_batch(
    public_keys: Rows | Iterable[Buffer | _Key],
    messages: Rows,
    signatures: Rows,
    *,
    profile: Profile = "strict",
) -> list[bool]:
    """Verifies many signatures: verdict i is what VerifyingKey(public_keys[i]).verify(messages[i], signatures[i]) says, and False
    where the key is no point of the curve, or key or signature have a wrong length. They are combined or computed side by
    side, and the verdicts are those of one by one.

    public_keys and signatures are arrays of unsigned bytes of shape (n, 32) and (n, 64), or sequences of bytes-like objects
    (keys also as objects of the public keys of this package, under the profile of this call whichever their own methods have);
    messages is an array of shape (n, m), or a sequence of bytes-like objects. Raises ValueError where the columns have different lengths, or arrays another shape. Ctrl-C stops it."""
