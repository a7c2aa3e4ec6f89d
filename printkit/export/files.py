"""File names and number formatting for the writers."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Final

from printkit.core.errors import PageError

# --- Number formatting ------------------------------------------------------------------------------------------------


def format_number(value: float, digits: int = 3) -> str:
    """Return a number as text, rounded to at most ``digits`` decimals, without exponent or trailing zeros.

    The decimal sign is a point; minus zero becomes ``0``.
    """
    text = f"{value:.{digits}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


# Characters that no file name may contain: folder separators, and characters that Windows forbids.
_FORBIDDEN_CHARACTERS: Final = frozenset('/\\:*?"<>|')

_BYTE_SURROGATES: Final = frozenset(map(chr, range(0xDC80, 0xDD00)))


def check_file_name(name: str) -> str:
    """Return the name of a file or folder unchanged, after checking it.

    Raises:
        PageError: the name is not valid on all systems: empty, with folder separators or control characters.
    """
    # Undecodable bytes of a name (surrogates) are allowed.
    bad = set(name) & _FORBIDDEN_CHARACTERS or any(
        not char.isprintable() and char not in _BYTE_SURROGATES for char in name
    )
    if bad or not name.strip(". ") or name.endswith((".", " ")):
        raise PageError("{name!r} is not a valid file name; choose another --out", name=name)
    return name


def relative_path(name: str) -> PurePosixPath:
    """Return the name of a file below a folder, for example ``player-a/player-a.pdf``, as a checked relative path.

    The parts are separated by ``/``.

    Raises:
        PageError: the path leaves the folder, or a part of it is not a valid name.
    """
    for part in name.split("/"):
        check_file_name(part)
    return PurePosixPath(name)


def path_below(folder: Path, name: str) -> Path:
    """Return the path of a file below a folder, after checking that no name or link leaves the folder.

    Raises:
        PageError: the path leaves the folder, or the name is not valid.
    """
    path = folder / relative_path(name)
    if not path.parent.resolve().is_relative_to(folder.resolve()):
        raise PageError("{name!r} is not a valid file name; choose another --out", name=name)
    return path


def page_paths(path: Path, count: int) -> tuple[Path, ...]:
    """Return one path per page: ``map.svg`` for one page, ``map-1.svg``, ``map-2.svg`` ... for several.

    All numbers have the same number of digits, so that the files sort in order.
    """
    if count == 1:
        return (path,)
    digits = len(str(count))
    return tuple(path.with_name(f"{path.stem}-{number:0{digits}d}{path.suffix}") for number in range(1, count + 1))
