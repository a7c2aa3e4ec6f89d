"""Battlefields as cells and faces, of their own grid or sampled onto one; the grid of a record."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest
from cell_country import FLAT, FREE, IMPASSABLE, POINTY, SLOW, SQUARES, country
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, Point, box

from printkit.api import generate
from printkit.core.errors import PlacementError, RecordError
from printkit.core.words import Words
from printkit.kit.registry import find as system
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.features import Area, Course, Crossing, Going, Hill, Kind
from printkit.terrain.field.grids import Cell, Grid, grid_of, neighbours
from printkit.terrain.field.record import Record, read, read_back, write
from printkit.terrain.gridded.gridplan import GridPlan, build_plan, sample_plan

BOARD = Board(600.0, 600.0, GroundScale(pace=0.254, base_width=40.0))
GOING = Going(0, "")
SQUARE_GRID = grid_of("sq-6x6", cell=100.0)


def area(identity: str, kind: Kind, *sides: float) -> Area:
    return Area(id=identity, kind=kind, outline=box(*sides), going=GOING)


def field(*features: Area | Hill | Course | Crossing) -> Battlefield:
    return Battlefield(board=BOARD, features=features)


def kinds(plan: GridPlan) -> dict[Cell, tuple[Kind, ...]]:
    return {plot.cell: plot.kinds for plot in plan.plots if plot.kinds}


@pytest.mark.parametrize("grid", [FLAT, POINTY, SQUARES])
def test_a_gridded_battlefield_gives_back_its_cells(grid: Grid) -> None:
    plan = build_plan(country(grid))
    assert [plot.cell for plot in plan.plots] == list(grid.cells())
    assert (plan.plot(Cell(1, 1)).kinds, plan.plot(Cell(8, 2)).height) == ((Kind.MOUNTAIN,), 2)
    assert (plan.plot(Cell(8, 1)).height, plan.plot(Cell(0, 1)).kinds) == (1, ())
    strips = {strip.feature: strip for strip in plan.strips}
    for feature in country(grid).features:
        if isinstance(feature, Course):
            assert strips[feature.id].cells == feature.cells
    river = strips["c-0"]
    assert grid.neighbour(river.cells[0], river.enters or 0) is None
    assert grid.neighbour(river.cells[-1], river.leaves or 0) is None
    assert strips["c-3"].enters is None
    assert {(meeting.cell, meeting.kind) for meeting in plan.meetings} == {
        (Cell(5, 4), Kind.BRIDGE),
        (Cell(5, 5), Kind.RAILWAY_BRIDGE),
        (Cell(4, 5), Kind.LEVEL_CROSSING),
    }


def test_cells_take_what_covers_them_and_features_that_cover_none_their_nearest() -> None:
    wood = area("w", Kind.FOREST, 0, 500, 141, 600)
    assert kinds(sample_plan(field(wood), SQUARE_GRID)) == {Cell(1, 1): (Kind.FOREST,), Cell(2, 1): (Kind.FOREST,)}
    smaller = area("w", Kind.FOREST, 0, 500, 139, 600)
    assert kinds(sample_plan(field(smaller), SQUARE_GRID)) == {Cell(1, 1): (Kind.FOREST,)}
    hill = Hill(id="h", kind=Kind.HILL, contours=(box(0, 400, 200, 600), box(0, 500, 90, 600)), going=GOING)
    plan = sample_plan(field(hill, area("w", Kind.LIGHT_WOODS, 100, 500, 200, 600)), SQUARE_GRID)
    assert plan.plot(Cell(2, 1)).kinds == (Kind.HILL, Kind.LIGHT_WOODS)
    assert [plan.plot(Cell(column, 1)).height for column in (1, 2, 3)] == [2, 1, 0]
    plan = sample_plan(field(area("farm", Kind.FARM, 210, 210, 230, 230)), SQUARE_GRID)
    assert kinds(plan) == {Cell(3, 4): (Kind.FARM,)}
    lake, farm = area("lake", Kind.LAKE, 205, 205, 295, 295), area("farm", Kind.FARM, 206, 206, 210, 210)
    plan = sample_plan(field(lake, farm), SQUARE_GRID)
    assert plan.plot(Cell(3, 4)).kinds == (Kind.LAKE,)
    assert sum(Kind.FARM in found for found in kinds(plan).values()) == 1


@pytest.mark.parametrize(
    ("one", "other", "winner"),
    [
        (Kind.FOREST, Kind.TOWN, Kind.TOWN),
        (Kind.FOREST, Kind.LAKE, Kind.LAKE),
        (Kind.LAKE, Kind.TOWN, Kind.TOWN),
        (Kind.ROUGH_GROUND, Kind.FOREST, Kind.FOREST),
        (Kind.LAKE, Kind.HILL, Kind.LAKE),
        (Kind.FOREST, Kind.HILL, Kind.HILL),
    ],
)
def test_of_two_that_cover_a_cell_alike_the_weightier_takes_it(one: Kind, other: Kind, winner: Kind) -> None:
    def ground(kind: Kind, *sides: float) -> Area | Hill:
        if kind is Kind.HILL:
            return Hill(id=kind, kind=kind, contours=(box(*sides),), going=GOING)
        return area(kind, kind, *sides)

    # Each has a whole cell besides, so that neither needs the one that they share.
    plan = sample_plan(field(ground(one, 0, 500, 150, 600), ground(other, 150, 500, 300, 600)), SQUARE_GRID)
    assert plan.plot(Cell(2, 1)).kinds == (winner,)


def test_courses_keep_their_ends_and_end_in_the_cell_that_their_town_took() -> None:
    river = Course(id="r", kind=Kind.RIVER, line=LineString([(320, 600), (280, 300), (330, 0)]), width=20, going=GOING)
    road = Course(id="d", kind=Kind.ROAD, line=LineString([(0, 340), (280, 310), (440, 350)]), width=10, going=GOING)
    bridge = Crossing(id="x", kind=Kind.BRIDGE, at=Point(281, 310), bearing=0, route="d", water="r", going=GOING)
    plan = sample_plan(field(river, road, bridge), SQUARE_GRID)
    water, way = plan.strips
    assert (water.enters, water.leaves, way.enters, way.leaves) == (0, 2, 3, None)
    assert (water.cells[0], water.cells[-1]) == (Cell(4, 1), Cell(4, 6))
    assert (way.cells[0], way.cells[-1]) == (Cell(1, 3), Cell(5, 3))
    assert plan.meetings[0].cell == Cell(3, 3)
    # The town lies mostly in the cell beyond that in which the road stops at its edge.
    town = area("town", Kind.TOWN, 290, 310, 395, 395)
    road = Course(id="road", kind=Kind.ROAD, line=LineString([(50, 0), (50, 350), (288, 350)]), width=20, going=GOING)
    plan = sample_plan(field(town, road), SQUARE_GRID)
    (held,) = [plot.cell for plot in plan.plots if Kind.TOWN in plot.kinds]
    assert plan.strips[0].cells[-1] == held
    assert held not in sample_plan(field(road), SQUARE_GRID).strips[0].cells


def test_a_board_of_another_size_is_stretched_and_one_without_a_grid_has_no_plan() -> None:
    plan = sample_plan(field(area("lake", Kind.LAKE, 300, 300, 600, 600)), grid_of("sq-4x4", cell=25.0))
    assert set(kinds(plan)) == {Cell(3, 1), Cell(4, 1), Cell(3, 2), Cell(4, 2)}
    assert plan.notes == ("sq-4x4: 600.0 x 600.0 mm > 100.0 x 100.0 mm (0.17 x 0.17)",)
    assert sample_plan(field(), SQUARE_GRID).notes == ()
    with pytest.raises(PlacementError, match="no grid"):
        build_plan(field())


@pytest.fixture(scope="module")
def fields() -> tuple[Battlefield, ...]:
    """Return battlefields as cards and dice lay them out."""
    brantley = system("brantley")
    orders = Orders(rules="brantley")
    return tuple(play(brantley, orders, seed, Words(("en",))).record.battlefield for seed in (6, 11))


@given(which=st.integers(0, 1), name=st.sampled_from(["hex-9x8", "hex-6x8", "sq-8x8", "hex-12x14"]), low=st.booleans())
@settings(max_examples=8, deadline=None)
def test_every_feature_of_a_free_field_finds_its_cells(
    fields: tuple[Battlefield, ...], which: int, name: str, low: bool
) -> None:
    found = fields[which]
    grid = grid_of(name, cell=60.0, grain="flat-odd-low" if low else "pointy-odd-left")
    plan = sample_plan(found, grid)
    assert plan == sample_plan(found, grid)
    placed = {identity for plot in plan.plots for identity in plot.features}
    assert placed == {feature.id for feature in found.features if isinstance(feature, Area | Hill)}
    assert {strip.feature for strip in plan.strips} == {each.id for each in found.features if isinstance(each, Course)}
    for strip in plan.strips:
        assert all(grid.find_direction(one, other) >= 0 for one, other in pairwise(strip.cells))
        assert len(set(strip.cells)) == len(strip.cells)
        for cell, direction in ((strip.cells[0], strip.enters), (strip.cells[-1], strip.leaves)):
            assert direction is None or grid.neighbour(cell, direction) is None
    chains = {strip.feature: strip.cells for strip in plan.strips}
    for crossing, meeting in zip(
        (each for each in found.features if isinstance(each, Crossing)), plan.meetings, strict=True
    ):
        assert meeting.cell in chains[crossing.water]


def test_the_cells_of_a_wide_river_hang_together_where_it_barely_touches_one() -> None:
    """It runs along the near edge, and covers less of one hex than a share that would take it by itself."""
    plan = build_plan(generate("portable-1", seed=72).record.battlefield)
    (river,) = [strip for strip in plan.strips if strip.feature == "river-1"]
    cells = {*river.cells, *river.wide}
    reached, ahead = set(), [river.cells[0]]
    while ahead:
        cell = ahead.pop()
        if cell not in reached:
            reached.add(cell)
            ahead += [other for other in neighbours(plan.grid, cell) if other in cells]
    assert reached == cells
    assert Cell(8, 8) in river.wide


GOINGS = {going.name: going for going in (FREE, SLOW, IMPASSABLE)}


@pytest.mark.clause("PW0-01", "PW0-03")
@pytest.mark.parametrize("grid", [FLAT, POINTY, SQUARES])
def test_a_gridded_battlefield_is_read_back_as_it_was_written(grid: Grid) -> None:
    record = read_back(Record(rules="portable-2", battlefield=country(grid)))
    again = read(write(record), GOINGS)
    assert again == record
    assert again.battlefield.grid == grid
    assert [each.cells for each in again.battlefield.features] == [each.cells for each in country(grid).features]


def test_a_grid_is_written_as_programs_expect_it_and_its_cells_and_grain_are_read() -> None:
    said = json.loads(write(Record(rules="portable-2", battlefield=country(FLAT))))
    assert said["grid"] == {"shape": "hex", "columns": 9, "rows": 8, "grain": "flat-odd-low", "cell_mm": 74.0}
    assert said["features"][0]["properties"]["cells"] == [[1, 1], [2, 1], [1, 2]]
    document = json.loads(write(Record(rules="portable-2", battlefield=country(FLAT))))
    document["features"][0]["properties"]["cells"] = [[1, 1], [10, 3]]
    with pytest.raises(RecordError, match=r"'mountain' is in cell \[10, 3\], which hex-9x8 does not have"):
        read(json.dumps(document), GOINGS)
    document = json.loads(write(Record(rules="portable-2", battlefield=country(FLAT))))
    del document["grid"]["grain"]
    assert read(json.dumps(document), GOINGS).battlefield.grid == FLAT


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"shape": "octagon"}, 'grid.shape = "octagon" is not valid. Write one of "hex", "square".'),
        ({"shape": None}, 'grid.shape = null is not valid. Write one of "hex", "square".'),
        ({"columns": 2}, "grid.columns = 2 is not valid. Write a whole number from 3 to 60."),
        ({"rows": "eight"}, 'grid.rows = "eight" is not valid. Write a whole number from 3 to 60.'),
        (
            {"cell_mm": 0},
            "grid.cell_mm = 0 is not valid. Write a length in millimetres",
        ),
        ({"cell_mm": 100.0}, "board.width_mm is 598.135, but hex-9x8 of 100 mm needs 808.29"),
        ({"grain": "sideways"}, 'grid.grain = "sideways" is not valid. Write one of "flat-odd-high", "flat-odd-low"'),
        (
            {"shape": "square"},
            'grid.grain = "flat-odd-low" is not valid. Write "", because squares',
        ),
        ({"columns": 6}, "board.width_mm is 598.135, but hex-6x8 of 74 mm needs"),
    ],
)
def test_a_wrong_grid_is_named(change: Mapping[str, Any], said: str) -> None:
    document = json.loads(write(Record(rules="portable-2", battlefield=country(FLAT))))
    document["grid"].update(change)
    with pytest.raises(RecordError) as caught:
        read(json.dumps(document), GOINGS)
    assert str(caught.value).startswith(said)
