"""The classes of cryptography's ``ed25519``, computed by Lanner::

    from lanner.cryptography_ed25519 import Ed25519PrivateKey, Ed25519PublicKey

in place of ``cryptography.hazmat.primitives.asymmetric.ed25519``. Keys are read from files by
:mod:`lanner.cryptography_ed25519.serialization`, in place of ``cryptography.hazmat.primitives.serialization``.

Signatures are verified under the profile ``dalek``, whose verdicts are those of OpenSSL. Where ``cryptography`` is installed,
the enumerations and exceptions are its own, it writes and reads the files that have a password and those of OpenSSH, and it
takes these keys where it takes its own: ``isinstance`` says yes, of its keys and the classes here as well, and ``==`` between the
same public keys. (Its secret keys equal nothing but themselves; those of this package equal the same ones of this package.)
Without it the rest works.

The secret is in an object that wipes it. Secret keys are not shown by ``repr`` and not pickled, as with ``cryptography``.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from lanner import ed25519
from lanner._encoded import EncodedKey, octets
from lanner._native import InvalidSignatureLength
from lanner.cryptography_ed25519 import _theirs
from lanner.cryptography_ed25519._theirs import (
    Encoding,
    InvalidSignature,
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

    from lanner.cryptography_ed25519._theirs import Ed25519PrivateKey as _PrivateKey
    from lanner.cryptography_ed25519._theirs import Ed25519PublicKey as _PublicKey
else:
    # Their classes have methods of their own for what is not defined here, so that these are registered with them instead.
    _PrivateKey = _PublicKey = object


def _openssh(key: bytes) -> bytes:
    """The line of a public key in OpenSSH's files (RFC 8709, 4), without a comment."""
    fields = (b"ssh-ed25519", key)
    blob = b"".join(len(field).to_bytes(4, "big") + field for field in fields)
    return b"ssh-ed25519 " + base64.b64encode(blob)


class Ed25519PublicKey(_PublicKey, metaclass=WithTheirs):
    """A public key of Ed25519. Any 32 bytes make one; where they are no point of the curve it verifies nothing."""

    __slots__ = ("_encoded",)

    _encoded: EncodedKey

    def __init__(self) -> None:
        raise TypeError("Ed25519PublicKey is made by from_public_bytes()")

    @classmethod
    def _of(cls, key: bytes) -> Ed25519PublicKey:
        public_key = cls.__new__(cls)
        public_key._encoded = EncodedKey(key)
        return public_key

    @classmethod
    def from_public_bytes(cls, data: Buffer) -> Ed25519PublicKey:
        """The key of 32 bytes."""
        try:
            key = octets(data)
        except TypeError:
            raise TypeError(f"data: a bytes-like object is needed, not {type(data).__name__}") from None
        if len(key) != 32:
            raise ValueError(f"data: an Ed25519 public key is 32 bytes long, not {len(key)}")
        return cls._of(key)

    def verify(self, signature: Buffer, data: Buffer) -> None:
        """Raises :class:`InvalidSignature`, which is a :class:`lanner.InvalidSignature` too, unless ``signature`` is a signature of
        ``data``.
        """
        try:
            if self._encoded.is_valid(data, signature, "dalek"):
                return
        except InvalidSignatureLength:
            # To cryptography that is no error of its own.
            pass
        except (TypeError, ValueError) as error:
            raise renamed(error, "message:", "data:") from None
        raise _theirs.NotValid

    def public_bytes(self, encoding: Encoding, format: PublicFormat) -> bytes:
        """The key as ``Raw``; as ``SubjectPublicKeyInfo`` in ``PEM`` or ``DER``; or as ``OpenSSH``."""
        if not _theirs.INSTALLED and encoding is Encoding.OpenSSH and format is PublicFormat.OpenSSH:
            return _openssh(self._encoded.octets)
        key = self._encoded
        return _theirs.public_bytes(Ed25519PublicKey, key.octets, key.decoded, encoding, format)

    def public_bytes_raw(self) -> bytes:
        """The 32 bytes."""
        return self._encoded.octets

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Ed25519PublicKey):
            return self._encoded.octets == _theirs.raw(other)
        return NotImplemented

    def __hash__(self) -> int:
        # cryptography's own have none.
        return hash(self._encoded.octets)

    def __repr__(self) -> str:
        return f"<lanner.cryptography_ed25519.Ed25519PublicKey {self._encoded.octets.hex()}>"

    def __copy__(self) -> Ed25519PublicKey:
        return self

    def __deepcopy__(self, memo: Any) -> Ed25519PublicKey:
        return self

    def __reduce__(self) -> Any:
        return type(self).from_public_bytes, (self._encoded.octets,)


