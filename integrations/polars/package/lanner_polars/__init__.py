"""Signatures in columns, as expressions of Polars: Ed25519 (RFC 8032) under every profile, and FN-DSA.

    valid = lanner_polars.ed25519_verify("public_key", "message", "signature")
    lazy.with_columns(valid=valid).filter(~pl.col("valid"))

Columns of keys, messages and signatures are Binary, or String where an encoding is named ("hex", "base64" or "base64url"; a message
in a String without one is its UTF-8), or Categorical and Enum of such strings, of which each key's point is decoded once. A bytes
object stands for every row; a str is the name of a column. Messages are read where they lie.

A row whose key or signature has a wrong length, or whose text does not decode, is not valid; with strict=True it ends the query. A
row with a null is not valid either, so that ~verify(...) finds it; with nulls="propagate" its verdict is null. A column of a
type that holds no bytes is an error when the query is planned, with the column's name.

Expressions run row by row on the threads of the engine and without Python; so the streaming engine verifies on all of them,
in bounded memory. (A filter by an expression itself moves into the reading of a file, which may have fewer threads: so the verdict
is a column first.) Nothing here takes a secret, and nothing is constant in time.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import polars as pl
from polars.plugins import register_plugin_function

from lanner_polars import _native

__all__ = ["ed25519_explain", "ed25519_verify", "fn_dsa_explain", "fn_dsa_verify"]

#: What stands for a column: an expression, the name of a column, values, or one value for every row.
Column = pl.Expr | pl.Series | str | bytes | None

_FOLDER = Path(__file__).parent


def _expression(name: str, columns: list[Column], options: dict[str, Any]) -> pl.Expr:
    _native.check(pickle.dumps(options))
    return register_plugin_function(
        plugin_path=_FOLDER, function_name=name, args=columns, kwargs=options, is_elementwise=True
    )


def ed25519_verify(
    key: Column,
    message: Column,
    signature: Column,
    *,
    profile: str = "strict",
    nulls: str = "invalid",
    key_encoding: str = "bytes",
    message_encoding: str = "bytes",
    signature_encoding: str = "bytes",
    strict: bool = False,
) -> pl.Expr:
    """Whether each row has a valid Ed25519 signature under the profile: Boolean, named as the keys are.

    Keys have 32 bytes, signatures 64. Raises ValueError for a profile, an encoding or a way with nulls that there is none of.
    """
    options = {
        "profile": profile,
        "context": None,
        "nulls": nulls,
        "key_encoding": key_encoding,
        "message_encoding": message_encoding,
        "signature_encoding": signature_encoding,
        "strict": strict,
    }
    return _expression("ed25519_verify", [key, message, signature], options)


def ed25519_explain(
    key: Column,
    message: Column,
    signature: Column,
    *,
    profile: str = "strict",
    nulls: str = "invalid",
    key_encoding: str = "bytes",
    message_encoding: str = "bytes",
    signature_encoding: str = "bytes",
    strict: bool = False,
) -> pl.Expr:
    """Why a row has no valid Ed25519 signature under the profile, null where it has one: String, for people who look for the
    fault. What is decided must be decided by the verdict alone.

    One of null_key, null_message, null_signature, text_key, text_message, text_signature (not in its encoding), key_length,
    signature_length, key_encoding, weak_key, r_encoding, s_range, equation. Options and errors are those of ed25519_verify().
    """
    options = {
        "profile": profile,
        "context": None,
        "nulls": nulls,
        "key_encoding": key_encoding,
        "message_encoding": message_encoding,
        "signature_encoding": signature_encoding,
        "strict": strict,
    }
    return _expression("ed25519_explain", [key, message, signature], options)


def fn_dsa_verify(
    key: Column,
    message: Column,
    signature: Column,
    *,
    context: bytes = b"",
    nulls: str = "invalid",
    key_encoding: str = "bytes",
    message_encoding: str = "bytes",
    signature_encoding: str = "bytes",
    strict: bool = False,
) -> pl.Expr:
    """Whether each row has a valid FN-DSA signature: Boolean, named as the keys are.

    Keys have 897 or 1793 bytes, signatures 666 or 1280; both degrees may be in one column. The context, of at most 255 bytes, is
    that of all rows. Raises ValueError for a longer one, and as ed25519_verify() does.
    """
    options = {
        "profile": None,
        "context": list(context),
        "nulls": nulls,
        "key_encoding": key_encoding,
        "message_encoding": message_encoding,
        "signature_encoding": signature_encoding,
        "strict": strict,
    }
    return _expression("fn_dsa_verify", [key, message, signature], options)


def fn_dsa_explain(
    key: Column,
    message: Column,
    signature: Column,
    *,
    context: bytes = b"",
    nulls: str = "invalid",
    key_encoding: str = "bytes",
    message_encoding: str = "bytes",
    signature_encoding: str = "bytes",
    strict: bool = False,
) -> pl.Expr:
    """Why a row has no valid FN-DSA signature, null where it has one: String, as ed25519_explain(). The last two of its reasons
    are key_encoding and signature.

    Options and errors are those of fn_dsa_verify().
    """
    options = {
        "profile": None,
        "context": list(context),
        "nulls": nulls,
        "key_encoding": key_encoding,
        "message_encoding": message_encoding,
        "signature_encoding": signature_encoding,
        "strict": strict,
    }
    return _expression("fn_dsa_explain", [key, message, signature], options)
