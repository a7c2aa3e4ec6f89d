"""Names of files, and numbers as the writers put them down."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Final

from printkit.core.errors import PageError

# --- Numbers as the writers put them down -----------------------------------------------------------------------------


def number(value: float, digits: int = 3) -> str:
    """Return a number without exponent, without trailing zeros."""
    text = f"{value:.{digits}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


_FORBIDDEN: Final = frozenset('/\\:*?"<>|')
"""What no part of a name may hold: it parts folders, or Windows does not take it."""

_BYTES: Final = frozenset(map(chr, range(0xDC80, 0xDD00)))


def file_name(name: str) -> str:
    """Return the name of one file, or of one folder, as it is.

    Raises:
        PageError: it is none that every system takes: empty, a way to another folder, with control characters.
    """
    # A letter that the locale cannot read comes as its bytes, which are as good in a name.
    bad = set(name) & _FORBIDDEN or any(not char.isprintable() and char not in _BYTES for char in name)
    if bad or not name.strip(". ") or name.endswith((".", " ")):
        raise PageError("{name!r} is not a valid file name; choose another --out", name=name)
    return name


def way_of(name: str) -> PurePosixPath:
    """Return the name of a file below a folder, ``player-a/player-a.pdf``, as a way that does not leave it.

    Raises:
        PageError: it does, or a part of it is no name.
    """
    for part in name.split("/"):
        file_name(part)
    return PurePosixPath(name)


def place_below(folder: Path, name: str) -> Path:
    """Return the place of a file below a folder, which no name and no link may leave.

    Raises:
        PageError: the name does, or is none.
    """
    place = folder / way_of(name)
    if not place.parent.resolve().is_relative_to(folder.resolve()):
        raise PageError("{name!r} is not a valid file name; choose another --out", name=name)
    return place


def numbered(path: Path, count: int) -> tuple[Path, ...]:
    """Return one path a page: ``map.svg`` for one page, ``map-1.svg``, ``map-2.svg`` ... for several.

    Numbers have as many digits as the last one, so that they sort in their order.
    """
    if count == 1:
        return (path,)
    digits = len(str(count))
    return tuple(path.with_name(f"{path.stem}-{number:0{digits}d}{path.suffix}") for number in range(1, count + 1))
