"""What the package ``cryptography`` brings, or where it is not installed as much of it as works without."""

from __future__ import annotations

import enum
from typing import Any

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
    "ed25519",
    "needed",
    "serialization",
]

try:
    from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ed25519
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        KeySerializationEncryption,
        NoEncryption,
        PrivateFormat,
        PublicFormat,
    )

    #: Whether the package is there.
    INSTALLED = True

    class NotValid(InvalidSignature, _InvalidSignature):
        """The signature is not valid: what is raised, which is caught as cryptography's exception and as that of this package."""

except ImportError:
    INSTALLED = False
    serialization: Any = None  # type: ignore[no-redef]
    ed25519: Any = None  # type: ignore[no-redef]

    class InvalidSignature(_InvalidSignature):  # type: ignore[no-redef]
        """The signature is not valid."""

    NotValid = InvalidSignature  # type: ignore[assignment,misc]

    class UnsupportedAlgorithm(Exception):  # type: ignore[no-redef]
        """What was asked for needs the package ``cryptography``."""

    class Encoding(enum.Enum):  # type: ignore[no-redef]
        """How a key is written: the members that keys of Ed25519 know."""

        PEM = "PEM"
        DER = "DER"
        OpenSSH = "OpenSSH"
        Raw = "Raw"

    class PrivateFormat(enum.Enum):  # type: ignore[no-redef]
        """What of a secret key is written."""

        PKCS8 = "PKCS8"
        TraditionalOpenSSL = "TraditionalOpenSSL"
        Raw = "Raw"
        OpenSSH = "OpenSSH"

    class PublicFormat(enum.Enum):  # type: ignore[no-redef]
        """What of a public key is written."""

        SubjectPublicKeyInfo = "X.509 subjectPublicKeyInfo with PKCS#1"
        PKCS1 = "Raw PKCS#1"
        OpenSSH = "OpenSSH"
        Raw = "Raw"

    class KeySerializationEncryption:  # type: ignore[no-redef]
        """How a secret key is encrypted."""

    class NoEncryption(KeySerializationEncryption):  # type: ignore[no-redef]
        """Not at all."""


def needed(what: str) -> UnsupportedAlgorithm:
    """The error of something that the package does and this one alone does not."""
    return UnsupportedAlgorithm(f"{what}: this needs the package cryptography, which is not installed")
