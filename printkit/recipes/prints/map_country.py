"""Which country a map shows between the features of its board."""

from __future__ import annotations

from typing import Final

from printkit.drawing.dressing.country import DressingLevel, OpenCountry, open_country
from printkit.kit.countryside import countryside_of
from printkit.kit.system import RuleSystem
from printkit.terrain.field.record import Record

_PARCELS_FROM: Final = 0.25
"""The least scale at which parcels are drawn: rows and hedges of smaller ones are a grey web."""


def country_about(record: Record, system: RuleSystem, level: DressingLevel, scale: float) -> OpenCountry | None:
    """Return the country about a battlefield as it is drawn at a scale; None where nothing is drawn."""
    if level is DressingLevel.FULL and scale < _PARCELS_FROM:
        level = DressingLevel.LIGHT
    return open_country(record.battlefield, countryside_of(system, record), level, system.goings())
