"""FN-DSA and hybrid signatures: degrees, contexts, known keys, errors, key files."""

from __future__ import annotations

import copy
import hashlib
import json
import pickle
from typing import Any

from pathlib import Path

import pytest
from conftest import vectors

from lanner import InvalidSignature, InvalidSignatureLength, fn_dsa, hybrid

SEED = bytes(range(32))
HYBRID = vectors("hybrid.json")
FILES = {case["algorithm"]: case for case in vectors("key_files.json")["cases"]}
SIZES = {(fn_dsa, 512): (897, 666), (fn_dsa, 1024): (1793, 1280), (hybrid, 512): (929, 730), (hybrid, 1024): (1825, 1344)}
KEYS = {
    (module, degree): (module.SigningKey.from_seed if module is fn_dsa else module.SigningKey)(SEED, degree)
    for module, degree in SIZES
}
EACH = pytest.mark.parametrize(("module", "degree"), SIZES, ids=lambda value: getattr(value, "__name__", value))


@EACH
def test_what_is_signed_verifies_and_nothing_else(module: Any, degree: int, like: Any) -> None:
    key = KEYS[module, degree]
    public = key.verifying_key
    assert key.degree == public.degree == degree
    for context in (None, b"", b"what for", bytes(255)):
        public.verify(b"message", key.sign_checked(like(b"message"), context), context)
        signature = key.sign(like(b"message"), context)
        assert len(signature) == SIZES[module, degree][1]
        public.verify(like(b"message"), like(signature), context)
        assert public.is_valid(b"message", signature, context)
        for message, bad, other in [
            (b"massage", signature, context),
            (b"message", signature, b"something else"),
            (b"message", signature[:100] + bytes([signature[100] ^ 1]) + signature[101:], context),
        ]:
            assert not public.is_valid(message, bad, other)
            with pytest.raises(InvalidSignature):
                public.verify(message, bad, other)
    # None and empty are one context.
    public.verify(b"message", key.sign(b"message"), b"")
    assert key.sign(b"message") != key.sign(b"message")


@EACH
def test_files_are_those_of_the_vectors(module: Any, degree: int) -> None:
    case = FILES[f"{'' if module is fn_dsa else 'ed25519+'}fn-dsa-{degree}"]
    key = KEYS[module, degree]
    assert SEED.hex() == case["seed"]
    assert key.to_der().hex() == case["pkcs8"] and key.verifying_key.to_der().hex() == case["spki"]
    assert module.SigningKey.from_der(bytes.fromhex(case["pkcs8"])) == key
    assert module.VerifyingKey.from_der(bytes.fromhex(case["spki"])) == key.verifying_key


@EACH
def test_keys_encode_compare_and_have_files(module: Any, degree: int) -> None:
    key, public = KEYS[module, degree], KEYS[module, degree].verifying_key
    assert len(bytes(public)) == SIZES[module, degree][0]
    assert module.VerifyingKey(public.to_bytes()) == public and hash(public) == hash(module.VerifyingKey(bytes(public)))
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(public, protocol)) == public
    assert copy.copy(public) == public and copy.deepcopy(key) is key
    again = module.SigningKey(key.to_bytes()) if module is fn_dsa else module.SigningKey(key.to_bytes(), degree)
    assert again == key and hash(again) == hash(key) != hash(public)
    assert module.SigningKey.from_der(key.to_der()) == module.SigningKey.from_pem(key.to_pem()) == key
    assert module.VerifyingKey.from_der(public.to_der()) == module.VerifyingKey.from_pem(public.to_pem()) == public
    assert module.SigningKey.generate(degree) != key
    assert str(degree) in repr(key) and str(degree) in repr(public)
    with pytest.raises(ValueError, match="^der: "):
        module.SigningKey.from_der(public.to_der())


