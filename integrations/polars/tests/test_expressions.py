"""The expressions in Polars: lazily, in both engines, over Parquet, in pieces and of every type, against the Python package."""

from __future__ import annotations

import base64
import ctypes
import datetime
import gc
import importlib.metadata
import json
import os
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import lanner_polars
import polars as pl
import pytest
from lanner_polars import ed25519_explain, ed25519_verify, fn_dsa_explain, fn_dsa_verify

from lanner import arrow, ed25519, fn_dsa

ROOT = Path(__file__).resolve().parents[3]
FOLDER = Path(__file__).resolve().parents[1]
COLUMNS = ("public_key", "message", "signature")
ENGINES: Any = pytest.mark.parametrize("engine", ["in-memory", "streaming"])
CASES = json.loads((ROOT / "vectors/data/ed25519_verify.json").read_text())["cases"]
KEYS = [ed25519.SigningKey(bytes([i]) * 32) for i in range(5)]


def table(count: int = 300) -> pl.DataFrame:
    """Rows of all sorts: some signatures are not valid, some keys none, some lengths wrong, some values null."""
    keys, messages, signatures = [], [], []
    for i in range(count):
        key, message = KEYS[i * i % 5], i.to_bytes(2, "little") * (i % 90)
        signature = bytearray(key.sign(message))
        if i % 11 == 5:
            signature[i % 64] ^= 1
        if i % 41 == 7:
            signature[63] |= 0xE0
        keys.append(bytes(key.verifying_key) if i % 37 != 9 else b"\x02" + bytes(31))
        messages.append(message)
        signatures.append(bytes(signature) if i % 29 else b"short")
        if i % 53 == 3:
            (keys, messages, signatures)[i % 3][i] = None
    return pl.DataFrame(dict(zip(COLUMNS, (keys, messages, signatures), strict=True)), schema=dict.fromkeys(COLUMNS, pl.Binary))


def expected(frame: pl.DataFrame, **options: Any) -> list[bool | None]:
    """What the Python package says."""
    return arrow.verify(*(frame[name] for name in COLUMNS), **options).to_pylist()


def one(frame: pl.DataFrame | pl.LazyFrame, expression: pl.Expr, engine: Any = "in-memory") -> pl.Series:
    return frame.lazy().select(expression.alias("found")).collect(engine=engine)["found"]


@ENGINES
def test_the_rows_that_are_not_valid_are_found(ledger: Any, engine: Any) -> None:
    rows = pl.scan_parquet(ledger.folder)
    found = rows.filter(~ed25519_verify(*COLUMNS)).select("id").collect(engine=engine)
    assert sorted(found["id"]) == sorted(ledger.invalid)


@ENGINES
def test_reasons_beside_the_rows(ledger: Any, engine: Any) -> None:
    rows = pl.scan_parquet(ledger.folder).with_columns(why=ed25519_explain(*COLUMNS))
    found = rows.filter(pl.col("why").is_not_null()).select("id", "why").collect(engine=engine)
    assert dict(found.iter_rows()) == ledger.invalid


@ENGINES
def test_in_groups_conditions_and_windows(ledger: Any, engine: Any) -> None:
    rows, valid = pl.scan_parquet(ledger.folder), ed25519_verify(*COLUMNS)
    sums = rows.group_by("public_key").agg((~valid).sum().alias("n")).collect(engine=engine)
    assert len(sums) > 10 and sums["n"].sum() == len(ledger.invalid)
    sums = rows.select(n=(~valid).sum().over("public_key"), key="public_key").unique().collect(engine=engine)
    assert sums["n"].sum() == len(ledger.invalid)
    chosen = pl.when(pl.col("id") % 2 == 0).then(valid).otherwise(None)
    found = rows.select("id", found=chosen).filter(~pl.col("found")).collect(engine=engine)
    assert sorted(found["id"]) == [row for row in sorted(ledger.invalid) if row % 2 == 0]


def test_types_are_known_without_rows() -> None:
    rows = table(10).lazy()
    schema = rows.select(ed25519_verify(*COLUMNS), why=ed25519_explain(*COLUMNS)).collect_schema()
    # Named as the leftmost column, as expressions are.
    assert schema == pl.Schema({"public_key": pl.Boolean, "why": pl.String})
    for rows in (table(10).clear(), pl.DataFrame(schema=dict.fromkeys(COLUMNS, pl.Binary))):
        found = rows.select(ed25519_verify(*COLUMNS), why=ed25519_explain(*COLUMNS))
        assert found.schema == schema and found.height == 0


