"""The open ground of a map between its features, and the climate of a painted map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from printkit.core.errors import UsageError
from printkit.drawing.canvas.style import Style
from printkit.drawing.dressing.countryside_types import DressingLevel, OpenCountry, open_country
from printkit.drawing.mats.painter import Climate, climate_of
from printkit.kit.countryside import countryside_of
from printkit.kit.system import RuleSystem
from printkit.terrain.field.record import Record

if TYPE_CHECKING:
    from printkit.recipes.prints.maps import MapContext

# The least scale for drawing parcels: at smaller scales their rows and hedges merge into grey.
_MIN_PARCEL_SCALE: Final = 0.25

# The maximum resolution in dpi for the textures of a painted board: print shops do not print more.
_MAX_DOTS: Final = 300


def build_cover(record: Record, system: RuleSystem, dressing: str, scale: float) -> OpenCountry | None:
    """Return the open ground of a battlefield for a drawing; None if it is not drawn.

    ``dressing`` is the name of the level of detail. ``scale`` is in printed mm per mm of the board.
    """
    level = DressingLevel(dressing)
    if level is DressingLevel.FULL and scale < _MIN_PARCEL_SCALE:
        level = DressingLevel.LIGHT
    return open_country(record.battlefield, countryside_of(system, record), level, system.goings())


def validate_climate(name: str, style: Style, *, labels: bool) -> None:
    """Reject an unknown climate. An empty text means the climate of the homeland.

    ``name`` is the value of ``--climate``, and ``labels`` whether the map shows labels.

    Raises:
        UsageError: the climate is unknown, or a climate or labels are given for a style that is not painted.
    """
    if (name or labels) and not style.painted:
        option = "--climate" if name else "--show labels"
        raise UsageError("{option} needs a painted style; add --style painted", option=option)
    if name and name not in list(Climate):
        raise UsageError("unknown --climate {climate!r}; use one of {known}", climate=name, known=", ".join(Climate))


def apply_countryside(order: MapContext, system: RuleSystem, record: Record) -> MapContext:
    """Return the print context with the dialect of the rule system, and for a painted style with its climate.

    The resolution of the textures of a painted style is that of the context, but at least that of the style and at most
    300 dpi.
    """
    order = replace(order, words=order.words.in_dialect(system.name, system.book.names))
    if not order.style.painted:
        return order
    painted_style = replace(
        order.style,
        climate=order.asked.climate or climate_of(countryside_of(system, record)).value,
        bare="labels" not in order.asked.show,
        dots=min(max(order.dpi, order.style.dots), _MAX_DOTS),
    )
    return replace(order, style=painted_style)
