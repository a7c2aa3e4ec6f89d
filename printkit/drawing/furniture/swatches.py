"""Samples of kinds, in swatches of the legend and on the symbol sheet, and the entries of the legend in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np
from msgspec import Struct, convert
from shapely import LineString, Point, Polygon, affinity, box

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.core.resources import template
from printkit.core.sums import plain_sum
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.features import (
    KIND_ROWS,
    ROWS,
    Area,
    Course,
    Crossing,
    Feature,
    Going,
    Hill,
    HillFace,
    Kind,
    KindRow,
)
from printkit.terrain.geometry.outlines import blob, draw_plot_outline, inner_contour

# Width and height of a legend swatch in mm at 1:1.
SWATCH: Final = (30.0, 19.0)
# The exponent for shrinking symbols with the map scale; see ``SymbolContext.symbol_scale``.
_POWER: Final = 0.55

# Size of symbols in a swatch, relative to the map.
SAMPLE_SIZE: Final = 0.8

UNSTATED: Final = Going(0, "")


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


# --- Samples: the forms that rows of the table of kinds name, in the two sizes ----------------------------------------

_Points: TypeAlias = tuple[tuple[float, float], ...]


class SampleShape(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The shape of a form in one size of samples, in mm of the swatch or in shares of the field of the symbol sheet.

    Attributes:
        line: the points of a line.
        smooth: points of a line, which is then smoothed; with a polygon it is the first side of the polygon.
        rise: the height of the bends of a smooth line across the middle.
        polygon: the corners of an area.
        patch: an uneven oval: its middle, half its width and half its height; in a swatch only.
        blob: an irregular area: its width and height; then its middle and its roughness, without them the usual ones.
        plot: the width and height of the ground of a settlement in the middle.
    """

    line: _Points = ()
    smooth: _Points = ()
    rise: float = 0.0
    polygon: _Points = ()
    patch: tuple[float, float, float, float] | None = None
    blob: tuple[float, ...] = ()
    plot: tuple[float, float] = (1.0, 1.0)


# The bends of a winding line across a field: x in shares of its width, and y from its middle in rises.
_BENDS: Final = ((-0.1, -1.0), (0.25, 0.4), (0.65, -0.3), (1.1, 1.0))

_SHAPES: Final = convert(template("symbols", "samples"), dict[str, dict[str, SampleShape]])


