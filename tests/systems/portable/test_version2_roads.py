"""Roads, crossings, stretches to villages, and railways of version 2."""

from __future__ import annotations

import pytest
from laying import board, cells, dice_of, left, reasons, step, with_
from shapely import Point

from printkit.chance.dice import Dice, Seeded
from printkit.chance.streams import Stream
from printkit.systems.portable.course_lines import draw_courses
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell

RIVER = "4;1 4;2 4;3 4;4 4;5 4;6 4;7 4;8"
OVER = with_("sq-8x8", (Kind.RIVER, RIVER))
DOWN = {"roads": ["from (1;3) to (8;3)"]}
RAIL = {"railways": ["from (1;3) to (8;3)"]}
ONE_RAILWAY = {"railway": "1"}


class TestRoads:
    @pytest.mark.clause("PW2-43", "PW2-41", "PW2-42", "PW2-34")
    def test_the_dice_are_thrown_in_their_order(self):
        dice = dice_of(1, 6, 1, 6, 6, 1, 5)
        found = step("roads", dice, on=OVER)
        assert left(dice) == 0
        assert reasons(dice) == [
            "entry of road 1: 1",
            "exit of road 1: 6",
            "entry of road 1, area (1;1): 1",
            "entry of road 1, area (1;2): 6",
            "exit of road 1, area (5;8): 6",
            "exit of road 1, area (6;8): 1",
            "crossing of road-1 over river-1: 5",
        ]
        assert found.ways[-1].cells[0] == Cell(2, 1)

    @pytest.mark.clause("PW2-43", "PW2-42")
    def test_a_die_for_each_crossing_comes_last_in_travel_order(self):
        rivers = with_("sq-8x8", (Kind.RIVER, "2;1 2;2 2;3 2;4"), (Kind.RIVER, RIVER), (Kind.HILL, "6;3"))
        dice = dice_of(1, 4, 5)
        found = step("roads", dice, on=rivers, inputs=DOWN)
        assert [(throw.reason, throw.clause) for throw in dice.log] == [
            ("which way round the hills, road 1", "PW2-34"),
            ("crossing of road-1 over river-1", "PW2-42"),
            ("crossing of road-1 over river-2", "PW2-42"),
        ]
        crossings = [(passage.kind, passage.water) for passage in found.passages]
        assert crossings == [(Kind.FORD, "river-1"), (Kind.BRIDGE, "river-2")]

    @pytest.mark.clause("PW2-42")
    def test_each_of_two_rivers_in_one_area_is_crossed(self):
        rivers = with_("sq-8x8", (Kind.RIVER, RIVER), (Kind.RIVER, RIVER))
        crossings = step("roads", dice_of(1, 5), on=rivers, inputs=DOWN).passages
        assert [(one.kind, one.water) for one in crossings] == [(Kind.FORD, "river-1"), (Kind.BRIDGE, "river-2")]

    @pytest.mark.clause("PW2-42")
    @pytest.mark.parametrize(("score", "kind"), [(1, "ford"), (4, "ford"), (5, "bridge"), (6, "bridge")])
    def test_one_to_four_is_a_ford_and_five_or_six_a_bridge(self, score, kind):
        (passage,) = step("roads", dice_of(score), on=OVER, inputs=DOWN).passages
        assert (passage.kind, passage.cells, passage.way) == (Kind(kind), (Cell(3, 4),), "road-1")

    @pytest.mark.clause("PW2-42", "PW0-13")
    def test_crossings_may_be_known(self):
        known = {"roads": ["from (1;3) to (8;3) crossings bridge"]}
        (given,) = step("roads", dice_of(), on=OVER, inputs=known).passages
        (set_,) = step("roads", dice_of(), on=OVER, inputs=DOWN, settings={"crossing": "ford"}).passages
        assert (given.kind, set_.kind) == (Kind.BRIDGE, Kind.FORD)

    @pytest.mark.clause("PW2-42")
    def test_a_run_of_shared_areas_is_crossed_once_and_two_runs_twice(self):
        along = with_("sq-8x8", (Kind.RIVER, "3;3 4;3 5;3"), (Kind.HILL, "4;1 4;2 4;4 4;5 4;6 4;7 4;8"))
        found = step("roads", dice_of(1), on=along, inputs=DOWN)
        assert [passage.cells for passage in found.passages] == [cells("3;3 4;3 5;3")]
        bent = with_("sq-8x8", (Kind.RIVER, "3;1 3;2 3;3 3;4 4;4 5;4 5;3 5;2 5;1"))
        twice = step("roads", dice_of(1, 6), on=bent, inputs=DOWN)
        assert [passage.cells for passage in twice.passages] == [cells("3;3"), cells("5;3")]

    @pytest.mark.clause("PW2-41", "PW2-32")
    def test_roads_never_enter_lakes_and_rather_not_marshes(self):
        for kind, wet in ((Kind.LAKE, "3;3 3;2"), (Kind.MARSH, "3;3 5;3")):
            (road,) = step("roads", dice_of(), on=with_("sq-8x8", (kind, wet)), inputs=DOWN).ways
            assert not set(road.cells) & set(cells(wet)), "two marshes cost more, too, than the way round"
        shut = step("roads", dice_of(), on=with_("sq-8x8", (Kind.LAKE, RIVER)), inputs=DOWN)
        assert (shut.ways, [note.key for note in shut.notes]) == ((), ["nowhere"])
        dice = dice_of(2, 5, 1, 6)
        (road,) = step("roads", dice, on=with_("sq-8x8", (Kind.LAKE, "1;3"))).ways
        assert (road.cells[0], left(dice)) == (Cell(4, 1), 0), "it does not come in over a lake"

    @pytest.mark.clause("PW2-40")
    @pytest.mark.parametrize(
        ("area", "kind"), [("urban", Kind.ROAD), ("rural", Kind.ROAD), ("desert", Kind.TRACK), ("wild", Kind.TRACK)]
    )
    def test_roads_where_people_live_close_and_tracks_elsewhere(self, area, kind):
        settings = {"area": area}
        assert step("roads", dice_of(), settings=settings, inputs=DOWN).ways[0].kind is kind
        named = {"roads": ["from (1;3) to (8;3) kind road"]}
        assert step("roads", dice_of(), settings=settings, inputs=named).ways[0].kind is Kind.ROAD

    @pytest.mark.clause("PWA-12", "PW2-43")
    def test_several_roads_are_each_complete_before_the_next(self):
        dice = Dice(Seeded(9))
        found = step("roads", dice, settings={"road": "2"}, on=OVER)
        assert [way.id for way in found.select_courses(Kind.ROAD)] == ["road-1", "road-2"]
        mine = [throw.reason for throw in dice.log if "1" in throw.reason.split(",")[0].replace("river-1", "")]
        assert mine == [throw.reason for throw in dice.log][: len(mine)]

    @pytest.mark.clause("PW2-35")
    def test_hills_all_across_the_board_are_passed_and_named(self):
        found = step("roads", dice_of(), on=with_("sq-8x8", (Kind.MOUNTAIN, RIVER)), inputs=DOWN)
        assert found.ways[0].facts["forced"] == [[3, 4]]
        assert [note.key for note in found.notes] == ["forced"]


