"""Both versions as rule systems: boards, shapes, records, replays, accounts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace
from shapely import Point

from printkit.chance.dice import Dice, Scripted, Seeded
from printkit.chance.replaying import Replayed
from printkit.chance.streams import Jitter
from printkit.core.errors import UsageError
from printkit.core.words import find as language
from printkit.kit.registry import find
from printkit.kit.system import Outcome, RuleSystem, Scenario
from printkit.recipes.game.games import play, play_again
from printkit.recipes.game.request import Orders
from printkit.systems.portable.system import STAGE_OF
from printkit.terrain.field.features import Area, Course, Crossing, Hill, Kind
from printkit.terrain.field.grids import Cell
from printkit.terrain.field.record import Record, read, write

BOTH = pytest.mark.parametrize("name", ["portable-1", "portable-2"])


def laid(
    name: str, seed: int, source: object = None, inputs: Mapping[str, object] | None = None, **given: str
) -> Outcome:
    system = find(name)
    settings = system.book.settle({key.replace("__", "."): text for key, text in given.items()})
    scenario = Scenario(board=system.board(settings=settings), settings=settings, seed=seed, inputs=inputs or {})
    return system.lay_out(scenario, Dice(source or Seeded(seed)), Jitter(seed))  # type: ignore[arg-type]


NOBODY: dict[str, Any] = {"settlements": "0", "villages": "0", "towns": "0"}


@cache
def played(name: str, seed: int = 2, **options: str) -> tuple[RuleSystem, Record]:
    system = find(name)
    order = Orders(rules=name, options={key.replace("__", "."): text for key, text in options.items()})
    return system, play(system, order, seed, language("en")).record


class TestBoards:
    @pytest.mark.clause("PW0-01")
    @BOTH
    def test_the_default_is_nine_by_eight_hexes_of_a_hundred_millimetres(self, name: str) -> None:
        board = find(name).board()
        assert (board.width, board.depth) == pytest.approx((808.290377, 850))
        assert board.scale.pace == pytest.approx(0.25)
        assert board.scale.base_width == pytest.approx(40)

    @pytest.mark.clause("PW0-01")
    def test_a_grid_and_a_cell_make_the_board_even_one_of_an_odd_length(self) -> None:
        system = find("portable-1")
        board = system.board(settings=system.book.settle({"grid": "sq-10x12"}), cell=60)
        assert (board.width, board.depth) == (600, 720)
        record = play(system, Orders(rules="portable-1", cell="33.3mm"), 1, language("en")).record
        assert record.battlefield.grid is not None
        assert record.battlefield.grid.cell == pytest.approx(33.3)

    def test_a_size_and_a_wrong_cell_are_refused(self) -> None:
        with pytest.raises(UsageError, match=r"--set grid=hex-9x8 and --cell 100mm"):
            find("portable-1").board(600, 600)
        with pytest.raises(UsageError, match="from 20 to 400 mm"):
            find("portable-1").board(cell=10)
        with pytest.raises(UsageError, match="plays on no grid"):
            find("brantley").board(cell=100)
        with pytest.raises(UsageError, match="from 3 to 60 cells"):
            played("portable-1", grid="hex-99x8")


@BOTH
@pytest.mark.parametrize(("seed", "grid"), [(1, "hex-9x8"), (2, "sq-8x8"), (3, "hex-6x8")])
def test_shapes_stand_on_the_areas_that_the_dice_gave_them(name: str, seed: int, grid: str) -> None:
    field = laid(name, seed, grid=grid).battlefield
    own = field.grid
    assert own is not None
    hull = own.hull().buffer(0.01)
    for feature in field.features:
        assert feature.cells or isinstance(feature, Crossing)
        assert all(own.holds(Cell(*cell)) for cell in feature.cells)
        match feature:
            case Area() | Hill():
                assert feature.outline.is_valid
                assert hull.contains(feature.outline)
                for cell in feature.cells:
                    assert own.outline(Cell(*cell)).intersects(feature.outline)
            case Course():
                assert feature.line.intersects(hull)
                assert feature.line.is_simple
            case Crossing():
                way, water = field.find(feature.way), field.find(feature.water)
                assert isinstance(way, Course)
                assert isinstance(water, Course)
                assert way.line.distance(feature.at) < 0.01
                assert water.line.distance(feature.at) < own.cell / 2


def test_neighbouring_hills_and_woods_grow_together() -> None:
    lines = ["hill (3;3) contours 2", "hill (3;4)", "hill (7;7)", "trees (5;5)", "trees (6;5)"]
    field = laid("portable-1", 1, inputs={"features": lines}, river="0", road="0", **NOBODY).battlefield
    hills = list(field.of(Kind.HILL))
    assert [hill.id for hill in hills] == ["hill-1", "hill-3"]
    first = hills[0]
    assert isinstance(first, Hill)
    assert first.cells == ((3, 3), (4, 3))
    assert len(first.contours) >= 2
    assert first.contours[1].contains(Point(field.grid.centre(Cell(3, 3))))  # type: ignore[union-attr]
    assert [wood.cells for wood in field.of(Kind.WOODLAND)] == [((5, 5), (5, 6))]


def test_a_road_and_a_river_that_share_an_end_are_drawn_side_by_side() -> None:
    inputs = {"rivers": ["from top 1 to bottom 3 width 1"], "roads": ["from top 1 to bottom 1"]}
    field = laid("portable-1", 1, inputs=inputs, hills="0", trees="0", **NOBODY).battlefield
    river, road = field.find("river-1"), field.find("road-1")
    assert isinstance(river, Course)
    assert isinstance(road, Course)
    apart = road.line.intersection(field.ground).distance(river.line.intersection(field.ground))
    assert apart > (river.width + road.width) / 2 - 1


@pytest.mark.clause("PW0-14")
@BOTH
def test_a_game_is_replayed_from_its_log_and_from_its_dice(name: str) -> None:
    first = laid(name, 4)
    log = laid(name, 4, Replayed(first.log, Seeded(99)))
    dice = laid(name, 4, Scripted([throw.answer for throw in first.log], Seeded(99)))
    assert first.battlefield == log.battlefield == dice.battlefield
    assert first.log == log.log == dice.log
    assert first.details == dice.details


@BOTH
def test_a_record_reads_back_as_it_was(name: str) -> None:
    system, record = played(name)
    assert read(write(record), system.book.going) == record
    assert record.battlefield.grid is not None
    courses = {feature.id for feature in record.battlefield.features if isinstance(feature, Course)}
    assert {entry["id"] for entry in record.details["ways"]} == courses
    assert record.details["geography"]["relief"] == "undulating"


def test_a_stage_thrown_anew_leaves_the_others() -> None:
    system, record = played("portable-1")
    again = play_again(system, record, language("en"), reroll=["trees"], keep=(), fresh=9).record

    def of(found: Record, *kinds: Kind) -> list[object]:
        return [replace(feature, name="", origin=type(feature.origin)()) for feature in found.battlefield.of(*kinds)]

    assert of(again, Kind.HILL, Kind.RIVER, Kind.ROAD) == of(record, Kind.HILL, Kind.RIVER, Kind.ROAD)
    assert of(again, Kind.WOODLAND) != of(record, Kind.WOODLAND)


@pytest.mark.clause("PW0-02")
@BOTH
def test_every_feature_tells_how_it_came_about_in_both_languages_with_areas_as_the_map_prints_them(name: str) -> None:
    system, record = played(name)
    told = system.account(record, language("en+es"))
    assert set(told) == {feature.id for feature in record.battlefield.features if feature.id.count("-") == 1}
    assert all(" · " in sentence and "{" not in sentence for sentence in told.values())
    hill = next(record.battlefield.of(Kind.HILL))
    column, row = hill.cells[0]
    assert f"{column:02d}{row:02d}: " in told[hill.id]


@BOTH
def test_every_kind_has_a_going_and_a_stage(name: str) -> None:
    system = find(name)
    goings = system.goings()
    assert set(goings.values()) <= set(system.book.going)
    assert {kind.value for kind in STAGE_OF} <= set(goings)
    assert set(STAGE_OF.values()) <= set(find("portable-2").stages)
    assert goings["mountain"] == goings["river"] == "impassable"


def test_what_found_no_room_is_a_warning() -> None:
    outcome = laid("portable-1", 1, grid="sq-3x3", hills="12", river="0", road="0", trees="0", **NOBODY)
    assert outcome.warnings == ("no area was left for 1 hill (PW0-11)",) * 3
