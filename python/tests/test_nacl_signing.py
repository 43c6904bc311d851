"""lanner.nacl_signing beside PyNaCl, and without it."""

from __future__ import annotations

import array
import copy
import os
import pickle
import subprocess
import sys
from typing import Any

import pytest
from conftest import vectors

from lanner import InvalidSignature
from lanner.nacl_signing import (
    BadSignatureError,
    CryptoError,
    PrivateKey,
    PublicKey,
    SignedMessage,
    SigningKey,
    VerifyKey,
    encoding,
)

nacl_signing = pytest.importorskip("nacl.signing")
nacl_public = pytest.importorskip("nacl.public")
nacl_encoding = pytest.importorskip("nacl.encoding")
nacl_exceptions = pytest.importorskip("nacl.exceptions")

VERIFY = vectors("ed25519_verify.json")["cases"]
SEED = bytes(range(32))
ENCODERS = [name for name in encoding.__all__ if name != "Encoder"]


def test_signatures_are_those_of_pynacl() -> None:
    for length in (0, 1, 63, 64, 65, 1000, 5000):
        seed, message = os.urandom(32), os.urandom(length)
        ours, theirs = SigningKey(seed), nacl_signing.SigningKey(seed)
        assert bytes(ours.verify_key) == bytes(theirs.verify_key) and bytes(ours) == bytes(theirs)
        signed = ours.sign(message)
        assert isinstance(signed, SignedMessage) and isinstance(signed, bytes)
        assert signed == theirs.sign(message) and signed == signed.signature + signed.message
        assert theirs.verify_key.verify(signed) == ours.verify_key.verify(theirs.sign(message)) == message
        assert ours.verify_key.verify(message, signed.signature) == message
        assert pickle.loads(pickle.dumps(signed)).signature == signed.signature


@pytest.mark.parametrize("name", ENCODERS)
def test_encoders_are_those_of_pynacl(name: str) -> None:
    ours, theirs = getattr(encoding, name), getattr(nacl_encoding, name)
    key = SigningKey(SEED)
    reference = nacl_signing.SigningKey(SEED)
    assert ours.encode(data=SEED) == theirs.encode(data=SEED) and ours.decode(data=theirs.encode(data=SEED)) == SEED
    for encoder in (ours, theirs):
        signed = key.sign(b"message\xff", encoder)
        expected = reference.sign(b"message\xff", theirs)
        assert (signed, signed.message, signed.signature) == (expected, expected.message, expected.signature)
        assert key.verify_key.verify(signed, encoder=encoder) == b"message\xff"
        assert key.verify_key.verify(signed.message, encoder.decode(signed.signature), encoder) == b"message\xff"
        assert SigningKey(key.encode(encoder), encoder) == key
        assert VerifyKey(key.verify_key.encode(encoder), encoder) == key.verify_key
        private = key.to_curve25519_private_key()
        assert PrivateKey(private.encode(encoder), encoder) == private
        assert PublicKey(private.public_key.encode(encoder), encoder) == private.public_key


def test_the_edge_cases_have_the_verdicts_of_pynacl() -> None:
    accepted = 0
    for case in VERIFY:
        key, message, signature = (bytes.fromhex(case[name]) for name in ("key", "msg", "sig"))

        def valid(verify_key: Any, key: bytes = key, message: bytes = message, signature: bytes = signature) -> bool:
            public, verdicts = verify_key(key), set()
            # A key that is used again goes another way.
            for _ in range(3):
                try:
                    verdicts.add(public.verify(message, signature) == message)
                except nacl_exceptions.BadSignatureError:
                    verdicts.add(False)
            (verdict,) = verdicts
            return verdict

        expected = "libsodium" in case["accept"]
        accepted += expected
        assert valid(nacl_signing.VerifyKey) == valid(VerifyKey) == expected, case["id"]
    assert 0 < accepted < len(VERIFY)


def test_conversions_are_those_of_pynacl() -> None:
    points = vectors("points.json")["cases"]
    refused = 0
    for octets in [bytes(SigningKey.generate().verify_key), *(bytes.fromhex(case["bytes"]) for case in points)]:
        try:
            expected = bytes(nacl_signing.VerifyKey(octets).to_curve25519_public_key())
        except nacl_exceptions.RuntimeError:
            refused += 1
            with pytest.raises(nacl_exceptions.RuntimeError):
                VerifyKey(octets).to_curve25519_public_key()
        else:
            assert bytes(VerifyKey(octets).to_curve25519_public_key()) == expected
    assert refused > 0
    key = SigningKey(SEED)
    private = key.to_curve25519_private_key()
    assert bytes(private) == bytes(nacl_signing.SigningKey(SEED).to_curve25519_private_key())
    assert private.public_key == key.verify_key.to_curve25519_public_key()
    assert bytes(PrivateKey.from_seed(SEED)) == bytes(nacl_public.PrivateKey.from_seed(SEED))


