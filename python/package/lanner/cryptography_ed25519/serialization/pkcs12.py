"""cryptography's ``serialization.pkcs12``, where keys of Ed25519 come out as this package's. It needs that package."""

from __future__ import annotations

from typing import Any

from cryptography.hazmat.primitives.serialization import pkcs12 as _theirs

from lanner.cryptography_ed25519.serialization import _ours


def load_key_and_certificates(data: Any, password: Any, backend: Any = None) -> Any:
    """The secret key, its certificate and the other certificates of a file."""
    key, certificate, others = _theirs.load_key_and_certificates(data, password, backend)
    return _ours(key), certificate, others


def load_pkcs12(data: Any, password: Any, backend: Any = None) -> _theirs.PKCS12KeyAndCertificates:
    """The same as an object."""
    loaded = _theirs.load_pkcs12(data, password, backend)
    return _theirs.PKCS12KeyAndCertificates(_ours(loaded.key), loaded.cert, loaded.additional_certs)


def __getattr__(name: str) -> Any:
    # What is not defined here is cryptography's.
    return getattr(_theirs, name)
