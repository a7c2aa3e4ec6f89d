"""How large the package is, and how tangled: one short table, read from the text of its files.

``python tools/size.py`` counts the files as they stand; ``--since REF`` counts those of another commit beside them,
which git hands out without a checkout; ``--rooms`` adds a line for every folder. Nothing of the package is run.

- A line of code holds more than a comment, and is no part of a docstring. Of parameters ``self`` and ``cls`` are none.
- A room is a folder. An arrow is a file that imports another one, wherever in it the import stands; it crosses when the
  two lie in different rooms.
- A shared name is that of a public class which a file of another room imports, while a second public class of the
  package has the same name: who reads the name there cannot know which is meant. For this the whole folder of a rule
  system is one room.
- A copy is a whole function, or a run of statements in one, of six lines of code or more, whose syntax tree stands
  elsewhere too when every variable, parameter, function name and constant is taken for the same one. Members, named
  arguments and the form stay as they are. Counted are the lines of all but the first that is met, by file and line.
"""

from __future__ import annotations

import argparse
import ast
import io
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PACKAGE: Final = "printkit"

MOST_PARAMETERS: Final = 8
LEAST_COPY: Final = 6
Function = ast.FunctionDef | ast.AsyncFunctionDef


class File:
    """A source file: its room, and what its syntax tree says."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.room = path.rpartition("/")[0]
        self.slice = "/".join(path.split("/")[:2]) if path.startswith("systems/") else self.room
        self.text = text
        tree = ast.parse(text)
        self.nodes = tuple(ast.walk(tree))
        self.functions = tuple(node for node in self.nodes if isinstance(node, Function))
        self.classes = [each.name for each in tree.body if isinstance(each, ast.ClassDef) and each.name[0] != "_"]

    @cached_property
    def code(self) -> frozenset[int]:
        """The numbers of its lines of code."""
        lines = enumerate(self.text.splitlines(), start=1)
        prose = {n for node in self.nodes if isinstance(node, ast.stmt) and _is_prose(node) for n in _lines(node)}
        return frozenset(n for n, line in lines if line.strip() and not line.lstrip().startswith("#")) - prose

    @cached_property
    def imports(self) -> frozenset[tuple[str, str]]:
        """What it imports: a module, and a name out of it or nothing."""
        found = {(alias.name, "") for node in self.nodes if isinstance(node, ast.Import) for alias in node.names}
        for node in self.nodes:
            if isinstance(node, ast.ImportFrom):
                found.update((node.module or "", alias.name) for alias in node.names)
        return frozenset(found)


def _is_prose(node: object) -> bool:
    """Return whether a statement is a lone text: a docstring, of a module or of a value."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _lines(node: ast.stmt) -> range:
    """Return the numbers of the lines that a statement takes, its decorators too."""
    heads = [each.lineno for each in getattr(node, "decorator_list", ())]
    return range(min([node.lineno, *heads]), (node.end_lineno or node.lineno) + 1)


def files_now() -> dict[str, str]:
    """Return the text of every file of the package as it stands, by its path within it."""
    top = ROOT / PACKAGE
    return {path.relative_to(top).as_posix(): path.read_text(encoding="utf-8") for path in sorted(top.rglob("*.py"))}


def files_of(ref: str) -> dict[str, str]:
    """Return the text of every file of the package at a commit.

    Raises:
        subprocess.CalledProcessError: git does not know the commit, or the package is not in it.
    """
    packed = subprocess.run(["git", "archive", ref, PACKAGE], cwd=ROOT, check=True, capture_output=True).stdout
    found = {}
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive.getmembers():
            content = archive.extractfile(member) if member.name.endswith(".py") else None
            if content is not None:
                found[member.name.removeprefix(f"{PACKAGE}/")] = content.read().decode()
    return found


