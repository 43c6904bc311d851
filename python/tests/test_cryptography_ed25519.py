"""lanner.cryptography_ed25519 beside cryptography, and without it."""

from __future__ import annotations

import array
import copy
import datetime
import importlib
import importlib.metadata
import os
import pickle
import subprocess
import sys
from typing import Any

import pytest
from conftest import vectors

import lanner
from lanner import arrow, ed25519
from lanner.cryptography_ed25519 import Ed25519PrivateKey, Ed25519PublicKey, InvalidSignature, serialization

theirs = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ed25519")
their_serialization = pytest.importorskip("cryptography.hazmat.primitives.serialization")
their_exceptions = pytest.importorskip("cryptography.exceptions")
x509 = pytest.importorskip("cryptography.x509")

VERIFY = vectors("ed25519_verify.json")["cases"]
SEED = bytes(range(32))
#: `oldest.py` has these tests run with the oldest version of cryptography that is promised to work.
MAJOR = int(importlib.metadata.version("cryptography").split(".")[0])
PRIVATE = [("Raw", "Raw"), ("PEM", "PKCS8"), ("DER", "PKCS8"), ("PEM", "OpenSSH")]
PUBLIC = [("Raw", "Raw"), ("PEM", "SubjectPublicKeyInfo"), ("DER", "SubjectPublicKeyInfo"), ("OpenSSH", "OpenSSH")]


def raw(public: Any) -> bytes:
    """The bytes of a public key in a way that all versions know."""
    octets: bytes = public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return octets


def raw_private(key: Any) -> bytes:
    """Those of a secret key."""
    how = serialization.Encoding.Raw, serialization.PrivateFormat.Raw, serialization.NoEncryption()
    octets: bytes = key.private_bytes(*how)
    return octets


def test_signatures_are_those_of_cryptography(like: Any) -> None:
    for length in (0, 1, 63, 64, 65, 1000, 5000):
        seed, message = os.urandom(32), os.urandom(length)
        ours = Ed25519PrivateKey.from_private_bytes(like(seed))
        reference = theirs.Ed25519PrivateKey.from_private_bytes(seed)
        signature = ours.sign(like(message))
        assert signature == reference.sign(message)
        assert ours.public_key().public_bytes_raw() == raw(reference.public_key())
        public = Ed25519PublicKey.from_public_bytes(like(raw(reference.public_key())))
        assert public == ours.public_key()
        public.verify(like(signature), like(message))
        with pytest.raises(InvalidSignature):
            ours.public_key().verify(signature, message + b"x")


def test_the_edge_cases_have_the_verdicts_of_cryptography() -> None:
    accepted = 0
    for case in VERIFY:
        key, message, signature = (bytes.fromhex(case[name]) for name in ("key", "msg", "sig"))

        def valid(key_type: Any, key: bytes = key, message: bytes = message, signature: bytes = signature) -> bool:
            public, verdicts = key_type.from_public_bytes(key), set()
            # A key that is used again goes another way.
            for _ in range(3):
                try:
                    public.verify(signature, message)
                    verdicts.add(True)
                except their_exceptions.InvalidSignature:
                    verdicts.add(False)
            (verdict,) = verdicts
            return verdict

        expected = "dalek" in case["accept"]
        accepted += expected
        assert valid(Ed25519PublicKey) == expected, case["id"]
        assert valid(theirs.Ed25519PublicKey) == expected, case["id"]
    assert 0 < accepted < len(VERIFY)


@pytest.mark.parametrize("password", [None, b"password"])
@pytest.mark.parametrize(("encoding", "form"), PRIVATE)
def test_secret_keys_are_written_and_read_as_cryptography_does(encoding: str, form: str, password: Any) -> None:
    how = (
        getattr(serialization.Encoding, encoding),
        getattr(serialization.PrivateFormat, form),
        serialization.BestAvailableEncryption(password) if password else serialization.NoEncryption(),
    )
    key, reference = Ed25519PrivateKey.from_private_bytes(SEED), theirs.Ed25519PrivateKey.from_private_bytes(SEED)
    if form == "OpenSSH" and password:
        # What cryptography encrypts these with.
        pytest.importorskip("bcrypt")
    if form == "Raw":
        if password:
            with pytest.raises(ValueError):
                key.private_bytes(*how)
        else:
            assert key.private_bytes(*how) == reference.private_bytes(*how) == SEED == key.private_bytes_raw()
        return
    written = key.private_bytes(*how)
    if password is None and form != "OpenSSH":
        assert written == reference.private_bytes(*how)
    load = "ssh" if form == "OpenSSH" else encoding.lower()
    ours = getattr(serialization, f"load_{load}_private_key")
    other = getattr(their_serialization, f"load_{load}_private_key")
    assert ours(written, password) == key and type(ours(written, password)) is Ed25519PrivateKey
    assert raw_private(other(written, password)) == SEED
    assert ours(reference.private_bytes(*how), password) == key
    if password is None and form == "OpenSSH" and MAJOR < 45:
        # Older versions say nothing of a needless one.
        return
    with pytest.raises((TypeError, ValueError)):
        ours(written, b"wrong" if password else b"needless")


