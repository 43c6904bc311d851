"""Ed25519: the project's own vectors, every profile, batches, key files, errors."""

from __future__ import annotations

import array
import copy
import ctypes
import hashlib
import mmap
import pickle
import subprocess
import sys
from typing import Any

import pytest
from conftest import vectors

from lanner import InvalidSignature, InvalidSignatureLength, arrow, cryptography_ed25519, ed25519, fn_dsa, nacl_signing, x25519

try:
    from cryptography.hazmat.primitives import serialization
except ImportError:
    serialization = None

SIGN = vectors("ed25519_sign.json")["cases"] + vectors("rfc8032.json")["cases"]
VERIFY = vectors("ed25519_verify.json")["cases"]
SEED = bytes(range(32))


def column(name: str) -> list[bytes]:
    return [bytes.fromhex(case[name]) for case in VERIFY]


@pytest.mark.parametrize("case", SIGN, ids=lambda case: case["name"])
def test_signatures_are_those_of_the_vectors(case: dict[str, str]) -> None:
    key = ed25519.SigningKey(bytes.fromhex(case["seed"]))
    message, context = bytes.fromhex(case["message"]), bytes.fromhex(case["context"])
    signature = bytes.fromhex(case["signature"])
    public = key.verifying_key
    assert public.to_bytes() == bytes(public) == bytes.fromhex(case["public_key"])
    if case["scheme"] == "ed25519":
        assert key.sign(message) == key.sign_checked(message) == signature
        public.verify(message, signature)
        public.prepare().verify(message, signature)
        assert key.sign_many([message, message]) == [signature] * 2
        refused = [lambda bad: public.verify(message, bad), lambda bad: public.prepare().verify(message, bad)]
    elif case["scheme"] == "ed25519ctx":
        assert key.sign_ctx(message, context) == key.sign_ctx_checked(message, context) == signature
        public.verify_ctx(message, signature, context)
        refused = [lambda bad: public.verify_ctx(message, bad, context)]
    else:
        assert key.sign_ph(message, context) == key.sign_ph_checked(message, context) == signature
        public.verify_ph(message, signature, context)
        digest = hashlib.sha512(message).digest()
        assert key.sign_prehashed(digest, context) == key.sign_prehashed_checked(digest, context) == signature
        public.verify_prehashed(digest, signature, context)
        refused = [
            lambda bad: public.verify_ph(message, bad, context),
            lambda bad: public.verify_prehashed(digest, bad, context),
            lambda bad: public.verify_prehashed(digest[::-1], signature, context),
            lambda bad: public.verify_prehashed(digest, signature, context[1:] if context else b"x"),
        ]
        if not context:
            assert key.sign_ph(message) == key.sign_prehashed(bytearray(digest)) == signature
            public.verify_ph(message, signature)
            public.verify_prehashed(digest, signature)
    bad = bytes([signature[0] ^ 1]) + signature[1:]
    for verify in refused:
        with pytest.raises(InvalidSignature):
            verify(bad)


@pytest.mark.parametrize("profile", ed25519.PROFILES)
def test_every_profile_has_the_verdicts_of_the_vectors(profile: Any) -> None:
    keys, messages, signatures = column("key"), column("msg"), column("sig")
    expected = [profile in case["accept"] for case in VERIFY]
    assert any(expected) and not all(expected)

    def single(key: bytes, message: bytes, signature: bytes) -> bool:
        once = ed25519.is_valid(key, message, signature, profile=profile)
        try:
            decoded = ed25519.VerifyingKey(key)
        except ValueError:
            assert not once
            return False
        assert decoded.is_valid(message, signature, profile=profile) == once
        assert decoded.prepare().is_valid(message, signature, profile=profile) == once
        return once

    assert [single(*row) for row in zip(keys, messages, signatures, strict=True)] == expected
    assert ed25519.verify_batch(keys, messages, signatures, profile=profile) == expected


def test_the_default_profile_is_strict() -> None:
    weak = next(i for i, case in enumerate(VERIFY) if "dalek" in case["accept"] and "strict" not in case["accept"])
    row = column("key")[weak], column("msg")[weak], column("sig")[weak]
    key = ed25519.VerifyingKey(row[0])
    key.verify(*row[1:], profile="dalek")
    key.prepare().verify(*row[1:], profile="dalek")
    assert not key.is_valid(*row[1:]) and not ed25519.is_valid(*row)
    assert ed25519.verify_batch(*[[value] for value in row]) == [False]
    for verify in (key.verify, key.prepare().verify):
        with pytest.raises(InvalidSignature):
            verify(*row[1:])


