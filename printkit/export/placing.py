"""Write output files atomically: all files of a command or none, and never over files with other content.

Files are staged near their targets, in a folder ``.printkit-HOST-PROCESS-…``, until all are complete. Then the list of
their targets is written there too, and the move is final. If the process dies, the next process that writes into the
output folder completes the move. It deletes a staging folder without a list.
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

from printkit.core.errors import FileTakenError, PageError, PrintkitError
from printkit.core.reading import DEEPEST, nesting_depth, read_utf8
from printkit.export.files import place_below

_RECORD: Final = ".json"

# Keys of a record that identify the printkit version. They are not part of its content.
_MADE_BY: Final = ("version", "shapes")
_CHUNK: Final = 1 << 20
# Permissions of a private file: only the owner can read and write it.
_OWN: Final = 0o600

# --- Staging folders, and those of dead processes ---------------------------------------------------------------------

_HOST: Final = f"{zlib.crc32(platform.node().encode()):08x}"
_WAITING: Final = re.compile(r"\.printkit-(?P<host>[0-9a-f]{8})-(?P<process>[0-9]{1,10})-.+")
# Age in seconds at which the staged files of another machine in a shared folder count as abandoned.
_DAY: Final = 24 * 3600.0

_NEW: Final = "new"
_OLD: Final = "old"
_PLACES: Final = "places"
_HELD: Final = "held"

# The files to delete, and for each staged file its name and its target, relative to the root folder.
_Places: TypeAlias = tuple[list[str], list[tuple[str, str]]]

_own: Final[set[str]] = set()

_placed: Final[list[Path]] = []


def _prefix() -> str:
    """Return the prefix of staged names. It has the host and process number, to check whether the process is alive."""
    return f".printkit-{_HOST}-{os.getpid()}-"


class StagingFolder(TemporaryDirectory[str]):
    """A staging folder for files until all are complete; it is always deleted with its contents."""

    def __init__(self, folder: Path) -> None:
        """Create the staging folder in an existing folder."""
        # Ignore errors: a worker in a cluster may be stopped while it writes.
        super().__init__(dir=folder, prefix=_prefix(), ignore_cleanup_errors=True)
        _own.add(Path(self.name).name)
        # On Windows we cannot check whether a process is alive, but a folder with an open file cannot be renamed.
        self._held = os.open(Path(self.name, _HELD), os.O_CREAT | os.O_WRONLY)

    def cleanup(self) -> None:
        """Delete the staging folder with its contents."""
        if Path(self.name).name in _own:
            os.close(self._held)
            _own.discard(Path(self.name).name)
        super().cleanup()


def sweep(folder: Path) -> None:
    """Complete the moves that dead processes left in a folder, and delete their unfinished files."""
    for left in _left(folder):
        claimed = folder / f"{_prefix()}{os.urandom(4).hex()}"
        # Only one process can rename it. On Windows none can while the process that made it is alive.
        with suppress(OSError):
            left.rename(claimed)
            for places in sorted(claimed.rglob(_PLACES)) if claimed.is_dir() else ():
                _carry_on(places, folder)
            shutil.rmtree(claimed) if claimed.is_dir() else claimed.unlink()


def _left(folder: Path) -> list[Path]:
    """Return the staged files and folders that dead processes left in a folder."""
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
    """Return whether a process on this machine is alive; always False on Windows."""
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


def commit_files(
    make: Callable[[Path], Iterable[Path]],
    folder: Path,
    *,
    within: Path | None = None,
    force: bool = False,
    stale: Iterable[str] = (),
    private: bool | Collection[str] = False,
) -> tuple[Path, ...]:
    """Write the output files of a command to a folder, and return their paths.

    Files move to their targets when all are complete, records last. After an error or Ctrl-C the earlier files are
    unchanged. An existing file with other content stops the command.

    Args:
        make: writes the files below the folder it gets, and returns their paths in order.
        folder: the output folder; it is created.
        within: a staging folder on the same disk, beside the targets or above them; by default ``folder``.
        force: overwrite existing files.
        stale: files below the folder to delete, for example ``player-a/player-a.pdf``.
        private: whether only their owner can read the files; or the names of such files.

    Raises:
        PageError: the folder cannot be created or written to, or a name leads out of it.
        TakenError: a file with other content already exists.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if within is None:
            sweep(folder)
        root = folder if within is None else within.parent
        with StagingFolder(within or folder) as unfinished:
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
    """Return all files that this process has written so far, in order."""
    return tuple(_placed)


