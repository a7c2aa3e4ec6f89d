"""Placing terrain by dice: the tables, the worked examples, what is thrown again, and what fits nowhere."""

from __future__ import annotations

from collections import Counter

import pytest
from placing_by_hand import BOARD, BOOK, INCH, place_on, square, table_with, terms_of, thrown
from shapely import box

from printkit.chance.dice import Act, Dice, ScriptedSource, Seeded
from printkit.chance.replaying import ReplaySource
from printkit.chance.streams import Jitter
from printkit.core.errors import DiceError
from printkit.systems.dba.ground.frame import Axis, Quarter, find_quarters
from printkit.systems.dba.ground.terrain_limits import PiecePick, Terrain
from printkit.systems.solo.terrain.place_pieces import SoloTurn
from printkit.systems.solo.terrain.placing import place_terrain, sort_picks
from printkit.terrain.field.battlefield import Board, GroundScale
from printkit.terrain.field.features import Course, Crossing, Hill, Kind

ROAD, RIVER, BUA = PiecePick(Terrain.ROAD), PiecePick(Terrain.RIVER), PiecePick(Terrain.BUA)
WOODS, HILL, ROUGH = PiecePick(Terrain.WOODS), PiecePick(Terrain.GENTLE_HILL), PiecePick(Terrain.ROUGH)
WATERWAY, MARSH, STEEP = PiecePick(Terrain.WATERWAY), PiecePick(Terrain.MARSH), PiecePick(Terrain.STEEP_HILL)
TOWN = square(0, 0, 4, 5)


def faces(name: str) -> list[str]:
    return [BOOK.tables[name].look_up(score) for score in range(1, 7)]


class TestTables:
    @pytest.mark.clause("ST-26", "SD-3.3.1-r1", "SD-3.3.1-r2", "SD-3.3.1-r3", "SD-3.3.1-r4")
    @pytest.mark.clause("ST-27", "SD-3.3.2-r1", "SD-3.3.2-r2", "SD-3.3.2-r3", "SD-3.3.2-r4")
    def test_the_edge_of_a_waterway_and_the_corner_of_a_town(self) -> None:
        assert faces("waterway") == ["right", "right", "left", "left", "far", "near"]
        assert faces("bua") == ["near-right", "near-right", "near-left", "near-left", "far-right", "far-left"]
        assert all(Quarter(name) for name in faces("bua"))

    @pytest.mark.clause("ST-28", "SD-3.3.3-r1", "SD-3.3.3-r2", "SD-3.3.3-r3", "SD-3.3.3-r4")
    def test_the_band_of_a_river(self) -> None:
        found = []
        for score in range(1, 7):
            limits = terms_of().river_limits(BOOK.tables["river"].look_up(score))
            axis, band = limits.axis, limits.band
            low, high = (band.bounds[1], band.bounds[3]) if axis is Axis.ACROSS else (band.bounds[0], band.bounds[2])
            found.append((axis.value, round(low / INCH, 6), round(high / INCH, 6)))
        across = ("across", 12, 18)
        assert found == [across, across, ("across", 6, 12), ("up", 6, 12), ("up", 12, 18), ("up", 12, 18)]
        assert list(Counter(faces("river")).values()) == [2, 1, 1, 2]

    @pytest.mark.clause("ST-34", "AMB-17", "SD-3.3.4-r1..SD-3.3.4-r6")
    def test_the_sector_of_an_area_by_two_single_dice(self) -> None:
        for pair, sector in (("5 2", "right/near"), ("3 4", "centre/middle"), ("1 6", "left/far")):
            dice = thrown(pair)
            assert SoloTurn(placement=table_with(dice=dice), pick=WOODS, identity="woods-1").roll() == sector
            assert [throw.asked for throw in dice.log] == ["d6", "d6"]
        both = Counter(f"{one}/{two}" for one in faces("sector_column") for two in faces("sector_row"))
        assert set(both.values()) == {4}
        assert len(both) == 9

    @pytest.mark.clause(
        "SD-3.3.5-e", "SD-3.3.5-r1", "SD-3.3.5-r2", "SD-3.3.5-r3", "SD-3.3.5-r4", "SD-3.3.5-r5", "SD-3.3.5-r6"
    )
    @pytest.mark.parametrize(
        ("score", "axis", "thirds"),
        [(1, "across", (0, 1)), (2, "across", (1, 2)), (3, "across", (2, 3)),
         (4, "up", (0, 1)), (5, "up", (1, 2)), (6, "up", (2, 3))],
    )  # fmt: skip
    def test_the_row_or_column_of_a_road(self, score, axis, thirds):
        placed, dice = place_on([ROAD, WOODS], f"1 1 {score}")
        road = next(feature for feature in placed.features if isinstance(feature, Course))
        assert dice.log[2].clause == f"SD-3.3.5-r{score}"
        low, high = (8 * INCH * bound for bound in thirds)
        left, near, right, far = road.line.bounds
        if axis == "across":
            assert (left, right) == pytest.approx((0, 24 * INCH))
            assert low <= near < far <= high
        else:
            assert (near, far) == pytest.approx((0, 24 * INCH))
            assert low <= left < right <= high


