"""A single building, and a farm: houses about a fenced yard, with a gate towards the way that passes.

Source: the cartography, 10.9.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import shapely
from msgspec.structs import replace
from shapely import LineString, Point, Polygon

from printkit.drawing.canvas.area_fill import wash
from printkit.drawing.canvas.items import Laid, LayerName
from printkit.drawing.canvas.shapes import normals, resampled
from printkit.drawing.canvas.symbol_context import Pen
from printkit.drawing.scatter.crowns import trees
from printkit.drawing.scatter.scatter import planted
from printkit.drawing.signs.built.buildings import House, houses
from printkit.drawing.signs.built.site import Site, fitted, nearest_way, opened, shrunk, whole_lines
from printkit.drawing.signs.lines.course_lines import on, ruled
from printkit.drawing.signs.lines.works import fence_along
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area

_LARGEST: Final = 2.2
_POST: Final = 1.9
_HOUSE: Final = (24.0, 18.0)
_BESIDE: Final = ((-10.2, -6.5), (-10.9, 2.0), (-9.8, 7.6), (-1.0, 7.9))
_FARM: Final = (37.0, 27.0)
_FARMHOUSES: Final = (
    House(x=-8.2, y=6.6, width=15.0, depth=8.5, angle=0.04, roof="thatch", shade=1),
    House(x=10.6, y=2.0, width=15.0, depth=8.0, angle=math.pi / 2 - 0.05, roof="roof", shade=2, chimney=True),
    House(x=-3.0, y=-8.2, width=13.0, depth=7.0, angle=-0.04, roof="slate", shade=0),
)
_GATE: Final = 6.0
_RINGS: Final = ((3.0, 0.06), (1.4, 0.10))


def building(area: Area, pen: Pen, field: Battlefield) -> Laid:
    """Draw one house, its front to the way that passes, with a bit of fence; on larger ground it is larger."""
    stream = pen.stream(f"draw/{area.id}/house")
    site = fitted(area.outline, *_HOUSE, most=pen.size(_LARGEST))
    if (front := nearest_way(area.outline, field, pen)) and site.above(front):
        site = replace(site, angle=site.angle + math.pi)
    mirrored = 1 if stream.unit() < 0.5 else -1
    fence = LineString(site.placed([(mirrored * x, y) for x, y in _BESIDE]))
    hand = pen.smaller(min(1.0, site.size / pen.size(1.0)))
    posts = pen.stream(f"draw/{area.id}/fence")
    yield from fence_along(LineString(resampled(fence, 0.5)), hand, posts, hand.size(_POST), LayerName.GARDEN)
    plan = House(x=1.2 * mirrored, y=-1.2, width=17.0, depth=11.0, angle=stream.between(-0.05, 0.05), chimney=True)
    yield from houses([site.house(plan)], hand)


def farm(area: Area, pen: Pen, field: Battlefield) -> Laid:
    """Draw three houses about a yard inside a fence, two trees, and the cart track in."""
    ground, style = area.outline, pen.style
    site = farmstead(area, pen)
    hand = pen.smaller(min(1.0, site.size / pen.size(1.0)))
    yield from on(LayerName.GROUND_WASH, wash(ground, style.ink("farm-yard"), None, hand, _RINGS))
    post = hand.size(_POST)
    ring = LineString(shrunk(ground, 0.55 * post).exterior)
    entrance = nearest_way(ground, field, pen) or Point(site.placed([(4.0, -99.0)])[0])
    fence, gate = opened(ring, entrance, _GATE * site.size)
    posts = pen.stream(f"draw/{area.id}/fence")
    yield from fence_along(whole_lines(fence), hand, posts, post, LayerName.GARDEN)
    built = farmhouses(area, pen)
    yield from _cart_track(gate, site, built, hand)
    stream = pen.stream(f"draw/{area.id}/trees")
    places = _tree_places(ground, gate, built, area, pen, site)
    radii = [site.size * stream.between(2.9, 3.6) for _ in places]
    yield from trees(places, radii, "crown", hand, stream=stream, layer=LayerName.GARDEN)
    yield from houses(built, hand)


def farmstead(area: Area, pen: Pen) -> Site:
    """Return how the plan of a farm lies on its ground."""
    return fitted(shrunk(area.outline, pen.size(1.6)), *_FARM, most=pen.size(_LARGEST))


def farmhouses(area: Area, pen: Pen) -> list[House]:
    """Return the houses of a farm."""
    site, stream = farmstead(area, pen), pen.stream(f"draw/{area.id}/houses")
    flip = 1 if stream.unit() < 0.5 else -1
    turn = 1 if stream.unit() < 0.5 else -1
    return [
        site.house(
            House(
                x=flip * house.x,
                y=turn * house.y,
                width=house.width,
                depth=house.depth,
                angle=flip * turn * house.angle + stream.between(-0.04, 0.04),
                roof=house.roof,
                shade=house.shade + stream.below(4),
                chimney=house.chimney,
            )
        )
        for house in _FARMHOUSES
    ]


def _cart_track(gate: Point, site: Site, built: list[House], pen: Pen) -> Laid:
    """Draw two ruts from the gate to the middle of the yard, as far as no house is in their way."""
    line = resampled(LineString([(gate.x, gate.y), (site.x, site.y)]), 1.0)
    clear = shapely.union_all([house.footprint for house in built]).buffer(pen.size(1.2))
    across = normals(line) * pen.size(1.7)
    tracks = shapely.difference(shapely.multilinestrings([line + across, line - across]), clear)
    dashes = ruled(tracks, pen, "road-casing", 0.42, dash=(3.4, 1.8))
    yield from on(LayerName.COURSE_DETAIL, dashes)


def _tree_places(
    ground: Polygon, gate: Point, built: list[House], area: Area, pen: Pen, site: Site
) -> list[tuple[float, float]]:
    """Return two places in the yard, far from the houses' doors and from one another."""
    unit = site.size
    taken = [house.footprint.buffer(3.4 * unit) for house in built]
    free = shapely.difference(ground.buffer(-4.6 * unit), shapely.union_all([*taken, gate.buffer(9 * unit), pen.clear]))
    spots = planted(free, max(2.0 * unit, 0.04 * math.sqrt(ground.area)), pen.stream(f"draw/{area.id}/planting"))
    if not len(spots):
        return []
    first = spots[int(np.argmax(np.hypot(*(spots - (site.x, site.y)).T)))]
    second = spots[int(np.argmax(np.hypot(*(spots - first).T)))]
    apart = float(np.hypot(*(second - first)))
    return [(float(x), float(y)) for x, y in ((first, second) if apart > 8 * unit else (first,))]
