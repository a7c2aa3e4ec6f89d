"""The commands of the secret dealing: deal, status and reveal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from printkit.console import options, terminal
from printkit.core.errors import ScenarioError, Sentence, UsageError
from printkit.core.units import parse_length

if TYPE_CHECKING:
    from printkit.recipes.game.games import Played
    from printkit.recipes.game.request import Orders
    from printkit.recipes.prints.maps import MapSheet
    from printkit.systems.brantley.dealing.closed_game import ClosedGame
    from printkit.systems.brantley.dealing.deal import ZoneCard

_FOLDER: Final = Path("output")

_GUESSED: Final = Sentence(
    "note: a short seed can be guessed from any player's sheet, and with it every card; for a game that hides "
    "something deal without --seed"
)

DealSeed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="N",
        min=0,
        help="Shuffle by this seed; it can be guessed from a player's sheet [128 bits that nobody can guess].",
    ),
]
Game = Annotated[Path, typer.Argument(metavar="GAME", help="The closed game, or its folder, that printkit deal wrote.")]
Placements = Annotated[
    Path | None,
    typer.Option("--placements", metavar="FILE", help="The turns, one a line [placements.txt beside the game]."),
]
Place = Annotated[
    list[str] | None,
    typer.Option("--place", metavar="TURN", help='Lay a card: "A a2 5" is the second of A\'s in zone 5; repeatable.'),
]
OwnFolder = Annotated[
    Path | None, typer.Option("--out", metavar="PATH", help="A file or a folder [the folder of the game].")
]
HiddenSheet = Annotated[
    Path | None, typer.Option("--out", metavar="PATH", help="Write the hidden sheet too, to a file or into a folder.")
]


def deal_(
    settings: options.Setting = None,
    scenario: options.Scenario = None,
    board: options.BoardSize = None,
    seed: DealSeed = None,
    dice: options.DiceText = None,
    sheet: options.Paper = "a4",
    margin: options.OwnMargin = None,
    style: options.StyleName = "campaign",
    lang: options.Language = None,
    out: options.Out = _FOLDER,
    force: options.Force = False,
    plan: options.Plan = False,
    printer: options.Printer = None,
    quiet: options.Quiet = False,
) -> None:
    """Deal the cards in secret: a closed game, a private sheet for each player, and the ninth card sealed."""
    from printkit.core import words as languages
    from printkit.recipes.output.files import write_folder
    from printkit.recipes.output.printers import sheet_request
    from printkit.recipes.prints.printing import would_write
    from printkit.systems.brantley.sheets.dealing import deal_files, deal_game

    if str(out) == "-":
        raise UsageError("--out - writes one file; deal writes several, so name a folder")
    words = languages.find(lang or terminal.language())
    order = sheet_request(
        sheet=sheet, margin=_length(margin), words=words, style=style, profile=terminal.profile(printer)
    )
    orders = _orders(settings, scenario, board, seed, dice)
    chosen = orders.seed is not None
    with terminal.naming(scenario):
        game = deal_game(
            orders,
            orders.seed if orders.seed is not None else terminal.fresh_seed(),
            salt=None if chosen else terminal.fresh_salt(),
        )
    folder = out / f"{orders.rules}-{game.seal.game}"
    files = deal_files(game, order)
    if plan:
        if chosen:
            terminal.tell([_GUESSED])
        terminal.show(would_write(folder / name for name in files))
        return
    written = write_folder(files, folder, force=force)
    if chosen:
        terminal.tell([_GUESSED])
    if not quiet:
        terminal.tell([_dealt(game), *(f"  {path}" for path in written)])


def status_(
    game: Game,
    placements: Placements = None,
    place: Place = None,
    sheet: options.Paper = "a4",
    margin: options.OwnMargin = None,
    style: options.StyleName = "campaign",
    lang: options.Language = None,
    to: options.Format = None,
    out: HiddenSheet = None,
    force: options.Force = False,
    printer: options.Printer = None,
    quiet: options.Quiet = False,
) -> None:
    """Show the board with its cards face down, and whose turn it is; lay a card with --place."""
    from printkit.core import words as languages
    from printkit.export.writers import known_document
    from printkit.recipes.output.printers import sheet_request
    from printkit.recipes.prints.printing import STREAM, write_document
    from printkit.systems.brantley.sheets.dealing import hidden_board, keep_turns, status_lines, turns_of, with_turns
    from printkit.systems.brantley.sheets.documents import hidden_document

    words = languages.find(lang or terminal.language())
    formats = tuple(dict.fromkeys(known_document(name) for name in to or ["pdf"]))
    if out == STREAM or (to and out is None):
        raise UsageError("the hidden sheet needs --out with a file or a folder; the board itself goes to the terminal")
    order = sheet_request(
        sheet=sheet, margin=_length(margin), words=words, style=style, profile=terminal.profile(printer)
    )
    closed, path, text = _opened(game, placements, writes=bool(place))
    with terminal.naming(path):
        if place:
            text = with_turns(closed, text, place)
        turns = turns_of(closed, text)
    board = hidden_board(closed, turns)
    written: tuple[Path, ...] = ()
    if out is not None:
        name = f"hidden-turn{len(turns)}"
        written = write_document(hidden_document(board, order), name, formats, out, force=force)
    if place:
        keep_turns(path, text)
    if not quiet:
        terminal.show(status_lines(board, words))
        print("".join(f"  {each}\n" for each in written), end="", file=sys.stderr)


def reveal_(
    game: Game,
    placements: Placements = None,
    settings: options.Setting = None,
    scenario: options.Scenario = None,
    seed: options.Seed = None,
    dice: options.DiceText = None,
    ask: options.Ask = False,
    sheet: options.Paper = "a4",
    margin: options.OwnMargin = None,
    overlap: options.Overlap = "10mm",
    furniture: options.Furniture = None,
    scale: options.Scale = "1:1",
    style: options.StyleName = "campaign",
    lang: options.Language = None,
    to: options.Format = None,
    out: OwnFolder = None,
    force: options.Force = False,
    plan: options.Plan = False,
    numbers: options.Numbers = True,
    zones: options.Zones = True,
    deployment: options.Deployment = True,
    printer: options.Printer = None,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Turn all nine cards up, throw for what follows, and print the battlefield with the proof of the deal."""
    from printkit.core import words as languages
    from printkit.export.writers import known
    from printkit.recipes.prints.maps import map_sheet
    from printkit.systems.brantley.sheets.dealing import reveal_game

    words = languages.find(lang or terminal.language())
    formats = tuple(dict.fromkeys(known(name) for name in to or ["pdf"]))
    if str(out) == "-":
        raise UsageError("--out - writes one file; reveal writes several, so name a folder")
    if ask and dice:
        raise UsageError("--ask and --dice together say two things; give the dice, or be asked for them")
    order = map_sheet(
        sheet=sheet,
        margin=_length(margin),
        overlap=parse_length(overlap),
        words=words,
        style=style,
        furniture=furniture,
        scale=scale,
        numbers=numbers,
        zones=zones,
        deployment=deployment,
        profile=terminal.profile(printer),
    )
    orders = _orders(settings, scenario, None, seed, dice)
    closed, turns = _laid(game, placements, orders, scenario)
    with terminal.naming(scenario):
        played = reveal_game(closed, turns, orders, words, table=terminal.table() if ask else None)
    _print_reveal(played, order, formats, _target(game, out), force=force, plan=plan, quiet=quiet, verbose=verbose)


