"""The games that a command line asks for: new ones, one from a record, or an empty grid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from printkit.console import options, terminal
from printkit.core.errors import ScenarioError, UsageError

if TYPE_CHECKING:
    from printkit.core.words import Words
    from printkit.kit.system import RuleSystem
    from printkit.recipes.game.games import Played
    from printkit.recipes.game.request import Orders


class Wanted(Struct, frozen=True, kw_only=True):
    """What a command line says of the games to print, as it was typed; None and empty where it says nothing."""

    rules: str | None = None
    settings: Sequence[str] = ()
    scenario: Path | None = None
    board: str | None = None
    cell: str | None = None
    seed: int | None = None
    dice: str | None = None
    ask: bool = False
    record: Path | None = None
    reroll: Sequence[str] = ()
    keep: Sequence[str] = ()
    count: int = 1
    blank: bool = False
    box: str | None = None

    def refuse_together(self, out: Path, formats: Sequence[str]) -> None:
        """Refuse options that contradict each other, and rules that are not there, before either costs time.

        Raises:
            UsageError: says which, and why.
        """
        from printkit.kit import registry as systems

        if self.rules is not None:
            systems.known(self.rules)
        new: dict[str, object] = {"--rules": self.rules, "--set": self.settings, "--scenario": self.scenario}
        new |= {"--dice": self.dice, "--ask": self.ask, "--board": self.board, "--cell": self.cell}
        new |= {"--count": self.count > 1}
        options.refuse_together(
            from_=self.record,
            reroll=self.reroll,
            keep=self.keep,
            seed=self.seed,
            playing=[name for name, value in new.items() if value],
            out=out,
            formats=formats,
        )
        if self.blank and (self.record or self.ask or self.dice or self.box or self.count > 1):
            raise UsageError(
                "--blank throws nothing and prints one empty grid; leave --from, --ask, --dice, --box and --count"
            )


def games_of(wanted: Wanted, words: Words, *, quiet: bool) -> Iterator[tuple[RuleSystem, Played]]:
    """Yield each game with its rule system.

    Raises:
        PrintkitError: something asked for cannot be played.
    """
    if wanted.box is not None:
        yield from _boxed(wanted.box, wanted, words, quiet=quiet)
    elif wanted.record is not None:
        yield _recorded(wanted.record, wanted, words)
    elif wanted.blank:
        yield _blank(wanted, words)
    else:
        yield from _played(wanted, words, quiet=quiet)


def _recorded(path: Path, wanted: Wanted, words: Words) -> tuple[RuleSystem, Played]:
    from printkit.kit.registry import read_record
    from printkit.recipes.game.games import Played, play_again, settled
    from printkit.recipes.game.request import read_text

    text = read_text(path)
    with terminal.naming(path):
        system, record = read_record(text)
    if wanted.reroll or wanted.keep:
        fresh = terminal.fresh_seed() if wanted.seed is None else wanted.seed
        from printkit.recipes.box.holding import held_again

        again = play_again(system, record, words, reroll=wanted.reroll, keep=wanted.keep, fresh=fresh)
        return system, held_again(system, again, record, words)
    return system, Played(record=settled(system, record))


def _boxed(name: str, wanted: Wanted, words: Words, *, quiet: bool) -> Iterator[tuple[RuleSystem, Played]]:
    """Yield games held to a box; only a new one, of which the person throws no die himself, is thrown again for it."""
    from printkit.recipes.box.holding import held
    from printkit.recipes.box.piece_box import read_piece_box

    box = read_piece_box(name)
    throws = wanted.record is None and not wanted.ask and _orders(wanted).dice is None
    for system, game in games_of(replace(wanted, box=None), words, quiet=quiet):
        yield system, held(system, game, box, words, throws=throws)


def blank_orders(wanted: Wanted) -> tuple[RuleSystem, Orders]:
    """Return the rule system of which an empty grid or form is asked for, and what is ordered of it.

    Raises:
        PrintkitError: no such rules, or an order that cannot be read.
    """
    from printkit.kit import registry as systems

    orders = _orders(wanted)
    return systems.find(orders.rules), orders


def _blank(wanted: Wanted, words: Words) -> tuple[RuleSystem, Played]:
    from printkit.recipes.prints.specimens import blank_game

    system, orders = blank_orders(wanted)
    return system, blank_game(system, orders, words)


def _played(wanted: Wanted, words: Words, *, quiet: bool) -> Iterator[tuple[RuleSystem, Played]]:
    from printkit.recipes.game.games import play

    system, orders = new_orders(wanted)
    first = orders.seed if orders.seed is not None else terminal.fresh_seed()
    for number in terminal.counted(range(first, first + wanted.count), quiet, total=wanted.count):
        goes_on = orders.seed is not None
        with terminal.naming(wanted.scenario):
            table = terminal.table() if wanted.ask else None
            game = play(system, orders, number, words, goes_on=goes_on, table=table)
        yield system, game


def new_orders(wanted: Wanted) -> tuple[RuleSystem, Orders]:
    """Return the rule system of which new games are asked for, and what is ordered of it.

    Raises:
        PrintkitError: no such rules, or an order that cannot be read; a wrong ``--set`` is a wrong command line.
    """
    from printkit.kit import registry as systems

    orders = _orders(wanted)
    system = systems.find(orders.rules)
    try:
        system.book.settle(orders.options)
    except ScenarioError as error:
        raise UsageError("--set: {error}", error=error) from None
    return system, orders


def _orders(wanted: Wanted) -> Orders:
    from printkit.kit import registry as systems
    from printkit.recipes.game.request import dice_text, ordered

    return ordered(
        rules=wanted.rules,
        settings=wanted.settings,
        scenario=wanted.scenario,
        board=wanted.board,
        cell=wanted.cell,
        seed=wanted.seed,
        dice=dice_text(wanted.dice),
        default_rules=systems.DEFAULT,
    )
