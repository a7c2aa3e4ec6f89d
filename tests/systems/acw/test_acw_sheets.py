"""The sheets of the Civil War table: form, feature key, zone log, piece list, network diagram, overview."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from leaflets_scene import assert_inside, squeezed, tells
from leaflets_scene import handout as handout_of
from leaflets_scene import texts as type_of
from msgspec.structs import replace
from reading import opened, outlines
from shapely import LineString, Point
from tables_by_hand import INCH, TOWN, book, dice_of, farm_game, game, grid_of, rules, settle, system
from test_acw_games import record_of

from printkit.chance.streams import Jitter
from printkit.cli.app import run
from printkit.core.errors import PageError, RecordError
from printkit.core.words import find_words
from printkit.drawing.canvas import style
from printkit.drawing.canvas.items import Drawing, Rect
from printkit.drawing.canvas.items import Path as Drawn
from printkit.drawing.furniture.legend import HILLS, sign_swatch
from printkit.drawing.furniture.swatches import ENTRIES
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.form_parts import FormField, TickBox
from printkit.export.pdf import data
from printkit.kit.system import Outcome, Scenario
from printkit.options.printing import MapOptions
from printkit.page.sheet import Document, Page
from printkit.recipes.output.handout import HandoutContext
from printkit.recipes.prints.map_plan import plan_map
from printkit.recipes.prints.maps import map_context
from printkit.systems.acw.sheets import form as zone_form
from printkit.systems.acw.sheets import pages
from printkit.systems.acw.sheets.feature_key import CROSSINGS, build_key_lines
from printkit.systems.acw.sheets.form import form_page
from printkit.systems.acw.sheets.network_diagram import build_diagram
from printkit.systems.acw.sheets.network_pages import describe_end, network_pages
from printkit.systems.acw.sheets.pages import key_pages, log_pages, piece_pages
from printkit.systems.acw.sheets.piece_list import build_piece_list
from printkit.systems.acw.sheets.zone_sketch import KEY_COLUMN, ZoneSketch, choose_plan, sketch_form
from printkit.systems.acw.system import Acw
from printkit.systems.acw.terms.facts import Facts, RecordedEnd, parse_end
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import RollOutcome, ZoneSide
from printkit.terrain.field.battlefield import Battlefield, Board
from printkit.terrain.field.features import Course, Crossing, Kind
from printkit.terrain.field.record import Record, read, write

LETTERS = {"roads": "R", "streams": "S", "rail": "T"}
RIVER = "6 / 5,6 / 3,3,3,6 / 1,1,4,3 / 4,2,6,2 / 2,5,1,1"
CROWDED = "known 1: Steep Hill, Settlement, Forest, Steep Hill, Settlement, Forest, Long Hill, Settlement"


def recorded(outcome: Outcome, **given_settings: str) -> Record:
    """Return the record of a game as it is read back."""
    return read(write(replace(record_of(outcome, **given_settings), seed=41907)), book().going)


@cache
def farms() -> Record:
    """The farm table of the worked example AC-T20."""
    return recorded(farm_game())


@cache
def town() -> Record:
    """The farm table of the worked example AC-T17, with a town of the campaign map in zone 3."""
    return recorded(game("Farm", TOWN, inputs={"campaign": ["town Gettysburg in 3"]}))


@cache
def creek() -> Record:
    """The table of the worked example AC-T23, a creek across it."""
    return recorded(game("Riverside", f"3,4 / {RIVER}", inputs={"decisions": ["Fenced Road"]}, water="creek"))


@pytest.fixture(autouse=True)
def plain_swatches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the pictures of keys empty, which take long to draw; one test draws them."""

    def plain(_key: str, width: float, *_: object) -> Drawing:
        return Drawing(width, 0.63 * width, ())

    monkeypatch.setattr(pages, "sign_swatch", plain)


def handout(record: Record, *, language: str = "en", sheet: str = "a4") -> HandoutContext:
    return handout_of((system(), record), language=language, sheet=sheet, in_style="ink-saver")


def facts(record: Record) -> Facts:
    return Facts.from_record(record, rules())


def form(size: str, *, sheet: str = "a4", language: str = "en", **given_settings: str) -> tuple[Page, float]:
    width, depth = (float(side) * INCH for side in size.split("x"))
    return form_page(handout(blank(system().board(width, depth), given_settings), language=language, sheet=sheet))


