"""Rule books: typed tables, settings, numbers and lengths, and errors that name file, table and row."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from printkit.core.errors import BookError, FileError, RecordError, ResourceError, ScenarioError
from printkit.core.resources import names
from printkit.kit.book import RuleBook, read_book
from printkit.kit.rules import Rules
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.record import Record

HEAD = """
name = "mine"
title = "Mine"
source = "A work"
[going]
good = 0
[clauses]
X-1 = "one"
[numbers]
"""
GOOD = (
    HEAD
    + """wood = { value = 4, min = 3.5, clause = "X-1" }
[tables.weather]
sides = 6
section = "1"
rows = [{ score = "1-3", outcome = "rain", clause = "X-1" }, { score = "4-6", outcome = "sun", clause = "X-1" }]
[[settings]]
key = "x-1"
alias = "first"
values = ["A", "b"]
clause = "X-1"
title = "who"
[[settings]]
key = "width"
values = ["1.0"]
open = true
least = 0.5
most = 1.5
clause = "X-1"
title = "how wide"
[rows]
fancy = [{ size = 3, clause = "X-1" }]
"""
)


def book_of(tmp_path: Path, text: str) -> RuleBook:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return read_book(str(path))


def test_a_book_of_ours_is_read_once_and_all_into_typed_tables(tmp_path):
    assert read_book("brantley") is read_book("brantley")
    assert book_of(tmp_path, GOOD).title == "Mine"
    assert book_of(tmp_path, GOOD.replace('"Mine"', '"Yours"')).title == "Yours"
    book = book_of(tmp_path, GOOD)
    assert (book.name, book.title, book.source) == ("mine", "Mine", "A work")
    assert book.clauses == {"X-1": "one"}
    assert book.going["good"].rank == 0
    assert book.numbers == {"wood": 4.0, "wood_min": 3.5}
    assert book.cited == {"wood": "X-1", "wood_min": "X-1"}
    assert book.tables["weather"].look_up(3) == "rain"
    assert book.tables["weather"].source.work == "A work"
    assert [row.need("size", int) for row in book.own("fancy")] == [3]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('title = "Mine"', "", "line 1: title is missing. Write text in quotes."),
        ("good = 0", 'good = "x"', 'line 6: going.good = "x" is not valid. Write a whole number.'),
        ("good = 0", "good = true", "line 6: going.good = true is not valid. Write a whole number."),
        (
            'score = "4-6"',
            'score = "5-6"',
            "line 11: tables.weather: table 'weather' has 0 rows for a score of 4; it needs exactly one",
        ),
        ('score = "4-6"', 'score = "x"', "line 14: tables.weather.rows 2: 'x' is not a range of scores; write for "),
        ('outcome = "sun"', "outcome = 3", "line 14: tables.weather.rows 2: outcome = 3 is not valid."),
        ('outcome = "sun"', 'otcome = "sun"', 'line 14: tables.weather.rows 2: unknown key "otcome". Did you mean'),
        ("sides = 6", 'sides = "6"', 'line 12: tables.weather.sides = "6" is not valid. Write a whole number from 1'),
        (
            'clause = "X-1"\ntitle = "who"',
            'clause = "X-9"\ntitle = "who"',
            "line 19: settings 1: 'X-9' is not in [clauses]; add it there, or correct it here",
        ),
        ('min = 3.5, clause = "X-1"', 'min = 3.5, clause = "X-2"', "line 10: numbers.wood: 'X-2' is not in [clauses];"),
        ("min = 3.5", 'low = "3.5"', 'line 10: numbers.wood: low = "3.5" is not valid. Write a number.'),
        (
            "[tables.weather]",
            'wood_min = { value = 1, clause = "X-1" }\n[tables.weather]',
            "line 11: numbers.wood_min: the number wood_min is listed twice",
        ),
        ('size = 3, clause = "X-1"', 'size = 3, clause = "X-2"', "line 30: rows.fancy 1: 'X-2' is not in [clauses];"),
        ("size = 3, clause", "size = 3, caluse", "line 30: rows.fancy 1: clause is missing. Write text in quotes."),
        ('values = ["A", "b"]', "values = []", "line 18: settings 1: values = [] is not valid. Write a list of texts,"),
        ('key = "width"', 'key = "x-1"', "line 21: settings 2: another setting has the key 'x-1' too; rename one"),
        ("least = 0.5", 'least = "0.5"', 'line 25: settings 2: least = "0.5" is not valid. Write a number.'),
        ("least = 0.5", 'pattern = "["', "line 25: settings 2: pattern is not a regular expression: "),
        ("[going]", "[goings]\nx = 1\n[going]", 'line 5: unknown key "goings". Did you mean going?'),
        (
            "[rows]\n",
            '[rows]\nsigns = [{ sign = "hill", going = "god", clause = "X-1" }]\n',
            'line 30: rows.signs 1: going = "god" is not valid. Write one of "good".',
        ),
        (
            "[rows]\n",
            '[[merged]]\ninto = "y"\nkeys = []\nmissing = []\nvalues = {}\n[rows]\n',
            "line 30: merged 1: 'y' is not in [[settings]];",
        ),
        (
            "[rows]\n",
            '[[merged]]\ninto = "y"\nkeys = []\nmissing = ["y"]\nvalues = {}\n[rows]\n',
            "line 32: merged 1: missing needs one value",
        ),
        (
            "[rows]\n",
            '[retired]\ny = { reading = "no", clauses = [] }\n[rows]\n',
            "line 30: retired.y.clauses = [] is not valid.",
        ),
    ],
)
def test_what_is_wrong_in_a_book_is_named_with_file_line_and_row(tmp_path, old, new, message):
    assert old in GOOD
    with pytest.raises(FileError) as caught:
        book_of(tmp_path, GOOD.replace(old, new))
    assert str(caught.value).startswith(f"{tmp_path / 'mine.toml'}, {message}")


def test_a_book_that_is_not_toml_is_named_with_its_line(tmp_path):
    with pytest.raises(FileError, match=r"mine.toml, line \d+: not valid TOML"):
        book_of(tmp_path, GOOD.replace("[going]", "[going"))


def test_a_book_a_list_of_rows_or_a_value_that_is_missing_is_named(tmp_path):
    with pytest.raises(BookError, match=r"no list plain; known lists: fancy"):
        list(book_of(tmp_path, GOOD).own("plain"))
    (row,) = book_of(tmp_path, GOOD).own("fancy")
    with pytest.raises(FileError, match=r"mine.toml, line 30: rows.fancy 1: colour is missing. Write text in quotes."):
        row.need("colour", str)
    with pytest.raises(
        FileError, match=r'mine.toml, line 30: rows.fancy 1: clause = "X-1" is not valid. Write one of "X-3"'
    ):
        row.find("clause", {"X-3": 1})
    assert (row.get("size", float, 1.0), row.get("width", float, 1.0)) == (3.0, 1.0)
    with pytest.raises(ResourceError, match="brantley"):
        read_book("brantly")


class TestSettings:
    def test_defaults_come_first_then_aliases_then_keys(self, tmp_path):
        book = book_of(tmp_path, GOOD)
        assert book.settle({}) == {"x-1": "A", "width": "1.0"}
        assert book.settle({"FIRST": "B", "width": "0.8"}) == {"x-1": "b", "width": "0.8"}
        settled = read_book("brantley").settle({"policy-b": "random", "policy": "clear-centre"})
        assert (settled["policy-a"], settled["policy-b"]) == ("clear-centre", "random")

    @pytest.mark.parametrize("given", [{"x-2": "A"}, {"frist": "A"}])
    def test_an_unknown_setting_names_those_most_like_it(self, tmp_path, given):
        with pytest.raises(ScenarioError, match=r"mine has no setting .*; did you mean .*(first|x-1)?"):
            book_of(tmp_path, GOOD).settle(given)

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ({"first": "C"}, "x-1 = 'C' is not valid; use one of A, b"),
            ({"width": "2"}, "width = '2' is not valid; use 1.0 or a number from 0.5 to 1.5"),
            ({"width": "wide"}, "width = 'wide' is not valid"),
            ({"width": "nan"}, "width = 'nan' is not valid"),
        ],
    )
    def test_an_unknown_value_names_the_valid_ones(self, tmp_path, given, message):
        with pytest.raises(ScenarioError, match=message) as caught:
            book_of(tmp_path, GOOD).settle(given)
        assert caught.value.clause == "X-1"


class TestSharedBooks:
    def test_a_book_begins_with_what_it_shares(self, tmp_path):
        (tmp_path / "base.toml").write_text(GOOD, encoding="utf-8")
        own = f"""
