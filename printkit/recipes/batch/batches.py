"""Many battlefields of one order: what is sent to each worker, what it does for a seed, and what it hands back."""

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
from printkit.export.placing import WaitingFolder, sweep
from printkit.export.writers import FieldShow
from printkit.kit import registry
from printkit.kit.plugin import load
from printkit.kit.system import RuleSystem
from printkit.recipes.game.games import Played, play
from printkit.recipes.game.request import Orders

if TYPE_CHECKING:
    from printkit.recipes.box.piece_box import PieceBox
    from printkit.recipes.output.printers import SheetContext

SEVERAL: Final = 2
"""What works are told of how many games there are: names of files have the seed, and hang on no other number."""

OrderT = TypeVar("OrderT", bound="SheetContext", covariant=True)

_NAMED: Final = (RecordError, ScenarioError, PlacementError)
"""Errors that are about what the scenario file says."""

# A cluster may give a process several threads; fonts and other things of the libraries are shared by all of them.
_ONE_AT_A_TIME: Final = Lock()


class Proof(NamedTuple):
    """By what a file is known to be whole: its length in bytes, and its SHA-256 in hexadecimal digits."""

    size: int
    digest: str


class Delivery(Struct, frozen=True, kw_only=True):
    """Where the files of a game go.

    ``shown`` is the folder as the person wrote it, ``folder`` the same as every process finds it. Files wait ``within``
    another folder until they are whole, or beside their place if None. With ``plan`` nothing is written. Files of
    others give way with ``force``, those of the seeds in ``made``, which the same orders have made before, in any case.
    """

    folder: Path
    shown: Path
    within: Path | None = None
    plan: bool = False
    verbose: bool = False
    force: bool = False
    made: frozenset[int] = frozenset()

    def replaces(self, seed: int | None) -> bool:
        """Return whether what stands where the files of a seed go gives way to them."""
        return self.force or seed in self.made


class Unfinished(WaitingFolder):
    """A folder in which the files of a batch wait, in a folder that goes with it where it was made for nothing."""

    def __init__(self, folder: Path) -> None:
        """Make it inside a folder, which is made too, and in which nothing is left of what died.

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
        """Remove it, and the folder too where that was made for nothing."""
        super().cleanup()
        if self._new:
            with suppress(OSError):
                self._folder.rmdir()


class Done(Struct, frozen=True, kw_only=True):
    """What was made of one game: lines for standard output, lines for the person, and the files below the folder."""

    said: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


class Work(Struct, Generic[OrderT], frozen=True, kw_only=True):
    """What to make of each game of a batch. Two works with the same ``repr`` write the same files.

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

    def __call__(self, system: RuleSystem, game: Played, to: Delivery) -> Done:
        """Make it, or say what would be made."""
        done: Done = load(self.make)(self, system, game, to)
        return done


class Games(Struct, frozen=True, kw_only=True):
    """New games that differ by their seed alone; ``goes_on`` where a seed throws on when a person's dice run out."""

    orders: Orders
    words: Words
    goes_on: bool = True
    box: PieceBox | None = None

    def game(self, seed: int) -> tuple[RuleSystem, Played]:
        """Return the game of a seed with its rule system.

        Raises:
            PrintkitError: it cannot be played.
        """
        system = _system(self.orders.rules)
        game = play(system, self.orders, seed, self.words, goes_on=self.goes_on)
        if self.box is not None:
            from printkit.recipes.box.holding import held

            game = held(system, game, self.box, self.words, throws=self.orders.dice is None)
        return system, game


class Batch(Struct, frozen=True, kw_only=True):
    """The games, what is made of each, and where it goes; ``scenario`` is the file that errors of a game name."""

    games: Games
    work: Work[SheetContext]
    to: Delivery
    scenario: Path | None = None


class Report(Struct, frozen=True, kw_only=True):
    """What a worker hands back of one seed: what was made, or why nothing was.

    ``status`` is the exit status of what went wrong: 2 is the command line, which is as wrong for every other seed.
    """

    seed: int
    done: Done = field(default_factory=Done)
    proofs: Mapping[str, Proof] = field(default_factory=dict)
    failed: str = ""
    status: int = 0


def task(batch: Batch) -> Callable[[int], Report]:
    """Return the function of a seed that a worker calls; it is sent with the batch as bytes, read once a process."""
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
    """Have a process look for rings as seldom as the first one, and never among what its first field has loaded."""
    gc.set_threshold(threshold)
    gc.collect()
    gc.freeze()


@lru_cache(maxsize=2)
def _unpacked(packed: bytes) -> Batch:
    """Return the batch; the same object for each seed, so that what is kept by a style or a word is found again."""
    found: Batch = pickle.loads(packed)
    return found


@cache
def _system(name: str) -> RuleSystem:
    return registry.find(name)


def made(batch: Batch, seed: int) -> Report:
    """Make everything for one seed. One that fails is told of and stops no other."""
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
        # A fault of the program in one field of hundreds: the others are worth having.
        return Report(seed=seed, failed=_fault(error), status=1)


def proof(path: Path) -> Proof:
    """Return by what a file will be known to be whole."""
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
    """Yield reports in the order of their seeds, each as soon as those before it are there."""
    early: dict[int, Report] = {}
    due = iter(seeds)
    wanted = next(due, None)
    for report in reports:
        early[report.seed] = report
        while wanted in early:
            yield early.pop(wanted)
            wanted = next(due, None)


def throws(game: Played, to: Delivery) -> tuple[str, ...]:
    """Return every throw, a line each, where the person wants to see them."""
    return tuple(write_log(game.record.log).splitlines()) if to.verbose else ()
