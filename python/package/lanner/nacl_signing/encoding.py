"""Encoders, under PyNaCl's names. Whatever has static methods ``encode`` and ``decode`` serves as one, PyNaCl's own among
them.
"""

from __future__ import annotations

import base64
import binascii
from typing import Any, Protocol


class Encoder(Protocol):
    """What turns bytes into other bytes, and back."""

    # In the argument a bytes-like object or text, as the functions behind it take it.
    def encode(self, data: Any) -> bytes: ...

    def decode(self, data: Any) -> bytes: ...


class RawEncoder:
    """Bytes as they are."""

    @staticmethod
    def encode(data: Any) -> bytes:
        octets: bytes = data
        return octets

    @staticmethod
    def decode(data: Any) -> bytes:
        octets: bytes = data
        return octets


class HexEncoder:
    """Hexadecimal digits, lower-case when written."""

    encode = staticmethod(binascii.hexlify)
    decode = staticmethod(binascii.unhexlify)


class Base16Encoder:
    """Hexadecimal digits, upper-case (RFC 4648, 8)."""

    encode = staticmethod(base64.b16encode)
    decode = staticmethod(base64.b16decode)


class Base32Encoder:
    """Base32 (RFC 4648, 6)."""

    encode = staticmethod(base64.b32encode)
    decode = staticmethod(base64.b32decode)


class Base64Encoder:
    """Base64 (RFC 4648, 4)."""

    encode = staticmethod(base64.b64encode)
    decode = staticmethod(base64.b64decode)


class URLSafeBase64Encoder:
    """Base64 for URLs and names of files (RFC 4648, 5)."""

    encode = staticmethod(base64.urlsafe_b64encode)
    decode = staticmethod(base64.urlsafe_b64decode)


__all__ = [
    "Base16Encoder",
    "Base32Encoder",
    "Base64Encoder",
    "Encoder",
    "HexEncoder",
    "RawEncoder",
    "URLSafeBase64Encoder",
]
