"""Bends files that people bring, in thousands of ways, and looks whether each costs a line and no more.

Whole files of every kind in ``fuzz_kinds`` are made once. Then one value of one of them is changed, left out or
doubled, or some of its bytes. A command reads the bent file. An input fails if the command ends
with a status other than 0, 1 or 2, writes more than one line of error, does not name the file and (in a text) the line,
or takes more seconds or memory than a file of anybody may cost.

    python tools/fuzz.py [--count INPUTS] [--first SEED] [--kind KIND] [--keep FOLDER] [--processes N]
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, chdir, contextmanager, redirect_stderr, redirect_stdout
from copy import deepcopy
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, Final
from unittest.mock import patch

from fuzz_kinds import DICE, JSON, KINDS, WORDS, FuzzKind
from msgspec import Struct

from printkit.cli.app import run
from printkit.cli.schema import example_text
from printkit.console.terminal import replace_unencodable
from printkit.kit.registry import names
from printkit.systems.solo.tactics.aid_log import SCHEMA as AID_SCHEMA

SECONDS: Final = 5.0
MEGABYTES: Final = 500
_PATIENCE: Final = 30
"""Seconds after which an input is given up."""

_COMPLETE: Final = 20
"""One command in so many goes on to its end; the others end at the methods of their kind."""

_PROGRESS: Final = 30
"""Seconds between two lines of progress."""

_ROOM: Final = 4 << 30
"""Bytes that a process may ask for before it is refused."""

_PLACE: Final = re.compile(
    r"(?:line|row) \d|first row|roll \d|the file is empty|the reveal needs exactly|several papers|has no games yet"
)
"""What an error of a text file says of the place, or of the whole file."""

_TEMPORARY: Final = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
"""A folder in memory, where files are made and removed faster."""

_AGE: Final = Path(__file__).parents[1] / "tests" / "ages" / "0.2.0"
"""Whole files of this version: a record of each rule system, a sealed game, a battle, a league."""

_FILES: Final[Mapping[str, str]] = {
    "line.txt": "Mine: 1 x 3Cv (Gen), 4 x 4Bd, 4 x 4Sp, 3 x Ps; terrain arable, agg 2",
    "board.txt": "24in",
    "cell.txt": "60mm",
    "count.txt": "3",
    "states.toml": """[Ditch]
long = 0.5
""",
    "march.toml": """rules = "collision-course"
army = { attacker = "marching.toml" }
""",
    "profile.toml": """[numbers]
