"""Prints who accepts which odd signature: `python bench/verdicts.py`.

The edge cases of `vectors/data` are given to this package, PyNaCl and cryptography, by the very calls that are timed; the
verdicts of each are printed in the order of the file. `lanner-bench --verdicts-of` counts them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import nacl.exceptions
import nacl.signing
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from lanner import cryptography_ed25519, ed25519, nacl_signing

FILE = Path(__file__).parents[2] / "vectors" / "data" / "ed25519_verify.json"

#: How many signatures the batches have: the odd one, and good ones.
BATCH = 4

#: From a key, a message and a signature to a verdict, or to whatever unless it raises.
Call = Callable[[bytes, bytes, bytes], object]


def accepts(call: Call, case: list[bytes]) -> bool:
    """A verdict: some say no by an exception, at the key or at the signature."""
    try:
        return call(*case) is not False
    except (ValueError, InvalidSignature, nacl.exceptions.BadSignatureError):
        return False


def judge() -> dict[str, list[bool]]:
    """The verdicts of all libraries on all cases, by library and call."""
    rows = json.loads(FILE.read_text())["cases"]
    cases = [[bytes.fromhex(row[part]) for part in ("key", "msg", "sig")] for row in rows]
    # What this rule accepts, all accept.
    good = [case for case, row in zip(cases, rows) if "strict" in row["accept"]][: BATCH - 1]
    keys, messages, signatures = map(list, zip(*good))

    def batch(key: bytes, message: bytes, signature: bytes) -> bool:
        return ed25519.verify_batch([key, *keys], [message, *messages], [signature, *signatures])[0]

    calls: dict[str, Call] = {
        "lanner (Python)": ed25519.is_valid,
        "lanner (Python), batch": batch,
        "lanner.nacl_signing (Python)": lambda key, message, signature: (
            nacl_signing.VerifyKey(key).verify(message, signature)
        ),
        "lanner.cryptography_ed25519 (Python)": lambda key, message, signature: (
            cryptography_ed25519.Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
        ),
        "PyNaCl (Python)": lambda key, message, signature: nacl.signing.VerifyKey(key).verify(message, signature),
        "cryptography (Python)": lambda key, message, signature: (
            Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
        ),
    }
    return {column: [accepts(call, case) for case in cases] for column, call in calls.items()}


if __name__ == "__main__":
    json.dump(judge(), sys.stdout)
