"""The board as one side sees it, and the facts that are read off it: zones, flanks, shore, town (AMB-25..35)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeVar

import shapely
from msgspec import Struct, field
from msgspec.structs import replace
from shapely import MultiPolygon, Polygon, box, unary_union
from shapely.affinity import affine_transform
from shapely.geometry.base import BaseGeometry

from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.tactics.situation import CORNERS, EDGES, NONE, FactValue, Place, Situation, key_of
from printkit.terrain.field.battlefield import Battlefield, Board, Edge
from printkit.terrain.field.features import Area, Course, Feature, Hill, Kind
from printkit.terrain.geometry.measure import ribbon

# --- The board as one side sees it: along its base edge from left to right, and away from it towards the enemy --------

_Shape = TypeVar("_Shape", bound=BaseGeometry)


class SideFrame(Struct, frozen=True):
    """Coordinates in mm of the side whose base edge this is: x along it from its left, y towards the enemy."""

    board: Board
    edge: Edge

    @property
    def width(self) -> float:
        """Return the length of the base edge."""
        return self.board.width if self.edge in (Edge.NEAR, Edge.FAR) else self.board.depth

    @property
    def depth(self) -> float:
        """Return the way to the enemy's edge."""
        return self.board.depth if self.edge in (Edge.NEAR, Edge.FAR) else self.board.width

    @property
    def facing(self) -> float:
        """Return where the side looks: degrees anticlockwise from +x of the board."""
        return {Edge.NEAR: 90.0, Edge.FAR: 270.0, Edge.LEFT: 0.0, Edge.RIGHT: 180.0}[self.edge]

    def seen(self, shape: BaseGeometry) -> BaseGeometry:
        """Return a shape of the board in this side's coordinates."""
        width, depth = self.board.width, self.board.depth
        match self.edge:
            case Edge.NEAR:
                return shape
            case Edge.FAR:
                return affine_transform(shape, [-1, 0, 0, -1, width, depth])
            case Edge.LEFT:
                return affine_transform(shape, [0, -1, 1, 0, depth, 0])
            case Edge.RIGHT:
                return affine_transform(shape, [0, 1, -1, 0, 0, width])

    def on_board(self, along: float, away: float) -> tuple[float, float]:
        """Return a place of this side's coordinates on the board."""
        width, depth = self.board.width, self.board.depth
        match self.edge:
            case Edge.NEAR:
                return along, away
            case Edge.FAR:
                return width - along, depth - away
            case Edge.LEFT:
                return away, depth - along
            case Edge.RIGHT:
                return width - away, along

    def middle(self, fraction: float = 0.5) -> tuple[float, float]:
        """Return from where to where the middle of the width runs; by default its two middle quarters."""
        side = self.width * (1 - fraction) / 2
        return side, self.width - side

    def flank(self, *, left: bool) -> tuple[float, float]:
        """Return from where to where the outer quarter on one hand runs."""
        low, high = self.middle()
        return (0.0, low) if left else (high, self.width)


MAP: Final = "map"
"""The source of a fact that the program measured."""

BAD: Final = "bad"
IMPASSABLE: Final = "impassable"
_RELIEF: Final = (Kind.HILL, Kind.RISE, Kind.SPUR, Kind.LONG_HILL)
_TOUCH: Final = 1.0
"""mm² from which two shapes overlap; less is how outlines are rounded."""


class SideGround(Struct, frozen=True, kw_only=True):
    """A battlefield in the coordinates of one side, sorted by what the procedures ask of it.

    ``all_bad`` is all bad going as one shape; ``barred`` where no element may be deployed: impassable ground, towns and
    rivers.
    """

    frame: SideFrame
    rules: SoloRules
    bad: tuple[Polygon, ...] = ()
    dunes: tuple[Polygon, ...] = ()
    impassable: tuple[BaseGeometry, ...] = ()
    waterway: tuple[BaseGeometry, ...] = ()
    rivers: tuple[BaseGeometry, ...] = ()
    gentle_hills: tuple[Polygon, ...] = ()
    built_up: tuple[Polygon, ...] = ()
    roads: tuple[BaseGeometry, ...] = ()
    all_bad: BaseGeometry = field(default_factory=MultiPolygon)
    barred: BaseGeometry = field(default_factory=MultiPolygon)

    @property
    def zone_depth(self) -> float:
        """Return the depth of the deployment zone (0.4)."""
        return self.rules.length("deployment_p")

    @property
    def front(self) -> float:
        """Return how far the zone reaches from the base edge, in mm."""
        return self.baseline + self.zone_depth

    @property
    def big(self) -> float:
        """Return the mm² of bad going that are of a reasonable size (AMB-25)."""
        return self.rules.big_area * self.frame.board.scale.pace**2 - _TOUCH

    @property
    def baseline(self) -> float:
        """Return from where the zone is measured: the base edge, or the shore of a waterway behind (A5)."""
        behind = [part for part in self.waterway if part.bounds[1] <= _TOUCH and part.bounds[3] < self.frame.depth / 2]
        return max((part.bounds[3] for part in behind), default=0.0)


