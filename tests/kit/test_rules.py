"""The rules of a game: numbers after settings, lengths by their unit, and the settings of a record."""

from __future__ import annotations

from pathlib import Path

import pytest

from printkit.core.errors import BookError, RecordError, ScenarioError
from printkit.kit.book import RuleBook, read_book
from printkit.kit.rules import Rules
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.record import Record

BOOK = """
name = "mine"
title = "Mine"
source = "A work"
[going]
good = 0
[clauses]
X-1 = "one"
[numbers]
zone = { value = 600, unit = "p", slack = 5, clause = "X-1", setting = "zone" }
gap = { min = 2, unit = "bw", clause = "X-1" }
side = { value = 3, unit = "cell", clause = "X-1" }
most = { value = 7, slack = 0.1, clause = "X-1" }
[[settings]]
key = "zone"
alias = "deployment"
values = ["book"]
open = true
least = 100
most = 900
clause = "X-1"
title = "how far"
"""
BOARD = Board(600.0, 600.0, GroundScale(pace=0.25, base_width=40.0))


@pytest.fixture
def book(tmp_path: Path) -> RuleBook:
    """Return a book whose first number hangs on a setting."""
    (tmp_path / "mine.toml").write_text(BOOK, encoding="utf-8")
    return read_book(str(tmp_path / "mine.toml"))


def _record(**settings: str) -> Record:
    return Record(rules="mine", battlefield=Battlefield(board=BOARD, features=(), title=""), settings=settings)


@pytest.mark.parametrize(("given", "paces"), [("book", 600.0), ("450", 450.0)])
def test_a_setting_gives_a_number_its_value(book: RuleBook, given: str, paces: float) -> None:
    rules = Rules.of(book, {"zone": given}, board=BOARD)
    assert rules.number("zone") == paces
    assert rules.length("zone") == rules.limit("zone") == paces * 0.25
    assert rules.slack("zone") == 1.25


def test_a_length_is_read_by_its_unit_and_what_is_none_is_told(book: RuleBook) -> None:
    rules = Rules.of(book, board=BOARD, units={"cell": 70.0})
    assert (rules.length("gap_min"), rules.length("side")) == (80.0, 210.0)
    assert rules.limit("most") == rules.whole("most") == 7
    assert rules.slack("most") == 0.1
    with pytest.raises(BookError, match=r"\[numbers\] most is no length"):
        Rules.of(book, board=BOARD).length("most")
    with pytest.raises(BookError, match=r"\[numbers\] side is no length"):
        Rules.of(book, board=BOARD).length("side")
    with pytest.raises(BookError, match=r"no number \[numbers\] least"):
        Rules.of(book).number("least")


def test_a_number_with_a_title_is_a_setting_and_no_number_hangs_on_none(tmp_path: Path) -> None:
    row = 'wide = { value = 1.5, min = 0.5, max = 2, clause = "X-1", setting = "width", title = "how wide" }\n'
    (tmp_path / "mine.toml").write_text(BOOK.replace("[[settings]]", f"{row}[[settings]]"), encoding="utf-8")
    book = read_book(str(tmp_path / "mine.toml"))
    assert (Rules.of(book).choice("width"), Rules.of(book, {"width": "0.5"}).number("wide")) == ("1.5", 0.5)
    assert [(each.key, each.title, each.number) for each in book.settings][1] == ("width", "how wide", "wide")
    with pytest.raises(ScenarioError, match=r"it is 1.5 or a number from 0.5 to 2"):
        Rules.of(book, {"width": "2.1"})
    (tmp_path / "mine.toml").write_text(BOOK.replace('setting = "zone"', 'setting = "zoned"'), encoding="utf-8")
    with pytest.raises(BookError, match=r"\[numbers\] zone is set by 'zoned'; \[settings\] does not list it"):
        read_book(str(tmp_path / "mine.toml"))


def test_a_record_is_judged_by_its_own_settings(book: RuleBook) -> None:
    assert Rules.of_record(book, _record(deployment="300", names="none")).number("zone") == 300
    with pytest.raises(RecordError, match=r"settings.zoned is no setting of mine; there are zone"):
        Rules.of_record(book, _record(zoned="300"))
    with pytest.raises(RecordError, match="zone cannot be '50'"):
        Rules.of_record(book, _record(zone="50"))
