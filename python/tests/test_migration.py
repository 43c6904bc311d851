"""docs/migration-python.md: every line of its tables runs, both sides of it, against the old library."""

from __future__ import annotations

import re
from typing import Any

import pytest
from conftest import ROOT

PAGE = (ROOT / "docs" / "migration-python.md").read_text()
OPENING, *SECTIONS = re.split(r"^## ", PAGE, flags=re.MULTILINE)

#: What is imported in a section, and how it is called there.
LIBRARIES = {"PyNaCl": "nacl", "cryptography": "cryptography"}


def code(section: str) -> str:
    found = re.search(r"```python\n(.*?)```", section, re.DOTALL)
    assert found
    return found[1]


def rows(section: str) -> list[list[str]]:
    lines = (line for line in section.splitlines() if line.startswith("| `"))
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def unquoted(cell: str) -> str:
    assert re.fullmatch(r"`[^`]+`", cell), cell
    return cell[1:-1]


def answer(expression: str, names: dict[str, Any]) -> str:
    try:
        return str(eval(expression, names))
    except Exception:
        return "raises"


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.split("\n")[0])
def test_every_line_of_the_tables(section: str) -> None:
    name = section.split("\n")[0]
    if name in LIBRARIES:
        pytest.importorskip(LIBRARIES[name])
    names: dict[str, Any] = {}
    exec(code(OPENING), names)
    exec(code(section), names)
    calls = [row for row in rows(section) if row[1].startswith("`")]
    questions = [row for row in rows(section) if not row[1].startswith("`")]
    if name in LIBRARIES:
        assert len(calls) >= 12 and len(questions) >= 5
    for old, new, _ in calls:
        theirs = eval(unquoted(old), names)
        assert eval(unquoted(new), names) == theirs, f"{old} and {new}"
    for both, *answers in questions:
        expressions = [unquoted(cell) for cell in both.split("; ")]
        assert [answer(expression, names) for expression in expressions] == answers, both
    # A table of nothing but secrets that are equal because both are nothing would show nothing.
    assert all(eval(unquoted(new), names) != b"" for _, new, _ in calls)
