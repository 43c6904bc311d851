"""Takes times of what handles secrets, with one secret that is always the same (class 0) and with others (class 1), in a
random order: a line of the operation, the class and nanoseconds. Whoever judges them: `lanner-ct timing --program
"PYTHON python/tests/timing.py"`, to which a difference means that times depend on secrets."""

import os
import sys
from collections.abc import Callable
from time import perf_counter_ns
from typing import Any

from lanner import ed25519, x25519

SECRETS = 256
MESSAGE = b"a message that is longer than one of its pieces"

seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
peer = x25519.SecretKey.generate().public_key


def pools(make: Callable[[bytes], Any], same: bytes | None = None) -> list[list[Any]]:
    """Secrets of both classes, each an object of its own."""
    same = same or os.urandom(32)
    return [[make(bytes(bytearray(same))) for _ in range(SECRETS)], [make(os.urandom(32)) for _ in range(SECRETS)]]


def control(secret: bytes) -> int:
    """What leaks: a power whose exponents have few bits in one class."""
    return pow(3, int.from_bytes(secret, "little"), 2**255 - 19)


OPERATIONS: dict[str, tuple[list[list[Any]], Callable[[Any], object]]] = {
    "control_pow": (pools(bytes, b"\1" + bytes(31)), control),
    "lanner.ed25519_sign": (pools(ed25519.SigningKey), lambda key: key.sign(MESSAGE)),
    "lanner.ed25519_SigningKey": (pools(bytes), ed25519.SigningKey),
    "lanner.x25519_exchange": (pools(x25519.SecretKey), lambda key: key.exchange(peer)),
    "lanner.x25519_public_key": (pools(bytes), lambda secret: x25519.SecretKey(secret).public_key),
}

for name, (secrets, operation) in OPERATIONS.items():
    begin = perf_counter_ns()
    warm, end = begin + int(seconds * 1e8), begin + int(seconds * 1e9)
    lines: list[str] = []
    while perf_counter_ns() < end:
        draw, which = os.urandom(2)
        secret = secrets[draw & 1][which]
        start = perf_counter_ns()
        operation(secret)
        took = perf_counter_ns() - start
        if start > warm:
            lines.append(f"{name} {draw & 1} {took}\n")
    sys.stdout.writelines(lines)
