"""Start the studio: sockets, the server and the browser."""

from __future__ import annotations

import os
import socket
import sys
import webbrowser
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Any, Final

import uvicorn
from msgspec.structs import replace

from printkit.core.errors import Sentence, UsageError
from printkit.studio.app import studio
from printkit.studio.app_state import Settings
from printkit.studio.limits.connections import bounded_protocol, raise_open_files
from printkit.studio.limits.values import LIMITS, ConnectionCounts, Limits

PORT: Final = 8024
_LOOPBACK: Final = "127.0.0.1"
_EVERYWHERE: Final = "0.0.0.0"

# The thread switch interval in seconds. The 5 ms of Python make pages slow while another thread draws.
_SWITCH: Final = 0.001

# The number of ports to try if none is given.
_MORE: Final = 50


def serve(settings: Settings, *, lan: bool, show_lines: Callable[[list[str]], None]) -> None:
    """Run the studio until Ctrl-C and open it in the browser, except with ``BROWSER=none``.

    Args:
        settings: the settings; a port of 0 means the default port, or the next free one.
        lan: whether other computers in the network may connect.
        show_lines: prints lines on the terminal.

    Raises:
        UsageError: the port is in use; the message names the next free one.
    """
    # The server thread waits at most this long for a drawing thread.
    sys.setswitchinterval(_SWITCH)
    listening = _listening(settings.port, _EVERYWHERE if lan else _LOOPBACK)
    port = listening.getsockname()[1]
    settings = replace(settings, port=port)
    own_address = f"http://{_LOOPBACK}:{port}/?key={settings.key}"
    if lan:
        lan_address = _lan_address()
        hosts = (*settings.hosts, lan_address, socket.gethostname().lower(), f"{socket.gethostname().lower()}.local")
        settings = replace(settings, hosts=hosts, lan=f"http://{lan_address}:{port}")
    lines: list[str] = [Sentence("printkit studio is running at {address}", address=own_address)]
    if lan:
        lines.append(
            Sentence(
                "for others on this network: {address}; anyone on the network can read the traffic",
                address=f"{settings.lan}/?key={settings.key}",
            )
        )
    lines.append(Sentence("press Ctrl-C to stop"))
    show_lines(lines)
    # If ``BROWSER`` does not name a program, webbrowser opens the default one.
    if os.environ.get("BROWSER", "").lower() != "none":
        with suppress(webbrowser.Error):
            webbrowser.open(own_address)
    raise_open_files(LIMITS.open_files)
    bounded_server(studio(settings), LIMITS).run(sockets=[listening])


def bounded_server(app: Callable[..., Any], limits: Limits) -> uvicorn.Server:
    """Return a silent server for an application, with limits of connections."""
    config = uvicorn.Config(
        app,
        log_level="critical",
        access_log=False,
        loop="asyncio",
        http=bounded_protocol(ConnectionCounts(limits)),
        ws="none",
        lifespan="on",
        server_header=False,
        timeout_graceful_shutdown=1,
        backlog=limits.backlog,
    )
    return uvicorn.Server(config)


def _listening(port: int, host: str) -> socket.socket:
    """Return a listening socket on the given port, or on the first free one if the port is 0."""
    for candidate in (port,) if port else range(PORT, PORT + _MORE):
        if listener := _open_socket(candidate, host):
            return listener
    busy_port = port or PORT
    free = next(
        (free_port for free_port in range(busy_port + 1, min(busy_port + _MORE, 65536)) if _is_free(free_port, host)), 0
    )
    raise UsageError("port {port} is in use; try --port {free}", port=busy_port, free=free)


def _open_socket(port: int, host: str) -> socket.socket | None:
    """Return a listening socket, or None if the port is in use."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)
    except OSError:
        listener.close()
        return None
    return listener


def _is_free(port: int, host: str) -> bool:
    """Return whether a port is free on a host."""
    listener = _open_socket(port, host)
    if listener is None:
        return False
    with closing(listener):
        return True


def _lan_address() -> str:
    """Return the IP address of this computer in its network, or the loopback address without a network."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe, suppress(OSError):
        # A UDP connect sends nothing. The system only chooses the local address for this route.
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return _LOOPBACK
