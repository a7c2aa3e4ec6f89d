"""The tool that counts the package: what it takes for a line, an arrow, a shared name and a copy."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

import pytest
from imports import ROOT


def _tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("tools_size", ROOT / "tools" / "size.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


size = _tool()

TOTAL = '''
def {name}({first}, {second}):
    """Return a sum."""
    total = {start}
    for each in {first}:
        # What is small is left out.
        if each.size > {second}:

            total += each.size
    return total
'''
ONE = TOTAL.format(name="one", first="ponds", second="least", start=0)
OTHER = TOTAL.format(name="other", first="woods", second="smallest", start=1.5)


def package(**texts: str) -> object:
    """Return a package of files, ``kit__book`` for kit/book.py."""
    return size.Package({f"{name.replace('__', '/')}.py": text for name, text in texts.items()})


def test_docstrings_comments_and_blank_lines_are_no_code() -> None:
    text = '"""A file.\n\nOf two rules."""\n\nSIZE = 3  # cm\n"""What it is."""\n# so\nTEXT = """\nlong\n"""\n' + ONE
    assert package(kit__book=text).lines() == 1 + 3 + 6


def test_a_package_file_without_code_is_none() -> None:
    counted = package(kit____init__='"""Rules."""', kit__book="SIZE = 1\n", page__sheet="A = 1\nB = 2\n")
    assert counted.rooms() == {"kit": (1, 1), "page": (1, 2)}


def test_an_arrow_goes_from_file_to_file_of_another_room() -> None:
    head = "from printkit.page import sheet\nfrom printkit.kit import check\nimport printkit.page.sheet\n"
    late = "def draw():\n    from printkit.export.pdf import write\n"
    counted = package(kit__book=head + late, kit__check="", page__sheet="", export__pdf="")
    assert counted.arrows() == {("kit/book.py", "page/sheet.py"), ("kit/book.py", "export/pdf.py")}


def test_a_name_is_shared_when_another_room_reads_one_of_two() -> None:
    room = "class Room: ...\nclass _Box: ...\nclass Sheet: ...\n"
    user = "from printkit.page.sheet import Room, _Box, Sheet\n"
    counted = package(page__sheet=room, kit__book="class Room: ...\nclass _Box: ...\n", export__pdf=user)
    assert counted.shared_names() == {("page/sheet.py", "Room")}


@pytest.mark.parametrize("given", ["self, " + ", ".join("abcdefgh"), "a, b, /, c, d, e, f, g, *, h"])
def test_eight_parameters_are_not_too_many(given: str) -> None:
    assert package(kit__book=f"def draw({given}): ...\n").wide_functions() == []
    assert package(kit__book=f"def draw({given}, **rest): ...\n").wide_functions() == ["kit/book.py draw"]


def test_a_copy_has_other_names_and_constants() -> None:
    assert package(kit__book=ONE, page__sheet=OTHER).copies() == {"page/sheet.py": {2, 4, 5, 7, 9, 10}}
    assert package(kit__book=ONE + OTHER).copies() == {"kit/book.py": {12, 14, 15, 17, 19, 20}}


@pytest.mark.parametrize("changed", [("size", "area"), (">", "<"), ("\n    return total", "")])
def test_other_members_and_other_forms_are_no_copy(changed: tuple[str, str]) -> None:
    assert package(kit__book=ONE, page__sheet=OTHER.replace(*changed)).copies() == {}


def test_the_table_sets_a_column_for_each_count() -> None:
    lines = list(size.table({"v1": {"files": "3"}, "now": {"files": "12 kit", "lines": "400"}}))
    assert lines == ["       v1  now", "files  3   12 kit", "lines  -   400"]


def test_the_package_is_read_as_it_stands() -> None:
    found = size.files_now()
    assert found["kit/check.py"] == (ROOT / "printkit" / "kit" / "check.py").read_text(encoding="utf-8")
