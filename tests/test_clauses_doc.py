"""The page of clauses is what the tests and the rule books say, and no test names a clause that no book lists."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from imports import ROOT, no_collector

sys.path.insert(0, str(ROOT / "tools"))

import clauses_doc as doc

ORDER = ("BR-401", "BR-402", "BR-403", "BR-T01")


@cache
def marks() -> Any:
    """Return the marks of all tests, read once."""
    with no_collector():
        return doc.marks()


@pytest.fixture(scope="module")
def books() -> list[Any]:
    found: list[Any] = doc.books()
    return found


def test_every_clause_that_a_test_names_is_in_a_book_and_once_on_the_page(books: list[Any]) -> None:
    assert marks()
    doc.proofs(marks(), [clause for book in books for clause in book.clauses])
    rows = [line.split(" | ")[0][2:] for line in doc.page(books, marks()).splitlines() if line.startswith("| ")]
    assert [row for row in rows if row not in ("Clause", "---")] == [
        clause for book in books for clause in book.clauses
    ]


def test_a_range_runs_in_the_order_of_the_book_and_what_no_book_lists_is_refused() -> None:
    assert doc.meant("BR-401..BR-403", ORDER) == ("BR-401", "BR-402", "BR-403")
    assert doc.meant("BR-T01", ORDER) == ("BR-T01",)
    wrong = [doc.Mark("tests/test_it.py::test_a", "BR-999"), doc.Mark("tests/test_it.py::test_b", "BR-998")]
    with pytest.raises(ValueError, match=r"test_a: BR-999[^\n]*\n.*test_b: BR-998"):
        doc.proofs(wrong, ORDER)
    for written in ("BR-404", "BR-403..BR-401", "BR-401..BR-999", ""):
        with pytest.raises(ValueError, match="no rule book lists it"):
            doc.meant(written, ORDER)


def test_marks_are_found_wherever_they_stand(tmp_path: Path) -> None:
    folder = tmp_path / "tests"
    folder.mkdir()
    (folder / "test_it.py").write_text(
        "pytestmark = pytest.mark.clause('BR-401')\n"
        "CASES = [pytest.param(1, marks=pytest.mark.clause('BR-402'))]\n"
        "@pytest.mark.parametrize('x', [pytest.param(1, marks=pytest.mark.clause('BR-403'))])\n"
        "def test_a(x): ...\n"
        "@pytest.mark.clause('BR-404', 'BR-405..BR-407')\n"
        "class TestB:\n"
        "    @pytest.mark."
        "clause('BR-408')\n"
        "    def test_c(self): ...\n",
        encoding="utf-8",
    )
    here = "tests/test_it.py"
    assert [(mark.test, mark.written) for mark in doc.marks(folder)] == [
        (here, "BR-401"),
        (here, "BR-402"),
        (f"{here}::test_a", "BR-403"),
        (f"{here}::TestB", "BR-404"),
        (f"{here}::TestB", "BR-405..BR-407"),
        (f"{here}::TestB::test_c", "BR-408"),
    ]
