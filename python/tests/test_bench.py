"""The programs of the benchmark run, and what they write is whole. Nothing is asserted about how fast anything is."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT, vectors

# What the programs compare with.
pytest.importorskip("nacl")
pytest.importorskip("cryptography")

BENCH = ROOT / "python" / "bench"


def printed(script: str, *args: str) -> str:
    return subprocess.run([sys.executable, str(BENCH / script), *args], check=True, capture_output=True, text=True).stdout


def test_every_candidate_of_every_row_has_times(tmp_path: Path) -> None:
    file = tmp_path / "times.json"
    printed("compare.py", "--rounds", "1", "--span", "0.0001", "--json", str(file))
    report = json.loads(file.read_text())
    assert [version.split()[0] for version in report["versions"]] == ["Python", "lanner", "PyNaCl", "cryptography"]
    cells = report["calls"]
    assert len({cell["row"] for cell in cells}) == 11
    for cell in cells:
        assert cell["seconds"] > 0, cell
        # What stands in the place of another is compared with it.
        assert (cell["ratio"] is not None) == cell["candidate"].startswith("in place of "), cell


def test_verdicts_on_odd_signatures_are_those_of_the_rules() -> None:
    cases = vectors("ed25519_verify.json")["cases"]
    columns = json.loads(printed("verdicts.py"))
    rules = {
        "lanner (Python)": "strict",
        "lanner (Python), batch": "strict",
        "lanner.nacl_signing (Python)": "libsodium",
        "lanner.cryptography_ed25519 (Python)": "dalek",
    }
    for column, rule in rules.items():
        assert columns.pop(column) == [rule in case["accept"] for case in cases], column
    # The others have a verdict on each, and know right from wrong.
    for column, verdicts in columns.items():
        assert len(verdicts) == len(cases) and 0 < sum(verdicts) < len(cases), column
    assert set(columns) == {"PyNaCl (Python)", "cryptography (Python)"}
