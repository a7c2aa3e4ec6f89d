"""Printer profiles: what is written is read, and pages are changed so that the print comes out true."""

from __future__ import annotations

import math
import re

import pytest
from card_samples import POKER, samples
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from reading import opened, outlines, texts

from printkit.core.errors import FileError, UsageError
from printkit.core.words import Words
from printkit.drawing.canvas.items import Affine, Rect
from printkit.drawing.canvas.layers import marks_drawing
from printkit.drawing.canvas.plain import BLACK, make_frame, make_rectangle
from printkit.export import pdf
from printkit.page.imposition import CutPlan, impose
from printkit.page.lattice import fit_lattice
from printkit.page.marks import Imprint, common_marks
from printkit.page.printer import (
    FARTHEST,
    OFF,
    WIDEST,
    Corrected,
    Margins,
    PrinterProfile,
    apply_profile,
    checked_name,
    read,
    text_of,
    with_line,
)
from printkit.page.sheet import Document, Flip, Page, Placement, Sheet, find_sheet, page_of

ENGLISH = Words(("en",))
UNTRUE = PrinterProfile(name="study", scale_x=0.98, scale_y=1.01, back_dx=1.5, back_dy=-0.5)
MOVED = replace(UNTRUE, scale_x=1.0, scale_y=1.0)
"""Prints every length true, and backs beside their fronts."""

scales = st.integers(round((1 - FARTHEST) * 1e5), round((1 + FARTHEST) * 1e5)).map(lambda whole: whole / 1e5)
offsets = st.integers(-OFF * 100, OFF * 100).map(lambda whole: whole / 100)
margins = st.integers(0, WIDEST * 100).map(lambda whole: whole / 100)
profiles = st.builds(
    PrinterProfile,
    name=st.just("office-laser"),
    scale_x=scales,
    scale_y=scales,
    back_dx=offsets,
    back_dy=offsets,
    margins=st.none() | st.builds(Margins, margins, margins, margins, margins),
)


def bars(document: Document, page: int = 0) -> list[tuple[float, float, float]]:
    """Return left, length across and length up of the check bars on a page of the PDF, and of nothing else."""
    made = opened(pdf.data(document))
    return [(each.left, *each.size) for each in outlines(made.pages[page].obj) if min(each.size) < 2 < max(each.size)]


def cards(*, flip: Flip = Flip.LONG_EDGE, lying: bool = False) -> Document:
    paper = find_sheet("200x275mm" if lying else "a4", margin=5.0)
    cutting = CutPlan(size=POKER, flip=flip, gutter=2.0 if lying else 0.0)
    made = impose(samples(6, POKER), paper, cutting, imprint=Imprint(title="Oaks"), words=ENGLISH)
    assert made.slots.sheet.is_landscape is lying
    return Document(title="Oaks", pages=made.pages, flip=made.flip)


@given(profiles)
@settings(max_examples=40)
def test_what_is_written_is_read(profile: PrinterProfile) -> None:
    assert read(profile.name, text_of(profile), "mine.toml") == profile


def test_the_edge_is_kept_with_what_was_measured_and_a_profile_may_say_little() -> None:
    turned = replace(UNTRUE, flip=Flip.SHORT_EDGE)
    assert read("study", text_of(turned), "mine.toml") == turned
    assert read("study", "", "mine.toml") == PrinterProfile(name="study")
    assert read("study", "[scale]\nacross = 0.99", "mine.toml") == PrinterProfile(name="study", scale_x=0.99)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[scale", "mine.toml, line 1: not valid TOML"),
        ("[speed]\nacross = 1", 'line 1: unknown key "speed". Write one of scale, backs, margins.'),
        ("scale = 1", "line 1: scale = 1 is not valid"),
        ("[scale]\nup = 1", 'line 2: scale: unknown key "up". Write one of across, along.'),
        ("[scale]\nacross = 0.5", "line 2: scale.across = 0.5 is not valid. Write a number from 0.85 to 1.15."),
        ("[scale]\nalong = nan", "line 2: scale.along = NaN is not valid"),
        ("[scale]\nalong = true", "line 2: scale.along = true is not valid"),
        ("[backs]\nright = 'far'", 'line 2: backs.right = "far" is not valid. Write a number from -10 to 10.'),
        ("[backs]\nflip = 'over'", 'line 2: backs.flip = "over" is not valid. Write one of "long-edge", "short-edge".'),
        ("[margins]\nleft = 4\nright = 4\ntop = 4", "line 1: margins: bottom is missing. Write a number from 0 to 50."),
        ("[margins]\nleft = -1\nright = 4\ntop = 4\nbottom = 4", "line 2: margins.left = -1 is not valid"),
    ],
)
def test_what_is_no_profile_is_refused(text: str, said: str) -> None:
    with pytest.raises(FileError, match=re.escape(said)):
        read("study", text, "mine.toml")


