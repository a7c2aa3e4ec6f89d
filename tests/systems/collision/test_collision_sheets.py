"""Sheets about columns: order, tracker, quick sheet, cut-outs, blank map; in both languages and side by side."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from columns_scene import tree
from msgspec.structs import replace

from printkit.core.errors import RecordError, ScenarioError
from printkit.core.words import catalogue, find
from printkit.drawing.canvas.items import Text
from printkit.drawing.canvas.style import find as style
from printkit.drawing.text.drafter import Drafter
from printkit.kit.registry import find as system
from printkit.kit.rules import Rules
from printkit.page.sheet import Page
from printkit.page.sheet import find as paper
from printkit.recipes.game.request import read_scenario
from printkit.recipes.output.handout import Handout
from printkit.systems.collision.judge.columns import column_facts, column_verdicts, remarks
from printkit.systems.collision.march.columns import Role
from printkit.systems.collision.march.decks import card_texts
from printkit.systems.collision.march.faults import CODES
from printkit.systems.collision.march.said import said
from printkit.systems.collision.march.side_facts import SideFacts
from printkit.systems.collision.sheets.blank_form import blank_map, blank_pages
from printkit.systems.collision.sheets.cut_outs import edge_strips, marker_pages, template_pages
from printkit.systems.collision.sheets.edge_map import ColumnEdge, ColumnElement, ColumnMarch, column_picture
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


def handout(lang: str, inputs: Mapping[str, Any] | None = None, *, base: float = 40.0, **settings: str) -> Handout:
    """Return what pages are made from; without a map of terrain."""
    board = Board(15 * base, 15 * base, GroundScale(pace=25.4, base_width=base))
    record = Record(
        rules=RULES.name,
        battlefield=Battlefield(board=board, title="Tolbiac"),
        settings=RULES.book.settle({key.replace("_", "-"): value for key, value in settings.items()}),
        details={"inputs": dict(inputs or {})},
    )
    return Handout(record=record, system=RULES, sheet=paper("a4"), style=style("campaign"), words=find(lang))


def letters(pages: Sequence[Page]) -> str:
    """Return all that is lettered on pages, in the order in which it is drawn."""
    found = []
    for page in pages:
        for placement in page.placements:
            for layer in placement.drawing.layers:
                found += [item.content for item in layer.items if isinstance(item, Text)]
    return re.sub(r"\s+", " ", " ".join(found))


def loosely(text: str) -> str:
    """Return a text without spaces and case, as stretches of type are set apart from one another."""
    return re.sub(r"\s|\*\*", "", text).lower()


def sides(lang: str = "en") -> tuple[SideFacts, SideFacts]:
    """Return both sides of the game of these tests."""
    return column_facts(handout(lang, INPUTS).record, RULES.book)


@pytest.mark.clause("CC-A03", "CC-S12")
def test_the_order_sheet_names_everything_of_an_army() -> None:
    told = handout("en", INPUTS)
    defender, attacker = column_facts(told.record, RULES.book)
    said = loosely(letters(order_pages(defender, told)))
    for text in ("Column order: Player B, defender (Franks)", "Arable", "E9", "General", "BG", "Army check: no errors"):
        assert loosely(text) in said
    assert loosely("Still to come on:") in said
    other = loosely(letters(order_pages(attacker, told)))
    assert loosely("CC-E15 There is no waterway to land from.") in other
    assert loosely("ally 1: Allies 1") in other
    assert loosely("Landing planned yes") in other


@pytest.mark.clause("CC-A03")
@pytest.mark.parametrize("lang", ["en", "es", "en+es"])
def test_a_blank_order_sheet_has_lines_for_every_pattern(lang: str) -> None:
    empty = handout(lang)
    (page,) = order_pages(column_facts(empty.record, RULES.book)[0], empty)
    assert "6" in letters((page,))


@pytest.mark.clause("CC-A03", "CC-A05", "CC-A06")
def test_without_armies_all_sheets_are_there_and_blank() -> None:
    assert len(column_pages(handout("es"))) == 5


@pytest.mark.clause("CC-O08")
def test_columns_are_drawn_at_scale_with_their_numbers_and_order() -> None:
    told = handout("es", INPUTS)
    (page,) = picture_pages(column_facts(told.record, RULES.book), told)
    said = letters((page,))
    for text in ("Franks", "Vikings", "E1 Cv", "BG", "Borde del defensor"):
        assert text in said
    assert picture_pages(column_facts(handout("es").record, RULES.book), handout("es")) == ()
    edge = ColumnEdge(side=15.0, base_width=40.0, aside=2.0, deep=4.0, name="", token="ink")
    drafter = Drafter.sheet(told.style, told.words)
    march = ColumnMarch(
        number=3,
        middle=7.5,
        front=0.0,
        pieces=(ColumnElement(text="A", depth=30.0), ColumnElement(text="B", depth=50.0)),
    )
    short = column_picture(edge, (), 150.0, drafter).height
    assert column_picture(edge, (march,), 150.0, drafter).height - short == pytest.approx(80.0 / 4)


@pytest.mark.clause("CC-A05", "CC-T45", "CC-C01..CC-C11")
def test_the_spanish_sheet_has_all_titles_and_no_english_sentence() -> None:
    said = loosely(letters(quick_pages(handout("es"))))
    spanish, english = catalogue("es"), catalogue("en")
    for number in range(1, 12):
        assert loosely(spanish[f"columns.card.c{number:02}.title"]) in said
    for key, text in english.items():
        if key.startswith(("columns.card.", "columns.row.", "columns.sheet.")) and len(text) > 16:
            assert loosely(text)[:40] not in said, key


@pytest.mark.clause("CC-A05", "CC-C13", "CC-K01..CC-K11")
@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_quick_sheet_is_one_page_with_every_card_and_every_row(lang: str) -> None:
    pages = quick_pages(handout(lang))
    assert len(pages) == 1
    lettered, words = loosely(letters(pages)), find(lang)
    for number in range(1, 12):
        first = card_texts(words, PLAIN)[number - 1][1][0].text
        assert loosely(first)[:12] in lettered
        # Words in cells are set row by row, so one word of each is looked for.
        assert loosely(words(f"columns.row.k{number:02}.when", **VALUES).split()[0]) in lettered
    assert loosely(words("columns.sheet.must-enter", **said(PLAIN, words)))[:10] in lettered


@pytest.mark.clause("CC-A05")
def test_two_languages_stand_side_by_side_on_one_page() -> None:
    (page,) = quick_pages(handout("en+es"))
    said = loosely(letters((page,)))
    assert "clearedges" in said
    assert "bordesdespejados" in said


@pytest.mark.clause("CC-A06", "CC-K01", "CC-E20")
def test_an_empty_tracker_is_shaded_by_what_cannot_be() -> None:
    ledger = tracker_ledger(SideFacts(role=Role.DEFENDER), find("en"))
    assert len(ledger.rows) == BOUNDS == 20
    first, second, third = ledger.rows[:3]
    assert [cell.ticked for cell in first[5:10]] == [True, None, True, None, None]
    assert [cell.shade for cell in first[5:10]].count(CellShade.CLOSED) == 3
    assert second[8].shade is CellShade.CLOSED
    assert all(cell.shade is CellShade.OPEN for cell in third)
    landless = tracker_ledger(sides()[0], find("en"))
    assert landless.rows[3][11].shade is CellShade.OPEN
    given = SideFacts(role=Role.DEFENDER, army=sides()[0].army)
    assert tracker_ledger(given, find("en")).rows[0][11].shade is CellShade.CLOSED
    assert (
        tracker_ledger(SideFacts(role=Role.ATTACKER, army=sides()[1].army), find("en")).rows[0][11].shade
        is CellShade.OPEN
    )


@pytest.mark.clause("CC-A06", "CC-K15", "CC-K14")
def test_a_log_fills_the_tracker_and_frames_what_was_owed() -> None:
    defender, attacker = sides()
    rows = tracker_ledger(defender, find("es")).rows
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
    for one in find(lang).each():
        for note in ("note-4", "note-6", "note-order", "note-1", "lost"):
            assert loosely(one(f"columns.track.{note}", **said(PLAIN, one)))[:20] in lettered


@pytest.mark.clause("CC-A07", "CC-3.1", "CC-Q28", "CC-Q29")
def test_markers_for_both_sides() -> None:
    (page,) = marker_pages(handout("es")).pages
    said = letters((page,))
    for text in ("BAGAJE", "a medio entrar", "General: fuera", "PUNTO DE ENTRADA", "Defensor", "Atacante"):
        assert text in said
    both = letters(marker_pages(handout("en+es")).pages)
    assert "half on" in both
    assert "a medio entrar" in both


@pytest.mark.clause("CC-A08", "CC-Q10")
def test_templates_true_to_size() -> None:
    pages = template_pages(handout("en")).pages
    said = letters(pages)
    for text in (
        "Edge square",
        "4 BW",
        "2 BW",
        "Corner of the edge square",
        "Defender, column 2",
        "Attacker, column 3",
    ):
        assert text in said
    assert all(str(place) in said for place in range(1, 7))
    wide = letters(template_pages(handout("en", base=60.0)).pages)
    assert "Corner of the edge square" in wide
    assert "Edge square" not in wide


@pytest.mark.parametrize(("base", "ends"), [(40.0, (0, 4, 8, 12, 15)), (60.0, (0, 3, 6, 9, 12, 15))])
def test_strips_laid_end_to_end_measure_a_base_edge(base: float, ends: tuple[int, ...]) -> None:
    told = handout("en", base=base)
    edge = told.record.battlefield.board.playing_size[0]
    strips = [*edge_strips(edge, base, 190.0, told)]
    assert sum(each.width for each in strips) == pytest.approx(edge)
    said = [{item.content for _, item in each.items() if isinstance(item, Text)} for each in strips]
    assert said == [{f"edge {a}–{b}", *map(str, range(a + 1, b + 1))} for a, b in pairwise(ends)]
    assert all(f"edge {a}–{b}" in letters(template_pages(told).pages) for a, b in pairwise(ends))


@pytest.mark.clause("CC-A09", "CC-O01..CC-O07")
@pytest.mark.parametrize("lang", ["en", "es", "en+es"])
def test_the_blank_edge_map(lang: str) -> None:
    told = handout(lang, INPUTS)
    drawn = blank_map(told)
    said = letters((drawn.page,))
    for one in find(lang).each():
        assert one("columns.map.defender") in said
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
    assert (verdicts["CC-E15"].state, verdicts["CC-E15"].where) == ("broken", "attacker")
    assert (verdicts["CC-E22"].state, verdicts["CC-E01"].state, verdicts["CC-E31"].state) == (
        "broken",
        "kept",
        "not judged",
    )
    assert set(CODES) <= set(verdicts)
    spanish = list(remarks(record, RULES.book, find("es")))
    assert "Atacante (Vikings): CC-E15 No hay agua desde la que desembarcar." in spanish
    assert "Defensor (Franks): Revisión: sin errores" in spanish
    assert "Atacante (Vikings): Revisión: sin errores" not in spanish
    assert list(remarks(handout("en").record, RULES.book, find("en"))) == []


@pytest.mark.clause("CC-E23", "CC-K15", "CC-A03")
def test_nobody_is_told_that_all_is_well_whose_log_is_illegal() -> None:
    armies = {"army": {"defender": tree(name="Franks")}}
    for log, well in (("defender 1 6: column-2 1, other 5", True), ("defender 1 2: other 5", False)):
        said = list(remarks(handout("en", {**armies, "pips": [log]}).record, RULES.book, find("en")))
        assert any("CC-E23" in line for line in said) != well
        assert ("Defender (Franks): Army check: no errors" in said) == well


@pytest.mark.clause("CC-E01", "CC-E15", "CC-E16", "CC-E31", "CC-G08")
def test_what_is_said_of_armies_joins_what_is_judged_of_the_map() -> None:
    told = handout("en", INPUTS)
    judged = {verdict.clause: verdict.state for verdict in told.system.judge(told.record)}
    codes = ("CC-E01", "CC-E15", "CC-E16", "CC-E31")
    assert [judged[code] for code in codes] == ["kept", "broken", "kept", "not judged"]
    armies = {"attacker": {**INPUTS["army"]["attacker"], "fort": True}}
    fort = handout("en", {"army": armies})
    assert {verdict.clause: verdict.state for verdict in fort.system.judge(fort.record)}["CC-E16"] == "broken"


@pytest.mark.clause("CC-S01")
def test_a_scenario_file_gives_armies_as_tables_or_files(tmp_path: Path) -> None:
    (tmp_path / "vikings.toml").write_text('name = "Vikings"\n', encoding="utf-8")
    scenario = tmp_path / "battle.toml"
    scenario.write_text('[army]\nattacker = "vikings.toml"\ndefender = { name = "Franks" }\n', encoding="utf-8")
    assert read_scenario(scenario)["army"] == {"attacker": {"name": "Vikings"}, "defender": {"name": "Franks"}}
    scenario.write_text("[army]\nattacker = 3\n", encoding="utf-8")
    with pytest.raises(ScenarioError, match="neither a table nor the path"):
        read_scenario(scenario)
    scenario.write_text('army = "here"\n', encoding="utf-8")
    with pytest.raises(ScenarioError, match="is no table"):
        read_scenario(scenario)


@pytest.mark.clause("CC-Q30", "CC-Q27")
def test_whatever_these_rules_do_not_say_is_as_in_dba_3() -> None:
    plain = system("dba3").book
    changed = {key for key, value in plain.numbers.items() if RULES.book.numbers[key] != value}
    assert changed == set()
    assert {key for key in ("near_sides", "sizes", "gullies") if RULES.book.rows[key] != plain.rows[key]} == set()


@pytest.mark.clause("CC-S01")
def test_an_army_of_neither_side_is_refused() -> None:
    with pytest.raises(RecordError, match="it takes tables"):
        column_facts(handout("en", {"army": {"umpire": tree()}}).record, RULES.book)
    with pytest.raises(RecordError, match="leave it out"):
        column_facts(handout("en", {"army": {"attacker": tree()}}).record, RULES.book)


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