def ground_of(field: Battlefield, edge: Edge, rules: SoloRules) -> SideGround:
    """Return the ground of a battlefield as the side of this base edge sees it."""
    frame = SideFrame(field.board, edge)

    def seen(shapes: Iterator[BaseGeometry]) -> tuple[BaseGeometry, ...]:
        return tuple(frame.seen(shape) for shape in shapes)

    areas = [feature for feature in field.features if isinstance(feature, Area | Hill)]
    built = [feature.outline for feature in areas if feature.kind is Kind.BUA]  # no bad going (AMB-14)
    bad = [feature for feature in areas if feature.going.name == BAD and feature.kind is not Kind.BUA]
    outlines = [feature.outline for feature in bad]
    closed = [feature.outline for feature in areas if feature.going.name == IMPASSABLE]
    rivers = list(_ribbons(field, Kind.RIVER))
    all_bad, barred = frame.seen(unary_union(outlines)), frame.seen(unary_union([*closed, *built, *rivers]))
    shapely.prepare([all_bad, barred])
    return SideGround(
        frame=frame,
        rules=replace(rules, board=field.board),
        all_bad=all_bad,
        barred=barred,
        bad=seen(iter(outlines)),
        dunes=seen(feature.outline for feature in bad if feature.kind is Kind.DUNES),
        impassable=seen(iter(closed)),
        waterway=seen(feature.outline for feature in areas if feature.kind is Kind.WATERWAY),
        rivers=seen(iter(rivers)),
        gentle_hills=seen(
            feature.outline for feature in areas if feature.kind in _RELIEF and feature.going.name != BAD
        ),
        built_up=seen(iter(built)),
        roads=seen(iter([road.line for road in field.select_features(Kind.ROAD) if isinstance(road, Course)])),
    )


def edge_facts(field: Battlefield, rules: SoloRules) -> dict[str, FactValue]:
    """Return the facts of all four edges (SD-4.1), where the waterway runs, and in which corner the town lies.

    The zone of an edge with a waterway behind it begins at the shore, as it does when armies deploy (A5).
    """
    found: dict[str, FactValue] = {"waterway": _waterway_edge(field), "bua": _bua_corner(field)}
    for edge in EDGES:
        ground = ground_of(field, edge, rules)
        width, rear, front = ground.frame.width, ground.baseline, ground.front
        low, high = ground.frame.middle(rules.number("centre_fraction"))
        zone, centre = box(0, rear, width, front), box(low, rear, high, front)
        ahead = box(0, front, width, front + field.board.paces(rules.front_depth))
        found[f"{edge}.zone_clear"] = not _meets((*ground.bad, *ground.rivers), zone)
        found[f"{edge}.zone_bad_centre"] = _largest(ground.bad, centre) >= ground.big
        found[f"{edge}.bad_ahead"] = _meets(ground.bad, ahead)
        found[f"{edge}.gentle_hill"] = _meets(ground.gentle_hills, zone)
    return found


def side_facts(field: Battlefield, edge: Edge, rules: SoloRules) -> dict[str, FactValue]:
    """Return the facts that hang on the NPG's base edge: flanks, the ground ahead, the shore, the town's side."""
    ground = ground_of(field, edge, rules)
    found: dict[str, FactValue] = {"ground_ahead_good": _good_ahead(ground)}
    found |= _flank_facts(ground)
    found |= _shore_facts(ground)
    for place in (Place.CENTRE, Place.LEFT, Place.RIGHT, Place.RESERVE):
        found[f"{key_of(place)}.room"] = _room(ground, place, wheels=False)
        found[f"{key_of(place)}.room_for_wheels"] = _room(ground, place, wheels=True)
    if ground.built_up:
        found["bua_own_side"] = bool(unary_union(ground.built_up).centroid.y < ground.frame.depth / 2)
    return found


def situation_of(field: Battlefield, edge: Edge | None, rules: SoloRules) -> Situation:
    """Return everything that a map shows; what hangs on the NPG's base edge only once he has one."""
    facts = edge_facts(field, rules)
    if edge is not None:
        facts |= side_facts(field, edge, rules)
    return Situation().knowing(facts, MAP)


def place_box(ground: SideGround, place: Place) -> Polygon:
    """Return the ground of a place on the table, measured from the baseline (SD-4.7-a..d)."""
    frame, front = ground.frame, ground.front
    if place is Place.LANDING:
        return Polygon()
    if place is Place.RESERVE:
        front -= ground.rules.length("reserve_behind_p")
    low, high = frame.flank(left=place is Place.LEFT) if place in (Place.LEFT, Place.RIGHT) else frame.middle()
    return box(low, ground.baseline, high, front)


