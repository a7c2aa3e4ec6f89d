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
    from printkit.recipes.prints.maps import MapSheet

_PARCELS_FROM: Final = 0.25
"""The least scale at which parcels are drawn: rows and hedges of smaller ones are a grey web."""

_MOST_DOTS: Final = 300
"""Dots an inch of the textures of a painted board: more no print shop prints."""


def country_about(record: Record, system: RuleSystem, level: DressingLevel, scale: float) -> OpenCountry | None:
    """Return the country about a battlefield as it is drawn at a scale; None where nothing is drawn."""
    if level is DressingLevel.FULL and scale < _PARCELS_FROM:
        level = DressingLevel.LIGHT
    return open_country(record.battlefield, countryside_of(system, record), level, system.goings())


def judged_climate(name: str, labels: bool, style: Style) -> str:
    """Return the name of a climate, or nothing for that of the country.

    Raises:
        UsageError: it is none; or it, or labels, are asked for where nothing is painted.
    """
    if (name or labels) and not style.painted:
        option = "--climate" if name else "--show labels"
        raise UsageError("{option} goes with a painted style: add --style painted", option=option)
    if name and name not in list(Climate):
        raise UsageError("no climate {climate!r}; there are {known}", climate=name, known=", ".join(Climate))
    return name


def of_the_country(order: MapSheet, system: RuleSystem, record: Record) -> MapSheet:
    """Return how a map is printed, in the words of the country of its names, and painted in its climate.

    A painted board has its own open ground, and nothing else is drawn there. Its textures have as many dots an inch
    as the order asks for, from those with which they are made to what is worth printing.
    """
    order = replace(order, words=order.words.in_dialect(system.book.names))
    if not order.style.painted:
        return order
    painted = replace(
        order.style,
        climate=order.climate or climate_of(countryside_of(system, record)).value,
        bare=not order.labels,
        dots=min(max(order.dpi, order.style.dots), _MOST_DOTS),
    )
    return replace(order, style=painted, dressing=DressingLevel.NONE)
