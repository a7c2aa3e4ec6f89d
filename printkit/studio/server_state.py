"""The state file of the studio: where it runs for an output folder, and the key of its pages."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Final
from zlib import crc32

import msgspec
from filelock import FileLock
from msgspec import Struct

from printkit.core.errors import PrintkitError
from printkit.export.placing import replace_file
from printkit.studio.tokens import cookie_name

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