def _ribbons(field: Battlefield, kind: Kind) -> Iterator[BaseGeometry]:
    for course in field.select_features(kind):
        if isinstance(course, Course):
            yield ribbon(course.line, course.width).intersection(field.board.shape)


def _meets(shapes: tuple[BaseGeometry, ...], ground: Polygon) -> bool:
    return any(shape.intersection(ground).area > _TOUCH for shape in shapes)


def _largest(shapes: tuple[Polygon, ...], ground: Polygon) -> float:
    return max((float(shape.intersection(ground).area) for shape in shapes), default=0.0)


def _good_ahead(ground: SideGround) -> bool:
    """Return whether most of the ground 600 p ahead of the Centre is neither bad nor impassable (AMB-33)."""
    low, high = ground.frame.middle()
    ahead = box(low, ground.front, high, ground.front + ground.rules.length("ahead_p"))
    slow = unary_union([*ground.bad, *ground.impassable]).intersection(ahead)
    return bool(slow.area < ground.rules.number("ahead_bad_share_max") * ahead.area)


def _flank_facts(ground: SideGround) -> dict[str, FactValue]:
    frame, front, big, found = ground.frame, ground.front, ground.big, dict[str, FactValue]()
    beyond = front + ground.rules.length("ahead_p")
    both = True
    for place in (Place.LEFT, Place.RIGHT):
        low, high = frame.flank(left=place is Place.LEFT)
        zone, ahead = box(low, ground.baseline, high, front), box(low, front, high, beyond)
        inside, outside = (float(ground.all_bad.intersection(part).area) for part in (zone, ahead))
        name = key_of(place)
        found[f"{name}.bad_going"] = inside >= big
        found[f"{name}.bad_ahead"] = outside > _TOUCH
        found[f"{name}.clear"] = inside <= _TOUCH and outside <= _TOUCH
        both = both and inside + outside >= big
    return {**found, "both_flanks_bad": both}


def _shore_facts(ground: SideGround) -> dict[str, FactValue]:
    """Return whether bad going, and whether dunes, lie near the line midway and near the shore (AMB-35)."""
    if not ground.waterway:
        return {"bad_going_at_shore": False, "dunes_at_shore": False}
    rules, middle = ground.rules, ground.frame.depth / 2
    reach = rules.length("SD-4.6-m3_along")
    strip = box(-1, middle - reach, ground.frame.width + 1, middle + reach)
    shore = unary_union(ground.waterway)

    def near(shape: Polygon) -> bool:
        return bool(shape.distance(shore) <= rules.length("SD-4.6-m3_inland") and shape.distance(strip) <= 0)

    return {
        "bad_going_at_shore": any(near(shape) for shape in ground.bad),
        "dunes_at_shore": any(near(shape) for shape in ground.dunes),
    }


def _room(ground: SideGround, place: Place, *, wheels: bool) -> int:
    """Return how many bases find free ground in a place: squares of a base width, side by side from its left."""
    zone, side = place_box(ground, place), ground.frame.board.scale.base_width
    barred = unary_union([ground.barred, ground.all_bad]) if wheels else ground.barred
    left, bottom, right, top = zone.bounds
    free = 0
    for row in range(int((top - bottom) // side)):
        for column in range(int((right - left) // side)):
            x, y = left + column * side, top - (row + 1) * side
            free += bool(barred.intersection(box(x, y, x + side, y + side)).area <= _TOUCH)
    return free


def _waterway_edge(field: Battlefield) -> str:
    for feature in field.select_features(Kind.WATERWAY):
        if isinstance(feature, Area):
            along = {edge: feature.outline.intersection(field.board.edge(edge)).length for edge in EDGES}
            return max(EDGES, key=lambda edge: along[edge]).value
    return NONE


def _bua_corner(field: Battlefield) -> str:
    town: Feature | None = next(field.select_features(Kind.BUA), None)
    if not isinstance(town, Area):
        return NONE
    centre = town.outline.centroid
    near, left = centre.y < field.board.depth / 2, centre.x < field.board.width / 2
    return CORNERS[(0 if near else 2) + (0 if left else 1)]


def enemy_road_ends(ground: SideGround) -> tuple[float, ...]:
    """Return where roads that come from the enemy's side reach the base edge, mm from its left (SD-4.3-p2)."""
    frame, found = ground.frame, list[float]()
    far, near = box(0, frame.depth - _TOUCH, frame.width, frame.depth + 1e4), box(0, -1e4, frame.width, _TOUCH)
    for road in ground.roads:
        if road.intersects(far) and road.intersects(near):
            found.append(float(road.intersection(near).centroid.x))
    return tuple(found)
