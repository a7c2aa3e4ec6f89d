"""Batches of battlefields: the data for the workers, the work for one seed, its report, and the log of a batch."""

from __future__ import annotations

import gc
import json
import pickle
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from printkit import __version__
from printkit.chance.dice import write_log
from printkit.core.errors import PageError, PlacementError, PrintkitError, RecordError, ScenarioError, Sentence
from printkit.core.paths import exists
from printkit.core.words import Words
from printkit.export.placing import StagingFolder, clean_up
from printkit.export.writers import FieldShow
from printkit.kit import registry
from printkit.kit.plugin import load
from printkit.kit.system import RuleSystem
from printkit.recipes.game.games import GeneratedGame, play
from printkit.recipes.game.request import Orders

if TYPE_CHECKING:
    from printkit.recipes.box.piece_box import PieceBox
    from printkit.recipes.output.printed_files import FilePart
    from printkit.recipes.output.printers import SheetContext

# The game count that works get in a batch. File names then contain the seed; the exact number does not matter.
BATCH_COUNT: Final = 2

OrderT = TypeVar("OrderT", bound="SheetContext", covariant=True)

# Errors in the content of the scenario file.
_SCENARIO_ERRORS: Final = (RecordError, ScenarioError, PlacementError)

# A cluster may run several threads in a process, but they share fonts and other library state.
_TASK_LOCK: Final = Lock()


class FileChecksum(NamedTuple):
    """The checksum of a complete file: its size in bytes and its SHA-256 in hexadecimal."""

    size: int
    digest: str


class Delivery(Struct, frozen=True, kw_only=True):
    """The destination of the files of a game.

    ``shown_folder`` is the folder as the user typed it; ``folder`` is the same folder for every process. Incomplete
    files are in the folder ``staging_folder``, or if None next to their final path. With ``plan`` no file is written.
    ``report_part`` gets each document for printing, if the destination is in this process. ``show_stage`` gets the
    stages of the work.
    ``force`` overwrites other files. Files of the seeds in ``finished_seeds``, from the same orders, are always
    overwritten.
    """

    folder: Path
    shown_folder: Path
    staging_folder: Path | None = None
    plan: bool = False
    verbose: bool = False
    force: bool = False
    finished_seeds: frozenset[int] = frozenset()
    report_part: Callable[[FilePart], None] | None = None
    show_stage: Callable[[str], None] | None = None

    def overwrites(self, seed: int | None) -> bool:
        """Return whether the files of a seed may overwrite existing files.

        They may with ``force``, and if an earlier run of the batch finished this seed.
        """
        return self.force or seed in self.finished_seeds

    def begin_writing(self, formats: Sequence[str]) -> None:
        """Show that the files are being written; the PDF takes the longest."""
        if self.show_stage is not None:
            self.show_stage(Sentence("writing the PDF") if "pdf" in formats else Sentence("writing the files"))


