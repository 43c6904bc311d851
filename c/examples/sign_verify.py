"""Signs and verifies from Python by ctypes, without a compiler:

    python3 sign_verify.py [PATH OF liblanner-core.so.0]

(The Python package `lanner` is another face of the same library, and the better choice where it can be installed. This
shows how any language calls the C functions.)
"""

import ctypes
import ctypes.util
import sys


class Key(ctypes.Structure):
    """lanner_ed25519_key: the caller's memory, with the size and the alignment that the header gives it."""

    _fields_ = [("opaque", ctypes.c_uint64 * 64)]


def load(path):
    library = ctypes.CDLL(path)
    key, data, size = ctypes.POINTER(Key), ctypes.c_char_p, ctypes.c_size_t
    library.lanner_strerror.restype = ctypes.c_char_p
    library.lanner_ed25519_key_generate.argtypes = [key]
    library.lanner_ed25519_key_public.argtypes = [key, data]
    library.lanner_ed25519_sign.argtypes = [key, data, size, data]
    library.lanner_ed25519_key_clear.argtypes = [key]
    library.lanner_ed25519_key_clear.restype = None
    library.lanner_ed25519_verify.argtypes = [ctypes.c_int, data, data, size, data]
    return library


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else ctypes.util.find_library("lanner-core")
    if path is None:
        sys.exit("liblanner-core is not installed; say where it is")
    lanner = load(path)

    def check(status):
        if status != 0:
            raise ValueError(lanner.lanner_strerror(status).decode())

    message = b"a message"
    key = Key()
    public_key = ctypes.create_string_buffer(32)
    signature = ctypes.create_string_buffer(64)
    try:
        check(lanner.lanner_ed25519_key_generate(key))
        check(lanner.lanner_ed25519_key_public(key, public_key))
        check(lanner.lanner_ed25519_sign(key, message, len(message), signature))
    finally:
        lanner.lanner_ed25519_key_clear(key)

    strict = 0
    check(lanner.lanner_ed25519_verify(strict, public_key, message, len(message), signature))
    print("the signature is valid:", signature.raw.hex())

    status = lanner.lanner_ed25519_verify(strict, public_key, b"another", 7, signature)
    if status == 0:
        sys.exit("another message passes")
    print("of another message:", lanner.lanner_strerror(status).decode())
    print("done")


main()
