"""Times this package beside PyNaCl and cryptography, in one interpreter: `python bench/compare.py [--rounds N] [--processor] [--json FILE]`.

Every round times each candidate of a row once, in an order that is drawn anew, for about as long as the others; a row's
figure is the median over the rounds of the ratio within a round, so that what slows the machine down for a while slows both.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable
from importlib.metadata import version

import nacl.signing
from cryptography.hazmat.primitives.asymmetric import ed25519 as their_ed25519
from cryptography.hazmat.primitives.asymmetric import x25519 as their_x25519

from lanner import cryptography_ed25519, ed25519, fn_dsa, hybrid, nacl_signing, x25519

Call = Callable[[], object]

#: What is wanted, by row and peer.
GOALS = {
    ("sign", "PyNaCl"): 2.0,
    ("verify", "PyNaCl"): 2.0,
    ("sign", "cryptography"): 3.0,
    ("verify", "cryptography"): 3.0,
    ("x25519", "cryptography"): 1.3,
}


def rows() -> dict[str, dict[str, Call]]:
    """For each row its candidates: the drop-ins under the name of the peer that they replace."""
    seed, message = os.urandom(32), os.urandom(100)
    ours, nacl_key = nacl_signing.SigningKey(seed), nacl.signing.SigningKey(seed)
    signed = nacl_key.sign(message)
    signature = signed.signature
    ours_c = cryptography_ed25519.Ed25519PrivateKey.from_private_bytes(seed)
    theirs_c = their_ed25519.Ed25519PrivateKey.from_private_bytes(seed)
    ours_p, theirs_p = ours_c.public_key(), theirs_c.public_key()
    key = ed25519.SigningKey(seed)
    public, encoded = key.verifying_key, bytes(key.verifying_key)
    prepared = public.prepare()
    long = os.urandom(1 << 20)
    long_signed = nacl_key.sign(long)
    secret = x25519.SecretKey(seed)
    peer = x25519.SecretKey(os.urandom(32)).public_key
    their_secret = their_x25519.X25519PrivateKey.from_private_bytes(seed)
    their_peer = their_x25519.X25519PublicKey.from_public_bytes(bytes(peer))
    count = 1000
    # Each by a key of its own: a batch multiplies a key once, however often it comes.
    signers = [ed25519.SigningKey.generate() for _ in range(count)]
    messages = [os.urandom(100) for _ in range(count)]
    signatures = [signer.sign(message) for signer, message in zip(signers, messages)]
    columns = [signer.verifying_key for signer in signers], messages, signatures
    keys = [bytes(signer.verifying_key) for signer in signers]
    nacl_rows = list(zip([nacl.signing.VerifyKey(key) for key in keys], messages, signatures))
    their_rows = list(zip([their_ed25519.Ed25519PublicKey.from_public_bytes(key) for key in keys], messages, signatures))

    def loop_nacl() -> None:
        for key, message, signature in nacl_rows:
            key.verify(message, signature)

    def loop_cryptography() -> None:
        for key, message, signature in their_rows:
            key.verify(signature, message)

    fn_key, hybrid_key = fn_dsa.SigningKey.generate(), hybrid.SigningKey.generate()
    fn_public, fn_signature = fn_key.verifying_key, fn_key.sign(message)
    return {
        "sign": {
            "in place of PyNaCl": lambda: ours.sign(message),
            "PyNaCl": lambda: nacl_key.sign(message),
            "in place of cryptography": lambda: ours_c.sign(message),
            "cryptography": lambda: theirs_c.sign(message),
            "lanner.ed25519": lambda: key.sign(message),
        },
        "verify": {
            "in place of PyNaCl": lambda: ours.verify_key.verify(signed),
            "PyNaCl": lambda: nacl_key.verify_key.verify(signed),
            "in place of cryptography": lambda: ours_p.verify(signature, message),
            "cryptography": lambda: theirs_p.verify(signature, message),
            "lanner.ed25519": lambda: public.verify(message, signature),
            "lanner.ed25519, prepared": lambda: prepared.verify(message, signature),
        },
        "verify, key from bytes": {
            "in place of PyNaCl": lambda: nacl_signing.VerifyKey(encoded).verify(signed),
            "PyNaCl": lambda: nacl.signing.VerifyKey(encoded).verify(signed),
            "in place of cryptography": lambda: cryptography_ed25519.Ed25519PublicKey.from_public_bytes(encoded).verify(
                signature, message
            ),
            "cryptography": lambda: their_ed25519.Ed25519PublicKey.from_public_bytes(encoded).verify(signature, message),
            "lanner.ed25519.is_valid": lambda: ed25519.is_valid(encoded, message, signature),
        },
        "key from bytes": {
            "in place of PyNaCl": lambda: nacl_signing.SigningKey(seed),
            "PyNaCl": lambda: nacl.signing.SigningKey(seed),
            "in place of cryptography": lambda: cryptography_ed25519.Ed25519PrivateKey.from_private_bytes(seed),
            "cryptography": lambda: their_ed25519.Ed25519PrivateKey.from_private_bytes(seed),
        },
        "sign, 1 MiB": {
            "in place of PyNaCl": lambda: ours.sign(long),
            "PyNaCl": lambda: nacl_key.sign(long),
            "in place of cryptography": lambda: ours_c.sign(long),
            "cryptography": lambda: theirs_c.sign(long),
        },
        "verify, 1 MiB": {
            "in place of PyNaCl": lambda: ours.verify_key.verify(long_signed),
            "PyNaCl": lambda: nacl_key.verify_key.verify(long_signed),
            "in place of cryptography": lambda: ours_p.verify(long_signed.signature, long),
            "cryptography": lambda: theirs_p.verify(long_signed.signature, long),
        },
        "verify 1,000": {
            "in place of PyNaCl": lambda: ed25519.verify_batch(*columns),
            "PyNaCl": loop_nacl,
            "in place of cryptography": lambda: ed25519.verify_batch(*columns),
            "cryptography": loop_cryptography,
        },
        "x25519": {
            "in place of cryptography": lambda: secret.exchange(peer),
            "cryptography": lambda: their_secret.exchange(their_peer),
        },
        "fn-dsa-512 sign": {"lanner.fn_dsa": lambda: fn_key.sign(message)},
        "fn-dsa-512 verify": {"lanner.fn_dsa": lambda: fn_public.verify(message, fn_signature)},
        "hybrid sign": {"lanner.hybrid": lambda: hybrid_key.sign(message)},
    }


def times(candidates: dict[str, Call], rounds: int, span: float, clock: Callable[[], float]) -> dict[str, list[float]]:
    """Seconds for one call, in each round."""
    repeats = {}
    for name, call in candidates.items():
        call()
        start = clock()
        call()
        repeats[name] = max(1, round(span / max(clock() - start, 1e-7)))
    found: dict[str, list[float]] = {name: [] for name in candidates}
    order = list(candidates)
    for _ in range(rounds):
        random.shuffle(order)
        for name in order:
            call, several = candidates[name], range(repeats[name])
            start = clock()
            for _ in several:
                call()
            found[name].append((clock() - start) / repeats[name])
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=31, help="rounds for each row (default: 31)")
    parser.add_argument("--span", type=float, default=0.01, help="seconds for one candidate in one round (default: 0.01)")
    parser.add_argument("--processor", action="store_true", help="time of the processor, for a machine that is busy")
    parser.add_argument("--only", default="", help="rows whose names contain this")
    parser.add_argument("--json", help="write the figures to a file as well")
    options = parser.parse_args()
    packages = [f"{name} {version(name)}" for name in ("lanner", "PyNaCl", "cryptography")]
    versions = [f"Python {platform.python_version()}", *packages]
    print(f"{', '.join(versions)}, {platform.machine()}; medians of {options.rounds} rounds\n")
    print("| row | candidate | µs | its peer takes |\n|---|---|---:|---:|")
    report, missed = [], []
    clock = time.thread_time if options.processor else time.perf_counter
    for row, candidates in rows().items():
        if options.only not in row:
            continue
        found = times(candidates, options.rounds, options.span, clock)
        for name, own in found.items():
            peer = name.removeprefix("in place of ")
            ratio = None
            if peer != name:
                ratio = statistics.median(b / a for a, b in zip(own, found[peer], strict=True))
                goal = GOALS.get((row, peer))
                if goal and ratio < goal:
                    missed.append(f"{row}: {ratio:.2f} times as fast as {peer}, and {goal} is the goal")
            report.append({"row": row, "candidate": name, "seconds": statistics.median(own), "ratio": ratio})
            times_as_much = f"{ratio:.2f} times as much" if ratio else ""
            print(f"| {row} | {name} | {statistics.median(own) * 1e6:.2f} | {times_as_much} |", flush=True)
    print("\n" + ("\n".join(missed) or "All goals are reached."))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"versions": versions, "calls": report}, file, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
