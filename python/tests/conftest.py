"""Test data, and a summary in the words that `cargo xtask test` reads."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


def vectors(name: str) -> Any:
    """A file of the project's own test data."""
    return json.loads((ROOT / "vectors" / "data" / name).read_text())


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


def free_threaded() -> bool:
    """Whether threads run side by side in this interpreter."""
    return not getattr(sys, "_is_gil_enabled", lambda: True)()


@pytest.fixture(params=[bytes, bytearray, memoryview, "array", "numpy"])
def like(request: pytest.FixtureRequest) -> Any:
    """Makes bytes-like objects of all sorts."""
    kind = request.param
    if kind == "array":
        import array

        return lambda octets: array.array("B", octets)
    if kind == "numpy":
        numpy = pytest.importorskip("numpy")
        return lambda octets: numpy.frombuffer(octets, dtype=numpy.uint8).copy()
    return kind
