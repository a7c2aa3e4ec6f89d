"""Rivers and roads of version 1: dice in their order, bands, crossings, chains, rare ways (PW1-14..PW1-25, PW1-61)."""

from __future__ import annotations

import math
from itertools import pairwise
from statistics import fmean
from typing import Any

import pytest
from drawn_settings import field_of
from first_version import bare, board, cell, cells, covered, dice_of, grid, put, reasons, seeded, spent, terms

from printkit.api import generate
from printkit.chance.dice import Dice, Seeded
from printkit.chance.streams import Stream
from printkit.core.errors import ScenarioError
from printkit.systems.portable.course_lines import draw_courses
from printkit.systems.portable.grid.bands import find_board_crossing, find_crossed_cells, measure_shares
from printkit.systems.portable.grid.sketch import CellCourse, Passage, Sketch
from printkit.systems.portable.version1.courses import place_rivers, place_roads
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import HexGrid, SquareGrid

SQUARES = SquareGrid(8, 8, 100.0)


def ways(
    scores: str, stage: str = "river", on: Sketch | None = None, name: str = "sq-8x8", **settings: object
) -> Sketch:
    """Return a board with what one stage lays from exactly these scores."""
    inputs = settings.pop("inputs", {})
    dice = dice_of(scores)
    own = terms(name, inputs=inputs, **settings)  # type: ignore[arg-type]
    found = (place_rivers if stage == "river" else place_roads)(own, on or bare(name), dice)
    assert spent(dice)
    return found


def only(found: Sketch) -> CellCourse:
    (way,) = found.ways
    return way


@pytest.mark.clause("PW1-11", "PW1-12", "PW1-13")
def test_the_examples_of_the_text_come_in_and_leave_where_they_say() -> None:
    told = only(ways("3 2 4 1 1")).facts
    assert told["from"] == {"slot": "right", "share": 0.25}
    assert told["to"] == {"slot": "bottom", "share": pytest.approx(5 / 12)}
    assert only(ways("6 2 4 1")).band == ((800, 800), (200, 0))


@pytest.mark.clause("PW1-16", "PW1-14", "PW0-14")
def test_the_dice_of_a_river_are_thrown_in_order() -> None:
    dice = dice_of("3 2 4 1 5")
    found = place_rivers(terms(), bare(), dice)
    assert reasons(dice) == [
        "entry of river-1", "exit of river-1", "station of the entry of river-1", "station of the exit of river-1",
        "width of river-1",
    ]  # fmt: skip
    assert [throw.clause for throw in dice.log] == ["PW1-11", "PW1-12", "PW1-13", "PW1-13", "PW1-14"]
    assert only(found).throws == (1, 2, 3, 4, 5)
    corners = dice_of("6 6 1")
    place_rivers(terms(), bare(), corners)
    assert reasons(corners) == ["entry of river-1", "exit of river-1", "width of river-1"]


@pytest.mark.clause("PW1-14", "PW1-15", "PWA-03")
@pytest.mark.parametrize(("score", "areas", "width"), [(1, 1, 0.5), (4, 1, 0.5), (5, 2, 1.5), (6, 2, 1.5)])
def test_a_river_is_one_or_two_areas_wide(score: int, areas: int, width: float) -> None:
    way = only(ways(f"6 2 4 {score}"))
    assert (way.facts["areas"], way.width) == (areas, width)
    assert only(ways(f"6 2 4 {score}", pw1__river_width="0.3")).width == pytest.approx(width - 0.2)


@pytest.mark.clause("PW1-15", "PW1-25")
def test_a_band_covers_a_part_of_each_area_that_it_passes() -> None:
    whole = measure_shares(SQUARES, ((150, 800), (150, 0)), 0.5)
    assert whole == dict.fromkeys(cells("1;2 2;2 3;2 4;2 5;2 6;2 7;2 8;2"), pytest.approx(0.5))
    corner = measure_shares(SQUARES, ((0, 800), (800, 0)), math.sqrt(0.5))
    assert corner[cell("1;1")] == pytest.approx(0.75)
    assert corner[cell("1;2")] == pytest.approx(0.125)
    assert sum(corner.values()) == pytest.approx(8 * 0.75 + 14 * 0.125)


