"""The examples of both READMEs run; stubs and docstrings are those of the code; the types are right."""

from __future__ import annotations

import importlib.metadata
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

import pytest
import stub_docs
from conftest import ROOT

import lanner
from lanner import arrow, cryptography_ed25519, cryptography_x25519, ed25519, falcon, fn_dsa, hybrid, nacl_signing, x25519

#: That of the repository, and the package's own.
READMES = [(folder / "README.md").read_text() for folder in (ROOT, ROOT / "python")]
EXAMPLES = [example for text in READMES for example in re.findall(r"```python\n(.*?)```", text, re.DOTALL)]
#: What type checkers are asked: with PyNaCl and cryptography, and with or without them.
TYPED, ALONE = (Path(__file__).parent / name for name in ("typed.py", "typed_alone.py"))
PACKAGE = ROOT / "python" / "package"


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_the_examples_run(number: int, tmp_path: Path) -> None:
    needed = [("numpy", "import numpy"), ("pyarrow", "import pyarrow"), ("cryptography", "BestAvailableEncryption")]
    for package, sign in needed:
        if sign in EXAMPLES[number]:
            pytest.importorskip(package)
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", EXAMPLES[number]],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr


def test_there_are_examples_of_every_module() -> None:
    text = "\n".join(EXAMPLES)
    for module in ("arrow", "ed25519", "x25519", "fn_dsa", "hybrid", "falcon", "nacl_signing", "cryptography_ed25519", "cryptography_x25519"):
        assert module in text


@pytest.mark.parametrize("module", [lanner, arrow, ed25519, x25519, fn_dsa, hybrid, falcon, nacl_signing, cryptography_ed25519, cryptography_x25519])
def test_everything_is_described(module: Any) -> None:
    assert module.__doc__
    for name in module.__all__:
        value = getattr(module, name)
        if inspect.isclass(value) and value.__module__.startswith("lanner"):
            assert value.__doc__, name
            for member in vars(value):
                if not member.startswith("_"):
                    assert inspect.getdoc(getattr(value, member)), f"{name}.{member}"
        elif inspect.isroutine(value):
            assert value.__doc__, name


def test_what_is_published_has_its_licences_and_no_links_that_lead_nowhere() -> None:
    files = importlib.metadata.files("lanner")
    assert files
    for name in ("LICENSE-APACHE", "LICENSE-MIT"):
        (licence,) = (file for file in files if file.name == name)
        assert licence.read_text() == (ROOT / name).read_text()
    metadata = importlib.metadata.metadata("lanner")
    assert metadata["License-Expression"] == "MIT OR Apache-2.0"
    # The page of a registry has the README and nothing beside it.
    links = re.findall(r"\]\(([^)]*)\)", metadata.get_payload())
    assert [link for link in links if not link.startswith(("https://", "#"))] == []
    oldest = re.fullmatch(r">=3\.(\d+)", metadata["Requires-Python"])
    versions = [line.rpartition("3.")[2] for line in metadata.get_all("Classifier", []) if "Python :: 3." in line]
    assert oldest and versions[0] == oldest[1]


def test_what_an_editable_installation_builds_is_not_committed() -> None:
    for name, expected in [("_native.abi3.so", 0), ("_native.cpython-314t-darwin.so", 0), ("_native.pyd", 0), ("_native.pyi", 1)]:
        ignored = subprocess.run(["git", "check-ignore", "-q", str(PACKAGE / "lanner" / name)], cwd=ROOT, stderr=subprocess.DEVNULL, check=False)
        if ignored.returncode == 128:
            pytest.skip("these are not files of a repository of git")
        assert ignored.returncode == expected, name


def run(*arguments: str, folder: Path | None = None) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "MYPYPATH": str(PACKAGE)},
    )
    assert done.returncode == 0, done.stdout + done.stderr


def pyright(python: Path | str, folder: Path, *programs: Path) -> None:
    """Asks Pyright about programs, with the packages of that Python."""
    pytest.importorskip("pyright")
    if shutil.which("node") is None:
        # It would download one.
        pytest.skip("Pyright runs on Node")
    settings = {"extraPaths": [str(PACKAGE)], "reportUnnecessaryTypeIgnoreComment": "error"}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    run("pyright", "--pythonpath", str(python), *map(str, programs), folder=folder)


def examples(folder: Path, sign: str) -> list[Path]:
    """Files of the examples in which that stands."""
    chosen = {folder / f"example_{number}.py": example for number, example in enumerate(EXAMPLES) if sign in example}
    for path, example in chosen.items():
        path.write_text(example)
    return list(chosen)


def test_the_stubs_have_the_docstrings_of_the_code() -> None:
    # `python tests/stub_docs.py` writes them.
    assert stub_docs.main(check=True) == 0


def test_the_stubs_are_those_of_the_code() -> None:
    pytest.importorskip("mypy")
    modules = [f"lanner.{name}" for name in stub_docs.MODULES]
    # Those whose types stand in the code itself may still hide names.
    modules += [f"lanner.cryptography_ed25519.serialization.{name}" for name in ("pkcs12", "pkcs7", "ssh")]
    run("mypy.stubtest", *modules, "lanner.cryptography_x25519", "lanner.nacl_signing.curve25519")


def test_the_types_are_right(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    programs = examples(tmp_path, "")
    cache = ["--cache-dir", str(tmp_path / "cache")]
    run("mypy", "--strict", *cache, "-p", "lanner")
    # pyarrow has no types.
    run("mypy", "--disable-error-code", "import-untyped", *cache, *map(str, programs))
    # Nothing in them may be ignored that is no error.
    run("mypy", "--strict", *cache, str(TYPED), str(ALONE))


def test_the_types_are_right_to_pyright(tmp_path: Path) -> None:
    pyright(sys.executable, tmp_path, TYPED, ALONE, *examples(tmp_path, ""))


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_the_types_are_right_without_pynacl_and_cryptography(checker: str, tmp_path: Path) -> None:
    pytest.importorskip(checker)
    venv.create(tmp_path / "bare", symlinks=True)
    python = tmp_path / "bare" / "bin" / "python"
    programs = [ALONE, *examples(tmp_path, "lanner.nacl_signing import")]
    assert len(programs) > 1
    if checker == "pyright":
        pyright(python, tmp_path, *programs)
    else:
        # As of an installed package, what is wrong within it is not said.
        options = ["--follow-imports=silent", "--python-executable", str(python), "--cache-dir", str(tmp_path / "cache")]
        run("mypy", "--strict", *options, *map(str, programs))


@pytest.mark.parametrize("program", [TYPED, ALONE], ids=lambda program: program.stem)
def test_the_program_with_types_runs(program: Path) -> None:
    for package in ("nacl", "cryptography", "numpy"):
        pytest.importorskip(package)
    run = subprocess.run([sys.executable, "-W", "error", str(program)], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
