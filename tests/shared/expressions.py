"""Every regular expression in ``printkit/``, and how the code calls it: read from the source by ``ast``."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from re import _constants as constants
from re import _parser as parser
from types import ModuleType
from typing import Any, Final, NamedTuple

from imports import ROOT

METHODS: Final = ("match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer")

_REPEATED: Final = (constants.MAX_REPEAT, constants.MIN_REPEAT, constants.POSSESSIVE_REPEAT)

_CATEGORIES: Final = {
    constants.CATEGORY_DIGIT: "1",
    constants.CATEGORY_NOT_DIGIT: "a",
    constants.CATEGORY_SPACE: " ",
    constants.CATEGORY_NOT_SPACE: "a",
    constants.CATEGORY_WORD: "a",
    constants.CATEGORY_NOT_WORD: " ",
}

# Text that most patterns do not name, fed to all of them.
_ALWAYS: Final = "a1 -"


class Expression(NamedTuple):
    """A regular expression with the methods by which the code calls it.

    ``place`` is the module with the name of the constant, or of the function around it.
    """

    place: str
    pattern: re.Pattern[Any]
    methods: tuple[str, ...]

    @property
    def characters(self) -> str:
        """Return each character that the pattern names, and one of each class and range."""
        source, flags = self.pattern.pattern, self.pattern.flags
        if isinstance(source, bytes):
            source = source.decode("latin-1")
        return "".join(dict.fromkeys([*_named(parser.parse(source, flags)), *_ALWAYS]))

    def calls(self, text: str) -> Iterator[Any]:
        """Yield what to call to apply the pattern to a text by each of its methods."""
        given: Any = text.encode("utf-8") if isinstance(self.pattern.pattern, bytes) else text
        empty = given[:0]
        for method in self.methods:
            arguments = (empty, given) if method in ("sub", "subn") else (given,)
            yield lambda method=method, arguments=arguments: _exhaust(getattr(self.pattern, method)(*arguments))


def _exhaust(found: Any) -> None:
    if isinstance(found, Iterator):
        for _ in found:
            pass


def _named(tree: Any) -> Iterator[str]:
    """Yield the characters of a parsed pattern."""
    for operation, value in tree:
        if operation in (constants.LITERAL, constants.NOT_LITERAL):
            yield chr(value)
        elif operation is constants.RANGE:
            yield from map(chr, value)
        elif operation is constants.CATEGORY:
            yield _CATEGORIES[value]
        elif operation is constants.ANY:
            yield "."
        elif operation in (constants.IN, constants.ATOMIC_GROUP):
            yield from _named(value)
        elif operation is constants.BRANCH:
            for each in value[1]:
                yield from _named(each)
        elif operation is constants.SUBPATTERN:
            yield from _named(value[-1])
        elif operation in _REPEATED:
            yield from _named(value[2])
        elif operation in (constants.ASSERT, constants.ASSERT_NOT):
            yield from _named(value[1])
        elif operation not in (constants.AT, constants.NEGATE):
            raise AssertionError(f"no characters known for {operation}")


class Source(NamedTuple):
    """A module of the package with its syntax tree and the parent of each node."""

    name: str
    tree: ast.Module
    parents: Mapping[ast.AST, ast.AST]

    @property
    def module(self) -> ModuleType:
        """Return the module itself."""
        return import_module(self.name)


@cache
def sources() -> tuple[Source, ...]:
    """Return every module of the package."""
    return tuple(map(_source, sorted((ROOT / "printkit").rglob("*.py"))))


def _source(path: Path) -> Source:
    parts = path.relative_to(ROOT).with_suffix("").parts
    tree = ast.parse(path.read_text(encoding="utf-8"))
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    return Source(".".join(parts).removesuffix(".__init__"), tree, parents)


def expressions(locals_of: Mapping[str, Mapping[str, Any]], methods_of: Mapping[str, str]) -> list[Expression]:
    """Return every regular expression of the package.

    Args:
        locals_of: for the place of a pattern that is built of local variables, samples of these.
        methods_of: for the place of a pattern that is handed on, the method by which it is called at last.

    Raises:
        AssertionError: a pattern that cannot be evaluated, or nothing calls it.
    """
    found = []
    for source in sources():
        for node in ast.walk(source.tree):
            if not _is_of_re(node):
                continue
            assert isinstance(node, ast.Call)
            assert isinstance(node.func, ast.Attribute)
            place, name = _place(source, node)
            pattern = _evaluated(source, node, place, locals_of)
            methods: tuple[str, ...] = (node.func.attr,)
            if node.func.attr == "compile":
                methods = (methods_of[place],) if place in methods_of else _uses(name, source)
            assert methods, f"{place}: say in METHODS_OF by which method this pattern is called"
            found += [Expression(place, each, methods) for each in pattern]
    return found


def _is_of_re(node: ast.AST) -> bool:
    """Return whether a node is a call such as ``re.compile(...)``."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and node.func.attr in (*METHODS, "compile")
    )


