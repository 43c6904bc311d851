"""Columns from every library that has them, against single verification; interruptions, races, bad input."""

from __future__ import annotations

import array
import base64
import copy
import gc
import os
import pickle
import subprocess
import sys
import threading
import time
import types
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from conftest import free_threaded, lets_others_in, vectors

from lanner import arrow, ed25519, fn_dsa

pa = pytest.importorskip("pyarrow")

KEYS = [ed25519.SigningKey(bytes([i]) * 32) for i in range(7)]
Rows = list[bytes | None]
Table = tuple[Rows, Rows, Rows]


def table(count: int = 500) -> Table:
    """Rows of all sorts: some signatures are not valid, some keys none, some lengths wrong, some values null."""
    keys: Rows = []
    messages: Rows = []
    signatures: Rows = []
    for i in range(count):
        key, message = KEYS[i * i % 7], i.to_bytes(2, "little") * (i % 90)
        signature = bytearray(key.sign(message))
        if i % 11 == 5:
            signature[i % 64] ^= 1
        if i % 41 == 7:
            signature[63] |= 0xE0
        keys.append(bytes(key.verifying_key) if i % 37 != 9 else b"\x02" + bytes(31))
        messages.append(message)
        signatures.append(bytes(signature))
        if i % 53 == 3:
            (keys, messages, signatures)[i % 3][i] = None
    return keys, messages, signatures


def ragged(count: int = 500) -> Table:
    """The same with keys and signatures of wrong lengths among them."""
    keys, messages, signatures = table(count)
    for i in range(0, count, 29):
        keys[i] = b"short"
    for i in range(1, count, 31):
        signatures[i] = bytes(65)
    return keys, messages, signatures


def singly(rows: Table, profile: Any = "strict") -> list[bool | None]:
    """What single verification says, None where there is a null."""

    def one(key: bytes | None, message: bytes | None, signature: bytes | None) -> bool | None:
        if key is None or message is None or signature is None:
            return None
        if len(key) != 32 or len(signature) != 64:
            return False
        return ed25519.is_valid(key, message, signature, profile=profile)

    return [one(*row) for row in zip(*rows, strict=True)]


def text(column: Rows, encode: Callable[[bytes], str]) -> list[str | None]:
    return [None if row is None else encode(row) for row in column]


ENCODE: dict[str, Callable[[bytes], str]] = {
    "hex": bytes.hex,
    "base64": lambda octets: base64.b64encode(octets).decode(),
    "base64url": lambda octets: base64.urlsafe_b64encode(octets).decode().rstrip("="),
}


def chunked(array: Any, sizes: Sequence[int]) -> Any:
    """The same rows in chunks of these sizes, over and over; empty ones among them."""
    chunks, start, turn = [], 0, 0
    while start < len(array):
        chunks.append(array.slice(start, sizes[turn % len(sizes)]))
        start += len(chunks[-1])
        turn += 1
    return pa.chunked_array(chunks, type=array.type)


def fixed(rows: Rows) -> Any:
    width = next(len(row) for row in rows if row is not None)
    return pa.array(rows, pa.binary(width))


def sliced(rows: Rows) -> Any:
    return pa.array([b"before", None, *rows, b"after"], pa.binary()).slice(2, len(rows))


def run_ends(rows: Rows) -> Any:
    import pyarrow.compute

    return pyarrow.compute.run_end_encode(pa.array(rows, pa.binary()))


FORMS: dict[str, Callable[[Rows], Any]] = {
    "binary": lambda rows: pa.array(rows, pa.binary()),
    "large": lambda rows: pa.array(rows, pa.large_binary()),
    "views": lambda rows: pa.array(rows, pa.binary_view()),
    "sliced": sliced,
    "dictionary": lambda rows: pa.array(rows, pa.binary()).dictionary_encode(),
    "sliced dictionary": lambda rows: sliced(rows).dictionary_encode().slice(0),
    "run ends": run_ends,
    "chunks": lambda rows: chunked(pa.array(rows, pa.binary()), (1, 0, 40, 7)),
    "one chunk": lambda rows: pa.chunked_array([pa.array(rows, pa.binary())]),
    "chunks of views": lambda rows: chunked(pa.array(rows, pa.binary_view()), (100, 30)),
    "table": lambda rows: pa.table({"rows": chunked(sliced(rows), (150, 3))}),
    "record batch": lambda rows: pa.record_batch({"rows": pa.array(rows, pa.binary())}).slice(0),
    "reader": lambda rows: pa.table({"rows": pa.array(rows, pa.binary())}).to_reader(max_chunksize=60),
    "list": lambda rows: rows,
    "bytearrays": lambda rows: [None if row is None else bytearray(row) for row in rows],
}


def test_every_arrow_type_beside_every_other() -> None:
    rows = ragged()
    expected = [bool(verdict) for verdict in singly(rows)]
    assert {True, False} == set(expected)
    plain = FORMS["binary"]
    for form in FORMS.values():
        assert arrow.verify(form(rows[0]), plain(rows[1]), plain(rows[2])).to_pylist() == expected
        assert arrow.verify(plain(rows[0]), form(rows[1]), plain(rows[2])).to_pylist() == expected
        assert arrow.verify(plain(rows[0]), plain(rows[1]), form(rows[2])).to_pylist() == expected
    # Keys in other chunks than messages, and these in others than signatures.
    parts = zip(rows, [(17, 1, 0, 90), (5, 64), (33, 0, 2)], strict=True)
    columns = [chunked(plain(column), sizes) for column, sizes in parts]
    assert arrow.verify(*columns).to_pylist() == expected
    assert arrow.explain(*columns).valid.to_pylist() == expected


def test_fixed_width_and_slices_of_it() -> None:
    rows = table()
    expected = [bool(verdict) for verdict in singly(rows)]
    keys, messages, signatures = fixed(rows[0]), pa.array(rows[1], pa.binary()), fixed(rows[2])
    assert arrow.verify(keys, messages, signatures).to_pylist() == expected
    for start, count in [(0, 1), (3, 100), (499, 1), (60, 0)]:
        parts = [column.slice(start, count) for column in (keys, messages, signatures)]
        assert arrow.verify(*parts).to_pylist() == expected[start : start + count]
    assert arrow.verify(keys.dictionary_encode(), messages, signatures).to_pylist() == expected