class Ed25519PrivateKey(_PrivateKey, metaclass=WithTheirs):
    """A secret key of Ed25519, 32 bytes. Wiped when the last reference goes."""

    __slots__ = ("_key",)

    _key: ed25519.SigningKey

    def __init__(self) -> None:
        raise TypeError("Ed25519PrivateKey is made by generate() or from_private_bytes()")

    @classmethod
    def _of(cls, key: ed25519.SigningKey) -> Ed25519PrivateKey:
        private_key = cls.__new__(cls)
        private_key._key = key
        return private_key

    @classmethod
    def generate(cls) -> Ed25519PrivateKey:
        """A new random key, from the generator of the operating system."""
        return cls._of(ed25519.SigningKey.generate())

    @classmethod
    def from_private_bytes(cls, data: Buffer) -> Ed25519PrivateKey:
        """The key of 32 bytes."""
        try:
            return cls._of(ed25519.SigningKey(data))
        except (TypeError, ValueError) as error:
            raise renamed(error, "key:", "data:") from None

    def public_key(self) -> Ed25519PublicKey:
        """The public key."""
        return Ed25519PublicKey._of(self._key.verifying_key.to_bytes())

    def sign(self, data: Buffer) -> bytes:
        """The signature of ``data``, 64 bytes."""
        try:
            return self._key.sign(data)
        except (TypeError, ValueError) as error:
            raise renamed(error, "message:", "data:") from None

    def private_bytes(
        self,
        encoding: Encoding,
        format: PrivateFormat,
        encryption_algorithm: KeySerializationEncryption,
    ) -> bytes:
        """The key as ``Raw``; as ``PKCS8`` in ``PEM`` or ``DER``; or as ``OpenSSH`` in ``PEM``. All but the first with a
        password, if it is wanted. The result is in an object that Python does not wipe.
        """
        if not _theirs.INSTALLED and format is PrivateFormat.OpenSSH and encoding is Encoding.PEM:
            raise _theirs.needed("format")
        return _theirs.private_bytes(Ed25519PrivateKey, self._key, encoding, format, encryption_algorithm)

    def private_bytes_raw(self) -> bytes:
        """The 32 bytes, in an object that Python does not wipe."""
        return self._key.to_bytes()

    def __eq__(self, other: object) -> bool:
        # cryptography's own, instances too, equal nothing but themselves, and have the hash of the object, which nothing equal
        # could have.
        if isinstance(other, Ed25519PrivateKey) and issubclass(type(other), Ed25519PrivateKey):
            return self._key == other._key
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return "<lanner.cryptography_ed25519.Ed25519PrivateKey>"

    def __copy__(self) -> Ed25519PrivateKey:
        return self

    def __deepcopy__(self, memo: Any) -> Ed25519PrivateKey:
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self._key.__reduce_ex__(protocol)


if _theirs.INSTALLED:
    _theirs.registered(Ed25519PublicKey, _theirs.ed25519.Ed25519PublicKey)
    _theirs.registered(Ed25519PrivateKey, _theirs.ed25519.Ed25519PrivateKey)


__all__ = [
    "Ed25519PrivateKey",
    "Ed25519PublicKey",
    "Encoding",
    "InvalidSignature",
    "KeySerializationEncryption",
    "NoEncryption",
    "PrivateFormat",
    "PublicFormat",
    "UnsupportedAlgorithm",
]
