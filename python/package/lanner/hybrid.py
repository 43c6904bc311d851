"""Ed25519 and FN-DSA in one key and one signature, both of which must be valid. Experimental: docs/hybrid.md of Lanner."""

from lanner import _native
from lanner._native import InvalidSignature

SigningKey = _native.hybrid.SigningKey
VerifyingKey = _native.hybrid.VerifyingKey

__all__ = ["InvalidSignature", "SigningKey", "VerifyingKey"]
