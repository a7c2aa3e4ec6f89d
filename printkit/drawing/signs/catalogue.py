"""The catalogue of signs: which routine draws a kind, and the entries of the legend with a small sample of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from shapely import LineString, Point, Polygon, box

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
from printkit.terrain.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.features import Area, Course, Crossing, Face, Feature, Going, Hill, Kind

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

SWATCH: Final = (30.0, 19.0)
"""Width and height in mm of a swatch of the legend at 1:1."""

SAMPLE_SIZE: Final = 0.8
"""How much smaller signs are in a swatch."""

_ALL_ROUND: Final = 0.95
_UNSTATED: Final = Going(0, "")
_THROUGH: Final = ((-10.0, 6.0), (8.0, 10.5), (20.0, 9.0), (40.0, 12.0))
"""Where a way runs through a swatch."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the legend: the key of its words, what it finds on a map, and a sample that fills a swatch at 1:1.

    ``goings`` returns the going of every feature that the entry explains; none, and the entry is left out.
    """

    key: str
    goings: Callable[[Battlefield], Iterator[Going]]
    sample: Callable[[], tuple[Feature, ...]]


def draw(field: Battlefield, pen: Pen) -> Laid:
    """Draw every feature of a battlefield that lies in printed mm."""
    for feature in field.features:
        yield from SIGNS[feature.kind](feature, pen, field)


def sample_field(entry: Entry) -> Battlefield:
    """Return the sample of an entry as a battlefield of the size of a swatch."""
    width, height = SWATCH
    return Battlefield(
        board=Board(width, height, GroundScale(pace=0.254, base_width=40.0)),
        features=entry.sample(),
    )


def _of(kind: Kind) -> Callable[[Battlefield], Iterator[Going]]:
    return lambda field: (feature.going for feature in field.of(kind))


def _hills(field: Battlefield) -> Iterator[Hill]:
    return (feature for feature in field.features if isinstance(feature, Hill))


def _gentle(field: Battlefield) -> Iterator[Going]:
    for found in _hills(field):
        steep = sum(face.line.length for face in found.faces)
        if found.kind is Kind.HILL and found.cover is None and steep < _ALL_ROUND * found.outline.length:
            yield found.going


def _steep(field: Battlefield) -> Iterator[Going]:
    return (face.going for found in _hills(field) for face in found.faces if face.kind is Kind.STEEP_SLOPE)


def _covered(cover: Kind) -> Callable[[Battlefield], Iterator[Going]]:
    return lambda field: (found.going for found in _hills(field) if found.cover is cover)


def _scree_slopes(field: Battlefield) -> Iterator[Going]:
    return (face.going for found in _hills(field) for face in found.faces if face.kind is Kind.SCREE)


def _patch(x: float, y: float, across: float, up: float) -> Polygon:
    """Return an uneven patch about a point, the same for every legend; no plain ellipse stands on a map."""
    turn = np.linspace(0, 2 * np.pi, 90, endpoint=False)
    reach = 1 + 0.05 * np.cos(2 * turn + 0.7) + 0.035 * np.cos(3 * turn + 2.1) + 0.02 * np.cos(5 * turn)
    return Polygon(np.column_stack([x + across * reach * np.cos(turn), y + up * reach * np.sin(turn)]))


def _bend(*places: tuple[float, float]) -> LineString:
    """Return a smooth line through a few places."""
    knots = np.asarray(places, dtype=float)
    share = np.linspace(0, 1, 40)
    along = np.interp(share, np.linspace(0, 1, len(knots)), knots[:, 0])
    rough = np.interp(share, np.linspace(0, 1, len(knots)), knots[:, 1])
    padded = np.pad(rough, 4, mode="edge")
    return LineString(np.column_stack([along, np.convolve(padded, np.ones(9) / 9, mode="valid")]))


def _area(kind: Kind, outline: Polygon) -> tuple[Feature, ...]:
    return (Area(id=f"legend-{kind}", kind=kind, outline=outline, going=_UNSTATED),)


def _whole(kind: Kind) -> Callable[[], tuple[Feature, ...]]:
    """Return the sample of ground that fills the swatch and runs out beneath its border."""
    return lambda: _area(kind, box(-9, -9, SWATCH[0] + 9, SWATCH[1] + 9))


def _sloped(*, face: Kind | None = None, cover: Kind | None = None) -> Callable[[], tuple[Feature, ...]]:
    """Return the sample of a hill that runs out beneath the border; ``face`` is all round it."""

    def sample() -> tuple[Feature, ...]:
        outline = _patch(13, 1.5, 21.5, 15.5)
        line = LineString(outline.exterior.coords)
        faces = () if face is None else (Face(line=line, kind=face, going=_UNSTATED, side=0),)
        return (
            Hill(
                id=f"legend-hill-{face or cover or 'gentle'}",
                kind=Kind.HILL,
                contours=(outline,),
                going=_UNSTATED,
                faces=faces,
                cover=cover,
            ),
        )

    return sample


def _whole_hill(kind: Kind, across: float, up: float, *, y: float = 9.5) -> Entry:
    """Return the entry of a hill that is seen as a whole, or nearly."""

    def sample() -> tuple[Feature, ...]:
        outline = _patch(15, y, across, up)
        return (Hill(id=f"legend-{kind}", kind=kind, contours=(outline,), going=_UNSTATED),)

    return Entry(kind.value, _of(kind), sample)


def _grown(cover: Kind) -> Entry:
    """Return the entry of a hill on which something grows."""
    return Entry(f"{cover}_hill", _covered(cover), _sloped(cover=cover))


def _closed(kind: Kind) -> Entry:
    """Return the entry of a closed wood: its edge on the right, the rest beneath the border."""
    return Entry(kind.value, _of(kind), lambda: _area(kind, box(-9, -9, 22, 30)))


def _open(kind: Kind) -> Entry:
    """Return the entry of an open wood: a corner of it."""
    return Entry(kind.value, _of(kind), lambda: _area(kind, _patch(11, 7, 17, 11.5)))


def _opening() -> tuple[Feature, ...]:
    opening = _patch(17.5, 8.5, 10.5, 7.0)
    return (*_area(Kind.FOREST, box(-9, -9, SWATCH[0] + 9, SWATCH[1] + 9)), *_area(Kind.CLEARING, opening))


def _water() -> Course:
    line = _bend((-12, 10), (4, 7), (14, 9), (26, 7.5), (44, 9.5))
    return Course(id="legend-river", kind=Kind.RIVER, line=line, width=7.5, going=_UNSTATED)


def _way(width: float, *places: tuple[float, float], kind: Kind = Kind.ROAD) -> Course:
    return Course(id=f"legend-{kind}", kind=kind, line=_bend(*places), width=width, going=_UNSTATED)


def _crossed(kind: Kind, *, over: Kind = Kind.ROAD, rails: bool = False) -> Callable[[], tuple[Feature, ...]]:
    def sample() -> tuple[Feature, ...]:
        water = _way(0.0, *_THROUGH, kind=Kind.RAILWAY) if rails else _water()
        way = _way(5.4, (14.0, -8), (15.0, 28), kind=over)
        at = way.line.intersection(water.line)
        crossing = Crossing(
            id=f"legend-{kind}",
            kind=kind,
            at=Point(at.centroid),
            bearing=88.4,
            way=way.id,
            water=water.id,
            going=_UNSTATED,
        )
        return water, way, crossing

    return sample


def _along(kind: Kind) -> Entry:
    """Return the entry of a way of the width of its own."""
    return Entry(kind.value, _of(kind), lambda: (_way(0.0, *_THROUGH, kind=kind),))


def _junction() -> tuple[Feature, ...]:
    main = _way(5.4, *_THROUGH)
    branch = Course(
        id="legend-branch", kind=Kind.ROAD, line=LineString([(15, 9.6), (17, 28)]), width=5.4, going=_UNSTATED
    )
    at = Crossing(
        id="legend-junction",
        kind=Kind.JUNCTION,
        at=Point(15, 9.6),
        bearing=84.0,
        way=branch.id,
        water=main.id,
        going=_UNSTATED,
    )
    return main, branch, at


def _cliffs(field: Battlefield) -> Iterator[Going]:
    yield from _of(Kind.CLIFF)(field)
    yield from (face.going for found in _hills(field) for face in found.faces if face.kind is Kind.CLIFF)


def _ditch() -> tuple[Feature, ...]:
    line = LineString([(-6, 5), (11, 12.5), (36, 7)])
    return (Course(id="legend-ditch", kind=Kind.DITCH, line=line, width=0.0, going=_UNSTATED),)


def _town() -> tuple[Feature, ...]:
    street = _way(4.6, (-10, 7.6), (15, 8.6), (40, 8.0))
    return (*_area(Kind.BUA, box(-9, -9, SWATCH[0] + 9, SWATCH[1] + 9)), street)


def _place(kind: Kind) -> Entry:
    """Return the entry of a place: a whole small one, the road through it."""

    def sample() -> tuple[Feature, ...]:
        street = _way(3.4, (-10, 7.6), (15, 9.6), (40, 10.6))
        return (*_area(kind, _patch(15, 9.4, 14.2, 8.7)), street)

    return Entry(kind.value, _of(kind), sample)


def _built(kind: Kind, across: float, up: float) -> Entry:
    """Return the entry of something built on ground of its own."""
    corners = ((-0.5, -0.47), (0.48, -0.5), (0.5, 0.47), (-0.48, 0.5))
    outline = Polygon([(15 + x * across, 9.5 + y * up) for x, y in corners])
    return Entry(kind.value, _of(kind), lambda: _area(kind, outline))


def _field(kind: Kind) -> Entry:
    """Return the entry of a field: a whole small one with its border."""
    outline = Polygon([(1.5, 1.4), (28.6, 1.8), (28.2, 17.6), (1.9, 17.2)])
    return Entry(kind.value, _of(kind), lambda: _area(kind, outline))


def _enclosures() -> tuple[Feature, ...]:
    """Return two fields on either side of a hedge, one of each use that an enclosure may have."""
    left, right = box(-9, -9, 13.5, 28), box(13.5, -9, 39, 28)
    return (*_area(Kind.PLOUGH, left), *_area(Kind.CROPS, right))


def _work(kind: Kind) -> Entry:
    def sample() -> tuple[Feature, ...]:
        line = _bend((-6, 5), (8, 12.5), (20, 6), (36, 14))
        return (Course(id=f"legend-{kind}", kind=kind, line=line, width=0.0, going=_UNSTATED),)

    return Entry(kind.value, _of(kind), sample)


ENTRIES: Final[tuple[Entry, ...]] = (
    Entry("gentle_slope", _gentle, _sloped()),
    Entry("steep_slope", _steep, _sloped(face=Kind.STEEP_SLOPE)),
    Entry("scree_slope", _scree_slopes, _sloped(face=Kind.SCREE)),
    _whole_hill(Kind.RISE, 12.6, 7.6),
    _whole_hill(Kind.SPUR, 13.0, 6.8),
    _whole_hill(Kind.LONG_HILL, 13.4, 5.6),
    _whole_hill(Kind.MOUNTAIN, 20.0, 13.0, y=7.5),
    Entry("light_wooded_hill", _covered(Kind.LIGHT_WOODS), _sloped(cover=Kind.LIGHT_WOODS)),
    Entry("heavy_wooded_hill", _covered(Kind.HEAVY_WOODS), _sloped(cover=Kind.HEAVY_WOODS)),
    *(
        _grown(cover)
        for cover in (
            Kind.WOODLAND,
            Kind.FOREST,
            Kind.LIGHT_CONIFERS,
            Kind.CONIFER_FOREST,
            Kind.MIXED_WOODS,
            Kind.LIGHT_PALMS,
            Kind.PALM_FOREST,
            Kind.SCRUB,
        )
    ),
    _open(Kind.LIGHT_WOODS),
    _closed(Kind.HEAVY_WOODS),
    _open(Kind.WOODLAND),
    _closed(Kind.FOREST),
    _open(Kind.LIGHT_CONIFERS),
    _closed(Kind.CONIFER_FOREST),
    _closed(Kind.MIXED_WOODS),
    _open(Kind.LIGHT_PALMS),
    _closed(Kind.PALM_FOREST),
    Entry("clearing", _of(Kind.CLEARING), _opening),
    Entry("marsh", _of(Kind.MARSH), _whole(Kind.MARSH)),
    Entry("broken_ground", _of(Kind.BROKEN_GROUND), _whole(Kind.BROKEN_GROUND)),
    Entry("cliff", _cliffs, lambda: (_way(0.0, (-6, 13.5), (8, 11), (20, 14), (36, 11), kind=Kind.CLIFF),)),
    _work(Kind.RAVINE),
    _work(Kind.GULLY),
    Entry("ditch", _of(Kind.DITCH), _ditch),
    _built(Kind.BUILDING, 24.0, 16.5),
    _built(Kind.FARM, 25.0, 17.2),
    _place(Kind.HAMLET),
    _place(Kind.SETTLEMENT),
    _place(Kind.VILLAGE),
    _place(Kind.TOWN),
    _place(Kind.CITY),
    Entry("bua", _of(Kind.BUA), _town),
    _built(Kind.EDIFICE, 25.0, 17.6),
    _built(Kind.FORT, 18.0, 17.8),
    _built(Kind.CAMP, 26.0, 16.5),
    _built(Kind.BAGGAGE, 26.0, 16.0),
    _field(Kind.PLOUGH),
    _field(Kind.CROPS),
    _field(Kind.PASTURE),
    _field(Kind.ORCHARD),
    _field(Kind.OLIVES),
    _field(Kind.VINEYARD),
    Entry("enclosure", _of(Kind.ENCLOSURE), _enclosures),
    _work(Kind.HEDGE),
    _work(Kind.WALL),
    _work(Kind.FENCE),
    _work(Kind.WORM_FENCE),
    Entry("road", _of(Kind.ROAD), lambda: (_way(6.0, *_THROUGH),)),
    _along(Kind.FENCED_ROAD),
    _along(Kind.SUNKEN_LANE),
    _along(Kind.TRACK),
    _along(Kind.PATH),
    _along(Kind.RAILWAY),
    Entry("junction", _of(Kind.JUNCTION), _junction),
    Entry("level_crossing", _of(Kind.LEVEL_CROSSING), _crossed(Kind.LEVEL_CROSSING, rails=True)),
    Entry("river", _of(Kind.RIVER), lambda: (_water(),)),
    Entry("ford", _of(Kind.FORD), _crossed(Kind.FORD)),
    Entry("bridge", _of(Kind.BRIDGE), _crossed(Kind.BRIDGE)),
    Entry("timber_bridge", _of(Kind.TIMBER_BRIDGE), _crossed(Kind.TIMBER_BRIDGE, over=Kind.TRACK)),
    Entry("railway_bridge", _of(Kind.RAILWAY_BRIDGE), _crossed(Kind.RAILWAY_BRIDGE, over=Kind.RAILWAY)),
    Entry("lake", _of(Kind.LAKE), lambda: _area(Kind.LAKE, _patch(12, 4.5, 20, 10))),
)
"""The legend in its order: relief, wood, bare ground, built, fields and their borders, ways, water."""