@pytest.mark.clause("PW1-25", "PWA-18")
def test_river_and_road_cover_an_area_together() -> None:
    both = covered({"3;3": 0.3}).add(
        CellCourse(id="road-1", kind=Kind.ROAD, cells=(), width=0.3, band=((0, 0), (1, 1)), shares={cell("3;3"): 0.25})
    )
    assert both.cover(cell("3;3")) == pytest.approx(0.55)
    assert terms().is_dry(covered({"3;3": 0.05}), cell("3;3"))
    assert not terms().is_dry(covered({"3;3": 0.06}), cell("3;3"))
    assert terms(pw1__sliver="0.1").is_dry(covered({"3;3": 0.06}), cell("3;3"))


@pytest.mark.clause("PW1-25", "PW1-17", "PW0-01")
def test_a_band_narrower_than_a_sliver_has_the_areas_through_which_its_middle_runs() -> None:
    narrow = {"pw1__river_width": "0.2", "pw1__sliver": "0.4"}
    down = only(ways("1 2 3 3 1", **narrow))
    assert down.cells == cells("1;1 2;1 3;1 4;1 5;1 6;1 7;1 8;1")
    thin = terms(pw1__sliver="0.4")
    assert [thin.is_dry(bare().add(down), cell(area)) for area in ("4;1", "4;2")] == [False, True]
    along_the_edge = only(ways("6 1", **narrow, inputs={"rivers": ["to bottom-right"]}))
    assert set(along_the_edge.cells) == set(cells("1;8 2;8 3;8 4;8 5;8 6;8 7;8 8;8"))


@pytest.mark.clause("PW1-17")
class TestCoursesThatAreTooShort:
    def test_the_exit_is_thrown_again_and_so_is_its_station(self) -> None:
        # From the right end of the upper edge to the upper end of the right edge; then to the lower edge.
        way = only(ways("1 3 6 3 1 4 1"))
        assert (way.facts["to"]["slot"], way.facts["again"]) == ("bottom", 1)
        along_an_edge = only(ways("6 3 1 1 4 1"))
        assert along_an_edge.facts["to"] == {"slot": "bottom", "share": 0.25}
        assert find_crossed_cells(SQUARES, ((800, 800), (800, 0))) == ()
        assert len(find_crossed_cells(SQUARES, ((0, 800), (800, 0)))) == 8
        assert len(find_crossed_cells(SQUARES, ((600, 800), (600, 0)))) == 16, "the sides between areas are no edge"

    def test_it_is_kept_and_noted_where_a_person_gave_its_exit(self) -> None:
        given = ways("1", inputs={"rivers": ["from top 6 to right 3"]})
        assert [(note.key, note.feature) for note in given.notes] == [("short", "river-1")]
        with pytest.raises(ScenarioError, match="the same place"):
            ways("", inputs={"rivers": ["from top 100% to top-right"]})


@pytest.mark.clause("PW1-20", "PW1-22", "PW1-21")
def test_a_road_runs_as_a_river_and_throws_for_each_crossing_after_its_ends() -> None:
    on = ways("6 2 4 1")
    dice = dice_of("2 3 3 6 2")
    found = place_roads(terms(), on, dice)
    assert reasons(dice) == [
        "entry of road-1", "exit of road-1", "station of the entry of road-1", "station of the exit of road-1",
        "crossing 1 of road-1, over river-1",
    ]  # fmt: skip
    (passage,) = found.passages
    assert (passage.id, passage.way, passage.water, passage.throws) == ("ford-1", "road-1", "river-1", (5,))
    assert found.ways[1].width == 0.35
    assert passage.at is not None
    assert passage.cells == (SQUARES.at(*passage.at),)
    for score, kind in ((1, "ford"), (4, "ford"), (5, "bridge"), (6, "bridge")):
        assert [passage.kind for passage in ways(f"2 3 3 6 {score}", "road", on).passages] == [kind]


@pytest.mark.clause("PW1-22", "PWA-12")
def test_two_rivers_are_crossed_in_the_order_of_travel() -> None:
    on = ways("1 1 4 4 1  1 1 5 5 1", river="2")
    assert [way.id for way in on.ways] == ["river-1", "river-2"]
    found = ways("3 3 1 2 1 6", "road", on)
    assert [(passage.water, passage.kind) for passage in found.passages] == [("river-2", "ford"), ("river-1", "bridge")]
    assert ways("", river="0").ways == ()


