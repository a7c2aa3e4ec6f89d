"""The limits of a listener, and counts of what each address has used. Nothing here depends on a server."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from msgspec import Struct

# The addresses of the computer itself. Its own browser is never turned away.
_OWN: Final = ("127.0.0.1", "::1")

# Addresses of which wrong links are remembered; then those go whose minute is over.
_MOST_ADDRESSES: Final = 256


class Limits(Struct, frozen=True, kw_only=True):
    """The limits for one visitor of a listener.

    Attributes:
        headers: seconds in which the headers of a request come whole.
        body: seconds in which its body comes whole.
        bytes: of a body.
        link_bytes: of a body that is sent to the page of a link.
        connections_each: of one address other than the computer's own.
        connections: of all addresses other than the computer's own.
        backlog: connections that are accepted in one turn of the loop; the others wait in the system.
        streams: event streams of one link.
        wrong_links: of one address within a minute.
        open_files: to which the soft limit of this process is raised.
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

# Seconds in which wrong links are counted, and for which their sender is refused then.
MINUTE: Final = 60.0


class ConnectionCounts:
    """The open connections of a listener, by the address of the other side.

    Args:
        limits: how many there may be.
    """

    def __init__(self, limits: Limits = LIMITS) -> None:
        self.limits = limits
        self._open: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Count a new connection, and return whether there is room for it."""
        if address in _OWN:
            return True
        if self._open.total() >= self.limits.connections or self._open[address] >= self.limits.connections_each:
            return False
        self._open[address] += 1
        return True

    def leave(self, address: str) -> None:
        """Count a connection off for which there was room."""
        if address in _OWN:
            return
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]


class WrongLinks:
    """The wrong links that each address has tried. An address that tries too many is refused for a minute.

    Args:
        clock: returns seconds.
        limits: how many there may be.
    """

    def __init__(self, clock: Callable[[], float], limits: Limits = LIMITS) -> None:
        self._clock = clock
        self._most = limits.wrong_links
        self._tries: dict[str, deque[float]] = {}
        self._refused: dict[str, float] = {}

    def note(self, address: str) -> None:
        """Count a wrong link."""
        now = self._clock()
        tries = self._tries.setdefault(address, deque())
        tries.append(now)
        while tries[0] <= now - MINUTE:
            tries.popleft()
        if len(tries) >= self._most:
            del self._tries[address]
            self._refused[address] = now + MINUTE
        if len(self._tries) + len(self._refused) > _MOST_ADDRESSES:
            self._tries = {each: when for each, when in self._tries.items() if when[-1] > now - MINUTE}
            self._refused = {each: until for each, until in self._refused.items() if until > now}

    def is_refused(self, address: str) -> bool:
        """Return whether an address has tried too many."""
        if self._clock() < self._refused.get(address, 0.0):
            return True
        self._refused.pop(address, None)
        return False


class EventStream:
    """An open stream of events; ``is_ended``: newer ones have taken its place."""

    is_ended = False


class EventStreams:
    """The open streams of events of a listener, by the links to which they belong.

    Args:
        limits: how many of one link there may be.
    """

    def __init__(self, limits: Limits = LIMITS) -> None:
        self._most = limits.streams
        self._open: dict[str, list[EventStream]] = {}

    @contextmanager
    def open(self, link: str) -> Iterator[EventStream]:
        """Yield a new stream of a link; the oldest ends where there are too many."""
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
