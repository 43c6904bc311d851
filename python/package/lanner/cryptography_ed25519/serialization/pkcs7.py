"""cryptography's ``serialization.pkcs7``. It needs that package."""

from __future__ import annotations

from typing import Any

from cryptography.hazmat.primitives.serialization import pkcs7 as _theirs


def __getattr__(name: str) -> Any:
    return getattr(_theirs, name)
