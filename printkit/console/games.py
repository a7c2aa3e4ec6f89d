"""The games that a command line asks for: new ones, one from a record, or an empty grid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from printkit.console import terminal
from printkit.console.options import FOLDER, STREAM, Game
from printkit.core.errors import PrintkitError, ScenarioError, UsageError

if TYPE_CHECKING:
    from printkit.core.words import Words
    from printkit.kit.system import RuleSystem
    from printkit.recipes.game.games import Played
    from printkit.recipes.game.request import Orders
    from printkit.terrain.field.record import Record


class Wanted(Struct, frozen=True, kw_only=True):
    """The games to print: which, how many, whether an empty grid is meant, and the box to which fields are held."""

    game: Game
    count: int = 1
    blank: bool = False
    box: str | None = None

    def refuse_together(self, out: Path, formats: Sequence[str]) -> None:
        """Refuse options that contradict each other, and rules that are not there, before either costs time.

        Raises:
            UsageError: says which, and why.
        """
        from printkit.kit import registry

        game = self.game
        if game.rules is not None:
            registry.known(game.rules)
        _refuse_stages(game)
        playing = self._playing()
        if game.record is not None and playing:
            raise UsageError(
                "--from prints a game that was played; {playing} would need a new one", playing=" and ".join(playing)
            )
        if game.record is not None and game.seed is not None and not (game.reroll or game.keep or game.overwrite):
            raise UsageError(
                "--from throws nothing; --seed goes with --reroll, --keep or --overwrite, for what is thrown"
            )
        refuse_ask_and_dice(game)
        if out == STREAM and (len(formats) > 1 or self.count > 1):
            raise UsageError("--out - writes one file; give one --to and no --count")
        if self.blank and (game.record or game.ask or game.dice or self.box or self.count > 1):
            raise UsageError(
                "--blank throws nothing and prints one empty grid; leave --from, --ask, --dice, --box and --count"
            )

    def _playing(self) -> list[str]:
        """Return the options given that only a new game can heed."""
        game = self.game
        new: dict[str, object] = {"--rules": game.rules, "--set": game.settings, "--scenario": game.scenario}
        new |= {"--dice": game.dice, "--ask": game.ask, "--board": game.board, "--cell": game.cell}
        new |= {"--count": self.count > 1}
        return [name for name, value in new.items() if value]


def _refuse_stages(game: Game) -> None:
    if (game.reroll or game.keep) and game.record is None:
        raise UsageError("--reroll and --keep need --from RECORD.json, the game whose stages they throw anew")
    if game.reroll and game.keep:
        raise UsageError("--reroll and --keep together say two things; give the stages to throw, or those to keep")
    if game.overwrite and game.record is None:
        raise UsageError("--overwrite needs --from RECORD.json, the game whose throws it changes")
    if game.overwrite and (game.reroll or game.keep):
        raise UsageError("--overwrite goes without --reroll and --keep; do one, and the other with the record of it")


def refuse_ask_and_dice(game: Game) -> None:
    """Refuse to ask for throws that are given; what is in a file may be a log, which is gone on with.

    Raises:
        UsageError: both are asked for.
    """
    if game.ask and game.dice is not None and not game.dice.startswith("@"):
        raise _asked_and_given()


def _asked_and_given() -> UsageError:
    return UsageError("--ask and --dice together say two things; give the dice, or be asked for them")


def games_of(wanted: Wanted, words: Words, *, quiet: bool) -> Iterator[tuple[RuleSystem, Played]]:
    """Yield each game with its rule system.

    Raises:
        PrintkitError: something asked for cannot be played.
    """
    if wanted.box is not None:
        yield from _boxed(wanted.box, wanted, words, quiet=quiet)
    elif wanted.game.record is not None:
        yield _recorded(wanted.game.record, wanted.game, words)
    elif wanted.blank:
        yield _blank(wanted, words)
    else:
        yield from _played(wanted, words, quiet=quiet)


def recorded(path: Path) -> tuple[RuleSystem, Record]:
    """Return the record of a file and the rule system that made it.

    Raises:
        PrintkitError: it cannot be read, or is no record; names the file.
    """
    from printkit.kit.registry import read_record
    from printkit.recipes.game.request import read_text

    text = read_text(path)
    with terminal.naming(path):
        return read_record(text)


def _recorded(path: Path, asked: Game, words: Words) -> tuple[RuleSystem, Played]:
    from printkit.recipes.game.games import Played, play_again, settled
    from printkit.recipes.game.request import laid_over

    own = laid_over(asked.overwrite)
    system, record = recorded(path)
    if asked.reroll or asked.keep or own:
        fresh = terminal.fresh_seed() if asked.seed is None else asked.seed
        from printkit.recipes.box.holding import held_again

        again = play_again(system, record, words, reroll=asked.reroll, keep=asked.keep, own=own, fresh=fresh)
        return system, held_again(system, again, record, words)
    return system, Played(record=settled(system, record))


def _boxed(name: str, wanted: Wanted, words: Words, *, quiet: bool) -> Iterator[tuple[RuleSystem, Played]]:
    """Yield games held to a box; only a new one, of which the person throws no die himself, is thrown again for it."""
    from printkit.console.boxes import asked_box
    from printkit.recipes.box.holding import held
    from printkit.recipes.box.piece_box import read_piece_box

    box = read_piece_box(name)
    throws = wanted.game.record is None and not wanted.game.ask and orders_of(wanted.game).dice is None
    for system, game in games_of(replace(wanted, box=None), words, quiet=quiet):
        box = asked_box(name, box, game.record, quiet=quiet)
        yield system, held(system, game, box, words, throws=throws)


def blank_orders(asked: Game) -> tuple[RuleSystem, Orders]:
    """Return the rule system of which an empty grid or form is asked for, and what is ordered of it.

    Raises:
        PrintkitError: no such rules, or an order that cannot be read.
    """
    from printkit.kit import registry

    orders = orders_of(asked)
    return registry.find(orders.rules), orders


def _blank(wanted: Wanted, words: Words) -> tuple[RuleSystem, Played]:
    from printkit.recipes.prints.specimens import blank_game

    system, orders = blank_orders(wanted.game)
    return system, blank_game(system, orders, words)


def _played(wanted: Wanted, words: Words, *, quiet: bool) -> Iterator[tuple[RuleSystem, Played]]:
    from printkit.recipes.game.games import play

    system, orders = new_orders(wanted.game)
    first = terminal.fresh_seed() if orders.first_seed is None else orders.first_seed
    for number in terminal.counted(range(first, first + wanted.count), quiet, total=wanted.count):
        goes_on = orders.seed is not None
        with terminal.naming(wanted.game.scenario), answers_kept(orders, number):
            person = terminal.person() if wanted.game.ask else None
            game = play(system, orders, number, words, goes_on=goes_on, person=person)
        yield system, game


@contextmanager
def answers_kept(orders: Orders, seed: int) -> Iterator[None]:
    """Keep the answers of a person who gives no more in a file, and say how to go on with it.

    Raises:
        UsageError: he gives no more.
    """
    from printkit.chance.asking import UnansweredError
    from printkit.recipes.game.request import begun_text
    from printkit.recipes.output.files import write_folder

    try:
        yield
    except UnansweredError as end:
        if not end.kept:
            raise
        name = f"asked-{orders.rules}-seed{seed}.txt"
        kept, files = _named_beside(orders, FOLDER / name)
        write_folder({name: begun_text(kept, seed, end.kept), **files}, FOLDER, force=True)
        raise UsageError(
            "the terminal gave no more answers; the {count} that it gave are kept, go on with --ask --dice @{path}",
            count=len(end.kept),
            path=FOLDER / name,
        ) from None


def _named_beside(orders: Orders, file: Path) -> tuple[Orders, dict[str, bytes]]:
    """Return what is ordered as a file has it, and the copies of the files that it names there.

    Where they cannot be copied they stay named as they are: the answers of a person are not lost for that.
    """
    from printkit.kit.registry import find
    from printkit.recipes.game.copied_settings import copied_settings

    own = {**orders.settings, **orders.options}
    try:
        settings, files = copied_settings(find(orders.rules), own, file, orders.file_of)
    except PrintkitError:
        return orders, {}
    return replace(orders, settings=settings, options={}), files


def new_orders(asked: Game) -> tuple[RuleSystem, Orders]:
    """Return the rule system of which new games are asked for, and what is ordered of it.

    Raises:
        PrintkitError: no such rules, or an order that cannot be read; a wrong ``--set`` is a wrong command line.
    """
    from printkit.kit import registry

    orders = orders_of(asked)
    if asked.ask and orders.dice is not None and orders.logged is None:
        raise _asked_and_given()
    system = registry.find(orders.rules)
    try:
        system.book.settle(orders.options)
    except ScenarioError as error:
        raise UsageError("--set: {error}", error=error) from None
    return system, orders


def orders_of(asked: Game) -> Orders:
    """Return what is ordered of a rule system, from options and the scenario file.

    Raises:
        PrintkitError: an option or a file that cannot be read.
    """
    from printkit.recipes.game.request import ordered

    return ordered(
        rules=asked.rules,
        settings=asked.settings,
        scenario=asked.scenario,
        board=asked.board,
        cell=asked.cell,
        seed=asked.seed,
        dice=asked.dice,
    )
