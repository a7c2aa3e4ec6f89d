"""Sheets use the words and cite the rows of their own rule system, and say who is who only where there are players."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

import pytest
from leaflets_scene import handout, squeezed, texts
from msgspec.structs import replace
from set_evenings import evening_set, no_boards, record_of

from printkit.api import generate
from printkit.core.words import Words, find_words
from printkit.kit.book import RuleBook
from printkit.kit.provenance import clause_of_value
from printkit.kit.registry import find as system_of
from printkit.kit.registry import names, uses_elements
from printkit.kit.sides import format_sides, has_players, sides_of
from printkit.options.printing import MapOptions, PrintOptions
from printkit.page.sheet import Document, Page
from printkit.recipes.box.box_fit import find_fits, fit_document
from printkit.recipes.box.piece_box import read_piece_box
from printkit.recipes.evening import reference
from printkit.recipes.game.request import Orders
from printkit.recipes.league.league_file import League, LeagueGame
from printkit.recipes.league.league_page import league_document
from printkit.recipes.output.printers import SheetContext, print_context
from printkit.recipes.prints.map_plan import plan_map
from printkit.recipes.prints.maps import map_context
from printkit.terrain.field.record import Record

FOREIGN: Final = {
    "en": r"bounds?|elements?|PIPs?|camps?|stances?|aggression|NPG",
    "es": r"elementos (?:perdidos|al empezar)|PIPs?|campamentos?|posturas?|agresividad|GNJ",
}
"""Words of DBA by language, which no sheet of other rules has; a feature of the map is an "elemento" in Spanish."""

OTHERS: Final = tuple(name for name in names() if not uses_elements(name))
OWN: Final = {
    "en": ("Bounds played", "Losses by bound", "elements lost, camp and general marked"),
    "es": ("Elementos al empezar", "elementos perdidos; campamento y general, marcados"),
}


def said_on(pages: Sequence[Page]) -> str:
    """Return everything that is set on pages, row by row."""
    found = []
    for page in pages:
        rows: dict[int, list[str]] = {}
        for text in texts(page):
            rows.setdefault(round(text.at[1]), []).append(text.content)
        found += [" ".join(row) for row in rows.values()]
    return "\n".join(found)


def _evening(name: str, words: Words, patch: pytest.MonkeyPatch) -> Iterator[tuple[str, str]]:
    for file, content in evening_set(name, words, patch).files.items():
        if isinstance(content, Document):
            yield file, said_on(content.pages)
        elif isinstance(content, str) and not file.endswith(".json"):
            yield file, content


def test_the_rule_systems_with_elements_are_those_of_dba() -> None:
    assert set(OTHERS) == {"acw", "portable-1", "portable-2"}


@pytest.mark.parametrize("language", FOREIGN)
@pytest.mark.parametrize("name", OTHERS)
def test_an_evening_has_no_word_of_dba_and_says_who_is_who(
    name: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    foreign, words = re.compile(rf"\b(?:{FOREIGN[language]})\b", re.IGNORECASE), find_words(language)
    said = dict(_evening(name, words, monkeypatch))
    assert {file: foreign.findall(text) for file, text in said.items() if foreign.search(text)} == {}
    assert [file for file, text in said.items() if file.endswith("report.pdf") and _who(name, words) in text]


@pytest.mark.parametrize("language", OWN)
def test_the_report_of_a_game_of_dba_keeps_its_words(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    said = dict(_evening("dba3", find_words(language), monkeypatch))
    (report,) = [text for file, text in said.items() if file.endswith("report.pdf")]
    for words in OWN[language]:
        assert words in report


def _who(name: str, words: Words) -> str:
    return format_sides(sides_of(record_of(name), system_of(name).book), words, colours=True)[0].partition(":")[0]


def _order(words: Words) -> SheetContext:
    return print_context(PrintOptions(), words)


@pytest.mark.parametrize("name", names())
def test_a_plain_map_says_who_is_who_where_its_record_tells_of_players(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_boards(monkeypatch)
    words, record, system = find_words("en"), record_of(name), system_of(name)
    plain = map_context(MapOptions(scale="fit"), words)
    said = said_on(plan_map(record, system, plain).document.pages)
    players = has_players(sides_of(record, system.book))
    assert (_who(name, words) in said) == players == (not name.startswith("portable"))


@pytest.mark.parametrize("name", names())
def test_lists_of_several_fields_do_not_say_who_is_who(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    no_boards(monkeypatch)
    words, record, system = find_words("en"), record_of(name), system_of(name)
    league = League(name="Autumn", rules=name, games=(LeagueGame(seed=7),))
    pages = list(league_document(league, [record], system, _order(words)).pages)
    if name == "brantley":
        found = find_fits(system, Orders(rules=name), read_piece_box("dba3"), [7], words)
        pages += fit_document(list(found), system, _order(words)).pages
    said = said_on(pages)
    assert _who(name, words) not in said
    assert "dashed lines" not in said


LANGUAGES = ("en", "es")


def _families() -> Iterator[tuple[str, str, str, str]]:
    """Yield rule system, setting, value and clause of the row, where a setting cites the first of several rows."""
    for name in names():
        book = system_of(name).book
        for setting in book.settings:
            for rows in book.rows.values():
                own = {row[setting.key]: row["clause"] for row in rows if next(iter(row), "") == setting.key}
                if next(iter(own.values()), "") == setting.clause and len(set(own.values())) > 1:
                    yield from ((name, setting.key, value, clause) for value, clause in own.items())


FAMILIES = tuple(_families())


@cache
def _record(name: str) -> Record:
    return generate(name, seed=4).record


def _book(name: str) -> RuleBook:
    return system_of(name).book


def test_each_home_topography_has_a_clause_of_its_own_and_one_that_no_row_shares_stays() -> None:
    assert {(name, key) for name, key, _, _ in FAMILIES} == {("dba3", "home"), ("collision-course", "home")}
    assert len(FAMILIES) == 14
    book = _book("dba3")
    assert clause_of_value(book, "D3-3", "4") == "D3-3"
    assert clause_of_value(book, "D3-29", "tropical") == "D3-29"
    assert clause_of_value(_book("portable-2"), "PW0-16", "mountainous") == "PW0-16"


@pytest.mark.parametrize(("name", "key", "value", "clause"), FAMILIES)
def test_a_throw_is_shown_with_the_clause_of_its_row(name: str, key: str, value: str, clause: str) -> None:
    record = _record(name)
    (cited,) = {setting.clause for setting in _book(name).settings if setting.key == key}
    place = next(place for place, throw in enumerate(record.log) if throw.clause == cited)
    throw = replace(record.log[place], answer=value)
    for language in LANGUAGES:
        words = find_words(language)
        teller = reference._RollTables(handout((system_of(name), record), language=language))
        shown = teller._row(place + 1, throw)[-1]
        assert shown == f"{clause} {_book(name).clause_title(clause, words)}"


@pytest.mark.parametrize(("name", "key", "value", "clause"), FAMILIES)
def test_a_setting_is_shown_with_the_clause_of_its_row(name: str, key: str, value: str, clause: str) -> None:
    record = replace(_record(name), settings={**_record(name).settings, key: value})
    (title,) = {setting.title for setting in _book(name).settings if setting.key == key}
    case = handout((system_of(name), record))
    (table, *_) = [block for block in reference._settings(case) if hasattr(block, "rows")]
    assert (f"**{key}**", value, title, clause) in table.rows


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_story_of_a_tropical_field_does_not_quote_the_rule_of_arable_land(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reference, "_growing", lambda _: ())
    record = _record("collision-course")
    log = tuple(replace(throw, answer="tropical") if throw.clause == "D3-3" else throw for throw in record.log)
    system = system_of("collision-course")
    said = squeezed(reference.story_pages(handout((system, replace(record, log=log)), language=language)))
    titles = {
        clause: _book("collision-course").clause_title(clause, find_words(language)) for clause in ("D3-3", "D3-8")
    }
    shown = {clause: "".join(title.split())[:6] for clause, title in titles.items()}
    assert f"D3-8{shown['D3-8']}" in said
    assert f"D3-3{shown['D3-3']}" not in said
