"""Lock the file of a game, so that one command at a time changes it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from printkit.console import terminal
from printkit.core.errors import Sentence
from printkit.core.paths import exists


@contextmanager
def lock_game(path: Path) -> Iterator[None]:
    """Lock the game at ``path`` against other commands; if it is locked, print a notice and wait.

    Read the game inside the lock, because another command may have changed it. A game that does not exist, or is in a
    read-only folder, is not locked.
    """
    if not exists(path):
        yield
        return
    from filelock import FileLock, Timeout

    lock = FileLock(path.with_name(f".{path.name}.lock"), thread_local=False)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        terminal.tell([Sentence("waiting for another printkit that is using {path}", path=path)])
        lock.acquire()
    except OSError:
        yield
        return
    try:
        yield
    finally:
        # A waiting command sees that the file is gone and creates a new one.
        with suppress(OSError):
            Path(lock.lock_file).unlink(missing_ok=True)
        lock.release()
