"""Where files are put down: whole or not at all, all of one command or none, on nothing that differs.

Files wait beside their places, in a folder ``.printkit-HOST-PROCESS-…``, until all of them are whole. Then the list of
their places is put there too, and from that moment they will come to stand: where a process dies on the way, the next
one that writes into the folder carries on. A waiting folder without a list holds nothing that was promised to anybody,
and the next one takes it away.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import time
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

from msgspec import ValidationError, convert

from printkit.core.errors import PageError, PrintkitError, TakenError
from printkit.core.reading import DEEPEST, depth, text_of
from printkit.export.files import place_below

_RECORD: Final = ".json"

# Members that say which printkit made a file, and nothing of what it holds.
_MADE_BY: Final = ("version", "shapes")
_CHUNK: Final = 1 << 20
_OWN: Final = 0o600
"""Who may read and write a private file: its owner alone."""

# --- Folders that wait, and those of the dead -------------------------------------------------------------------------

_HOST: Final = f"{zlib.crc32(platform.node().encode()):08x}"
_WAITING: Final = re.compile(r"\.printkit-(?P<host>[0-9a-f]{8})-(?P<process>[0-9]{1,10})-.+")
_DAY: Final = 24 * 3600.0
"""Seconds after which what another machine left in a shared folder is taken for dead."""

_NEW: Final = "new"
_OLD: Final = "old"
_PLACES: Final = "places"
_HELD: Final = "held"

_Places: TypeAlias = tuple[list[str], list[tuple[str, str]]]
"""The files that go, and where each that waits comes to stand, below the folder."""

_own: Final[set[str]] = set()

_placed: Final[list[Path]] = []


def _prefix() -> str:
    """Return how the name of what waits begins, from which everybody can tell whether its process is alive."""
    return f".printkit-{_HOST}-{os.getpid()}-"


class WaitingFolder(TemporaryDirectory[str]):
    """A folder in which files wait until they are whole; it goes with all that is left in it, whatever happens."""

    def __init__(self, folder: Path) -> None:
        """Make it in a folder that is there."""
        # A worker in a cluster may be about to write when it is stopped.
        super().__init__(dir=folder, prefix=_prefix(), ignore_cleanup_errors=True)
        _own.add(Path(self.name).name)
        # A folder with an open file cannot be renamed on Windows, where no process can be asked whether it runs.
        self._held = os.open(Path(self.name, _HELD), os.O_CREAT | os.O_WRONLY)

    def cleanup(self) -> None:
        """Remove it with all that is in it."""
        if Path(self.name).name in _own:
            os.close(self._held)
            _own.discard(Path(self.name).name)
        super().cleanup()


def sweep(folder: Path) -> None:
    """Carry on with what processes have left in a folder that died, and take away what they had not finished."""
    for left in _left(folder):
        claimed = folder / f"{_prefix()}{os.urandom(4).hex()}"
        # Of several that find it, one has it; on Windows nobody has it while its process is alive.
        with suppress(OSError):
            left.rename(claimed)
            for places in sorted(claimed.rglob(_PLACES)) if claimed.is_dir() else ():
                _carry_on(places, folder)
            shutil.rmtree(claimed) if claimed.is_dir() else claimed.unlink()


def _left(folder: Path) -> list[Path]:
    """Return what dead processes have left in a folder."""
    try:
        with os.scandir(folder) as entries:
            found = [entry for entry in entries if _WAITING.fullmatch(entry.name) and not entry.is_symlink()]
        return sorted(Path(entry.path) for entry in found if _is_dead(entry))
    except OSError:
        return []


def _is_dead(entry: os.DirEntry[str]) -> bool:
    named = _WAITING.fullmatch(entry.name)
    if named is None:
        return False
    if named["host"] != _HOST:
        return time.time() - entry.stat().st_mtime > _DAY
    process = int(named["process"])
    return entry.name not in _own if process == os.getpid() else not _runs(process)


def _runs(process: int) -> bool:
    """Return whether a process of this machine is alive."""
    if os.name == "nt":
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


# --- Files of one command ---------------------------------------------------------------------------------------------


def put_down(
    make: Callable[[Path], Iterable[Path]],
    folder: Path,
    *,
    within: Path | None = None,
    force: bool = False,
    stale: Iterable[str] = (),
    private: bool | Collection[str] = False,
) -> tuple[Path, ...]:
    """Put files into a folder, and return where they are. The one place where what printkit makes comes to stand.

    They take their places only when all of them are complete, records last: after an error, or Ctrl-C, those that were
    there before are as they were. A file that is there already with other content is somebody's work, and stops all of
    them.

    Args:
        make: writes the files below the folder that it is given, and returns them in their order.
        folder: where they go; it is made.
        within: a waiting folder of the same disk, beside the places or above them, in which they wait until they are
            complete; None: this folder.
        force: whether what is there already gives way.
        stale: files below the folder that are taken out before, as ``player-a/player-a.pdf``.
        private: whether nobody but their owner may read the files, on a computer that several people use; or the
            names of those that he alone may read.

    Raises:
        PageError: the folder cannot be made or written to, or a name leads out of it.
        TakenError: another file is there already.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if within is None:
            sweep(folder)
        root = folder if within is None else within.parent
        with WaitingFolder(within or folder) as unfinished:
            new = Path(unfinished, _NEW)
            new.mkdir()
            ways = [part.relative_to(new).as_posix() for part in make(new)]
            for way in ways:
                if private is True or (private and way in private):
                    (new / way).chmod(_OWN)
            places = [place_below(folder, way) for way in ways]
            if not force:
                _judge_free([place for way, place in zip(ways, places, strict=True) if _differs(new / way, place)])
            gone = [place_below(folder, name) for name in stale]
            moves = sorted(zip(ways, places, strict=True), key=lambda move: move[1].suffix == _RECORD)
            _settle(Path(unfinished), moves, gone, root)
        _placed.extend(places)
        return tuple(places)
    except OSError as error:
        raise PageError(
            "cannot write to {folder}: {reason}; choose another --out", folder=folder, reason=error.strerror or error
        ) from None


