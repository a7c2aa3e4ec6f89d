"""Sheets use the words of their own rule system, and say who is who only where there are players."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

import pytest
from leaflets_scene import texts
from set_evenings import evening_set, no_boards, record_of

from printkit.core.words import Words, find
from printkit.kit.registry import find as system_of
from printkit.kit.registry import names, uses_elements
from printkit.kit.sides import has_players, sides_of, who_lines
from printkit.options.printing import MapOptions, PrintOptions
from printkit.page.sheet import Document, Page
from printkit.recipes.box.box_fit import fit_document, fits
from printkit.recipes.box.piece_box import read_piece_box
from printkit.recipes.game.request import Orders
from printkit.recipes.league.league_file import League, LeagueGame
from printkit.recipes.league.league_page import league_document
from printkit.recipes.output.printers import SheetContext, print_context
from printkit.recipes.prints.maps import map_context, map_document

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
    foreign, words = re.compile(rf"\b(?:{FOREIGN[language]})\b", re.IGNORECASE), find(language)
    said = dict(_evening(name, words, monkeypatch))
    assert {file: foreign.findall(text) for file, text in said.items() if foreign.search(text)} == {}
    assert [file for file, text in said.items() if file.endswith("report.pdf") and _who(name, words) in text]


@pytest.mark.parametrize("language", OWN)
def test_the_report_of_a_game_of_dba_keeps_its_words(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    said = dict(_evening("dba3", find(language), monkeypatch))
    (report,) = [text for file, text in said.items() if file.endswith("report.pdf")]
    for words in OWN[language]:
        assert words in report


def _who(name: str, words: Words) -> str:
    return who_lines(sides_of(record_of(name), system_of(name).book), words, colours=True)[0].partition(":")[0]


def _order(words: Words) -> SheetContext:
    return print_context(PrintOptions(), words)


@pytest.mark.parametrize("name", names())
def test_a_plain_map_says_who_is_who_where_its_record_tells_of_players(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_boards(monkeypatch)
    words, record, system = find("en"), record_of(name), system_of(name)
    plain = map_context(MapOptions(scale="fit"), words)
    said = said_on(map_document(record, system, plain)[0].pages)
    players = has_players(sides_of(record, system.book))
    assert (_who(name, words) in said) == players == (not name.startswith("portable"))


@pytest.mark.parametrize("name", names())
def test_lists_of_several_fields_do_not_say_who_is_who(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    no_boards(monkeypatch)
    words, record, system = find("en"), record_of(name), system_of(name)
    league = League(name="Autumn", rules=name, games=(LeagueGame(seed=7),))
    pages = list(league_document(league, [record], system, _order(words)).pages)
    if name == "brantley":
        found = fits(system, Orders(rules=name), read_piece_box("dba3"), [7], words)
        pages += fit_document(list(found), system, _order(words)).pages
    said = said_on(pages)
    assert _who(name, words) not in said
    assert "broken lines" not in said
