"""The job queue of the studio: each job runs in a separate process, so that pages stay responsive.

One job runs at a time, so that two jobs never write the same file. The user can stop a job.
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
from msgspec.structs import replace

from printkit.core.errors import MissingError
from printkit.core.words import find_words
from printkit.recipes.output.printed_files import PrintedFile
from printkit.studio.worker_process import Failed, Finished, Task, TaskParts, TaskReport, Worker, Written

WAITING, RUNNING, DONE, FAILED, STOPPED = "waiting", "running", "done", "failed", "stopped"


class Job(Struct, kw_only=True):
    """A job of the studio: its task, progress and output.

    ``version`` grows with every change. ``field`` is the ID of the battlefield, ``kind`` the kind of output, and
    ``asked`` the submitted form. ``files`` has the facts about its files, which are named below the output folder, and
    ``written`` the names of those that are complete. A tile plan has ``pieces`` with their numbers, and ``notes``.
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
    files: tuple[PrintedFile, ...] = ()
    written: set[str] = msgspec.field(default_factory=set)
    lines: list[str] = msgspec.field(default_factory=list)
    pieces: tuple[tuple[str, int], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def over(self) -> bool:
        """Return whether the job has ended."""
        return self.state in (DONE, FAILED, STOPPED)

    @property
    def last_line(self) -> str:
        """Return the last line of output; for a failed job this is the error."""
        return self.lines[-1] if self.lines else ""


class Jobs:
    """The jobs of the studio, run in order.

    Args:
        out: the output folder.
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

    def begin(self, kind: str, field: str, task: Task, form: Mapping[str, str]) -> Job:
        """Add a job to the queue and return it.

        Args:
            kind: the kind of output.
            field: the ID of the battlefield.
            task: the task to run.
            form: the values of the form, to submit it again.
        """
        job = Job(number=next(self._numbers), kind=kind, field=field, task=task, asked=dict(form))
        with self._turn:
            self._jobs[job.number] = job
            if self._thread is None:
                self._thread = Thread(target=self._run_queue, name="jobs", daemon=True)
                self._thread.start()
        self._queue.put(job)
        return job

    def find(self, number: int) -> Job:
        """Return a job by its number.

        Raises:
            MissingError: no job has this number.
        """
        if number not in self._jobs:
            raise MissingError("there is no job {number} here", number=number)
        return self._jobs[number]

    def count_open(self) -> int:
        """Return the number of jobs that wait or run."""
        return sum(not job.over for job in list(self._jobs.values()))

    def stop(self, number: int) -> Job:
        """Stop a job by its number and return it; its incomplete files are removed.

        A finished job does not change.

        Raises:
            MissingError: no job has this number.
        """
        job = self.find(number)
        with self._turn:
            if job.over:
                return job
            self._set_state(job, STOPPED)
            if self._at_work is job and self._worker is not None:
                self._worker.stop()
        return job

    def close(self) -> None:
        """Stop all jobs and the thread that runs them."""
        for number, job in list(self._jobs.items()):
            if not job.over:
                self.stop(number)
        self._queue.put(None)

    def _run_queue(self) -> None:
        """Run the jobs of the queue in order until the studio closes."""
        while (job := self._queue.get()) is not None:
            if not job.over:
                self._run_job(job)

    def _run_job(self, job: Job) -> None:
        """Run a job in a separate process, and apply its reports until it ends."""
        with self._turn:
            if job.over:
                return
            self._worker = Worker(job.task)
            self._at_work = job
            self._set_state(job, RUNNING)
        for report in self._worker.reports():
            self._apply_report(job, report)
        with self._turn:
            self._worker = self._at_work = None

    def _apply_report(self, job: Job, report: TaskReport) -> None:
        """Update a job from a report of its process."""
        words = find_words(job.task.options.lang or "en").each()[0]
        with self._turn:
            if job.state == STOPPED:
                return
            match report:
                case TaskParts(parts):
                    job.files = tuple(self._locate_file(job, file) for file in parts)
                case Written(name, done, total):
                    job.done, job.total = done, total
                    job.written.add(self._below(job, name))
                case Finished(files, output, pieces, notes):
                    job.pieces, job.notes = pieces, notes
                    job.lines = [words.translate(line).strip() for line in output]
                    job.files = tuple(self._locate_file(job, file) for file in files)
                    self._set_state(job, DONE)
                case Failed(reason):
                    job.lines = [words.translate(reason)]
                    self._set_state(job, FAILED)
            job.version += 1

    def _locate_file(self, job: Job, file: PrintedFile) -> PrintedFile:
        """Return the facts about a file with its path below the output folder of the studio."""
        return replace(file, file=self._below(job, file.file))

    def _below(self, job: Job, name: str) -> str:
        """Return the path below the output folder of the studio of a file in the folder of a job."""
        return (Path(job.task.out).absolute().relative_to(self._out.absolute()) / name).as_posix()

    def _set_state(self, job: Job, state: str) -> None:
        """Set the state of a job and increase its version."""
        job.state = state
        job.version += 1


def _list_files(out: Path) -> Iterator[Path]:
    """Yield the files in a folder and its subfolders in order, without hidden files and links.

    Nothing if the folder does not exist.
    """
    if not out.is_dir():
        return
    for path in sorted(out.iterdir()):
        if path.name.startswith(".") or path.is_symlink():
            continue
        if path.is_dir():
            yield from _list_files(path)
        elif path.is_file():
            yield path


def find_printed(out: Path, name: str) -> Path:
    """Return the path of a file in the output folder; only names of existing files are accepted.

    Raises:
        MissingError: the file does not exist.
    """
    for path in _list_files(out):
        if path.relative_to(out).as_posix() == name:
            return path
    raise MissingError("there is no file {name!r} among the printed files", name=name)


def zip_files(out: Path, names: Sequence[str]) -> bytes:
    """Return files of the output folder as the bytes of an uncompressed ZIP.

    The same files give the same bytes.

    Raises:
        MissingError: a file no longer exists.
    """
    buffer = BytesIO()
    common_folder = os.path.commonpath([str(Path(name).parent) for name in names]) if names else ""
    with ZipFile(buffer, "w", ZIP_STORED) as archive:
        for name in names:
            below = Path(name).relative_to(common_folder) if common_folder else Path(name)
            archive.writestr(ZipInfo(below.as_posix()), find_printed(out, name).read_bytes())
    return buffer.getvalue()