@pytest.mark.parametrize(("encoding", "form"), PUBLIC)
def test_public_keys_are_written_and_read_as_cryptography_does(encoding: str, form: str) -> None:
    how = getattr(serialization.Encoding, encoding), getattr(serialization.PublicFormat, form)
    reference = theirs.Ed25519PrivateKey.from_private_bytes(SEED).public_key()
    key = Ed25519PublicKey.from_public_bytes(raw(reference))
    written = key.public_bytes(*how)
    assert written == reference.public_bytes(*how)
    if form != "Raw":
        load = "ssh" if form == "OpenSSH" else encoding.lower()
        loaded = getattr(serialization, f"load_{load}_public_key")(written)
        assert loaded == key and type(loaded) is Ed25519PublicKey


def test_other_keys_pass_through() -> None:
    ec = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ec")
    key = ec.generate_private_key(ec.SECP256R1())
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    assert isinstance(serialization.load_pem_private_key(pem, None), ec.EllipticCurvePrivateKey)
    with pytest.raises(AttributeError, match="no attribute '_nothing'"):
        serialization._nothing  # noqa: B018


def test_certificates_are_signed_by_these_keys() -> None:
    key = Ed25519PrivateKey.generate()
    assert isinstance(key, theirs.Ed25519PrivateKey) and isinstance(key.public_key(), theirs.Ed25519PublicKey)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "lanner")])
    now = datetime.datetime(2026, 1, 1)
    builder = x509.CertificateBuilder(name, name, key.public_key(), 7, now, now + datetime.timedelta(days=1))
    certificate = builder.sign(key, None)
    if MAJOR >= 40:
        certificate.verify_directly_issued_by(certificate)
    assert certificate.public_key() == key.public_key() == certificate.public_key()
    assert certificate.public_key() != Ed25519PrivateKey.generate().public_key()
    key.public_key().verify(certificate.signature, certificate.tbs_certificate_bytes)
    signed = x509.CertificateSigningRequestBuilder(name).sign(key, None)
    assert signed.is_signature_valid and signed.public_key() == key.public_key()
    # What they hold is a key of cryptography's own, and one for programs with the class of this package.
    for found in (certificate.public_key(), signed.public_key()):
        assert type(found) is not Ed25519PublicKey and isinstance(found, Ed25519PublicKey)
        assert not isinstance(found, Ed25519PrivateKey)


def test_keys_of_cryptography_are_instances_of_these_classes_and_no_others_are() -> None:
    secret = theirs.Ed25519PrivateKey.generate()
    ours = Ed25519PrivateKey.generate()
    ed448 = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ed448")
    other = ed448.Ed448PrivateKey.generate()

    class Special(Ed25519PublicKey):
        pass

    for key in (secret, ours):
        assert isinstance(key, Ed25519PrivateKey) and not isinstance(key, Ed25519PublicKey)
        assert isinstance(key.public_key(), Ed25519PublicKey) and not isinstance(key.public_key(), (Ed25519PrivateKey, Special))
    for key in (other, other.public_key(), b"", None, Ed25519PublicKey):
        assert not isinstance(key, (Ed25519PrivateKey, Ed25519PublicKey))
    special = Special.from_public_bytes(bytes(32))
    assert isinstance(special, Special) and isinstance(special, (Ed25519PublicKey, theirs.Ed25519PublicKey))