@pytest.mark.parametrize("profile", ed25519.PROFILES)
def test_every_edge_case_under_every_profile(profile: str) -> None:
    rows = pl.DataFrame({name: [bytes.fromhex(case[name]) for case in CASES] for name in ("key", "msg", "sig")})
    accepted = [profile in case["accept"] for case in CASES]
    assert any(accepted) and not all(accepted)
    assert one(rows, ed25519_verify("key", "msg", "sig", profile=profile)).to_list() == accepted
    reasons = one(rows, ed25519_explain("key", "msg", "sig", profile=profile))
    assert reasons.is_null().to_list() == accepted
    assert reasons.to_list() == arrow.explain(*rows, profile=profile).reasons.to_pylist()


@ENGINES
def test_nulls_are_not_valid_unless_they_are_propagated(engine: Any) -> None:
    rows = table()
    known = expected(rows, nulls="propagate")
    assert {True, False, None} == set(known)
    assert one(rows, ed25519_verify(*COLUMNS), engine).to_list() == [it is True for it in known]
    assert one(rows, ed25519_verify(*COLUMNS, nulls="propagate"), engine).to_list() == known
    reasons = one(rows, ed25519_explain(*COLUMNS), engine).to_list()
    assert {"null_key", "null_message", "null_signature"} < set(reasons)
    # A column without a type has nulls alone.
    nothing = rows.with_columns(message=None)
    assert nothing.schema["message"] == pl.Null
    assert one(nothing, ed25519_verify(*COLUMNS), engine).to_list() == [False] * 300
    assert one(nothing, ed25519_verify(*COLUMNS, nulls="propagate"), engine).to_list() == [None] * 300
    assert one(rows, ed25519_verify("public_key", None, "signature"), engine).to_list() == [False] * 300
    assert one(nothing, ed25519_verify("message", "message", "message"), engine).to_list() == [False] * 300


@pytest.mark.parametrize("sizes", [(1, 2, 3), (7, 300, 1), (299, 150, 64)])
def test_columns_whose_pieces_end_elsewhere(sizes: tuple[int, int, int]) -> None:
    rows = table()
    known = expected(rows, nulls="propagate")
    columns = []
    for name, size in zip(COLUMNS, sizes, strict=True):
        parts = [rows[name].slice(start, size) for start in range(0, 300, size)]
        # Empty pieces among them.
        parts.insert(len(parts) // 2, rows[name].clear())
        column = pl.concat(parts, rechunk=False)
        assert column.n_chunks() > 300 // size - 1
        columns.append(column)
    found = pl.select(found=ed25519_verify(*columns, nulls="propagate"))["found"]
    assert found.to_list() == known
    # Slices begin within a piece, and within a byte of what says where nulls are.
    for start, count in [(1, 250), (13, 9), (299, 1)]:
        part = [column.slice(start, count) for column in columns]
        found = pl.select(found=ed25519_verify(*part, nulls="propagate"))["found"]
        assert found.to_list() == known[start : start + count]


def test_one_value_for_every_row() -> None:
    key = KEYS[3]
    messages = [b"one", b"two", b"three"]
    rows = pl.DataFrame({"m": messages, "s": [key.sign(message) for message in messages]})
    public = bytes(key.verifying_key)
    assert one(rows, ed25519_verify(public, "m", "s")).to_list() == [True] * 3
    assert one(rows, ed25519_verify(pl.lit(public.hex()), "m", "s", key_encoding="hex")).to_list() == [True] * 3
    assert one(rows, ed25519_verify(public, pl.col("m").first(), "s")).to_list() == [True, False, False]
    assert one(rows.clear(), ed25519_verify(public, "m", "s")).to_list() == []
    assert one(rows.head(1), ed25519_verify(public, "m", "s")).to_list() == [True]
    assert pl.select(found=ed25519_verify(public, b"two", rows["s"][1])).to_series().to_list() == [True]
    assert pl.select(found=ed25519_verify(public, b"two", rows["s"])).to_series().to_list() == [False, True, False]
    with pytest.raises(pl.exceptions.PolarsError):
        pl.select(ed25519_verify(public, pl.Series("m", messages[:2]), rows["s"]))


ENCODE: dict[str, Any] = {
    "hex": bytes.hex,
    "base64": lambda octets: base64.b64encode(octets).decode(),
    "base64url": lambda octets: base64.urlsafe_b64encode(octets).decode().rstrip("="),
}


@pytest.mark.parametrize("encoding", ENCODE)
@ENGINES
def test_text_in_the_encoding_that_is_named(encoding: str, engine: Any) -> None:
    rows = table()
    text = rows.select(
        pl.Series(name, [None if octets is None else ENCODE[encoding](octets) for octets in rows[name]]) for name in COLUMNS
    )
    named = {f"{name}_encoding": encoding for name in ("key", "message", "signature")}
    found = one(text, ed25519_verify(*COLUMNS, nulls="propagate", **named), engine)  # type: ignore[arg-type]
    assert found.to_list() == expected(rows, nulls="propagate")
    # One of them alone; a message in text is its UTF-8 unless it is said what it is.
    mixed = rows.with_columns(text["signature"])
    assert one(mixed, ed25519_verify(*COLUMNS, signature_encoding=encoding), engine).to_list() == expected(rows)
    message = "Grüße"
    said = pl.DataFrame({"k": [bytes(KEYS[0].verifying_key)], "m": [message], "s": [KEYS[0].sign(message.encode())]})
    assert one(said, ed25519_verify("k", "m", "s"), engine).to_list() == [True]
    not_decoded = text.with_columns(signature=pl.lit("=?"))
    assert set(one(not_decoded, ed25519_explain(*COLUMNS, **named), engine)) >= {"text_signature"}  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["categorical", "enum"])
