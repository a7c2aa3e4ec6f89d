"""One line on standard error that says what a long command is doing, and for how long."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from threading import Event, RLock, Thread
from time import monotonic
from typing import Final

# A command shows no progress for this time in seconds. Loading takes nearly a second before it.
_PATIENCE_S: Final = 1.0

# Seconds between two versions of the line.
_BEAT_S: Final = 1.0

# The width of the line in characters.
_WIDTH: Final = 79

_GAP: Final = " ... "


class StageLine:
    """The line of a command: its stages, the current one last, and the seconds since its start.

    Args:
        write: writes a text to the terminal.
        clock: returns seconds.
    """

    def __init__(self, write: Callable[[str], object], clock: Callable[[], float]) -> None:
        self._write, self._clock, self._start = write, clock, clock()
        self._stages: list[str] = []
        self._shown_width = 0
        self._lock = RLock()

    def enter(self, stage: str) -> None:
        """Begin a stage, unless it is already the current one."""
        with self._lock:
            if stage not in self._stages[-1:]:
                self._stages.append(stage)
                self.show()

    def show(self) -> None:
        """Write the line again, if the command has taken a second. If it is too long, its first stages go."""
        with self._lock:
            seconds = self._clock() - self._start
            if seconds < _PATIENCE_S or not self._stages:
                return
            ending = f" ({seconds:.0f} s)"
            first = 0
            while len(text := _GAP.join(self._stages[first:]) + ending) > _WIDTH and first < len(self._stages) - 1:
                first += 1
            text = text[:1].upper() + text[1:_WIDTH]
            self._write(f"\r{text:{self._shown_width}}")
            self._shown_width = len(text)

    @contextmanager
    def hide(self) -> Iterator[None]:
        """Remove the line while other text is written."""
        with self._lock:
            if self._shown_width:
                self._write(f"\r{'':{self._shown_width}}\r")
                self._shown_width = 0
            yield

    def close(self) -> None:
        """Remove the line, and show it no more."""
        with self.hide():
            self._stages.clear()


# The line of the running command, with the event that ends its thread; at most one.
_RUNNING: Final[list[tuple[StageLine, Event]]] = []


def _write_to_stderr(text: str) -> None:
    with suppress(OSError, ValueError):
        sys.stderr.write(text)
        sys.stderr.flush()


def enter_stage(stage: str) -> None:
    """Begin a stage of the running command; a thread writes its line again every second."""
    if not _RUNNING:
        _RUNNING.append((StageLine(_write_to_stderr, monotonic), Event()))
        Thread(target=_repeat, args=_RUNNING[0], daemon=True).start()
    _RUNNING[0][0].enter(stage)


def _repeat(line: StageLine, end_event: Event) -> None:
    while not end_event.wait(_BEAT_S):
        line.show()


def end_stages() -> None:
    """Remove the line of the running command; without one nothing happens."""
    while _RUNNING:
        line, end_event = _RUNNING.pop()
        end_event.set()
        line.close()


@contextmanager
def hidden_line() -> Iterator[None]:
    """Remove the line of the running command while other text is written."""
    with _RUNNING[0][0].hide() if _RUNNING else nullcontext():
        yield