def test_files_of_pkcs_12_hold_these_keys() -> None:
    pkcs12, their_pkcs12 = (
        importlib.import_module(f"{package}.serialization.pkcs12")
        for package in ("lanner.cryptography_ed25519", "cryptography.hazmat.primitives")
    )
    key = Ed25519PrivateKey.generate()
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "lanner")])
    now = datetime.datetime(2026, 1, 1)
    builder = x509.CertificateBuilder(name, name, key.public_key(), 7, now, now + datetime.timedelta(days=1))
    certificate = builder.sign(key, None)
    how = serialization.BestAvailableEncryption(b"password")
    # The files that cryptography itself writes, with these keys, since its version 41.
    for module in (pkcs12, their_pkcs12)[: 1 + (MAJOR >= 41)]:
        file = module.serialize_key_and_certificates(b"name", key, certificate, None, how)
        loaded, own, others = pkcs12.load_key_and_certificates(file, b"password")
        assert type(loaded) is Ed25519PrivateKey and loaded == key and own == certificate and others == []
        bundle = pkcs12.load_pkcs12(file, b"password")
        assert type(bundle.key) is Ed25519PrivateKey and bundle.key == key and bundle.cert.certificate == certificate
        assert their_pkcs12.load_key_and_certificates(file, b"password")[0].public_key() == key.public_key()
    # Another key is not that of the certificate.
    with pytest.raises((ValueError, their_exceptions.InternalError), match="do not match|key values mismatch"):
        pkcs12.serialize_key_and_certificates(b"name", Ed25519PrivateKey.generate(), certificate, None, how)


@pytest.mark.parametrize("name", ["pkcs12", "pkcs7", "ssh"])
def test_modules_beneath_hide_nothing_of_cryptography(name: str) -> None:
    ours, other = (
        importlib.import_module(f"{package}.serialization.{name}")
        for package in ("lanner.cryptography_ed25519", "cryptography.hazmat.primitives")
    )
    assert getattr(ours, "__all__", None) == getattr(other, "__all__", None)


FRESH = """
from lanner.cryptography_ed25519 import serialization
{}
name = "lanner.cryptography_ed25519.serialization"
assert (pkcs12.__name__, pkcs7.__name__, ssh.__name__) == (name + ".pkcs12", name + ".pkcs7", name + ".ssh")
import importlib.metadata
MAJOR = int(importlib.metadata.version("cryptography").split(".")[0])
assert pkcs12.PBES and pkcs7.PKCS7Options and (ssh.SSHCertificateBuilder if MAJOR >= 40 else ssh.load_ssh_private_key)
from lanner.cryptography_ed25519 import Ed25519PrivateKey, Encoding, PublicFormat, UnsupportedAlgorithm
public = Ed25519PrivateKey.generate().public_key()
line = public.public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH)
for load in (ssh.load_ssh_public_key, ssh.load_ssh_public_identity, serialization.load_ssh_public_identity):
    try:
        assert load(line) == public and type(load(line)) is type(public)
    except UnsupportedAlgorithm as error:
        assert MAJOR < 40 and str(error) == "data: this needs cryptography 40 or later"
    else:
        assert MAJOR >= 40 or load is ssh.load_ssh_public_key
for module in (serialization, pkcs12, pkcs7, ssh):
    assert not hasattr(module, "nothing")
"""


@pytest.mark.parametrize(
    "imports",
    [
        "from lanner.cryptography_ed25519.serialization import pkcs12, pkcs7, ssh",
        "pkcs12, pkcs7, ssh = serialization.pkcs12, serialization.pkcs7, serialization.ssh",
        "\n".join(
            f"import lanner.cryptography_ed25519.serialization.{name}; {name} = serialization.{name}"
            for name in ("pkcs12", "pkcs7", "ssh")
        ),
    ],
)
def test_modules_beneath_are_found_in_a_fresh_process(imports: str) -> None:
    program = FRESH.format(imports)
    run = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")


def test_keys_equal_those_of_cryptography() -> None:
    key, reference = Ed25519PrivateKey.from_private_bytes(SEED), theirs.Ed25519PrivateKey.from_private_bytes(SEED)
    other, other_reference = Ed25519PrivateKey.generate(), theirs.Ed25519PrivateKey.generate()
    for one, same, different in [
        (key.public_key(), reference.public_key(), other_reference.public_key()),
        (reference.public_key(), key.public_key(), other.public_key()),
    ]:
        assert one == same and not one != same
        assert one != different and not one == different
    assert key != reference.public_key() and key.public_key() != reference and reference != key.public_key()


