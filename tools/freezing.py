"""What is frozen is made here: jobs, and how one is done: its commands one by one, in a folder of its own.

A job goes through the command line alone, as a person does, so that it knows no module of the program but its door.
``freeze_sheets``, ``freeze_games``, ``freeze_battles`` and ``freeze_texts`` list the jobs; ``freeze`` does them and
compares.
"""

from __future__ import annotations

import gc
import hashlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatch
from itertools import cycle
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[1]

SYSTEMS: Final = ("brantley", "solo-dba", "portable-1", "portable-2", "collision-course", "dba3", "acw")
LANGUAGES: Final = ("en", "es")

STEM: Final = "field"
"""Jobs name their files themselves wherever they can, so that another default name is no other document."""

_SAME: Final = ("PATH", "PYTHONHASHSEED", "PYTHONPYCACHEPREFIX", "PYTHONDONTWRITEBYTECODE", "SYSTEMROOT", "TMPDIR")


# The member of a record, a log or a sealed game that says which printkit made it.
_PRINTKIT: Final = re.compile(rb'"printkit":\s*\{[^{}]*+\}')
_VERSION: Final = re.compile(rb'(?:,\s*)?"(?:version|shapes)":\s*(?:"[^"]*"|[0-9]+)')


class Step(NamedTuple):
    """One command, without the name of the program.

    Where ``said`` is given, what the command says and its exit status are a document of this name, or go on with it;
    else the command has to succeed. ``typed`` is what a person types. An argument with a ``*`` names the one file that
    it fits.
    """

    command: str
    said: str = ""
    typed: str = ""


Edit = Callable[[Path], None]
"""What a person does to the files between two commands; it is given the folder."""


class Job(NamedTuple):
    """Commands that are run one after another in one folder, and which of its files are documents.

    ``label`` begins the name of each of its documents, and no label begins another's. ``given`` are files that are
    there before. ``inside`` is the folder, maybe with a ``*``, from which files have their names. With ``numbered``
    they are named by their order and ending, for they have names that the program chose.
    """

    label: str
    steps: tuple[Step | Edit, ...]
    given: Mapping[str, str] = {}
    files: tuple[str, ...] = ("*",)
    inside: str = "."
    numbered: bool = False


class Done(NamedTuple):
    """What came of a job: the hash of each document by its name, how long it took, and what went wrong, if it did."""

    label: str
    hashes: Mapping[str, str]
    seconds: float
    fault: str = ""


class Ran(NamedTuple):
    """What came of a command."""

    status: int
    out: bytes
    err: bytes


def one(label: str, command: str, **more: object) -> Job:
    """Return a job of a single command that has to succeed and writes files."""
    return Job(label, (Step(command),), **more)  # type: ignore[arg-type]


def said(
    label: str, command: str, given: Mapping[str, str] | None = None, *, languages: Iterable[str] = LANGUAGES
) -> Job:
    """Return a job of a single command of which the text is kept, in every language."""
    return Job(label, tuple(Step(f"{command} --lang {code}", code) for code in languages), given=given or {})


def by_turns() -> Iterator[tuple[str, ...]]:
    """Yield one language after another without end, for texts that are kept in one each."""
    return cycle((code,) for code in LANGUAGES)


def hash_of(data: bytes) -> str:
    """Return the hash of a document without the version and the number of shapes that a record or a log has."""

    def without(member: re.Match[bytes]) -> bytes:
        return _VERSION.sub(b"", member[0])

    return hashlib.sha256(_PRINTKIT.sub(without, data)).hexdigest()


def perform(job: Job, *, apart: bool, keep: Path | None) -> Done:
    """Do a job, and return the hash of each of its documents; with ``apart`` each command has a process of its own."""
    began = time.perf_counter()
    table = Path(tempfile.mkdtemp(prefix="freeze-")).resolve()
    folder, home = table / "work", table / "home"
    try:
        folder.mkdir()
        home.mkdir()
        documents: dict[str, bytes] = {}
        for name, data in _documents(job, folder, home, apart=apart):
            if name in documents:
                raise ValueError(f"two documents are named {name}")
            documents[name] = data
    except Exception:
        return Done(job.label, {}, time.perf_counter() - began, traceback.format_exc())
    finally:
        shutil.rmtree(table)
    for name, data in documents.items() if keep else ():
        path = keep / job.label / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    hashes = {f"{job.label}/{name}": hash_of(data) for name, data in documents.items()}
    fault = "" if hashes else "no document was made"
    return Done(job.label, hashes, time.perf_counter() - began, fault)


