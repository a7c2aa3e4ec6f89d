"""Catalogue of symbols: the drawing routine for each kind of feature. Modules load on first use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any, Final, TypeAlias

from printkit.drawing.canvas.items import LayeredItems
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import KIND_ROWS, Kind

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


def draw(field: Battlefield, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs that draw every feature of a battlefield given in printed mm.

    A painted style paints the whole board instead.
    """
    if context.style.painted:
        # Import here: only painted mats need these modules.
        from printkit.drawing.mats.mat import painted
        from printkit.drawing.signs.lines.course_lines import all_sized

        yield from painted(all_sized(field, context), context)
        return
    for feature in field.features:
        yield from SIGNS[feature.kind](feature, context, field)