def blank(board: Board, given_settings: Mapping[str, str]) -> Record:
    """Return a board on which nothing lies."""
    return Record(rules=system().name, battlefield=Battlefield(board=board), settings=settle(**given_settings))


@pytest.mark.clause("AC-T46", "AC-A01", "AC-203")
def test_the_form_of_a_large_board_has_four_boxes_in_each_of_its_eight_zones() -> None:
    page, scale = form("96x48")
    made = opened(data(Document(title="form", pages=(page,))))
    assert len(made.pages) == 1
    wide, high = 96 * INCH * scale, 48 * INCH * scale
    (table,) = (each for each in outlines(made.pages[0]) if each.size == pytest.approx((wide, high), abs=0.05))
    at = page.placements[0].transform
    zones: Counter[tuple[int, int]] = Counter()
    for box in squares(page.placements[0].drawing):
        assert box.width == pytest.approx(box.height, abs=0.02)
        x, y = at.at(box.x, box.y)
        zones[math.floor((x - table.left) / (wide / 4)), math.floor((y - table.bottom) / (high / 2))] += 1
    assert zones == {(column, row): 4 for column in range(4) for row in range(2)}
    said = Counter(text.content for text in type_of(page))
    assert {said[label] for label in ("1st", "2nd", "3rd", "4th")} == {8}
    assert all(str(zone) in said for zone in range(1, 9))


@pytest.mark.clause("AC-A01", "AC-212", "AC-301", "AC-303", "AC-305", "AC-306")
@pytest.mark.parametrize(("language", "sheet"), [("en", "a4"), ("es", "letter"), ("en+es", "a3")])
def test_the_form_asks_for_all_that_is_settled_before_the_dice(language: str, sheet: str) -> None:
    page, _ = form("72x48", sheet=sheet, language=language)
    words = find_words(language)
    for name in ("state", "die", "geography", "water", "creek", "out", "places", "zone", "near", "tally"):
        assert tells((page,), words(f"acw.form.{name}")), name
    for name in (one(f"acw.piece.{piece.key}") for piece in Piece for one in words.each()):
        assert all(tells((page,), part) for part in name.split(" ")), name
    assert_inside((page,))


@pytest.mark.clause("AC-A01", "AC-212", "AC-Q04")
def test_the_third_box_of_the_one_tally_is_struck_out() -> None:
    ticked = [[part.is_crossed_out for part in ticks(field)] for field in fields()]
    assert [struck for struck in ticked if any(struck)] == [[False, False, True]]


def ticks(field: FormField) -> list[TickBox]:
    return [part for part in field.parts if isinstance(part, TickBox)]


def fields(**given_settings: str) -> Iterator[FormField]:
    yield from zone_form._build_fields(handout(blank(system().board(), given_settings)))


@pytest.mark.clause("AC-A01", "AC-101", "AC-M1")
def test_what_is_known_is_written_into_the_form() -> None:
    page, _ = form("72x48", state="pensylvania", geography="R", water="S")
    said = [text.content for text in type_of(page)]
    # The signs are those of the geography.
    assert {"Pensylvania", "Riverside", "Sea"} & {*said} == {"Pensylvania", "Riverside"}
    assert [part.label for field in fields(water="S") for part in ticks(field) if part.is_ticked] == ["S"]


SIDES = st.integers(12, 240)
SIGN = Drawing(KEY_COLUMN, 8.2, ())


@pytest.mark.clause("AC-A01", "AC-201", "AC-Q02")
@settings(max_examples=6, deadline=None)
@given(width=SIDES, depth=SIDES, lying=st.booleans())
def test_a_table_of_any_size_is_drawn_to_scale_with_its_boxes_in_its_zones(width: int, depth: int, lying: bool) -> None:
    grid = grid_of(f"{width}x{depth}")
    sketch = ZoneSketch(fields=(), grid=grid, signs=(SIGN,) * 41)
    drafter = Drafter.sheet(style.find("campaign"), find_words("en"))
    room = (277.0, 180.0) if lying else (190.0, 267.0)
    try:
        plan = choose_plan(sketch, *room, drafter)
    except PageError:
        assert max(width, depth) / min(width, depth) > 5, "only a very long table has no room"
        return
    assert plan.map.width == pytest.approx(width * INCH * plan.scale)
    assert plan.map.height == pytest.approx(depth * INCH * plan.scale)
    boxes = [box for box in squares(sketch_form(sketch, *room, drafter)) if plan.map.padded(0.1).meets(box)]
    inside = Counter(zone for zone in grid.zones for box in boxes if holds(grid.box(zone), box, plan.map, plan.scale))
    assert inside == dict.fromkeys(grid.zones, 4)


