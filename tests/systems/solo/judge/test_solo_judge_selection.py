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
from printkit.kit.registry import find
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.systems.solo.judge.judge import CHECKS
from printkit.terrain.field.record import Record

SYSTEM = find("solo-dba")
Details = dict[str, Any]


@cache
def played(seed: int, **options: str) -> Record:
    return play(SYSTEM, Orders(rules="solo-dba", options=options), seed, language("en")).record


def broken(record: Record) -> set[str]:
    return {verdict.clause for verdict in SYSTEM.judge(record) if verdict.state == "broken"}


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
    @pytest.mark.clause("SD-2.1-a")
    def test_your_options_after_the_dice_of_the_npg(self) -> None:
        record = played(1, you="gallic", npg="marian-roman")
        yours = tuple(throw for throw in record.log if throw.stage == "armies")
        others = tuple(throw for throw in record.log if throw.stage != "armies")
        assert "SD-2.1-a" in broken(replace(record, log=others + yours))

    @pytest.mark.clause("SD-2.3-a")
    def test_the_wrong_side_attacks_or_a_die_for_the_attack_comes_without_its_other(self) -> None:
        record = played(1)
        assert "SD-2.3-a" not in broken(record)
        other = told_otherwise(record, lambda told: told["attack"].update(attacker=told["attack"]["defender"]))
        assert "SD-2.3-a" in broken(other)
        last = max(place for place, throw in enumerate(record.log) if throw.stage == "attacker")
        log = (*record.log[: last + 1], record.log[last], *record.log[last + 1 :])
        assert "SD-2.3-a" in broken(replace(record, log=log))

    @pytest.mark.clause("SD-3.1.1-r1", "SD-3.1.1-r2")
    def test_another_compulsory_feature_than_the_die_gives(self) -> None:
        def other(details: Details) -> None:
            for piece in details["terrain"]["pieces"]:
                if piece["compulsory"]:
                    piece["terrain"] = "bua" if piece["terrain"] == "road" else "road"

        assert broken(told_otherwise(played(4, **ARABLE), other)) & {"SD-3.1.1-r1", "SD-3.1.1-r2"}

    @pytest.mark.clause("SD-3.1-a")
    def test_a_compulsory_feature_of_another_home(self) -> None:
        def other(details: Details) -> None:
            details["terrain"]["pieces"][0].update(terrain="oasis", compulsory=True)

        assert "SD-3.1-a" in broken(told_otherwise(played(3, home="steppe"), other))

    @pytest.mark.clause("SD-3.1.1-m1..SD-3.1.1-m4", "SD-3.2.1-m1..SD-3.2.1-m5", "SD-3.1.2-m1")
    @pytest.mark.parametrize("table", ["SD-3.1.1-b", "SD-3.2.1-a"])
    def test_a_modifier_that_counts_and_should_not_or_the_other_way(self, table: str) -> None:
        record = played(4, **ARABLE)
        for number, modifier in enumerate(step(record.details, table)["modifiers"]):

            def turn(details: Details, number: int = number) -> None:
                told = step(details, table)["modifiers"][number]
                told["state"] = "off" if told["state"] == "on" else "on"

            assert modifier["id"] in broken(told_otherwise(record, turn))

    @pytest.mark.clause("SD-3.1.2-r1", "SD-3.1.2-a", "SD-3.2.1-r1", "SD-3.2.1-r2")
    def test_a_second_piece_against_its_die_and_fewer_optional_pieces_than_the_die_gives(self) -> None:
        record = played(3, home="steppe")
        turned = [
            replace(throw, answer=str(7 - int(throw.answer))) if throw.reason == "second compulsory piece" else throw
            for throw in record.log
        ]
        assert "SD-3.1.2-r1" in broken(replace(record, log=tuple(turned)))

        def fewer(details: Details) -> None:
            pieces = details["terrain"]["pieces"]
            pieces.remove(next(piece for piece in pieces if not piece["compulsory"]))

        assert broken(told_otherwise(record, fewer)) & {"SD-3.2.1-r1", "SD-3.2.1-r2"}

    @pytest.mark.clause("SD-3.2.3-a", "SD-3.2.3-d")
    def test_a_piece_that_is_not_on_the_board_a_die_too_few_and_one_too_many(self) -> None:
        record = played(1)
        field = replace(record.battlefield, features=record.battlefield.features[1:])
        assert "SD-3.2.3-d" in broken(replace(record, battlefield=field))
        places = [place for place, throw in enumerate(record.log) if throw.stage == "selection"]
        fewer = record.log[: places[-1]] + record.log[places[-1] + 1 :]
        more = record.log[: places[-1] + 1] + record.log[places[-1] :]
        for log in (fewer, more):
            assert broken(replace(record, log=log)) & {"SD-3.2.3-a", "SD-3.2.3-e"}

    @pytest.mark.clause("SD-3.2.3-d")
    def test_a_piece_that_no_dice_chose(self) -> None:
        def other(details: Details) -> None:
            optional = [piece for piece in details["terrain"]["pieces"] if not piece["compulsory"]]
            optional[-1]["terrain"] = "rough" if optional[-1]["terrain"] != "rough" else "river"

        assert broken(told_otherwise(played(3, home="steppe"), other)) & {"SD-3.2.3-d", "SD-3.2.3-c"}

    @pytest.mark.clause("SD-3.2.2-a", "SD-3.2.2-b")
    def test_the_type_of_a_pair_that_its_dice_left_out(self) -> None:
        record = played(2, home="littoral")
        kept = [step for step in record.details["terrain"]["selection"] if step["clause"].startswith("SD-3.2.2")]
        for told, pair in zip(kept, (("steep_hill", "marsh"), ("woods", "dunes")), strict=True):

            def other(details: Details, out: str = next(name for name in pair if name != told["result"])) -> None:
                optional = [piece for piece in details["terrain"]["pieces"] if not piece["compulsory"]]
                optional[0]["terrain"] = out

            assert told["clause"] in broken(told_otherwise(record, other))

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

        def silent(details: Details) -> None:
            for told in details["terrain"]["selection"]:
                if told["clause"] == "SD-3.2.2-b":
                    told["inputs"]["army"] = "dice"

        assert "SD-3.2.2-b" in broken(told_otherwise(record, silent))

    def test_a_record_without_its_armies_is_not_judged_by_them(self) -> None:
        record = told_otherwise(played(1), lambda details: details.pop("composition"))
        states = {verdict.clause: verdict.state for verdict in SYSTEM.judge(record)}
        assert states["SD-3.2.1-a"] == "not judged"
        assert states["SD-3.3-b"] == "kept"
