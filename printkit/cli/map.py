"""The commands ``map``, ``handouts`` and ``specimen``: print maps, game nights and symbol sheets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from printkit.console import terminal
from printkit.core.errors import Sentence, UsageError
from printkit.options.commands import BatchOptions, GameOptions
from printkit.options.printing import (
    EveningOptions,
    FileOptions,
    MapOptions,
    validate_formats,
)

if TYPE_CHECKING:
    from printkit.recipes.prints.maps import MapContext


def print_map(game: GameOptions, options: MapOptions, files: FileOptions, batch: BatchOptions) -> int:
    """Write the maps of battlefields, each with its record, and return the exit status."""
    from printkit.console.batches import deliver_game, is_batch, make_batch, output_path, reject_shared_output
    from printkit.console.games import check_conflicts, games_of
    from printkit.export.writers import ENDINGS, PAGES, RECORDS

    words, formats = terminal.words(options.lang), files.formats(PAGES, RECORDS)
    check_conflicts(game, files, formats, count=batch.count, blank=files.blank)
    reject_shared_output(batch, ask=game.ask)
    from printkit.export.writers import FieldShow, parse_kerf
    from printkit.recipes.prints.exact_picture import validate_pixels
    from printkit.recipes.prints.maps import map_context
    from printkit.recipes.prints.printing import validate_bleed

    order = map_context(options, words, terminal.profile(files.printer))
    validate_bleed(order, formats)
    validate_pixels(order, formats)
    if files.blank and _print_form(game, options, files, order, formats):
        return 0
    from printkit.recipes.batch.batches import BATCH_COUNT, Work
    from printkit.recipes.batch.tasks import MAP, map_bytes

    folder, name = output_path(files, ENDINGS)
    show = FieldShow(kerf=parse_kerf(files.kerf), url_base=files.url_base)
    work = Work(make=MAP, order=order, formats=formats, out=name, count=min(batch.count, BATCH_COUNT), show=show)
    if is_batch(batch, game):
        return make_batch(game, batch, words, work, folder, files=files, force=options.force)
    for system, generated_game in games_of(game, words, quiet=files.quiet, count=batch.count, blank=files.blank):
        terminal.stage(Sentence("drawing the map"))
        deliver_game(work, system, generated_game, folder, files, map_bytes, force=options.force)
    return 0


def _print_form(
    game: GameOptions, options: MapOptions, files: FileOptions, order: MapContext, formats: tuple[str, ...]
) -> bool:
    """Write the form for setting up a table by hand and return True.

    If the rules use an empty grid instead, write nothing and return False.
    """
    from printkit.console.documents import deliver_document
    from printkit.console.games import blank_orders
    from printkit.export.writers import PAGES
    from printkit.recipes.prints.printing import outside_lines
    from printkit.recipes.prints.specimens import build_blank_form

    form = build_blank_form(*blank_orders(game), order)
    if form is None:
        return False
    if order.bleed:
        raise UsageError("--bleed works only for a map; remove it for this form")
    names = validate_formats(formats, PAGES)
    notes = outside_lines(form.outside)
    deliver_document(form.document, form.name, names, files, force=options.force, detail=form.detail, notes=notes)
    return True


def print_handouts(game: GameOptions, options: EveningOptions, files: FileOptions, batch: BatchOptions) -> int:
    """Write game nights, each into a folder, and return the exit status.

    A plan shows them without writing.
    """
    from printkit.console.batches import is_batch, make_batch, reject_shared_output
    from printkit.console.games import check_conflicts, games_of
    from printkit.recipes.batch.batches import Work
    from printkit.recipes.batch.tasks import EVENING
    from printkit.recipes.evening.folder import game_night_target, validate_folder, write_evening
    from printkit.recipes.evening.handouts import evening, game_night_context, game_night_report

    out = Path(files.out) if files.out else None
    validate_folder(out)
    words = terminal.words(options.lang)
    check_conflicts(game, files, ("pdf",), count=batch.count)
    reject_shared_output(batch, ask=game.ask)
    order = game_night_context(options, words, terminal.profile(files.printer))
    if is_batch(batch, game):
        work = Work(make=EVENING, order=order)
        return make_batch(game, batch, words, work, files.place, files=files, force=options.force)
    for system, generated_game in games_of(game, words, quiet=files.quiet, count=batch.count):
        terminal.stage(Sentence("drawing the sheets"))
        user_folder = out if batch.count == 1 else None
        with game_night_target(
            generated_game.record, order, user_folder, files.place, force=options.force, plan=files.plan
        ) as (folder, replaces):
            game_night = evening(generated_game.record, system, order, folder)
            if not files.plan:
                terminal.stage(Sentence("writing the files"))
                write_evening(
                    game_night.files,
                    folder,
                    force=options.force or user_folder is None,
                    keep_others=game_night.is_addition,
                    report=lambda name: terminal.stage(Sentence("wrote {name}", name=name)),
                )
        if files.verbose and not files.plan:
            from printkit.chance.dice import write_log

            terminal.tell(write_log(generated_game.record.log).splitlines())
        lines = game_night_report(game_night, generated_game, folder, is_plan=files.plan, is_replacing=replaces)
        terminal.report(lines, files, generated_game.record.seed)
    return 0
