"""The catalogue of signs: which routine draws a kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from printkit.drawing.items import Laid
from printkit.drawing.pen import Pen
from printkit.drawing.signs.bare import broken_ground, rough_ground
from printkit.drawing.signs.camp import baggage, camp
from printkit.drawing.signs.clearing import clearing
from printkit.drawing.signs.cliffs import cliff
from printkit.drawing.signs.crossings import bridge, ford, junction, timber_bridge
from printkit.drawing.signs.cuts import cut
from printkit.drawing.signs.edifice import edifice
from printkit.drawing.signs.farm import building, farm
from printkit.drawing.signs.fields import farmland
from printkit.drawing.signs.fort import fort
from printkit.drawing.signs.mountain import mountain
from printkit.drawing.signs.railway import level_crossing, railway, railway_bridge
from printkit.drawing.signs.relief import hill
from printkit.drawing.signs.sand import beach, dunes, oasis
from printkit.drawing.signs.scrub import scrub
from printkit.drawing.signs.settlement import settlement
from printkit.drawing.signs.shores import lake, pool, sea, waterway
from printkit.drawing.signs.stones import rocks, scree
from printkit.drawing.signs.streams import creek, stream
from printkit.drawing.signs.tracks import path, track
from printkit.drawing.signs.water import river
from printkit.drawing.signs.ways import fenced_road, road, sunken_lane
from printkit.drawing.signs.wet import boggy_ground, marsh, swamp
from printkit.drawing.signs.woods import heavy_woods, light_woods
from printkit.drawing.signs.works import work
from printkit.terrain.battlefield import Battlefield
from printkit.terrain.features import Kind

Sign: TypeAlias = Callable[[Any, Pen, Battlefield], Laid]

SIGNS: Final[Mapping[Kind, Sign]] = {
    Kind.HILL: hill,
    Kind.RISE: hill,
    Kind.SPUR: hill,
    Kind.LONG_HILL: hill,
    Kind.MOUNTAIN: mountain,
    Kind.LIGHT_WOODS: light_woods,
    Kind.HEAVY_WOODS: heavy_woods,
    Kind.WOODLAND: light_woods,
    Kind.FOREST: heavy_woods,
    Kind.LIGHT_CONIFERS: light_woods,
    Kind.CONIFER_FOREST: heavy_woods,
    Kind.MIXED_WOODS: heavy_woods,
    Kind.LIGHT_PALMS: light_woods,
    Kind.PALM_FOREST: heavy_woods,
    Kind.CLEARING: clearing,
    Kind.BROKEN_GROUND: broken_ground,
    Kind.ROUGH_GROUND: rough_ground,
    Kind.SCRUB: scrub,
    Kind.ROCKS: rocks,
    Kind.SCREE: scree,
    Kind.DUNES: dunes,
    Kind.OASIS: oasis,
    Kind.BEACH: beach,
    Kind.MARSH: marsh,
    Kind.SWAMP: swamp,
    Kind.BOGGY_GROUND: boggy_ground,
    Kind.LAKE: lake,
    Kind.POOL: pool,
    Kind.SEA: sea,
    Kind.WATERWAY: waterway,
    Kind.BUILDING: building,
    Kind.FARM: farm,
    Kind.SETTLEMENT: settlement,
    Kind.HAMLET: settlement,
    Kind.VILLAGE: settlement,
    Kind.TOWN: settlement,
    Kind.CITY: settlement,
    Kind.EDIFICE: edifice,
    Kind.FORT: fort,
    Kind.BUA: settlement,
    Kind.CAMP: camp,
    Kind.BAGGAGE: baggage,
    Kind.RIVER: river,
    Kind.STREAM: stream,
    Kind.CREEK: creek,
    Kind.CLIFF: cliff,
    Kind.DITCH: cut,
    Kind.RAVINE: cut,
    Kind.GULLY: cut,
    Kind.ROAD: road,
    Kind.FENCED_ROAD: fenced_road,
    Kind.SUNKEN_LANE: sunken_lane,
    Kind.TRACK: track,
    Kind.PATH: path,
    Kind.RAILWAY: railway,
    Kind.FORD: ford,
    Kind.BRIDGE: bridge,
    Kind.TIMBER_BRIDGE: timber_bridge,
    Kind.RAILWAY_BRIDGE: railway_bridge,
    Kind.LEVEL_CROSSING: level_crossing,
    Kind.JUNCTION: junction,
    Kind.WALL: work,
    Kind.FENCE: work,
    Kind.WORM_FENCE: work,
    Kind.HEDGE: work,
    Kind.PLOUGH: farmland,
    Kind.CROPS: farmland,
    Kind.PASTURE: farmland,
    Kind.ORCHARD: farmland,
    Kind.OLIVES: farmland,
    Kind.VINEYARD: farmland,
    Kind.ENCLOSURE: farmland,
}
"""The sign of every kind that is a feature of its own; a steep slope is drawn with its hill."""


def draw(field: Battlefield, pen: Pen) -> Laid:
    """Draw every feature of a battlefield that lies in printed mm."""
    for feature in field.features:
        yield from SIGNS[feature.kind](feature, pen, field)
