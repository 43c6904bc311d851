"""cryptography's ``hazmat.primitives.serialization``, where keys of Ed25519 come out as this package's.

All other names and keys are cryptography's own, those of ``pkcs12``, ``pkcs7`` and ``ssh`` beneath it too. Where that package is
not installed, files of Ed25519 keys without a password are read, and public keys of OpenSSH.
"""

from __future__ import annotations

import base64
import binascii
import importlib
import re
from typing import Any

from lanner import ed25519
from lanner.cryptography_ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    _openssh,
    _theirs,
)


def _ours(key: Any) -> Any:
    """The key of this package, where the key is one of Ed25519."""
    if isinstance(key, _theirs.ed25519.Ed25519PrivateKey):
        return Ed25519PrivateKey.from_private_bytes(_theirs.raw_private(key))
    if isinstance(key, _theirs.ed25519.Ed25519PublicKey):
        return Ed25519PublicKey.from_public_bytes(_theirs.raw(key))
    return key


def _without(password: Any) -> None:
    if password is not None:
        raise _theirs.needed("password")


def load_pem_private_key(data: Any, password: Any = None, backend: Any = None, **options: Any) -> Any:
    """A secret key from a PEM file, of which ``password`` opens an encrypted one."""
    if _theirs.INSTALLED:
        return _ours(_theirs.serialization.load_pem_private_key(data, password, backend, **options))
    _without(password)
    return Ed25519PrivateKey._of(ed25519.SigningKey.from_pem(data))


def load_der_private_key(data: Any, password: Any = None, backend: Any = None, **options: Any) -> Any:
    """A secret key from a DER file, of which ``password`` opens an encrypted one."""
    if _theirs.INSTALLED:
        return _ours(_theirs.serialization.load_der_private_key(data, password, backend, **options))
    _without(password)
    return Ed25519PrivateKey._of(ed25519.SigningKey.from_der(data))


def load_pem_public_key(data: Any, backend: Any = None) -> Any:
    """A public key from a PEM file."""
    if _theirs.INSTALLED:
        return _ours(_theirs.serialization.load_pem_public_key(data, backend))
    return Ed25519PublicKey.from_public_bytes(ed25519.VerifyingKey.from_pem(data).to_bytes())


def load_der_public_key(data: Any, backend: Any = None) -> Any:
    """A public key from a DER file."""
    if _theirs.INSTALLED:
        return _ours(_theirs.serialization.load_der_public_key(data, backend))
    return Ed25519PublicKey.from_public_bytes(ed25519.VerifyingKey.from_der(data).to_bytes())


def load_ssh_private_key(data: Any, password: Any = None, backend: Any = None, **options: Any) -> Any:
    """A secret key from a file of OpenSSH."""
    if not _theirs.INSTALLED:
        raise _theirs.needed("data")
    return _ours(_theirs.serialization.load_ssh_private_key(data, password, backend, **options))


def load_ssh_public_identity(data: Any) -> Any:
    """A public key, or a certificate, from a line of OpenSSH."""
    if not _theirs.INSTALLED:
        raise _theirs.needed("data")
    try:
        load = _theirs.serialization.load_ssh_public_identity
    except AttributeError:
        raise _theirs.UnsupportedAlgorithm("data: this needs cryptography 40 or later") from None
    return _ours(load(data))


def load_ssh_public_key(data: Any, backend: Any = None) -> Any:
    """A public key from a line of OpenSSH."""
    if _theirs.INSTALLED:
        return _ours(_theirs.serialization.load_ssh_public_key(data, backend))
    found = re.match(rb"ssh-ed25519[ \t]+(\S+)", bytes(data))
    try:
        key = base64.b64decode(found[1], validate=True)[-32:] if found else b""
    except binascii.Error:
        key = b""
    if not found or len(key) != 32 or found[1] != _openssh(key).split()[1]:
        raise ValueError("data: not a line of OpenSSH with a key of Ed25519")
    return Ed25519PublicKey.from_public_bytes(key)


def __getattr__(name: str) -> Any:
    # What is not defined here is cryptography's.
    if _theirs.INSTALLED and name in ("pkcs12", "pkcs7", "ssh"):
        return importlib.import_module(f"{__name__}.{name}")
    if _theirs.INSTALLED and not name.startswith("_"):
        return getattr(_theirs.serialization, name)
    if not _theirs.INSTALLED and not name.startswith("_"):
        # Whether it is there is not known, and what follows from an import is said of the package that lacks.
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}: the package cryptography, which has more, is not installed")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "Encoding",
    "KeySerializationEncryption",
    "NoEncryption",
    "PrivateFormat",
    "PublicFormat",
    "load_der_private_key",
    "load_der_public_key",
    "load_pem_private_key",
    "load_pem_public_key",
    "load_ssh_private_key",
    "load_ssh_public_identity",
    "load_ssh_public_key",
]
