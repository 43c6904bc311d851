"""A small ledger for every engine, and a summary in the words that `cargo xtask test` reads."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.dataset
import pytest

FOLDER = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(FOLDER))

import ledger as makers  # noqa: E402

from lanner import arrow  # noqa: E402


@dataclass
class Ledger:
    folder: str
    #: The ids of the rows that are not valid, and their reasons.
    invalid: dict[int, str]


@pytest.fixture(scope="session")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    folder = tmp_path_factory.mktemp("data") / "ledger"
    wrong = makers.make(folder)
    rows = pyarrow.dataset.dataset(folder).to_table()
    explained = arrow.explain(rows["public_key"], rows["message"], rows["signature"])
    found = zip(rows["id"].to_pylist(), explained.reasons.to_pylist(), strict=True)
    reasons = {number: reason for number, reason in found if reason is not None}
    # What the makers know, and the library finds; of all kinds. In a signature of zeros, R is a point of small order.
    assert sorted(reasons) == wrong
    assert set(reasons.values()) == {"null_signature", "signature_length", "r_encoding", "equation"}
    return Ledger(str(folder), reasons)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    def count(kind: str) -> int:
        return len(terminalreporter.stats.get(kind, []))

    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        terminalreporter.write_line(f"SKIPPED: {report.nodeid}: {reason}")
    failed = count("failed") + count("error")
    terminalreporter.write_line(
        f"test result: {'FAILED' if failed else 'ok'}. "
        f"{count('passed')} passed; {failed} failed; {count('skipped')} ignored"
    )
