"""Fields of a form in rows: a label, then a line to write on, or small boxes; as many on a row as have room."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from printkit.drawing.canvas.items import Anchor, Font, Item, Rect
from printkit.drawing.lettering.lettering import measure
from printkit.drawing.text.sheet_desk import SheetDesk

PITCH: Final = 8.6
"""How high a row of fields is, in mm."""

BOX: Final = 5.4
"""The side of a box, in mm."""

_LABEL_PT: Final = 8.5
_WRITTEN_PT: Final = 10.5
_GAP: Final = 6.0
_NEAR: Final = 1.6
_FOOT: Final = 1.9


class Line(Struct, frozen=True):
    """A line to write on, ``least`` mm long or longer; ``written`` stands on it already."""

    least: float = 26.0
    written: str = ""


class Tick(Struct, frozen=True):
    """A box; its label stands within it, pale, and ``struck`` crosses it out. ``chosen`` is ticked already."""

    label: str = ""
    struck: bool = False
    chosen: bool = False


class Said(Struct, frozen=True):
    """A word between lines and boxes."""

    text: str


Part = Line | Tick | Said


class Field(Struct, frozen=True):
    """A label and what is filled in behind it; the parts of a field stay on one row."""

    label: str
    parts: tuple[Part, ...]


def field_rows(fields: Sequence[Field], width: float, desk: SheetDesk) -> tuple[tuple[Field, ...], ...]:
    """Return the fields in rows no wider than ``width`` mm."""
    rows: list[list[Field]] = []
    used = 0.0
    for field in fields:
        wide = _least(field, desk)
        if not rows or used + _GAP + wide > width:
            rows.append([field])
            used = wide
        else:
            rows[-1].append(field)
            used += _GAP + wide
    return tuple(tuple(row) for row in rows)


def fields_height(fields: Sequence[Field], width: float, desk: SheetDesk) -> float:
    """Return how high the fields are in mm."""
    return PITCH * len(field_rows(fields, width, desk))


def set_fields(fields: Sequence[Field], place: Rect, desk: SheetDesk) -> Iterator[Item]:
    """Yield fields from the top of a rectangle; lines grow until each row is as long as the rectangle is wide."""
    for number, row in enumerate(field_rows(fields, place.width, desk), 1):
        foot = place.top - number * PITCH + _FOOT
        free = place.width - sum(_least(field, desk) for field in row) - _GAP * (len(row) - 1)
        lines = sum(_lines(field) for field in row)
        longer = max(free, 0.0) / lines if lines else 0.0
        x = place.x
        for field in row:
            yield from _set(field, (x, foot), longer, desk)
            x += _least(field, desk) + _lines(field) * longer + _GAP


def _lines(field: Field) -> int:
    return sum(isinstance(part, Line) for part in field.parts)


def _set(field: Field, at: tuple[float, float], longer: float, desk: SheetDesk) -> Iterator[Item]:
    """Yield a field whose lines are ``longer`` mm longer than they must be."""
    x, foot = at
    hand = desk.hand(Font.BANNER, _LABEL_PT)
    wide = measure(field.label, hand)
    yield from desk.text(field.label, (x, foot), hand, room=wide + 1.0)
    x += wide
    for part in field.parts:
        x += _NEAR
        match part:
            case Line():
                end = x + part.least + longer
                yield desk.rule([(x, foot - 0.7), (end, foot - 0.7)], 0.2)
                written = desk.hand(Font.ROMAN, _WRITTEN_PT)
                yield from desk.text(part.written, (x + 1.0, foot), written, room=end - x - 1.0)
                x = end
            case Tick():
                yield from _tick(part, Rect(x, foot - 1.6, BOX, BOX), desk)
                x += BOX
            case Said():
                small = desk.hand(Font.FIGURES, _LABEL_PT, "ink-secondary")
                wide = measure(part.text, small)
                yield from desk.text(part.text, (x, foot), small, room=wide + 1.0)
                x += wide


def _tick(tick: Tick, box: Rect, desk: SheetDesk) -> Iterator[Item]:
    hand = desk.hand(Font.FIGURES, 7.0, "ink-secondary")
    middle = (box.x + box.width / 2, box.y + box.height / 2 - 0.36 * hand.height)
    yield from desk.text(tick.label, middle, hand, room=box.width - 1.0, anchor=Anchor.MIDDLE)
    yield desk.box(box, 0.3)
    if tick.struck:
        yield desk.rule([(box.x, box.y), (box.right, box.top)], 0.35)
        yield desk.rule([(box.x, box.top), (box.right, box.y)], 0.35)
    if tick.chosen:
        yield desk.box(Rect(box.x + 0.7, box.y + 0.7, box.width - 1.4, box.height - 1.4), 0.6)


def _least(field: Field, desk: SheetDesk) -> float:
    """Return the width in mm that a field takes with its lines no longer than they must be."""
    total = measure(field.label, desk.hand(Font.BANNER, _LABEL_PT))
    for part in field.parts:
        total += _NEAR
        match part:
            case Line():
                total += part.least
            case Tick():
                total += BOX
            case Said():
                total += measure(part.text, desk.hand(Font.FIGURES, _LABEL_PT))
    return total
