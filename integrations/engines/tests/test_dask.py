"""Dask: two workers, each a process."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import Any

import dask.dataframe
import dask_verify
import pytest
from dask.distributed import Client, LocalCluster


@pytest.fixture(scope="module", autouse=True)
def two_workers() -> Iterator[Client]:
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client


def test_the_rows_that_are_not_valid_are_found(ledger: Any) -> None:
    found = dask_verify.invalid(ledger.folder).compute()
    assert dict(zip(found["id"], found["reason"], strict=True)) == ledger.invalid


def test_two_workers_do_it(ledger: Any) -> None:
    def with_process(part: Any) -> Any:
        time.sleep(0.3)
        return dask_verify.verdicts(part).assign(process=os.getpid())

    rows = dask.dataframe.read_parquet(ledger.folder, dtype_backend="pyarrow", split_row_groups=True)
    meta = {"id": "int64[pyarrow]", "reason": "str", "process": "int64"}
    found = rows.map_partitions(with_process, meta=meta).compute()
    assert set(found["id"]) == set(ledger.invalid)
    processes = set(found["process"])
    assert len(processes) == 2 and os.getpid() not in processes
