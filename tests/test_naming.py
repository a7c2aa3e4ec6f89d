"""Names, read from the source: what crosses a room has a name of its own, and each name says what the thing is."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from imports import PACKAGE, module_of, nodes, parsed, sources, walked

ROLES: Final = {"system", "plugin", "judge", "case", "courses", "hills", "ground", "decks", "provenance"}
"""What a file may be called in five rooms or more: parts that every rule system has, each its own."""

TABLES: Final = {
    "rounds of a league": ("recipes.league", "options.commands", "studio.app_club"),
    "options": ("options.table", "cli.completion", "console.help"),
    "dice": (
        "chance.tables",
        "kit.book",
        "kit.book_file",
        "kit.registry",
        "recipes.game.book_lines",
        "systems.acw.dicing",
        "systems.acw.judge.case",
        "systems.acw.sheets.form",
        "systems.acw.system",
        "systems.acw.terms",
        "systems.brantley.dealing",
        "systems.brantley.judge.case",
        "systems.brantley.system",
        "systems.portable.grid",
        "systems.portable.decks",
        "systems.portable.version1",
        "systems.portable.version2",
        "systems.solo.armies",
        "studio.views",
        "systems.brantley.sheets.boards",
        "systems.solo.battle.sheets",
        "systems.solo.cards",
        "systems.solo.sheets.table_aid",
        "systems.solo.tactics.aid_log",
        "systems.solo.tactics.bounds",
        "systems.solo.tactics.tactics_tables",
        "systems.solo.terrain",
    ),
    "prose": (
        "content.prose",
        "drawing.text.form_parts",
        "drawing.text.set_tables",
        "recipes.evening",
        "systems.brantley.sheets.secret",
        "systems.collision.sheets.pages",
        "hexon.assembly",
        "recipes.prints.decks",
        "systems.acw.sheets.network_pages",
    ),
    "TOML, and tables of files": (
        "core.words",
        "drawing.cards",
        "drawing.lettering.typefaces",
        "export.pdf_content",
        "hexon.layout.stock",
        "recipes.game.request",
        "systems.collision.march",
        "systems.dba3.placing.profile",
    ),
}
"""Modules in which a table is one of dice, one on a page, or one of a file; in no other is anything called a table."""

OTHERWISE: Final = {
    "printkit.cli.app": {"cli"},
    "printkit.console.help": {"help_text"},
    "printkit.core.words": {"languages"},
    "printkit.drawing.canvas.style": {"styles"},
    "printkit.hexon.job": {"tiles"},
    "printkit.page.sheet": {"sheets", "page_sheets"},
    "printkit.systems.acw.sheets.form": {"zone_form"},
    "printkit.systems.brantley.judge.roads": {"road_checks"},
    "printkit.systems.portable.version1.steps": {"version1"},
    "printkit.systems.portable.version2.steps": {"version2"},
}
"""Modules that go by another name where their own is that of a value beside them, or where two are called alike."""


class Use(NamedTuple):
    """A name that a module takes from another one."""

    by: str
    module: str
    name: str


def room(module: str) -> str:
    """Return the folder of a module; the whole folder of a rule system is one room."""
    parts = module.split(".")
    return "/".join(parts[:2] if parts[0] == "systems" else parts[:-1])


def camel(name: str) -> list[str]:
    """Return the words of a name: ``TroopTable`` and ``troop_table`` have two."""
    return re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)


def kinds(tree: ast.Module) -> Iterator[str]:
    """Yield the classes and types that stand at the top of a module, but for options of commands."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            if ast.unparse(node.annotation) == "TypeAlias":
                yield node.target.id
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name, value = node.targets[0].id, node.value
            made = isinstance(value, ast.Call) and ast.unparse(value.func) in ("TypeVar", "NewType", "ParamSpec")
            written = isinstance(value, ast.Subscript | ast.BinOp) and not ast.unparse(value).startswith("Annotated[")
            if re.fullmatch(r"_?[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*", name) and (made or written):
                yield name


