"""cryptography's ``serialization.ssh``, where keys of Ed25519 come out as this package's. It needs that package."""

from __future__ import annotations

from typing import Any

from cryptography.hazmat.primitives.serialization import ssh as _theirs

from lanner.cryptography_ed25519.serialization import load_ssh_private_key as load_ssh_private_key
from lanner.cryptography_ed25519.serialization import load_ssh_public_identity as load_ssh_public_identity
from lanner.cryptography_ed25519.serialization import load_ssh_public_key as load_ssh_public_key


def __getattr__(name: str) -> Any:
    # What is not defined here is cryptography's.
    return getattr(_theirs, name)
