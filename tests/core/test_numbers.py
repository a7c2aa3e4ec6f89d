"""Whole numbers in texts are digits of ASCII alone; functions of arrays give what Python's mathematics gives."""

from __future__ import annotations

import ast
import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from imports import PACKAGE, parsed, sources, walked

from printkit.chance.dice import ScriptedSource
from printkit.cli.app import run
from printkit.core import exact_math
from printkit.core.errors import UsageError
from printkit.core.numbers import is_number, parse_int
from printkit.hexon.layout.stock_rows import stock_of_rows
from printkit.recipes.game.request import parse_seeds

ODD = ("²", "①", "༳", "３", "٣")
"""Digits by one of Python's tests or another, of which ``int`` reads some and refuses others."""


def test_digits_of_ascii_are_a_number_up_to_a_bound_and_nothing_else_asks_for_one() -> None:
    assert [parse_int(text) for text in ("0", "007", "12")] == [0, 7, 12]
    assert [parse_int(text) for text in ("", "-1", "+1", " 1", "1 ", "1_0", "1.0", "0x1", *ODD)] == [None] * 13
    assert (parse_int("9" * 40), parse_int("9" * 41)) == (int("9" * 40), None)
    assert (parse_int("6", 6), parse_int("7", 6)) == (6, None)
    assert (is_number("40"), is_number("4²"), is_number("")) == (True, False, False)
    # ``str.isdigit`` says yes to texts that ``int`` refuses, and its sisters to others that no rule book means.
    found = {
        f"{path.relative_to(PACKAGE).as_posix()}:{node.lineno}"
        for path in sources()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Attribute) and node.attr in ("isdigit", "isdecimal", "isnumeric")
    }
    assert found == set()


@pytest.mark.parametrize("odd", ODD)
def test_an_odd_digit_of_the_command_line_is_refused(odd: str, table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UsageError):
        parse_seeds(odd)
    with pytest.raises(Exception, match="is not a count"):
        stock_of_rows("a.csv", f"piece,own\nsingles,{odd}\n")
    assert ScriptedSource([odd], ScriptedSource([], None, None), None)._cards == [odd]  # type: ignore[arg-type]
    (table / "log.txt").write_text(f"# rules acw\n# seed {odd}\n# reseeded board {odd}\n{odd}|a|b|d6|1\n")
    for command in (
        ["map", "--seed", "1", "--plan", "--sheet", f"{odd}x3cm"],
        ["cards", "blank", "--plan", "--size", f"{odd}x92"],
        ["map", "--seed", "1", "--plan", "--dice", odd],
        ["map", "--plan", "--dice", "@log.txt"],
        ["league", "result", f"autumn/{odd}", "won"],
        ["npg", "new", f"{odd}xCv (Gen), 6x4Wb, 5xPs; hilly, aggression 2", "viking"],
        ["npg", "new", f"1xCv (Gen), {odd}x4Wb, 5xPs; hilly, aggression {odd}", "viking"],
        ["hexon", "--seed", "1", "--plan", "--hexes", f"{odd}x9"],
    ):
        capsys.readouterr()
        status = run([*command, "--lang", "en"])
        assert status in (1, 2), (command, capsys.readouterr().err)


