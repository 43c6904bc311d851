from collections.abc import Sequence
from typing import Any, Literal, Protocol, TypeAlias, final

from typing_extensions import Buffer

from lanner._native import Array, Profile

__all__ = [
    "Explained",
    "Reasons",
    "Verdicts",
    "count_invalid",
    "explain",
    "explain_fn_dsa",
    "verify",
    "verify_fn_dsa",
]

# What has the Arrow PyCapsule interface: for one array, or for several.
class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

_Arrow: TypeAlias = _ArrowArray | _ArrowStream
_Column: TypeAlias = _Arrow | bytes | str | Buffer | Array | Sequence[Buffer | None]
_Encoding: TypeAlias = Literal["bytes", "hex", "base64", "base64url"]
_Nulls: TypeAlias = Literal["invalid", "propagate"]

@final
class Verdicts:
    def __len__(self) -> int: ...
    def __getitem__(self, key: int, /) -> bool | None: ...
    def __bool__(self) -> bool: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any: ...
    def to_pylist(self) -> list[bool | None]: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

@final
class Reasons:
    def __len__(self) -> int: ...
    def __getitem__(self, key: int, /) -> str | None: ...
    def to_pylist(self) -> list[str | None]: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

@final
class Explained:
    @property
    def valid(self) -> Verdicts: ...
    @property
    def reasons(self) -> Reasons: ...
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

def verify(
    public_keys: _Column,
    messages: _Column,
    signatures: _Column,
    *,
    profile: Profile = "strict",
    nulls: _Nulls = "invalid",
    key_encoding: _Encoding = "bytes",
    message_encoding: _Encoding = "bytes",
    signature_encoding: _Encoding = "bytes",
    strict: bool = False,
) -> Verdicts: ...
def explain(
    public_keys: _Column,
    messages: _Column,
    signatures: _Column,
    *,
    profile: Profile = "strict",
    nulls: _Nulls = "invalid",
    key_encoding: _Encoding = "bytes",
    message_encoding: _Encoding = "bytes",
    signature_encoding: _Encoding = "bytes",
    strict: bool = False,
) -> Explained: ...
def verify_fn_dsa(
    public_keys: _Column,
    messages: _Column,
    signatures: _Column,
    *,
    context: Buffer | None = None,
    nulls: _Nulls = "invalid",
    key_encoding: _Encoding = "bytes",
    message_encoding: _Encoding = "bytes",
    signature_encoding: _Encoding = "bytes",
    strict: bool = False,
) -> Verdicts: ...
def explain_fn_dsa(
    public_keys: _Column,
    messages: _Column,
    signatures: _Column,
    *,
    context: Buffer | None = None,
    nulls: _Nulls = "invalid",
    key_encoding: _Encoding = "bytes",
    message_encoding: _Encoding = "bytes",
    signature_encoding: _Encoding = "bytes",
    strict: bool = False,
) -> Explained: ...
def count_invalid(verdicts: Verdicts | _Arrow) -> int: ...
