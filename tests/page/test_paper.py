"""Sheets by name and by size."""

from __future__ import annotations

import math

import pytest

from printkit.core.errors import UsageError
from printkit.page.sheet import LARGEST, find, known

NAMES = ["a4", "a3", "a2", "a1", "a0", "letter", "legal", "tabloid", "arch-d", "24in-roll", "36in-roll", "one"]


@pytest.mark.parametrize("name", NAMES)
def test_every_sheet_of_the_interface_is_there(name):
    sheet = find(name)
    assert sheet.name == name
    assert sheet.margin == (0.0 if name == "one" else 10.0)


def test_sheets_are_upright_and_rolls_are_as_long_as_needed():
    assert (find("A4").width, find("a4").height) == (210.0, 297.0)
    assert (find("letter").width, find("letter").height) == pytest.approx((8.5 * 25.4, 11 * 25.4))
    assert find("24in-roll").width == pytest.approx(24 * 25.4)
    assert find("24in-roll").height == math.inf
    assert all(width <= height for width, height in known().values())


def test_a_size_is_a_sheet_of_its_own():
    sheet = find("30x40cm", margin=5.0)
    assert (sheet.width, sheet.height, sheet.margin) == (300.0, 400.0, 5.0)


def test_an_unknown_sheet_names_those_that_are_known():
    with pytest.raises(UsageError) as refused:
        find("a9")
    assert all(name in str(refused.value) for name in NAMES)


@pytest.mark.parametrize("text", ["300x400", "0x40cm", "10mx40cm", "x40cm"])
def test_what_is_no_size_is_refused(text):
    with pytest.raises(UsageError):
        find(text)


@pytest.mark.parametrize("margin", [-1.0, 105.0, 200.0])
def test_margins_leave_something(margin):
    with pytest.raises(UsageError, match="margins"):
        find("a4", margin=margin)


def test_the_largest_sheet_is_two_hundred_inches():
    assert find("200x200in").width == pytest.approx(LARGEST)