shares = "{tmp_path / "base.toml"}"
name = "own"
[clauses]
X-2 = "two"
[[settings]]
key = "colour"
values = ["red"]
pattern = "#[0-9a-f]{{3}}"
like = "a colour such as #a0f"
clause = "X-2"
title = "which colour"
"""
        book = book_of(tmp_path, own)
        assert (book.name, book.title) == ("own", "Mine")
        assert list(book.clauses) == ["X-1", "X-2"]
        assert [setting.key for setting in book.settings] == ["x-1", "width", "colour"]
        assert book.tables["weather"].look_up(3) == "rain"
        with pytest.raises(FileError, match=r"base.toml, line 30: rows.fancy 1: size = 3 is not valid"):
            next(book.own("fancy")).need("size", str)
        assert book.settle({"colour": " #A0F "})["colour"] == "#a0f"
        with pytest.raises(
            ScenarioError, match="colour = 'blue' is not valid; use one of red, or a colour such as #a0f"
        ):
            book.settle({"colour": "blue"})


@pytest.mark.parametrize("name", names("templates/rules", ".toml"))
class TestEveryBook:
    def test_tables_cover_each_score_once_settings_take_their_values_and_titles_are_one_line(self, name):
        for table in read_book(name).tables.values():
            for score in table.scores():
                assert sum(score in row.span for row in table.rows) == 1
        book = read_book(name)
        for setting in book.settings:
            for value in setting.values:
                assert book.settle({setting.key: value})[setting.key] == value
        for clause, title in read_book(name).clauses.items():
            assert 5 < len(title) <= 90, clause
            assert "\n" not in title


@pytest.mark.clause("BR-Q13", "BR-Q21..BR-Q26")
def test_clauses_of_brantley_have_no_hole_and_every_question_is_a_setting_or_has_one_reading():
    book = read_book("brantley")
    found = {setting.key: setting for setting in book.settings}
    for clause in (clause for clause in book.clauses if clause.startswith("BR-Q")):
        key = clause.lower()
        assert (found[key].clause if key in found else book.retired[key].clauses[0]) == clause
    assert found["br-q12"].values == ("marsh", "none", "any-but-bua-lake")
    # Families end where the next number would be a clause of another part.
    clauses = read_book("brantley").clauses
    families = {
        "X": 21, "Q": 26, "A": 10, "T": 40, "P": 14, "D": 8,
    }  # fmt: skip
    for letter, last in families.items():
        width = 1 if letter == "D" else 2
        assert {clause for clause in clauses if re.fullmatch(rf"BR-{letter}\d+", clause)} == {
            f"BR-{letter}{number:0{width}}" for number in range(1, last + 1)
        }
    assert [int(clause[4:]) for clause in clauses if clause.startswith("BR-M")] == [
        *range(1, 5), *range(11, 17), *range(21, 29)
    ]  # fmt: skip


BOOK = (
    HEAD
    + """zone = { value = 600, unit = "p", slack = 5, clause = "X-1", setting = "zone" }
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
)
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
    with pytest.raises(BookError, match=r"\[numbers\] most is not a length"):
        Rules.of(book, board=BOARD).length("most")
    with pytest.raises(BookError, match=r"\[numbers\] side is not a length"):
        Rules.of(book, board=BOARD).length("side")
    with pytest.raises(BookError, match=r"\[numbers\] has no number least"):
        Rules.of(book).number("least")


