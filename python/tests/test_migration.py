"""docs/migration-python.md: every line of its tables runs, both sides of it, against the old library."""

from __future__ import annotations

import builtins
import importlib
import re
from typing import Any

import pytest
from conftest import ROOT

import lanner

PAGE = (ROOT / "docs" / "migration-python.md").read_text()
OPENING, *SECTIONS = re.split(r"^## ", PAGE, flags=re.MULTILINE)

#: What is imported in a section, and where its exceptions are.
LIBRARIES = {"PyNaCl": ("nacl", "nacl.exceptions"), "cryptography": ("cryptography", "cryptography.exceptions")}


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


def check(expression: str, names: dict[str, Any], expected: str, exceptions: Any) -> None:
    """That the expression gives what is expected, or raises just the exception of that name."""
    raises = re.fullmatch(r"raises `(\w+)`", expected)
    if raises is None:
        assert str(eval(expression, names)) == expected, expression
        return
    kind = getattr(exceptions, raises[1], None) or getattr(builtins, raises[1])
    with pytest.raises(kind) as raised:
        eval(expression, names)
    assert raised.type is kind, expression


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.split("\n")[0])
def test_every_line_of_the_tables(section: str) -> None:
    name = section.split("\n")[0]
    if name in LIBRARIES:
        pytest.importorskip(LIBRARIES[name][0])
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
        kinds = importlib.import_module(LIBRARIES[name][1]), lanner
        for cell, expected, exceptions in zip(both.split("; "), answers, kinds, strict=True):
            check(unquoted(cell), names, expected, exceptions)
    # A table of nothing but secrets that are equal because both are nothing would show nothing.
    assert all(eval(unquoted(new), names) != b"" for _, new, _ in calls)
