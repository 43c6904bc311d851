"""A folder of Parquet files with signed rows, as `cargo run -p lanner-arrow --example ledger` makes them, for those without cargo:
`python ledger.py FOLDER [--rows N] [--keys N] [--files N]`.

Each row has an id, a public key, a message of 100 to 400 bytes, a signature, and whether it is valid: one in a thousand is not,
and some of these are null or too short.
"""

from __future__ import annotations

import argparse
import itertools
import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

from lanner import ed25519


def make(folder: Path, rows: int = 20_000, keys: int = 50, files: int = 4) -> list[int]:
    """Writes the files, and returns the ids of the rows that are not valid."""
    folder.mkdir(parents=True)
    chance = random.Random(1)
    signers = [ed25519.SigningKey(chance.randbytes(32)) for _ in range(keys)]
    # Zipf's law: few of them sign most of the rows.
    weights = list(itertools.accumulate(1 / rank for rank in range(1, keys + 1)))
    wrong = []
    for number in range(files):
        ids = range(rows * number // files, rows * (number + 1) // files)
        of = chance.choices(signers, cum_weights=weights, k=len(ids))
        messages = [chance.randbytes(chance.randint(100, 400)) for _ in ids]
        signatures: list[bytes | None] = [key.sign(message) for key, message in zip(of, messages, strict=True)]
        valid = [chance.random() >= 0.001 for _ in ids]
        for i, row in enumerate(valid):
            if not row:
                wrong.append(ids[i])
                signatures[i] = chance.choice([None, b"too short", bytes(64), signatures[i - 1]])
        columns = {
            "id": pa.array(ids, pa.int64()),
            "public_key": pa.array([bytes(key.verifying_key) for key in of], pa.binary(32)),
            "message": pa.array(messages, pa.binary()),
            "signature": pa.array(signatures, pa.binary()),
            "valid": pa.array(valid),
        }
        # Such bytes do not become fewer; and Java's Snappy, with which Spark reads, fails where another C library lies beside
        # the system's.
        file = folder / f"part-{number:05}.parquet"
        pyarrow.parquet.write_table(pa.table(columns), file, row_group_size=8192, compression="none")
    return wrong


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    for option, default in [("rows", 100_000), ("keys", 50), ("files", 4)]:
        parser.add_argument(f"--{option}", type=int, default=default)
    options = parser.parse_args()
    wrong = make(options.folder, options.rows, options.keys, options.files)
    print(f"{options.rows} rows in {options.folder}, {len(wrong)} not valid")