def placed() -> tuple[Path, ...]:
    """Return all files that this process has put down so far, in their order."""
    return tuple(_placed)


def _settle(waiting: Path, moves: Sequence[tuple[str, Path]], gone: Sequence[Path], root: Path) -> None:
    """Bring files to their places, and take out what is stale: all of it, or where that cannot be, nothing."""
    replaced = [place for _, place in moves if place.exists()]
    for way, place in moves:
        if place in replaced:
            _lasting(waiting / _NEW / way)
    below = [(way, place.relative_to(root).as_posix()) for way, place in moves]
    listed = waiting / f"{_PLACES}.unfinished"
    # A letter that the locale cannot read comes as its bytes, which ASCII can tell.
    listed.write_text(
        json.dumps([[place.relative_to(root).as_posix() for place in gone], below]), encoding="ascii", newline="\n"
    )
    _lasting(listed)
    old = _kept([*replaced, *(place for place in gone if place.exists())], waiting / _OLD)
    listed.replace(waiting / _PLACES)
    try:
        _move(waiting / _NEW, moves, gone)
    except OSError:
        (waiting / _PLACES).unlink()
        for _, place in moves:
            with suppress(OSError):
                old[place].replace(place) if place in old else place.unlink()
        for place in gone:
            if place in old:
                old[place].replace(place)
        raise
    except BaseException:
        # Ctrl-C comes too late to go back.
        _move(waiting / _NEW, moves, gone)
        raise


def _move(new: Path, moves: Iterable[tuple[str, Path]], gone: Iterable[Path]) -> None:
    """Bring those files to their places that are not there yet."""
    for place in gone:
        place.unlink(missing_ok=True)
    for way, place in moves:
        if (new / way).exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            (new / way).replace(place)


