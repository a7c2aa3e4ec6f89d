"""Papers of a person's own: found by file and name, with their margins; what is wrong is told by file and key."""

from __future__ import annotations

import math

import pytest

from printkit.core.errors import BookError, UsageError
from printkit.page.sheet import Sheet, find


@pytest.fixture
def papers(tmp_path):
    def written(text):
        path = tmp_path / "Papers.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return written


def test_a_file_with_one_paper_is_that_paper(papers):
    path = papers("[sheets]\nmine = { width = 300, height = 420, margin = 5, head = 12 }\n")
    assert find(str(path)) == Sheet("mine", 300.0, 420.0, 5.0, 12.0)
    assert find(str(path), margin=7.0, own=False) == Sheet("mine", 300.0, 420.0, 7.0)


def test_of_several_papers_one_is_named(papers):
    path = papers("[sheets]\nwide = { width = 600, height = 300 }\nroll = { width = 500 }\n")
    assert find(f"{path}:wide") == Sheet("wide", 600.0, 300.0, 10.0)
    assert find(f"{path}:ROLL") == Sheet("roll", 500.0, math.inf, 10.0)
    for text in (str(path), f"{path}:third"):
        with pytest.raises(UsageError, match="wide, roll"):
            find(text)


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("mine = 3", "mine"),
        ("mine = { height = 300 }", "mine"),
        ("mine = { width = 0, height = 300 }", "mine.width"),
        ("mine = { width = nan, height = 300 }", "mine.width"),
        ('mine = { width = 200, height = "300" }', "mine.height"),
        ("mine = { width = 200, height = 300, margin = -1 }", "mine.margin"),
        ("mine = { width = 200, height = 300, depth = 1 }", "mine.depth"),
        ("mine = { width = 200, height = 300, head = 5 }", "mine.head"),
        ("a4 = { width = 200, height = 300 }", "a4"),
        ('"../out" = { width = 200, height = 300 }', "../out"),
    ],
)
def test_what_is_no_paper_is_told_by_file_and_key(papers, line, key):
    path = papers(f"[sheets]\n{line}\n")
    with pytest.raises(BookError) as refused:
        find(str(path))
    told = str(refused.value)
    assert str(path) in told
    assert key in told
    assert "\n" not in told


@pytest.mark.parametrize("text", ["", "sheets = 3", "[papers]", "no toml"])
def test_a_file_without_papers_is_named(papers, text):
    path = papers(text)
    with pytest.raises(BookError, match=r"Papers\.toml"):
        find(str(path))


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BookError, match=r"none\.toml"):
        find(str(tmp_path / "none.toml"))


def test_margins_leave_something_and_sides_are_no_longer_than_a_page(papers):
    with pytest.raises(UsageError, match="margins"):
        find(str(papers("[sheets]\nmine = { width = 20, height = 300 }\n")))
    with pytest.raises(UsageError, match="head"):
        find(str(papers("[sheets]\nmine = { width = 200, height = 30, margin = 5, head = 15 }\n")))
    with pytest.raises(UsageError, match="too large"):
        find(str(papers("[sheets]\nmine = { width = 200, height = 9000 }\n")))
