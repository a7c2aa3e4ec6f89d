"""Swatches: sample features that fill them, and the legend entries in order, each with its sample."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

import numpy as np
from msgspec import Struct
from shapely import LineString, Point, Polygon, box

from printkit.core import exact_math
from printkit.core.sums import plain_sum
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Going, Hill, HillFace, Kind

# Width and height of a legend swatch in mm at 1:1.
SWATCH: Final = (30.0, 19.0)

# Size of symbols in a swatch, relative to the map.
SAMPLE_SIZE: Final = 0.8

UNSTATED: Final = Going(0, "")
# How far in mm ground extends past the border of a swatch, so that its edge is not visible.
_BORDER_OVERLAP: Final = 6.0

_GROUND: Final = box(-_BORDER_OVERLAP, -_BORDER_OVERLAP, SWATCH[0] + _BORDER_OVERLAP, SWATCH[1] + _BORDER_OVERLAP)

# The course of a road through a swatch.
THROUGH_SWATCH: Final = ((-10.0, 6.0), (8.0, 10.5), (20.0, 9.0), (40.0, 12.0))


def uneven_patch(x: float, y: float, half_width: float, half_height: float) -> Polygon:
    """Return an uneven oval round ``x``, ``y``, of 90 points; the same for equal arguments.

    The centre and the mean half width and half height are in mm of the swatch.
    """
    angles = np.linspace(0, 2 * np.pi, 90, endpoint=False)
    radius = (
        1
        + 0.05 * exact_math.cos(2 * angles + 0.7)
        + 0.035 * exact_math.cos(3 * angles + 2.1)
        + 0.02 * exact_math.cos(5 * angles)
    )
    return Polygon(
        np.column_stack(
            [x + half_width * radius * exact_math.cos(angles), y + half_height * radius * exact_math.sin(angles)]
        )
    )


def smooth_line(*points: tuple[float, float], steps: int = 40, window_side: int = 4) -> LineString:
    """Return a smooth line of ``steps`` points through about the given points, in the unit of these.

    The points are used at equal intervals along the line. Each y is the mean of its ``window_side`` neighbours on each
    side and itself; x is not averaged.
    """
    knots = np.asarray(points, dtype=float)
    share, window = np.linspace(0, 1, steps), 2 * window_side + 1
    xs = np.interp(share, np.linspace(0, 1, len(knots)), knots[:, 0])
    rough = np.interp(share, np.linspace(0, 1, len(knots)), knots[:, 1])
    padded = np.pad(rough, window_side, mode="edge")
    return LineString(np.column_stack([xs, exact_math.convolve(padded, np.ones(window) / window)]))


def make_area(kind: Kind, outline: Polygon) -> tuple[Feature, ...]:
    """Return a sample with one area of a kind; ``outline`` is in mm of the swatch."""
    return (Area(id=f"legend-{kind}", kind=kind, outline=outline, going=UNSTATED),)


def ground_sampler(kind: Kind) -> Callable[[], tuple[Feature, ...]]:
    """Return a function that makes ground which fills the swatch and continues under its border."""
    return lambda: make_area(kind, _GROUND)


def hill_sampler(*, face: Kind | None = None, cover: Kind | None = None) -> Callable[[], tuple[Feature, ...]]:
    """Return a function that makes a hill which continues under the border of the swatch.

    ``face`` is its slope all round and ``cover`` the woods on it, or None. Shapes are in mm of the swatch.
    """

    def sample() -> tuple[Feature, ...]:
        """Return the hill of this sampler."""
        outline = uneven_patch(13, 1.5, 21.5, 15.5)
        line = LineString(outline.exterior.coords)
        faces = () if face is None else (HillFace(line=line, kind=face, going=UNSTATED, side=0),)
        name = f"legend-hill-{face or cover or 'gentle'}"
        return (Hill(id=name, kind=Kind.HILL, contours=(outline,), going=UNSTATED, faces=faces, cover=cover),)

    return sample


def sample_clearing() -> tuple[Feature, ...]:
    """Return a wood with a clearing in it, as a sample in mm of the swatch."""
    gap = uneven_patch(17.5, 8.5, 10.5, 7.0)
    return (*make_area(Kind.FOREST, _GROUND), *make_area(Kind.CLEARING, gap))


def sample_river() -> Course:
    """Return a river through the swatch, in mm of the swatch."""
    line = smooth_line((-12, 10), (4, 7), (14, 9), (26, 7.5), (44, 9.5))
    return Course(id="legend-river", kind=Kind.RIVER, line=line, width=7.5, going=UNSTATED)


def make_course(width: float, *points: tuple[float, float], kind: Kind = Kind.ROAD) -> Course:
    """Return a road or other course through ``points``, ``width`` mm wide.

    Points are in mm of the swatch. A width of 0 is the default width of its kind.
    """
    return Course(id=f"legend-{kind}", kind=kind, line=smooth_line(*points), width=width, going=UNSTATED)


def crossing_sampler(
    kind: Kind, *, upper_kind: Kind = Kind.ROAD, over_railway: bool = False
) -> Callable[[], tuple[Feature, ...]]:
    """Return a function that makes a sample crossing of this kind in mm of the swatch.

    The function takes no arguments. It returns the lower course (a river, or a railway if ``over_railway``), the upper
    course of ``upper_kind``, and the crossing, in this order.
    """

    def sample() -> tuple[Feature, ...]:
        """Return the lower course, the upper course and their crossing, in mm of the swatch."""
        lower = make_course(0.0, *THROUGH_SWATCH, kind=Kind.RAILWAY) if over_railway else sample_river()
        upper = make_course(5.4, (14.0, -8), (15.0, 28), kind=upper_kind)
        overlap = upper.line.intersection(lower.line)
        return lower, upper, make_crossing(kind, Point(overlap.centroid), upper, lower, bearing=88.4)

    return sample


def make_crossing(kind: Kind, point: Point, upper: Course, lower: Course, *, bearing: float) -> Crossing:
    """Return the crossing of two courses of a sample.

    ``point`` is in mm of the swatch; ``bearing`` is that of the upper course, in degrees.
    """
    name = f"legend-{kind}"
    return Crossing(id=name, kind=kind, at=point, bearing=bearing, route=upper.id, water=lower.id, going=UNSTATED)


def sample_junction() -> tuple[Feature, ...]:
    """Return two roads that meet and their junction, as a sample in mm of the swatch."""
    main = make_course(5.4, *THROUGH_SWATCH)
    side = LineString([(15, 9.6), (17, 28)])
    branch = Course(id="legend-branch", kind=Kind.ROAD, line=side, width=5.4, going=UNSTATED)
    return main, branch, make_crossing(Kind.JUNCTION, Point(15, 9.6), branch, main, bearing=84.0)


def sample_ditch() -> tuple[Feature, ...]:
    """Return a ditch with a bend, as a sample in mm of the swatch."""
    line = LineString([(-6, 5), (11, 12.5), (36, 7)])
    return (Course(id="legend-ditch", kind=Kind.DITCH, line=line, width=0.0, going=UNSTATED),)


def sample_town() -> tuple[Feature, ...]:
    """Return built-up ground with a street, as a sample in mm of the swatch."""
    street = make_course(4.6, (-10, 7.6), (15, 8.6), (40, 8.0))
    return (*make_area(Kind.BUA, _GROUND), street)


def sample_enclosures() -> tuple[Feature, ...]:
    """Return two fields on either side of a hedge, as a sample in mm of the swatch.

    There is one for each use of an enclosure: plough and crops.
    """
    low, high, hedge = -_BORDER_OVERLAP, SWATCH[1] + _BORDER_OVERLAP, 13.5
    left, right = box(-_BORDER_OVERLAP, low, hedge, high), box(hedge, low, SWATCH[0] + _BORDER_OVERLAP, high)
    return (*make_area(Kind.PLOUGH, left), *make_area(Kind.CROPS, right))


# --- The entries of the legend in order: the features that each explains, and its sample ------------------------------

_STEEP_SHARE: Final = 0.95


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


def _kind_goings(kind: Kind, field: Battlefield) -> Iterator[Going]:
    """Yield the going of every feature of a kind."""
    return (feature.going for feature in field.select_features(kind))


def _field_hills(field: Battlefield) -> Iterator[Hill]:
    """Yield the hills of a battlefield, of every kind."""
    return (feature for feature in field.features if isinstance(feature, Hill))


def _gentle_slope_goings(field: Battlefield) -> Iterator[Going]:
    """Yield the going of every hill (of the kind hill) without cover that has some gentle slope.

    A hill has some if its faces are shorter than 0.95 of its outline.
    """
    for hill in _field_hills(field):
        steep = plain_sum(face.line.length for face in hill.faces)
        if hill.kind is Kind.HILL and hill.cover is None and steep < _STEEP_SHARE * hill.outline.length:
            yield hill.going


def _face_goings(kind: Kind, field: Battlefield) -> Iterator[Going]:
    """Yield the going of every hill face of a kind."""
    return (face.going for hill in _field_hills(field) for face in hill.faces if face.kind is kind)


def _covered_hill_goings(cover: Kind, field: Battlefield) -> Iterator[Going]:
    """Yield the going of every hill with this cover."""
    return (hill.going for hill in _field_hills(field) if hill.cover is cover)


def _kind_entry(kind: Kind, sample: Callable[[], tuple[Feature, ...]]) -> LegendEntry:
    """Return the legend entry for all features of a kind; ``sample`` makes its sample."""
    return LegendEntry(kind.value, partial(_kind_goings, kind), sample)


def _hill_entry(kind: Kind, half_width: float, half_height: float, *, y: float = 9.5) -> LegendEntry:
    """Return the entry of a hill whose sample shows all of it, or nearly all.

    ``half_width``, ``half_height`` and ``y`` of its middle are in mm of the swatch.
    """

    def sample() -> tuple[Feature, ...]:
        """Return the hill of this entry."""
        outline = uneven_patch(15, y, half_width, half_height)
        return (Hill(id=f"legend-{kind}", kind=kind, contours=(outline,), going=UNSTATED),)

    return _kind_entry(kind, sample)


def _covered_hill_entry(cover: Kind) -> LegendEntry:
    """Return the entry of a hill covered with woods or scrub."""
    return LegendEntry(f"{cover}_hill", partial(_covered_hill_goings, cover), hill_sampler(cover=cover))


def _crossing_entry(kind: Kind, *, upper_kind: Kind = Kind.ROAD) -> LegendEntry:
    """Return the entry of a crossing of a river."""
    return _kind_entry(kind, crossing_sampler(kind, upper_kind=upper_kind))


def _closed_wood_entry(kind: Kind) -> LegendEntry:
    """Return the entry of a closed wood; its sample shows the right edge."""
    return _kind_entry(kind, lambda: make_area(kind, box(-9, -9, 22, 30)))


def _open_wood_entry(kind: Kind) -> LegendEntry:
    """Return the entry of an open wood; its sample shows a corner."""
    return _kind_entry(kind, lambda: make_area(kind, uneven_patch(11, 7, 17, 11.5)))


def _course_entry(kind: Kind) -> LegendEntry:
    """Return the entry of a road or other course at the default width of its kind."""
    return _kind_entry(kind, lambda: (make_course(0.0, *THROUGH_SWATCH, kind=kind),))


def _cliff_goings(field: Battlefield) -> Iterator[Going]:
    """Yield the going of every cliff: courses, areas and hill faces."""
    yield from _kind_goings(Kind.CLIFF, field)
    yield from _face_goings(Kind.CLIFF, field)


def _settlement_entry(kind: Kind) -> LegendEntry:
    """Return the entry of a settlement; its sample shows all of a small one, with its road."""

    def sample() -> tuple[Feature, ...]:
        """Return the settlement of this entry with its road."""
        street = make_course(3.4, (-10, 7.6), (15, 9.6), (40, 10.6))
        return (*make_area(kind, uneven_patch(15, 9.4, 14.2, 8.7)), street)

    return _kind_entry(kind, sample)


def _building_entry(kind: Kind, width: float, height: float) -> LegendEntry:
    """Return the entry of a building or work, ``width`` by ``height`` in mm of the swatch."""
    corners = ((-0.5, -0.47), (0.48, -0.5), (0.5, 0.47), (-0.48, 0.5))
    outline = Polygon([(15 + x * width, 9.5 + y * height) for x, y in corners])
    return _kind_entry(kind, lambda: make_area(kind, outline))


def _field_entry(kind: Kind) -> LegendEntry:
    """Return the entry of a field; its sample shows all of a small one with its border."""
    outline = Polygon([(1.5, 1.4), (28.6, 1.8), (28.2, 17.6), (1.9, 17.2)])
    return _kind_entry(kind, lambda: make_area(kind, outline))


def _work_entry(kind: Kind) -> LegendEntry:
    """Return the entry of a wall, hedge, ditch or similar work with a winding line."""

    def sample() -> tuple[Feature, ...]:
        """Return the work of this entry."""
        line = smooth_line((-6, 5), (8, 12.5), (20, 6), (36, 14))
        return (Course(id=f"legend-{kind}", kind=kind, line=line, width=0.0, going=UNSTATED),)

    return _kind_entry(kind, sample)


def _ground_entry(kind: Kind) -> LegendEntry:
    """Return the entry of ground that fills its swatch."""
    return _kind_entry(kind, ground_sampler(kind))


def _island_entry(kind: Kind) -> LegendEntry:
    """Return the entry of ground or water whose sample shows the edge all round."""
    return _kind_entry(kind, lambda: make_area(kind, uneven_patch(15, 9.4, 13.6, 8.2)))


def _shore_entry(kind: Kind) -> LegendEntry:
    """Return the entry of sea or waterway; its sample fills the lower half of the swatch."""
    outline = Polygon([(-9, 11), (4, 12.5), (16, 10.5), (39, 12), (39, -9), (-9, -9)])
    return _kind_entry(kind, lambda: make_area(kind, outline))


# The entries in legend order: relief, woods, open ground, buildings, fields and their borders, roads, water.
ENTRIES: Final[tuple[LegendEntry, ...]] = (
    LegendEntry("gentle_slope", _gentle_slope_goings, hill_sampler()),
    LegendEntry("steep_slope", partial(_face_goings, Kind.STEEP_SLOPE), hill_sampler(face=Kind.STEEP_SLOPE)),
    LegendEntry("scree_slope", partial(_face_goings, Kind.SCREE), hill_sampler(face=Kind.SCREE)),
    _hill_entry(Kind.RISE, 12.6, 7.6),
    _hill_entry(Kind.SPUR, 13.0, 6.8),
    _hill_entry(Kind.LONG_HILL, 13.4, 5.6),
    _hill_entry(Kind.MOUNTAIN, 20.0, 13.0, y=7.5),
    LegendEntry(
        "light_wooded_hill", partial(_covered_hill_goings, Kind.LIGHT_WOODS), hill_sampler(cover=Kind.LIGHT_WOODS)
    ),
    LegendEntry(
        "heavy_wooded_hill", partial(_covered_hill_goings, Kind.HEAVY_WOODS), hill_sampler(cover=Kind.HEAVY_WOODS)
    ),
    *map(_covered_hill_entry, (Kind.WOODLAND, Kind.FOREST, Kind.LIGHT_CONIFERS, Kind.CONIFER_FOREST, Kind.MIXED_WOODS)),
    *map(_covered_hill_entry, (Kind.LIGHT_PALMS, Kind.PALM_FOREST, Kind.SCRUB)),
    *(
        _open_wood_entry(Kind.LIGHT_WOODS),
        _closed_wood_entry(Kind.HEAVY_WOODS),
        _open_wood_entry(Kind.WOODLAND),
        _closed_wood_entry(Kind.FOREST),
    ),
    *(
        _open_wood_entry(Kind.LIGHT_CONIFERS),
        _closed_wood_entry(Kind.CONIFER_FOREST),
        _closed_wood_entry(Kind.MIXED_WOODS),
    ),
    *(_open_wood_entry(Kind.LIGHT_PALMS), _closed_wood_entry(Kind.PALM_FOREST)),
    _kind_entry(Kind.CLEARING, sample_clearing),
    *map(_ground_entry, (Kind.MARSH, Kind.SWAMP, Kind.BOGGY_GROUND, Kind.SCRUB, Kind.BROKEN_GROUND, Kind.ROUGH_GROUND)),
    *(
        _island_entry(Kind.ROCKS),
        _ground_entry(Kind.SCREE),
        _ground_entry(Kind.DUNES),
        _island_entry(Kind.OASIS),
        _ground_entry(Kind.BEACH),
    ),
    LegendEntry(
        "cliff", _cliff_goings, lambda: (make_course(0.0, (-6, 13.5), (8, 11), (20, 14), (36, 11), kind=Kind.CLIFF),)
    ),
    *map(_work_entry, (Kind.RAVINE, Kind.GULLY)),
    _kind_entry(Kind.DITCH, sample_ditch),
    *(_building_entry(Kind.BUILDING, 24.0, 16.5), _building_entry(Kind.FARM, 25.0, 17.2)),
    *map(_settlement_entry, (Kind.HAMLET, Kind.SETTLEMENT, Kind.VILLAGE, Kind.TOWN, Kind.CITY)),
    _kind_entry(Kind.BUA, sample_town),
    *(_building_entry(Kind.EDIFICE, 25.0, 17.6), _building_entry(Kind.FORT, 18.0, 17.8)),
    *(_building_entry(Kind.CAMP, 26.0, 16.5), _building_entry(Kind.BAGGAGE, 26.0, 16.0)),
    *map(_field_entry, (Kind.PLOUGH, Kind.CROPS, Kind.PASTURE, Kind.ORCHARD, Kind.OLIVES, Kind.VINEYARD)),
    _kind_entry(Kind.ENCLOSURE, sample_enclosures),
    *map(_work_entry, (Kind.HEDGE, Kind.WALL, Kind.FENCE, Kind.WORM_FENCE)),
    _kind_entry(Kind.ROAD, lambda: (make_course(6.0, *THROUGH_SWATCH),)),
    *map(_course_entry, (Kind.FENCED_ROAD, Kind.SUNKEN_LANE, Kind.TRACK, Kind.PATH, Kind.RAILWAY)),
    _kind_entry(Kind.JUNCTION, sample_junction),
    _kind_entry(Kind.LEVEL_CROSSING, crossing_sampler(Kind.LEVEL_CROSSING, over_railway=True)),
    _kind_entry(Kind.RIVER, lambda: (sample_river(),)),
    *map(_course_entry, (Kind.CREEK, Kind.STREAM)),
    *(_crossing_entry(Kind.FORD), _crossing_entry(Kind.BRIDGE)),
    *(
        _crossing_entry(Kind.TIMBER_BRIDGE, upper_kind=Kind.TRACK),
        _crossing_entry(Kind.RAILWAY_BRIDGE, upper_kind=Kind.RAILWAY),
    ),
    _kind_entry(Kind.LAKE, lambda: make_area(Kind.LAKE, uneven_patch(12, 4.5, 20, 10))),
    _island_entry(Kind.POOL),
    *map(_shore_entry, (Kind.SEA, Kind.WATERWAY)),
)