def _documents(job: Job, folder: Path, home: Path, *, apart: bool) -> Iterator[tuple[str, bytes]]:
    """Yield each document of a job with its name behind the label."""
    for name, text in job.given.items():
        (folder / name).write_text(text, encoding="utf-8")
    before = _contents(folder)
    texts: dict[str, bytes] = {}
    for step in job.steps:
        if not isinstance(step, Step):
            step(folder)
            continue
        arguments = list(_arguments(step.command, folder))
        # A batch has processes of its own, which keep the one that started them waiting for minutes at its end.
        run = _run_apart if apart or "--count" in arguments else _run_here
        ran = run(arguments, folder, home, step.typed)
        if step.said:
            text = b"%s\n--stderr--\n%s\n--status--\n%d\n" % (ran.out, ran.err, ran.status)
            texts[step.said] = texts.get(step.said, b"") + _without_places(text, folder, home)
        elif ran.status:
            raise RuntimeError(f"printkit {step.command}\nended with {ran.status}: {ran.err.decode()}")
    yield from ((f"{name}.txt", text) for name, text in texts.items())
    after = _contents(folder)
    written = [path for path in sorted(after) if after[path] != before.get(path)]
    wanted = [path for path in written if any(fnmatch(path.name, pattern) for pattern in job.files)]
    base = next(folder.glob(job.inside)) if "*" in job.inside else folder / job.inside
    for name, path in _named(wanted, base, folder, numbered=job.numbered):
        yield name, after[path]


def _contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _named(paths: list[Path], base: Path, folder: Path, *, numbered: bool) -> Iterator[tuple[str, Path]]:
    for place, path in enumerate(paths, 1):
        if numbered:
            yield f"{place:02}{path.suffix}", path
            continue
        name = path.relative_to(base if path.is_relative_to(base) else folder).as_posix()
        yield name.removeprefix(STEM).lstrip(".-") if name.startswith((f"{STEM}.", f"{STEM}-")) else name, path


def _arguments(command: str, folder: Path) -> Iterator[str]:
    for argument in shlex.split(command):
        if "*" in argument:
            (found,) = folder.glob(argument)
            yield found.relative_to(folder).as_posix()
        else:
            yield argument


def _without_places(text: bytes, folder: Path, home: Path) -> bytes:
    """Return a text without the names of folders that are others in the next run, or on another machine."""
    for place, name in ((folder, b"."), (home, b"~"), (ROOT, b"printkit")):
        text = text.replace(os.fsencode(place), name)
    return text


def _environment(home: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in _SAME if name in os.environ}
    return {
        **kept,
        "PYTHONPATH": str(ROOT),
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "LC_ALL": "C.UTF-8",
        "COLUMNS": "100",
        "LINES": "50",
    }


def _run_apart(arguments: list[str], folder: Path, home: Path, typed: str) -> Ran:
    command = [sys.executable, "-m", "printkit", *arguments]
    given = typed.encode()
    # Commands in messages then begin with "python", not with the path of this Python.
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    environment = {**_environment(home), "PATH": path}
    ran = subprocess.run(command, check=False, cwd=folder, env=environment, input=given, capture_output=True)
    return Ran(ran.returncode, ran.stdout, ran.stderr)


def _run_here(arguments: list[str], folder: Path, home: Path, typed: str) -> Ran:
    """Run a command in this process, which was started for nothing else, as if it were the only one.

    That saves the start of Python and of the libraries, a third of the time of all jobs together.
    """
    environment = _environment(home)
    os.environ.clear()
    os.environ.update(environment)
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    from printkit.__main__ import main

    out, err = io.BytesIO(), io.BytesIO()
    kept = sys.argv, sys.stdin, sys.stdout, sys.stderr
    os.chdir(folder)
    sys.argv = ["printkit", *arguments]
    sys.stdin = io.TextIOWrapper(io.BytesIO(typed.encode()), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(out, encoding="utf-8", errors="surrogateescape", write_through=True)
    sys.stderr = io.TextIOWrapper(err, encoding="utf-8", errors="backslashreplace", write_through=True)
    try:
        status = _status(main)
        sys.stdout.flush()
        sys.stderr.flush()
        return Ran(status, out.getvalue(), err.getvalue())
    finally:
        sys.argv, sys.stdin, sys.stdout, sys.stderr = kept
        os.chdir(ROOT)
        # At its end a command freezes all objects, to be gone the sooner. This process goes on.
        gc.unfreeze()


def _status(main: Callable[[], int]) -> int:
    try:
        return main()
    except SystemExit as stopped:
        if isinstance(stopped.code, int | None):
            return stopped.code or 0
        print(stopped.code, file=sys.stderr)
        return 1
