"""Signatures in Arrow columns: public keys, messages and signatures in, verdicts out.

A column is whatever has the Arrow PyCapsule interface, as pyarrow, polars, duckdb and pandas have it; and so is what comes
out. Nothing here takes a secret.
"""

from lanner import _native

Explained = _native.arrow.Explained
Reasons = _native.arrow.Reasons
Verdicts = _native.arrow.Verdicts
count_invalid = _native.arrow.count_invalid
explain = _native.arrow.explain
explain_fn_dsa = _native.arrow.explain_fn_dsa
verify = _native.arrow.verify
verify_fn_dsa = _native.arrow.verify_fn_dsa

# Pickle finds functions by the module that they name, and engines pickle them.
for _function in (count_invalid, explain, explain_fn_dsa, verify, verify_fn_dsa):
    _function.__module__ = __name__

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
