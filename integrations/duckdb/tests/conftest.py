"""The ledger of all engines, and a summary in the words that `cargo xtask test` reads: those of integrations/engines/tests."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

FILE = Path(__file__).resolve().parents[2] / "engines/tests/conftest.py"
spec = importlib.util.spec_from_file_location("of_all_engines", FILE)
assert spec is not None and spec.loader is not None
of_all_engines = importlib.util.module_from_spec(spec)
sys.modules["of_all_engines"] = of_all_engines
spec.loader.exec_module(of_all_engines)

ledger = of_all_engines.ledger
pytest_terminal_summary = of_all_engines.pytest_terminal_summary
