"""The rules of the shape of areas and hills, as rows for placing recorded features and for ``check``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple, TypeAlias

import shapely
from msgspec import Struct
from shapely import Polygon

from printkit.kit.rules import Rules
from printkit.kit.shape_rules import Measurement, Measurements, ShapeRule
from printkit.systems.brantley.dealing.game_rules import rule_inch_mm
from printkit.terrain.field.features import Hill, HillFace, Kind
from printkit.terrain.geometry.measure import MAX_WAVER_MM, count_corners


class CheckedArea(Struct, frozen=True, kw_only=True):
    """An area or hill on the board. Lengths are mm on the board.

    Attributes:
        sides: the short and the long side of its outline before rotation; none if they do not matter.
        size_name: the prefix of the limits of its sides in the rule book.
        zone: the square of the zone.
    """

    id: str
    size_name: str
    outline: Polygon
    sides: tuple[float, ...]
    zone_number: int
    zone: Polygon

    @property
    def extent(self) -> tuple[float, float]:
        """Return width (x) and depth (y) of the axis-parallel box of the outline, in mm on the board."""
        left, low, right, high = self.outline.bounds
        return right - left, high - low


class AreaSurroundings(Struct, frozen=True, kw_only=True):
    """The surroundings of an area or hill; ``areas`` are all areas and hills of the board."""

    rules: Rules
    areas: tuple[CheckedArea, ...] = ()
    rounding_mm: float | None = None

    @property
    def unit_mm(self) -> float:
        """Return the mm of one inch of the rules on this board."""
        return rule_inch_mm(self.rules)


AreaRule: TypeAlias = ShapeRule[CheckedArea, AreaSurroundings]


def _measure_overhang(area: CheckedArea, surroundings: AreaSurroundings) -> Measurements:
    tolerance = surroundings.rounding_mm or surroundings.rules.length("touch")
    overhang = area.outline.difference(area.zone.buffer(tolerance, join_style="mitre"))
    if not overhang.is_empty:
        distance = max(area.zone.distance(point) for point in shapely.points(shapely.get_coordinates(overhang)))
        yield Measurement(words={"out": distance / surroundings.unit_mm, "zone": area.zone_number})


def _measure_clearance(area: CheckedArea, _surroundings: AreaSurroundings) -> Measurements:
    left, low, right, high = area.zone.bounds
    west, south, east, north = area.outline.bounds
    yield Measurement(min(west - left, south - low, right - east, high - north))


def _measure_margin_left(area: CheckedArea, surroundings: AreaSurroundings) -> Measurements:
    left, _, right, _ = area.zone.bounds
    room = right - left - 2 * surroundings.rules.length("margin")
    wide, deep, room = (side / surroundings.unit_mm for side in (*area.extent, room))
    yield Measurement((right - left - max(area.extent)) / 2, words={"wide": wide, "deep": deep, "room": room})


def _find_contacts(area: CheckedArea, surroundings: AreaSurroundings) -> Measurements:
    for other in surroundings.areas[surroundings.areas.index(area) + 1 :]:
        if area.outline.intersects(other.outline):
            yield Measurement(words={"other": other.id})


def _measure_side(size_name: str, index: int) -> Callable[[CheckedArea, AreaSurroundings], Iterable[Measurement]]:
    """Return the measure of a side of areas with this name: ``index`` 0 is the short, 1 the long."""
    return lambda area, _surroundings: (
        (Measurement(side) for side in area.sides[index : index + 1]) if (area.size_name == size_name) else ()
    )


def _measure_corners(waver_mm: float) -> Callable[[CheckedArea, AreaSurroundings], Measurements]:
    """Return the measure of the corners of a built-up area whose sides waver by so many mm."""

    def measure(area: CheckedArea, surroundings: AreaSurroundings) -> Measurements:
        if area.size_name == Kind.BUA:
            yield Measurement(count_corners(area.outline, surroundings.rules.length("corner_over") + waver_mm))

    return measure


MARGIN_RULE: Final[AreaRule] = ShapeRule(
    "BR-G02",
    "distance from the sides of its zone",
    _measure_clearance,
    says="{it} is {short_in:.1f} in ({short:.0f} mm) too close to the sides of its zone",
    minimum="margin",
    error_clause="BR-X19",
)
FIT_RULE: Final[AreaRule] = ShapeRule(
    "BR-G03",
    "distance from the sides of its zone, if it were in the middle",
    _measure_margin_left,
    says="{it} is {wide:.2f} x {deep:.2f} in; its zone has room for {room:g} x {room:g} in",
    minimum="margin",
    error_clause="BR-X19",
)
ZONE_RULE: Final[AreaRule] = ShapeRule(
    "BR-343", "within its zone", _measure_overhang, says="{it} reaches {out:.2f} in outside zone {zone}"
)


def shared_rule(size_name: str, clause: str, *, title: str) -> tuple[AreaRule, ...]:
    """Return the rules of the shortest and the longest side; ``size_name`` is the prefix of their limits."""
    return (
        ShapeRule(clause, title, _measure_side(size_name, 0), minimum=f"{size_name}_min", error_clause="BR-X19"),
        ShapeRule(clause, title, _measure_side(size_name, 1), maximum=f"{size_name}_max", error_clause="BR-X19"),
    )


SIZE_RULES: Final[tuple[AreaRule, ...]] = (
    *shared_rule("bua", "BR-G11", title="length of a side of a built-up area"),
    *shared_rule("heavy_woods", "BR-G12", title="length of a side of heavy woods"),
    *shared_rule("broken_ground", "BR-G13", title="length of a side of broken ground"),
    *shared_rule("light_woods", "BR-G14", title="length of a side of light woods"),
    *shared_rule("marsh", "BR-G15", title="length of a side of a marsh"),
    *shared_rule("hill_1", "BR-G16", title="length of a side of a hill with one level"),
    *shared_rule("hill_2", "BR-G17", title="length of a side of a hill with two levels"),
    *shared_rule("lake", "BR-G18", title="length of a side of a lake"),
)
AREA_RULES: Final[tuple[AreaRule, ...]] = (
    MARGIN_RULE,
    FIT_RULE,
    ZONE_RULE,
    ShapeRule("BR-G06", "away from all other areas", _find_contacts, says="{it} and {other} touch or overlap"),
    *SIZE_RULES,
    ShapeRule("BR-G11", "number of corners of a built-up area", _measure_corners(0.0), minimum="bua_corners_min"),
    ShapeRule(
        "BR-G11", "number of corners of a built-up area", _measure_corners(MAX_WAVER_MM), maximum="bua_corners_max"
    ),
)


class SteepSide(NamedTuple):
    """A steep side of a hill."""

    hill: Hill
    face: HillFace

    @property
    def id(self) -> str:
        """Return the ID of the hill."""
        return self.hill.id


def _measure_inner_share(hill: Hill, _surroundings: AreaSurroundings) -> Measurements:
    yield from (Measurement(inner.area / hill.outline.area) for inner in hill.contours[1:2])


def _measure_inner_gap(hill: Hill, _surroundings: AreaSurroundings) -> Measurements:
    for inner in hill.contours[1:2]:
        yield Measurement(hill.outline.exterior.distance(inner) if hill.outline.contains(inner) else 0.0)


def _measure_outline_share(side: SteepSide, _surroundings: AreaSurroundings) -> Measurements:
    yield Measurement(side.face.line.length / side.hill.outline.length)


CONTOUR_RULES: Final[tuple[ShapeRule[Hill, AreaSurroundings], ...]] = (
    ShapeRule(
        "BR-G17", "area of the inner contour, as a share of the outer", _measure_inner_share, minimum="inner_share_min"
    ),
    ShapeRule(
        "BR-G17", "area of the inner contour, as a share of the outer", _measure_inner_share, maximum="inner_share_max"
    ),
    ShapeRule("BR-G17", "distance between the contours", _measure_inner_gap, minimum="inner_gap_min"),
)
STEEP_SIDE_RULES: Final[tuple[ShapeRule[SteepSide, AreaSurroundings], ...]] = (
    ShapeRule(
        "BR-G21", "length of a steep slope, as a share of the outline", _measure_outline_share, minimum="arc_share_min"
    ),
    ShapeRule(
        "BR-G21", "length of a steep slope, as a share of the outline", _measure_outline_share, maximum="arc_share_max"
    ),
)
