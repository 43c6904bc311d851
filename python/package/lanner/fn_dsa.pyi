from collections.abc import Iterable
from typing import Any, Final, Literal, final

from typing_extensions import Buffer, Self

from lanner._native import InvalidSignature as InvalidSignature
from lanner._native import Prehash as Prehash
from lanner._native import Rows

__all__ = ["PREHASHES", "InvalidSignature", "Prehash", "SigningKey", "VerifyingKey", "verify_batch"]

PREHASHES: Final[tuple[Prehash, ...]]

@final
class SigningKey:
    """A secret key of FN-DSA, of degree 512 or 1024. Wiped when the last reference goes; repr() shows nothing of it, and it is
    not pickled."""
    def __new__(cls, key: Buffer) -> Self: ...
    @staticmethod
    def generate(degree: Literal[512, 1024] = 512) -> SigningKey:
        """A new random key, from the generator of the operating system."""
    @staticmethod
    def from_seed(seed: Buffer, degree: Literal[512, 1024] = 512) -> SigningKey:
        """The key of a seed of 32 bytes: always the same one."""
    @staticmethod
    def from_der(der: Buffer) -> SigningKey:
        """The key of a PKCS#8 file in DER, without a password."""
    @staticmethod
    def from_pem(pem: str | Buffer) -> SigningKey:
        """The key of a PKCS#8 file in PEM, without a password."""
    @property
    def degree(self) -> Literal[512, 1024]:
        """The degree: 512 or 1024."""
    @property
    def verifying_key(self) -> VerifyingKey:
        """The public key."""
    def sign(self, message: Buffer, context: Buffer | None = None, *, prehash: Prehash | None = None) -> bytes:
        """A signature of a message: 666 bytes (degree 512) or 1280 (1024), another one each time. The context, 0 to 255 bytes,
        says what for. With prehash, a name of hashlib ("sha512", "sha3_256", ...; "shake_128" and "shake_256" of 32 and 64
        bytes), the message is its hash, which the caller has computed: a signature of a hash is none of a message."""
    def sign_checked(self, message: Buffer, context: Buffer | None = None, *, prehash: Prehash | None = None) -> bytes:
        """A signature as sign() makes them, and only a right one, whatever single fault of the processor or of memory happens
        meanwhile: it is made twice, compared and verified. Raises RuntimeError if it is not right; this key or this machine
        should sign no more then, before the reason is found."""
    def to_bytes(self) -> bytes:
        """The encoded key, in an object that Python does not wipe."""
    def to_der(self) -> bytes:
        """A PKCS#8 file in DER, without a password, under an identifier of this project's own."""
    def to_pem(self) -> str:
        """A PKCS#8 file in PEM, without a password, under an identifier of this project's own."""
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...

@final
class VerifyingKey:
    """A public key of FN-DSA, of degree 512 or 1024."""
    def __new__(cls, key: Buffer) -> Self: ...
    @staticmethod
    def from_der(der: Buffer) -> VerifyingKey:
        """The key of a SubjectPublicKeyInfo in DER."""
    @staticmethod
    def from_pem(pem: str | Buffer) -> VerifyingKey:
        """The key of a SubjectPublicKeyInfo in PEM."""
    @property
    def degree(self) -> Literal[512, 1024]:
        """The degree: 512 or 1024."""
    def verify(
        self, message: Buffer, signature: Buffer, context: Buffer | None = None, *, prehash: Prehash | None = None
    ) -> None:
        """Verifies a signature of 666 bytes (degree 512) or 1280 (1024); with prehash, of a hash, as sign() makes them. Raises
        InvalidSignature. Variable time."""
    def is_valid(
        self, message: Buffer, signature: Buffer, context: Buffer | None = None, *, prehash: Prehash | None = None
    ) -> bool:
        """Whether verify() accepts the signature. Arguments of a wrong type or length are errors all the same."""
    def to_bytes(self) -> bytes:
        """The encoded key."""
    def to_der(self) -> bytes:
        """A SubjectPublicKeyInfo in DER, under an identifier of this project's own."""
    def to_pem(self) -> str:
        """A SubjectPublicKeyInfo in PEM, under an identifier of this project's own."""
    def __bytes__(self) -> bytes: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[type[VerifyingKey], tuple[bytes]]: ...

def verify_batch(
    public_keys: Rows | Iterable[Buffer | VerifyingKey],
    messages: Rows,
    signatures: Rows,
    context: Buffer | None = None,
) -> list[bool]:
    """Verifies many signatures under one context: verdict i is what VerifyingKey(public_keys[i]).verify(messages[i],
    signatures[i], context) says, and False where key or signature have a wrong length or do not decode.

    The columns are arrays of unsigned bytes of shape (n, length), or sequences of bytes-like objects (keys also as
    VerifyingKey). Raises ValueError where they have different lengths, or arrays a shape that no key and no signature has.
    Ctrl-C stops it."""
