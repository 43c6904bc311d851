"""lanner.cryptography_x25519 beside cryptography, and without it."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from typing import Any

import pytest
from conftest import vectors

from lanner import x25519
from lanner.cryptography_x25519 import X25519PrivateKey, X25519PublicKey

theirs = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.x25519")
serialization = pytest.importorskip("cryptography.hazmat.primitives.serialization")

CASES = vectors("x25519.json")["cases"]
SEED = bytes(range(32))


def test_shared_secrets_are_those_of_cryptography(like: Any) -> None:
    refused = 0
    for case in CASES:
        scalar, u = bytes.fromhex(case["scalar"]), bytes.fromhex(case["u"])
        found = []
        for secret, public in [
            (X25519PrivateKey.from_private_bytes(like(scalar)), X25519PublicKey.from_public_bytes(like(u))),
            # A public key of cryptography's is taken.
            (X25519PrivateKey.from_private_bytes(scalar), theirs.X25519PublicKey.from_public_bytes(u)),
            (theirs.X25519PrivateKey.from_private_bytes(scalar), theirs.X25519PublicKey.from_public_bytes(u)),
        ]:
            try:
                found.append(secret.exchange(public))
            except ValueError:
                found.append(None)
        expected = bytes.fromhex(case["out"]) if case["contributory"] else None
        assert found == [expected] * 3
        refused += expected is None
    assert 0 < refused < len(CASES)


@pytest.mark.parametrize("password", [None, b"password"])
@pytest.mark.parametrize(("encoding", "form"), [("Raw", "Raw"), ("PEM", "PKCS8"), ("DER", "PKCS8")])
def test_keys_are_written_as_cryptography_writes_them(encoding: str, form: str, password: Any) -> None:
    key, reference = X25519PrivateKey.from_private_bytes(SEED), theirs.X25519PrivateKey.from_private_bytes(SEED)
    raw = serialization.Encoding.Raw, serialization.PublicFormat.Raw
    assert key.private_bytes_raw() == SEED and key.public_key().public_bytes_raw() == reference.public_key().public_bytes(*raw)
    how = getattr(serialization.Encoding, encoding), getattr(serialization.PrivateFormat, form)
    if password and form != "Raw":
        written = key.private_bytes(*how, serialization.BestAvailableEncryption(password))
        loaded = getattr(serialization, f"load_{encoding.lower()}_private_key")(written, password)
        assert loaded.public_key() == key.public_key() and isinstance(loaded, X25519PrivateKey)
    elif not password:
        plain = serialization.NoEncryption()
        assert key.private_bytes(*how, plain) == reference.private_bytes(*how, plain)
    public = how[0], serialization.PublicFormat.Raw if form == "Raw" else serialization.PublicFormat.SubjectPublicKeyInfo
    assert key.public_key().public_bytes(*public) == reference.public_key().public_bytes(*public)


def test_keys_are_instances_and_equals_of_those_of_cryptography() -> None:
    ours, reference = X25519PrivateKey.from_private_bytes(SEED), theirs.X25519PrivateKey.from_private_bytes(SEED)
    for key in (ours, reference):
        for own, others in ((X25519PrivateKey, X25519PublicKey), (theirs.X25519PrivateKey, theirs.X25519PublicKey)):
            assert isinstance(key, own) and isinstance(key.public_key(), others)
            assert not isinstance(key, others) and not isinstance(key.public_key(), own)
    assert ours.public_key() == reference.public_key() == ours.public_key()
    assert ours.public_key() != X25519PrivateKey.generate().public_key() and ours.public_key() != SEED
    assert ours == X25519PrivateKey.from_private_bytes(SEED) and ours != X25519PrivateKey.generate()
    assert ours != reference and reference != ours
    assert hash(ours) == hash(X25519PrivateKey.from_private_bytes(SEED)) and hash(ours.public_key()) == hash(ours.public_key())


def test_keys_are_copied_and_pickled_unless_they_are_secret() -> None:
    key = X25519PrivateKey.from_private_bytes(SEED)
    public = key.public_key()
    for value in (key, public):
        assert copy.copy(value) is value and copy.deepcopy(value) is value
    assert public.public_bytes_raw().hex() in repr(public)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(public, protocol)) == public
    with pytest.raises(TypeError):
        public < public  # type: ignore[operator]  # noqa: B015


def test_mistakes_are_named() -> None:
    key, point_of_small_order = X25519PrivateKey.generate(), X25519PublicKey.from_public_bytes(bytes(32))
    for call, error, words in [
        (lambda: X25519PrivateKey.from_private_bytes(bytes(31)), ValueError, "data: 32 bytes are needed, not 31"),
        (lambda: X25519PrivateKey.from_private_bytes("x"), TypeError, "data: a bytes-like object is needed, not str"),
        (lambda: X25519PublicKey.from_public_bytes(bytes(33)), ValueError, "data: 32 bytes are needed, not 33"),
        (lambda: X25519PublicKey.from_public_bytes(7), TypeError, "data: a bytes-like object is needed, not int"),
        (lambda: key.exchange(os.urandom(32)), TypeError, "peer_public_key: an X25519PublicKey is needed, not bytes"),
        (lambda: key.exchange(key), TypeError, "peer_public_key: an X25519PublicKey is needed, not X25519PrivateKey"),
        (lambda: key.exchange(point_of_small_order), x25519.NonContributory, "peer_public_key: a point of small order"),
        (X25519PrivateKey, TypeError, "X25519PrivateKey is made by"),
        (X25519PublicKey, TypeError, "X25519PublicKey is made by"),
    ]:
        with pytest.raises(error, match=f"^{words}"):
            call()


WITHOUT = """
import sys
for name in ("nacl", "cryptography"):
    sys.modules[name] = None
from lanner import x25519
from lanner.cryptography_x25519 import *
key, other = X25519PrivateKey.from_private_bytes(bytes(range(32))), X25519PrivateKey.generate()
public, plain = key.public_key(), NoEncryption()
assert key.exchange(other.public_key()) == other.exchange(public)
assert key.private_bytes(Encoding.Raw, PrivateFormat.Raw, plain) == key.private_bytes_raw() == bytes(range(32))
pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, plain)
der = key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, plain)
assert x25519.SecretKey.from_pem(pem) == x25519.SecretKey.from_der(der) == x25519.SecretKey(bytes(range(32)))
pem = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
der = public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
raw = public.public_bytes(Encoding.Raw, PublicFormat.Raw)
assert bytes(x25519.PublicKey.from_pem(pem)) == bytes(x25519.PublicKey.from_der(der)) == raw == public.public_bytes_raw()

class Odd(KeySerializationEncryption):
    pass

for call, error in [
    (lambda: key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, Odd()), UnsupportedAlgorithm),
    (lambda: key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, plain), ValueError),
    (lambda: key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, None), TypeError),
    (lambda: public.public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH), ValueError),
]:
    try:
        call()
    except error:
        pass
    else:
        raise AssertionError(error)
print("done")
"""


def test_it_works_without_cryptography() -> None:
    run = subprocess.run([sys.executable, "-W", "error", "-c", WITHOUT], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("done\n", "")