class TestConnections:
    ROAD = (Kind.ROAD, "1;6 2;6 3;6 4;6 5;6 6;6 7;6 8;6")
    VILLAGE = (Kind.VILLAGE, "4;2 4;3")

    @pytest.mark.clause("PW2-44")
    @pytest.mark.parametrize("kind", [Kind.VILLAGE, Kind.TOWN, Kind.CITY])
    def test_a_village_or_town_off_the_roads_is_joined_by_the_most_direct_way(self, kind):
        found = step("connecting", dice_of(), on=with_("sq-8x8", self.ROAD, (kind, "4;2 4;3")))
        stretch = found.ways[-1]
        assert stretch.cells == cells("4;3 4;4 4;5 4;6")
        assert (stretch.kind, stretch.enters, stretch.leaves) == (Kind.ROAD, None, None)
        assert stretch.facts["joins"] == f"{kind}-1"

    @pytest.mark.clause("PW2-44")
    def test_it_is_drawn_up_to_the_road_that_it_joins(self):
        """The road keeps to one side of the area in which they meet, so the stretch runs on beyond the middle."""
        found = board(8, preset="flat-rural")
        drawn = {each.course.id: each.line for each in draw_courses(found, lambda kind, name: Stream(f"{kind}/{name}"))}
        stretch = next(way for way in found.select_courses(Kind.ROAD) if way.leaves is None)
        others = [line for name, line in drawn.items() if name != stretch.id]
        assert min(line.distance(Point(drawn[stretch.id].coords[-1])) for line in others) < 1e-6

    @pytest.mark.clause("PW2-44")
    @pytest.mark.parametrize(
        ("on", "settings"),
        [
            pytest.param((ROAD, (Kind.SETTLEMENT, "4;2")), {}, id="a settlement"),
            pytest.param((ROAD, (Kind.VILLAGE, "7;4 7;5")), {}, id="what a road touches"),
            pytest.param((ROAD, VILLAGE), {"pw2.connect": "off"}, id="turned off"),
            pytest.param((VILLAGE, (Kind.RAILWAY, "1;6 2;6")), {}, id="no road"),
        ],
    )
    def test_it_joins_villages_off_the_roads_alone_and_may_be_turned_off(self, on, settings):
        plain = with_("sq-8x8", *on)
        assert step("connecting", dice_of(), on=plain, settings=settings) == plain

    @pytest.mark.clause("PW2-44", "PW2-42")
    def test_a_new_crossing_takes_a_die_and_a_crossing_of_the_road_none(self):
        river = (Kind.RIVER, "1;4 2;4 3;4 4;4 5;4 6;4 7;4 8;4")
        found = step("connecting", dice_of(6), on=with_("sq-8x8", self.ROAD, river, (Kind.VILLAGE, "4;1 4;2")))
        assert [(passage.kind, passage.way) for passage in found.passages] == [(Kind.BRIDGE, "road-2")]
        under = with_("sq-8x8", self.ROAD, (Kind.RIVER, "4;6"), self.VILLAGE)
        assert step("connecting", dice_of(), on=under).passages == ()

    @pytest.mark.clause("PW2-44")
    def test_it_goes_round_hills_and_is_left_out_where_there_is_no_way(self):
        hill = with_("sq-8x8", self.ROAD, self.VILLAGE, (Kind.HILL, "4;4 3;4"))
        stretch = step("connecting", dice_of(), on=hill).ways[-1]
        assert not set(stretch.cells) & set(cells("4;4 3;4"))
        shut = with_("sq-8x8", self.ROAD, (Kind.VILLAGE, "1;1 1;2"), (Kind.HILL, "2;1 2;2 1;3"))
        found = step("connecting", dice_of(), on=shut)
        assert [(note.key, note.feature) for note in found.notes] == [("unconnected", "village-1")]

    @pytest.mark.clause("PW2-44")
    @pytest.mark.parametrize(("second", "roads"), [("8;2 8;3", 3), ("5;3 6;3", 2)], ids=["far", "beside the stretch"])
    def test_a_later_place_may_be_joined_to_an_earlier_stretch(self, second, roads):
        on = with_("sq-8x8", self.ROAD, (Kind.VILLAGE, "4;1 4;2"), (Kind.VILLAGE, second))
        assert len(list(step("connecting", dice_of(), on=on).select_courses(Kind.ROAD))) == roads


