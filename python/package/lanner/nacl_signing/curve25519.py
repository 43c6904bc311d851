"""Keys of X25519 as PyNaCl's ``nacl.public`` has them: what signing keys convert to.

Where PyNaCl is installed these are subclasses of its own, so that its ``Box`` and ``SealedBox`` take them. The secret is in an
object that wipes it, and leaves it only as the copy that is asked for.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, ClassVar, Self

from lanner import x25519
from lanner._encoded import copied, octets
from lanner.nacl_signing import exceptions as exc
from lanner.nacl_signing._theirs import PrivateKey as _PrivateKey
from lanner.nacl_signing._theirs import PublicKey as _PublicKey
from lanner.nacl_signing.encoding import Encoder, RawEncoder

if TYPE_CHECKING:
    # Where every type checker knows it; no package is needed for that.
    from typing_extensions import Buffer


class PublicKey(_PublicKey):
    """A public key of X25519, 32 bytes."""

    SIZE: ClassVar[int] = 32

    def __init__(self, public_key: str | Buffer, encoder: Encoder = RawEncoder) -> None:
        decoded = encoder.decode(public_key)
        try:
            self._public_key = octets(decoded)
        except TypeError:
            raise exc.TypeError("PublicKey must be created from 32 bytes") from None
        if len(self._public_key) != self.SIZE:
            raise exc.ValueError(f"public_key: 32 bytes are needed, not {len(self._public_key)}")

    def encode(self, encoder: Encoder = RawEncoder) -> bytes:
        """The 32 bytes, encoded."""
        return encoder.encode(self._public_key)

    def __bytes__(self) -> bytes:
        return self._public_key

    def __str__(self) -> str:
        return str(self._public_key)

    def __repr__(self) -> str:
        return f"<lanner.nacl_signing.PublicKey {self._public_key.hex()}>"

    def __hash__(self) -> int:
        return hash(self._public_key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _PublicKey) and self._public_key == bytes(other)

    def __ne__(self, other: object) -> bool:
        return not self == other


class PrivateKey(_PrivateKey):
    """A secret key of X25519, 32 bytes. Wiped when the last reference goes; not shown by ``repr`` and ``str``, and not
    pickled.
    """

    SIZE: ClassVar[int] = 32
    SEED_SIZE: ClassVar[int] = 32

    public_key: PublicKey

    def __init__(self, private_key: str | Buffer, encoder: Encoder = RawEncoder) -> None:
        try:
            self._key = x25519.SecretKey(encoder.decode(private_key))
        except (TypeError, ValueError) as error:
            # PyNaCl has one class for both mistakes.
            raise exc.TypeError(f"PrivateKey must be created from a 32 bytes long raw secret key: {error}") from None
        self.public_key = PublicKey(self._key.public_key.to_bytes())

    @classmethod
    def _of(cls, key: x25519.SecretKey) -> Self:
        private_key = cls.__new__(cls)
        private_key._key = key
        private_key.public_key = PublicKey(key.public_key.to_bytes())
        return private_key

    @classmethod
    def generate(cls) -> Self:
        """A new random key."""
        key = x25519.SecretKey.generate()
        if cls.__init__ is not PrivateKey.__init__:
            return cls(key.to_bytes())
        return cls._of(key)

    @classmethod
    def from_seed(cls, seed: str | Buffer, encoder: Encoder = RawEncoder) -> Self:
        """The key that libsodium makes of a seed of 32 bytes: the first half of its SHA-512."""
        decoded = encoder.decode(seed)
        try:
            key = octets(decoded)
        except TypeError:
            key = b""
        if len(key) != cls.SEED_SIZE:
            raise exc.TypeError("PrivateKey seed must be a 32 bytes long binary sequence")
        return cls(hashlib.sha512(key).digest()[: cls.SIZE])

    @property
    def _private_key(self) -> bytes:  # type: ignore[override]
        return self._key.to_bytes()

    def encode(self, encoder: Encoder = RawEncoder) -> bytes:
        """The 32 bytes, encoded, in an object that Python does not wipe."""
        return encoder.encode(self._key.to_bytes())

    def __bytes__(self) -> bytes:
        return self._key.to_bytes()

    def __repr__(self) -> str:
        return "<lanner.nacl_signing.PrivateKey>"

    __str__ = __repr__

    def __hash__(self) -> int:
        # As in PyNaCl, whose keys these equal.
        return hash((_PrivateKey, bytes(self.public_key)))

    def __eq__(self, other: object) -> bool:
        # As in PyNaCl: keys that differ only in the bits that clamping sets are equal. Others' subclasses of its class have hashes
        # of their own, and equal keys must have the same.
        return (isinstance(other, PrivateKey) or type(other) is _PrivateKey) and self.public_key == other.public_key

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __copy__(self) -> Self:
        return copied(self)

    def __deepcopy__(self, memo: Any) -> Self:
        return copied(self, memo)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self._key.__reduce_ex__(protocol)


__all__ = ["PrivateKey", "PublicKey"]
