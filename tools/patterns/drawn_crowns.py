"""The shapes of single tree crowns from above: leaf trees, conifers, palms and dead trees, drawn from fixed seeds.

All have radius 1 about the origin and light from the north-west. Source: the cartography, 4, 9.5 and 20.7.
``patterns.py`` stores their parts in ``templates/patterns``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import LineString, Point, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core import exact_math
from printkit.drawing.canvas.items import PathRun
from printkit.drawing.canvas.shapes import Line, lines, normals, polygons, ribbon, runs
from printkit.drawing.canvas.symbol_context import hatch_lines
from printkit.drawing.scatter.crowns import LINES, SURFACES, UNIT

_LEAVES: Final = 4

# Pieces of shade with a smaller area are dropped.
_SPECK: Final = 0.03

# Offset of a shadow to the east and north, and its scale relative to the crown.
_SHADOW: Final = (0.51, -0.54, 1.03)

# Corners of the shadow of a conifer: the width of its boughs, then the long point of its tip.
_KITE: Final = ((-0.50, 0.50), (0.62, 0.45), (1.75, -1.75), (-0.45, -0.62))

_NOTCH_RADIUS: Final = 0.60

# Minimum cosine of a facet's direction to the south-east for shade, and for the deepest shade.
_SHADE_COSINE: Final = 0.10
_DEEP_SHADE_COSINE: Final = 0.72

_FROND_WIDTH: Final = 0.17
_LEAFLETS: Final = 7
_BESIDE: Final = 1e-3


class Crown(Struct, frozen=True, kw_only=True):
    """The parts of one crown, at radius 1.

    Attributes:
        silhouette: its outline.
        pieces: parts that cover the silhouette and take the inks of the family in turn.
        shade: the shaded part.
        rim: the deepest shade.
        light: the lit part.
        shadow: the shadow on the ground.
        leaves: fine lines.
        strokes: lines that replace the shade in a style with hatching; without them the shade is hatched evenly.
        heart: radius of the dot in the middle.
    """

    silhouette: Polygon
    pieces: tuple[BaseGeometry, ...]
    shade: BaseGeometry
    rim: BaseGeometry
    light: BaseGeometry
    shadow: Polygon
    leaves: tuple[Line, ...]
    strokes: tuple[Line, ...] = ()
    heart: float = 0.0


@cache
def lobed(variant: int) -> Crown:
    """Return a leaf tree's crown of radius 1: a disc with six to eight lobes.

    ``variant`` is the number of the shape, from 0; the same number gives the same crown.
    """
    stream, count, first, step = _start_crown("lobed", variant, 6)
    lobes = [Point(0, 0).buffer(0.66, quad_segs=12)]
    for number in range(count):
        angle = first + step * (number + stream.between(-0.18, 0.18))
        reach, radius = stream.between(0.56, 0.66), stream.between(0.30, 0.42)
        lobes.append(Point(reach * math.cos(angle), reach * math.sin(angle)).buffer(radius, quad_segs=10))
    silhouette = _largest_polygon(shapely.union_all(lobes))
    smaller = affinity.scale(silhouette, 0.98, 0.98, origin=(0, 0))
    lit, edge = (affinity.translate(smaller, -shift, shift) for shift in (0.30, 0.13))
    return Crown(
        silhouette=silhouette,
        pieces=(silhouette,),
        shade=_without_specks(silhouette.difference(lit)),
        rim=_without_specks(silhouette.difference(edge)),
        light=affinity.translate(affinity.scale(silhouette, 0.42, 0.36, origin=(0, 0)), -0.24, 0.27),
        shadow=_cast_shadow(silhouette),
        leaves=tuple(_build_leaf(stream) for _ in range(_LEAVES)),
    )


@cache
def conifer(variant: int) -> Crown:
    """Return a conifer of radius 1: a star of nine to eleven boughs, each a ridge between two facets.

    ``variant`` is the number of the shape, from 0.
    """
    stream, count, first, step = _start_crown("conifer", variant, 9)
    ridges = [first + step * number + stream.between(-0.08, 0.08) for number in range(count)]
    tips = [_polar(stream.between(0.93, 1.05), angle) for angle in ridges]
    notches = [_polar(_NOTCH_RADIUS, first + step * (number + 0.5)) for number in range(count)]
    star = [corner for pair in zip(tips, notches, strict=True) for corner in pair]
    dark: list[BaseGeometry] = []
    darkest: list[BaseGeometry] = []
    lit: list[BaseGeometry] = []
    strokes: list[Line] = []
    for number, tip in enumerate(tips):
        for notch, side in ((notches[number - 1], -1.0), (notches[number], 1.0)):
            # A facet slopes outwards and away from its ridge.
            light_angle = math.cos(ridges[number] + side * 0.9 * step + math.pi / 4)
            facet = Polygon([(0.0, 0.0), tip, notch])
            if light_angle > _SHADE_COSINE:
                dark.append(facet)
                # A line down the facet, to the middle between tip and notch.
                edge = 0.5 * np.array(tip) + 0.5 * np.array(notch)
                strokes.append(np.array([0.34 * edge, 0.96 * edge]))
            elif light_angle < -_DEEP_SHADE_COSINE:
                lit.append(facet)
            if light_angle > _DEEP_SHADE_COSINE:
                darkest.append(facet)
    silhouette = _largest_polygon(shapely.make_valid(Polygon(star)))
    return Crown(
        silhouette=silhouette,
        pieces=(silhouette,),
        shade=shapely.union_all(dark),
        rim=shapely.union_all(darkest),
        light=shapely.union_all(lit),
        shadow=Polygon(_KITE),
        leaves=tuple(
            np.array([_polar(0.12, angle), 0.94 * np.array(tip)]) for angle, tip in zip(ridges, tips, strict=True)
        ),
        strokes=tuple(strokes),
        heart=0.10,
    )


@cache
def palm(variant: int) -> Crown:
    """Return a palm of radius 1: seven to nine curved fronds, each on top of the previous one.

    ``variant`` is the number of the shape, from 0.
    """
    stream, count, first, step = _start_crown("palm", variant, 7)
    ribs = [_build_rib(first + step * number + stream.between(-0.15, 0.15), stream) for number in range(count)]
    shares = np.linspace(0, 1, len(ribs[0]))
    half = _FROND_WIDTH * exact_math.power(exact_math.sin(np.pi * (0.08 + 0.90 * shares)), 0.8) * (1 - 0.3 * shares)
    fronds = [shapely.make_valid(ribbon(rib, 2 * half)) for rib in ribs]
    fronds[-1] = fronds[-1].union(Point(0, 0).buffer(0.09))
    visible_parts = [frond.difference(shapely.union_all(fronds[number + 1 :])) for number, frond in enumerate(fronds)]
    dark: list[BaseGeometry] = []
    lit: list[BaseGeometry] = []
    leaflets: list[BaseGeometry] = []
    visible_ribs: list[BaseGeometry] = []
    for rib, piece in zip(ribs, visible_parts, strict=True):
        offsets = normals(rib) * half[:, None]
        # The half to the south-east of the rib faces away from the light.
        side = 1.0 if float((offsets[:, 0] - offsets[:, 1]).sum()) > 0 else -1.0
        dark.append(Polygon(np.vstack([rib, (rib + side * offsets)[::-1]])).buffer(0).intersection(piece))
        lit.append(piece.difference(dark[-1]))
        visible_ribs.append(LineString(rib).intersection(piece))
        for index in range(3, len(rib) - 2, max(1, len(rib) // _LEAFLETS)):
            tip = rib[index + 2] + side * 0.92 * offsets[index + 2]
            leaflets.append(LineString([rib[index], tip]).intersection(piece))
    silhouette = _largest_polygon(shapely.union_all(fronds).buffer(_BESIDE))
    return Crown(
        silhouette=silhouette,
        pieces=tuple(visible_parts),
        shade=shapely.union_all(dark),
        rim=Polygon(),
        light=shapely.union_all(lit),
        shadow=_cast_shadow(silhouette),
        leaves=_extract_lines(visible_ribs),
        strokes=_extract_lines(leaflets),
        heart=0.13,
    )


@cache
def snag(variant: int) -> Crown:
    """Return a dead tree of radius 1: five to seven limbs, most of them forked.

    ``variant`` is the number of the shape, from 0; the same number gives the same tree. It has no leaves and no rim.
    """
    stream, count, first, step = _start_crown("snag", variant, 5)
    limbs: list[BaseGeometry] = [Point(0, 0).buffer(0.16, quad_segs=4)]
    for number in range(count):
        angle = first + step * (number + stream.between(-0.25, 0.25))
        reach = stream.between(0.88, 1.06)
        joint = np.array(_polar(0.5 * reach, angle))
        tip = np.array(_polar(reach, angle + stream.between(-0.22, 0.22)))
        limbs.append(ribbon(np.vstack([[0.0, 0.0], joint, tip]), [0.27, 0.18, 0.04]))
        if stream.draw_unit() < 0.7:
            turn = angle + (0.7 if stream.draw_unit() < 0.5 else -0.7)
            fork = joint + np.array(_polar(0.45 * reach, turn))
            limbs.append(ribbon(np.vstack([joint, fork]), [0.15, 0.04]))
    silhouette = _largest_polygon(shapely.union_all(limbs))
    lit = affinity.translate(silhouette, -0.05, 0.05)
    return Crown(
        silhouette=silhouette,
        pieces=(silhouette,),
        shade=silhouette.difference(lit),
        rim=Polygon(),
        light=Point(-0.06, 0.06).buffer(0.06, quad_segs=3),
        shadow=_largest_polygon(affinity.translate(silhouette, *_SHADOW[:2])),
        leaves=(),
    )


def _start_crown(shape: str, variant: int, least_count: int) -> tuple[Stream, int, float, float]:
    """Return a random stream, the number of limbs, the first bearing, and the angle between limbs.

    Angles are in radians. The number of limbs is from ``least_count`` to two more.
    """
    stream = Stream(f"crown/{shape}/{variant}")
    count = least_count + stream.draw_index(3)
    return stream, count, stream.between(0, math.tau), math.tau / count


def _polar(reach: float, angle: float) -> tuple[float, float]:
    """Return x and y of the point ``reach`` from the origin, in its unit, at ``angle`` radians from the x-axis."""
    return reach * math.cos(angle), reach * math.sin(angle)


def _build_rib(angle: float, stream: Stream) -> Line:
    """Return the mid-rib of a frond from the origin, a curve that bends more towards its tip.

    It is 15 points (n x 2) of a crown of radius 1. ``angle`` is its direction at the origin, in radians.
    """
    length, bend = stream.between(0.88, 1.06), stream.between(0.25, 0.55) * (1 if stream.draw_unit() < 0.5 else -1)
    shares = np.linspace(0, 1, 15)
    turn = angle + 0.9 * bend * shares**2
    return np.column_stack([length * shares * exact_math.cos(turn), length * shares * exact_math.sin(turn)])


def _build_leaf(stream: Stream) -> Line:
    """Return a small arc at a random place in a crown of radius 1, open to the north, as points, n x 2."""
    angle, reach = stream.between(0, math.tau), stream.between(0.05, 0.5)
    radius, turn = stream.between(0.14, 0.22), stream.between(-0.3, 0.3)
    bow = np.linspace(-2.6, -0.3, 7) + turn
    middle = np.array(_polar(reach, angle))
    return middle + radius * np.column_stack([exact_math.cos(bow), exact_math.sin(bow)])


def _cast_shadow(silhouette: Polygon) -> Polygon:
    """Return the shadow of a crown on the ground: larger, and to the south-east; unit: its radius."""
    east, north, size = _SHADOW
    return affinity.translate(affinity.scale(silhouette, size, size, origin=(0, 0)), east, north)


def _largest_polygon(shape: BaseGeometry) -> Polygon:
    """Return the largest polygon of a shape, without holes, in the unit of the shape."""
    return Polygon(max(polygons(shape), key=lambda part: part.area).exterior)


def _extract_lines(shapes: Sequence[BaseGeometry]) -> tuple[Line, ...]:
    """Return the lines of shapes, each as points (n x 2), in the unit of the shapes."""
    return tuple(shapely.get_coordinates(part) for shape in shapes for part in lines(shape))


def _without_specks(shape: BaseGeometry) -> BaseGeometry:
    """Return the polygons of a shape without very small ones; a crown of radius 1 has the unit of area."""
    return shapely.MultiPolygon([part for part in polygons(shape) if part.area > _SPECK])


# The shapes by name, and the number of variants of each.
SHAPES: Final[Mapping[str, tuple[Callable[[int], Crown], int]]] = {
    "lobed": (lobed, 18),
    "conifer": (conifer, 12),
    "palm": (palm, 10),
    "snag": (snag, 6),
}

_HATCH_PITCH: Final = 0.17
_SHADOW_WITHIN: Final = 0.05


def dump_parts(crowns: Iterable[Crown]) -> str:
    """Return the parts of crowns as JSON text, one crown on each line, as ``crown_shapes.parts`` reads them."""
    lines = (json.dumps(_parts_to_json(crown), separators=(",", ":")) for crown in crowns)
    return "[\n" + ",\n".join(lines) + "\n]\n"


def _parts_to_json(crown: Crown) -> dict[str, Any]:
    """Return the parts of a crown as values that JSON can store, by the names of the fields of ``Parts``."""
    shade_area = _scale_to_unit(crown.shade).buffer(-0.02 * UNIT)
    hatch = [(runs(stroke), stroke.length) for stroke in hatch_lines(shade_area, _HATCH_PITCH * UNIT)]
    shapes = {
        "body": _surface_runs(shapely.union_all(crown.pieces)),
        "shade": _surface_runs(crown.shade),
        "rim": _surface_runs(crown.rim),
        "light": _surface_runs(crown.light),
        "edge": runs(_scale_to_unit(shapely.MultiPolygon(polygons(shapely.GeometryCollection(crown.pieces))))),
        "leaves": runs([leaf * UNIT for leaf in crown.leaves]),
        "strokes": runs([stroke * UNIT for stroke in crown.strokes]),
    }
    plain: dict[str, Any] = {name: [run.points for run in shapes[name]] for name in (*SURFACES, *LINES)}
    plain["hatch"] = [(run.points, length) for stroke_runs, length in hatch for run in stroke_runs]
    plain["heart"] = crown.heart
    plain["shadow"] = shapely.get_coordinates(polygons(crown.shadow.simplify(_SHADOW_WITHIN))[0].exterior).tolist()
    # A crown in one piece is its body.
    return plain if len(crown.pieces) == 1 else {**plain, "pieces": shapely.to_wkb(crown.pieces, hex=True).tolist()}


def _surface_runs(shape: BaseGeometry) -> tuple[PathRun, ...]:
    """Return the outlines of a shape of radius 1 as closed runs, enlarged to ``UNIT`` (10 mm)."""
    return runs(_scale_to_unit(shape), closed=True)


def _scale_to_unit(shape: BaseGeometry) -> BaseGeometry:
    """Return a shape of radius 1 enlarged to ``UNIT`` (10 mm)."""
    return affinity.scale(shape, UNIT, UNIT, origin=(0, 0))
