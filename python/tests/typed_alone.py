"""What type checkers see of the classes in place of PyNaCl's and of cryptography's, the same where these two are installed and
where they are not: they take all of this, and refuse what they are told to ignore. It runs as well."""

from __future__ import annotations

from typing import assert_type

import lanner
from lanner.cryptography_ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
    Encoding,
    InvalidSignature,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    UnsupportedAlgorithm,
)
from lanner.cryptography_x25519 import X25519PrivateKey, X25519PublicKey
from lanner.nacl_signing import BadSignatureError, PrivateKey, PublicKey, SignedMessage, SigningKey, VerifyKey
from lanner.nacl_signing.encoding import HexEncoder

signing = SigningKey.generate()
signed = signing.sign(b"message", encoder=HexEncoder)
assert_type(signed, SignedMessage)
assert_type(HexEncoder.decode(data=signed.signature), bytes)
assert_type(VerifyKey(signing.verify_key.encode(HexEncoder), HexEncoder).verify(signed, encoder=HexEncoder), bytes)
assert_type(signing.to_curve25519_private_key(), PrivateKey)
assert_type(signing.verify_key.to_curve25519_public_key(), PublicKey)
try:
    signing.verify_key.verify(bytes(64))
except BadSignatureError as caught:
    also: lanner.InvalidSignature = caught
try:
    signing.sgn(b"message")  # type: ignore[attr-defined]
except AttributeError:
    pass
try:
    signing.verify_key.verify(b"message", bytes(63), "hex")  # type: ignore[arg-type]
except (AttributeError, ValueError):
    pass



class Special(SigningKey):
    pass


class SpecialSecret(PrivateKey):
    pass


assert_type(Special.generate(), Special)
assert_type(SpecialSecret.generate(), SpecialSecret)
assert_type(SpecialSecret.from_seed(bytes(32)), SpecialSecret)

private = Ed25519PrivateKey.generate()
assert_type(private.sign(b"message"), bytes)
assert_type(private.public_key(), Ed25519PublicKey)
assert_type(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()), bytes)
assert_type(private.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH), bytes)
try:
    private.public_key().verify(bytes(63), b"message")
except InvalidSignature as invalid:
    error: Exception = invalid
unsupported: type[Exception] = UnsupportedAlgorithm
try:
    private.sgn(b"message")  # type: ignore[attr-defined]
except AttributeError:
    pass
try:
    private.private_bytes("PEM", PrivateFormat.PKCS8, NoEncryption())  # type: ignore[arg-type]
except (TypeError, ValueError):
    pass
agreeing = X25519PrivateKey.generate()
assert_type(agreeing.public_key(), X25519PublicKey)
assert_type(agreeing.exchange(agreeing.public_key()), bytes)
try:
    agreeing.exchange(private.public_key())  # type: ignore[arg-type]
except TypeError:
    pass
