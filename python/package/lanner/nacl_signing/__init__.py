"""The classes of PyNaCl's ``nacl.signing``, computed by Lanner::

    from lanner.nacl_signing import SigningKey, VerifyKey  # in place of nacl.signing

Signatures are verified under the profile ``libsodium``, whose verdicts are those of PyNaCl. The secret is in an object that
wipes it. Beyond that and the speed these differ from PyNaCl's:

- ``str`` and ``repr`` of a secret key do not show it, and it is not pickled;
- bytes-like objects are taken wherever PyNaCl takes ``bytes``;
- the hash of a secret key is made from its public key, where PyNaCl makes it from the secret; so that equal keys have the same
  hash, a signing key equals only those of this package;
- an argument of a wrong type or length is named in the message of its error.

Where PyNaCl is installed these are subclasses of its own, and all but signing keys equal the same keys of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from lanner import _encoded, ed25519
from lanner._encoded import EncodedKey, copied
from lanner.nacl_signing import encoding
from lanner.nacl_signing import exceptions as exc
from lanner.nacl_signing._theirs import SignedMessage as _SignedMessage
from lanner.nacl_signing._theirs import SigningKey as _SigningKey
from lanner.nacl_signing._theirs import VerifyKey as _VerifyKey
from lanner.nacl_signing.curve25519 import PrivateKey, PublicKey
from lanner.nacl_signing.encoding import Encoder, RawEncoder
from lanner.nacl_signing.exceptions import BadSignatureError, CryptoError

if TYPE_CHECKING:
    # Where every type checker knows it; no package is needed for that.
    from typing_extensions import Buffer

_SIGNATURE = 64


def _octets(value: Any, complaint: str) -> bytes:
    """A bytes-like object as bytes that nobody writes."""
    try:
        return _encoded.octets(value)
    except TypeError:
        raise exc.TypeError(f"{complaint}, not from {type(value).__name__}") from None


class SignedMessage(_SignedMessage):
    """A signature and its message, one behind the other."""

    _signature: bytes
    _message: bytes

    @classmethod
    def _from_parts(cls, signature: bytes, message: bytes, combined: bytes) -> SignedMessage:
        signed = cls(combined)
        signed._signature = signature
        signed._message = message
        return signed

    @property
    def signature(self) -> bytes:
        """The signature, encoded as the whole is."""
        return self._signature

    @property
    def message(self) -> bytes:
        """The message, encoded as the whole is."""
        return self._message


class VerifyKey(_VerifyKey):
    """A public key of Ed25519. Any 32 bytes make one; where they are no point of the curve it verifies nothing."""

    _encoded: EncodedKey

    @property
    def _key(self) -> bytes:  # type: ignore[override]
        # As those below, an attribute of PyNaCl's, which programs use although it is not public.
        return self._encoded.octets

    def __init__(self, key: str | Buffer, encoder: Encoder = RawEncoder) -> None:
        octets = _octets(encoder.decode(key), "VerifyKey must be created from 32 bytes")
        if len(octets) != 32:
            raise exc.ValueError(f"key: 32 bytes are needed, not {len(octets)}")
        self._encoded = EncodedKey(octets)

    def verify(self, smessage: str | Buffer, signature: Buffer | None = None, encoder: Encoder = RawEncoder) -> bytes:
        """Returns the message if its signature is valid, and raises :class:`BadSignatureError` if not.

        :param smessage: signature and message, or with ``signature`` the message alone; ``encoder`` decodes it.
        :param signature: 64 bytes, which no encoder decodes.
        """
        octets = _octets(encoder.decode(smessage), "smessage must be made from bytes")
        if signature is None:
            signature, message = octets[:_SIGNATURE], octets[_SIGNATURE:]
            if len(signature) != _SIGNATURE:
                raise BadSignatureError("the signature is not valid")
        else:
            signature = _octets(signature, "Verification signature must be created from 64 bytes")
            if len(signature) != _SIGNATURE:
                raise exc.ValueError(f"signature: 64 bytes are needed, not {len(signature)}")
            message = octets
        if not self._encoded.is_valid(message, signature, "libsodium"):
            raise BadSignatureError("the signature is not valid")
        return message

    def to_curve25519_public_key(self) -> PublicKey:
        """The public key of X25519 whose secret is :meth:`SigningKey.to_curve25519_private_key`. Raises
        :class:`exceptions.RuntimeError` for keys that nobody makes honestly.
        """
        try:
            return PublicKey(self._encoded.decoded().to_x25519().to_bytes())
        except ValueError as error:
            raise exc.RuntimeError(str(error)) from None

    def encode(self, encoder: Encoder = RawEncoder) -> bytes:
        """The 32 bytes, encoded."""
        return encoder.encode(self._encoded.octets)

    def __bytes__(self) -> bytes:
        return self._encoded.octets

    def __str__(self) -> str:
        return str(self._encoded.octets)

    def __repr__(self) -> str:
        return f"<lanner.nacl_signing.VerifyKey {self._encoded.octets.hex()}>"

    def __hash__(self) -> int:
        return hash(self._encoded.octets)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _VerifyKey) and self._encoded.octets == bytes(other)

    def __ne__(self, other: object) -> bool:
        return not self == other


class SigningKey(_SigningKey):
    """A secret key of Ed25519, 32 bytes, which PyNaCl calls the seed. Wiped when the last reference goes.

    :ivar verify_key: the public key.
    """

    _key: ed25519.SigningKey
    verify_key: VerifyKey

    @property
    def _seed(self) -> bytes:  # type: ignore[override]
        return self._key.to_bytes()

    @property
    def _signing_key(self) -> bytes:  # type: ignore[override]
        return self._key.to_bytes() + self._key.verifying_key.to_bytes()

    def __init__(self, seed: str | Buffer, encoder: Encoder = RawEncoder) -> None:
        decoded = encoder.decode(seed)
        try:
            self._key = ed25519.SigningKey(decoded)
        except TypeError:
            complaint = "SigningKey must be created from a 32 byte seed"
            raise exc.TypeError(f"{complaint}, not from {type(decoded).__name__}") from None
        except ValueError as error:
            raise exc.ValueError(str(error).replace("key:", "seed:", 1)) from None
        self.verify_key = VerifyKey(self._key.verifying_key.to_bytes())

    @classmethod
    def generate(cls) -> Self:
        """A new random key, from the generator of the operating system."""
        key = ed25519.SigningKey.generate()
        if cls.__init__ is not SigningKey.__init__:
            return cls(key.to_bytes())
        signing_key = cls.__new__(cls)
        signing_key._key = key
        signing_key.verify_key = VerifyKey(key.verifying_key.to_bytes())
        return signing_key

    def sign(self, message: Buffer, encoder: Encoder = RawEncoder) -> SignedMessage:
        """Signs a message; ``encoder`` encodes signature and message."""
        octets = _octets(message, "message must be made from bytes")
        signature = self._key.sign(octets)
        if encoder is RawEncoder:
            return SignedMessage._from_parts(signature, octets, signature + octets)
        return SignedMessage._from_parts(
            encoder.encode(signature), encoder.encode(octets), encoder.encode(signature + octets)
        )

    def to_curve25519_private_key(self) -> PrivateKey:
        """The secret key of X25519 that belongs to :meth:`VerifyKey.to_curve25519_public_key`."""
        return PrivateKey._of(self._key.to_x25519())

    def encode(self, encoder: Encoder = RawEncoder) -> bytes:
        """The 32 bytes, encoded, in an object that Python does not wipe."""
        return encoder.encode(self._key.to_bytes())

    def __bytes__(self) -> bytes:
        return self._key.to_bytes()

    def __repr__(self) -> str:
        return "<lanner.nacl_signing.SigningKey>"

    __str__ = __repr__

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        # In constant time. None of PyNaCl's: their hash is that of the secret's bytes, and equal keys must have the same. No is
        # said to them, and not nothing: then PyNaCl would compare.
        return isinstance(other, SigningKey) and self._key == other._key

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __copy__(self) -> Self:
        return copied(self)

    def __deepcopy__(self, memo: Any) -> Self:
        return copied(self, memo)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self._key.__reduce_ex__(protocol)


__all__ = [
    "BadSignatureError",
    "CryptoError",
    "PrivateKey",
    "PublicKey",
    "SignedMessage",
    "SigningKey",
    "VerifyKey",
    "encoding",
]
