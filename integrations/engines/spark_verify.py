"""Signatures in Parquet, verified by Spark: `python spark_verify.py FOLDER [MASTER]`, and MASTER is local-cluster[2,1,1024] if none
is given: two workers of one core.

The workers need the package lanner, pyarrow, and Spark 4.1 or later.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import arrow_udf, col
from pyspark.sql.types import BooleanType

from lanner import arrow


def session(master: str = "local-cluster[2,1,1024]") -> SparkSession:
    """A session whose workers run this Python."""
    # Of what says which Python workers start, a session that is made in Python reads this alone.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(master).appName("lanner")
    options = {
        "spark.ui.enabled": "false",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "16384",
    }
    for name, value in options.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def verdicts(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The rows that are not valid, with the reason: what a worker does with each partition."""
    for batch in batches:
        columns = batch["public_key"], batch["message"], batch["signature"]
        explained = pa.record_batch(arrow.explain(*columns))
        found = pa.record_batch({"id": batch["id"], "reason": explained["reason"]})
        yield found.filter(found["reason"].is_valid())


@arrow_udf(BooleanType())
def ed25519_valid(key: pa.Array, message: pa.Array, signature: pa.Array) -> pa.Array:
    """The same as a function of columns, and of SQL once it is registered."""
    return pa.array(arrow.verify(key, message, signature))


def invalid(ledger: DataFrame) -> DataFrame:
    """The ids of the rows that are not valid, and why: by mapInArrow, of one pass over the data."""
    return ledger.mapInArrow(verdicts, "id long, reason string")


def main() -> None:
    spark = session(*sys.argv[2:])
    ledger = spark.read.parquet(sys.argv[1])
    invalid(ledger).show()
    spark.udf.register("ed25519_valid", ed25519_valid)
    ledger.createOrReplaceTempView("ledger")
    spark.sql("SELECT count(*) FROM ledger WHERE NOT ed25519_valid(public_key, message, signature)").show()
    count = ledger.filter(~ed25519_valid(col("public_key"), col("message"), col("signature"))).count()
    print(f"{count} rows are not valid")
    spark.stop()


if __name__ == "__main__":
    main()
