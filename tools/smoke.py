"""Whether an installed printkit works at all: a dozen and a half of commands, each run for real in an empty folder.

``PYTHON tools/smoke.py`` tries the printkit of that Python, ``--program FILE`` a program that needs none. Every command
must end well, say nothing of a traceback or a warning, and leave every file that it names, whole. With which libraries
a map looks as it should, the tests say.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Final

DISTRIBUTION: Final = "wargame-printkit"
"""The name under which printkit is installed."""

MODULE: Final = (sys.executable, "-m", "printkit")
"""How the printkit of a Python is started."""

LONGEST: Final = 300
"""Seconds after which a command hangs."""

_MAP: Final = "map --rules {system} --seed 7 --scale fit --to pdf --to svg --to png --out maps/{system}"


@dataclass(frozen=True, kw_only=True)
class Try:
    """A command line, the endings of the files that it must write and name, how it ends, and a word that it says."""

    line: str
    writes: tuple[str, ...] = ()
    status: int = 0
    says: str = ""


REST: Final = (
    Try(line="map --seed 7 --lang en+es --sheet a3", writes=(".pdf", ".json")),
    Try(line="map --seed 11 --count 2 --scale fit --out many", writes=(".pdf", ".json")),
    Try(line="cards terrain", writes=(".pdf",)),
    Try(line="handouts --rules dba3 --seed 7", writes=(".pdf",)),
    Try(line="hexon --rules portable-2 --seed 5", writes=(".pdf", ".json", ".csv")),
    Try(line="npg compose gallic polybian-roman --seed 3 --out army.toml", writes=(".toml",)),
    Try(line="calibrate", writes=(".pdf",)),
    Try(line="deal", writes=(".pdf", ".json")),
    Try(line="deal --open --seed 7 --out open", writes=(".pdf", ".json")),
    Try(line="verify open A-1", status=2, says="32"),
    Try(line="map --help --lang es", says="opciones"),
    Try(line="check", status=2, says="RECORD"),
    Try(line="map --seed x --lang es", status=2, says="no es un número entero"),
)
"""What is tried beside a map of each rule system and the judge of its record; the parser's refusals are ours too."""

_KINDS: Final = {".pdf", ".svg", ".png", ".json", ".csv", ".toml"}


def systems(said: str) -> list[str]:
    """Return the names of the rule systems, from what ``printkit rules`` says."""
    return [line.split()[0] for line in said.splitlines() if line[:1].strip()]


def tries(names: Iterable[str]) -> Iterator[Try]:
    """Yield what is tried, one after the other: the judge reads what the map before it has written."""
    for system in names:
        yield Try(line=_MAP.format(system=system), writes=(".pdf", ".svg", ".png", ".json"))
        yield Try(line=f"check maps/{system}/records/*.json")
    yield from REST


def named(said: str) -> set[str]:
    """Return the files that a command says it has written."""
    return {word for word in said.split() if Path(word).suffix in _KINDS}


def whole(path: Path) -> bool:
    """Return whether a file begins and ends as one of its kind does."""
    held = path.read_bytes()
    match path.suffix:
        case ".pdf":
            return held.startswith(b"%PDF-") and held.rstrip().endswith(b"%%EOF")
        case ".png":
            return held.startswith(b"\x89PNG") and held.endswith(b"IEND\xaeB`\x82")
        case ".svg":
            return held.rstrip().endswith(b"</svg>")
        case ".json":
            try:
                return bool(json.loads(held))
            except ValueError:
                return False
        case _:
            return bool(held.strip())


def faults(wanted: Try, status: int, said: str, new: Iterable[Path]) -> list[str]:
    """Return what is wrong with a command that was run: nothing where all is well.

    Args:
        wanted: the command.
        status: its exit status; below zero it is the number of the signal that ended it.
        said: all that it printed.
        new: the files that were not there before.
    """
    found = []
    if status < 0:
        found.append(f"was ended by {signal.Signals(-status).name}")
    elif status != wanted.status:
        found.append(f"ended with status {status}, not {wanted.status}")
    found += [f"printed a {word}" for word in ("Traceback", "Warning:") if word in said]
    if not said.strip() or wanted.says not in said:
        found.append(f"did not say {wanted.says!r}" if wanted.says else "said nothing")
    if wanted.writes:
        written = sorted(new)
        missing = [
            word for word in named(said) if not any(f"/{path.as_posix()}".endswith(f"/{word}") for path in written)
        ]
        found += [f"did not write {word}" for word in sorted(missing)]
        found += [f"wrote no {kind}" for kind in wanted.writes if kind not in {path.suffix for path in written}]
        found += [f"{path.name} is not whole" for path in written if not whole(path)]
    return found


def run(wanted: Try, folder: Path, program: Sequence[str] = MODULE) -> tuple[int, str]:
    """Run a command in a folder; return its exit status and all that it printed."""
    # Profiles of printers are the person's own: they are looked for in the folder, and none is there.
    settings = {
        **os.environ,
        "LC_ALL": "C.UTF-8",
        "XDG_CONFIG_HOME": str(folder / "config"),
        "PYTHONIOENCODING": "utf-8",
    }
    words = [one for word in shlex.split(wanted.line) for one in (_matching(word, folder) if "*" in word else [word])]
    try:
        done = subprocess.run(
            [*program, *words],
            cwd=folder,
            env=settings,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            timeout=LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return -signal.SIGKILL, f"not done after {LONGEST} s"
    return done.returncode, done.stdout


def _matching(pattern: str, folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.glob(pattern))


def _files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


def libraries() -> str:
    """Return the libraries that printkit is installed with, and their versions."""
    try:
        needed = [each for each in requires(DISTRIBUTION) or () if "extra ==" not in each]
        names = [match[0] for each in needed if (match := re.match(r"[\w.-]+", each))]
        return ", ".join(f"{name} {version(name)}" for name in names)
    except PackageNotFoundError as lacking:
        return f"{lacking.name} is not installed"


def tried(wanted: Try, folder: Path, program: Sequence[str] = MODULE) -> tuple[list[str], str]:
    """Run a command, print a line that says how it went; return what is wrong and what it printed."""
    before, start = _files(folder), time.monotonic()
    status, said = run(wanted, folder, program)
    found = faults(wanted, status, said, _files(folder) - before)
    print(f"{'FAILED' if found else 'ok':6} {time.monotonic() - start:5.1f} s  printkit {wanted.line}", flush=True)
    return found, said


def main(arguments: Sequence[str]) -> int:
    """Try everything, also after a failure; return 1 if anything failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--program", type=Path, metavar="FILE", help="try this program, and no Python's printkit")
    asked = parser.parse_args(arguments)
    program = MODULE if asked.program is None else (str(asked.program.resolve()),)
    about = f"Python {sys.version.split()[0]}, {libraries()}" if asked.program is None else str(asked.program)
    print(about, flush=True)
    failed = []
    with tempfile.TemporaryDirectory(prefix="printkit-smoke-") as made:
        folder = Path(made)
        first = Try(line="rules")
        found, listed = tried(first, folder, program)
        results = [(first, found, listed)]
        results += [(each, *tried(each, folder, program)) for each in tries([] if found else systems(listed))]
        failed = [(each, found, said) for each, found, said in results if found]
    for each, found, said in failed:
        print(f"\nprintkit {each.line}: {'; '.join(found)}\n{said.strip()[-2000:]}")
    print(f"\n{len(results) - len(failed)} of {len(results)} commands work")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
