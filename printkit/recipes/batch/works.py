"""The works of a batch: a map with its record, or a game-night folder."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from printkit.core.errors import Sentence
from printkit.export.writers import PAGES, RECORDS, FieldShow
from printkit.kit.system import RuleSystem
from printkit.recipes.batch.batches import SEVERAL, Delivery, Done, Work, throws
from printkit.recipes.game.games import GeneratedGame
from printkit.recipes.prints.exact_picture import field_picture, picture_line, printed
from printkit.recipes.prints.file_names import stem
from printkit.recipes.prints.maps import MapContext
from printkit.recipes.prints.printing import (
    BesideMap,
    WrittenMap,
    document_bytes,
    plan_lines,
    record_bytes,
    report_lines,
    write_map,
)
from printkit.terrain.field.record import Record

if TYPE_CHECKING:
    from printkit.options.printing import EveningOptions
    from printkit.recipes.output.printers import PrintContext

MAP: Final = "printkit.recipes.batch.works:make_map"
EVENING: Final = "printkit.recipes.batch.works:make_evening"


def make_evening(
    work: Work[PrintContext[EveningOptions]], system: RuleSystem, game: GeneratedGame, to: Delivery
) -> Done:
    """Write the folder of a game night, or report what would be written."""
    from printkit.recipes.evening.folder import write_evening
    from printkit.recipes.evening.handouts import (
        evening,
        game_night_folder,
        game_night_plan_lines,
        game_night_report_lines,
    )

    name = game_night_folder(game.record, work.order, None, SEVERAL, default=Path())
    made = evening(game.record, system, work.order, to.folder / name)
    if to.plan:
        return Done(said=tuple(game_night_plan_lines(made, game.record, to.shown / name)))
    force = to.replaces(game.record.seed)
    written = write_evening(
        made.files, to.folder / name, staging_folder=to.within, force=force, keep_others=made.is_addition
    )
    files = tuple(path.relative_to(to.folder).as_posix() for path in written)
    return Done(told=(*throws(game, to), *game_night_report_lines(made, game, to.shown / name)), files=files)


def make_map(work: Work[MapContext], system: RuleSystem, game: GeneratedGame, to: Delivery) -> Done:
    """Write a map and its record, or report what would be written."""
    order = work.order
    # Skip the sheets, which take most of the time, if only a record is written.
    sheets = any(name in PAGES for name in work.formats)
    document, planned = printed(game.record, system, order) if sheets else (None, None)
    if to.plan:
        from printkit.export.png import ink_estimate

        ink = ink_estimate(document) if document is not None else 0.0
        shown = to.shown / work.out
        return Done(said=tuple(plan_lines(game, order, planned, work.formats, shown, work.count, ink=ink)))
    written = write_map(
        document,
        game.record,
        work.formats,
        to.folder / stem(game.record, work.out, work.count, order),
        within=to.within,
        force=to.replaces(game.record.seed),
        beside=BesideMap(plan=None if planned is None else planned.apart),
        show=_shown(work, system, game.record),
    )
    files = tuple(path.name for path in written.files)
    listed = WrittenMap(tuple(to.shown / name for name in files), to.shown / written.record.name)
    lines: list[str | Sentence] = [*throws(game, to), *report_lines(game, order, planned, listed)]
    if order.pixels is not None and "png" in work.formats:
        lines.append(picture_line(game.record.battlefield, order.pixels))
    return Done(told=tuple(lines), files=files)


def map_bytes(work: Work[MapContext], system: RuleSystem, game: GeneratedGame) -> bytes:
    """Return a map as one file, for standard output.

    Raises:
        UsageError: the format writes one file per page.
    """
    name = work.formats[0]
    if name in RECORDS:
        return record_bytes(name, game.record, _shown(work, system, game.record))
    return document_bytes(printed(game.record, system, work.order)[0], name)


def _shown(work: Work[MapContext], system: RuleSystem, record: Record) -> FieldShow:
    return replace(work.show, picture=partial(field_picture, record, system, work.order))
