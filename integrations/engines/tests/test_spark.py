"""Spark: two workers beside the driver, each a process of Java that starts Python."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

FOLDER = Path(__file__).resolve().parents[1]


def java() -> int:
    """The version of Java; 0 if there is none."""
    program = Path(os.environ["JAVA_HOME"], "bin", "java") if "JAVA_HOME" in os.environ else shutil.which("java")
    if not program:
        return 0
    told = subprocess.run([program, "-version"], capture_output=True, text=True, check=False).stderr
    digits = told.partition('version "')[2].partition(".")[0]
    return int(digits) if digits.isdigit() else 0


if java() < 17:
    pytest.skip("Spark needs Java 17 or later", allow_module_level=True)

import spark_verify  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402
from pyspark.sql.functions import col  # noqa: E402


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    # The workers import the examples by their names.
    os.environ["PYTHONPATH"] = os.pathsep.join([str(FOLDER), *filter(None, [os.environ.get("PYTHONPATH")])])
    session = spark_verify.session()
    yield session
    session.stop()


def test_map_in_arrow_finds_the_rows_that_are_not_valid(ledger: Any, spark: SparkSession) -> None:
    found = spark_verify.invalid(spark.read.parquet(ledger.folder)).collect()
    assert {row["id"]: row["reason"] for row in found} == ledger.invalid


def test_the_arrow_udf_does_too(ledger: Any, spark: SparkSession) -> None:
    rows = spark.read.parquet(ledger.folder)
    columns = col("public_key"), col("message"), col("signature")
    found = rows.filter(~spark_verify.ed25519_valid(*columns)).select("id").collect()
    assert {row["id"] for row in found} == set(ledger.invalid)


def test_and_so_does_sql(ledger: Any, spark: SparkSession) -> None:
    spark.udf.register("ed25519_valid", spark_verify.ed25519_valid)
    spark.read.parquet(ledger.folder).createOrReplaceTempView("ledger")
    query = "SELECT count(*) FROM ledger WHERE NOT ed25519_valid(public_key, message, signature)"
    assert spark.sql(query).first()[0] == len(ledger.invalid)


def test_two_workers_do_it(ledger: Any, spark: SparkSession) -> None:
    def processes(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        time.sleep(0.5)
        rows = sum(batch.num_rows for batch in batches)
        yield pa.record_batch({"executor": [os.getppid()], "rows": [rows]})

    rows = spark.read.parquet(ledger.folder).repartition(4)
    found = rows.mapInArrow(processes, "executor long, rows long").collect()
    assert sum(row["rows"] for row in found) == 20_000
    executors = {row["executor"] for row in found}
    assert len(executors) == 2 and os.getpid() not in executors


def test_the_program_runs(ledger: Any) -> None:
    # With the threads of one process: the cluster is above.
    program = [sys.executable, str(FOLDER / "spark_verify.py"), ledger.folder, "local[1]"]
    run = subprocess.run(program, capture_output=True, text=True, check=True)
    assert f"{len(ledger.invalid)} rows are not valid" in run.stdout
