"""Times the engines over a folder of Parquet files: `python bench.py FOLDER [--rounds N] [--only NAME]`.

Every measurement is a process of its own: wall time and processor time of what the engine starts as well, from the query to its
result, and the most memory that one of the processes had. Beside them stand the kernel alone over columns in memory, which is
what cannot be less, and the files read and verified batch by batch with pyarrow. The overhead is all the processor time that is
not the kernel's. With workers, one and two are measured.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import random
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil

#: Rows in a batch where the program chooses.
BATCH = 16384


def alone(folder: str, _: int) -> Callable[[], int]:
    """The kernel over columns that are in memory."""
    import pyarrow.dataset

    from lanner import arrow

    rows = pyarrow.dataset.dataset(folder).head(1_000_000, columns=COLUMNS, batch_size=BATCH).combine_chunks()

    def run() -> int:
        arrow.verify(*(rows[name] for name in COLUMNS[1:]))
        return len(rows)

    return run


def pyarrow_alone(folder: str, _: int) -> Callable[[], int]:
    """Files that are read batch by batch, as a program does that has no engine."""
    import pyarrow as pa
    import pyarrow.dataset

    from lanner import arrow

    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)

    def run() -> int:
        invalid = 0
        scan = pyarrow.dataset.dataset(folder).to_batches(
            columns=COLUMNS, batch_size=BATCH, batch_readahead=2, fragment_readahead=1, use_threads=False
        )
        for batch in scan:
            invalid += arrow.count_invalid(arrow.verify(*(batch[name] for name in COLUMNS[1:])))
        return invalid

    return run


def polars(folder: str, workers: int) -> Callable[[], int]:
    os.environ["POLARS_MAX_THREADS"] = str(workers)
    import polars_verify

    return lambda: polars_verify.invalid(folder).collect(engine="streaming").height


def duckdb(folder: str, workers: int) -> Callable[[], int]:
    import duckdb_verify

    connection = duckdb_verify.connect()
    connection.execute(f"SET threads = {workers}")
    return lambda: len(duckdb_verify.invalid(connection, folder).fetchall())


def polars_plugin(folder: str, workers: int) -> Callable[[], int]:
    os.environ["POLARS_MAX_THREADS"] = str(workers)
    import polars as pl
    from lanner_polars import ed25519_verify

    # As in polars_verify.
    rows = pl.scan_parquet(folder).select("id", valid=ed25519_verify(*COLUMNS[1:])).filter(~pl.col("valid")).select("id")
    return lambda: rows.collect(engine="streaming").height


def duckdb_extension(folder: str, workers: int) -> Callable[[], int]:
    import duckdb

    connection = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": workers})
    connection.execute(f"LOAD '{EXTENSION}'")
    query = f"SELECT id FROM '{folder}/*.parquet' WHERE NOT ed25519_verify({', '.join(COLUMNS[1:])})"
    return lambda: len(connection.sql(query).fetchall())


def spark(folder: str, workers: int) -> Callable[[], int]:
    import spark_verify

    # Where the workers find this module.
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
    session = spark_verify.session(f"local-cluster[{workers},1,1024]")
    session.sparkContext.setLogLevel("ERROR")
    # The workers of Python are there before the time is taken.
    session.range(workers * 4).repartition(workers).mapInArrow(lambda batches: batches, "id long").count()
    return lambda: spark_verify.invalid(session.read.parquet(folder)).count()


def spark_udf(folder: str, workers: int) -> Callable[[], int]:
    import spark_verify
    from pyspark.sql.functions import col

    spark(folder, workers)
    rows = spark_verify.session().read.parquet(folder)
    return lambda: rows.filter(~spark_verify.ed25519_valid(*(col(name) for name in COLUMNS[1:]))).count()


def ray(folder: str, workers: int) -> Callable[[], int]:
    import ray
    import ray_verify

    paths = {"PYTHONPATH": os.pathsep.join(sys.path)}
    ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": paths})
    ray.data.DataContext.get_current().enable_progress_bars = False
    ray.get([ray.remote(lambda: None).remote() for _ in range(workers)])
    return lambda: ray_verify.invalid(folder, workers).count()


def dask(folder: str, workers: int) -> Callable[[], int]:
    import dask_verify
    from dask.distributed import Client, LocalCluster

    Client(LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None))
    return lambda: len(dask_verify.invalid(folder).compute())


COLUMNS = ["id", "public_key", "message", "signature"]
ENGINES = {
    "the kernel alone": alone,
    "pyarrow": pyarrow_alone,
    "Polars": polars,
    "DuckDB": duckdb,
    "Polars, plugin": polars_plugin,
    "DuckDB, extension": duckdb_extension,
    "Spark, mapInArrow": spark,
    "Spark, Arrow UDF": spark_udf,
    "Ray Data": ray,
    "Dask": dask,
}
#: The extension, as integrations/duckdb/README.md has it.
EXTENSION = os.environ.get("LANNER_DUCKDB_EXTENSION", Path(__file__).parents[2] / "target/duckdb/lanner.duckdb_extension")
#: What runs in one thread, whatever is asked.
SINGLE = {"the kernel alone", "pyarrow"}


def family() -> list[psutil.Process]:
    own = psutil.Process()
    return [own, *own.children(recursive=True)]


def processor() -> float:
    """Seconds of the processor, of this process and of those that it has started."""
    total = 0.0
    for process in family():
        try:
            found = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += found.user + found.system + found.children_user + found.children_system
    return total


def measure(name: str, folder: str, workers: int) -> dict[str, float]:
    """In a process of its own: seconds, seconds of processors, rows or invalid rows, and the most bytes of one process."""
    run = ENGINES[name](folder, workers)
    most, done = [0], threading.Event()

    def watch() -> None:
        while not done.wait(0.05):
            for process in family():
                try:
                    most[0] = max(most[0], process.memory_info().rss)
                except psutil.NoSuchProcess:
                    continue

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        before, start = processor(), time.monotonic()
        found = run()
        wall = time.monotonic() - start
        used = processor() - before
    finally:
        # Whoever fails would wait for the thread.
        done.set()
        thread.join()
    return {"wall": wall, "processor": used, "found": found, "memory": most[0]}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="engines whose names contain this")
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--json", help="write the figures to a file as well")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print("\n" + json.dumps(measure(options.one[0], options.folder, int(options.one[1]))), flush=True)
        # Engines take their time to go.
        for process in family()[1:]:
            process.kill()
        os._exit(0)

    import pyarrow.dataset

    rows = pyarrow.dataset.dataset(options.folder).count_rows()
    missing = set()
    if importlib.util.find_spec("lanner_polars") is None:
        missing.add("Polars, plugin")
    if not Path(EXTENSION).exists():
        missing.add("DuckDB, extension")
    for name in missing:
        print(f"{name}: not there\n")
    runs = [
        (name, workers)
        for name in ENGINES
        if name not in missing
        for workers in options.workers
        if (options.only in name or name == "the kernel alone") and (workers == 1 or name not in SINGLE)
    ]
    found: dict[tuple[str, int], list[dict[str, float]]] = {run: [] for run in runs}
    for _ in range(options.rounds):
        for run in random.sample(runs, len(runs)):
            command = [sys.executable, __file__, options.folder, "--one", run[0], str(run[1])]
            done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parent, check=False)
            lines = [line for line in done.stdout.splitlines() if line.startswith('{"wall"')]
            if not lines:
                # Not Java's traces, behind which the cause would be lost.
                said = "\n".join(line for line in done.stderr.splitlines() if not line.lstrip().startswith("at "))
                raise SystemExit(f"{run}: {done.stdout[-2000:]}{said[-4000:]}")
            found[run].append(json.loads(lines[-1]))
    kernel = found["the kernel alone", 1]
    least = statistics.median(run["processor"] / run["found"] for run in kernel)
    for run in kernel:
        # It had the first rows only.
        scale = rows / run["found"]
        run["wall"], run["processor"] = run["wall"] * scale, run["processor"] * scale
    print(f"{rows:,} rows, medians of {options.rounds} rounds\n")
    print("| engine | workers | µs a row | processor, µs a row | overhead | peak of a process |\n|---|---:|---:|---:|---:|---:|")
    report = []
    for (name, workers), them in found.items():
        wall, used, memory = (statistics.median(run[key] for run in them) for key in ("wall", "processor", "memory"))
        overhead = 1 - least * rows / used
        report.append({"engine": name, "workers": workers, "rows": rows, "wall": wall, "processor": used, "memory": memory})
        print(
            f"| {name} | {workers} | {wall / rows * 1e6:.2f} | {used / rows * 1e6:.2f} | {overhead:.0%} | {memory / 2**20:,.0f} MiB |"
        )
    if options.json:
        Path(options.json).write_text(json.dumps(report, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
