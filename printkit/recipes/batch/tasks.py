"""The works of a batch: a map with its record, or a game-night folder."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from printkit.core.errors import Sentence, UsageError
from printkit.export.writers import PAGES, RECORDS, FieldShow
from printkit.kit.system import RuleSystem
from printkit.recipes.batch.batches import Delivery, Work, WorkResult, roll_lines
from printkit.recipes.game.games import GeneratedGame
from printkit.recipes.output.printed_files import FilePart
from printkit.recipes.prints.exact_picture import draw_map, field_picture, picture_line
from printkit.recipes.prints.file_names import BUILD, battlefield_files, given_path, map_marks
from printkit.recipes.prints.maps import PAPER_MAP, MapContext
from printkit.recipes.prints.printing import (
    STREAM,
    AdditionalFiles,
    WrittenMap,
    build_report,
    document_bytes,
    map_parts,
    map_report,
    map_tails,
    outside_lines,
    plan_file_name,
    planned_files,
    record_bytes,
    replacing_lines,
    write_map,
)
from printkit.terrain.field.record import Record

if TYPE_CHECKING:
    from printkit.options.printing import EveningOptions
    from printkit.recipes.output.printers import PrintContext

MAP: Final = "printkit.recipes.batch.tasks:make_map"
EVENING: Final = "printkit.recipes.batch.tasks:make_evening"


def make_evening(
    work: Work[PrintContext[EveningOptions]], system: RuleSystem, game: GeneratedGame, delivery: Delivery
) -> WorkResult:
    """Write the folder of a game night, or with ``delivery.plan`` only report what would be written.

    The folder is named after the game. The result has the paths of the files below the output folder, and the lines of
    the report.
    """
    from printkit.recipes.evening.folder import game_night_target, write_evening
    from printkit.recipes.evening.handouts import evening, game_night_report

    force, parent, plan = delivery.overwrites(game.record.seed), delivery.folder, delivery.plan
    with game_night_target(game.record, work.order, None, parent, force=force, plan=plan) as (folder, replaces):
        night = evening(game.record, system, work.order, folder)
        shown_folder = delivery.shown_folder / folder.name
        report = tuple(game_night_report(night, game, shown_folder, is_plan=plan, is_replacing=replaces))
        if plan:
            return WorkResult(said=report)
        paths = write_evening(
            night.files,
            folder,
            staging_folder=delivery.staging_folder,
            force=True,
            keep_others=night.is_addition,
        )
    files = tuple(path.relative_to(delivery.folder).as_posix() for path in paths)
    return WorkResult(messages=(*roll_lines(game, delivery), *report), files=files)


def make_map(work: Work[MapContext], system: RuleSystem, game: GeneratedGame, delivery: Delivery) -> WorkResult:
    """Write a map and its record, or with ``delivery.plan`` only report what would be written.

    If the record has a terrain box, a building plan replaces the map, or comes before it.

    Raises:
        UsageError: the map is wanted as well as the plan, but there is no terrain box.
    """
    if PAPER_MAP in work.order.asked.wanted and not game.record.box:
        raise UsageError("--with map adds the paper map to a building plan; add --box FILE.toml")
    if not work.order.prints_plan(game.record, work.formats):
        return _make_paper_map(work, system, game, delivery)
    plan = _make_building_plan(work, system, game, delivery)
    if PAPER_MAP not in work.order.asked.wanted:
        return plan
    paper_map = _make_paper_map(work, system, game, delivery)
    return WorkResult(
        said=(*plan.said, *paper_map.said),
        messages=(*plan.messages, *paper_map.messages),
        files=(*plan.files, *paper_map.files),
    )


def _make_building_plan(
    work: Work[MapContext], system: RuleSystem, game: GeneratedGame, delivery: Delivery
) -> WorkResult:
    """Write the plan to build a battlefield from the user's pieces and its record, or report what would be written."""
    from printkit.recipes.evening.handouts import building_plan

    order, record = work.order, game.record
    has_map, is_plan = PAPER_MAP in order.asked.wanted, delivery.plan
    folder, force = delivery.folder, delivery.overwrites(record.seed)
    user_path, tails = given_path(record, folder / work.out, work.count), map_tails(order, work.formats, BUILD)
    if has_map and user_path is not None:
        user_path = user_path.with_name(f"{user_path.name}-{BUILD}")
    with battlefield_files(record, folder, user_path=user_path, tails=tails, force=force, plan=is_plan) as target:
        name = target.with_marks(*map_marks(order, BUILD))
        part, outside = building_plan(record, system, order, f"{name}.pdf")
        files = planned_files(target, name, work.formats, None)
        if not is_plan:
            delivery.begin_writing(work.formats)
            files = write_map(
                replace(part.document, dpi=order.dpi),
                record,
                work.formats,
                target,
                name,
                staging_folder=delivery.staging_folder,
                force=force,
                show=_build_show(work, system, record),
            )
            if delivery.report_part is not None:
                delivery.report_part(part)
    title = Sentence("The plan to build {title}", title=record.battlefield.title)
    lines = build_report(game, order, title, part, _shown_files(files, delivery), is_plan=is_plan)
    notes = replacing_lines(record, is_replacing=target.is_replacing and not is_plan)
    return _make_result(game, delivery, files, (*lines, *outside_lines(outside), *notes))


