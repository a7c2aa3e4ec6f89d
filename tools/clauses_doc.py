"""Writes a page with every clause of every rule book and of the Hexon tiles, and the tests that prove it.

A test names its clauses by ``@pytest.mark.clause("BR-401", "BR-404..BR-407")``, on a function, on a class, as
``pytestmark`` of a module, or as a mark of one parameter; a range runs in the order of the book.

    python tools/clauses_doc.py
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from printkit.core.resources import template
from printkit.kit import registry

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "output" / "clauses.md"
TESTS = ROOT / "tests"

HEAD = """# Clauses and their tests

Each clause of a rule system as its rule book lists it, in our own words, and the tests that name it. `make clauses`
writes this page.
"""


class ClauseList(Protocol):
    """What a section of the page needs; rule books have it."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def clauses(self) -> Mapping[str, str]: ...


class Clauses(Struct, frozen=True):
    """A list of clauses that belongs to no rule system."""

    name: str
    title: str
    source: str
    clauses: Mapping[str, str]


def books() -> list[ClauseList]:
    """Return every rule book, and the list of the Hexon tiles."""
    return [*(system.book for system in registry.all_systems().values()), Clauses(**template("hexon", "clauses"))]


class Mark(Struct, frozen=True):
    """One clause, or a range of them as it was written, and the test that names it."""

    test: str
    written: str


def marks(folder: Path = TESTS) -> tuple[Mark, ...]:
    """Return every mark of every test below a folder, in the order of files and of what stands in them."""
    found: list[Mark] = []
    for path in sorted(folder.rglob("test_*.py")):
        where = path.relative_to(folder.parent).as_posix()
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found.extend(Mark(where, written) for written in dict.fromkeys(_module_marks(tree)))
        for name, node in _tests(tree, ""):
            written = dict.fromkeys(written for mark in node.decorator_list for written in _written(mark))
            found.extend(Mark(f"{where}::{name}", each) for each in written)
    return tuple(found)


def _tests(
    tree: ast.Module | ast.ClassDef, prefix: str
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield f"{prefix}{node.name}", node
            yield from _tests(node, f"{prefix}{node.name}::")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{prefix}{node.name}", node


def _module_marks(tree: ast.Module) -> Iterator[str]:
    """Yield what stands outside of tests: ``pytestmark``, and lists of cases for several of them."""
    for node in tree.body:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _written(node)


def _written(tree: ast.AST) -> Iterator[str]:
    """Yield the texts of every ``mark.clause(...)`` anywhere in an expression."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "clause":
            yield from (each.value for each in node.args if isinstance(each, ast.Constant))


def meant(written: str, order: Sequence[str]) -> tuple[str, ...]:
    """Return the clauses of ``BR-401`` or ``BR-404..BR-407``.

    Raises:
        ValueError: no book lists it, or the range runs backwards.
    """
    first, _, last = written.partition("..")
    last = last or first
    if first not in order or last not in order or order.index(first) > order.index(last):
        raise ValueError(f"{written}: no rule book lists it")
    return tuple(order[order.index(first) : order.index(last) + 1])


def proofs(found: Sequence[Mark], order: Sequence[str]) -> dict[str, list[str]]:
    """Return by clause the tests that name it.

    Raises:
        ValueError: marks mean no clause of the books; a line a mark that names the test.
    """
    proven: dict[str, list[str]] = {clause: [] for clause in order}
    wrong: list[str] = []
    for mark in found:
        try:
            clauses = meant(mark.written, order)
        except ValueError as error:
            wrong.append(f"{mark.test}: {error}")
            continue
        for clause in clauses:
            if mark.test not in proven[clause]:
                proven[clause].append(mark.test)
    if wrong:
        raise ValueError("\n".join(wrong))
    return proven


def page(books: Sequence[ClauseList], found: Sequence[Mark]) -> str:
    """Return the page as Markdown."""
    proven = proofs(found, [clause for book in books for clause in book.clauses])
    return "\n".join((HEAD, *(line for book in books for line in _section(book, proven))))


def _section(book: ClauseList, proven: dict[str, list[str]]) -> Iterator[str]:
    named = sum(bool(proven[clause]) for clause in book.clauses)
    yield f"## {book.title} (`{book.name}`)"
    yield ""
    yield f"{book.source}. {named} of {len(book.clauses)} clauses are named by a test."
    yield ""
    yield "| Clause | Title | Tests |"
    yield "| --- | --- | --- |"
    for clause, title in book.clauses.items():
        yield f"| {clause} | {title.replace('|', '/')} | {_tests_of(proven[clause])} |"
    yield ""


def _tests_of(tests: Sequence[str]) -> str:
    """Return the tests in few words: the file once, then its tests."""
    files: dict[str, list[str]] = {}
    for test in tests:
        path, _, name = test.partition("::")
        files.setdefault(path.removeprefix("tests/").removesuffix(".py"), []).append(name.removeprefix("test_"))
    return "; ".join(
        f"`{path}`{': ' if any(names) else ''}{', '.join(name for name in names if name)}"
        for path, names in files.items()
    )


def main() -> int:
    """Write the page; 1 where a test names a clause that no book lists."""
    try:
        text = page(books(), marks())
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
