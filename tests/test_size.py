"""The tool that counts the package: what it takes for a line, an arrow, a shared name and a copy."""

from __future__ import annotations

import sys

from imports import ROOT

sys.path.insert(0, str(ROOT / "tools"))

import size

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


def test_what_is_no_code_is_told_from_the_package_as_it_stands() -> None:
    text = '"""A file.\n\nOf two rules."""\n\nSIZE = 3  # cm\n"""What it is."""\n# so\nTEXT = """\nlong\n"""\n' + ONE
    assert package(kit__book=text).lines() == 1 + 3 + 6
    counted = package(kit____init__='"""Rules."""', kit__book="SIZE = 1\n", page__sheet="A = 1\nB = 2\n")
    assert counted.rooms() == {"kit": (1, 1), "page": (1, 2)}
    found = size.files_now()
    assert found["kit/check.py"] == (ROOT / "printkit" / "kit" / "check.py").read_text(encoding="utf-8")
    lines = list(size.table({"v1": {"files": "3"}, "now": {"files": "12 kit", "lines": "400"}}))
    assert lines == ["       v1  now", "files  3   12 kit", "lines  -   400"]


def test_arrows_and_shared_names_go_from_room_to_room() -> None:
    head = "from printkit.page import sheet\nfrom printkit.kit import check\nimport printkit.page.sheet\n"
    late = "def draw():\n    from printkit.export.pdf import write\n"
    counted = package(kit__book=head + late, kit__check="", page__sheet="", export__pdf="")
    assert counted.arrows() == {("kit/book.py", "page/sheet.py"), ("kit/book.py", "export/pdf.py")}
    room = "class Room: ...\nclass _Box: ...\nclass Sheet: ...\n"
    user = "from printkit.page.sheet import Room, _Box, Sheet\n"
    counted = package(page__sheet=room, kit__book="class Room: ...\nclass _Box: ...\n", export__pdf=user)
    assert counted.shared_names() == {("page/sheet.py", "Room")}


def test_eight_parameters_are_not_too_many() -> None:
    for given in ("self, " + ", ".join("abcdefgh"), "a, b, /, c, d, e, f, g, *, h"):
        assert package(kit__book=f"def draw({given}): ...\n").wide_functions() == []
        assert package(kit__book=f"def draw({given}, **rest): ...\n").wide_functions() == ["kit/book.py draw"]


def test_a_copy_has_other_names_and_constants_but_no_other_members_or_forms() -> None:
    assert package(kit__book=ONE, page__sheet=OTHER).copies() == {"page/sheet.py": {2, 4, 5, 7, 9, 10}}
    assert package(kit__book=ONE + OTHER).copies() == {"kit/book.py": {12, 14, 15, 17, 19, 20}}
    for changed in (("size", "area"), (">", "<"), ("\n    return total", "")):
        assert package(kit__book=ONE, page__sheet=OTHER.replace(*changed)).copies() == {}