def test_equal_keys_have_the_same_hash() -> None:
    def hash_of(key: Any) -> int | None:
        if MAJOR < 41 and isinstance(key, theirs.Ed25519PublicKey) and type(key) is not Ed25519PublicKey:
            # That of the object: of such keys no two are equal to cryptography.
            return None
        try:
            return hash(key)
        except TypeError:
            # cryptography's public keys have none.
            return None

    keys = []
    for seed in (SEED, bytes(32)):
        for kind in (Ed25519PrivateKey, theirs.Ed25519PrivateKey):
            keys += [kind.from_private_bytes(seed) for _ in range(2)]
            keys += [key.public_key() for key in keys[-2:]]
    equal = 0
    for one in keys:
        for other in keys:
            assert (one == other) is (other == one) is not (one != other)
            assert one != other or None in (hash_of(one), hash_of(other)) or hash_of(one) == hash_of(other)
            equal += one is not other and one == other
    # For each seed two secret keys of ours, and four public ones, in both orders; those of older versions are unequal to each other.
    assert equal == 2 * (2 + (12 if MAJOR >= 41 else 10))


def test_the_profile_of_a_batch_is_that_of_the_call() -> None:
    # Under the neutral element as a key this is a signature of any message, to OpenSSL and the profile dalek.
    key, signature = Ed25519PublicKey.from_public_bytes(b"\x01" + bytes(31)), b"\x01" + bytes(63)
    key.verify(signature, b"message")
    cases: list[tuple[dict[str, Any], bool]] = [({}, False), ({"profile": "strict"}, False), ({"profile": "dalek"}, True)]
    for options, valid in cases:
        assert ed25519.verify_batch([key], [b"message"], [signature], **options) == [valid]
        assert arrow.verify(key, [b"message"], signature, **options).to_pylist() == [valid]
        assert arrow.verify([key], [b"message"], [signature], **options).to_pylist() == [valid]
        assert ed25519.is_valid(key, b"message", signature, **options) is valid


def test_keys_compare_hash_and_copy() -> None:
    key = Ed25519PrivateKey.from_private_bytes(SEED)
    public = key.public_key()
    assert key == Ed25519PrivateKey.from_private_bytes(SEED) != Ed25519PrivateKey.generate()
    assert hash(key) == hash(Ed25519PrivateKey.from_private_bytes(SEED))
    assert public == key.public_key() != Ed25519PrivateKey.generate().public_key() and public != SEED
    assert hash(public) == hash(key.public_key()) and pickle.loads(pickle.dumps(public)) == public
    for value in (key, public):
        assert copy.copy(value) is value and copy.deepcopy(value) is value
    with pytest.raises(TypeError):
        public < public  # type: ignore[operator]  # noqa: B015


def test_what_is_not_valid_is_caught_as_either_exception() -> None:
    public = Ed25519PrivateKey.from_private_bytes(SEED).public_key()
    for error in (InvalidSignature, their_exceptions.InvalidSignature, lanner.InvalidSignature):
        for signature in (bytes(64), bytes(63)):
            with pytest.raises(error) as caught:
                public.verify(signature, b"message")
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                again = pickle.loads(pickle.dumps(caught.value, protocol))
                assert type(again) is type(caught.value) and isinstance(again, error)
    assert InvalidSignature is their_exceptions.InvalidSignature


def test_mistakes_are_named() -> None:
    key = Ed25519PrivateKey.from_private_bytes(SEED)
    for call, error, words in [
        (lambda: Ed25519PrivateKey.from_private_bytes(bytes(31)), ValueError, "data: 32 bytes are needed, not 31"),
        (lambda: Ed25519PrivateKey.from_private_bytes("x"), TypeError, "data: a bytes-like object is needed, not str"),
        (lambda: Ed25519PublicKey.from_public_bytes(bytes(31)), ValueError, "data: .* 32 bytes long, not 31"),
        (lambda: Ed25519PublicKey.from_public_bytes("x"), TypeError, "data: a bytes-like object is needed, not str"),
        (lambda: Ed25519PublicKey.from_public_bytes(array.array("I", bytes(32))), TypeError, "data: a bytes-like object"),
        (lambda: Ed25519PrivateKey.from_private_bytes(array.array("I", bytes(32))), TypeError, "data: a buffer of bytes"),
        (lambda: key.sign("text"), TypeError, "data: a bytes-like object is needed, not str"),
        (lambda: key.public_key().verify(bytes(64), "text"), TypeError, "data: a bytes-like object is needed"),
        (lambda: key.public_key().verify("text", b""), TypeError, "signature: a bytes-like object is needed"),
        (Ed25519PrivateKey, TypeError, "Ed25519PrivateKey is made by"),
        (Ed25519PublicKey, TypeError, "Ed25519PublicKey is made by"),
    ]:
        with pytest.raises(error, match=f"^{words}"):
            call()
    with pytest.raises(InvalidSignature):
        key.public_key().verify(bytes(63), b"")
    # No point of the curve has this encoding.
    with pytest.raises(InvalidSignature):
        Ed25519PublicKey.from_public_bytes(b"\x02" + bytes(31)).verify(bytes(64), b"")


