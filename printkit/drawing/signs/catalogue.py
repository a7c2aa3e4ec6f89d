"""Catalogue of symbols: the drawing routine for each kind of feature. Modules load on first use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any, Final, TypeAlias

from printkit.drawing.canvas.items import LayeredItems
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Kind

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
SIGNS: Final[Mapping[Kind, Sign]] = _Catalogue(
    {
        Kind.HILL: "relief.relief:hill",
        Kind.RISE: "relief.relief:hill",
        Kind.SPUR: "relief.relief:hill",
        Kind.LONG_HILL: "relief.relief:hill",
        Kind.MOUNTAIN: "relief.mountain:mountain",
        Kind.LIGHT_WOODS: "cover.woods:light_woods",
        Kind.HEAVY_WOODS: "cover.woods:heavy_woods",
        Kind.WOODLAND: "cover.woods:light_woods",
        Kind.FOREST: "cover.woods:heavy_woods",
        Kind.LIGHT_CONIFERS: "cover.woods:light_woods",
        Kind.CONIFER_FOREST: "cover.woods:heavy_woods",
        Kind.MIXED_WOODS: "cover.woods:heavy_woods",
        Kind.LIGHT_PALMS: "cover.woods:light_woods",
        Kind.PALM_FOREST: "cover.woods:heavy_woods",
        Kind.CLEARING: "cover.low_plants:clearing",
        Kind.BROKEN_GROUND: "relief.open_ground:draw_cover",
        Kind.ROUGH_GROUND: "relief.open_ground:draw_cover",
        Kind.SCRUB: "relief.open_ground:draw_cover",
        Kind.ROCKS: "relief.open_ground:draw_cover",
        Kind.SCREE: "relief.open_ground:draw_cover",
        Kind.DUNES: "relief.open_ground:draw_cover",
        Kind.OASIS: "relief.open_ground:draw_cover",
        Kind.BEACH: "relief.open_ground:draw_cover",
        Kind.MARSH: "relief.open_ground:draw_cover",
        Kind.SWAMP: "relief.open_ground:draw_cover",
        Kind.BOGGY_GROUND: "relief.open_ground:draw_cover",
        Kind.LAKE: "cover.shores:lake",
        Kind.POOL: "cover.shores:pool",
        Kind.SEA: "cover.shores:sea",
        Kind.WATERWAY: "cover.shores:waterway",
        Kind.BUILDING: "built.single_buildings:building",
        Kind.FARM: "built.single_buildings:farm",
        Kind.SETTLEMENT: "built.settlement:settlement",
        Kind.HAMLET: "built.settlement:settlement",
        Kind.VILLAGE: "built.settlement:settlement",
        Kind.TOWN: "built.settlement:settlement",
        Kind.CITY: "built.settlement:settlement",
        Kind.EDIFICE: "built.single_buildings:edifice",
        Kind.FORT: "built.fort:fort",
        Kind.BUA: "built.settlement:settlement",
        Kind.CAMP: "built.camp:camp",
        Kind.BAGGAGE: "built.camp:baggage",
        Kind.RIVER: "cover.rivers:river",
        Kind.STREAM: "cover.rivers:stream",
        Kind.CREEK: "cover.rivers:creek",
        Kind.CLIFF: "relief.rocks:cliff",
        Kind.DITCH: "lines.channels:cut",
        Kind.RAVINE: "lines.channels:cut",
        Kind.GULLY: "lines.channels:cut",
        Kind.ROAD: "routes.roads:road",
        Kind.FENCED_ROAD: "routes.roads:fenced_road",
        Kind.SUNKEN_LANE: "routes.roads:sunken_lane",
        Kind.TRACK: "routes.roads:track",
        Kind.PATH: "routes.roads:path",
        Kind.RAILWAY: "routes.railways_and_crossings:railway",
        Kind.FORD: "routes.railways_and_crossings:ford",
        Kind.BRIDGE: "routes.railways_and_crossings:bridge",
        Kind.TIMBER_BRIDGE: "routes.railways_and_crossings:timber_bridge",
        Kind.RAILWAY_BRIDGE: "routes.railways_and_crossings:railway_bridge",
        Kind.LEVEL_CROSSING: "routes.railways_and_crossings:level_crossing",
        Kind.JUNCTION: "routes.railways_and_crossings:junction",
        Kind.WALL: "lines.walls_and_hedges:work",
        Kind.FENCE: "lines.walls_and_hedges:work",
        Kind.WORM_FENCE: "lines.walls_and_hedges:work",
        Kind.HEDGE: "lines.walls_and_hedges:work",
        Kind.PLOUGH: "built.fields:farmland",
        Kind.CROPS: "built.fields:farmland",
        Kind.PASTURE: "built.fields:farmland",
        Kind.ORCHARD: "built.fields:farmland",
        Kind.OLIVES: "built.fields:farmland",
        Kind.VINEYARD: "built.fields:farmland",
        Kind.ENCLOSURE: "built.fields:farmland",
    }
)


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