def test_a_prehash_is_judged_by_the_profile_that_is_named() -> None:
    key = ed25519.VerifyingKey(b"\x01" + bytes(31))
    # Of the neutral element, with nothing in S: 0 = k · 0.
    signature = b"\x01" + bytes(63)
    key.verify_prehashed(bytes(64), signature, profile="dalek")
    with pytest.raises(InvalidSignature):
        key.verify_prehashed(bytes(64), signature)


def test_batches_take_arrays(like: Any) -> None:
    numpy = pytest.importorskip("numpy")
    key = ed25519.SigningKey(SEED)
    messages = [i.to_bytes(7, "big") for i in range(1500)]
    signatures = key.sign_many(messages)
    assert signatures[3] == key.sign(messages[3])
    bad = bytearray(signatures[1200])
    bad[40] ^= 1
    signatures[1200] = bytes(bad)
    expected = [i != 1200 for i in range(1500)]

    def matrix(rows: list[bytes]) -> Any:
        return numpy.frombuffer(b"".join(rows), dtype=numpy.uint8).reshape(len(rows), -1)

    keys = [key.verifying_key.to_bytes()] * 1500
    assert ed25519.verify_batch(matrix(keys), matrix(messages), matrix(signatures)) == expected
    # Arrays that do not lie in one piece: every second row, and columns from behind.
    assert ed25519.verify_batch(matrix(keys)[::2], matrix(messages)[::2], matrix(signatures)[::2]) == expected[::2]
    turned = matrix([row[::-1] for row in signatures])[:, ::-1]
    assert ed25519.verify_batch(matrix(keys), messages, turned) == expected
    assert ed25519.verify_batch([key.verifying_key] * 1500, map(like, messages), signatures) == expected
    assert key.sign_many(matrix(messages))[:3] == signatures[:3]
    assert ed25519.verify_batch([], [], []) == []
    empty = numpy.zeros((3, 0), dtype=numpy.uint8)
    assert ed25519.verify_batch(keys[:3], empty, [key.sign(b"")] * 3) == [True] * 3


def test_a_row_of_a_wrong_length_is_not_valid_and_ends_no_batch() -> None:
    numpy = pytest.importorskip("numpy")
    for scheme, key, batch, columns in [
        (ed25519, ed25519.SigningKey(SEED), ed25519.verify_batch, arrow.verify),
        (fn_dsa, fn_dsa.SigningKey.from_seed(SEED), fn_dsa.verify_batch, arrow.verify_fn_dsa),
    ]:
        public, signature = bytes(key.verifying_key), key.sign(b"message")
        keys: list[Any] = [public] * 9
        signatures: list[Any] = [signature] * 9
        keys[1], keys[2], keys[3] = b"", public[:-1], bytearray(public + b"\0")
        signatures[3], signatures[4], signatures[5] = signature[1:], bytearray(), signature + b"\0"
        expected = [i in (0, 6, 7, 8) for i in range(9)]
        assert batch(keys, [b"message"] * 9, signatures) == expected
        assert columns(keys, [b"message"] * 9, signatures).to_pylist() == expected
        # What no row can have, and what has no rows, is a mistake.
        for name, shape in (("public_keys", (9, 31)), ("signatures", (9, 63))):
            wrong = {"public_keys": keys, "messages": [b"message"] * 9, "signatures": signatures}
            wrong[name] = numpy.zeros(shape, numpy.uint8)
            for verify in (batch, columns):
                with pytest.raises(ValueError, match=f"^{name}: .*{shape[1]}"):
                    verify(**wrong)
                with pytest.raises(ValueError, match="^messages: 8 rows, and public_keys has 9"):
                    verify(keys, [b"message"] * 8, signatures)
        # One alone says what is wrong.
        with pytest.raises(InvalidSignatureLength, match=f"^signature: {len(signature)} bytes are needed, not {len(signature) - 1}"):
            scheme.VerifyingKey(public).is_valid(b"message", signature[1:])


