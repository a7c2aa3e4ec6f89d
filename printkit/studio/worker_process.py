"""Printing and checking in a separate process that can be stopped.

Options, progress and results pass between the processes as values. The files have the same bytes as those of the
command in ``Task.words``.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from printkit.console.games import load_record
from printkit.core.errors import PrintkitError, Sentence, UsageError
from printkit.options.printing import CardOptions, EveningOptions, MapOptions, PrintOptions, TileOptions
from printkit.options.table import format_words
from printkit.recipes.game.request import GameNames
from printkit.recipes.output.files import write_folder
from printkit.recipes.output.printed_files import FilePart, PrintedFile, describe_files, document_parts

if TYPE_CHECKING:
    from printkit.core.words import Words
    from printkit.kit.system import RuleSystem
    from printkit.page.printer import PrinterProfile
    from printkit.recipes.game.games import GeneratedGame

# Seconds for a stopped process to remove its incomplete files.
_PATIENCE: Final = 5.0

# Time limit in seconds for checking an uploaded record.
_CHECK_SECONDS: Final = 30.0


class Task(Struct, frozen=True, kw_only=True):
    """A recipe, named as its command, with its options.

    Attributes:
        recipe: ``map``, ``handouts``, ``hexon``, ``cards``, ``calibrate`` or ``check``.
        options: the options for printing.
        record: the file of the saved battlefield, or empty.
        out: the output folder.
        to: the formats of a map; empty for the default.
        printer: the name of a calibrated printer, or empty.
        printers: the folder of the calibrated printers.
        deck: the name of the deck of cards.
        names: the title and the players to print; empty texts for those of the battlefield.
    """

    recipe: str
    options: MapOptions | EveningOptions | TileOptions | CardOptions | PrintOptions
    record: str = ""
    out: str = ""
    to: tuple[str, ...] = ()
    printer: str = ""
    printers: str = ""
    deck: str = ""
    names: GameNames = GameNames()

    @property
    def words(self) -> tuple[str, ...]:
        """Return the arguments of the equivalent ``printkit`` command."""
        pairs = (
            ("--from", self.record),
            ("--title", self.names.title),
            ("--players", self.names.players),
            *(("--to", map_format) for map_format in self.to),
            ("--printer", self.printer),
        )
        more = (f"{flag}={value}" for flag, value in (*pairs, ("--out", self.out)) if value)
        return (self.recipe, *filter(None, [self.deck]), *more, *format_words(self.options))


class TaskParts(Struct, frozen=True):
    """Report: the facts about the files to be written."""

    parts: tuple[PrintedFile, ...]


class Written(Struct, frozen=True):
    """Report: the file ``written`` is complete; ``done`` of ``total`` files are."""

    written: str
    done: int
    total: int = field(name="of")


class Finished(Struct, frozen=True):
    """Report: the task has finished, with the facts about its files below ``Task.out`` and its output lines.

    A tile plan also has its pieces, each with the number needed, and notes about them.
    """

    files: tuple[PrintedFile, ...]
    said: tuple[str, ...]
    pieces: tuple[tuple[str, int], ...] = ()
    notes: tuple[str, ...] = ()


class Failed(Struct, frozen=True):
    """Report: the task has failed, with the reason."""

    reason: str


TaskReport: TypeAlias = TaskParts | Written | Finished | Failed
SendReport: TypeAlias = Callable[[TaskReport], None]


class Worker:
    """A process that runs one task.

    Args:
        task: the task.
    """

    def __init__(self, task: Task) -> None:
        context = multiprocessing.get_context("spawn")
        self._heard, sender = context.Pipe(duplex=False)
        self._process = context.Process(target=_run_worker, args=(task, sender), daemon=True)
        self._process.start()
        sender.close()

    def reports(self) -> Iterator[TaskReport]:
        """Yield the reports of the process until it ends; the last one is ``Finished`` or ``Failed``.

        A process that ends without one of them gives ``Failed``.
        """
        last: TaskReport | None = None
        with suppress(EOFError, OSError):
            while True:
                last = self._heard.recv()
                yield last
        self._process.join()
        if not isinstance(last, Finished | Failed):
            yield Failed(Sentence("the job stopped early; start it again"))

    def stop(self) -> None:
        """Interrupt the process as Ctrl-C does; kill it if it does not end within 5 seconds."""
        if self._process.pid is None or not self._process.is_alive():
            return
        with suppress(OSError):
            if os.name == "nt":
                self._process.terminate()
            else:
                os.kill(self._process.pid, signal.SIGINT)
        Thread(target=self._kill_late, daemon=True).start()

    def _kill_late(self) -> None:
        """Kill the process if it does not end within the time limit."""
        self._process.join(_PATIENCE)
        if self._process.is_alive():
            self._process.kill()

    def wait(self, seconds: float) -> bool:
        """Return whether the process reports or ends within a number of seconds."""
        return self._heard.poll(seconds)


def check_in_process(record: Path, lang: str) -> None:
    """Check an uploaded record in a separate process with a time limit.

    Raises:
        UsageError: it is not a record, or the check takes too long.
    """
    worker = Worker(Task(recipe="check", options=PrintOptions(lang=lang), record=str(record)))
    if not worker.wait(_CHECK_SECONDS):
        worker.stop()
        raise UsageError(
            "reading this took more than {seconds:g} seconds and was stopped; send something shorter",
            seconds=_CHECK_SECONDS,
        )
    for report in worker.reports():
        if isinstance(report, Failed):
            raise UsageError("{told}", told=report.reason)


def _run_worker(task: Task, sender: Connection) -> None:
    """Run a task in the worker process and send its reports."""
    from printkit.console import terminal

    # Ctrl-C at the terminal must reach only the studio, which then stops this process.
    leave_group = getattr(os, "setsid", None)
    if leave_group is not None:
        leave_group()
    signal.signal(signal.SIGINT, terminal.stop)
    try:
        sender.send(run_task(task, sender.send))
    except PrintkitError as error:
        sender.send(Failed(error.sentence))
    except KeyboardInterrupt:
        return
    except Exception as error:
        if not terminal.is_stopped():
            sender.send(Failed(bug_message(error)))


def bug_message(error: Exception) -> Sentence:
    """Return the message for a bug in printkit."""
    kind, reason = type(error).__name__, " ".join(str(error).split())
    return Sentence("this is a bug in printkit ({kind}: {error}); please report it", kind=kind, error=reason)


def run_task(task: Task, send_report: SendReport) -> Finished:
    """Run a task, report its progress, and return its result.

    Raises:
        PrintkitError: an option is not valid, or the output cannot be written.
    """
    from printkit.console import terminal
    from printkit.recipes.output.printers import find as find_printer

    words = terminal.words(task.options.lang)
    profile = find_printer(task.printer, Path(task.printers)) if task.printer else None
    return _RECIPES[task.recipe](task, words, profile, send_report)


_Recipe: TypeAlias = Callable[[Any, "Words", "PrinterProfile | None", SendReport], Finished]


class _Progress:
    """Reports each file that a recipe has finished; calling it with the name of a file counts that file."""

    def __init__(self, send_report: SendReport, total: int) -> None:
        self._send_report, self._total, self._done = send_report, total, 0

    def __call__(self, name: str) -> None:
        self._done += 1
        self._send_report(Written(name, self._done, self._total))


def _load_game(task: Task) -> tuple[RuleSystem, GeneratedGame]:
    """Return the rule system and the game of the saved battlefield of a task."""
    from printkit.recipes.game.games import GeneratedGame, roundtrip_record

    system, record = load_record(Path(task.record))
    return system, GeneratedGame(record=roundtrip_record(system, task.names.rename(record)))


def _map(task: Task, words: Words, profile: PrinterProfile | None, send_report: SendReport) -> Finished:
    """Write the map of a battlefield, PDF by default, into the folder of the task, and return its result."""
    from printkit.recipes.batch.batches import Delivery, Work
    from printkit.recipes.batch.tasks import MAP
    from printkit.recipes.prints.maps import map_context

    del send_report
    assert isinstance(task.options, MapOptions)
    order, out = map_context(task.options, words, profile), Path(task.out)
    make = Work(make=MAP, order=order, formats=task.to or ("pdf",), out=Path(), count=1)
    parts: list[FilePart] = []
    delivery = Delivery(folder=out, shown_folder=out, report_part=parts.append)
    result = make(*_load_game(task), delivery)
    return Finished(describe_files(result.files, parts), result.messages)


def _handouts(task: Task, words: Words, profile: PrinterProfile | None, send_report: SendReport) -> Finished:
    """Write the game-night folder of a battlefield, report each file, and return its result."""
    from printkit.recipes.evening.folder import write_evening
    from printkit.recipes.evening.handouts import evening, game_night_context, game_night_report

    assert isinstance(task.options, EveningOptions)
    (system, game), folder = _load_game(task), Path(task.out)
    game_night = evening(game.record, system, game_night_context(task.options, words, profile), folder)
    facts = game_night.describe_files()
    send_report(TaskParts(facts))
    write_evening(
        game_night.files,
        folder,
        force=True,
        keep_others=game_night.is_addition,
        report=_Progress(send_report, len(facts)),
    )
    return Finished(facts, tuple(game_night_report(game_night, game, folder)))


def _hexon(task: Task, words: Words, profile: PrinterProfile | None, send_report: SendReport) -> Finished:
    """Write the tile plan of a battlefield, and return its result."""
    from printkit.hexon.files import part_name
    from printkit.hexon.job import hexon_files, job_report, make_hexon_job, tile_context

    assert isinstance(task.options, TileOptions)
    system, game = _load_game(task)
    order = tile_context(task.options, words, profile)
    with hexon_files(game.record, Path(task.out), order) as target:
        job = make_hexon_job(game, system, order, target)
        write_folder(job.files, target.folder, force=True, report_file=_Progress(send_report, len(job.files)))
    pieces = tuple((part_name(name, words.each()[0]), count) for name, count in job.pieces.items())
    facts = describe_files(job.files, document_parts(job.files, "hexon"))
    return Finished(facts, tuple(job_report(game, job, target.folder, words.each()[0])), pieces, job.notes)


def _cards(task: Task, words: Words, profile: PrinterProfile | None, send_report: SendReport) -> Finished:
    """Write the deck of a task as PDF, or as the files of its job, and return its result."""
    from printkit.console.terminal import fresh_seed
    from printkit.recipes.prints.card_jobs import DeckJob, card_files, card_sheets
    from printkit.recipes.prints.decks import card_context, special_size
    from printkit.recipes.prints.printing import write_document

    assert isinstance(task.options, CardOptions)
    options = replace(task.options, size=task.options.size or special_size(task.deck), to=("pdf",))
    order, record, out = card_context(options, words, profile), Path(task.record), Path(task.out)
    game = load_record(record)
    job = DeckJob(deck=task.deck, order=order, draw_seed=fresh_seed, game=game, record=record, out=out)
    result = card_sheets(job)
    if (document := result.document) is None:
        progress = _Progress(send_report, len(result.files))
        write_folder(result.files, out, force=True, report_file=progress)
        return Finished(describe_files(result.files, document_parts(result.files, "cards")), result.notes)
    with card_files(job, result, ("pdf",)) as target:
        name = target.with_marks(result.name)
        (path,) = write_document(replace(document, dpi=options.dpi), name, ("pdf",), out, force=target.may_replace)
    part = FilePart(name=path.name, description=document.title, document=document, kind="cards", cuts=result.cuts)
    return Finished(describe_files((path.name,), (part,)), (result.detail, *result.notes))


def _calibrate(task: Task, words: Words, profile: PrinterProfile | None, send_report: SendReport) -> Finished:
    """Write the test sheet of a printer, and return its result, which has no lines."""
    from printkit.page.sheet import Flip
    from printkit.recipes.output.printers import calibration_document
    from printkit.recipes.prints.file_names import add_marks, printing_marks
    from printkit.recipes.prints.printing import write_document

    del profile, send_report
    document = calibration_document(task.options.sheet, Flip.LONG_EDGE, words)
    name = add_marks(f"calibration-{document.keywords[0]}", *printing_marks(words))
    (path,) = write_document(document, name, ("pdf",), Path(task.out))
    return Finished(describe_files((path.name,), document_parts({path.name: document}, "calibration")), ())


def _check(task: Task, words: Words, profile: PrinterProfile | None, send_report: SendReport) -> Finished:
    """Check the record of a task; the result has no files.

    Raises:
        PrintkitError: it is not a record.
    """
    from printkit.kit import registry
    from printkit.kit.check import judge_text
    from printkit.recipes.game.request import read_text

    del words, profile, send_report
    judge_text(read_text(Path(task.record)), registry.all_systems(), None)
    return Finished((), ())


_RECIPES: Final[dict[str, _Recipe]] = {
    "map": _map,
    "handouts": _handouts,
    "hexon": _hexon,
    "cards": _cards,
    "calibrate": _calibrate,
    "check": _check,
}
