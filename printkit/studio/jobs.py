"""What is printed: commands of printkit, each a process of its own, so that pages answer meanwhile and a stop ends it.

What a page prints is thereby, byte for byte, what the command prints. One is at work at a time, so that no two write
the same file; the others wait.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from io import BytesIO
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from threading import Lock, Thread
from typing import Final
from zipfile import ZIP_STORED, ZipFile, ZipInfo

import msgspec
from msgspec import Struct

from printkit.console.terminal import environment_with_list
from printkit.core.errors import UsageError
from printkit.studio.own_command import own_command

_MADE: Final = re.compile(r"made (\S+) ([0-9]{1,40}) ([0-9]{1,40}) ([0-9]{1,40})")
_WRITTEN: Final = re.compile(r"written ([0-9]{1,40})/([0-9]{1,40}) (\S+)")
"""The lines of ``--progress``."""

_MOST_LINES: Final = 200
_PATIENCE: Final = 5.0
"""Seconds in which a command that is stopped takes away what it had begun."""

WAITING, RUNNING, DONE, FAILED, STOPPED = "waiting", "running", "done", "failed", "stopped"


class JobFile(Struct, kw_only=True):
    """A file of a job: its name below the output folder, with the work that it takes where that is told."""

    name: str
    sheets: int = 0
    cuts: int = 0
    minutes: int = 0
    written: bool = False


class Job(Struct, kw_only=True):
    """A command at work: what it is for, its words, how far it is, and what it said.

    ``version`` grows with all that happens to it. ``field`` is the field that is printed, ``kind`` what of it.
    """

    number: int
    kind: str
    field: str
    words: tuple[str, ...]
    asked: Mapping[str, str]
    state: str = WAITING
    version: int = 0
    done: int = 0
    total: int = 0
    files: list[JobFile] = msgspec.field(default_factory=list)
    lines: list[str] = msgspec.field(default_factory=list)

    @property
    def over(self) -> bool:
        """Return whether nothing more will come."""
        return self.state in (DONE, FAILED, STOPPED)

    @property
    def said(self) -> str:
        """Return the last line that the command said, which of one that failed is what was wrong."""
        return self.lines[-1] if self.lines else ""


class Jobs:
    """The jobs of a studio, in their order.

    Args:
        out: the folder into which they write.
    """

    def __init__(self, out: Path) -> None:
        self._out = out
        self._jobs: dict[int, Job] = {}
        self._numbers = count(1)
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        self._turn = Lock()
        self._process: subprocess.Popen[str] | None = None
        self._at_work: Job | None = None
        self._thread: Thread | None = None

    def begin(self, kind: str, field: str, words: Sequence[str], asked: Mapping[str, str]) -> Job:
        """Have a command run when its turn comes.

        Args:
            kind: what it makes.
            field: of which field.
            words: of the command line, without ``printkit``.
            asked: what the form said, to ask for the same again.
        """
        job = Job(number=next(self._numbers), kind=kind, field=field, words=tuple(words), asked=dict(asked))
        with self._turn:
            self._jobs[job.number] = job
            if self._thread is None:
                self._thread = Thread(target=self._work, name="jobs", daemon=True)
                self._thread.start()
        self._queue.put(job)
        return job

    def find(self, number: int) -> Job:
        """Return a job.

        Raises:
            UsageError: there is none of that number.
        """
        if number not in self._jobs:
            raise UsageError("there is no job {number} here", number=number)
        return self._jobs[number]

    def stop(self, number: int) -> Job:
        """End a job; what it had begun goes.

        Raises:
            UsageError: there is none of that number.
        """
        job = self.find(number)
        with self._turn:
            if job.over:
                return job
            self._told(job, STOPPED)
            if self._at_work is job and self._process is not None:
                _end(self._process)
        return job

    def close(self) -> None:
        """End everything."""
        for number, job in list(self._jobs.items()):
            if not job.over:
                self.stop(number)
        self._queue.put(None)

    def _work(self) -> None:
        while (job := self._queue.get()) is not None:
            if not job.over:
                self._run(job)

    def _run(self, job: Job) -> None:
        with TemporaryDirectory() as folder:
            placed = Path(folder, "placed")
            with self._turn:
                if job.over:
                    return
                self._process = self._started(job, placed)
                self._at_work = job
                self._told(job, RUNNING)
            assert self._process.stdout is not None
            with self._process.stdout as said:
                for line in said:
                    self._heard(job, line.rstrip("\n"))
            status = self._process.wait()
            with self._turn:
                self._process = self._at_work = None
                if job.state == STOPPED:
                    return
                if status == 0:
                    known = {each.name.rpartition("/")[2]: each for each in job.files}
                    job.files = [_file(name, known) for name in _below(self._out, placed)]
                self._told(job, DONE if status == 0 else FAILED)

    def _started(self, job: Job, placed: Path) -> subprocess.Popen[str]:
        """Return the process of a job, which lists the files that it puts down in a file ``placed``."""
        return subprocess.Popen(
            own_command(*job.words),
            env=environment_with_list(placed),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            # A process group of its own, so that Ctrl-C at the terminal reaches the studio first.
            start_new_session=True,
        )

    def _heard(self, job: Job, line: str) -> None:
        if made := _MADE.fullmatch(line):
            name, sheets, cuts, minutes = made.groups()
            job.files.append(JobFile(name=name, sheets=int(sheets), cuts=int(cuts), minutes=int(minutes)))
        elif written := _WRITTEN.fullmatch(line):
            job.done, job.total = int(written[1]), int(written[2])
            for each in job.files:
                each.written = each.written or each.name == written[3]
        elif line.strip():
            job.lines = [*job.lines, line.strip()][-_MOST_LINES:]
        job.version += 1

    def _told(self, job: Job, state: str) -> None:
        job.state = state
        job.version += 1


def _file(name: str, known: Mapping[str, JobFile]) -> JobFile:
    """Return a file that has been written, with what was told of the work that it takes."""
    told = known.get(name.rpartition("/")[2], JobFile(name=name))
    return JobFile(name=name, sheets=told.sheets, cuts=told.cuts, minutes=told.minutes, written=True)


def _end(process: subprocess.Popen[str]) -> None:
    """Have a process end as by Ctrl-C, and where it will not, at once."""
    with suppress(OSError):
        if os.name == "nt":
            process.terminate()
        else:
            process.send_signal(signal.SIGINT)
        Thread(target=_insist, args=(process,), daemon=True).start()


def _insist(process: subprocess.Popen[str]) -> None:
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()


# --- Files of the output folder ---------------------------------------------------------------------------------------


def _below(out: Path, placed: Path) -> list[str]:
    """Return the files of a list by their names below a folder, each once; what is not below it has none."""
    with suppress(OSError):
        lines = placed.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        paths = {Path(line) for line in lines}
        return sorted(
            path.relative_to(out.absolute()).as_posix() for path in paths if path.is_relative_to(out.absolute())
        )
    return []


def _files(out: Path) -> Iterator[Path]:
    if not out.is_dir():
        return
    for path in sorted(out.iterdir()):
        if path.name.startswith(".") or path.is_symlink():
            continue
        if path.is_dir():
            yield from _files(path)
        elif path.is_file():
            yield path


def printed(out: Path, name: str) -> Path:
    """Return a file of the output folder; the name is looked up among those that are there.

    Raises:
        UsageError: there is none.
    """
    for path in _files(out):
        if path.relative_to(out).as_posix() == name:
            return path
    raise UsageError("there is no file {name!r} among what was printed", name=name)


def zipped(out: Path, names: Sequence[str]) -> bytes:
    """Return files as a ZIP, stored as they are; the same files make the same bytes.

    Raises:
        UsageError: one is not there any more.
    """
    kept = BytesIO()
    shared = os.path.commonpath([str(Path(name).parent) for name in names]) if names else ""
    with ZipFile(kept, "w", ZIP_STORED) as archive:
        for name in names:
            below = Path(name).relative_to(shared) if shared else Path(name)
            archive.writestr(ZipInfo(below.as_posix()), printed(out, name).read_bytes())
    return kept.getvalue()