@ENGINES
def test_keys_in_a_dictionary(kind: str, engine: Any) -> None:
    rows = table()
    keys = pl.Series("public_key", [None if key is None else key.hex() for key in rows["public_key"]])
    dtype = pl.Categorical() if kind == "categorical" else pl.Enum(keys.drop_nulls().unique())
    in_dictionary = rows.with_columns(keys.cast(dtype))
    found = one(in_dictionary, ed25519_verify(*COLUMNS, key_encoding="hex", nulls="propagate"), engine)
    assert found.to_list() == expected(rows, nulls="propagate")
    found = one(in_dictionary.slice(17, 200), ed25519_verify(*COLUMNS, key_encoding="hex"), engine)
    assert found.to_list() == expected(rows)[17:217]


WRONG: dict[str, pl.Series] = {
    "Int64": pl.Series([1]),
    "Int128": pl.Series([1], dtype=pl.Int128),
    "Boolean": pl.Series([True]),
    "Decimal": pl.Series([Decimal("1.5")]),
    "Datetime": pl.Series([datetime.datetime(2026, 1, 1)]),
    "List": pl.Series([[b"x"]]),
    "Array": pl.Series([list(range(32))], dtype=pl.Array(pl.UInt8, 32)),
    "Struct": pl.Series([{"a": b"x", "b": 1}]),
    # Which the engine hands over as eight bytes each.
    "Object": pl.Series([object()], dtype=pl.Object),
}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("place", range(3))
@ENGINES
def test_wrong_types_are_errors_that_name_the_column(name: str, place: int, engine: Any) -> None:
    rows = table(1).with_columns(WRONG[name].alias(COLUMNS[place]))
    argument = ("key", "message", "signature")[place]
    said = f"ed25519_(verify|explain): its argument {argument}, here {COLUMNS[place]}: "
    for expression in (ed25519_verify(*COLUMNS), ed25519_explain(*COLUMNS)):
        with pytest.raises(pl.exceptions.ComputeError, match=said):
            one(rows, expression, engine)
        # When the query is planned, and of no rows as well.
        with pytest.raises(pl.exceptions.ComputeError, match=said):
            rows.lazy().select(expression).collect_schema()
        with pytest.raises(pl.exceptions.ComputeError, match=said):
            one(rows.clear(), expression, engine)


def test_text_without_an_encoding_is_an_error() -> None:
    rows = table(3).with_columns(signature=pl.lit("00"))
    said = 'its argument signature, here signature: .*, such as signature_encoding="hex"'
    with pytest.raises(pl.exceptions.ComputeError, match=said):
        one(rows, ed25519_verify(*COLUMNS))


