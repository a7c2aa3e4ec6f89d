"""Generated boards break nothing, and what is then spoilt on them is found."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
import pytest
from by_hand import INCH, Change, changed, detail, overlays, with_log, without
from msgspec.structs import replace
from playing import BRANTLEY, play
from shapely import LineString, Point, affinity

from printkit.chance.dice import Act
from printkit.kit.check import judge_record
from printkit.kit.registry import shapes_of
from printkit.systems.brantley.judge.judge import judge
from printkit.terrain.field.features import Area, Course, Crossing, Hill, Kind
from printkit.terrain.field.record import Record, read, read_back, write

SEEDS = range(1, 26)


@cache
def generated(seed: int) -> Record:
    made, settings = play(seed=seed), BRANTLEY.book.settle({})
    parts = {"battlefield": made.battlefield, "log": made.log, "details": made.details}
    return read_back(Record(rules=BRANTLEY.name, settings=settings, seed=seed, shapes=shapes_of("brantley"), **parts))


def broken(record: Record) -> dict[str, str]:
    return {verdict.clause: verdict.where for verdict in judge(record, BRANTLEY.book) if verdict.state == "broken"}


def states(record: Record) -> dict[str, str]:
    return {verdict.clause: verdict.state for verdict in judge(record, BRANTLEY.book)}


@pytest.mark.clause("BR-T40")
@pytest.mark.parametrize("seed", SEEDS)
def test_a_generated_board_breaks_nothing_and_is_the_same_when_it_is_written_again(seed: int):
    assert broken(generated(seed)) == {}
    text = write(generated(seed))
    again = read(text, BRANTLEY.book.going)
    assert again == generated(seed)
    assert write(again) == text


@pytest.mark.clause("BR-T40", "BR-G03", "BR-G32", "BR-G52", "BR-404..BR-407", "BR-504..BR-507", "BR-601")
@pytest.mark.parametrize("seed", SEEDS)
def test_features_courses_ends_and_crossings_of_a_seed(seed: int):
    record = generated(seed)
    field, numbers = record.battlefield, BRANTLEY.book.numbers
    zones = field.board.zones(3, 3)
    ground = {feature.id: feature for feature in field.features if isinstance(feature, (Area, Hill))}
    for feature in ground.values():
        room = zones[feature.origin.zone - 1].buffer(-numbers["margin"] * INCH, join_style="mitre")
        assert room.buffer(1e-6).covers(feature.outline)
    rivers, roads = (
        [each for each in field.select_features(kind) if isinstance(each, Course)] for kind in (Kind.RIVER, Kind.ROAD)
    )
    lines = {course.id: course.line for course in (*rivers, *roads)}
    for found, limit in ((rivers, "river_limit"), (roads, "road_limit")):
        for course in found:
            straight = Point(course.line.coords[0]).distance(Point(course.line.coords[-1]))
            assert course.line.length <= numbers[limit] * straight + 0.01
    rim = field.board.shape.exterior
    for entry in (*record.details["rivers"], *record.details["roads"]):
        line = lines[entry["id"]]
        first, last = line.interpolate(0), line.interpolate(line.length)
        assert rim.distance(first) < 0.01
        if "edge" in entry["end"]:
            assert rim.distance(last) < 0.01
        elif area := entry["end"].get("lake") or entry["end"].get("bua"):
            assert ground[area].outline.contains(last)
        else:
            other = entry["end"].get("river") or entry["end"].get("road")
            assert other[0] == entry["id"][0]
            assert lines[other].distance(last) < 0.01
    crossings = [feature for feature in field.features if isinstance(feature, Crossing)]
    for crossing in crossings:
        assert lines[crossing.route].distance(crossing.at) < 0.01
        assert lines[crossing.water].distance(crossing.at) < 0.01
    meetings = sum(
        len(getattr(shared, "geoms", [shared]))
        for road in roads
        for river in rivers
        if not (shared := road.line.intersection(river.line)).is_empty
    )
    assert len(crossings) == meetings


def untold(record: Record, name: str) -> Record:
    return replace(record, details={key: told for key, told in record.details.items() if key != name})


def first(record: Record, fits: Callable[[Any], bool]) -> str:
    """Return the ID of the first feature of a sort, or nothing."""
    return next((feature.id for feature in record.battlefield.features if fits(feature)), "")


def with_members(members: Callable[[Any], Mapping[str, Any]]) -> Callable[[str], Change]:
    """Return the change of a feature of that ID to members that come from it."""
    return lambda identity: lambda record: changed(identity, **members(record.battlefield.find(identity)))(record)


def to_and_fro(found: Course) -> Mapping[str, Any]:
    """Send a course to and fro before it goes on."""
    points = list(found.line.coords)
    half = len(points) // 2
    return {"line": LineString([*points[:half], *points[half - 1 : 0 : -1], *points[1:]])}


def over_the_zone_line(found: Area) -> Mapping[str, Any]:
    """Move an area a quarter of an inch over the inner line of its zone."""
    number = found.origin.zone or 0
    zone, outline = BRANTLEY.board().zones(3, 3)[number - 1].bounds, found.outline.bounds
    way = zone[0] - outline[0] - INCH / 4 if number % 3 == 0 else zone[2] - outline[2] + INCH / 4
    return {"outline": affinity.translate(found.outline, way, 0)}


def half_as_large(found: Area) -> Mapping[str, Any]:
    return {"outline": affinity.scale(found.outline, 0.5, 0.5)}


def shorter_face(found: Hill) -> Mapping[str, Any]:
    start = LineString(found.faces[0].line.coords[:8])
    return {"faces": (replace(found.faces[0], line=start), *found.faces[1:])}


SPOILT: dict[str, tuple[Callable[[Any], bool] | None, Callable[[str], Change]]] = {
    **dict.fromkeys(("BR-343", "BR-G03"), (lambda f: isinstance(f, Area), with_members(over_the_zone_line))),
    "BR-G14": (lambda f: f.kind is Kind.LIGHT_WOODS, with_members(half_as_large)),
    "BR-G21": (lambda f: isinstance(f, Hill) and f.faces, with_members(shorter_face)),
    "BR-G32": (lambda f: f.kind is Kind.RIVER, with_members(to_and_fro)),
    "BR-G52": (lambda f: f.kind is Kind.ROAD, with_members(to_and_fro)),
    "BR-G31": (lambda f: f.kind is Kind.RIVER, with_members(lambda _: {"width": 60.0})),
    "BR-601": (lambda f: isinstance(f, Crossing), without),
}
"""Clause: the feature to spoil, and how. A board without such a feature is left out."""


@pytest.mark.parametrize("clause", [pytest.param(clause, marks=pytest.mark.clause(clause)) for clause in SPOILT])
def test_what_is_spoilt_on_a_generated_board_is_found(clause: str):
    fits, spoil = SPOILT[clause]
    found = ((generated(seed), first(generated(seed), fits) if fits else "-") for seed in SEEDS)
    spoilt = list(islice(((record, identity) for record, identity in found if identity), 3))
    assert len(spoilt) >= 2
    for record, identity in spoilt:
        assert clause in broken(read_back(spoil(identity)(record)))


@pytest.mark.parametrize("seed", [3, 6, 10])
def test_flags_of_the_file_are_not_believed(seed: int):
    """Levels and steep sides are what the lines show, whatever the properties say."""
    tree = json.loads(write(generated(seed)))
    for feature in tree["features"]:
        if feature["properties"]["kind"] == "hill":
            feature["properties"].update(levels=7, steep=[0, 1, 2, 3])
        if feature["properties"]["kind"] == "steep_slope":
            feature["properties"]["impassable"] = False
    flagged = read(json.dumps(tree), BRANTLEY.book.going)
    assert judge(flagged, BRANTLEY.book) == judge(generated(seed), BRANTLEY.book)


def test_without_its_log_a_board_keeps_its_shapes_and_nothing_of_its_dice():
    bare = read_back(replace(generated(3), log=()))
    found = states(bare)
    assert "broken" not in found.values()
    assert {found[clause] for clause in ("BR-G03", "BR-G21", "BR-G32", "BR-311")} == {"kept"}


def swung(line: LineString, by: float, over: float) -> LineString:
    """Return a line with one smooth S, ``by`` mm to either side over so many mm of its way."""
    whole, begins = line.length, 0.2 * line.length
    points = []
    for gone in np.arange(0.0, whole, 0.5):
        here, ahead = line.interpolate(gone), line.interpolate(gone + 0.5)
        u = (gone - begins) / over
        aside = by * math.sin(2 * math.pi * u) * math.sin(math.pi * u) if 0 <= u <= 1 else 0.0
        along = math.atan2(ahead.y - here.y, ahead.x - here.x)
        points.append((here.x - aside * math.sin(along), here.y + aside * math.cos(along)))
    return LineString([*points, line.coords[-1]])


@pytest.mark.clause("BR-G52")
def test_a_road_that_swings_smoothly_to_and_fro_bends_too_sharply():
    record = generated(2)
    road = record.battlefield.find("D1")
    assert isinstance(road, Course)
    bent = changed("D1", line=swung(road.line, 22.0, 50.0))(record)
    (where,) = [verdict.where for verdict in judge(read_back(bent), BRANTLEY.book) if verdict.clause == "BR-G52"]
    assert re.search(r"D1 bends by 1\d\d degrees at", where)


@pytest.mark.clause("BR-301..BR-313", "BR-401", "BR-501", "BR-601")
@pytest.mark.parametrize("seed", [1, 4])
def test_a_feature_that_is_missing_is_missed(seed: int):
    record = generated(seed)
    for feature in record.battlefield.features:
        assert judge_record(BRANTLEY, without(feature.id)(record)).broken, feature.id


@pytest.mark.clause("BR-G90")
def test_a_part_of_the_record_that_is_missing_is_missed():
    record = generated(2)
    for name in ("zones", "hills", "rivers", "roads", "deployment"):
        assert judge_record(BRANTLEY, untold(record, name)).broken
    overlays = record.battlefield.overlays
    for place, said in ((3, "the square of zone 4"), (10, "the deployment area of B")):
        left = (*overlays[:place], *overlays[place + 1 :])
        changed_field = replace(record.battlefield, overlays=left)
        assert f"{said} is missing" in broken(replace(record, battlefield=changed_field))["BR-G90"]


def test_a_line_of_the_log_that_is_missing_is_missed():
    """Other lines than dice, cards and turns tell of choices, of which any may have had one way alone."""
    record = generated(5)
    for place, throw in enumerate(record.log):
        if throw.act is not Act.CHOICE or throw.stage == "placing":
            cut = replace(record, log=(*record.log[:place], *record.log[place + 1 :]))
            assert judge_record(BRANTLEY, cut).broken, throw.reason


def logged(reason: str, answer: str) -> Change:
    return with_log(lambda throw: replace(throw, answer=answer) if throw.reason.startswith(reason) else throw)


@pytest.mark.parametrize(
    ("reason", "answer", "clause"),
    [
        pytest.param("size of z", "6x5.5", "BR-343", marks=pytest.mark.clause("BR-343")),
        pytest.param("facing of z", "37", "BR-342", marks=pytest.mark.clause("BR-342")),
        pytest.param("place in its zone of z", "near left", "BR-343", marks=pytest.mark.clause("BR-343")),
        pytest.param("river R1: start", "W:3.0", "BR-404", marks=pytest.mark.clause("BR-404")),
        pytest.param("road D1: start", "W:3.0", "BR-504", marks=pytest.mark.clause("BR-504")),
    ],
)
def test_a_choice_of_the_log_that_the_board_contradicts_is_found(reason: str, answer: str, clause: str):
    seeds = [seed for seed in SEEDS if any(throw.reason.startswith(reason) for throw in generated(seed).log)][:3]
    assert seeds
    for seed in seeds:
        assert clause in broken(logged(reason, answer)(generated(seed)))


@pytest.mark.clause("BR-343")
def test_of_two_places_that_were_chosen_for_a_feature_the_last_counts():
    reason = "place in its zone of z"
    record = next(each for each in map(generated, SEEDS) if any(throw.reason.startswith(reason) for throw in each.log))
    place = next(number for number, throw in enumerate(record.log) if throw.reason.startswith(reason))
    other = replace(record.log[place], answer="near left" if "far" in record.log[place].answer else "far right")
    before, after = ((*record.log[:at], other, *record.log[at:]) for at in (place, place + 1))
    assert "BR-343" not in broken(replace(record, log=before))
    assert "BR-343" in broken(replace(record, log=after))


@pytest.mark.clause("BR-505")
def test_a_road_that_is_said_to_end_in_another_town_is_found():
    record = generated(9)
    roads = [
        {**road, "end": {"bua": "z9"}} if "bua" in (road["end"] or {}) else road for road in record.details["roads"]
    ]
    assert roads != record.details["roads"]
    said = broken(detail("roads", roads)(record))
    assert any("is recorded as ending in the bua z9" in fault for fault in said.values())


@pytest.mark.clause("BR-506")
@pytest.mark.parametrize(("seed", "state"), [(9, "kept"), (1, "not judged")])
def test_a_road_into_a_town_is_judged_where_nothing_is_said_of_roads(seed: int, state: str):
    assert states(untold(generated(seed), "roads"))["BR-506"] == state


@pytest.mark.clause("BR-107")
def test_a_deployment_as_deep_as_the_board_lies_at_both_edges():
    record = generated(7)
    deep = overlays(lambda one: replace(one, shape=record.battlefield.board.shape) if one.side else one)(record)
    assert states(deep)["BR-107"] == "kept"
