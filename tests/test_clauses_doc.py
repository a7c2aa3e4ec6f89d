"""docs/clauses.md says which test proves which clause, and says it of the tests as they are."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

from printkit.recipes import systems

ROOT = Path(__file__).parents[1]


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "tools")
    return importlib.import_module("clauses_doc")


def test_the_page_is_up_to_date(tool: ModuleType) -> None:
    text = tool.page(tool.books(ROOT / "templates" / "rules"), list(tool.marks(ROOT / "tests")))
    assert (ROOT / "docs" / "clauses.md").read_text(encoding="utf-8") == text, "make clauses writes it anew"


def test_the_page_lists_the_clauses_that_the_systems_know(tool: ModuleType) -> None:
    known = {name: dict(system.book.clauses) for name, system in systems.every().items()}
    assert {name: clauses for name, (_, clauses) in tool.books(ROOT / "templates" / "rules").items()} == known


def test_marks_are_found_wherever_they_stand(tool: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "test_one.py").write_text(
        "import pytest\n"
        "@pytest.mark.clause('X-1', 'X-3..X-5')\n"
        "def test_function(): ...\n"
        "@pytest.mark.clause('X-6')\n"
        "class TestThings:\n"
        "    @pytest.mark.parametrize('n', [pytest.param(1, marks=pytest.mark.clause('X-2'))])\n"
        "    def test_method(self, n): ...\n",
        encoding="utf-8",
    )
    (tmp_path / "test_two.py").write_text(
        "import pytest\npytestmark = pytest.mark.clause('X-1')\ndef test_it(): ...\n", encoding="utf-8"
    )
    found = [(mark.test, mark.clauses) for mark in tool.marks(tmp_path)]
    assert found == [
        ("test_one.py: test_function", ("X-1", "X-3..X-5")),
        ("test_one.py: TestThings", ("X-6",)),
        ("test_one.py: TestThings.test_method", ("X-2",)),
        ("test_two.py", ("X-1",)),
    ]
    clauses = {f"X-{number}": f"clause {number}" for number in range(1, 8)}
    page = tool.page({"x": ("A book", clauses)}, list(tool.marks(tmp_path)))
    assert "6 of 7 clauses are named by a test." in page
    assert "| X-1 | clause 1 | `test_one.py: test_function`<br>`test_two.py` |" in page
    assert "| X-4 | clause 4 | `test_one.py: test_function` |" in page
    assert "| X-7 | clause 7 | none |" in page


def test_a_clause_of_no_book_is_refused(tool: ModuleType) -> None:
    with pytest.raises(SystemExit, match=r"test_one names X-9, which no rule book lists"):
        tool.page({"x": ("A book", {"X-1": "first"})}, [tool.Mark("test_one", ("X-9",))])