@pytest.mark.parametrize("encoding", ENCODE)
def test_text_in_the_encoding_that_is_named(encoding: Any) -> None:
    rows = ragged()
    expected = [bool(verdict) for verdict in singly(rows)]
    columns = [text(column, ENCODE[encoding]) for column in rows]
    named: Any = {f"{name}_encoding": encoding for name in ("key", "message", "signature")}
    for kind in (pa.string(), pa.large_string(), pa.string_view()):
        arrays = [pa.array(column, kind) for column in columns]
        assert arrow.verify(*arrays, **named).to_pylist() == expected
        assert arrow.verify(*[chunked(array, (30, 200)) for array in arrays], **named).to_pylist() == expected
    dictionaries = [pa.array(column, pa.string()).dictionary_encode() for column in columns]
    assert arrow.verify(*dictionaries, **named).to_pylist() == expected
    # In lists, and beside what is not in the encoding.
    assert arrow.verify(*columns, **named).to_pylist() == expected
    odd = [["\ud800" if i == 0 else row for i, row in enumerate(column)] for column in columns]
    assert arrow.verify(*odd, **named).to_pylist() == [False, *expected[1:]]
    # Nothing is guessed: hexadecimal digits are Base64 as well, of other bytes.
    other = {**named, "key_encoding": "hex" if encoding != "hex" else "base64"}
    assert arrow.count_invalid(arrow.verify(*dictionaries, **other)) == len(expected)
    with pytest.raises(ValueError, match=r"^public_keys: text, of which must be said"):
        arrow.verify(*dictionaries, signature_encoding=encoding)
    with pytest.raises(ValueError, match=r"^signatures: text, of which must be said"):
        arrow.verify(pa.table({"k": dictionaries[0]}), dictionaries[1], dictionaries[2], key_encoding=encoding)
    with pytest.raises(ValueError, match=r"^public_keys\[0\]: text, of which must be said"):
        arrow.verify(columns[0], columns[1], columns[2], signature_encoding=encoding)


def test_a_message_in_text_is_its_utf_8() -> None:
    key = KEYS[0]
    message = "a naïve message"
    signature = key.sign(message.encode())
    for column in (pa.array([message]), [message.encode()], [message], pa.array([message], pa.string_view())):
        assert arrow.verify(bytes(key.verifying_key), column, signature).to_pylist() == [True]
    assert arrow.verify([bytes(key.verifying_key)], message, [signature]).to_pylist() == [True]
    for half in ("\ud800", [message, "\ud800"]):
        with pytest.raises(ValueError, match=r"^messages(\[1\])?: not UTF-8"):
            arrow.verify(bytes(key.verifying_key), half, [signature] * 2)


@pytest.mark.parametrize("profile", ed25519.PROFILES)
def test_every_edge_case_under_every_profile(profile: Any) -> None:
    cases = vectors("ed25519_verify.json")["cases"]
    columns = [pa.array([bytes.fromhex(case[name]) for case in cases]) for name in ("key", "msg", "sig")]
    expected = [profile in case["accept"] for case in cases]
    assert any(expected) and not all(expected)
    assert arrow.verify(*columns, profile=profile).to_pylist() == expected
    assert arrow.explain(*columns, profile=profile).valid.to_pylist() == expected


def test_nulls_are_not_valid_unless_they_are_propagated() -> None:
    rows = table()
    known = singly(rows)
    assert None in known
    columns = [pa.array(column) for column in rows]
    verdicts = arrow.verify(*columns)
    assert verdicts.to_pylist() == [verdict is True for verdict in known]
    propagated = arrow.verify(*columns, nulls="propagate")
    assert propagated.to_pylist() == known
    assert arrow.count_invalid(propagated) == arrow.count_invalid(verdicts) == sum(it is not True for it in known)
    # Parts with nulls among parts without any, in both orders.
    for size in (1, 2, 5, 90):
        parts = [chunked(column, (size,)) for column in columns]
        assert arrow.verify(*parts, nulls="propagate").to_pylist() == known
    assert arrow.explain(*columns, nulls="propagate").valid.to_pylist() == known


def test_one_value_for_every_row() -> None:
    key = KEYS[3]
    public = bytes(key.verifying_key)
    messages = [b"one", b"two", b"three"]
    signatures = key.sign_many(messages)
    assert all(arrow.verify(public, pa.array(messages), pa.array(signatures)))
    assert all(arrow.verify(public.hex(), chunked(pa.array(messages), (1, 2)), signatures, key_encoding="hex"))
    assert arrow.verify(public, b"two", pa.array(signatures)).to_pylist() == [False, True, False]
    for like in (bytearray, memoryview, pa.py_buffer, lambda octets: array.array("B", octets)):
        assert arrow.verify(like(public), pa.array(messages), like(signatures[1])).to_pylist() == [False, True, False]
        assert arrow.verify(like(public[1:]), pa.array(messages), signatures).to_pylist() == [False] * 3
    with pytest.raises(TypeError, match=r"^public_keys: .* single values"):
        arrow.verify(public, b"two", signatures[1])


def test_reasons() -> None:
    key = bytes(KEYS[0].verifying_key)
    good = KEYS[0].sign(b"x")
    order = (2**252 + 27742317777372353535851937790883648493).to_bytes(32, "little")
    neutral = b"\x01" + bytes(31)
    cases: list[tuple[bytes | None, bytes | None, bytes | None, str | None]] = [
        (key, b"x", good, None),
        (None, b"x", good, "null_key"),
        (key, None, good, "null_message"),
        (key, b"x", None, "null_signature"),
        (key[:31], b"x", good, "key_length"),
        (key, b"x", good + b"\0", "signature_length"),
        (b"\x02" + bytes(31), b"x", good, "key_encoding"),
        (neutral, b"x", good, "weak_key"),
        (key, b"x", b"\x02" + bytes(31) + good[32:], "r_encoding"),
        (key, b"x", good[:32] + order, "s_range"),
        (key, b"y", good, "equation"),
    ]
    columns = [pa.array([case[i] for case in cases], pa.binary()) for i in range(3)]
    explained = arrow.explain(*columns)
    assert explained.reasons.to_pylist() == [case[3] for case in cases]
    assert explained.valid.to_pylist() == [case[3] is None for case in cases]
    assert explained.valid.to_pylist() == arrow.verify(*columns).to_pylist()
    # In pieces they are the same.
    in_pieces = arrow.explain(*[chunked(column, (1, 4)) for column in columns])
    assert in_pieces.reasons.to_pylist() == explained.reasons.to_pylist()
    assert len(explained) == len(explained.reasons) == len(cases)
    assert explained.reasons[1] == "null_key" and explained.reasons[-1] == "equation"
    found = pa.record_batch(explained)
    assert found.schema.names == ["valid", "reason"]
    assert found["reason"].to_pylist() == explained.reasons.to_pylist()
    assert pa.array(explained.reasons).to_pylist() == explained.reasons.to_pylist()
    assert pa.schema(explained) == found.schema
    # Of text, what does not decode.
    found_in_text = arrow.explain([b"zz"], [b""], good, key_encoding="hex")
    assert found_in_text.reasons.to_pylist() == ["text_key"]


