"""Batches of battlefields: the data for the workers, the work for one seed, and its report."""

from __future__ import annotations

import gc
import pickle
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar

from msgspec import Struct, field

from printkit.chance.dice import write_log
from printkit.core.errors import PageError, PlacementError, PrintkitError, RecordError, ScenarioError, Sentence
from printkit.core.paths import exists
from printkit.core.words import Words
from printkit.export.placing import StagingFolder, sweep
from printkit.export.writers import FieldShow
from printkit.kit import registry
from printkit.kit.plugin import load
from printkit.kit.system import RuleSystem
from printkit.recipes.game.games import GeneratedGame, play
from printkit.recipes.game.request import Orders

if TYPE_CHECKING:
    from printkit.recipes.box.piece_box import PieceBox
    from printkit.recipes.output.printers import SheetContext

# The game count that works get in a batch. File names then contain the seed; the exact number does not matter.
SEVERAL: Final = 2

OrderT = TypeVar("OrderT", bound="SheetContext", covariant=True)

# Errors in the content of the scenario file.
_NAMED: Final = (RecordError, ScenarioError, PlacementError)

# A cluster may run several threads in a process, but they share fonts and other library state.
_ONE_AT_A_TIME: Final = Lock()


class Proof(NamedTuple):
    """The checksum of a complete file: its size in bytes and its SHA-256 in hexadecimal."""

    size: int
    digest: str


class Delivery(Struct, frozen=True, kw_only=True):
    """The destination of the files of a game.

    ``shown`` is the folder as the user typed it; ``folder`` is the same folder for every process. Incomplete files are
    in the folder ``within``, or if None next to their final path. With ``plan`` no file is written. ``force``
    overwrites other files. Files of the seeds in ``made``, from the same orders, are always overwritten.
    """

    folder: Path
    shown: Path
    within: Path | None = None
    plan: bool = False
    verbose: bool = False
    force: bool = False
    made: frozenset[int] = frozenset()

    def replaces(self, seed: int | None) -> bool:
        """Return whether the files of a seed overwrite existing files."""
        return self.force or seed in self.made


class StagedFiles(StagingFolder):
    """A staging folder for the incomplete files of a batch, inside the output folder."""

    def __init__(self, folder: Path) -> None:
        """Create it in the output folder, which is created if missing, and delete remains of interrupted runs.

        Raises:
            PageError: the folder cannot be made or written to.
        """
        self._folder, self._new = folder, not exists(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            sweep(folder)
            super().__init__(folder)
        except OSError as error:
            raise PageError(
                "cannot write to {folder}: {reason}; choose another --out",
                folder=folder,
                reason=error.strerror or error,
            ) from None

    def cleanup(self) -> None:
        """Remove it, and also the output folder if that is new and empty."""
        super().cleanup()
        if self._new:
            with suppress(OSError):
                self._folder.rmdir()


class Done(Struct, frozen=True, kw_only=True):
    """The result of one game: lines for standard output, messages for the user, and the files in the folder."""

    said: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
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
    count: int = SEVERAL
    show: FieldShow = FieldShow()

    def __call__(self, system: RuleSystem, game: GeneratedGame, to: Delivery) -> Done:
        """Make the files of a game, or report them with ``plan``."""
        done: Done = load(self.make)(self, system, game, to)
        return done


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
        system = _system(self.orders.rules)
        game = play(system, self.orders, seed, self.words, continues=self.goes_on)
        if self.box is not None:
            from printkit.recipes.box.holding import fit_to_box

            game = fit_to_box(system, game, self.box, self.words, can_reroll=self.orders.dice is None)
        return system, game


class Batch(Struct, frozen=True, kw_only=True):
    """The games, the work for each, and the destination; ``scenario`` is the file that error messages name."""

    games: Games
    work: Work[SheetContext]
    to: Delivery
    scenario: Path | None = None


class Report(Struct, frozen=True, kw_only=True):
    """The report of a worker on one seed: its result, or the error message ``failed``.

    ``status`` is the exit status of the error. 2 means a wrong command line, so all other seeds fail too.
    """

    seed: int
    done: Done = field(default_factory=Done)
    proofs: Mapping[str, Proof] = field(default_factory=dict)
    failed: str = ""
    status: int = 0


def task(batch: Batch) -> Callable[[int], Report]:
    """Return the function that a worker calls with a seed. It contains the pickled batch, loaded once per process."""
    return _Task(pickle.dumps(batch), gc.get_threshold()[0])


class _Task(Struct, frozen=True):
    packed: bytes
    threshold: int

    def __call__(self, seed: int) -> Report:
        with _ONE_AT_A_TIME:
            report = made(_unpacked(self.packed), seed)
            _settle(self.threshold)
            return report


@cache
def _settle(threshold: int) -> None:
    """Set the GC threshold of the main process, and exclude the objects that the first battlefield has loaded."""
    gc.set_threshold(threshold)
    gc.collect()
    gc.freeze()


@lru_cache(maxsize=2)
def _unpacked(packed: bytes) -> Batch:
    """Return the batch, the same object for each seed, so that caches by style or word work."""
    found: Batch = pickle.loads(packed)
    return found


@cache
def _system(name: str) -> RuleSystem:
    return registry.find(name)


def made(batch: Batch, seed: int) -> Report:
    """Do the work for one seed. A failure is reported and does not stop other seeds."""
    try:
        done = batch.work(*batch.games.game(seed), batch.to)
        proofs = {name: proof(batch.to.folder / name) for name in done.files}
        return Report(seed=seed, done=done, proofs=proofs)
    except PrintkitError as error:
        said = error.sentence
        if batch.scenario is not None and isinstance(error, _NAMED):
            said = Sentence("{path}: {error}", path=batch.scenario, error=said)
        return Report(seed=seed, failed=said, status=error.exit_status)
    except Exception as error:
        # A bug that affects one battlefield must not stop the others.
        return Report(seed=seed, failed=_fault(error), status=1)


def proof(path: Path) -> Proof:
    """Return the size and the SHA-256 of a file."""
    from hashlib import sha256

    content = path.read_bytes()
    return Proof(len(content), sha256(content).hexdigest())


def _fault(error: Exception) -> Sentence:
    last = traceback.extract_tb(error.__traceback__)[-1]
    return Sentence(
        "a bug in printkit, {kind} in {file}, line {line}: {error}; run it alone, without --count, for details",
        kind=type(error).__name__,
        file=Path(last.filename).name,
        line=last.lineno,
        error=str(error),
    )


def by_seed(reports: Iterable[Report], seeds: Iterable[int]) -> Iterator[Report]:
    """Yield reports in the order of the seeds, each as soon as the reports before it are complete."""
    early: dict[int, Report] = {}
    due = iter(seeds)
    wanted = next(due, None)
    for report in reports:
        early[report.seed] = report
        while wanted in early:
            yield early.pop(wanted)
            wanted = next(due, None)


def throws(game: GeneratedGame, to: Delivery) -> tuple[str, ...]:
    """Return one line for each roll if the output is verbose."""
    return tuple(write_log(game.record.log).splitlines()) if to.verbose else ()
