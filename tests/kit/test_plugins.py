"""What rule systems say of themselves: every text names something that is there, and two do not claim one name."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from printkit.core.words import find
from printkit.kit import registry
from printkit.kit.plugin import load
from printkit.kit.system import RuleSystem
from printkit.systems.solo.cards.bound_deck import BOUND
from printkit.systems.solo.cards.decks import SIZE, SUMMARY
from printkit.terrain.field.record import Record, write

ENGLISH = find("en")

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
    system, languages = registry.find(name), (ENGLISH, find("en+es"))
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
    assert registry.added("dba3", "umpire_pages") is None
    assert registry.added("no such system", "overlays") is None
    with pytest.raises(ImportError):
        load("printkit.systems.nowhere:PLUGIN")
    with pytest.raises(AttributeError):
        load("printkit.systems.acw.plugin:NOTHING")
