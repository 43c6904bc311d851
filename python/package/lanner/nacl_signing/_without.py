"""What stands for PyNaCl's classes where it is not installed."""

from __future__ import annotations


class SignedMessage(bytes):
    pass


class SigningKey:
    pass


class VerifyKey:
    pass


class PrivateKey:
    pass


class PublicKey:
    pass


__all__ = ["PrivateKey", "PublicKey", "SignedMessage", "SigningKey", "VerifyKey"]
