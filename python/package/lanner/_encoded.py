"""Public keys of Ed25519 as PyNaCl and cryptography have them: any 32 bytes, decoded no sooner than that pays."""

from __future__ import annotations

from typing import Any

from lanner import ed25519


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


__all__ = ["EncodedKey"]