def _place(source: Source, node: ast.AST) -> tuple[str, str]:
    """Return where a pattern stands, and the constant that holds it, or an empty text."""
    name, above = "", source.parents.get(node)
    while above is not None:
        if isinstance(above, ast.FunctionDef):
            return f"{source.name}:{above.name}", ""
        target = above.targets[0] if isinstance(above, ast.Assign) else getattr(above, "target", None)
        if isinstance(above, ast.Assign | ast.AnnAssign) and isinstance(target, ast.Name):
            name = target.id
        above = source.parents.get(above)
    return f"{source.name}:{name}", name


def _evaluated(
    source: Source, node: ast.Call, place: str, locals_of: Mapping[str, Mapping[str, Any]]
) -> list[re.Pattern[Any]]:
    """Return the pattern of a call; several where its samples are lists of patterns."""
    pattern, rest = node.args[0], node.args[1:]
    compiled = isinstance(node.func, ast.Attribute) and node.func.attr == "compile"
    flags = [each.value for each in node.keywords if each.arg == "flags"] or (rest if compiled else [])
    known = {**vars(source.module), **locals_of.get(place, {})}
    try:
        text = eval(compile(ast.Expression(pattern), place, "eval"), known)
        flag = eval(compile(ast.Expression(flags[0]), place, "eval"), known) if flags else 0
    except NameError as error:
        raise AssertionError(f"{place}: give a sample of the variable in LOCALS_OF ({error})") from None
    texts = text if isinstance(text, list) else [text]
    return [each if isinstance(each, re.Pattern) else re.compile(each, flag) for each in texts]


def _uses(name: str, source: Source) -> tuple[str, ...]:
    """Return the methods of a constant that anything in its module, or in one that imports it, uses."""
    users = [source.name, *(other for other, imported in _imports().items() if (source.name, name) in imported)]
    return tuple(dict.fromkeys(method for user in users for method in _calls().get((user, name), ())))


@cache
def _calls() -> Mapping[tuple[str, str], list[str]]:
    """Return the methods that each module calls of each name."""
    found: dict[tuple[str, str], list[str]] = {}
    for source in sources():
        for node in ast.walk(source.tree):
            if isinstance(node, ast.Attribute) and node.attr in METHODS and (name := _base(node.value)):
                found.setdefault((source.name, name), []).append(node.attr)
    return found


def _base(node: ast.AST) -> str:
    """Return the name of a constant, or of the table that it is an entry of."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


@cache
def _imports() -> Mapping[str, set[tuple[str, str]]]:
    """Return the modules and names that each module imports."""
    return {
        source.name: {
            (node.module, each.name)
            for node in ast.walk(source.tree)
            if isinstance(node, ast.ImportFrom) and node.module
            for each in node.names
        }
        for source in sources()
    }


def book_patterns() -> list[str]:
    """Return the patterns of settings in all rule books."""
    found = []
    for path in sorted((ROOT / "templates" / "rules").glob("*.toml")):
        with path.open("rb") as file:
            found += [each["pattern"] for each in tomllib.load(file).get("settings", []) if "pattern" in each]
    return list(dict.fromkeys(found))
