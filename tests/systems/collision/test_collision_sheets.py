"""Sheets about columns: order, tracker, quick sheet, cut-outs, maps; in both languages and side by side."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pytest
from columns_scene import tree
from msgspec.structs import replace
from shapely import Polygon

from printkit.cli.app import run
from printkit.core.errors import FileError, RecordError
from printkit.core.words import catalogue, find_words
from printkit.drawing.canvas.items import GRID, Text
from printkit.drawing.canvas.items import Path as Outline
from printkit.drawing.canvas.style import find as style
from printkit.drawing.lettering.lettering import clean_text
from printkit.drawing.text.drafter import Drafter
from printkit.kit.registry import find as system
from printkit.kit.rules import Rules
from printkit.page.sheet import Page
from printkit.page.sheet import find_sheet as paper
from printkit.recipes.game.request import read_scenario
from printkit.recipes.output.handout import HandoutContext
from printkit.systems.collision.judge.columns import column_facts, column_verdicts, remarks
from printkit.systems.collision.march.column_text import said
from printkit.systems.collision.march.columns import Role
from printkit.systems.collision.march.columns_check import CODES
from printkit.systems.collision.march.decks import card_texts
from printkit.systems.collision.march.side_facts import SideFacts
from printkit.systems.collision.sheets.blank_form import blank_map, blank_pages
from printkit.systems.collision.sheets.cut_outs import (
    build_marker_pages,
    build_markers,
    build_template_pages,
    draw_edge_strips,
)
from printkit.systems.collision.sheets.edge_map import ColumnEdge, ColumnElement, ColumnMarch, draw_column_edge
from printkit.systems.collision.sheets.forms import CellShade
from printkit.systems.collision.sheets.pages import (
    BOUNDS,
    column_pages,
    order_pages,
    picture_pages,
    quick_pages,
    tracker_ledger,
    tracker_pages,
)
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.record import Record

RULES = system("collision-course")
PLAIN = Rules.of(RULES.book)
VALUES = {"low": 4, "high": 3, "scores": 5}
LOG = (
    "defender 1 6: column-1 2, column-2 3",
    "defender 2 3: column-2 1, baggage",
    "defender 3 6: column-2 2 on, column-3 4 general",
    "attacker 1 3: other 3",
    "attacker 2 6: column-2 1, other 5",
    "attacker 3 4: other 4",
)
ALLIED = tree((4, 5, 3), allies=(3,), role="attacker", name="Vikings", landing=True)
INPUTS: Mapping[str, Any] = {
    "army": {"defender": tree(name="Franks", general=8), "attacker": ALLIED},
    "pips": list(LOG),
}


def handout(
    lang: str, inputs: Mapping[str, Any] | None = None, *, base: float = 40.0, **settings: str
) -> HandoutContext:
    """Return what pages are made from; without a map of terrain."""
    board = Board(15 * base, 15 * base, GroundScale(pace=25.4, base_width=base))
    record = Record(
        rules=RULES.name,
        battlefield=Battlefield(board=board, title="Tolbiac"),
        settings=RULES.book.settle({key.replace("_", "-"): value for key, value in settings.items()}),
        details={"inputs": dict(inputs or {})},
    )
    return HandoutContext(
        record=record, system=RULES, sheet=paper("a4"), style=style("campaign"), words=find_words(lang)
    )


def letters(pages: Sequence[Page]) -> str:
    """Return all that is lettered on pages, in the order in which it is drawn."""
    drawings = [placement.drawing for page in pages for placement in page.placements]
    found = [item.content for drawing in drawings for _, item in drawing.items() if isinstance(item, Text)]
    return re.sub(r"\s+", " ", " ".join(found))


def loosely(text: str) -> str:
    """Return a text without spaces and case, as stretches of type are set apart from one another."""
    return re.sub(r"\s|\*\*", "", text).lower()


def sides(lang: str = "en", inputs: Mapping[str, Any] | None = INPUTS) -> tuple[SideFacts, SideFacts]:
    """Return both sides of the game of these tests, or of another."""
    return column_facts(handout(lang, inputs).record, RULES.book)


def missing(texts: Sequence[str], pages: Sequence[Page], read: Callable[[str], str] = str) -> list[str]:
    """Return which texts stand on none of some pages, as they are or read loosely."""
    lettered = read(letters(pages))
    return [text for text in texts if read(text) not in lettered]


@pytest.mark.clause("CC-A03", "CC-S12")
def test_the_order_sheet_names_everything_of_an_army() -> None:
    told, (defender, attacker) = handout("en", INPUTS), sides()
    ours = ("Column order: Player B, defender (Franks)", "Arable", "E9", "General", "BG", "Army check: no errors")
    assert missing((*ours, "Still to come on:"), order_pages(defender, told), loosely) == []
    theirs = ("CC-E15 There is no waterway to land from.", "ally 1: Allies 1", "Landing planned yes")
    assert missing(theirs, order_pages(attacker, told), loosely) == []


@pytest.mark.clause("CC-A03", "CC-A05", "CC-A06")
@pytest.mark.parametrize("lang", ["en", "es", "en+es"])
def test_without_armies_all_sheets_are_there_and_the_order_has_lines_for_every_pattern(lang: str) -> None:
    (page,) = order_pages(sides(lang, None)[0], handout(lang))
    assert "6" in letters((page,))
    assert len(column_pages(handout(lang))) == 5


@pytest.mark.clause("CC-O08")
def test_columns_are_drawn_at_scale_with_their_numbers_and_order() -> None:
    told = handout("es", INPUTS)
    (page,) = picture_pages(sides(), told)
    assert missing(("Franks", "Vikings", "E1 Cv", "BG", "Borde de base del defensor"), (page,)) == []
    assert picture_pages(sides("es", None), handout("es")) == ()
    edge = ColumnEdge(side=15.0, base_width=40.0, half_width=2.0, depth=4.0, name="", token="ink")
    drafter = Drafter.sheet(told.style, told.words)
    pieces = (ColumnElement(text="A", depth=30.0), ColumnElement(text="B", depth=50.0))
    march = ColumnMarch(number=3, middle=7.5, front=0.0, pieces=pieces)
    bare, drawn = (draw_column_edge(edge, marches, 150.0, drafter).height for marches in ((), (march,)))
    assert drawn - bare == pytest.approx(80.0 / 4)


@pytest.mark.clause("CC-A05", "CC-T45", "CC-C01..CC-C11")
def test_the_spanish_sheet_has_all_titles_and_no_english_sentence() -> None:
    pages = quick_pages(handout("es"))
    titles = [catalogue("es")[f"columns.card.c{number:02}.title"] for number in range(1, 12)]
    assert missing(titles, pages, loosely) == []
    said = loosely(letters(pages))
    for key, text in catalogue("en").items():
        if key.startswith(("columns.card.", "columns.row.", "columns.sheet.")) and len(text) > 16:
            assert loosely(text)[:40] not in said, key


@pytest.mark.clause("CC-A05", "CC-C13", "CC-K01..CC-K11")
@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_quick_sheet_is_one_page_with_every_card_and_every_row(lang: str) -> None:
    pages = quick_pages(handout(lang))
    assert len(pages) == 1
    lettered, words = loosely(letters(pages)), find_words(lang)
    for number in range(1, 12):
        first = card_texts(words, PLAIN)[number - 1][1][0].text
        assert loosely(first)[:12] in lettered
        # Words in cells are set row by row, so one word of each is looked for.
        assert loosely(words(f"columns.row.k{number:02}.when", **VALUES).split()[0]) in lettered
    assert loosely(words("columns.sheet.must-enter", **said(PLAIN, words)))[:10] in lettered


@pytest.mark.clause("CC-A05")
def test_two_languages_stand_side_by_side_on_one_page() -> None:
    (page,) = quick_pages(handout("en+es"))
    assert missing(("Clear edges", "Bordes despejados"), (page,), loosely) == []


@pytest.mark.clause("CC-A06", "CC-K01", "CC-E20")
def test_an_empty_tracker_is_shaded_by_what_cannot_be() -> None:
    ledger = tracker_ledger(SideFacts(role=Role.DEFENDER), find_words("en"))
    assert len(ledger.rows) == BOUNDS == 20
    first, second, third = ledger.rows[:3]
    assert [cell.ticked for cell in first[5:10]] == [True, None, True, None, None]
    assert [cell.shade for cell in first[5:10]].count(CellShade.CLOSED) == 3
    assert second[8].shade is CellShade.CLOSED
    assert all(cell.shade is CellShade.OPEN for cell in third)
    defender, attacker = sides()
    assert tracker_ledger(defender, find_words("en")).rows[3][11].shade is CellShade.OPEN
    for side, shade in ((defender, CellShade.CLOSED), (attacker, CellShade.OPEN)):
        without_log = SideFacts(role=side.role, army=side.army)
        assert tracker_ledger(without_log, find_words("en")).rows[0][11].shade is shade


@pytest.mark.clause("CC-A06", "CC-K15", "CC-K14")
def test_a_log_fills_the_tracker_and_frames_what_was_owed() -> None:
    defender, attacker = sides()
    rows = tracker_ledger(defender, find_words("es")).rows
    assert [cell.text for cell in rows[2]][:2] == ["3", "6"]
    # The general's box that is ticked: out, entry point, as usual.
    assert [cell.ticked for cell in rows[2]][2:5] == [True, False, False]
    assert [cell.text for cell in rows[2]][10:] == ["2", "4", "", "0"]
    assert rows[2][10].shade is rows[2][11].shade is CellShade.OWED
    assert rows[1][12].text == "2"
    assert [fault.code for fault in attacker.log_faults] == ["CC-E22"]
    told = handout("es", INPUTS)
    assert loosely("CC-E22 Turno 3") in loosely(letters(tracker_pages(attacker, told)))


@pytest.mark.clause("CC-A06")
@pytest.mark.parametrize("lang", ["en", "es", "en+es"])
def test_the_tracker_is_one_page_with_its_footnotes(lang: str) -> None:
    told = handout(lang)
    pages = tracker_pages(column_facts(told.record, RULES.book)[0], told)
    assert len(pages) == 1
    lettered = loosely(letters(pages))
    for one in find_words(lang).each():
        for note in ("note-4", "note-6", "note-order", "note-1", "lost"):
            assert loosely(one(f"columns.track.{note}", **said(PLAIN, one)))[:20] in lettered


@pytest.mark.clause("CC-A07", "CC-3.1", "CC-Q28", "CC-Q29")
def test_markers_for_both_sides() -> None:
    (page,) = build_marker_pages(handout("es")).pages
    spanish = ("BAGAJE", "a medio entrar", "General: fuera", "PUNTO DE ENTRADA", "Defensor", "Atacante")
    assert missing(spanish, (page,)) == []
    assert missing(("half on", "a medio entrar"), build_marker_pages(handout("en+es")).pages) == []


@pytest.mark.clause("CC-A08", "CC-Q10")
def test_markers_without_washes_have_no_black_ground() -> None:
    pieces = build_markers(replace(handout("en"), style=style("ink-saver")))
    for piece in pieces:
        fills = [
            item
            for _, item in piece.drawing.items()
            if isinstance(item, Outline) and item.fill and sum(item.fill[:3]) < 400
        ]
        area = sum(abs(Polygon(np.reshape(run.points, (-1, 2))).area) for item in fills for run in item.runs)
        assert area * GRID**2 < 0.3 * piece.drawing.width * piece.drawing.height, piece.name


def test_templates_true_to_size() -> None:
    corner = "Corner of the edge square"
    texts = ("Edge square", "4 BW", "2 BW", corner, "Defender, column 2", "Attacker, column 3")
    pages = build_template_pages(handout("en")).pages
    assert missing((*texts, *map(str, range(1, 7))), pages) == []
    wide = letters(build_template_pages(handout("en", base=60.0)).pages)
    assert corner in wide
    assert "Edge square" not in wide


@pytest.mark.parametrize(("base", "ends"), [(40.0, (0, 4, 8, 12, 15)), (60.0, (0, 3, 6, 9, 12, 15))])
def test_strips_laid_end_to_end_measure_a_base_edge(base: float, ends: tuple[int, ...]) -> None:
    told = handout("en", base=base)
    edge = told.record.battlefield.board.playing_size[0]
    strips = [*draw_edge_strips(edge, base, 190.0, told)]
    assert sum(each.width for each in strips) == pytest.approx(edge)
    said = [{item.content for _, item in each.items() if isinstance(item, Text)} for each in strips]
    assert said == [{f"edge {a}–{b}", *map(str, range(a + 1, b + 1))} for a, b in pairwise(ends)]
    assert all(f"edge {a}–{b}" in letters(build_template_pages(told).pages) for a, b in pairwise(ends))


@pytest.mark.clause("CC-A09", "CC-O01..CC-O07")
@pytest.mark.parametrize("lang", ["en", "es", "en+es"])
def test_the_blank_edge_map(lang: str) -> None:
    told = handout(lang, INPUTS)
    drawn = blank_map(told)
    said = letters((drawn.page,))
    for one in find_words(lang).each():
        assert clean_text(one("columns.map.defender")) in said
        assert one("columns.map.square", edge_square_bw="4", edge_square_depth_bw="4") in said
    assert 0.2 < drawn.scale < 0.4


@pytest.mark.clause("CC-A09")
def test_the_form_for_the_next_battle_knows_no_army() -> None:
    pages = blank_pages(handout("en", INPUTS))
    assert len(pages) == 5
    assert "Franks" not in letters(pages)


@pytest.mark.clause("CC-E01..CC-E24", "CC-K15", "CC-A03")
def test_a_record_is_judged_by_code_and_told_in_the_persons_language() -> None:
    record = handout("en", INPUTS).record
    verdicts = {verdict.clause: verdict for verdict in column_verdicts(record, RULES.book)}
    states = {"CC-E15": "broken", "CC-E22": "broken", "CC-E01": "kept", "CC-E31": "not judged"}
    assert {code: verdicts[code].state for code in states} == states
    assert verdicts["CC-E15"].where == "attacker"
    assert set(CODES) <= set(verdicts)
    spanish = list(remarks(record, RULES.book, find_words("es")))
    assert "Atacante (Vikings): CC-E15 No hay agua desde la que desembarcar." in spanish
    assert "Defensor (Franks): Revisión: sin errores" in spanish
    assert "Atacante (Vikings): Revisión: sin errores" not in spanish
    assert list(remarks(handout("en").record, RULES.book, find_words("en"))) == []


@pytest.mark.clause("CC-Q05", "CC-Q15", "CC-Q29", "CC-E19", "CC-E22", "CC-A03")
@pytest.mark.parametrize(
    ("reading", "code", "inputs"),
    [
        ("CC-Q05", "CC-Q05", {"positions": ["defender 1: 7,0.1 8,0.1 0.4"]}),
        ("CC-Q15", "CC-E22", {"pips": ["defender 1 3: other 3", "defender 2 3: other 3"]}),
        ("CC-Q29", "CC-E19", {"army": {"defender": tree(baggage_depth_mm=60)}}),
    ],
)
def test_what_an_old_setting_allowed_is_neither_judged_nor_told(
    reading: str, code: str, inputs: Mapping[str, Any]
) -> None:
    record = handout("en", inputs).record
    key = next(key for key, each in RULES.book.retired.items() if each.clauses[0] == reading)
    old = replace(record, settings={**record.settings, key: "otherwise"})
    for made, told in ((record, True), (old, False)):
        lines = list(remarks(made, RULES.book, find_words("en")))
        assert any(code in line for line in lines) if told else lines == []
        own = next(each for each in column_verdicts(made, RULES.book) if each.clause == code)
        both = next(each for each in RULES.judge(made) if each.clause == code)
        wanted = "not judged" if not told else "kept" if code == "CC-E19" else "broken"
        assert own.state == both.state == wanted
    assert f"made with {key}=otherwise" in find_words("en").translate(own.where)


@pytest.mark.clause("CC-E23", "CC-K15", "CC-A03")
def test_nobody_is_told_that_all_is_well_whose_log_is_illegal() -> None:
    armies = {"army": {"defender": tree(name="Franks")}}
    for log, well in (("defender 1 6: column-2 1, other 5", True), ("defender 1 2: other 5", False)):
        said = list(remarks(handout("en", {**armies, "pips": [log]}).record, RULES.book, find_words("en")))
        assert any("CC-E23" in line for line in said) != well
        assert ("Defender (Franks): Army check: no errors" in said) == well


@pytest.mark.clause("CC-E01", "CC-E15", "CC-E16", "CC-E31", "CC-G08")
def test_what_is_said_of_armies_joins_what_is_judged_of_the_map() -> None:
    def judged(inputs: Mapping[str, Any], *codes: str) -> list[str]:
        states = {verdict.clause: verdict.state for verdict in RULES.judge(handout("en", inputs).record)}
        return [states[code] for code in codes]

    assert judged(INPUTS, "CC-E01", "CC-E15", "CC-E16", "CC-E31") == ["kept", "broken", "kept", "not judged"]
    assert judged({"army": {"attacker": {**ALLIED, "fort": True}}}, "CC-E16") == ["broken"]


@pytest.mark.clause("CC-S01")
def test_a_scenario_file_gives_armies_as_tables_or_files(tmp_path: Path) -> None:
    (tmp_path / "vikings.toml").write_text('name = "Vikings"\n', encoding="utf-8")
    scenario = tmp_path / "battle.toml"
    scenario.write_text('[army]\nattacker = "vikings.toml"\ndefender = { name = "Franks" }\n', encoding="utf-8")
    assert read_scenario(scenario)["army"] == {"attacker": {"name": "Vikings"}, "defender": {"name": "Franks"}}
    refused = {
        "[army]\nattacker = 3\n": "attacker = 3 is not valid. Write a table, or the path",
        'army = "here"\n': 'army = "here" is not valid',
    }
    for text, message in refused.items():
        scenario.write_text(text, encoding="utf-8")
        with pytest.raises(FileError, match=message):
            read_scenario(scenario)


@pytest.mark.clause("CC-Q30", "CC-Q27")
def test_whatever_these_rules_do_not_say_is_as_in_dba_3() -> None:
    plain = system("dba3").book
    assert {key for key, value in plain.numbers.items() if RULES.book.numbers[key] != value} == set()
    assert {key for key in ("near_sides", "sizes", "gullies") if RULES.book.rows[key] != plain.rows[key]} == set()


@pytest.mark.clause("CC-S01")
@pytest.mark.parametrize(("side", "message"), [("umpire", "use only the tables"), ("attacker", "leave it out")])
def test_an_army_of_neither_side_is_refused(side: str, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        sides("en", {"army": {side: tree()}})


def paths(tree: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to every member of a tree; of the members of a list the first stands for all."""
    members = tree.items() if isinstance(tree, dict) else list(enumerate(tree))[:1] if isinstance(tree, list) else ()
    for name, member in members:
        yield (*path, name)
        yield from paths(member, (*path, name))


