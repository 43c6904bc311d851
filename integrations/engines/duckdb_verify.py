"""Signatures in Parquet, verified in SQL by DuckDB: `python duckdb_verify.py FOLDER`."""

from __future__ import annotations

import sys

import duckdb
import pyarrow as pa
from duckdb.sqltypes import BLOB, BOOLEAN

from lanner import arrow


def connect() -> duckdb.DuckDBPyConnection:
    """A database with the function ed25519_valid(key, message, signature), all of which are BLOB.

    Of a message in text, encode(message) has the bytes: of literals and parameters DuckDB makes bytes by itself, and reads \\x as an
    escape then.
    """

    def ed25519_valid(key: pa.Array, message: pa.Array, signature: pa.Array) -> pa.Array:
        return pa.array(arrow.verify(key, message, signature))

    connection = duckdb.connect()
    connection.create_function(
        "ed25519_valid",
        ed25519_valid,
        [BLOB, BLOB, BLOB],
        BOOLEAN,
        type="arrow",
        # Otherwise a null would not come here, and `NOT ed25519_valid(…)` not find it.
        null_handling="special",
    )
    return connection


def invalid(connection: duckdb.DuckDBPyConnection, folder: str) -> duckdb.DuckDBPyRelation:
    """The ids of the rows that are not valid."""
    ledger = connection.read_parquet(f"{folder}/*.parquet")
    return ledger.filter("NOT ed25519_valid(public_key, message, signature)").select("id")


def main() -> None:
    connection = connect()
    found = invalid(connection, sys.argv[1])
    print(found)
    print(f"{len(found)} rows are not valid")


if __name__ == "__main__":
    main()
