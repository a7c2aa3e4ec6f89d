"""Several battlefields at once: who makes them, in which order they are told, and what is said at the end."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from msgspec import Struct
from msgspec.structs import replace

from printkit.console import terminal
from printkit.console.games import Wanted, new_orders
from printkit.console.options import BatchOptions
from printkit.core.errors import Sentence, UsageError, joined

if TYPE_CHECKING:
    from printkit.core.words import Words
    from printkit.recipes.batch.batches import Batch, Done, Report, Work
    from printkit.recipes.batch.keeping import BatchLog


def refuse_sharing(batch: BatchOptions, *, ask: bool) -> None:
    """Refuse options that have nothing to share out.

    Raises:
        UsageError: says which, and why.
    """
    given = {"--jobs": batch.jobs is not None, "--backend": batch.backend is not None, "--again": batch.again}
    names = [name for name, is_given in given.items() if is_given]
    if names and batch.count == 1:
        raise UsageError("{names} goes with several battlefields; give --count", names=" and ".join(names))
    if names and ask:
        raise UsageError("--ask asks here for one field after the other; leave {names}", names=" and ".join(names))


class Verbosity(Struct, frozen=True, kw_only=True):
    """What a person wants to hear, whether he wants files at all, and whether others give way to them."""

    plan: bool = False
    force: bool = False
    quiet: bool = False
    verbose: bool = False


def is_batch(wanted: Wanted) -> bool:
    """Return whether several fields are wanted that need nobody beside them."""
    return wanted.count > 1 and not wanted.game.ask


def place_of(out: Path, endings: tuple[str, ...]) -> tuple[Path, Path]:
    """Return the folder of ``--out``, and the name that a person gave to files in it, or ``.``."""
    named = out.suffix.lower().lstrip(".") in endings
    return (out.parent, Path(out.name)) if named else (out, Path())


def make_batch(
    wanted: Wanted, words: Words, work: Work, folder: Path, *, sharing: BatchOptions, telling: Verbosity
) -> None:
    """Make every field that is not there already, and tell of each in the order of the seeds.

    Args:
        wanted: the games.
        words: the language of names, titles and sheets.
        work: what is made of each.
        folder: where the files go, as the person wrote it.
        sharing: among whom.
        telling: what is said.

    Raises:
        PrintkitError: what is wrong with all of them.
        typer.Exit: with status 1 where a field failed.
    """
    from printkit.recipes.batch.batches import Unfinished
    from printkit.recipes.batch.keeping import BatchLog

    batch, seeds = _ordered(wanted, words, work, folder, telling)
    if telling.plan:
        _end(_tell(batch, seeds, sharing, telling), kept=0, telling=telling)
        return
    keeping = BatchLog(batch)
    due = [seed for seed in seeds if sharing.again or not keeping.whole(seed)]
    with Unfinished(batch.to.folder) as within:
        made = frozenset(seed for seed in due if keeping.known(seed))
        batch = replace(batch, to=replace(batch.to, within=Path(within), made=made))
        try:
            tally = _tell(batch, due, sharing, telling, keeping)
        except KeyboardInterrupt:
            terminal.complain(Sentence("the same command with --seed {seed} goes on from here", seed=seeds[0]))
            raise
    _end(tally, kept=len(seeds) - len(due), telling=telling)


def tell(done: Done, *, quiet: bool) -> None:
    """Print what was asked for to standard output, and what else there is to know for the person."""
    if done.said:
        terminal.show(done.said)
    if done.told and not quiet:
        terminal.tell(done.told)


class _Tally(Struct):
    made: int = 0
    failed: int = 0


def _ordered(wanted: Wanted, words: Words, work: Work, folder: Path, telling: Verbosity) -> tuple[Batch, range]:
    """Return what is sent to those who make it, and the seeds. What is wrong with every field is found here."""
    from printkit.recipes.batch.batches import Batch, Delivery, Games
    from printkit.recipes.box.piece_box import read_piece_box
    from printkit.recipes.game.games import scenario_of

    system, orders = new_orders(wanted.game)
    first = terminal.fresh_seed() if orders.first_seed is None else orders.first_seed
    with terminal.naming(wanted.game.scenario):
        scenario_of(system, orders, first)
    games = Games(
        orders=replace(orders, seed=None),
        words=words,
        goes_on=orders.seed is not None,
        box=None if wanted.box is None else read_piece_box(wanted.box),
    )
    to = Delivery(
        folder=folder.absolute(), shown=folder, plan=telling.plan, verbose=telling.verbose, force=telling.force
    )
    return Batch(games=games, work=work, to=to, scenario=wanted.game.scenario), range(first, first + wanted.count)


def _tell(
    batch: Batch, seeds: Sequence[int], sharing: BatchOptions, telling: Verbosity, keeping: BatchLog | None = None
) -> _Tally:
    """Have every seed made, keep what is made, and tell of it by the order of the seeds."""
    from printkit.recipes.batch.batches import by_seed, task
    from printkit.recipes.batch.pool import pooled

    tally = _Tally()
    reports = pooled(task(batch), seeds, jobs=sharing.jobs, backend=sharing.backend)
    with _safe_path(), closing(reports):
        arriving = terminal.counted(reports, telling.quiet, total=len(seeds))
        for report in by_seed(arriving if keeping is None else _kept(arriving, keeping), seeds):
            if report.failed:
                tally.failed += 1
                _complain(report)
                continue
            tally.made += 1
            tell(report.done, quiet=telling.quiet)
    return tally


@contextmanager
def _safe_path() -> Iterator[None]:
    """Let no process that starts meanwhile import a file of its current folder, also if the caller is not ``main``."""
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        del os.environ["PYTHONSAFEPATH"]
        if before is not None:
            os.environ["PYTHONSAFEPATH"] = before


def _kept(reports: Iterable[Report], keeping: BatchLog) -> Iterator[Report]:
    """Yield reports; what was made is known from then on, though those before it are still to come."""
    for report in reports:
        if report.proofs:
            keeping.note(report)
        yield report


def _complain(report: Report) -> None:
    """Say why a seed has no files.

    Raises:
        UsageError: the command line is wrong, so that no other seed can have any.
    """
    if report.status == UsageError.exit_status:
        raise UsageError("{error}", error=report.failed)
    terminal.complain(Sentence("seed {seed}: {error}", seed=report.seed, error=report.failed))


def _end(tally: _Tally, *, kept: int, telling: Verbosity) -> None:
    """Say how many were made, where that is not simply all of them.

    Raises:
        typer.Exit: with status 1 where a field failed.
    """
    if (kept or tally.failed) and not telling.quiet:
        parts = [Sentence("{count} made", count=tally.made)]
        if kept:
            parts.append(Sentence("{count} there already and whole (--again makes them anew)", count=kept))
        if tally.failed:
            parts.append(Sentence("{count} failed", count=tally.failed))
        whole = tally.made + kept + tally.failed
        terminal.tell([Sentence("{count} battlefields: {parts}", count=whole, parts=joined(parts))])
    if tally.failed:
        raise typer.Exit(1)
