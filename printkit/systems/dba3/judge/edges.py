"""Checks of the quarter of a waterway, of fords, and of the edges and zones of both sides."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

import shapely

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults
from printkit.systems.dba.ground.frame import rotate_from_edge
from printkit.systems.dba.ground.terrain_limits import Terrain
from printkit.systems.dba3.judge.case import Dba3Case, Dba3Check
from printkit.systems.dba3.placing.zones import OPPOSITE_EDGES, QUARTER_NUMBERS, quarter_edges
from printkit.terrain.field.features import Kind
from printkit.terrain.geometry.measure import gap


def check_waterway_quarter(case: Dba3Case) -> Faults:
    """Check that the quarter of a waterway is at its edge (D3-45)."""
    quarters = {recorded_piece.id: recorded_piece.quarter for recorded_piece in case.recorded_pieces}
    for water in case.pieces_of_type(Terrain.WATERWAY):
        quarter = quarters.get(water.id)
        if quarter in QUARTER_NUMBERS and case.surroundings.find_edge(water) not in quarter_edges(quarter):
            yield Sentence("{water} does not border on quarter {quarter}", water=water.id, quarter=quarter)


def check_fords(case: Dba3Case) -> Faults:
    """Check that there is a ford where a road crosses a river (D3-54)."""
    crossing_points = [crossing.at for crossing in case.crossings if crossing.kind in (Kind.FORD, Kind.BRIDGE)]
    for road in case.pieces_of_type(Terrain.ROAD):
        for river in case.pieces_of_type(Terrain.RIVER):
            for meeting_point in shapely.get_parts(road.line.intersection(river.line)):
                if not meeting_point.is_empty and not any(
                    gap(point, meeting_point) <= case.rules.length("missed_bw_ford") for point in crossing_points
                ):
                    yield Sentence("{road} crosses {river} without a ford", road=road.id, river=river.id)


def check_opposite_edges(case: Dba3Case) -> Faults:
    """Check that the base edges are opposite each other (D3-55)."""
    defender, invader = case.recorded_sides.defender_edge, case.recorded_sides.invader_edge
    if OPPOSITE_EDGES[defender] is not invader:
        yield Sentence(
            "the defender has the {defender} edge and the invader the {invader} edge",
            defender=defender,
            invader=invader,
        )


def check_defender_edge(case: Dba3Case) -> Faults:
    """Check that no waterway is behind the defender (D3-56)."""
    for water in case.pieces_of_type(Terrain.WATERWAY):
        if case.surroundings.find_edge(water) is case.recorded_sides.defender_edge:
            yield Sentence("{water} is behind the defender", water=water.id)


def check_zone_depth(case: Dba3Case) -> Faults:
    """Check that each zone ends at its distance from the middle, regardless of water (D3-57, D3-60)."""
    yield from case.report_missing("deployment")
    expected = case.board.depth / 2 - case.rules.length("zone_from_centre_bw")
    for overlay, edge in case.find_overlays("deployment"):
        _, low, _, depth = rotate_from_edge(overlay.shape, case.board, edge).bounds
        if max(abs(depth - expected), abs(low)) > case.rules.slack("zone_from_centre_bw"):
            yield Sentence(
                "the zone of side {side} is {deep:.2f} base widths deep",
                side=overlay.side,
                deep=depth / case.base_width_mm,
            )


def check_zone_sides(kind: str, number: str, case: Dba3Case) -> Faults:
    """Check the distance of zones from the sides of the board (D3-58, D3-59).

    ``kind`` is the kind of overlay; ``number`` names the distance in the rule book.
    """
    yield from case.report_missing(kind)
    for overlay, edge in case.find_overlays(kind):
        left, _, right, _ = rotate_from_edge(overlay.shape, case.board, edge).bounds
        margins = (left, case.board.width - right)
        if max(abs(margin - case.rules.length(number)) for margin in margins) > case.rules.slack(number):
            yield Sentence(
                "the zone of side {side} starts {margin:.2f} base widths from the side edge",
                side=overlay.side,
                margin=min(margins) / case.base_width_mm,
            )


CHECKS: Final[Mapping[str, Dba3Check]] = {
    "D3-45": check_waterway_quarter,
    "D3-54": check_fords,
    "D3-55": check_opposite_edges,
    "D3-56": check_defender_edge,
    "D3-57": check_zone_depth,
    "D3-58": partial(check_zone_sides, "deployment", "zone_side_bw"),
    "D3-59": partial(check_zone_sides, "flank", "zone_side_bw_fast"),
    "D3-60": check_zone_depth,
}
