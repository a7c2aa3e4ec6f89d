"""A person's own profile, water beyond the table, dry runs, the lists of a CHOICE, zones and patches to cut out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import shapely
from drawn_by_hand import UNIT, area
from msgspec.structs import replace
from shapely import box
from tables_by_hand import FARMS, INCH, book, cells, diced, game, rules, settle, system
from test_acw_games import NAMES
from test_acw_kept_clauses import table_of

from printkit.cli.app import run
from printkit.core.errors import PrintkitError, ScenarioError, UsageError
from printkit.core.words import Words
from printkit.drawing.canvas import style as styles
from printkit.drawing.canvas.items import Drawing, Text
from printkit.drawing.furniture.furniture import Furniture, frame_board
from printkit.drawing.map.board_drawing import MapCaption, MapLayout
from printkit.kit.registry import find
from printkit.kit.system import Scenario
from printkit.options.printing import MapOptions, PrintOptions
from printkit.page import sheet as sheets
from printkit.recipes.game.games import remaining_roll_lines
from printkit.recipes.game.request import Orders
from printkit.recipes.game.scenarios import build_scenario
from printkit.recipes.output.printers import print_context
from printkit.recipes.prints.map_parts import zones_on_drawing
from printkit.recipes.prints.map_plan import plan_map
from printkit.recipes.prints.maps import map_context
from printkit.systems.acw.ground.ground import place_water
from printkit.systems.acw.network.network import Network
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import RollOutcome
from printkit.systems.acw.terms.profile import PieceProfile, parse_profile_file
from printkit.systems.acw.terms.tables import Tables, choice_list
from printkit.systems.brantley.sheets.cut_outs import cut_out_pages
from printkit.terrain.field.battlefield import Battlefield, OuterMargins, Overlay
from printkit.terrain.field.features import Area, Course, Crossing, Hill, HillFace, Kind, Origin
from printkit.terrain.field.record import Record, read, write
from printkit.terrain.field.transforms import extend_board

ENGLISH = Words(("en",))
OWN = """
[Wood]
size = [0.4, 0.2]
factor = "0.5-2"
going = "difficult"

