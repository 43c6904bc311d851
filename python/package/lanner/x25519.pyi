from typing import Any, final

from typing_extensions import Buffer, Self

from lanner._native import NonContributory as NonContributory

__all__ = ["NonContributory", "PublicKey", "SecretKey"]

@final
class SecretKey:
    """A secret key of X25519: 32 bytes, which are clamped whenever they are used. Wiped when the last reference goes;
    repr() shows nothing of it, and it is not pickled."""
    def __new__(cls, key: Buffer) -> Self: ...
    @staticmethod
    def generate() -> SecretKey:
        """A new random key, from the generator of the operating system."""
    @staticmethod
    def from_der(der: Buffer) -> SecretKey:
        """The key of a PKCS#8 file in DER (RFC 8410), without a password."""
    @staticmethod
    def from_pem(pem: str | Buffer) -> SecretKey:
        """The key of a PKCS#8 file in PEM (RFC 8410), without a password."""
    @property
    def public_key(self) -> PublicKey:
        """The public key."""
    def exchange(self, public_key: PublicKey | Buffer) -> bytes:
        """The secret that this key shares with the owner of the other public key (a PublicKey, or its 32 bytes): 32 bytes,
        not uniformly random, so derive keys from them. Constant time.

        Raises NonContributory, a ValueError, where the result is all zero (RFC 7748, 6.1)."""
    def to_bytes(self) -> bytes:
        """The 32 bytes, in an object that Python does not wipe."""
    def to_der(self) -> bytes:
        """A PKCS#8 file in DER, without a password."""
    def to_pem(self) -> str:
        """A PKCS#8 file in PEM, without a password."""
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...

@final
class PublicKey:
    """A public key of X25519: 32 bytes, of which all are accepted (RFC 7748, 5)."""
    def __new__(cls, key: Buffer) -> Self: ...
    @staticmethod
    def from_der(der: Buffer) -> PublicKey:
        """The key of a SubjectPublicKeyInfo in DER (RFC 8410)."""
    @staticmethod
    def from_pem(pem: str | Buffer) -> PublicKey:
        """The key of a SubjectPublicKeyInfo in PEM (RFC 8410)."""
    def to_bytes(self) -> bytes:
        """The 32 bytes."""
    def to_der(self) -> bytes:
        """A SubjectPublicKeyInfo in DER."""
    def to_pem(self) -> str:
        """A SubjectPublicKeyInfo in PEM."""
    def __bytes__(self) -> bytes: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[type[PublicKey], tuple[bytes]]: ...
