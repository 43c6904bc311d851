"""Falcon as NIST's third round had it, verified: signatures of liboqs, PQClean, Bouncy Castle, noble and Algorand.

A scheme beside :mod:`lanner.fn_dsa`, whose keys and signatures are others. Nothing is signed here.
"""

from typing import Literal

from lanner import _native
from lanner._native import InvalidSignature

ENCODINGS = tuple(_native.ENCODINGS)
#: The type of these names.
Encoding = Literal[*ENCODINGS]
VerifyingKey = _native.falcon.VerifyingKey

__all__ = ["ENCODINGS", "Encoding", "InvalidSignature", "VerifyingKey"]