@pytest.mark.clause("SD-3.3-c")
def test_water_and_town_come_first_then_areas_and_roads_last_as_do_their_dice_each_with_its_clause() -> None:
    picks = (ROAD, WOODS, PiecePick(Terrain.MARSH, compulsory=True), RIVER, HILL, BUA, WATERWAY, ROAD, WOODS)
    identities = "waterway bua river marsh-1 woods-1 gentle-hill-1 woods-2 road-1 road-2"
    assert [identity for _, identity in sort_picks(picks)] == identities.split()
    placed, dice = place_on([HILL, RIVER, BUA, ROAD], "3 5 1 6 1")
    assert [(throw.reason, throw.clause) for throw in dice.log[:5]] == [
        ("place of bua", "SD-3.3.2-r2"),
        ("place of river", "SD-3.3.3-r4"),
        ("column of gentle-hill-1", "SD-3.3.4-r1"),
        ("row of gentle-hill-1", "SD-3.3.4-r6"),
        ("place of road-1", "SD-3.3.5-r1"),
    ]
    hill = next(feature for feature in placed.features if isinstance(feature, Hill))
    assert (hill.origin.throws, hill.origin.clauses) == ((3, 4), ("SD-3.3.4-r1", "SD-3.3.4-r6"))


class TestRoads:
    @pytest.mark.clause("ST-38", "SD-3.3.5-a", "SD-3.3-b", "AMB-21")
    def test_a_road_that_cannot_touch_the_town_is_thrown_again(self) -> None:
        dice = thrown("3 4")
        table = table_with((BUA, TOWN), picks=(BUA, ROAD), dice=dice)
        laid = SoloTurn(placement=table, pick=ROAD, identity="road-1").place()
        assert laid.result == "up-left"
        assert [(step.result, step.refusal) for step in table.steps] == [
            ("across-far", "the way to bua"), ("up-left", ""),
        ]  # fmt: skip
        assert dice.log[1].reason == "place of road-1 again: across-far cannot be"
        assert len(dice.log) == 2
        assert laid.shape.distance(TOWN) == 0
        assert find_quarters(laid.shape, BOARD) == (Quarter.NEAR_LEFT, Quarter.FAR_LEFT)

    @pytest.mark.clause("AMB-21")
    def test_only_the_last_road_has_to_touch_the_town_and_is_thrown_for_again(self) -> None:
        table = table_with((BUA, TOWN), picks=(BUA, ROAD, ROAD), dice=thrown("3 2 1"))
        for number in (1, 2):
            table.placed_pieces.append(SoloTurn(placement=table, pick=ROAD, identity=f"road-{number}").place())
        assert [piece.result for piece in table.placed_pieces[1:]] == ["across-far", "across-near"]
        assert table.placed_pieces[2].shape.distance(TOWN) == 0
        table = table_with((BUA, TOWN), picks=(BUA, ROAD), dice=thrown("2 4"))
        laid = SoloTurn(placement=table, pick=ROAD, identity="road-1").place()
        assert laid.result == "up-left"
        assert laid.shape.distance(TOWN) == 0

    @pytest.mark.clause("ST-39", "AMB-23", "SD-3.3.5-b", "SD-3.3.5-c")
    def test_a_second_road_in_the_same_row_is_thrown_again(self) -> None:
        dice = Dice(ScriptedSource(["2", "2", "6"], Seeded(5)), "terrain")
        placed = place_terrain((ROAD, ROAD), terms_of(), dice, Jitter(5))
        assert [throw.answer for throw in dice.log if throw.act is Act.DIE] == ["2", "2", "6"]
        assert [piece.result.split("/")[0] for piece in placed.placed_pieces] == ["across-middle", "up-right"]
        assert [step.refusal for step in placed.steps] == ["", "road-1 in the same place", ""]

    @pytest.mark.clause("AMB-22")
    def test_a_middle_road_takes_the_side_with_fewer_features_and_two_equal_sides_are_a_choice(self) -> None:
        table = table_with((WOODS, square(3, 13, 7, 16)), picks=(WOODS, ROAD), dice=thrown("2"))
        assert SoloTurn(placement=table, pick=ROAD, identity="road-1").place().result == "across-middle/low"
        table = table_with((WOODS, square(3, 9, 7, 11)), picks=(WOODS, ROAD), dice=thrown("2"))
        laid = SoloTurn(placement=table, pick=ROAD, identity="road-1").place()
        assert laid.result == "across-middle/high"
        assert find_quarters(laid.shape, BOARD) == (Quarter.FAR_LEFT, Quarter.FAR_RIGHT)
        assert [throw.asked for throw in table.dice.log] == ["d6"]
        table = table_with(picks=(ROAD,), dice=thrown("5"))
        turn = SoloTurn(placement=table, pick=ROAD, identity="road-1")
        assert turn.has_equal_sides("up-centre", turn.find_road_sides("up-centre"))
        laid = turn.place()
        choice = table.dice.log[1]
        assert (choice.asked, choice.clause) == ("choice of 2", "AMB-22")
        assert choice.answer in ("left", "right")
        assert laid.result == "up-centre/" + ("low" if choice.answer == "left" else "high")
        assert laid.features[0].origin.throws == (1, 2)

    @pytest.mark.clause("ST-40", "SD-3.3.5-d")
    @pytest.mark.parametrize(("setting", "kind"), [("true", Kind.BRIDGE), ("false", Kind.FORD)])
    def test_a_road_meets_a_river(self, setting, kind):
        assert terms_of(bridge_model=setting).crossing_kind is kind
        placed, _ = place_on([RIVER, WOODS, ROAD], "1 1 1 6", bridge_model=setting)
        crossing = next(feature for feature in placed.features if isinstance(feature, Crossing))
        road, river = (next(each for each in placed.features if each.id == name) for name in ("road-1", "river"))
        assert (crossing.kind, crossing.route, crossing.water) == (kind, "road-1", "river")
        assert road.line.distance(crossing.at) < 0.01
        assert river.line.distance(crossing.at) < 0.01
        assert 45 <= crossing.bearing % 180 <= 135