def test_strict_raises_for_rows_that_are_malformed_and_only_for_them() -> None:
    rows = table()
    columns = [chunked(pa.array(column), (100,)) for column in rows]
    assert arrow.verify(*columns, strict=True).to_pylist() == arrow.verify(*columns).to_pylist()
    rows[2][322] = b"too short"
    columns = [chunked(pa.array(column), (100,)) for column in rows]
    with pytest.raises(ValueError, match=r"^signatures\[322\]: a wrong length$"):
        arrow.verify(*columns, strict=True)
    with pytest.raises(ValueError, match=r"^signatures\[322\]: a wrong length$"):
        arrow.explain(*columns, strict=True)
    with pytest.raises(ValueError, match=r"^public_keys\[1\]: not in the encoding$"):
        arrow.verify(pa.array(["00" * 32, "x"]), b"", bytes(64), key_encoding="hex", strict=True)


def test_columns_of_nulls() -> None:
    # What has no type because there is no value in it is nulls, as engines have it: a part of a table may be so.
    columns = [pa.array(column) for column in table(3)]
    for place, name in enumerate(["null_key", "null_message", "null_signature"]):
        mixed = [pa.nulls(3) if i == place else column for i, column in enumerate(columns)]
        assert arrow.verify(*mixed).to_pylist() == [False] * 3
        assert arrow.verify(*mixed, nulls="propagate").to_pylist() == [None] * 3
        assert arrow.explain(*mixed).reasons.to_pylist() == [name] * 3
    nulls = pa.nulls(3)
    for column in (nulls, nulls[:0], pa.chunked_array([nulls[:2], nulls[2:]]), pa.chunked_array([], pa.null())):
        assert arrow.count_invalid(column) == len(column)


def test_columns_of_nulls_of_polars() -> None:
    # They have a buffer, which nulls without a type have nowhere else.
    polars = pytest.importorskip("polars")
    rows = table(3)
    columns = [pa.array(column) for column in rows]
    nulls = polars.Series("nulls", [None] * 3)
    assert nulls.dtype == polars.Null
    for series in (nulls, polars.concat([nulls[:1], nulls[1:]], rechunk=False), polars.concat([nulls, nulls])[2:5]):
        assert arrow.count_invalid(series) == 3
        for column in (series, polars.DataFrame({"nulls": series})):
            for place, name in enumerate(["null_key", "null_message", "null_signature"]):
                mixed = [column if i == place else other for i, other in enumerate(columns)]
                assert arrow.verify(*mixed).to_pylist() == [False] * 3
                assert arrow.verify(*mixed, nulls="propagate").to_pylist() == [None] * 3
                assert arrow.explain(*mixed).reasons.to_pylist() == [name] * 3
            assert arrow.verify_fn_dsa(column, columns[1], columns[2]).to_pylist() == [False] * 3
            with pytest.raises(ValueError, match="^messages: .*rows"):
                arrow.verify(column, columns[1][1:], columns[2][1:])
    frame = polars.DataFrame({"k": rows[0], "m": rows[1], "s": rows[2]}).with_columns(nothing=None)
    assert arrow.verify(frame["k"], frame["m"], frame["nothing"][:0].extend(frame["nothing"])).to_pylist() == [False] * 3
    assert arrow.verify(frame["k"][:0], frame["m"][:0], frame["nothing"][:0]).to_pylist() == []
    with pytest.raises(TypeError, match="^signatures: one column is needed, not a table of 2"):
        arrow.verify(frame["k"], frame["m"], frame[["s", "nothing"]])


def test_the_type_of_reasons() -> None:
    # Large strings: any number of rows has them, and libraries take them that know no views.
    columns = [pa.array(column) for column in table(3)]
    columns[2] = pa.nulls(3, pa.binary())
    explained = arrow.explain(*columns)
    assert pa.array(explained.reasons).type == pa.large_string()
    found = pa.table(explained)
    assert found.schema.field("reason").type == pa.large_string()
    groups = found.group_by("reason").aggregate([([], "count_all")]).to_pylist()
    assert groups == [{"reason": "null_signature", "count_all": 3}]


UNORDERED: list[Any] = [
    {b"a", b"b"},
    frozenset([b"a"]),
    {b"a": b"b"},
    types.MappingProxyType({0: b"a"}),
    set(),
    {},
]


