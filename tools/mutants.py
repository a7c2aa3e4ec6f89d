"""Changes one thing at a time in copies of the package, and runs the tests of its folder: who notices?

``python tools/mutants.py --seed 20261122 --count 100`` draws places in rules, judges, page and export, half of them in
judges, and prints what became of each. A mutant that lives is either a rule that no test proves, or no change at all:
the reader decides which.
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
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

ROOT = Path(__file__).parents[1]
LIMIT = 600
"""Seconds after which the tests of a folder are stopped: a mutant that never ends is noticed."""

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


@dataclass(frozen=True)
class Mutant:
    """One change: the file, from and to where in its bytes, and what stands there instead."""

    path: Path
    start: int
    end: int
    instead: str
    line: int

    def apply(self, root: Path) -> str:
        """Change the file in a copy of the project; return the line before and after."""
        path = root / self.path
        data = path.read_bytes()
        changed = data[: self.start] + self.instead.encode() + data[self.end :]
        path.write_bytes(changed)
        before, after = (text.decode().splitlines()[self.line - 1].strip() for text in (data, changed))
        return f"{before}  ->  {after}"


def mutants(path: Path) -> Iterator[Mutant]:
    """Yield every change of a file: operators turned, numbers one more, ``not`` left out."""
    data = path.read_bytes()
    offsets = [0]
    for line in data.splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line))

    def at(node: ast.expr, end: bool = False) -> int:
        line, column = (node.end_lineno, node.end_col_offset) if end else (node.lineno, node.col_offset)
        return offsets[(line or 1) - 1] + (column or 0)

    def between(left: ast.expr, right: ast.expr, operator: ast.AST) -> Iterator[Mutant]:
        old, new = SWAPPED.get(type(operator), ("", ""))
        start, end = at(left, end=True), at(right)
        found = data[start:end].find(old.encode()) if old else -1
        if found >= 0:
            place = start + found
            yield Mutant(path.relative_to(ROOT), place, place + len(old), new, data[:place].count(b"\n") + 1)

    for node in ast.walk(ast.parse(data)):
        match node:
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                yield from between(left, right, operator)
            case ast.BinOp(left=left, op=operator, right=right):
                yield from between(left, right, operator)
            case ast.BoolOp(op=operator, values=[left, right, *_]):
                yield from between(left, right, operator)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield Mutant(path.relative_to(ROOT), at(node), at(operand), "", node.lineno)
            case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
                yield Mutant(path.relative_to(ROOT), at(node), at(node, end=True), repr(value + 1), node.lineno)
            case _:
                pass


def tests_of(path: Path) -> str:
    """Return the folder of tests to which a file of the package belongs."""
    parts = path.parts[1:-1]
    for length in range(len(parts), 0, -1):
        if (ROOT / "tests" / Path(*parts[:length])).is_dir():
            return str(Path("tests", *parts[:length]))
    return "tests"


def drawn(seed: int, count: int, only: str = "") -> list[Mutant]:
    """Return mutants drawn by a seed: half in judges, the rest shared among rules, page and export.

    What lies elsewhere, as in ``kit/``, is drawn as rules are, and only where it is asked for by ``only``.
    """
    package = ROOT / "printkit"
    judges, rules, sheets = list[Mutant](), list[Mutant](), list[Mutant]()
    for path in sorted(package.rglob("*.py")):
        within = path.relative_to(package)
        if only and only not in str(within):
            continue
        if within.parts[0] == "systems" and ("judge" in within.parts or within.name.startswith("judge")):
            judges += mutants(path)
        elif within.parts[0] == "systems" and "sheets" not in within.parts:
            rules += mutants(path)
        elif within.parts[0] in ("page", "export"):
            sheets += mutants(path)
        elif only:
            rules += mutants(path)
    chance = random.Random(seed)
    half = count // 2
    shares = ((judges, half), (rules, (count - half + 1) // 2), (sheets, (count - half) // 2))
    return [each for pool, share in shares for each in chance.sample(pool, min(share, len(pool)))]


def passes(folder: str, copy: Path) -> bool:
    """Return whether the tests of a folder pass in a copy, and in time."""
    words = ["-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider", folder]
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            [sys.executable, *words], cwd=copy, env=environment, capture_output=True, timeout=LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def as_it_is(folder: str, copies: Queue[Path]) -> bool:
    """Return whether the tests of a folder pass while nothing is changed: else every mutant would seem to die."""
    copy = copies.get()
    try:
        return passes(folder, copy)
    finally:
        copies.put(copy)


def outcome(mutant: Mutant, copies: Queue[Path]) -> tuple[bool, str]:
    """Return whether the tests notice a mutant, and the change."""
    copy = copies.get()
    kept = (copy / mutant.path).read_bytes()
    try:
        change = mutant.apply(copy)
        return not passes(tests_of(mutant.path), copy), change
    finally:
        (copy / mutant.path).write_bytes(kept)
        copies.put(copy)


def _left_out(folder: str, names: list[str]) -> set[str]:
    """Return what a copy does without; ``output`` at the top alone, for a part of the package has that name too."""
    unused = shutil.ignore_patterns(".*", "__pycache__", *(["output"] if Path(folder) == ROOT else []))
    return unused(folder, names)


def main() -> None:
    """Draw mutants, run the tests against each, and print those that live and the shares that die."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--only", default="", help="files whose path within the package has this in it")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    found = drawn(given.seed, given.count, given.only)
    copies: Queue[Path] = Queue()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(given.processes) as pool:
        for number in range(given.processes):
            copy = Path(folder, str(number))
            shutil.copytree(ROOT, copy, ignore=_left_out)
            copies.put(copy)
        folders = sorted({tests_of(mutant.path) for mutant in found})
        failing = [
            folder
            for folder, passed in zip(folders, pool.map(lambda each: as_it_is(each, copies), folders), strict=True)
            if not passed
        ]
        if failing:
            sys.exit(f"these tests fail as they are: {', '.join(failing)}")
        dead = 0
        for mutant, (noticed, change) in zip(found, pool.map(lambda each: outcome(each, copies), found), strict=True):
            dead += noticed
            print(f"{'dies ' if noticed else 'LIVES'}  {mutant.path}:{mutant.line}  {change}", flush=True)
    print(f"{dead} of {len(found)} died")


if __name__ == "__main__":
    main()
