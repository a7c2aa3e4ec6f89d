"""The parts of crowns as runs on the grid, at a radius of ``UNIT``: whatever the style, inks and widths come later.

Those of leaf trees, conifers and dead trees are the same on every board, and kept in ``templates/patterns`` as
``worked_out`` made them, to the last bit; palms, whose fronds take several inks, are worked out when they are drawn.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import affinity
from shapely.geometry.base import BaseGeometry

from printkit.core.resources import resource
from printkit.drawing.canvas.area_fill import hatching
from printkit.drawing.canvas.items import Run
from printkit.drawing.canvas.shapes import Line, polygons, runs
from printkit.drawing.scatter.crown_shapes import (
    CONIFER_VARIANTS,
    LOBED_VARIANTS,
    SNAG_VARIANTS,
    Crown,
    conifer,
    lobed,
    snag,
)

UNIT: Final = 10.0
"""Radius in mm at which artwork is drawn: large enough that the grid of 0.01 mm does not show in a shrub."""

KEPT: Final[Mapping[Callable[[int], Crown], int]] = {
    lobed: LOBED_VARIANTS,
    conifer: CONIFER_VARIANTS,
    snag: SNAG_VARIANTS,
}
"""Shapes whose parts are kept, and how many variants each has."""

_HATCH_PITCH: Final = 0.17
_SHADOW_WITHIN: Final = 0.05
_SURFACES: Final = ("body", "shade", "rim", "light", "edge")
_LINES: Final = ("leaves", "strokes")


class Parts(Struct, frozen=True):
    """What of one crown is filled or drawn as lines.

    ``body`` are all pieces as one; ``hatch`` are strokes at an even pitch over the shade, with the length of each in
    mm; ``shadow`` is the outline, at a radius of 1, of what the tree throws. The others are as in ``Crown``.
    """

    body: tuple[Run, ...]
    shade: tuple[Run, ...]
    rim: tuple[Run, ...]
    light: tuple[Run, ...]
    edge: tuple[Run, ...]
    leaves: tuple[Run, ...]
    strokes: tuple[Run, ...]
    hatch: tuple[tuple[Run, float], ...]
    heart: float
    shadow: Line


@cache
def parts(shape: Callable[[int], Crown], variant: int) -> Parts:
    """Return the parts of a variant of one of the shapes of crowns."""
    return _read(_kept(shape.__name__)[variant]) if shape in KEPT else worked_out(shape(variant))


def pieces(shape: Callable[[int], Crown], variant: int, first: int, step: int) -> tuple[Run, ...]:
    """Return the pieces of a crown that take one ink: every ``step``-th from the ``first`` on."""
    if shape in KEPT:
        return () if first else parts(shape, variant).body
    return _filled(shapely.union_all(shape(variant).pieces[first::step]))


def worked_out(crown: Crown) -> Parts:
    """Return the parts of a crown from its shapes."""
    ground = _large(crown.shade).buffer(-0.02 * UNIT)
    strokes = [(runs(stroke), stroke.length) for stroke in hatching(ground, _HATCH_PITCH * UNIT)]
    return Parts(
        body=_filled(shapely.union_all(crown.pieces)),
        shade=_filled(crown.shade),
        rim=_filled(crown.rim),
        light=_filled(crown.light),
        edge=runs(_large(shapely.MultiPolygon(polygons(shapely.GeometryCollection(crown.pieces))))),
        leaves=runs([leaf * UNIT for leaf in crown.leaves]),
        strokes=runs([stroke * UNIT for stroke in crown.strokes]),
        hatch=tuple((run, length) for drawn, length in strokes for run in drawn),
        heart=crown.heart,
        shadow=shapely.get_coordinates(polygons(crown.shadow.simplify(_SHADOW_WITHIN))[0].exterior),
    )


def written(crowns: Iterable[Parts]) -> str:
    """Return the parts of crowns as text, one crown a line."""
    lines = (json.dumps(_plain(crown), separators=(",", ":")) for crown in crowns)
    return "[\n" + ",\n".join(lines) + "\n]\n"


def _plain(crown: Parts) -> dict[str, Any]:
    plain = {name: [run.points for run in getattr(crown, name)] for name in (*_SURFACES, *_LINES)}
    hatch = [(run.points, length) for run, length in crown.hatch]
    return {**plain, "hatch": hatch, "heart": crown.heart, "shadow": crown.shadow.tolist()}


def _read(plain: dict[str, Any]) -> Parts:
    surfaces = {name: tuple([Run(tuple(points)) for points in plain[name]]) for name in _SURFACES}
    lines = {name: tuple([Run(tuple(points), False) for points in plain[name]]) for name in _LINES}
    hatch = tuple([(Run(tuple(points), False), length) for points, length in plain["hatch"]])
    return Parts(**surfaces, **lines, hatch=hatch, heart=plain["heart"], shadow=np.array(plain["shadow"]))


@cache
def _kept(shape: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(resource("templates/patterns", f"crowns-{shape}.json").read_bytes())
    return found


def _filled(shape: BaseGeometry) -> tuple[Run, ...]:
    return runs(_large(shape), closed=True)


def _large(shape: BaseGeometry) -> BaseGeometry:
    return affinity.scale(shape, UNIT, UNIT, origin=(0, 0))