SYSTEMS = ("brantley", "dba3", "solo-dba", "acw", "collision-course", "portable-1", "portable-2")


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return a record of each rule system."""
    folder, found = tmp_path_factory.mktemp("records"), {}
    for name in SYSTEMS:
        path = folder / f"{name}.json"
        assert run(["map", "--rules", name, "--seed", "3", "--to", "json", "--quiet", "--out", str(path)]) == 0
        found[name] = path.read_text(encoding="utf-8")
    return found


def _bent(tree: dict[str, Any], odd: str) -> list[dict[str, Any]]:
    """Return a record with an odd digit in the answers of one stage after the other, in dice, version and labels."""
    log = tree["log"]
    stages = list(dict.fromkeys(throw["stage"] for throw in log))
    found = [
        {**tree, "log": [{**each, "answer": odd} if each["stage"] == stage else each for each in log]}
        for stage in stages
    ]
    found.append({**tree, "log": [{**each, "asked": f"d{odd}"} for each in log]})
    found.append({**tree, "printkit": odd, "version": f"0.{odd}"})
    text = json.dumps(tree, ensure_ascii=False)
    return [*found, json.loads(text.replace('"label": "3"', f'"label": "{odd}"'))]


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("odd", ["²", "༳"])
def test_an_odd_digit_in_a_record_is_judged_or_refused(
    name: str, odd: str, records: dict[str, str], table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for tree in _bent(json.loads(records[name]), odd):
        (table / "r.json").write_text(json.dumps(tree), encoding="utf-8")
        capsys.readouterr()
        assert run(["check", "r.json", "--lang", "en"]) in (0, 1), capsys.readouterr().err


def test_a_die_of_very_many_sides_is_not_counted_through(
    records: dict[str, str], table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = json.loads(records["brantley"])
    for throw in tree["log"]:
        throw["asked"] = f"d{'9' * 30}"
    (table / "r.json").write_text(json.dumps(tree), encoding="utf-8")
    assert run(["check", "r.json", "--lang", "en"]) in (0, 1), capsys.readouterr().err


ANGLES = np.linspace(-7.0, 7.0, 29).reshape(-1, 1)
OWN_WAYS = {"sin", "cos", "tan", "exp", "exp2", "log", "log2", "log10", "tanh", "power", "arctan2", "arctan", "arccos"}
OWN_WAYS |= {"arcsin", "convolve", "dot", "matmul", "einsum", "inner", "vdot", "tensordot", "linalg", "fft", "cbrt"}


@pytest.mark.parametrize(
    ("function", "one", "values"),
    [
        (exact_math.sin, math.sin, ANGLES),
        (exact_math.cos, math.cos, ANGLES),
        (exact_math.tanh, math.tanh, ANGLES),
        (exact_math.exp, math.exp, ANGLES),
        (exact_math.log2, math.log2, ANGLES**2 + 1),
    ],
)
def test_each_number_is_that_of_mathematics(function, one, values):
    found = function(values)
    assert found.shape == values.shape
    assert found.ravel().tolist() == [one(value) for value in values.ravel().tolist()]
    assert float(function(0.5)) == one(0.5)
    assert function(np.zeros(0)).shape == (0,)


def test_angles_powers_products_and_weights_are_those_of_mathematics():
    assert exact_math.arctan2(ANGLES, 2.0).ravel().tolist() == [math.atan2(up, 2.0) for up in ANGLES.ravel().tolist()]
    assert exact_math.power([0.0, 0.25, 1.0, 7.0], 1.3).tolist() == [pow(value, 1.3) for value in (0.0, 0.25, 1.0, 7.0)]
    points, turned = np.arange(8.0).reshape(4, 2), np.array([[0.6, 0.8], [-0.8, 0.6]])
    assert exact_math.product(points, turned) == pytest.approx(points @ turned)
    assert exact_math.product(points, [2.0, 3.0]).tolist() == [3.0, 13.0, 23.0, 33.0]
    assert float(exact_math.product([1.0, 2.0], [3.0, 4.0])) == 11.0
    values, weights = np.arange(9.0) ** 2, np.array([0.2, 0.5, 0.3])
    assert exact_math.convolve(values, weights) == pytest.approx(np.convolve(values, weights, mode="valid"))
    assert exact_math.convolve(weights, values) == pytest.approx(np.convolve(weights, values, mode="valid"))
    share = np.linspace(0, 1, 5)[:, None]
    curve = exact_math.cubic((0, 0), (0, 1), (2, 1), (2, 0), share)
    assert curve[[0, 2, 4]].tolist() == [[0.0, 0.0], [1.0, 0.75], [2.0, 0.0]]


def test_nothing_is_asked_of_numpy_that_hangs_on_the_processor():
    found = []
    # Only what has such a name, or an @ that is no decorator's, is read through.
    sign = re.compile(rf"\bnp\s*\.\s*({'|'.join(OWN_WAYS)})\b|\S.*@|@\s")
    for path in (path for path in sources() if sign.search(path.read_text(encoding="utf-8"))):
        for node in walked(parsed(path)):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "np":
                found += [(path.name, node.lineno, node.attr)] if node.attr in OWN_WAYS else []
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
                found.append((path.name, node.lineno, "@"))
    assert found == []
