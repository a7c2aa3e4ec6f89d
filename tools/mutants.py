"""Changes one thing at a time in copies of the package, and runs tests: do they notice?

``make mutants ARGS="--seed 20270101 --count 400"`` draws places, half of them in judges and rules, half in drawing,
page, export and the command line. Each outcome is appended to ``tests/mutants.txt`` at once; mutants that the file has
already are not run, so the same command goes on where it stopped. A mutant that lives is either a rule that no test
proves, or no change at all: the reader decides which.

``make mutants ARGS="--again 60 --seed 1 --only systems/acw"`` draws from the killed mutants of the file and runs them
again: each must still be killed. Where its line is gone it says so; put one from the code that took over in its place.

The test files of the folder run, and those named after the module; first the file that killed the mutant before, then
those that name the module or the function. A file that fails without the change, too, kills nothing.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

ROOT = Path(__file__).parents[1]
# Seconds that a few test files, or all of a folder, may take; a mutant that never ends is noticed.
LIMIT, LONG_LIMIT = 300.0, 1800.0
# How many test files, the likeliest first, run before all others.
LIKELY = 4

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
    """Return the mutants of a file with their outcomes; "killed" may be followed by the test file that killed it."""
    rows = (line.split("\t") for line in text.splitlines() if line)
    return {Mutant(Path(path), function, old, new): outcome for outcome, path, function, old, new in rows}


def function_lines(tree: ast.Module, name: str) -> tuple[int, int]:
    """Return the first and the last line of a function, ``Dice.draw``; all lines for a module, none if it is gone."""
    first, last, body = 1, sys.maxsize, tree.body
    for part in filter(None, name.split(".")):
        node = next((each for each in body if getattr(each, "name", "") == part), None)
        if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            return 1, 0
        first, last, body = node.lineno, node.end_lineno or node.lineno, node.body
    return first, last


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


def rank_tests(mutant: Mutant, killer: str) -> list[str]:
    """Return the paths of the test files that may kill a mutant, the likeliest first.

    Args:
        killer: the file that killed it before, or "".
    """
    files = {*(ROOT / tests_of(mutant.path)).rglob("test_*.py"), *(ROOT / "tests").rglob(f"test_{mutant.path.stem}.py")}
    function = mutant.function.rpartition(".")[2] or mutant.path.stem

    def rank(file: Path) -> tuple[bool, bool, int, int]:
        text = file.read_text(encoding="utf-8")
        is_namesake = file.stem == f"test_{mutant.path.stem}"
        return str(file.relative_to(ROOT)) != killer, not is_namesake, -text.count(function), len(text)

    return [str(file.relative_to(ROOT)) for file in sorted(files, key=rank)]


def find_failure(copy: Path, files: Sequence[str], limit: float) -> str:
    """Run test files in a copy; return the first that fails, or the first of all if time runs out, "" if all pass."""
    command = [sys.executable, "-m", "pytest", *files, "-q", "-x", "-n", "0", "-p", "no:cacheprovider", "--tb=no"]
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, text=True, timeout=limit, check=False
        )
    except subprocess.TimeoutExpired:
        return files[0]
    if done.returncode == 0:
        return ""
    failed = re.search(r"^(?:FAILED|ERROR) (tests/[^\s:]+\.py)", done.stdout, re.MULTILINE)
    return failed[1] if failed else files[0]


class Checker:
    """Finds the test file that kills a mutant.

    Args:
        copies: copies of the project, one for each process.
    """

    def __init__(self, copies: Queue[Path]) -> None:
        self._copies = copies
        self._broken: dict[str, bool] = {}

    def judge(self, mutant: Mutant, killer: str) -> str:
        """Return "killed" with the path of a test file, "lived", or "gone" for a mutant whose line is gone."""
        copy = self._copies.get()
        path = copy / mutant.path
        old = path.read_bytes() if path.is_file() else b""
        try:
            if not old or not mutant.apply(copy):
                return GONE
            new = path.read_bytes()
            files = rank_tests(mutant, killer)
            while files:
                some, limit = (files[:LIKELY], LIMIT) if len(files) > LIKELY else (files, LONG_LIMIT)
                path.write_bytes(new)
                failed = find_failure(copy, some, limit)
                path.write_bytes(old)
                if not failed:
                    files = files[len(some) :] if limit == LIMIT else []
                elif not self._fails_without(copy, failed):
                    return f"{KILLED} {failed}"
                else:
                    files.remove(failed)
            return LIVED
        finally:
            if old:
                path.write_bytes(old)
            self._copies.put(copy)

    def _fails_without(self, copy: Path, file: str) -> bool:
        """Return whether a test file fails in a copy without a change; it runs once."""
        if file not in self._broken:
            self._broken[file] = bool(find_failure(copy, [file], LONG_LIMIT))
            if self._broken[file]:
                print(f"fails as it is, so it kills nothing: {file}", file=sys.stderr)
        return self._broken[file]


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
        killed = [each for each, was in kept.items() if was.startswith(KILLED) and given.only in str(each.path)]
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
        checker = Checker(copies)
        killers = [kept.get(each, "").partition(" ")[2] for each in found]
        for mutant, outcome in zip(found, pool.map(checker.judge, found, killers), strict=True):
            counts[outcome.partition(" ")[0]] += 1
            print(mutant.row(outcome), flush=True)
            # A killed mutant that lives or is gone stays in the file: somebody has to write a test or replace it.
            if not given.again or outcome.startswith(KILLED):
                kept[mutant] = outcome
                KEPT.write_text("".join(each.row(was) + "\n" for each, was in kept.items()), encoding="utf-8")
    print(", ".join(f"{count} {what}" for what, count in sorted(counts.items())))
    return 1 if given.again and counts.total() > counts[KILLED] else 0


if __name__ == "__main__":
    sys.exit(main())
