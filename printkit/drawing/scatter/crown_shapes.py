"""The stored shapes of single tree crowns from above: leaf trees, conifers, palms and dead trees.

All have light from the north-west. ``tools/patterns/drawn_crowns.py`` draws them.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import affinity

from printkit.core.resources import resource
from printkit.drawing.canvas.items import PathRun
from printkit.drawing.canvas.shapes import Line, runs

# Radius of artwork in mm: large enough to hide the grid of 0.01 mm.
UNIT: Final = 10.0

# The parts of a crown that are filled, and those that are lines.
SURFACES: Final = ("body", "shade", "rim", "light", "edge")
LINES: Final = ("leaves", "strokes")


class Parts(Struct, frozen=True):
    """The filled and stroked parts of one crown as runs on the grid, with radius ``UNIT``.

    ``body`` is its outline, ``shade`` the shaded part, ``rim`` the deepest shade, ``light`` the lit part, and ``edge``
    the outlines of its pieces. ``leaves`` are fine lines. ``strokes`` replace the shade in a style with hatching.
    Without them ``hatch`` does: evenly spaced strokes over the shade, each with its length in mm of the artwork.
    ``shadow`` is the outline of the shadow on the ground, and ``heart`` the radius of the dot, both at radius 1.
    """

    body: tuple[PathRun, ...]
    shade: tuple[PathRun, ...]
    rim: tuple[PathRun, ...]
    light: tuple[PathRun, ...]
    edge: tuple[PathRun, ...]
    leaves: tuple[PathRun, ...]
    strokes: tuple[PathRun, ...]
    hatch: tuple[tuple[PathRun, float], ...]
    heart: float
    shadow: Line


@cache
def parts(shape: str, variant: int) -> Parts:
    """Return the parts of a variant, counted from 0, of the crown shape with this name.

    Raises:
        IndexError: there is no such variant.
    """
    plain = _load_parts(shape)[variant]
    surfaces = {name: tuple([PathRun(tuple(points)) for points in plain[name]]) for name in SURFACES}
    lines = {name: tuple([PathRun(tuple(points), False) for points in plain[name]]) for name in LINES}
    hatch = tuple([(PathRun(tuple(points), False), length) for points, length in plain["hatch"]])
    return Parts(**surfaces, **lines, hatch=hatch, heart=plain["heart"], shadow=np.array(plain["shadow"]))


def pieces(shape: str, variant: int, first: int, step: int) -> tuple[PathRun, ...]:
    """Return the outline of the pieces of a crown that share one ink, as closed runs with radius ``UNIT`` (10 mm).

    These are the pieces ``first``, ``first + step`` and so on, counted from 0, merged into one shape. A crown in one
    piece has it in ``first`` = 0; any other ``first`` returns ().

    Raises:
        IndexError: there is no such variant.
    """
    all_pieces = _load_parts(shape)[variant].get("pieces")
    if all_pieces is None:
        return () if first else parts(shape, variant).body
    merged = shapely.union_all(shapely.from_wkb(all_pieces[first::step]))
    return runs(affinity.scale(merged, UNIT, UNIT, origin=(0, 0)), closed=True)


@cache
def _load_parts(shape: str) -> list[dict[str, Any]]:
    """Return the stored parts of all variants of a crown shape, in the form of JSON values."""
    entries: list[dict[str, Any]] = json.loads(resource("templates/patterns", f"crowns-{shape}.json").read_bytes())
    return entries
