"""Builds and tests the package with Python that has no global lock, if there is one: `free_threaded.py DIRECTORY`.

The interpreters are looked for by their names (python3.14t, python3.13t), on PATH and among those of pyenv. What the directory
gets is an environment with the builder, pytest and the package.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("python3.14t", "python3.13t")
ROOT = Path(__file__).resolve().parents[2]


def interpreter() -> str | None:
    """The newest one that is there."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for name in NAMES:
        found = shutil.which(name) or next((str(path) for path in sorted(versions.glob(f"*/bin/{name}"))), None)
        # The stand-ins of pyenv are there for versions that are not selected, and fail.
        if found and subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode == 0:
            return found
    return None


def pinned(*wanted: str) -> list[str]:
    """Some of the packages that the tests name, with their versions."""
    lines = (Path(__file__).parent / "requirements.txt").read_text().splitlines()
    return [line for line in lines if line.partition("==")[0].lower() in wanted]


def main(directory: Path) -> int:
    python = interpreter()
    if python is None:
        print(f"SKIPPED: Python without the global lock: neither {' nor '.join(NAMES)} is on this machine")
        return 0
    own = directory / "bin" / "python"
    if not own.exists():
        subprocess.run([python, "-m", "venv", str(directory)], check=True)
    environment = {**os.environ, "PATH": f"{directory / 'bin'}{os.pathsep}{os.environ['PATH']}", "PYO3_PYTHON": str(own)}
    pip = [str(own), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    needed = pinned("maturin", "pytest", "iniconfig", "packaging", "pluggy", "pygments", "numpy")
    subprocess.run([*pip, *needed], check=True, env=environment)
    subprocess.run(
        [*pip, "--no-build-isolation", "--no-deps", "--force-reinstall", str(ROOT / "python")], check=True, env=environment
    )
    # Whatever imports PyNaCl, cryptography or mypy leaves itself out.
    run = subprocess.run([str(own), "-m", "pytest", str(ROOT / "python" / "tests")], check=False, env=environment)
    return run.returncode


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1]).resolve()))