def test_keys_are_taken_as_objects_wherever_keys_are_asked_for() -> None:
    key, weak = ed25519.SigningKey(SEED), fn_dsa.SigningKey.from_seed(SEED)
    public, signature = bytes(key.verifying_key), key.sign(b"message")
    objects = [
        public,
        bytearray(public),
        key.verifying_key,
        key.verifying_key.prepare(),
        nacl_signing.VerifyKey(public),
        cryptography_ed25519.Ed25519PublicKey.from_public_bytes(public),
    ]
    count = len(objects)
    columns: list[Any] = [[b"message"] * (count - 1) + [b"massage"], [signature] * count]
    expected = [True] * (count - 1) + [False]
    assert ed25519.verify_batch(objects, *columns) == expected
    assert arrow.verify(objects, *columns).to_pylist() == expected
    assert arrow.explain([*objects, None], *[[*column, b""] for column in columns]).reasons.to_pylist() == [
        *[None] * (count - 1),
        "equation",
        "null_key",
    ]
    for one in objects:
        assert ed25519.is_valid(one, b"message", signature) and not ed25519.is_valid(one, b"massage", signature)
        assert arrow.verify(one, *columns).to_pylist() == expected
    weak_public, weak_signature = weak.verifying_key, weak.sign(b"message")
    for one in (weak_public, bytes(weak_public), bytearray(bytes(weak_public))):
        assert fn_dsa.verify_batch([one, one], [b"message", b"massage"], [weak_signature] * 2) == [True, False]
        for keys in (one, [one, one]):
            assert arrow.verify_fn_dsa(keys, [b"message", b"massage"], weak_signature).to_pylist() == [True, False]
    # Another scheme's keys, and secret ones, are none.
    for wrong in (weak_public, key, nacl_signing.SigningKey(SEED), x25519.SecretKey(SEED).public_key):
        for call in (
            lambda: ed25519.is_valid(wrong, b"message", signature),
            lambda: ed25519.verify_batch([wrong], [b"message"], [signature]),
            lambda: arrow.verify([wrong], [b"message"], [signature]),
            lambda: arrow.verify(wrong, [b"message"], [signature]),
        ):
            with pytest.raises(TypeError, match=r"^public_keys?(\[0\])?: .* is needed, not"):
                call()
    # An object is decoded already.
    for keys in (key.verifying_key, [key.verifying_key]):
        with pytest.raises(ValueError, match=r"^public_keys(\[0\])?: a key that is an object is in no encoding"):
            arrow.verify(keys, [b"message"], [signature], key_encoding="hex")


