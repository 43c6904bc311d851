"""Polars: lazily, in both engines."""

from __future__ import annotations

import sys
from typing import Any

import polars as pl
import polars_verify
import pytest

from lanner import ed25519


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_the_rows_that_are_not_valid_are_found(ledger: Any, engine: Any) -> None:
    found = polars_verify.invalid(ledger.folder).collect(engine=engine)
    assert sorted(found["id"]) == sorted(ledger.invalid)


def test_as_a_column_beside_others(ledger: Any) -> None:
    valid = polars_verify.ed25519_valid("public_key", "message", "signature").alias("found")
    frame = pl.scan_parquet(ledger.folder).with_columns(valid).select("valid", "found").collect()
    assert frame["found"].null_count() == 0
    assert frame["found"].equals(frame["valid"])
    sums = pl.scan_parquet(ledger.folder).group_by("public_key").agg((~valid).sum().alias("n")).collect()
    assert sums["n"].sum() == len(ledger.invalid)


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_a_literal_stands_for_every_row(engine: Any) -> None:
    key, other = (ed25519.SigningKey(bytes([i]) * 32) for i in range(2))
    messages = [b"message %d" % i for i in range(5000)]
    rows = pl.LazyFrame({"message": messages, "signature": [(other if i % 9 == 4 else key).sign(m) for i, m in enumerate(messages)]})
    expected = [i % 9 != 4 for i in range(5000)]

    def said(rows: pl.LazyFrame, *arguments: Any) -> list[bool]:
        return rows.select(v=polars_verify.ed25519_valid(*arguments)).collect(engine=engine)["v"].to_list()

    public = pl.lit(bytes(key.verifying_key))
    assert said(rows, public, "message", "signature") == expected
    assert said(rows.filter(pl.lit(False)), public, "message", "signature") == []
    assert said(rows.head(1), public, "message", "signature") == [True]
    one, signature = pl.lit(messages[7]), pl.lit(key.sign(messages[7]))
    assert said(rows, public, one, "signature") == said(rows, public, "message", signature) == [i == 7 for i in range(5000)]
    assert said(rows, public, one, signature) in ([True], [True] * 5000)
    assert said(rows, pl.lit(None, pl.Binary), "message", "signature") == [False] * 5000


def test_the_streaming_engine_gives_parts(ledger: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    # Otherwise its memory would not be bounded. Some rows are asked for more than once: it may try an expression on a row first.
    sizes = []
    verify = polars_verify.arrow.verify
    monkeypatch.setattr(polars_verify.arrow, "verify", lambda *columns: sizes.append(len(columns[0])) or verify(*columns))
    polars_verify.invalid(ledger.folder).collect(engine="streaming")
    assert sum(sizes) >= 20_000 and max(sizes) < 20_000


def test_the_program_runs(ledger: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["polars_verify.py", ledger.folder])
    polars_verify.main()
    assert f"{len(ledger.invalid)} rows are not valid" in capsys.readouterr().out
