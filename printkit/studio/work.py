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

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import PrintkitError, Sentence, UsageError
from printkit.options.printing import CardOptions, EveningOptions, MapOptions, PrintOptions, TileOptions
from printkit.options.table import format_words

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
    """

    recipe: str
    options: MapOptions | EveningOptions | TileOptions | CardOptions | PrintOptions
    record: str = ""
    out: str = ""
    to: tuple[str, ...] = ()
    printer: str = ""
    printers: str = ""
    deck: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """Return the arguments of the equivalent ``printkit`` command."""
        named = (("--from", self.record), *(("--to", each) for each in self.to), ("--printer", self.printer))
        more = (f"{flag}={value}" for flag, value in (*named, ("--out", self.out)) if value)
        return (self.recipe, *filter(None, [self.deck]), *more, *format_words(self.options))


class PartTold(Struct, frozen=True):
    """A file to be written, with the sheets, cuts and minutes that it needs."""

    name: str
    sheets: int
    cuts: int
    minutes: int


class TaskParts(Struct, frozen=True):
    """Report: the files to be written."""

    parts: tuple[PartTold, ...]


class Written(Struct, frozen=True):
    """Report: a file is complete; ``done`` of ``total`` files are."""

    name: str
    done: int
    total: int


class Finished(Struct, frozen=True):
    """Report: the task has finished, with the absolute paths of its files and its output lines."""

    files: tuple[str, ...]
    said: tuple[str, ...]


class Failed(Struct, frozen=True):
    """Report: the task has failed, with the reason."""

    reason: str


TaskReport: TypeAlias = TaskParts | Written | Finished | Failed
Tell: TypeAlias = Callable[[TaskReport], None]


class Worker:
    """A process that runs one task.

    Args:
        work: the task.
    """

    def __init__(self, work: Task) -> None:
        context = multiprocessing.get_context("spawn")
        self._heard, said = context.Pipe(duplex=False)
        self._process = context.Process(target=_serve, args=(work, said), daemon=True)
        self._process.start()
        said.close()

    def reports(self) -> Iterator[TaskReport]:
        """Yield the reports of the process until it ends; the last one is ``Finished`` or ``Failed``."""
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
        Thread(target=self._insist, daemon=True).start()

    def _insist(self) -> None:
        self._process.join(_PATIENCE)
        if self._process.is_alive():
            self._process.kill()

    def wait(self, seconds: float) -> bool:
        """Return whether the process reports or ends within a number of seconds."""
        return self._heard.poll(seconds)


def check_apart(record: Path, lang: str) -> None:
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


def _serve(work: Task, said: Connection) -> None:
    """Run a task in the worker process and send its reports."""
    from printkit.console import terminal

    # Ctrl-C at the terminal must reach only the studio, which then stops this process.
    leave_group = getattr(os, "setsid", None)
    if leave_group is not None:
        leave_group()
    signal.signal(signal.SIGINT, terminal.stop)
    try:
        said.send(do_work(work, said.send))
    except PrintkitError as error:
        said.send(Failed(error.sentence))
    except KeyboardInterrupt:
        return
    except Exception as error:
        if not terminal.is_stopped():
            said.send(Failed(own_fault(error)))


def own_fault(error: Exception) -> Sentence:
    """Return the message for a bug in printkit."""
    kind, reason = type(error).__name__, " ".join(str(error).split())
    return Sentence("this is a bug in printkit ({kind}: {error}); please report it", kind=kind, error=reason)


def do_work(work: Task, tell: Tell) -> Finished:
    """Run a task, report its progress, and return its result.

    Raises:
        PrintkitError: an option is not valid, or the output cannot be written.
    """
    from printkit.console import terminal
    from printkit.export.placing import written_files
    from printkit.recipes.output.printers import find as find_printer

    words = terminal.words(work.options.lang)
    profile = find_printer(work.printer, Path(work.printers)) if work.printer else None
    said = tuple(_RECIPES[work.recipe](work, words, profile, tell))
    return Finished(tuple(str(path.absolute()) for path in written_files()), said)


_Recipe: TypeAlias = Callable[[Any, "Words", "PrinterProfile | None", Tell], "tuple[str, ...]"]


def _saved(work: Task) -> tuple[RuleSystem, GeneratedGame]:
    from printkit.console.games import recorded
    from printkit.recipes.game.games import GeneratedGame, roundtrip_record

    system, record = recorded(Path(work.record))
    return system, GeneratedGame(record=roundtrip_record(system, record))


def _map(work: Task, words: Words, profile: PrinterProfile | None, tell: Tell) -> tuple[str, ...]:
    from printkit.recipes.batch.batches import Delivery, Work
    from printkit.recipes.batch.works import MAP
    from printkit.recipes.prints.maps import map_context

    del tell
    assert isinstance(work.options, MapOptions)
    order, out = map_context(work.options, words, profile), Path(work.out)
    make = Work(make=MAP, order=order, formats=work.to or ("pdf",), out=Path(), count=1)
    return make(*_saved(work), Delivery(folder=out, shown_folder=out, force=work.options.force)).messages


def _handouts(work: Task, words: Words, profile: PrinterProfile | None, tell: Tell) -> tuple[str, ...]:
    from printkit.recipes.evening.folder import write_evening
    from printkit.recipes.evening.handouts import evening, game_night_context, game_night_report_lines

    assert isinstance(work.options, EveningOptions)
    (system, played), folder = _saved(work), Path(work.out)
    made = evening(played.record, system, game_night_context(work.options, words, profile), folder)
    tell(TaskParts(tuple(PartTold(each.name, each.sheets, each.cuts, each.minutes) for each in made.parts)))
    total, done = len(made.files), iter(range(1, len(made.files) + 1))
    write_evening(
        made.files,
        folder,
        force=work.options.force,
        keep_others=made.is_addition,
        report=lambda name: tell(Written(name, next(done), total)),
    )
    return tuple(game_night_report_lines(made, played, folder))


def _hexon(work: Task, words: Words, profile: PrinterProfile | None, tell: Tell) -> tuple[str, ...]:
    from printkit.hexon.job import job_lines, make_hexon_job, output_names, tile_context
    from printkit.recipes.output.files import write_folder

    del tell
    assert isinstance(work.options, TileOptions)
    system, played = _saved(work)
    order = tile_context(work.options, words, profile)
    folder, name, record_name = output_names(played, Path(work.out), 1, order)
    job = make_hexon_job(played, system, order, name=name, record_name=record_name)
    write_folder(job.files, folder, force=work.options.force)
    return tuple(job_lines(played, job))


def _cards(work: Task, words: Words, profile: PrinterProfile | None, tell: Tell) -> tuple[str, ...]:
    from printkit.console.games import recorded
    from printkit.console.terminal import fresh_seed
    from printkit.recipes.output.files import write_folder
    from printkit.recipes.prints.card_jobs import DeckJob, card_sheets
    from printkit.recipes.prints.decks import card_context, special_size
    from printkit.recipes.prints.printing import write_document

    del tell
    assert isinstance(work.options, CardOptions)
    options = replace(work.options, size=work.options.size or special_size(work.deck), to=("pdf",))
    order, record, out = card_context(options, words, profile), Path(work.record), Path(work.out)
    game = recorded(record)
    made = card_sheets(DeckJob(deck=work.deck, order=order, draw_seed=fresh_seed, game=game, record=record, out=out))
    if made.document is None:
        write_folder(made.files, out, force=options.force)
    else:
        write_document(replace(made.document, dpi=options.dpi), made.name, ("pdf",), out, force=options.force)
    return made.said


def _calibrate(work: Task, words: Words, profile: PrinterProfile | None, tell: Tell) -> tuple[str, ...]:
    from printkit.page.sheet import Flip
    from printkit.recipes.output.printers import calibration_document
    from printkit.recipes.prints.file_names import add_marks, printing_marks
    from printkit.recipes.prints.printing import write_document

    del profile, tell
    document = calibration_document(work.options.sheet, Flip.LONG_EDGE, words)
    name = add_marks(f"calibration-{document.keywords[0]}", *printing_marks(words))
    write_document(document, name, ("pdf",), Path(work.out), force=work.options.force)
    return ()


def _check(work: Task, words: Words, profile: PrinterProfile | None, tell: Tell) -> tuple[str, ...]:
    from printkit.kit import registry
    from printkit.kit.check import judge_text
    from printkit.recipes.game.request import read_text

    del words, profile, tell
    judge_text(read_text(Path(work.record)), registry.all_systems(), None)
    return ()


_RECIPES: Final[dict[str, _Recipe]] = {
    "map": _map,
    "handouts": _handouts,
    "hexon": _hexon,
    "cards": _cards,
    "calibrate": _calibrate,
    "check": _check,
}
