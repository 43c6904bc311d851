"""Test data, and a summary in the words that `cargo xtask test` reads."""

from __future__ import annotations

import array
import ctypes
import json
import sys
import threading
import time
from collections.abc import Callable
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


def lets_others_in(work: Callable[[], object]) -> bool:
    """Whether another thread ran in the middle of the work. No switch is forced: who runs there was let in by the work."""
    done = threading.Event()
    span = []

    def timed() -> None:
        span.append(time.monotonic())
        work()
        span.append(time.monotonic())
        done.set()

    interval = sys.getswitchinterval()
    sys.setswitchinterval(60)
    try:
        thread = threading.Thread(target=timed)
        thread.start()
        ticks = []
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.0002)
        thread.join()
    finally:
        sys.setswitchinterval(interval)
    start, end = span
    margin = (end - start) / 5
    return any(start + margin < tick < end - margin for tick in ticks)


@pytest.fixture(
    params=[bytes, bytearray, memoryview, "array B", "array b", "ctypes ubyte", "ctypes char", "numpy uint8", "numpy int8"]
)
def like(request: pytest.FixtureRequest) -> Any:
    """Makes bytes-like objects of all sorts."""
    if callable(request.param):
        return request.param
    package, item = request.param.split()
    if package == "array":
        return lambda octets: array.array(item, octets)
    if package == "ctypes":
        kind = getattr(ctypes, f"c_{item}")
        return lambda octets: (kind * len(octets)).from_buffer_copy(octets)
    numpy = pytest.importorskip("numpy")
    return lambda octets: numpy.frombuffer(octets, dtype=item).copy()