@cache
def classes() -> dict[str, tuple[str, ...]]:
    """Return every public class and type of the package, with the modules that define one of that name."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sources():
        for name in kinds(parsed(path)):
            if not name.startswith("_"):
                found[name].append(module_of(path))
    return {name: tuple(modules) for name, modules in found.items()}


@cache
def uses() -> frozenset[Use]:
    """Return what modules take from others, by its own import or as a member of a module that they import."""
    modules = {module_of(path) for path in sources()}
    found = set()
    for path in sources():
        here, members = module_of(path), dict[str, str]()
        imports = [node for node in nodes(path) if isinstance(node, ast.ImportFrom)]
        for node in imports:
            source = (node.module or "").removeprefix("printkit").removeprefix(".")
            for alias in node.names:
                whole = f"{source}.{alias.name}".removeprefix(".")
                if whole in modules:
                    members[alias.asname or alias.name] = whole
                elif source in modules:
                    found.add(Use(here, source, alias.name))
        for node in nodes(path):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in members:
                found.add(Use(here, members[node.value.id], node.attr))
    return frozenset(found)


@cache
def named(path: Path) -> frozenset[str]:
    """Return every name that a module gives: to classes, functions, parameters, variables and fields."""
    return frozenset(_named(parsed(path)))


def _named(tree: ast.Module) -> Iterator[str]:
    for node in walked(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.alias) and node.asname:
            yield node.asname


def test_a_class_that_crosses_rooms_has_a_name_of_its_own() -> None:
    crossing = {
        use.name for use in uses() if use.module in classes().get(use.name, ()) and room(use.by) != room(use.module)
    }
    assert {name: classes()[name] for name in sorted(crossing) if len(classes()[name]) > 1} == {}


def test_only_rule_systems_share_names_of_classes_each_its_own() -> None:
    shared = {name: modules for name, modules in classes().items() if len(modules) > 1}
    rooms = {name: [room(module) for module in modules] for name, modules in shared.items()}
    assert {
        name: shared[name]
        for name, places in rooms.items()
        if len(set(places)) < len(places) or not all(place.startswith("systems/") for place in places)
    } == {}


def test_a_name_of_many_files_is_that_of_a_part_which_every_rule_system_has() -> None:
    stems = Counter(path.stem for path in sources() if path.stem != "__init__")
    assert {stem for stem, count in stems.items() if count >= 5} <= ROLES


def test_the_board_is_no_table() -> None:
    may = tuple(module for modules in TABLES.values() for module in modules)
    wrong = []
    for path in sources():
        module = module_of(path)
        if not any(module == one or module.startswith(f"{one}.") for one in may):
            tabled = {name for name in named(path) if {"table", "tables"} & {w.lower() for w in camel(name)}}
            wrong += [f"{module}: {name}" for name in sorted(tabled)]
    assert wrong == []


def test_every_module_that_may_have_tables_has_some() -> None:
    having = {module_of(path) for path in sources() if any("table" in name.lower() for name in named(path))}
    listed = [module for modules in TABLES.values() for module in modules]
    assert [one for one in listed if not any(m == one or m.startswith(f"{one}.") for m in having)] == []


@pytest.mark.parametrize("top", [PACKAGE.name, "tests", "tools", "benchmarks"])
def test_modules_go_by_their_own_names(top: str) -> None:
    modules = {f"printkit.{module_of(path)}" for path in sources()}
    wrong = []
    for path in sorted((PACKAGE.parent / top).rglob("*.py")):
        for node in nodes(path):
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    whole = f"{node.module}.{alias.name}"
                    if alias.asname and whole in modules and alias.asname not in OTHERWISE.get(whole, ()):
                        wrong.append(f"{path.relative_to(PACKAGE.parent)}: {whole} as {alias.asname}")
    assert wrong == []