@ENGINES
def test_strict_raises_for_rows_that_are_malformed_and_only_for_them(engine: Any) -> None:
    rows = table().filter(pl.col("signature") != b"short")
    assert one(rows, ed25519_verify(*COLUMNS, strict=True), engine).to_list() == expected(rows)
    at_7 = pl.int_range(pl.len()) == 7
    for malformed, said in [
        (rows.with_columns(signature=pl.when(at_7).then(b"short").otherwise("signature")), "signatures"),
        (rows.with_columns(public_key=pl.lit(b"short")), "public_keys"),
    ]:
        with pytest.raises(pl.exceptions.ComputeError, match=f"ed25519_verify: row [07]: the value of {said} has a wrong length"):
            one(malformed, ed25519_verify(*COLUMNS, strict=True), engine)


def test_options_are_looked_at_when_the_expression_is_made() -> None:
    for verify in (ed25519_verify, ed25519_explain, fn_dsa_verify, fn_dsa_explain):
        for options, said in [
            ({"nulls": "no"}, 'nulls="no": one of invalid, propagate'),
            ({"key_encoding": "utf-8"}, 'key_encoding="utf-8": an encoding is one of bytes, hex, base64, base64url'),
            ({"message_encoding": "Hex"}, 'message_encoding="Hex": '),
            ({"signature_encoding": ""}, 'signature_encoding="": '),
            ({"strict": "yes"}, "the options cannot be read"),
        ]:
            with pytest.raises(ValueError, match=re.escape(said)):
                verify("k", "m", "s", **options)  # type: ignore[arg-type]
    for explain in (ed25519_verify, ed25519_explain):
        with pytest.raises(ValueError, match="strict, zip215"):
            explain("k", "m", "s", profile="lenient")
    for explain in (fn_dsa_verify, fn_dsa_explain):
        with pytest.raises(ValueError, match="a context has at most 255 bytes, and this one 256"):
            explain("k", "m", "s", context=bytes(256))


@ENGINES
def test_fn_dsa(engine: Any) -> None:
    small, large = (fn_dsa.SigningKey.from_seed(bytes(32), degree) for degree in (512, 1024))
    rows = []
    for i in range(40):
        key = large if i % 3 == 0 else small
        rows.append({"k": bytes(key.verifying_key), "m": bytes([i]) * i, "s": key.sign(bytes([i]) * i, b"a ledger")})
    rows[10]["s"] = rows[11]["s"]
    rows[20]["k"] = b"\xff" * 897
    rows[30]["k"] = b"short"
    rows[35]["m"] = None
    wrong = {10: "signature", 20: "key_encoding", 30: "key_length", 35: "null_message"}
    frame = pl.DataFrame(rows)
    verdicts = one(frame, fn_dsa_verify("k", "m", "s", context=b"a ledger"), engine)
    assert verdicts.to_list() == [i not in wrong for i in range(40)]
    reasons = one(frame, fn_dsa_explain("k", "m", "s", context=b"a ledger"), engine)
    assert reasons.to_list() == [wrong.get(i) for i in range(40)]
    propagated = one(frame, fn_dsa_verify("k", "m", "s", context=b"a ledger", nulls="propagate"), engine)
    assert propagated.to_list() == [None if i == 35 else i not in wrong for i in range(40)]
    assert one(frame, fn_dsa_verify("k", "m", "s"), engine).to_list() == [False] * 40
    with pytest.raises(pl.exceptions.ComputeError, match="fn_dsa_verify: its argument key, here n: "):
        one(frame.with_row_index("n"), fn_dsa_verify("n", "m", "s"), engine)