def test_converted_keys_open_boxes() -> None:
    alice, bob = SigningKey.generate(), SigningKey.generate()
    box = nacl_public.Box(alice.to_curve25519_private_key(), bob.verify_key.to_curve25519_public_key())
    other = nacl_public.Box(bob.to_curve25519_private_key(), alice.verify_key.to_curve25519_public_key())
    assert other.decrypt(box.encrypt(b"message")) == b"message"
    sealed = nacl_public.SealedBox(bob.verify_key.to_curve25519_public_key()).encrypt(b"sealed")
    assert nacl_public.SealedBox(bob.to_curve25519_private_key()).decrypt(sealed) == b"sealed"


def test_errors_are_those_of_pynacl() -> None:
    key = SigningKey(SEED).verify_key
    for verify in (
        lambda: key.verify(bytes(64)),
        lambda: key.verify(b"too short"),
        lambda: key.verify(b"message", bytes(64)),
        lambda: VerifyKey(b"\x02" + bytes(31)).verify(bytes(64)),
    ):
        for error in (BadSignatureError, InvalidSignature, CryptoError, nacl_exceptions.BadSignatureError):
            with pytest.raises(error):
                verify()
    for call, error, words in [
        (lambda: SigningKey(bytes(31)), ValueError, "seed: 32 bytes are needed, not 31"),
        (lambda: SigningKey(array.array("b", bytes(31))), ValueError, "seed: 32 bytes are needed, not 31"),
        (lambda: SigningKey(array.array("I", bytes(32))), TypeError, "SigningKey must be created from a 32 byte seed"),
        (lambda: VerifyKey(array.array("I", bytes(32))), TypeError, "VerifyKey must be created from 32 bytes"),
        (lambda: SigningKey(SEED).sign(array.array("I", [1])), TypeError, "message must be made from bytes, not from array"),
        (lambda: PublicKey(array.array("I", bytes(32))), TypeError, "PublicKey must be created from 32 bytes"),
        (lambda: PrivateKey(array.array("I", bytes(32))), TypeError, "PrivateKey must be created from a 32 bytes"),
        (lambda: SigningKey("x"), TypeError, "SigningKey must be created from a 32 byte seed, not from str"),
        (lambda: VerifyKey(bytes(31)), ValueError, "key: 32 bytes are needed, not 31"),
        (lambda: VerifyKey(None), TypeError, "VerifyKey must be created from 32 bytes, not from NoneType"),
        (lambda: key.verify(b"", bytes(63)), ValueError, "signature: 64 bytes are needed, not 63"),
        (lambda: key.verify("text", bytes(64)), TypeError, "smessage must be made from bytes, not from str"),
        (lambda: SigningKey(SEED).sign("text"), TypeError, "message must be made from bytes, not from str"),
        # PyNaCl takes these as bytes.
        (lambda: SigningKey(SEED).sign([1, 2, 3]), TypeError, "message must be made from bytes, not from list"),
        (lambda: PublicKey(bytes(31)), ValueError, "public_key: 32 bytes are needed, not 31"),
        (lambda: PublicKey(1), TypeError, "PublicKey must be created from 32 bytes"),
        (lambda: PrivateKey(bytes(31)), TypeError, "PrivateKey must be created from a 32 bytes long raw secret key"),
        (lambda: PrivateKey.from_seed(bytes(31)), TypeError, "PrivateKey seed must be a 32 bytes long"),
    ]:
        with pytest.raises(error, match=f"^{words}") as raised:
            call()
        assert isinstance(raised.value, CryptoError)


def test_keys_compare_copy_and_take_every_buffer(like: Any) -> None:
    key = SigningKey(like(SEED))
    assert key == SigningKey(SEED) and hash(key) == hash(SigningKey(SEED)) and key != SEED
    assert copy.copy(key) == copy.deepcopy(key) == key
    signed = key.sign(like(b"message"))
    assert key.verify_key.verify(like(signed)) == b"message" == key.verify_key.verify(like(b"message"), like(signed[:64]))
    public = VerifyKey(like(bytes(key.verify_key)))
    assert public == key.verify_key != VerifyKey(bytes(32)) and copy.deepcopy(public) == public
    assert str(public) == str(bytes(public))
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(public, protocol))
        assert again == public and again.verify(signed) == b"message"
    agreeing = key.to_curve25519_private_key()
    assert PrivateKey(like(bytes(agreeing))) == agreeing == copy.deepcopy(agreeing)
    assert PublicKey(like(bytes(agreeing.public_key))) == agreeing.public_key == copy.deepcopy(agreeing.public_key)


def test_keys_equal_those_of_pynacl() -> None:
    ours, theirs = SigningKey(SEED), nacl_signing.SigningKey(SEED)
    pairs = [
        (ours.verify_key, theirs.verify_key, nacl_signing.VerifyKey(bytes(32)), nacl_signing.VerifyKey),
        (
            ours.to_curve25519_private_key(),
            theirs.to_curve25519_private_key(),
            nacl_public.PrivateKey.generate(),
            nacl_public.PrivateKey,
        ),
        (
            ours.verify_key.to_curve25519_public_key(),
            theirs.verify_key.to_curve25519_public_key(),
            nacl_public.PublicKey(bytes(32)),
            nacl_public.PublicKey,
        ),
    ]
    for key, same, other, kind in pairs:
        assert key == same and same == key and not key != same and not same != key
        assert key != other and other != key and not key == other and not other == key
        assert key != SEED and key != bytes(key) and isinstance(key, kind) and hash(key) == hash(same)
    # Theirs have the hash of the secret.
    assert isinstance(ours, nacl_signing.SigningKey) and ours != theirs and theirs != ours and len({ours, theirs}) == 2
    assert isinstance(ours.sign(b""), nacl_signing.SignedMessage)