def test_columns_that_cannot_be_are_errors_that_name_them() -> None:
    keys, messages, signatures = (pa.array(column) for column in table(10))
    for wrong, error, said in [
        (pa.array(range(10)), TypeError, "binary data or text is needed, not Int64"),
        (chunked(pa.array(range(10)), (3,)), TypeError, "binary data or text is needed, not Int64"),
        (pa.array([[b"x"]] * 10), TypeError, "binary data or text is needed, not List"),
        (pa.table({"a": keys, "b": keys}), TypeError, "one column is needed, not a table of 2"),
        (keys.slice(1), ValueError, "rows, and"),
        (7, TypeError, "a sequence or an array of rows is needed, not int"),
        ([1] * 10, TypeError, r"\[0\]: a bytes-like object is needed, not int"),
        (pa.Array, TypeError, "is needed, not"),
        # Whose order nobody chose, and keys in the place of values.
        *((rows, TypeError, "rows, which have an order, is needed, not") for rows in UNORDERED),
    ]:
        for name, columns in [
            ("messages", (keys, wrong, signatures)),
            ("signatures", (keys, messages, wrong)),
        ]:
            with pytest.raises(error, match=f"^{name}.*{said}"):
                arrow.verify(*columns)
    # One message in a buffer could be many of one byte as well.
    for one in (bytearray(3), memoryview(b"abc"), array.array("B", b"abc")):
        with pytest.raises(ValueError, match="^messages: a buffer of one dimension .* bytes or str are needed for one message"):
            arrow.verify(keys, one, signatures)
    for name, columns in [
        ("public_keys", (pa.array([bytes(31)], pa.binary(31)), [b""], [b""])),
        ("signatures", ([b""], [b""], pa.array([bytes(63)], pa.binary(63)))),
    ]:
        with pytest.raises(ValueError, match=f"^{name}: no .* has (31|63) bytes"):
            arrow.verify(*columns)
        # Also where there are no rows.
        with pytest.raises(ValueError, match=f"^{name}: no .* has (31|63) bytes"):
            arrow.verify(*[column[:0] for column in columns])
    # Of streams it is known when they end.
    with pytest.raises(ValueError, match=r"^messages: 9 rows, and public_keys has more"):
        arrow.verify(chunked(keys, (2,)), chunked(messages.slice(1), (5,)), chunked(signatures, (3,)))
    with pytest.raises(ValueError, match=r"^signatures: more than 9 rows, and public_keys has 9"):
        arrow.verify(chunked(keys.slice(1), (2,)), chunked(messages.slice(1), (5,)), chunked(signatures, (3,)))
    with pytest.raises(ValueError, match=r"^signatures: 10 rows, and public_keys has 9"):
        arrow.verify(keys.slice(1), messages.slice(1), signatures)
    for options, said in [
        ({"profile": "lenient"}, "^profile: 'lenient' is none of"),
        ({"nulls": "no"}, "^nulls: 'no' is none of invalid, propagate"),
        ({"key_encoding": "utf-8"}, "^key_encoding: 'utf-8' is none of bytes, hex, base64, base64url"),
    ]:
        with pytest.raises(ValueError, match=said):
            arrow.verify(keys, messages, signatures, **options)  # type: ignore[arg-type]
    for judge in (arrow.verify, arrow.explain, arrow.verify_fn_dsa, arrow.explain_fn_dsa):
        names = ["nulls", "key_encoding", "message_encoding", "signature_encoding"]
        for name in names + ["profile"] * ("fn_dsa" not in judge.__name__):
            with pytest.raises(TypeError, match=f"^{name}: a str is needed, not NoneType"):
                judge(keys, messages, signatures, **{name: None})  # type: ignore[arg-type]
        for wrong in (1, 0, None, "yes", [True]):
            with pytest.raises(TypeError, match=f"^strict: a bool is needed, not {type(wrong).__name__}"):
                judge(keys, messages, signatures, strict=wrong)  # type: ignore[arg-type]


def test_a_table_of_one_column_has_no_rows_that_are_null_as_a_whole() -> None:
    row = pa.array([{"key": bytes(32)}, None], pa.struct({"key": pa.binary()}))
    with pytest.raises(ValueError, match="^public_keys: a table of one column has a null in the place of a row"):
        arrow.verify(row, b"", bytes(64))
    assert arrow.verify(row[:1], b"", bytes(64)).to_pylist() == [False]


def test_no_rows_give_no_verdicts() -> None:
    none = pa.array([], pa.binary())
    assert arrow.verify(none, none, none).to_pylist() == []
    assert arrow.verify([], [], []).to_pylist() == []
    empty = pa.chunked_array([], pa.binary())
    assert pa.array(arrow.verify(empty, empty, empty)).type == pa.bool_()
    assert arrow.explain(empty, empty, empty).reasons.to_pylist() == []


def test_capsules_that_are_not_what_they_should_be() -> None:
    column = pa.array([b"x"])

    class Twice:
        """Gives the same capsules again."""

        def __init__(self) -> None:
            self.capsules = column.__arrow_c_array__()

        def __arrow_c_array__(self, requested_schema: object = None) -> Any:
            return self.capsules

    twice = Twice()
    assert arrow.verify(twice, twice.__class__(), Twice()).to_pylist() == [False]
    with pytest.raises(ValueError, match="^public_keys: .* taken before"):
        arrow.verify(twice, Twice(), Twice())

    class Exchanged(Twice):
        def __arrow_c_array__(self, requested_schema: object = None) -> Any:
            return self.capsules[::-1]

    with pytest.raises(ValueError, match="^messages: "):
        arrow.verify(column, Exchanged(), column)

    class Nothing(Twice):
        def __arrow_c_array__(self, requested_schema: object = None) -> Any:
            return 1, 2

    with pytest.raises(TypeError, match="^signatures: "):
        arrow.verify(column, column, Nothing())

    class Fails(Twice):
        def __arrow_c_array__(self, requested_schema: object = None) -> Any:
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        arrow.verify(column, column, Fails())


def test_offsets_that_lie_outside_are_an_error() -> None:
    good = pa.array([b"x" * 40, b"y" * 40])
    kinds: list[tuple[Any, str]] = [(pa.binary(), "i"), (pa.string(), "i"), (pa.large_binary(), "q")]
    for kind, code in kinds:
        # The last one is right, and so the length of the data; the one before is far away.
        offsets = pa.py_buffer(array.array(code, [0, 1 << 30, 80]).tobytes())
        wild = pa.Array.from_buffers(kind, 2, [None, offsets, pa.py_buffer(bytes(80))])
        with pytest.raises(ValueError, match="^messages: .*ffset"):
            arrow.verify(good, wild, good)
        with pytest.raises(ValueError, match="^messages: .*ffset"):
            arrow.verify(good, pa.chunked_array([wild]), good)
    indices = pa.array([0, 9], pa.int32())
    wild = pa.DictionaryArray.from_arrays(indices, good, safe=False)
    with pytest.raises(ValueError, match="^public_keys: .*out of bounds"):
        arrow.verify(wild, good, good)


@pytest.mark.parametrize(
    ("raised", "error"),
    [
        (OSError, OSError),
        (MemoryError, MemoryError),
        (NotImplementedError, NotImplementedError),
        (RuntimeError, RuntimeError),
        # A ValueError is said of rows that are malformed, with strict=True, and of columns that cannot be.
        (ValueError, RuntimeError),
        (TypeError, RuntimeError),
        (KeyError, RuntimeError),
        (KeyboardInterrupt, RuntimeError),
        (SystemExit, RuntimeError),
    ],
)
def test_an_error_of_a_stream_is_passed_on(raised: type[BaseException], error: type[Exception]) -> None:
    schema = pa.schema({"rows": pa.binary()})

    def reader() -> Any:
        def batches() -> Any:
            yield pa.record_batch({"rows": pa.array([bytes(64)])}, schema=schema)
            raise raised("the disk is gone")

        return pa.RecordBatchReader.from_batches(schema, batches())

    for strict in (False, True):
        for name, columns in [
            ("messages", (bytes(32), reader(), bytes(64))),
            ("signatures", (bytes(32), [b"x", b"y"], reader())),
        ]:
            with pytest.raises(error, match=f"(?s)^{name}: .*the disk is gone") as caught:
                arrow.verify(*columns, strict=strict)
            assert type(caught.value) is error


