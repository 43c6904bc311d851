"""X25519 key agreement (RFC 7748)."""

from lanner import _native
from lanner._native import NonContributory

PublicKey = _native.x25519.PublicKey
SecretKey = _native.x25519.SecretKey

__all__ = ["NonContributory", "PublicKey", "SecretKey"]