@pytest.mark.clause("AC-A01")
def test_a_form_whose_zones_are_too_small_to_write_into_is_refused() -> None:
    sketch = ZoneSketch(fields=(), grid=grid_of("240x240"), signs=(SIGN,) * 12)
    drafter = Drafter.sheet(style.find("campaign"), find_words("en"))
    assert choose_plan(sketch, 150.0, 190.0, drafter).map.width > 100
    with pytest.raises(PageError, match="no room"):
        choose_plan(sketch, 130.0, 190.0, drafter)


def squares(drawing: Drawing) -> Iterator[Rect]:
    """Yield the boxes for dice: squares filled with paper."""
    for item in (item for layer in drawing.layers for item in layer.items):
        if isinstance(item, Drawn) and item.fill is not None and item.stroke is not None:
            points = [value / 100 for value in item.runs[0].points]
            left, low, right, top = min(points[::2]), min(points[1::2]), max(points[::2]), max(points[1::2])
            yield Rect(left, low, right - left, top - low)


def holds(zone: tuple[float, float, float, float], box: Rect, place: Rect, scale: float) -> bool:
    left, near, width, depth = (side * scale for side in zone)
    cell = Rect(place.x + left, place.y + near, width, depth).padded(0.02)
    return cell.x <= box.x and box.right <= cell.right and cell.y <= box.y and box.top <= cell.top


