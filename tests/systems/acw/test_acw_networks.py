"""Promises of every network: both zones know of each shared side, water runs out, roads lead off the table."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables_by_hand import grid_of, joined

from printkit.systems.acw.dicing.water import creek_path
from printkit.systems.acw.network.network import Network, Reach, To
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import ZonePlan

SIZES = ("24x24", "72x48", "120x24", "24x96", "120x96", "144x144")
EXAMPLES = 20
PIECES = ("Road", "Track", "Settlement", "Stream", "Hill", "Swamp", "Pool", "Railroad")


@st.composite
def networks(draw: st.DrawFn) -> tuple[ZonePlan, Network]:
    size = draw(st.sampled_from(SIZES))
    grid = grid_of(size)
    few = draw(st.integers(1, 12))
    contents = st.lists(st.sampled_from(PIECES), min_size=1, max_size=4)
    zones = draw(st.dictionaries(st.sampled_from(grid.zones), contents, max_size=few))
    water = draw(st.sampled_from(("", "", "N", "E", "S", "W")))
    ends = draw(st.tuples(st.sampled_from(grid.edge_zones), st.sampled_from(grid.edge_zones)))
    creek = creek_path(grid, *ends) if not water and ends[0] != ends[1] and draw(st.booleans()) else None
    reach = draw(st.sampled_from("13"))
    pieces = {zone: ", ".join(found) for zone, found in zones.items()}
    return grid, joined(pieces, size, water=water, creek=creek, ac_q21=reach)


def sides(grid: ZonePlan, reaches: tuple[Reach, ...]) -> Iterator[tuple[int, int]]:
    for reach in reaches:
        for arm in reach.arms:
            if arm.to is To.ZONE and arm.side is not None:
                other = grid.neighbour(reach.zone, arm.side)
                assert other is not None
                yield reach.zone, other
            if arm.to in (To.EDGE, To.WATER):
                assert arm.side in grid.edges(reach.zone)


@pytest.mark.clause("AC-G07", "AC-N14", "AC-N26", "AC-N32", "AC-T45")
@settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
@given(networks())
def test_both_zones_of_a_shared_side_know_of_it(found: tuple[ZonePlan, Network]) -> None:
    grid, network = found
    rails = network.rail.reaches if network.rail is not None else ()
    for reaches in (network.roads.reaches, network.streams.reaches, network.creek_reaches, rails):
        steps = list(sides(grid, reaches))
        assert sorted(steps) == sorted((other, zone) for zone, other in steps)
        assert len({reach.zone for reach in reaches}) == len(reaches)


@pytest.mark.clause("AC-N20", "AC-N21", "AC-N22", "AC-N23", "AC-N24", "AC-N26")
@settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
@given(networks())
def test_every_stream_runs_out_of_the_table_or_into_standing_water(found: tuple[ZonePlan, Network]) -> None:
    grid, network = found
    by_zone = {reach.zone: reach for reach in network.streams.reaches}
    for start in by_zone:
        seen: list[int] = []
        zone: int | None = start
        while zone is not None:
            assert zone not in seen
            seen.append(zone)
            if zone not in by_zone:
                assert network.creek is not None
                assert zone in network.creek.path
                break
            arm = by_zone[zone].arms[0]
            if arm.to is not To.ZONE:
                assert arm.to in (To.EDGE, To.WATER, To.CREEK, To.POOL, To.SWAMP, To.OPEN)
                break
            assert arm.side is not None
            zone = grid.neighbour(zone, arm.side)


@pytest.mark.clause("AC-N11", "AC-N12", "AC-N13", "AC-N15", "AC-N16")
@settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
@given(networks())
def test_every_road_leads_off_the_table_and_none_into_the_water(found: tuple[ZonePlan, Network]) -> None:
    grid, network = found
    reaches = {reach.zone: reach for reach in network.roads.reaches}
    for start in reaches:
        seen, waiting = {start}, [start]
        while waiting:
            steps = list(sides(grid, (reaches[waiting.pop()],)))
            waiting += [other for _, other in steps if other not in seen]
            seen |= {other for _, other in steps}
        assert any(arm.to is To.EDGE for zone in seen for arm in reaches[zone].arms)
        assert all(len(reaches[zone].arms) > 1 for zone in seen)
    if network.rail is not None:
        through = network.rail.path
        ends = [reach for reach in network.rail.reaches if reach.zone in (through[0], through[-1])]
        assert all(any(arm.to is To.EDGE for arm in reach.arms) for reach in ends)
        assert all(reach.piece is Piece.RAILROAD for reach in network.rail.reaches)
