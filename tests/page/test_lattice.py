"""How many sheets, which way the paper lies, where windows begin."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from printkit.core.errors import PageError
from printkit.page.lattice import BAND, NARROW, fit_lattice
from printkit.page.sheet import LARGEST, Sheet, find_sheet


@pytest.mark.parametrize("side", [609.6, 622.0, 626.0])
@pytest.mark.parametrize(("sheet", "count"), [("a4", 12), ("letter", 12), ("a3", 6), ("a0", 1), ("36in-roll", 1)])
def test_a_board_of_24_inches(side, sheet, count):
    assert fit_lattice(side, side, find_sheet(sheet)).count == count


def test_paper_is_turned_only_where_that_saves_sheets_which_are_named_from_the_upper_left():
    assert not fit_lattice(180.0, 250.0, find_sheet("a4")).sheet.is_landscape
    assert fit_lattice(250.0, 180.0, find_sheet("a4")).sheet.is_landscape
    assert fit_lattice(250.0, 180.0, find_sheet("a4")).count == 1
    assert not fit_lattice(600.0, 600.0, find_sheet("a4")).sheet.is_landscape
    names = [tile.name for tile in fit_lattice(609.6, 609.6, find_sheet("a4")).tiles()]
    assert names == [f"{row}{column}" for row in "ABC" for column in range(1, 5)]
    assert fit_lattice(609.6, 609.6, find_sheet("a4")).tile(2, 0).window[:2] == (0.0, 0.0)
    # Two cuts a sheet, and two edges.
    lattice = fit_lattice(609.6, 609.6, find_sheet("a4"))
    assert lattice.count_cuts() == 2 * 12 + 4 + 3
    # A row whose sheets are all left out has no right edge.
    assert lattice.count_cuts(("B2", "C1", "C2", "C3", "C4")) == 2 * 7 + 4 + 2


@example(width=173.0, height=172.0, sheet="letter", overlap=0.0, margin=17.0)
@given(
    width=st.floats(50, 2000),
    height=st.floats(50, 2000),
    sheet=st.sampled_from(["a4", "a3", "letter", "tabloid", "24in-roll"]),
    overlap=st.floats(0, 25),
    margin=st.floats(0, 20),
)
@settings(max_examples=80, deadline=None, derandomize=True)
def test_windows_cover_the_drawing_and_leave_room_for_marks(width, height, sheet, overlap, margin):
    lattice = fit_lattice(width, height, find_sheet(sheet, margin=margin), overlap=overlap)
    window, room = lattice.window, lattice.sheet.printable
    assert window.x - room.x >= NARROW - 1e-6
    assert window.y - room.y >= NARROW - 1e-6
    usual = fit_lattice(width, height, find_sheet(sheet, margin=margin), overlap=overlap, narrow=False)
    assert min(usual.bands) >= BAND - 1e-6
    # Sheets are saved, or else everything stays as it is.
    assert lattice.count < usual.count if min(lattice.bands) < BAND - 1e-6 else lattice == usual
    assert window.right <= room.right + 1e-6
    assert window.top <= room.top + 1e-6
    tiles = list(lattice.tiles())
    assert len(tiles) == lattice.count
    assert {(tile.window.width, tile.window.height) for tile in tiles} == {(window.width, window.height)}
    for value in (window.x, window.y, *(side for tile in tiles for side in tile.window[:2])):
        assert value * 10 == pytest.approx(round(value * 10), abs=1e-6)
    for start, end, length, size in (
        (sorted({tile.window.x for tile in tiles}), max(tile.window.right for tile in tiles), width, window.width),
        (sorted({tile.window.y for tile in tiles}), max(tile.window.top for tile in tiles), height, window.height),
    ):
        assert start[0] == 0
        assert length - 1e-6 <= end < length + 0.1 * (len(start) + 1)
        for one, other in pairwise(start):
            assert one + size - other >= overlap - 1e-6


def test_one_row_more_where_the_marks_need_it():
    """Of 200 mm inside the margins, 191 are left for the window, and 195.2 where the marks draw together."""
    upright = Sheet("square", 220.0, 220.0, 10.0)
    counts = {(191.0, 191.0): (1, 1), (191.1, 191.0): (2, 1), (191.1, 191.1): (4, 1), (195.3, 190.0): (2, 2)}
    for (width, height), (usual, fewest) in counts.items():
        assert fit_lattice(width, height, upright, narrow=False).count == usual
        assert fit_lattice(width, height, upright).count == fewest


@pytest.mark.parametrize(
    ("width", "height", "sheet", "usual", "fewest"),
    [
        (72, 48, "a4", 55, 49),
        (48, 48, "a4", 40, 35),
        (48, 36, "a4", 30, 28),
        (96, 48, "a4", 75, 70),
        (96, 48, "letter", 77, 70),
        (144, 72, "a4", 165, 147),
        (24, 24, "a4", 12, 12),
    ],
)
def test_a_narrow_band_saves_sheets_of_whole_tables_with_their_neat_line(width, height, sheet, usual, fewest):
    sides = [side * 25.4 + 2 * 8.17 for side in (width, height)]
    assert fit_lattice(*sides, find_sheet(sheet), narrow=False).count == usual
    assert fit_lattice(*sides, find_sheet(sheet)).count == fewest


def test_a_band_stays_wide_where_names_are_long_or_windows_short():
    slip = Sheet("slip", 110.0, 150.0, 10.0)
    assert fit_lattice(81.5, 121.0, slip) == fit_lattice(81.5, 121.0, slip, narrow=False)
    assert fit_lattice(81.5, 121.0, slip).count == 2
    # Of so many rows and columns some sheets are called M10, which is wider than the band.
    paper = Sheet("square", 210.0, 210.0, 10.0)
    long, wide = (count * 185.0 - (count - 1) * 10.0 for count in (13, 10))
    assert fit_lattice(wide, long, paper) == fit_lattice(wide, long, paper, narrow=False)
    assert fit_lattice(wide, long - 175.0, paper).count < fit_lattice(wide, long - 175.0, paper, narrow=False).count


def test_a_roll_is_cut_as_long_as_it_needs_to_be():
    lattice = fit_lattice(600.0, 1500.0, find_sheet("36in-roll"))
    assert (lattice.count, lattice.sheet.width) == (1, 914.4)
    assert 1500.0 + 20 + BAND <= lattice.sheet.height < 1550
    assert fit_lattice(12000.0, 300.0, find_sheet("24in-roll")).sheet.height <= LARGEST
    assert all(math.isfinite(side) for side in lattice.window)


@pytest.mark.parametrize(("height", "long"), [(1500.0, 1534.0), (1500.2, 1535.0), (100.0, 160.0)])
def test_no_more_is_cut_from_a_roll_than_map_band_crop_marks_and_margins_take(height, long):
    """9 mm of band, 5 for the crop marks, 10 of margin at both ends, in whole mm; 140 at least for the check bar."""
    assert fit_lattice(600.0, height, find_sheet("36in-roll")).sheet.height == long


SHARED = "an overlap of 185 mm is more than half of the printed area of a4; use 90\\.5mm or less, for example 10mm"


@pytest.mark.parametrize(
    ("width", "height", "sheet", "overlap", "said"),
    [
        (0.0, 100.0, "a4", 10.0, "more than 0"),
        (math.inf, 100.0, "a4", 10.0, "more than 0"),
        (600.0, 600.0, "a4", -1.0, "mm is negative; use 0mm or more, for example"),
        (600.0, 600.0, "a4", 185.0, SHARED),
        (600.0, 600.0, "a4", 90.6, "more than half"),
        (600.0, 600.0, "90x90mm", 10.0, "too small"),
    ],
)
def test_what_cannot_be_laid_is_refused(width, height, sheet, overlap, said):
    with pytest.raises(PageError, match=said):
        fit_lattice(width, height, find_sheet(sheet), overlap=overlap)
    # Neighbours may share half of what a sheet shows.
    assert fit_lattice(600.0, 600.0, find_sheet("a4"), overlap=90.5).overlap == 90.5
    # Side by side on a roll nothing is shared: there is one column.
    assert fit_lattice(500.0, 500.0, find_sheet("24in-roll"), overlap=400.0).count == 1
