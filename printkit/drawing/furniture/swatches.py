"""Swatches: sample features that fill them, and the legend entries in order, each with its sample."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

import numpy as np
from msgspec import Struct
from shapely import LineString, Point, Polygon, box

from printkit.core import elementary
from printkit.core.sums import plain_sum
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Going, Hill, HillFace, Kind

# Width and height of a legend swatch in mm at 1:1.
SWATCH: Final = (30.0, 19.0)

# Size of symbols in a swatch, relative to the map.
SAMPLE_SIZE: Final = 0.8

UNSTATED: Final = Going(0, "")
# How far in mm ground extends past the border of a swatch, so that its edge is not visible.
_OVER: Final = 6.0

_GROUND: Final = box(-_OVER, -_OVER, SWATCH[0] + _OVER, SWATCH[1] + _OVER)

# The course of a road through a swatch.
THROUGH: Final = ((-10.0, 6.0), (8.0, 10.5), (20.0, 9.0), (40.0, 12.0))


def patch(x: float, y: float, across: float, up: float) -> Polygon:
    """Return an uneven patch round a point. It is the same in every legend, and looks like ground on a map."""
    turn = np.linspace(0, 2 * np.pi, 90, endpoint=False)
    reach = (
        1
        + 0.05 * elementary.cos(2 * turn + 0.7)
        + 0.035 * elementary.cos(3 * turn + 2.1)
        + 0.02 * elementary.cos(5 * turn)
    )
    return Polygon(np.column_stack([x + across * reach * elementary.cos(turn), y + up * reach * elementary.sin(turn)]))


def bend(*places: tuple[float, float], steps: int = 40, soft: int = 4) -> LineString:
    """Return a smooth line of ``steps`` points through ``places``, each averaged with ``soft`` points on each side."""
    knots = np.asarray(places, dtype=float)
    share, whole = np.linspace(0, 1, steps), 2 * soft + 1
    along = np.interp(share, np.linspace(0, 1, len(knots)), knots[:, 0])
    rough = np.interp(share, np.linspace(0, 1, len(knots)), knots[:, 1])
    padded = np.pad(rough, soft, mode="edge")
    return LineString(np.column_stack([along, elementary.convolve(padded, np.ones(whole) / whole)]))


def area(kind: Kind, outline: Polygon) -> tuple[Feature, ...]:
    """Return a sample with one area."""
    return (Area(id=f"legend-{kind}", kind=kind, outline=outline, going=UNSTATED),)


def whole(kind: Kind) -> Callable[[], tuple[Feature, ...]]:
    """Return the sample of ground that fills the swatch and continues under its border."""
    return lambda: area(kind, _GROUND)


def sloped(*, face: Kind | None = None, cover: Kind | None = None) -> Callable[[], tuple[Feature, ...]]:
    """Return the sample of a hill that continues under the border; ``face`` is its slope all round."""

    def sample() -> tuple[Feature, ...]:
        outline = patch(13, 1.5, 21.5, 15.5)
        line = LineString(outline.exterior.coords)
        faces = () if face is None else (HillFace(line=line, kind=face, going=UNSTATED, side=0),)
        name = f"legend-hill-{face or cover or 'gentle'}"
        return (Hill(id=name, kind=Kind.HILL, contours=(outline,), going=UNSTATED, faces=faces, cover=cover),)

    return sample


def opening() -> tuple[Feature, ...]:
    """Return a wood with a clearing in it."""
    gap = patch(17.5, 8.5, 10.5, 7.0)
    return (*area(Kind.FOREST, _GROUND), *area(Kind.CLEARING, gap))


def water() -> Course:
    """Return a river through the swatch."""
    line = bend((-12, 10), (4, 7), (14, 9), (26, 7.5), (44, 9.5))
    return Course(id="legend-river", kind=Kind.RIVER, line=line, width=7.5, going=UNSTATED)


def way(width: float, *places: tuple[float, float], kind: Kind = Kind.ROAD) -> Course:
    """Return a road or other course through ``places``, ``width`` mm wide; 0 is the default width of its kind."""
    return Course(id=f"legend-{kind}", kind=kind, line=bend(*places), width=width, going=UNSTATED)


def crossed(kind: Kind, *, over: Kind = Kind.ROAD, rails: bool = False) -> Callable[[], tuple[Feature, ...]]:
    """Return the sample of a crossing: ``over`` crosses a river, or with ``rails`` a railway."""

    def sample() -> tuple[Feature, ...]:
        lower = way(0.0, *THROUGH, kind=Kind.RAILWAY) if rails else water()
        upper = way(5.4, (14.0, -8), (15.0, 28), kind=over)
        at = upper.line.intersection(lower.line)
        return lower, upper, meeting(kind, Point(at.centroid), upper, lower, bearing=88.4)

    return sample


def meeting(kind: Kind, at: Point, over: Course, under: Course, *, bearing: float) -> Crossing:
    """Return the crossing of two courses of a sample."""
    name = f"legend-{kind}"
    return Crossing(id=name, kind=kind, at=at, bearing=bearing, way=over.id, water=under.id, going=UNSTATED)


def junction() -> tuple[Feature, ...]:
    """Return two roads that meet."""
    main = way(5.4, *THROUGH)
    side = LineString([(15, 9.6), (17, 28)])
    branch = Course(id="legend-branch", kind=Kind.ROAD, line=side, width=5.4, going=UNSTATED)
    return main, branch, meeting(Kind.JUNCTION, Point(15, 9.6), branch, main, bearing=84.0)


def ditch() -> tuple[Feature, ...]:
    """Return a ditch with a bend."""
    line = LineString([(-6, 5), (11, 12.5), (36, 7)])
    return (Course(id="legend-ditch", kind=Kind.DITCH, line=line, width=0.0, going=UNSTATED),)


def town() -> tuple[Feature, ...]:
    """Return built-up ground with a street."""
    street = way(4.6, (-10, 7.6), (15, 8.6), (40, 8.0))
    return (*area(Kind.BUA, _GROUND), street)


def enclosures() -> tuple[Feature, ...]:
    """Return two fields on either side of a hedge, one for each use of an enclosure: plough and crops."""
    low, high, hedge = -_OVER, SWATCH[1] + _OVER, 13.5
    left, right = box(-_OVER, low, hedge, high), box(hedge, low, SWATCH[0] + _OVER, high)
    return (*area(Kind.PLOUGH, left), *area(Kind.CROPS, right))


# --- The entries of the legend in order: the features that each explains, and its sample ------------------------------

_ALL_ROUND: Final = 0.95


class LegendEntry(Struct, frozen=True):
    """A legend entry: the key of its words, the features it explains, and a sample that fills a swatch at 1:1.

    ``goings`` returns the going of every feature that the entry explains. If there is none, the map does not need the
    entry.
    """

    key: str
    goings: Callable[[Battlefield], Iterator[Going]]
    sample: Callable[[], tuple[Feature, ...]]


def sample_field(entry: LegendEntry) -> Battlefield:
    """Return the sample of an entry as a battlefield as large as a swatch."""
    width, height = SWATCH
    board = Board(width, height, GroundScale(pace=0.254, base_width=40.0))
    return Battlefield(board=board, features=entry.sample())


def _of(kind: Kind, field: Battlefield) -> Iterator[Going]:
    return (feature.going for feature in field.of(kind))


def _hills(field: Battlefield) -> Iterator[Hill]:
    return (feature for feature in field.features if isinstance(feature, Hill))


def _gentle(field: Battlefield) -> Iterator[Going]:
    for found in _hills(field):
        steep = plain_sum(face.line.length for face in found.faces)
        if found.kind is Kind.HILL and found.cover is None and steep < _ALL_ROUND * found.outline.length:
            yield found.going


def _faces(kind: Kind, field: Battlefield) -> Iterator[Going]:
    return (face.going for found in _hills(field) for face in found.faces if face.kind is kind)


def _covered(cover: Kind, field: Battlefield) -> Iterator[Going]:
    return (found.going for found in _hills(field) if found.cover is cover)


def _entry(kind: Kind, sample: Callable[[], tuple[Feature, ...]]) -> LegendEntry:
    """Return the entry for all features of a kind."""
    return LegendEntry(kind.value, partial(_of, kind), sample)


def _whole_hill(kind: Kind, across: float, up: float, *, y: float = 9.5) -> LegendEntry:
    """Return the entry of a hill whose sample shows all of it, or nearly all."""

    def sample() -> tuple[Feature, ...]:
        outline = patch(15, y, across, up)
        return (Hill(id=f"legend-{kind}", kind=kind, contours=(outline,), going=UNSTATED),)

    return _entry(kind, sample)


def _grown(cover: Kind) -> LegendEntry:
    """Return the entry of a hill covered with woods or scrub."""
    return LegendEntry(f"{cover}_hill", partial(_covered, cover), sloped(cover=cover))


def _crossing(kind: Kind, *, over: Kind = Kind.ROAD) -> LegendEntry:
    """Return the entry of a crossing of a river."""
    return _entry(kind, crossed(kind, over=over))


def _closed(kind: Kind) -> LegendEntry:
    """Return the entry of a closed wood; its sample shows the right edge."""
    return _entry(kind, lambda: area(kind, box(-9, -9, 22, 30)))


def _open(kind: Kind) -> LegendEntry:
    """Return the entry of an open wood; its sample shows a corner."""
    return _entry(kind, lambda: area(kind, patch(11, 7, 17, 11.5)))


def _along(kind: Kind) -> LegendEntry:
    """Return the entry of a road or other course at the default width of its kind."""
    return _entry(kind, lambda: (way(0.0, *THROUGH, kind=kind),))


def _cliffs(field: Battlefield) -> Iterator[Going]:
    yield from _of(Kind.CLIFF, field)
    yield from _faces(Kind.CLIFF, field)


def _place(kind: Kind) -> LegendEntry:
    """Return the entry of a settlement; its sample shows all of a small one, with its road."""

    def sample() -> tuple[Feature, ...]:
        street = way(3.4, (-10, 7.6), (15, 9.6), (40, 10.6))
        return (*area(kind, patch(15, 9.4, 14.2, 8.7)), street)

    return _entry(kind, sample)


def _built(kind: Kind, across: float, up: float) -> LegendEntry:
    """Return the entry of a building or work with its plot."""
    corners = ((-0.5, -0.47), (0.48, -0.5), (0.5, 0.47), (-0.48, 0.5))
    outline = Polygon([(15 + x * across, 9.5 + y * up) for x, y in corners])
    return _entry(kind, lambda: area(kind, outline))


def _field(kind: Kind) -> LegendEntry:
    """Return the entry of a field; its sample shows all of a small one with its border."""
    outline = Polygon([(1.5, 1.4), (28.6, 1.8), (28.2, 17.6), (1.9, 17.2)])
    return _entry(kind, lambda: area(kind, outline))


def _work(kind: Kind) -> LegendEntry:
    def sample() -> tuple[Feature, ...]:
        line = bend((-6, 5), (8, 12.5), (20, 6), (36, 14))
        return (Course(id=f"legend-{kind}", kind=kind, line=line, width=0.0, going=UNSTATED),)

    return _entry(kind, sample)


def _ground(kind: Kind) -> LegendEntry:
    """Return the entry of ground that fills its swatch."""
    return _entry(kind, whole(kind))


def _island(kind: Kind) -> LegendEntry:
    """Return the entry of ground or water whose sample shows the edge all round."""
    return _entry(kind, lambda: area(kind, patch(15, 9.4, 13.6, 8.2)))


def _shore(kind: Kind) -> LegendEntry:
    """Return the entry of sea or waterway; its sample fills the lower half of the swatch."""
    outline = Polygon([(-9, 11), (4, 12.5), (16, 10.5), (39, 12), (39, -9), (-9, -9)])
    return _entry(kind, lambda: area(kind, outline))


# The entries in legend order: relief, woods, open ground, buildings, fields and their borders, roads, water.
ENTRIES: Final[tuple[LegendEntry, ...]] = (
    LegendEntry("gentle_slope", _gentle, sloped()),
    LegendEntry("steep_slope", partial(_faces, Kind.STEEP_SLOPE), sloped(face=Kind.STEEP_SLOPE)),
    LegendEntry("scree_slope", partial(_faces, Kind.SCREE), sloped(face=Kind.SCREE)),
    _whole_hill(Kind.RISE, 12.6, 7.6),
    _whole_hill(Kind.SPUR, 13.0, 6.8),
    _whole_hill(Kind.LONG_HILL, 13.4, 5.6),
    _whole_hill(Kind.MOUNTAIN, 20.0, 13.0, y=7.5),
    LegendEntry("light_wooded_hill", partial(_covered, Kind.LIGHT_WOODS), sloped(cover=Kind.LIGHT_WOODS)),
    LegendEntry("heavy_wooded_hill", partial(_covered, Kind.HEAVY_WOODS), sloped(cover=Kind.HEAVY_WOODS)),
    *map(_grown, (Kind.WOODLAND, Kind.FOREST, Kind.LIGHT_CONIFERS, Kind.CONIFER_FOREST, Kind.MIXED_WOODS)),
    *map(_grown, (Kind.LIGHT_PALMS, Kind.PALM_FOREST, Kind.SCRUB)),
    *(_open(Kind.LIGHT_WOODS), _closed(Kind.HEAVY_WOODS), _open(Kind.WOODLAND), _closed(Kind.FOREST)),
    *(_open(Kind.LIGHT_CONIFERS), _closed(Kind.CONIFER_FOREST), _closed(Kind.MIXED_WOODS)),
    *(_open(Kind.LIGHT_PALMS), _closed(Kind.PALM_FOREST)),
    _entry(Kind.CLEARING, opening),
    *map(_ground, (Kind.MARSH, Kind.SWAMP, Kind.BOGGY_GROUND, Kind.SCRUB, Kind.BROKEN_GROUND, Kind.ROUGH_GROUND)),
    *(_island(Kind.ROCKS), _ground(Kind.SCREE), _ground(Kind.DUNES), _island(Kind.OASIS), _ground(Kind.BEACH)),
    LegendEntry("cliff", _cliffs, lambda: (way(0.0, (-6, 13.5), (8, 11), (20, 14), (36, 11), kind=Kind.CLIFF),)),
    *map(_work, (Kind.RAVINE, Kind.GULLY)),
    _entry(Kind.DITCH, ditch),
    *(_built(Kind.BUILDING, 24.0, 16.5), _built(Kind.FARM, 25.0, 17.2)),
    *map(_place, (Kind.HAMLET, Kind.SETTLEMENT, Kind.VILLAGE, Kind.TOWN, Kind.CITY)),
    _entry(Kind.BUA, town),
    *(_built(Kind.EDIFICE, 25.0, 17.6), _built(Kind.FORT, 18.0, 17.8)),
    *(_built(Kind.CAMP, 26.0, 16.5), _built(Kind.BAGGAGE, 26.0, 16.0)),
    *map(_field, (Kind.PLOUGH, Kind.CROPS, Kind.PASTURE, Kind.ORCHARD, Kind.OLIVES, Kind.VINEYARD)),
    _entry(Kind.ENCLOSURE, enclosures),
    *map(_work, (Kind.HEDGE, Kind.WALL, Kind.FENCE, Kind.WORM_FENCE)),
    _entry(Kind.ROAD, lambda: (way(6.0, *THROUGH),)),
    *map(_along, (Kind.FENCED_ROAD, Kind.SUNKEN_LANE, Kind.TRACK, Kind.PATH, Kind.RAILWAY)),
    _entry(Kind.JUNCTION, junction),
    _entry(Kind.LEVEL_CROSSING, crossed(Kind.LEVEL_CROSSING, rails=True)),
    _entry(Kind.RIVER, lambda: (water(),)),
    *map(_along, (Kind.CREEK, Kind.STREAM)),
    *(_crossing(Kind.FORD), _crossing(Kind.BRIDGE)),
    *(_crossing(Kind.TIMBER_BRIDGE, over=Kind.TRACK), _crossing(Kind.RAILWAY_BRIDGE, over=Kind.RAILWAY)),
    _entry(Kind.LAKE, lambda: area(Kind.LAKE, patch(12, 4.5, 20, 10))),
    _island(Kind.POOL),
    *map(_shore, (Kind.SEA, Kind.WATERWAY)),
)
