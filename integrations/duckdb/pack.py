"""Makes of a shared library what DuckDB loads, `python pack.py LIBRARY lanner.duckdb_extension`: the library with a page behind it
that says for which platform and which version of the interface it is. The database looks up the symbols by the name of the file.

The page has 512 bytes: eight fields of 32, the last of which comes first, and 256 for a signature of DuckDB's, which are zero here.
Databases that ask for a signature must be told not to (`allow_unsigned_extensions`). In front of it stands what makes the page
a section of a WebAssembly module, which the database expects everywhere.

Beside what it makes it puts what goes along when that is handed on: the licences, also of what is linked, and a bill of materials.
"""

from __future__ import annotations

import argparse
import platform
import re
import sys
from pathlib import Path

#: The oldest version of the interface that has what the extension asks for, as in src/interface.rs.
INTERFACE = "v1.2.0"

#: What goes along; the last two are written by `cargo xtask linked`.
ALONG = ("LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY-LICENSES", "lanner.cdx.json")

#: What the interface is called whose functions come in a table.
KIND = "C_STRUCT"


def here() -> str:
    """The name that DuckDB has for this platform."""
    system = {"linux": "linux", "darwin": "osx", "win32": "windows"}[sys.platform]
    machine = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}[platform.machine().lower()]
    return f"{system}_{machine}"


def page(platform: str, version: str) -> bytes:
    """What stands behind the library."""
    fields = ["4", platform, INTERFACE, version, KIND, "", "", ""]
    assert all(len(field) <= 32 for field in fields)
    content = b"".join(field.encode().ljust(32, b"\0") for field in reversed(fields)) + bytes(256)

    def number(value: int) -> bytes:
        return bytes([value % 128 | 128, value // 128])

    name = b"duckdb_signature"
    # A section of no kind that WebAssembly knows: its length, its name, and as a field again a length.
    rest = bytes([len(name)]) + name + number(len(content)) + content
    return b"\0" + number(len(rest)) + rest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("library", type=Path)
    parser.add_argument("extension", type=Path)
    parser.add_argument("--platform", default=here(), help="as DuckDB calls it; unless it is given, that of this machine")
    options = parser.parse_args()
    home = Path(__file__).parent
    manifest = (home / "Cargo.toml").read_text()
    version = re.search(r'^version = "(.*)"$', manifest, re.MULTILINE)
    assert version is not None
    options.extension.parent.mkdir(parents=True, exist_ok=True)
    options.extension.write_bytes(options.library.read_bytes() + page(options.platform, "v" + version[1]))
    for name in ALONG:
        (options.extension.parent / name).write_bytes((home / name).read_bytes())


if __name__ == "__main__":
    main()
