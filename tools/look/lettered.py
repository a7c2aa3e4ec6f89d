"""How the labels of boards stand: what they lie over, how far names stand from their towns, what is cut or left out.

The labels are placed as for a map of A4 sheets at 1:1, and nothing else is drawn. What is measured is the type itself,
and not the ground that the placing took for it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final, NamedTuple

import shapely
from msgspec.structs import replace
from sampled import turn
from shapely import Point
from shapely.geometry.base import BaseGeometry

from printkit.api import Field, generate
from printkit.core import words as languages
from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import LayerName, Path, Text
from printkit.drawing.furniture.furniture import Furniture
from printkit.drawing.lettering.extent import PER_MM, path_extent, text_foot, text_length
from printkit.drawing.lettering.lettering import clean_text
from printkit.drawing.map.cell_marks import cell_context
from printkit.drawing.map.overlays import guide_mark_area
from printkit.drawing.signs.lines.course_lines import all_sized
from printkit.drawing.text.drafter import Drafter
from printkit.kit.registry import find
from printkit.options.printing import MapOptions
from printkit.page.sheet import find_sheet as find_sheet
from printkit.recipes.prints.map_plan import divide_map
from printkit.recipes.prints.maps import map_context
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import BUILT, Area, Course, Crossing, Feature, Kind

PERIODS: Final = ("ancient", "medieval", "horse-and-musket", "american", "desert", "steppe")
FARTHEST: Final = 6.0
"""How far in mm the name of a town may stand from its outline."""

_CLOSED: Final = (Kind.HEAVY_WOODS, Kind.FOREST, Kind.CONIFER_FOREST, Kind.MIXED_WOODS, Kind.PALM_FOREST)
_TOWNS: Final = (Kind.BUA, Kind.TOWN, Kind.CITY)
_EDGE_ROW: Final = 7.0
"""How deep in mm the row of crowns along the edge of a closed wood is."""

_ASCENT: Final = 0.70
_DESCENT: Final = 0.05
"""What capitals, and small letters without tails, reach above and below their feet, in sizes."""

_OVERLAP: Final = 12.0 - 0.05
_MET: Final = 0.5
"""How many mm2 two things share before they count as one over the other."""


class Lettered(NamedTuple):
    """What the labels of a board do: counts of labels, but for ``named`` and ``numbered``, which were wanted."""

    labels: int = 0
    over: int = 0
    signs: int = 0
    rows: int = 0
    guides: int = 0
    far: int = 0
    cut: int = 0
    towns: int = 0
    towns_left: int = 0
    named: int = 0
    left: int = 0


class Label(NamedTuple):
    """A piece of type, or the disc of a number, and the ground it covers."""

    text: str
    ground: BaseGeometry
    number: bool = False


def lettered_board(system: str, seed: int) -> Field:
    """Return the board of a seed with names, of a period in turn."""
    return generate(system, seed=seed, names=PERIODS[seed % len(PERIODS)], **turn(system, seed))


def lettered(field: Field, style: str = "campaign") -> Lettered:
    """Measure the labels of a board."""
    record = field.record
    order = map_context(MapOptions(sheet="a4", style=style, furniture=Furniture.MAT), languages.find_words("en"))
    plan = divide_map(record, find(record.rules), order)
    board, drafter = plan.board.field, plan.board.drafter
    drafter = replace(drafter, context=cell_context(drafter.context, board.grid))
    labels = tuple(labels_of(plan.board.labels.items))
    return _counted(labels, all_sized(board, drafter.context), drafter, plan.seams)


def labels_of(items: Sequence[tuple[LayerName, object]]) -> Iterator[Label]:
    """Yield the labels among the items of a board: discs by what fills them, the figures in them left out."""
    yield from (Label("", _disc(item), number=True) for _, item in items if isinstance(item, Path) and item.fill)
    for layer, item in items:
        if isinstance(item, Text) and layer is LayerName.LABEL and item.content.strip():
            yield Label(item.content, _type(item))


def _disc(path: Path) -> BaseGeometry:
    left, low, right, high = (each / PER_MM for each in path_extent(path))
    return Point((left + right) / 2, (low + high) / 2).buffer((right - left) / 2)


def _type(text: Text) -> BaseGeometry:
    """Return the ground of the letters of a text."""
    size = text.size_pt * MM_PER_POINT
    if not text.glyphs:
        return _leaning(text_foot(text), text_length(text), size, math.radians(text.angle))
    plain = replace(text, glyphs=(), track=0.0)
    alone = [text_length(replace(plain, content=letter)) for letter in text.content]
    letters = [
        _leaning((x, y), wide, size, math.radians(angle))
        for (x, y, angle), wide in zip(text.glyphs, alone, strict=True)
    ]
    return shapely.union_all(letters)


def _leaning(foot: tuple[float, float], long: float, size: float, turn: float) -> BaseGeometry:
    x, y = foot
    cosine, sine = math.cos(turn), math.sin(turn)
    corners = ((0.0, -_DESCENT), (long, -_DESCENT), (long, _ASCENT), (0.0, _ASCENT))
    return shapely.Polygon([(x + a * cosine - b * size * sine, y + a * sine + b * size * cosine) for a, b in corners])


def _counted(labels: Sequence[Label], field: Battlefield, drafter: Drafter, seams: BaseGeometry) -> Lettered:
    features = field.features
    grounds = [each.ground for each in labels]
    over = sum(_meets(one, other) for one, other in combinations(grounds, 2))
    signs = shapely.union_all([_sign(feature) for feature in features])
    rows = shapely.union_all([_row(feature) for feature in features])
    guides = guide_mark_area(field, drafter)
    cuts = seams.buffer(-_OVERLAP, join_style="mitre")
    names = [each.ground for each in labels if not each.number]
    far = left = 0
    towns = [feature for feature in features if isinstance(feature, Area) and feature.kind in _TOWNS and feature.name]
    for town in towns:
        told = [each.ground for each in labels if each.text == clean_text(town.name.upper())]
        left += not told
        far += bool(told) and min(shapely.distance(ground, town.outline) for ground in told) > FARTHEST
    lettered_texts = {each.text for each in labels}
    wanted = [clean_text(feature.name) for feature in features if feature.name]
    return Lettered(
        labels=len(labels),
        over=over,
        signs=sum(_meets(ground, signs) for ground in grounds),
        rows=sum(_meets(ground, rows) for ground in grounds),
        guides=sum(_meets(ground, guides) for ground in grounds),
        far=far,
        cut=sum(bool(shapely.intersects(ground, cuts)) for ground in names),
        towns=len(towns),
        towns_left=left,
        named=len(wanted),
        left=sum(not {name, name.upper()} & lettered_texts for name in wanted),
    )


def _meets(one: BaseGeometry, other: BaseGeometry) -> bool:
    return bool(shapely.intersects(one, other)) and shapely.intersection(one, other).area > _MET


def _sign(feature: Feature) -> BaseGeometry:
    """Return what a feature draws that no label may cover: ways and waters with their banks, bridges, houses."""
    match feature:
        case Course():
            return feature.line.buffer(feature.width / 2)
        case Crossing():
            return feature.at.buffer(6.0)
        case Area() if feature.kind in BUILT:
            return feature.outline
        case _:
            return Point()


def _row(feature: Feature) -> BaseGeometry:
    """Return the row of crowns that closes a wood."""
    if isinstance(feature, Area) and feature.kind in _CLOSED:
        return shapely.difference(feature.outline, feature.outline.buffer(-_EDGE_ROW))
    return Point()
