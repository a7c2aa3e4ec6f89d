"""What a judge of DBA sees of a board by type; elements as they are drawn, and armies on one line."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import LineString, box

from printkit.core.errors import ScenarioError
from printkit.drawing.canvas import style as styles
from printkit.drawing.canvas.items import GRID, Drawing, Ink, Layer, LayerName, Path, Text
from printkit.kit.book import read_book
from printkit.kit.rules import Rules
from printkit.systems.dba.armies.list_notation import is_notation, parse_notation
from printkit.systems.dba.elements.deployed_overlay import (
    SYMBOLS,
    DeployedCamp,
    DeployedElement,
    draw_symbol,
    make_camp_overlay,
    make_element_overlay,
    read_camps,
    read_elements,
)
from printkit.systems.dba.elements.element_face import TICK, Counter, ElementFace, draw_element, draw_strips
from printkit.systems.dba.ground.checked_pieces import CheckedTerrain, DbaCase
from printkit.systems.dba.ground.terrain_limits import Terrain
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.features import Area, Course, Going, Kind
from printkit.terrain.field.record import Record

BOARD = Board(600, 600, GroundScale(pace=25.4, base_width=40.0))
GOOD = Going(0, "good")


def test_pieces_are_found_by_type_and_areas_are_neither_courses_nor_water() -> None:
    kinds = {Terrain.WOODS: Kind.LIGHT_WOODS, Terrain.BUA: Kind.CITY, Terrain.WATERWAY: Kind.WATERWAY}
    pieces = [
        CheckedTerrain(terrain.value, terrain, Area(id=terrain.value, kind=kind, outline=box(0, 0, 80, 60), going=GOOD))
        for terrain, kind in kinds.items()
    ]
    river = Course(id="river", kind=Kind.RIVER, line=LineString([(0, 90), (600, 90)]), width=24, going=GOOD)
    record = Record(rules="dba3", battlefield=Battlefield(board=BOARD))
    case = DbaCase(
        record=record,
        rules=Rules.of(read_book("dba3")),
        pieces=(*pieces, CheckedTerrain("river", Terrain.RIVER, river)),
        unknown_ids=(),
    )
    assert [piece.id for piece in case.area_pieces] == ["woods", "bua"]
    assert [piece.id for piece in case.pieces_of_type(Terrain.RIVER, Terrain.WATERWAY)] == ["waterway", "river"]
    assert case.pieces_of_type(Terrain.RIVER)[0].side_lengths == (600, 24)
    assert case.base_width_mm == 40.0


@pytest.mark.parametrize("facing", [0.0, 90.0, 180.0, 270.0])
def test_elements_and_camps_are_read_back_as_they_stand(facing: float) -> None:
    element = DeployedElement(
        side="NPG", code="3Kn", type="Kn", x=100, y=220, facing=facing, width=40, depth=30, is_general=True, group=2
    )
    camp = DeployedCamp(side="YOU", x=300, y=50, size=80, facing=facing, holder="CF")
    field = Battlefield(board=BOARD, overlays=(make_element_overlay(element), make_camp_overlay(camp)))
    (read,), (square,) = read_elements(field), read_camps(field)
    assert (read.x, read.y, read.width, read.depth) == pytest.approx((100, 220, 40, 30))
    assert (read.code_text, read.group, read.facing) == ("3Kn*", 2, facing)
    assert (square.x, square.y, square.size) == pytest.approx((300, 50, 80))
    assert square.holder == "CF"


@pytest.mark.parametrize("facing", [0.0, 40.0, 90.0, 180.0, 200.0, 270.0])
def test_everything_on_a_base_stays_there_whichever_way_it_looks(facing: float) -> None:
    face = ElementFace(side="NPG", code="3Kn", type="Kn", is_general=True)
    points: list[tuple[float, float]] = []
    for item in draw_element(face, 100.0, 200.0, 40.0, 30.0, styles.find("campaign"), facing=facing):
        if isinstance(item, Path):
            points += ((x * GRID, y * GRID) for run in item.runs for x, y in zip(*[iter(run.points)] * 2, strict=True))
        elif isinstance(item, Text):
            points.append(item.at)
    looks = math.radians(facing)
    assert points
    for x, y in points:
        forth = (x - 100.0) * math.cos(looks) + (y - 200.0) * math.sin(looks)
        aside = (x - 100.0) * math.sin(looks) - (y - 200.0) * math.cos(looks)
        assert abs(forth) <= 15.5
        assert abs(aside) <= 20.5


DEEP, WIDE = 30.0, 60.0
COUNTERS = (Counter(face=ElementFace(code="Sp", type="Sp", side="npg"), width=WIDE, depth=DEEP),) * 7


@pytest.mark.parametrize(("rows", "heights"), [(1, [1, 1, 1, 1]), (2, [2, 2]), (3, [3, 1]), (9, [4])])
def test_a_strip_of_counters_is_no_higher_than_the_room_that_it_is_given(rows: int, heights: list[int]) -> None:
    room = rows * DEEP + 2 * TICK + 0.9 * DEEP
    made = draw_strips(COUNTERS, 2 * WIDE + 2 * TICK, room, styles.find("campaign"))
    assert [drawing.height for drawing in made] == pytest.approx([many * DEEP + 2 * TICK for many in heights])


def test_counters_with_a_row_that_is_not_full_and_symbols_stay_as_they_were(
    golden: Callable[[Drawing, str], None],
) -> None:
    (made,) = draw_strips(COUNTERS, 3 * WIDE + 2 * TICK, 200.0, styles.find("campaign"))
    golden(made, "counter-block")
    side, ink, paper = 12.0, Ink(0, 0, 0), Ink(255, 255, 255)
    items = [
        item
        for number, name in enumerate(SYMBOLS)
        for item in draw_symbol(name, side * (number % 6 + 0.5), side * (number // 6 + 0.5), side, ink, paper)
    ]
    high = side * ((len(SYMBOLS) - 1) // 6 + 1)
    golden(Drawing(6 * side, high, (Layer(LayerName.LABEL, tuple(items)),)), "troop-symbols")


HOMES = ("arable", "forest", "hilly", "steppe", "dry", "tropical", "littoral")
CODES = ("Cv", "4Wb", "3/4Ax", "LCh", "2Ps", "El", "3Kn//4Bd", "Mtd-4Lb", "WWg")


def test_a_published_line_is_read_whole() -> None:
    tree = parse_notation("Gauls, 400 BC: 1xCv (Gen), 2x(LCh or Cv), 8x4Wb, 1xPs; hilly, aggression 3", HOMES)
    assert (tree["name"], tree["home"], tree["aggression"]) == ("Gauls, 400 BC", "hilly", 3)
    assert tree["general"] == {"options": ["Cv"]}
    assert [(slot.get("count"), slot.get("options"), slot.get("fixed")) for slot in tree["slot"]] == [
        (2, ["LCh", "Cv"], None),
        (None, None, {"4Wb": 8}),
        (None, None, {"Ps": 1}),
    ]


def test_the_manner_of_version_three_is_read_too() -> None:
    tree = parse_notation(
        "1 x General (3Cv or LCh), 3 x hirdmen (4Bd), 2 x chariots (LCh/3Cv), 6 x Fast Wb. Terrain: Arable. Agg: 2",
        HOMES,
    )
    assert tree["general"] == {"options": ["3Cv", "LCh"]}
    assert [slot["id"] for slot in tree["slot"]] == ["hirdmen", "chariots", "6 x Fast Wb"]
    assert tree["slot"][1]["options"] == ["LCh", "3Cv"]
    assert tree["slot"][2]["fixed"] == {"3Wb": 6}
    assert (tree["home"], tree["aggression"]) == ("arable", 2)


def test_the_general_leads_one_of_several_and_parts_that_are_called_alike_are_numbered() -> None:
    tree = parse_notation("3x3Kn//4Bd (Gen), 9x4Lb", HOMES)
    assert tree["general"] == {"options": ["3Kn//4Bd"]}
    assert tree["slot"][0]["fixed"] == {"3Kn//4Bd": 2}
    slots = parse_notation("1xCv (Gen), 2 x tribesmen (4Wb), 3 x tribesmen (Ax), 6 x tribesmen (Ps)", HOMES)["slot"]
    assert [slot["id"] for slot in slots] == ["tribesmen", "tribesmen #2", "tribesmen #3"]


@pytest.mark.parametrize("part", ["2xLCh or 2xCv", "1x(2xLCh or 2xCv)"])
def test_options_with_numbers_of_their_own_are_one_choice(part: str) -> None:
    (slot,) = parse_notation(f"1xCv (Gen), {part}", HOMES)["slot"]
    assert (slot["mode"], slot["options"]) == ("block", [{"LCh": 2}, {"Cv": 2}])


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("1xCv, 11x4Wb", "0 parts of the army are marked"),
        ("1xCv (Gen), 1xEl (Gen), 10x4Wb", "2 parts of the army are marked"),
        ("1xCv (Gen), elephants, 11x4Wb", "'elephants' is not part of an army"),
        ("1xCv (Gen), 11x(4Wb", "a bracket is missing"),
        ("1xCv (Gen), 2x(LCh or LCh)", "lists the same choice twice"),
        ("1xCv (Gen), 2x(2xLCh or Cv)", "of several elements each are ambiguous"),
        ("1xCv (Gen), 2x knights", "cannot read '2x knights'"),
        ("1xCv (Gen), 11x4Wb; swampy", "'swampy' is not part of an army"),
    ],
)
def test_what_is_wrong_is_named(line: str, told: str) -> None:
    with pytest.raises(ScenarioError, match=re.escape(told)):
        parse_notation(line, HOMES)


@pytest.mark.parametrize("name", ["gallic", "polybian-roman-3", "my army.toml", "a, b/army.toml", "12th legion"])
def test_names_and_paths_are_no_lists(name: str) -> None:
    assert not is_notation(name)


_options = st.lists(st.sampled_from(CODES), min_size=1, max_size=4, unique=True)


@given(st.lists(st.tuples(st.integers(1, 12), _options), min_size=1, max_size=8), st.sampled_from(CODES))
def test_whatever_is_written_comes_back(parts: list[tuple[int, list[str]]], led: str) -> None:
    line = ", ".join(
        [f"1x{led} (Gen)", *(f"{count}x({' or '.join(o)})" if len(o) > 1 else f"{count}x{o[0]}" for count, o in parts)]
    )
    assert is_notation(line)
    tree = parse_notation(line, HOMES)
    assert tree["general"] == {"options": [led]}
    found = [
        (slot.get("count", sum(slot.get("fixed", {}).values())), slot.get("options", [*slot.get("fixed", {})]))
        for slot in tree["slot"]
    ]
    assert found == parts
    assert len({slot["id"] for slot in tree["slot"]}) == len(parts)
