"""Generate several battlefields in parallel, report them in seed order, and print a summary."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.console import terminal
from printkit.console.games import new_orders, scenario_path
from printkit.core.errors import PrintkitError, Sentence, UsageError, joined
from printkit.core.paths import is_folder
from printkit.options.commands import BatchOptions, GameOptions
from printkit.options.printing import FileOptions

if TYPE_CHECKING:
    from printkit.core.words import Words
    from printkit.kit.system import RuleSystem
    from printkit.recipes.batch.batches import Batch, BatchLog, OrderT, Report, Work
    from printkit.recipes.game.games import GeneratedGame
    from printkit.recipes.output.printers import SheetContext


# The suffix of a file of another program, for example .docx; .4 or .2026 may end the name of a folder.
_FILE_SUFFIX: Final = re.compile(r"\.(?=.*[a-z])[a-z0-9]{2,5}", re.IGNORECASE)


def reject_shared_output(batch: BatchOptions, *, ask: bool) -> None:
    """Refuse batch options without a batch.

    Raises:
        UsageError: ``--cluster`` or ``--again`` is given without ``--count``, or with ``--ask``.
    """
    flags = {"--cluster": batch.cluster is not None, "--again": batch.again}
    names = [name for name, is_given in flags.items() if is_given]
    if names and batch.count == 1:
        raise UsageError("{names} needs several battlefields; add --count", names=joined(names, Sentence(" and ")))
    if names and ask:
        raise UsageError(
            "--ask generates battlefields one after another; remove {names}", names=joined(names, Sentence(" and "))
        )


def is_batch(batch: BatchOptions, game: GameOptions) -> bool:
    """Return whether the options give several battlefields, without questions to the user."""
    return batch.count > 1 and not game.ask


def output_path(files: FileOptions, endings: tuple[str, ...]) -> tuple[Path, Path]:
    """Return the folder of ``--out`` and the file name in it, or ``.`` if ``--out`` names only a folder.

    ``endings`` are the suffixes of files, without a dot; any other path is a folder.

    Raises:
        UsageError: ``--out`` has the suffix of another kind of file, and there is no such folder.
    """
    out = files.place
    if out.suffix.lower().lstrip(".") in endings:
        return out.parent, Path(out.name)
    if _FILE_SUFFIX.fullmatch(out.suffix) and not files.out.endswith(("/", "\\")) and not is_folder(out):
        endings_text = ", ".join(f".{ending}" for ending in endings)
        raise UsageError("printkit writes {known}; for a folder write {out}/", known=endings_text, out=out)
    return out, Path()


def make_batch(
    game: GameOptions,
    batch: BatchOptions,
    words: Words,
    work: Work[SheetContext],
    folder: Path,
    *,
    files: FileOptions,
    force: bool,
) -> int:
    """Generate all battlefields that do not exist yet, report them in seed order, and return the exit status.

    Args:
        game: the options of the games.
        batch: the number of games and the workers.
        words: the words of the language.
        work: the output for each game.
        folder: the output folder as the user typed it.
        files: the output options.
        force: whether files of other games are overwritten.

    Raises:
        PrintkitError: an error that concerns all battlefields.
    """
    from printkit.recipes.batch.batches import BatchLog, StagedFiles
    from printkit.recipes.batch.pool import WorkerError

    full_batch, seeds = _prepare_batch(game, batch.count, words, work, folder, files, force=force)
    if files.plan:
        tally = _run_batch(full_batch, seeds, batch, files)
        terminal.report([], files, seeds[0])
        return _report_end(tally, existing_count=0, files=files)
    keeping = BatchLog(full_batch)
    due = [seed for seed in seeds if batch.again or not keeping.is_complete(seed)]
    with StagedFiles(full_batch.delivery.folder) as staging:
        earlier_seeds = frozenset(seed for seed in due if keeping.has_seed(seed))
        full_batch = replace(
            full_batch,
            delivery=replace(full_batch.delivery, staging_folder=Path(staging), finished_seeds=earlier_seeds),
        )
        remedy = Sentence("to continue, run the command again with --seed {seed}", seed=seeds[0])
        try:
            tally = _run_batch(full_batch, due, batch, files, keeping)
        except KeyboardInterrupt:
            terminal.report_error(remedy)
            raise
        except WorkerError as error:
            raise PrintkitError("{error}; finished files are complete; {remedy}", error=error, remedy=remedy) from None
    return _report_end(tally, existing_count=len(seeds) - len(due), files=files)


def deliver_game(
    work: Work[OrderT],
    system: RuleSystem,
    game: GeneratedGame,
    folder: Path,
    files: FileOptions,
    to_bytes: Callable[[Work[OrderT], RuleSystem, GeneratedGame], bytes],
    *,
    force: bool,
) -> None:
    """Write the files of one game and report them, or show what would be written.

    ``to_bytes`` returns the file that is written to standard output with ``--out -``.
    """
    from printkit.recipes.batch.batches import Delivery

    if files.streams and not files.plan:
        terminal.write(to_bytes(work, system, game))
        return
    delivery = Delivery(
        folder=folder,
        shown_folder=folder,
        plan=files.plan,
        verbose=files.verbose,
        force=force,
        show_stage=terminal.stage,
    )
    result = work(system, game, delivery)
    terminal.report((*result.said, *result.messages), files, game.record.seed)


class _Tally(Struct):
    made_count: int = 0
    failed: int = 0


def _prepare_batch(
    game: GameOptions,
    count: int,
    words: Words,
    work: Work[SheetContext],
    folder: Path,
    files: FileOptions,
    *,
    force: bool,
) -> tuple[Batch, range]:
    """Return the batch for the workers and the range of its ``count`` consecutive seeds.

    Errors that concern all battlefields are raised here.
    """
    from printkit.recipes.batch.batches import Batch, Delivery, Games
    from printkit.recipes.box.piece_box import read_piece_box
    from printkit.recipes.game.scenarios import build_scenario

    system, orders = new_orders(game)
    scenario = scenario_path(game)
    first = terminal.fresh_seed() if orders.first_seed is None else orders.first_seed
    with terminal.naming(scenario):
        build_scenario(system, orders, first)
    games = Games(
        orders=replace(orders, seed=None),
        words=words,
        goes_on=orders.seed is not None,
        box=None if game.box is None else read_piece_box(game.box),
    )
    delivery = Delivery(
        folder=folder.absolute(), shown_folder=folder, plan=files.plan, verbose=files.verbose, force=force
    )
    return Batch(games=games, work=work, delivery=delivery, scenario=scenario), range(first, first + count)


def _run_batch(
    batch: Batch, seeds: Sequence[int], sharing: BatchOptions, files: FileOptions, keeping: BatchLog | None = None
) -> _Tally:
    """Generate all seeds, log the finished ones, report them in seed order, and return the counts.

    Raises:
        UsageError: the command line is wrong, so all seeds fail.
    """
    from printkit.recipes.batch.batches import build_task, order_reports
    from printkit.recipes.batch.pool import cluster_executor, run_tasks

    tally = _Tally()
    workers = nullcontext() if sharing.cluster is None else cluster_executor(sharing.cluster)
    with (
        _worker_environment(),
        workers as executor,
        closing(run_tasks(build_task(batch), seeds, executor=executor)) as reports,
    ):
        arriving = terminal.track_progress(reports, files.quiet, total=len(seeds))
        for report in order_reports(arriving if keeping is None else _log_reports(arriving, keeping), seeds):
            if report.error_message:
                tally.failed += 1
                if report.status == UsageError.exit_status:
                    raise UsageError("{error}", error=report.error_message)
                terminal.report_error(Sentence("seed {seed}: {error}", seed=report.seed, error=report.error_message))
                continue
            tally.made_count += 1
            if files.plan:
                terminal.show(report.result.said)
            elif not files.quiet:
                terminal.tell(report.result.messages)
    return tally


@contextmanager
def _worker_environment() -> Iterator[None]:
    """Set the environment of worker processes, also if the caller is not ``main``.

    Workers do not import files of their current folder, and use one thread each for numpy.
    """
    variables = {"PYTHONSAFEPATH": "1", "OPENBLAS_NUM_THREADS": os.environ.get("OPENBLAS_NUM_THREADS", "1")}
    old_values = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in old_values.items():
            del os.environ[name]
            if value is not None:
                os.environ[name] = value


def _log_reports(reports: Iterable[Report], keeping: BatchLog) -> Iterator[Report]:
    """Yield reports in order of arrival, and log each finished seed at once, before reports are sorted."""
    for report in reports:
        if report.checksums:
            keeping.note(report)
        yield report


def _report_end(tally: _Tally, *, existing_count: int, files: FileOptions) -> int:
    """Print a summary if some battlefields existed or failed; return the exit status, 1 if any failed.

    ``existing_count`` is the number of battlefields that existed before.
    """
    if (existing_count or tally.failed) and not files.quiet:
        parts = [Sentence("{count} made", count=tally.made_count)]
        if existing_count:
            parts.append(Sentence("{count} already existed (--again generates them again)", count=existing_count))
        if tally.failed:
            parts.append(Sentence("{count} failed", count=tally.failed))
        total = tally.made_count + existing_count + tally.failed
        terminal.tell([Sentence("{count} battlefields: {parts}", count=total, parts=joined(parts))])
    return 1 if tally.failed else 0
