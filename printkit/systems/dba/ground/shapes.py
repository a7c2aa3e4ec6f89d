"""Outlines of terrain pieces around the origin, within the DBA size limits: woods, hills, marshes, towns.

The sizes are those of a typical terrain box: most pieces are three to five base widths long, some smaller or larger.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Any, Final

from msgspec import Struct
from shapely import LineString, Polygon, affinity

from printkit.chance.streams import Stream
from printkit.core.errors import BookError
from printkit.core.resources import template
from printkit.systems.dba.ground.terrain_limits import SizeLimits, Terrain, side_lengths
from printkit.terrain.geometry import outlines

SizeSpan = tuple[float, float]

TEMPLATE_NAME: Final = "shapes"
# Share of a limit that outlines are fitted to, so that rounding never exceeds the limit.
_LIMIT_SHARE: Final = 0.985

_MAX_ROUNDS: Final = 4


class PieceOutline(Struct, frozen=True):
    """An outline around the origin with its long side along x; for a gully also its bed and width.

    All are in mm on the board.
    """

    outline: Polygon
    bed: LineString | None = None
    width: float = 0.0


class OutlineStyle(StrEnum):
    """The style of an outline: ragged ground, a smooth hill, or straight sides."""

    NATURAL = "natural"
    HILL = "hill"
    PLOT = "plot"


class OutlineLook(Struct, frozen=True, kw_only=True):
    """The look of a terrain type: long side in base widths, short side as a share of it, and the outline style."""

    style: OutlineStyle
    long_range: SizeSpan
    slender_range: SizeSpan
    roughness_range: SizeSpan = (0.22, 0.22)
    bend: float = 0.0


@cache
def load_looks() -> Mapping[Terrain, OutlineLook]:
    """Return the look of every type of area piece.

    Raises:
        BookError: a row of the template is wrong; names it.
    """
    rows: Mapping[str, Mapping[str, Any]] = _template()["pieces"]
    return {Terrain(name): _parse_look(name, row) for name, row in rows.items()}


@cache
def load_measures(part: str) -> Mapping[str, Any]:
    """Return a table of the template: ``waterway``, ``road`` or ``room``, in base widths."""
    return dict(_template()[part])


@cache
def _template() -> Mapping[str, Any]:
    """Return the template with the sizes and looks of DBA terrain."""
    return template("dba", TEMPLATE_NAME)


def _parse_look(name: str, row: Mapping[str, Any]) -> OutlineLook:
    """Return the look of a terrain type from its row in the template.

    The long side is in base widths, other numbers are shares.

    Raises:
        BookError: an entry of the row is wrong or missing.
    """
    try:
        return OutlineLook(
            style=OutlineStyle(row["style"]),
            long_range=_parse_span(row["long"]),
            slender_range=_parse_span(row["slender"]),
            roughness_range=_parse_span(row.get("rough", (0.22, 0.22))),
            bend=float(row.get("bend", 0.0)),
        )
    except (KeyError, ValueError, TypeError) as error:
        raise BookError(
            "templates/dba/{file}.toml: [pieces] {name}: {error}", file=TEMPLATE_NAME, name=name, error=error
        ) from None


def _parse_span(values: Any) -> SizeSpan:
    """Return two values of the template as minimum and maximum, in their own unit."""
    low, high = values
    return float(low), float(high)


def draw_size(look: OutlineLook, limits: SizeLimits, base_width: float, stream: Stream) -> SizeSpan:
    """Return a random size of a piece within the limits: long and short side in mm on the board."""
    # The sum of two random numbers is near the middle more often than at the ends.
    share = (stream.draw_unit() + stream.draw_unit()) / 2
    long = base_width * (look.long_range[0] + share * (look.long_range[1] - look.long_range[0]))
    return fit_sides(long, long * stream.between(*look.slender_range), limits)


def fit_sides(long: float, short: float, limits: SizeLimits) -> SizeSpan:
    """Return the long and the short side, changed as little as necessary to keep the limits.

    All sides are in mm on the board.
    """
    if limits.ratio_max is not None:
        short = max(short, long / (limits.ratio_max * _LIMIT_SHARE))
    factor = min(1.0, limits.sides_max * _LIMIT_SHARE / (long + short))
    shortest = limits.side_min / _LIMIT_SHARE
    short = max(shortest, short * factor)
    return max(shortest, short, min(long * factor, limits.sides_max * _LIMIT_SHARE - short)), short


def outline(look: OutlineLook, size: SizeSpan, limits: SizeLimits, stream: Stream) -> Polygon:
    """Return an outline around the origin, long side along x, within the limits.

    ``size`` is the long and the short side in mm on the board; the outline has about this size. The limits apply to the
    smallest rectangle around it, at any rotation.
    """
    shape = _make_shape(look, size, stream)
    for _ in range(_MAX_ROUNDS):
        long, short = side_lengths(shape)
        width_factor = 1.0 if limits.ratio_max is None else max(1.0, long / (limits.ratio_max * _LIMIT_SHARE * short))
        factor = min(1.0, limits.sides_max * _LIMIT_SHARE / (long + short * width_factor))
        if short * width_factor * factor < limits.side_min / _LIMIT_SHARE:
            factor = limits.side_min / (_LIMIT_SHARE * short * width_factor)
        if width_factor == 1.0 and factor == 1.0:
            break
        shape = affinity.scale(
            shape, factor, factor * width_factor * (1.01 if width_factor > 1.0 else 1.0), origin=(0, 0)
        )
    return shape


def _make_shape(look: OutlineLook, size: SizeSpan, stream: Stream) -> Polygon:
    """Return an outline around the origin in the style of its look; ``size`` is its long and short side in mm."""
    match look.style:
        case OutlineStyle.NATURAL:
            bend = stream.between(-look.bend, look.bend)
            return outlines.blob(*size, stream, roughness=stream.between(*look.roughness_range), bend=bend)
        case OutlineStyle.HILL:
            return outlines.rounded(*size, stream)
        case OutlineStyle.PLOT:
            return outlines.draw_plot_outline(*size, stream)
