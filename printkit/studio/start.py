"""The contents of the start page: what the games take to print, and the latest battlefields, battles and deals.

Nothing here loads a rule system or draws a map, so the page appears at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from printkit.core.errors import PrintkitError
from printkit.core.reading import read_utf8
from printkit.core.typed import parse_toml
from printkit.core.words import Words
from printkit.studio.pages.render import STATIC, asset
from printkit.studio.session import BATTLES, DEALS, LEAGUES, SavedField, SessionLists

# The number of entries of the list of latest games.
_MOST: Final = 8

# The rule system of battles, for their picture.
_SOLO: Final = "solo-dba"


class Entry(Struct, frozen=True, kw_only=True):
    """A battlefield or game to carry on with; ``time`` is that of its last change, in seconds."""

    href: str
    picture: str
    title: str
    state: str
    time: float


@cache
def role_takes() -> Mapping[str, Mapping[str, Mapping[str, int]]]:
    """Return the sheets, cuts and minutes of the print job of each role, by role and paper."""
    takes: Mapping[str, Mapping[str, Mapping[str, int]]] = msgspec.json.decode(
        (STATIC / "roles" / "takes.json").read_bytes()
    )
    return takes


def latest_entries(out: Path, session_folder: Path, fields: tuple[SavedField, ...], words: Words) -> list[Entry]:
    """Return the latest battlefields, battles, sealed games and leagues of an output folder, newest first."""
    entries = [
        *_field_entries(session_folder, fields[-_MOST:], words),
        *_battle_entries(out / BATTLES, words),
        *_deal_entries(out, session_folder, words),
        *_league_entries(out / LEAGUES, words),
    ]
    return sorted(entries, key=lambda entry: -entry.time)[:_MOST]


def _field_entries(folder: Path, fields: tuple[SavedField, ...], words: Words) -> Iterator[Entry]:
    """Yield the entries of battlefields."""
    for field in fields:
        with suppress(OSError):
            system = f"studio.start.system.{field.rules}"
            yield Entry(
                href=f"/field/{field.id}",
                picture=f"/field/{field.id}.jpg",
                title=field.name or field.title,
                state=words(system) if words.has(system) else field.rules,
                time=(folder / f"{field.id}.json").stat().st_mtime,
            )


def _battle_entries(folder: Path, words: Words) -> Iterator[Entry]:
    """Yield the entries of battles; a file that is not a battle is left out."""
    for path in folder.glob("*.toml") if folder.is_dir() else ():
        with suppress(OSError, PrintkitError):
            battle = parse_toml(read_utf8(path), path.name)
            npg, you = (_army_name(str(battle.get(side, "")), words) for side in ("npg", "you"))
            yield Entry(
                href=f"/battle/{path.stem}",
                picture=asset(f"systems/{_SOLO}.jpg"),
                title=words("studio.start.armies", npg=npg, you=you),
                state=words("studio.start.bound", number=_count_bounds(path.with_suffix(".json"))),
                time=path.stat().st_mtime,
            )


def _army_name(army: str, words: Words) -> str:
    """Return the name of a sample army in a language; of another army the name of its file."""
    key = f"npg.sample.{army}.name"
    return words(key) if words.has(key) else Path(army).stem.replace("-", " ") or "?"


def _count_bounds(log: Path) -> int:
    """Return the number of bounds in the log of a battle; 0 without a log."""
    with suppress(OSError, msgspec.MsgspecError):
        log_values: Any = msgspec.json.decode(log.read_bytes())
        return (
            len(log_values["bounds"])
            if isinstance(log_values, dict) and isinstance(log_values.get("bounds"), list)
            else 0
        )
    return 0


def _league_entries(folder: Path, words: Words) -> Iterator[Entry]:
    """Yield the entries of leagues; a file that is not a league is left out."""
    for path in folder.glob("*/league.toml"):
        with suppress(PrintkitError, OSError, KeyError, TypeError, AttributeError):
            league = parse_toml(read_utf8(path), path.name)
            number = max((game.get("round", 0) for game in league["game"]), default=0)
            yield Entry(
                href=f"/club/{path.parent.name}",
                picture=asset("roles/club.jpg"),
                title=league["name"],
                state=words("studio.start.round", number=number) if number else words("studio.start.league"),
                time=path.stat().st_mtime,
            )


def _deal_entries(out: Path, session_folder: Path, words: Words) -> Iterator[Entry]:
    """Yield the entries of sealed games that the studio has dealt."""
    notes = SessionLists(session_folder)
    for path in session_folder.glob(f"{DEALS}*.notes") if session_folder.is_dir() else ():
        name = path.stem.removeprefix(DEALS)
        with suppress(OSError):
            yield Entry(
                href=f"/hands/{name}",
                picture=asset("roles/deal.jpg"),
                title=name,
                state=words("studio.start.revealed" if notes.read(f"revealed-{name}") else "studio.start.dealt"),
                time=(out / name).stat().st_mtime,
            )