def test_an_array_has_the_rows_of_its_buffer() -> None:
    numpy = pytest.importorskip("numpy")
    key = ed25519.SigningKey(SEED)
    for said in (0, 2, 1000):
        kind = type("Odd", (numpy.ndarray,), {"__len__": lambda self, said=said: said})
        for width in (0, 7):
            messages = numpy.arange(5 * width, dtype=numpy.uint8).reshape(5, width)
            odd = messages.view(kind)
            assert len(odd) == said
            signatures = key.sign_many(odd)
            assert signatures == key.sign_many(messages) and len(signatures) == 5
            columns = [key.verifying_key] * 5, odd, signatures
            assert ed25519.verify_batch(*columns) == [True] * 5
            keys = numpy.frombuffer(bytes(key.verifying_key) * 5, numpy.uint8).reshape(5, 32)
            assert ed25519.verify_batch(keys.view(kind), *columns[1:]) == [True] * 5


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda k, p: ed25519.SigningKey(b"1" * 31), ValueError, "key: 32 bytes are needed, not 31"),
        (lambda k, p: ed25519.SigningKey(bytearray(33)), ValueError, "key: 32 bytes are needed, not 33"),
        (lambda k, p: ed25519.SigningKey("1" * 32), TypeError, "key: a bytes-like object is needed, not str"),
        (lambda k, p: ed25519.SigningKey(12), TypeError, "key: a bytes-like object is needed, not int"),
        (lambda k, p: ed25519.SigningKey.from_keypair(bytes(64)), ValueError, "keypair: the public key is not"),
        (lambda k, p: ed25519.SigningKey.from_keypair(bytes(63)), ValueError, "keypair: 64 bytes are needed"),
        (lambda k, p: ed25519.VerifyingKey(b"\x02" + bytes(31)), ValueError, "key: not the encoding of a point"),
        (lambda k, p: ed25519.VerifyingKey(b""), ValueError, "key: 32 bytes are needed, not 0"),
        (lambda k, p: k.sign("text"), TypeError, "message: a bytes-like object is needed, not str"),
        (lambda k, p: k.sign(None), TypeError, "message: a bytes-like object is needed, not NoneType"),
        (lambda k, p: k.sign_ctx(b"", b""), ValueError, "context: 1 to 255 bytes are needed, not 0"),
        (lambda k, p: k.sign_ctx(b"", bytes(256)), ValueError, "context: 1 to 255 bytes are needed, not 256"),
        (lambda k, p: k.sign_ctx_checked(b"", b""), ValueError, "context: 1 to 255 bytes are needed, not 0"),
        (lambda k, p: k.sign_ph_checked(b"", bytes(256)), ValueError, "context: 0 to 255 bytes are needed, not 256"),
        (lambda k, p: k.sign_prehashed_checked(bytes(32)), ValueError, "digest: 64 bytes are needed, not 32"),
        (lambda k, p: k.sign_ph(b"", bytes(256)), ValueError, "context: 0 to 255 bytes are needed, not 256"),
        (lambda k, p: k.sign_prehashed(bytes(32)), ValueError, "digest: 64 bytes are needed, not 32"),
        (lambda k, p: k.sign_prehashed(hashlib.sha512()), TypeError, "digest: a bytes-like object is needed, not HASH"),
        (lambda k, p: k.sign_prehashed(bytes(64), bytes(256)), ValueError, "context: 0 to 255 bytes are needed, not 256"),
        (lambda k, p: p.verify_prehashed(bytes(63), bytes(64)), ValueError, "digest: 64 bytes are needed, not 63"),
        (lambda k, p: p.verify_prehashed(bytes(64), bytes(63)), InvalidSignatureLength, "signature: 64 bytes are needed, not 63"),
        (lambda k, p: p.verify_prehashed(bytes(64), bytes(64), bytes(256)), ValueError, "context: 0 to 255 bytes"),
        (lambda k, p: p.verify_prehashed(bytes(64), bytes(64), profile=b"x"), TypeError, "profile: a str is needed"),
        (lambda k, p: k.sign_many([b"", "x"]), TypeError, r"messages\[1\]: a bytes-like object is needed, not str"),
        (lambda k, p: k.sign_many(b"abc"), TypeError, "messages: a sequence or an array of rows is needed, not bytes"),
        (lambda k, p: k.sign_many(7), TypeError, "messages: a sequence or an array of rows is needed, not int"),
        (lambda k, p: k.sign_many({b"x", b"y"}), TypeError, "messages: .*rows, which have an order, is needed, not set"),
        (lambda k, p: k.sign_many({}), TypeError, "messages: .*rows, which have an order, is needed, not dict"),
        (
            lambda k, p: ed25519.verify_batch([p], frozenset([b""]), [bytes(64)]),
            TypeError,
            "messages: .*rows, which have an order, is needed, not frozenset",
        ),
        (lambda k, p: ed25519.verify_batch({p: 1}, [b""], [bytes(64)]), TypeError, "public_keys: .* is needed, not dict"),
        (lambda k, p: p.verify(b"", bytes(63)), InvalidSignatureLength, "signature: 64 bytes are needed, not 63"),
        (lambda k, p: p.verify(b"", 64), TypeError, "signature: a bytes-like object is needed, not int"),
        (lambda k, p: p.verify(b"", bytes(64), profile="Strict"), ValueError, "profile: 'Strict' is none of .*strict"),
        (lambda k, p: p.verify(b"", bytes(64), profile=None), TypeError, "profile: a str is needed, not NoneType"),
        (lambda k, p: p.is_valid(b"", bytes(64), profile="\ud800"), ValueError, "profile: not UTF-8"),
        (lambda k, p: p.verify_ctx(b"", bytes(64), b"c", profile=1), TypeError, "profile: a str is needed, not int"),
        (lambda k, p: p.verify_ph(b"", bytes(64), profile=b"x"), TypeError, "profile: a str is needed, not bytes"),
        (lambda k, p: p.prepare().is_valid(b"", bytes(64), profile=7), TypeError, "profile: a str is needed, not int"),
        (lambda k, p: ed25519.is_valid(p, b"", b"", profile=7), TypeError, "profile: a str is needed, not int"),
        (lambda k, p: ed25519.verify_batch([], [], [], profile=7), TypeError, "profile: a str is needed, not int"),
        (lambda k, p: p.prepare().is_valid(b"", bytes(63)), InvalidSignatureLength, "signature: 64 bytes are needed, not 63"),
        (lambda k, p: p.prepare().verify(b"", bytes(63)), InvalidSignatureLength, "signature: 64 bytes are needed, not 63"),
        (lambda k, p: p.verify_ctx(b"", bytes(65), b"c"), InvalidSignatureLength, "signature: 64 bytes are needed, not 65"),
        (lambda k, p: p.verify_ph(b"", b""), InvalidSignatureLength, "signature: 64 bytes are needed, not 0"),
        (lambda k, p: p.is_valid(b"", bytearray(63)), InvalidSignatureLength, "signature: 64 bytes are needed, not 63"),
        (lambda k, p: ed25519.is_valid(p, b"", bytes(63)), InvalidSignatureLength, "signature: 64 bytes are needed, not 63"),
        (lambda k, p: p.verify_ctx(b"", bytes(64), b""), ValueError, "context: 1 to 255 bytes"),
        (lambda k, p: p.verify_ph(b"", bytes(64), bytes(256)), ValueError, "context: 0 to 255 bytes"),
        (lambda k, p: ed25519.is_valid(bytes(31), b"", bytes(64)), ValueError, "public_key: 32 bytes are needed"),
        (lambda k, p: ed25519.verify_batch([p], [], []), ValueError, "messages: 0 rows, and public_keys has 1"),
        (lambda k, p: ed25519.verify_batch([p], [b""], []), ValueError, "signatures: 0 rows, and public_keys has 1"),
        (
            lambda k, p: ed25519.verify_batch([p, "1"], [b""] * 2, [bytes(64)] * 2),
            TypeError,
            r"public_keys\[1\]: a bytes-like object is needed, not str",
        ),
        (
            lambda k, p: ed25519.verify_batch([p], [b""], memoryview(bytes(64))),
            ValueError,
            "signatures: an array of two dimensions is needed, not of 1",
        ),
        (
            lambda k, p: ed25519.verify_batch([p], [b""], memoryview(bytes(63)).cast("B", (1, 63))),
            ValueError,
            r"signatures: an array of shape \(n, 64\) is needed, not \(n, 63\)",
        ),
    ],
)
def test_mistakes_are_named(call: Any, error: type[Exception], words: str) -> None:
    key = ed25519.SigningKey(SEED)
    with pytest.raises(error, match=f"^{words}"):
        call(key, key.verifying_key)


