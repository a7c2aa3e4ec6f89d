"""Sheets by name and by size, and papers of a person's own in files; what is wrong is told by file and key."""

from __future__ import annotations

import math

import pytest

from printkit.core.errors import FileError, UsageError
from printkit.page.sheet import LARGEST, Sheet, find_sheet, named_sheets


@pytest.fixture
def papers(tmp_path):
    def written(text):
        path = tmp_path / "Papers.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return written


def test_a_file_with_one_paper_is_that_paper_and_of_several_one_is_named(papers):
    path = papers("[sheets]\nmine = { width = 300, height = 420, margin = 5, head = 12 }\n")
    assert find_sheet(str(path)) == Sheet("mine", 300.0, 420.0, 5.0, 12.0)
    assert find_sheet(str(path), margin=7.0, use_file_margins=False) == Sheet("mine", 300.0, 420.0, 7.0)
    path = papers("[sheets]\nwide = { width = 600, height = 300 }\nroll = { width = 500 }\n")
    assert find_sheet(f"{path}:wide") == Sheet("wide", 600.0, 300.0, 10.0)
    assert find_sheet(f"{path}:ROLL") == Sheet("roll", 500.0, math.inf, 10.0)
    for text in (str(path), f"{path}:third"):
        with pytest.raises(UsageError, match="wide, roll"):
            find_sheet(text)


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("mine = 3", "mine"),
        ("mine = { height = 300 }", "mine"),
        ("mine = { width = 0, height = 300 }", "mine.width"),
        ("mine = { width = nan, height = 300 }", "mine.width"),
        ('mine = { width = 200, height = "300" }', "mine.height"),
        ("mine = { width = 200, height = 300, margin = -1 }", "mine.margin"),
        ("mine = { width = 200, height = 300, depth = 1 }", "mine: unknown key"),
        ("mine = { width = 200, height = 300, head = 5 }", "mine: head"),
        ("a4 = { width = 200, height = 300 }", "a4"),
        ('"../out" = { width = 200, height = 300 }', "../out"),
    ],
)
def test_what_is_no_paper_is_told_by_file_and_key(papers, line, key):
    path = papers(f"[sheets]\n{line}\n")
    with pytest.raises(FileError) as refused:
        find_sheet(str(path))
    told = str(refused.value)
    assert str(path) in told
    assert key in told
    assert "\n" not in told


@pytest.mark.parametrize("text", ["", "sheets = 3", "[papers]", "no toml"])
def test_a_file_without_papers_or_that_is_not_there_is_named(papers, text):
    path = papers(text)
    with pytest.raises(FileError, match=r"Papers\.toml"):
        find_sheet(str(path))
    with pytest.raises(FileError, match=r"none\.toml"):
        find_sheet(str(path.with_name("none.toml")))


@pytest.mark.parametrize(
    ("sides", "said"),
    [
        ("width = 20, height = 300", "margins"),
        ("width = 200, height = 30, margin = 5, head = 15", "top and bottom"),
        ("width = 200, height = 9000", "too large"),
    ],
)
def test_margins_leave_something_and_sides_are_no_longer_than_a_page(papers, sides, said):
    with pytest.raises(UsageError, match=said):
        find_sheet(str(papers(f"[sheets]\nmine = {{ {sides} }}\n")))


NAMES = ["a4", "a3", "a2", "a1", "a0", "letter", "legal", "tabloid", "arch-d", "24in-roll", "36in-roll", "one"]


@pytest.mark.parametrize("name", NAMES)
def test_every_sheet_of_the_interface_is_there(name):
    sheet = find_sheet(name)
    assert sheet.name == name
    assert sheet.margin == (0.0 if name == "one" else 10.0)


def test_sheets_are_upright_rolls_as_long_as_needed_and_a_size_is_a_sheet_of_its_own():
    assert (find_sheet("A4").width, find_sheet("a4").height) == (210.0, 297.0)
    assert (find_sheet("letter").width, find_sheet("letter").height) == pytest.approx((8.5 * 25.4, 11 * 25.4))
    assert find_sheet("24in-roll").width == pytest.approx(24 * 25.4)
    assert find_sheet("24in-roll").height == math.inf
    own = find_sheet("30x40cm", margin=5.0)
    assert (own.width, own.height, own.margin) == (300.0, 400.0, 5.0)
    # No sheet is larger than this.
    assert find_sheet("200x200in").width == pytest.approx(LARGEST)
    assert all(width <= height for width, height in named_sheets().values())
    # An unknown one is told with those that are known.
    with pytest.raises(UsageError) as refused:
        find_sheet("a9")
    assert all(name in str(refused.value) for name in NAMES)


@pytest.mark.parametrize("text", ["300x400", "0x40cm", "10mx40cm", "x40cm"])
def test_what_is_no_size_is_refused(text):
    with pytest.raises(UsageError):
        find_sheet(text)


@pytest.mark.parametrize("margin", [-1.0, 105.0, 200.0])
def test_margins_leave_something(margin):
    with pytest.raises(UsageError, match="margins"):
        find_sheet("a4", margin=margin)