def _make_paper_map(work: Work[MapContext], system: RuleSystem, game: GeneratedGame, delivery: Delivery) -> WorkResult:
    """Write a map and its record, or with ``plan`` report what would be written."""
    order = work.order
    # Skip the sheets, which take most of the time, if only a record is written.
    has_sheets = any(name in PAGES for name in work.formats)
    document, map_plan = draw_map(game.record, system, order) if has_sheets else (None, None)
    folder, force, is_plan = delivery.folder, delivery.overwrites(game.record.seed), delivery.plan
    user_path, tails = given_path(game.record, folder / work.out, work.count), map_tails(order, work.formats)
    with battlefield_files(game.record, folder, user_path=user_path, tails=tails, force=force, plan=is_plan) as target:
        sheets_name = target.with_marks(*map_marks(order))
        files = planned_files(target, sheets_name, work.formats, map_plan)
        if not is_plan:
            delivery.begin_writing(work.formats)
            files = write_map(
                document,
                game.record,
                work.formats,
                target,
                sheets_name,
                staging_folder=delivery.staging_folder,
                force=force,
                additional=AdditionalFiles(plan=None if map_plan is None else map_plan.separate_document),
                show=_build_show(work, system, game.record),
            )
    parts: tuple[FilePart, ...] = ()
    if map_plan is not None:
        plan_name = f"{plan_file_name(sheets_name)}.pdf"
        title = map_plan.record.battlefield.title
        parts = tuple(map_parts(map_plan, f"{sheets_name}.pdf", plan_name, texts=(title, plan_name)))
    if delivery.report_part is not None and "pdf" in work.formats:
        for part in parts:
            delivery.report_part(part)
    lines = [*map_report(game, order, map_plan, parts, _shown_files(files, delivery), is_plan=is_plan)]
    lines += replacing_lines(game.record, is_replacing=target.is_replacing and not is_plan)
    if order.pixels is not None and "png" in work.formats:
        lines.append(picture_line(game.record.battlefield, order.pixels))
    return _make_result(game, delivery, files, lines)


def _shown_files(files: WrittenMap, delivery: Delivery) -> WrittenMap:
    """Return files with the paths to show: below the folder as the user typed it, or standard output."""
    folder = delivery.shown_folder
    if folder == STREAM:
        return WrittenMap((STREAM,), STREAM)
    root = delivery.folder
    paths = tuple(folder / path.relative_to(root) for path in files.files)
    return WrittenMap(paths, folder / files.record.relative_to(root))


def _make_result(game: GeneratedGame, delivery: Delivery, files: WrittenMap, lines: Iterable[str]) -> WorkResult:
    """Return the result of a game with the lines of its report."""
    if delivery.plan:
        return WorkResult(said=tuple(lines))
    names = tuple(path.relative_to(delivery.folder).as_posix() for path in files.files)
    return WorkResult(messages=(*roll_lines(game, delivery), *lines), files=names)


def map_bytes(work: Work[MapContext], system: RuleSystem, game: GeneratedGame) -> bytes:
    """Return a map or building plan as the bytes of one file, for standard output.

    Raises:
        UsageError: the format writes one file per page, or both are wanted.
    """
    name = work.formats[0]
    if name in RECORDS:
        return record_bytes(name, game.record, _build_show(work, system, game.record))
    if work.order.prints_plan(game.record, work.formats):
        if PAPER_MAP in work.order.asked.wanted:
            raise UsageError("--out - writes a single file; remove --with map")
        from printkit.recipes.evening.handouts import building_plan

        return document_bytes(building_plan(game.record, system, work.order, "")[0].document, name)
    return document_bytes(draw_map(game.record, system, work.order)[0], name)


def _build_show(work: Work[MapContext], system: RuleSystem, record: Record) -> FieldShow:
    """Return the options for formats of other programs, with the function that draws the picture."""
    return replace(work.show, picture=partial(field_picture, record, system, work.order))