def test_a_signature_of_a_wrong_length_is_a_wrong_value_and_not_valid() -> None:
    # Who sends signatures must not choose by their length which handler is passed by.
    assert InvalidSignatureLength.__bases__ == (InvalidSignature, ValueError) and InvalidSignatureLength.__doc__
    for error in InvalidSignature, ValueError:
        with pytest.raises(error) as raised:
            ed25519.SigningKey(SEED).verifying_key.verify(b"", bytes(63))
        assert type(raised.value) is InvalidSignatureLength


def test_buffers_of_other_items_are_refused() -> None:
    key, released = ed25519.SigningKey(SEED), memoryview(b"message")
    released.release()
    words = "message: a buffer of bytes, not of items of 2 bytes, is needed, not array"
    for items in (array.array("H", [1, 2]), array.array("H")):
        with pytest.raises(TypeError, match=f"^{words}"):
            key.sign(items)
    with pytest.raises(TypeError, match="^key: a buffer of bytes, not of items of 4 bytes"):
        ed25519.SigningKey((ctypes.c_uint32 * 8)())
    with pytest.raises(TypeError, match=r"^messages\[0\]: a buffer of bytes, not of items of 8 bytes"):
        key.sign_many([array.array("d", [1])])
    with pytest.raises(ValueError, match="^message: .* released"):
        key.sign(released)
    with pytest.raises(TypeError, match="^message: a buffer in one piece is needed, not memoryview"):
        key.sign(memoryview(array.array("b", range(9)))[::2])


def test_buffers_of_every_shape_are_taken() -> None:
    numpy = pytest.importorskip("numpy")
    key = ed25519.SigningKey(SEED)
    for buffer, octets in [
        (numpy.array(5, numpy.uint8), b"\5"),
        (numpy.array([True, False]), b"\1\0"),
        (numpy.zeros(0, numpy.int8), b""),
        (numpy.zeros((0, 3), numpy.int8), b""),
        ((ctypes.c_ubyte * 0)(), b""),
        (ctypes.c_ubyte(7), b"\7"),
        (ctypes.create_string_buffer(b"text"), b"text\0"),
        (((ctypes.c_char * 2) * 2).from_buffer_copy(b"abcd"), b"abcd"),
        (memoryview(bytes(range(9)))[::-2], bytes([8, 6, 4, 2, 0])),
        (memoryview(bytes(range(9))).cast("B", (3, 3)), bytes(range(9))),
    ]:
        assert key.sign(buffer) == key.sign(octets)
    pair = ((ctypes.c_ubyte * 3) * 2).from_buffer_copy(bytes([1, 2, 3, 4, 5, 6]))
    rows = [bytes([1, 2, 3]), bytes([4, 5, 6])]
    for matrix in (pair, numpy.array(pair, numpy.int8), numpy.array(pair, numpy.uint8), ((ctypes.c_char * 3) * 2).from_buffer_copy(pair)):
        assert key.sign_many(matrix) == key.sign_many(rows)
    # One buffer is not a sequence of messages of one byte each.
    for one in (ctypes.create_string_buffer(b"text"), bytearray(b"text"), numpy.zeros(4, numpy.int8)):
        with pytest.raises(ValueError, match="^messages: an array of two dimensions is needed, not of 1"):
            key.sign_many(one)