class TestAgain:
    @pytest.mark.clause("AMB-16", "SD-3.3-b")
    def test_a_piece_is_thrown_for_again_while_another_result_can_stand(self) -> None:
        # The hill fills the near left sector and what is left of it keeps no base width off.
        full = (HILL, square(1, 1, 8, 7))
        dice = thrown("1 1 1 2 5 5")
        table = table_with(full, picks=(HILL, ROUGH, ROUGH), dice=dice)
        laid = SoloTurn(placement=table, pick=ROUGH, identity="rough-1").place()
        assert laid.result == "right/far"
        assert laid.features[0].origin.throws == (5, 6)
        assert [step.refusal != "" for step in table.steps] == [True, True, False]
        assert "gentle-hill-1" in table.steps[0].refusal

    @pytest.mark.clause("AMB-16")
    def test_what_fits_nowhere_is_left_out_at_once(self) -> None:
        small = Board(110, 110, GroundScale(pace=0.254, base_width=40.0))
        picks = (PiecePick(Terrain.WOODS, compulsory=True), WOODS)
        dice = Dice(Seeded(1), "terrain")
        placed = place_terrain(picks, terms_of(small), dice, Jitter(1))
        assert [piece.identity for piece in placed.placed_pieces] == ["woods-1"]
        assert [(left.identity, left.blockers[0]) for left in placed.blocked_pieces] == [("woods-2", "woods-1")]
        assert placed.warnings[0].startswith("woods-2 is left out: woods-1")
        assert sum("woods-2" in throw.reason for throw in dice.log) == 2

    @pytest.mark.clause("SD-3.3-b")
    def test_the_last_area_is_thrown_for_again_where_too_few_quarters_hold_anything(self) -> None:
        placed, dice = place_on([HILL, HILL, ROUGH], "1 1 5 1 3 1", seed=3)
        again = [throw.reason for throw in dice.log[6:]]
        assert again[:2] == [
            f"{what} of rough-1 again: fewer than three quarters hold a feature" for what in ("column", "row")
        ]
        assert placed.warnings == ()
        assert [piece.identity for piece in placed.placed_pieces] == ["gentle-hill-1", "gentle-hill-2", "rough-1"]
        held = {quarter for piece in placed.placed_pieces for quarter in find_quarters(piece.shape, BOARD, 161)}
        assert len(held) >= 3
        # A board that no throw mends is told.
        assert place_on([ROAD], "1")[0].warnings == (
            "fewer than three quarters hold a feature, and no roll can change that (SD-3.3-b)",
            "fewer than two quarters hold a river, a waterway or bad going, and no roll can change that (SD-3.3-b)",
        )

    @pytest.mark.clause("SD-3.3-b")
    def test_a_log_plays_the_same_placement(self) -> None:
        picks = tuple(PiecePick(name) for name in (Terrain.BUA, Terrain.RIVER, Terrain.WOODS, Terrain.ROAD))
        first = Dice(Seeded(8), "terrain")
        placed = place_terrain(picks, terms_of(), first, Jitter(8))
        again = Dice(ReplaySource(first.log, Seeded(0)), "terrain")
        assert place_terrain(picks, terms_of(), again, Jitter(8)) == placed
        assert again.log == first.log

    def test_too_few_dice_are_an_error(self) -> None:
        with pytest.raises(DiceError, match="die 2 is missing: row of woods-1 needs d6"):
            place_terrain((WOODS,), terms_of(), Dice(ScriptedSource(["1"], Seeded(1)), "terrain"), Jitter(1))


