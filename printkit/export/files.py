"""Where files are put down: whole or not at all, on nothing that differs; and numbers as the writers put them down."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Final

from printkit.core.errors import PageError, TakenError

# --- Numbers as the writers put them down -----------------------------------------------------------------------------


def number(value: float, digits: int = 3) -> str:
    """Return a number without exponent, without trailing zeros."""
    text = f"{value:.{digits}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


_RECORD: Final = ".json"
_FORBIDDEN: Final = frozenset('/\\:*?"<>|')
"""What no part of a name may hold: it parts folders, or Windows does not take it."""

_BYTES: Final = frozenset(map(chr, range(0xDC80, 0xDD00)))

_CHUNK: Final = 1 << 20


def file_name(name: str) -> str:
    """Return the name of one file, or of one folder, as it is.

    Raises:
        PageError: it is none that every system takes: empty, a way to another folder, with control characters.
    """
    # A letter that the locale cannot read comes as its bytes, which are as good in a name.
    bad = set(name) & _FORBIDDEN or any(not char.isprintable() and char not in _BYTES for char in name)
    if bad or not name.strip(". ") or name.endswith((".", " ")):
        raise PageError("{name!r} is no name for a file; give another --out", name=name)
    return name


def way_of(name: str) -> PurePosixPath:
    """Return the name of a file below a folder, ``player-a/player-a.pdf``, as a way that does not leave it.

    Raises:
        PageError: it does, or a part of it is no name.
    """
    for part in name.split("/"):
        file_name(part)
    return PurePosixPath(name)


def put_down(
    make: Callable[[Path], Iterable[Path]],
    folder: Path,
    *,
    within: Path | None = None,
    force: bool = False,
    stale: Iterable[str] = (),
) -> tuple[Path, ...]:
    """Put files into a folder, and return where they are. The one place where what printkit makes comes to stand.

    They take their places only when all of them are complete: after an error, or Ctrl-C, those that were there before
    are as they were. A file that is there already with other content is somebody's work, and stops all of them.

    Args:
        make: writes the files below the folder that it is given, and returns them in their order.
        folder: where they go; it is made.
        within: another folder of the same disk in which they wait until they are complete; None: this one.
        force: whether what is there already gives way.
        stale: files below the folder that are taken out before, as ``player-a/player-a.pdf``.

    Raises:
        PageError: the folder cannot be made or written to, or a name leads out of it.
        TakenError: another file is there already.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=within or folder, prefix=".printkit-") as unfinished:
            parts = tuple(make(Path(unfinished)))
            moves = [(part, _place(folder, part.relative_to(unfinished).as_posix())) for part in parts]
            if not force:
                _judge_free([place for part, place in moves if _differs(part, place)])
            for name in stale:
                _place(folder, name).unlink(missing_ok=True)
            for _, place in moves:
                place.parent.mkdir(parents=True, exist_ok=True)
            return tuple(part.replace(place) for part, place in moves)
    except OSError as error:
        raise PageError(
            "cannot write into {folder}: {reason}; give another --out", folder=folder, reason=error.strerror or error
        ) from None


def _judge_free(taken: Iterable[Path]) -> None:
    """Refuse to put files down where others stand.

    Raises:
        TakenError: there is one; names a record first, for then it is another game and no other printing of this one.
    """
    places = sorted(taken, key=lambda place: (place.suffix != _RECORD, place.as_posix()))
    if not places:
        return
    if places[0].suffix == _RECORD:
        raise TakenError("{path} holds another game; --out names another place, --force replaces it", path=places[0])
    raise TakenError("{path} is another printing; --out names another place, --force replaces it", path=places[0])


def _place(folder: Path, name: str) -> Path:
    """Return the place of a file below a folder, which no name and no link may leave."""
    place = folder / way_of(name)
    if not place.parent.resolve().is_relative_to(folder.resolve()):
        raise PageError("{name!r} is no name for a file; give another --out", name=name)
    return place


def _differs(part: Path, place: Path) -> bool:
    """Return whether a file is there with other content."""
    if not place.exists():
        return False
    if part.stat().st_size != place.stat().st_size:
        return True
    with part.open("rb") as one, place.open("rb") as other:
        while chunk := one.read(_CHUNK):
            if chunk != other.read(_CHUNK):
                return True
    return False


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary name beside ``path``; what is written there takes the place of ``path`` when all went well.

    After an error, or Ctrl-C, ``path`` is as it was and nothing half-written is left.

    Raises:
        PageError: the folder does not exist or cannot be written to.
    """
    # The name of the process keeps two runs into one folder from writing to the same file.
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield unfinished
        unfinished.replace(path)
    except OSError as error:
        raise PageError("cannot write {path}: {reason}", path=path, reason=error.strerror or error) from None
    finally:
        unfinished.unlink(missing_ok=True)


def numbered(path: Path, count: int) -> tuple[Path, ...]:
    """Return one path a page: ``map.svg`` for one page, ``map-1.svg``, ``map-2.svg`` ... for several.

    Numbers have as many digits as the last one, so that they sort in their order.
    """
    if count == 1:
        return (path,)
    digits = len(str(count))
    return tuple(path.with_name(f"{path.stem}-{number:0{digits}d}{path.suffix}") for number in range(1, count + 1))
