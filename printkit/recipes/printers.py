"""Printer profiles in the folder of a person's settings: one file a printer. Finding, saving, and telling of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from printkit.errors import BookError, PageError, UsageError
from printkit.export.files import replacing
from printkit.page import paper
from printkit.page.printer import Margins, Profile
from printkit.page.profile_text import read, text_of
from printkit.page.sheet import Sheet

_ENDING: Final = ".toml"
_DOUBTED: Final = 0.03
"""How far from 1 a scale is where a dialog has made the sheet fit the paper, rather than the printer being untrue."""


def saved(folder: Path) -> tuple[str, ...]:
    """Return the names of the saved printers in their order."""
    if not folder.is_dir():
        return ()
    return tuple(sorted(path.stem for path in folder.iterdir() if path.suffix == _ENDING and path.is_file()))


def find(name: str, folder: Path) -> Profile:
    """Return a saved profile.

    Raises:
        UsageError: there is none of that name; names those that are there, and how to make one.
        BookError: its file is wrong; names the file and the key.
    """
    wanted = name.strip().lower()
    names = saved(folder)
    if wanted not in names:
        there = f"there are {', '.join(names)}" if names else "none is saved yet"
        raise UsageError(f"no printer {name!r}; {there}: printkit calibrate prints a test sheet and saves one")
    path = folder / f"{wanted}{_ENDING}"
    try:
        return read(wanted, path.read_text(encoding="utf-8"))
    except BookError as error:
        raise BookError(f"{path}: {error}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BookError(f"{path}: cannot be read as text in UTF-8: {error}") from None


def save(profile: Profile, folder: Path) -> Path:
    """Save a profile whole, in place of an earlier one of its name, and return its file.

    Raises:
        PageError: the folder cannot be made or written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PageError(f"cannot make {folder}: {error.strerror or error}") from None
    path = folder / f"{profile.name}{_ENDING}"
    with replacing(path) as unfinished:
        unfinished.write_text(text_of(profile), encoding="utf-8", newline="\n")
    return path


def sheet_for(
    name: str, *, margin: float | None, default: float, profile: Profile | None, backs: bool = False
) -> Sheet:
    """Return the paper of a command.

    Args:
        name: the paper, or its size.
        margin: what a person asks for in mm; it goes before what was measured.
        default: the margin where nothing is known.
        profile: of the printer.
        backs: whether the sheet is printed on both sides.

    Raises:
        UsageError: there is no such sheet, or the margins leave nothing of it.
    """
    sheet = paper.find(name, margin=default if margin is None else margin)
    return sheet if profile is None else profile.sheet(sheet, margin=margin, backs=backs)


def saved_lines(profile: Profile, path: Path) -> Iterator[str]:
    """Yield what a profile will do to the sheets that are printed with it."""
    yield f"saved {path}; print with --printer {profile.name} from now on"
    for way, scale, more, less in (
        ("across", profile.scale_x, "widened", "narrowed"),
        ("along", profile.scale_y, "lengthened", "shortened"),
    ):
        done = "nothing is changed" if scale == 1 else f"sheets are {more if scale < 1 else less} to {1 / scale:.2%}"
        yield f"  {way}: it prints {scale:.2%}; {done}"
        if abs(scale - 1) > _DOUBTED:
            yield "    so much is rarely the printer: print the test again, and see that its dialog says 100 %"
    if profile.moves_backs:
        yield f"  backs: {_moved(profile)}, where the sheet is turned over its {_edge(profile)}"
    if profile.margins is None:
        yield "  margins: not measured"
    else:
        yield f"  margins: {_margins(profile.margins)}"


def list_lines(folder: Path) -> Iterator[str]:
    """Yield the saved printers, a line each."""
    names = saved(folder)
    if not names:
        yield "no printer is saved yet; printkit calibrate prints a test sheet"
    for name in names:
        profile = find(name, folder)
        parts = [f"{profile.scale_x:.2%} across, {profile.scale_y:.2%} along"]
        if profile.moves_backs:
            parts.append(f"backs {_moved(profile)} ({_edge(profile)})")
        if profile.margins is not None:
            parts.append(f"margins {_margins(profile.margins)}")
        yield f"{name}: {'; '.join(parts)}"


def _moved(profile: Profile) -> str:
    """Return where backs are moved: against the way in which they come to lie off."""
    ways = ((profile.back_dx, "to the left", "to the right"), (profile.back_dy, "down", "up"))
    return "moved " + " and ".join(f"{abs(by):g} mm {back if by > 0 else on}" for by, back, on in ways if by)


def _edge(profile: Profile) -> str:
    return profile.flip.replace("-", " ")


def _margins(margins: Margins) -> str:
    return ", ".join(f"{side} {value:g} mm" for side, value in margins._asdict().items())