def test_attributes_that_are_not_public_are_those_of_pynacl() -> None:
    ours, theirs = SigningKey(SEED), nacl_signing.SigningKey(SEED)
    private = ours.to_curve25519_private_key(), theirs.to_curve25519_private_key()
    for keys, names in [
        ((ours, theirs), ["_seed", "_signing_key"]),
        ((ours.verify_key, theirs.verify_key), ["_key"]),
        (private, ["_private_key"]),
        ([key.public_key for key in private], ["_public_key"]),
    ]:
        for name in names:
            own, other = (getattr(key, name) for key in keys)
            assert type(own) is bytes and own == other


def test_equal_keys_have_the_same_hash() -> None:
    ours = SigningKey, VerifyKey, PrivateKey, PublicKey
    theirs = nacl_signing.SigningKey, nacl_signing.VerifyKey, nacl_public.PrivateKey, nacl_public.PublicKey
    keys: list[Any] = []
    for seed in (SEED, bytes(32)):
        key = SigningKey(seed)
        private = key.to_curve25519_private_key()
        octets = [bytes(one) for one in (key, key.verify_key, private, private.public_key)]
        for kinds in (ours, theirs):
            for kind, own in zip(kinds, octets, strict=True):
                keys += [kind(own), kind(own), type("Derived", (kind,), {})(own)]
    equal = 0
    for one in keys:
        for other in keys:
            assert (one == other) is not (one != other)
            assert one != other or hash(one) == hash(other)
            equal += one is not other and one == other
    # Of both packages, and of their subclasses.
    assert equal > 20


class Labelled(VerifyKey):
    def __init__(self, key: bytes, label: str) -> None:
        super().__init__(key)
        self.label = label


def test_subclasses_keep_what_is_theirs() -> None:
    labelled = Labelled(bytes(SigningKey(SEED).verify_key), "mine")
    copies = [pickle.loads(pickle.dumps(labelled, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    for copied in (copy.copy(labelled), copy.deepcopy(labelled), *copies):
        assert type(copied) is Labelled and copied == labelled and copied.label == "mine"

    class Slotted(SigningKey):
        __slots__ = ("name",)

    for key in (SigningKey(SEED), Slotted(SEED), SigningKey(SEED).to_curve25519_private_key()):
        key.tags, key.name, key.itself = ["a"], ["b"], key
        shallow, deep = copy.copy(key), copy.deepcopy(key)
        assert type(shallow) is type(deep) is type(key) and shallow == deep == key
        assert shallow.tags is key.tags and shallow.name is key.name and shallow.itself is key
        assert deep.tags == ["a"] and deep.name == ["b"] and deep.tags is not key.tags and deep.name is not key.name
        assert deep.itself is deep and shallow is not key
        # The secret is in one object.
        assert shallow._key is deep._key is key._key


def test_subclasses_are_made() -> None:
    class Named(SigningKey):
        def __init__(self, seed: bytes, name: str = "nobody") -> None:
            super().__init__(seed)
            self.name = name

    class NamedPrivate(PrivateKey):
        def __init__(self, private_key: bytes, name: str = "nobody") -> None:
            super().__init__(private_key)
            self.name = name

    for named in (Named, NamedPrivate):
        assert named.generate().name == "nobody" and type(named.generate()) is named
    assert type(SigningKey.generate()) is SigningKey and type(PrivateKey.generate()) is PrivateKey
    assert NamedPrivate.generate() != NamedPrivate.generate()


WITHOUT = """
import sys
for name in ("nacl", "cryptography"):
    sys.modules[name] = None
from lanner.nacl_signing import *
from lanner.nacl_signing import exceptions, encoding
key = SigningKey(bytes(32))
assert key.verify_key.verify(key.sign(b"message", encoding.HexEncoder), encoder=encoding.HexEncoder) == b"message"
for call, error in [
    (lambda: key.verify_key.verify(bytes(64)), BadSignatureError),
    (lambda: SigningKey(1), exceptions.TypeError),
    (lambda: SigningKey(b""), exceptions.ValueError),
    (lambda: VerifyKey(bytes([1]) + bytes(31)).to_curve25519_public_key(), exceptions.RuntimeError),
]:
    try:
        call()
    except error as raised:
        assert isinstance(raised, CryptoError)
    else:
        raise AssertionError(error)
assert key.to_curve25519_private_key().public_key == key.verify_key.to_curve25519_public_key()
print("done")
"""


def test_it_works_without_pynacl() -> None:
    run = subprocess.run([sys.executable, "-W", "error", "-c", WITHOUT], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("done\n", "")
