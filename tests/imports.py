"""What the source files of printkit import and call, read from their text: nothing is run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "printkit"


def sources() -> list[Path]:
    """Return every Python file of the package, sorted."""
    return sorted(PACKAGE.rglob("*.py"))


def module_of(path: Path) -> str:
    """Return the dotted name within the package: ``export.pdf``; the package itself is the empty text."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path: Path) -> set[str]:
    """Return the dotted names of all modules that a file imports, wherever in it the import stands.

    ``from printkit.page import paper`` yields both ``printkit.page`` and ``printkit.page.paper``.
    """
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written out in full"
            found.add(node.module or "")
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def called(path: Path) -> Iterator[str]:
    """Yield what a file calls or reads of modules: ``hash``, ``random.random``, ``os.environ``."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id
        elif isinstance(node, ast.Attribute):
            yield ast.unparse(node)
