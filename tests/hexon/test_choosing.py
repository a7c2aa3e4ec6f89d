"""Fields among which a stock of Hexon pieces chooses: the one for which least is lacking, and what is told of each."""

from __future__ import annotations

from pathlib import Path

import pytest

from printkit.cli.hexon import HexonOptions, hexon
from printkit.console.options import BatchOptions, Game
from printkit.core.errors import UsageError
from printkit.core.words import find as language
from printkit.hexon.choosing import best_built, stock_fits, stock_lines
from printkit.hexon.job import HexonRequest, hexon_order
from printkit.kit.registry import find
from printkit.recipes.game.request import ordered

ENGLISH = language("en")


@pytest.fixture
def stock(tmp_path: Path) -> str:
    path = tmp_path / "stock.toml"
    path.write_text("[own]\nboards = 30\nsingles = 40\nA1 = 2\nB1 = 6\nC1 = 6\n", encoding="utf-8")
    return str(path)


def test_the_field_that_lacks_least_comes_first(stock: str) -> None:
    order = hexon_order(HexonRequest(stock=stock, nodes=2000), ENGLISH)
    orders = ordered(rules="portable-2", settings=(), scenario=None, board=None, seed=None, dice=None)
    found = best_built(stock_fits(find("portable-2"), orders, order, range(1, 5), ENGLISH))
    assert [each.missing for each in found] == sorted(each.missing for each in found)
    assert {each.game.record.seed for each in found} == {1, 2, 3, 4}
    for each, line in zip(found, map(str, stock_lines(found)), strict=True):
        assert line.startswith(f"seed {each.game.record.seed}: ")
        assert ("lacks" in line) == bool(each.missing)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"stock": None}, "goes with --stock"),
        ({"game": Game(seed=3)}, "leave --seed"),
        ({"game": Game(ask=True)}, "leave --ask"),
        ({"batch": BatchOptions(count=3)}, "leave --count"),
        ({"seeds": "x"}, "names no seeds"),
    ],
)
def test_seeds_that_cannot_be_chosen_among_are_refused(stock: str, more: dict[str, object], said: str) -> None:
    asked = {"seeds": "1..3", "stock": stock, "game": Game(), "batch": BatchOptions(), "quiet": True, **more}
    with pytest.raises(UsageError, match=said):
        hexon(HexonOptions(**asked))  # type: ignore[arg-type]
