"""Both versions as rule systems: boards, shapes, records, replays, accounts; promises of every board of version 2."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from imports import load_script
from laying import GRIDS, PRESETS, board
from msgspec.structs import replace
from shapely import LineString, Point

from printkit.chance.dice import Dice, ScriptedSource, Seeded
from printkit.chance.replaying import ReplaySource
from printkit.chance.streams import Jitter
from printkit.core import words as languages
from printkit.core.errors import UsageError
from printkit.core.words import find_words as language
from printkit.kit import registry
from printkit.kit.registry import find
from printkit.kit.remarks import collect_remarks, list_unplaced
from printkit.kit.system import Outcome, RuleSystem, Scenario
from printkit.recipes.game.games import play, replay_game
from printkit.recipes.game.request import Orders
from printkit.systems.portable.grid.sketch import HABITATION, AreaFeature, Sketch
from printkit.systems.portable.system import STAGE_OF
from printkit.systems.portable.version2.steps import STAGES
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
        with pytest.raises(UsageError, match="use 20 to 400 mm"):
            find("portable-1").board(cell=10)
        with pytest.raises(UsageError, match="has no grid"):
            find("brantley").board(cell=100)
        with pytest.raises(UsageError, match="must have 3 to 60 cells"):
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
        assert all(own.contains(Cell(*cell)) for cell in feature.cells)
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
                way, water = field.find(feature.route), field.find(feature.water)
                assert isinstance(way, Course)
                assert isinstance(water, Course)
                assert way.line.distance(feature.at) < 0.01
                assert water.line.distance(feature.at) < own.cell / 2


def test_neighbouring_hills_and_woods_grow_together() -> None:
    lines = ["hill (3;3) contours 2", "hill (3;4)", "hill (7;7)", "trees (5;5)", "trees (6;5)"]
    field = laid("portable-1", 1, inputs={"features": lines}, river="0", road="0", **NOBODY).battlefield
    hills = list(field.select_features(Kind.HILL))
    assert [hill.id for hill in hills] == ["hill-1", "hill-3"]
    first = hills[0]
    assert isinstance(first, Hill)
    assert first.cells == ((3, 3), (4, 3))
    assert len(first.contours) >= 2
    assert first.contours[1].contains(Point(field.grid.centre(Cell(3, 3))))  # type: ignore[union-attr]
    assert [wood.cells for wood in field.select_features(Kind.WOODLAND)] == [((5, 5), (5, 6))]


def test_a_road_and_a_river_that_share_an_end_are_drawn_side_by_side() -> None:
    inputs = {"rivers": ["from top 1 to bottom 3 width 1"], "roads": ["from top 1 to bottom 1"]}
    field = laid("portable-1", 1, inputs=inputs, hills="0", trees="0", **NOBODY).battlefield
    river, road = field.find("river-1"), field.find("road-1")
    assert isinstance(river, Course)
    assert isinstance(road, Course)
    apart = road.line.intersection(field.ground).distance(river.line.intersection(field.ground))
    assert apart > (river.width + road.width) / 2 - 1


@pytest.mark.clause("PW1-21")
def test_a_road_that_runs_almost_along_a_river_crosses_it_once() -> None:
    orders = Orders(rules="portable-1", settings={"grid": "sq-6x3", "river": "2", "road": "1"})
    record = play(find("portable-1"), orders, 61725, language("en")).record
    field = record.battlefield
    road, crossed, other = (field.find(name) for name in ("road-1", "river-1", "river-2"))
    assert all(isinstance(course, Course) for course in (road, crossed, other))
    assert isinstance(road.line.intersection(crossed.line).intersection(field.ground), Point)
    assert road.line.intersection(other.line).intersection(field.ground).is_empty
    # A second crossing in the areas that both share is reported.
    x, y = crossed.line.interpolate(0.8, normalized=True).coords[0]
    at = max(place for place, point in enumerate(road.line.coords) if point[0] > x)
    bent = LineString([*road.line.coords[:at], (x, y - 5), (x - 2, y + 5), (x - 4, y - 5), *road.line.coords[at:]])
    features = tuple(replace(one, line=bent) if one is road else one for one in field.features)
    spoilt = replace(record, battlefield=replace(field, features=features))
    states = {verdict.clause: verdict.state for verdict in find("portable-1").judge(spoilt)}
    assert states["PW1-21"] == "broken"


@pytest.mark.clause("PW0-14")
@BOTH
def test_a_game_is_replayed_from_its_log_and_from_its_dice(name: str) -> None:
    first = laid(name, 4)
    log = laid(name, 4, ReplaySource(first.log, Seeded(99)))
    dice = laid(name, 4, ScriptedSource([throw.answer for throw in first.log], Seeded(99)))
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
    again = replay_game(system, record, language("en"), reroll=["trees"], keep=(), new_seed=9).record

    def of(found: Record, *kinds: Kind) -> list[object]:
        return [
            replace(feature, name="", origin=type(feature.origin)())
            for feature in found.battlefield.select_features(*kinds)
        ]

    assert of(again, Kind.HILL, Kind.RIVER, Kind.ROAD) == of(record, Kind.HILL, Kind.RIVER, Kind.ROAD)
    assert of(again, Kind.WOODLAND) != of(record, Kind.WOODLAND)


@pytest.mark.clause("PW0-02")
@BOTH
def test_every_feature_tells_how_it_came_about_in_both_languages_with_areas_as_the_map_prints_them(name: str) -> None:
    system, record = played(name)
    told = system.account(record, language("en+es"))
    assert set(told) == {feature.id for feature in record.battlefield.features if feature.id.count("-") == 1}
    assert all(" · " in sentence and "{" not in sentence for sentence in told.values())
    hill = next(record.battlefield.select_features(Kind.HILL))
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


def test_what_found_no_room_is_in_the_record_and_in_the_notices() -> None:
    system, record = played("portable-1", 1, grid="sq-3x3", hills="12", river="0", road="0", trees="0", **NOBODY)
    assert list_unplaced(system, record) == ("no area was left for 1 hill (PW0-11)",) * 3
    assert [throw.reason for throw in record.log if throw.reason.startswith("hill 9,")]
    assert not [throw.reason for throw in record.log if throw.reason.startswith("hill 10,")]
    town = {"hills": "0", "river": "0", "road": "0", "trees": "8", **NOBODY, "towns": "1"}
    system, record = played("portable-1", 1, grid="sq-3x3", **town)
    line = "town-1 has fewer areas, because no area next to it was left (PW1-53)"
    assert list_unplaced(system, record) == collect_remarks(system, record, language("en")) == (line,)
    assert play(system, Orders(rules="portable-1", options={"grid": "sq-3x3", **town}), 1, language("en")).warnings == (
        line,
    )


soak = load_script("tools/soak_portable.py")


BOARDS = 3 * 8 * 3
"""Each grid with each country, three times."""


@pytest.fixture(scope="module")
def busy() -> Sketch:
    """Return a board with two rivers, two roads, a railway, lakes and a village, whose promises all hold."""
    for seed in range(1, 400):
        found = board(
            seed, "sq-8x8", river="2", road="2", railway="1", lakes="3", marshes="2", preset="undulating-urban"
        )
        kinds = {piece.kind for piece in (*found.placings, *found.passages)}
        if {Kind.VILLAGE, Kind.LAKE, Kind.LEVEL_CROSSING, Kind.CROPS} <= kinds:
            return found
    raise AssertionError


@pytest.mark.clause(
    "PW2-01", "PW2-12", "PW2-33", "PW2-35", "PW2-36", "PW2-38", "PW2-39", "PW2-41", "PW2-42", "PW2-44", "PW2-50",
    "PW2-56", "PW2-57", "PW2-60", "PW2-61", "PW2-62", "PW2-72", "PWA-12", "PWA-16", "PW0-01",
)  # fmt: skip
@pytest.mark.parametrize("first", range(0, BOARDS, 12))
def test_every_promise_is_kept(first):
    boards = [soak.laid_out(seed) for seed in range(first, first + 12)]
    assert [(each.seed, each.faults) for each in boards if each.faults] == []
    assert all(each.kinds for each in boards)


def test_the_boards_are_of_every_grid_and_country():
    orders = [soak.order(seed) for seed in range(BOARDS)]
    assert {(grid, settings["preset"]) for grid, settings in orders} == {
        (grid, preset) for grid in GRIDS for preset in (*PRESETS, "undulating-rural")
    }
    assert {settings["railway"] for _, settings in orders} == {"0", "1", "2"}


class TestBrokenPromisesAreFound:
    @pytest.mark.clause("PW2-57")
    def test_places(self, busy):
        village = next(busy.of(Kind.VILLAGE))
        other = tuple(piece for piece in busy.placings if piece is not village)
        for wrong in (replace(village, kind=Kind.TOWN), replace(village, cells=(Cell(1, 1), Cell(8, 8)))):
            assert list(soak.faults(replace(busy, placings=(*other, wrong)))) != []

    @pytest.mark.clause("PW2-33", "PW2-35", "PW2-41")
    def test_courses(self, busy):
        road = next(way for way in busy.ways if way.kind is Kind.ROAD)
        hill, lake = next(busy.of(Kind.HILL)), next(busy.of(Kind.LAKE))
        for wrong in (
            replace(road, cells=(*road.cells[:1], *road.cells[2:])),
            replace(road, leaves=(road.leaves + 2) % 4),
            replace(road, cells=(*road.cells, *hill.cells)),
            replace(road, cells=(*road.cells, *lake.cells)),
            replace(road, facts={**road.facts, "forced": [[1, 1]]}),
        ):
            ways = tuple(wrong if way is road else way for way in busy.ways)
            assert any(road.id in fault for fault in soak.faults(replace(busy, ways=ways)))

    @pytest.mark.clause("PW2-42", "PW2-61", "PW2-62")
    def test_crossings(self, busy):
        assert list(soak.faults(busy)) == []
        assert any("lacks a crossing" in fault for fault in soak.faults(replace(busy, passages=())))
        moved = tuple(replace(passage, cells=(Cell(1, 8),)) for passage in busy.passages)
        assert any("does not lie where" in fault for fault in soak.faults(replace(busy, passages=moved)))

    @pytest.mark.clause("PW2-12", "PW2-38", "PW2-72")
    def test_ground(self, busy):
        village, lake, field, hill = (next(busy.of(kind)) for kind in (Kind.VILLAGE, Kind.LAKE, Kind.CROPS, Kind.HILL))
        for wrong in (
            AreaFeature(id="lake-9", kind=Kind.LAKE, cells=village.cells[:1]),
            AreaFeature(id="marsh-9", kind=Kind.MARSH, cells=(Cell(9, 9),)),
            AreaFeature(id=lake.id, kind=Kind.MARSH, cells=(Cell(1, 1),)),
        ):
            assert list(soak.faults(busy.add(wrong))) != []
        placings = tuple(replace(piece, cells=hill.cells) if piece is field else piece for piece in busy.placings)
        assert any(field.id in fault for fault in soak.faults(replace(busy, placings=placings)))

    def test_loaded_dice(self):
        assert not soak.unlikely(dict.fromkeys(range(1, 7), 100))
        assert soak.unlikely({**dict.fromkeys(range(1, 7), 100), 6: 200})


WATERY = {"railway": "2", "lakes": "die", "marshes": "die", "river": "2"}


@pytest.mark.clause("PW0-14")
@pytest.mark.parametrize("grid", GRIDS)
def test_a_log_lays_out_the_same_board_again(grid):
    dice = Dice(Seeded(7))
    first = board(grid=grid, dice=dice, settings=WATERY)
    source = ReplaySource(dice.log, Seeded(1))
    assert board(grid=grid, dice=Dice(source), settings=WATERY) == first
    assert source.unused_stages() == ()


@pytest.mark.clause("PW0-14")
def test_every_throw_names_its_stage_its_reason_and_a_clause_of_the_book():
    dice, clauses = Dice(Seeded(3)), set(soak.book().clauses)
    found = board(dice=dice, settings=WATERY, preset="undulating-urban")
    assert {throw.stage for throw in dice.log} <= set(STAGES)
    assert all(throw.reason and throw.clause in clauses for throw in dice.log)
    for piece in (*found.placings, *found.ways, *found.passages):
        assert piece.clauses
        assert set(piece.clauses) <= clauses
        assert all(1 <= throw <= len(dice.log) for throw in piece.throws)
        assert list(piece.throws) == sorted(piece.throws)


@pytest.mark.clause("PW2-01", "PW0-10")
def test_a_stage_thrown_anew_leaves_the_dice_of_the_others_as_they_were():
    def thrown(reseeded: dict[str, int]) -> dict[str, list[str]]:
        dice = Dice(Seeded(5, reseeded))
        board(dice=dice, preset="hilly-rural")
        return {stage: [throw.answer for throw in dice.log if throw.stage == stage] for stage in STAGES}

    before, after = thrown({}), thrown({"trees": 99})
    assert before["trees"] != after["trees"]
    assert all(before[stage] == after[stage] for stage in ("hills", "rivers", "roads"))
    assert before["habitation"][0] == after["habitation"][0]
    assert min(len(before["habitation"]), len(after["habitation"])) > 1


@pytest.mark.clause("PW2-58")
def test_every_size_of_place_comes():
    boards = (board(seed, preset="undulating-urban") for seed in range(60))
    assert {piece.kind for found in boards for piece in found.of(*HABITATION)} == set(HABITATION)


@pytest.mark.clause("PW2-58", "PW0-14")
@pytest.mark.parametrize("language", ["en", "es", "en+es"])
def test_every_feature_says_how_it_came_about(language):
    system, words = registry.find("portable-2"), languages.find_words(language)
    told = []
    for seed in (3, 12):
        settings = {"grid": "sq-8x8", "railway": "1", "river-areas": "2", "lakes": "die", "preset": "undulating-urban"}
        record = play(system, Orders(rules="portable-2", settings=settings), seed, words).record
        account = system.account(record, words)
        strips = {feature.id for feature in record.battlefield.features if feature.id.count("-") > 1}
        mute = {feature.id for feature in record.battlefield.features} - set(account)
        assert mute <= strips, "the strips of a field tell of it once"
        told += account.values()
    wanted = {"en": ("going downstream", "It belongs to the"), "es": ("río abajo", "Pertenece a")}
    for code in language.split("+"):
        assert all(any(text in sentence for sentence in told) for text in wanted[code])
