"""Nothing goes missing unseen: a feature, a throw or a drawn line taken from a record, and members that are none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from typing import Any

import pytest
from changed_books import without
from msgspec.structs import replace

from printkit.core import words
from printkit.core.errors import RecordError
from printkit.kit.check import judge_record
from printkit.kit.registry import find
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.terrain.field.record import Record, read, write

EN = words.find_words("en")
GAMES = [("dba3", "arable", 23), ("dba3", "littoral", 4), ("collision-course", "littoral", 7)]


@cache
def game(name: str, home: str, seed: int) -> str:
    """Return the record of a game as text."""
    settings = {"home": home, **({"defender_edge": "choice"} if name == "dba3" else {})}
    return write(play(find(name), Orders(rules=name, settings=settings), seed, EN).record)


def broken(name: str, text: str) -> list[str]:
    """Return the clauses that a record breaks, or that it cannot even be read."""
    try:
        verdicts = judge_record(find(name), read(text, find(name).book.going)).verdicts
        return [each.clause for each in verdicts if each.state == "broken"]
    except RecordError:
        return ["cannot be read"]


def lacking(text: str, part: str) -> Iterator[tuple[str, str]]:
    """Yield what a record is called without each member of a list in it, and its text."""
    tree = json.loads(text)
    for place, member in enumerate(tree[part]):
        rest = [each for at, each in enumerate(tree[part]) if at != place]
        yield str(member.get("reason", member.get("properties"))), json.dumps({**tree, part: rest})


@pytest.mark.clause("D3-39", "D3-54", "D3-29", "D3-57", "D3-58", "D3-59", "CC-O01..CC-O05", "CC-O07", "CC-G08")
@pytest.mark.parametrize("of", GAMES)
def test_whatever_is_taken_from_a_record_is_missed(of: tuple[str, str, int]) -> None:
    text = game(*of)
    assert broken(of[0], text) == []
    for feature in json.loads(text)["features"]:
        if "kind" in feature.get("properties", {}):
            assert broken(of[0], without(text, feature["id"])), feature["id"]
    drawn: dict[str, str] = {}
    for said, less in lacking(text, "overlays"):
        drawn.setdefault(said.partition("'label'")[0], less)
    for said, less in drawn.items():
        assert broken(of[0], less) or "landing" in said, said
    for said, less in lacking(text, "log"):
        if said.startswith("quarter of"):
            assert broken(of[0], less), said


def changed(text: str, change: Callable[[dict[str, Any]], object]) -> str:
    """Return a record with one thing changed in its tree."""
    tree = json.loads(text)
    change(tree)
    return json.dumps(tree)


def opposite_die(tree: dict[str, Any]) -> None:
    """Change the first die of the log."""
    throw = next(each for each in tree["log"] if each["asked"] == "d6")
    throw["answer"] = str(7 - int(throw["answer"]))


Change = Callable[[dict[str, Any]], object]
CHANGES: tuple[tuple[str, Change], ...] = (
    ("D3-29", opposite_die),
    ("D3-45", lambda tree: tree["log"].insert(3, next(each for each in tree["log"] if each["asked"] == "d6"))),
    ("D3-55", lambda tree: tree["log"].pop()),
    ("D3-55", lambda tree: tree["log"][-1].update(answer=tree["dba3"]["deployment"]["defender_edge"])),
    ("D3-3", lambda tree: tree["dba3"]["terrain"].update(home="dry")),
    ("D3-10", lambda tree: tree["dba3"]["terrain"]["pieces"][-1].update(compulsory=True)),
    ("D3-11", lambda tree: tree["dba3"]["terrain"]["pieces"][-1].update(terrain="scrub")),
    ("D3-2", lambda tree: tree["dba3"]["terrain"]["pieces"][-1].update(quarter=1)),
    ("D3-29", lambda tree: tree["dba3"]["terrain"]["pieces"][-1].update(quarter=1)),
    ("D3-39", lambda tree: tree["dba3"]["terrain"]["pieces"].pop()),
    ("D3-39", lambda tree: tree["dba3"].pop("terrain")),
    ("D3-66", lambda tree: tree["dba3"]["deployment"].update(moves_first="B")),
    ("D3-39", lambda tree: tree["features"][0]["properties"].update(throws=[1])),
    ("D3-39", lambda tree: tree["features"][0]["properties"].update(kind="scrub")),
)


@pytest.mark.clause("D3-3", "D3-10", "D3-11", "D3-28..D3-31", "D3-39", "D3-55", "D3-66")
@pytest.mark.parametrize(("clause", "change"), CHANGES)
def test_what_the_log_and_the_record_say_is_held_against_one_another(clause: str, change: Change) -> None:
    assert clause in broken("dba3", changed(game(*GAMES[1]), change))


@pytest.mark.clause("D3-39")
@pytest.mark.parametrize(("shapes", "found"), [(2, []), (3, ["D3-29", "D3-39"])])
def test_a_feature_without_room_among_older_outlines_breaks_nothing(shapes: int, found: list[str]) -> None:
    def discard_last(tree: dict[str, Any]) -> None:
        tree["printkit"]["shapes"] = shapes
        last = tree["dba3"]["terrain"]["pieces"][-1]
        entry = {"id": last["id"], "name": last["terrain"], "quarter": last["quarter"], "by": ["everything"]}
        tree["dba3"]["terrain"]["discarded"].append(entry)
        last["quarter"] = None
        tree["features"] = [each for each in tree["features"] if each["id"] != last["id"]]

    assert broken("dba3", changed(game(*GAMES[1]), discard_last)) == found


@pytest.mark.clause("D3-35")
def test_a_river_that_does_not_run_in_its_direction_has_the_reason_in_the_record() -> None:
    made = play(find("dba3"), Orders(rules="dba3", settings={"home": "hilly"}), 11, EN)
    (piece,) = (piece for piece in made.record.details["terrain"]["pieces"] if "turned_by" in piece)
    assert any(str(piece["turned_by"][0]) in str(line) and "D3-35" in str(line) for line in made.warnings)
    text = write(made.record)
    assert broken("dba3", text) == []
    last = made.record.details["terrain"]["pieces"].index(piece)
    forget = changed(text, lambda tree: tree["dba3"]["terrain"]["pieces"][last].pop("turned_by"))
    assert broken("dba3", forget) == ["D3-35"]


@pytest.mark.clause("CC-7.2", "CC-7.3")
def test_a_city_that_the_log_does_not_give_breaks_its_clause() -> None:
    city = {"id": "bua", "by": "defender", "garrison": "none", "locked": True}
    found = broken(
        "collision-course", changed(game(*GAMES[2]), lambda tree: tree["collision-course"].update(city=city))
    )
    assert "CC-7.2" in found


@pytest.mark.clause("D3-66")
def test_a_member_that_is_left_out_is_named() -> None:
    record = read(game(*GAMES[0]), find("dba3").book.going)
    deployment = {key: text for key, text in record.details["deployment"].items() if key != "deploys_first"}
    with pytest.raises(RecordError, match=r"dba3.deployment: deploys_first is missing"):
        find("dba3").judge(replace(record, details={**record.details, "deployment": deployment}))


def paths(tree: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to every member of a tree."""
    members = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for name, member in members:
        yield (*path, name)
        yield from paths(member, (*path, name))


def spoiled(record: Record, path: tuple[Any, ...], value: Any) -> Record:
    """Return a record with one member of its own object replaced."""
    details = json.loads(json.dumps(record.details))
    at = details
    for name in path[:-1]:
        at = at[name]
    at[path[-1]] = value
    return replace(record, details=details)


def test_an_object_with_anything_in_it_is_judged_and_told_or_refused() -> None:
    system = find(GAMES[2][0])
    record = read(game(*GAMES[2]), system.book.going)
    # Of features that are alike in their members the first stands for all.
    ways = [way for way in paths(record.details) if not any(isinstance(name, int) and name > 0 for name in way)]
    for way in ways:
        for value in (None, "x", -1, [], {}):
            wrong = spoiled(record, way, value)
            for ask in (lambda told: judge_record(system, told), lambda told: system.account(told, EN)):
                with suppress(RecordError):
                    ask(wrong)
