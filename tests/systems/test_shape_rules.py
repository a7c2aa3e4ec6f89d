"""Each rule of a shape is one row, which `check` and the generator obey, and which the page of all checks lists."""

from __future__ import annotations

from typing import Any

import pytest
from broken_rules import break_rule

from printkit.api import generate
from printkit.kit.registry import NAMES, find
from printkit.kit.shape_rules import ShapeRule, find_shape_rules

SYSTEMS = [name for name in NAMES if find_shape_rules(find(name))]
CREEK = {"seed": 1, "geography": "riverside", "water": "creek"}
BOARDS: dict[str, tuple[dict[str, Any], ...]] = {
    "acw": (CREEK, *({"seed": seed} for seed in (1, 3, 4, 8, 12, 15, 46))),
    "brantley": ({"seed": 1}, {"seed": 2}),
    "collision-course": ({"seed": 1}, {"seed": 2}, {"seed": 7}),
    "dba3": ({"seed": 1}, {"seed": 2}, {"seed": 7}),
    "portable-1": ({"seed": 1},),
    "portable-2": ({"seed": 1},),
    "solo-dba": ({"seed": 1}, {"seed": 4}, {"seed": 8}, {"seed": 9}),
}
"""Boards that have, together, a shape for every rule of each system."""


def rows(name: str) -> list[ShapeRule[Any, Any]]:
    return [rule for group in find_shape_rules(find(name)).values() for rule in group]


@pytest.mark.parametrize("name", SYSTEMS)
def test_check_names_the_clause_of_each_row_that_finds_a_fault(name: str) -> None:
    system, unseen = find(name), rows(name)
    for record in (generate(name, **board).record for board in BOARDS[name]):
        for rule in list(unseen):
            with pytest.MonkeyPatch.context() as patch:
                break_rule(patch, rule)
                verdicts = {verdict.clause: verdict for verdict in system.judge(record)}
            if "is wrong" in verdicts[rule.clause].where:
                unseen.remove(rule)
    assert [f"{rule.clause} {rule.title}" for rule in unseen] == []


@pytest.mark.parametrize("name", SYSTEMS)
def test_each_row_has_a_clause_and_a_number_of_its_book(name: str) -> None:
    book = find(name).book
    for rule in rows(name):
        assert rule.clause in book.clauses, rule.title
        assert not rule.number or rule.number in book.numbers
        assert not (rule.minimum and rule.maximum)
        assert rule.title
