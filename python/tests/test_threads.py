"""Writers that race, the lock of the interpreter, interruptions, many threads."""

from __future__ import annotations

import _thread
import inspect
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest
from conftest import free_threaded, lets_others_in

import lanner
from lanner import arrow, cryptography_ed25519, cryptography_x25519, ed25519, falcon, fn_dsa, hybrid, nacl_signing, x25519

SEED = bytes(range(32))
LENGTH = 1 << 19


@contextmanager
def racing(message: bytearray, at: int) -> Iterator[None]:
    """While it lasts another thread writes 0 and 1 to one place of the message, as often as it can."""
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            for value in (1, 0) * 50:
                message[at] = value

    # The lock changes hands often, and so in the midst of things.
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
        sys.setswitchinterval(interval)


def signers() -> dict[str, Callable[[Any], bytes]]:
    key = ed25519.SigningKey(SEED)
    nacl_key = nacl_signing.SigningKey(SEED)
    their_key = cryptography_ed25519.Ed25519PrivateKey.from_private_bytes(SEED)
    return {
        "sign": key.sign,
        "sign a view": lambda message: key.sign(memoryview(message).toreadonly()),
        "sign_ctx": lambda message: key.sign_ctx(message, b"context"),
        "sign_many": lambda message: key.sign_many([message])[0],
        "nacl": lambda message: nacl_key.sign(message).signature,
        "cryptography": their_key.sign,
    }


@pytest.mark.parametrize("name", signers())
def test_a_racing_writer_never_gets_one_nonce_with_two_challenges(name: str) -> None:
    # Of a message that changes between the passes of a signature, R would be that of one content and S that of the other:
    # with the signature of either content R is there twice, and the key is lost. So whatever the writer does, only the two
    # honest signatures may come out.
    sign = signers()[name]
    message = bytearray(LENGTH)
    # At the end, so that the hashes reach it late.
    at = LENGTH - 100
    honest = set()
    for value in (0, 1):
        message[at] = value
        honest.add(sign(bytes(message)))
    assert len({signature[:32] for signature in honest}) == 2
    seen = set()
    with racing(message, at):
        end = time.monotonic() + 1
        while time.monotonic() < end:
            seen.add(sign(message))
    assert seen <= honest
    # The writer was there.
    assert len(seen) == 2


def test_a_racing_writer_never_gets_a_message_back_that_was_not_signed() -> None:
    key = nacl_signing.SigningKey(SEED)
    signed = bytearray(key.sign(bytes(LENGTH)))
    with racing(signed, len(signed) - 100):
        verdicts = set()
        for _ in range(100):
            try:
                assert key.verify_key.verify(signed) == bytes(LENGTH)
                verdicts.add(True)
            except nacl_signing.BadSignatureError:
                verdicts.add(False)
    assert verdicts == {True, False}


LONG = bytes(1 << 25)
SIGNATURE = ed25519.SigningKey(SEED).sign(LONG)
PUBLIC = bytes(ed25519.SigningKey(SEED).verifying_key)
#: Keys of FN-DSA are read within milliseconds, and hybrid ones are made from their seed.
FN_DSA, HYBRID = fn_dsa.SigningKey.from_seed(SEED, 1024), hybrid.SigningKey(SEED, 1024)


def readers(kind: Any, key: Any) -> list[Callable[[], object]]:
    return [partial(kind.from_der, key.to_der()), partial(kind.from_pem, key.to_pem())]


FILES = {module: readers(module.SigningKey, key) for module, key in ((fn_dsa, FN_DSA), (hybrid, HYBRID))}
FN_DSA_PUBLIC, HYBRID_PUBLIC = (
    [partial(kind, bytes(key.verifying_key)), *readers(kind, key.verifying_key)]
    for kind, key in ((fn_dsa.VerifyingKey, FN_DSA), (hybrid.VerifyingKey, HYBRID))
)
WORK: dict[str, Callable[[], object]] = {
    "sign": lambda: ed25519.SigningKey(SEED).sign(LONG),
    "verify": lambda: ed25519.SigningKey(SEED).verifying_key.verify(LONG, SIGNATURE),
    "sign a bytearray": lambda: ed25519.SigningKey(SEED).sign(bytearray(LONG)),
    "is_valid": lambda: ed25519.is_valid(PUBLIC, LONG, SIGNATURE),
    "batch": lambda: ed25519.verify_batch([PUBLIC] * 9, [LONG[: 1 << 22]] * 9, [SIGNATURE] * 9),
    "sign_many": lambda: ed25519.SigningKey(SEED).sign_many([LONG[: 1 << 21]] * 20),
    "fn_dsa": lambda: [fn_dsa.SigningKey.generate(1024) for _ in range(4)],
    "fn_dsa, files": lambda: [read() for read in FILES[fn_dsa] for _ in range(100)],
    "hybrid, files": lambda: [read() for read in FILES[hybrid] for _ in range(4)],
    "fn_dsa, public keys": lambda: [read() for read in FN_DSA_PUBLIC for _ in range(500)],
    "hybrid, public keys": lambda: [read() for read in HYBRID_PUBLIC for _ in range(500)],
}