""",
    "stock.csv": "piece,own\nsingles,4\n",
    "dice.txt": "KS 7H 9C 2D QC 3S 10H JS 5C 5 3 2 6 1 4 2 2",
    "config/printkit/languages/messages/fr/cli.toml": '"there is no option {option} here" = "pas d\'option {option}"\n',
    "config/printkit/languages/words/fr/map.toml": '[map]\ntitle = "Carte"\n',
}

_EVENTS: Final = [
    {"what": "level", "level": "defensive", "die": 2, "by": "battle"},
    {"what": "bound", "pips": 5, "die": 6, "by": "battle"},
    {"what": "lost", "side": "npg", "elements": 2, "camp": False, "general": False},
    {"what": "bound", "pips": 2, "die": 4, "by": "own"},
    {"what": "override", "die": 5, "by": "cards", "card": 5},
]

_ODD: Final = (
    *("\u00b2", "\u2460", "1\u0663", '"\u00b2"', "a" * 20_000, '"' + "a" * 20_000 + '"', '"\\"' * 5_000, "." * 20_000),
    *('"../../x.toml"', '"/etc/passwd"', '"\\\\\\\\host\\\\share\\\\x"', '"aux"', '"' + "x" * 300 + '.toml"'),
    *("9" * 5_000, "[" * 5_000, "{" * 5_000, "a.b." * 5_000, "=" * 20_000, " " * 50_000, "1x1,1" * 5_000),
)
"""What reading once took too long for, or was a fault."""

_WRONG: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, -1, 1, 2, 7, 99, -0.0, 0.5, 1e-9, 1e308, -1e308, 1e9, 99_999.9, 100_001, 2**31, 2**63),
    *(10**30, "", " ", "x", "0", "-1", "1e999", "brantley", "a\x1b[2J", "\ud800", "../../x", "a" * 5000, "{}", "{0}"),
    *("%s", "é" * 40, *(text.strip('"') for text in _ODD), [], {}, [[]], [0], [0, 0], [1, 2, 3], {"a": {}}),
    *({"type": "Point"}, [[0, 0], [0, 0]], [[1e5, 1e5], [-1e5, -1e5]]),
)
_WORDS: Final = (
    *("0", "-1", "1e308", "nan", "inf", '""', "[]", "{}", "[[]]", "true", '"x"', "99999999999999999999", '"\\u001b"'),
    *("= =", "[", "'"),
)


class Input(Struct, frozen=True, kw_only=True):
    """One bent file: its seed, what came of it, the processor time in s, and the memory of its process in MB.

    ``megabytes`` is 0 where an earlier input of the same process had more.
    """

    seed: int
    kind: str
    status: int
    seconds: float
    megabytes: float
    fault: str = ""


class Reached(BaseException):
    """A command has read its file, and is about to roll or draw."""


def _reach(*_arguments: object, **_options: object) -> None:
    raise Reached


@contextmanager
def _ended_at(methods: Iterable[str]) -> Iterator[None]:
    """Have a command end where it calls one of some methods."""
    with ExitStack() as stack:
        for name in methods:
            module, _, method = name.partition(":")
            owner, _, attribute = method.partition(".")
            cls = getattr(import_module(f"printkit.{module}"), owner)
            stack.enter_context(patch.object(cls, attribute, _reach))
        yield


def run_quietly(*command: str) -> tuple[int, str]:
    """Run a command; return its exit status, and what it said of what went wrong."""
    out, said = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(said):
        status = run([*command, "--lang", "en"])
    return status, said.getvalue()


def seeds_of(folder: Path) -> None:
    """Make whole files of every kind in a folder: examples of the formats, those of a version, and others."""
    shutil.copytree(_AGE, folder, dirs_exist_ok=True)
    examples = {row.file: example_text(row.format) for row in KINDS.values() if row.format and "{" not in row.file}
    for name, text in {**examples, **_FILES}.items():
        if (folder / name).exists():
            continue
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    with chdir(folder), home_in(folder):
        _must("columns", "new", "columns.toml", "viking", "gallic")
        _must("columns", "bound", "columns.toml", "defender", "6", "none")
        _must("handouts", "--seed", "7", "--out", "evening", "--table", "build", "--quiet")
        shutil.copy("evening/umpire/log.txt", "log.txt")
        _must("deal", "--open", "--seed", "7", "--title", "game", "--out", ".", "--quiet")
        turns = (
            f"{player} {player.lower()}{card} {2 * card - (player == 'A')}" for card in (1, 2, 3, 4) for player in "AB"
        )
        _must("status", "game", *(part for turn in turns for part in ("--place", turn)), "--number", "B=416235")
        _must("npg", "new", "gallic", "polybian-roman", "--seed", "11", "--out", "phone.toml")
        _must("npg", "aid", "phone.toml", "--out", "aid.html")
        key = re.search(r'"key": ?"([^"]*)"', Path("aid.html").read_text(encoding="utf-8"))
        tree = {"schema": AID_SCHEMA, "battle": key[1] if key else "", "seed": "11", "npg": "Gallic", "you": "Romans"}
        Path("aid.json").write_text(json.dumps({**tree, "events": _EVENTS}), encoding="utf-8")


def _must(*command: str) -> None:
    status, said = run_quietly(*command)
    if status:
        raise SystemExit(f"{' '.join(command)}: {said}")


@contextmanager
def home_in(folder: Path) -> Iterator[None]:
    """Have files of a person's own, as printers and languages, in a folder."""
    before = os.environ.get("XDG_CONFIG_HOME")
    os.environ["XDG_CONFIG_HOME"] = str(folder.absolute() / "config")
    try:
        yield
    finally:
        os.environ.pop("XDG_CONFIG_HOME")
        if before is not None:
            os.environ["XDG_CONFIG_HOME"] = before


def bent(kind: str, folder: Path, random: Random) -> tuple[str, ...]:
    """Bend a file of a kind in a folder of whole ones, and return the command that reads it."""
    row = KINDS[kind]
    path = folder / row.file.format(rules=random.choice(names()))
    code = code_of(folder)
    # The folder has links to the whole files.
    data = path.read_bytes()
    path.unlink()
    path.write_bytes(data)
    match row.form:
        case "json":
            _bend_json(path, random)
        case _:
            _bend_text(path, random)
    return command_of(random.choice(row.commands), path, folder, code)


def code_of(folder: Path) -> str:
    """Return the commitment of the sealed game in a folder."""
    return str(json.loads((folder / "sealed" / "closed-game.json").read_text(encoding="utf-8"))["commitment"])