MEMORY = """
import resource
import polars as pl, pyarrow as pa
from lanner_polars import ed25519_explain, ed25519_verify
views = pa.array([bytes(1 << 20)] * 300, pa.large_binary()).cast(pa.binary_view())
rows = pl.DataFrame({"m": pl.from_arrow(views)})
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
pl.select(ed25519_verify(bytes(32), b"", bytes(64)))
before = peak()
for verify in (ed25519_verify, ed25519_explain):
    found = rows.select(verify(bytes(32), "m", bytes(64))).to_series()
    assert len(found) == 300
assert peak() - before < 60 << 20, peak() - before
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the unit of ru_maxrss is that of Linux")
def test_messages_are_not_copied() -> None:
    subprocess.run([sys.executable, "-c", MEMORY], check=True)


@pytest.mark.skipif(sys.platform != "linux", reason="the file is one of Linux")
def test_columns_are_let_go() -> None:
    def resident() -> int:
        gc.collect()
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def round_trip() -> None:
        rows = pl.DataFrame({"m": [bytes(1 << 20)] * 20, "n": range(20)})
        assert not one(rows, ed25519_verify(bytes(32), "m", bytes(64))).any()
        assert one(rows, ed25519_explain(bytes(32), "m", bytes(64))).null_count() == 0
        # Calls that fail let go as well, whether the arrays were read or not.
        for wrong in (
            ed25519_verify(b"short", "m", bytes(64), strict=True),
            ed25519_verify("m", "m", "n"),
        ):
            with pytest.raises(pl.exceptions.ComputeError):
                one(rows, wrong)

    for _ in range(5):
        round_trip()
    before = resident()
    for _ in range(20):
        round_trip()
    # One column that stays each time would be 400 MiB.
    assert resident() - before < 100 << 20


CTRL_C = """
import os, signal, sys, threading, time
# Set before Polars is there, which then handles the signal as well; this one does nothing, so that only what the query does is seen.
signal.signal(signal.SIGINT, lambda *_: None)
import polars as pl
from lanner_polars import ed25519_explain, ed25519_verify
key, signature, engine, name = bytes.fromhex(sys.argv[1]), bytes.fromhex(sys.argv[2]), *sys.argv[3:]
rows = pl.LazyFrame({"m": [b"message"] * 3_000_000})
query = rows.select({
    "rows": ed25519_verify(key, "m", signature),
    "invalid rows": ed25519_verify(key, "m", bytes(64)),
    "reasons": ed25519_explain(key, "m", signature[::-1]),
}[name])
spans = []
for _ in range(4):
    sent = []
    def press():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)
    timer = threading.Timer(0.3, press)
    timer.start()
    try:
        query.collect(engine=engine)
        sys.exit("the work was done before it was interrupted")
    except (KeyboardInterrupt, pl.exceptions.ComputeError) as error:
        spans.append(time.monotonic() - sent[0])
        assert isinstance(error, KeyboardInterrupt) or "interrupted" in str(error), error
# The best one, as others use the machine as well.
assert min(spans) < 0.1, spans
# Queries go on as before.
assert rows.head(10).select(ed25519_verify(key, "m", signature)).collect(engine=engine).to_series().all()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="another process cannot send Ctrl-C there")
@pytest.mark.parametrize("name", ["rows", "invalid rows", "reasons"])
@ENGINES
def test_ctrl_c_stops_within_a_tenth_of_a_second(name: str, engine: Any) -> None:
    key, signature = bytes(KEYS[0].verifying_key).hex(), KEYS[0].sign(b"message").hex()
    command = [sys.executable, "-c", CTRL_C, key, signature, engine, name]
    subprocess.run(command, check=True, timeout=300)


def test_the_interface_is_the_one_that_engines_speak() -> None:
    library = ctypes.CDLL(lanner_polars._native.__file__)
    assert library._polars_plugin_get_version() == 1


def test_the_readme_runs(ledger: Any, tmp_path: Path) -> None:
    text = (FOLDER / "README.md").read_text()
    (program,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", program.replace("target/ledger", ledger.folder)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "POLARS_TABLE_WIDTH": "200"},
        cwd=tmp_path,
    )
    for reason in set(ledger.invalid.values()):
        assert reason in done.stdout


def test_what_is_linked_is_named_in_the_wheel_with_its_licence() -> None:
    wheel = importlib.metadata.distribution("lanner-polars")
    notices, bill = (wheel.read_text(name) for name in ("licenses/THIRD-PARTY-LICENSES", "sboms/lanner.cdx.json"))
    assert notices is not None and bill is not None
    for words in ("(BSD-3-Clause)", "Isis Agora Lovecruft", "Redistribution and use in source and binary forms"):
        assert words in notices
    assert "file:" not in bill and "timestamp" not in bill
    # What comes from the registry has a checksum; the rest is this project's own.
    others = {(part["name"], part["version"]) for part in json.loads(bill)["components"] if "hashes" in part}
    assert all(f"\n{name} {version} (" in notices for name, version in others)
    # Messages of panics name the files that they stand in, so the library itself knows of what it is made.
    source = rb"registry[/\\]src[/\\][^/\\]+[/\\]([a-z0-9_-]+)-(\d+\.\d+\.\d+)[^/\\]*[/\\]src[/\\]"
    (library,) = (file for file in wheel.files or [] if "_native" in file.name and file.suffix in (".so", ".pyd"))
    found = {(name.decode(), version.decode()) for name, version in re.findall(source, Path(str(library.locate())).read_bytes())}
    assert len(found) > 2 and found <= others
