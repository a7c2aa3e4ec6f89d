"""The limits of the studio, and counters for each address. This module does not depend on a server."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from msgspec import Struct

# The addresses of this computer. Its browser is never refused.
_OWN: Final = ("127.0.0.1", "::1")

# The number of addresses with recorded wrong links. Above it, entries older than a minute are removed.
_MOST_ADDRESSES: Final = 256


class Limits(Struct, frozen=True, kw_only=True):
    """The limits for each visitor of the studio.

    Attributes:
        headers: seconds until the headers of a request are complete.
        body: seconds until its body is complete.
        bytes: the size of a body.
        link_bytes: the size of a body for a page behind a link.
        connections_each: connections from one address, except this computer.
        connections: connections from all addresses, except this computer.
        backlog: connections accepted in one turn of the event loop; others wait in the operating system.
        streams: event streams for one link.
        wrong_links: wrong links from one address within a minute.
        open_files: the soft limit of open files for this process.
    """

    headers: float = 10.0
    body: float = 30.0
    bytes: int = 8 * 2**20
    link_bytes: int = 64 * 2**10
    connections_each: int = 12
    connections: int = 64
    backlog: int = 16
    streams: int = 3
    wrong_links: int = 20
    open_files: int = 4096


LIMITS: Final = Limits()

# Seconds for counting wrong links, and for refusing an address with too many.
MINUTE: Final = 60.0


class ConnectionCounts:
    """The open connections, counted by client address.

    Args:
        limits: the limits of connections.
    """

    def __init__(self, limits: Limits = LIMITS) -> None:
        self.limits = limits
        self._open: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Count a new connection; return False if there are too many."""
        if address in _OWN:
            return True
        if self._open.total() >= self.limits.connections or self._open[address] >= self.limits.connections_each:
            return False
        self._open[address] += 1
        return True

    def leave(self, address: str) -> None:
        """Remove an accepted connection from the counts."""
        if address in _OWN:
            return
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]


class WrongLinks:
    """The wrong links that each address has tried. An address with too many is refused for a minute.

    Args:
        clock: returns seconds.
        limits: the limit of wrong links.
    """

    def __init__(self, clock: Callable[[], float], limits: Limits = LIMITS) -> None:
        self._clock = clock
        self._most = limits.wrong_links
        self._tries: dict[str, deque[float]] = {}
        self._refused: dict[str, float] = {}

    def note(self, address: str) -> None:
        """Count a wrong link from an address; after too many the address is refused for a minute."""
        now = self._clock()
        tries = self._tries.setdefault(address, deque())
        tries.append(now)
        while tries[0] <= now - MINUTE:
            tries.popleft()
        if len(tries) >= self._most:
            del self._tries[address]
            self._refused[address] = now + MINUTE
        if len(self._tries) + len(self._refused) > _MOST_ADDRESSES:
            self._tries = {
                other_address: when for other_address, when in self._tries.items() if when[-1] > now - MINUTE
            }
            self._refused = {other_address: until for other_address, until in self._refused.items() if until > now}

    def is_refused(self, address: str) -> bool:
        """Return whether an address has tried too many wrong links."""
        if self._clock() < self._refused.get(address, 0.0):
            return True
        self._refused.pop(address, None)
        return False


class EventStream:
    """An open event stream; ``is_ended`` is True when newer streams have replaced it."""

    is_ended = False


class EventStreams:
    """The open event streams, by link.

    Args:
        limits: the limit of streams for one link.
    """

    def __init__(self, limits: Limits = LIMITS) -> None:
        self._most = limits.streams
        self._open: dict[str, list[EventStream]] = {}

    @contextmanager
    def open(self, link: str) -> Iterator[EventStream]:
        """Yield a new stream for a link; the oldest one ends if there are too many for this link.

        It is a context manager, which removes the stream at its end.
        """
        stream, streams = EventStream(), self._open.setdefault(link, [])
        streams.append(stream)
        for old in streams[: -self._most]:
            old.is_ended = True
        try:
            yield stream
        finally:
            streams.remove(stream)
            if not streams and self._open.get(link) is streams:
                del self._open[link]