def test_arrays_whose_rows_are_not_whole_are_refused() -> None:
    numpy = pytest.importorskip("numpy")
    key, weak = ed25519.SigningKey(SEED), fn_dsa.SigningKey.from_seed(SEED)
    public, weak_public = bytes(key.verifying_key), bytes(weak.verifying_key)
    calls = [
        lambda messages: key.sign_many(messages),
        lambda messages: ed25519.verify_batch([public] * 2, messages, key.sign_many([b"a", b"abc"])),
        lambda messages: fn_dsa.verify_batch([weak_public] * 2, messages, [weak.sign(b"a"), weak.sign(b"abc")]),
        lambda messages: arrow.verify(public, messages, key.sign_many([b"a", b"abc"])),
    ]
    # Of the first row numpy says that it is b"a".
    zeros = numpy.array([b"a\0\0", b"abc"])
    rows = numpy.frombuffer(b"a\0\0abc", numpy.uint8).reshape(2, 3)
    masked = numpy.ma.MaskedArray(rows, mask=[[False] * 3, [True] * 3])
    for call in calls:
        with pytest.raises(ValueError, match="^messages: numpy's type S loses zeros"):
            call(zeros)
        with pytest.raises(ValueError, match="^messages: rows are masked"):
            call(masked)
        assert len(call(numpy.ma.MaskedArray(rows))) == len(call(masked.filled(0))) == len(call(rows)) == 2
    with pytest.raises(ValueError, match="^public_keys: numpy's type S loses zeros"):
        ed25519.verify_batch(numpy.array([public]), [b""], [bytes(64)])
    with pytest.raises(ValueError, match="^signatures: numpy's type S loses zeros"):
        ed25519.verify_batch([public], [b""], numpy.array([bytes(64)]))


#: Calls with a buffer that no memory holds, though it takes none itself: what each ends with.
HUGE = """
import numpy
from lanner import arrow, cryptography_ed25519, ed25519, fn_dsa, hybrid, nacl_signing, x25519

huge = numpy.broadcast_to(numpy.zeros(1, numpy.uint8), (1 << 62,))
rows = numpy.broadcast_to(numpy.zeros(1, numpy.uint8), (1 << 31, 1 << 31))
empty = numpy.broadcast_to(numpy.zeros((1, 0), numpy.uint8), (1 << 62, 0))
key, weak = ed25519.SigningKey(bytes(32)), fn_dsa.SigningKey.from_seed(bytes(32))
public, signature = key.verifying_key, key.sign(b"")
for number, call in enumerate([
    lambda: key.sign(huge),
    lambda: key.sign_ctx(b"", huge),
    lambda: key.sign_many(rows),
    lambda: key.sign_many(empty),
    lambda: key.sign_many([b"", huge]),
    lambda: public.verify(huge, signature),
    lambda: ed25519.verify_batch([public], rows, [signature]),
    lambda: ed25519.verify_batch([public], empty, [signature]),
    lambda: ed25519.SigningKey.from_der(huge),
    lambda: ed25519.SigningKey.from_pem(huge),
    lambda: ed25519.VerifyingKey.from_der(huge),
    lambda: arrow.verify(bytes(public), rows, signature),
    lambda: arrow.verify(bytes(public), empty, signature),
    lambda: arrow.verify(bytes(public), [huge], signature),
    lambda: weak.sign(huge),
    lambda: fn_dsa.SigningKey(huge),
    lambda: fn_dsa.verify_batch(rows, [b""], [b""]),
    lambda: nacl_signing.SigningKey(bytes(32)).sign(huge),
    lambda: cryptography_ed25519.Ed25519PublicKey.from_public_bytes(huge),
]):
    try:
        call()
    except MemoryError:
        continue
    raise AssertionError(number)
# Where a length is known it is said, and nothing is copied.
for call, words in [
    (lambda: public.is_valid(b"", huge), "signature: 64 bytes are needed, not 4611686018427387904"),
    (lambda: ed25519.VerifyingKey(huge), "key: 32 bytes are needed, not 4611686018427387904"),
    (lambda: ed25519.SigningKey(huge), "key: 32 bytes are needed, not 4611686018427387904"),
    (lambda: x25519.PublicKey(huge), "key: 32 bytes are needed, not 4611686018427387904"),
]:
    try:
        call()
    except ValueError as error:
        assert str(error) == words, error
    else:
        raise AssertionError(words)
"""


