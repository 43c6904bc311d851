"""cryptography's ``serialization.pkcs12``, where keys of Ed25519 come out as this package's. It needs that package."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from cryptography.hazmat.primitives.serialization import pkcs12 as _theirs

from lanner.cryptography_ed25519 import Ed25519PrivateKey, KeySerializationEncryption
from lanner.cryptography_ed25519._theirs import ed25519, raw_private
from lanner.cryptography_ed25519.serialization import _ours

if TYPE_CHECKING:
    # What `__getattr__` finds, with its types.
    from cryptography.hazmat.primitives.serialization.pkcs12 import (
        PBES,
        PKCS12Certificate,
        PKCS12KeyAndCertificates,
        PKCS12PrivateKeyTypes,
        serialize_java_truststore,
    )
    from cryptography.x509 import Certificate

    __all__ = [
        "PBES",
        "PKCS12Certificate",
        "PKCS12KeyAndCertificates",
        "PKCS12PrivateKeyTypes",
        "load_key_and_certificates",
        "load_pkcs12",
        "serialize_java_truststore",
        "serialize_key_and_certificates",
    ]


def load_key_and_certificates(data: Any, password: Any, backend: Any = None) -> Any:
    """The secret key, its certificate and the other certificates of a file."""
    key, certificate, others = _theirs.load_key_and_certificates(data, password, backend)
    return _ours(key), certificate, others


def load_pkcs12(data: Any, password: Any, backend: Any = None) -> _theirs.PKCS12KeyAndCertificates:
    """The same as an object."""
    loaded = _theirs.load_pkcs12(data, password, backend)
    return _theirs.PKCS12KeyAndCertificates(_ours(loaded.key), loaded.cert, loaded.additional_certs)


def serialize_key_and_certificates(
    name: bytes | None,
    key: PKCS12PrivateKeyTypes | None,
    cert: Certificate | None,
    cas: Iterable[PKCS12Certificate | Certificate] | None,
    encryption_algorithm: KeySerializationEncryption,
) -> bytes:
    """A file of a secret key, its certificate and others."""
    if issubclass(type(key), Ed25519PrivateKey):
        # Before version 41 cryptography reaches for what its own keys have.
        key = ed25519.Ed25519PrivateKey.from_private_bytes(raw_private(key))
    return _theirs.serialize_key_and_certificates(name, key, cert, cas, encryption_algorithm)


def __getattr__(name: str) -> Any:
    # What is not defined here is cryptography's.
    return getattr(_theirs, name)