@pytest.mark.clause("AC-M1", "AC-A01", "AC-A02", "AC-A03")
def test_by_hand_prints_form_and_tables_and_plays_nothing(
    table: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def thrown(*_: object) -> None:
        raise AssertionError("something was thrown")

    monkeypatch.setattr(Acw, "lay_out", thrown)
    asked = ["map", "--rules", "acw", "--blank", "--board", "48x24in", "--lang", "en", "--style", "ink-saver"]
    assert run([*asked, "--out", "."]) == 0
    assert [path.name for path in table.iterdir()] == ["acw-form-a4-ink.pdf"]
    made = opened((table / "acw-form-a4-ink.pdf").read_bytes())
    assert len(made.pages) > 3, "dice tables and feature key stand behind the form"
    assert "no dice were rolled" in capsys.readouterr().err
    assert run([*asked, "--to", "json"]) == 2
    assert "unknown format 'json'" in capsys.readouterr().err
    assert run([*asked, "--sheet", "30x30mm"]) == 1
    assert "no room" in capsys.readouterr().err


@pytest.mark.clause("AC-A03", "AC-F01", "AC-F05", "AC-F09", "AC-F19", "AC-F26", "AC-F36", "AC-F37", "AC-Q23")
def test_the_key_gives_every_feature_the_size_of_the_table() -> None:
    def inches(*lengths: float) -> tuple[float, ...]:
        return tuple(round(length / INCH, 1) for length in lengths)

    lines = {line.piece: line for line in build_key_lines(grid_of("72x48"), rules())}
    assert list(lines) == list(Piece)
    for piece, size in ((Piece.STEEP_HILL, (12.0, 9.1)), (Piece.WOOD, (8.6, 7.2))):
        assert inches(lines[piece].long, lines[piece].short) == size
    widths = [lines[piece].width for piece in (Piece.CREEK, Piece.RAILROAD, Piece.RIVER, Piece.SEA)]
    assert inches(*widths) == (1.4, 1.2, 4.8, 6.0)
    spur = {line.piece: line for line in build_key_lines(grid_of("60x48"), rules(), ["Spur: going difficult"])}[
        Piece.SPUR
    ]
    assert (*inches(spur.long, spur.short), spur.measure.going.name) == (10.0, 6.0, "difficult")


@pytest.mark.clause("AC-A03", "AC-F39")
@pytest.mark.parametrize("language", ["en", "en+es"])
def test_the_key_tells_names_size_going_and_view(language: str) -> None:
    words = find_words(language)
    pages = key_pages(handout(farms(), language=language, sheet="letter"))
    assert_inside(pages)
    for name in (*(f"acw.piece.{piece.key}" for piece in Piece), *(f"kind.{kind}" for kind in CROSSINGS)):
        assert tells(pages, words(name)), name
    assert tells(pages, "12.0 × 9.1 in, 30.5 × 23.2 cm; × 0.7–1.3")
    assert tells(pages, words.each()[0]("acw.key.view.hides"))
    assert tells(pages, words.each()[0]("acw.key.note.sunken_lane"))
    views = {line.measure.view for line in build_key_lines(grid_of(), rules())}
    assert all(words.has(f"acw.key.view.{view}") for view in views)


@pytest.mark.clause("AC-A03", "AC-A01")
def test_every_feature_has_a_sign_of_its_style() -> None:
    signs = {line.sign for line in build_key_lines(grid_of(), rules())} | {kind.value for kind in CROSSINGS}
    assert signs <= {*HILLS, *(entry.key for entry in ENTRIES)}
    drawn = {}
    for sign in (*HILLS, "level_crossing"):
        made = sign_swatch(sign, 12.0, style.find("ink-saver"), find_words("en"))
        assert made.width == pytest.approx(12.0, abs=0.01)
        drawn[sign] = str([item for _, item in made.items()])
    assert len(set(drawn.values())) == len(drawn), "no two look alike"


@pytest.mark.clause("AC-A04", "AC-T17", "AC-212", "AC-302")
def test_the_log_has_every_roll_with_its_die_and_what_came_of_it() -> None:
    lines = facts(town()).zones
    assert sum(line.die is not None for line in lines) == 20
    ignored = [(line.zone, line.roll, line.piece) for line in lines if line.fate is RollOutcome.IGNORED]
    assert ignored == [(2, 4, Piece.FARM), (3, 4, Piece.SETTLEMENT), (4, 4, Piece.FARM)]
    assert not [line for line in lines if line.no_room]
    pages = log_pages(handout(town()))
    assert_inside(pages)
    assert tells(pages, "2nd 2 Field")
    assert tells(pages, "4th 2 Farm ×")
    assert tells(pages, "Town Gettysburg, on the campaign map")
    assert tells(pages, "20 dice, 6 zones")


@pytest.mark.clause("AC-A04", "AC-207", "AC-206")
def test_the_log_names_stops_and_the_choices_of_the_defender() -> None:
    pages = log_pages(handout(farms(), language="en+es"))
    assert_inside(pages)
    assert tells(pages, "CHOICE · ELIGE")
    assert tells(pages, "chooses wood · elige bosque ligero")
    assert tells(pages, "STOP · ALTO")


@pytest.mark.clause("AC-A04", "AC-G04", "AC-X12", "AC-N26", "AC-N04")
def test_what_had_no_room_is_marked_and_nothing_else() -> None:
    outcome = game("Farm", "6,6 / " * 5, inputs={"campaign": [CROWDED]})
    crowded = recorded(outcome)
    warned = {tuple(map(int, re.findall(r"\d+", text)[:2])) for text in outcome.warnings if "no room" in text}
    assert warned
    assert {(line.zone, line.roll) for line in facts(crowded).zones if line.no_room} == warned
    assert tells(log_pages(handout(crowded)), "No room for")
    assert tells(log_pages(handout(crowded)), "(tried 100 places")
    assert tells(log_pages(handout(crowded, language="es")), "(se probaron 100 lugares")
    assert not [line for record in (creek(), farms()) for line in facts(record).zones if line.no_room]


@pytest.mark.clause("AC-A07")
@pytest.mark.parametrize("table", [farms, town, creek])
def test_lengths_are_those_of_the_shapes_and_counts_those_of_the_record(table: Callable[[], Record]) -> None:
    record = table()
    found = build_piece_list(record, rules())
    field = record.battlefield
    courses = [feature for feature in field.features if isinstance(feature, Course)]
    measured: dict[Kind, float] = {}
    for course in courses:
        length = measure_on(course.line, field.board.width, field.board.depth)
        measured[course.kind] = measured.get(course.kind, 0.0) + length
    assert {stretch.kind: stretch.length for stretch in found.courses} == pytest.approx(measured, abs=0.01)
    assert sum(stretch.count for stretch in found.courses) == len(courses)
    others = [feature for feature in field.features if not isinstance(feature, Course | Crossing)]
    assert sum(model.count for model in found.areas) == len(others)
    crossings = Counter(f"kind.{feature.kind}" for feature in field.features if isinstance(feature, Crossing))
    assert {model.word: model.count for model in found.crossings} == crossings
    pages = piece_pages(handout(record))
    assert_inside(pages)
    for stretch in found.courses:
        assert tells(pages, f"{stretch.length / INCH:.1f} in, {stretch.length / 10:.1f} cm"), stretch.kind


def measure_on(line: LineString, width: float, depth: float) -> float:
    """Return the length of a line on the board, step by step of a tenth of a millimetre."""
    total = 0.0
    for (x, y), (to_x, to_y) in pairwise(line.coords):
        length = math.hypot(to_x - x, to_y - y)
        low, high = 0.0, 1.0
        for start, step, most in ((x, to_x - x, width), (y, to_y - y, depth)):
            if step == 0:
                high = high if 0 <= start <= most else low
                continue
            first, last = sorted((-start / step, (most - start) / step))
            low, high = max(low, first), min(high, last)
        total += max(0.0, high - low) * length
    return total


@pytest.mark.clause("AC-A07", "AC-T20")
def test_pieces_are_told_by_the_names_of_the_rules() -> None:
    found = {model.word.removeprefix("acw.piece."): model for model in build_piece_list(farms(), rules()).areas}
    assert {name: model.zones for name, model in found.items()} == {
        "steep_hill": (5,),
        "hill": (4,),
        "rise": (6,),
        "wood": (2, 3, 6),
        "field": (1, 2, 5),
        "settlement": (5,),
        "farm": (2,),
        "building": (1,),
    }
    pages = piece_pages(handout(farms(), language="en+es", sheet="letter"))
    assert_inside(pages)
    assert tells(pages, "Wood · Bosque ligero 3 2, 3, 6")
    fenced = next(each for each in build_piece_list(farms(), rules()).courses if each.kind is Kind.FENCED_ROAD)
    assert tells(pages, f"{2 * fenced.length / INCH:.1f} in"), "fences stand on both sides"


@pytest.mark.clause("AC-A08", "AC-T21", "AC-T23")
@pytest.mark.parametrize("table", [farms, town, creek])
def test_the_diagram_joins_the_zones_that_the_network_joins(table: Callable[[], Record]) -> None:
    record = table()
    found = build_diagram(record, rules(), LETTERS)
    for net in LETTERS:
        drawn = [
            [zone for zone, _ in groupby(zone for knot in strand.points for zone in knot.zones)]
            for strand in found.strands
            if strand.net == net
        ]
        joined = [*facts(record).network.links(net)]
        if net == "streams" and record.details["graph"]["creek"] is not None:
            # Where a stream runs along the creek the two are one.
            joined.append(record.details["graph"]["creek"]["path"])
        wanted, steps = ({frozenset(step) for path in paths for step in pairwise(path)} for paths in (joined, drawn))
        assert wanted <= steps
    courses = [feature.line for feature in record.battlefield.features if isinstance(feature, Course)]
    for knot in (mark.point for mark in found.marks):
        if len(knot.zones) == 2:
            assert min(abs(knot.x - 609.6), abs(knot.x - 1219.2), abs(knot.y - 609.6)) < 1.0
        assert min(line.distance(Point(knot.x, knot.y)) for line in courses) < 0.1


@pytest.mark.clause("AC-A08", "AC-T21", "AC-N40")
def test_the_diagram_names_ends_and_crossings() -> None:
    assert facts(farms()).network.links("roads") == [[1, 2]]
    assert facts(farms()).network.ends("roads") == (
        RecordedEnd(zone=1, target="edge", side=ZoneSide.WEST),
        RecordedEnd(zone=2, target="place", at=5, piece=Piece.SETTLEMENT),
    )
    assert facts(farms()).network.ends("rail") == (
        RecordedEnd(zone=4, target="edge", side=ZoneSide.WEST),
        RecordedEnd(zone=6, target="edge", side=ZoneSide.EAST),
    )
    pages = network_pages(handout(farms(), language="es"))
    assert_inside(pages)
    assert tells(pages, "zona 1, borde oeste; zona 2, a poblado en la zona 5")
    assert tells(pages, "desemboca: zona 6, borde este; nace: zona 1, borde norte")
    assert tells(pages, "4–5–6")
    words = find_words("es")
    for number, crossing in enumerate((f for f in farms().battlefield.features if isinstance(f, Crossing)), 1):
        assert tells(pages, f"X{number} {words(f'kind.{crossing.kind}')} {crossing.origin.zone}")
    printed = Counter(text.content for page in pages for text in type_of(page))
    for mark in build_diagram(farms(), rules(), {"roads": "C", "streams": "A", "rail": "F"}).marks:
        assert printed[mark.point.name] >= 2, "plan and list"


@pytest.mark.clause("AC-A08")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("edge S via 5 6", "zone 3, south edge, via 5, 6"),
        ("water W", "zone 3, into the water along the west edge"),
        ("town 5", "zone 3, to the town in zone 5"),
        ("settlement 3", "zone 3, in the settlement"),
        ("foot of Hill + Scree", "zone 3, foot of hill + scree"),
        ("hill beyond N", "zone 3, hill past the north side"),
        ("creek 2 via 6", "zone 3, into the creek in zone 2, via 6"),
        ("creek 3", "zone 3, into the creek"),
        ("junction 2", "zone 3, to a junction in zone 2"),
        ("swamp", "zone 3, in the swamp"),
        ("pool", "zone 3, in the pool"),
        ("farm", "zone 3, at the farm"),
        ("trees", "zone 3, in the wood"),
        ("open", "zone 3, in the open"),
    ],
)
def test_ends_of_the_record_are_told_in_words(text: str, said: str) -> None:
    assert describe_end(parse_end(3, text), find_words("en")) == said


