"""Each rule of a shape is one row, which `check` and the generator obey, and which the page of all checks lists."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from broken_rules import break_rule

from printkit.api import generate
from printkit.kit.registry import NAMES, find
from printkit.kit.shape_rules import ShapeRule, find_shape_rules
from printkit.terrain.field.record import Record, read

AGES = Path(__file__).parents[1] / "ages" / "0.2.0"
SYSTEMS = [name for name in NAMES if find_shape_rules(find(name))]
SEEDS = (1, 2, 3, 4, 5, 6)
"""Of boards that have, together, a shape for every rule of each system."""
EXTRA: dict[str, tuple[dict[str, Any], ...]] = {
    "acw": ({"seed": 13}, {"seed": 1, "geography": "riverside", "water": "creek"})
}
"""Further boards that a system needs for that."""


def rows(name: str) -> list[ShapeRule[Any, Any]]:
    return [rule for group in find_shape_rules(find(name)).values() for rule in group]


def records(name: str) -> Iterator[Record]:
    yield read((AGES / f"{name}.json").read_text(encoding="utf-8"), find(name).book.going)
    yield from (generate(name, **settings).record for settings in EXTRA.get(name, ()))
    yield from (generate(name, seed=seed).record for seed in SEEDS)


@pytest.mark.parametrize("name", SYSTEMS)
def test_check_names_the_clause_of_each_row_that_finds_a_fault(name: str) -> None:
    system, unseen = find(name), rows(name)
    for record in records(name):
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
        assert not (rule.least and rule.most)
        assert rule.title
