"""The judge on waterway, rivers and roads, and on the edges and zones of both sides."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import Final

import numpy as np
import shapely
from shapely import Point
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.dba.ground.judged import SLACK, JudgedPiece
from printkit.systems.dba.ground.legal import Terrain
from printkit.systems.dba3.judge.areas import lying
from printkit.systems.dba3.judge.case import Dba3Case, Dba3Check
from printkit.terrain.field.battlefield import Edge, Overlay
from printkit.terrain.field.features import Crossing, Kind

_PROBES: Final = 240
_BESIDE: Final[Mapping[Edge, tuple[int, int]]] = {
    Edge.NEAR: (1, 4), Edge.LEFT: (1, 2), Edge.FAR: (2, 3), Edge.RIGHT: (3, 4),
}  # fmt: skip
_ACROSS: Final = {Edge.NEAR: Edge.FAR, Edge.FAR: Edge.NEAR, Edge.LEFT: Edge.RIGHT, Edge.RIGHT: Edge.LEFT}
_QUAY: Final = 0.5
"""Share of its width by which a road may end short of what it runs to."""


def reaching(case: Dba3Case) -> Faults:
    """D3-35: a linear feature lies in two adjoining quarters."""
    for piece in case.of_type(Terrain.WATERWAY, Terrain.RIVER, Terrain.ROAD):
        yield from lying(case, piece, (2,))


def edge_of(case: Dba3Case, water: JudgedPiece) -> Edge:
    """Return the edge along which a waterway lies.

    Raises:
        UnseenError: it lies along the whole of none.
    """
    for edge in Edge:
        line = case.board.edge(edge)
        if line.intersection(water.ground.buffer(SLACK)).length >= line.length - 1:
            return edge
    raise UnseenError("{water} lies along the whole of no edge", water=water.id)


def waterway(case: Dba3Case) -> Faults:
    """D3-44: along one whole edge, and so deep."""
    for water in case.of_type(Terrain.WATERWAY):
        try:
            edge = edge_of(case, water)
        except UnseenError as error:
            yield error.sentence
            continue
        depths = _depths(case, water, edge)
        least, most = case.bw("waterway_depth_bw_min"), case.bw("waterway_depth_bw_max")
        if depths.min() < least - 0.5 or depths.max() > most + 0.5:
            yield Sentence(
                "{water} is {shallowest:.2f} to {deepest:.2f} base widths deep",
                water=water.id,
                shallowest=depths.min() / case.base,
                deepest=depths.max() / case.base,
            )


def _depths(case: Dba3Case, water: JudgedPiece, edge: Edge) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    wide, deep = case.board.width, case.board.depth
    level = edge in (Edge.NEAR, Edge.FAR)
    at = np.linspace(0.5, (wide if level else deep) - 0.5, _PROBES)
    ends = np.array([[(a, -1.0), (a, deep + 1)] if level else [(-1.0, a), (wide + 1, a)] for a in at])
    return np.asarray(shapely.length(shapely.intersection(shapely.linestrings(ends), water.ground)), dtype=float)


def waterway_quarter(case: Dba3Case) -> Faults:
    """D3-45: its quarter borders on its edge."""
    dice, chosen = case.dice(), case.choices()
    for water in case.of_type(Terrain.WATERWAY):
        die = dice.get(water.id, 0)
        quarter = die if 1 <= die <= 4 else chosen.get(water.id)
        if quarter is not None and quarter not in _BESIDE[edge_of(case, water)]:
            yield Sentence("{water} does not border on quarter {quarter}", water=water.id, quarter=quarter)


def width(terrain: Terrain, case: Dba3Case) -> Faults:
    """D3-46, D3-50: how wide a course may be."""
    for piece in case.of_type(terrain):
        wide = getattr(piece.feature, "width", 0.0)
        if wide > case.bw(f"{terrain}_width_bw_max") + SLACK:
            yield Sentence("{piece} is {wide:.2f} base widths wide", piece=piece.id, wide=wide / case.base)


def river_ends(case: Dba3Case) -> Faults:
    """D3-47: from one edge to another, or to the waterway."""
    waters = [water.ground for water in case.of_type(Terrain.WATERWAY)]
    for piece in case.of_type(Terrain.RIVER):
        found = [_end(case, piece, place, waters, 1.0) for place in (0, -1)]
        if None in found:
            yield Sentence("{piece} ends neither at an edge nor in the waterway", piece=piece.id)
        elif found[0] == found[1]:
            yield Sentence("{piece} begins and ends at the same edge", piece=piece.id)


def road_ends(case: Dba3Case) -> Faults:
    """D3-51: from an edge to another, to a town or a road; nearly straight."""
    for piece in case.of_type(Terrain.ROAD):
        others = [other.ground for other in case.of_type(Terrain.ROAD, Terrain.BUA) if other.id != piece.id]
        waters = [water.ground for water in case.of_type(Terrain.WATERWAY)]
        reach = _QUAY * getattr(piece.feature, "width", 0.0) + 1.0
        found = [_end(case, piece, place, [*waters, *others], reach) for place in (0, -1)]
        if None in found:
            yield Sentence("{piece} ends in the open", piece=piece.id)
        elif found[0] == found[1]:
            yield Sentence("{piece} begins and ends at the same edge", piece=piece.id)
        if _winding(piece) > case.book.numbers["road_sinuosity_max"] + 1e-3:
            yield Sentence(
                "{piece} is {winding:.2f} times as long as the straight way", piece=piece.id, winding=_winding(piece)
            )


def _end(case: Dba3Case, piece: JudgedPiece, place: int, goals: list[BaseGeometry], reach: float) -> str | None:
    point = Point(piece.line.coords[place])
    for edge in Edge:
        line = case.board.edge(edge)
        if line.distance(point) <= SLACK or (not case.board.shape.covers(point) and line.distance(point) <= case.base):
            return edge.value
    for number, goal in enumerate(goals):
        if goal.distance(point) <= reach:
            return f"goal {number}"
    return None


def river_length(case: Dba3Case) -> Faults:
    """D3-48: at most so many times as long as its ends are apart."""
    for piece in case.of_type(Terrain.RIVER):
        if _winding(piece) > case.book.numbers["river_sinuosity_max"] + 1e-3:
            yield Sentence(
                "{piece} is {winding:.2f} times as long as the straight way", piece=piece.id, winding=_winding(piece)
            )


def _winding(piece: JudgedPiece) -> float:
    straight = math.dist(piece.line.coords[0], piece.line.coords[-1])
    return math.inf if straight == 0 else piece.line.length / straight


def river_clearance(case: Dba3Case) -> Faults:
    """D3-49: so far from the edges where it neither begins nor ends."""
    least = float(case.settings["river_clearance"]) * case.base
    for piece in case.of_type(Terrain.RIVER):
        ends = shapely.MultiPoint([piece.line.coords[0], piece.line.coords[-1]])
        for edge in Edge:
            line = case.board.edge(edge)
            water = [w.ground for w in case.of_type(Terrain.WATERWAY) if edge_of(case, w) is edge]
            own = ends.distance(shapely.union_all([line, *water])) <= 1.0
            if not own and piece.ground.distance(line) < least - SLACK:
                yield Sentence(
                    "{piece} comes within {distance:.2f} base widths of {edge}",
                    piece=piece.id,
                    distance=piece.ground.distance(line) / case.base,
                    edge=edge,
                )


def road_dry(case: Dba3Case) -> Faults:
    """D3-52: no road in a waterway."""
    for piece in case.of_type(Terrain.ROAD):
        for water in case.of_type(Terrain.WATERWAY):
            if piece.line.intersection(water.ground).length > SLACK:
                yield Sentence("{piece} runs through {water}", piece=piece.id, water=water.id)


def river_clear(case: Dba3Case) -> Faults:
    """D3-53: no river over a hill or through a town."""
    for piece in case.of_type(Terrain.RIVER):
        for other in case.of_type(Terrain.STEEP_HILL, Terrain.GENTLE_HILL, Terrain.BUA):
            if piece.line.intersection(other.ground).length > SLACK:
                yield Sentence("{piece} crosses {other}", piece=piece.id, other=other.id)


def fords(case: Dba3Case) -> Faults:
    """D3-54: a ford where a road crosses a river."""
    crossings = [each for each in case.record.battlefield.features if isinstance(each, Crossing)]
    for road in case.of_type(Terrain.ROAD):
        for river in case.of_type(Terrain.RIVER):
            for spot in shapely.get_parts(road.line.intersection(river.line)):
                if not spot.is_empty and not any(
                    each.at.distance(spot) <= 2.0 and each.kind in (Kind.FORD, Kind.BRIDGE) for each in crossings
                ):
                    yield Sentence("{road} crosses {river} without a ford", road=road.id, river=river.id)


def opposite(case: Dba3Case) -> Faults:
    """D3-55: base edges face one another."""
    defender, invader = (Edge(case.detail("deployment", f"{who}_edge")) for who in ("defender", "invader"))
    if _ACROSS[defender] is not invader:
        yield Sentence(
            "the defender has the {defender} edge, the invader the {invader} one", defender=defender, invader=invader
        )


def dry_back(case: Dba3Case) -> Faults:
    """D3-56: no waterway behind the defender."""
    defender = Edge(case.detail("deployment", "defender_edge"))
    for water in case.of_type(Terrain.WATERWAY):
        if edge_of(case, water) is defender:
            yield Sentence("{water} lies at the defender's back", water=water.id)


def zone_depth(case: Dba3Case) -> Faults:
    """D3-57, D3-60: each zone reaches from its edge to so far short of the middle, whatever water there is."""
    short = case.bw("zone_from_centre_bw")
    for overlay, edge in _zones(case, "deployment"):
        _, deep = _extent(case, overlay, edge)
        half = (case.board.depth if edge in (Edge.NEAR, Edge.FAR) else case.board.width) / 2
        if abs(deep - (half - short)) > 0.5:
            yield Sentence(
                "the zone of {side} is {deep:.2f} base widths deep", side=overlay.side, deep=deep / case.base
            )


def zone_sides(kind: str, number: str, case: Dba3Case) -> Faults:
    """D3-58, D3-59: so far from the sides."""
    for overlay, edge in _zones(case, kind):
        margin, _ = _extent(case, overlay, edge)
        if abs(margin - case.bw(number)) > 0.5:
            yield Sentence(
                "the zone of {side} begins {margin:.2f} base widths from the side",
                side=overlay.side,
                margin=margin / case.base,
            )


def _zones(case: Dba3Case, kind: str) -> list[tuple[Overlay, Edge]]:
    """Return the zones drawn on the map, each with its base edge."""
    sides = {str(case.detail("deployment", who)): who for who in ("defender", "invader")}
    found = [overlay for overlay in case.record.battlefield.overlays if overlay.kind == kind]
    if not found:
        raise UnseenError("the record draws no zones")
    return [(each, Edge(case.detail("deployment", f"{sides[each.side]}_edge"))) for each in found]


def _extent(case: Dba3Case, overlay: Overlay, edge: Edge) -> tuple[float, float]:
    """Return the least distance of a zone from a side of the board, and how far it reaches from its edge."""
    left, low, right, high = (float(value) for value in overlay.shape.bounds)
    wide, deep = case.board.width, case.board.depth
    if edge in (Edge.NEAR, Edge.FAR):
        return min(left, wide - right), high if edge is Edge.NEAR else deep - low
    return min(low, deep - high), right if edge is Edge.LEFT else wide - left


def first_mover(case: Dba3Case) -> Faults:
    """D3-66: the defender deploys first, the invader moves first."""
    facts = case.detail("deployment")
    if facts["deploys_first"] != facts["defender"] or facts["moves_first"] != facts["invader"]:
        yield Sentence(
            "{deploys_first} deploys first and {moves_first} moves first",
            deploys_first=facts["deploys_first"],
            moves_first=facts["moves_first"],
        )


CHECKS: Final[Mapping[str, Dba3Check]] = {
    "D3-35": reaching,
    "D3-44": waterway,
    "D3-45": waterway_quarter,
    "D3-46": partial(width, Terrain.RIVER),
    "D3-47": river_ends,
    "D3-48": river_length,
    "D3-49": river_clearance,
    "D3-50": partial(width, Terrain.ROAD),
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