WITHOUT = """
import sys
for name in ("nacl", "cryptography"):
    sys.modules[name] = None
from lanner.cryptography_ed25519 import *
from lanner.cryptography_ed25519 import serialization as s
key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
public = key.public_key()
plain = NoEncryption()
assert s.load_pem_private_key(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, plain)) == key
assert s.load_der_private_key(key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, plain)) == key
assert key.private_bytes(Encoding.Raw, PrivateFormat.Raw, plain) == bytes(range(32))
assert s.load_pem_public_key(public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)) == public
assert s.load_der_public_key(public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)) == public
line = public.public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH)
assert s.load_ssh_public_key(line + b" comment") == public
assert public.public_bytes(Encoding.Raw, PublicFormat.Raw) == public.public_bytes_raw()
public.verify(key.sign(b"message"), b"message")

class Odd(KeySerializationEncryption):
    pass

import lanner, pickle
assert issubclass(InvalidSignature, lanner.InvalidSignature)
assert type(pickle.loads(pickle.dumps(InvalidSignature()))) is InvalidSignature

for call, error in [
    (lambda: public.verify(bytes(64), b""), InvalidSignature),
    (lambda: public.verify(bytes(64), b""), lanner.InvalidSignature),
    (lambda: key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, Odd()), UnsupportedAlgorithm),
    (lambda: key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, plain), UnsupportedAlgorithm),
    (lambda: key.private_bytes(Encoding.Raw, PrivateFormat.PKCS8, plain), ValueError),
    (lambda: key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, None), TypeError),
    (lambda: public.public_bytes(Encoding.Raw, PublicFormat.OpenSSH), ValueError),
    (lambda: s.load_pem_private_key(b"", b"password"), UnsupportedAlgorithm),
    (lambda: s.load_ssh_private_key(b""), UnsupportedAlgorithm),
    (lambda: s.load_ssh_public_key(line[:-4]), ValueError),
    (lambda: s.load_ssh_public_key(line.replace(b"ssh-", b"ssi-")), ValueError),
    (lambda: s.load_ssh_public_key(b""), ValueError),
    (lambda: s.load_ssh_public_key(b" " + line), ValueError),
    (lambda: s.load_ssh_public_key(line.replace(b" ", b"\\v")), ValueError),
    (lambda: s.load_ssh_public_key(line.replace(b" ", b"\\n")), ValueError),
    (lambda: s.pkcs12, AttributeError),
    (lambda: s.BestAvailableEncryption(b"password"), AttributeError),
    (lambda: s.load_ssh_public_identity(line), UnsupportedAlgorithm),
    (lambda: __import__(s.__name__ + ".pkcs12"), ImportError),
]:
    try:
        call()
    except error:
        pass
    else:
        raise AssertionError(error)
for name, why in [
    ("BestAvailableEncryption", ": the package cryptography, which has more, is not installed"),
    ("pkcs12", ": the package cryptography, which has more, is not installed"),
    ("_nothing", ""),
]:
    try:
        getattr(s, name)
    except AttributeError as error:
        assert str(error) == f"module {s.__name__!r} has no attribute {name!r}{why}", error
    else:
        raise AssertionError(name)
print("done")
"""


OLD = """
import cryptography
cryptography.__version__ = "37.0.4"
for module in ("cryptography_ed25519", "cryptography_x25519", "cryptography_ed25519.serialization"):
    try:
        __import__(f"lanner.{module}")
    except ImportError as error:
        print(error)
"""


def test_versions_that_are_too_old_are_named() -> None:
    run = subprocess.run([sys.executable, "-W", "error", "-c", OLD], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("cryptography 37.0.4 is installed, and lanner needs 38 or later beside it\n" * 3, "")
    wanted = [line.replace("'", '"') for line in importlib.metadata.requires("lanner") or []]
    assert 'cryptography>=38 ; extra == "cryptography"' in wanted or 'cryptography>=38; extra == "cryptography"' in wanted, wanted


def test_it_works_without_cryptography() -> None:
    run = subprocess.run([sys.executable, "-W", "error", "-c", WITHOUT], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("done\n", "")