@pytest.mark.parametrize("name", ["", "../x", "a b", "café", "-a", "a--b", "x" * 41, "a.toml"])
def test_a_name_is_also_that_of_a_file(name: str) -> None:
    with pytest.raises(UsageError, match="is not a valid printer name; use a-z, digits and hyphens, at most"):
        checked_name(name)
    assert checked_name(" Office-Laser2 ") == "office-laser2"


def test_bars_are_stretched_by_what_the_printer_shrinks() -> None:
    """0.98 of 102.04 is 100: the bar across, and along the sheet 1.01 of 99.01."""
    lattice = fit_lattice(150.0, 200.0, find_sheet("a4"))
    whole = Rect(0.0, 0.0, 210.0, 297.0)
    page = Page(sheet=find_sheet("a4"), placements=(Placement(common_marks(lattice, ENGLISH)),), trim=whole, label="1")
    before = Document(title="Oaks", pages=(page,))
    lengths = sorted(max(across, up) for _, across, up in bars(before))
    assert lengths == pytest.approx([100.0, 100.0, 101.6, 101.6], abs=0.02)
    found = bars(apply_profile(before, UNTRUE).document)
    lying = sorted(across for _, across, up in found if across > up)
    standing = sorted(up for _, across, up in found if up > across)
    assert lying == pytest.approx([100 / 0.98, 101.6 / 0.98], abs=0.02)
    assert standing == pytest.approx([100 / 1.01, 101.6 / 1.01], abs=0.02)
    # A sheet on its side is stretched by the other scale.
    true = replace(UNTRUE, back_dx=0.0, back_dy=0.0)
    lengths = sorted(across for _, across, _ in bars(apply_profile(cards(lying=True), true).document))
    assert lengths == pytest.approx([100 / 1.01, 101.6 / 1.01], abs=0.02)


@given(profiles)
@settings(max_examples=40)
def test_print_comes_out_where_it_was_meant(profile: PrinterProfile) -> None:
    """A printer does to the changed page what was measured of it; every point must then lie where the page had it."""
    back = Page(
        sheet=Sheet("a4", 210.0, 297.0, 10.0),
        placements=(
            Placement(marks_drawing(210.0, 297.0, []), Affine(0.5, 0.0, 0.0, 0.5, 30.0, 40.0), Rect(30, 40, 90, 120)),
        ),
        trim=Rect(30.0, 40.0, 90.0, 120.0),
        label="1 back",
        back=True,
    )
    (page,) = apply_profile(Document(title="", pages=(back,), flip=profile.flip), profile).document.pages
    for x, y in ((0.0, 0.0), (120.0, 7.0), (33.0, 240.0)):
        sent = page.placements[0].transform.at(x, y)
        came = _put_down(profile, *sent)
        assert came == pytest.approx(back.placements[0].transform.at(x, y), abs=1e-6)
    clip = page.placements[0].clip
    assert clip is not None
    assert _put_down(profile, clip.x, clip.y) == pytest.approx((30.0, 40.0), abs=1e-6)
    assert _put_down(profile, clip.right, clip.top) == pytest.approx((120.0, 160.0), abs=1e-6)


def _put_down(profile: PrinterProfile, x: float, y: float) -> tuple[float, float]:
    """Return where the printer puts a point of a back."""
    return 105 + (x - 105) * profile.scale_x + profile.back_dx, 148.5 + (y - 148.5) * profile.scale_y + profile.back_dy


def test_backs_are_moved_and_fronts_are_not() -> None:
    before, after = cards(), apply_profile(cards(), MOVED).document
    for page, moved in ((0, 0.0), (1, -1.5)):
        for (left, *_), (came, *_) in zip(bars(before, page), bars(after, page), strict=True):
            assert came - left == pytest.approx(moved, abs=0.02)
    assert after.pages[1].trim.y - before.pages[1].trim.y == pytest.approx(0.5)
    # They stay where the sheet is turned another way.
    turned = cards(flip=Flip.SHORT_EDGE)
    assert apply_profile(turned, MOVED).document == turned


