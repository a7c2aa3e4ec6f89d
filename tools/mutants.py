"""Changes one thing at a time in copies of the package, and runs the tests of its folder: do they notice?

``make mutants ARGS="--seed 20270101 --count 400"`` draws places, half of them in judges and rules, half in drawing,
page, export and the command line. Each outcome is appended to ``tests/mutants.txt`` at once; mutants that the file has
already are not run, so the same command goes on where it stopped. A mutant that lives is either a rule that no test
proves, or no change at all: the reader decides which.

``make mutants ARGS="--again 60 --seed 1 --only systems/acw"`` draws from the killed mutants of the file and runs them
again: each must still be killed. Where its line is gone it says so; put one from the code that took over in its place.

First each test file of a folder runs once, alone, and ``coverage`` tells which lines of the package it runs. For each
mutant the tool then runs only the test files that run its line.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from queue import Queue
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
LEAST, SLOWER = 120.0, 4.0
"""Seconds that tests may take at least, and how many times longer than without a change: then they are stopped, and a
mutant that never ends is noticed."""
MEASURE = 1800.0
"""Seconds that a file of tests may take while nothing is changed."""

SWAPPED: dict[type[ast.AST], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}


ELSEWHERE = {"console": ("cli",)}
"""Where the tests of a folder are that has none of its own name."""

KEPT = ROOT / "tests" / "mutants.txt"
KILLED, LIVED, GONE = "killed", "lived", "gone"


@dataclass(frozen=True)
class Mutant:
    """One change: a line of a function of a file, and what it says instead."""

    path: Path
    function: str
    old: str
    new: str

    def apply(self, root: Path) -> int:
        """Change the first such line of the function in a copy of the project; return its number, 0 for none."""
        path = root / self.path
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        first, last = function_lines(ast.parse("".join(lines)), self.function)
        for at in range(first - 1, min(last, len(lines))):
            if lines[at].strip() == self.old:
                lines[at] = lines[at].replace(self.old, self.new)
                path.write_text("".join(lines), encoding="utf-8")
                return at + 1
        return 0

    def row(self, outcome: str) -> str:
        """Return the line of the file of mutants."""
        return "\t".join((outcome, self.path.as_posix(), self.function, self.old, self.new))


def read_rows(text: str) -> dict[Mutant, str]:
    """Return the mutants of a file with their outcomes."""
    rows = (line.split("\t") for line in text.splitlines() if line)
    return {Mutant(Path(path), function, old, new): outcome for outcome, path, function, old, new in rows}


def function_lines(tree: ast.Module, name: str) -> tuple[int, int]:
    """Return the first and the last line of a function, ``Dice.draw``; all lines for a module, none if it is gone."""
    if not name:
        return 1, sys.maxsize
    body: list[ast.stmt] = tree.body
    for part in name.split("."):
        node = next((each for each in body if getattr(each, "name", "") == part), None)
        if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            return 1, 0
        body = node.body
    return node.lineno, node.end_lineno or node.lineno


def function_at(tree: ast.Module, line: int) -> str:
    """Return the name of the outermost function, with its class, that has a line; empty outside functions."""
    names, body = list[str](), list[ast.stmt](tree.body)
    while found := [
        each
        for each in body
        if isinstance(each, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and each.lineno <= line <= (each.end_lineno or 0)
    ]:
        names.append(found[0].name)
        body = found[0].body if isinstance(found[0], ast.ClassDef) else []
    return ".".join(names)


def mutants(path: Path) -> Iterator[Mutant]:
    """Yield every change of a file: operators turned, numbers one more, ``not`` left out."""
    data = path.read_bytes()
    tree = ast.parse(data)
    offsets = [0]
    for line in data.splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line))

    def at(node: ast.expr, end: bool = False) -> int:
        line, column = (node.end_lineno, node.end_col_offset) if end else (node.lineno, node.col_offset)
        return offsets[(line or 1) - 1] + (column or 0)

    def changed(start: int, end: int, new: str) -> Iterator[Mutant]:
        line = data[:start].count(b"\n")
        head, tail = data[offsets[line] : start], data[end : offsets[line + 1]]
        if b"\n" not in data[start:end]:
            before = data[offsets[line] : offsets[line + 1]].decode().strip()
            after = (head + new.encode() + tail).decode().strip()
            yield Mutant(path.relative_to(ROOT), function_at(tree, line + 1), before, after)

    def between(left: ast.expr, right: ast.expr, operator: ast.AST) -> Iterator[Mutant]:
        old, new = SWAPPED.get(type(operator), ("", ""))
        start, end = at(left, end=True), at(right)
        found = data[start:end].find(old.encode()) if old else -1
        if found >= 0:
            yield from changed(start + found, start + found + len(old), new)

    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                yield from between(left, right, operator)
            case ast.BinOp(left=left, op=operator, right=right):
                yield from between(left, right, operator)
            case ast.BoolOp(op=operator, values=[left, right, *_]):
                yield from between(left, right, operator)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield from changed(at(node), at(operand), "")
            case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
                yield from changed(at(node), at(node, end=True), repr(value + 1))
            case _:
                pass


def tests_of(path: Path) -> str:
    """Return the folder of tests to which a file of the package belongs: that of its part, or of its rule system."""
    parts = ELSEWHERE.get(path.parts[1], path.parts[1:-1])
    for length in (2, 1) if parts[:1] == ("systems",) else (1,):
        if parts and (ROOT / "tests" / Path(*parts[:length])).is_dir():
            return str(Path("tests", *parts[:length]))
    return "tests"


def drawn(seed: int, count: int, only: str = "") -> list[Mutant]:
    """Return mutants drawn by a seed: half in judges and rules, half in drawing, page, export and the command line.

    What is elsewhere, as in ``kit/``, is drawn as rules are, and only where ``only`` asks for it.
    """
    package = ROOT / "printkit"
    rules, sheets = list[Mutant](), list[Mutant]()
    for path in sorted(package.rglob("*.py")):
        within = path.relative_to(package)
        if only and only not in str(within):
            continue
        if within.parts[0] == "systems" and "sheets" not in within.parts:
            rules += mutants(path)
        elif within.parts[0] in ("drawing", "page", "export", "cli", "console", "options"):
            sheets += mutants(path)
        elif only:
            rules += mutants(path)
    chance = random.Random(seed)
    half = count // 2
    found = [
        each
        for pool, share in ((rules, half), (sheets, count - half))
        for each in chance.sample(pool, min(share, len(pool)))
    ]
    chance.shuffle(found)
    return found


def statement_at(tree: ast.Module, line: int) -> range:
    """Return the lines of the innermost statement that has a line; of one with a body those of its head."""
    found = range(line, line + 1)
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0):
            body = getattr(node, "body", [])
            last = body[0].lineno - 1 if body and body[0].lineno > line else node.end_lineno or line
            found = range(node.lineno, last + 1)
    return found


class Tests(NamedTuple):
    """A test file: the seconds that it takes, and the lines of the package that it runs, by file."""

    path: str
    seconds: float
    lines: dict[str, set[int]]


def passes(copy: Path, *words: str, limit: float) -> bool:
    """Return whether tests pass in a copy, and within so many seconds; ``words`` follow the interpreter."""
    more = ["-q", "-x", "-n", "0", "-p", "no:cacheprovider"]
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            [sys.executable, *words, *more], cwd=copy, env=environment, capture_output=True, timeout=limit, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def measure_tests(path: str, copies: Queue[Path]) -> Tests:
    """Run a test file on the unchanged package, and return its time and the lines that it runs.

    Raises:
        SystemExit: it fails, so every mutant would seem to die.

    """
    from coverage import CoverageData
    from coverage.exceptions import DataError

    copy = copies.get()
    try:
        # A process that a test kills, or leaves to itself, may still write its data: that file is not read.
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            data, settings = Path(folder, "data"), Path(folder, "settings")
            text = f"[run]\nsource = printkit\nparallel = true\npatch = subprocess\ndata_file = {data}\n"
            settings.write_text(text, encoding="utf-8")
            start = time.monotonic()
            measured = ["-m", "coverage", "run", f"--rcfile={settings}", "-m", "pytest", path]
            if not passes(copy, *measured, limit=MEASURE):
                if not passes(copy, "-m", "pytest", path, limit=MEASURE):
                    sys.exit(f"these tests fail as they are: {path}")
                print(f"left out, because it fails while its lines are measured: {path}", file=sys.stderr)
                return Tests(path, 0.0, {})
            lines = dict[str, set[int]]()
            for part in Path(folder).glob("data.*"):
                read = CoverageData(str(part))
                try:
                    read.read()
                except DataError:
                    continue
                for each in read.measured_files():
                    lines.setdefault(str(Path(each).relative_to(copy)), set()).update(read.lines(each) or ())
        return Tests(path, time.monotonic() - start, lines)
    finally:
        copies.put(copy)


def outcome(mutant: Mutant, tests: Sequence[Tests], copies: Queue[Path]) -> str:
    """Return whether a mutant is killed by tests, whether it lives, or whether its line is gone.

    Those that name its module come first, and of them the quickest.
    """
    copy = copies.get()
    path = copy / mutant.path
    kept = path.read_bytes() if path.is_file() else b""
    try:
        line = mutant.apply(copy) if kept else 0
        if not line:
            return GONE
        changed = statement_at(ast.parse(kept), line)
        near = [each for each in tests if not each.lines.get(str(mutant.path), set()).isdisjoint(changed)]
        module = ".".join(mutant.path.with_suffix("").parts)

        def order(each: Tests) -> tuple[bool, float]:
            return module not in Path(copy, each.path).read_text(encoding="utf-8"), each.seconds

        for each in sorted(near, key=order):
            if not passes(copy, "-m", "pytest", each.path, limit=max(LEAST, SLOWER * each.seconds)):
                return KILLED
        return LIVED
    finally:
        if kept:
            path.write_bytes(kept)
        copies.put(copy)


def _left_out(folder: str, names: list[str]) -> set[str]:
    """Return what a copy does without; ``output`` at the top alone, for a part of the package has that name too."""
    unused = shutil.ignore_patterns(".*", "__pycache__", *(["output"] if Path(folder) == ROOT else []))
    return unused(folder, names)


def main() -> int:
    """Run mutants; 1 where one that was killed lives, or is gone."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=20270101)
    parser.add_argument("--count", type=int, default=400, help="mutants to draw from the package")
    parser.add_argument("--again", type=int, default=0, metavar="N", help="run N killed mutants of the file again")
    parser.add_argument("--only", default="", help="files whose path within the package has this in it")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    kept = read_rows(KEPT.read_text(encoding="utf-8")) if KEPT.is_file() else {}
    if given.again:
        killed = [each for each, was in kept.items() if was == KILLED and given.only in str(each.path)]
        found = random.Random(given.seed).sample(killed, min(given.again, len(killed)))
    else:
        found = [each for each in drawn(given.seed, given.count, given.only) if each not in kept]
    copies: Queue[Path] = Queue()
    counts = Counter[str]()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(given.processes) as pool:
        for number in range(given.processes):
            copy = Path(folder, str(number))
            shutil.copytree(ROOT, copy, ignore=_left_out)
            copies.put(copy)
        by_folder = groupby(sorted(found, key=lambda each: tests_of(each.path)), lambda each: tests_of(each.path))
        for tests, some in by_folder:
            group = list(some)
            paths = {*(ROOT / tests).rglob("test_*.py")}
            # Tests that are named after a module may be in another folder.
            paths |= {path for mutant in group for path in (ROOT / "tests").rglob(f"test_{mutant.path.stem}.py")}
            files = sorted(str(path.relative_to(ROOT)) for path in paths)
            known = [*pool.map(partial(measure_tests, copies=copies), files)]
            outcomes = pool.map(partial(outcome, tests=known, copies=copies), group)
            for mutant, what in zip(group, outcomes, strict=True):
                counts[what] += 1
                print(mutant.row(what), flush=True)
                if not given.again:
                    with KEPT.open("a", encoding="utf-8") as file:
                        file.write(mutant.row(what) + "\n")
    print(", ".join(f"{count} {what}" for what, count in sorted(counts.items())))
    return 1 if given.again and counts.total() > counts[KILLED] else 0


if __name__ == "__main__":
    sys.exit(main())