def test_verdicts_go_to_every_library() -> None:
    rows = table()
    columns = [pa.array(column) for column in rows]
    expected = [bool(verdict) for verdict in singly(rows)]
    verdicts = arrow.verify(*columns)
    array = pa.array(verdicts)
    array.validate(full=True)
    assert array.type == pa.bool_() and array.to_pylist() == expected
    assert pa.field(verdicts).type == pa.bool_()
    assert len(verdicts) == 500 and verdicts[5] == expected[5] and verdicts[-1] == expected[-1]
    assert list(verdicts) == expected
    with pytest.raises(IndexError):
        verdicts[500]
    for one in (bool, lambda verdicts: verdicts == True, lambda verdicts: False != verdicts):  # noqa: E712
        with pytest.raises(ValueError, match="many verdicts are not one"):
            one(verdicts)
    count = expected.count(False)
    assert repr(verdicts) == f"<lanner.arrow.Verdicts of 500 rows, {count} not valid>"
    # Also when they have lost whom they come from.
    nullable = pa.array(arrow.verify(*columns, nulls="propagate"))
    gc.collect()
    assert nullable.null_count == singly(rows).count(None)
    for column in (array, pa.chunked_array([array, array.slice(0, 0)]), verdicts):
        assert arrow.count_invalid(column) == count
    assert arrow.count_invalid(nullable) == count
    with pytest.raises(TypeError, match="^verdicts: booleans are needed, not Binary"):
        arrow.count_invalid(columns[0])
    with pytest.raises(TypeError, match="^verdicts: an Arrow column of booleans is needed, not list"):
        arrow.count_invalid([True])  # type: ignore[arg-type]


def test_verdicts_and_reasons_are_sequences() -> None:
    columns = [pa.array(column) for column in ragged()]
    explained = arrow.explain(*columns, nulls="propagate")
    for found in (explained.valid, explained.reasons):
        values = found.to_pylist()
        assert {None} < set(values) and list(found) == values and None in found
        assert found == values and found == tuple(values) and found == found[:] and values == found
        assert not found != values and not found != tuple(values) and not found != found[:]
        for other in (values[1:], found[1:], (), None, "text", [not value for value in values]):
            assert found != other and not found == other
        for rows in (slice(3, 9), slice(None, None, -1), slice(-5, None, 2), slice(7, 3), slice(0, 1 << 70, 1 << 62)):
            assert found[rows].to_pylist() == values[rows] and type(found[rows]) is type(found)
        for key, error in ((500, IndexError), (-501, IndexError), ("valid", TypeError), (1.0, TypeError)):
            with pytest.raises(error):
                found[key]  # type: ignore[call-overload]
        for copied in (pickle.loads(pickle.dumps(found)), copy.copy(found), copy.deepcopy(found)):
            assert copied == found and type(copied) is type(found)
        assert isinstance(found, Sequence) and list(reversed(found)) == values[::-1]
        for value in (True, False, None, "equation", "text", 1, [True]):
            assert found.count(value) == values.count(value)
            for span in ((), (3,), (-40,), (100, 450), (-40, -1), (600,), (0, 1)):
                if value in values[slice(*(span if len(span) == 2 else (*span, None)))]:
                    assert found.index(value, *span) == values.index(value, *span)
                else:
                    with pytest.raises(ValueError):
                        found.index(value, *span)
        # What equals lists has no hash, as lists have none.
        with pytest.raises(TypeError, match="unhashable"):
            hash(found)
    assert explained.valid != explained.reasons
    again = pickle.loads(pickle.dumps(explained))
    assert again.valid == explained.valid and again.reasons == explained.reasons
    with pytest.raises(TypeError):
        explained.valid < explained.valid  # type: ignore[operator]  # noqa: B015


def test_polars() -> None:
    polars = pytest.importorskip("polars")
    rows = ragged()
    expected = [bool(verdict) for verdict in singly(rows)]
    frame = polars.DataFrame(dict(zip("kms", rows, strict=True)))
    verdicts = arrow.verify(frame["k"], frame["m"], frame["s"])
    assert verdicts.to_pylist() == expected
    series = polars.Series(verdicts).alias("valid")
    assert series.dtype == polars.Boolean and series.to_list() == expected and series.name == "valid"
    assert arrow.count_invalid(series) == expected.count(False)
    explained = polars.DataFrame(arrow.explain(frame["k"], frame["m"], frame["s"]))
    assert explained.columns == ["valid", "reason"]
    # Views, text, categories, slices, several chunks, a frame of one column.
    several = polars.concat([frame[:100], frame[100:103], frame[103:]], rechunk=False)
    assert arrow.verify(several["k"], frame["m"], several.select("s")).to_pylist() == expected
    keys = polars.Series(text(rows[0], bytes.hex))
    for column in (keys, keys.cast(polars.Categorical)):
        assert arrow.verify(column, frame["m"], frame["s"], key_encoding="hex").to_pylist() == expected
    # Objects of Python, of which Arrow has the places in memory and no word that they are that; eight bytes are a message like others.
    objects = polars.Series("m", [bytearray(row or b"") for row in rows[1]])
    assert objects.dtype == polars.Object
    for column in (objects, polars.DataFrame({"m": objects}), objects[:0]):
        for name, columns in [("messages", (rows[0], column, rows[2])), ("public_keys", (column, rows[1], rows[2]))]:
            with pytest.raises(TypeError, match=f"^{name}: a column of the type Object"):
                arrow.verify(*columns)
            with pytest.raises(TypeError, match=f"^{name}: a column of the type Object"):
                arrow.explain_fn_dsa(*columns)
    part = frame[37:211]
    assert arrow.verify(part["k"], part["m"], part["s"]).to_pylist() == expected[37:211]


