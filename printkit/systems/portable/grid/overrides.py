"""Features and courses that a scenario file gives instead of dice, and numbers in the settings (PW0-13).

A line of the features has a kind and its areas, by row and column from the top left. A hill can have contours; a place
of several areas lists all of them::

    hill (3;5) contours 2
    town (4;4) (4;5)

A line of the rivers, roads or railways gives what is known of a course. The dice decide what it leaves out::

    from top-right to bottom 4 width 1
    from top 4% to right 79% kind track crossings ford,bridge
    from q3 to (8;8)

An end is a side or corner of the board, a station on a side, a quarter of the edge, or an area. A station is a score or
a share from the left or top end of the side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from printkit.core.errors import ScenarioError, Sentence, joined
from printkit.kit.rules import Rules
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell, Grid

LISTS: Final = ("features", "rivers", "roads", "railways")

# The sides and corners of the board, clockwise.
SLOTS: Final = ("top", "top-right", "right", "bottom-right", "bottom", "bottom-left", "left", "top-left")

_AREA: Final = re.compile(r"\(([0-9]{1,40});([0-9]{1,40})\)")
_QUARTER: Final = re.compile(r"q([0-9]{1,2})")
_SHARE: Final = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,40})?)%")
_PARTS: Final = ("from", "to", "width", "kind", "crossings")
_CROSSINGS: Final = (Kind.FORD, Kind.BRIDGE)


class End(Struct, frozen=True, kw_only=True):
    """Where a course enters or leaves the board, if the line gives it.

    Attributes:
        slot: a side or corner.
        score: the station on a side, as a score.
        share: the station as a share of the side.
    """

    slot: str = ""
    score: int | None = None
    share: float | None = None
    quarter: int | None = None
    cell: Cell | None = None


class CourseSpec(Struct, frozen=True, kw_only=True):
    """A course as a line describes it; the dice decide None and empty values.

    ``place`` names the line in messages.
    """

    place: str
    start: End = End()
    end: End = End()
    width: int | None = None
    kind: Kind | None = None
    crossings: tuple[Kind, ...] = ()


class PlaceSpec(Struct, frozen=True, kw_only=True):
    """A feature on whole areas as a line describes it. ``place`` names the line in messages."""

    place: str
    kind: str
    cells: tuple[Cell, ...]
    contours: int | None = None


class ScenarioTerrain(Struct, frozen=True, kw_only=True):
    """All terrain in a scenario file."""

    places: tuple[PlaceSpec, ...] = ()
    rivers: tuple[CourseSpec, ...] = ()
    roads: tuple[CourseSpec, ...] = ()
    railways: tuple[CourseSpec, ...] = ()

    @classmethod
    def read(cls, inputs: Mapping[str, object], grid: Grid) -> ScenarioTerrain:
        """Return the places and courses in the lists of a scenario file; missing lists are empty.

        Raises:
            ScenarioError: a list is unknown, a line cannot be parsed, or an area is not on the grid.
        """
        for name in inputs:
            if name not in LISTS:
                raise ScenarioError(
                    "the Portable Wargame generator has no list {name!r}; use one of {lists}",
                    name=name,
                    lists=", ".join(LISTS),
                )
        courses = {
            name: tuple(_parse_course(place, line, grid) for place, line in _read_lines(name, inputs.get(name, ())))
            for name in ("rivers", "roads", "railways")
        }
        places = tuple(
            _parse_place(place, line, grid) for place, line in _read_lines("features", inputs.get("features", ()))
        )
        return cls(places=places, **courses)

    def find_places(self, *kinds: str) -> tuple[PlaceSpec, ...]:
        """Return the given places of some kinds, in the order of the file."""
        return tuple(place for place in self.places if place.kind in kinds)

    def check_kinds(self, *kinds: str) -> None:
        """Check that all places have one of these kinds.

        Raises:
            ScenarioError: one does not; the message lists the kinds.
        """
        for place in self.places:
            if place.kind not in kinds:
                raise ScenarioError(
                    "{place}: no kind {kind!r} in these rules; use one of {kinds}",
                    place=place.place,
                    kind=place.kind,
                    kinds=", ".join(kinds),
                )


def parse_number(rules: Rules, key: str) -> int | None:
    """Return the number in the setting ``key``, or None for ``die``: then a die decides.

    Raises:
        ScenarioError: it is not a whole number.
    """
    text = rules.choice(key)
    if text == "die":
        return None
    if not float(text).is_integer():
        raise ScenarioError("{key} = {text} is not a whole number", key=key, text=text, clause="PW0-13")
    return int(float(text))


def _read_lines(name: str, value: object) -> Iterator[tuple[str, str]]:
    """Yield each line of a list as a pair: its place for messages, and its text in lower case without comments.

    ``value`` is a text or a list of texts. Empty lines are left out. ``name`` is that of the list.

    Raises:
        ScenarioError: the value is not a list of texts.
    """
    lines = value.splitlines() if isinstance(value, str) else value
    if not isinstance(lines, (list, tuple)) or any(not isinstance(line, str) for line in lines):
        raise ScenarioError("{name} is not a list of texts; write one entry per line", name=name)
    bare = (line.split("#")[0].strip().lower() for line in lines)
    return (
        (Sentence("line {number} of the {name}", number=number, name=name), line)
        for number, line in enumerate(filter(None, bare), 1)
    )


def _parse_place(place: str, line: str, grid: Grid) -> PlaceSpec:
    """Return the feature that a line describes; ``place`` names the line in messages.

    Raises:
        ScenarioError: the contours are not 1 or 2, there are no areas, or one is given twice or is not on the grid.
    """
    kind, *words = line.split()
    contours = None
    if "contours" in words:
        index = words.index("contours")
        if words[index + 1 :] not in (["1"], ["2"]):
            raise ScenarioError("{place}: contours must be 1 or 2, for example hill (3;5) contours 2", place=place)
        contours, words = int(words[index + 1]), words[:index]
    cells = tuple(_parse_area(place, word, grid) for word in words)
    if not cells or len(set(cells)) < len(cells):
        raise ScenarioError(
            "{place} is {line!r}; write a kind and its areas, each once, for example town (4;4) (4;5)",
            place=place,
            line=line,
        )
    return PlaceSpec(place=place, kind=kind, cells=cells, contours=contours)


def _parse_area(place: str, word: str, grid: Grid) -> Cell:
    """Return the cell of an area such as ``(3;5)``: row and column from the top left.

    ``place`` names the line, for the error.

    Raises:
        ScenarioError: the word is not an area, or the area is not on the grid.
    """
    match = _AREA.fullmatch(word)
    if match is None:
        raise ScenarioError(
            "{place}: {word!r} is not an area; write its row and column from the top left, for example (3;5)",
            place=place,
            word=word,
        )
    cell = Cell(int(match[2]), int(match[1]))
    if not grid.contains(cell):
        raise ScenarioError(
            "{place}: {word} is not on {grid}; it has {rows} rows of {columns}",
            place=place,
            word=word,
            grid=grid.name,
            rows=grid.rows,
            columns=grid.columns,
        )
    return cell


def _parse_course(place: str, line: str, grid: Grid) -> CourseSpec:
    """Return the course that a line describes; ``place`` names the line in messages.

    Raises:
        ScenarioError: a part of the line is not valid.
    """
    words_by_part: dict[str, list[str]] = {}
    part = ""
    for word in line.split():
        if word in _PARTS and word not in words_by_part:
            part = word
            words_by_part[part] = []
        elif part:
            words_by_part[part].append(word)
        else:
            raise _syntax_error(place, line)
    if not all(words_by_part.values()):
        raise _syntax_error(place, line)
    crossings = [name for word in words_by_part.get("crossings", []) for name in word.split(",") if name]
    if any(name not in _CROSSINGS for name in crossings):
        raise ScenarioError(
            "{place}: crossings must be {crossings}, for example crossings ford,bridge",
            place=place,
            crossings=joined(_CROSSINGS, Sentence(" or ")),
        )
    width, kind = (
        _parse_choice(place, words_by_part, "width", ("1", "2")),
        _parse_choice(place, words_by_part, "kind", (Kind.ROAD, Kind.TRACK)),
    )
    return CourseSpec(
        place=place,
        start=_parse_end(place, words_by_part.get("from", []), grid),
        end=_parse_end(place, words_by_part.get("to", []), grid),
        width=int(width) if width else None,
        kind=Kind(kind) if kind else None,
        crossings=tuple(Kind(name) for name in crossings),
    )


def _parse_choice(place: str, words_by_part: Mapping[str, list[str]], part: str, options: tuple[str, ...]) -> str:
    """Return the word after ``part`` in a line, for example after ``width``; "" without this part.

    ``place`` is the place of the line, for messages. ``words_by_part`` has the words of the line after each part.

    Raises:
        ScenarioError: it is not one of ``options``, or there are several words.
    """
    words = words_by_part.get(part)
    if words is None:
        return ""
    if len(words) != 1 or words[0] not in options:
        raise ScenarioError(
            "{place}: {part} {words!r} is not valid; write {known}",
            place=place,
            part=part,
            words=" ".join(words),
            known=joined(options, Sentence(" or ")),
        )
    return words[0]


def _parse_end(place: str, words: list[str], grid: Grid) -> End:
    """Return the end of a course from its words; an empty end without words.

    It is a slot with a score (1 to 6) or a share (0 to 1), a quarter from 1 to 16, or an area. ``place`` names the
    line, for the error.

    Raises:
        ScenarioError: the words are not an end, or the area is not on the grid.
    """
    if not words:
        return End()
    first, *rest = words
    if first in SLOTS and len(rest) <= ("-" not in first):
        if not rest:
            return End(slot=first)
        if re.fullmatch(r"[1-6]", rest[0]):
            return End(slot=first, score=int(rest[0]))
        if (share := _SHARE.fullmatch(rest[0])) and float(share[1]) <= 100:
            return End(slot=first, share=float(share[1]) / 100)
    elif not rest:
        if (quarter := _QUARTER.fullmatch(first)) and 1 <= int(quarter[1]) <= 16:
            return End(quarter=int(quarter[1]))
        if _AREA.fullmatch(first):
            return End(cell=_parse_area(place, first, grid))
    raise ScenarioError(
        "{place}: {words!r} is not an end of a linear feature. Write a side or corner ({slots}), a side "
        "with a position such as top 3 or top 40%, a quarter such as q3, or an area such as (1;5)",
        place=place,
        words=" ".join(words),
        slots=", ".join(SLOTS),
    )


def _syntax_error(place: str, line: str) -> ScenarioError:
    """Return the error for a line of a course that cannot be parsed.

    ``place`` names the line in the scenario, and ``line`` is its text.
    """
    return ScenarioError(
        "{place} is {line!r}; write what is known of it, for example from top-right to bottom 4 width 1",
        place=place,
        line=line,
    )
