"""Signatures in Parquet, verified by Dask: `python dask_verify.py FOLDER`."""

from __future__ import annotations

import sys

import dask.dataframe
import pandas
from dask.distributed import Client, LocalCluster

from lanner import arrow


def verdicts(part: pandas.DataFrame) -> pandas.DataFrame:
    """The rows that are not valid, with the reason: what a worker does with a partition."""
    explained = arrow.explain(part["public_key"], part["message"], part["signature"])
    # By their places: another series would be put beside these rows by the labels of its own index.
    reasons = pandas.Series(explained.reasons, index=part.index, dtype="str")
    return pandas.DataFrame({"id": part["id"], "reason": reasons})[reasons.notna()]


def invalid(folder: str) -> dask.dataframe.DataFrame:
    """The ids of the rows that are not valid, and why."""
    columns = ["id", "public_key", "message", "signature"]
    # Columns stay Arrow's: bytes in objects of Python would be copied.
    ledger = dask.dataframe.read_parquet(folder, columns=columns, dtype_backend="pyarrow")
    meta = {"id": "int64[pyarrow]", "reason": "str"}
    return ledger.map_partitions(verdicts, meta=meta)


def main() -> None:
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster):
        found = invalid(sys.argv[1]).compute()
    print(found)
    print(f"{len(found)} rows are not valid")


if __name__ == "__main__":
    main()
