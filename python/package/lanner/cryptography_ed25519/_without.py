"""What stands for cryptography's names where it is not installed."""

from __future__ import annotations

import enum

from lanner._native import InvalidSignature as _InvalidSignature


class InvalidSignature(_InvalidSignature):
    """The signature is not valid."""


class UnsupportedAlgorithm(Exception):
    """What was asked for needs the package ``cryptography``."""


class Encoding(enum.Enum):
    """How a key is written: the members that keys of Ed25519 know."""

    PEM = "PEM"
    DER = "DER"
    OpenSSH = "OpenSSH"
    Raw = "Raw"


class PrivateFormat(enum.Enum):
    """What of a secret key is written."""

    PKCS8 = "PKCS8"
    TraditionalOpenSSL = "TraditionalOpenSSL"
    Raw = "Raw"
    OpenSSH = "OpenSSH"


class PublicFormat(enum.Enum):
    """What of a public key is written."""

    SubjectPublicKeyInfo = "X.509 subjectPublicKeyInfo with PKCS#1"
    PKCS1 = "Raw PKCS#1"
    OpenSSH = "OpenSSH"
    Raw = "Raw"


class KeySerializationEncryption:
    """How a secret key is encrypted."""


class NoEncryption(KeySerializationEncryption):
    """Not at all."""


# The classes of keys are here for type checkers alone: in a program they are no bases of this package's.
class Ed25519PrivateKey:
    pass


class Ed25519PublicKey:
    pass


class X25519PrivateKey:
    pass


class X25519PublicKey:
    pass


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
    "X25519PrivateKey",
    "X25519PublicKey",
]
