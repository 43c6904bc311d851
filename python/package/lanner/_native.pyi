# The extension module. Its classes are described in the modules that export them; what their stubs share is here.
from collections.abc import Iterable
from typing import Any, Literal, Protocol, TypeAlias

from typing_extensions import Buffer

from lanner._encoded import EncodedKey

class InvalidSignature(Exception): ...
class InvalidSignatureLength(InvalidSignature, ValueError): ...
class NonContributory(ValueError): ...

# Arrays of numpy, whose stubs tell of their buffers only from Python 3.12 on.
class Array(Protocol):
    @property
    def __array_interface__(self) -> dict[str, Any]: ...

# A column: an array of unsigned bytes with two dimensions, or bytes-like objects one after the other.
Rows: TypeAlias = Buffer | Array | Iterable[Buffer]

# A public key of nacl_signing or of cryptography_ed25519.
class HoldsKey(Protocol):
    @property
    def _encoded(self) -> EncodedKey: ...

# The names of PROFILES.
Profile: TypeAlias = Literal[
    "rfc8032", "rfc8032-cofactorless", "dalek", "strict", "zip215", "donna", "libsodium"
]

# The names of ENCODINGS.
Encoding: TypeAlias = Literal["padded", "compressed", "constant-time"]

# The names of PREHASHES, which are those of hashlib.
Prehash: TypeAlias = Literal[
    "sha256", "sha384", "sha512", "sha512_256", "sha3_256", "sha3_384", "sha3_512", "shake_128", "shake_256"
]

PREHASHES: list[Prehash]
PROFILES: list[Profile]
ENCODINGS: list[Encoding]
__version__: str
arrow: Any
ed25519: Any
falcon: Any
fn_dsa: Any
hybrid: Any
x25519: Any
