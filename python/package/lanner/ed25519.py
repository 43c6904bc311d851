"""Ed25519 (RFC 8032) under named verification profiles.

A profile says which signatures are accepted where implementations differ; ``"strict"`` is the default, and
``PROFILES`` has all names. They never change.
"""

from typing import Literal

from lanner import _native
from lanner._native import InvalidSignature

PROFILES = tuple(_native.PROFILES)
#: The type of these names.
Profile = Literal[*PROFILES]
PreparedVerifyingKey = _native.ed25519.PreparedVerifyingKey
SigningKey = _native.ed25519.SigningKey
VerifyingKey = _native.ed25519.VerifyingKey
is_valid = _native.ed25519.is_valid
verify_batch = _native.ed25519.verify_batch
# Pickle finds functions by the module that they name, and pools of processes pickle them.
is_valid.__module__ = verify_batch.__module__ = __name__

__all__ = [
    "PROFILES",
    "InvalidSignature",
    "PreparedVerifyingKey",
    "Profile",
    "SigningKey",
    "VerifyingKey",
    "is_valid",
    "verify_batch",
]
