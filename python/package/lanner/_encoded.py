"""What the classes of PyNaCl and of cryptography have in common here: bytes-like objects, and public keys of Ed25519 as those two
packages have them, any 32 bytes, decoded no sooner than that pays.
"""

from __future__ import annotations

import copy
from typing import Any, TypeVar

from lanner import ed25519

_Key = TypeVar("_Key")


def octets(value: Any) -> bytes:
    """A bytes-like object as bytes that nobody writes. Raises TypeError where it is none."""
    if isinstance(value, bytes):
        return value
    try:
        view = memoryview(value)
    except BufferError as error:
        raise TypeError(str(error)) from None
    if view.itemsize != 1:
        raise TypeError(f"items of {view.itemsize} bytes")
    return view.tobytes()


def copied(key: _Key, memo: dict[int, Any] | None = None) -> _Key:
    """A copy of a secret key with all that a subclass has given it; with ``memo`` a deep one. The secret stays in the one object
    that wipes it, which both have.
    """
    other = object.__new__(type(key))
    state: Any = object.__getstate__(key)
    if memo is not None:
        memo[id(key)] = other
        state = copy.deepcopy(state, memo)
    for attributes in state if isinstance(state, tuple) else (state,):
        for name, value in (attributes or {}).items():
            object.__setattr__(other, name, value)
    return other


class EncodedKey:
    """32 bytes, and from the second verification on the point that they are."""

    __slots__ = ("_decoded", "_used", "octets")

    octets: bytes
    _decoded: ed25519.VerifyingKey | None
    _used: bool

    def __init__(self, octets: bytes) -> None:
        self.octets = octets
        self._decoded = None
        self._used = False

    def decoded(self) -> ed25519.VerifyingKey:
        """The point. Raises ValueError where there is none."""
        if self._decoded is None:
            self._decoded = ed25519.VerifyingKey(self.octets)
        return self._decoded

    def __reduce__(self) -> Any:
        return EncodedKey, (self.octets,)

    def is_valid(self, message: Any, signature: Any, profile: Any) -> bool:
        """What ed25519.is_valid() says."""
        if self._used:
            try:
                key = self._decoded or self.decoded()
            except ValueError:
                pass
            else:
                return key.is_valid(message, signature, profile=profile)
        # A key that is used once is decoded beside R, in the same lanes.
        self._used = True
        return ed25519.is_valid(self.octets, message, signature, profile=profile)


__all__ = ["EncodedKey", "copied", "octets"]
