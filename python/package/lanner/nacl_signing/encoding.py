"""Encoders, under PyNaCl's names. Whatever has static methods ``encode`` and ``decode`` serves as one, PyNaCl's own among
them.
"""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    # Where every type checker knows it; no package is needed for that.
    from typing_extensions import Buffer


class Encoder(Protocol):
    """What turns bytes into other bytes, and back."""

    # In the argument a bytes-like object or text, or whatever an encoder of the program's own takes.
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

    @staticmethod
    def encode(data: Buffer) -> bytes:
        return binascii.hexlify(data)

    @staticmethod
    def decode(data: str | Buffer) -> bytes:
        return binascii.unhexlify(data)


class Base16Encoder:
    """Hexadecimal digits, upper-case (RFC 4648, 8)."""

    @staticmethod
    def encode(data: Buffer) -> bytes:
        return base64.b16encode(data)

    @staticmethod
    def decode(data: str | Buffer) -> bytes:
        return base64.b16decode(data)


class Base32Encoder:
    """Base32 (RFC 4648, 6)."""

    @staticmethod
    def encode(data: Buffer) -> bytes:
        return base64.b32encode(data)

    @staticmethod
    def decode(data: str | Buffer) -> bytes:
        return base64.b32decode(data)


class Base64Encoder:
    """Base64 (RFC 4648, 4)."""

    @staticmethod
    def encode(data: Buffer) -> bytes:
        return base64.b64encode(data)

    @staticmethod
    def decode(data: str | Buffer) -> bytes:
        return base64.b64decode(data)


class URLSafeBase64Encoder:
    """Base64 for URLs and names of files (RFC 4648, 5)."""

    @staticmethod
    def encode(data: Buffer) -> bytes:
        return base64.urlsafe_b64encode(data)

    @staticmethod
    def decode(data: str | Buffer) -> bytes:
        return base64.urlsafe_b64decode(data)


__all__ = [
    "Base16Encoder",
    "Base32Encoder",
    "Base64Encoder",
    "Encoder",
    "HexEncoder",
    "RawEncoder",
    "URLSafeBase64Encoder",
]
