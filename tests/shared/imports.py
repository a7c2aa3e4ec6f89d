"""What the source files of printkit import and call, read from their text: nothing is run."""

from __future__ import annotations

import ast
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "printkit"


def sources() -> list[Path]:
    """Return every Python file of the package, sorted."""
    return sorted(PACKAGE.rglob("*.py"))


def module_of(path: Path) -> str:
    """Return the dotted name within the package: ``export.pdf``; the package itself is the empty text."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@contextmanager
def no_collector() -> Iterator[None]:
    """Trees are kept to the end; to look through them all for rubbish, now or ever after, is most of the work."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


@cache
def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    with no_collector():
        return ast.parse(path.read_text(encoding="utf-8"))


def walked(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a tree as ``ast.walk`` does, but for lone constants; in another order, and sooner."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for value in node.__dict__.values():
            if isinstance(value, list):
                waiting += [each for each in value if isinstance(each, ast.AST)]
            elif isinstance(value, ast.AST) and not isinstance(value, ast.Constant | ast.expr_context):
                waiting.append(value)


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return the parts of a file that import, call or read a member; no test asks for others."""
    kinds = (ast.Import, ast.ImportFrom, ast.Call, ast.Attribute)
    tree = parsed(path)
    with no_collector():
        return tuple(node for node in walked(tree) if isinstance(node, kinds))


@cache
def imported(path: Path) -> frozenset[str]:
    """Return the dotted names of all modules that a file imports, wherever in it the import stands.

    ``from printkit.page import paper`` yields both ``printkit.page`` and ``printkit.page.paper``.
    """
    found: set[str] = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written out in full"
            found.add(node.module or "")
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return frozenset(found)


def called(path: Path) -> set[str]:
    """Return what a file calls or reads of modules: ``hash``, ``random.random``, ``os.environ``."""
    names = (_dotted(node.func if isinstance(node, ast.Call) else node) for node in nodes(path))
    return {name for name in names if name}


def _dotted(node: ast.AST) -> str:
    """Return a name with its members, empty where it is the member of something worked out."""
    if isinstance(node, ast.Attribute):
        owner = _dotted(node.value)
        return f"{owner}.{node.attr}" if owner else ""
    return node.id if isinstance(node, ast.Name) else ""


def load_script(path: str) -> ModuleType:
    """Return a script of the checkout as a module, by its path from the root: ``tools/soak_maps.py``."""
    spec = spec_from_file_location(Path(path).stem, ROOT / path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
