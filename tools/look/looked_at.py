"""A reading test: places of boards cut out as a player sees them, and apart from them what the place is by the record.

Whoever reads says for each cut what kind of ground is under its cross. The answers stand in a table of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from PIL import Image, ImageDraw
from sampled import boards, picture
from shapely import Point
from shapely.geometry.base import BaseGeometry

from printkit.api import Field
from printkit.core.units import MM_PER_INCH
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Hill

CUT: Final = 120.0
"""Side in mm of what is cut out around a place."""

PLACES: Final = 30
_DPI: Final = 50
_COLUMNS: Final = 6
_CLEAR: Final = 4.0
"""How far in mm a place keeps from every edge of ground, so that its answer is sure."""

_GAP: Final = 6
_HEAD: Final = 16
OPEN: Final = "open"


class Place(NamedTuple):
    """A place of a board in mm, what lies there and how troops move in it."""

    x: float
    y: float
    kind: str
    going: str


def places(field: Field, seed: int) -> list[Place]:
    """Return places of a board, half of them on features where there are any, drawn from the seed."""
    drawn = Random(f"look/reading/{seed}")
    ground = _ground(field)
    found: list[Place] = []
    board = field.record.battlefield.board
    tries = 0
    while len(found) < PLACES and tries < 200 * PLACES:
        tries += 1
        at = Point(drawn.uniform(CUT / 2, board.width - CUT / 2), drawn.uniform(CUT / 2, board.depth - CUT / 2))
        answer = _answer(at, ground)
        lies_on = answer is not None and answer[0] != OPEN
        # Past half of the tries whatever comes is taken: a board may be all wood, or bare.
        wanted = len(found) % 2 == 1 if tries < 100 * PLACES else lies_on
        if answer is not None and lies_on == wanted:
            found.append(Place(at.x, at.y, *answer))
    drawn.shuffle(found)
    return found


_Ground = list[tuple[BaseGeometry, str, str]]


def _ground(field: Field) -> _Ground:
    return [
        (shape, feature.kind.value, feature.going.name)
        for feature in field.record.battlefield.features
        if (shape := _shape(feature)) is not None
    ]


def _shape(feature: Feature) -> BaseGeometry | None:
    match feature:
        case Area() | Hill():
            return feature.outline
        case Course():
            return feature.line.buffer(max(feature.width, 2.0) / 2, cap_style="flat")
        case Crossing():
            return None


def _answer(at: Point, ground: _Ground) -> tuple[str, str] | None:
    """Return kind and going at a place, of several by name, or None where it is too near to an edge."""
    on: list[tuple[str, str]] = []
    for shape, kind, going in ground:
        if shape.boundary.distance(at) < min(_CLEAR, shape.area / max(shape.length, 1.0) / 2):
            return None
        if shape.covers(at):
            on.append((kind, going))
    if not on:
        return OPEN, ""
    return " + ".join(sorted({kind for kind, _ in on})), " + ".join(sorted({going for _, going in on if going}))


def _cut(board: Image.Image, place: Place, depth: float) -> Image.Image:
    dots = _DPI / MM_PER_INCH
    x, y, half = place.x * dots, (depth - place.y) * dots, CUT / 2 * dots
    found = board.crop((round(x - half), round(y - half), round(x + half), round(y + half)))
    pen = ImageDraw.Draw(found)
    for reach in (4, 12):
        pen.line((half - reach, half, half - 3, half), fill="red", width=2)
        pen.line((half + 3, half, half + reach, half), fill="red", width=2)
        pen.line((half, half - reach, half, half - 3), fill="red", width=2)
        pen.line((half, half + 3, half, half + reach), fill="red", width=2)
    return found


def _page(cuts: Sequence[tuple[str, Image.Image]]) -> Image.Image:
    side = max(cut.width for _, cut in cuts)
    rows = -(-len(cuts) // _COLUMNS)
    page = Image.new("RGB", (_COLUMNS * (side + _GAP), rows * (side + _GAP + _HEAD)), "white")
    pen = ImageDraw.Draw(page)
    for number, (label, cut) in enumerate(cuts):
        left, top = number % _COLUMNS * (side + _GAP), number // _COLUMNS * (side + _GAP + _HEAD)
        pen.text((left + 2, top + 2), label, fill="black")
        page.paste(cut, (left, top + _HEAD))
    return page


def read(system: str, count: int, folder: Path, **look: Any) -> Iterator[str]:
    """Write for each board of a rule system a page of cuts, and beside them one table of answers; yield their names."""
    answers = []
    for seed, field in boards(system, count):
        drawn = picture(field, _DPI, hide=["numbers"], **look)
        depth = field.record.battlefield.board.depth
        cuts = []
        for number, place in enumerate(places(field, seed), 1):
            cuts.append((f"{seed}.{number}", _cut(drawn, place, depth)))
            answers.append(f"{seed}.{number},{place.kind},{place.going}")
        name = f"{system}-{seed}.png"
        _page(cuts).save(folder / name)
        yield name
    (folder / f"{system}-answers.csv").write_text("\n".join(["place,kind,going", *answers]) + "\n", encoding="utf-8")