def command_of(line: str, path: Path, folder: Path, code: str) -> tuple[str, ...]:
    """Return the arguments of a command line of ``KINDS`` that reads a file in a folder."""
    name = path.relative_to(folder).as_posix()
    given = {"CODE": code}
    if "WORDS" in line:
        # No system hands a zero byte or other bytes than those of a text to a program.
        given["WORDS"] = path.read_bytes().decode("utf-8", "replace").replace("\0", "")
    return tuple(given.get(word, word.replace("FILE", name)) for word in line.split())


def _check_whole(whole: Path, only: str) -> None:
    """Refuse to start where a whole file is not read: what bends it then says nothing."""
    for kind, line in ((name, line) for name, row in KINDS.items() if only in ("", name) for line in row.commands):
        with tempfile.TemporaryDirectory(prefix="fuzz-", dir=whole.parent) as made:
            folder = Path(made)
            shutil.copytree(whole, folder, dirs_exist_ok=True, copy_function=os.link)
            path = folder / KINDS[kind].file.format(rules="portable-2")
            with chdir(folder), home_in(folder):
                _must(*command_of(line, path, folder, code_of(folder)))


def _times(whole: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in whole.rglob("*") if path.is_file()}


def _bend_json(path: Path, random: Random) -> None:
    """Change values of a JSON file, or some of its bytes."""
    if random.random() < 0.15:
        _bend_text(path, random)
        return
    tree = json.loads(path.read_text(encoding="utf-8"))
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        places = list(_places(tree))
        holder, key = random.choice(places)
        match random.randrange(5):
            case 0:
                del holder[key]
            case 1 if isinstance(holder, list):
                holder.insert(key, deepcopy(holder[key]))
            case 2:
                other, at = random.choice(places)
                if (isinstance(other, list) and at < len(other)) or (isinstance(other, dict) and at in other):
                    holder[key] = deepcopy(other[at])
            case 3 if isinstance(holder[key], (int, float)) and not isinstance(holder[key], bool):
                holder[key] = holder[key] * random.choice((-1, 0, 2, 10, 1e6, 1e-6)) + random.choice((0, 1, -1))
            case _:
                holder[key] = deepcopy(random.choice(_WRONG))
    path.write_text(json.dumps(tree), encoding="utf-8")


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every place of a value in a tree: what holds it, and under which name or number."""
    members = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in members:
        yield tree, key
        yield from _places(value)


def _bend_text(path: Path, random: Random) -> None:
    """Change a word or a value of a text, or some of its bytes."""
    data = path.read_bytes()
    words = list(re.finditer(rb"[\w.+-]+|\"[^\"\n]*\"|\[[^\[\]\n]*\]", data))
    match random.randrange(8):
        case 6:
            text = data.decode("utf-8", "replace")
            codes = ("cp1252", "utf-16", "utf-8-sig", "utf-32")
            data = (text + random.choice(("", "# Río\n"))).encode(random.choice(codes), "replace")
        case 7 if words:
            word = random.choice(words)
            data = data[: word.start()] + random.choice(_ODD).encode() + data[word.end() :]
        case 0:
            start = random.randrange(len(data))
            data = data[:start] + data[start + random.choice((1, 1, 5, 40, 10**6)) :]
        case 1:
            start = random.randrange(len(data))
            data = (
                data[:start]
                + random.choice((b"\xff", b"\x00", b"[", b"{", b'"', b"\n", b"[" * 500, b"\xed\xa0\x80"))
                + data[start:]
            )
        case 2 if words:
            one, other = random.choice(words), random.choice(words)
            data = data[: one.start()] + other[0] + data[one.end() :]
        case 3:
            lines = data.split(b"\n")
            lines.insert(random.randrange(len(lines) + 1), random.choice(lines))
            data = b"\n".join(lines)
        case _ if words:
            word = random.choice(words)
            data = data[: word.start()] + random.choice(_WORDS).encode() + data[word.end() :]
    path.write_bytes(data)


def tried(seed: int, only: str, whole: Path, keep: Path | None) -> Input:
    """Bend one file and have it read."""
    random = Random(f"fuzz/{seed}")
    kinds = [kind for kind, row in KINDS.items() for _ in range(row.share)]
    kind = only or random.choice(kinds)
    # Links need the same file system.
    folder = Path(tempfile.mkdtemp(prefix="fuzz-", dir=whole.parent))
    try:
        shutil.copytree(whole, folder, dirs_exist_ok=True, copy_function=os.link)
        command = bent(kind, folder, random)
        begun, status, fault, before = time.process_time(), 0, "", _megabytes()
        signal.signal(signal.SIGPROF, _give_up)
        signal.setitimer(signal.ITIMER_PROF, _PATIENCE)
        with chdir(folder), home_in(folder), _ended_at(KINDS[kind].ends if seed % _COMPLETE else ()):
            try:
                status, said = run_quietly(*command)
                fault = _fault(KINDS[kind], status, said)
            except Reached:
                pass
            except BaseException as error:
                status, fault = -1, f"{type(error).__name__}: {error}"
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
        seconds = time.process_time() - begun
        megabytes = after if (after := _megabytes()) > before else 0.0
        if fault and keep is not None:
            shutil.copytree(folder, keep / f"{kind}-{seed}", dirs_exist_ok=True)
        shown = f"{kind} {seed}: {' '.join(command)[:200]}: {fault}" if fault else ""
        return Input(seed=seed, kind=kind, status=status, seconds=seconds, megabytes=megabytes, fault=shown)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _fault(row: FuzzKind, status: int, said: str) -> str:
    """Return what is wrong with how a command ended; empty where nothing is."""
    if status not in (0, 1, 2):
        return f"exit {status}: {said.strip()[-300:]}"
    errors = [line for line in said.splitlines() if line.startswith("printkit: ")]
    if len(errors) > 1 or "Traceback" in said:
        return f"more than a line: {said.strip()[:300]}"
    if status == 2 and not errors:
        return "no line says what is wrong"
    if not errors or row.form in (WORDS, DICE):
        return ""
    path = Path(row.file)
    # Another file of the same folder may contradict the altered one.
    other = path.parent != Path() and re.search(rf"{path.parent}/\S+, line \d", errors[0])
    if not other and path.name.rpartition("}")[2] not in errors[0] and f" {path.parent} has no games" not in errors[0]:
        return f"no file: {errors[0][:300]}"
    return "" if other or row.form == JSON or _PLACE.search(errors[0]) else f"no line: {errors[0][:300]}"


def _give_up(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError(f"more than {_PATIENCE} s")


def _worker(asked: tuple[int, str, str, str | None]) -> Input:
    seed, only, whole, keep = asked
    return tried(seed, only, Path(whole), Path(keep) if keep else None)


def _begin() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_ROOM, _ROOM))
    replace_unencodable()


def main(arguments: list[str] | None = None) -> int:
    """Bend files, print what came of them, and return 1 where one failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=20_000, metavar="INPUTS")
    parser.add_argument("--first", type=int, default=1, metavar="SEED")
    parser.add_argument("--kind", choices=tuple(KINDS), default="")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the folders of what failed here")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, metavar="N")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="fuzz-whole-", dir=_TEMPORARY) as whole:
        seeds_of(Path(whole))
        _check_whole(Path(whole), asked.kind)
        times = _times(Path(whole))
        keep = None if asked.keep is None else str(asked.keep.absolute())
        jobs = [(seed, asked.kind, whole, keep) for seed in range(asked.first, asked.first + asked.count)]
        counts: Counter[str] = Counter()
        most: dict[str, tuple[float, float]] = {}
        failed, begun, shown = 0, time.monotonic(), 0
        # A process that met a large file keeps the mark of it: it makes room for another one before long.
        with get_context("spawn").Pool(asked.processes, _begin, maxtasksperchild=200) as pool:
            for number, done in enumerate(pool.imap_unordered(_worker, jobs, chunksize=10), 1):
                if (period := int((time.monotonic() - begun) / _PROGRESS)) > shown:
                    shown = period
                    print(f"{number:,} of {len(jobs):,} inputs, {failed} failed", flush=True)
                counts[f"{done.kind} {'read' if done.status == 0 else 'refused'}"] += 1
                slowest, largest = most.get(done.kind, (0.0, 0.0))
                most[done.kind] = max(slowest, done.seconds), max(largest, done.megabytes)
                dear = f"{done.kind} {done.seed}: {done.seconds:.1f} s" if done.seconds > SECONDS else ""
                dear = dear or (
                    f"{done.kind} {done.seed}: {done.megabytes:.0f} MB" if done.megabytes > MEGABYTES else ""
                )
                if done.fault or dear:
                    failed += 1
                    counts[f"{done.kind} failed"] += 1
                    print(done.fault or dear, flush=True)
        if _times(Path(whole)) != times:
            raise SystemExit("a command wrote into a file in place of a new one: the inputs after it were not whole")
    print(f"{'kind':24} inputs   read refused failed slowest largest")
    for name, (seconds, megabytes) in sorted(most.items()):
        read, refused, wrong = (counts[f"{name} {what}"] for what in ("read", "refused", "failed"))
        print(f"{name:24} {read + refused:6,} {read:6,} {refused:7,} {wrong:6,} {seconds:5.1f} s {megabytes:4.0f} MB")
    print(f"{asked.count:,} inputs of {len(most)} kinds, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