def test_pandas() -> None:
    pandas, numpy = pytest.importorskip("pandas"), pytest.importorskip("numpy")
    rows = ragged()
    expected = [bool(verdict) for verdict in singly(rows)]
    dtype = pandas.ArrowDtype(pa.binary())
    frame = pandas.DataFrame({name: pandas.Series(column, dtype=dtype) for name, column in zip("kms", rows, strict=True)})
    verdicts = arrow.verify(frame["k"], frame["m"], frame["s"])
    assert verdicts.to_pylist() == expected
    assert pandas.Series(pa.array(verdicts).to_pandas()).tolist() == expected
    # As columns.
    frame["valid"] = verdicts
    assert frame["valid"].dtype == bool and frame["valid"].tolist() == expected
    assert (frame["valid"] == False).sum() == len(frame[~frame["valid"]]) == expected.count(False)  # noqa: E712
    reasons = arrow.explain(frame["k"], frame["m"], frame["s"]).reasons
    frame["reason"] = reasons
    assert [None if pandas.isna(reason) else reason for reason in frame["reason"]] == reasons.to_pylist()
    assert frame["reason"].isna().tolist() == expected
    with pytest.raises(ValueError, match="numpy has no nulls among its booleans"):
        frame["valid"] = arrow.verify(frame["k"], frame["m"], frame["s"], nulls="propagate")
    # As a mask.
    mask = numpy.asarray(verdicts)
    assert frame[mask].index.tolist() == [i for i, valid in enumerate(expected) if valid]
    with pytest.raises((KeyError, TypeError, ValueError)):
        frame[verdicts]
    # Objects of Python, and rows that were chosen.
    objects = pandas.DataFrame(dict(zip("kms", rows, strict=True)))
    assert arrow.verify(objects["k"], objects["m"], objects["s"]).to_pylist() == expected
    some = frame[frame.index % 3 == 0]
    assert arrow.verify(some["k"], some["m"], some["s"]).to_pylist() == expected[::3]


def test_missing_values_of_pandas_are_nulls() -> None:
    pandas, numpy = pytest.importorskip("pandas"), pytest.importorskip("numpy")
    rows = ragged()
    known = singly(rows)
    assert None in known
    # An outer join puts what is not a number in the place of what is missing.
    tables = [{i: row for i, row in enumerate(column) if row is not None} for column in rows]
    frame = pandas.DataFrame({"n": range(500)})
    for name, present in zip("kms", tables, strict=True):
        frame = frame.merge(pandas.DataFrame({"n": list(present), name: list(present.values())}), how="left", on="n")
    missing = {type(value) for name in "kms" for value in frame[name] if not isinstance(value, bytes)}
    assert missing == {float}
    dtype = pandas.ArrowDtype(pa.binary())
    for forms in (
        lambda column: column,
        lambda column: column.array,
        lambda column: column.values,
        list,
        lambda column: column.astype(dtype),
        lambda column: column.astype(dtype).array,
        lambda column: column.astype(dtype).astype(object).where(column.notna(), pandas.NA),
        lambda column: numpy.array([pandas.NaT if row is None else row for row in column.where(column.notna(), None)], object),
    ):
        columns = [forms(frame[name]) for name in "kms"]
        assert arrow.verify(*columns, nulls="propagate").to_pylist() == known
        assert arrow.verify(*columns).to_pylist() == [verdict is True for verdict in known]
    keys = pandas.Series(text(rows[0], bytes.hex), dtype="string")
    for keys in (keys, keys.array):
        assert arrow.verify(keys, rows[1], rows[2], key_encoding="hex", nulls="propagate").to_pylist() == known
    # A number is none.
    for number in (1.0, float("inf"), numpy.float64(0), pandas.Timestamp(0)):
        with pytest.raises(TypeError, match=r"^messages\[0\]: a (bytes-like object|buffer of bytes.*) is needed, not"):
            arrow.verify(rows[0][:1], [number], rows[2][:1])
    # Where there is no pandas there are no objects of it.
    program = "import sys; sys.modules['pandas'] = None; from lanner import arrow; print(arrow.verify([b''], [float('nan')], [None], nulls='propagate')[:])"
    run = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("<lanner.arrow.Verdicts of 1 rows, 1 not valid>\n", "")


def test_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    rows = ragged()
    expected = [bool(verdict) for verdict in singly(rows)]
    ledger = pa.table({"n": range(500), **{name: pa.array(column) for name, column in zip("kms", rows, strict=True)}})
    connection = duckdb.connect()
    connection.register("ledger", ledger)
    query = "SELECT {} FROM ledger ORDER BY n"
    # A connection has one open result at a time.
    columns = [pa.array(column) for column in rows]
    for at, name in enumerate("kms"):
        mixed: list[Any] = list(columns)
        mixed[at] = connection.sql(query.format(name))
        assert arrow.verify(*mixed).to_pylist() == expected
        del mixed
    result = connection.sql(query.format("*")).to_arrow_table()
    assert arrow.verify(result["k"], result["m"], result["s"]).to_pylist() == expected
    valid = pa.table({"valid": pa.array(arrow.verify(*columns))})
    connection.register("verdicts", valid)
    assert connection.sql("SELECT count(*) FROM verdicts WHERE NOT valid").fetchall() == [(expected.count(False),)]


