"""Signatures in Parquet, verified by Ray Data: `python ray_verify.py FOLDER`."""

from __future__ import annotations

import sys

import pyarrow as pa
import ray

from lanner import arrow


def verdicts(batch: pa.Table) -> pa.Table:
    """The rows that are not valid, with the reason: what a worker does with a block."""
    explained = pa.table(arrow.explain(batch["public_key"], batch["message"], batch["signature"]))
    found = pa.table({"id": batch["id"], "reason": explained["reason"]})
    return found.filter(found["reason"].is_valid())


def invalid(folder: str, workers: int = 2) -> ray.data.Dataset:
    """The ids of the rows that are not valid, and why; found by so many workers at once."""
    ledger = ray.data.read_parquet(folder, columns=["id", "public_key", "message", "signature"])
    # Blocks as they come: a kernel takes any number of rows.
    return ledger.map_batches(
        verdicts, batch_format="pyarrow", batch_size=None, zero_copy_batch=True, compute=ray.data.TaskPoolStrategy(size=workers)
    )


def main() -> None:
    ray.init(num_cpus=2, include_dashboard=False)
    found = invalid(sys.argv[1])
    found.show()
    print(f"{found.count()} rows are not valid")


if __name__ == "__main__":
    main()
