from typing import Any, Literal, final

from typing_extensions import Buffer, Self

from lanner._native import InvalidSignature as InvalidSignature

__all__ = ["InvalidSignature", "SigningKey", "VerifyingKey"]

@final
class SigningKey:
    """A secret key of hybrid signatures: a seed of 32 bytes, from which the keys of both halves are derived. Wiped when the last
    reference goes; repr() shows nothing of it, and it is not pickled."""
    def __new__(cls, seed: Buffer, degree: Literal[512, 1024] = 512) -> Self: ...
    @staticmethod
    def from_seed(seed: Buffer, degree: Literal[512, 1024] = 512) -> SigningKey:
        """The same as the constructor: the key of a seed of 32 bytes and of a degree."""
    @staticmethod
    def generate(degree: Literal[512, 1024] = 512) -> SigningKey:
        """A new random key, from the generator of the operating system."""
    @staticmethod
    def from_der(der: Buffer) -> SigningKey:
        """The key of a PKCS#8 file in DER, without a password."""
    @staticmethod
    def from_pem(pem: str | Buffer) -> SigningKey:
        """The key of a PKCS#8 file in PEM, without a password."""
    @property
    def degree(self) -> Literal[512, 1024]:
        """The degree of FN-DSA: 512 or 1024."""
    @property
    def verifying_key(self) -> VerifyingKey:
        """The public key."""
    def sign(self, message: Buffer, context: Buffer | None = None) -> bytes:
        """A signature of a message: 730 bytes (degree 512) or 1344 (1024), another one each time. The context, 0 to 255 bytes,
        says what for."""
    def sign_checked(self, message: Buffer, context: Buffer | None = None) -> bytes:
        """A signature as sign() makes them, and only a right one, whatever single fault of the processor or of memory happens
        meanwhile: it is made twice, compared and verified. Raises RuntimeError if it is not right; this key or this machine
        should sign no more then, before the reason is found."""
    def sign_digest(self, digest: Buffer, context: Buffer | None = None) -> bytes:
        """A signature as sign() makes them, of the message with this SHA-512, 64 bytes, as hashlib.sha512(message).digest() has
        them: for messages that are read in pieces."""
    def sign_digest_checked(self, digest: Buffer, context: Buffer | None = None) -> bytes:
        """The same as sign_checked() makes them."""
    def to_bytes(self) -> bytes:
        """The seed, in an object that Python does not wipe. The degree is not in it: SigningKey(seed, degree) makes the key anew,
        and to_der() and to_pem() have both."""
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
    """A public key of hybrid signatures."""
    def __new__(cls, key: Buffer) -> Self: ...
    @staticmethod
    def from_der(der: Buffer) -> VerifyingKey:
        """The key of a SubjectPublicKeyInfo in DER."""
    @staticmethod
    def from_pem(pem: str | Buffer) -> VerifyingKey:
        """The key of a SubjectPublicKeyInfo in PEM."""
    @property
    def degree(self) -> Literal[512, 1024]:
        """The degree of FN-DSA: 512 or 1024."""
    def verify(self, message: Buffer, signature: Buffer, context: Buffer | None = None) -> None:
        """Verifies a signature of 730 bytes (degree 512) or 1344 (1024), of which both halves must be valid. Raises
        InvalidSignature. Variable time."""
    def is_valid(self, message: Buffer, signature: Buffer, context: Buffer | None = None) -> bool:
        """Whether verify() accepts the signature. Arguments of a wrong type or length are errors all the same."""
    def verify_digest(self, digest: Buffer, signature: Buffer, context: Buffer | None = None) -> None:
        """Verifies a signature as verify() does, of the message with this SHA-512, 64 bytes."""
    def is_valid_digest(self, digest: Buffer, signature: Buffer, context: Buffer | None = None) -> bool:
        """Whether verify_digest() accepts the signature. Arguments of a wrong type or length are errors all the same."""
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
