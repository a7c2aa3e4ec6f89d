"""The judge of both versions: boards of the rules break nothing, and what is spoilt is found, also at one end alone."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace
from shapely import LineString, Point, affinity, box
from spoiling import (
    GAMES,
    Change,
    asked,
    bulged,
    case,
    changed,
    first,
    game,
    last_first,
    left_out,
    moved,
    onto,
    other_die,
    put,
    shifted,
    stages_turned,
    then,
    with_features,
    with_log,
    without,
)

from printkit import generate
from printkit.kit.checks import UnseenError
from printkit.kit.registry import find
from printkit.kit.system import Verdict
from printkit.systems.portable.grid.edges import address
from printkit.systems.portable.grid.sketch import FIELDS, HABITATION, HEIGHTS, ROADS, TREES, CellCourse
from printkit.systems.portable.judge.case import BESIDE, FIRST, ONWARD
from printkit.systems.portable.judge.courses import check_chain
from printkit.systems.portable.judge.grid import find_inner_ends
from printkit.systems.portable.judge.judge import CHECKS
from printkit.terrain.field.features import Area, Course, Going, Hill, Kind
from printkit.terrain.field.grids import Cell
from printkit.terrain.field.record import Record, read, read_back, write

FIRST_GAMES, SECOND_GAMES = "portable-1", "portable-2"
WIDE = 105.0


def verdicts(record: Record) -> dict[str, Verdict]:
    return {verdict.clause: verdict for verdict in find(record.rules).judge(record)}


def broken(record: Record) -> dict[str, str]:
    return {clause: verdict.where for clause, verdict in verdicts(record).items() if verdict.state == "broken"}


def faults(clause: str, record: Record) -> list[str]:
    """Return what breaks one clause; nothing where it cannot be seen."""
    try:
        return list(CHECKS[clause](case(record)))
    except UnseenError:
        return []


# --- What is spoilt ------------------------------------------------------------------------------------------------


def higher(record: Record) -> Record | None:
    hill = first(record, Kind.HILL)
    if hill is None:
        return None
    top = affinity.scale(hill.contours[-1], 0.9, 0.9)
    return put(record, replace(hill, contours=(*hill.contours, top, top)))


def hill_on_a_course(record: Record) -> Record | None:
    """Move a hill into the way of a course that has room to go round it."""
    seen = case(record)
    hill = next((one for one in seen.find_ground(Kind.HILL) if len(one.cells) == 1), None)
    for course in seen.find_courses(*ROADS, Kind.RIVER):
        if hill is not None and len(course.cells) > 4:
            middle = Cell(*course.cells[len(course.cells) // 2])
            (x, y), (to_x, to_y) = seen.grid.centre(Cell(*hill.cells[0])), seen.grid.centre(middle)
            return put(record, replace(shifted(hill, to_x - x, to_y - y), cells=(tuple(middle),)))
    return None


def course_over_a_hill(record: Record) -> Record | None:
    seen = case(record)
    course, hills = first(record, Kind.RIVER, *ROADS), sorted(seen.find_cells(*HEIGHTS))
    return put(record, replace(course, cells=(*course.cells, tuple(hills[0])))) if hills else None


def far_cell(*kinds: Kind, least: int = 1) -> Change:
    """Return the change of the last area of a feature to one that touches nothing of it."""

    def spoil(record: Record) -> Record | None:
        seen = case(record)
        for feature in seen.find_ground(*kinds):
            if len(feature.cells) >= least:
                far = max(seen.grid.cells(), key=lambda cell: abs(cell.column - feature.cells[0][0]))
                return put(record, replace(feature, cells=(*feature.cells[: max(1, least - 1)], tuple(far))))
        return None

    return spoil


def fewer_areas(*kinds: Kind) -> Change:
    def spoil(record: Record) -> Record | None:
        feature = next((one for one in case(record).find_ground(*kinds) if len(one.cells) > 1), None)
        return put(record, replace(feature, cells=feature.cells[:-1])) if feature else None

    return spoil


def after_a_town(record: Record) -> Record | None:
    """Take away the place that is counted on from a place of several areas."""
    features = record.battlefield.features
    for one, other in pairwise(feature for feature in features if feature.kind in HABITATION):
        if len(one.cells) > 1:
            return with_features(record, tuple(each for each in features if each is not other))
    return None


def stretch_gone(record: Record) -> Record | None:
    ways = [way["id"] for way in record.details["ways"] if "joins" in way["told"]]
    if not ways:
        return None
    return with_features(record, tuple(one for one in record.battlefield.features if one.id != ways[0]))


def first_height(record: Record) -> int | None:
    """Return the place of the first height die in the log."""
    return next((at for at, throw in enumerate(record.log) if throw.reason.startswith("height of")), None)


def one_more_chain_die(record: Record) -> Record | None:
    if (place := first_height(record)) is None:
        return None
    die = replace(record.log[place], reason="does hill 99 join the last one", clause="PW2-20")
    return replace(record, log=(*record.log[:place], die, *record.log[place:]))


def one_more_height_die(record: Record) -> Record | None:
    if not (place := first_height(record)):
        return None
    return replace(record, log=(*record.log[:place], *[record.log[place]] * 40, *record.log[place:]))


def told_of_another_country(record: Record) -> Record:
    return replace(record, details={**record.details, "geography": {**record.details["geography"], "relief": "flat!"}})


def tampered(log: list[Any]) -> None:
    log[0] = replace(log[0], answer="7")


def by(*ways: str) -> Any:
    return lambda part: part.method in ways


SHARED: dict[str, Change] = {
    "PW0-01": asked(grid="sq-9x9"),
    "PW0-02": changed(*HEIGHTS, contours=lambda one: tuple(affinity.translate(each, 70, 0) for each in one.contours)),
    "PW0-03": changed(*HEIGHTS, contours=lambda one: tuple(affinity.translate(each, 70, 0) for each in one.contours)),
    "PW0-04": moved(fits=by(FIRST, ONWARD)),
    "PW0-05": moved(fits=lambda part: part.is_wrapped),
    "PW0-06": moved(fits=by(FIRST)),
    "PW0-07": moved(fits=by(FIRST)),
    "PW0-08": moved(fits=by(ONWARD)),
    "PW0-09": moved(fits=lambda part: part.method in (FIRST, ONWARD) and part.is_displaced),
    "PW0-10": moved(fits=by(ONWARD)),
    "PW0-11": without(*TREES),
    "PW0-13": asked(trees="1"),
    "PW0-14": with_log(tampered),
    "PW0-15": changed(*HEIGHTS, cells=lambda one: (*one.cells, (99, 1))),
    "PW0-16": asked(climate="hot"),
    "PW0-17": told_of_another_country,
    "PW0-18": far_cell(*TREES),
    "PWA-12": without(Kind.RIVER),
    "PWA-14": then(onto(TREES[0], Kind.MOUNTAIN)),
}

FIRST_ONLY: dict[str, Change] = {
    "PW0-12": far_cell(Kind.TOWN, least=2),
    "PW1-01": stages_turned,
    "PW1-10": changed(Kind.RIVER, *ROADS, line=lambda one: affinity.scale(one.line, 0.3, 0.3)),
    "PW1-11": changed(Kind.RIVER, line=lambda one: affinity.translate(one.line, 350, 350)),
    "PW1-12": changed(Kind.RIVER, line=lambda one: affinity.translate(one.line, -350, -350)),
    "PW1-13": changed(Kind.RIVER, *ROADS, line=lambda one: affinity.translate(one.line, 250, 250)),
    "PW1-14": changed(Kind.RIVER, width=lambda one: 300.0 - one.width),
    "PW1-15": changed(Kind.RIVER, *ROADS, line=lambda one: bulged(one.line, 300)),
    "PW1-16": last_first("rivers"),
    "PW1-17": changed(Kind.RIVER, *ROADS, cells=lambda one: one.cells[:2]),
    "PW1-20": changed(*ROADS, width=WIDE),
    "PW1-21": without(Kind.FORD, Kind.BRIDGE),
    "PW1-22": last_first("roads"),
    "PW1-25": changed(Kind.RIVER, *ROADS, cells=lambda one: one.cells[1:]),
    "PW1-30": other_die("number of hills"),
    "PW1-31": higher,
    "PW1-32": moved(*HEIGHTS),
    "PW1-33": last_first("hills"),
    "PW1-40": other_die("number of groups"),
    "PW1-41": moved(*TREES),
    "PW1-42": changed(*TREES, kind=Kind.PALM_FOREST),
    "PW1-50": fewer_areas(Kind.TOWN),
    "PW1-51": other_die("number of places"),
    "PW1-52": moved(*HABITATION),
    "PW1-53": far_cell(Kind.TOWN, least=2),
    "PW1-54": onto(Kind.VILLAGE, Kind.RIVER),
    "PW1-55": last_first("habitation"),
    "PW1-60": fewer_areas(Kind.TOWN, Kind.VILLAGE),
    "PW1-61": other_die("which way round"),
    "PW1-62": moved(*HEIGHTS, fits=by(BESIDE)),
    "PWA-02": changed(Kind.RIVER, *ROADS, line=lambda one: affinity.translate(one.line, 250, 250)),
    "PWA-03": changed(Kind.RIVER, width=lambda one: one.width * 1.1),
    "PWA-04": moved(fits=lambda part: part.is_wrapped),
    "PWA-08": moved(fits=by(BESIDE)),
    "PWA-10": after_a_town,
    "PWA-11": course_over_a_hill,
    "PWA-17": one_more_height_die,
    "PWA-18": onto(Kind.VILLAGE, Kind.RIVER),
}

SECOND_ONLY: dict[str, Change] = {
    "PW0-12": left_out(by(BESIDE)),
    "PW2-01": stages_turned,
    "PW2-10": other_die("number of hills"),
    "PW2-11": higher,
    "PW2-12": moved(*HEIGHTS, fits=by(FIRST, ONWARD)),
    "PW2-20": left_out(by(BESIDE)),
    "PW2-21": last_first("hills"),
    "PW2-30": changed(*ROADS, cells=lambda one: one.cells[2:-2]),
    "PW2-31": other_die("entry of road 1"),
    "PW2-31a": other_die("exit of road 1"),
    "PW2-32": changed(Kind.RIVER, line=lambda one: one.line.reverse(), cells=lambda one: one.cells[::-1]),
    "PW2-33": changed(*ROADS, cells=lambda one: (*one.cells[:1], *one.cells[2:])),
    "PW2-34": other_die("which way round"),
    "PW2-35": hill_on_a_course,
    "PW2-36": changed(Kind.RIVER, width=lambda one: 150.0 - one.width),
    "PW2-37": last_first("rivers"),
    "PW2-38": moved(Kind.LAKE),
    "PW2-39": far_cell(Kind.MARSH),
    "PW2-40": changed(Kind.ROAD, kind=Kind.TRACK),
    "PW2-41": changed(*ROADS, width=WIDE),
    "PW2-42": without(Kind.FORD, Kind.BRIDGE),
    "PW2-43": last_first("roads"),
    "PW2-44": stretch_gone,
    "PW2-50": moved(*TREES),
    "PW2-51": changed(*TREES, kind=Kind.PALM_FOREST),
    "PW2-55": other_die("number of habitation"),
    "PW2-56": moved(*HABITATION),
    "PW2-57": changed(Kind.SETTLEMENT, kind=Kind.TOWN),
    "PW2-58": changed(Kind.TOWN, Kind.CITY, Kind.VILLAGE, kind=Kind.SETTLEMENT),
    "PW2-60": changed(Kind.RAILWAY, width=WIDE),
    "PW2-61": without(Kind.RAILWAY_BRIDGE),
    "PW2-62": without(Kind.LEVEL_CROSSING),
    "PW2-70": other_die("number of fields"),
    "PW2-71": moved(*FIELDS),
    "PW2-72": moved(*FIELDS),
    "PW2-73": changed(*FIELDS, kind=Kind.VINEYARD),
    "PW2-74": last_first("fields"),
    "PWA-05": other_die("entry of road 1"),
    "PWA-06": other_die("exit of road 1"),
    "PWA-08": left_out(by(BESIDE)),
    "PWA-09": onto(Kind.HILL, Kind.VILLAGE, Kind.TOWN),
    "PWA-15": one_more_chain_die,
    "PWA-16": onto(FIELDS[0], *ROADS),
}

PLANTS = {FIRST_GAMES: {**SHARED, **FIRST_ONLY}, SECOND_GAMES: {**SHARED, **SECOND_ONLY}}
CASES = [
    pytest.param(name, clause, marks=pytest.mark.clause(clause), id=f"{name}-{clause}")
    for name, plants in PLANTS.items()
    for clause in plants
    if name == SECOND_GAMES or clause not in SHARED
]
"""What both versions judge alike is planted on the boards of one."""


# --- Tests ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "number"), [(name, number) for name in GAMES for number in range(5)])
def test_a_generated_board_breaks_nothing(name: str, number: int) -> None:
    assert broken(game(name, number)) == {}


@pytest.mark.parametrize(("name", "clause"), CASES)
def test_a_planted_violation_is_found(name: str, clause: str) -> None:
    for number in range(len(GAMES[name])):
        spoilt = PLANTS[name][clause](game(name, number))
        if spoilt is not None and faults(clause, spoilt):
            return
    pytest.fail(f"nothing was found, or nothing could be spoilt, of {clause}")


@pytest.mark.parametrize("name", GAMES)
def test_every_clause_of_the_book_has_a_verdict_in_its_order_and_its_plant_if_it_can_be_judged(name: str) -> None:
    clauses = find(name).book.clauses
    assert list(verdicts(game(name, 0))) == list(clauses)
    assert set(PLANTS[name]) == set(CHECKS) & set(clauses)


@pytest.mark.parametrize("name", GAMES)
def test_a_board_without_log_and_settings_keeps_its_shapes_and_nothing_of_its_dice(name: str) -> None:
    bare = read_back(replace(game(name, 0), log=(), settings={}, details={}))
    states = {clause: verdict.state for clause, verdict in verdicts(bare).items()}
    assert "broken" not in states.values()
    assert {states[clause] for clause in ("PW0-01", "PW0-02", "PW0-03", "PW0-18")} == {"kept"}
    assert {states[clause] for clause in ("PW0-04", "PW0-06", "PW0-10", "PW0-14", "PW0-16")} == {"not judged"}


def test_a_record_read_from_its_text_is_judged_alike_and_what_the_file_says_of_itself_is_not_believed() -> None:
    record = game(SECOND_GAMES, 0)
    assert verdicts(read(write(record), find(SECOND_GAMES).book.going)) == verdicts(record)
    places = [{**entry, "cells": [[1, 1]], "told": {}} for entry in record.details["places"]]
    flagged = replace(record, details={**record.details, "places": places, "ways": [], "notes": []})
    assert verdicts(flagged) == verdicts(record)


@pytest.mark.parametrize("name", GAMES)
def test_a_log_with_the_dice_of_an_earlier_version_is_not_counted_out(name: str) -> None:
    clause = {FIRST_GAMES: "PW1-30", SECOND_GAMES: "PW2-10"}[name]
    spoilt = other_die("number of hills")(game(name, 0))
    assert spoilt is not None
    assert verdicts(spoilt)[clause].state == "broken"
    for key, retired in find(name).book.retired.items():
        found = verdicts(replace(spoilt, settings={**spoilt.settings, key: "another"}))
        if {"PW0-10", "PW0-14"}.intersection(retired.clauses):
            assert (found[clause].state, found[clause].where) == ("not judged", f"made with {key}=another")
        else:
            assert found[clause].state == "broken"
        assert {found[own].state for own in retired.clauses} == {"not judged"}


def test_a_board_without_a_grid_breaks_the_first_clause_alone() -> None:
    record = game(FIRST_GAMES, 0)
    bare = replace(record, battlefield=replace(record.battlefield, grid=None))
    assert list(broken(bare)) == ["PW0-01"]


def test_a_hill_that_grew_on_paper_is_seen_by_its_contours() -> None:
    spoilt = higher(game(FIRST_GAMES, 0))
    assert spoilt is not None
    assert "contours" in broken(spoilt)["PW1-31"]


# --- Limits and readings on either side -----------------------------------------------------------------------------


@pytest.mark.clause("PW1-54", "PWA-18")
@pytest.mark.parametrize(("share", "found"), [(0.2, 1), (0.12, 0)])
def test_a_village_between_river_and_road_is_judged_by_what_both_cover_together(share: float, found: int) -> None:
    """A fifth of the area is river and a fifth road: less than a quarter each, more than a quarter together."""
    known = next(record for record in map(partial(game, FIRST_GAMES), range(5)) if first(record, Kind.VILLAGE))
    village = first(known, Kind.VILLAGE)
    seen = case(replace(known, hand=()))
    cell = Cell(*village.cells[0])
    ways = tuple(
        CellCourse(id=f"{kind}-9", kind=kind, cells=(cell,), width=0.2, band=((0, 0), (1, 1)), shares={cell: share})
        for kind in (Kind.RIVER, Kind.ROAD)
    )
    sketch = replace(seen.recount.sketch, ways=ways)
    vars(seen)["recount"] = replace(seen.recount, sketch=sketch)
    assert len(list(CHECKS["PW1-54"](seen))) == found


@pytest.mark.clause("PW1-14", "PW2-36")
def test_a_river_as_wide_as_an_area_is_one_area_wide_and_a_narrow_one_is_told_of_once() -> None:
    record = game(SECOND_GAMES, 4)
    cell = case(record).grid.cell
    for width, wide in ((cell, False), (1.01 * cell, True)):
        spoilt = changed(Kind.RIVER, width=width)(record)
        assert spoilt is not None
        assert case(spoilt).is_wide(first(spoilt, Kind.RIVER)) is wide
    narrow = changed(Kind.RIVER, width=5.0)(record)
    assert narrow is not None
    (fault,) = faults("PW2-36", narrow)
    assert "it should be 2" in fault
    assert "bank" not in fault


@pytest.mark.clause("PW1-13")
def test_a_band_that_takes_no_area_is_judged_and_no_fault_of_ours() -> None:
    given: dict[str, Any] = {"grid": "hex-11x13", "pw1_river_width": 0.191, "pw1_sliver": 0.455}
    lists = {"rivers": ["from top 5 to right 50% width 1"], "roads": ["from top-right to bottom-left"]}
    broken = generate("portable-1", seed=5012, inputs=lists, **given).check().broken
    assert {verdict.clause for verdict in broken} <= {"PW0-01", "PW1-17"}


@pytest.mark.clause("PW1-21")
@pytest.mark.parametrize("seed", [44, 236])
def test_a_road_that_passes_a_river_beside_the_rim_of_hexes_meets_it_nowhere(seed: int) -> None:
    field = generate("portable-1", seed=seed)
    (verdict,) = (verdict for verdict in field.check().verdicts if verdict.clause == "PW1-21")
    assert verdict.state == "kept"


FIRST_GAMES, SECOND_GAMES = "portable-1", "portable-2"


def seen_faults(clause: str, record: Record) -> list[str]:
    return list(CHECKS[clause](case(record)))


def banded() -> tuple[Record, Course]:
    """Return the first game with a course in a straight band by a station at either end, and that course."""
    games = (game(FIRST_GAMES, number) for number in range(5))
    pairs = ((record, *pair) for record in games for pair in case(record).pair_courses() if pair[1].band is not None)
    return next(
        (record, course)
        for record, course, way in pairs
        if not any("-" in way.facts[end]["slot"] for end in ("from", "to"))
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
    told = seen_faults("PW1-13", put(record, replace(course, line=LineString(points))))
    assert [fault.split(" is ")[0] for fault in told if "away from its position" in fault] == [
        f"{course.id}: the {end}"
    ]


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
    assert [fault for fault in check_chain(seen, course) if "do not share a side" in fault]


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
    assert len(find_inner_ends(seen, course)) == ends
    assert len(find_inner_ends(seen, replace(course, line=line))) == 1


@pytest.mark.clause("PW2-57", "PWA-09")
def test_nobody_lives_on_a_hill_in_a_place_of_two_areas() -> None:
    games = (game(SECOND_GAMES, number) for number in range(5))
    villages = ((record, each) for record in games for each in record.battlefield.features if each.kind is Kind.VILLAGE)
    record, village = next((record, each) for record, each in villages if len(each.cells) == 2)
    hill = Hill(
        id="hill-99", kind=Kind.HILL, contours=(village.outline,), going=Going(0, "good"), cells=village.cells[:1]
    )
    spoilt = with_features(record, (*record.battlefield.features, hill))
    (fault,) = [each for each in seen_faults("PW2-57", spoilt) if "is part of a village, town or city" in each]
    assert fault.endswith("of 2 areas")
    assert not [each for each in seen_faults("PW2-57", record) if "is part of a village, town or city" in each]


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
    told = seen_faults(clause, with_features(record, (*record.battlefield.features, one)))
    led = [fault.split(" at ")[1] for fault in told if "but the dice do not put it there" in fault]
    assert led == [f"{address(bare)}, but the dice do not put it there"]
    assert not [fault for fault in seen_faults(clause, record) if "but the dice do not put it there" in fault]
