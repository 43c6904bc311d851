"""Runs PyNaCl's and cryptography's own tests of these classes with one import changed: `python tests/theirs.py DIRECTORY`.

The tests come with the packages' source archives, which pip downloads into the directory; nothing of them is kept in this
repository. What is changed there is listed below, line by line, and a line that is not found is an error.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
from importlib.metadata import version
from pathlib import Path

#: For each package: its files of tests, the changes in them, and which of the tests are run.
SUITES = {
    "pynacl": [
        (
            "tests/test_signing.py",
            [("from nacl.signing import", "from lanner.nacl_signing import")],
            "",
        ),
        (
            "tests/test_public.py",
            [
                (
                    "from nacl.public import Box, PrivateKey, PublicKey",
                    "from nacl.public import Box\nfrom lanner.nacl_signing import PrivateKey, PublicKey",
                )
            ],
            "",
        ),
    ],
    "cryptography": [
        (
            "tests/hazmat/primitives/test_ed25519.py",
            [
                (
                    "from cryptography.hazmat.primitives.asymmetric.ed25519 import",
                    "from lanner.cryptography_ed25519 import",
                ),
                (
                    "from cryptography.hazmat.primitives import serialization",
                    "from lanner.cryptography_ed25519 import serialization",
                ),
            ],
            "",
        ),
        (
            "tests/hazmat/primitives/test_x25519.py",
            [
                ("from cryptography.hazmat.primitives.asymmetric import x25519\n", "from lanner import cryptography_x25519 as x25519\n"),
                (
                    "from cryptography.hazmat.primitives.asymmetric.x25519 import",
                    "from lanner.cryptography_x25519 import",
                ),
            ],
            "",
        ),
        (
            "tests/hazmat/primitives/test_serialization.py",
            [
                ("    ed25519,\n", ""),
                (
                    "from cryptography.hazmat.primitives.serialization import",
                    "from lanner import cryptography_ed25519 as ed25519\n"
                    "from lanner.cryptography_ed25519.serialization import",
                ),
            ],
            "Ed25519",
        ),
        (
            "tests/hazmat/primitives/test_ssh.py",
            [
                ("    ed25519,\n", ""),
                (
                    "from cryptography.hazmat.primitives.serialization import",
                    "from lanner import cryptography_ed25519 as ed25519\n"
                    "from lanner.cryptography_ed25519.serialization import",
                ),
            ],
            "TestEd25519SSHSerialization",
        ),
    ],
}


def fetch(package: str, directory: Path) -> Path:
    """The source of a package in the version that is installed, unpacked."""
    source = f"{package}-{version(package)}"
    if not (directory / source).is_dir():
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        # Their build tools are installed for pip to read the name of what it downloads.
        pip += ["--no-build-isolation", "--no-binary", package, "--dest", str(directory), f"{package}=={version(package)}"]
        subprocess.run(pip, check=True)
        with tarfile.open(directory / f"{source}.tar.gz") as archive:
            archive.extractall(directory, filter="data")
    return directory / source


def change(path: Path, changes: list[tuple[str, str]]) -> None:
    """Changes the imports of a file, once."""
    original = path.with_suffix(".original")
    if not original.exists():
        path.rename(original)
    text = original.read_text()
    for old, new in changes:
        if old not in text:
            raise SystemExit(f"{path}: no line {old!r}")
        text = text.replace(old, new)
    path.write_text(text)


def main(directory: Path) -> int:
    directory.mkdir(parents=True, exist_ok=True)
    failed = 0
    for package, files in SUITES.items():
        source = fetch(package, directory)
        for name, changes, chosen in files:
            change(source / name, changes)
            pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null"]
            # pytest would put the sources of the package before the installed one, which is built.
            pytest += ["--rootdir", str(source), "--import-mode=importlib", "--strict-markers"]
            pytest += ["-W", "ignore", "-o", "markers=supported: \nskip_fips: \nmalloc_failure: \nwycheproof_tests: "]
            run = subprocess.run([*pytest, name, "-k", chosen], cwd=source, capture_output=True, text=True, check=False)
            print(f"{package}: {name}\n{run.stdout[-4000:]}{run.stderr[-4000:]}")
            summary = run.stdout.rstrip().rsplit("\n", 1)[-1]
            counts = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|error|skipped)", summary)}
            passed, bad = counts.get("passed", 0), counts.get("failed", 0) + counts.get("error", 0)
            if run.returncode or bad or not passed:
                failed = 1
            word = "FAILED" if run.returncode or bad or not passed else "ok"
            print(f"test result: {word}. {passed} passed; {bad} failed; {counts.get('skipped', 0)} ignored", flush=True)
    return failed


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1]).resolve()))
