"""The judge on the selection of games that were played: nothing to find, and every planted fault found."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from plain_armies import HORSE

from printkit.core.words import find_words as language
from printkit.kit.check import judge_record
from printkit.kit.registry import find
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.systems.solo.judge.judge import CHECKS
from printkit.terrain.field.features import Kind
from printkit.terrain.field.record import Record

SYSTEM = find("solo-dba")
Details = dict[str, Any]


@cache
def played(seed: int, **options: str) -> Record:
    return play(SYSTEM, Orders(rules="solo-dba", options=options), seed, language("en")).record


def broken(record: Record) -> set[str]:
    return {verdict.clause for verdict in judge_record(SYSTEM, record).verdicts if verdict.state == "broken"}


def told_otherwise(record: Record, change: Callable[[Details], None]) -> Record:
    details = copy.deepcopy(dict(record.details))
    change(details)
    return replace(record, details=details)


def step(details: Mapping[str, Any], clause: str) -> Any:
    return next(step for step in details["terrain"]["selection"] if step["clause"] == clause)


GAMES = [
    (1, ()), (2, (("home", "littoral"),)), (3, (("home", "steppe"),)), (4, (("home", "arable"),)),
]  # fmt: skip


@pytest.mark.clause("SD-3.1.1-b", "SD-3.1.2-a", "SD-3.2.1-a", "SD-3.2.2-a", "SD-3.2.3-a..SD-3.2.3-e", "SD-2.3-a")
@pytest.mark.parametrize(("seed", "options"), GAMES)
def test_games_keep_every_clause(seed: int, options: tuple[tuple[str, str], ...]) -> None:
    verdicts = {verdict.clause: verdict for verdict in SYSTEM.judge(played(seed, **dict(options)))}
    assert [verdict for verdict in verdicts.values() if verdict.state == "broken"] == []
    assert {clause for clause in CHECKS if verdicts[clause].state == "not judged"} == set()


ARABLE = {"home": "arable", "npg": "spartan", "you": "polybian-roman"}


class TestPlanted:
    @pytest.mark.clause("SD-2.1-a", "SD-2.3-a", "SD-3.1.2-r1", "SD-3.2.3-a", "SD-3.2.3-e", "SD-3.3-c")
    @pytest.mark.parametrize("stage", ["army", "attacker", "selection", "placement"])
    def test_a_die_too_few_one_too_many_one_in_another_place_and_one_beyond_its_sides(self, stage: str) -> None:
        record = played(2, home="littoral")
        (place, *_) = (place for place, throw in enumerate(record.log) if throw.stage == stage and throw.asked == "d6")
        before, throw, after = record.log[:place], record.log[place], record.log[place + 1 :]
        for log in (
            (*before, *after),
            (*before, throw, throw, *after),
            (throw, *before, *after),
            (*before, replace(throw, answer="9"), *after),
        ):
            assert broken(replace(record, log=log)), log

    @pytest.mark.clause("SD-2.3-a", "SD-2.2-b", "SD-3.2.3-a", "SD-3.2.3-d", "SD-3.1-a", "SD-3.3-b")
    @pytest.mark.parametrize(
        ("clause", "change"),
        [
            ("SD-2.3-a", lambda told: told["attack"].update(attacker=told["attack"]["defender"])),
            ("SD-2.2-b", lambda told: told["composition"]["elements"].update(Art=9)),
            ("SD-3.2.3-a", lambda told: told["terrain"].update(home="dry")),
            ("SD-3.2.3-a", lambda told: told["terrain"]["selection"][0].update(total=9)),
            ("SD-3.2.3-d", lambda told: told["terrain"]["pieces"][-1].update(terrain="oasis")),
            ("SD-3.2.3-d", lambda told: told["terrain"]["pieces"].pop()),
            ("SD-3.1-a", lambda told: told["terrain"]["pieces"][-1].update(compulsory=True)),
            ("SD-3.3-b", lambda told: told["terrain"]["pieces"][-1].update(result="across-nowhere")),
            ("SD-3.3-b", lambda told: told["terrain"]["placement"][0].update(throws=[1])),
        ],
    )
    def test_a_member_that_the_log_does_not_give(self, clause: str, change: Callable[[Details], None]) -> None:
        record = played(2, home="littoral")
        assert broken(record) == set()
        assert clause in broken(told_otherwise(record, change))

    @pytest.mark.clause("SD-3.1.1-m1..SD-3.1.1-m4", "SD-3.2.1-m1..SD-3.2.1-m5", "SD-3.1.2-m1")
    @pytest.mark.parametrize("table", ["SD-3.1.1-b", "SD-3.2.1-a"])
    def test_a_modifier_that_counts_and_should_not_or_the_other_way(self, table: str) -> None:
        record = played(4, **ARABLE)
        for number in range(len(step(record.details, table)["modifiers"])):

            def turn(details: Details, number: int = number) -> None:
                told = step(details, table)["modifiers"][number]
                told["state"] = "off" if told["state"] == "on" else "on"

            assert "SD-3.2.3-a" in broken(told_otherwise(record, turn))

    @pytest.mark.clause("SD-3.2.3-d")
    def test_a_piece_that_is_not_on_the_board_and_rolls_and_kinds_that_are_not_those_of_the_log(self) -> None:
        record = played(1)
        first, *rest = record.battlefield.features
        for features in (
            rest,
            [replace(first, origin=replace(first.origin, throws=(1,))), *rest],
            [replace(first, kind=Kind.OASIS), *rest],
        ):
            field = replace(record.battlefield, features=tuple(features))
            assert "SD-3.2.3-d" in broken(replace(record, battlefield=field))

    @pytest.mark.clause("SD-3.2.2-a", "SD-3.2.2-b")
    @pytest.mark.parametrize(
        ("seed", "first_leads"), [(8, [True, True]), (4, [False, False]), (2, [False, False]), (5, [True, False])]
    )
    def test_the_higher_die_of_a_pair_stays_whichever_it_is(self, seed: int, first_leads: list[bool]) -> None:
        record = played(seed, home="littoral")
        dice = [int(throw.answer) for throw in record.log if throw.reason.endswith(" or not")]
        pairs = zip(dice[::2], dice[1::2], strict=True)
        assert [one > other for one, other in pairs if one != other] == first_leads
        assert broken(record) == set()

    @pytest.mark.clause("SD-3.2.2-a", "SD-3.2.2-b")
    def test_a_pair_of_which_the_army_has_one_needs_no_dice(self, tmp_path: Path) -> None:
        text = HORSE.replace('"hilly"', '"littoral"')
        says = '[littoral]\nhills_or_marsh = "marsh"\nwoods_or_dunes = "woods"\n[[slot]]'
        sailors = tmp_path / "sailors.toml"
        sailors.write_text(text.replace("[[slot]]", says), encoding="utf-8")
        record = played(1, npg=str(sailors), you=str(sailors))
        assert not [throw for throw in record.log if throw.reason.endswith(" or not")]
        assert broken(record) == set()
