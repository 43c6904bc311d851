"""Takes times of what handles secrets, with one secret that is always the same (class 0) and with others (class 1), in a
random order: a line of the operation, the class and nanoseconds. Whoever judges them: `lanner-ct timing --program
"PYTHON python/tests/timing.py"`, to which a difference means that times depend on secrets."""

import os
import random
import sys
from collections.abc import Callable
from time import perf_counter_ns
from typing import Any

from lanner import ed25519, x25519

SECRETS = 256
MESSAGE = b"a message that is longer than one of its pieces"

seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
peer = x25519.SecretKey.generate().public_key

Make = Callable[[bytes], Any]


def pool(make: Make, same: bytes) -> list[tuple[int, Any]]:
    """Secrets of both classes, made in a random order, so that no class has places in memory of its own."""
    classes = [number % 2 for number in range(2 * SECRETS)]
    random.shuffle(classes)
    # Bytes of their own, also where they are the same.
    return [(number, make(os.urandom(32) if number else bytes(bytearray(same)))) for number in classes]


def control(secret: bytes) -> int:
    """What leaks: a power whose exponents have few bits in one class."""
    return pow(3, int.from_bytes(secret, "little"), 2**255 - 19)


OPERATIONS: dict[str, tuple[bytes, Make, Callable[[Any], object]]] = {
    "control_pow": (b"\1" + bytes(31), bytes, control),
    "lanner.ed25519_sign": (os.urandom(32), ed25519.SigningKey, lambda key: key.sign(MESSAGE)),
    "lanner.ed25519_SigningKey": (os.urandom(32), bytes, ed25519.SigningKey),
    "lanner.x25519_exchange": (os.urandom(32), x25519.SecretKey, lambda key: key.exchange(peer)),
    "lanner.x25519_public_key": (os.urandom(32), bytes, lambda secret: x25519.SecretKey(secret).public_key),
}

for name, (same, make, operation) in OPERATIONS.items():
    begin = perf_counter_ns()
    warm, end = begin + int(seconds * 1e8), begin + int(seconds * 1e9)
    lines: list[str] = []
    while perf_counter_ns() < end:
        secrets = pool(make, same)
        for _ in range(4 * SECRETS):
            number, secret = random.choice(secrets)
            start = perf_counter_ns()
            operation(secret)
            took = perf_counter_ns() - start
            if start > warm:
                lines.append(f"{name} {number} {took}\n")
    sys.stdout.writelines(lines)
