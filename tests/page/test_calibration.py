"""The test sheet for a printer: ladders in the middle of the edges, rulers that start at zero, boxes clear of type."""

from __future__ import annotations

import pytest
from seen import Line, assert_legible, own, runs, straight, type_boxes

from printkit.core.words import find_words as find_words
from printkit.drawing.canvas.items import Item, Path, Rect
from printkit.drawing.canvas.plain import BLACK
from printkit.page.calibration import DEPTH, RUNGS, calibration_pages, draw_ladders, portrait_sheet
from printkit.page.calibration import TestSheet as Sought
from printkit.page.sheet import Flip, find_sheet

A4 = find_sheet("a4")
MIDDLE = (105.0, 148.5)


def pages(lang: str = "en", sheet: str = "a4") -> list[list[Item]]:
    command = ("printkit calibrate --printer NAME", '--margins "C D E F mm"')
    test = Sought(sheet=portrait_sheet(find_sheet(sheet)), flip=Flip.LONG_EDGE, command=command)
    return [own(page) for page in calibration_pages(test, find_words(lang))]


def ruler(length: float, *, across: bool) -> list[Line]:
    """Return a long line and all that crosses it, counted along it from its start and aside from it."""
    for path in pages()[0]:
        found = straight([path])
        if found and (turned := found if across else [(b, a, d, c) for a, b, c, d in found]):
            start, foot, end, _ = turned[0]
            if end - start == pytest.approx(length):
                return [(a - start, b - foot, c - start, d - foot) for a, b, c, d in turned]
    raise AssertionError("there is no such line")


def rungs_of(items: list[Item]) -> list[Line]:
    """Return the rungs of ladders, without the grey feet that lead to their numbers."""
    return straight([item for item in items if isinstance(item, Path) and item.stroke and item.stroke.ink == BLACK])


def test_ladders_stand_in_the_middle_of_the_edges_and_each_rung_as_far_from_its_own_as_it_says() -> None:
    rungs = rungs_of(draw_ladders(A4))
    for lines, side, low, high in (
        ([line for line in rungs if line[1] == line[3]], A4.width, 0, 2),
        ([line for line in rungs if line[0] == line[2]], A4.height, 1, 3),
    ):
        ends = [line[end] for line in lines for end in (low, high)]
        assert min(ends) + max(ends) == pytest.approx(side, abs=0.02)
    lying, standing = [sorted(line for line in rungs if line[at] == line[at + 2]) for at in (1, 0)]
    wanted = list(range(1, RUNGS + 1))
    assert [line[1] for line in lying if line[1] < MIDDLE[1]] == pytest.approx(wanted)
    assert [A4.height - line[1] for line in lying if line[1] > MIDDLE[1]] == pytest.approx(wanted)
    standing.sort(key=lambda line: line[1])
    assert [line[0] for line in standing if line[0] < MIDDLE[0]] == pytest.approx(wanted)
    assert [A4.width - line[0] for line in standing if line[0] > MIDDLE[0]] == pytest.approx(wanted)


def test_the_numbers_of_a_ladder_stand_past_its_foot_each_before_its_rung() -> None:
    items = draw_ladders(A4)
    rungs = rungs_of(items)
    boxes = type_boxes(items)
    assert len(boxes) == 4 * RUNGS
    inner = Rect(DEPTH, DEPTH, A4.width - 2 * DEPTH, A4.height - 2 * DEPTH)
    clear = A4.area.padded(-RUNGS)
    assert len(rungs) == 4 * RUNGS
    for said, box in boxes:
        x, y = box.x + box.width / 2, box.y + box.height / 2
        assert clear.x < box.x
        assert box.right < clear.right
        assert clear.y < box.y
        assert box.top < clear.top
        assert not box.meets(inner)
        # The rung of that number lies across from it: at its height at the sides, above or below it else.
        number = int(said)
        across = [line for line in rungs if line[1] == line[3] and line[1] in (number, A4.height - number)]
        up = [line for line in rungs if line[0] == line[2] and line[0] in (number, A4.width - number)]
        beside = [abs((line[0] + line[2]) / 2 - x) for line in across]
        level = [abs((line[1] + line[3]) / 2 - y) for line in up]
        assert min(beside + level) < 0.2


