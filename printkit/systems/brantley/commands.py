"""The commands of the secret dealing: deal, status, reveal and verify."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Struct

from printkit.console import options, terminal
from printkit.console.locks import alone_at
from printkit.console.options import FOLDER, STREAM, Game, Output, Paper
from printkit.console.parameters import Opt, argument, flag, made_of
from printkit.core.errors import ScenarioError, Sentence, UsageError, typed_path
from printkit.core.numbers import GREATEST
from printkit.core.paths import exists

if TYPE_CHECKING:
    from printkit.recipes.game.games import Played
    from printkit.recipes.game.request import Orders
    from printkit.recipes.output.printers import SheetRequest
    from printkit.recipes.prints.maps import MapSheet
    from printkit.systems.brantley.dealing.closed_game import ClosedGame
    from printkit.systems.brantley.dealing.deal import ZoneCard
    from printkit.systems.brantley.dealing.reveal_note import RevealNote
    from printkit.terrain.field.record import Record

ClosedFile = Annotated[Path, argument("GAME", "The closed game, or its folder, that printkit deal wrote.")]
_RECORD: Final = "map.json"
"""The name of the record that a reveal puts beside the closed game."""

Placements = Annotated[
    Path | None, Opt("--placements", "FILE", "The turns, one a line [placements.txt beside the game].")
]


class DealOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit deal``."""

    settings: options.Settings = ()
    scenario: options.Scenario = None
    board: options.BoardSize = None
    seed: Annotated[
        int | None,
        Opt(
            "--seed",
            "N",
            "The seed of the dice that follow the reveal [a new one]; the pack never comes from it, but for --open.",
            least=0,
            most=GREATEST,
        ),
    ] = None
    open: Annotated[bool, flag("--open", "A game that hides nothing: pack and salt come from the seed.")] = False
    dice: options.DiceText = None
    sheet: options.PaperName = "a4"
    margin: options.OwnMargin = None
    style: options.StyleName = "campaign"
    large_print: options.LargePrint = False
    lang: options.Language = None
    player_a: options.PlayerA = ()
    player_b: options.PlayerB = ()
    to: options.FolderFormats = ()
    url_base: options.UrlBase = ""
    out: options.Out = FOLDER
    force: options.Force = False
    plan: options.Plan = False
    printer: options.Printer = None
    quiet: options.Quiet = False


def deal(asked: DealOptions) -> None:
    """Deal a game, and write its sheets into a folder."""
    from printkit.console.games import new_orders
    from printkit.export.writers import FOLDERS
    from printkit.recipes.output.files import write_folder
    from printkit.recipes.output.printers import PrintRequest, printing_of_players
    from printkit.recipes.prints.printing import would_write
    from printkit.systems.brantley.sheets.dealing import deal_files, deal_game
    from printkit.systems.brantley.sheets.virtual_hands import virtual_hands

    if asked.out == STREAM:
        raise UsageError("--out - writes one file; deal writes several, so name a folder")
    order = _sheets(asked)
    choices = {"A": asked.player_a, "B": asked.player_b}
    usual, profile = made_of(PrintRequest, asked), terminal.profile(asked.printer)
    own = printing_of_players(choices, usual, asked.lang, words=terminal.words, profile=profile)
    _, orders = new_orders(made_of(Game, asked))
    with terminal.naming(asked.scenario):
        game = deal_game(
            orders,
            orders.seed if orders.seed is not None else terminal.fresh_seed(),
            salt=terminal.fresh_salt(),
            is_open=asked.open,
        )
    folder = asked.out / f"{orders.rules}-{game.seal.game}"
    formats = Output(to=asked.to).formats(FOLDERS)
    files = deal_files(game, order, own)
    if "tts" in formats:
        files |= virtual_hands(game, order, folder, url_base=asked.url_base, own=own)
    if "pdf" not in formats:
        files = {name: content for name, content in files.items() if not name.endswith(".pdf")}
    written = () if asked.plan else write_folder(files, folder, force=asked.force, private=True)
    if asked.plan:
        terminal.show(would_write(folder / name for name in files))
    elif not asked.quiet:
        terminal.tell([_dealt(game), *(f"  {path}" for path in written), _after_deal(game, folder)])


class StatusOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit status``."""

    game: ClosedFile
    placements: Placements = None
    place: Annotated[
        tuple[str, ...],
        Opt("--place", "TURN", 'Lay a card: "A a2 5" is the second of A\'s in zone 5; repeatable.'),
    ] = ()
    number: Annotated[
        tuple[str, ...],
        Opt(
            "--number",
            "PLAYER=N",
            "Before the reveal: a player's own number, A=4711, which stirs the dice; one for each player.",
        ),
    ] = ()
    sheet: options.PaperName = "a4"
    margin: options.OwnMargin = None
    style: options.StyleName = "campaign"
    large_print: options.LargePrint = False
    lang: options.Language = None
    to: options.SheetFormats = ()
    out: Annotated[Path | None, Opt("--out", "PATH", "Write the hidden sheet too, to a file or into a folder.")] = None
    force: options.Force = False
    printer: options.Printer = None
    quiet: options.Quiet = False


def status(asked: StatusOptions) -> None:
    """Show a closed game, lay cards, and write the hidden sheet."""
    from printkit.export.writers import PAGES
    from printkit.recipes.prints.printing import write_document
    from printkit.systems.brantley.dealing.numbers import added
    from printkit.systems.brantley.sheets.dealing import hidden_board, status_lines, turns_of, with_turns
    from printkit.systems.brantley.sheets.documents import hidden_document
    from printkit.systems.brantley.sheets.game_folder import (
        closed_file,
        keep_numbers,
        keep_turns,
        kept_note,
        kept_numbers,
    )

    formats = Output(to=asked.to).formats(PAGES)
    if asked.out == STREAM or (asked.to and asked.out is None):
        raise UsageError("the hidden sheet needs --out with a file or a folder; the board itself goes to the terminal")
    order, file = _sheets(asked), closed_file(asked.game)
    with alone_at(file) if asked.place or asked.number else nullcontext():
        closed, path, text = _opened(asked.game, asked.placements, writes=bool(asked.place))
        with terminal.naming(path):
            if asked.place:
                text = with_turns(closed, text, asked.place)
            turns = turns_of(closed, text)
        before = kept_numbers(file)
        numbers = added(before, asked.number)
        if numbers != before and kept_note(file) is not None:
            raise ScenarioError(
                "this game is revealed and its dice have fallen; a player's number comes before", clause="BR-M13"
            )
        board = hidden_board(closed, turns)
        written: tuple[Path, ...] = ()
        if asked.out is not None:
            name = f"hidden-turn{len(turns)}"
            written = write_document(hidden_document(board, order), name, formats, asked.out, force=asked.force)
        if asked.place:
            keep_turns(path, text)
        if numbers != before:
            keep_numbers(file, numbers)
    if not asked.quiet:
        terminal.show(status_lines(board, order.words, numbers))
        if written:
            terminal.tell([f"  {each}" for each in written])


class RevealOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit reveal``."""

    game: ClosedFile
    placements: Placements = None
    settings: options.Settings = ()
    scenario: options.Scenario = None
    dice: options.DiceText = None
    ask: options.Ask = False
    paper: Paper
    furniture: options.FurnitureKind = None
    scale: options.Scale = "1:1"
    dressing: options.DressingKind = "light"
    key: options.KeyKind = "plain"
    style: options.StyleName = "campaign"
    lang: options.Language = None
    to: options.Formats = ()
    out: Annotated[Path | None, Opt("--out", "PATH", "A file or a folder [the folder of the game].")] = None
    force: options.Force = False
    plan: options.Plan = False
    numbers: options.Numbers = True
    zones: options.Zones = True
    deployment: options.Deployment = True
    show_seed: options.ShowSeed = False
    large_print: options.LargePrint = False
    printer: options.Printer = None
    quiet: options.Quiet = False
    verbose: options.Verbose = False


def reveal(asked: RevealOptions) -> None:
    """Reveal a closed game, and print its battlefield."""
    from printkit.console.games import answers_kept, new_orders, refuse_ask_and_dice
    from printkit.export.writers import PAGES, RECORDS
    from printkit.recipes.prints.maps import MapRequest, map_sheet
    from printkit.systems.brantley.dealing.reveal_note import RevealNote
    from printkit.systems.brantley.sheets.dealing import reveal_game
    from printkit.systems.brantley.sheets.game_folder import REVEALED, closed_file, kept_note, kept_numbers

    words, formats = terminal.words(asked.lang), Output(to=asked.to).formats(PAGES, RECORDS)
    if asked.out == STREAM:
        raise UsageError("--out - writes one file; reveal writes several, so name a folder")
    thrown = made_of(Game, asked)
    refuse_ask_and_dice(thrown)
    order = map_sheet(made_of(MapRequest, asked, asked.paper), words, terminal.profile(asked.printer))
    _, orders = new_orders(thrown)
    file = closed_file(asked.game)
    with nullcontext() if asked.plan else alone_at(file):
        closed, turns = _laid(asked, orders)
        numbers, before = kept_numbers(file), kept_note(file)
        with terminal.naming(asked.scenario), answers_kept(orders, closed.seed):
            person = terminal.person() if asked.ask else None
            played = reveal_game(closed, turns, orders, words, numbers=numbers, person=person)
        now = RevealNote.of(played.record, closed)
        if before is not None:
            with terminal.naming(file.with_name(REVEALED)):
                before.refuse_other(now)
        _print_reveal(played, order, formats, asked, None if before else now)


