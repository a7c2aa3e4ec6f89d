"""Limits of connections: their number, and the time a request may take to arrive."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, TypeAlias

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from printkit.core.errors import Sentence
from printkit.studio.limits.values import MINUTE, ConnectionCounts, Limits

# Seconds after the time limit of a body. Then a connection whose body no handler reads is closed.
_GRACE: Final = 5.0


def bounded_protocol(counts: ConnectionCounts) -> type[H11Protocol]:
    """Return a class for uvicorn that speaks HTTP/1.1 within limits.

    Connections above the limit are closed at once. A connection whose headers or body are late is closed then.
    """
    limits = counts.limits
    seconds = {"IDLE": limits.headers, "SEND_BODY": limits.body + _GRACE}

    class BoundedProtocol(H11Protocol):
        """A connection within limits; ``_client_state`` is the last state of the client in terms of h11."""

        _address: str | None = None
        _client_state = ""
        _timer: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            """Accept a connection, or abort it if there are too many."""
            address = str((transport.get_extra_info("peername") or ("",))[0])
            if not counts.enter(address):
                transport.abort()
                return
            self._address = address
            super().connection_made(transport)
            self._restart_timer()

        def data_received(self, data: bytes) -> None:
            """Pass on received bytes and update the timer."""
            if self._address is not None:
                super().data_received(data)
                self._restart_timer()

        def connection_lost(self, exc: Exception | None) -> None:
            """Remove a closed connection from the counts."""
            if self._address is None:
                return
            if self._timer is not None:
                self._timer.cancel()
            counts.leave(self._address)
            super().connection_lost(exc)

        def _restart_timer(self) -> None:
            """Start the timer of the request part that is due now. More bytes of the same part do not restart it."""
            state = str(self.conn.their_state)
            if state == self._client_state:
                return
            if self._timer is not None:
                self._timer.cancel()
            self._client_state, self._timer = state, None
            if state in seconds:
                self._timer = self.loop.call_later(seconds[state], self.transport.abort)

    return BoundedProtocol


BoundedServer: TypeAlias = uvicorn.Server


class SecondServer(uvicorn.Server):
    """A server in the event loop of another one, which handles the signals."""

    async def shutdown(self, sockets: list[Any] | None = None) -> None:
        """Stop listening and cut all connections."""
        for server in self.servers:
            server.close()
        for connection in [*self.server_state.connections]:
            connection.transport.abort()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle no signals."""
        yield


def bounded_server(app: Callable[..., Any], limits: Limits, *, is_second: bool = False) -> BoundedServer:
    """Return a silent server for an application, with limits of connections.

    ``is_second`` means that another server in the same event loop handles signals.
    """
    config = uvicorn.Config(
        app,
        log_level="critical",
        access_log=False,
        loop="asyncio",
        http=bounded_protocol(ConnectionCounts(limits)),
        ws="none",
        lifespan="on",
        server_header=False,
        timeout_graceful_shutdown=0 if is_second else 1,
        backlog=limits.backlog,
    )
    return SecondServer(config) if is_second else uvicorn.Server(config)


def raise_open_files(target: int) -> None:
    """Raise the soft limit of open files of this process to ``target`` files, if the system has one and allows it.

    A higher limit does not change.
    """
    # Windows does not have this limit or the module.
    with suppress(ImportError, OSError, ValueError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        limit = target if hard == resource.RLIM_INFINITY else min(target, hard)
        if soft != resource.RLIM_INFINITY and soft < limit:
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))


def fault_handler(
    translate: Callable[[Sentence], str], log: Callable[[str], None], clock: Callable[[], float]
) -> Callable[[asyncio.AbstractEventLoop, dict[str, Any]], None]:
    """Return an exception handler for the event loop, called with the loop and the context of an error.

    It logs at most one line, without a traceback, and nothing for a lost connection.

    Args:
        translate: translates a sentence into the language of the terminal.
        log: writes a line to the terminal.
        clock: returns seconds; "too many open files" is logged once a minute.
    """
    # Translated now, because no file of words can be opened later if there are too many open files.
    too_many = translate(Sentence("too many open files: the studio accepts no new connections until some are closed"))
    quiet_until = float("-inf")

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal quiet_until
        del loop
        error = context.get("exception")
        if isinstance(error, ConnectionError):
            return
        if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
            if clock() >= quiet_until:
                quiet_until = clock() + MINUTE
                log(too_many)
            return
        fault = " ".join(f"{context.get('message', '')} ({type(error).__name__}: {error})".split())
        log(translate(Sentence("this is a bug in the studio: {found}; the studio keeps running", found=fault)))

    return handle
