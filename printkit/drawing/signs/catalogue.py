"""Catalogue of symbols: the drawing routine for each kind of feature. Modules load on first use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.items import LayeredItems
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.signs.lines.course_lines import WATERS, ground
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import KIND_ROWS, Course, Crossing, Feature, Hill, Kind

if TYPE_CHECKING:
    from printkit.drawing.mats.dressing import CountryShapes

Sign: TypeAlias = Callable[[Any, SymbolContext, Battlefield], LayeredItems]


class _Catalogue(Mapping[Kind, Sign]):
    """Routines by kind. Each is named as ``folder.module:function`` and imported on first use."""

    def __init__(self, locations: Mapping[Kind, str]) -> None:
        self._places = locations

    def __getitem__(self, kind: Kind) -> Sign:
        return _load_routine(self._places[kind])

    def __iter__(self) -> Iterator[Kind]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


@cache
def _load_routine(location: str) -> Sign:
    """Return the function that draws a kind of feature, imported on first use.

    ``location`` is "module:name", with the module below ``printkit.drawing.signs``.
    """
    module, _, name = location.partition(":")
    sign: Sign = getattr(import_module(f"printkit.drawing.signs.{module}"), name)
    return sign


# The routine for every kind that is a separate feature. A steep slope is drawn with its hill.
SIGNS: Final[Mapping[Kind, Sign]] = _Catalogue({kind: row.sign for kind, row in KIND_ROWS.items() if row.sign})


def draw(field: Battlefield, context: SymbolContext, dressing: CountryShapes | None = None) -> LayeredItems:
    """Yield (layer, item) pairs that draw every feature of a battlefield given in printed mm.

    A painted style paints the whole board instead, with ``dressing`` (in mm of the board) between the features.
    """
    if context.style.painted:
        # Import here: only painted mats need these modules.
        from printkit.drawing.mats.mat import painted
        from printkit.drawing.signs.lines.course_lines import all_sized

        yield from painted(all_sized(field, context), context, dressing)
        return
    for feature in field.features:
        yield from SIGNS[feature.kind](feature, context, field)


# How far the symbol of a feature goes beyond its outline, in mm at 1:1.
_REACH: Final = 1.0
_WATER_REACH: Final = 3.4
_CROSSING_REACH: Final = 5.0


def find_footprint(feature: Feature, field: Battlefield, context: SymbolContext) -> BaseGeometry:
    """Return the area of the symbol of a feature, in printed mm; ``field`` is its battlefield in printed mm."""
    match feature:
        case Crossing():
            return feature.at.buffer(context.size(_CROSSING_REACH), quad_segs=4)
        case Course():
            reach = _WATER_REACH if feature.kind in WATERS else _REACH
            return ground(feature, field, context, spare=context.size(reach))
        case _:
            return feature.outline.buffer(context.size(_REACH), quad_segs=4)


def legend_key(feature: Feature) -> str:
    """Return the key of the legend entry of a feature."""
    if not isinstance(feature, Hill):
        return feature.kind
    if feature.cover is not None:
        return f"{feature.cover}_hill"
    return "gentle_slope" if feature.kind is Kind.HILL else feature.kind