class VerifyOptions(Struct, frozen=True, kw_only=True):
    """The options of ``printkit verify``."""

    game: ClosedFile
    code: Annotated[tuple[str, ...], argument("SHEET-CODE", "The commitment on your sheet, with or without spaces.")]
    record: Annotated[
        Path | None, Opt("--record", "RECORD.json", "The record of the reveal [map.json beside the game].")
    ] = None
    number: Annotated[
        tuple[str, ...], Opt("--number", "PLAYER=N", "A number that a player has told, A=4711; one for each player.")
    ] = ()
    lang: options.Language = None
    quiet: options.Quiet = False


def verify(asked: VerifyOptions) -> int:
    """Prove to a player that a sealed game was not changed after the deal; something wrong is status 1."""
    from printkit.systems.brantley.dealing.numbers import added
    from printkit.systems.brantley.sheets.game_folder import closed_file, kept_note, kept_numbers
    from printkit.systems.brantley.sheets.verifying import code_line, number_line, proof_lines, read_code

    words, code, own = terminal.words(asked.lang), read_code(asked.code), added({}, asked.number)
    file = closed_file(asked.game)
    game = _closed(file)
    found = [code_line(game, code)]
    path = asked.record or file.with_name(_RECORD)
    after = Sentence("not revealed yet: the rest can be proven when it is")
    if found[0].fault is None:
        numbers, note = kept_numbers(file), kept_note(file)
        if asked.record is not None or note is not None or exists(path):
            record = _record(path)
            beside = (numbers,) if numbers else ()
            turns = _turns_beside(game, file)
            found += proof_lines(game, record, words, note=note, own=own, beside=beside, turns=turns)
            after = Sentence("all is right: the game was played as it was sealed")
        elif numbers or own:
            found.append(number_line(numbers, own, ()))
    wrong = sum(each.fault is not None for each in found)
    if any(each.doubt is not None for each in found):
        after = Sentence("nothing is wrong: cards, turns and dice are as sealed; the shapes are not proven")
    if wrong:
        after = Sentence("wrong: {wrong} of {count} things looked at", wrong=wrong, count=len(found))
    if not asked.quiet:
        terminal.show([*(each.line for each in found), after])
    return 1 if wrong else 0


def _closed(file: Path) -> ClosedGame:
    """Return the closed game of a file, which has no setting that no longer exists."""
    from printkit.kit.registry import find
    from printkit.recipes.game.request import read_text
    from printkit.systems.brantley.dealing.closed_game import read
    from printkit.systems.brantley.dealing.game_rules import RULES

    text = read_text(file)
    with terminal.naming(file):
        game = read(text)
        find(RULES).book.refuse_retired(game.ruled)
    return game


def _record(path: Path) -> Record:
    """Return the record of a reveal."""
    from printkit.kit.registry import read_record
    from printkit.recipes.game.request import read_text

    if not exists(path):
        raise ScenarioError("this game is revealed, and {path} is not there; name its record with --record", path=path)
    text = read_text(path)
    with terminal.naming(path):
        return read_record(text)[1]


def _turns_beside(game: ClosedGame, file: Path) -> tuple[str, ...] | None:
    """Return the turns that are kept beside a closed game, None where there are none."""
    from printkit.systems.brantley.sheets.dealing import turns_of
    from printkit.systems.brantley.sheets.game_folder import PLACEMENTS, kept_turns

    path = file.with_name(PLACEMENTS)
    text = kept_turns(path, asked_for=False)
    with terminal.naming(path):
        turns = turns_of(game, text)
    return tuple(f"{turn.placed_by} {turn.card} {turn.zone}" for turn in turns) or None


def _sheets(asked: DealOptions | StatusOptions) -> SheetRequest:
    """Return how private sheets are printed."""
    from printkit.recipes.output.printers import PrintRequest

    return made_of(PrintRequest, asked).printing(terminal.words(asked.lang), terminal.profile(asked.printer))