class TestRailways:
    @pytest.mark.clause("PW2-60")
    def test_a_railway_goes_as_rivers_do(self):
        dice = dice_of(3, 5, 6, 1, 1, 6)
        (railway,) = step("railways", dice, settings=ONE_RAILWAY).ways
        assert (railway.kind, railway.cells[0], railway.cells[-1]) == (Kind.RAILWAY, Cell(5, 1), Cell(8, 8))
        assert left(dice) == 0
        assert step("railways", dice_of()).ways == ()

    @pytest.mark.clause("PW2-60", "PW2-34")
    def test_it_goes_round_hills_by_the_same_die(self):
        found = step("railways", dice_of(6), on=with_("sq-8x8", (Kind.MOUNTAIN, "4;3")), inputs=RAIL)
        assert Cell(4, 4) in found.ways[0].cells

    @pytest.mark.clause("PW2-60")
    @pytest.mark.parametrize(
        ("kind", "areas", "divert", "length"),
        [
            (Kind.VILLAGE, "4;5 4;6", "2", 10),
            (Kind.VILLAGE, "4;5 4;6", "0", 8),
            (Kind.VILLAGE, "4;6 4;7", "2", 8),
            (Kind.VILLAGE, "4;6 4;7", "4", 12),
            (Kind.VILLAGE, "4;4 4;5", "2", 8),
            (Kind.SETTLEMENT, "4;5", "2", 8),
        ],
    )
    def test_it_goes_out_of_its_way_to_a_village_but_not_far(self, kind, areas, divert, length):
        settings = {"pw2.rail_divert": divert}
        (railway,) = step("railways", dice_of(), on=with_("sq-8x8", (kind, areas)), inputs=RAIL, settings=settings).ways
        assert len(railway.cells) == length
        assert railway.facts.get("stop") == ("village-1" if areas == "4;4 4;5" or length > 8 else None)

    @pytest.mark.clause("PW2-61", "PW2-62")
    def test_rivers_are_bridged_and_roads_crossed_on_the_level_without_dice(self):
        on = with_("sq-8x8", (Kind.RIVER, RIVER), (Kind.ROAD, "6;1 6;2 6;3 6;4 6;5 6;6 6;7 6;8"))
        found = step("railways", dice_of(), on=on, inputs=RAIL)
        bridge, level = (Kind.RAILWAY_BRIDGE, "river-1", cells("4;3")), (Kind.LEVEL_CROSSING, "road-1", cells("6;3"))
        assert [(passage.kind, passage.water, passage.cells) for passage in found.passages] == [bridge, level]

    @pytest.mark.clause("PW2-62", "PW2-60")
    def test_it_crosses_roads_rather_than_follow_them_and_keeps_out_of_lakes(self):
        road = with_("sq-8x8", (Kind.ROAD, "2;3 3;3 4;3 5;3 6;3 7;3"))
        assert len(set(step("railways", dice_of(), on=road, inputs=RAIL).ways[-1].cells) & set(cells("3;3 4;3"))) == 0
        lake = with_("sq-8x8", (Kind.LAKE, "4;3 4;2"))
        assert Cell(3, 4) not in step("railways", dice_of(), on=lake, inputs=RAIL).ways[0].cells
