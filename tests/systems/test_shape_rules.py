"""Each rule of a shape is one row, which `check` and the generator obey, and which the page of all checks lists."""

from __future__ import annotations

from typing import Any

import pytest
from broken_rules import break_rule

from printkit.api import generate
from printkit.kit.registry import NAMES, find
from printkit.kit.shape_rules import ShapeRule, find_shape_rules

SYSTEMS = [name for name in NAMES if find_shape_rules(find(name))]
CREEK = {"seed": 1, "geography": "riverside", "water": "creek"}
BOARDS: dict[str, tuple[dict[str, Any], ...]] = {
    "acw": (CREEK, *({"seed": seed} for seed in (1, 3, 4, 8, 12, 15, 46))),
    "brantley": ({"seed": 1}, {"seed": 2}),
    "collision-course": ({"seed": 1}, {"seed": 2}, {"seed": 7}),
    "dba3": ({"seed": 1}, {"seed": 2}, {"seed": 7}),
    "portable-1": ({"seed": 1},),
    "portable-2": ({"seed": 1},),
    "solo-dba": ({"seed": 1}, {"seed": 4}, {"seed": 8}, {"seed": 9}),
}
"""Boards that have, together, a shape for every rule of each system."""

NUMBERS = {
    "brantley": """
        arc_share_max=0.4 arc_share_min=0.15 broken_ground_max=6.5 broken_ground_min=3 bua_corners_max=8
        bua_corners_min=5 bua_depth_max=1 bua_depth_min=0.25 bua_max=6 bua_min=3 corner_gap=1 crossing_angle_min=30
        crossing_length_in_widths_max=2 heavy_woods_max=6.5 heavy_woods_min=3 hill_1_max=6.5 hill_1_min=3.5
        hill_2_max=6.5 hill_2_min=4.5 inner_gap_min=0.4 inner_share_max=0.45 inner_share_min=0.25 junction_angle=30
        junction_gap=3 lake_depth_max=1 lake_depth_min=0.1 lake_max=6.5 lake_min=3 light_woods_max=6.5
        light_woods_min=3 margin=0.75 marsh_max=6.5 marsh_min=3 river_edge_gap_in_widths=1 river_junction_gap=3
        river_limit=1.5 river_width_max=1.5 river_width_min=0.5 road_bend_max=60 road_limit=1.25 road_width_max=1
        road_width_min=0.5
    """,
    "acw": """
        bay=0.97 climb=45 crossing_near=20 crossing_turn=30 ditch_pieces=3 fence_pieces=4 forest=0.15
        longest_rail=1.15 longest_road=1.3 longest_stream=1.5 meets=3 rail_radius=0.4 ridge=2.5
        side_crossing_max=0.75 side_crossing_min=0.25 steep_side=1 wall_pieces=3 winding_sway=0.01
    """,
    "portable-1": """
        cover=0.65 cover_field=0.35 cover_hill=0.5 cover_itself=0.02 cover_settlement=0.1 one_area=1
    """,
    "solo-dba": """
        area_gap_bw_min=1 area_sides_bw_max=9 area_sides_bw_min=1 course_quarters_max=2 river_clearance_p_min=600
        river_sinuosity_max=1.5 river_width_bw_max=1 road_sinuosity_max=1.15 road_width_bw_max=1
        sector_share_min=0.5 straddle_sqp_min=2500 waterway_depth_bw_max=2.5 waterway_depth_bw_min=1
    """,
    "dba3": """
        area_gap_bw_min=1 area_side_bw_min=1 area_sides_bw_max=9 bua_corner_bw=6 edge_gap_bw_min=1
        ordinary_long_bw_min=3 reach_sqbw_min=0.25 river_clearance_bw=4 river_sinuosity_max=1.5 river_width_bw_max=1
        road_sinuosity_max=1.15 road_width_bw_max=1 water_gap_bw_min=1 waterway_depth_bw_max=4
        waterway_depth_bw_min=1
    """,
    "collision-course": """
        breach_sqbw_least=0.0001
    """,
}
"""The limits of the sources for each row; the clauses have them. Rules of one family share theirs."""
FAMILY = {"collision-course": "dba3", "portable-2": "portable-1"}


def rows(name: str) -> list[ShapeRule[Any, Any]]:
    return [rule for group in find_shape_rules(find(name)).values() for rule in group]


@pytest.mark.parametrize("name", SYSTEMS)
def test_check_names_the_clause_of_each_row_that_finds_a_fault(name: str) -> None:
    system, unseen = find(name), rows(name)
    for record in (generate(name, **board).record for board in BOARDS[name]):
        for rule in list(unseen):
            with pytest.MonkeyPatch.context() as patch:
                break_rule(patch, rule)
                verdicts = {verdict.clause: verdict for verdict in system.judge(record)}
            if "is wrong" in verdicts[rule.clause].where:
                unseen.remove(rule)
    assert [f"{rule.clause} {rule.title}" for rule in unseen] == []


@pytest.mark.parametrize("name", SYSTEMS)
def test_each_row_has_a_clause_and_a_number_of_its_book(name: str) -> None:
    book = find(name).book
    for rule in rows(name):
        assert rule.clause in book.clauses, rule.title
        assert not rule.number or rule.number in book.numbers
        assert not (rule.minimum and rule.maximum)
        assert rule.title


@pytest.mark.parametrize("name", SYSTEMS)
def test_each_number_of_a_row_is_that_of_the_source(name: str) -> None:
    listed = f"{NUMBERS.get(FAMILY.get(name, ''), '')} {NUMBERS.get(name, '')}"
    expected = {key: float(value) for key, value in (pair.split("=") for pair in listed.split())}
    numbers = find(name).book.numbers
    assert {rule.number: numbers[rule.number] for rule in rows(name) if rule.number} == expected
