"""The battlefields of printkit, judged by programs that share nothing with it but the file of a record.

Each checker was written from the source of its rules, without a look at what printkit checks. It finds no fault in
boards with settings drawn at random, and it names the clause of every fault that is planted in one.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import check_brantley
import check_collision
import check_dba3
import check_solo
import planted_brantley
import planted_dba3
import planted_solo
import pytest
from imports import ROOT
from planting import Plant

from printkit.terrain.field.record import write

sys.path.insert(0, str(ROOT / "tools"))

from soak_rules import laid_out

HERE: Final = Path(__file__).parent
BOARDS: Final = 40
MANY: Final = 2000
CLAUSE: Final = re.compile(r"[A-Z][A-Z0-9]*-[A-Za-z0-9.-]*[A-Za-z0-9](?=:|$)")

SYSTEMS: Final[dict[str, tuple[ModuleType, dict[str, Plant]]]] = {
    "brantley": (check_brantley, planted_brantley.PLANTED),
    "dba3": (check_dba3, planted_dba3.PLANTED),
    "collision-course": (check_collision, planted_dba3.COLLISION),
    "solo-dba": (check_solo, planted_solo.PLANTED),
}
"""The checker of each rule system, and the faults that are planted for it."""


@cache
def record(rules: str, seed: int) -> str:
    """Return the text of the record of a board with settings, and often a size, drawn by its seed."""
    return write(laid_out(rules, seed)[1])


def faults(rules: str, seeds: range) -> list[str]:
    """Return what the checker of a system finds in the boards of some seeds."""
    find_faults = SYSTEMS[rules][0].find_faults
    # The text of a board that is used once is not kept.
    texts = ((seed, (record if len(seeds) <= BOARDS else record.__wrapped__)(rules, seed)) for seed in seeds)
    return [f"{rules} {seed}: {fault}" for seed, text in texts for fault in find_faults(json.loads(text))]


@pytest.mark.parametrize("rules", SYSTEMS)
def test_boards_with_settings_drawn_at_random_break_nothing(rules: str) -> None:
    assert faults(rules, range(BOARDS)) == []


@pytest.mark.soak
@pytest.mark.parametrize("rules", SYSTEMS)
def test_many_boards_break_nothing(rules: str) -> None:
    assert faults(rules, range(BOARDS, BOARDS + MANY)) == []


def planted(rules: str, plant: Plant) -> Iterator[dict[str, Any]]:
    """Yield the records in which a fault can be planted, with it.

    A board may lack what it takes, or be one in which the change is no fault: another may not.
    """
    for seed in range(BOARDS):
        tree = json.loads(record(rules, seed))
        before = deepcopy(tree)
        try:
            plant(tree)
        except (LookupError, StopIteration):
            continue
        if tree != before:
            yield tree


@pytest.mark.parametrize(
    ("rules", "name"), [(rules, name) for rules, (_, faults) in SYSTEMS.items() for name in faults]
)
def test_a_planted_fault_is_named_with_its_clause(rules: str, name: str) -> None:
    checker, plants = SYSTEMS[rules]
    named = ({fault.partition(":")[0] for fault in checker.find_faults(tree)} for tree in planted(rules, plants[name]))
    assert any(name.split()[0] in clauses for clauses in named)


@pytest.mark.parametrize("rules", SYSTEMS)
def test_every_clause_of_a_checker_has_a_planted_fault(rules: str) -> None:
    checker, plants = SYSTEMS[rules]
    tree = ast.parse(Path(str(checker.__file__)).read_text(encoding="utf-8"))
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    named = {found[0] for text in texts if (found := CLAUSE.match(text))}
    assert named <= {name.split()[0] for name in plants}


def test_no_checker_imports_printkit() -> None:
    for path in HERE.glob("*.py"):
        if path.name.startswith("test_"):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
        names = {alias.name for node in imports for alias in node.names} | {
            getattr(node, "module", "") for node in imports
        }
        assert not {name for name in names if name and name.partition(".")[0] == "printkit"}, path.name
        assert "templates" not in path.read_text(encoding="utf-8"), path.name
