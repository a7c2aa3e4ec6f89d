"""A Hexon layout as text-mapper reads it: one line a hex, one line a course (HX-61).

Only flat-topped hexes can be written. text-mapper raises odd columns; where ours stand low, columns count from 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from printkit.core.errors import UsageError
from printkit.core.resources import template
from printkit.hexon.formats.tables import HexPlace, LayoutData

_MOST: Final = 99
"""The highest column or row that two digits write."""


def text_map(data: LayoutData) -> str:
    """Return the surface of a layout, its areas and its courses as a text-mapper map.

    Raises:
        UsageError: the hexes are pointy-topped, or there are too many columns or rows for two digits.
    """
    if not data.flat:
        raise UsageError(
            "text-mapper draws flat-topped hexes only, and the grid is {grain}; choose flat-odd-low "
            "or flat-odd-high, or the formats tmj, json or csv (HX-61)",
            grain=data.grain,
        )
    shift = 1 if data.odd_lags else 0
    if max(data.columns + shift, data.rows) > _MOST:
        raise UsageError(
            "text-mapper is written with two digits a number; {columns}x{rows} is too many",
            columns=data.columns,
            rows=data.rows,
        )
    return "\n".join((*_head(data), *_hexes(data, shift), *_courses(data, shift), *_definitions(data))) + "\n"


def address(place: HexPlace, shift: int) -> str:
    """Return a hex as text-mapper writes it: two digits of the column, two of the row."""
    return f"{place.column + shift:02d}{place.row:02d}"


def _head(data: LayoutData) -> Iterator[str]:
    if data.title:
        yield f"# {_plain(data.title)}"
    yield f"# {data.columns} x {data.rows}, {data.grain}"


def _hexes(data: LayoutData, shift: int) -> Iterator[str]:
    for place, level, relief in data.tops:
        marks = [mark for mark in data.marks if mark.place == place]
        types = [f"level-{level}", *_relief(relief), *(_type("kinds", mark.feature) for mark in marks)]
        label = next((mark.label for mark in marks if mark.label), str(level) if level > 1 else "")
        yield " ".join((address(place, shift), *dict.fromkeys(types), *_quoted(label)))


def _relief(relief: str) -> Iterator[str]:
    """Yield the type of a raised hex: hill or mountain, or the letter of a slope, which has no type of its own."""
    if relief:
        yield _words().get(relief, relief)


def _courses(data: LayoutData, shift: int) -> Iterator[str]:
    for way in data.ways:
        if len(way.places) > 1:
            line = "-".join(address(place, shift) for place in way.places)
            yield " ".join((line, _type("lines", way.feature), *_quoted(way.label)))


def _definitions(data: LayoutData) -> Iterator[str]:
    """Yield the colour of each level and of what the library of the program does not have, then the library."""
    colours = template("hexon", "programs")["colours"]
    for level in range(max((level for _, level, _ in data.tops), default=0) + 1):
        fill = colours["levels"][min(level, len(colours["levels"]) - 1)]
        yield f'level-{level} attributes fill="{fill}"'
    lines = dict.fromkeys(_type("lines", way.feature) for way in data.ways if len(way.places) > 1)
    for name in lines:
        if name not in _words()["lines"].values():
            stroke = colours["kinds"].get(name, colours["other"])
            yield f'{name} path attributes stroke="{stroke}" stroke-width="6" fill="none"'
    yield f"include {_words()['library']}"


@cache
def _words() -> Mapping[str, Any]:
    found: Mapping[str, Any] = template("hexon", "programs")["text-mapper"]
    return found


def _type(group: str, kind: str) -> str:
    return str(_words()[group].get(kind, kind))


def _quoted(label: str) -> Iterator[str]:
    if label:
        yield f'"{_plain(label)}"'


def _plain(text: str) -> str:
    """Return a text without what would end a label or a line."""
    return " ".join(text.translate({ord(mark): "'" for mark in '"“”'}).split())
