"""Tiles, the sheets that are left out, their marks, and the smaller margin or overlap that saves sheets."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from seen import assert_legible, box_around, own, runs, straight, type_boxes

from printkit.core.units import MM_PER_INCH
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing, Font, Ink, Item, Layer, LayerName, Path, PathRun, Rect, Stroke, Text
from printkit.drawing.canvas.plain import WHITE, make_frame, make_rectangle
from printkit.drawing.lettering.extent import box_of, extents, text_foot, text_length
from printkit.page.check_bars import CheckBar
from printkit.page.lattice import BAND, NARROW, fit_lattice
from printkit.page.marks import Imprint, common_marks, tile_marks, visible_part
from printkit.page.sheet import Sheet, find_sheet
from printkit.page.tiling import LEAST, FewerSheets, Tiling, find_cheapest_change, is_visible, tile_drawing

ENGLISH = Words(("en",))
BLACK = Ink(0, 0, 0)
WHO = (
    "Player A, attacker (Army of the Cumberland): blue, dashed lines, far edge · "
    "Player B, defender (Army of Northern Virginia): red, solid lines, near edge",
    "Player A: blue, dashed lines, far edge · Player B: red, solid lines, near edge",
    "A: blue · B: red",
)
IMPRINT = Imprint(title="Seven Oaks", seed="1998", who=WHO)


def drawing(*items: Item, side: float = 609.6, clip: Rect | None = None) -> Drawing:
    return Drawing(side, side, (Layer(LayerName.PAPER, items, clip),))


def said(made: Drawing) -> list[str]:
    return [item.content for _, item in made.items() if isinstance(item, Text)]


def tiled(made: Drawing, sheet: str = "a4", **more: object) -> Tiling:
    return tile_drawing(made, find_sheet(sheet), **{"imprint": IMPRINT, "words": ENGLISH, **more})  # type: ignore[arg-type]


def ground(width: float, height: float) -> Item:
    return make_rectangle((0, 0, width, height), BLACK)


def test_sheets_without_content_are_dropped_and_named_and_a_frame_about_a_sheet_is_not_on_it():
    assert tiled(drawing(make_frame(Rect(1, 1, 607, 607), BLACK, 0.5))).dropped == ("B2", "B3")
    laid = tiled(drawing(make_rectangle((10, 10, 250, 150), BLACK)))
    assert [page.label for page in laid.pages] == ["C1", "C2"]
    assert laid.dropped == ("A1", "A2", "A3", "A4", "B1", "B2", "B3", "B4", "C3", "C4")


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        *((name, True) for name in (LayerName.GRASS, LayerName.GRID, LayerName.FRAME)),
        *((name, False) for name in (LayerName.HILL_TINT, LayerName.OVERLAY, LayerName.NUMBER)),
        *((name, False) for name in (LayerName.LABEL, LayerName.MARGIN)),
    ],
)
def test_ground_and_lines_alone_are_bare_and_a_label_is_not(name, bare):
    paper = Layer(LayerName.PAPER, (ground(609.6, 609.6),))
    made = Drawing(609.6, 609.6, (paper, Layer(name, (make_rectangle((230, 300, 5, 5), BLACK),))))
    laid, left = tiled(made), tiled(made, skip_bare=True)
    assert (len(laid.pages), len(laid.bare)) == (12, 12 if bare else 11)
    assert [page.label for page in left.pages] == ([] if bare else ["B2"])
    assert left.dropped == ()


@pytest.mark.parametrize(
    ("item", "window", "seen"),
    [
        (make_rectangle((0, 0, 100, 100), BLACK), Rect(40, 40, 10, 10), True),
        (make_frame(Rect(0, 0, 100, 100), BLACK, 0.4), Rect(40, 40, 10, 10), False),
        (make_frame(Rect(0, 0, 100, 100), BLACK, 0.4), Rect(100.1, 40, 10, 10), True),
        (make_frame(Rect(0, 0, 100, 100), BLACK, 0.4), Rect(103, 40, 10, 10), False),
        (Path((PathRun((0, 0, 10000, 10000), False),), stroke=Stroke(BLACK, 1)), Rect(45, 45, 1, 1), True),
        (Path((PathRun((0, 0, 10000, 10000), False),), stroke=Stroke(BLACK, 1)), Rect(10, 80, 5, 5), False),
        (Text(content="Oak", at=(10, 10), size_pt=20, ink=BLACK, font=Font.ROMAN), Rect(12, 11, 5, 5), True),
        (Text(content="Oak", at=(10, 10), size_pt=20, ink=BLACK, font=Font.ROMAN), Rect(60, 11, 5, 5), False),
    ],
)
def test_what_can_be_seen_in_a_window(item, window, seen):
    assert is_visible(drawing(item), window) is seen


def test_what_is_cut_away_cannot_be_seen_and_a_sheet_as_large_as_the_drawing_carries_nothing_else():
    cut = drawing(ground(100, 100), clip=Rect(0, 0, 20, 20))
    assert is_visible(cut, Rect(10, 10, 5, 5))
    assert not is_visible(cut, Rect(40, 40, 5, 5))
    whole = drawing(ground(600, 600))
    (page,) = tiled(whole, "one").pages
    assert (page.sheet.width, page.sheet.height) == (609.6, 609.6)
    assert [placement.drawing for placement in page.placements] == [whole]


@pytest.mark.parametrize("sheet", ["a4", "a3", "letter", "130x180mm", "100x140mm", "legal"])
@pytest.mark.parametrize("language", [("en",), ("es",), ("en", "es")])
def test_marks_keep_off_the_map_and_inside_the_margins(sheet, language):
    assert_marks_stay(fit_lattice(609.6, 609.6, find_sheet(sheet)), Words(language))


def assert_marks_stay(lattice, words, slack=0.1):
    """Assert that no mark of a sheet is on the map or leaves what the printer reaches by more than ``slack`` mm."""
    kept = [tile.name for tile in lattice.tiles()]
    window = box_of(lattice.window.padded(-0.05))
    room = box_of(lattice.sheet.printable.padded(slack))
    places = {(0, 0), (lattice.rows // 2, lattice.columns // 2), (lattice.rows - 1, lattice.columns - 1)}
    for each in (lattice.tile(row, column) for row, column in sorted(places)):
        common, own = common_marks(lattice, words), tile_marks(lattice, each, IMPRINT, words, sheet_names=kept)
        for item in common.layers[0].items + own.layers[0].items:
            if isinstance(item, Path):
                for run in item.runs:
                    for box in extents(Path((run,), fill=BLACK)):
                        assert not box.meets(window)
                        assert box.left >= room.left
                        assert box.bottom >= room.bottom
                        assert box.right <= room.right
                        assert box.top <= room.top
            elif isinstance(item, Text):
                (x, y), turn, reach = text_foot(item), math.radians(item.angle), text_length(item)
                for share in (0.0, 0.5, 1.0):
                    at = Rect(x + share * reach * math.cos(turn), y + share * reach * math.sin(turn), 0, 0)
                    assert not lattice.window.meets(at)
                    assert lattice.sheet.printable.padded(1e-6).meets(at)
                assert item.size_pt >= 6.5


def tenths(least, most):
    """Return lengths in mm on whole tenths."""
    return st.integers(10 * least, 10 * most).map(lambda length: length / 10)


@st.composite
def narrow_lattices(draw):
    """Draw a lattice of any paper, margins and overlap, of a board that a narrow band saves sheets of.

    Windows lie on whole tenths of a mm, so that a band is narrow where paper and margins end on such, and hardly else.
    """
    sides, margin = [draw(tenths(210, 620)) for _ in range(2)], tenths(2, 15)
    paper = Sheet("any", *sides, draw(margin), draw(st.none() | margin))
    overlap, room = draw(st.floats(0.0, 25.0)), paper.printable
    lengths = []
    for side in (room.width, room.height):
        count, spare = draw(st.integers(1, 12)), draw(st.floats(NARROW + 0.2, BAND + 3.0))
        lengths.append(count * (side - spare) - (count - 1) * overlap)
    assume(min(lengths) > 0)
    lattice = fit_lattice(*lengths, paper, overlap=overlap)
    assume(min(lattice.bands) < BAND - 1e-6)
    return lattice


def _is_line(box: Rect) -> bool:
    """Return whether a box is the line of a card mark outside its bar."""
    return sorted((round(box.width, 2), round(box.height, 2))) == [0.2, 0.45]


@given(lattice=narrow_lattices(), language=st.sampled_from([("en",), ("es",), ("en", "es")]))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_marks_in_narrow_bands_are_whole_and_keep_apart_on_any_paper(lattice, language):
    words = Words(language)
    assert_marks_stay(lattice, words)
    kept = [each.name for each in lattice.tiles()]
    title = "The Field under a Hill with a Name that is Long"
    imprint = Imprint(title=title, seed="199812", profile="upstairs", who=WHO)
    shared = common_marks(lattice, words).layers[0].items
    places = {(0, 0), (lattice.rows // 2, lattice.columns // 2), (lattice.rows - 1, lattice.columns - 1)}
    for row, column in sorted(places):
        marks = tile_marks(lattice, lattice.tile(row, column), imprint, words, sheet_names=kept).layers[0].items
        items = [*shared, *marks]
        # Whole letters stay inside too, and no line of type runs into another or into a bar.
        assert_legible(items, lattice.sheet.printable.padded(0.06))
        filled = [(path.fill, box_around(points)) for path, points in runs(items) if path.fill]
        bars = [box for fill, box in filled if fill == WHITE and max(box.width, box.height) > 50]
        # The line of a card mark reaches out of its bar into the gap beside it.
        card_lines = [
            box for path, points in runs(shared) if path.fill == BLACK and _is_line(box := box_around(points))
        ]
        below = lattice.bands[1] < BAND - 1e-6
        plan = [box_around(points) for path, points in runs(marks) if below and path.stroke and len(points) == 4]
        assert len(card_lines) == 2
        for line in card_lines:
            assert not any(line.meets(bar) for bar in bars if round(max(bar.width, bar.height)) != 100)
        for said_, box in type_boxes(items):
            for other in (*bars, *plan, *card_lines):
                assert not box.padded(-0.05).meets(other), said_
        for one, other in combinations((*bars, *plan), 2):
            assert not one.meets(other)
        lengths = sorted(round(max(bar.width, bar.height), 1) for bar in bars)
        assert lengths in ([100.0, 100.0, 101.6, 101.6], [50.8, 100.0, 100.0, 101.6])


def test_every_sheet_says_what_it_is_and_that_it_is_glued_where_it_has_neighbours():
    page = next(page for page in tiled(drawing(ground(609.6, 609.6))).pages if page.label == "B2")
    found = [text for placement in page.placements for text in said(placement.drawing)]
    everything = " ".join(found)
    assert "Print at 100 %, actual size" in found
    assert {"A2", "B1", "B2", "B3", "C2"} <= set(everything.replace("–", " ").replace(",", " ").split())
    assert f"Seven Oaks – seed 1998 – sheet B2, 6 of 12 – printer profile: none – {WHO[1]}" in everything
    assert {"10 cm", "4 in", "glue"} <= set(found)
    (alone,) = tiled(drawing(ground(140, 100))).pages
    assert alone.label == "C1"
    assert "glue" not in said(alone.placements[2].drawing)
    # A long title does not leave the band.
    lattice = fit_lattice(609.6, 609.6, find_sheet("a4"))
    marks = tile_marks(lattice, lattice.tile(0, 0), Imprint(title="Oak " * 90), ENGLISH, sheet_names=["A1"])
    assert any(text.endswith("…") for text in said(marks))


@pytest.mark.parametrize(
    ("sheet", "language", "row", "found"),
    [
        ("a3", ("en",), "printer profile: none", WHO[0]),
        ("a4", ("en",), "printer profile: none", WHO[1]),
        ("a4", ("en", "es"), "A1, 1 of 1 – printer profile: none", WHO[1]),
        ("130x180mm", ("en",), "printer profile: none", WHO[2]),
    ],
)
def test_a_sheet_says_who_is_who_as_fully_as_it_has_room(sheet, language, row, found):
    lattice = fit_lattice(609.6, 609.6, find_sheet(sheet))
    told = said(tile_marks(lattice, lattice.tile(0, 0), IMPRINT, Words(language), sheet_names=["A1"]))
    assert any(each.endswith(f"{row} – {found}") for each in told)


def test_who_is_who_stands_below_a_low_sheet_and_a_lone_one_of_a_little_board():
    lattice = fit_lattice(1900.0, 609.6, find_sheet("297x140mm"))
    imprint = Imprint(title="Seven Oaks", who=WHO[1:])
    told = said(tile_marks(lattice, lattice.tile(0, 0), imprint, ENGLISH, sheet_names=["A1"]))
    assert WHO[1] in told
    assert "Seven Oaks – sheet A1, 1 of 1 – printer profile: none" in told
    imprint = Imprint(title="Seven Oaks", who=WHO[1:2])
    (page,) = tiled(drawing(ground(100, 100), side=127.0), imprint=imprint).pages
    told = said(page.placements[2].drawing)
    assert WHO[1] in told
    assert not any("…" in text for text in told)


def test_a_check_bar_is_as_long_as_it_says():
    bar = CheckBar(100.0, ENGLISH)
    lying, standing = bar.draw_horizontal(5.0, 50.0), bar.draw_vertical(50.0, 5.0)
    boxes = [box for item in (*lying, *standing) if isinstance(item, Path) and item.fill for box in extents(item)]
    assert {10000, 10160} <= {box.right - box.left for box in boxes}
    assert {10000, 10160} <= {box.top - box.bottom for box in boxes}


@pytest.mark.parametrize("language", [("en",), ("en", "es")])
def test_the_length_of_a_check_bar_stands_at_its_end(language):
    """A little past the end, beside the last part, and nothing reaches beyond the room that the bar asks for."""
    for length in (50.0, 100.0):
        bar = CheckBar(length, Words(language))
        for items, end, across in (
            (bar.draw_horizontal(5.0, 50.0), 5.0, True),
            (bar.draw_vertical(50.0, 5.0), 5.0, False),
        ):
            bars = [box_around(points) for path, points in runs(items) if path.stroke]
            for shown, (_, label) in zip(bars, type_boxes(items), strict=True):
                after = label.x - shown.right if across else label.y - shown.top
                level = label.y - shown.y if across else shown.right - label.right
                assert 0.5 < after < 2
                assert level == pytest.approx(0.0, abs=0.05)
                assert (label.right if across else label.top) <= end + bar.total_length


def test_crop_marks_point_at_the_four_corners_of_the_window():
    lattice = fit_lattice(609.6, 609.6, find_sheet("a4"))
    window = lattice.window
    lines = straight(common_marks(lattice, ENGLISH).layers[0].items)
    for x, outwards in ((window.x, -1), (window.right, 1)):
        for y, away in ((window.y, -1), (window.top, 1)):
            level = [line for line in lines if line[1] == line[3] == y and line[0] == pytest.approx(x + outwards)]
            upright = [line for line in lines if line[0] == line[2] == x and line[1] == pytest.approx(y + away)]
            assert len(level) == len(upright) == 1
            assert (level[0][2] - x) * outwards > 2
            assert (upright[0][3] - y) * away > 2


def middle_sheet():
    """Return the lattice of a board, and what B2 of its sheets carries alone; a sheet stands at each of its sides."""
    lattice = fit_lattice(609.6, 609.6, find_sheet("a4"))
    kept = [tile.name for tile in lattice.tiles()]
    return lattice, list(tile_marks(lattice, lattice.tile(1, 1), IMPRINT, ENGLISH, sheet_names=kept).layers[0].items)


def test_neighbours_are_named_where_they_go_and_brackets_hold_what_they_will_cover():
    lattice, items = middle_sheet()
    window, names = lattice.window, dict(type_boxes(items))
    assert names["← B1"].right < window.x
    assert names["↓ C2"].top < window.y
    assert names["↓ B3"].x > window.right
    assert names["↑ A2"].y > window.top
    for name, way in (("↓ B3", 1), ("↑ A2", 0)):
        box = names[name]
        middle = (box.x + box.width / 2, box.y + box.height / 2)[way]
        assert middle == pytest.approx((window.x + window.width / 2, window.y + window.height / 2)[way], abs=0.1)
    assert window.y < names["← B1"].y < window.top
    assert window.x < names["↓ C2"].right == pytest.approx(window.right)
    lines = straight(items)
    right = [line for line in lines if line[1] == line[3] < window.y and line[2] == pytest.approx(window.right)]
    upper = [line for line in lines if line[0] == line[2] < window.x and line[3] == pytest.approx(window.top)]
    assert [line[2] - line[0] for line in right] == pytest.approx([10.0])
    assert [line[3] - line[1] for line in upper] == pytest.approx([10.0])
    glue = [box for said, box in type_boxes(items) if said == "glue"]
    assert glue[0].x + glue[0].width / 2 == pytest.approx(window.right - 5, abs=0.1)
    assert glue[0].top < right[0][1]
    assert glue[1].y + glue[1].height / 2 == pytest.approx(window.top - 5, abs=0.1)
    assert glue[1].right < upper[0][0]


def test_the_little_plan_shows_this_sheet_among_all_others():
    lattice, items = middle_sheet()
    closed = [(path, box_around(points)) for path, points in runs(items) if len(points) == 4]
    (about,) = (box for path, box in closed if path.stroke)
    (own_place,) = (box for path, box in closed if path.fill == BLACK)
    scale = about.width / 609.6
    assert about.height == pytest.approx(about.width, abs=0.02)
    across, up = (lattice.window.width - 10) * scale, (lattice.window.height - 10) * scale
    assert own_place == pytest.approx((about.x + across, about.y + up, across, up), abs=0.03)
    inside = [line for line in straight(items) if about.x <= line[0] <= about.right and about.y <= line[1] <= about.top]
    upright = {round((line[0] - about.x) / across, 1) for line in inside if line[0] == line[2]}
    level = {round((line[1] - about.y) / up, 1) for line in inside if line[1] == line[3]}
    assert (upright, level) == ({1.0, 2.0, 3.0}, {1.0, 2.0})
    assert lattice.sheet.printable.meets(about)
    assert not lattice.window.meets(about)


def test_cells_of_glued_sheets_cover_the_whole_without_overlap():
    for width, height, overlap in ((609.6, 609.6, 10.0), (400.0, 900.0, 0.0), (150.0, 900.0, 15.0)):
        lattice = fit_lattice(width, height, find_sheet("a4"), overlap=overlap)
        cells = [visible_part(lattice, each) for each in lattice.tiles()]
        assert sum(each.width * each.height for each in cells) == pytest.approx(width * height)
        assert not any(one.padded(-0.01).meets(other) for one, other in combinations(cells, 2))
        assert all(one.right <= width + 1e-9 and one.top <= height + 1e-9 for one in cells)


@pytest.mark.parametrize("paper", ["a4", "letter", "a3"])
def test_no_type_beside_a_map_runs_into_other_type(paper):
    for page in tiled(drawing(ground(609.6, 609.6)), paper).pages:
        assert_legible(own(page), page.sheet.printable)


ABOUT = 16.0
"""What the neat line and its figures add to each side of a table, in mm."""


def size(width: float, depth: float) -> tuple[float, float]:
    return width * MM_PER_INCH + ABOUT, depth * MM_PER_INCH + ABOUT


def saved(*inches: float, sheet: str = "a4", own: bool = True, margin: float = 10.0, overlap: float = 10.0):
    return find_cheapest_change(
        [size(*inches)], find_sheet(sheet, margin=margin), overlap=overlap, can_change_margin=own
    )


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
    assert fit_lattice(width, height, find_sheet("letter", margin=8.0)).count == 50
    assert fit_lattice(width, height, find_sheet("letter", margin=9.0)).count == 56
    assert saved(72, 48, sheet="letter", margin=8.0) is None


def test_sheets_of_zones_are_counted_with_their_wide_bands():
    def told(*inches: float) -> FewerSheets | None:
        return find_cheapest_change(
            [size(*inches)], find_sheet("a4"), overlap=10.0, can_change_margin=True, narrow=False
        )

    assert told(72, 48) == FewerSheets(change="--margin 7mm", sheets=49, instead_of=55)
    assert told(36, 36) == FewerSheets(change="--margin 5mm --overlap 5mm", sheets=20, instead_of=24)
    assert saved(72, 48) is None


def test_a_measured_margin_stays_as_it_is():
    assert saved(48, 48, sheet="letter", own=False) == FewerSheets(change="--overlap 9mm", sheets=35, instead_of=42)
    assert saved(72, 48, own=False) is None
    measured = Sheet("a4", 210.0, 297.0, 10.0, head=12.0)
    told = find_cheapest_change([size(72, 48)], measured, overlap=10.0, can_change_margin=True)
    assert told is None or "--margin" not in told.change


def test_the_parts_of_a_map_are_counted_together_and_nothing_is_said_where_nothing_is_saved():
    assert saved(24, 24) is None
    assert saved(24, 24, sheet="36in-roll") is None
    assert saved(72, 48, margin=LEAST, overlap=LEAST) is None
    assert saved(72, 48, margin=3.0, overlap=0.0) is None
    told = find_cheapest_change(
        [size(48, 48), size(48, 48), size(24, 24)], find_sheet("letter"), overlap=10.0, can_change_margin=True
    )
    assert told == FewerSheets(change="--margin 9mm", sheets=82, instead_of=96)