def test_a_sheet_on_its_side_is_stood_up_and_not_mirrored_to_move_its_backs() -> None:
    """The offset is measured on an upright sheet; a printer may turn one that lies either way.

    A quarter to the left: what was at the lower left comes to the lower right, on fronts just as far and no more.
    """
    before, after = cards(lying=True), apply_profile(cards(lying=True), MOVED).document
    for old, new, right, up in zip(before.pages, after.pages, (0.0, -1.5), (0.0, 0.5), strict=True):
        assert (new.sheet.width, new.sheet.height) == (old.sheet.height, old.sheet.width)
        for was, came in zip(old.placements, new.placements, strict=True):
            for point in ((0.0, 0.0), (63.0, 0.0), (0.0, 88.0)):
                x, y = was.transform.at(*point)
                assert came.transform.at(*point) == pytest.approx((old.sheet.height - y + right, x + up))
    card, behind = (page.placements[0].clip for page in after.pages)
    assert card is not None
    assert behind is not None
    # Over the long edge of the upright sheet: mirrored at its centre, then moved against the offset.
    assert behind.x == pytest.approx(200.0 - card.right - 1.5)
    assert behind.y == pytest.approx(card.y + 0.5)


def test_measured_margins_go_before_the_usual_ones_and_after_those_asked_for() -> None:
    known = replace(MOVED, margins=Margins(4.0, 3.0, 3.0, 12.0))
    sheet = find_sheet("a4", margin=10.0)
    assert known.sheet(sheet).printable == Rect(4.0, 12.0, 202.0, 273.0)
    assert known.sheet(sheet.rotated()).printable == Rect(12.0, 4.0, 273.0, 202.0)
    assert known.sheet(sheet, margin=7.0).printable == sheet.printable.padded(3.0)
    assert UNTRUE.sheet(sheet, margin=None).printable.height == pytest.approx(277.0)
    assert known.sheet(find_sheet("one")) == find_sheet("one")
    assert math.isinf(known.sheet(find_sheet("24in-roll")).height)


@given(profiles)
@settings(max_examples=40)
def test_what_lies_inside_the_margins_is_still_there_when_it_is_corrected(profile: PrinterProfile) -> None:
    sheet = profile.sheet(find_sheet("a4", margin=10.0), backs=True)
    room = sheet.printable
    if min(room.width, room.height) <= 1.0:
        return
    drawing = marks_drawing(sheet.width, sheet.height, [make_frame(room, BLACK, 0.2)])
    pages = tuple(
        Page(sheet=sheet, placements=(Placement(drawing),), trim=room, label=label, back=label == "2")
        for label in ("1", "2")
    )
    made = apply_profile(Document(title="", pages=pages, flip=profile.flip), profile)
    assert made.outside == ()


def test_what_a_printer_cannot_reach_is_told() -> None:
    document, true = cards(), PrinterProfile(name="study")
    assert apply_profile(document, replace(true, margins=Margins(4.0, 5.0, 4.0, 5.0))).outside == ()
    assert apply_profile(document, replace(true, margins=Margins(4.0, 4.0, 4.0, 12.0))).outside == ("1", "1 back")
    assert apply_profile(document, replace(true, back_dx=2.0, margins=Margins(4.0, 4.0, 4.0, 4.0))).outside == (
        "1 back",
    )
    assert apply_profile(document, None) == Corrected(document, ())


def test_a_sheet_as_large_as_its_drawing_grows_with_it() -> None:
    drawing = marks_drawing(300.0, 200.0, [make_rectangle((0.0, 0.0, 300.0, 200.0), BLACK)])
    document = Document(title="", pages=(page_of(drawing),))
    # It lies, so its width runs along the paper.
    (page,) = apply_profile(document, UNTRUE).document.pages
    assert (page.sheet.width, page.sheet.height) == pytest.approx((300 / 1.01, 200 / 0.98))
    assert page.placements[0].clip == pytest.approx(Rect(0.0, 0.0, 300 / 1.01, 200 / 0.98))
    # A line names the profile where a page has no imprint.
    page = with_line(page_of(marks_drawing(300.0, 200.0, [])), "printer profile: study")
    assert texts(pdf.data(Document(title="", pages=(page,)))) == ["printer profile: study"]
