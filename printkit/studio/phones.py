"""The listener for phones: a second server, open only while its switch is on, with linked pages and their QR codes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeAlias

import segno
from msgspec import Struct

from printkit.studio.limits.connections import BoundedServer, bounded_server
from printkit.studio.limits.values import LIMITS, Limits
from printkit.studio.server_sockets import Address, find_addresses, find_socket, is_private


class QrCode(Struct, frozen=True, kw_only=True):
    """A QR code of unit squares: its width and height with the quiet zone, and the x, y and width of each dark run."""

    side: int
    runs: tuple[tuple[int, int, int], ...]

    @property
    def path(self) -> str:
        """Return the dark squares as SVG path data, y downwards."""
        return "".join(f"M{x} {y}h{width}v1h-{width}z" for x, y, width in self.runs)


_RIM = 4


def qr_code(text: str) -> QrCode:
    """Return the QR code of a text, which is the address of a page."""
    rows = segno.make(text, micro=False, error="m").matrix
    runs = []
    for y, row in enumerate(rows):
        x = 0
        while x < len(row):
            length = 0
            while x + length < len(row) and row[x + length]:
                length += 1
            if length:
                runs.append((x + _RIM, y + _RIM, length))
            x += max(1, length)
    return QrCode(side=len(rows) + 2 * _RIM, runs=tuple(runs))


Application: TypeAlias = Callable[..., Any]

# The pages that phones can reach, with everything below them. Each has a token in its path in place of the key.
PHONE_PAGES: Final = ("/p/{token}", "/aid/{token}", "/club/{token}")

# The time until the listener closes by itself.
LASTS: Final = timedelta(hours=4)

# Seconds without a phone until the pages say what may be wrong.
PATIENCE: Final = 60.0

# Seconds between two looks at the clock. A timer would stand still while the computer sleeps.
_CHECK: Final = 20.0


class ListenerState(Struct, frozen=True, kw_only=True):
    """Whether phones can connect, and where; all values are empty while they cannot.

    Attributes:
        host: the IPv4 address.
        address: the start of all links, for example ``http://192.168.1.20:8024``.
        until: the time at which the listener closes, in the zone of this computer.
        reason: why the system refused the listener, in the words of the system.
    """

    host: str = ""
    address: str = ""
    until: datetime = datetime.max
    reason: str = ""

    @property
    def is_on(self) -> bool:
        """Return whether phones can connect."""
        return bool(self.address)


class PhoneListener:
    """Opens and closes the listener for phones.

    Args:
        build_app: returns the application for a host and port.
        limits: the limits of connections.
        lasts: the time until the listener closes by itself.
        show_change: called with each new state, if given.
    """

    def __init__(
        self,
        build_app: Callable[[str, int], Application],
        limits: Limits = LIMITS,
        lasts: timedelta = LASTS,
        show_change: Callable[[ListenerState], None] | None = None,
    ) -> None:
        self.state = ListenerState()
        self._build_app = build_app
        self._limits = limits
        self._lasts = lasts
        self._show_change = show_change
        self._turn = asyncio.Lock()
        self._server: BoundedServer | None = None
        self._task: asyncio.Task[None] | None = None
        self._clock: asyncio.Task[None] | None = None
        self._lonely_from = float("inf")

    def addresses(self) -> tuple[Address, ...]:
        """Return the private IPv4 addresses of this computer, the likely one first; none without a network."""
        return find_addresses()

    @property
    def is_lonely(self) -> bool:
        """Return whether the listener is open for a minute and no phone has come."""
        return self.state.is_on and time.monotonic() >= self._lonely_from

    async def open(self, host: str, port: int) -> str:
        """Open the listener at an address of this computer and return the start of its links.

        Args:
            host: the IPv4 address.
            port: the port; if it is in use, the next free one.

        Returns:
            The start of the links, or an empty text if the system refuses; ``state`` then has the reason.
        """
        async with self._turn:
            await self._close()
            try:
                listening = find_socket(host, port)
            except OSError as error:
                self._change(ListenerState(reason=error.strerror or str(error)))
                return ""
            port = listening.getsockname()[1]
            app = self._watch(self._build_app(host, port))
            self._server = bounded_server(app, self._limits, is_second=True)
            self._task = asyncio.create_task(self._server.serve(sockets=[listening]))
            while not (self._server.started or self._task.done()):
                await asyncio.sleep(0.01)
            until = (datetime.now(UTC) + self._lasts).astimezone()
            state = ListenerState(host=host, address=f"http://{host}:{port}", until=until)
            self._lonely_from = time.monotonic() + PATIENCE
            self._clock = asyncio.create_task(self._close_at(state.until))
            self._change(state)
            return state.address

    async def close(self) -> None:
        """Close the listener and cut the connections of all phones."""
        async with self._turn:
            await self._close()
            self._change(ListenerState())

    async def _close(self) -> None:
        """Close the listener, if it is open."""
        if self._clock is not None and self._clock is not asyncio.current_task():
            self._clock.cancel()
        if self._server is not None and self._task is not None:
            self._server.should_exit = True
            await self._task
        self._clock = self._server = self._task = None

    async def _close_at(self, until: datetime) -> None:
        """Close the listener at a time."""
        while (rest := (until - datetime.now(UTC)).total_seconds()) > 0:
            await asyncio.sleep(min(rest, _CHECK))
        await self.close()

    def _change(self, state: ListenerState) -> None:
        """Set the state, and report it if it differs."""
        if state != self.state:
            self.state = state
            if self._show_change is not None:
                self._show_change(state)

    def _watch(self, app: Application) -> Application:
        """Return an application that notes the first phone."""

        async def note_phone(scope: Any, receive: Any, send: Any) -> None:
            if scope["type"] == "http":
                self._lonely_from = float("inf")
            await app(scope, receive, send)

        return note_phone


def phone_code(listener: PhoneListener, link: str) -> QrCode | None:
    """Return the QR code of a link such as ``/p/TOKEN``, or None while no phone could open it."""
    state = listener.state
    return qr_code(state.address + link) if state.is_on and is_private(state.host) else None
