"""A sheet that cites a rule for a value cites the row that has this value, in every language."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from leaflets_scene import handout, squeezed
from msgspec.structs import replace

from printkit.api import generate
from printkit.core.words import find
from printkit.kit.book import RuleBook
from printkit.kit.provenance import clause_of_value
from printkit.kit.registry import find as system_of
from printkit.kit.registry import names
from printkit.recipes.evening import game_log_pages, umpire
from printkit.terrain.field.record import Record

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
        words = find(language)
        teller = game_log_pages._Teller(handout((system_of(name), record), language=language))
        shown = teller._row(place + 1, throw)[-1]
        assert shown == f"{clause} {_book(name).clause_title(clause, words)}"


@pytest.mark.parametrize(("name", "key", "value", "clause"), FAMILIES)
def test_a_setting_is_shown_with_the_clause_of_its_row(name: str, key: str, value: str, clause: str) -> None:
    record = replace(_record(name), settings={**_record(name).settings, key: value})
    (title,) = {setting.title for setting in _book(name).settings if setting.key == key}
    case = handout((system_of(name), record))
    (table, *_) = [block for block in umpire._settings(case) if hasattr(block, "rows")]
    assert (f"**{key}**", value, title, clause) in table.rows
    bullets = [block for block in game_log_pages._opening(case) if hasattr(block, "items")]
    assert f"{title}: **{value}** ({clause})" in bullets[0].items


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_story_of_a_tropical_field_does_not_quote_the_rule_of_arable_land(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_log_pages, "_growing", lambda _: ())
    record = _record("collision-course")
    log = tuple(replace(throw, answer="tropical") if throw.clause == "D3-3" else throw for throw in record.log)
    system = system_of("collision-course")
    said = squeezed(game_log_pages.story(handout((system, replace(record, log=log)), language=language)))
    titles = {clause: _book("collision-course").clause_title(clause, find(language)) for clause in ("D3-3", "D3-8")}
    shown = {clause: "".join(title.split())[:6] for clause, title in titles.items()}
    assert f"D3-8{shown['D3-8']}" in said
    assert f"D3-3{shown['D3-3']}" not in said
