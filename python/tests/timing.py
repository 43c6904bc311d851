"""Takes times of what handles secrets, with one secret that is always the same (class 0) and with others (class 1), in a
random order: a line of the operation, the class and nanoseconds. Whoever judges them: `lanner-ct timing --program
"PYTHON python/tests/timing.py"`, to which a difference means that times depend on secrets."""

import os
import random
import sys
from collections.abc import Callable
from time import perf_counter_ns
from typing import Any, Literal

from lanner import ed25519, fn_dsa, hybrid, x25519

SECRETS = 256
MESSAGE = b"a message that is longer than one of its pieces"

seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
peer = x25519.SecretKey.generate().public_key

# The secret that is always the same, what draws others, and what makes an object of either.
Secrets = tuple[bytes, Callable[[], bytes], Callable[[bytes], Any]]


def seeds(make: Callable[[bytes], Any], same: bytes | None = None) -> Secrets:
    """32 random bytes."""
    return same or os.urandom(32), lambda: os.urandom(32), make


def keys(degree: Literal[512, 1024]) -> Secrets:
    """Keys of FN-DSA, which take long to make: made once, and which one it is, is drawn. What signing draws is another each time,
    for both classes."""
    made = [fn_dsa.SigningKey.generate(degree).to_bytes() for _ in range(65)]
    return made[0], lambda: random.choice(made[1:]), fn_dsa.SigningKey


def pool(secrets: Secrets) -> list[tuple[int, Any]]:
    """Secrets of both classes, made in a random order, so that no class has places in memory of its own."""
    same, draw, make = secrets
    classes = [number % 2 for number in range(2 * SECRETS)]
    random.shuffle(classes)
    # Bytes of their own, also where they are the same.
    return [(number, make(bytes(bytearray(draw() if number else same)))) for number in classes]


def control(secret: bytes) -> int:
    """What leaks: a power whose exponents have few bits in one class."""
    return pow(3, int.from_bytes(secret, "little"), 2**255 - 19)


# And how often secrets are taken from a pool.
OPERATIONS: dict[str, tuple[Secrets, Callable[[Any], object], int]] = {
    "control_pow": (seeds(bytes, b"\1" + bytes(31)), control, 4),
    "lanner.ed25519_sign": (seeds(ed25519.SigningKey), lambda key: key.sign(MESSAGE), 4),
    "lanner.ed25519_SigningKey": (seeds(bytes), ed25519.SigningKey, 4),
    "lanner.x25519_exchange": (seeds(x25519.SecretKey), lambda key: key.exchange(peer), 4),
    "lanner.x25519_public_key": (seeds(bytes), lambda secret: x25519.SecretKey(secret).public_key, 4),
    "lanner.fn_dsa_512_sign": (keys(512), lambda key: key.sign(MESSAGE), 4),
    "lanner.fn_dsa_1024_sign": (keys(1024), lambda key: key.sign(MESSAGE), 4),
    # A key is a seed, from which a pool takes a second.
    "lanner.hybrid_512_sign": (seeds(hybrid.SigningKey), lambda key: key.sign(MESSAGE), 32),
}

for name, (secrets, operation, often) in OPERATIONS.items():
    begin = perf_counter_ns()
    warm, end = begin + int(seconds * 1e8), begin + int(seconds * 1e9)
    lines: list[str] = []
    while perf_counter_ns() < end:
        drawn = pool(secrets)
        for _ in range(often * SECRETS):
            number, secret = random.choice(drawn)
            start = perf_counter_ns()
            operation(secret)
            took = perf_counter_ns() - start
            if start > warm:
                lines.append(f"{name} {number} {took}\n")
    sys.stdout.writelines(lines)
