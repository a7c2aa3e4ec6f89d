"""Which parts an evening has, what is done with each file, and that a side's leaflet stays on one page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from leaflets_scene import assert_inside, handout, tells
from msgspec.structs import replace
from reading import texts

import printkit
from printkit.cli.app import run
from printkit.content.prose import Block, Table, WriteLines
from printkit.core.errors import UsageError
from printkit.core.words import find_words
from printkit.drawing.canvas.items import Rect
from printkit.kit import registry
from printkit.kit.registry import find as system_of
from printkit.options.printing import EveningOptions
from printkit.page import sheet as sheets
from printkit.page.sheet import Document, Flip, Page
from printkit.recipes.evening import handouts
from printkit.recipes.evening.contents import steps
from printkit.recipes.evening.folder import Folders
from printkit.recipes.evening.parts import (
    TABLE_KINDS,
    OptionalPart,
    PlacedBy,
    choose_parts,
    validate_parts,
)
from printkit.recipes.evening.reference import field_key, reference_pages
from printkit.recipes.evening.table_sheets import player_pages, playing_sides
from printkit.recipes.output.handout import HandoutContext
from printkit.recipes.output.printed_files import FilePart, PartUse
from printkit.terrain.field.features import Kind


def offer(name: str, *, usual: bool = True) -> OptionalPart:
    """Return an offer of a part that nobody makes."""
    return OptionalPart(name=name, description=name, usual=usual, make=tuple)


OFFERS = (
    offer("map.pdf"),
    offer("cards-npg.pdf"),
    offer("cards-terrain.pdf", usual=False),
    offer("player-a/player-a.pdf"),
    offer("form.pdf", usual=False),
)


@pytest.mark.parametrize(
    ("wanted", "unwanted", "printed"),
    [
        ([], [], "map cards-npg player-a"),
        (["form"], ["map"], "cards-npg player-a form"),
        # Cards are all decks, and a deck by its name goes before them.
        (["cards"], [], "map cards-npg cards-terrain player-a"),
        ([], ["cards"], "map player-a"),
        (["cards"], ["cards-npg"], "map cards-terrain player-a"),
        (["cards-npg"], ["cards"], "map cards-npg player-a"),
    ],
)
def test_what_serves_a_game_is_printed_and_the_rest_told(wanted: list[str], unwanted: list[str], printed: str) -> None:
    found, rest = choose_parts(OFFERS, EveningOptions(wanted=wanted, unwanted=unwanted))
    assert [each.part_name for each in found] == printed.split()
    parts = ("map", "cards-npg", "cards-terrain", "player-a", "form")
    assert [each.part_name for each in rest] == [part for part in parts if part not in printed.split()]


@pytest.mark.parametrize(
    ("only", "printed"),
    [
        (["report", "map"], "map report"),
        (["cards"], "cards-npg cards-terrain cards-pair"),
        # A folder is what an evening usually has in it.
        (["player-a"], "player-a"),
        (["sealed"], "cards-pair umpire"),
        (["umpire"], "umpire"),
    ],
)
def test_only_the_parts_and_folders_that_are_named_are_printed(only: list[str], printed: str) -> None:
    sealed = (offer("sealed/cards-pair.pdf"), offer("sealed/umpire.pdf"), offer("sealed/spare.pdf", usual=False))
    offers = (*OFFERS, offer("report.pdf"), *sealed)
    found, _ = choose_parts(offers, EveningOptions(only=only))
    assert [each.part_name for each in found] == printed.split()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"laid": "pint"}, "--table: there is no 'pint'; did you mean print?"),
        ({"laid": "9"}, "--table: there is no '9'; use one of print, build, hexon"),
        ({"wanted": ["from"]}, "--with: there is no 'from'; did you mean form?"),
        ({"unwanted": ["card"]}, "--without: there is no 'card'; did you mean cards, cards-npg?"),
        ({"wanted": ["9"]}, "use one of cards, cards-npg, cards-terrain, form, map, player-a"),
        ({"wanted": ["form"], "unwanted": ["form"]}, "--with form and --without form cannot be combined"),
        ({"only": ["player"]}, "--only: there is no 'player'; did you mean player-a?"),
        ({"only": ["9"]}, "--only: there is no '9'; use one of cards, cards-npg, cards-terrain, form, map, player-a"),
        ({"only": ["map"], "wanted": ["form"]}, "leave out --with and --without"),
        ({"only": ["map"], "unwanted": ["form"]}, "leave out --with and --without"),
    ],
)
def test_what_there_is_not_is_refused_with_the_nearest(asked: dict[str, Any], said: str) -> None:
    def choose(options: EveningOptions) -> None:
        validate_parts(options)
        choose_parts(OFFERS, options)

    with pytest.raises(UsageError, match=re.escape(said)):
        choose(EveningOptions(**asked))


@pytest.mark.parametrize(
    ("table", "part"), [(PlacedBy.PRINT, "map"), (PlacedBy.BUILD, "layout"), (PlacedBy.HEXON, "hexon")]
)
def test_a_table_is_made_in_one_way(table: PlacedBy, part: str) -> None:
    assert [each for each, way in TABLE_KINDS.items() if way == table] == [part]


def file(
    name: str, *, cuts: int = 0, card: bool = False, backs: bool = False, use: PartUse = PartUse.TONIGHT
) -> FilePart:
    """Return a file of two pages."""
    page = Page(sheet=sheets.find_sheet("a4"), placements=(), trim=Rect(0.0, 0.0, 210.0, 297.0), label="1")
    document = Document(title=name, pages=(page, replace(page, back=backs)), flip=Flip.LONG_EDGE if backs else None)
    return FilePart(name=name, description=name, document=document, cuts=cuts, card=card, use=use)


TWO_PLAYERS = (
    file("map.pdf", cuts=31),
    file("overview.pdf"),
    file("cards-columns.pdf", cuts=16, card=True, backs=True),
    file("reference.pdf"),
    file("collision-course.pdf"),
    file("markers.pdf", cuts=85, card=True),
    file("report.pdf"),
    file("player-a/player-a.pdf"),
    file("player-b/player-b.pdf"),
    file("umpire/umpire.pdf", use=PartUse.UMPIRE),
    file("form.pdf", use=PartUse.NEXT),
)
SOLO = (
    file("you/map.pdf", cuts=31),
    file("you/overview.pdf"),
    file("you/cards-npg.pdf", cuts=24, card=True, backs=True),
    file("sealed/cards-pair.pdf", cuts=8, card=True, backs=True),
    file("you/reference.pdf"),
    file("sealed/npg-secret.pdf"),
    file("you/report.pdf"),
    file("sealed/umpire.pdf"),
)
BUILT = (file("hexon.pdf"), file("layout.pdf"), file("player-a/player-a.pdf"))


def variants() -> Iterator[tuple[FilePart, ...]]:
    """Yield the files of evenings, whole and each file taken out in turn."""
    for files in (TWO_PLAYERS, SOLO, BUILT):
        yield files
        yield from (tuple(part for part in files if part is not out) for out in files)


@pytest.mark.parametrize("lang", ["en", "es"])
def test_every_file_stands_in_one_step_with_its_cuts_and_minutes(lang: str) -> None:
    words = find_words(lang)
    for files in variants():
        told = list(steps(files, words))
        for part in files:
            found = [step for step in told if f"[[{part.name}]]" in step]
            assert len(found) == 1, part.name
            key = "handouts.step.work" if part.cuts else "handouts.step.work-uncut"
            assert words(key, name=f"[[{part.name}]]", cuts=part.cuts, minutes=part.minutes) in found[0]
        assert not any(
            name in step for step in told for name in ("dice tables", "tablas de dados", "fold each", "dobla")
        )


def test_cards_and_markers_go_on_card_and_what_is_sealed_is_not_cut() -> None:
    told = list(steps(TWO_PLAYERS, find_words("en")))
    assert any("markers.pdf" in step and "on card" in step and "Cut them out" in step for step in told)
    assert any("cards-columns.pdf" in step and "on both sides, flipped on the long edge" in step for step in told)
    sealed = [step for step in steps(SOLO, find_words("en")) if "sealed/" in step]
    assert len(sealed) == 1
    assert "without reading them" in sealed[0]
    assert all(name in sealed[0] for name in ("cards-pair", "npg-secret", "umpire"))


def test_a_dealt_game_needs_no_deck_and_no_dice_tables_and_a_solo_game_has_two_folders() -> None:
    spare = {name: registry.plugin(name).spare for name in registry.names()}
    assert set(spare["brantley"]) == {"cards-terrain", "cards-reference"}
    assert set(spare["acw"]) == {"cards-tables"}
    assert spare["solo-dba"] == {}
    for name, members in spare.items():
        decks = {f"cards-{deck}" for deck in registry.plugin(name).decks}
        assert set(members) <= decks
        assert {PartUse(use) for use in members.values()} <= set(PartUse)
    two, solo = Folders(), Folders(solo=True)
    assert (two.shared_prefix, two.record, two.log) == ("", "umpire/record.json", "umpire/log.txt")
    assert (solo.shared_prefix, solo.record, solo.log) == ("you/", "sealed/record.json", "sealed/log.txt")


def leaflet(rules: str, language: str, *, sheet: str = "a4") -> tuple[tuple[Page, ...], str]:
    """Return the pages of a side, and the name of the last feature of its key."""
    system, record = system_of(rules), printkit.generate(rules, seed=7).record
    made = handout((system, record), language=language, sheet=sheet)
    sides = playing_sides(record, system.book)
    pages = player_pages(made, sides[0], sides, (), origin=made.origin)
    table = list(field_key(record.battlefield, made.words))[-1]
    return pages, table.rows[-1][1]  # type: ignore[union-attr]


@pytest.mark.parametrize(("rules", "language"), [("dba3", "en"), ("dba3", "en+es"), ("brantley", "es")])
def test_facts_and_key_stand_on_the_page_of_the_map(rules: str, language: str) -> None:
    pages, last = leaflet(rules, language)
    assert len(pages) == 1
    assert tells(pages, last)
    assert_inside(pages)


def test_a_key_has_a_page_and_a_band_in_two_languages_two_rows_where_there_is_no_room() -> None:
    pages, _ = leaflet("dba3", "en+es")
    assert tells(pages, "Your base edge – near edge of the map")
    assert tells(pages, "Tu borde de base – borde cercano del mapa")
    pages, last = leaflet("dba3", "en+es", sheet="150x210mm")
    assert [tells([page], last) for page in pages] == [False, True]


def test_the_reference_page_shows_the_map_where_it_has_room() -> None:
    game = (system_of("brantley"), printkit.generate("brantley", seed=7).record)
    made = handout(game)
    (page,) = reference_pages(made, (), origin="")
    name = next(feature.name for feature in game[1].battlefield.features if feature.name)
    assert tells([page], name.upper()) or tells([page], name)
    filled = (WriteLines(("",) * 12, 8.0),)
    (full_page,) = reference_pages(made, (), origin="", first_contents=filled)
    assert not tells([full_page], name.upper())
    assert not tells([full_page], name)
    assert_inside([page, full_page])


def test_on_cells_things_that_are_alike_share_a_row_and_each_cell_is_told() -> None:
    field = printkit.generate("portable-2", seed=7).record.battlefield
    assert field.grid is not None
    (table,) = (each for each in field_key(field, find_words("en")) if isinstance(each, Table))
    kinds = [row[1] for row in table.rows]
    assert len(set(kinds)) == len(kinds)
    assert kinds.count("Woodland") == 1
    woods = [feature for feature in field.features if feature.kind is Kind.WOODLAND]
    assert len(woods) > 1
    (cells,) = (row[0] for row in table.rows if row[1] == "Woodland")
    assert cells.count(", ") == len(woods) - 1
    wooded = {f"{column:02d}{row:02d}" for wood in woods for column, row in wood.cells}
    assert wooded <= set(cells.replace(",", "").split())


def losses(_: HandoutContext) -> Iterator[Block]:
    """Yield the blocks of a sheet that a rule system adds."""
    yield WriteLines(("Elements lost",))


def test_a_sheet_of_a_rule_system_is_a_function_of_blocks_and_a_row(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    added = {"markers": f"{__name__}:losses"}
    monkeypatch.setattr(handouts, "plugin", lambda name: registry.plugin(name)._replace(sheets=added))
    asked = ["handouts", "--rules", "brantley", "--seed", "7", "--only", "markers", "--lang", "en+es", "--quiet"]
    assert run([*asked, "--out", str(tmp_path)]) == 0
    (made,) = tmp_path.rglob("markers.pdf")
    (text,) = texts(made.read_bytes())
    titles = [words("handouts.file.markers") for words in find_words("en+es").each()]
    assert all(title in " ".join(text.split()) for title in (*titles, "Elements lost"))