def test_bands_that_share_an_end_do_not_cross() -> None:
    assert find_board_crossing(SQUARES, ((0, 800), (400, 0)), ((0, 800), (800, 400))) is None
    assert find_board_crossing(SQUARES, ((0, 800), (400, 0)), ((0, 800), (400, 0))) is None
    assert find_board_crossing(SQUARES, ((0, 400), (800, 400)), ((400, 800), (400, 0))) == (400, 400)
    corner = ((0, 800), (50, 849)), ((0, 849), (60, 800))
    assert find_board_crossing(HexGrid(9, 8, 100.0), *corner) is None
    assert find_board_crossing(SQUARES, *(tuple((x, y - 50) for x, y in ends) for ends in corner)) is not None  # type: ignore[arg-type]


@pytest.mark.clause("PW0-13")
class TestWhatIsGivenIsNotThrownFor:
    def test_a_course_or_parts_of_it(self) -> None:
        found = ways("", inputs={"rivers": ["from top-right to bottom 4 width 2"]})
        assert (only(found).band, only(found).width) == (((800, 800), (200, 0)), 1.5)
        found = ways("3 2", river="1", inputs={"rivers": ["from right to bottom 25%"]})
        assert only(found).band == ((800, pytest.approx(800 * 11 / 12)), (200, 0))

    def test_width_kind_and_crossings(self) -> None:
        on = ways("6 2 4", **{"river-areas": "2"})
        assert only(on).facts["areas"] == 2
        assert [passage.kind for passage in ways("2 3 3 6", "road", on, crossing="bridge").passages] == ["bridge"]
        lines = ["from top 3 to right 6 kind track crossings bridge"]
        found = ways("", "road", ways("6 2 4 1"), inputs={"roads": lines})
        assert [way.id for way in found.ways] == ["river-1", "track-1"]
        assert [passage.id for passage in found.passages] == ["bridge-1"]

    @pytest.mark.parametrize(
        ("name", "line", "message"),
        [
            ("rivers", "from q3 to left 1", "sides and corners"),
            ("rivers", "from top 3 to left 1 kind road", "kind and crossings are for roads"),
            ("roads", "from top 3 to left 1 crossings ford", "gives 1 crossings, but road-1 has 0"),
            ("rivers", "from north to south", "'north' is not an end of a linear feature"),
            ("rivers", "top to left", "write what is known of it"),
            ("rivers", "from top 7 to left", "not an end of a linear feature"),
            ("rivers", "from top-left 3 to right", "not an end of a linear feature"),
            ("rivers", "from top to left width 3", "width '3' is not valid; write 1 or 2"),
            ("roads", "from top to left crossings boat", "crossings must be ford or bridge"),
        ],
    )
    def test_what_cannot_be_is_refused_with_its_line(self, name: str, line: str, message: str) -> None:
        with pytest.raises(ScenarioError, match=f"line 1 of the {name}.*{message}"):
            ways("1 1 1", name.removesuffix("s"), inputs={name: [line]})


@pytest.mark.clause("PW1-15", "PW1-60")
@pytest.mark.parametrize("name", ["sq-8x8", "hex-9x8", "hex-6x8"])
def test_a_chain_runs_through_the_sides_of_areas_and_takes_a_bank_where_it_is_wide(name: str) -> None:
    way, own = only(ways("6 2 4 1", name=name, pw1__course="chain")), grid(name)
    for one, other in pairwise(way.cells):
        own.find_direction(one, other)
    assert way.enters is not None
    assert way.leaves is not None
    assert own.neighbour(way.cells[0], way.enters) is own.neighbour(way.cells[-1], way.leaves) is None
    assert way.share(way.cells[1]) == 1.0
    wide = only(ways("1 1 1 1 5", pw1__course="chain"))
    bank = [cell for cell in wide.beside if cell]
    assert len(bank) >= 6
    assert wide.share(bank[0]) == 1.0


