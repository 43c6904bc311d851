"""Runs the tests of what the package does beside cryptography and pandas with the oldest versions of these that it is for:
`python tests/oldest.py DIRECTORY`. pip downloads them into the directory.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent

#: The packages, what they need that newer ones do not, and the tests. Debian 12 has that version of cryptography.
OLDEST = {
    "cryptography": (["cryptography==38.0.4"], ["test_cryptography_ed25519.py", "test_cryptography_x25519.py"]),
    "pandas": (["pandas==2.2.3", "pytz==2026.6"], ["test_arrow.py", "-k", "pandas"]),
}


def main(directory: Path) -> int:
    failed = 0
    for name, (packages, tests) in OLDEST.items():
        place = directory / name
        if not all((place / f"{package.replace('==', '-')}.dist-info").is_dir() for package in packages):
            pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
            subprocess.run([*pip, "--upgrade", "--only-binary", ":all:", "--target", str(place), *packages], check=True)
        # Before those of the environment.
        environment = {**os.environ, "PYTHONPATH": str(place)}
        version = f"import {name}; print({name}.__version__)"
        found = subprocess.run([sys.executable, "-c", version], env=environment, capture_output=True, text=True, check=True)
        assert found.stdout.strip() == packages[0].partition("==")[2], found.stdout
        print(*packages, flush=True)
        pytest = [sys.executable, "-m", "pytest", *tests]
        failed |= subprocess.run(pytest, cwd=TESTS, env=environment, check=False).returncode
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1]).resolve()))
