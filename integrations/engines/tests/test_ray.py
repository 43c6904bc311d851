"""Ray Data: two workers."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest
import ray
import ray_verify


@pytest.fixture(scope="module", autouse=True)
def two_workers() -> Iterator[None]:
    # The workers import the examples by their names.
    paths = {"PYTHONPATH": os.pathsep.join(sys.path)}
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": paths})
    yield
    ray.shutdown()


def test_the_rows_that_are_not_valid_are_found(ledger: Any) -> None:
    found = ray_verify.invalid(ledger.folder).take_all()
    assert {row["id"]: row["reason"] for row in found} == ledger.invalid


def test_two_workers_do_it(ledger: Any) -> None:
    def with_process(batch: Any) -> Any:
        # So long that one of them does not do all.
        time.sleep(0.3)
        found = ray_verify.verdicts(batch)
        return found.append_column("process", [[os.getpid()] * len(found)])

    # Small files are read into one block.
    rows = ray.data.read_parquet(ledger.folder).repartition(4)
    found = rows.map_batches(
        with_process, batch_format="pyarrow", batch_size=None, compute=ray.data.TaskPoolStrategy(size=2)
    ).take_all()
    assert {row["id"] for row in found} == set(ledger.invalid)
    processes = {row["process"] for row in found}
    assert len(processes) == 2 and os.getpid() not in processes