def _opened(game: Path, placements: Path | None, *, writes: bool) -> tuple[ClosedGame, Path, str]:
    """Return a closed game, and the file of its turns with its text."""
    from printkit.systems.brantley.sheets.game_folder import PLACEMENTS, closed_file, kept_turns

    file = closed_file(game)
    closed = _closed(file)
    path = placements or file.with_name(PLACEMENTS)
    return closed, path, kept_turns(path, asked_for=placements is not None and not (writes and not exists(path)))


def _laid(asked: RevealOptions, orders: Orders) -> tuple[ClosedGame, tuple[ZoneCard, ...]]:
    """Return a closed game and its turns: of the file that a person names, of the scenario, or beside the game."""
    from printkit.systems.brantley.sheets.dealing import turns_of

    closed, path, text = _opened(asked.game, asked.placements, writes=False)
    listed = orders.inputs.get("placements")
    if asked.placements is None and isinstance(listed, list) and asked.scenario is not None:
        path, text = asked.scenario, "\n".join(listed)
    with terminal.naming(path):
        return closed, turns_of(closed, text)


def _target(game: Path, out: Path | None) -> Path:
    """Return the file of the map: in the folder of the game, in another, or as a person named it."""
    from printkit.export.writers import named_by
    from printkit.systems.brantley.sheets.game_folder import closed_file

    if out is not None and named_by(out) is not None:
        return out
    return (out or closed_file(game).parent) / "map.pdf"


def _print_reveal(
    played: Played, order: MapSheet, formats: tuple[str, ...], asked: RevealOptions, note: RevealNote | None
) -> None:
    """Write the map, its record and the reveal sheet, and say where; or say what would be written.

    ``note`` comes beside the closed game, with the other files where these go there too; None: it is there.
    """
    from printkit.export.writers import named_by
    from printkit.kit.registry import find
    from printkit.recipes.prints.exact_picture import field_picture
    from printkit.recipes.prints.maps import map_document
    from printkit.recipes.prints.printing import BesideMap, FieldShow, plan_lines, report_lines, would_write, write_map
    from printkit.systems.brantley.dealing.reveal_note import write_note
    from printkit.systems.brantley.sheets.dealing import reveal_sheet
    from printkit.systems.brantley.sheets.game_folder import REVEALED, closed_file, keeping_note

    target = _target(asked.game, asked.out)
    system = find(played.record.rules)
    document, planned = map_document(played.record, system, order)
    sheet = reveal_sheet(played.record, order)
    name = "reveal" if target.name == "map.pdf" else f"{target.stem}-reveal"
    if asked.plan:
        from printkit.export.png import ink_estimate

        terminal.show(plan_lines(played, order, planned, formats, target, 1, ink=ink_estimate(document)))
        terminal.show(would_write([target.with_name(f"{name}.pdf")]))
        return
    to = named_by(target) or target
    show = FieldShow(picture=partial(field_picture, played.record, system, order))
    file = closed_file(asked.game)
    is_beside = target.parent.resolve() == file.parent.resolve()
    notes = {REVEALED: write_note(note)} if is_beside and note is not None else {}
    beside = BesideMap(sheets={name: sheet}, notes=notes, plan=planned.apart)
    with nullcontext() if is_beside or note is None else keeping_note(file, note):
        written = write_map(document, played.record, formats, to, force=asked.force, beside=beside, show=show)
    if asked.verbose:
        from printkit.chance.dice import write_log

        terminal.tell(write_log(played.record.log).splitlines())
    if not asked.quiet:
        terminal.tell(report_lines(played, order, planned, written))


def _after_deal(game: ClosedGame, folder: Path) -> Sentence:
    """Return what to do with the files of a deal."""
    typed = typed_path(folder)
    if game.is_open:
        return Sentence("  next: printkit status {folder}", folder=typed)
    return Sentence(
        "  give each player only their own folder, player-a/ or player-b/, and keep closed-game.json private; "
        "next: printkit status {folder}",
        folder=typed,
    )


def _dealt(game: ClosedGame) -> str:
    """Return what everybody may know of a deal."""
    seal, first = game.seal, game.first
    told = Sentence(
        "game {game}, commitment {commitment}: player {first} lays the first card",
        game=seal.game,
        commitment=seal.grouped,
        first=first,
    )
    if game.thrown:
        told = Sentence("{told} after {thrown}", told=told, thrown=" ".join(game.thrown))
    if game.is_open:
        return Sentence("{told}; an open game that hides nothing: its seed gives every card", told=told)
    return told