@pytest.mark.clause("CC-S01", "CC-K15")
def test_armies_logs_and_positions_with_anything_in_them_are_read_or_refused() -> None:
    given = {"inputs": {**INPUTS, "positions": ["defender 1: 6,4 7,4 0.75"]}, "deployment": {"defender_edge": "near"}}
    record = handout("en").record
    for way in paths(given):
        for value in (None, "x", -1, [], {}):
            details = json.loads(json.dumps(given))
            at = details
            for name in way[:-1]:
                at = at[name]
            at[way[-1]] = value
            with suppress(RecordError):
                column_facts(replace(record, details=details), RULES.book)


@pytest.mark.clause("CC-A01", "CC-A02", "CC-O07")
def test_the_overview_tells_goings_squares_scales_seed_and_dice_and_columns_are_a_layer(tmp_path: Path) -> None:
    line = "map --rules collision-course --seed 7 --scale fit --key full --show-seed --to pdf --to svg"
    assert run([*line.split(), "--quiet", "--out", str(tmp_path)]) == 0
    (made,) = tmp_path.glob("*-seed7-overview-a4.pdf")
    with closing(pypdfium2.PdfDocument(made)) as document:
        text = " ".join(document[0].get_textpage().get_text_bounded().split()).replace("×", "x")
    scales = ("inches", "centimetres", "base widths")
    told = ("bad going", "impassable", "4 x 4 BW clear", *scales, "seed 7", "the attacker chose quarter 3")
    assert [each for each in told if each not in text] == []
    assert made.with_suffix(".svg").read_text(encoding="utf-8").count('inkscape:label="overlay"') == 1
