"""The jobs of the studio: each is work in a process of its own, so that pages answer meanwhile and a stop ends it.

One is at work at a time, so that no two write the same file; the others wait.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from zipfile import ZIP_STORED, ZipFile, ZipInfo

import msgspec
from msgspec import Struct

from printkit.core.errors import UsageError
from printkit.core.words import find
from printkit.studio.work import Failed, Finished, Task, TaskParts, TaskReport, Worker, Written

WAITING, RUNNING, DONE, FAILED, STOPPED = "waiting", "running", "done", "failed", "stopped"


class JobFile(Struct, kw_only=True):
    """A file of a job: its name below the output folder, with the work that it takes where that is told."""

    name: str
    sheets: int = 0
    cuts: int = 0
    minutes: int = 0
    written: bool = False


class Job(Struct, kw_only=True):
    """Task of the studio: what it is for, how far it is, and what it said.

    ``version`` grows with all that happens to it. ``field`` is the field that is printed, ``kind`` what of it.
    """

    number: int
    kind: str
    field: str
    task: Task
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
        """Return the last line that was said, which of a job that failed is what was wrong."""
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
        self._worker: Worker | None = None
        self._at_work: Job | None = None
        self._thread: Thread | None = None

    def begin(self, kind: str, field: str, task: Task, asked: Mapping[str, str]) -> Job:
        """Have work done when its turn comes.

        Args:
            kind: what it makes.
            field: of which field.
            task: what is done.
            asked: what the form said, to ask for the same again.
        """
        job = Job(number=next(self._numbers), kind=kind, field=field, task=task, asked=dict(asked))
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
            if self._at_work is job and self._worker is not None:
                self._worker.stop()
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
        with self._turn:
            if job.over:
                return
            self._worker = Worker(job.task)
            self._at_work = job
            self._told(job, RUNNING)
        for report in self._worker.reports():
            self._heard(job, report)
        with self._turn:
            self._worker = self._at_work = None

    def _heard(self, job: Job, report: TaskReport) -> None:
        """Note what the process of a job tells."""
        words = find(job.task.options.lang or "en").each()[0]
        with self._turn:
            if job.state == STOPPED:
                return
            match report:
                case TaskParts(parts):
                    job.files = [
                        JobFile(name=each.name, sheets=each.sheets, cuts=each.cuts, minutes=each.minutes)
                        for each in parts
                    ]
                case Written(name, done, total):
                    job.done, job.total = done, total
                    for each in job.files:
                        each.written = each.written or each.name == name
                case Finished(files, said):
                    job.lines = [words.say(line).strip() for line in said]
                    known = {each.name.rpartition("/")[2]: each for each in job.files}
                    job.files = [_file(name, known) for name in _below(self._out, files)]
                    self._told(job, DONE)
                case Failed(reason):
                    job.lines = [words.say(reason)]
                    self._told(job, FAILED)
            job.version += 1

    def _told(self, job: Job, state: str) -> None:
        job.state = state
        job.version += 1


def _file(name: str, known: Mapping[str, JobFile]) -> JobFile:
    """Return a file that has been written, with what was told of the work that it takes."""
    told = known.get(name.rpartition("/")[2], JobFile(name=name))
    return JobFile(name=name, sheets=told.sheets, cuts=told.cuts, minutes=told.minutes, written=True)


def _below(out: Path, files: Sequence[str]) -> list[str]:
    """Return files by their names below a folder, each once; what is not below it has none."""
    paths = {Path(each) for each in files}
    return sorted(path.relative_to(out.absolute()).as_posix() for path in paths if path.is_relative_to(out.absolute()))


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
    raise UsageError("there is no file {name!r} among the printed files", name=name)


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
