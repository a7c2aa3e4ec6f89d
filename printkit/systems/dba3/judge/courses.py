"""Checks of waterways, rivers and roads, and of the edges and zones of both sides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Final

import shapely
from shapely import Point
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError, check_maximum
from printkit.systems.dba.ground.frame import seen
from printkit.systems.dba.ground.judged import JudgedPiece
from printkit.systems.dba.ground.legal import Terrain
from printkit.systems.dba.ground.placed import COURSES, HILLS
from printkit.systems.dba.ground.waters import depths_of, edge_along
from printkit.systems.dba3.judge.areas import base_of, lying
from printkit.systems.dba3.judge.case import Dba3Case, Dba3Check
from printkit.systems.dba3.placing.zones import NUMBERS, OPPOSITE, edges_of
from printkit.terrain.field.battlefield import Edge
from printkit.terrain.field.features import Course, Kind
from printkit.terrain.geometry.measure import gap, sinuosity


def reaching(case: Dba3Case) -> Faults:
    """Check that a linear feature is in two adjacent quarters (D3-35)."""
    for piece in case.of_type(Terrain.WATERWAY, *COURSES):
        yield from lying(case, piece, (2,))


def edge_of(case: Dba3Case, water: JudgedPiece) -> Edge:
    """Return the edge along a waterway.

    Raises:
        UnseenError: the waterway does not cover any edge completely.
    """
    shore = case.shore
    edge = shore.edge if shore is not None and shore.water is water.ground else edge_along(water.ground, case.board)
    if edge is None:
        raise UnseenError("{water} does not cover any edge from end to end", water=water.id)
    return edge


def waterway(case: Dba3Case) -> Faults:
    """Check that a waterway covers a complete edge and keeps its depth (D3-44)."""
    slack = case.rules.slack("waterway_depth_bw_min")
    least, most = (case.rules.length(f"waterway_depth_bw_{end}") for end in ("min", "max"))
    for water in case.of_type(Terrain.WATERWAY):
        try:
            depths = depths_of(water.ground, case.board, edge_of(case, water))
        except UnseenError as error:
            yield error.sentence
            continue
        if depths.min() < least - slack or depths.max() > most + slack:
            yield Sentence(
                "{water} is {shallowest:.2f} to {deepest:.2f} base widths deep",
                water=water.id,
                shallowest=depths.min() / case.base,
                deepest=depths.max() / case.base,
            )


def waterway_quarter(case: Dba3Case) -> Faults:
    """Check that the quarter of a waterway is at its edge (D3-45)."""
    for water in case.of_type(Terrain.WATERWAY):
        die = case.quarter_dice.get(water.id, 0)
        quarter = die if die in NUMBERS else case.quarters_chosen.get(water.id)
        if quarter in NUMBERS and edge_of(case, water) not in edges_of(quarter):
            yield Sentence("{water} does not border on quarter {quarter}", water=water.id, quarter=quarter)


def _grounds(pieces: Iterable[JudgedPiece], but: str = "") -> list[BaseGeometry]:
    return [piece.ground for piece in pieces if piece.id != but]


def river_ends(case: Dba3Case) -> Faults:
    """Check that a river runs from one edge to another, or to the waterway (D3-47)."""
    waters = _grounds(case.of_type(Terrain.WATERWAY))
    for piece in case.of_type(Terrain.RIVER):
        found = [_end(case, piece, place, waters, case.rules.length("missed_bw_shore")) for place in (0, -1)]
        if None in found:
            yield Sentence("{piece} ends neither at an edge nor in the waterway", piece=piece.id)
        elif found[0] == found[1]:
            yield Sentence("{piece} begins and ends at the same edge", piece=piece.id)


def road_ends(case: Dba3Case) -> Faults:
    """Check that a road runs from an edge to another, to a town or a road, and is nearly straight (D3-51)."""
    short = case.rules.number("road_short_max") + case.rules.slack("road_short_max")
    for piece in case.of_type(Terrain.ROAD):
        goals = _grounds(case.of_type(Terrain.WATERWAY, Terrain.ROAD, Terrain.BUA), but=piece.id)
        found = [_end(case, piece, place, goals, short * _width(case, piece)) for place in (0, -1)]
        if None in found:
            yield Sentence("{piece} ends in the open", piece=piece.id)
        elif found[0] == found[1]:
            yield Sentence("{piece} begins and ends at the same edge", piece=piece.id)
    yield from _winding_roads(case)


def _end(case: Dba3Case, piece: JudgedPiece, place: int, goals: list[BaseGeometry], reach: float) -> str | None:
    point, missed = Point(piece.line.coords[place]), case.rules.length("missed_bw_line")
    for edge in Edge:
        line = case.board.edge(edge)
        off = line.distance(point)
        if off <= missed or (not case.board.shape.covers(point) and off <= case.rules.length("missed_bw_beyond")):
            return edge.value
    for number, goal in enumerate(goals):
        if gap(goal, point) <= reach:
            return f"goal {number}"
    return None


def river_clearance(case: Dba3Case) -> Faults:
    """Check the distance of a river from edges other than those of its ends (D3-49)."""
    least = case.rules.length("river_clearance_bw") - case.rules.slack("river_clearance_bw")
    at_shore = case.rules.length("missed_bw_shore")
    for piece in case.of_type(Terrain.RIVER):
        ends = shapely.MultiPoint([piece.line.coords[0], piece.line.coords[-1]])
        for edge in Edge:
            line = case.board.edge(edge)
            water = [w.ground for w in case.of_type(Terrain.WATERWAY) if edge_of(case, w) is edge]
            own = gap(ends, shapely.union_all([line, *water])) <= at_shore
            if not own and gap(piece.ground, line) < least:
                yield Sentence(
                    "{piece} comes within {distance:.2f} base widths of the {edge} edge",
                    piece=piece.id,
                    distance=gap(piece.ground, line) / case.base,
                    edge=edge,
                )


def road_dry(case: Dba3Case) -> Faults:
    """Check that no road is in a waterway (D3-52)."""
    for piece in case.of_type(Terrain.ROAD):
        for water in case.of_type(Terrain.WATERWAY):
            if piece.line.intersection(water.ground).length > case.rules.length("missed_bw_line"):
                yield Sentence("{piece} runs through {water}", piece=piece.id, water=water.id)


def river_clear(case: Dba3Case) -> Faults:
    """Check that no river crosses a hill or a town (D3-53)."""
    for piece in case.of_type(Terrain.RIVER):
        for other in case.of_type(*HILLS, Terrain.BUA):
            if piece.line.intersection(other.ground).length > case.rules.length("missed_bw_line"):
                yield Sentence("{piece} crosses {other}", piece=piece.id, other=other.id)


def fords(case: Dba3Case) -> Faults:
    """Check that there is a ford where a road crosses a river (D3-54)."""
    there = [each.at for each in case.crossings if each.kind in (Kind.FORD, Kind.BRIDGE)]
    for road in case.of_type(Terrain.ROAD):
        for river in case.of_type(Terrain.RIVER):
            for spot in shapely.get_parts(road.line.intersection(river.line)):
                if not spot.is_empty and not any(gap(at, spot) <= case.rules.length("missed_bw_ford") for at in there):
                    yield Sentence("{road} crosses {river} without a ford", road=road.id, river=river.id)


def opposite(case: Dba3Case) -> Faults:
    """Check that the base edges are opposite each other (D3-55)."""
    defender, invader = case.edge("defender"), case.edge("invader")
    if OPPOSITE[defender] is not invader:
        yield Sentence(
            "the defender has the {defender} edge and the invader the {invader} edge",
            defender=defender,
            invader=invader,
        )
    chosen = [throw.answer for throw in case.throws("edges")] if case.played else []
    if chosen and chosen[-1] != invader:
        yield Sentence(
            "the invader chose the {chosen} edge but has the {invader} edge", chosen=chosen[-1], invader=invader
        )


def dry_back(case: Dba3Case) -> Faults:
    """Check that no waterway is behind the defender (D3-56)."""
    for water in case.of_type(Terrain.WATERWAY):
        if edge_of(case, water) is case.edge("defender"):
            yield Sentence("{water} is behind the defender", water=water.id)


def zone_depth(case: Dba3Case) -> Faults:
    """Check that each zone ends at its distance from the middle, regardless of water (D3-57, D3-60)."""
    yield from case.undrawn("deployment")
    wanted = case.board.depth / 2 - case.rules.length("zone_from_centre_bw")
    for overlay, edge in case.drawn("deployment"):
        _, low, _, deep = seen(overlay.shape, case.board, edge).bounds
        if max(abs(deep - wanted), abs(low)) > case.rules.slack("zone_from_centre_bw"):
            yield Sentence(
                "the zone of side {side} is {deep:.2f} base widths deep", side=overlay.side, deep=deep / case.base
            )


def zone_sides(kind: str, number: str, case: Dba3Case) -> Faults:
    """Check the distance of a zone from the sides of the board (D3-58, D3-59)."""
    yield from case.undrawn(kind)
    for overlay, edge in case.drawn(kind):
        left, _, right, _ = seen(overlay.shape, case.board, edge).bounds
        margins = (left, case.board.width - right)
        if max(abs(margin - case.rules.length(number)) for margin in margins) > case.rules.slack(number):
            yield Sentence(
                "the zone of side {side} starts {margin:.2f} base widths from the side edge",
                side=overlay.side,
                margin=min(margins) / case.base,
            )


def first_mover(case: Dba3Case) -> Faults:
    """Check that the defender deploys first and the invader moves first (D3-66)."""
    first, then = case.deployment("deploys_first"), case.deployment("moves_first")
    if (first, then) != (case.deployment("defender"), case.deployment("invader")):
        yield Sentence(
            "{deploys_first} deploys first and {moves_first} moves first", deploys_first=first, moves_first=then
        )


def _rivers(case: Dba3Case) -> tuple[JudgedPiece, ...]:
    return case.of_type(Terrain.RIVER)


def _roads(case: Dba3Case) -> tuple[JudgedPiece, ...]:
    return case.of_type(Terrain.ROAD)


def _width(_case: Dba3Case, piece: JudgedPiece) -> float:
    return piece.feature.width if isinstance(piece.feature, Course) else 0.0


def _winding(_case: Dba3Case, piece: JudgedPiece) -> float:
    return sinuosity(piece.line)


_winding_roads: Final = check_maximum(
    _roads, _winding, "road_sinuosity_max", says="{it} is {found:.2f} times as long as a straight line"
)

CHECKS: Final[Mapping[str, Dba3Check]] = {
    "D3-35": reaching,
    "D3-44": waterway,
    "D3-45": waterway_quarter,
    "D3-46": check_maximum(
        _rivers, _width, "river_width_bw_max", says="{it} is {found:.2f} base widths wide", unit=base_of
    ),
    "D3-47": river_ends,
    "D3-48": check_maximum(
        _rivers, _winding, "river_sinuosity_max", says="{it} is {found:.2f} times as long as a straight line"
    ),
    "D3-49": river_clearance,
    "D3-50": check_maximum(
        _roads, _width, "road_width_bw_max", says="{it} is {found:.2f} base widths wide", unit=base_of
    ),
    "D3-51": road_ends,
    "D3-52": road_dry,
    "D3-53": river_clear,
    "D3-54": fords,
    "D3-55": opposite,
    "D3-56": dry_back,
    "D3-57": zone_depth,
    "D3-58": partial(zone_sides, "deployment", "zone_side_bw"),
    "D3-59": partial(zone_sides, "flank", "zone_side_bw_fast"),
    "D3-60": zone_depth,
    "D3-66": first_mover,
}
