"""Falcon of round 3: known answers of the submission in all three encodings, errors, keys and their files."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from lanner import InvalidSignature, InvalidSignatureLength, falcon, fn_dsa

CASES = json.loads((Path(__file__).parent / "falcon.json").read_text())["cases"]
SIZES = {512: {"padded": 666, "constant-time": 809}, 1024: {"padded": 1280, "constant-time": 1577}}


def coefficients(compressed: bytes, degree: int) -> list[int]:
    """The vector that is compressed: for each coefficient its sign, seven bits, and the rest in unary (specification, 3.11.2)."""
    bits = iter("".join(f"{octet:08b}" for octet in compressed))
    found = []
    for _ in range(degree):
        sign, low = next(bits), "".join(next(bits) for _ in range(7))
        high = 0
        while next(bits) == "0":
            high += 1
        found.append((128 * high + int(low, 2)) * (-1 if sign == "1" else 1))
    assert "1" not in bits
    return found


def encoded(case: dict[str, Any]) -> dict[str, bytes]:
    """The signature of a case in each encoding."""
    signed, message = bytes.fromhex(case["signed_message"]), bytes.fromhex(case["message"])
    degree, logn = case["degree"], case["degree"].bit_length() - 1
    length, nonce, rest = int.from_bytes(signed[:2], "big"), signed[2:42], signed[42:]
    vector = rest[len(message) :]
    assert rest[: len(message)] == message and len(vector) == length and vector[0] == 0x20 + logn
    compressed = bytes([0x30 + logn]) + nonce + vector[1:]
    wide = "".join(f"{value % 4096:012b}" for value in coefficients(vector[1:], degree))
    constant = bytes([0x50 + logn]) + nonce + int(wide, 2).to_bytes(len(wide) // 8, "big")
    return {
        "compressed": compressed,
        "padded": compressed.ljust(SIZES[degree]["padded"], b"\0"),
        "constant-time": constant,
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["degree"]))
def test_known_answers_are_valid_in_the_encoding_that_is_named_and_in_no_other(case: Any, like: Any) -> None:
    key = falcon.VerifyingKey(like(bytes.fromhex(case["public_key"])))
    message, signatures = bytes.fromhex(case["message"]), encoded(case)
    assert key.degree == case["degree"] and set(signatures) == set(falcon.ENCODINGS)
    for name, signature in signatures.items():
        key.verify(like(message), like(signature), encoding=name)
        for bad, other in [
            (message[::-1], signature),
            (message, signature[:60] + bytes([signature[60] ^ 1]) + signature[61:]),
            (message, bytes([signature[0] ^ 0x60]) + signature[1:]),
        ]:
            assert not key.is_valid(bad, other, encoding=name)
            with pytest.raises(InvalidSignature):
                key.verify(bad, other, encoding=name)
    # Of the lengths that the encoding has, and still another encoding.
    assert not key.is_valid(message, signatures["padded"], encoding="compressed")
    assert not key.is_valid(message, signatures["compressed"].ljust(len(signatures["constant-time"]), b"\0"), encoding="constant-time")
    # And of another scheme under the same bytes of a key.
    other = fn_dsa.VerifyingKey(bytes(key))
    assert not other.is_valid(message, signatures["padded"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["degree"]))
def test_mistakes_are_named(case: Any) -> None:
    key = falcon.VerifyingKey(bytes.fromhex(case["public_key"]))
    size = SIZES[case["degree"]]
    most = {512: 752, 1024: 1462}[case["degree"]]
    for call, error, words in [
        (lambda: falcon.VerifyingKey(bytes(7)), ValueError, "key: 897 or 1793 bytes are needed, not 7"),
        (lambda: falcon.VerifyingKey(bytes(len(bytes(key)))), ValueError, "key: not an encoded key of Falcon"),
        (lambda: key.verify(b"", bytes(5), encoding="padded"), InvalidSignatureLength, f"signature: {size['padded']} bytes are needed"),
        (lambda: key.is_valid(b"", bytes(5), encoding="constant-time"), InvalidSignatureLength, f"signature: {size['constant-time']} bytes"),
        (lambda: key.verify(b"", bytes(most + 1), encoding="compressed"), InvalidSignatureLength, f"signature: at most {most} bytes are needed"),
        (lambda: key.verify(b"", b"", encoding="ct"), ValueError, "encoding: 'ct' is none of padded, compressed, constant-time"),
        (lambda: key.verify(b"", b"", encoding=7), TypeError, "encoding: a str is needed, not int"),
        (lambda: key.verify("text", b"", encoding="padded"), TypeError, "message: a bytes-like object is needed, not str"),
        (lambda: key.verify(b"", 7, encoding="padded"), TypeError, "signature: a bytes-like object is needed, not int"),
        (lambda: falcon.VerifyingKey.from_der(b""), ValueError, "der: not a SubjectPublicKeyInfo of such a key"),
        # Files tell the two schemes apart.
        (lambda: falcon.VerifyingKey.from_der(fn_dsa.VerifyingKey(bytes(key)).to_der()), ValueError, "der: not a"),
        (lambda: fn_dsa.VerifyingKey.from_pem(key.to_pem()), ValueError, "pem: not a"),
    ]:
        with pytest.raises(error, match=f"^{words}"):
            call()
    with pytest.raises(TypeError, match="encoding"):
        key.verify(b"", b"")
    for length in (0, 1, 40, 41, most):
        assert not key.is_valid(b"", bytes(length), encoding="compressed")


def test_keys_compare_are_pickled_and_have_files() -> None:
    one, other = (falcon.VerifyingKey(bytes.fromhex(case["public_key"])) for case in CASES)
    same = falcon.VerifyingKey(one.to_bytes())
    assert one == same != other and hash(one) == hash(same) and one != fn_dsa.VerifyingKey(bytes(one))
    for key in (one, other):
        assert falcon.VerifyingKey.from_der(key.to_der()) == falcon.VerifyingKey.from_pem(key.to_pem()) == key
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(key, protocol)) == key
        assert str(key.degree) in repr(key)
