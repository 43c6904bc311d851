"""X25519: the project's own vectors, errors, key files."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from conftest import vectors

from lanner import x25519

RFC = vectors("rfc7748.json")
CASES = vectors("x25519.json")["cases"] + RFC["x25519"]


def test_results_are_those_of_the_vectors() -> None:
    small = 0
    for case in CASES:
        secret = x25519.SecretKey(bytes.fromhex(case["scalar"]))
        public = bytes.fromhex(case["u"])
        if case["contributory"]:
            expected = bytes.fromhex(case["out"])
            assert secret.exchange(public) == secret.exchange(x25519.PublicKey(public)) == expected
        else:
            small += 1
            with pytest.raises(x25519.NonContributory, match="^public_key: ") as raised:
                secret.exchange(public)
            assert isinstance(raised.value, ValueError)
    assert small > 0


def test_both_parties_agree() -> None:
    names = ("alice_secret", "alice_public", "bob_secret", "bob_public", "shared")
    values = {name: bytes.fromhex(RFC["diffie_hellman"][name]) for name in names if name in RFC["diffie_hellman"]}
    alice, bob = x25519.SecretKey(values["alice_secret"]), x25519.SecretKey(values["bob_secret"])
    assert bytes(alice.public_key) == values["alice_public"] and bytes(bob.public_key) == values["bob_public"]
    assert alice.exchange(bob.public_key) == bob.exchange(alice.public_key)
    if "shared" in values:
        assert alice.exchange(bob.public_key) == values["shared"]


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda k: x25519.SecretKey(bytes(31)), ValueError, "key: 32 bytes are needed, not 31"),
        (lambda k: x25519.SecretKey("x"), TypeError, "key: a bytes-like object is needed, not str"),
        (lambda k: x25519.PublicKey(bytes(33)), ValueError, "key: 32 bytes are needed, not 33"),
        (lambda k: k.exchange(bytes(33)), ValueError, "public_key: 32 bytes are needed, not 33"),
        (lambda k: k.exchange(k), TypeError, "public_key: a bytes-like object is needed, not SecretKey"),
    ],
)
def test_mistakes_are_named(call: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=f"^{words}"):
        call(x25519.SecretKey.generate())


def test_keys_compare_copy_and_have_files() -> None:
    key, other = x25519.SecretKey(bytes(range(32))), x25519.SecretKey.generate()
    assert key == x25519.SecretKey(bytearray(range(32))) != other
    assert hash(key) == hash(x25519.SecretKey(bytes(range(32)))) != hash(key.public_key)
    assert copy.deepcopy(key) is key and key.to_bytes() == bytes(range(32))
    assert x25519.SecretKey.from_der(key.to_der()) == x25519.SecretKey.from_pem(key.to_pem()) == key
    public = key.public_key
    assert x25519.PublicKey.from_der(public.to_der()) == x25519.PublicKey.from_pem(public.to_pem()) == public
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(public, protocol)) == public
    assert public.to_bytes().hex() in repr(public)
    with pytest.raises(ValueError, match="^der: "):
        x25519.SecretKey.from_der(public.to_der())


def test_the_results_are_those_of_cryptography() -> None:
    theirs = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.x25519")
    for _ in range(50):
        key, other = x25519.SecretKey.generate(), x25519.SecretKey.generate()
        their_key = theirs.X25519PrivateKey.from_private_bytes(key.to_bytes())
        assert their_key.public_key().public_bytes_raw() == bytes(key.public_key)
        their_public = theirs.X25519PublicKey.from_public_bytes(bytes(other.public_key))
        assert their_key.exchange(their_public) == key.exchange(other.public_key)
