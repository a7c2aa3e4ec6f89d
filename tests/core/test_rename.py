"""Renaming by a list: where a name is defined, names that would become one, and docstrings that follow."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from imports import ROOT

sys.path.insert(0, str(ROOT / "tools"))

import rename

MODULE = '''\
"""Boards."""


class Board:
    """A board; ``wide`` is in mm."""

    wide: float

    def area(self, by: float) -> float:
        """Return the area, ``by`` times.

        Args:
            by: the factor.
        """
        found = [by * each for each in (self.wide, 1.0)]
        return sum(found)


def measure(board: Board, *, by: float) -> float:
    """Return what ``by`` gives."""
    try:
        total = board.area(by=by)
    except ValueError as fault:
        raise KeyError from fault
    return total
'''


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a checkout that has one module, to which the tool is pointed."""
    (tmp_path / "printkit").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "tools").mkdir()
    (tmp_path / "printkit" / "board.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\n", encoding="utf-8")
    (tmp_path / "tests" / "mutants.txt").write_text(
        "killed\tprintkit/board.py\tBoard.area\treturn sum(found)\treturn -sum(found)\n", encoding="utf-8"
    )
    for name, path in (("ROOT", ""), ("RENAMES", "tools/renames.tsv"), ("MUTANTS", "tests/mutants.txt")):
        monkeypatch.setattr(rename, name, tmp_path / path)
    for read in (rename._text, rename._tree, rename._sources, rename._other_uses):
        read.cache_clear()
    monkeypatch.setattr(rename, "_sources", lambda: (Path("printkit/board.py"),))
    return tmp_path


def row(scope: str, old: str) -> rename.Row:
    return rename.Row(Path("printkit/board.py"), scope, old, "new")


@pytest.mark.usefixtures("checkout")
@pytest.mark.parametrize(
    ("scope", "old", "places"),
    [
        ("-", "Board", [(3, 6)]),
        ("-", "measure", [(18, 4)]),
        ("Board", "wide", [(6, 4)]),
        ("Board", "area", [(8, 8)]),
        ("Board.area", "by", [(8, 19)]),
        ("Board.area", "found", [(14, 8)]),
        ("Board.area", "each", [(14, 31)]),
        ("measure", "fault", [(22, 25)]),
    ],
)
def test_a_definition_is_found_in_its_scope(scope: str, old: str, places: list[tuple[int, int]]) -> None:
    assert rename.find_definitions(row(scope, old)) == places


@pytest.mark.usefixtures("checkout")
@pytest.mark.parametrize(("scope", "old"), [("Board.gone", "by"), ("measure", "found"), ("-", "wide")])
def test_a_name_that_the_scope_does_not_define_is_refused(scope: str, old: str) -> None:
    with pytest.raises(rename.RefusedError, match=r"scope|does not define"):
        rename.find_definitions(row(scope, old))


def test_names_that_would_become_one_are_found() -> None:
    renamed = MODULE.replace("total", "value")
    assert rename.find_clashes(MODULE, renamed) == []
    assert rename.find_clashes(MODULE, MODULE.replace("total", "by")) == ["measure, line 19: by"]
    assert rename.find_clashes(MODULE, renamed.replace("def measure", "def Board")) == ["Board: Board, measure"]


def test_a_mutant_follows_names_that_change_places() -> None:
    old, renamed = "return at(by) + by * each", "return by(at) + at * each"
    assert rename._rename_mutant(old, renamed, "return at(by) - by * each") == "return by(at) - at * each"


def test_a_docstring_with_too_long_a_line_is_filled_again() -> None:
    text = f'def area():\n    """Return it.\n\n    {"word " * 25}end,\n    and more.\n    """\n'
    wrapped = rename.wrap_prose(text)
    assert wrapped.split() == text.split()
    assert max(map(len, wrapped.splitlines())) <= 120
    assert rename.wrap_prose(wrapped) == wrapped


def test_a_list_with_a_column_too_few_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "list.tsv"
    path.write_text("printkit/board.py\t-\tBoard\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"list\.tsv:1: expected file, scope, old name and new name"):
        rename.read_rows(path)


needs_pyright = pytest.mark.skipif(not shutil.which("pyright-langserver"), reason="pyright is not installed")


@needs_pyright
def test_a_list_is_carried_out_with_every_use(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = ["-\tBoard\tTable", "Board\twide\twidth_mm", "Board.area\tby\tfactor", "Board.area\tfound\tsides"]
    listed = "".join(f"printkit/board.py\t{row}\n" for row in rows)
    (checkout / "list.tsv").write_text(listed, encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["rename.py", str(checkout / "list.tsv")])
    assert rename.main() == 0
    text = (checkout / "printkit" / "board.py").read_text(encoding="utf-8")
    assert "A board; ``width_mm`` is in mm." in text
    assert "sides = [factor * each for each in (self.width_mm, 1.0)]" in text
    assert "def measure(board: Table, *, by: float)" in text
    assert "total = board.area(factor=by)" in text
    assert "``factor`` times." in text
    assert "            factor: the factor." in text
    assert (
        (checkout / "tests" / "mutants.txt")
        .read_text(encoding="utf-8")
        .endswith("return sum(sides)\treturn -sum(sides)\n")
    )
    assert (checkout / "tools" / "renames.tsv").read_text(encoding="utf-8") == "".join(
        f"printkit/board.py\t{row}\n" for row in rows[:2]
    )


@needs_pyright
def test_a_name_in_a_string_is_refused(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with (checkout / "printkit" / "board.py").open("a", encoding="utf-8") as file:
        file.write('\n\nWIDE = getattr(Board, "wide")\n')
    (checkout / "list.tsv").write_text("printkit/board.py\tBoard\twide\twidth_mm\n", encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["rename.py", str(checkout / "list.tsv")])
    assert rename.main() == 1
    assert "wide: it is also in strings: printkit/board.py:28" in capsys.readouterr().out
    assert "wide: float" in (checkout / "printkit" / "board.py").read_text(encoding="utf-8")
