"""Start the studio: its socket, the server and the browser."""

from __future__ import annotations

import os
import socket
import sys
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from msgspec.structs import replace

from printkit.core.errors import Sentence, UsageError
from printkit.studio.app import studio
from printkit.studio.app_state import Settings
from printkit.studio.limits.connections import bounded_server, raise_open_files
from printkit.studio.limits.values import LIMITS
from printkit.studio.phones import ListenerState, On, Refused
from printkit.studio.server_sockets import find_socket, open_socket

PORT: Final = 8024
_LOOPBACK: Final = "127.0.0.1"

# The thread switch interval in seconds. The 5 ms of Python make pages slow while another thread draws.
_SWITCH: Final = 0.001


def serve(settings: Settings, *, show_lines: Callable[[list[str]], None]) -> None:
    """Run the studio until Ctrl-C and open it in the browser, except with ``BROWSER=none``.

    Args:
        settings: the settings; a port of 0 means the default port, or the next free one.
        show_lines: prints lines on the terminal.

    Raises:
        UsageError: the port is in use; the message names the next free one.
    """
    # The server thread waits at most this long for a drawing thread.
    sys.setswitchinterval(_SWITCH)
    listening = _listening(settings.port)
    port = listening.getsockname()[1]
    settings = replace(settings, port=port)
    address = f"http://{_LOOPBACK}:{port}/?key={settings.key}"
    show_lines([Sentence("printkit studio is running at {address}", address=address), Sentence("press Ctrl-C to stop")])
    # If ``BROWSER`` does not name a program, webbrowser opens the default one.
    if os.environ.get("BROWSER", "").lower() != "none":
        with suppress(webbrowser.Error):
            webbrowser.open(address)
    raise_open_files(LIMITS.open_files)

    def stop() -> None:
        server.should_exit = True

    app = studio(settings, show_phones=lambda state: show_lines([_phones_line(state)]), stop=stop)
    server = bounded_server(app, LIMITS)
    server.run(sockets=[listening])


def _phones_line(state: ListenerState) -> str:
    """Return the line that tells the terminal whether phones can connect."""
    if isinstance(state, On):
        return Sentence(
            "phones can connect to {address} until {time}; to end this, use the switch in the studio",
            address=state.address,
            time=f"{state.until:%H:%M}",
        )
    if isinstance(state, Refused):
        return Sentence("phones cannot connect: {reason}", reason=state.reason)
    return Sentence("phones can no longer connect")


def _listening(port: int) -> socket.socket:
    """Return a listening socket on the given port, or on the first free one if the port is 0."""
    try:
        return open_socket(_LOOPBACK, port) if port else find_socket(_LOOPBACK, PORT)
    except OSError:
        busy_port = port or PORT
        with find_socket(_LOOPBACK, busy_port + 1) as free:
            raise UsageError(
                "port {port} is in use; try --port {free}", port=busy_port, free=free.getsockname()[1]
            ) from None
