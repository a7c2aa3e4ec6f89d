"""Which country a map shows between the features of its board, and in which climate a painted one lies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from printkit.core.errors import UsageError
from printkit.drawing.canvas.style import Style
from printkit.drawing.dressing.country import DressingLevel, OpenCountry, open_country
from printkit.drawing.mats.climates import Climate, climate_of
from printkit.kit.countryside import countryside_of
from printkit.kit.system import RuleSystem
from printkit.terrain.field.record import Record

if TYPE_CHECKING:
    from printkit.recipes.prints.maps import MapContext

_PARCELS_FROM: Final = 0.25
"""The least scale at which parcels are drawn: rows and hedges of smaller ones are a grey web."""

_MOST_DOTS: Final = 300
"""Dots an inch of the textures of a painted board: more no print shop prints."""


def country_about(record: Record, system: RuleSystem, dressing: str, scale: float) -> OpenCountry | None:
    """Return the country about a battlefield as it is drawn at a scale; None where nothing is drawn."""
    level = DressingLevel(dressing)
    if level is DressingLevel.FULL and scale < _PARCELS_FROM:
        level = DressingLevel.LIGHT
    return open_country(record.battlefield, countryside_of(system, record), level, system.goings())


def judge_climate(name: str, style: Style, *, labels: bool) -> None:
    """Refuse an unknown climate. An empty text means the climate of the homeland.

    Raises:
        UsageError: it is none; or it, or labels, are asked for where nothing is painted.
    """
    if (name or labels) and not style.painted:
        option = "--climate" if name else "--show labels"
        raise UsageError("{option} needs a painted style; add --style painted", option=option)
    if name and name not in list(Climate):
        raise UsageError("unknown --climate {climate!r}; use one of {known}", climate=name, known=", ".join(Climate))


def of_the_country(order: MapContext, system: RuleSystem, record: Record) -> MapContext:
    """Return how a map is printed, in the words of the country of its names, and painted in its climate.

    A painted board has its own open ground, and nothing else is drawn there. Its textures have as many dots an inch
    as the order asks for, from those with which they are made to what is worth printing.
    """
    order = replace(order, words=order.words.in_dialect(system.name, system.book.names))
    if not order.style.painted:
        return order
    painted = replace(
        order.style,
        climate=order.asked.climate or climate_of(countryside_of(system, record)).value,
        bare="labels" not in order.asked.show,
        dots=min(max(order.dpi, order.style.dots), _MOST_DOTS),
    )
    return replace(order, style=painted, asked=replace(order.asked, dressing=DressingLevel.NONE))