@pytest.mark.clause("AC-A01", "AC-A03", "AC-A04", "AC-A07", "AC-A08")
def test_an_evening_has_them_where_they_are_wanted() -> None:
    shown = handout(farms())
    marks = [page.bookmark for page in shown.plugin_parts("layout_pages") if page.bookmark]
    assert marks == ["Piece list", "Network diagram"]
    assert [page.bookmark for page in shown.plugin_parts("umpire_pages")] == ["Zone log"]
    (sheet,) = shown.plugin_parts("form_pages")
    assert tells((sheet,), "Defender’s sketch")


@pytest.mark.clause("AC-A05")
def test_the_overview_is_one_page_with_zones_legend_seed_and_dice() -> None:
    scenario = Scenario(board=system().board(30 * INCH, 12 * INCH), settings=settle(geography="Farm"), seed=1)
    small = recorded(system().lay_out(scenario, dice_of("4,6 / 2,6"), Jitter(1)))
    order = map_context(MapOptions(style="ink-saver", scale="fit", key="full", show_seed=True), find_words("en"))
    document = plan_map(small, system(), order).document
    (page,) = document.pages
    said = squeezed((page,))
    assert "seed41907" in said
    assert re.search(r"Zone1,firstroll:die4,Wood", said)
    assert "Lightwoods" not in said
    assert "slow" in said
    pale = [text.content for text in type_of(page) if text.ink.alpha < 1 and text.content in "12"]
    assert sorted(pale) == ["1", "2"]


