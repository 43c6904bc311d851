"""What is linked stands in the wheel and in the archive of sources: licences, and a bill of materials."""

from __future__ import annotations

import importlib.metadata
import json
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from conftest import ROOT

import lanner._native

#: A source file of a crate of the registry, whichever way the system parts folders. (Those of Rust's own library lie elsewhere.)
SOURCE = re.compile(rb"registry[/\\]src[/\\][^/\\]+[/\\]([a-z0-9_-]+)-(\d+\.\d+\.\d+)[^/\\]*[/\\]src[/\\]")
#: What the licences of some ask to be in every copy.
WORDS = ["(BSD-3-Clause)", "Isis Agora Lovecruft", "Redistribution and use in source and binary forms", "Apache Software Foundation"]


def installed(name: str) -> str:
    """A file of the wheel's own folder."""
    text = importlib.metadata.distribution("lanner").read_text(name)
    assert text is not None, name
    return text


def test_what_is_linked_is_named_with_its_licence() -> None:
    notices = installed("licenses/THIRD-PARTY-LICENSES")
    assert not [words for words in WORDS if words not in notices]
    bill = json.loads(installed("sboms/lanner.cdx.json"))
    assert (bill["bomFormat"], bill["metadata"]["component"]["name"]) == ("CycloneDX", "lanner-python")
    # What comes from the registry has a checksum; the rest is this project's own.
    parts = {(part["name"], part["version"]): "hashes" in part for part in bill["components"]}
    assert {name for (name, _), others in parts.items() if not others} == {
        f"lanner-{name}" for name in ("arrow", "curve", "ed25519", "fn-dsa", "hash", "hybrid", "simd", "x25519")
    }
    for (name, version), others in parts.items():
        assert (f"\n{name} {version} (" in notices) == others, name
    # Messages of panics name the files that they stand in, so the library itself knows of what it is made.
    found = {(name.decode(), version.decode()) for name, version in SOURCE.findall(Path(lanner._native.__file__).read_bytes())}
    assert len(found) > 5
    assert found <= {part for part, others in parts.items() if others}


def test_the_metadata_names_every_licence() -> None:
    assert sorted(importlib.metadata.metadata("lanner").get_all("License-File") or []) == [
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "THIRD-PARTY-LICENSES",
    ]


def test_the_bill_is_of_the_lock_file_and_of_no_machine() -> None:
    text = installed("sboms/lanner.cdx.json")
    bill = json.loads(text)
    assert not [word for word in ("file:", "timestamp", "serialNumber", str(ROOT)) if word in text]
    lock = (ROOT / "python/Cargo.lock").read_text()
    for part in bill["components"]:
        entry = f'name = "{part["name"]}"\nversion = "{part["version"]}"\n'
        assert entry in lock
        for hash in part.get("hashes", []):
            assert f'checksum = "{hash["content"]}"' in lock


def test_the_archive_of_sources_has_them_for_the_wheel_that_is_built_of_it(tmp_path: Path) -> None:
    maturin = shutil.which("maturin", path=str(Path(sys.executable).parent))
    if maturin is None:
        pytest.skip("maturin is not in this environment")
    subprocess.run(
        [maturin, "sdist", "--manifest-path", str(ROOT / "python/Cargo.toml"), "--out", str(tmp_path)],
        check=True,
        capture_output=True,
    )
    (archive,) = tmp_path.iterdir()
    with tarfile.open(archive) as files:
        top = archive.name.removesuffix(".tar.gz")
        for name in ("THIRD-PARTY-LICENSES", "lanner.cdx.json"):
            # Beside its pyproject.toml, which names both.
            file = files.extractfile(f"{top}/{name}")
            assert file is not None
            assert file.read() == (ROOT / "python" / name).read_bytes()
