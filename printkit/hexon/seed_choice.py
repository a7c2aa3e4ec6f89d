"""Compare battlefields of several seeds by the Hexon pieces that a stock is missing, and by hills with slopes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from printkit.core.errors import Sentence
from printkit.core.words import Words
from printkit.hexon.files import part_name
from printkit.hexon.job import TileContext, make_hexon_plan
from printkit.hexon.layout.layout import lay_out
from printkit.kit.system import RuleSystem
from printkit.recipes.game.games import GeneratedGame, play
from printkit.recipes.game.request import Orders


class StockFit(Struct, frozen=True, kw_only=True):
    """A battlefield with its tiles.

    Attributes:
        game: the battlefield.
        missing_pieces: the number of missing pieces by name; without a stock nothing is missing.
        unlisted_pieces: the pieces that the stock does not list.
        hills: the number of hills.
        sloped: the number of hills with slopes.
        vertical: the number of hexes next to these hills where a slope is left out.
    """

    game: GeneratedGame
    missing_pieces: tuple[tuple[str, int], ...]
    unlisted_pieces: tuple[str, ...] = ()
    hills: int = 0
    sloped: int = 0
    vertical: int = 0

    @property
    def missing(self) -> int:
        """Return the total number of missing pieces."""
        return sum(count for _, count in self.missing_pieces)


def stock_fits(
    system: RuleSystem, orders: Orders, order: TileContext, seeds: Iterable[int], words: Words
) -> Iterator[StockFit]:
    """Yield a battlefield for each seed, with the pieces that the stock is missing for it.

    Raises:
        PrintkitError: a battlefield cannot be generated or laid with tiles.
    """
    for seed in seeds:
        yield stock_fit(play(system, orders, seed, words), order)


def stock_fit(game: GeneratedGame, order: TileContext) -> StockFit:
    """Return the pieces that the stock is missing for a battlefield.

    They include slopes of hills that were built as steps. Without a stock in ``order`` nothing is missing.

    Raises:
        PrintkitError: the battlefield cannot be laid with tiles.
    """
    plan, _ = make_hexon_plan(game.record.battlefield, order)
    layout = lay_out(plan, order.asked.hills, order.stock)
    missing_counts = {shortage.name: shortage.missing for shortage in layout.shortages}
    for hill in layout.hills:
        if hill.shortage is not None:
            missing_counts[hill.shortage.name] = max(missing_counts.get(hill.shortage.name, 0), hill.shortage.missing)
    sloped_hills = [hill for hill in layout.hills if hill.sloped]
    return StockFit(
        game=game,
        missing_pieces=tuple(missing_counts.items()),
        unlisted_pieces=layout.unlisted_pieces,
        hills=len(layout.hills),
        sloped=len(sloped_hills),
        vertical=sum(len(hill.faults) for hill in sloped_hills),
    )


def all_unlisted_pieces(fits: Iterable[StockFit]) -> tuple[str, ...]:
    """Return the pieces that any of the battlefields needs and the stock does not list."""
    return tuple(dict.fromkeys(name for fit in fits for name in fit.unlisted_pieces))


def sort_by_missing(fits: Iterable[StockFit]) -> tuple[StockFit, ...]:
    """Return battlefields by total number of missing pieces, fewest first, then by seed."""
    return tuple(sorted(fits, key=lambda fit: (fit.missing, fit.game.record.seed or 0)))


def sort_by_slopes(fits: Iterable[StockFit]) -> tuple[StockFit, ...]:
    """Return battlefields by the number of hills with slopes, most first.

    Ties are decided by missing pieces, then by left-out slopes, fewest first, then by seed.
    """
    return tuple(sorted(sort_by_missing(fits), key=lambda fit: (-fit.sloped, fit.missing, fit.vertical)))


def slope_lines(fits: Iterable[StockFit]) -> Iterator[Sentence]:
    """Yield what the order of the seeds is, then a line for each battlefield: its hills with slopes."""
    yield Sentence("The seeds with slopes on most hills come first.")
    for fit in fits:
        yield Sentence(
            "seed {seed}: hills with slopes: {sloped} of {hills}; slopes left out: {vertical}",
            seed=fit.game.record.seed,
            sloped=fit.sloped,
            hills=fit.hills,
            vertical=fit.vertical,
        )


def stock_lines(fits: Sequence[StockFit], words: Words) -> Iterator[Sentence]:
    """Yield a line for each battlefield: its seed and the missing pieces."""
    for fit in fits:
        if fit.missing_pieces:
            pieces = "; ".join(f"{count} {part_name(name, words)}" for name, count in fit.missing_pieces)
            yield Sentence("seed {seed}: missing {pieces}", seed=fit.game.record.seed, pieces=pieces)
        else:
            yield Sentence("seed {seed}: you own every piece", seed=fit.game.record.seed)
