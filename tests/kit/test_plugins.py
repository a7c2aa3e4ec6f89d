"""What rule systems say of themselves: texts name something that is there, none is claimed twice, titles are whole."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping

import pytest
from msgspec.structs import replace

from printkit.core.resources import names
from printkit.core.words import Words, book_lines, find_words
from printkit.kit import registry
from printkit.kit.book import RuleBook, read_book
from printkit.kit.plugin import load
from printkit.kit.system import RuleSystem
from printkit.systems.solo.cards.bound_deck import BOUND
from printkit.systems.solo.cards.decks import SIZE, SUMMARY
from printkit.terrain.field.record import Record, write

ENGLISH = find_words("en")

TABLES = ("faces", "backs", "diagrams", "painters")
CLAIMED = (*TABLES, "card_jobs", "commands")


def texts_of(name: str) -> Iterator[str]:
    """Yield every text ``module:name`` of a rule system."""
    plugin = registry.plugin(name)
    for field, value in plugin._asdict().items():
        if field in TABLES:
            yield from value.values()
        elif field != "name" and isinstance(value, str) and value:
            yield value
    yield from (command.call for command in plugin.commands.values() if command.call)
    yield from (job.make for job in plugin.card_jobs.values())
    yield from filter(None, [plugin.free_decks.deck])


@pytest.mark.parametrize("name", registry.NAMES)
def test_every_text_names_something_that_is_there_and_decks_are_those_that_are_named(name: str) -> None:
    assert (registry.plugin(name).name, registry.find(name).name) == (name, name)
    for text in texts_of(name):
        assert load(text) is not None
    # Who asks for a deck by its name loads the system that names it, and no other.
    system, languages = registry.find(name), (ENGLISH, find_words("en+es"))
    made = dict.fromkeys(deck.name for words in languages for deck in system.decks(words))
    assert tuple(made) == registry.plugin(name).decks


def test_no_name_is_claimed_twice_and_free_decks_are_those_that_are_named() -> None:
    for table in CLAIMED:
        claimed = Counter(key for name in registry.NAMES for key in getattr(registry.plugin(name), table))
        assert {key for key, count in claimed.items() if count > 1} == set(), table
    free = registry.plugin("solo-dba").free_decks
    made = {each: load(free.deck)(each, ENGLISH, seed=1, copies=1) for each in free.names}
    assert [deck.name for deck in made.values()] == list(made)
    assert dict(free.sizes) == {SUMMARY: SIZE}
    assert free.shuffled == BOUND


def test_no_system_has_the_name_of_a_member_and_what_it_does_not_add_is_none(game: tuple[RuleSystem, Record]) -> None:
    _, record = game
    log = (replace(record.log[0], was="?"), *record.log[1:])
    held = set(json.loads(write(replace(record, box={"pieces": []}, log=log, hand=({"id": "z1", "delete": True},)))))
    assert held - {record.rules} == registry._MEMBERS
    assert registry._MEMBERS & set(registry.NAMES) == set()
    assert registry.load_plugin_field("dba3", "umpire_pages") is None
    assert registry.load_plugin_field("no such system", "overlays") is None
    with pytest.raises(ImportError):
        load("printkit.systems.nowhere:PLUGIN")
    with pytest.raises(AttributeError):
        load("printkit.systems.acw.plugin:NOTHING")


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
    words, same = find_words(language), []
    for name in BOOKS:
        book = read_book(name)
        same += [each for each in book.of_a_record if book.clause_title(each, words) == book.clauses[each]]
        same += [each.key for each in book.settings if book.setting_title(each, words) == each.title]
    assert same == ["CC-1", "SD-2.2.1-m4"], "a range of the source's numbers, and a troop type by its name"


def test_two_languages_stand_side_by_side_and_what_lacks_is_said_in_english() -> None:
    book = read_book("portable-1")
    assert book.clause_title("PW0-14", find_words("en+es")) == (
        "every die is logged, including dice rolled again · todos los dados se anotan, también los que se repiten"
    )
    assert book.title_in(find_words("es")) == "Terreno por casillas, versión 1"
    assert book.clause_title("PW0-14", Words(("xx",))) == book.clauses["PW0-14"]
    assert book.clause_title("no such clause", find_words("es")) == ""
    grid = next(setting for setting in book.settings if setting.key == "grid")
    assert book.setting_like(grid, find_words("es")) == "hex-ANxAL o sq-ANxAL, columnas por filas"
