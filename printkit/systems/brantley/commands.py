"""The commands of sealed games: deal, status, reveal and verify."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from printkit.console import terminal
from printkit.console.games import new_orders, refuse_ask_and_dice, saving_answers, scenario_path
from printkit.console.locks import lock_game
from printkit.console.prompts import build_prompter
from printkit.core.errors import ScenarioError, Sentence, UsageError, quote_path
from printkit.core.paths import exists
from printkit.export.writers import FOLDERS, PAGES, RECORDS, FieldShow, path_without_extension
from printkit.kit.registry import find, read_record
from printkit.options.commands import GameOptions
from printkit.options.play import SealedOptions
from printkit.options.printing import FileOptions, LanguageOptions, MapOptions, PrintOptions
from printkit.recipes.game.request import read_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from printkit.recipes.game.games import GeneratedGame
    from printkit.recipes.output.files import FileContent
    from printkit.recipes.output.printers import SheetContext
    from printkit.recipes.prints.file_names import BattlefieldFiles
    from printkit.recipes.prints.maps import MapContext
    from printkit.systems.brantley.dealing.closed_game import ClosedGame
    from printkit.systems.brantley.dealing.progress import Progress
    from printkit.terrain.field.record import Record

# The file name of the record that ``reveal`` writes next to the sealed game.
_RECORD_NAME: Final = "map.json"


def deal_cards(game: GameOptions, options: PrintOptions, sealed_options: SealedOptions, files: FileOptions) -> None:
    """Deal a game, and write its sheets into a folder.

    With ``plan`` it only shows the names of the files. The folder's name has the rules and the name of the game.

    Raises:
        UsageError: the output is a stream.
        PrintkitError: an option or a setting is wrong, the paper is too small, or the folder cannot be written to.
    """
    from printkit.recipes.output.printers import print_context
    from printkit.systems.brantley.sheets.dealing import deal_files, deal_game
    from printkit.systems.brantley.sheets.game_folder import name_deal, write_deal
    from printkit.systems.brantley.sheets.virtual_hands import build_virtual_hands

    if files.streams:
        raise UsageError("--out - writes a single file, but deal writes several; name a folder")
    order = print_context(options, terminal.words(options.lang), terminal.profile(files.printer))
    _, orders = new_orders(game)
    with terminal.naming(scenario_path(game)):
        sealed_game = deal_game(
            orders,
            orders.seed if orders.seed is not None else terminal.fresh_seed(),
            salt=terminal.fresh_salt(),
            is_open=sealed_options.open,
        )
    folder = name_deal(files.place, sealed_game)
    formats = files.formats(FOLDERS)
    terminal.stage(Sentence("drawing the sheets"))
    contents, notes = deal_files(sealed_game, order), []
    if "tts" in formats:
        contents |= build_virtual_hands(sealed_game, order, url_base=files.url_base)
        if not files.url_base:
            notes.append(
                Sentence(
                    "This deal has no objects for Tabletop Simulator, because they need the web address of their "
                    "pictures. Import the pictures there as custom decks, or deal new cards with --url-base ADDRESS."
                )
            )
    if "pdf" not in formats:
        contents = {name: content for name, content in contents.items() if not name.endswith(".pdf")}
    # Only the same deal has this folder, so its sheets may be replaced.
    if not files.plan:
        write_deal(contents, folder, order, force=True)
    terminal.report(_deal_report(sealed_game, contents, folder, notes, is_plan=files.plan), files)


def show_board(sealed_options: SealedOptions, options: PrintOptions, files: FileOptions) -> None:
    """Show a sealed game, place cards, and write the sheet of face-down cards, or sheets of the deal again.

    It places the cards and saves the number that the options give. It writes the sheet only with ``--out``. Sheets of
    the deal go into the folder of the game, if ``--out`` names no other.

    Raises:
        UsageError: a sheet would go to a stream, or has a format but no output, or there is no such sheet.
        ScenarioError: a turn or a number cannot come now.
        PrintkitError: a file of the game cannot be read or written, or the paper is too small.
    """
    from printkit.recipes.output.printers import print_context
    from printkit.recipes.prints.printing import write_document
    from printkit.systems.brantley.sheets.dealing import build_hidden_board, status_lines
    from printkit.systems.brantley.sheets.documents import build_hidden_document
    from printkit.systems.brantley.sheets.game_folder import find_game_file, read_progress, save_progress

    formats, only = files.formats(PAGES), sealed_options.only
    if only and (files.streams or formats != ("pdf",) or path_without_extension(files.place) is not None):
        raise UsageError("--only writes PDF files into a folder; leave out --to, and name a folder with --out")
    if files.streams or (files.to and not files.out):
        raise UsageError(
            "the hidden sheet needs --out with a file or a folder; without --out, status shows the board here"
        )
    order = print_context(options, terminal.words(options.lang), terminal.profile(files.printer))
    file = find_game_file(sealed_options.game)
    changes = bool(sealed_options.place or sealed_options.number)
    with lock_game(file) if changes else nullcontext():
        progress = read_progress(file).add(sealed_options.place, sealed_options.number)
        board = build_hidden_board(progress)
        paths: tuple[Path, ...] = ()
        if only:
            paths = _print_sheets_again(progress.game, only, file, order, files, force=options.force)
        elif files.out:
            name = f"hidden-turn{board.placed_count}"
            paths = write_document(build_hidden_document(board, order), name, formats, files.place, force=options.force)
        if changes:
            save_progress(file, progress)
    if not files.quiet:
        terminal.show(status_lines(board, order.words, progress.numbers))
        terminal.tell([*(f"  {path_line}" for path_line in paths), *_next_steps(progress, board.next, file)])


def _print_sheets_again(
    game: ClosedGame, only: Sequence[str], file: Path, order: SheetContext, files: FileOptions, *, force: bool
) -> tuple[Path, ...]:
    """Write some sheets of a deal again, and return their paths.

    Args:
        game: the sealed game.
        only: the names of the sheets, of ``SHEETS``.
        file: the file of the game; without ``--out`` its folder gets the sheets, in place of those of the deal.
        order: the print settings.
        files: the output options.
        force: True replaces existing files in another folder.

    Raises:
        UsageError: there is no such sheet.
        PrintkitError: the paper is too small, or the folder cannot be written to.
    """
    from printkit.systems.brantley.sheets.dealing import SHEETS, deal_files
    from printkit.systems.brantley.sheets.game_folder import write_deal

    sheets = {SHEETS[path]: (path, content) for path, content in deal_files(game, order).items() if path in SHEETS}
    if unknown := next((name for name in only if name not in sheets), ""):
        raise UsageError(
            "--only {name!r} is not a sheet of this game; use {known}", name=unknown, known=", ".join(sheets)
        )
    contents = dict(sheets[name] for name in only)
    folder = files.place if files.out else file.parent
    return write_deal(contents, folder, order, force=force or not files.out)


def _next_steps(progress: Progress, next_player: str, file: Path) -> Iterator[Sentence]:
    """Yield what to do next with a sealed game; ``next_player`` places the next card, or is empty after eight."""
    folder = quote_path(file.parent)
    if next_player:
        yield Sentence(
            'To place it: the same command with --place "{player} CARD ZONE", for example --place "{player} {card} 5"',
            player=next_player,
            card=f"{next_player.lower()}1",
        )
    elif progress.game.journal and not progress.numbers and not progress.reveal_fingerprint:
        yield Sentence(
            "Next: player B sends a number of at least 6 digits. Type it: printkit status {folder} --number B=NUMBER",
            folder=folder,
        )
        yield Sentence("To roll the dice at the table instead, leave out the number, and reveal with --ask.")
    else:
        yield Sentence("Next: printkit reveal {folder}", folder=folder)


def reveal_cards(sealed_options: SealedOptions, game: GameOptions, options: MapOptions, files: FileOptions) -> None:
    """Reveal a sealed game, and print its battlefield.

    With ``plan`` it only shows what it would write.

    Raises:
        UsageError: the output is a stream, or the options ask for other dice.
        ScenarioError: the turns are not complete, or an earlier reveal differs.
        PrintkitError: a file of the game cannot be read or written, or its dice or features are wrong.
    """
    from printkit.recipes.prints.maps import map_context
    from printkit.systems.brantley.sheets.dealing import reveal_game
    from printkit.systems.brantley.sheets.game_folder import (
        JOURNAL_NAME,
        find_game_file,
        read_progress,
        reveal_saved,
    )

    words, formats = terminal.words(options.lang), files.formats(PAGES, RECORDS)
    if files.streams:
        raise UsageError("--out - writes a single file, but reveal writes several; name a folder")
    refuse_ask_and_dice(game)
    order = map_context(options, words, terminal.profile(files.printer))
    _, orders = new_orders(game)
    file = find_game_file(sealed_options.game)
    with nullcontext() if files.plan else lock_game(file):
        progress = read_progress(file)
        with terminal.naming(scenario_path(game)), saving_answers(orders, progress.game.seed):
            prompts = build_prompter() if game.ask else None
            game_result = reveal_game(progress, orders, words, prompts=prompts)
        with terminal.naming(file.with_name(JOURNAL_NAME)):
            revealed_progress = progress.reveal(game_result.record)
        show_revealed = partial(_print_reveal, game_result, order, formats, file, files, progress, force=options.force)
        if files.plan:
            show_revealed()
        else:
            with reveal_saved(file, progress, revealed_progress):
                show_revealed()


def verify_deal(sealed_options: SealedOptions, language: LanguageOptions, files: FileOptions) -> int:
    """Check that a sealed game was not changed after the deal; return 1 if a check fails.

    It shows a line for each check and a conclusion, unless the output is quiet. It returns 0 if no check fails.

    Raises:
        PrintkitError: a code is not one of a sheet or a line, a number is wrong, or a file cannot be read.
    """
    from printkit.systems.brantley.dealing.journal import parse_codes
    from printkit.systems.brantley.sheets.game_folder import find_game_file, read_game, read_saved
    from printkit.systems.brantley.sheets.verifying import (
        PlayerEvidence,
        conclude,
        parse_code,
        parse_numbers,
        prove_game,
    )

    # An unknown language is refused, as in every command.
    terminal.words(language.lang)
    code, codes = parse_code(sealed_options.code), parse_codes(sealed_options.turn_codes)
    file = find_game_file(sealed_options.game)
    game = read_game(file)
    evidence = PlayerEvidence(commitment=code, codes=codes, numbers=parse_numbers(game, sealed_options.number))
    saved_game = read_saved(file)
    path = Path(sealed_options.revealed) if sealed_options.revealed else file.with_name(_RECORD_NAME)
    was_revealed = not isinstance(saved_game, ScenarioError) and bool(saved_game.reveal_fingerprint)
    has_record = bool(sealed_options.revealed) or was_revealed or exists(path)
    record = _read_reveal_record(path) if has_record and code == game.commitment else None
    with terminal.naming(path):
        checks = tuple(prove_game(game, evidence, record, saved_game))
    if not files.quiet:
        terminal.show([*(check.line for check in checks), conclude(checks, is_revealed=record is not None)])
    return 1 if any(check.fault is not None for check in checks) else 0


def _read_reveal_record(path: Path) -> Record:
    """Return the record that a reveal saved at ``path``.

    Raises:
        ScenarioError: the file is missing.
    """
    if not exists(path):
        raise ScenarioError("this game is revealed, but {path} is missing; give its record with --record", path=path)
    text = read_text(path)
    with terminal.naming(path):
        return read_record(text)[1]


def _find_target(record: Record, file: Path, files: FileOptions) -> BattlefieldFiles:
    """Return where the map is written: the file that --out names, otherwise in a folder, with the record in map.json.

    The folder is the one that --out names, or that of the sealed game, ``file``. The name there has no seed.
    """
    from printkit.recipes.prints.file_names import BattlefieldFiles, has_same_record, sealed_name

    if files.out and (path := path_without_extension(files.place)) is not None:
        return BattlefieldFiles(folder=path.parent, name=path.name, record=f"{path.name}.json", is_given=True)
    folder = files.place if files.out else file.parent
    may_replace = has_same_record(folder / _RECORD_NAME, record)
    return BattlefieldFiles(folder=folder, name=sealed_name(record), record=_RECORD_NAME, may_replace=may_replace)


def _print_reveal(
    game_result: GeneratedGame,
    order: MapContext,
    formats: tuple[str, ...],
    file: Path,
    files: FileOptions,
    progress: Progress,
    *,
    force: bool,
) -> None:
    """Write the map, its record, the reveal sheet and the proof page, and report the paths.

    With ``--plan`` it only reports them. A game of version 0.2 has no codes, so it has no proof page.

    Args:
        game_result: the revealed game.
        order: the settings of the map.
        formats: the formats of the map.
        file: the file of the sealed game.
        files: the output options.
        progress: the sealed game.
        force: True replaces existing files.
    """
    from printkit.recipes.output.printed_files import FilePart
    from printkit.recipes.prints.exact_picture import field_picture
    from printkit.recipes.prints.file_names import map_marks
    from printkit.recipes.prints.map_plan import plan_map
    from printkit.recipes.prints.printing import (
        AdditionalFiles,
        map_parts,
        map_report,
        plan_file_name,
        planned_files,
        write_map,
    )
    from printkit.systems.brantley.sheets.dealing import reveal_sheet
    from printkit.systems.brantley.sheets.documents import PROOF, build_proof_page

    target = _find_target(game_result.record, file, files)
    sheets_name = target.with_marks(*map_marks(order))
    system = find(game_result.record.rules)
    terminal.stage(Sentence("drawing the map"))
    plan = plan_map(game_result.record, system, order)
    sheet = reveal_sheet(game_result.record, order)
    start = f"{target.name}-" if target.is_given else ""
    name = f"{start}reveal"
    pages = {f"{start}{PROOF}.html": build_proof_page(game_result.record, order.words)} if progress.game.journal else {}
    sheet_part = FilePart(name=f"{name}.pdf", description=sheet.title, document=sheet)
    plan_name = f"{plan_file_name(sheets_name)}.pdf"
    parts = (*map_parts(plan, f"{sheets_name}.pdf", plan_name), sheet_part)
    title = Sentence("All cards are open. {title}", title=game_result.record.battlefield.title)
    report = partial(map_report, game_result, order, plan, parts, title=title)
    if files.plan:
        map_files = planned_files(target, sheets_name, formats, plan)
        sides = (target.folder / part for part in (sheet_part.name, *pages))
        map_files = replace(map_files, files=(*map_files.files, *sides))
        terminal.report(report(map_files, is_plan=True), files)
        return
    show = FieldShow(picture=partial(field_picture, game_result.record, system, order))
    is_beside = target.folder.resolve() == file.parent.resolve()
    side_files = AdditionalFiles(sheets={name: sheet}, texts=pages, plan=plan.separate_document)
    terminal.stage(Sentence("writing the files"))
    map_files = write_map(
        plan.document, game_result.record, formats, target, sheets_name, force=force, additional=side_files, show=show
    )
    if files.verbose:
        from printkit.chance.dice import write_log

        terminal.tell(write_log(game_result.record.log).splitlines())
    words = [quote_path(file.parent), progress.game.commitment]
    if codes := progress.journal.turns:
        words += ["--code", f"{max(codes)}={progress.journal.lines[max(codes) - 1].code}"]
    words += [word for player, number in progress.numbers.items() for word in ("--number", f"{player}={number}")]
    words += [] if is_beside else ["--record", quote_path(map_files.record)]
    steps = [Sentence("Prove it: {command}", command=f"printkit verify {' '.join(words)}")]
    if not progress.numbers:
        steps.insert(0, Sentence("Player B gave no number, so verify cannot prove the dice."))
    terminal.report(report(map_files, steps=steps), files)


def _deal_report(
    game: ClosedGame, contents: Mapping[str, FileContent], folder: Path, notes: Sequence[str] = (), *, is_plan: bool
) -> Iterator[str]:
    """Yield the report on a deal: who gets which file, ``notes`` on the files, and the commitment."""
    from printkit.recipes.output.printed_files import document_parts
    from printkit.recipes.output.report import describe_work, format_head, report_lines
    from printkit.systems.brantley.sheets.game_folder import SEALED_GAME_NAME

    parts = {part.name: part for part in document_parts(contents, "")}
    holders = {
        "player-a": Sentence("Give player {player}", player="A"),
        "player-b": Sentence("Give player {player}", player="B"),
        "": Sentence("On the table"),
        "ninth": Sentence("Keep closed"),
        SEALED_GAME_NAME: Sentence("Keep to yourself"),
    }
    files = {name: SEALED_GAME_NAME if name == SEALED_GAME_NAME else name.rpartition("/")[0] for name in contents}
    rows = [
        [holders[holder], folder / name, *([describe_work([parts[name]])] if name in parts else [])]
        for name, holder in sorted(files.items(), key=lambda item: list(holders).index(item[1]))
    ]
    if is_plan:
        return report_lines(format_head(Sentence("A sealed game"), tuple(parts.values()), is_plan=True), rows, notes)
    head = Sentence(
        "Sealed game {game} is ready. Player {first} places the first card.", game=game.seal.game, first=game.first
    )
    notes = [*notes]
    if game.thrown:
        notes.append(Sentence("Rolls for the first card: {rolls}.", rolls=" ".join(game.thrown)))
    if game.is_open:
        notes.append(Sentence("This game is open: the seed decides all cards."))
    notes.append(
        Sentence("This commitment proves later that nothing was changed: {code}", code=game.seal.grouped_commitment)
    )
    return report_lines(head, rows, notes, [Sentence("Next: printkit status {folder}", folder=quote_path(folder))])