class Package:
    """Every file of the package, read."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.files = [File(path, text) for path, text in sorted(texts.items())]
        self.modules = {_module(file.path): file for file in self.files}

    def lines(self) -> int:
        return sum(lines for _, lines in self.rooms().values())

    def rooms(self) -> dict[str, tuple[int, int]]:
        """Return the files and the lines of code of each room; ``__init__`` counts when it holds code."""
        found: dict[str, tuple[int, int]] = {}
        for file in self.files:
            if file.code:
                files, lines = found.get(file.room, (0, 0))
                found[file.room] = files + 1, lines + len(file.code)
        return found

    def longest_room(self) -> tuple[int, str]:
        return max((count, room) for room, (count, _) in self.rooms().items())

    def longest_file(self) -> tuple[int, str]:
        return max((len(file.text.splitlines()), file.path) for file in self.files)

    def wide_functions(self) -> list[str]:
        """Return the functions with too many parameters, as path and name."""
        every = ((file.path, each) for file in self.files for each in file.functions)
        return [f"{path} {each.name}" for path, each in every if _parameters(each) > MOST_PARAMETERS]

    def arrows(self) -> set[tuple[str, str]]:
        """Return the imports from a file to one of another room, as two paths."""
        return {
            (file.path, other.path)
            for file in self.files
            for module, name in file.imports
            if (other := self.modules.get(f"{module}.{name}") or self.modules.get(module)) is not None
            and other.room != file.room
        }

    def shared_names(self) -> set[tuple[str, str]]:
        """Return the classes with a shared name that cross rooms, as path and name."""
        count = Counter(name for file in self.files for name in file.classes)
        return {
            (other.path, name)
            for file in self.files
            for module, name in file.imports
            if (other := self.modules.get(module)) is not None
            and other.slice != file.slice
            and name in other.classes
            and count[name] > 1
        }

    def copies(self) -> dict[str, set[int]]:
        """Return the lines of each file that stand before in another place."""
        met: dict[int, tuple[str, int]] = {}
        found: dict[str, set[int]] = {}
        for file in self.files:
            for start, lines, shape in sorted(_runs(file), key=lambda run: run[:1]):
                path, end = met.setdefault(shape, (file.path, max(lines)))
                # The same run, and one that overlaps it, is not a second one.
                if path != file.path or start > end:
                    found.setdefault(file.path, set()).update(lines)
        return found


def _module(path: str) -> str:
    return f"{PACKAGE}/{path}".removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _parameters(function: Function) -> int:
    given = function.args
    named = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return sum(name not in ("self", "cls") for name in named) + (given.vararg is not None) + (given.kwarg is not None)


def _runs(file: File) -> Iterator[tuple[int, frozenset[int], int]]:
    """Yield every function and every run of statements in one that is long enough: its start, lines and shape."""
    for function in file.functions:
        blocks = [getattr(node, field, ()) for node in ast.walk(function) for field in ("body", "orelse", "finalbody")]
        for block in ([function], *(each for each in blocks if isinstance(each, list))):
            statements = [(_shape(each), _lines(each)) for each in block if not _is_prose(each)]
            for first in range(len(statements)):
                for end in range(first + 1, len(statements) + 1):
                    run = statements[first:end]
                    lines = file.code.intersection(range(run[0][1].start, run[-1][1].stop))
                    if len(lines) >= LEAST_COPY:
                        yield min(lines), lines, hash(tuple(shape for shape, _ in run))


def _shape(node: object) -> int:
    """Return a number for the form of a tree, whatever its names and constants are."""
    if not isinstance(node, ast.AST):
        return hash(node)
    if isinstance(node, ast.Constant | ast.Name | ast.arg):
        return hash(type(node))
    parts: list[object] = [type(node)]
    for field, value in ast.iter_fields(node):
        if isinstance(value, list):
            parts.append(tuple(map(_shape, (each for each in value if not _is_prose(each)))))
        elif not (field == "name" and isinstance(node, Function)):
            parts.append(_shape(value))
    return hash(tuple(parts))


def figures(package: Package) -> dict[str, str]:
    """Return the lines of the table: what is counted, and what it comes to."""
    files, room = package.longest_room()
    lines, path = package.longest_file()
    return {
        "files of code": f"{sum(count for count, _ in package.rooms().values()):,}",
        "lines of code": f"{package.lines():,}",
        "longest folder, files": f"{files} {room}",
        "longest file, lines": f"{lines} {path}",
        f"functions with more than {MOST_PARAMETERS} parameters": f"{len(package.wide_functions()):,}",
        "imports that cross rooms": f"{len(package.arrows()):,}",
        "classes that cross rooms with a shared name": f"{len(package.shared_names()):,}",
        "lines that are copies": f"{sum(map(len, package.copies().values())):,}",
    }


def table(counted: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Yield the lines of a table with a column for each count, under its heading."""
    names = list(dict.fromkeys(name for figures in counted.values() for name in figures))
    width = max(map(len, names))
    rows = [[column, *(figures.get(name, "-") for name in names)] for column, figures in counted.items()]
    widths = [max(map(len, row)) for row in rows]
    for name, *cells in zip(["", *names], *rows, strict=True):
        yield "  ".join([name.ljust(width), *map(str.ljust, cells, widths)]).rstrip()


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Counts the lines of the package, its rooms and what ties them.")
    parser.add_argument("--since", metavar="REF", help="count the files of this commit too")
    parser.add_argument("--rooms", action="store_true", help="add the files and the lines of code of each folder")
    given = parser.parse_args(arguments)
    packages = {given.since: Package(files_of(given.since))} if given.since else {}
    packages["now"] = Package(files_now())
    print("\n".join(table({column: figures(package) for column, package in packages.items()})))
    if given.rooms:
        rooms = {
            column: {room or PACKAGE: f"{lines:,} in {files}" for room, (files, lines) in package.rooms().items()}
            for column, package in packages.items()
        }
        print("", *table(rooms), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