["Fenced Road"]
width = 0.06
view = "open"
"""


@pytest.mark.clause("AC-Q23")
def test_a_file_with_a_table_a_piece_changes_the_profile() -> None:
    profile = PieceProfile.from_rules(rules(), parse_profile_file(OWN, "my.toml", rules()))
    wood, road = profile.piece_measure(Piece.WOOD), profile.piece_measure(Piece.FENCED_ROAD)
    assert (wood.long, wood.short, wood.least, wood.most, wood.going.name) == (0.4, 0.2, 0.5, 2.0, "difficult")
    assert (road.width, road.view) == (0.06, "open")
    assert profile.piece_measure(Piece.FOREST) == PieceProfile.from_rules(rules()).piece_measure(Piece.FOREST)


@pytest.mark.clause("AC-Q23")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[Wood", r"my\.toml, line 1: not valid TOML"),
        ("[Volcano]\nlong = 1.0", r"my\.toml, line \d: \[Volcano\] is not a terrain piece"),
        ("Wood = 3", r"my\.toml, line \d: Wood is not a table"),
        ("[Wood]\ncolour = 'red'", r"my\.toml, line \d: \[Wood\]: unknown key 'colour'; use one of size, long"),
        ("[Wood]\nsize = 0.4", r"my\.toml, line \d: \[Wood\]: size = 0\.4 is not valid; write size = \[0\.4, 0\.3\]"),
        ("[Wood]\nwidth = true", r"my\.toml, line \d: \[Wood\]: width = True is not valid"),
        ("[Wood]\nfactor = [2, 1]", r"my\.toml, line \d: \[Wood\].*write the smaller factor first"),
        ("[Wood]\ngoing = 'muddy'", r"my\.toml, line \d: \[Wood\].*unknown going 'muddy'"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_by_its_name_and_key(text, said):
    with pytest.raises(PrintkitError, match=said):
        parse_profile_file(text, "my.toml", rules())


@pytest.mark.clause("AC-Q23")
@pytest.mark.usefixtures("table")
def test_the_record_keeps_the_profile_and_its_place_with_all_capitals() -> None:
    Path("My-Profile.toml").write_text(OWN, encoding="utf-8")
    inputs = {"profile": ["Wood: going slow"], "decisions": ["-"]}
    orders = Orders(rules="acw", options={"going": "My-Profile.toml"}, inputs=inputs)
    scenario = build_scenario(find("acw"), orders, 1)
    assert scenario.settings["ac-q23"] == settle(ac_q23="My-Profile.toml")["ac-q23"] == "My-Profile.toml"
    assert scenario.inputs["profile"][-1] == "Wood: going slow"
    wood = PieceProfile.from_rules(rules(), scenario.inputs["profile"]).piece_measure(Piece.WOOD)
    assert (wood.going.name, wood.long) == ("slow", 0.4)
    for named, said in (
        ("Nowhere.toml", r"Nowhere\.toml cannot be read"),
        ("mine", r"profile = 'mine' is not valid.*my-profile\.toml"),
    ):
        with pytest.raises(ScenarioError, match=said):
            build_scenario(find("acw"), replace(orders, options={"ac-q23": named}), 1)


def water(edge: str, where: str) -> Area:
    table = table_of({}, "72x48", water=edge, network=Network(), ac_q24=where)
    place_water(table)
    assert table.edge_water is not None
    return table.edge_water


@pytest.mark.clause("AC-Q24", "AC-F38")
@pytest.mark.parametrize("edge", ["N", "E", "S", "W"])
def test_water_takes_ground_or_lies_as_a_band_beyond_the_table(edge):
    board = system().board()
    inside, outside = water(edge, "inside").outline, water(edge, "outside").outline
    assert shapely.intersection(inside, board.shape).area == pytest.approx(inside.area)
    assert shapely.intersection(outside, board.shape).area == pytest.approx(0.0, abs=1.0)
    field = extend_board(Battlefield(board=board, features=(water(edge, "outside"),)))
    band = dict(zip("WSEN", field.board.outer_margins, strict=True))
    assert [side for side, reach in band.items() if reach > 0] == [edge]
    assert 0.5 * 0.25 * 609.6 <= band[edge] <= 1.5 * 0.25 * 609.6
    assert field.board.playing_size == pytest.approx((board.width, board.depth))
    assert shapely.within(field.features[0].outline, field.board.shape.buffer(1e-6))
    length = board.width if edge in "NS" else board.depth
    # Its far bank wanders as a shore does.
    assert 0.6 * band[edge] * length < field.features[0].outline.area < 0.99 * band[edge] * length


def sea(*bounds: float) -> Area:
    return area("w", Piece.SEA, box(*bounds))


@pytest.mark.clause("AC-Q24")
def test_everything_moves_with_the_table_and_nothing_where_no_water_lies_beyond() -> None:
    board = system().board(20 * INCH, 20 * INCH)
    going = book().going["slow"]
    line = shapely.LineString([(0, 10), (50, 10)])
    face = HillFace(line=line, side=0, kind=Kind.CLIFF, going=going)
    features = (
        sea(-100, -60, 508, 0),
        Hill(id="h", kind=Kind.HILL, going=going, contours=(box(5, 5, 9, 9),), faces=(face,)),
        Course(id="c", kind=Kind.ROAD, going=going, line=line, width=5.0),
        Crossing(id="x", kind=Kind.FORD, going=going, at=shapely.Point(3, 4), bearing=0.0, route="c", water="w"),
    )
    zone = Overlay(kind="zone", shape=box(0, 0, 508, 508), label="1")
    field = extend_board(Battlefield(board=board, features=features, overlays=(zone,)))
    assert field.board.outer_margins == OuterMargins(left=100.0, near=60.0)
    _, hill, course, crossing = field.features
    assert hill.contours[0].bounds == (105, 65, 109, 69)
    assert hill.faces[0].line.bounds == course.line.bounds == (100, 70, 150, 70)
    assert (crossing.at.x, crossing.at.y) == (103, 64)
    assert field.overlays[0].shape.bounds == (100, 60, 608, 568)
    plain = Battlefield(board=board, features=(sea(-100, -60, 508, 40), *features[1:]))
    assert extend_board(plain) is plain


@pytest.mark.clause("AC-Q24", "AC-A06")
def test_the_printed_map_grows_by_the_band_and_counts_its_inches_from_the_table() -> None:
    board = system().board(20 * INCH, 20 * INCH)
    record = Record(rules="acw", battlefield=Battlefield(board=board, features=(sea(-127, 0, 0, 508),)), seed=2)
    order = map_context(MapOptions(style="ink-saver", furniture="mat", scale="1:4"), ENGLISH)
    planned = plan_map(record, system(), order)
    document = planned.document
    drawing = document.pages[-1].placements[0].drawing
    assert planned.pages == 1
    assert drawing.width - drawing.height == pytest.approx(127 / 4, abs=0.01)
    texts = [item for _, item in drawing.items() if isinstance(item, Text)]
    six = [text for text in texts if text.content == "6" and text.angle == 0 and text.at[1] > 0.9 * drawing.height]
    margin = (drawing.height - 127) / 2
    assert six[0].at[0] == pytest.approx(margin + 127 / 4 + 6 * INCH / 4, abs=0.8)


@pytest.mark.clause("AC-Q24", "AC-A06")
def test_the_zones_along_the_water_take_the_band_with_them() -> None:
    zones = tuple(
        Overlay(kind="zone", shape=box(n * UNIT, 0, (n + 1) * UNIT, 2 * UNIT), label=str(n)) for n in range(3)
    )
    band = sea(-100, 0, 0, 2 * UNIT)
    field = extend_board(Battlefield(board=system().board(), features=(band,), overlays=zones))
    caption = MapCaption(title="", subtitle="", seed=1)
    layout = MapLayout(field=field, style=styles.find("ink-saver"), words=ENGLISH, caption=caption)
    blank = Drawing(field.board.width, field.board.depth, ())
    windows = [zone.window for zone in zones_on_drawing(field, frame_board(blank, layout, Furniture.NONE), 1.0)]
    assert [window.width for window in windows] == pytest.approx([709.6, 609.6, 609.6])


@pytest.mark.clause("AC-Q13", "AC-410")
def test_a_choice_reads_its_own_table() -> None:
    def listed(geography: str) -> set[str]:
        return {piece.value for piece in choice_list(Tables.from_rules(rules()).geography(geography), rules())}

    assert {"Hill", "Ravine", "Creek"} <= listed("plain")
    assert not {"Swamp", "Sand Dunes", "Fence Line"} & listed("plain")
    assert len(set().union(*map(listed, NAMES))) == 33 + 1


@pytest.mark.clause("AC-Q26", "AC-205")
def test_the_empty_cells_at_the_foot_of_the_plain_stop_nothing() -> None:
    rolls = Tables.from_rules(rules()).geography("plain").rolls
    assert {rolls.cell(die, roll) for roll in (3, 4) for die in (5, 6)} == {""}
    found, _ = diced("plain", "1,1,5,6", "24x24")
    assert cells(found.log, 1).endswith("blank, blank")
    assert [result.outcome for result in found.log.zone_rolls(1)][2:] == [RollOutcome.BLANK, RollOutcome.BLANK]


@pytest.mark.clause("AC-X12", "AC-G04")
def test_what_finds_no_room_stays_in_the_zone_log_and_is_warned_of() -> None:
    crowded = {"zones": ["1: Forest, Settlement, Woodland, Swamp"], "profile": ["Forest: size 0.9x0.9 factor 1-1"]}
    outcome = game("swampy", "6 6 / 6 6 / 6 6 / 6 6 / 6 6 / 6 6", inputs=crowded, choice_policy="none")
    notes = [line for line in outcome.warnings if line.endswith("(AC-X12)")]
    lying = [roll for roll in outcome.details["zones"] if roll["zone"] == 1 and roll["piece"]]
    drawn = {feature.id for feature in outcome.battlefield.features}
    left = [roll for roll in lying if "no_room" in roll]
    assert len(lying) == 4
    assert left
    for roll, note in zip(left, notes, strict=True):
        assert f"z1-{roll['roll']}" not in drawn
        assert roll["no_room"].startswith("tried ")
        assert note.startswith("no room for the ")
        assert "zone 1, roll " in note
        assert roll["no_room"] in note


@pytest.mark.clause("AC-X11")
def test_a_table_of_twenty_feet_is_laid_out_and_printed():
    scenario = build_scenario(find("acw"), Orders(rules="acw", board="240x12in"), 1)
    assert scenario.board.width == pytest.approx(6096.0)
    with pytest.raises(UsageError, match="240in"):
        build_scenario(find("acw"), Orders(rules="acw", board="241x48in"), 1)
    with pytest.raises(UsageError, match="AC-X11"):
        build_scenario(find("acw"), Orders(rules="acw", board="240x11in"), 1)
    record = Record(rules="acw", battlefield=Battlefield(board=scenario.board), seed=1)
    order = map_context(MapOptions(sheet="a0", style="ink-saver", scale="1:2"), ENGLISH)
    planned = plan_map(record, system(), order)
    document = planned.document
    assert planned.columns * (planned.sheet.width - 20) > 6096 / 2
    assert len(document.pages) == planned.pages + planned.additional_pages


def dry(zones: Sequence[str] = (), **given: str) -> tuple[str, ...]:
    inputs = {"zones": zones} if zones else {}
    return system().dry_run(Scenario(board=system().board(), settings=settle(**given), seed=0, inputs=inputs))


@pytest.mark.clause("AC-M2")
def test_a_dry_run_tells_geography_water_and_zones() -> None:
    assert dry(state="Virginia", water="creek")[0] == "geography: riverside"
    assert dry(geography="farm", zones=["1: 5 1", "2: 6 6", "4: Hill", "5: 1 1 1"]) == (
        "geography: farm",
        "zone 1: rolls 3, 4",
        "zone 2: no more rolls",
        "zone 3: rolls 1, 2, 3, 4",
        "zone 4: no more rolls",
        "zone 5: roll 4",
        "zone 6: rolls 1, 2, 3, 4",
    )
    assert dry()[0] == "geography: choose the State of the battle, then roll one die for it"
    assert dry(state="Georgia")[0] == "geography: one die for Georgia"
    assert dry(geography="coastal")[1] == "water: the edge of the Sea"
    assert dry(geography="riverside", water="creek")[1].startswith("creek: ")
    assert dry(geography="riverside", water="N")[1].startswith("zone 1")
    with pytest.raises(ScenarioError, match="AC-X08"):
        dry(geography="farm", zones=["9: 1"])


@pytest.mark.clause("AC-M2")
@pytest.mark.usefixtures("table")
def test_a_command_tells_what_a_scenario_has_still_to_throw(capsys):
    Path("game.toml").write_text(
        'rules = "acw"\nzones = ["1: 5 1 2 4", "2: 6"]\n[settings]\ngeography = "farm"\n', encoding="utf-8"
    )
    assert run(["rules", "acw", "--scenario", "game.toml"]) == 0
    said = capsys.readouterr().out
    assert "  zone 1: no more rolls\n  zone 2: rolls 2, 3, 4\n" in said
    assert run(["rules", "--scenario", "game.toml"]) == 0
    assert capsys.readouterr().out == said
    assert not Path("output").exists()
    with pytest.raises(UsageError, match="brantley is not recorded zone by zone"):
        list(remaining_roll_lines(find("brantley"), Orders(rules="brantley")))


@pytest.mark.clause("AC-201", "AC-203", "AC-A06")
@pytest.mark.usefixtures("joined_only")
def test_the_map_marks_the_zones_of_the_table():
    outcome = game("farm", FARMS, inputs={"decisions": "Wood"})
    marked = [overlay for overlay in outcome.battlefield.overlays if overlay.kind == "zone"]
    assert [overlay.label for overlay in marked] == ["1", "2", "3", "4", "5", "6"]
    assert marked[0].shape.bounds == pytest.approx((0.0, 609.6, 609.6, 1219.2))
    assert sum(overlay.shape.area for overlay in marked) == pytest.approx(outcome.battlefield.ground.area)


@pytest.mark.clause("AC-A09")
def test_areas_are_cut_out_at_true_size_and_large_ones_over_several_sheets() -> None:
    going = book().going["slow"]
    shapes = {"wood": box(60, 60, 140, 120), "forest": box(160, 40, 390, 300)}
    features = [
        Area(id=name, kind=Kind.LIGHT_WOODS, going=going, outline=shape, origin=Origin(zone=1))
        for name, shape in shapes.items()
    ]
    stream = Course(id="s", kind=Kind.STREAM, going=going, line=shapely.LineString([(0, 20), (500, 20)]), width=8)
    field = Battlefield(board=system().board(508.0, 330.2), features=(*features, stream))
    record = read(write(Record(rules="acw", battlefield=field, seed=1)), book().going)
    order = print_context(PrintOptions(style="ink-saver"), Words(("en",)))
    pages = cut_out_pages(record, order)
    assert [page.label for page in pages] == ["Cut-outs", "2-A1", "2-A2"]
    pictures = [placement for page in pages for placement in page.placements if placement.clip is not None]
    assert {placement.transform[:4] for placement in pictures} == {(1.0, 0.0, 0.0, 1.0)}
    assert pictures[0].clip[2:] == pytest.approx((84.0, 64.0))
    assert len(cut_out_pages(record, replace(order, sheet=sheets.find_sheet("a3")))) == 1
