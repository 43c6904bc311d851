"""The classes of cryptography's ``x25519``, computed by Lanner::

    from lanner.cryptography_x25519 import X25519PrivateKey, X25519PublicKey

in place of ``cryptography.hazmat.primitives.asymmetric.x25519``. Shared secrets are the same bytes, and ``exchange`` raises
``ValueError`` where they would be zero, as there.

Where ``cryptography`` is installed, ``isinstance`` says yes of either's keys and the other's classes, ``==`` between the same public
keys, and it writes the files that have a password. Its public keys are taken here; its secret keys take none but its own, and its
loaders of files give its own. (Its secret keys equal nothing but themselves; those of this package equal the same ones of this
package.) Without it the rest works.

The secret is in an object that wipes it. Secret keys are not shown by ``repr`` and not pickled, as with ``cryptography``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lanner import x25519
from lanner.cryptography_ed25519 import _theirs
from lanner.cryptography_ed25519._theirs import (
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    UnsupportedAlgorithm,
    WithTheirs,
    renamed,
)

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from lanner.cryptography_ed25519._theirs import X25519PrivateKey as _PrivateKey
    from lanner.cryptography_ed25519._theirs import X25519PublicKey as _PublicKey
else:
    # As with Ed25519.
    _PrivateKey = _PublicKey = object


class X25519PublicKey(_PublicKey, metaclass=WithTheirs):
    """A public key of X25519: any 32 bytes."""

    __slots__ = ("_key",)

    _key: x25519.PublicKey

    def __init__(self) -> None:
        raise TypeError("X25519PublicKey is made by from_public_bytes()")

    @classmethod
    def _of(cls, key: x25519.PublicKey) -> X25519PublicKey:
        public_key = cls.__new__(cls)
        public_key._key = key
        return public_key

    @classmethod
    def from_public_bytes(cls, data: Buffer) -> X25519PublicKey:
        """The key of 32 bytes."""
        try:
            return cls._of(x25519.PublicKey(data))
        except (TypeError, ValueError) as error:
            raise renamed(error, "key:", "data:") from None

    def public_bytes(self, encoding: Encoding, format: PublicFormat) -> bytes:
        """The key as ``Raw``, or as ``SubjectPublicKeyInfo`` in ``PEM`` or ``DER``."""
        return _theirs.public_bytes(X25519PublicKey, self._key.to_bytes(), lambda: self._key, encoding, format)

    def public_bytes_raw(self) -> bytes:
        """The 32 bytes."""
        return self._key.to_bytes()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, X25519PublicKey):
            return self._key.to_bytes() == _theirs.raw(other)
        return NotImplemented

    def __hash__(self) -> int:
        # cryptography's own have none.
        return hash(self._key)

    def __repr__(self) -> str:
        return f"<lanner.cryptography_x25519.X25519PublicKey {self._key.to_bytes().hex()}>"

    def __copy__(self) -> X25519PublicKey:
        return self

    def __deepcopy__(self, memo: Any) -> X25519PublicKey:
        return self

    def __reduce__(self) -> Any:
        return type(self).from_public_bytes, (self._key.to_bytes(),)


class X25519PrivateKey(_PrivateKey, metaclass=WithTheirs):
    """A secret key of X25519, 32 bytes. Wiped when the last reference goes."""

    __slots__ = ("_key",)

    _key: x25519.SecretKey

    def __init__(self) -> None:
        raise TypeError("X25519PrivateKey is made by generate() or from_private_bytes()")

    @classmethod
    def _of(cls, key: x25519.SecretKey) -> X25519PrivateKey:
        private_key = cls.__new__(cls)
        private_key._key = key
        return private_key

    @classmethod
    def generate(cls) -> X25519PrivateKey:
        """A new random key, from the generator of the operating system."""
        return cls._of(x25519.SecretKey.generate())

    @classmethod
    def from_private_bytes(cls, data: Buffer) -> X25519PrivateKey:
        """The key of 32 bytes."""
        try:
            return cls._of(x25519.SecretKey(data))
        except (TypeError, ValueError) as error:
            raise renamed(error, "key:", "data:") from None

    def public_key(self) -> X25519PublicKey:
        """The public key."""
        return X25519PublicKey._of(self._key.public_key)

    def exchange(self, peer_public_key: _PublicKey) -> bytes:
        """The secret that this key shares with the owner of the other public key, in an object that Python does not wipe. Raises
        ValueError where it would be zero.
        """
        if not isinstance(peer_public_key, X25519PublicKey):
            raise TypeError(f"peer_public_key: an X25519PublicKey is needed, not {type(peer_public_key).__name__}")
        try:
            return self._key.exchange(_theirs.raw(peer_public_key))
        except ValueError as error:
            raise renamed(error, "public_key:", "peer_public_key:") from None

    def private_bytes(
        self,
        encoding: Encoding,
        format: PrivateFormat,
        encryption_algorithm: KeySerializationEncryption,
    ) -> bytes:
        """The key as ``Raw``, or as ``PKCS8`` in ``PEM`` or ``DER``, which may have a password. The result is in an object that Python
        does not wipe.
        """
        return _theirs.private_bytes(X25519PrivateKey, self._key, encoding, format, encryption_algorithm)

    def private_bytes_raw(self) -> bytes:
        """The 32 bytes, in an object that Python does not wipe."""
        return self._key.to_bytes()

    def __eq__(self, other: object) -> bool:
        # cryptography's own, instances too, equal nothing but themselves, and have the hash of the object, which nothing equal
        # could have.
        if isinstance(other, X25519PrivateKey) and issubclass(type(other), X25519PrivateKey):
            return self._key == other._key
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return "<lanner.cryptography_x25519.X25519PrivateKey>"

    def __copy__(self) -> X25519PrivateKey:
        return self

    def __deepcopy__(self, memo: Any) -> X25519PrivateKey:
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self._key.__reduce_ex__(protocol)


if _theirs.INSTALLED:
    _theirs.registered(X25519PublicKey, _theirs.x25519.X25519PublicKey)
    _theirs.registered(X25519PrivateKey, _theirs.x25519.X25519PrivateKey)


__all__ = [
    "Encoding",
    "KeySerializationEncryption",
    "NoEncryption",
    "PrivateFormat",
    "PublicFormat",
    "UnsupportedAlgorithm",
    "X25519PrivateKey",
    "X25519PublicKey",
]