def _orders(
    settings: Sequence[str] | None, scenario: Path | None, board: str | None, seed: int | None, dice: str | None
) -> Orders:
    """Return the orders of a command line, whose settings the rule book knows."""
    from printkit.kit.registry import DEFAULT, find
    from printkit.recipes.game.request import dice_text, ordered

    orders = ordered(
        rules=None,
        settings=settings or (),
        scenario=scenario,
        board=board,
        seed=seed,
        dice=dice_text(dice),
        default_rules=DEFAULT,
    )
    try:
        find(orders.rules).book.settle(orders.options)
    except ScenarioError as error:
        raise UsageError("--set: {error}", error=error) from None
    return orders


def _length(text: str | None) -> float | None:
    return None if text is None else parse_length(text)


def _opened(game: Path, placements: Path | None, *, writes: bool) -> tuple[ClosedGame, Path, str]:
    """Return a closed game, and the file of its turns with its text."""
    from printkit.recipes.game.request import read_text
    from printkit.systems.brantley.dealing.closed_game import read
    from printkit.systems.brantley.sheets.dealing import PLACEMENTS, closed_file, kept_turns

    file = closed_file(game)
    text = read_text(file)
    with terminal.naming(file):
        closed = read(text)
    path = placements or file.with_name(PLACEMENTS)
    return closed, path, kept_turns(path, asked_for=placements is not None and not (writes and not path.exists()))


