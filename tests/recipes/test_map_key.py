"""What the key of a map says: what players need of each feature, or every die and clause behind it."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

import printkit
from printkit.core.errors import UsageError
from printkit.core.words import BETWEEN, find
from printkit.kit.registry import every
from printkit.kit.registry import find as system
from printkit.options.printing import MapOptions
from printkit.recipes.prints.file_names import map_marks
from printkit.recipes.prints.map_key import KeyKind, key_accounts, sides_told, who_told
from printkit.recipes.prints.maps import map_context
from printkit.terrain.field.features import Crossing, Hill
from printkit.terrain.field.record import Record

ENGLISH, BOTH = find("en"), find("en+es")


def accounts(
    name: str, seed: int, kind: KeyKind, *, lang: str = "en", board: str | None = None
) -> tuple[Record, dict[str, str]]:
    record = printkit.generate(name, seed=seed, board=board).record
    return record, dict(key_accounts(record, system(name), find(lang), kind))


GAMES = [("brantley", 14), ("acw", 63), ("dba3", 31), ("solo-dba", 5), ("portable-2", 5), ("portable-1", 2)]


@pytest.mark.parametrize(("name", "seed"), GAMES)
def test_a_plain_key_names_no_die_and_no_clause(name: str, seed: int) -> None:
    record, plain = accounts(name, seed, KeyKind.PLAIN)
    clauses, heard = set(every()[name].book.clauses), " ".join(plain.values())
    assert plain
    assert not [word for word in re.split(r"[^\w.-]+", heard) if word.strip(".") in clauses]
    assert not re.search(r"\b([Dd]ie|[Dd]ice|thrown?|threw)\b", heard)
    assert key_accounts(record, system(name), ENGLISH, KeyKind.FULL) == system(name).account(record, ENGLISH)


def test_a_plain_key_tells_how_large_things_are_and_where_they_are_steep() -> None:
    record, plain = accounts("acw", 63, KeyKind.PLAIN, board="72x48in")
    assert re.search(r"\d\.\d × \d+\.\d in, \d+\.\d × \d+\.\d cm\.", plain[record.battlefield.features[1].id])
    for feature in record.battlefield.features:
        if isinstance(feature, Hill) and feature.faces:
            assert plain[feature.id].startswith("Steep slope: difficult.")
        if isinstance(feature, Crossing):
            assert plain[feature.id] == "Carries the way across."
    # On cells it tells all cells of a feature, and a size stands once in two languages.
    record, plain = accounts("portable-2", 5, KeyKind.PLAIN)
    hill = next(feature for feature in record.battlefield.features if isinstance(feature, Hill) and feature.cells[1:])
    assert plain[hill.id].split() == [f"{column:02d}{row:02d}" for column, row in hill.cells]
    record, plain = accounts("brantley", 14, KeyKind.PLAIN, lang="en+es")
    first, second = plain["z1"].split(BETWEEN)
    assert first == second
    assert record.battlefield.features[0].id in plain


def test_an_empty_grid_has_no_sides_and_a_game_has_them() -> None:
    game, rules = printkit.generate("portable-2", seed=5).record, system("portable-2")
    empty = replace(game, log=(), battlefield=replace(game.battlefield, features=()))
    said = "Player A: blue, broken lines, far edge · Player B: red, whole lines, near edge"
    plain = map_context(MapOptions(), ENGLISH)
    evening = replace(plain, of_game=True)
    assert sides_told(game, rules, evening)["who"] == who_told(game, rules, evening) == (said,)
    assert sides_told(game, rules, plain)["who"] == who_told(game, rules, plain) == ()
    assert sides_told(empty, rules, evening)["who"] == who_told(empty, rules, evening) == ()


def test_only_a_full_key_has_a_mark_in_the_name_of_its_file() -> None:
    assert "key-full" in map_marks(map_context(MapOptions(key="full"), ENGLISH))
    assert not [mark for mark in map_marks(map_context(MapOptions(), ENGLISH)) if mark.startswith("key")]
    with pytest.raises(UsageError, match="no key 'long'; there are plain, full"):
        map_context(MapOptions(key="long"), ENGLISH)