def test_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    count = 300
    key = KEYS[1]
    messages = numpy.arange(count * 8, dtype=numpy.uint8).reshape(count, 8)
    signed = key.sign_many([bytes(row) for row in messages])
    signatures = numpy.frombuffer(b"".join(signed), numpy.uint8).reshape(count, 64).copy()
    signatures[::7, 3] ^= 1
    keys = numpy.tile(numpy.frombuffer(bytes(key.verifying_key), numpy.uint8), (count, 1))
    verdicts = arrow.verify(keys, messages, signatures)
    found = numpy.asarray(verdicts)
    assert found.dtype == bool and found.flags.writeable
    assert (found == (numpy.arange(count) % 7 != 0)).all()
    assert numpy.array(verdicts, dtype=numpy.int64).sum() == found.sum()
    with pytest.raises(ValueError, match="copy"):
        numpy.array(verdicts, copy=False)
    # Text in objects, and in numpy's own type, which drops zeros at the end: of that no messages are taken.
    text_keys = [bytes(key.verifying_key).hex()] * count
    for column in (numpy.array(text_keys, object), numpy.array(text_keys)):
        assert arrow.verify(column, messages, signatures, key_encoding="hex").to_pylist() == verdicts.to_pylist()
    words = ["one", "two\0"]
    signed = key.sign_many([word.encode() for word in words])
    assert all(arrow.verify(keys[:2], numpy.array(words, object), signed))
    with pytest.raises(ValueError, match="^messages: numpy's type U loses zeros"):
        arrow.verify(keys[:2], numpy.array(words), signed)
    # Columns of bigger arrays, rows backwards, in Fortran's order; beside Arrow's and lists.
    wide = numpy.concatenate([keys, signatures], axis=1)
    again = arrow.verify(wide[::-1, :32], numpy.asfortranarray(messages[::-1]), wide[::-1, 32:])
    assert again.to_pylist() == verdicts.to_pylist()[::-1]
    reasons = arrow.explain(keys, messages, signatures).reasons
    assert numpy.asarray(reasons).dtype == object and numpy.asarray(reasons).tolist() == reasons.to_pylist()
    assert numpy.array(reasons, dtype="U20")[0] == reasons[0] is not None
    with pytest.raises(ValueError, match="copy"):
        numpy.array(reasons, copy=False)
    assert (verdicts == found).all() and (reasons == numpy.asarray(reasons)).all()
    mixed = arrow.verify(pa.array([bytes(key.verifying_key)] * count), list(messages), signatures)
    assert mixed.to_pylist() == verdicts.to_pylist()
    assert arrow.verify(keys[0], messages, signatures).to_pylist() == verdicts.to_pylist()
    empty = key.sign(b"")
    assert all(arrow.verify(keys, numpy.empty((count, 0), numpy.uint8), empty))
    nulls = arrow.verify([None, keys[0]], [b"", b""], [b"", b""], nulls="propagate")
    for dtype in (None, bool, numpy.int8, "U5"):
        with pytest.raises(ValueError, match="nulls"):
            numpy.asarray(nulls, dtype=dtype)
    for dtype in (object, "O", numpy.dtype(object)):
        for column in (nulls, verdicts):
            found = numpy.asarray(column, dtype=dtype)
            assert found.dtype == object and found.tolist() == column.to_pylist() and found[1] is column[1]
    with pytest.raises(ValueError, match="copy"):
        numpy.array(nulls, dtype=object, copy=False)
    # Rows are those of the buffer, whatever the object says of its length.
    for width in (0, 8):
        odd = messages[:, :width].copy().view(type("Odd", (numpy.ndarray,), {"__len__": lambda self: 7}))
        assert arrow.verify(keys, odd, signatures).to_pylist() == arrow.verify(keys, odd.view(numpy.ndarray), signatures).to_pylist()
    # What comparisons of arrays give is a bool, too, and no number is.
    bools = numpy.arange(2) > 0
    assert arrow.verify(keys, messages, signatures, strict=bools[0]).to_pylist() == verdicts.to_pylist()
    assert arrow.verify(keys[1:], messages[1:], signatures[1:], strict=bools[1]).to_pylist() == verdicts.to_pylist()[1:]
    assert arrow.verify([b""], [b""], [b""], strict=bools[0]).to_pylist() == [False]
    with pytest.raises(ValueError, match="^public_keys"):
        arrow.verify([b""], [b""], [b""], strict=bools[1])
    for number in (numpy.int64(1), numpy.float32(1), bools):
        with pytest.raises(TypeError, match=f"^strict: a bool is needed, not {type(number).__name__}"):
            arrow.verify(keys, messages, signatures, strict=number)
    for wrong, said in [
        (keys[:, :31], "^public_keys: no public key has 31 bytes"),
        (keys[:-1], "^messages: 300 rows, and public_keys has 299"),
        (keys[None], "^public_keys: an array of two dimensions is needed, not of 3"),
        # A key that ends in zero would have 31 bytes.
        (numpy.array([bytes(key.verifying_key)] * count), "^public_keys: numpy's type S loses zeros"),
    ]:
        with pytest.raises(ValueError, match=said):
            arrow.verify(wrong, messages, signatures)


def test_numpy_type_of_octets_with_zeros_at_the_end() -> None:
    numpy = pytest.importorskip("numpy")
    key = next(key for key in (ed25519.SigningKey(i.to_bytes(32, "little")) for i in range(2000)) if not bytes(key.verifying_key)[-1])
    messages = [b"one\0", b"two\0", b"\0\0\0\0"]
    rows = [bytes(key.verifying_key)] * 3, messages, key.sign_many(messages)
    columns = [numpy.array(column, f"V{len(column[0])}") for column in rows]
    assert arrow.verify(*columns).to_pylist() == ed25519.verify_batch(*columns) == [True] * 3
    assert key.sign_many(columns[1]) == rows[2]
    # Backwards, and as parts of what has more; beside what is not right.
    records = numpy.zeros(3, [("key", "V32"), ("message", "V4"), ("signature", "V64")])
    for name, column in zip(records.dtype.names, columns, strict=True):
        records[name] = column[::-1]
    parts = [records[name] for name in records.dtype.names]
    assert not parts[0].flags.contiguous
    assert arrow.verify(*parts).to_pylist() == ed25519.verify_batch(*parts) == [True] * 3
    assert arrow.verify(columns[0], columns[1], columns[2][::-1]).to_pylist() == [False, True, False]
    fn_key = fn_dsa.SigningKey.from_seed(bytes(32))
    column = numpy.array([bytes(fn_key.verifying_key)] * 3, "V897")
    assert arrow.verify_fn_dsa(column, columns[1], [fn_key.sign(message) for message in messages]).to_pylist() == [True] * 3
    with pytest.raises(ValueError, match="^public_keys: no public key has 4 bytes"):
        arrow.verify(columns[1], columns[1], columns[2])
    # Masked rows, and items of several values, are what they were.
    masked = numpy.ma.array(columns[1], mask=[False, True, False])
    for judge in (arrow.verify, ed25519.verify_batch):
        with pytest.raises(ValueError, match="^messages: rows are masked"):
            judge(columns[0], masked, columns[2])
        for none in (False, [False] * 3):
            assert list(judge(columns[0], numpy.ma.array(columns[1], mask=none), columns[2])) == [True] * 3
        with pytest.raises((TypeError, ValueError), match="^messages"):
            judge(columns[0], columns[1][:, None, None], columns[2])
    assert arrow.verify(columns[0][:0], columns[1][:0], columns[2][:0]).to_pylist() == []


