"""Boards of the tests: 24 inches square, with pieces given in inches from the near left corner."""

from __future__ import annotations

from shapely import LineString, box

from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.features import Area, Course, Feature, Going, Hill, Kind

INCH = 25.4
GOOD, SPECIAL, BAD, IMPASSABLE = (
    Going(rank, name) for rank, name in enumerate(("good", "special", "bad", "impassable"))
)
BOARD = Board(24 * INCH, 24 * INCH, GroundScale(pace=0.254, base_width=40.0))


def board(*features: Feature) -> Battlefield:
    return Battlefield(board=BOARD, features=features)


def area(kind: Kind, x0: float, y0: float, x1: float, y1: float) -> Area:
    """Return a rectangle of ground: waterways are impassable, towns special, the rest bad."""
    going = {Kind.WATERWAY: IMPASSABLE, Kind.BUA: SPECIAL}.get(kind, BAD)
    outline = box(x0 * INCH, y0 * INCH, x1 * INCH, y1 * INCH)
    return Area(id=f"{kind}-{x0:g}-{y0:g}", kind=kind, outline=outline, going=going)


def marsh(x0: float, y0: float, x1: float, y1: float) -> Area:
    return area(Kind.MARSH, x0, y0, x1, y1)


def hill(x0: float, y0: float, x1: float, y1: float, *, steep: bool = False) -> Hill:
    outline = box(x0 * INCH, y0 * INCH, x1 * INCH, y1 * INCH)
    return Hill(id=f"hill-{x0:g}-{y0:g}", kind=Kind.HILL, contours=(outline,), going=BAD if steep else GOOD)


def course(kind: Kind, *points: tuple[float, float], width: float = 20.0) -> Course:
    line = LineString([(x * INCH, y * INCH) for x, y in points])
    return Course(id=f"{kind}", kind=kind, line=line, width=width, going=SPECIAL)