@pytest.mark.parametrize(("length", "across"), [(180.0, True), (270.0, False)])
def test_a_ruler_has_a_tick_at_each_centimetre_and_each_inch_from_zero(length: float, across: bool) -> None:
    whole, first, last, *ticks = ruler(length, across=across)
    assert whole == pytest.approx((0.0, 0.0, length, 0.0), abs=0.01)
    for cap, at in ((first, 0.0), (last, length)):
        assert (cap[0], cap[2]) == pytest.approx((at, at), abs=0.01)
        assert cap[1] * cap[3] < 0
    assert all(tick[0] == tick[2] and abs(tick[1]) < 0.01 for tick in ticks)
    below = sorted(tick[0] for tick in ticks if tick[3] < 0)
    above = sorted(tick[0] for tick in ticks if tick[3] > 0)
    centimetres, inches = (below, above) if across else (above, below)
    assert centimetres == pytest.approx([10.0 * count for count in range(1, round(length / 10))], abs=0.011)
    assert inches == pytest.approx([25.4 * count for count in range(1, int(length / 25.4) + 1)], abs=0.011)


def test_an_arrow_on_the_line_points_at_each_end_of_it() -> None:
    heads = [points for path, points in runs(pages()[0]) if path.fill and len(points) == 3]
    assert len(heads) == 4
    for way, side, length in ((0, A4.width, 180.0), (1, A4.height, 270.0)):
        low, high = heads[:2] if way == 0 else heads[2:]
        for (tip, one, other), end, inwards in ((low, (side - length) / 2, 1), (high, (side + length) / 2, -1)):
            assert tip[way] == pytest.approx(end, abs=0.01)
            assert one[way] == other[way]
            assert (one[way] - tip[way]) * inwards > 2
            assert one[1 - way] + other[1 - way] == pytest.approx(2 * tip[1 - way], abs=0.02)


def test_the_hairlines_of_the_ring_cross_in_the_middle_of_the_sheet() -> None:
    x, y = MIDDLE
    lines = straight(pages()[0])
    assert (x - 9, y, x + 9, y) in lines
    assert (x, y - 9, x, y + 9) in lines
    rings = [points for _, points in runs(pages()[0]) if len(points) > 20]
    assert len(rings) == 2
    for points in rings:
        for at, middle in zip(zip(*points, strict=True), MIDDLE, strict=True):
            assert min(at) + max(at) == pytest.approx(2 * middle, abs=0.02)


def test_each_line_of_the_grid_is_led_to_its_number() -> None:
    """A leader goes on from the end of a line to the number that is typed where the pin comes through that line."""
    x, y = MIDDLE
    back = pages()[1]
    numbers = [(said, box) for said, box in type_boxes(back) if said.lstrip("−").isdigit()]
    leaders = [points for path, points in runs(back) if path.stroke and len(points) == 3]
    assert len(leaders) == 22
    for start, _, end in leaders:
        by = start[0] - x if start[1] == pytest.approx(y + 5) else start[1] - y
        said, _ = min(
            numbers, key=lambda each: abs(each[1].x + min(1, each[1].width / 2) - end[0]) + abs(each[1].y - end[1])
        )
        assert int(said.replace("−", "-")) == -round(by)


@pytest.mark.parametrize("lang", ["en", "es", "en+es"])
@pytest.mark.parametrize("sheet", ["a4", "letter"])
def test_no_type_runs_into_other_type_or_into_a_box_to_write_in(lang: str, sheet: str) -> None:
    for items in pages(lang, sheet):
        assert_legible(items, find_sheet(sheet).area.padded(-15.0))
    front = pages(lang, sheet)[0]
    boxes = [
        Rect(*points[0], points[2][0] - points[0][0], points[2][1] - points[0][1])
        for path, points in runs(front)
        if path.stroke and len(points) == 4
    ]
    assert len(boxes) == 8
    for box in boxes:
        assert not any(box.meets(other) for other in boxes if other != box)
        assert {said for said, type_box in type_boxes(front) if box.meets(type_box)} <= {"mm"}
