from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar, Literal, Protocol, TypeAlias, final, overload

from typing_extensions import Buffer

from lanner import fn_dsa
from lanner._native import Array, Profile
from lanner.ed25519 import _Key

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
_Column: TypeAlias = _Arrow | bytes | str | Buffer | Array | Iterable[Buffer | str | None]
_Ed25519Keys: TypeAlias = _Column | _Key | Iterable[Buffer | str | _Key | None]
_FnDsaKeys: TypeAlias = _Column | fn_dsa.VerifyingKey | Iterable[Buffer | str | fn_dsa.VerifyingKey | None]
_Encoding: TypeAlias = Literal["bytes", "hex", "base64", "base64url"]
_Nulls: TypeAlias = Literal["invalid", "propagate"]

@final
class Verdicts(Sequence[bool | None]):
    """One verdict for each row, as an Arrow array of booleans: pyarrow.array(verdicts), polars.Series(verdicts), numpy.asarray and
    columns of pandas take it. It is a sequence, which equals other verdicts, lists and tuples of the same. A verdict is None
    where a null is propagated."""
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, key: int, /) -> bool | None: ...
    @overload
    def __getitem__(self, key: slice, /) -> Verdicts: ...
    def __iter__(self) -> Iterator[bool | None]: ...
    def count(self, value: object, /) -> int:
        """How many of the verdicts equal the value."""
    def index(self, value: object, start: int = 0, stop: int = ..., /) -> int:
        """The number of the first row from start on and before stop that equals the value. Raises ValueError where there is none."""
    def __bool__(self) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __reduce__(self) -> tuple[Any, tuple[list[bool | None]]]: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any: ...
    def to_pylist(self) -> list[bool | None]:
        """The verdicts as a list of bool and None."""
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

@final
class Reasons(Sequence[str | None]):
    """Why rows are not valid, as an Arrow array of strings: the name of the reason, None where the row is valid. A sequence, as
    Verdicts is."""
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, key: int, /) -> str | None: ...
    @overload
    def __getitem__(self, key: slice, /) -> Reasons: ...
    def __iter__(self) -> Iterator[str | None]: ...
    def count(self, value: object, /) -> int:
        """How many of the reasons equal the value."""
    def index(self, value: object, start: int = 0, stop: int = ..., /) -> int:
        """The number of the first row from start on and before stop that equals the value. Raises ValueError where there is none."""
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any: ...
    def __reduce__(self) -> tuple[Any, tuple[list[str | None]]]: ...
    def to_pylist(self) -> list[str | None]:
        """The reasons as a list of str and None."""
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

@final
class Explained:
    """What explain() says: verdicts and reasons, also as one Arrow table with the columns valid and reason."""
    @property
    def valid(self) -> Verdicts:
        """One verdict for each row."""
    @property
    def reasons(self) -> Reasons:
        """The name of the reason of each row that is not valid."""
    def __len__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[Verdicts, Reasons]]: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

def verify(
    public_keys: _Ed25519Keys,
    messages: _Column,
    signatures: _Column,
    *,
    profile: Profile = "strict",
    nulls: _Nulls = "invalid",
    key_encoding: _Encoding = "bytes",
    message_encoding: _Encoding = "bytes",
    signature_encoding: _Encoding = "bytes",
    strict: bool = False,
) -> Verdicts:
    """Verifies Ed25519 signatures in columns: verdict i is what VerifyingKey(public_keys[i]).is_valid(messages[i], signatures[i])
    says under the profile, and False where a key or a signature has a wrong length or does not decode.

    A column is whatever has the Arrow PyCapsule interface (arrays and chunked arrays of pyarrow, series of polars and pandas,
    tables and results of one column): binary, fixed-size binary, views, text, dictionaries of these, read where they lie. Or it
    is an array of unsigned bytes of shape (n, length), or a sequence of bytes-like objects, str and None (or a missing value of
    pandas), which are copied; or one bytes or str for every row, for keys and signatures any bytes-like object. Keys are taken as
    objects, too, under the profile of this call whichever their own methods have. Text is read in the encoding that key_encoding,
    message_encoding and signature_encoding name: "hex", "base64" or "base64url"; a message in text without one ("bytes") is its
    UTF-8.

    A row with a null is False, or with nulls="propagate" None. With strict=True a wrong length, or text that does not decode,
    raises ValueError. A column of a wrong type raises TypeError, one with another number of rows ValueError. Other threads
    run meanwhile, and Ctrl-C stops it."""
def explain(
    public_keys: _Ed25519Keys,
    messages: _Column,
    signatures: _Column,
    *,
    profile: Profile = "strict",
    nulls: _Nulls = "invalid",
    key_encoding: _Encoding = "bytes",
    message_encoding: _Encoding = "bytes",
    signature_encoding: _Encoding = "bytes",
    strict: bool = False,
) -> Explained:
    """The verdicts of verify(), and beside each row that is not valid the reason, for people who look for the fault: null_key,
    null_message, null_signature, text_key, text_message, text_signature (not in its encoding), key_length, signature_length,
    key_encoding, weak_key, r_encoding, s_range, or equation. What is decided must be decided by the verdict alone."""
def verify_fn_dsa(
    public_keys: _FnDsaKeys,
    messages: _Column,
    signatures: _Column,
    *,
    context: Buffer | None = None,
    nulls: _Nulls = "invalid",
    key_encoding: _Encoding = "bytes",
    message_encoding: _Encoding = "bytes",
    signature_encoding: _Encoding = "bytes",
    strict: bool = False,
) -> Verdicts:
    """Verifies FN-DSA signatures in columns, of degree 512 and 1024 in one column if need be, all under one context: as verify()
    in everything else."""
def explain_fn_dsa(
    public_keys: _FnDsaKeys,
    messages: _Column,
    signatures: _Column,
    *,
    context: Buffer | None = None,
    nulls: _Nulls = "invalid",
    key_encoding: _Encoding = "bytes",
    message_encoding: _Encoding = "bytes",
    signature_encoding: _Encoding = "bytes",
    strict: bool = False,
) -> Explained:
    """The verdicts of verify_fn_dsa(), and beside each row that is not valid the reason: as explain() has them, of which the last
    are key_encoding and signature."""
def count_invalid(verdicts: Verdicts | _Arrow) -> int:
    """How many verdicts are not True: the invalid rows, and those that are None. Takes Verdicts, and any column of booleans with
    the Arrow PyCapsule interface."""
