"""Dask: two workers, each a process."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask.dataframe
import dask_verify
import pandas
import pyarrow as pa
import pytest
from dask.distributed import Client, LocalCluster

from lanner import ed25519


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


#: Of the rows of `rows()`.
WRONG = {3: "equation", 7: "null_signature", 9: "signature_length"}


def rows() -> pandas.DataFrame:
    """Twelve rows, with the index 0 to 11."""
    key = ed25519.SigningKey(bytes(32))
    messages = [b"message %d" % i for i in range(12)]
    signatures: list[bytes | None] = list(key.sign_many(messages))
    signatures[3], signatures[7], signatures[9] = signatures[4], None, b"short"
    columns = {"public_key": [bytes(key.verifying_key)] * 12, "message": messages, "signature": signatures}
    # Dask takes bytes in objects of Python for text.
    return pandas.DataFrame(columns, dtype=pandas.ArrowDtype(pa.binary())).assign(id=range(12))


#: Indices that are not 0, 1, … in the order of the rows, as sorting, filtering and files leave them, or that are no numbers.
INDICES = {
    "as it was": lambda frame: frame,
    "reversed": lambda frame: frame[::-1],
    "shuffled": lambda frame: frame.sample(frac=1, random_state=4),
    "sliced": lambda frame: frame[3:10],
    "filtered": lambda frame: frame[frame.id % 2 == 1],
    "offset": lambda frame: frame.set_index(frame.index + 100),
    "overlapping": lambda frame: frame.set_index(frame.index + 2),
    "the same everywhere": lambda frame: frame.set_index(frame.index * 0),
    "text": lambda frame: frame.set_index(frame.index.astype(str)),
}


@pytest.mark.parametrize("index", INDICES)
def test_whatever_the_index_is(index: str, tmp_path: Path) -> None:
    frame = INDICES[index](rows())
    expected = {number: reason for number, reason in WRONG.items() if number in set(frame["id"])}

    def check(found: pandas.DataFrame) -> None:
        assert dict(zip(found["id"], found["reason"], strict=True)) == expected and len(found) == len(expected)

    found = dask_verify.verdicts(frame)
    check(found)
    assert list(found.index) == [label for label, number in zip(frame.index, frame["id"], strict=True) if number in WRONG]
    # As pandas writes it: an index that is not plain is a column of the file, and comes back as an index.
    frame.to_parquet(tmp_path / "part-0.parquet")
    check(dask_verify.invalid(str(tmp_path)).compute())


def test_parts_of_one_frame(tmp_path: Path) -> None:
    # The second part has the index 6 to 11.
    ledger = dask.dataframe.from_pandas(rows(), npartitions=2)
    meta = {"id": "int64", "reason": "str"}
    found = ledger.map_partitions(dask_verify.verdicts, meta=meta).compute()
    assert dict(zip(found["id"], found["reason"], strict=True)) == WRONG
    ledger.to_parquet(tmp_path)
    found = dask_verify.invalid(str(tmp_path)).compute()
    assert dict(zip(found["id"], found["reason"], strict=True)) == WRONG