def _laid(
    game: Path, placements: Path | None, orders: Orders, scenario: Path | None
) -> tuple[ClosedGame, tuple[ZoneCard, ...]]:
    """Return a closed game and its turns: of the file that a person names, of the scenario, or beside the game."""
    from printkit.systems.brantley.sheets.dealing import turns_of

    closed, path, text = _opened(game, placements, writes=False)
    listed = orders.inputs.get("placements")
    if placements is None and isinstance(listed, list) and scenario is not None:
        path, text = scenario, "\n".join(listed)
    with terminal.naming(path):
        return closed, turns_of(closed, text)


def _target(game: Path, out: Path | None) -> Path:
    """Return the file of the map: in the folder of the game, in another, or as a person named it."""
    from printkit.export.writers import FORMATS
    from printkit.systems.brantley.sheets.dealing import closed_file

    if out is not None and out.suffix.lower().lstrip(".") in FORMATS:
        return out
    return (out or closed_file(game).parent) / "map.pdf"


def _print_reveal(
    played: Played,
    order: MapSheet,
    formats: Sequence[str],
    target: Path,
    *,
    force: bool,
    plan: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Write the map, its record and the reveal sheet, and say where; or say what would be written."""
    from printkit.kit.registry import find
    from printkit.recipes.output.printers import SheetRequest
    from printkit.recipes.prints.maps import map_document
    from printkit.recipes.prints.printing import plan_lines, report_lines, would_write, write_map
    from printkit.systems.brantley.sheets.dealing import reveal_sheet

    document, planned = map_document(played.record, find(played.record.rules), order)
    private = SheetRequest(sheet=order.sheet, words=order.words, style=order.style, profile=order.profile)
    sheet = reveal_sheet(played.record, private)
    name = "reveal" if target.name == "map.pdf" else f"{target.stem}-reveal"
    if plan:
        from printkit.export.png import ink_estimate

        terminal.show(plan_lines(played, order, planned, formats, target, 1, ink=ink_estimate(document)))
        terminal.show(would_write([target.with_name(f"{name}.pdf")]))
        return
    to = target.with_name(target.stem)
    written = write_map(document, played.record, formats, to, force=force, beside={name: sheet})
    if verbose:
        from printkit.chance.dice import write_log

        print(write_log(played.record.log), end="", file=sys.stderr)
    if not quiet:
        terminal.tell(report_lines(played, order, planned, written))


def _dealt(game: ClosedGame) -> str:
    """Return what everybody may know of a deal."""
    seal, first = game.seal, game.first
    told = Sentence(
        "game {game}, commitment {commitment}: player {first} lays the first card",
        game=seal.game,
        commitment=seal.grouped,
        first=first,
    )
    return Sentence("{told} after {thrown}", told=told, thrown=" ".join(game.thrown)) if game.thrown else told