class TestReadings:
    @pytest.mark.clause("AMB-18", "SD-3.3.4-c")
    def test_the_only_bad_going_straddles_though_a_river_is_there(self) -> None:
        table = table_with((RIVER, square(0, 14, 24, 15)), picks=(RIVER, WOODS, HILL))
        assert table.find_surroundings("it", "").must_straddle(Terrain.WOODS)
        assert not table_with(picks=(WOODS, WOODS)).find_surroundings("it", "").must_straddle(Terrain.WOODS)
        assert not table_with(picks=(WOODS, MARSH)).find_surroundings("it", "").must_straddle(Terrain.WOODS)
        assert not table_with(picks=(WOODS, HILL)).find_surroundings("it", "").must_straddle(Terrain.GENTLE_HILL)

    @pytest.mark.clause("AMB-14")
    def test_a_town_is_no_bad_going(self) -> None:
        table = table_with((BUA, TOWN), picks=(BUA, WOODS))
        assert table.find_surroundings("it", "").must_straddle(Terrain.WOODS)
        assert table.terms.piece_rules[Terrain.BUA].going.name == "special"

    @pytest.mark.clause("AMB-19")
    def test_on_other_boards_bands_scale_and_paces_follow_the_ground_scale(self) -> None:
        board = Board(36 * INCH, 36 * INCH, GroundScale(pace=0.381, base_width=60.0))
        scaled = terms_of(board).river_limits("across-far").band
        assert (scaled.bounds[1] / INCH, scaled.bounds[3] / INCH) == pytest.approx((18, 27))
        assert terms_of(board).river_limits("across-far").clearance == pytest.approx(9 * INCH)
        assert terms_of(board).size_limits(Terrain.WOODS).sides_max == pytest.approx(9 * 60)

    @pytest.mark.clause("AMB-20")
    def test_river_and_road_end_at_the_shore(self) -> None:
        placed, _ = place_on([WATERWAY, RIVER, WOODS, ROAD], "1 1 1 1 1")
        water = placed.placed_pieces[0].shape
        river, road = placed.placed_pieces[1].shape, placed.placed_pieces[3].shape
        assert water.bounds[2] == pytest.approx(24 * INCH)
        assert water.distance(box(*river.bounds)) == 0
        assert min(water.boundary.distance(end) for end in river.boundary.geoms) < 0.01
        assert river.intersection(water).length < 0.01
        assert 0 < min(water.distance(end) for end in road.boundary.geoms) <= 10.01

    @pytest.mark.clause("SD-3.3.5-b")
    def test_a_road_passes_a_hill_by_where_there_is_room(self) -> None:
        hill = (STEEP, square(8, 2.4, 13, 5))
        table = table_with(hill, picks=(STEEP, ROAD))
        road = SoloTurn(placement=table, pick=ROAD, identity="road-1").try_result("across-near")
        assert road.shape.distance(hill[1]) >= 10
