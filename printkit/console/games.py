"""The games of a command line: new ones, one from a record, or an empty grid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import MsgspecError, Struct
from msgspec.json import decode
from msgspec.structs import replace

from printkit.console import terminal
from printkit.console.prompts import build_prompter
from printkit.core.errors import PrintkitError, ScenarioError, Sentence, UsageError, joined
from printkit.core.paths import exists
from printkit.options.commands import GameOptions
from printkit.options.printing import FOLDER, FileOptions

if TYPE_CHECKING:
    from printkit.core.words import Words
    from printkit.kit.system import RuleSystem
    from printkit.recipes.game.games import GeneratedGame
    from printkit.recipes.game.request import GameNames, Orders
    from printkit.terrain.field.record import Record

# The saved battlefields that --from finds by a part of their name: records, and the places of printkit 0.2.
_SAVED: Final = ("records/*.json", "*.json", "*-handouts/*/record.json")
# The most battlefields that a message lists.
_MOST_MATCHES: Final = 8


def check_conflicts(
    game: GameOptions, files: FileOptions, formats: Sequence[str], *, count: int = 1, blank: bool = False
) -> None:
    """Refuse conflicting options and unknown rules before any slow work starts.

    Args:
        game: the options of the games.
        files: the output options.
        formats: the formats to write.
        count: the number of games.
        blank: whether to print an empty grid.

    Raises:
        UsageError: options conflict, or the rule system does not exist.
    """
    from printkit.kit import registry

    if game.rules is not None:
        registry.validate_name(game.rules)
    _refuse_stages(game)
    playing = _new_game_options(game, count)
    if game.record is not None and playing:
        raise UsageError(
            "--from prints a saved battlefield; {playing} needs a new one", playing=joined(playing, Sentence(" and "))
        )
    if game.wish is not None:
        stages = {"--reroll": game.reroll, "--keep": game.keep}
        others = {"--count": count > 1, "--ask": game.ask, "--dice": game.dice, **stages}
        others |= {"--plan": files.plan, "--blank": blank}
        if conflicts := [name for name, value in others.items() if value]:
            raise UsageError(
                "--like chooses among new battlefields; remove {options}", options=joined(conflicts, Sentence(" and "))
            )
    if game.record is not None and game.seed is not None and not (game.reroll or game.keep or game.wish):
        raise UsageError(
            "--from prints a saved battlefield, so --seed has no effect. Remove --seed, or add --reroll or --keep."
        )
    refuse_ask_and_dice(game)
    if files.streams and (len(formats) > 1 or count > 1):
        raise UsageError("--out - writes a single file; use one --to and no --count")
    if blank and (game.record or game.ask or game.dice or game.box or count > 1):
        raise UsageError("--blank prints one empty grid; remove --from, --ask, --dice, --box and --count")


def _new_game_options(game: GameOptions, count: int) -> list[str]:
    """Return the names of the given options that work only with new games; empty if there are none."""
    new: dict[str, object] = {"--rules": game.rules, "--set": game.settings, "--scenario": game.scenario}
    new |= {"--dice": game.dice, "--ask": game.ask, "--board": game.board, "--cell": game.cell}
    new |= {"--count": count > 1}
    return [name for name, value in new.items() if value]


def _refuse_stages(game: GameOptions) -> None:
    """Refuse stages to roll again without a record, or together with stages to keep.

    Raises:
        UsageError: the options are not valid together.
    """
    if (game.reroll or game.keep) and game.record is None:
        raise UsageError("--reroll and --keep need --from RECORD.json, the game to roll again")
    if game.reroll and game.keep:
        raise UsageError("--reroll and --keep cannot be combined. Name the stages to roll again, or those to keep.")


def refuse_ask_and_dice(game: GameOptions) -> None:
    """Refuse ``--ask`` together with dice on the command line. A file of dice may be a log to continue.

    Raises:
        UsageError: both options are given.
    """
    if game.ask and game.dice is not None and not game.dice.startswith("@"):
        raise _conflict_error()


def _conflict_error() -> UsageError:
    """Return the error for ``--ask`` together with ``--dice``."""
    return UsageError("--ask and --dice cannot be combined. Use one of them.")


def games_of(
    game: GameOptions, words: Words, *, quiet: bool, count: int = 1, blank: bool = False
) -> Iterator[tuple[RuleSystem, GeneratedGame]]:
    """Yield each game with its rule system.

    Args:
        game: the options of the games.
        words: the words of the language.
        quiet: whether to hide progress.
        count: the number of new games.
        blank: whether to print an empty grid.

    Raises:
        PrintkitError: an option is not valid, or a game cannot be generated.
    """
    if game.record is None and count == 1 and not (game.ask or blank):
        terminal.stage(Sentence("rolling the terrain"))
    if game.box is not None:
        yield from _games_for_box(game.box, game, words, quiet=quiet, count=count)
    elif game.wish is not None:
        yield _find_similar_game(game.wish, game, words, quiet=quiet)
    elif game.record is not None:
        yield _load_game(find_record(game.record), game, words)
    elif blank:
        from printkit.recipes.prints.specimens import build_blank_game

        system, orders = blank_orders(game)
        yield system, build_blank_game(system, orders, words)
    else:
        yield from _play_games(game, words, quiet=quiet, count=count)


class _RecordHead(Struct, frozen=True):
    """The members of a record that name its battlefield."""

    rules: str
    title: str = ""


def find_record(text: str) -> Path:
    """Return the file of a saved battlefield from its path, or from a part of its name or title.

    A part of a name is looked up in the folder ``output``; a complete name goes first. Files with the same content
    count once.

    Raises:
        ScenarioError: no battlefield has this name.
        UsageError: several have it.
    """
    from printkit.core.nearest import plain_key

    path = Path(text)
    if exists(path) or path.suffix or len(path.parts) != 1:
        return path
    matches: dict[bytes, tuple[Path, str]] = {}
    for file in (file for pattern in _SAVED for file in sorted(FOLDER.glob(pattern))):
        if file.stem == text:
            return file
        with suppress(OSError, MsgspecError, ValueError, RecursionError):
            content = file.read_bytes()
            head = decode(content, type=_RecordHead)
            if plain_key(text) in plain_key(f"{file.stem} {head.title}"):
                day = date.fromtimestamp(file.stat().st_mtime)
                matches.setdefault(content, (file, f"{file} ({head.title}, {day})"))
    if len(matches) > 1:
        names = ", ".join(name for _, name in list(matches.values())[:_MOST_MATCHES])
        raise UsageError("several saved battlefields match {text!r}: {names}; name one of them", text=text, names=names)
    if not matches:
        raise ScenarioError(
            "there is no file {text!r}, and no saved battlefield in {folder} has this name", text=text, folder=FOLDER
        )
    ((file, _),) = matches.values()
    return file


def load_record(path: Path) -> tuple[RuleSystem, Record]:
    """Load a record from a file, with its rule system.

    Raises:
        PrintkitError: the file cannot be read or is not a record; the message names the file.
    """
    from printkit.core.words import IN_ENGLISH
    from printkit.kit.registry import read_record
    from printkit.kit.system import SubtitleSystem
    from printkit.recipes.game.request import read_text

    text = read_text(path)
    with terminal.naming(path):
        system, record = read_record(text)
        # The facts of the rules are read here, so that errors about them name the file.
        system.account(record, IN_ENGLISH)
        if isinstance(system, SubtitleSystem):
            system.subtitle(record, IN_ENGLISH)
        return system, record


def _load_game(path: Path, options: GameOptions, words: Words) -> tuple[RuleSystem, GeneratedGame]:
    """Load a game from a record, with stages rolled again if the options name some.

    Stages rolled again use the seed of the options, or a new seed.
    """
    from printkit.recipes.game.games import GeneratedGame, replay_game, roundtrip_record

    system, record = load_record(path)
    record = names_of(options).rename(record)
    if options.reroll or options.keep:
        fresh = terminal.fresh_seed() if options.seed is None else options.seed
        from printkit.recipes.box.refit import refit_to_box

        with terminal.naming(path):
            again = replay_game(system, record, words, reroll=options.reroll, keep=options.keep, new_seed=fresh)
        return system, refit_to_box(system, again, record, words)
    return system, GeneratedGame(record=roundtrip_record(system, record))


def _find_similar_game(
    wish: str, options: GameOptions, words: Words, *, quiet: bool
) -> tuple[RuleSystem, GeneratedGame]:
    """Return another battlefield like that of the options, the one of several that fits a wish best.

    With a saved battlefield the seeds to try begin with that of the options, otherwise after that of the new one.
    """
    from printkit.recipes.box.refit import refit_to_box
    from printkit.recipes.game.like import OTHER_NAMES, like

    ((system, base),) = games_of(replace(options, wish=None), words, quiet=quiet)
    first = (base.record.seed or 0) + 1
    if options.record is not None:
        first = terminal.fresh_seed() if options.seed is None else options.seed
    similar_game = like(system, base.record, wish, first, words)
    if wish != OTHER_NAMES and not quiet:
        output_words = terminal.words(terminal.output_language())
        values = {"count": similar_game.count, "before": similar_game.before}
        terminal.tell([output_words(f"studio.like.found.{wish}", **values)])
    return system, refit_to_box(system, similar_game.game, base.record, words)


def _games_for_box(
    name: str, game: GameOptions, words: Words, *, quiet: bool, count: int
) -> Iterator[tuple[RuleSystem, GeneratedGame]]:
    """Yield pairs of rule system and game, compared with a terrain box.

    New games without given dice may be rolled again to fit it. ``name`` is the path or name of the box, and ``count``
    the number of games.
    """
    from printkit.console.boxes import complete_box
    from printkit.recipes.box.piece_box import read_piece_box
    from printkit.recipes.box.refit import fit_to_box

    box = read_piece_box(name)
    throws = game.record is None and not game.ask and orders_of(game).dice is None
    for system, generated_game in games_of(replace(game, box=None), words, quiet=quiet, count=count):
        box = complete_box(name, box, generated_game.record, quiet=quiet)
        yield system, fit_to_box(system, generated_game, box, words, can_reroll=throws)


def blank_orders(options: GameOptions) -> tuple[RuleSystem, Orders]:
    """Return the rule system and the orders for an empty grid or form.

    Raises:
        PrintkitError: the rule system does not exist, or an option or file cannot be read.
    """
    from printkit.kit import registry

    orders = orders_of(options)
    return registry.find(orders.rules), orders


def _play_games(
    options: GameOptions, words: Words, *, quiet: bool, count: int
) -> Iterator[tuple[RuleSystem, GeneratedGame]]:
    """Yield new games from consecutive seeds, with their rule system; with ``--ask`` the user rolls.

    The first seed is that of the options, or a new seed; ``count`` games are yielded.
    """
    from printkit.recipes.game.games import play

    system, orders = new_orders(options)
    first = terminal.fresh_seed() if orders.first_seed is None else orders.first_seed
    for number in terminal.track_progress(range(first, first + count), quiet, total=count):
        goes_on = orders.seed is not None
        with terminal.naming(scenario_path(options)), saving_answers(orders, number):
            person = build_prompter() if options.ask else None
            game = play(system, orders, number, words, continues=goes_on, prompts=person)
        yield system, game


def names_of(options: GameOptions) -> GameNames:
    """Return the title and the players that the options name.

    Raises:
        UsageError: a name is not valid.
    """
    from printkit.recipes.game.request import GameNames

    return GameNames(title=options.game_title, players=options.player_names)


def scenario_path(options: GameOptions) -> Path | None:
    """Return the path of the scenario file, or None."""
    return None if options.scenario is None else Path(options.scenario)


@contextmanager
def saving_answers(orders: Orders, seed: int) -> Iterator[None]:
    """If the user stops answering, save their answers in a file and show the command that continues.

    It is a context manager for the game of one seed. Without answers nothing is saved. A stopped program ends as an
    interrupt.

    Raises:
        UsageError: the user stopped answering.
    """
    from printkit.chance.asking import UnansweredError
    from printkit.recipes.game.request import unfinished_log_text
    from printkit.recipes.output.files import write_folder

    try:
        yield
    except UnansweredError as end:
        if not end.answers:
            raise
        name = f"asked-{orders.rules}-seed{seed}.txt"
        copied_orders, files = _copy_named_files(orders, FOLDER / name)
        write_folder({name: unfinished_log_text(copied_orders, seed, end.answers), **files}, FOLDER, force=True)
        notice = Sentence(
            "answers saved: {count}. To continue: {command}",
            count=len(end.answers),
            command=terminal.command_with_option("--dice", f"@{FOLDER / name}"),
        )
        if terminal.is_stopped():
            terminal.tell([notice])
            raise KeyboardInterrupt from None
        raise UsageError("not finished; {saved}", saved=notice) from None


def _copy_named_files(orders: Orders, file: Path) -> tuple[Orders, dict[str, bytes]]:
    """Return the orders for a new file, and the bytes of the files that its settings name, by path.

    If the files cannot be copied, the orders keep the old paths, so that the answers of the user are not lost.
    """
    from printkit.kit.registry import find
    from printkit.recipes.game.copies import copy_setting_files

    all_settings = {**orders.settings, **orders.options}
    try:
        settings, files = copy_setting_files(find(orders.rules), all_settings, file, orders.find_file)
    except PrintkitError:
        return orders, {}
    return replace(orders, settings=settings, options={}), files


def new_orders(options: GameOptions) -> tuple[RuleSystem, Orders]:
    """Return the rule system and the orders for new games.

    Raises:
        PrintkitError: the rule system does not exist, or an option or file is wrong. A wrong ``--set`` is a UsageError.
    """
    from printkit.kit import registry

    orders = orders_of(options)
    if options.ask and orders.dice is not None and orders.log_seed is None:
        raise _conflict_error()
    system = registry.find(orders.rules)
    try:
        system.book.settle(orders.options)
    except ScenarioError as error:
        raise UsageError("--set: {error}", error=error) from None
    return system, orders


def orders_of(options: GameOptions) -> Orders:
    """Return the orders for a rule system, from the options and the scenario file.

    Raises:
        PrintkitError: an option or file cannot be read.
    """
    from printkit.recipes.game.request import build_orders

    return build_orders(
        rules=options.rules,
        settings=(*options.settings, *(f"{key}={text}" for key, text in names_of(options).settings.items())),
        scenario=scenario_path(options),
        board=options.board,
        cell=options.cell,
        seed=options.seed,
        dice=options.dice,
    )
