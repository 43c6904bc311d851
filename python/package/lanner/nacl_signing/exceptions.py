"""The exceptions of PyNaCl: where that package is installed they are caught as its own, too."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING

from lanner._native import InvalidSignature

if TYPE_CHECKING:

    class CryptoError(Exception): ...

    class _BadSignatureError(CryptoError): ...

    class TypeError(builtins.TypeError, CryptoError): ...

    class ValueError(builtins.ValueError, CryptoError): ...

    class RuntimeError(builtins.RuntimeError, CryptoError): ...

else:
    try:
        from nacl.exceptions import BadSignatureError as _BadSignatureError
        from nacl.exceptions import CryptoError, RuntimeError, TypeError, ValueError
    except ImportError:

        class CryptoError(Exception):
            """The root of the exceptions of this module."""

        class _BadSignatureError(CryptoError):
            pass

        class TypeError(builtins.TypeError, CryptoError):
            """An argument has the wrong type."""

        class ValueError(builtins.ValueError, CryptoError):
            """An argument has a wrong length or value."""

        class RuntimeError(builtins.RuntimeError, CryptoError):
            """A key cannot be converted."""


class BadSignatureError(_BadSignatureError, InvalidSignature):
    """The signature is not valid."""


__all__ = ["BadSignatureError", "CryptoError", "RuntimeError", "TypeError", "ValueError"]
