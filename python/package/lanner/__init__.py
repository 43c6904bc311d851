"""Ed25519, X25519 and FN-DSA, by the Rust crates of Lanner.

- :mod:`lanner.ed25519`, :mod:`lanner.x25519`, :mod:`lanner.fn_dsa`, :mod:`lanner.hybrid`: the schemes.
- :mod:`lanner.falcon`: signatures of Falcon as NIST's third round had it, verified.
- :mod:`lanner.arrow`: signatures in Arrow columns.
- :mod:`lanner.nacl_signing`: the classes of PyNaCl's ``nacl.signing``.
- :mod:`lanner.cryptography_ed25519`, :mod:`lanner.cryptography_x25519`: those of cryptography's ``ed25519`` and ``x25519``.
"""

from lanner import arrow, ed25519, falcon, fn_dsa, hybrid, x25519
from lanner._native import InvalidSignature, InvalidSignatureLength, NonContributory, __version__

__all__ = [
    "InvalidSignature",
    "InvalidSignatureLength",
    "NonContributory",
    "__version__",
    "arrow",
    "ed25519",
    "falcon",
    "fn_dsa",
    "hybrid",
    "x25519",
]