@pytest.mark.parametrize("name", WORK)
def test_other_threads_run_during_long_work(name: str) -> None:
    # Whoever was let in needs a processor too, which a busy machine gives late: work of some milliseconds is over by then.
    # Work that keeps the lock lets nobody in, however often it is tried.
    assert any(lets_others_in(WORK[name]) for _ in range(20))


@pytest.mark.skipif(free_threaded(), reason="this Python has no global lock")
def test_work_that_keeps_the_lock_is_told() -> None:
    assert not any(lets_others_in(lambda: sum(range(1_000_000))) for _ in range(5))


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no timers that signal")
def test_an_interruption_stops_a_batch() -> None:
    class Interrupted(Exception):
        pass

    def interrupt(*_: Any) -> None:
        raise Interrupted

    key = ed25519.SigningKey(SEED)
    count = 400_000
    rows = [bytes(key.verifying_key)] * count, [b"message"] * count, [key.sign(b"message")] * count
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        start = time.monotonic()
        few = 20_000
        ed25519.verify_batch(*[column[:few] for column in rows])
        whole = (time.monotonic() - start) * count / few
        spans = []
        for _ in range(4):
            signal.setitimer(signal.ITIMER_REAL, whole / 4)
            start = time.monotonic()
            with pytest.raises(Interrupted):
                ed25519.verify_batch(*rows)
            spans.append(time.monotonic() - start)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    # The best one, as others use the machine as well.
    assert min(spans) < whole / 2 + 0.1, spans


