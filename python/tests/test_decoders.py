"""What Python decodes by code of its own, on spoiled input: the block of a PEM file that is read, beside a second reader, and a
line of OpenSSH, beside cryptography. ``LANNER_TEST_ROUNDS`` asks for more rounds, ``LANNER_TEST_SEED`` for other ones.
"""

from __future__ import annotations

import base64
import binascii
import os
import random
import re
from typing import TYPE_CHECKING

import pytest

from lanner import ed25519
from lanner.cryptography_ed25519 import Ed25519PublicKey, Encoding, PublicFormat, serialization

if TYPE_CHECKING:
    from collections.abc import Sequence

ROUNDS = int(os.environ.get("LANNER_TEST_ROUNDS", "3000"))
PIECES = [b"\n", b"\r\n", b" ", b"\t", b"\v", b"\f", b"\0", b"=", b"-", b"A", b"_", b":", b"\xff", b"\xc2\xa0", b"\xef\xbb\xbf"]


def spoiled(draw: random.Random, good: Sequence[bytes]) -> bytes:
    """A good text with a few changes."""
    text = bytearray(draw.choice(good))
    for _ in range(draw.randint(0, 3)):
        at = draw.randint(0, len(text))
        kind = draw.randrange(6)
        if kind == 0:
            text[at:at] = draw.choice(PIECES)
        elif kind == 1:
            del text[at : at + draw.randint(1, 3)]
        elif kind == 2:
            text[at : at + 1] = bytes([draw.randrange(256)])
        elif kind == 3:
            text[at:] = draw.choice(good)[draw.randint(0, 60) :]
        elif kind == 4:
            text = text.replace(b"\n", draw.choice(PIECES))
        else:
            # The next character of the alphabet, mostly: bits behind the last byte.
            end = re.search(rb"[\w+/](?==*\s*(-----END|$|\s))", text)
            if end:
                text[end.start()] = (text[end.start()] + 1) % 128
    return bytes(text)


def read_again(file: bytes, label: bytes) -> bytes | None:
    """DER of the first block with the label, canonical base64 in any lines, nothing else."""
    begin, end = (b"-----%s %s-----" % (word, label) for word in (b"BEGIN", b"END"))
    found = re.search(re.escape(begin) + b"(.*?)" + re.escape(end), file, re.DOTALL)
    if not found:
        return None
    body = re.sub(rb"[ \t\n\f\r]", b"", found[1])
    try:
        der = base64.b64decode(body, validate=True)
    except binascii.Error:
        return None
    return der if base64.b64encode(der) == body else None


def test_spoiled_files_in_pem() -> None:
    draw = random.Random(int(os.environ.get("LANNER_TEST_SEED", "1")))
    keys = [ed25519.SigningKey(bytes([i]) * 32) for i in range(3)]
    texts = [pem.encode() for key in keys for pem in (key.to_pem(), key.verifying_key.to_pem())]
    texts.append(b"Comment: a\n" + texts[0])
    texts.append(texts[1] + texts[0])
    read = 0
    for _ in range(ROUNDS):
        file = spoiled(draw, texts)
        for kind, label in ((ed25519.SigningKey, b"PRIVATE KEY"), (ed25519.VerifyingKey, b"PUBLIC KEY")):
            der = read_again(file, label)
            try:
                wanted = None if der is None else kind.from_der(der)
            except ValueError:
                wanted = None
            try:
                key = kind.from_pem(file)
            except ValueError as error:
                assert str(error).startswith("pem: "), file
                assert wanted is None, file
                continue
            read += 1
            assert key == wanted, file
            assert kind.from_pem(key.to_pem()) == key
    assert ROUNDS // 10 < read < 2 * ROUNDS


def test_spoiled_lines_of_openssh(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = pytest.importorskip("cryptography.hazmat.primitives.serialization")
    # As where cryptography is missing.
    monkeypatch.setattr("lanner.cryptography_ed25519._theirs.INSTALLED", False)
    draw = random.Random(int(os.environ.get("LANNER_TEST_SEED", "1")))
    keys = [Ed25519PublicKey.from_public_bytes(ed25519.SigningKey(bytes([i]) * 32).verifying_key.to_bytes()) for i in range(3)]
    lines = [key.public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH) for key in keys]
    lines += [line + b" a@b" for line in lines]
    read = 0
    for _ in range(ROUNDS):
        line = spoiled(draw, lines)
        try:
            key = serialization.load_ssh_public_key(line)
        except ValueError:
            continue
        read += 1
        assert theirs.load_ssh_public_key(line).public_bytes_raw() == key.public_bytes_raw(), line
    assert ROUNDS // 10 < read < ROUNDS
