"""Which of several fields a stock of Hexon pieces builds: each of some seeds as it falls, and what it lacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from printkit.core.errors import Sentence
from printkit.core.words import Words
from printkit.hexon.job import HexonOrder, hexon_plan
from printkit.hexon.layout.layout import lay_out
from printkit.kit.system import RuleSystem
from printkit.recipes.game.games import Played, play
from printkit.recipes.game.request import Orders


class StockFit(Struct, frozen=True, kw_only=True):
    """A field, and how many pieces of each sort a stock lacks for it."""

    game: Played
    lacking: tuple[tuple[str, int], ...]

    @property
    def missing(self) -> int:
        """Return how many pieces are lacking in all."""
        return sum(count for _, count in self.lacking)


def stock_fits(
    system: RuleSystem, orders: Orders, order: HexonOrder, seeds: Iterable[int], words: Words
) -> Iterator[StockFit]:
    """Yield the field of each seed, with what the stock of an order lacks for it.

    Raises:
        PrintkitError: a field cannot be played, or not be laid of tiles.
    """
    for seed in seeds:
        game = play(system, orders, seed, words)
        plan, _ = hexon_plan(game.record.battlefield, order)
        short = lay_out(plan, order.settings, order.stock).shortages
        yield StockFit(game=game, lacking=tuple((each.name, each.need - each.own) for each in short))


def best_built(found: Iterable[StockFit]) -> tuple[StockFit, ...]:
    """Return fields by how little a stock lacks for them, of equal ones the earlier seed first."""
    return tuple(sorted(found, key=lambda each: (each.missing, each.game.record.seed or 0)))


def stock_lines(found: Sequence[StockFit]) -> Iterator[Sentence]:
    """Yield a line for each field: its seed, and what is lacking."""
    for each in found:
        if each.lacking:
            pieces = ", ".join(f"{count} {name}" for name, count in each.lacking)
            yield Sentence("seed {seed}: lacks {pieces}", seed=each.game.record.seed, pieces=pieces)
        else:
            yield Sentence("seed {seed}: your stock builds it", seed=each.game.record.seed)
