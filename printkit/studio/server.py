"""Start the studio: its socket, the server and the browser; and the state file of a running studio."""

from __future__ import annotations

import json
import os
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Final, TypeAlias
from zlib import crc32

import msgspec
from filelock import FileLock
from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import PrintkitError, Sentence, UsageError
from printkit.export.placing import replace_file
from printkit.studio.limits.values import LIMITS
from printkit.studio.server_sockets import find_addresses, find_socket, open_socket
from printkit.studio.tokens import cookie_name

if TYPE_CHECKING:
    from uvicorn import Server

    from printkit.studio.app_state import Settings
    from printkit.studio.phones import ListenerState

# Seconds until a program that does not answer is not the studio. A studio that starts needs about one.
_ANSWERS_WITHIN: Final = 5.0


class StudioState(Struct, frozen=True, kw_only=True):
    """Where a studio runs, or ran last: its process, its port on this computer, its key, and its output folder."""

    pid: int
    port: int
    key: str
    out: str

    @property
    def address(self) -> str:
        """Return the address that opens the studio in a browser."""
        return f"http://127.0.0.1:{self.port}/?key={self.key}"


def state_file(folder: Path, out: Path) -> Path:
    """Return the state file of an output folder in the folder of state files."""
    return folder / f"studio-{crc32(os.fsencode(out.resolve())):08x}.json"


@contextmanager
def lock_state(file: Path) -> Iterator[None]:
    """Keep other studios from starting for the same output folder meanwhile, if the folder can be written to."""
    lock = FileLock(file.with_suffix(".lock"))
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def read_state(file: Path, out: Path) -> StudioState | None:
    """Return the state of an output folder, or None if there is no valid one."""
    with suppress(OSError, msgspec.MsgspecError):
        state = msgspec.json.decode(file.read_bytes(), type=StudioState)
        if state.out == str(out.resolve()) and state.key:
            return state
    return None


def write_state(file: Path, state: StudioState) -> None:
    """Write a state file that only its owner can read. Without one the studio works too, with a key of its own."""
    with suppress(OSError, PrintkitError), replace_file(file, private=True) as temporary:
        temporary.write_bytes(msgspec.json.encode(state))


def is_running(state: StudioState) -> bool:
    """Return whether the studio of a state file answers."""
    with (
        suppress(OSError, HTTPException, ValueError),
        closing(HTTPConnection("127.0.0.1", state.port, timeout=_ANSWERS_WITHIN)) as connection,
    ):
        connection.request("GET", "/alive", headers={"Cookie": f"{cookie_name(state.port)}={state.key}"})
        answer = connection.getresponse()
        answer_values = json.loads(answer.read(len(state.out) * 6 + 100))
        return answer.status == 200 and isinstance(answer_values, dict) and answer_values.get("out") == state.out
    return False


# Called with an event for the launcher, and the same as lines for the terminal.
ShowEvent: TypeAlias = Callable[[Mapping[str, object], Sequence[str]], None]

PORT: Final = 8024
_LOOPBACK: Final = "127.0.0.1"

# The thread switch interval in seconds. The 5 ms of Python make pages slow while another thread draws.
_SWITCH: Final = 0.001


def serve(
    settings: Settings, *, state_folder: Path, show_event: ShowEvent, is_child: bool = False, renews_key: bool = False
) -> None:
    """Run the studio until Ctrl-C and open it in the browser, except with ``BROWSER=none``.

    If a studio already runs for the output folder, open the browser there and return.

    Args:
        settings: the settings; a port of 0 means the default port, or the next free one. The key is used for an
            output folder without a key.
        state_folder: the folder of the state files.
        show_event: called with each event for the launcher, and the same as lines for the terminal.
        is_child: whether the launcher started this program. Then it opens no browser, and ends with standard input.
        renews_key: whether to replace the key of the output folder.

    Raises:
        UsageError: the port is in use, or a running studio has the key that should be replaced.
    """
    file = state_file(state_folder, settings.out)
    with lock_state(file):
        saved_state = read_state(file, settings.out)
        if saved_state is not None and is_running(saved_state):
            if renews_key:
                raise UsageError("the studio is running; stop it, then run printkit studio --new-key again")
            line = Sentence("the studio is already running at {address}", address=saved_state.address)
            _show_studio(saved_state, [line], show_event, is_child=is_child)
            return
        listening = _listening(settings.port)
        key = settings.key if saved_state is None or renews_key else saved_state.key
        settings = replace(settings, port=listening.getsockname()[1], key=key)
        state = StudioState(pid=os.getpid(), port=settings.port, key=key, out=str(settings.out.resolve()))
        write_state(file, state)
    lines: list[str] = [
        Sentence("the studio is running at {address}", address=state.address),
        Sentence("press Ctrl-C to stop"),
    ]
    if settings.opens_phones and not find_addresses():
        lines.append(_refusal_line(Sentence("this computer is not connected to a network")))
    _show_studio(state, lines, show_event, is_child=is_child)
    _run(settings, listening, show_event, is_child=is_child)


def _run(settings: Settings, listening: socket.socket, show_event: ShowEvent, *, is_child: bool) -> None:
    """Serve the studio on a socket until it is stopped. Its libraries load here, so that a second start is quick."""
    from printkit.studio.app import studio
    from printkit.studio.limits.connections import bounded_server, raise_open_files

    raise_open_files(LIMITS.open_files)

    def show_phones(phones: ListenerState) -> None:
        show_event({"phones": phones.is_on}, [_phones_line(phones)])

    def stop() -> None:
        server.should_exit = True

    server = bounded_server(studio(settings, show_phones=show_phones, stop=stop), LIMITS)
    if is_child:
        Thread(target=_stop_with_input, args=(server,), daemon=True).start()
    # The server thread waits at most this long for a drawing thread.
    sys.setswitchinterval(_SWITCH)
    server.run(sockets=[listening])


def _show_studio(state: StudioState, lines: Sequence[str], show_event: ShowEvent, *, is_child: bool) -> None:
    """Report where a studio runs, and open it in the browser unless the launcher does."""
    show_event({"folder": state.out, "at": state.address}, lines)
    # If ``BROWSER`` does not name a program, webbrowser opens the default one.
    if not is_child and os.environ.get("BROWSER", "").lower() != "none":
        with suppress(webbrowser.Error):
            webbrowser.open(state.address)


def _stop_with_input(server: Server) -> None:
    """Stop a server when standard input ends, which it does with the launcher, however that ends."""
    with suppress(OSError):
        # Not ``sys.stdin.read``: a waiting thread would hold its lock when the program ends.
        while os.read(0, 1024):
            pass
    server.should_exit = True


def _phones_line(state: ListenerState) -> str:
    """Return the line for the terminal about the listener for phones: open, refused or closed."""
    if state.is_on:
        return Sentence(
            "phones can connect to {address} until {time}; to end this, use the switch in the studio",
            address=state.address,
            time=f"{state.until:%H:%M}",
        )
    if state.reason:
        return _refusal_line(state.reason)
    return Sentence("phones can no longer connect")


def _refusal_line(reason: str) -> str:
    """Return the line for the terminal that phones cannot connect, with the reason."""
    return Sentence("phones cannot connect: {reason}", reason=reason)


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
