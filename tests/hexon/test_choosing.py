"""Fields among which a stock of Hexon pieces chooses: the one for which least is lacking, and what is told of each."""

from __future__ import annotations

from pathlib import Path

import pytest

from printkit.cli.hexon import plan_tiles
from printkit.console import boxes, terminal
from printkit.core.errors import UsageError
from printkit.core.words import find_words as language
from printkit.hexon.job import tile_context
from printkit.hexon.layout.stock import read_stock
from printkit.hexon.seed_choice import slope_lines, sort_by_missing, sort_by_slopes, stock_fits, stock_lines
from printkit.kit.registry import find
from printkit.options.commands import BatchOptions, GameOptions, StockOptions
from printkit.options.printing import FileOptions, TileOptions
from printkit.recipes.game.request import build_orders

ENGLISH = language("en")


@pytest.fixture
def stock(tmp_path: Path) -> str:
    path = tmp_path / "stock.toml"
    path.write_text("[own]\nboards = 30\nsingles = 40\nA1 = 2\nB1 = 6\nC1 = 6\n", encoding="utf-8")
    return str(path)


def test_the_field_that_lacks_least_comes_first(stock: str) -> None:
    order = tile_context(TileOptions(stock=stock), ENGLISH)
    orders = build_orders(rules="portable-2", settings=(), scenario=None, board=None, seed=None, dice=None)
    found = sort_by_missing(stock_fits(find("portable-2"), orders, order, range(1, 5), ENGLISH))
    assert [each.missing for each in found] == sorted(each.missing for each in found)
    assert {each.game.record.seed for each in found} == {1, 2, 3, 4}
    for each, line in zip(found, map(str, stock_lines(found, ENGLISH)), strict=True):
        assert line.startswith(f"seed {each.game.record.seed}: ")
        assert ("missing" in line) == bool(each.missing)


def test_the_field_with_slopes_on_most_hills_comes_first_without_a_stock(tmp_path: Path) -> None:
    order = tile_context(TileOptions(hills="slope"), ENGLISH)
    orders = build_orders(rules="portable-2", settings=(), scenario=None, board=None, seed=None, dice=None)
    found = sort_by_slopes(stock_fits(find("portable-2"), orders, order, range(1, 5), ENGLISH))
    ranks = [(-each.sloped, each.vertical) for each in found]
    assert ranks == sorted(ranks)
    assert found[0].sloped > 0
    assert all(each.sloped <= each.hills and not each.missing for each in found)
    head, *lines = map(str, slope_lines(found))
    assert head == "The seeds with slopes on most hills come first."
    assert [line.split(":")[0] for line in lines] == [f"seed {each.game.record.seed}" for each in found]
    plan_tiles(
        GameOptions(rules="portable-2"),
        TileOptions(hills="slope", to=("csv",)),
        StockOptions(seeds="1..4"),
        FileOptions(quiet=True, out=str(tmp_path)),
        BatchOptions(),
    )
    (path,) = tmp_path.glob("*-parts.csv")
    assert f"-seed{found[0].game.record.seed}-" in path.name


def test_what_a_stock_does_not_list_is_asked_once_and_kept(monkeypatch: pytest.MonkeyPatch, stock: str) -> None:
    text, answers = Path(stock).read_text(encoding="utf-8"), iter(["many", "*", "", "7"])
    asked: list[str] = []

    def answer(sentence: str) -> str:
        asked.append(str(sentence))
        return next(answers)

    monkeypatch.setattr(terminal, "ask", answer)
    monkeypatch.setattr(terminal, "tell", lambda _: None)
    monkeypatch.setattr(terminal, "report_error", lambda _: None)
    names = ("road-straight", "road-gentle", "A2")
    found = boxes.complete_stock(stock, read_stock(stock), names, ENGLISH)
    assert [found.own[name] for name in names] == [999, 0, 7]
    assert "Road, straight" in asked[0] == asked[1]
    assert read_stock(stock) == found
    kept = Path(stock).read_text(encoding="utf-8")
    assert sorted(kept.split()) == sorted((text + "road-straight = 999 road-gentle = 0 A2 = 7").split())
    assert not boxes.may_ask(quiet=False)
    assert boxes.complete_stock(stock, found, (), ENGLISH) is found
    assert len(asked) == 4


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"options": TileOptions()}, "--seeds needs --stock"),
        ({"game": GameOptions(seed=3)}, "remove --seed"),
        ({"game": GameOptions(ask=True)}, "remove --ask"),
        ({"batch": BatchOptions(count=3)}, "remove --count"),
        ({"stock": StockOptions(seeds="x")}, "is not a list of seeds"),
    ],
)
def test_seeds_that_cannot_be_chosen_among_are_refused(stock: str, more: dict[str, object], said: str) -> None:
    given: dict[str, object] = {
        "game": GameOptions(),
        "options": TileOptions(stock=stock),
        "stock": StockOptions(seeds="1..3"),
    }
    given |= {"files": FileOptions(quiet=True), "batch": BatchOptions(), **more}
    with pytest.raises(UsageError, match=said):
        plan_tiles(**given)  # type: ignore[arg-type]
