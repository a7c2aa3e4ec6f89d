"""The judge of the grids looks closely: at one end alone, over corners, at the rim, on a hill under two areas."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from shapely import LineString, Point, box
from spoiling import case, game, put, with_features

from printkit.systems.portable.grid.edges import address
from printkit.systems.portable.judge.courses import chained
from printkit.systems.portable.judge.grid import ends_inside
from printkit.systems.portable.judge.judge import CHECKS
from printkit.terrain.field.features import Area, Course, Going, Hill, Kind
from printkit.terrain.field.record import Record

FIRST_GAMES, SECOND_GAMES = "portable-1", "portable-2"


def faults(clause: str, record: Record) -> list[str]:
    return list(CHECKS[clause](case(record)))


def banded() -> tuple[Record, Course]:
    """Return the first game with a course in a straight band by a station at either end, and that course."""
    games = (game(FIRST_GAMES, number) for number in range(5))
    pairs = ((record, *pair) for record in games for pair in case(record).pairs() if pair[1].band is not None)
    return next(
        (record, course)
        for record, course, way in pairs
        if not any("-" in way.told[end]["slot"] for end in ("from", "to"))
    )


@pytest.mark.clause("PW1-13")
@pytest.mark.parametrize(("end", "place"), [("entry", 0), ("exit", -1)])
def test_an_end_that_lies_off_its_station_is_named_and_the_other_is_not(end: str, place: int) -> None:
    record, course = banded()
    points = [course.line.coords[0], course.line.interpolate(0.5, normalized=True).coords[0], course.line.coords[-1]]
    (x, y), (other_x, other_y) = points[place][:2], points[1][:2]
    cell = case(record).grid.cell
    long = ((x - other_x) ** 2 + (y - other_y) ** 2) ** 0.5
    points[place] = (x - (y - other_y) / long * 2 * cell, y + (x - other_x) / long * 2 * cell)
    told = faults("PW1-13", put(record, replace(course, line=LineString(points))))
    assert [fault.split(" is ")[0] for fault in told if "off its station" in fault] == [f"{course.id}: the {end}"]


@pytest.mark.clause("PW2-33")
def test_a_course_steps_over_no_corner() -> None:
    seen = case(game(SECOND_GAMES, 1))
    one, other = next(
        (a, b) for a in seen.grid.cells() for b in seen.grid.cells() if (b.column, b.row) == (a.column + 1, a.row + 1)
    )
    line = LineString([seen.grid.centre(one), seen.grid.centre(other)])
    course = Course(
        id="road-9", kind=Kind.ROAD, line=line, width=10.0, going=Going(0, "good"), cells=(tuple(one), tuple(other))
    )
    assert [fault for fault in chained(seen, course) if "share no side" in fault]


@pytest.mark.clause("PW2-44")
@pytest.mark.parametrize(("off", "ends"), [(0.45, 0), (0.55, 1)])
def test_a_course_passes_the_edge_that_it_reaches_by_half_its_width(off: float, ends: int) -> None:
    seen = case(game(SECOND_GAMES, 1))
    left, low, _, high = box(*seen.hull.bounds).bounds
    middle = (low + high) / 2
    line = LineString([(left - 5, middle), (left + 200, middle)])
    wide = 60.0
    inward = LineString([(left + off * wide, middle), (left + 200, middle), (left + 200, high + 5)])
    course = Course(id="river-9", kind=Kind.RIVER, line=inward, width=wide, going=Going(3, "impassable"))
    assert len(ends_inside(seen, course)) == ends
    assert len(ends_inside(seen, replace(course, line=line))) == 1


@pytest.mark.clause("PW2-57", "PWA-09")
def test_nobody_lives_on_a_hill_in_a_place_of_two_areas() -> None:
    games = (game(SECOND_GAMES, number) for number in range(5))
    villages = ((record, each) for record in games for each in record.battlefield.features if each.kind is Kind.VILLAGE)
    record, village = next((record, each) for record, each in villages if len(each.cells) == 2)
    hill = Hill(
        id="hill-99", kind=Kind.HILL, contours=(village.outline,), going=Going(0, "good"), cells=village.cells[:1]
    )
    spoilt = with_features(record, (*record.battlefield.features, hill))
    (fault,) = [each for each in faults("PW2-57", spoilt) if "people live on the hill" in each]
    assert fault.endswith("in a place of 2 areas")
    assert not [each for each in faults("PW2-57", record) if "people live on the hill" in each]


@pytest.mark.parametrize(
    ("clause", "kind"),
    [
        pytest.param("PW2-50", Kind.WOODLAND, marks=pytest.mark.clause("PW2-50")),
        pytest.param("PW2-56", Kind.SETTLEMENT, marks=pytest.mark.clause("PW2-56")),
    ],
)
def test_an_area_to_which_no_dice_lead_is_told(clause: str, kind: Kind) -> None:
    record = game(SECOND_GAMES, 0)
    seen = case(record)
    bare = next(cell for cell in seen.grid.cells() if not seen.at(cell))
    outline = Point(seen.grid.centre(bare)).buffer(9)
    one = Area(id="area-99", kind=kind, outline=outline, going=Going(2, "bad"), cells=(tuple(bare),))
    told = faults(clause, with_features(record, (*record.battlefield.features, one)))
    led = [fault.split(" at ")[1] for fault in told if "no dice lead" in fault]
    assert led == [f"{address(bare)}, to which no dice lead"]
    assert not [fault for fault in faults(clause, record) if "no dice lead" in fault]
