"""Secrets: what repr shows, what pickle does, what stays in memory."""

from __future__ import annotations

import hashlib
import os
import pickle
import subprocess
import sys
from typing import Any

import pytest

from lanner import cryptography_ed25519, cryptography_x25519, ed25519, fn_dsa, hybrid, nacl_signing, x25519

SEED = bytes(range(1, 33))
KEYS = {
    "ed25519": ed25519.SigningKey(SEED),
    "x25519": x25519.SecretKey(SEED),
    "fn_dsa": fn_dsa.SigningKey.from_seed(SEED),
    "hybrid": hybrid.SigningKey(SEED),
    "nacl": nacl_signing.SigningKey(SEED),
    "nacl, converted": nacl_signing.SigningKey(SEED).to_curve25519_private_key(),
    "cryptography": cryptography_ed25519.Ed25519PrivateKey.from_private_bytes(SEED),
    "cryptography, x25519": cryptography_x25519.X25519PrivateKey.from_private_bytes(SEED),
}


@pytest.mark.parametrize("name", KEYS)
def test_secret_keys_are_not_shown_and_not_pickled(name: str) -> None:
    key: Any = KEYS[name]
    secret = key.private_bytes_raw() if "cryptography" in name else key.encode() if "nacl" in name else key.to_bytes()
    for text in (repr(key), str(key), f"{key}"):
        assert "lanner." in text
        for part in (secret[:8].hex(), repr(secret[:8])[2:-1], SEED[:8].hex()):
            assert part not in text
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match="a secret key is not pickled"):
            pickle.dumps(key, protocol)
    with pytest.raises(AttributeError):
        key._key._key = None


# Reads a seed into memory of its own, makes a key, signs, and forgets the seed; keeps the key or lets it go. Nothing in it may
# copy the seed into memory that Python gives back without wiping, as bytes and files with buffers do.
CHILD = """
import gc, sys
from lanner import ed25519, fn_dsa, hybrid, nacl_signing, x25519, cryptography_ed25519, cryptography_x25519

def read():
    seed = bytearray(int(sys.argv[3]))
    assert sys.stdin.buffer.raw.readinto(seed) == len(seed)
    return seed

def use(name, seed):
    if name == "ed25519":
        key = ed25519.SigningKey(seed)
        key.sign(b"message"); key.sign_ctx(b"message", b"context"); key.sign_many([b"message"] * 9)
    elif name == "x25519":
        key = x25519.SecretKey(seed)
        key.exchange(x25519.SecretKey.generate().public_key)
    elif name == "fn_dsa":
        key = fn_dsa.SigningKey.from_seed(seed)
        key.sign(b"message")
    elif name == "hybrid":
        key = hybrid.SigningKey(seed)
        key.sign(b"message")
    elif name == "nacl":
        key = nacl_signing.SigningKey(seed)
        key.verify_key.verify(key.sign(b"message"))
        key.to_curve25519_private_key()
    elif name == "cryptography":
        key = cryptography_ed25519.Ed25519PrivateKey.from_private_bytes(seed)
        key.sign(b"message")
    elif name == "cryptography, x25519":
        key = cryptography_x25519.X25519PrivateKey.from_private_bytes(seed)
        key.exchange(cryptography_x25519.X25519PrivateKey.generate().public_key())
    elif name == "pem":
        key = ed25519.SigningKey.from_pem(seed)
    elif name == "pem, damaged":
        try:
            key = ed25519.SigningKey.from_pem(seed)
        except ValueError:
            key = None
    else:
        key = seed
    if name != "control":
        seed[:] = bytes(len(seed))
    return key

key = use(sys.argv[1], read())
if sys.argv[2] == "drop":
    del key
    gc.collect()
sys.stdout.write("done\\n")
sys.stdout.flush()
sys.stdin.buffer.raw.read(1)
"""


def found(name: str, fate: str, needles: dict[str, bytes], seed: bytes) -> list[str]:
    """Which of the needles are in the memory of a process that has worked with the seed."""
    arguments = [sys.executable, "-c", CHILD, name, fate, str(len(seed))]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as child:
        assert child.stdin is not None and child.stdout is not None
        child.stdin.write(seed)
        assert child.stdout.read(5) == b"done\n"
        try:
            hits = set()
            with open(f"/proc/{child.pid}/maps") as maps, open(f"/proc/{child.pid}/mem", "rb", 0) as memory:
                for line in maps:
                    place, rights = line.split()[:2]
                    start, end = (int(number, 16) for number in place.split("-"))
                    if not rights.startswith("rw") or "[vvar" in line or "[vsyscall" in line:
                        continue
                    memory.seek(start)
                    content = memory.read(end - start)
                    hits |= {needle for needle, value in needles.items() if value in content}
        finally:
            child.stdin.write(b"x")
        return sorted(hits)


def needles(name: str, seed: bytes) -> dict[str, bytes]:
    """What is secret beside the seed itself."""
    digest = hashlib.sha512(seed).digest()
    if name in ("ed25519", "nacl", "cryptography"):
        return {"seed": seed, "scalar": digest[1:31], "prefix": digest[32:]}
    if name == "fn_dsa":
        # The coefficients, behind the header.
        return {"seed": seed, "f and g": fn_dsa.SigningKey.from_seed(seed).to_bytes()[1:33]}
    return {"seed": seed}


def readable() -> bool:
    try:
        with open(f"/proc/{os.getpid()}/mem", "rb"):
            return True
    except OSError:
        return False


@pytest.mark.skipif(not readable(), reason="this system does not show the memory of processes as a file")
@pytest.mark.parametrize("name", ["ed25519", "x25519", "fn_dsa", "hybrid", "nacl", "cryptography", "cryptography, x25519"])
def test_nothing_of_a_key_stays_in_memory(name: str) -> None:
    seed = os.urandom(32)
    assert found(name, "drop", needles(name, seed), seed) == []


@pytest.mark.skipif(not readable(), reason="this system does not show the memory of processes as a file")
def test_nothing_of_a_file_stays_in_memory() -> None:
    seed = os.urandom(32)
    pem = ed25519.SigningKey(seed).to_pem().encode()
    place = pem.index(b"MC") + 60
    texts = {f"text from {at}": pem[at : at + 16] for at in range(pem.index(b"MC") + 22, place - 16, 7)}
    assert texts and found("pem", "drop", {"seed": seed, **texts}, pem) == []
    # Octets that are no UTF-8 make it no text, before the block, in it and behind it.
    for damaged in (b"\xff" + pem[:-9], pem[:place] + b"\xff" + pem[place + 1 :], pem[:-9] + b"\xff"):
        assert found("pem, damaged", "drop", texts, damaged) == []
    assert found("control", "keep", texts, pem) == sorted(texts)


@pytest.mark.skipif(not readable(), reason="this system does not show the memory of processes as a file")
def test_what_is_kept_is_found() -> None:
    seed = os.urandom(32)
    assert found("control", "keep", {"seed": seed}, seed) == ["seed"]
    assert "seed" in found("ed25519", "keep", needles("ed25519", seed), seed)