def test_a_racing_writer_does_not_reach_an_array_that_was_handed_over() -> None:
    # All rows are one place in memory, and the signatures are in turn those of its two contents. So whatever the writer does,
    # either all even rows are valid or all odd ones: unless the rows are read while others are verified.
    numpy = pytest.importorskip("numpy")
    if free_threaded():
        pytest.skip("without the lock the copy itself may be of both")
    count, place = 8192, numpy.zeros(16, numpy.uint8)
    key = KEYS[0]
    signed = []
    for content in (0, 1):
        place[5] = content
        signed.append(key.sign(place.tobytes()))
    messages = numpy.broadcast_to(place, (count, 16))
    signatures = pa.array(signed * (count // 2))
    public = bytes(key.verifying_key)
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            place[5] ^= 1

    writer = threading.Thread(target=write)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)
    writer.start()
    try:
        seen = set()
        end = time.monotonic() + 60
        while time.monotonic() < end and len(seen) < 2:
            found = numpy.asarray(arrow.verify(public, messages, signatures)).reshape(-1, 2)
            pattern = {tuple(row) for row in found.tolist()}
            assert len(pattern) == 1, "rows of both contents"
            seen |= pattern
    finally:
        stop.set()
        writer.join()
        sys.setswitchinterval(interval)
    assert seen == {(True, False), (False, True)}


def interruptible() -> dict[str, Callable[[], object]]:
    """Work of some seconds."""
    key = bytes(KEYS[0].verifying_key)
    signature = KEYS[0].sign(b"message")
    count = 2_000_000
    messages = pa.array([b"message"] * 1000)
    many = pa.chunked_array([messages] * (count // 1000)).combine_chunks()
    # Of one message, in memory once.
    long = pa.DictionaryArray.from_arrays(pa.array([0] * 800, pa.int32()), pa.array([bytes(1 << 22)]))
    fn_key = fn_dsa.SigningKey.from_seed(bytes(32))
    fn_signature = fn_key.sign(b"message")
    return {
        "rows": lambda: arrow.verify(key, many, signature),
        "chunks": lambda: arrow.verify(key, pa.chunked_array([messages] * 2000), signature),
        "invalid rows": lambda: arrow.verify(key, many, bytes(64)),
        "reasons": lambda: arrow.explain(key, many, signature[::-1]),
        "long messages": lambda: arrow.verify(key, long, signature),
        "fn_dsa": lambda: arrow.verify_fn_dsa(bytes(fn_key.verifying_key), many, fn_signature),
    }


@pytest.mark.skipif(sys.platform == "win32", reason="another process cannot send Ctrl-C there")
@pytest.mark.parametrize("name", ["rows", "chunks", "invalid rows", "reasons", "long messages", "fn_dsa"])
def test_ctrl_c_stops_within_a_tenth_of_a_second(name: str) -> None:
    import signal

    work = interruptible()[name]
    # Programs that a shell has put into the background ignore it, and so do those that they start.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    spans = []
    try:
        for _ in range(4):
            sent = []

            def press(sent: list[float] = sent) -> None:
                sent.append(time.monotonic())
                os.kill(os.getpid(), signal.SIGINT)

            timer = threading.Timer(0.15, press)
            timer.start()
            try:
                with pytest.raises(KeyboardInterrupt):
                    work()
                    time.sleep(1)
                    pytest.fail("the work was done before it was interrupted")
            finally:
                timer.join()
            spans.append(time.monotonic() - sent[0])
    finally:
        signal.signal(signal.SIGINT, before)
    # The best one, as others use the machine as well.
    assert min(spans) < 0.1, spans


def test_other_threads_run_meanwhile() -> None:
    key = bytes(KEYS[0].verifying_key)
    column = pa.array([b"message"] * 100_000)
    signature = KEYS[0].sign(b"message")
    assert any(lets_others_in(lambda: arrow.verify(key, column, signature)) for _ in range(20))


MEMORY = """
import resource, sys
import pyarrow as pa
from lanner import arrow
scale = 1 if sys.platform == "darwin" else 1024
column = pa.array([bytes(1 << 20)] * 300, pa.large_binary())
views = column.cast(pa.binary_view())
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale
for messages in (column, pa.chunked_array([column.slice(0, 100), column.slice(100)]), views):
    assert arrow.count_invalid(arrow.verify(bytes(32), messages, bytes(64))) == 300
more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale - before
assert more < 60 << 20, more
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the module resource is of Unix")
def test_messages_are_not_copied() -> None:
    subprocess.run([sys.executable, "-c", MEMORY], check=True)


def test_arrays_are_let_go() -> None:
    gc.collect()
    before = pa.total_allocated_bytes()
    for _ in range(3):
        columns = [chunked(pa.array(column), (100,)) for column in table()]
        verdicts = arrow.verify(*columns)
        explained = pa.record_batch(arrow.explain(*columns))
        with pytest.raises(ValueError):
            arrow.verify(columns[0], columns[1].slice(1), columns[2])
        # Capsules that nobody takes anything out of.
        columns[0].__arrow_c_stream__()
        verdicts.__arrow_c_array__()
        del columns, verdicts, explained
    gc.collect()
    assert pa.total_allocated_bytes() == before


def test_fn_dsa() -> None:
    small, large = (fn_dsa.SigningKey.from_seed(bytes(32), degree) for degree in (512, 1024))
    keys: Rows = []
    messages: Rows = []
    signatures: Rows = []
    for i in range(60):
        key = large if i % 3 == 0 else small
        keys.append(bytes(key.verifying_key))
        messages.append(bytes([i]) * i)
        signatures.append(key.sign(bytes([i]) * i, b"a ledger"))
    signatures[10] = signatures[11]
    keys[20] = b"\xff" * 897
    keys[30] = b"short"
    messages[40] = None
    wrong = {10: "signature", 20: "signature", 30: "key_length", 40: "null_message"}
    # A header that no key has.
    wrong[20] = "key_encoding"
    expected = [i not in wrong for i in range(60)]
    columns = [pa.array(column) for column in (keys, messages, signatures)]
    assert arrow.verify_fn_dsa(*columns, context=b"a ledger").to_pylist() == expected
    explained = arrow.explain_fn_dsa(*columns, context=b"a ledger")
    assert explained.valid.to_pylist() == expected
    assert explained.reasons.to_pylist() == [wrong.get(i) for i in range(60)]
    assert arrow.verify_fn_dsa(*columns, context=b"a ledger", nulls="propagate")[40] is None
    assert arrow.count_invalid(arrow.verify_fn_dsa(*columns)) == 60
    assert arrow.count_invalid(arrow.verify_fn_dsa(*columns, context=b"another")) == 60
    with pytest.raises(ValueError, match="^context: 0 to 255 bytes are needed, not 256"):
        arrow.verify_fn_dsa(*columns, context=bytes(256))
    with pytest.raises(ValueError, match="^public_keys: no public key has 32 bytes"):
        arrow.verify_fn_dsa(pa.array([bytes(32)], pa.binary(32)), [b""], [b""])


def test_threads_share_the_kernels() -> None:
    from concurrent.futures import ThreadPoolExecutor

    rows = table(3000)
    columns = [pa.array(column) for column in rows]
    profiles: list[Any] = list(ed25519.PROFILES)
    expected = {profile: arrow.verify(*columns, profile=profile).to_pylist() for profile in profiles}
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda i: arrow.verify(*columns, profile=profiles[i % len(profiles)]).to_pylist(), range(40)))
    assert found == [expected[profiles[i % len(profiles)]] for i in range(40)]


def test_functions_go_to_other_processes() -> None:
    for name in ("verify", "explain", "verify_fn_dsa", "explain_fn_dsa", "count_invalid"):
        function = getattr(arrow, name)
        assert pickle.loads(pickle.dumps(function)) is function