def test_a_number_with_a_title_is_a_setting_and_no_number_hangs_on_none(tmp_path: Path) -> None:
    row = 'wide = { value = 1.5, min = 0.5, max = 2, clause = "X-1", setting = "width", title = "how wide" }\n'
    (tmp_path / "mine.toml").write_text(BOOK.replace("[[settings]]", f"{row}[[settings]]"), encoding="utf-8")
    book = read_book(str(tmp_path / "mine.toml"))
    assert (Rules.of(book).choice("width"), Rules.of(book, {"width": "0.5"}).number("wide")) == ("1.5", 0.5)
    assert [(each.key, each.title, each.number) for each in book.settings][1] == ("width", "how wide", "wide")
    with pytest.raises(ScenarioError, match=r"use 1.5 or a number from 0.5 to 2"):
        Rules.of(book, {"width": "2.1"})
    (tmp_path / "mine.toml").write_text(BOOK.replace('setting = "zone"', 'setting = "zoned"'), encoding="utf-8")
    with pytest.raises(FileError, match=r"line 10: numbers.zone: 'zoned' is not in \[\[settings\]\]"):
        read_book(str(tmp_path / "mine.toml"))


def test_a_record_is_judged_by_its_own_settings(book: RuleBook) -> None:
    assert Rules.of_record(book, _record(deployment="300", names="none")).number("zone") == 300
    with pytest.raises(RecordError, match=r"settings.zoned is not a setting of mine; use one of zone"):
        Rules.of_record(book, _record(zoned="300"))
    with pytest.raises(RecordError, match="zone = '50' is not valid"):
        Rules.of_record(book, _record(zone="50"))
