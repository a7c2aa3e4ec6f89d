"""The catalogue of signs: which routine draws a kind. A field has few of the kinds, and only theirs are loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any, Final, TypeAlias

from printkit.drawing.canvas.items import Laid
from printkit.drawing.canvas.symbol_context import Pen
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Kind

Sign: TypeAlias = Callable[[Any, Pen, Battlefield], Laid]


class _Catalogue(Mapping[Kind, Sign]):
    """Routines by kind, each named with its module, which is loaded when a field has the kind."""

    def __init__(self, places: Mapping[Kind, str]) -> None:
        self._places = places

    def __getitem__(self, kind: Kind) -> Sign:
        return _routine(self._places[kind])

    def __iter__(self) -> Iterator[Kind]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


@cache
def _routine(place: str) -> Sign:
    module, _, name = place.partition(".")
    sign: Sign = getattr(import_module(_PLACES[module]), name)
    return sign


SIGNS: Final[Mapping[Kind, Sign]] = _Catalogue(
    {
        Kind.HILL: "relief.hill",
        Kind.RISE: "relief.hill",
        Kind.SPUR: "relief.hill",
        Kind.LONG_HILL: "relief.hill",
        Kind.MOUNTAIN: "mountain.mountain",
        Kind.LIGHT_WOODS: "woods.light_woods",
        Kind.HEAVY_WOODS: "woods.heavy_woods",
        Kind.WOODLAND: "woods.light_woods",
        Kind.FOREST: "woods.heavy_woods",
        Kind.LIGHT_CONIFERS: "woods.light_woods",
        Kind.CONIFER_FOREST: "woods.heavy_woods",
        Kind.MIXED_WOODS: "woods.heavy_woods",
        Kind.LIGHT_PALMS: "woods.light_woods",
        Kind.PALM_FOREST: "woods.heavy_woods",
        Kind.CLEARING: "clearing.clearing",
        Kind.BROKEN_GROUND: "bare.broken_ground",
        Kind.ROUGH_GROUND: "bare.rough_ground",
        Kind.SCRUB: "scrub.scrub",
        Kind.ROCKS: "stones.rocks",
        Kind.SCREE: "stones.scree",
        Kind.DUNES: "sand.dunes",
        Kind.OASIS: "sand.oasis",
        Kind.BEACH: "sand.beach",
        Kind.MARSH: "wet.marsh",
        Kind.SWAMP: "wet.swamp",
        Kind.BOGGY_GROUND: "wet.boggy_ground",
        Kind.LAKE: "shores.lake",
        Kind.POOL: "shores.pool",
        Kind.SEA: "shores.sea",
        Kind.WATERWAY: "shores.waterway",
        Kind.BUILDING: "farm.building",
        Kind.FARM: "farm.farm",
        Kind.SETTLEMENT: "settlement.settlement",
        Kind.HAMLET: "settlement.settlement",
        Kind.VILLAGE: "settlement.settlement",
        Kind.TOWN: "settlement.settlement",
        Kind.CITY: "settlement.settlement",
        Kind.EDIFICE: "edifice.edifice",
        Kind.FORT: "fort.fort",
        Kind.BUA: "settlement.settlement",
        Kind.CAMP: "camp.camp",
        Kind.BAGGAGE: "camp.baggage",
        Kind.RIVER: "water.river",
        Kind.STREAM: "streams.stream",
        Kind.CREEK: "streams.creek",
        Kind.CLIFF: "cliffs.cliff",
        Kind.DITCH: "cuts.cut",
        Kind.RAVINE: "cuts.cut",
        Kind.GULLY: "cuts.cut",
        Kind.ROAD: "ways.road",
        Kind.FENCED_ROAD: "ways.fenced_road",
        Kind.SUNKEN_LANE: "ways.sunken_lane",
        Kind.TRACK: "tracks.track",
        Kind.PATH: "tracks.path",
        Kind.RAILWAY: "railway.railway",
        Kind.FORD: "crossings.ford",
        Kind.BRIDGE: "crossings.bridge",
        Kind.TIMBER_BRIDGE: "crossings.timber_bridge",
        Kind.RAILWAY_BRIDGE: "railway.railway_bridge",
        Kind.LEVEL_CROSSING: "railway.level_crossing",
        Kind.JUNCTION: "crossings.junction",
        Kind.WALL: "works.work",
        Kind.FENCE: "works.work",
        Kind.WORM_FENCE: "works.work",
        Kind.HEDGE: "works.work",
        Kind.PLOUGH: "fields.farmland",
        Kind.CROPS: "fields.farmland",
        Kind.PASTURE: "fields.farmland",
        Kind.ORCHARD: "fields.farmland",
        Kind.OLIVES: "fields.farmland",
        Kind.VINEYARD: "fields.farmland",
        Kind.ENCLOSURE: "fields.farmland",
    }
)
"""The sign of every kind that is a feature of its own; a steep slope is drawn with its hill."""


def draw(field: Battlefield, pen: Pen) -> Laid:
    """Draw every feature of a battlefield that lies in printed mm."""
    for feature in field.features:
        yield from SIGNS[feature.kind](feature, pen, field)


_PLACES = {
    "bare": "printkit.drawing.signs.relief.bare",
    "buildings": "printkit.drawing.signs.built.buildings",
    "camp": "printkit.drawing.signs.built.camp",
    "catalogue": "printkit.drawing.signs.catalogue",
    "channels": "printkit.drawing.signs.lines.channels",
    "church": "printkit.drawing.signs.built.single_buildings",
    "courses": "printkit.drawing.signs.lines.course_lines",
    "crossings": "printkit.drawing.signs.ways.crossings",
    "cuts": "printkit.drawing.signs.ways.ravines",
    "fields": "printkit.drawing.signs.built.fields",
    "fort": "printkit.drawing.signs.built.fort",
    "hachures": "printkit.drawing.signs.relief.hachures",
    "landforms": "printkit.drawing.signs.relief.landforms",
    "lots": "printkit.drawing.signs.built.lots",
    "mountain": "printkit.drawing.signs.relief.mountain",
    "railway": "printkit.drawing.signs.ways.railway",
    "relief": "printkit.drawing.signs.relief.relief",
    "relief_field": "printkit.drawing.signs.relief.relief_field",
    "rushes": "printkit.drawing.signs.lines.wet_plants",
    "sand": "printkit.drawing.signs.cover.sand",
    "scrub": "printkit.drawing.signs.cover.scrub",
    "settlement": "printkit.drawing.signs.built.settlement",
    "settling": "printkit.drawing.signs.built.settlement_types",
    "shores": "printkit.drawing.signs.cover.shores",
    "stones": "printkit.drawing.signs.relief.rocks",
    "streets": "printkit.drawing.signs.built.streets",
    "town_wall": "printkit.drawing.signs.built.town_wall",
    "water": "printkit.drawing.signs.cover.rivers",
    "ways": "printkit.drawing.signs.ways.roads",
    "wet": "printkit.drawing.signs.cover.wet_ground",
    "woods": "printkit.drawing.signs.cover.woods",
    "works": "printkit.drawing.signs.lines.works",
    "borders": "printkit.drawing.signs.lines.works",
    "clearing": "printkit.drawing.signs.cover.scrub",
    "cliffs": "printkit.drawing.signs.relief.rocks",
    "contour_places": "printkit.drawing.signs.relief.landforms",
    "edifice": "printkit.drawing.signs.built.single_buildings",
    "farm": "printkit.drawing.signs.built.single_buildings",
    "field_rows": "printkit.drawing.signs.built.fields",
    "ground": "printkit.drawing.signs.relief.bare",
    "growths": "printkit.drawing.signs.cover.woods",
    "hill_cover": "printkit.drawing.signs.relief.relief",
    "hill_faces": "printkit.drawing.signs.relief.relief",
    "mountain_ridges": "printkit.drawing.signs.relief.mountain",
    "neighbours": "printkit.drawing.signs.built.lots",
    "plots": "printkit.drawing.signs.built.fields",
    "site": "printkit.drawing.signs.built.buildings",
    "slopes": "printkit.drawing.signs.relief.hachures",
    "streams": "printkit.drawing.signs.cover.rivers",
    "tents": "printkit.drawing.signs.built.camp",
    "tracks": "printkit.drawing.signs.ways.roads",
    "wayside": "printkit.drawing.signs.ways.roads",
    "widths": "printkit.drawing.signs.lines.course_lines",
}
