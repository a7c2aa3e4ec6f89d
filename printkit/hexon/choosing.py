"""Compare battlefields of several seeds by the Hexon pieces that a stock is missing for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from printkit.core.errors import Sentence
from printkit.core.words import Words
from printkit.hexon.files import part_word
from printkit.hexon.job import TileContext, hexon_plan
from printkit.hexon.layout.layout import lay_out
from printkit.kit.system import RuleSystem
from printkit.recipes.game.games import GeneratedGame, play
from printkit.recipes.game.request import Orders


class StockFit(Struct, frozen=True, kw_only=True):
    """A battlefield, the number of missing pieces by name, and the pieces that the stock does not list."""

    game: GeneratedGame
    lacking: tuple[tuple[str, int], ...]
    unlisted: tuple[str, ...] = ()

    @property
    def missing(self) -> int:
        """Return the total number of missing pieces."""
        return sum(count for _, count in self.lacking)


def stock_fits(
    system: RuleSystem, orders: Orders, order: TileContext, seeds: Iterable[int], words: Words
) -> Iterator[StockFit]:
    """Yield the battlefield of each seed with the pieces that the stock is missing for it.

    Raises:
        PrintkitError: a battlefield cannot be generated or laid with tiles.
    """
    for seed in seeds:
        yield stock_fit(play(system, orders, seed, words), order)


def stock_fit(game: GeneratedGame, order: TileContext) -> StockFit:
    """Return the pieces that the stock is missing for a battlefield, including slopes of hills built as steps.

    Raises:
        PrintkitError: the battlefield cannot be laid with tiles.
    """
    plan, _ = hexon_plan(game.record.battlefield, order)
    layout = lay_out(plan, order.asked.hills, order.stock)
    lacking = {each.name: each.missing for each in layout.shortages}
    for hill in layout.hills:
        if hill.lacks is not None:
            lacking[hill.lacks.name] = max(lacking.get(hill.lacks.name, 0), hill.lacks.missing)
    return StockFit(game=game, lacking=tuple(lacking.items()), unlisted=layout.unlisted)


def unlisted(found: Iterable[StockFit]) -> tuple[str, ...]:
    """Return the pieces that any of the battlefields needs and the stock does not list."""
    return tuple(dict.fromkeys(name for each in found for name in each.unlisted))


def best_built(found: Iterable[StockFit]) -> tuple[StockFit, ...]:
    """Return battlefields by number of missing pieces, fewest first, then by seed."""
    return tuple(sorted(found, key=lambda each: (each.missing, each.game.record.seed or 0)))


def stock_lines(found: Sequence[StockFit], words: Words) -> Iterator[Sentence]:
    """Yield a line for each battlefield: its seed and the missing pieces."""
    for each in found:
        if each.lacking:
            pieces = "; ".join(f"{count} {part_word(name, words)}" for name, count in each.lacking)
            yield Sentence("seed {seed}: missing {pieces}", seed=each.game.record.seed, pieces=pieces)
        else:
            yield Sentence("seed {seed}: you own every piece", seed=each.game.record.seed)