@pytest.mark.clause("PW1-61", "PWA-11", "PWA-07", "PW1-01")
class TestCoursesRoundHills:
    HILLS = put(bare(), Kind.HILL, "4;3 4;4 4;5")

    @pytest.mark.parametrize(
        ("score", "left"),
        [(1, True), (3, True), (4, False), (6, False)],
    )
    def test_a_die_sends_a_road_left_or_right(self, score: int, left: bool) -> None:
        way = only(ways(f"1 1 1 1 {score}", "road", self.HILLS))
        assert way.band is None
        assert not set(way.cells) & self.HILLS.select_cells(Kind.HILL)
        column = fmean(cell.column for cell in way.cells)
        assert (column < 4, column > 4) == (left, not left)
        assert way.facts["detour"] == score
        assert only(ways("1 1 5 5", "road", self.HILLS)).band is not None, "it meets no hill"

    def test_a_chain_crosses_a_straight_river_where_their_lines_meet(self) -> None:
        river = {"rivers": ["from left 6 to right 6 width 1"]}
        on = ways("", on=self.HILLS, inputs=river)
        assert only(on).band is not None
        found = ways("1 1 1 1 1 3", "road", on)
        assert found.ways[1].band is None
        assert [passage.kind for passage in found.passages] == ["ford"]
        assert found.passages[0].cells[0].row in (7, 8)
        lakeside = ways("", on=self.HILLS, inputs={"rivers": ["from right 50% to bottom 6 width 1"]})
        assert ways("1 1 1 1 1", "road", lakeside).passages == ()

    def test_hills_that_close_every_way_are_passed_and_reported(self) -> None:
        wall = put(bare(), Kind.HILL, " ".join(f"4;{column}" for column in range(1, 9)))
        found = ways("1 1 1 1", "road", wall)
        assert [(note.key, note.clause) for note in found.notes] == [("forced", "PW1-61")]

    def test_hills_may_come_first_in_a_whole_game(self) -> None:
        for seed in range(6):
            found = seeded(seed, "hex-9x8", pw1__order="hills-first", relief="hilly")
            if any(note.key == "forced" for note in found.notes):
                continue
            hills = found.select_cells(Kind.HILL, Kind.MOUNTAIN)
            assert not any(hills.intersection(way.cells) for way in found.ways)


@pytest.mark.clause("PW1-21", "PW0-02")
@pytest.mark.parametrize("name", ["sq-8x8", "hex-9x8"])
@pytest.mark.parametrize("aside", [20, 60, 120, 250])
def test_bands_at_a_small_angle_cross_in_the_area_of_their_crossing(name: str, aside: int) -> None:
    own = grid(name)
    middle, half = own.depth / 2, aside / 2
    bands = [(Kind.RIVER, middle - half, middle + half), (Kind.ROAD, middle + half, middle - half)]
    laid = bare(name)
    for kind, left, right in bands:
        band = ((0.0, left), (own.width, right))
        laid = laid.add(CellCourse(id=f"{kind.value}-1", kind=kind, cells=(), width=0.4, band=band))
    found = find_board_crossing(own, *(way.band for way in laid.ways if way.band))
    assert found is not None
    area = own.at(*found)
    assert area is not None
    for seed in range(8):
        river, road = draw_courses(laid, lambda kind, _, seed=seed: Stream(f"{seed}/{kind}"))
        passage = Passage(id="ford-1", kind=Kind.FORD, way="road-1", water="river-1", cells=(area,), at=found)
        at, _ = road.find_crossing_point(river, passage, own)
        assert own.outline(area).distance(at) < 0.26 * own.cell, seed


@pytest.mark.clause("PW1-21")
def test_a_straight_road_crosses_a_wide_chain_where_its_middle_is() -> None:
    assert field_of("portable-1", 66)[0].check().broken == ()


@pytest.mark.clause("PW1-01")
def test_hills_come_after_roads_or_first() -> None:
    def stages(**settings: Any) -> list[str]:
        dice = Dice(Seeded(2))
        board(dice, "hex-9x8", **settings)
        return list(dict.fromkeys(throw.stage for throw in dice.log))

    assert stages() == ["rivers", "roads", "hills", "trees", "habitation"]
    assert stages(pw1__order="hills-first") == ["hills", "rivers", "roads", "trees", "habitation"]


@pytest.mark.clause("PW1-25")
def test_hexes_share_the_band_as_squares_do() -> None:
    grid = HexGrid(9, 8, 100.0)
    found = measure_shares(grid, ((grid.width / 2, grid.depth), (grid.width / 2, 0)), 0.5)
    covered_area = sum(found.values()) * grid.outline(cell("1;1")).area
    assert covered_area == pytest.approx(50 * 800, rel=0.02)