class StagedFiles(StagingFolder):
    """A staging folder for the incomplete files of a batch, inside the output folder."""

    def __init__(self, folder: Path) -> None:
        """Create the staging folder and, if missing, the output folder; delete remains of interrupted runs.

        Raises:
            PageError: the folder cannot be made or written to.
        """
        self._folder, self._new = folder, not exists(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            clean_up(folder)
            super().__init__(folder)
        except OSError as error:
            raise PageError(
                "cannot write to {folder}: {reason}; choose another --out",
                folder=folder,
                reason=error.strerror or error,
            ) from None

    def cleanup(self) -> None:
        """Remove the staging folder, and also the output folder if printkit created it and it is empty."""
        super().cleanup()
        if self._new:
            with suppress(OSError):
                self._folder.rmdir()


class WorkResult(Struct, frozen=True, kw_only=True):
    """The result of one game: lines for standard output, messages for the user, and the files in the folder."""

    said: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


class Work(Struct, Generic[OrderT], frozen=True, kw_only=True):
    """The work for each game of a batch. Two works with the same ``repr`` write the same files.

    Attributes:
        make: the recipe as ``module:function``; it is called with the work, the rule system, the game and the delivery.
        order: the context to print with.
        formats: the formats of a map.
        out: the file below the folder that names the files, or ``.``.
        count: the number of games; with several, file names contain the seed.
        show: options of formats for other programs.
    """

    make: str
    order: OrderT
    formats: tuple[str, ...] = ()
    out: Path = Path()
    count: int = BATCH_COUNT
    show: FieldShow = FieldShow()

    def __call__(self, system: RuleSystem, game: GeneratedGame, delivery: Delivery) -> WorkResult:
        """Write the files of a game, or with ``plan`` only report them."""
        result: WorkResult = load(self.make)(self, system, game, delivery)
        return result


class Games(Struct, frozen=True, kw_only=True):
    """New games that differ only by their seed; ``goes_on``: whether the seed rolls when the user's dice run out."""

    orders: Orders
    words: Words
    goes_on: bool = True
    box: PieceBox | None = None

    def game(self, seed: int) -> tuple[RuleSystem, GeneratedGame]:
        """Return the game of a seed with its rule system.

        Raises:
            PrintkitError: the game cannot be generated.
        """
        system = _find_system(self.orders.rules)
        game = play(system, self.orders, seed, self.words, continues=self.goes_on)
        if self.box is not None:
            from printkit.recipes.box.refit import fit_to_box

            game = fit_to_box(system, game, self.box, self.words, can_reroll=self.orders.dice is None)
        return system, game


class Batch(Struct, frozen=True, kw_only=True):
    """The games, the work for each, and the destination; ``scenario`` is the file that error messages name."""

    games: Games
    work: Work[SheetContext]
    delivery: Delivery
    scenario: Path | None = None


class Report(Struct, frozen=True, kw_only=True):
    """The report of a worker on one seed: its result, or the error message ``error_message``.

    ``status`` is the exit status of the error. 2 means a wrong command line, so all other seeds fail too.
    """

    seed: int
    result: WorkResult = field(default_factory=WorkResult)
    checksums: Mapping[str, FileChecksum] = field(default_factory=dict)
    error_message: str = ""
    status: int = 0


def build_task(batch: Batch) -> Callable[[int], Report]:
    """Return the function that a worker calls with a seed. It contains the pickled batch, loaded once per process."""
    return _Task(pickle.dumps(batch), gc.get_threshold()[0])


class _Task(Struct, frozen=True):
    batch_bytes: bytes
    threshold: int

    def __call__(self, seed: int) -> Report:
        with _TASK_LOCK:
            report = made(_load_batch(self.batch_bytes), seed)
            _configure_gc(self.threshold)
            return report


@cache
def _configure_gc(threshold: int) -> None:
    """Set the GC threshold of the process, and exclude the objects that exist now from garbage collection.

    ``threshold`` is the first value of ``gc.get_threshold``: the number of new objects before a collection.
    """
    gc.set_threshold(threshold)
    gc.collect()
    gc.freeze()


@lru_cache(maxsize=2)
def _load_batch(batch_bytes: bytes) -> Batch:
    """Return the batch, the same object for each seed, so that caches by style or word work."""
    batch: Batch = pickle.loads(batch_bytes)
    return batch


@cache
def _find_system(name: str) -> RuleSystem:
    """Return the rule system of this name, cached per process."""
    return registry.find(name)


def made(batch: Batch, seed: int) -> Report:
    """Do the work for one seed and return its report, with the checksums of its files by name.

    An error never leaves the function: it becomes a report with its message and exit status, so that other seeds
    continue.
    """
    try:
        result = batch.work(*batch.games.game(seed), batch.delivery)
        checksums = {name: compute_checksum(batch.delivery.folder / name) for name in result.files}
        return Report(seed=seed, result=result, checksums=checksums)
    except PrintkitError as error:
        message = error.sentence
        if batch.scenario is not None and isinstance(error, _SCENARIO_ERRORS):
            message = Sentence("{path}: {error}", path=batch.scenario, error=message)
        return Report(seed=seed, error_message=message, status=error.exit_status)
    except Exception as error:
        # A bug that affects one battlefield must not stop the others.
        return Report(seed=seed, error_message=_describe_bug(error), status=1)


def compute_checksum(path: Path) -> FileChecksum:
    """Return the size of a file in bytes and its SHA-256."""
    from hashlib import sha256

    content = path.read_bytes()
    return FileChecksum(len(content), sha256(content).hexdigest())


def _describe_bug(error: Exception) -> Sentence:
    """Return a message about an unexpected error: its type, file and line."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return Sentence(
        "a bug in printkit, {kind} in {file}, line {line}: {error}; run it alone, without --count, for details",
        kind=type(error).__name__,
        file=Path(frame.filename).name,
        line=frame.lineno,
        error=str(error),
    )


def order_reports(reports: Iterable[Report], seeds: Iterable[int]) -> Iterator[Report]:
    """Yield reports in the order of the seeds, each as soon as the reports before it are complete.

    Each seed has at most one report; reports after a missing one are not yielded. A report waits until those before it
    have come.
    """
    waiting_reports: dict[int, Report] = {}
    seed_iterator = iter(seeds)
    next_seed = next(seed_iterator, None)
    for report in reports:
        waiting_reports[report.seed] = report
        while next_seed in waiting_reports:
            yield waiting_reports.pop(next_seed)
            next_seed = next(seed_iterator, None)


def roll_lines(game: GeneratedGame, delivery: Delivery) -> tuple[str, ...]:
    """Return the lines of the log of a game, its header first; empty unless the output is verbose."""
    return tuple(write_log(game.record.log).splitlines()) if delivery.verbose else ()


NAME: Final = "printkit-batch.jsonl"  # in the folder of the batch


def orders_digest(batch: Batch) -> str:
    """Return a fingerprint of a batch: equal if the version, the games and the files to make are equal.

    The folder and the number of seeds are not in it, so a batch can be moved and continued. ``force`` and ``lang`` are
    not in it either: the first does not change files, and the words are in the order.
    """
    order = batch.work.order
    work = replace(batch.work, order=replace(order, asked=replace(order.asked, force=False, lang=None)))
    return sha256(repr((__version__, batch.games, work)).encode()).hexdigest()


class BatchLog:
    """The log file of a batch. It is read once; each battlefield adds a line when all its files are complete."""

    def __init__(self, batch: Batch) -> None:
        """Read the existing log; incomplete or invalid lines are ignored."""
        self._folder = batch.delivery.folder
        self._orders = orders_digest(batch)
        self._made: dict[int, Mapping[str, FileChecksum]] = {}
        try:
            lines = self.path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            lines = []
        for line in lines:
            self._read_line(line)

    @property
    def path(self) -> Path:
        """Return the path of the log file."""
        return self._folder / NAME

    def is_complete(self, seed: int) -> bool:
        """Return whether all files of a seed are as this batch's orders wrote them, according to the log.

        It is False for a seed that is not in the log with these orders.
        """
        checksums = self._made.get(seed)
        return bool(checksums) and all(
            _matches_checksum(self._folder / name, checksum) for name, checksum in (checksums or {}).items()
        )

    def has_seed(self, seed: int) -> bool:
        """Return whether the log has a seed with this batch's orders, even if files are changed or missing."""
        return seed in self._made

    def note(self, report: Report) -> None:
        """Add the report of a seed to the log file and to this object.

        Raises:
            PageError: the file cannot be written.
        """
        files = {name: list(checksum) for name, checksum in report.checksums.items()}
        line = json.dumps({"seed": report.seed, "orders": self._orders, "files": files}, ensure_ascii=False)
        try:
            # End an incomplete last line first, so that only that line is lost.
            with self.path.open("a+b") as file:
                if file.tell() and not self._ends_with_newline(file):
                    file.write(b"\n")
                file.write(f"{line}\n".encode())
        except OSError as error:
            raise PageError("cannot write {path}: {reason}", path=self.path, reason=error.strerror or error) from None
        self._made[report.seed] = report.checksums

    @staticmethod
    def _ends_with_newline(file: Any) -> bool:
        """Return whether the last byte of an open binary file is a newline. The file must not be empty."""
        file.seek(-1, 2)
        return bool(file.read(1) == b"\n")

    def _read_line(self, line: str) -> None:
        """Remember the seed and checksums of a log line; skip it if it is invalid or of other orders."""
        try:
            tree = json.loads(line)
            if tree["orders"] == self._orders:
                self._made[tree["seed"]] = {
                    name: FileChecksum(size, digest) for name, (size, digest) in tree["files"].items()
                }
        except (ValueError, KeyError, TypeError, AttributeError):
            return


def _matches_checksum(path: Path, expected: FileChecksum) -> bool:
    """Return whether a file has the expected size and SHA-256; False if it cannot be read."""
    try:
        return path.stat().st_size == expected.size and compute_checksum(path) == expected
    except OSError:
        return False
