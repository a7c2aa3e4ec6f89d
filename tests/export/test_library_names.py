"""Names that reportlab keeps to itself, which any version may change, are used nowhere but for a reason."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from reportlab.pdfbase import pdfdoc, pdfmetrics, ttfonts
from reportlab.pdfgen import canvas

import printkit

PACKAGE = Path(printkit.__file__).parent
FROM_LIBRARY = re.compile(r"^\s*(from|import) reportlab", re.MULTILINE)
MODULES = [path for path in sorted(PACKAGE.rglob("*.py")) if FROM_LIBRARY.search(path.read_text(encoding="utf-8"))]

REASONS = {
    "__NoDefault__": "the members of a catalog are listed there, for its heirs to add to; nothing else adds a member"
}
"""What is used all the same, and why."""

PYTHONS = {"__init__", "__version__", "__future__"}


def named(source: str) -> Iterator[str]:
    """Yield every name with an underscore before it, of what is read, written, called or made."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(attr=name) | ast.Name(id=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                if name.startswith("_") and name != "_":
                    yield name


@cache
def kept() -> set[str]:
    """Return the names that the library keeps to itself."""
    return {name for module in (canvas, pdfdoc, pdfmetrics, ttfonts) for name in named(inspect.getsource(module))}


def test_the_library_and_its_names_are_known_and_each_reason_is_still_needed():
    assert len(MODULES) >= 3
    assert kept() >= {"_asciiReadable", "_pdfScale", "_ttf_data", "_doc", "_code", "__NoDefault__"}
    used = {name for path in MODULES for name in named(path.read_text(encoding="utf-8"))}
    assert REASONS.keys() <= used & kept()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_no_name_is_used_that_the_library_keeps_to_itself(path):
    used = set(named(path.read_text(encoding="utf-8")))
    assert (used & kept()) - PYTHONS - REASONS.keys() == set()
