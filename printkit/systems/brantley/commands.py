"""The commands of sealed games: deal, status, reveal and verify."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from printkit.console import terminal
from printkit.console.locks import lock_game
from printkit.core.errors import ScenarioError, Sentence, UsageError, quote_path
from printkit.core.paths import exists
from printkit.options.commands import GameOptions
from printkit.options.play import SealedOptions
from printkit.options.printing import FileOptions, LanguageOptions, MapOptions, PrintOptions

if TYPE_CHECKING:
    from printkit.recipes.game.games import GeneratedGame
    from printkit.recipes.game.request import Orders
    from printkit.recipes.prints.maps import MapContext
    from printkit.systems.brantley.dealing.closed_game import ClosedGame
    from printkit.systems.brantley.dealing.deal import ZoneCard
    from printkit.systems.brantley.dealing.reveal_note import RevealNote
    from printkit.terrain.field.record import Record

# The file name of the record that ``reveal`` writes next to the sealed game.
_RECORD: Final = "map.json"


def deal_cards(game: GameOptions, asked: PrintOptions, sealed: SealedOptions, files: FileOptions) -> None:
    """Deal a game, and write its sheets into a folder."""
    from printkit.console.games import new_orders, scenario_path
    from printkit.export.writers import FOLDERS
    from printkit.recipes.output.files import write_folder
    from printkit.recipes.output.printers import print_context, printing_of_players
    from printkit.recipes.prints.printing import plan_file_lines
    from printkit.systems.brantley.sheets.dealing import deal_files, deal_game
    from printkit.systems.brantley.sheets.virtual_hands import virtual_hands

    if files.streams:
        raise UsageError("--out - writes a single file, but deal writes several; name a folder")
    profile = terminal.profile(files.printer)
    order = print_context(asked, terminal.words(asked.lang), profile)
    choices = {"A": sealed.player_a, "B": sealed.player_b}
    own = printing_of_players(choices, asked, asked.lang, words=terminal.words, profile=profile)
    _, orders = new_orders(game)
    with terminal.naming(scenario_path(game)):
        closed = deal_game(
            orders,
            orders.seed if orders.seed is not None else terminal.fresh_seed(),
            salt=terminal.fresh_salt(),
            is_open=sealed.open,
        )
    folder = files.place / f"{orders.rules}-{closed.seal.game}"
    formats = files.formats(FOLDERS)
    made = deal_files(closed, order, own)
    if "tts" in formats:
        made |= virtual_hands(closed, order, folder, url_base=files.url_base, own=own)
    if "pdf" not in formats:
        made = {name: content for name, content in made.items() if not name.endswith(".pdf")}
    written = () if files.plan else write_folder(made, folder, force=asked.force, private=True)
    if files.plan:
        terminal.show(plan_file_lines(folder / name for name in made))
    elif not files.quiet:
        terminal.tell([_dealt(closed), *(f"  {path}" for path in written), _after_deal(closed, folder)])


def show_board(sealed: SealedOptions, asked: PrintOptions, files: FileOptions) -> None:
    """Show a sealed game, place cards, and write the sheet of face-down cards."""
    from printkit.export.writers import PAGES
    from printkit.recipes.output.printers import print_context
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

    formats = files.formats(PAGES)
    if files.streams or (files.to and not files.out):
        raise UsageError(
            "the hidden sheet needs --out with a file or a folder; without --out, status shows the board here"
        )
    order = print_context(asked, terminal.words(asked.lang), terminal.profile(files.printer))
    file = closed_file(Path(sealed.game))
    with lock_game(file) if sealed.place or sealed.number else nullcontext():
        closed, path, text = _opened(sealed, writes=bool(sealed.place))
        with terminal.naming(path):
            if sealed.place:
                text = with_turns(closed, text, sealed.place)
            turns = turns_of(closed, text)
        before = kept_numbers(file)
        numbers = added(before, sealed.number)
        if numbers != before and kept_note(file) is not None:
            raise ScenarioError(
                "this game is revealed and its dice are rolled; a player's number must come before that",
                clause="BR-M13",
            )
        board = hidden_board(closed, turns)
        written: tuple[Path, ...] = ()
        if files.out:
            name = f"hidden-turn{len(turns)}"
            written = write_document(hidden_document(board, order), name, formats, files.place, force=asked.force)
        if sealed.place:
            keep_turns(path, text)
        if numbers != before:
            keep_numbers(file, numbers)
    if not files.quiet:
        terminal.show(status_lines(board, order.words, numbers))
        if written:
            terminal.tell([f"  {each}" for each in written])


def reveal_cards(sealed: SealedOptions, game: GameOptions, asked: MapOptions, files: FileOptions) -> None:
    """Reveal a sealed game, and print its battlefield."""
    from printkit.console.games import new_orders, refuse_ask_and_dice, saving_answers, scenario_path
    from printkit.export.writers import PAGES, RECORDS
    from printkit.recipes.prints.maps import map_context
    from printkit.systems.brantley.dealing.reveal_note import RevealNote
    from printkit.systems.brantley.sheets.dealing import reveal_game
    from printkit.systems.brantley.sheets.game_folder import REVEALED, closed_file, kept_note, kept_numbers

    words, formats = terminal.words(asked.lang), files.formats(PAGES, RECORDS)
    if files.streams:
        raise UsageError("--out - writes a single file, but reveal writes several; name a folder")
    refuse_ask_and_dice(game)
    order = map_context(asked, words, terminal.profile(files.printer))
    _, orders = new_orders(game)
    file = closed_file(Path(sealed.game))
    with nullcontext() if files.plan else lock_game(file):
        closed, turns = _laid(sealed, scenario_path(game), orders)
        numbers, before = kept_numbers(file), kept_note(file)
        with terminal.naming(scenario_path(game)), saving_answers(orders, closed.seed):
            person = terminal.build_prompter() if game.ask else None
            played = reveal_game(closed, turns, orders, words, numbers=numbers, person=person)
        now = RevealNote.of(played.record, closed)
        if before is not None:
            with terminal.naming(file.with_name(REVEALED)):
                before.refuse_other(now)
        _print_reveal(played, order, formats, file, files, None if before else now, force=asked.force)


def verify_deal(sealed: SealedOptions, spoken: LanguageOptions, files: FileOptions) -> int:
    """Check that a sealed game was not changed after the deal; return 1 if a check fails."""
    from printkit.systems.brantley.dealing.numbers import added
    from printkit.systems.brantley.sheets.game_folder import closed_file, kept_note, kept_numbers
    from printkit.systems.brantley.sheets.verifying import code_line, number_line, proof_lines, read_code

    words, code, own = terminal.words(spoken.lang), read_code(sealed.code), added({}, sealed.number)
    file = closed_file(Path(sealed.game))
    game = _closed(file)
    found = [code_line(game, code)]
    path = Path(sealed.revealed) if sealed.revealed else file.with_name(_RECORD)
    after = Sentence(
        "not revealed yet, or {record} is missing: the rest can be proven with the record of the reveal",
        record=path.name,
    )
    if found[0].fault is None:
        numbers, note = kept_numbers(file), kept_note(file)
        if sealed.revealed or note is not None or exists(path):
            record = _record(path)
            beside = (numbers,) if numbers else ()
            turns = _turns_beside(game, file)
            found += proof_lines(game, record, words, note=note, own=own, beside=beside, turns=turns)
            after = Sentence("all correct: the game was played as sealed")
        elif numbers:
            found.append(number_line(numbers, own, ()))
    wrong = sum(each.fault is not None for each in found)
    if any(each.doubt is not None for each in found):
        after = Sentence("no faults: cards, turns and dice match the seal, but the shapes cannot be proven")
    if wrong:
        after = Sentence("wrong: {wrong} of {count} checks failed", wrong=wrong, count=len(found))
    if not files.quiet:
        terminal.show([*(each.line for each in found), after])
    return 1 if wrong else 0


def _closed(file: Path) -> ClosedGame:
    """Return the sealed game of a file, and refuse retired settings."""
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
        raise ScenarioError("this game is revealed, but {path} is missing; give its record with --record", path=path)
    text = read_text(path)
    with terminal.naming(path):
        return read_record(text)[1]


def _turns_beside(game: ClosedGame, file: Path) -> tuple[str, ...] | None:
    """Return the turns in the file next to a sealed game, or None if there are none."""
    from printkit.systems.brantley.sheets.dealing import turns_of
    from printkit.systems.brantley.sheets.game_folder import PLACEMENTS, kept_turns

    path = file.with_name(PLACEMENTS)
    text = kept_turns(path, asked_for=False)
    with terminal.naming(path):
        turns = turns_of(game, text)
    return tuple(f"{turn.placed_by} {turn.card} {turn.zone}" for turn in turns) or None


def _opened(sealed: SealedOptions, *, writes: bool) -> tuple[ClosedGame, Path, str]:
    """Return a sealed game, and the path and text of its file of turns."""
    from printkit.systems.brantley.sheets.game_folder import PLACEMENTS, closed_file, kept_turns

    file = closed_file(Path(sealed.game))
    closed = _closed(file)
    path = Path(sealed.placements) if sealed.placements else file.with_name(PLACEMENTS)
    return closed, path, kept_turns(path, asked_for=bool(sealed.placements) and not (writes and not exists(path)))


def _laid(sealed: SealedOptions, scenario: Path | None, orders: Orders) -> tuple[ClosedGame, tuple[ZoneCard, ...]]:
    """Return a sealed game and its turns: from --placements, the scenario, or the file next to the game."""
    from printkit.systems.brantley.sheets.dealing import turns_of

    closed, path, text = _opened(sealed, writes=False)
    listed = orders.inputs.get("placements")
    if not sealed.placements and isinstance(listed, list) and scenario is not None:
        path, text = scenario, "\n".join(listed)
    with terminal.naming(path):
        return closed, turns_of(closed, text)


def _target(file: Path, files: FileOptions) -> Path:
    """Return the path of the map: the file that --out names, or map.pdf in its folder or in that of the game."""
    from printkit.export.writers import path_without_extension

    if files.out and path_without_extension(files.place) is not None:
        return files.place
    return (files.place if files.out else file.parent) / "map.pdf"


def _print_reveal(
    played: GeneratedGame,
    order: MapContext,
    formats: tuple[str, ...],
    file: Path,
    files: FileOptions,
    note: RevealNote | None,
    *,
    force: bool,
) -> None:
    """Write the map, its record and the reveal sheet, and report the paths; with --plan only report them.

    ``note`` is the reveal note to write next to the sealed game; None if it is there already.
    """
    from printkit.export.writers import FieldShow, path_without_extension
    from printkit.kit.registry import find
    from printkit.recipes.prints.exact_picture import field_picture
    from printkit.recipes.prints.maps import map_document
    from printkit.recipes.prints.printing import AdditionalFiles, plan_file_lines, plan_lines, report_lines, write_map
    from printkit.systems.brantley.dealing.reveal_note import write_note
    from printkit.systems.brantley.sheets.dealing import reveal_sheet
    from printkit.systems.brantley.sheets.game_folder import REVEALED, keeping_note

    target = _target(file, files)
    system = find(played.record.rules)
    document, planned = map_document(played.record, system, order)
    sheet = reveal_sheet(played.record, order)
    name = "reveal" if target.name == "map.pdf" else f"{target.stem}-reveal"
    if files.plan:
        from printkit.export.png import ink_estimate

        terminal.show(plan_lines(played, order, planned, formats, target, 1, ink=ink_estimate(document)))
        terminal.show(plan_file_lines([target.with_name(f"{name}.pdf")]))
        return
    to = path_without_extension(target) or target
    show = FieldShow(picture=partial(field_picture, played.record, system, order))
    is_beside = target.parent.resolve() == file.parent.resolve()
    notes = {REVEALED: write_note(note)} if is_beside and note is not None else {}
    beside = AdditionalFiles(sheets={name: sheet}, notes=notes, plan=planned.separate_document)
    with nullcontext() if is_beside or note is None else keeping_note(file, note):
        written = write_map(document, played.record, formats, to, force=force, additional=beside, show=show)
    if files.verbose:
        from printkit.chance.dice import write_log

        terminal.tell(write_log(played.record.log).splitlines())
    if not files.quiet:
        terminal.tell(report_lines(played, order, planned, written))


def _after_deal(game: ClosedGame, folder: Path) -> Sentence:
    """Return the advice for the files of a deal."""
    typed = quote_path(folder)
    if game.is_open:
        return Sentence("  next: printkit status {folder}", folder=typed)
    return Sentence(
        "  give each player their own folder, player-a/ or player-b/, with board.pdf and record-form.pdf; keep the "
        "rest private; next: printkit status {folder}",
        folder=typed,
    )


def _dealt(game: ClosedGame) -> str:
    """Return the public facts of a deal."""
    seal, first = game.seal, game.first
    told = Sentence(
        "sealed game {game}, commitment {commitment}: player {first} places the first card",
        game=seal.game,
        commitment=seal.grouped,
        first=first,
    )
    if game.thrown:
        told = Sentence("{told} after {thrown}", told=told, thrown=" ".join(game.thrown))
    if game.is_open:
        return Sentence("{told}. This game is open: the seed decides all cards.", told=told)
    return told
