"""What the package ``cryptography`` brings, or where it is not installed as much of it as works without; and what its classes of
keys have in common here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lanner._native import InvalidSignature as _InvalidSignature

__all__ = [
    "INSTALLED",
    "Encoding",
    "InvalidSignature",
    "KeySerializationEncryption",
    "NoEncryption",
    "NotValid",
    "PrivateFormat",
    "PublicFormat",
    "UnsupportedAlgorithm",
    "WithTheirs",
    "ed25519",
    "needed",
    "private_bytes",
    "public_bytes",
    "raw",
    "raw_private",
    "registered",
    "renamed",
    "serialization",
    "x25519",
]

if TYPE_CHECKING:
    # As in nacl_signing: cryptography's to every type checker if there are any, and else those that stand for them.
    from cryptography.exceptions import *
    from cryptography.hazmat.primitives.asymmetric.ed25519 import *
    from cryptography.hazmat.primitives.asymmetric.x25519 import *
    from cryptography.hazmat.primitives.serialization import *

    from lanner.cryptography_ed25519._without import *  # type: ignore[assignment]

    from cryptography.hazmat.primitives.asymmetric.ed25519 import *
    from cryptography.hazmat.primitives.asymmetric.x25519 import *
    from cryptography.hazmat.primitives.serialization import *
    from cryptography.exceptions import *  # Behind ed25519, which has some of them and does not export them.

    INSTALLED: bool
    ed25519: Any
    serialization: Any
    x25519: Any
else:
    try:
        import cryptography
        from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ed25519, x25519
        from cryptography.hazmat.primitives.serialization import (
            Encoding,
            KeySerializationEncryption,
            NoEncryption,
            PrivateFormat,
            PublicFormat,
        )

        #: Whether the package is there.
        INSTALLED = True
    except ImportError:
        from lanner.cryptography_ed25519._without import (
            Encoding,
            InvalidSignature,
            KeySerializationEncryption,
            NoEncryption,
            PrivateFormat,
            PublicFormat,
            UnsupportedAlgorithm,
        )

        INSTALLED = False
        ed25519 = serialization = x25519 = None
    else:
        # Debian 12 has this one, and the tests of this package run with it.
        if int(cryptography.__version__.split(".")[0]) < 38:
            raise ImportError(f"cryptography {cryptography.__version__} is installed, and lanner needs 38 or later beside it")


class NotValid(InvalidSignature, _InvalidSignature):
    """The signature is not valid: what is raised, which is caught as cryptography's exception and as that of this package."""


def needed(what: str) -> UnsupportedAlgorithm:
    """The error of something that the package does and this one alone does not."""
    return UnsupportedAlgorithm(f"{what}: this needs the package cryptography, which is not installed")


def renamed(error: Exception, old: str, new: str) -> Exception:
    """The same error about the argument's name here."""
    return type(error)(str(error).replace(old, new, 1))


# The methods private_bytes_raw and public_bytes_raw came with cryptography 40.
def raw(key: Any) -> bytes:
    """The bytes of a public key, be it of cryptography's or of this package."""
    octets: bytes = key.public_bytes(Encoding.Raw, PublicFormat.Raw)
    return octets


def raw_private(key: Any) -> bytes:
    """The bytes of a secret key."""
    octets: bytes = key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
    return octets


#: Of each class here the one of cryptography, where that is installed.
_THEIRS: dict[type, type] = {}

if TYPE_CHECKING:
    from abc import ABCMeta as WithTheirs
else:

    class WithTheirs(type):
        """The class of a class of keys, to which the keys of cryptography's class of that name belong, too: it is they that its
        certificates and files give to programs which ask for the class here.
        """

        def __instancecheck__(cls, instance: Any) -> bool:
            theirs = _THEIRS.get(cls)
            return super().__instancecheck__(instance) or (theirs is not None and isinstance(instance, theirs))


def registered(ours: type, theirs: Any) -> None:
    """Makes keys of either class instances of the other one, so that builders of certificates and the like take them."""
    theirs.register(ours)
    _THEIRS[ours] = theirs


def public_bytes(
    ours: type,
    octets: bytes,
    decoded: Callable[[], Any],
    encoding: Encoding,
    format: PublicFormat,
) -> bytes:
    """What ``public_bytes`` of a key of the class ``ours`` gives; without cryptography in the forms that all such keys have."""
    theirs: Any = _THEIRS.get(ours)
    if theirs is not None:
        # Any 32 bytes are a key there.
        written: bytes = theirs.from_public_bytes(octets).public_bytes(encoding, format)
        return written
    if encoding is Encoding.Raw and format is PublicFormat.Raw:
        return octets
    if format is PublicFormat.SubjectPublicKeyInfo and encoding is Encoding.DER:
        return bytes(decoded().to_der())
    if format is PublicFormat.SubjectPublicKeyInfo and encoding is Encoding.PEM:
        return str(decoded().to_pem()).encode()
    raise ValueError(f"format: {format} does not go with {encoding} for such a key")


def private_bytes(
    ours: type,
    key: Any,
    encoding: Encoding,
    format: PrivateFormat,
    encryption_algorithm: KeySerializationEncryption,
) -> bytes:
    """The same of a secret key."""
    theirs: Any = _THEIRS.get(ours)
    if theirs is not None:
        own = theirs.from_private_bytes(key.to_bytes())
        written: bytes = own.private_bytes(encoding, format, encryption_algorithm)
        return written
    if not isinstance(encryption_algorithm, KeySerializationEncryption):
        raise TypeError("encryption_algorithm: a KeySerializationEncryption is needed")
    if not isinstance(encryption_algorithm, NoEncryption):
        raise needed("encryption_algorithm")
    if encoding is Encoding.Raw and format is PrivateFormat.Raw:
        return bytes(key.to_bytes())
    if format is PrivateFormat.PKCS8 and encoding is Encoding.DER:
        return bytes(key.to_der())
    if format is PrivateFormat.PKCS8 and encoding is Encoding.PEM:
        return str(key.to_pem()).encode()
    raise ValueError(f"format: {format} does not go with {encoding} for such a key")
