"""Maps printed zone by zone: what a zone takes, how its sheets are named, and that one can be printed again alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace
from shapely import box, union_all

from printkit.cli.app import run
from printkit.core.errors import UsageError
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing, Ink, Layer, LayerName, Rect, Text
from printkit.drawing.canvas.plain import make_rectangle
from printkit.drawing.furniture.furniture import FramedBoard
from printkit.export.pdf import data
from printkit.kit.registry import find as system
from printkit.options.printing import MapOptions
from printkit.page.assembly import zone_assembly
from printkit.page.lattice import fit_lattice
from printkit.page.marks import Imprint
from printkit.page.sheet import Page, find_sheet
from printkit.page.tiling import Tiling, Zone, tile_drawing
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.recipes.prints.file_names import map_marks
from printkit.recipes.prints.map_parts import select_zones, zones_of, zones_on_drawing
from printkit.recipes.prints.map_plan import plan_map
from printkit.recipes.prints.maps import map_context
from printkit.terrain.field.battlefield import Battlefield, Overlay
from printkit.terrain.field.record import Record, write

ENGLISH = Words(("en",))
IMPRINT = Imprint(title="Seven Oaks", seed="1998")
WIDE, DEEP, ABOUT = 1828.8, 1219.2, 8.0
"""A table of six by four feet, and the neat line with its figures about it."""

TABLE = Battlefield(board=system("acw").board())
WHOLE = Rect(0.0, 0.0, WIDE + 2 * ABOUT, DEEP + 2 * ABOUT)
MAP = Drawing(WHOLE.width, WHOLE.height, (Layer(LayerName.PAPER, (make_rectangle(WHOLE, Ink(9, 9, 9)),)),))
FURNISHED = FramedBoard(MAP, Rect(ABOUT, ABOUT, WIDE, DEEP))


def laid(sheet: str, *names: str) -> tuple[Tiling, ...]:
    zones = select_zones(zones_on_drawing(TABLE, FURNISHED, 1.0), names)
    return tuple(tile_drawing(MAP, find_sheet(sheet), imprint=IMPRINT, words=ENGLISH, zone=zone) for zone in zones)


def said(page: Page) -> str:
    texts = [item for placement in page.placements for _, item in placement.drawing.items() if isinstance(item, Text)]
    return " ".join(text.content for text in texts)


def plan(tilings: Sequence[Tiling], zones: tuple[Zone, ...], sheet: str, words: Words = ENGLISH) -> str:
    """Return what is said on the first page of a plan."""
    return said(zone_assembly(tilings, zones, MAP, (), find_sheet(sheet), imprint=IMPRINT, words=words)[0])


@pytest.mark.clause("AC-A06")
def test_a_board_has_the_zones_that_its_rules_mark():
    marked = tuple(Overlay(kind="zone", shape=box(100 * n, 0, 100 * n + 100, 300), label=f"{n + 1}") for n in range(2))
    field = replace(TABLE, overlays=(*marked, Overlay(kind="deployment", shape=box(0, 0, 9, 9))))
    assert zones_of(field) == (Zone("1", Rect(0, 0, 100, 300)), Zone("2", Rect(100, 0, 100, 300)))


@pytest.mark.clause("AC-A06", "AC-201", "AC-202")
def test_a_board_without_zones_is_parted_into_equal_ones_of_two_feet_at_most():
    found = zones_of(TABLE)
    assert [zone.name for zone in found] == ["1", "2", "3", "4", "5", "6"]
    assert found[0].window == pytest.approx((0.0, 609.6, 609.6, 609.6))
    assert found[5].window == pytest.approx((1219.2, 0.0, 609.6, 609.6))
    small = zones_of(Battlefield(board=system("acw").board(625.0, 305.0)))
    assert [zone.window[2] for zone in small] == [312.5, 312.5]


def test_zones_take_the_whole_drawing_once_and_one_that_is_not_there_is_refused():
    found = [zone.window for zone in zones_on_drawing(TABLE, FURNISHED, 1.0)]
    assert sum(window.width * window.height for window in found) == pytest.approx(WHOLE.width * WHOLE.height)
    assert found[0] == pytest.approx((0.0, ABOUT + 609.6, ABOUT + 609.6, ABOUT + 609.6))
    assert found[1] == pytest.approx((ABOUT + 609.6, ABOUT + 609.6, 609.6, ABOUT + 609.6))
    half = zones_on_drawing(TABLE, FramedBoard(MAP, Rect(ABOUT, ABOUT, WIDE / 2, DEEP / 2)), 0.5)[1].window
    assert half[:3] == pytest.approx((ABOUT + 304.8, ABOUT + 304.8, 304.8))
    zones = zones_of(TABLE)
    assert [zone.name for zone in select_zones(zones, ("5", "2"))] == ["2", "5"]
    assert select_zones(zones, ()) == zones
    with pytest.raises(UsageError, match=r"no zone '7'; use one of 1, 2, 3, 4, 5, 6$"):
        select_zones(zones, ("7",))


@pytest.mark.clause("AC-A06")
@pytest.mark.parametrize(("sheet", "each"), [("a4", 12), ("letter", 12), ("a3", 6), ("36in-roll", 1)])
def test_a_table_of_six_by_four_feet_zone_by_zone(sheet, each):
    counts = [len(tiling.pages) for tiling in laid(sheet)]
    assert counts == [each] * 6


@pytest.mark.clause("AC-A06")
@pytest.mark.parametrize(
    ("sheet", "least", "most", "strips"),
    [("a4", 49, 55, False), ("a3", 25, 25, False), ("36in-roll", 2, 2, True), ("24in-roll", 3, 3, True)],
)
def test_a_table_of_six_by_four_feet_as_a_whole_and_in_long_strips_that_overlap(sheet, least, most, strips):
    lattice = fit_lattice(WHOLE.width, WHOLE.height, find_sheet(sheet))
    assert least <= lattice.count <= most
    if strips:
        assert (lattice.columns, lattice.rows, lattice.overlap) == (1, most, 10.0)
        assert lattice.window.width >= WHOLE.width


@pytest.mark.clause("AC-A06")
def test_sheets_are_named_by_their_zone_and_show_it_alone():
    (three,) = laid("a4", "3")
    assert [page.label for page in three.pages][:5] == ["3-A1", "3-A2", "3-A3", "3-A4", "3-B1"]
    window = zones_on_drawing(TABLE, FURNISHED, 1.0)[2].window
    shown = []
    for page in three.pages:
        at, clip = page.placements[0].transform, page.placements[0].clip
        assert clip is not None
        shown.append(box(clip.x - at.e, clip.y - at.f, clip.right - at.e, clip.top - at.f))
    whole = box(window.x, window.y, window.right, window.top)
    assert all(whole.buffer(1e-6).covers(part) for part in shown)
    assert union_all(shown).area == pytest.approx(whole.area, rel=1e-9)
    assert "3-A2, 2 of 12" in said(three.pages[1])
    assert "3-B2" in said(three.pages[1])


@pytest.mark.clause("AC-A06")
def test_a_zone_printed_again_alone_has_the_same_sheets_or_one_as_large_as_itself():
    assert laid("a3", "4")[0].pages == laid("a3")[3].pages
    (page,) = laid("one", "2")[0].pages
    assert (page.sheet.width, page.sheet.height) == pytest.approx((609.6, 609.6 + ABOUT))
    assert page.bookmark == "Zone 2"


@pytest.mark.clause("AC-A06")
@pytest.mark.parametrize("language", ["en", "es"])
def test_the_plan_shows_the_zones_and_how_they_are_joined(language):
    words, zones = Words((language,)), zones_on_drawing(TABLE, FURNISHED, 1.0)
    text = plan(laid("a3"), zones, "a3", words)
    assert all(f" {zone.name} " in f" {text} " for zone in zones)
    assert "6-B3" in text
    assert words("zoning.zones", count=6) in text


def test_the_plan_of_some_zones_says_that_it_is_a_part_and_lists_sheets_where_zones_differ():
    text = plan(laid("a3", "1", "6"), zones_on_drawing(TABLE, FURNISHED, 1.0), "a3")
    assert "Only part of the map" in text
    assert "1-A1" in text
    assert "2-A1" not in text
    zones = (Zone("1", Rect(0, 0, 600, 600)), Zone("2", Rect(600, 0, 120, 600)))
    tilings = [tile_drawing(MAP, find_sheet("a4"), imprint=IMPRINT, words=ENGLISH, zone=zone) for zone in zones]
    text = plan(tilings, zones, "a4")
    assert "Sheets of the zones: 1: 12 , 2: 3" in text.replace(" : ", ": ").replace("  ", " ")


def order(**given):
    return map_context(MapOptions(**{"style": "ink-saver", **given}), ENGLISH)


def test_what_does_not_go_with_zones_is_refused_and_their_files_have_names_of_their_own():
    with pytest.raises(UsageError, match="--scale fit"):
        order(scale="fit", only=("zones",))
    with pytest.raises(UsageError, match="--furniture full"):
        order(furniture="full", only=("Z3",))
    assert (order(only=("Z3", "z3")).zones, order(only=()).zones) == (("3",), None)
    marks = [map_marks(order(only=only)) for only in ((), ("zones",), ("Z3",))]
    assert marks == [("a4", "ink"), ("zones", "a4", "ink"), ("zone-3", "a4", "ink")]


@pytest.mark.clause("AC-A06")
def test_a_record_prints_zone_by_zone_at_any_scale():
    record = Record(rules="acw", battlefield=replace(TABLE, board=system("acw").board(1219.2, 609.6)), seed=7)
    planned = plan_map(record, system("acw"), order(scale="1:4", only=("zones",)))
    document = planned.document
    assert planned.zone_pages == (("1", 1), ("2", 1))
    assert [page.label for page in document.pages if "-" in page.label] == ["1-A1", "2-A1"]
    assert planned.pages == 2


@pytest.mark.usefixtures("table")
def test_the_plan_of_a_command_tells_the_zones_and_writes_nothing(capsys):
    board = system("acw").board(914.4, 304.8)
    record = Record(rules="acw", battlefield=Battlefield(board=board, title="The Field"), seed=4)
    Path("field.json").write_text(write(record), encoding="utf-8")
    asked = ["map", "--from", "field.json", "--scale", "1:4", "--lang", "en", "--style", "ink-saver", "--plan"]
    assert run([*asked, "--only", "zones"]) == 0
    text = capsys.readouterr().out
    assert "only zones 1, 2, 1 per zone, portrait, 1 x 1, at 1:4, " in text
    assert "field-seed4-zones-1to4-a4-ink.pdf" in text
    assert run([*asked, "--only", "Z9"]) == 2
    assert "this board has no zone '9'" in capsys.readouterr().err
    assert not Path("output").exists()


@pytest.mark.soak
@pytest.mark.clause("AC-A06")
def test_a_table_with_every_zone_full_is_a_file_that_can_be_sent():
    dice = "1 1 4 4 4 4 1 4 5 4 4 3 2 2 3 4 3 3 1 4 4 5 4 4"
    orders = Orders(rules="acw", settings={"geography": "wilderness"}, seed=1, dice=dice)
    record = play(system("acw"), orders, 1, ENGLISH).record
    planned = plan_map(record, system("acw"), order(style="campaign"))
    document = planned.document
    assert 49 <= planned.pages <= 55
    assert len(data(document)) < 9_000_000