def _settle(waiting: Path, moves: Sequence[tuple[str, Path]], gone: Sequence[Path], root: Path) -> None:
    """Move files to their targets and delete stale files: either all of it or, after an error, nothing."""
    replaced = [place for _, place in moves if place.exists()]
    for way, place in moves:
        if place in replaced:
            _lasting(waiting / _NEW / way)
    below = [(way, place.relative_to(root).as_posix()) for way, place in moves]
    listed = waiting / f"{_PLACES}.unfinished"
    # JSON escapes keep undecodable bytes of file names (surrogates), so ASCII can encode them.
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
        # After Ctrl-C the list is final, so complete the moves.
        _move(waiting / _NEW, moves, gone)
        raise


def _move(new: Path, moves: Iterable[tuple[str, Path]], gone: Iterable[Path]) -> None:
    """Move the remaining staged files to their targets, and delete stale files."""
    for place in gone:
        place.unlink(missing_ok=True)
    for way, place in moves:
        if (new / way).exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            (new / way).replace(place)


def _carry_on(places: Path, root: Path) -> None:
    """Move the files of a dead process to their targets. A list that leads out of the folder is ignored."""
    with suppress(PrintkitError, ValidationError, ValueError, OSError):
        gone, moves = convert(json.loads(places.read_bytes()), _Places)
        new = places.with_name(_NEW)
        judged = [(way, place_below(root, name)) for way, name in moves if not place_below(new, way).is_symlink()]
        _move(new, judged, [place_below(root, name) for name in gone])


def _kept(places: Iterable[Path], folder: Path) -> dict[Path, Path]:
    """Return a hard link or a copy of each file, to restore it after an error."""
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
    """Flush a file to disk, so that a crash loses neither the old file nor the new one."""
    with path.open("r+b") as file:
        os.fsync(file.fileno())


def _judge_free(taken: Iterable[Path]) -> None:
    """Check that no target is taken by another file.

    Raises:
        TakenError: there is such a file. The message names a record first, because it means a different game.
    """
    places = sorted(taken, key=lambda place: (place.suffix != _RECORD, place.as_posix()))
    if not places:
        return
    if places[0].suffix == _RECORD:
        raise FileTakenError(
            "{path} already exists and holds a different game. Choose another --out, or overwrite it with --force.",
            path=places[0],
        )
    raise FileTakenError(
        "{path} already exists with different content. Choose another --out, or overwrite it with --force.",
        path=places[0],
    )


def _differs(part: Path, place: Path) -> bool:
    """Return whether a file with other content exists. The printkit version of a record does not count."""
    if not place.exists():
        return False
    if place.suffix == _RECORD and (one := _content(part)) is not None:
        return one != _content(place)
    return _has_other_bytes(part, place)


def _content(path: Path) -> str | None:
    """Return the content of a printkit record without its version; None if the file is not a record."""
    try:
        if nesting_depth(text := read_utf8(path)) > DEEPEST:
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
    """Yield a temporary path beside ``path``, which replaces ``path`` at the end of the block.

    After an error or Ctrl-C ``path`` is unchanged and the temporary file is deleted. ``private``: only the owner can
    read the file.

    Raises:
        PageError: the folder does not exist or cannot be written to.
    """
    # A killed process may have left a file, which the next process here deletes.
    sweep(path.parent)
    # The process number in the name keeps two runs from writing to the same file.
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
