"""Whole processes, measured from outside: processor time, time on the clock, memory at its peak, files.

This program itself stays small and imports nothing large, for a system may count the memory of the parent in
what it reports of a child.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from msgspec import Struct, field

from benchmarks.figures import Ratio, ratio

ROOT: Final = Path(__file__).resolve().parents[1]

OUT: Final = "{out}"
"""Stands in the arguments of a command for a fresh folder, which is gone after the run."""

_PEAK_UNIT: Final = 1 if sys.platform == "darwin" else 1024


class FailedError(Exception):
    """A process that ended badly; says which, and its last words."""


class MissingError(Exception):
    """A program or library that is not installed; a benchmark does without it."""


class Command(Struct, frozen=True):
    """A process by its name in the tables and the arguments of Python.

    ``cores`` holds it to so many processors, from ``first`` on, where the system can. ``program`` is run in place of
    Python.
    """

    name: str
    arguments: tuple[str, ...]
    cores: int | None = None
    program: str = sys.executable
    first: int = 0


class Run(Struct, frozen=True, kw_only=True):
    """What one process took: seconds of processor and clock, bytes of memory and of each file; and what it said."""

    cpu: float
    wall: float
    peak: int
    files: Mapping[str, int] = field(default_factory=dict)
    said: str = ""


class Lot(Struct, frozen=True):
    """Several commands that were run together, and the seconds from the start of the first to the end of the last."""

    runs: tuple[Run, ...]
    wall: float

    @property
    def cpu(self) -> float:
        """Return processor time of all of them, in seconds."""
        return sum(run.cpu for run in self.runs)

    @property
    def peak(self) -> int:
        """Return the most memory that one of them took, in bytes."""
        return max(run.peak for run in self.runs)


class Runs(Struct, frozen=True):
    """The runs of one command."""

    command: Command
    runs: tuple[Run, ...]

    @property
    def cpu(self) -> float:
        """Return the median of processor time, in seconds."""
        return statistics.median(run.cpu for run in self.runs)

    @property
    def wall(self) -> float:
        """Return the median of time on the clock, in seconds."""
        return statistics.median(run.wall for run in self.runs)

    @property
    def peak(self) -> float:
        """Return the most memory that any of them took, in MB."""
        return max(run.peak for run in self.runs) / 1e6

    def against(self, base: Runs) -> Ratio:
        """Return processor time against that of another command, run by run."""
        return ratio([run.cpu for run in self.runs], [run.cpu for run in base.runs])

    def size(self, ending: str) -> float:
        """Return the bytes of the files with an ending, in MB."""
        return sum(size for name, size in self.runs[0].files.items() if name.endswith(ending)) / 1e6


def printkit(name: str, *arguments: str, cores: int | None = None) -> Command:
    """Return a command of printkit that writes into a fresh folder; ``name`` is that of the tables."""
    return Command(name, ("-m", "printkit", *arguments, "--lang", "en", "--out", OUT, "--quiet"), cores)


def child(name: str, module: str, *arguments: str) -> Command:
    """Return a program of ``benchmarks.children``."""
    return Command(name, ("-m", f"benchmarks.children.{module}", *arguments))


FLOOR: Final = Command("floor", ("-c", "import shapely, reportlab.pdfgen.canvas"))
"""What any such program has to pay: an interpreter that only imports the two libraries."""


def interleaved(commands: Sequence[Command], rounds: int, *, warm: bool = True) -> tuple[Runs, ...]:
    """Run commands in turn, round by round, so that what slows the machine for a while slows all of them.

    Args:
        commands: in the order in which they run.
        rounds: how often each of them runs.
        warm: whether each runs once before, uncounted, so that files lie in memory and modules are compiled.

    Raises:
        FailedError: one of them ended badly.
    """
    found: list[list[Run]] = [[] for _ in commands]
    for number in range(rounds + warm):
        for command, runs in zip(commands, found, strict=True):
            run = once(command)
            if number >= warm:
                runs.append(run)
    return tuple(Runs(command, tuple(runs)) for command, runs in zip(commands, found, strict=True))


def lot(commands: Sequence[Command], *, at_once: int) -> Lot:
    """Run each command once, so many of them at a time; the next one starts when one has ended.

    Raises:
        FailedError: one of them ended badly.
    """
    began = time.perf_counter()
    with ThreadPoolExecutor(at_once) as threads:
        runs = tuple(threads.map(once, commands))
    return Lot(runs, time.perf_counter() - began)


def once(command: Command) -> Run:
    """Run a command and return what it took, together with the processes that it started.

    Raises:
        FailedError: it ended badly.
        MissingError: it says that a library is not installed.
    """
    with TemporaryDirectory() as scratch:
        out, said, complained = (Path(scratch) / name for name in ("out", "said", "complained"))
        out.mkdir()
        arguments = [argument.replace(OUT, str(out)) for argument in command.arguments]
        with said.open("wb") as said_to, complained.open("wb") as complained_to:
            began = time.perf_counter()
            with _held_to(command.cores, command.first):
                process = subprocess.Popen(
                    [command.program, *arguments],
                    cwd=ROOT,
                    env=_surroundings(),
                    stdin=subprocess.DEVNULL,
                    stdout=said_to,
                    stderr=complained_to,
                )
            try:
                _, status, used = os.wait4(process.pid, 0)
            except BaseException:
                process.kill()
                process.wait()
                raise
            wall = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            last = complained.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:] or [
                "said nothing"
            ]
            fault = f"{command.name} ended with {process.returncode}: {last[0]}"
            raise MissingError(fault) if last[0].startswith("ModuleNotFoundError") else FailedError(fault)
        return Run(
            cpu=used.ru_utime + used.ru_stime,
            wall=wall,
            peak=used.ru_maxrss * _PEAK_UNIT,
            files={
                str(path.relative_to(out)): path.stat().st_size for path in sorted(out.rglob("*")) if path.is_file()
            },
            said=said.read_text(encoding="utf-8", errors="replace"),
        )


def _surroundings() -> dict[str, str]:
    """Return the environment of a process: with compiled modules kept, as a person has them from his second run on."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "OPENBLAS_NUM_THREADS": "1", "LC_ALL": "C.UTF-8"}


@contextmanager
def _held_to(cores: int | None, first: int) -> Iterator[None]:
    """Let what is started meanwhile stay on its processors: a process has those of the thread that starts it."""
    if cores is None:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[first:][:cores])
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
