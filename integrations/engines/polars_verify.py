"""Signatures in Parquet, verified by Polars, lazily and in its streaming engine: `python polars_verify.py FOLDER`."""

from __future__ import annotations

import sys

import polars as pl

from lanner import arrow


def ed25519_valid(key: str | pl.Expr, message: str | pl.Expr, signature: str | pl.Expr) -> pl.Expr:
    """An expression: whether each row is valid. A literal stands for every row."""

    def verify(columns: list[pl.Series]) -> pl.Series:
        # A literal comes as one row, and may be beside none.
        rows = next((len(column) for column in columns if len(column) != 1), 1)
        columns = [column if len(column) == rows else column.new_from_index(0, rows) for column in columns]
        return pl.Series(arrow.verify(*columns))

    # Each row by itself: so the engine may hand over parts, and filter before.
    return pl.map_batches([key, message, signature], verify, return_dtype=pl.Boolean, is_elementwise=True)


def invalid(folder: str) -> pl.LazyFrame:
    """The ids of the rows that are not valid."""
    ledger = pl.scan_parquet(folder)
    # The verdict is a column, and not in the filter: a filter moves into the reading of the file, which is in one thread where
    # Polars has two.
    valid = ed25519_valid("public_key", "message", "signature")
    return ledger.select("id", valid=valid).filter(~pl.col("valid")).select("id")


def main() -> None:
    # The streaming engine holds some thousand rows at a time.
    found = invalid(sys.argv[1]).collect(engine="streaming")
    print(found)
    print(f"{found.height} rows are not valid")


if __name__ == "__main__":
    main()
