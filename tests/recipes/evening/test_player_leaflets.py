"""The leaflet of a side: one page wherever its map stays large enough above the key, and every word of it whole."""

from __future__ import annotations

import pytest
from leaflets_scene import assert_inside, handout, tells

import printkit
from printkit.content.prose import Table
from printkit.core.words import find as find_words
from printkit.kit.registry import find
from printkit.page.sheet import Page
from printkit.recipes.evening.player_sheets import player_pages, sides_in
from printkit.recipes.evening.reference import field_key
from printkit.terrain.field.features import Kind


def leaflet(rules: str, language: str, *, sheet: str = "a4") -> tuple[tuple[Page, ...], str]:
    """Return the pages of a side, and the name of the last feature of its key."""
    system, record = find(rules), printkit.generate(rules, seed=7).record
    made = handout((system, record), language=language, sheet=sheet)
    sides = sides_in(record, system.book)
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
