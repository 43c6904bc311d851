"""PyNaCl's classes, or what stands for them where it is not installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # A type checker does not know ImportError, and takes whatever is imported by its name from a package that is not installed for
    # something that has any attribute. A star brings nothing from there. Of a name that comes twice mypy takes the first, Pyright the
    # last: to both it is PyNaCl's, if there is one.
    from nacl.public import *
    from nacl.signing import *

    from lanner.nacl_signing._without import *  # type: ignore[assignment]

    from nacl.public import *
    from nacl.signing import *
else:
    try:
        from nacl.public import PrivateKey, PublicKey
        from nacl.signing import SignedMessage, SigningKey, VerifyKey
    except ImportError:
        from lanner.nacl_signing._without import PrivateKey, PublicKey, SignedMessage, SigningKey, VerifyKey

__all__ = ["PrivateKey", "PublicKey", "SignedMessage", "SigningKey", "VerifyKey"]
