from typing import Final, Literal, final

from typing_extensions import Buffer, Self

from lanner._native import Encoding as Encoding
from lanner._native import InvalidSignature as InvalidSignature

__all__ = ["ENCODINGS", "Encoding", "InvalidSignature", "VerifyingKey"]

ENCODINGS: Final[tuple[Encoding, ...]]

@final
class VerifyingKey:
    """A public key of Falcon, of degree 512 or 1024. Its bytes could be those of a key of FN-DSA as well: a key pair is for one of
    the two, because signatures of the one can be signatures of the other, of messages that nobody signed."""
    def __new__(cls, key: Buffer) -> Self: ...
    @staticmethod
    def from_der(der: Buffer) -> VerifyingKey:
        """The key of a SubjectPublicKeyInfo in DER, as Open Quantum Safe's provider and Bouncy Castle write them."""
    @staticmethod
    def from_pem(pem: str | Buffer) -> VerifyingKey:
        """The key of a SubjectPublicKeyInfo in PEM."""
    @property
    def degree(self) -> Literal[512, 1024]:
        """The degree: 512 or 1024."""
    def verify(self, message: Buffer, signature: Buffer, *, encoding: Encoding) -> None:
        """Verifies a signature in one encoding, a name of ENCODINGS: "padded" (666 bytes, or 1280 with degree 1024), "compressed"
        (at most 752 or 1462) or "constant-time" (809 or 1577). Anybody can turn a signature of one encoding into one of
        another, so it is valid in none but the one that is named. Raises InvalidSignature. Variable time."""
    def is_valid(self, message: Buffer, signature: Buffer, *, encoding: Encoding) -> bool:
        """Whether verify() accepts the signature. Arguments of a wrong type or length are errors all the same."""
    def to_bytes(self) -> bytes:
        """The encoded key."""
    def to_der(self) -> bytes:
        """A SubjectPublicKeyInfo in DER, as Open Quantum Safe's provider writes it."""
    def to_pem(self) -> str:
        """A SubjectPublicKeyInfo in PEM, as Open Quantum Safe's provider writes it."""
    def __bytes__(self) -> bytes: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[type[VerifyingKey], tuple[bytes]]: ...
