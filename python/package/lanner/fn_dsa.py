"""FN-DSA, the signature scheme that grew out of Falcon.

No standard of it has been published. This is the variant of the crates fn-dsa 0.2 and 0.3, which may differ from the
standard; docs/fn-dsa-status.md of Lanner says more.
"""

from typing import Literal

from lanner import _native
from lanner._native import InvalidSignature

PREHASHES = tuple(_native.PREHASHES)
#: The type of these names.
Prehash = Literal[*PREHASHES]
SigningKey = _native.fn_dsa.SigningKey
VerifyingKey = _native.fn_dsa.VerifyingKey
verify_batch = _native.fn_dsa.verify_batch
# As in lanner.ed25519.
verify_batch.__module__ = __name__

__all__ = ["PREHASHES", "InvalidSignature", "Prehash", "SigningKey", "VerifyingKey", "verify_batch"]