@EACH
def test_mistakes_are_named(module: Any, degree: int) -> None:
    key = KEYS[module, degree]
    size = SIZES[module, degree][1]
    for call, error, words in [
        (lambda: key.verifying_key.verify(b"", bytes(5)), InvalidSignatureLength, f"signature: {size} bytes are needed, not 5"),
        (lambda: key.verifying_key.is_valid(b"", b""), InvalidSignatureLength, f"signature: {size} bytes are needed, not 0"),
        (lambda: key.verifying_key.verify(b"", 5), TypeError, "signature: a bytes-like object is needed, not int"),
        (lambda: key.sign("text"), TypeError, "message: a bytes-like object is needed, not str"),
        (lambda: key.sign(b"", bytes(256)), ValueError, "context: 0 to 255 bytes are needed, not 256"),
        (lambda: key.sign(b"", "text"), TypeError, "context: a bytes-like object is needed, not str"),
        (lambda: module.VerifyingKey(bytes(7)), ValueError, "key: .* or .* bytes are needed, not 7"),
        (lambda: module.VerifyingKey(bytes(SIZES[module, degree][0])), ValueError, "key: not an encoded"),
        (lambda: module.SigningKey(bytes(7)), ValueError, "(key|seed): .* bytes are needed, not 7"),
        (lambda: module.SigningKey.generate(256), ValueError, "degree: 512 or 1024 is needed, not 256"),
        (lambda: module.SigningKey.generate(2**70), ValueError, "degree: 512 or 1024 is needed, not a number as large"),
        (lambda: module.SigningKey.generate(-1), ValueError, "degree: 512 or 1024 is needed, not .* below zero"),
        (lambda: module.SigningKey.generate("512"), TypeError, "degree: an int is needed, not str"),
        (lambda: module.SigningKey.generate(512.0), TypeError, "degree: an int is needed, not float"),
        (lambda: module.SigningKey.generate(None), TypeError, "degree: an int is needed, not NoneType"),
    ]:
        with pytest.raises(error, match=f"^{words}"):
            call()


def test_an_fn_dsa_key_must_belong_together() -> None:
    key = bytearray(KEYS[fn_dsa, 512].to_bytes())
    key[300] ^= 1
    with pytest.raises(ValueError, match="^key: not an encoded key"):
        fn_dsa.SigningKey(key)


@pytest.mark.parametrize("case", HYBRID, ids=lambda case: case["algorithm"])
def test_hybrid_keys_and_signatures_are_those_of_the_vectors(case: dict[str, str]) -> None:
    degree = int(case["algorithm"].rsplit("-", 1)[1])
    key = hybrid.SigningKey(bytes.fromhex(case["seed"]), degree)
    assert bytes(key.verifying_key).hex() == case["verifying_key"]
    row = [bytes.fromhex(case[name]) for name in ("message", "signature", "context")]
    key.verifying_key.verify(*row)
    # The half of FN-DSA is the key of its seed.
    half = fn_dsa.SigningKey.from_seed(bytes.fromhex(case["fn_dsa_seed"]), degree)
    assert bytes(key.verifying_key)[32:] == bytes(half.verifying_key)


def digest(name: str, message: bytes) -> bytes:
    made = hashlib.new(name, message)
    return made.digest({"shake_128": 32, "shake_256": 64}[name]) if name.startswith("shake") else made.digest()  # type: ignore[call-arg]


@pytest.mark.parametrize("degree", [512, 1024])
def test_hashes_in_the_place_of_messages(degree: int) -> None:
    key = KEYS[fn_dsa, degree]
    public = key.verifying_key
    assert set(fn_dsa.PREHASHES) <= hashlib.algorithms_available
    hashes = {name: digest(name, b"a message") for name in fn_dsa.PREHASHES}
    for name, hashed in hashes.items():
        for sign in (key.sign, key.sign_checked):
            signature = sign(hashed, b"ctx", prehash=name)
            public.verify(hashed, signature, b"ctx", prehash=name)
            # It is a signature of nothing else: not of the hash as a message, and not of a hash by another function.
            assert not public.is_valid(hashed, signature, b"ctx")
            assert not public.is_valid(hashed, signature, prehash=name)
            for other, its in hashes.items():
                if other != name and len(its) == len(hashed):
                    assert not public.is_valid(hashed, signature, b"ctx", prehash=other)
        for call in (
            lambda wrong, name=name: key.sign(wrong, prehash=name),
            lambda wrong, name=name: public.is_valid(wrong, signature, prehash=name),
        ):
            with pytest.raises(ValueError, match=f"^message, which is a hash,: {len(hashed)} bytes are needed, not 9"):
                call(b"a message")
    with pytest.raises(ValueError, match="^prehash: one of sha256, .*shake_256 is needed"):
        key.sign(bytes(20), prehash="sha1")
    with pytest.raises(TypeError, match="^prehash: a str is needed, not builtin_function_or_method"):
        key.sign(bytes(64), prehash=hashlib.sha512)
    with pytest.raises(ValueError, match="from_seed"):
        fn_dsa.SigningKey(SEED)


