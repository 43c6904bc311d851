"""DuckDB: the function in SQL."""

from __future__ import annotations

import sys
from typing import Any

import duckdb_verify
import pytest


def test_the_rows_that_are_not_valid_are_found(ledger: Any) -> None:
    found = duckdb_verify.invalid(duckdb_verify.connect(), ledger.folder).fetchall()
    # Those with a null among them.
    assert sorted(row[0] for row in found) == sorted(ledger.invalid)


def test_in_sql(ledger: Any) -> None:
    connection = duckdb_verify.connect()
    query = """
        SELECT public_key, count(*) FILTER (WHERE NOT ed25519_valid(public_key, message, signature)) AS n
        FROM read_parquet(? || '/*.parquet') GROUP BY public_key
    """
    rows = connection.execute(query, [ledger.folder]).fetchall()
    assert len(rows) > 10 and sum(count for _, count in rows) == len(ledger.invalid)
    # Constants are columns of one value to it.
    assert connection.sql("SELECT ed25519_valid('a'::BLOB, 'b'::BLOB, NULL)").fetchall() == [(False,)]


def test_the_program_runs(ledger: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["duckdb_verify.py", ledger.folder])
    duckdb_verify.main()
    assert f"{len(ledger.invalid)} rows are not valid" in capsys.readouterr().out