def test_what_no_memory_holds_is_an_error_and_not_the_end() -> None:
    pytest.importorskip("numpy")
    run = subprocess.run([sys.executable, "-c", HUGE], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")


def test_a_failing_iterator_is_heard() -> None:
    def rows() -> Any:
        yield b"one"
        raise RuntimeError("the source failed")

    with pytest.raises(RuntimeError, match="the source failed"):
        ed25519.SigningKey(SEED).sign_many(rows())


def test_what_an_object_raises_itself_is_heard() -> None:
    class Fails:
        """Neither a buffer nor a sequence, for a reason of its own."""

        def __init__(self, error: type[BaseException]) -> None:
            self.error = error

        def __iter__(self) -> Any:
            raise self.error("mine")

        if sys.version_info >= (3, 12):

            def __buffer__(self, flags: int) -> memoryview:
                raise self.error("mine")

    key = ed25519.SigningKey(SEED)
    calls = [
        lambda messages: key.sign_many(messages),
        lambda messages: ed25519.verify_batch([key.verifying_key], messages, [bytes(64)]),
        lambda messages: arrow.verify(bytes(key.verifying_key), messages, bytes(64)),
    ]
    closed, released = mmap.mmap(-1, 64), memoryview(b"message")
    closed.close()
    released.release()
    for call in calls:
        for error in (RuntimeError, KeyboardInterrupt, OSError):
            with pytest.raises(error, match="^mine$"):
                call(Fails(error))
        with pytest.raises(TypeError, match="^messages: a sequence or an array of rows is needed, not Fails"):
            call(Fails(TypeError))
        with pytest.raises(ValueError, match="^messages: mmap closed"):
            call(closed)
        with pytest.raises(ValueError, match="^messages: .* released"):
            call(released)


def test_keys_compare_hash_and_copy() -> None:
    one, two, other = ed25519.SigningKey(SEED), ed25519.SigningKey(SEED), ed25519.SigningKey.generate()
    assert one == two and hash(one) == hash(two) and one != other and one != SEED
    assert copy.copy(one) is one and copy.deepcopy([one])[0] is one
    public, same = one.verifying_key, ed25519.VerifyingKey(one.verifying_key.to_bytes())
    assert public == same and hash(public) == hash(same) and public != other.verifying_key and public != one
    assert hash(public) != hash(one)
    prepared = public.prepare()
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(public, protocol)) == public
        again = pickle.loads(pickle.dumps(prepared, protocol))
        assert again == prepared and again.is_valid(b"message", one.sign(b"message"))
    assert copy.copy(public) == copy.deepcopy(public) == public
    assert prepared.verifying_key == public and prepared == same.prepare() and hash(prepared) == hash(same.prepare())
    assert prepared != other.verifying_key.prepare() and prepared != public
    assert copy.copy(prepared) is prepared and copy.deepcopy([prepared])[0] is prepared
    assert public.to_bytes().hex() in repr(public) and public.to_bytes().hex() in repr(public.prepare())


def test_key_files_are_those_of_rfc_8410() -> None:
    key = ed25519.SigningKey(SEED)
    assert ed25519.SigningKey.from_der(key.to_der()) == key
    assert ed25519.SigningKey.from_pem(key.to_pem()) == key
    assert ed25519.SigningKey.from_pem(bytearray(key.to_pem().encode())) == key
    assert key.to_der() == bytes.fromhex("302e020100300506032b657004220420") + SEED
    public = key.verifying_key
    assert ed25519.VerifyingKey.from_der(public.to_der()) == public
    assert ed25519.VerifyingKey.from_pem(public.to_pem()) == public
    assert public.to_der() == bytes.fromhex("302a300506032b6570032100") + public.to_bytes()
    for bad in (b"", key.to_der()[:-1], key.to_der() + b"\0"):
        with pytest.raises(ValueError, match="^der: "):
            ed25519.SigningKey.from_der(bad)
        with pytest.raises(ValueError, match="^der: "):
            ed25519.VerifyingKey.from_der(bad)
    for pem in ("", key.to_pem()[:-9], b"\xff", "\ud800"):
        with pytest.raises(ValueError, match="^pem: "):
            ed25519.SigningKey.from_pem(pem)
        with pytest.raises(ValueError, match="^pem: "):
            ed25519.VerifyingKey.from_pem(pem)
    with pytest.raises(TypeError, match="^pem: "):
        ed25519.SigningKey.from_pem(5)
    for kind, pem, words in (
        (ed25519.SigningKey, public.to_pem(), 'a block "PRIVATE KEY" is needed, not "PUBLIC KEY"'),
        (ed25519.VerifyingKey, key.to_pem(), 'a block "PUBLIC KEY" is needed, not "PRIVATE KEY"'),
        (ed25519.SigningKey, key.to_pem().replace("BEGIN ", "BEGIN ENCRYPTED "), "this key has a password"),
        (ed25519.SigningKey, key.to_pem().replace("BEGIN ", "BEGIN OPENSSH "), 'needed, not "OPENSSH PRIVATE KEY"'),
        (ed25519.SigningKey, key.to_pem().replace("BEGIN ", "BEGIN SEED "), 'no PEM file with a block "PRIVATE KEY"'),
        (ed25519.SigningKey, SEED.hex(), 'no PEM file with a block "PRIVATE KEY"'),
        (ed25519.SigningKey, key.to_pem()[:60], 'the block "PRIVATE KEY" has no end'),
        (ed25519.SigningKey, x25519.SecretKey.generate().to_pem(), "not a PKCS#8 file of such a key"),
    ):
        with pytest.raises(ValueError, match=f"^pem: .*{words}"):
            kind.from_pem(pem)
    # The first block with the label is the one that is read, whatever comes behind it.
    other = x25519.SecretKey.generate()
    assert ed25519.SigningKey.from_pem(public.to_pem() + key.to_pem() + other.to_pem()) == key
    assert ed25519.VerifyingKey.from_pem(key.to_pem() + public.to_pem() + other.public_key.to_pem()) == public
    for call in (
        lambda: ed25519.SigningKey.from_pem(other.to_pem() + key.to_pem()),
        lambda: ed25519.VerifyingKey.from_pem(other.public_key.to_pem() + public.to_pem()),
    ):
        with pytest.raises(ValueError, match="^pem: "):
            call()