@pytest.mark.parametrize(
    ("seed", "given", "lists"),
    [
        pytest.param(457, "grid=sq-8x8 hills=46 pw1.order=hills-first", {}, id="hills close the side of the die"),
        pytest.param(
            554,
            "grid=sq-8x8 pw1.road_width=0.05",
            {"rivers": ["from right 90% to bottom 90% width 1"], "roads": ["from top-right to right 70% kind track"]},
            id="a short track runs along the edge",
        ),
        pytest.param(1743, "river=2 pw1.road_width=0.597", {}, id="a road gives way to two rivers"),
        pytest.param(
            403,
            "grid=sq-8x8 pw1.order=hills-first",
            {
                "features": ["hill (4;1)", "hill (4;6)", "hill (3;6)"],
                "rivers": ["from bottom-right to top-left width 1"],
                "roads": ["from right 1 to left 3"],
            },
            id="a chain over a band",
        ),
        pytest.param(
            1391,
            "grid=sq-8x8 area=rural relief=mountainous mountains=400 pw1.road_width=0.979 pw1.sliver=0.167 "
            "settlements=2 towns=0",
            {
                "rivers": ["from top 4 to bottom-right width 1", "from top-right to bottom-left width 2"],
                "roads": ["from top 4 to right 5", "from top-right to bottom-left"],
            },
            id="two wide bands along one line",
        ),
        pytest.param(
            41244,
            "grid=sq-4x3 relief=hilly river=2 river-areas=2 pw1.chains=on pw1.course=chain pw1.order=hills-first",
            {},
            id="hills leave a road a way of two areas",
        ),
        pytest.param(1888, "grid=sq-4x14 road=2 crossing=bridge", {}, id="a band gives way beside a crossing"),
    ],
)
@pytest.mark.clause("PW1-10", "PW1-11", "PW1-15", "PW0-02", "PWA-11")
def test_rare_ways_keep_the_rules(seed: int, given: str, lists: dict[str, list[str]]) -> None:
    settings = dict(each.split("=") for each in given.split())
    assert generate("portable-1", seed=seed, inputs=lists, **settings).check().broken == ()


_WILD = "area=wild climate=monsoon grid=sq-8x8 hills=43 mountains=3 pw1.river_width=0.47 pw1.sliver=0.0191 towns=0"
_URBAN = "area=urban grid=hex-14x3 mountains=374 relief=undulating"
_TILLED = (
    "area=cultivated grid=sq-8x8 mountains=0 pw1.river_width=0.271 pw1.road_width=0.302 pw1.sliver=0.0766 "
    "settlements=1 towns=101 trees=0 villages=27"
)
_FOREST = "dice=1 grid=sq-8x8 pw1.order=hills-first pw1.road_width=0.792 pw1.sliver=0.235 settlements=0"


@pytest.mark.clause("PW1-15", "PW1-21", "PW0-02")
@pytest.mark.parametrize(
    ("seed", "cell", "settings", "lists"),
    [
        (150, "100mm", _WILD, {"rivers": ["top 2 to top-right width 2"], "roads": ["top 6 to right 2 kind track"]}),
        (
            792,
            "100mm",
            "hills=0 relief=hilly",
            {"rivers": ["bottom-right to bottom-left width 2"], "roads": ["right 6 to bottom 3"]},
        ),
        (866, "78mm", _URBAN, {"rivers": ["right 1 to left 5 width 1"], "roads": ["top 6 to bottom-right"]}),
        (
            1137,
            "43mm",
            _TILLED,
            {"rivers": ["right 50% to bottom 5 width 2"], "roads": ["top 4 to right 50%", "right 5 to bottom 4"]},
        ),
        (
            1321,
            "100mm",
            _FOREST,
            {
                "features": ["hill (6;4) contours 1", "hill (5;4) contours 1"],
                "rivers": ["right 4 to bottom-left width 1", "right 4 to bottom 50% width 2"],
                "roads": ["right 4 to bottom 5 kind track"],
            },
        ),
    ],
)
def test_what_has_no_room_to_give_way_keeps_its_place(
    seed: int, cell: str, settings: str, lists: dict[str, list[str]]
) -> None:
    """Found among 2,000 boards: roads that met a river where none crosses it, lay off their band, off the board."""
    given: dict[str, Any] = dict(each.split("=") for each in settings.split())
    inputs = {name: [f"from {line}" if name != "features" else line for line in lines] for name, lines in lists.items()}
    assert generate("portable-1", seed=seed, cell=cell, inputs=inputs, **given).check().broken == ()
