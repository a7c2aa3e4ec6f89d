"""Edits by hand (move, rotate, delete, restore features), and records from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

from msgspec import Struct

from printkit.api import Field, load
from printkit.core.errors import PrintkitError, UsageError
from printkit.core.words import Words
from printkit.kit import registry
from printkit.recipes.game.by_hand import Gesture, apply_gesture, restore_feature
from printkit.recipes.game.throw_text import feature_labels
from printkit.studio.desk import AppState
from printkit.studio.sitting import Change, SavedField
from printkit.studio.views import path_of
from printkit.studio.work import check_apart
from printkit.terrain.field.features import Area, Hill
from printkit.terrain.field.transforms import extend_board

# Degrees of one press of a rotate button.
STEP: Final = 15.0

# Steps back to look for the battlefield without edits.
_FARTHEST_BACK: Final = 400


def gesture_of(asked: Mapping[str, str]) -> Gesture:
    """Return the edit in a form; ``do`` is ``move``, ``left``, ``right`` or ``delete``.

    Raises:
        UsageError: a length is not a number of millimetres.
    """
    name, do = asked.get("id", ""), asked.get("do", "move")
    if do == "delete":
        return Gesture(id=name, delete=True)
    if do in ("left", "right"):
        return Gesture(id=name, turn=STEP if do == "left" else -STEP)
    return Gesture(id=name, move=(_length(asked.get("right", "")), _length(asked.get("farther", ""))))


def _length(text: str) -> float:
    plain = text.strip().replace(",", ".").replace("−", "-")
    try:
        found = float(plain) if plain else 0.0
    except ValueError:
        found = float("nan")
    if not abs(found) < float("inf"):
        raise UsageError("{text!r} is not a number of millimetres", text=text)
    return found


def done_by_hand(desk: AppState, field: str, asked: Mapping[str, str], style: str, lang: str) -> SavedField:
    """Return the battlefield after the edit in a form, and start drawing it.

    Raises:
        PrintkitError: the feature does not exist, or cannot be edited by hand.
    """
    made = desk.sitting.field(field)
    system = registry.find(made.rules)
    if asked.get("do") == "back":
        origin = untouched(desk, field)
        if origin is None:
            raise UsageError("its old position is unknown: this battlefield was opened as saved")
        record = restore_feature(system, made.record, asked.get("id", ""), origin.record)
    else:
        record = apply_gesture(system, made.record, gesture_of(asked))
    return desk.keep(Field(record=record), style, lang, parent=field, change=Change(what="hand"))


def untouched(desk: AppState, field: str) -> Field | None:
    """Return the battlefield before all edits by hand, or None if the session does not have it."""
    name = field
    for _ in range(_FARTHEST_BACK):
        with suppress(PrintkitError):
            made = desk.sitting.field(name)
            if not made.record.hand:
                return made
            if parent := desk.sitting.find(name).parent:
                name = parent
                continue
        return None
    return None


class Touched(Struct, frozen=True, kw_only=True):
    """A feature edited by hand: the edit in words, and the SVG path of the old outline."""

    id: str
    name: str
    what: str
    path: str
    deleted: bool


def touched(desk: AppState, kept: SavedField, words: Words) -> Iterator[Touched]:
    """Yield the features of a battlefield that were edited by hand."""
    made = desk.sitting.field(kept.id)
    origin = untouched(desk, kept.id) if made.record.hand else None
    before = {} if origin is None else {each.id: each for each in extend_board(origin.record.battlefield).features}
    names = feature_labels((origin or made).record.battlefield, words)
    depth = extend_board(made.record.battlefield).board.depth
    for entry in made.record.hand:
        name = str(entry.get("id", ""))
        lay = before.get(name)
        path = path_of(lay.outline, depth) if isinstance(lay, Area | Hill) else ""
        yield Touched(
            id=name,
            name=names.get(name, name),
            what=_said(entry, words),
            path=path,
            deleted=bool(entry.get("delete")),
        )


def _said(entry: Mapping[str, Any], words: Words) -> str:
    if entry.get("delete"):
        return words("studio.hand.deleted")
    parts = []
    across, up = entry.get("move", [0.0, 0.0])
    for value, more, less in ((across, "right", "left"), (up, "farther", "nearer")):
        if abs(value) >= 0.5:
            length = f"{abs(value):.0f}"
            parts.append(words(f"studio.hand.{more if value > 0 else less}", length=length))
    if turn := entry.get("turn", 0.0):
        parts.append(words("studio.hand.turned", degrees=f"{turn:g}"))
    return ", ".join(parts) or words("studio.hand.where-it-was")


# --- Records from elsewhere -------------------------------------------------------------------------------------------


def opened(desk: AppState, text: str, lang: str) -> SavedField:
    """Check a record from elsewhere in a separate process, and save it in the session.

    Raises:
        PrintkitError: it is not a record, or the check takes too long.
    """
    folder = desk.sitting.folder
    folder.mkdir(parents=True, exist_ok=True)
    waiting = folder / "brought.json"
    waiting.write_text(text, encoding="utf-8", newline="\n")
    try:
        check_apart(waiting, lang)
        made = load(waiting)
    finally:
        waiting.unlink(missing_ok=True)
    return desk.keep(made, "campaign", lang, change=Change(what="given"))