def test_signatures_of_hashes_by_the_npm_package() -> None:
    cases = json.loads((Path(__file__).parent / "fn_dsa_prehash.json").read_text())
    assert [case["prehash"] for case in cases] == list(fn_dsa.PREHASHES)
    public = KEYS[fn_dsa, 512].verifying_key
    for case in cases:
        hashed = digest(case["prehash"], b"a message")
        public.verify(hashed, bytes.fromhex(case["signature"]), b"an example", prehash=case["prehash"])


@pytest.mark.parametrize("degree", [512, 1024])
def test_digests_of_hybrid_signatures(degree: int) -> None:
    key = KEYS[hybrid, degree]
    public = key.verifying_key
    hashed = hashlib.sha512(b"a message").digest()
    for sign in (key.sign_digest, key.sign_digest_checked):
        for context in (None, b"ctx"):
            signature = sign(hashed, context)
            public.verify(b"a message", signature, context)
            public.verify_digest(bytearray(hashed), signature, context)
            assert not public.is_valid_digest(hashed, signature, b"another")
            assert not public.is_valid_digest(hashed[::-1], signature, context)
            assert not public.is_valid(hashed, signature, context)
            with pytest.raises(InvalidSignature):
                public.verify_digest(hashed[::-1], signature, context)
    public.verify_digest(hashed, key.sign(b"a message"))
    for call in (key.sign_digest, key.sign_digest_checked, lambda wrong: public.is_valid_digest(wrong, signature)):
        with pytest.raises(ValueError, match="^digest: 64 bytes are needed, not 9"):
            call(b"a message")
    # The seed does not say the degree.
    assert hybrid.SigningKey.from_seed(key.to_bytes(), key.degree) == key


def test_batches_equal_single_verification() -> None:
    numpy = pytest.importorskip("numpy")
    small, large = KEYS[fn_dsa, 512], KEYS[fn_dsa, 1024]
    keys, messages, signatures, expected = [], [], [], []
    for i in range(70):
        key, message = (small, large)[i % 5 == 4], f"message {i}".encode()
        signature = key.sign(message, b"batch")
        if i % 7 == 3:
            signature = signature[:50] + bytes([signature[50] ^ 4]) + signature[51:]
        keys.append(bytes(key.verifying_key))
        messages.append(message)
        signatures.append(signature)
        expected.append(i % 7 != 3)
    # Rows that are no key and no signature.
    keys[10], signatures[20] = bytes(897), b"short"
    expected[10] = expected[20] = False
    assert fn_dsa.verify_batch(keys, messages, signatures, b"batch") == expected
    assert fn_dsa.verify_batch(keys, messages, signatures) == [False] * 70
    assert fn_dsa.verify_batch([], [], []) == []
    public = numpy.frombuffer(bytes(small.verifying_key) * 3, dtype=numpy.uint8).reshape(3, -1)
    same = numpy.frombuffer(small.sign(b"abc") * 3, dtype=numpy.uint8).reshape(3, -1)
    assert fn_dsa.verify_batch(public, [b"abc", b"abd", b"abc"], same) == [True, False, True]
    with pytest.raises(ValueError, match="^signatures: 1 rows, and public_keys has 2"):
        fn_dsa.verify_batch(keys[:2], messages[:2], signatures[:1])
    with pytest.raises(TypeError, match="^messages: "):
        fn_dsa.verify_batch(keys[:2], b"no", signatures[:2])
