"""Write a Hexon layout for text-mapper: one line per hex and per course (HX-61).

The format supports only flat-topped hexes. text-mapper raises odd columns; if our odd columns are low, columns count
from 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final
from xml.sax.saxutils import escape

from printkit.core.errors import UsageError
from printkit.core.numbers import is_number
from printkit.core.resources import template
from printkit.hexon.formats.tables import HexMark, HexPlace, LayoutData

# The highest column or row with two digits.
_MOST: Final = 99

# Fewest hexes of a course with its name along the line.
_LONG: Final = 4


def text_map(data: LayoutData) -> str:
    """Return the surface of a layout as a text for text-mapper, with its areas and courses.

    Raises:
        UsageError: the hexes are pointy-topped, or there are too many columns or rows for two digits.
    """
    if not data.flat:
        raise UsageError(
            "text-mapper draws only flat-topped hexes, and this grid is {grain}. Use flat-odd-low or "
            "flat-odd-high, or the formats tmj, json or csv (HX-61).",
            grain=data.grain,
        )
    shift = 1 if data.odd_lags else 0
    if max(data.columns + shift, data.rows) > _MOST:
        raise UsageError(
            "text-mapper has two digits per coordinate; {columns}x{rows} hexes are too many",
            columns=data.columns,
            rows=data.rows,
        )
    return "\n".join((*_head(data), *_hex_lines(data, shift), *_course_lines(data, shift), *_definitions(data))) + "\n"


def address(place: HexPlace, shift: int) -> str:
    """Return a hex in the notation of text-mapper: two digits of the column and two of the row.

    ``shift`` is added to the column.
    """
    return f"{place.column + shift:02d}{place.row:02d}"


def _head(data: LayoutData) -> Iterator[str]:
    """Yield the comment lines at the top of the map."""
    if data.title:
        yield f"# {_escape_text(data.title)}"
    yield f"# {data.columns} x {data.rows}, {data.grain}"
    if data.odd_lags:
        yield "# text-mapper raises odd columns, so columns count from 2 here: hex 0101 of the map is 0201."


def _hex_lines(data: LayoutData, shift: int) -> Iterator[str]:
    """Yield a line for each hex with its address, types and label; ``shift`` is added to columns.

    A hex without a name shows its level above 1.
    """
    course_names = {course.label for course in data.courses}
    # A course that is too short for a name along the line shows it on its middle hex.
    short_names = {
        course.places[len(course.places) // 2]: course.label
        for course in data.courses
        if course.label and len(course.places) < _LONG
    }
    for place, level, relief in data.tops:
        marks = [mark for mark in data.marks if mark.place == place]
        names = [mark.label for mark in marks if mark.label not in ("", *course_names)]
        label = next(iter(names), short_names.get(place, "")) or (str(level) if level > 1 else "")
        types = _hex_types(level, relief, marks)
        yield " ".join((address(place, shift), *types, *_quote_label(label)))


def _hex_types(level: int, relief: str, marks: Iterable[HexMark]) -> tuple[str, ...]:
    """Return the types of a hex: its level, its relief and its features, without repetition.

    The first is that of the level, for example ``level-0``.
    """
    relief_types = [_program_words().get(relief, relief)] if relief else []
    return tuple(dict.fromkeys((f"level-{level}", *relief_types, *(_type("kinds", mark.feature) for mark in marks))))


def _course_lines(data: LayoutData, shift: int) -> Iterator[str]:
    """Yield a line for each course with its hexes, type and label; ``shift`` is added to columns."""
    for course in data.courses:
        places = course.outer_places or course.places
        if len(places) > 1:
            line = "-".join(address(place, shift) for place in places)
            label = course.label if len(course.places) >= _LONG else ""
            yield " ".join((line, _type("lines", course.feature), *_quote_label(label)))


def _definitions(data: LayoutData) -> Iterator[str]:
    """Yield the definitions at the end of the map.

    They are the colours of levels, the types that the program's library does not have, and the library.
    """
    colours, words = template("hexon", "programs")["colours"], _program_words()
    for level in range(max((level for _, level, _ in data.tops), default=0) + 1):
        fill = colours["levels"][min(level, len(colours["levels"]) - 1)]
        yield f'level-{level} attributes fill="{fill}"'
    for name in dict.fromkeys(_type("lines", course.feature) for course in data.courses):
        if name not in words["known_lines"]:
            stroke = colours["kinds"].get(name, colours["other"])
            dash = f' stroke-dasharray="{words["dashes"][name]}"' if name in words["dashes"] else ""
            yield f'{name} path attributes stroke="{stroke}" stroke-width="8" fill="none"{dash}'
    for name in dict.fromkeys(name for name in _symbol_types(data) if name not in words["types"]):
        slope = is_number(name[1:])
        sign = words["signs"].get("slope" if slope else name, words["signs"]["other"])
        fill = "none" if sign[-1] not in "Zz" else colours["kinds"].get(name, colours["other"])
        yield f'{name} path attributes stroke="{colours["edge"]}" stroke-width="4" fill="{fill}"'
        yield f"{name} path {sign}"
    yield f"include {words['library']}"


def _symbol_types(data: LayoutData) -> Iterator[str]:
    """Yield the types of all hexes, without those of their levels; a type may repeat."""
    for place, level, relief in data.tops:
        yield from _hex_types(level, relief, [mark for mark in data.marks if mark.place == place])[1:]


@cache
def _program_words() -> Mapping[str, Any]:
    """Return the settings for text-mapper from ``templates/hexon``. Cached."""
    words: Mapping[str, Any] = template("hexon", "programs")["text-mapper"]
    return words


def _type(group: str, kind: str) -> str:
    """Return the name of a kind in text-mapper, or the kind itself if it has no other name there.

    ``group`` is the table of names: ``kinds`` or ``lines``.
    """
    return str(_program_words()[group].get(kind, kind))


def _quote_label(label: str) -> Iterator[str]:
    """Yield a label in double quotes; nothing for an empty label."""
    if label:
        yield f'"{_escape_text(label)}"'


def _escape_text(text: str) -> str:
    """Return a text without quotes and line breaks, escaped for SVG.

    The program does not escape it.
    """
    return escape(" ".join(text.translate({ord(mark): "'" for mark in '"“”'}).split()))
