"""Times `lanner.arrow.verify` beside loops over PyNaCl and cryptography, in one interpreter and on one core:
`python bench/columns.py [--rows N] [--rounds N] [--json FILE]`.

Messages have 100 to 400 bytes. "many keys": each row has a key of its own. "a ledger": 50,000 keys, used after Zipf's law. "hot keys":
64 keys. The loops verify fewer rows, because they take long, and keep the objects that they make of the keys where keys come
again. Times are of the processor, for one row; every round times each candidate once, in an order drawn anew, and the figures
are medians over the rounds, of the ratios as well.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
import random
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import nacl.exceptions
import nacl.signing
import pyarrow as pa
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from lanner import arrow, ed25519

Columns = tuple[list[bytes], list[bytes], list[bytes]]

#: What is wanted on processors with AVX-512, by row and peer: how many times as fast.
GOALS = {
    ("many keys", "PyNaCl"): 7.0,
    ("hot keys", "PyNaCl"): 11.0,
    ("many keys", "cryptography"): 13.0,
}


def columns(rows: int, keys: int, zipf: bool) -> Columns:
    """Rows with valid signatures."""
    chance = random.Random(keys)
    signers = [ed25519.SigningKey(chance.randbytes(32)) for _ in range(keys)]
    weights = list(itertools.accumulate(1 / rank if zipf else 1 for rank in range(1, keys + 1)))
    of = list(range(keys)) if keys == rows else chance.choices(range(keys), cum_weights=weights, k=rows)
    pool = chance.randbytes(1 << 20)
    messages = [pool[at : at + chance.randint(100, 400)] for at in (chance.randrange((1 << 20) - 400) for _ in range(rows))]
    rows_of = defaultdict(list)
    for row, signer in enumerate(of):
        rows_of[signer].append(row)
    signatures = [b""] * rows
    for signer, its in rows_of.items():
        for row, signature in zip(its, signers[signer].sign_many([messages[row] for row in its]), strict=True):
            signatures[row] = signature
    public = [bytes(key.verifying_key) for key in signers]
    return [public[signer] for signer in of], messages, signatures


def loop_nacl(data: Columns, keep: bool) -> int:
    make: Callable[[bytes], Any] = functools.cache(nacl.signing.VerifyKey) if keep else nacl.signing.VerifyKey
    invalid = 0
    for key, message, signature in zip(*data, strict=True):
        try:
            make(key).verify(message, signature)
        except nacl.exceptions.BadSignatureError:
            invalid += 1
    return invalid


def loop_cryptography(data: Columns, keep: bool) -> int:
    make: Callable[[bytes], Any] = Ed25519PublicKey.from_public_bytes
    make = functools.cache(make) if keep else make
    invalid = 0
    for key, message, signature in zip(*data, strict=True):
        try:
            make(key).verify(signature, message)
        except InvalidSignature:
            invalid += 1
    return invalid


def candidates(data: Columns, keep: bool, peer_rows: int) -> dict[str, tuple[int, Callable[[], int]]]:
    """For each candidate how many rows it verifies, and how."""
    keys = pa.array(data[0], pa.binary(32))
    arrays = keys, pa.array(data[1], pa.binary()), pa.array(data[2], pa.binary(64))
    few: Any = tuple(column[:peer_rows] for column in data)
    rows = len(keys)
    found: dict[str, tuple[int, Callable[[], int]]] = {
        "lanner.arrow.verify": (rows, lambda: arrow.count_invalid(arrow.verify(*arrays, profile="libsodium"))),
        "PyNaCl": (len(few[0]), lambda: loop_nacl(few, keep)),
        "cryptography": (len(few[0]), lambda: loop_cryptography(few, keep)),
        "lanner.ed25519.verify_batch": (
            len(few[0]),
            lambda: ed25519.verify_batch(*few, profile="libsodium").count(False),
        ),
    }
    if keep:
        dictionary = keys.dictionary_encode(), arrays[1], arrays[2]
        found["lanner.arrow.verify, keys in a dictionary"] = (
            rows,
            lambda: arrow.count_invalid(arrow.verify(*dictionary, profile="libsodium")),
        )
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of the columns (default: 1,000,000)")
    parser.add_argument("--peer-rows", type=int, default=20_000, help="rows of the loops (default: 20,000)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds (default: 5)")
    parser.add_argument("--json", help="write the figures to a file as well")
    options = parser.parse_args()
    print("| columns | candidate | rows | µs a row | takes, of lanner.arrow.verify |\n|---|---|---:|---:|---:|")
    report, missed = [], []
    kinds = {"many keys": (options.rows, False), "a ledger": (50_000, True), "hot keys": (64, False)}
    for kind, (keys, zipf) in kinds.items():
        them = candidates(columns(options.rows, keys, zipf), keys < options.rows, options.peer_rows)
        spans: dict[str, list[float]] = {name: [] for name in them}
        for _ in range(options.rounds):
            for name in random.sample(list(them), len(them)):
                rows, verify = them[name]
                start = time.thread_time()
                assert verify() == 0
                spans[name].append((time.thread_time() - start) / rows)
        own = spans["lanner.arrow.verify"]
        for name, found in spans.items():
            ratio = statistics.median(b / a for a, b in zip(own, found, strict=True))
            seconds = statistics.median(found)
            report.append({"columns": kind, "candidate": name, "rows": them[name][0], "seconds": seconds, "ratio": ratio})
            print(f"| {kind} | {name} | {them[name][0]:,} | {seconds * 1e6:.2f} | {ratio:.2f} times as much |", flush=True)
            goal = GOALS.get((kind, name))
            if goal and ratio < goal:
                missed.append(f"{kind}: {ratio:.2f} times as fast as {name}, and {goal} is the goal")
    print("\n" + ("\n".join(missed) or "All goals are reached."))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
