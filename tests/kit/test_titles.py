"""Titles of clauses and settings in other languages: none is missing, and none is of a clause that is not there."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from printkit.core.resources import names
from printkit.core.words import Words, book_lines, find
from printkit.kit.book import RuleBook, read_book

LANGUAGES = [code for code in names("templates/words") if code != "en"]
BOOKS = [name.removesuffix(".toml") for name in names("templates/rules")]


def _lines(language: str, book: RuleBook) -> Mapping[str, Mapping[str, str]]:
    shelves = [book_lines(language, name) for name in (book.shares, book.name) if name]
    return {
        part: {key: text for shelf in shelves for key, text in shelf.get(part, {}).items()}
        for part in ("book", "clauses", "settings", "likes", "tables")
    }


def _missing(book: RuleBook, lines: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Return what a language does not say of a book."""
    wanted = {
        "book": ["title", "source"],
        "clauses": list(book.of_a_record),
        "settings": [setting.key for setting in book.settings],
        "tables": [table.name for table in book.tables.values()],
        "likes": [setting.key for setting in book.settings if setting.like],
    }
    return [f"{part}.{key}" for part, keys in wanted.items() for key in keys if not lines[part].get(key)]


@pytest.mark.parametrize("name", BOOKS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_says_everything_of_a_book_and_nothing_else(language: str, name: str) -> None:
    book = read_book(name)
    lines = _lines(language, book)
    assert _missing(book, lines) == []
    settings = {setting.key for setting in book.settings}
    assert [clause for clause in lines["clauses"] if clause not in book.clauses] == []
    assert [key for part in ("settings", "likes") for key in lines[part] if key not in settings] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_titles_are_missed_and_none_is_left_as_it_is_in_english(language: str) -> None:
    book = read_book("brantley")
    lines = _lines(language, book)
    spoilt = {**lines, "clauses": {**lines["clauses"], "BR-101": ""}}
    assert _missing(book, spoilt) == ["clauses.BR-101"]
    words, same = find(language), []
    for name in BOOKS:
        book = read_book(name)
        same += [each for each in book.of_a_record if book.clause_title(each, words) == book.clauses[each]]
        same += [each.key for each in book.settings if book.setting_title(each, words) == each.title]
    assert same == ["CC-1", "SD-2.2.1-m4"], "a range of the source's numbers, and a troop type by its name"


def test_two_languages_stand_side_by_side_and_what_lacks_is_said_in_english() -> None:
    book = read_book("portable-1")
    assert book.clause_title("PW0-14", find("en+es")) == (
        "every die is logged, also one thrown again · todo dado se anota, también el que se repite"
    )
    assert book.title_in(find("es")) == "Terreno por casillas, versión 1"
    assert book.clause_title("PW0-14", Words(("xx",))) == book.clauses["PW0-14"]
    assert book.clause_title("no such clause", find("es")) == ""
    grid = next(setting for setting in book.settings if setting.key == "grid")
    assert book.setting_like(grid, find("es")) == "hex-ANxAL o sq-ANxAL, columnas por filas"
