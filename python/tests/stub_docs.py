"""The docstrings of the extension module in the stubs, where editors read them: `python tests/stub_docs.py [--check]`.

They are written once, in Rust; this copies them, out of the package that is installed.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parents[1] / "package" / "lanner"
MODULES = ("arrow", "ed25519", "x25519", "fn_dsa", "hybrid", "falcon")


def docstring(text: str, indent: str) -> str:
    """The text as the lines of a docstring."""
    lines = f'"""{text}"""'.splitlines()
    return "\n".join((indent + line).rstrip() for line in lines) + "\n"


def described(stub: str, module: Any) -> str:
    """The stub with the docstrings of the module's classes, methods and functions in place of those that it has."""
    lines = stub.splitlines(keepends=True)

    def visit(node: ast.ClassDef | ast.FunctionDef, value: Any) -> None:
        text = inspect.getdoc(value)
        private = node.name.startswith("_")
        body = node.body[0]
        old = isinstance(body, ast.Expr) and isinstance(body.value, ast.Constant)
        indent = " " * (node.col_offset + 4)
        # From below, so that the lines above keep their numbers.
        if isinstance(node, ast.ClassDef):
            for child in reversed(node.body):
                if isinstance(child, ast.FunctionDef):
                    visit(child, getattr(value, child.name, None))
            first = body.lineno - 1
            is_text = old and isinstance(body.value.value, str)
            if is_text:
                del lines[first : body.end_lineno]
            # Decorators stand before what they decorate.
            elif isinstance(body, ast.FunctionDef) and body.decorator_list:
                first = body.decorator_list[0].lineno - 1
            if text:
                lines[first:first] = [docstring(text, indent)]
        elif old and not private:
            header = lines[body.lineno - 1][: body.col_offset].rstrip()
            lines[body.lineno - 1 : body.end_lineno] = (
                [header + "\n"] if header else []
            ) + [docstring(text, indent) if text else indent + "...\n"]

    for node in reversed(ast.parse(stub).body):
        # What begins so is of the stub alone: protocols.
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_"):
            visit(node, getattr(module, node.name))
    return "".join(lines)


def main(check: bool) -> int:
    stale = []
    for name in MODULES:
        path = PACKAGE / f"{name}.pyi"
        stub = path.read_text()
        new = described(stub, importlib.import_module(f"lanner.{name}"))
        if new != stub:
            stale.append(path.name)
            if not check:
                path.write_text(new)
    print("docstrings of stubs:", ", ".join(stale) or "as they are in the code")
    return 1 if check and stale else 0


if __name__ == "__main__":
    raise SystemExit(main("--check" in sys.argv[1:]))
