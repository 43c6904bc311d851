"""Test vectors of hybrid signatures (docs/hybrid.md), computed by other means than the library's.

Python's hashlib and the package cryptography make everything that is not FN-DSA's own bits, which stand in the file
already: `fn_dsa_key` and `fn_dsa_signature` are the ends of `verifying_key` and `signature`.

    hybrid.py            compares with data/hybrid.json
    hybrid.py --fill     writes what is computed into it
"""

import hashlib
import json
import pathlib
import sys

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

FILE = pathlib.Path(__file__).parent / "data" / "hybrid.json"
PREFIX = b"LannerHybridSignature2026"
LABELS = {
    "ed25519+fn-dsa-512": b"Ed25519+FN-DSA-512-main-SHA512",
    "ed25519+fn-dsa-1024": b"Ed25519+FN-DSA-1024-main-SHA512",
}
# Bytes of FN-DSA's verifying keys and padded signatures.
SIZES = {"ed25519+fn-dsa-512": (897, 666), "ed25519+fn-dsa-1024": (1793, 1280)}


def with_length(text: bytes) -> bytes:
    return bytes([len(text)]) + text


def computed(case: dict) -> dict:
    label = LABELS[case["algorithm"]]
    key_size, signature_size = SIZES[case["algorithm"]]
    seed, context, message = (bytes.fromhex(case[name]) for name in ("seed", "context", "message"))
    seeds = hashlib.sha512(PREFIX + with_length(label) + seed).digest()
    ed25519 = Ed25519PrivateKey.from_private_bytes(seeds[:32])
    verifying_key = ed25519.public_key().public_bytes_raw()
    verifying_key += bytes.fromhex(case["verifying_key"])[-key_size:]
    key_hash = hashlib.sha512(verifying_key).digest()
    representative = PREFIX + with_length(label) + key_hash + with_length(context)
    representative += hashlib.sha512(message).digest()
    signature = ed25519.sign(representative)
    signature += bytes.fromhex(case["signature"])[-signature_size:]
    return {
        **case,
        "ed25519_seed": seeds[:32].hex(),
        "fn_dsa_seed": seeds[32:].hex(),
        "verifying_key": verifying_key.hex(),
        "key_hash": key_hash.hex(),
        "representative": representative.hex(),
        "signature": signature.hex(),
    }


def main() -> None:
    cases = json.loads(FILE.read_text())
    own = [computed(case) for case in cases]
    if sys.argv[1:] == ["--fill"]:
        FILE.write_text(json.dumps(own, indent=1) + "\n")
        return
    for case, ours in zip(cases, own, strict=True):
        for name, value in ours.items():
            if case[name] != value:
                sys.exit(f"{case['algorithm']}: {name} is {case[name]}, computed {value}")
    print(f"{len(cases)} vectors agree")


if __name__ == "__main__":
    main()