def lines(pem: str) -> list[str]:
    return pem.strip().split("\n")


#: What may be done to a file in PEM: the name says where something is that does not belong to the block.
HARMLESS: dict[str, Any] = {
    "nothing": lambda pem: pem,
    "no line feed": lambda pem: pem.strip(),
    "blank lines": lambda pem: f"\n \n{pem}\n\n",
    "indented": lambda pem: "\n".join("    " + line for line in lines(pem)),
    "white space behind lines": lambda pem: "".join(line + " \t\n" for line in lines(pem)),
    "CR LF": lambda pem: "\r\n".join(lines(pem)) + "\r\n",
    "CR": lambda pem: "\r".join(lines(pem)),
    "one line": lambda pem: "".join(lines(pem)),
    "short lines": lambda pem: "\n".join([lines(pem)[0], lines(pem)[1][:21], lines(pem)[1][21:], lines(pem)[2]]),
    "text": lambda pem: f"Key of A\u00fcne\n{pem}and so on\n",
    "text of another encoding": lambda pem: b"\xfc\n" + pem.encode() + b"\xfc",
    "NUL": lambda pem: pem + "\0",
    "mark of the byte order": lambda pem: "\ufeff" + pem,
    "other blocks": lambda pem: "\n".join([OTHER, pem, OTHER]),
    "twice": lambda pem: pem + pem,
}
OTHER = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"
#: And what may not.
HARMFUL: dict[str, Any] = {
    "no end": lambda pem: "\n".join(lines(pem)[:2]),
    "another end": lambda pem: "\n".join([*lines(pem)[:2], "-----END CERTIFICATE-----"]),
    "no beginning": lambda pem: "\n".join(lines(pem)[1:]),
    "a header": lambda pem: "\n".join([lines(pem)[0], "Proc-Type: 4,ENCRYPTED", "", *lines(pem)[1:]]),
    "another character": lambda pem: "\n".join([lines(pem)[0], lines(pem)[1][:9] + "!" + lines(pem)[1][9:], lines(pem)[2]]),
    "one character more": lambda pem: "\n".join([lines(pem)[0], "A" + lines(pem)[1], lines(pem)[2]]),
    "no key": lambda pem: "\n".join([lines(pem)[0], lines(pem)[2]]),
    "text of another encoding": lambda pem: pem.replace("MC", "M\u00fc").encode("latin-1"),
}


@pytest.mark.parametrize("how", HARMLESS)
def test_files_in_pem_are_taken_as_cryptography_takes_them(how: str) -> None:
    key, change = ed25519.SigningKey(SEED), HARMLESS[how]
    for kind, value, name in ((ed25519.SigningKey, key, "private"), (ed25519.VerifyingKey, key.verifying_key, "public")):
        changed = change(value.to_pem())
        octets = changed if isinstance(changed, bytes) else changed.encode()
        for pem in (changed, octets, bytearray(octets)):
            assert kind.from_pem(pem) == value
        # Public keys cryptography takes from the first block alone.
        if serialization is not None and (name, how) != ("public", "other blocks"):
            arguments = (None,) if name == "private" else ()
            loaded = getattr(serialization, f"load_pem_{name}_key")(octets, *arguments)
            assert getattr(loaded, f"{name}_bytes_raw")() == value.to_bytes()


@pytest.mark.parametrize("how", HARMFUL)
def test_other_files_in_pem_are_not(how: str) -> None:
    key, change = ed25519.SigningKey(SEED), HARMFUL[how]
    for kind, value in ((ed25519.SigningKey, key), (ed25519.VerifyingKey, key.verifying_key)):
        changed = change(value.to_pem())
        with pytest.raises(ValueError, match="^pem: "):
            kind.from_pem(changed)


def test_keypairs_and_x25519() -> None:
    key = ed25519.SigningKey(SEED)
    assert ed25519.SigningKey.from_keypair(SEED + key.verifying_key.to_bytes()) == key
    assert key.to_x25519().public_key == key.verifying_key.to_x25519()
    weak = ed25519.VerifyingKey(b"\x01" + bytes(31))
    assert weak.is_weak and not key.verifying_key.is_weak
    with pytest.raises(ValueError, match="^key: weak"):
        weak.to_x25519()
