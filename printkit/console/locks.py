"""A game that several people keep going is written by one command at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from printkit.console import terminal
from printkit.core.errors import Sentence
from printkit.core.paths import exists


@contextmanager
def alone_at(path: Path) -> Iterator[None]:
    """Keep other commands from the game at ``path`` meanwhile, and wait for one that is at it, telling the person.

    What is read of the game is read inside, for the other one may have changed it. Where nothing can be put beside the
    game there is nothing to keep anybody from.
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
        # Who waits finds that the file is gone, and makes another one.
        with suppress(OSError):
            Path(lock.lock_file).unlink(missing_ok=True)
        lock.release()