#: Reads lists whose rows hold a secret, is interrupted by a timer soon after it begins, and has to say so, whatever it was doing then.
TIMED = """
import signal, sys
from lanner import arrow, ed25519, fn_dsa
key = ed25519.SigningKey(bytes(32))
message = b"a message that nobody else may read"
count = 200_000
rows = [bytes(key.verifying_key)] * count, [message] * count, [key.sign(message)] * count
calls = {
    "verify_batch": lambda: ed25519.verify_batch(*rows),
    "fn_dsa.verify_batch": lambda: fn_dsa.verify_batch(*rows),
    "sign_many": lambda: key.sign_many(rows[1]),
    "arrow.verify": lambda: arrow.verify(*rows),
    "arrow.explain_fn_dsa": lambda: arrow.explain_fn_dsa(*rows),
}

class Interrupted(Exception):
    pass

def interrupt(*_):
    raise Interrupted

def unraisable(lost):
    print("lost:", type(lost.exc_value).__name__, len(repr(lost.object)))

sys.unraisablehook = unraisable
signal.signal(signal.SIGALRM, interrupt)
for attempt in range(10):
    try:
        signal.setitimer(signal.ITIMER_REAL, 1e-3 * (1 + attempt % 3))
        calls[sys.argv[1]]()
        print("done")
    except Interrupted:
        print("interrupted")
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no timers that signal")
@pytest.mark.parametrize("name", ["verify_batch", "fn_dsa.verify_batch", "sign_many", "arrow.verify", "arrow.explain_fn_dsa"])
def test_what_a_signal_handler_raises_while_lists_are_read_is_not_lost(name: str) -> None:
    run = subprocess.run([sys.executable, "-W", "error", "-c", TIMED, name], capture_output=True, text=True, check=False)
    # Neither the exception nor the rows, which were on standard error where it was lost, go anywhere else.
    assert (run.stdout[:1000], run.stderr[:1000], run.returncode) == ("interrupted\n" * 10, "", 0)


@pytest.mark.parametrize("work", [arrow.verify, arrow.explain_fn_dsa])
def test_lists_are_not_read_to_the_end_after_an_interruption(work: Callable[..., object]) -> None:
    # Each row of the messages, all of which are None, is an interruption as well, and nothing of Python runs between them.
    count = 1000
    signals = iter([signal.SIGINT] * count)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            work([PUBLIC] * count, map(_thread.interrupt_main, signals), [bytes(64)] * count)
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(list(signals)) == count - 1


class Rows(list[bytes]):
    """A list of which a signal comes while it is asked what it is."""

    def __getattribute__(self, name: str) -> Any:
        if name == "__class__":
            _thread.interrupt_main()
        return super().__getattribute__(name)


@pytest.mark.parametrize("work", [ed25519.verify_batch, fn_dsa.verify_batch, arrow.verify, arrow.verify_fn_dsa])
def test_an_interruption_while_it_is_asked_what_rows_are(work: Callable[..., object], capfd: pytest.CaptureFixture[str]) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            work(Rows([PUBLIC]), Rows([b"message"]), Rows([SIGNATURE]))
    finally:
        signal.signal(signal.SIGINT, before)
    assert capfd.readouterr() == ("", "")


def test_keys_are_shared_by_threads() -> None:
    key, weak = ed25519.SigningKey(SEED), fn_dsa.SigningKey.from_seed(SEED)
    nacl_key = nacl_signing.SigningKey(SEED)
    prepared = key.verifying_key.prepare()

    def work(number: int) -> None:
        for i in range(30):
            message = os.urandom(1 + 997 * (i % 5))
            signature = key.sign(message)
            prepared.verify(message, signature)
            assert nacl_key.verify_key.verify(nacl_key.sign(message)) == message
            assert not key.verifying_key.is_valid(message + b"x", signature)
            if i % 10 == 0:
                weak.verifying_key.verify(message, weak.sign(message))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))


# A stack that is too small ends the process.
SMALL = """
import threading
from lanner import ed25519, falcon, fn_dsa, hybrid

def work():
    for module in (fn_dsa, hybrid):
        key = module.SigningKey.generate(1024)
        key = module.SigningKey.from_pem(key.to_pem())
        public = module.VerifyingKey.from_der(key.verifying_key.to_der())
        public.verify(b"message", key.sign(b"message"))
        public.verify(b"message", key.sign_checked(b"message"))
    key = fn_dsa.SigningKey.generate(1024)
    public, signature = key.verifying_key, key.sign(b"message")
    assert fn_dsa.verify_batch([public] * 9, [b"message"] * 9, [signature] * 9) == [True] * 9
    assert not falcon.VerifyingKey(bytes(public)).is_valid(b"message", signature, encoding="padded")
    key = ed25519.SigningKey.generate()
    signatures = key.sign_many([b"message"] * 99)
    assert all(ed25519.verify_batch([key.verifying_key] * 99, [b"message"] * 99, signatures))
    print("done")

threading.stack_size(256 << 10)
thread = threading.Thread(target=work)
thread.start()
thread.join()
"""


def test_threads_with_a_small_stack() -> None:
    run = subprocess.run([sys.executable, "-W", "error", "-c", SMALL], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (0, "done\n", "")


def test_exceptions_go_from_process_to_process() -> None:
    # As concurrent.futures sends them.
    kinds = lanner.InvalidSignature, lanner.InvalidSignatureLength, lanner.NonContributory, nacl_signing.BadSignatureError
    for error in (kind("signature: …") for kind in kinds):
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error) and again.args == error.args


def test_functions_and_classes_go_from_process_to_process() -> None:
    # As ProcessPoolExecutor().map(ed25519.is_valid, ...) sends them.
    for module in (lanner, arrow, ed25519, falcon, fn_dsa, hybrid, x25519, nacl_signing, cryptography_ed25519, cryptography_x25519):
        for value in (getattr(module, name) for name in module.__all__):
            if inspect.isroutine(value) or inspect.isclass(value):
                assert pickle.loads(pickle.dumps(value)) is value


def test_free_threaded_python_stays_so() -> None:
    if not free_threaded():
        pytest.skip("this Python has a global lock; 3.13t or 3.14t is needed")
    # Otherwise importing would have switched the lock on.
    assert not sys._is_gil_enabled()  # type: ignore[attr-defined]