class SampleSize(Struct, frozen=True, kw_only=True):
    """A size of samples: a swatch of the legend, or a field of the symbol sheet.

    Attributes:
        shapes: the shape of each form.
        prefix: the first part of the IDs of features, before the hyphen.
        width: mm at 1:1 for 1 of these shapes: 1 in a swatch, otherwise the width of the field.
        height: the same from the bottom to the top.
        steps: the number of points of a smooth line.
        window_side: the number of neighbours on each side that are averaged for it.
    """

    shapes: Mapping[str, SampleShape]
    prefix: str
    width: float = 1.0
    height: float = 1.0
    steps: int = 40
    window_side: int = 4

    def make_shape(self, form: str, key: str = "") -> Any:
        """Return the shape of a form in mm at 1:1: a line or a polygon.

        ``key`` names the random stream of an irregular one.
        """
        shape = self.shapes.get(form) or self.shapes["area"]
        bends = [(x, 0.5 + y * shape.rise) for x, y in _BENDS] if shape.rise else shape.smooth
        if bends:
            line = smooth_line(*self.place(bends), steps=self.steps, window_side=self.window_side)
            return Polygon([*line.coords, *self.place(shape.polygon)]) if shape.polygon else line
        if shape.line:
            return LineString(self.place(shape.line))
        if shape.polygon:
            return Polygon(self.place(shape.polygon))
        if shape.patch is not None:
            return uneven_patch(*shape.patch)
        if shape.blob:
            return self.make_blob(key, *shape.blob)
        width, height = shape.plot
        outline = draw_plot_outline(self.width * width, self.height * height, Stream(f"specimen/{key}"))
        return affinity.translate(outline, self.width / 2, self.height / 2)

    def place(self, points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        """Return the points of a shape in mm at 1:1."""
        return [(x * self.width, y * self.height) for x, y in points]

    def make_blob(
        self, key: str, width: float, height: float, x: float = 0.5, y: float = 0.5, roughness: float = 0.18
    ) -> Polygon:
        """Return an irregular area in mm at 1:1 from its size and middle; ``key`` names its random stream."""
        outline = blob(self.width * width, self.height * height, Stream(f"specimen/{key}"), roughness=roughness)
        return affinity.translate(outline, self.width * x, self.height * y)

    def find_values(self, kind: Kind) -> tuple[Any, ...]:
        """Return the values of the form of a kind in this size."""
        row = KIND_ROWS[kind]
        return row.swatch if self is SWATCH_SIZE else row.sheet

    def make_area(self, kind: Kind, outline: Polygon, name: str = "") -> Area:
        """Return an area of a sample; ``name`` is the second part of its ID, without it the kind."""
        return Area(id=f"{self.prefix}-{name or kind}", kind=kind, outline=outline, going=UNSTATED)

    def make_course(self, kind: Kind, line: LineString, width: float = 0.0, name: str = "") -> Course:
        """Return a course of a sample; ``name`` is the second part of its ID, without it the kind.

        ``width`` is in mm at 1:1; 0 is the default width of the kind.
        """
        return Course(id=f"{self.prefix}-{name or kind}", kind=kind, line=line, width=width, going=UNSTATED)

    def make_crossing(self, kind: Kind, point: Point, bearing: float, upper: Course, lower: Course) -> Crossing:
        """Return the crossing of two courses of a sample; ``bearing`` is that of the upper course, in degrees."""
        name = f"{self.prefix}-{kind}"
        return Crossing(id=name, kind=kind, at=point, bearing=bearing, route=upper.id, water=lower.id, going=UNSTATED)


SWATCH_SIZE: Final = SampleSize(shapes=_SHAPES["swatch"], prefix="legend")


def make_field_size(width: float, height: float) -> SampleSize:
    """Return the size of samples for a field of the symbol sheet of ``width`` by ``height`` mm at 1:1."""
    return SampleSize(shapes=_SHAPES["sheet"], prefix="specimen", width=width, height=height, steps=60, window_side=8)


def make_sample(size: SampleSize, kind: Kind) -> tuple[Feature, ...]:
    """Return the sample of a kind; its own feature is the last, except in the swatch of a settlement."""
    make = _FORMS.get(KIND_ROWS[kind].sample, _make_single)
    return make(size, kind, *size.find_values(kind))


def _make_single(size: SampleSize, kind: Kind, width: float = 0.0) -> tuple[Feature, ...]:
    """Return one area or course; ``width`` is that of a course in mm at 1:1, 0 for its default."""
    shape = size.make_shape(KIND_ROWS[kind].sample, kind)
    return (size.make_course(kind, shape, width) if isinstance(shape, LineString) else size.make_area(kind, shape),)


def make_hill(
    size: SampleSize,
    kind: Kind = Kind.HILL,
    *values: float,
    levels: int = 1,
    face: Kind | None = None,
    face_range: tuple[float, float] = (0.55, 0.80),
    cover: Kind | None = None,
) -> tuple[Feature, ...]:
    """Return a hill, as a sample with one feature.

    Args:
        size: the size of the sample.
        kind: the kind of hill.
        values: in a swatch the patch of its outline, otherwise its height relative to the field; without them those of
            the kind hill.
        levels: the number of contours, 1 or 2.
        face: the kind of a slope, or None; in a swatch all round.
        face_range: otherwise its start and end, as shares of the outline.
        cover: the woods on it, or None.
    """
    values = values or size.find_values(Kind.HILL)
    if size is SWATCH_SIZE:
        outline = uneven_patch(*values)
        name = f"hill-{face or cover or 'gentle'}" if kind is Kind.HILL else str(kind)
    else:
        outline = size.make_blob(f"hill-{kind}-{levels}", 0.88, *values)
        name = f"{kind}-{levels}-{face or ''}-{cover or ''}"
    contours = [outline]
    if levels > 1:
        contours.append(inner_contour(outline, Stream("specimen/upper"), inset=0.10 * size.height))
    line = LineString(outline.exterior.coords)
    if size is not SWATCH_SIZE:
        shares = np.linspace(*face_range, 80)
        line = LineString([line.interpolate(share % 1.0 or 1e-9, normalized=True) for share in shares])
    faces = () if face is None else (HillFace(line=line, kind=face, going=UNSTATED, side=0),)
    identity = f"{size.prefix}-{name}"
    return (Hill(id=identity, kind=kind, contours=tuple(contours), going=UNSTATED, faces=faces, cover=cover),)


def _make_slope(size: SampleSize, kind: Kind) -> tuple[Feature, ...]:
    """Return a hill with a slope of a kind."""
    return make_hill(size, face=kind)


def _make_clearing(size: SampleSize, kind: Kind, wood_kind: Kind) -> tuple[Feature, ...]:
    """Return a wood of a kind with a clearing in it; on the symbol sheet the wood has a hole there."""
    opening = size.make_shape("clearing", kind)
    if size is SWATCH_SIZE:
        wood = size.make_shape("ground")
    else:
        wood = size.make_shape("clearing-wood", "clearing-wood").difference(opening)
    return size.make_area(wood_kind, wood, "forest"), size.make_area(kind, opening)


def _make_field(size: SampleSize, kind: Kind, *uses: Kind) -> tuple[Feature, ...]:
    """Return a field, or fields side by side, one for each of its uses."""
    if not uses:
        return _make_single(size, kind)
    return tuple(size.make_area(use, size.make_shape(f"field-{use}")) for use in uses)


def _make_building(size: SampleSize, kind: Kind, width: float, height: float) -> tuple[Feature, ...]:
    """Return a building or camp in the middle, of ``width`` by ``height`` mm at 1:1, slightly askew."""
    if size is SWATCH_SIZE:
        corners = ((-0.5, -0.47), (0.48, -0.5), (0.5, 0.47), (-0.48, 0.5))
        outline = Polygon([(15 + x * width, 9.5 + y * height) for x, y in corners])
    else:
        outline = affinity.rotate(box(-width / 2, -height / 2, width / 2, height / 2), 8)
        outline = affinity.translate(outline, size.width / 2, size.height / 2)
    return (size.make_area(kind, outline),)


def _make_settlement(size: SampleSize, kind: Kind, road_width: float) -> tuple[Feature, ...]:
    """Return a settlement and a road into it or through it, ``road_width`` mm wide at 1:1."""
    form = KIND_ROWS[kind].sample
    ground = size.make_area(kind, size.make_shape(form, kind))
    name = "road" if size is SWATCH_SIZE else f"{kind}-road"
    road = size.make_course(Kind.ROAD, size.make_shape(f"{form}-road"), road_width, name)
    return (ground, road) if size is SWATCH_SIZE else (road, ground)


def _make_crossing(
    size: SampleSize, kind: Kind, upper_kind: Kind, upper_width: float, lower_kind: Kind, lower_width: float
) -> tuple[Feature, ...]:
    """Return the lower course, the upper course and their crossing; widths are in mm at 1:1."""
    name = "" if size is SWATCH_SIZE else f"{kind}-way"
    lower = size.make_course(lower_kind, size.make_shape(f"crossing-{lower_kind}"), lower_width)
    upper = size.make_course(upper_kind, size.make_shape("crossing"), upper_width, name)
    bearing = 88.4
    if size is not SWATCH_SIZE:
        bearing = float(np.degrees(exact_math.arctan2(1.4 * size.height, 0.08 * size.width)))
    point = Point(lower.line.intersection(upper.line).centroid)
    return lower, upper, size.make_crossing(kind, point, bearing, upper, lower)


def _make_junction(
    size: SampleSize, kind: Kind, branch_kind: Kind, width: float, bearing: float
) -> tuple[Feature, ...]:
    """Return a road, its branch and their junction; ``width`` of both is in mm at 1:1."""
    road = size.make_course(Kind.ROAD, size.make_shape("junction-road"), width)
    points = list(size.make_shape("junction").coords)
    if size is not SWATCH_SIZE:
        points.insert(0, road.line.interpolate(0.5, normalized=True).coords[0])
    name = "branch" if size is SWATCH_SIZE else ""
    branch = size.make_course(branch_kind, LineString(points), width, name)
    courses = (road, branch) if size is SWATCH_SIZE else (branch, road)
    return *courses, size.make_crossing(kind, Point(points[0]), bearing, branch, road)


# The functions of the forms that are more than one area or course.
_FORMS: Final[Mapping[str, Callable[..., tuple[Feature, ...]]]] = {
    "hill": make_hill,
    "slope": _make_slope,
    "clearing": _make_clearing,
    "field": _make_field,
    "building": _make_building,
    "settlement": _make_settlement,
    "built-up-area": _make_settlement,
    "crossing": _make_crossing,
    "junction": _make_junction,
}


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


def swatch_scale(width: float) -> float:
    """Return the scale, in printed mm per mm of the board, at which a swatch is ``width`` printed mm wide."""
    return float((width / SWATCH[0]) ** (1.0 / _POWER))


def sample_field(entry: LegendEntry) -> Battlefield:
    """Return the sample of an entry as a battlefield as large as a swatch."""
    width, height = SWATCH
    board = Board(width, height, GroundScale(pace=0.254, base_width=40.0))
    return Battlefield(board=board, features=entry.sample())


def _has_gentle_slope(hill: Hill) -> bool:
    """Return whether a hill has no cover, and faces shorter than 0.95 of its outline."""
    steep = plain_sum(face.line.length for face in hill.faces)
    return hill.cover is None and steep < _STEEP_SHARE * hill.outline.length


# Kinds of slopes with an entry of their own, next to that of their areas.
_SLOPES: Final = tuple(row.slope for row in ROWS.values())


def _find_goings(kind: Kind, row: KindRow, field: Battlefield) -> Iterator[Going]:
    """Yield the going of everything that an entry explains: features of its kind, faces of hills, or covered hills.

    A hill of the kind hill counts if it has some gentle slope.
    """
    for feature in field.features:
        hill = feature if isinstance(feature, Hill) else None
        if hill is not None and (row.slope or kind not in _SLOPES):
            yield from (face.going for face in hill.faces if face.kind is kind)
        found_kind = feature.kind if row.cover is None else hill and hill.cover
        if found_kind is kind and not row.slope and (hill is None or kind is not Kind.HILL or _has_gentle_slope(hill)):
            yield feature.going


def _make_entry(key: str, row: KindRow) -> LegendEntry:
    """Return the legend entry of a row of the table of kinds."""
    kind = row.slope or row.cover or Kind(key)
    sample = partial(make_sample, SWATCH_SIZE, kind)
    if row.slope or row.cover:
        sample = partial(make_hill, SWATCH_SIZE, face=row.slope, cover=row.cover)
    return LegendEntry(row.legend or key, partial(_find_goings, kind, row), sample)


# The entries in legend order: relief, woods, open ground, buildings, fields and their borders, roads, water.
ENTRIES: Final = tuple(_make_entry(key, row) for key, row in ROWS.items())
