"""What type checkers see: mypy takes all of this, and refuses what it is told to ignore. It runs as well."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import assert_type

import nacl.encoding
import nacl.public
import nacl.signing
import numpy as np
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ed25519 as theirs
from cryptography.hazmat.primitives.asymmetric import x25519 as their_x25519
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes, PublicKeyTypes

from lanner import arrow, ed25519
from lanner.cryptography_ed25519 import Ed25519PrivateKey, Ed25519PublicKey, serialization
from lanner.cryptography_ed25519.serialization import pkcs12
from lanner.cryptography_x25519 import X25519PrivateKey
from lanner.nacl_signing import PrivateKey, PublicKey, SignedMessage, SigningKey, VerifyKey
from lanner.nacl_signing.encoding import HexEncoder

key = ed25519.SigningKey(bytearray(32))
public = key.verifying_key
signature: bytes = key.sign(memoryview(b"message"))
public.verify(b"message", signature, profile="dalek")
prepared: ed25519.PreparedVerifyingKey = public.prepare()
assert prepared.is_valid(b"message", signature) and {prepared: 1}[public.prepare()]

# Profiles by their names, and by the list of them.
every: tuple[ed25519.Profile, ...] = ed25519.PROFILES
for profile in ed25519.PROFILES:
    assert public.is_valid(b"message", signature, profile=profile)


def under(name: ed25519.Profile) -> bool:
    return ed25519.is_valid(bytes(public), b"message", signature, profile=name)


assert under("zip215")
try:
    under("Strict")  # type: ignore[arg-type]
except ValueError:
    pass

# Many at once.
signatures: list[bytes] = key.sign_many([b"message", bytearray(b"other")])
signatures = key.sign_many(np.zeros((2, 3), np.uint8))
verdicts: list[bool] = ed25519.verify_batch([public, bytes(public)], [b"message"] * 2, (signature, signature))
verdicts += ed25519.verify_batch((octets for octets in [bytes(public)]), [b"message"], [signature])
assert all(verdicts)
verdicts += ed25519.verify_batch([prepared, VerifyKey(bytes(public))], [b"message"] * 2, [signature] * 2)
drop_in = Ed25519PublicKey.from_public_bytes(bytes(public))
assert ed25519.is_valid(drop_in, b"message", signature) and all(arrow.verify(public, [b"message"], bytearray(signature)))
assert all(arrow.verify([public, drop_in, None], [b"message"] * 3, signature, nulls="propagate")[:2])
try:
    ed25519.is_valid(key, b"message", signature)  # type: ignore[arg-type]
except TypeError:
    pass
assert all(arrow.verify([bytes(public).hex()], ["message"], [signature], key_encoding="hex"))
column: arrow.Verdicts = arrow.verify([bytes(public)], [b"message"], [signature])
assert all(column) and [verdict for verdict in column if verdict] == list(column[:1]) == [column[0]]
reasons: list[str | None] = list(arrow.explain([bytes(public)], [b"message"], [signature]).reasons[::-1])
each: Sequence[bool | None] = column
assert each.count(True) == 1 and column.index(True) == 0 and list(reversed(column)) == [True]
# Rows that come one after another.
named = {"one": bytes(public)}
assert all(arrow.verify(named.values(), (message for message in [b"message"]), iter([signature])))
assert all(arrow.verify((drop_in for _ in range(2)), [b"message"] * 2, signature))
counted: dict[ed25519.SigningKey, int] = {key: 1}


# Where PyNaCl's classes are wanted.
def takes_signing(key: nacl.signing.SigningKey, public: nacl.signing.VerifyKey) -> nacl.signing.SignedMessage:
    public.verify(key.sign(b"message"))
    return key.sign(b"message")


signing = SigningKey.generate()
verify_key = VerifyKey(signing.verify_key.encode(HexEncoder), encoder=HexEncoder)
signed: SignedMessage = signing.sign(b"message", encoder=HexEncoder)
signed = signing.sign(b"message", encoder=nacl.encoding.HexEncoder)
assert verify_key.verify(takes_signing(signing, verify_key)) == b"message"
agreeing: PrivateKey = signing.to_curve25519_private_key()
converted: PublicKey = verify_key.to_curve25519_public_key()
assert nacl.public.Box(agreeing, converted).shared_key()
assert isinstance(signing, nacl.signing.SigningKey) and isinstance(signed, nacl.signing.SignedMessage)


# Where cryptography's are.
def takes(key: theirs.Ed25519PrivateKey, public: theirs.Ed25519PublicKey) -> PrivateKeyTypes:
    public.verify(key.sign(b"message"), b"message")
    return key


private: Ed25519PrivateKey = Ed25519PrivateKey.generate()
other: Ed25519PublicKey = private.public_key()
takes(private, other)
anything: PublicKeyTypes = other
agreed: X25519PrivateKey = X25519PrivateKey.generate()
their_agreed: their_x25519.X25519PrivateKey = agreed
assert agreed.exchange(agreed.public_key()) == agreed.exchange(their_x25519.X25519PublicKey.from_public_bytes(agreed.public_key().public_bytes_raw()))
name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "lanner")])
now = datetime.datetime(2026, 1, 1)
builder = x509.CertificateBuilder(name, name, None, 7, now, now + datetime.timedelta(days=1)).public_key(other)
certificate: x509.Certificate = builder.sign(private, None)
assert certificate.public_key() == other
file = pkcs12.serialize_key_and_certificates(b"name", private, certificate, None, serialization.BestAvailableEncryption(b"word"))
assert pkcs12.load_key_and_certificates(file, b"word")[0] == private
bundle: pkcs12.PKCS12KeyAndCertificates = pkcs12.load_pkcs12(file, b"word")
assert_type(pkcs12.serialize_key_and_certificates(None, private, None, None, serialization.NoEncryption()), bytes)
try:
    # There the signature comes first.
    takes(key, public)  # type: ignore[arg-type]
except ValueError:
    pass
