"""Which smaller margin or overlap saves sheets, and that nothing is said where none does."""

from __future__ import annotations

import pytest

from printkit.core.units import MM_PER_INCH
from printkit.page.lattice import lay
from printkit.page.savings import LEAST, FewerSheets, cheapest
from printkit.page.sheet import Sheet, find

ABOUT = 16.0
"""What the neat line and its figures add to each side of a table, in mm."""


def size(width: float, depth: float) -> tuple[float, float]:
    return width * MM_PER_INCH + ABOUT, depth * MM_PER_INCH + ABOUT


def saved(*inches: float, sheet: str = "a4", own: bool = True, margin: float = 10.0, overlap: float = 10.0):
    return cheapest([size(*inches)], find(sheet, margin=margin), overlap=overlap, own_margin=own)


@pytest.mark.parametrize(
    ("inches", "sheet", "change", "count", "now"),
    [
        ((72, 48), "letter", "--margin 8mm", 50, 56),
        ((48, 48), "letter", "--margin 9mm", 35, 42),
        ((96, 48), "a4", "--margin 5mm", 63, 70),
        ((144, 72), "a4", "--margin 6mm", 140, 147),
        ((36, 36), "a4", "--margin 5mm", 20, 24),
    ],
)
def test_the_widest_margin_that_saves_most_is_named(inches, sheet, change, count, now):
    assert saved(*inches, sheet=sheet) == FewerSheets(change=change, sheets=count, instead_of=now)


def test_what_is_named_takes_so_many_sheets_and_a_millimetre_more_does_not():
    width, height = size(72, 48)
    assert lay(width, height, find("letter", margin=8.0)).count == 50
    assert lay(width, height, find("letter", margin=9.0)).count == 56
    assert saved(72, 48, sheet="letter", margin=8.0) is None


def test_sheets_of_zones_are_counted_with_their_wide_bands():
    def told(*inches: float) -> FewerSheets | None:
        return cheapest([size(*inches)], find("a4"), overlap=10.0, own_margin=True, narrow=False)

    assert told(72, 48) == FewerSheets(change="--margin 7mm", sheets=49, instead_of=55)
    assert told(36, 36) == FewerSheets(change="--margin 5mm --overlap 5mm", sheets=20, instead_of=24)
    assert saved(72, 48) is None


def test_a_measured_margin_stays_as_it_is():
    assert saved(48, 48, sheet="letter", own=False) == FewerSheets(change="--overlap 9mm", sheets=35, instead_of=42)
    assert saved(72, 48, own=False) is None
    measured = Sheet("a4", 210.0, 297.0, 10.0, head=12.0)
    told = cheapest([size(72, 48)], measured, overlap=10.0, own_margin=True)
    assert told is None or "--margin" not in told.change


def test_the_parts_of_a_map_are_counted_together_and_nothing_is_said_where_nothing_is_saved():
    assert saved(24, 24) is None
    assert saved(24, 24, sheet="36in-roll") is None
    assert saved(72, 48, margin=LEAST, overlap=LEAST) is None
    assert saved(72, 48, margin=3.0, overlap=0.0) is None
    told = cheapest([size(48, 48), size(48, 48), size(24, 24)], find("letter"), overlap=10.0, own_margin=True)
    assert told == FewerSheets(change="--margin 9mm", sheets=82, instead_of=96)