def _carry_on(places: Path, root: Path) -> None:
    """Bring the files of a dead process to their places; a list that leads out of the folder is not followed."""
    with suppress(PrintkitError, ValidationError, ValueError, OSError):
        gone, moves = convert(json.loads(places.read_bytes()), _Places)
        new = places.with_name(_NEW)
        judged = [(way, place_below(root, name)) for way, name in moves if not place_below(new, way).is_symlink()]
        _move(new, judged, [place_below(root, name) for name in gone])


def _kept(places: Iterable[Path], folder: Path) -> dict[Path, Path]:
    """Return a second name, or a copy, of each file, by which it can be had back."""
    folder.mkdir()
    kept = {}
    for number, place in enumerate(places):
        copy = kept[place] = folder / str(number)
        try:
            os.link(place, copy)
        except OSError:
            shutil.copy2(place, copy)
    return kept


def _lasting(path: Path) -> None:
    """Have the system write a file to its disk, so that a crash right after loses neither the old nor the new one."""
    with path.open("r+b") as file:
        os.fsync(file.fileno())


def _judge_free(taken: Iterable[Path]) -> None:
    """Refuse to put files down where others stand.

    Raises:
        TakenError: there is one; names a record first, for then it is another game and no other printing of this one.
    """
    places = sorted(taken, key=lambda place: (place.suffix != _RECORD, place.as_posix()))
    if not places:
        return
    if places[0].suffix == _RECORD:
        raise TakenError(
            "{path} already exists and holds a different game. Choose another --out, or overwrite it with --force.",
            path=places[0],
        )
    raise TakenError(
        "{path} already exists with different content. Choose another --out, or overwrite it with --force.",
        path=places[0],
    )


def _differs(part: Path, place: Path) -> bool:
    """Return whether a file is there with other content; which printkit made a record is none of its content."""
    if not place.exists():
        return False
    if place.suffix == _RECORD and (one := _content(part)) is not None:
        return one != _content(place)
    return _has_other_bytes(part, place)


def _content(path: Path) -> str | None:
    """Return what a file of ours says without what only tells which printkit made it; None where it is no such file."""
    try:
        if depth(text := text_of(path)) > DEEPEST:
            return None
        document = json.loads(text)
        made_by = document["printkit"]
        bare = {name: value for name, value in made_by.items() if name not in _MADE_BY}
        return json.dumps({**document, "printkit": bare})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _has_other_bytes(part: Path, place: Path) -> bool:
    if part.stat().st_size != place.stat().st_size:
        return True
    with part.open("rb") as one, place.open("rb") as other:
        while chunk := one.read(_CHUNK):
            if chunk != other.read(_CHUNK):
                return True
    return False


# --- One file ---------------------------------------------------------------------------------------------------------


@contextmanager
def replacing(path: Path, *, private: bool = False) -> Iterator[Path]:
    """Yield a temporary name beside ``path``; what is written there takes the place of ``path`` when all went well.

    After an error, or Ctrl-C, ``path`` is as it was and nothing half-written is left. ``private``: as for ``put_down``.

    Raises:
        PageError: the folder does not exist or cannot be written to.
    """
    # Who was killed on the way has left a file that only the next one here can take away.
    sweep(path.parent)
    # The name of the process keeps two runs into one folder from writing to the same file.
    unfinished = path.with_name(f"{_prefix()}{path.name}")
    _own.add(unfinished.name)
    try:
        if private:
            os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _OWN))
        yield unfinished
        if path.exists():
            _lasting(unfinished)
        unfinished.replace(path)
    except OSError as error:
        raise PageError("cannot write {path}: {reason}", path=path, reason=error.strerror or error) from None
    finally:
        unfinished.unlink(missing_ok=True)
        _own.discard(unfinished.name)