@pytest.mark.clause("AC-A04", "AC-A07", "AC-A08")
def test_a_field_drawn_by_hand_has_no_log_and_yet_its_pieces() -> None:
    shown = handout(Record(rules="acw", battlefield=farms().battlefield, settings=farms().settings, seed=None))
    assert log_pages(shown) == ()
    assert tells(piece_pages(shown), "Wood")
    pages = network_pages(shown)
    assert not tells(pages, "Joined zones and ends")
    assert tells(pages, "zones 4 and 5")


@pytest.mark.clause("AC-A04", "AC-A08")
@pytest.mark.parametrize(
    "graph",
    [
        "nothing",
        {"roads": {"links": [["a"]], "ends": []}},
        {"rail": {"axis": "up", "path": [1], "branches": []}},
        {"creek": {"path": [], "entry_edge": "N", "exit_edge": "S"}},
    ],
)
def test_a_network_that_was_spoilt_by_hand_is_an_error_that_names_it(graph: object) -> None:
    spoilt = replace(farms(), details={**farms().details, "graph": graph})
    with pytest.raises(RecordError, match=r"\$\.graph"):
        network_pages(handout(spoilt))
    with pytest.raises(RecordError, match=r"\$\.zones\[0\]"):
        log_pages(handout(replace(farms(), details={**farms().details, "zones": [7]})))
