"""How ground is laid: in which order, what keeps off what, what gives way; roads and ditches lead somewhere."""

from __future__ import annotations

import math
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
import shapely
from drawn_by_hand import UNIT, area, changed, course, hill, line, oval, plot, record
from msgspec.structs import replace
from seeded_tables import broken_of, seeded
from shapely import LineString, Point, affinity, box
from tables_by_hand import INCH, joined
from test_acw_ground import ROADS, areas, courses, laid

from printkit.chance.streams import Stream
from printkit.systems.acw.ground.make_room import aligned_poses
from printkit.systems.acw.ground.rails import _curve_score, _draw_curve, _round_corner
from printkit.systems.acw.judge.case import fit_box
from printkit.systems.acw.network.network import To, ZoneExit
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import ZoneSide
from printkit.terrain.field.features import Area, Course, Crossing, Hill, Kind
from printkit.terrain.field.record import Record
from printkit.terrain.geometry.measure import bend_radius


def shapes(pieces: str, **given: Any) -> dict[str, Any]:
    """Return by its ID what lies on a table of one zone that holds just these pieces."""
    return {feature.id: feature for feature in laid(pieces, size="24x24", **given).battlefield.features}


@pytest.mark.clause("AC-G03")
@pytest.mark.parametrize(
    ("first", "then", "same"),
    [
        ("Hill, Stream, STOP", "Hill, Stream, Farm, Wood", ("z1-1", "z1-2")),
        ("Pool, Road, STOP", "Pool, Road, Settlement, Wood", ("z1-1", "z1-2")),
        ("Farm, Wood, STOP", "Farm, Wood, Scrub, Rocks", ("z1-1", "z1-2")),
        ("Wood, STOP", "Wood, Wood, Field, STOP", ("z1-1",)),
    ],
)
def test_what_is_laid_later_leaves_what_was_laid_before_as_it_was(first: str, then: str, same: tuple[str, ...]) -> None:
    before, after = shapes(first), shapes(then)
    for identity in same:
        one, other = (
            found[identity].line if isinstance(found[identity], Course) else found[identity].outline
            for found in (before, after)
        )
        assert one.equals(other)


@pytest.mark.clause("AC-G03", "AC-G02")
def test_what_is_rolled_first_but_laid_later_keeps_off_what_was_laid_before() -> None:
    found = shapes("Scrub, Forest, STOP")
    assert not found["z1-1"].outline.intersects(found["z1-2"].outline)


@pytest.mark.clause("AC-F19", "AC-F18", "AC-Q15")
def test_a_creek_taken_by_choice_is_a_stream_twice_as_wide() -> None:
    found = shapes("Stream, Creek, STOP")
    stream, creek = found["z1-1"], found["z1-2"]
    assert (stream.kind, creek.kind, creek.going.name) == (Kind.STREAM, Kind.CREEK, "difficult")
    assert creek.width == pytest.approx(0.06 * UNIT) == 2 * stream.width


@pytest.mark.clause("AC-F27", "AC-F28", "AC-F29", "AC-F30", "AC-F31")
@pytest.mark.parametrize(
    ("piece", "kind", "width", "going"),
    [
        ("Fenced Road", Kind.FENCED_ROAD, 0.06, "fast"),
        ("Unfenced Road", Kind.ROAD, 0.06, "fast"),
        ("Road", Kind.ROAD, 0.06, "fast"),
        ("Sunken Lane", Kind.SUNKEN_LANE, 0.05, "fast"),
        ("Track", Kind.TRACK, 0.03, "open"),
    ],
)
def test_roads_have_their_sign_width_and_going(piece: str, kind: Kind, width: float, going: str) -> None:
    road = shapes(f"{piece}, STOP")["z1-1"]
    assert (road.kind, road.going.name) == (kind, going)
    assert road.width == pytest.approx(width * UNIT)


@pytest.mark.clause("AC-F25")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_scree_lies_at_the_foot_of_its_hill(seed: int) -> None:
    found = shapes("Hill, Scree, STOP", geography="mountains", seed=seed)
    assert found["z1-2"].outline.distance(found["z1-1"].outline) < 0.06 * UNIT


@pytest.mark.clause("AC-F14")
@pytest.mark.parametrize("seed", [1, 2])
def test_two_fields_share_a_side_or_are_halves_of_one(seed: int) -> None:
    found = shapes("Field, Field, Woodland, STOP", seed=seed)
    assert found["z1-1"].outline.exterior.intersection(found["z1-2"].outline.buffer(1.0)).length > 0.1 * UNIT


@pytest.mark.clause("AC-Q24")
def test_water_outside_takes_no_ground_from_the_table() -> None:
    inside, beyond = (
        next(
            laid("STOP", size="24x24", geography="coastal", water="S", ac_q24=where).battlefield.select_features(
                Kind.SEA
            )
        )
        for where in ("inside", "outside")
    )
    assert isinstance(inside, Area)
    assert isinstance(beyond, Area)
    assert inside.outline.bounds[3] > 0.1 * UNIT
    assert beyond.outline.bounds[3] <= 1e-6


@pytest.mark.clause("AC-F26")
def test_a_branch_is_worth_more_the_wider_and_shorter_its_curve_is():
    wide = _draw_curve((0.0, -UNIT), math.pi / 2, (UNIT, 0.0), 0.0, 0.5)
    sharp = _draw_curve((0.0, -0.2 * UNIT), math.pi / 2, (0.2 * UNIT, 0.0), 0.0, 0.5)
    assert _curve_score(wide, UNIT) > _curve_score(sharp, UNIT)
    assert np.allclose(wide[[0, -1]], [(0.0, -UNIT), (UNIT, 0.0)])


@pytest.mark.clause("AC-N35")
def test_lone_fields_lie_along_what_runs_near():
    spot = aligned_poses(box(0, 0, 500, 500), shapely.MultiLineString([LineString([(0, 0), (500, 250)])]))
    stream = Stream("test/aligned")
    for _ in range(8):
        _, _, turn = spot(stream, 1.0)
        off = (turn - math.degrees(math.atan2(250, 500))) % 90.0
        assert min(off, 90.0 - off) <= 5.001


@pytest.mark.clause("AC-G06", "AC-G04")
@pytest.mark.parametrize("seed", [1, 2])
def test_no_stream_crosses_a_hill_in_a_crowded_zone(seed: int) -> None:
    found = laid("Long Hill, Stream, Steep Hill, Hill", size="24x24", geography="mountains", seed=seed)
    streams = [stream.line for stream in courses(found, Kind.STREAM)]
    hills = [hill.outline for hill in areas(found) if isinstance(hill, Hill)]
    assert len(hills) + sum("AC-X12" in note for note in found.warnings) == 3
    assert shapely.union_all(streams).intersection(shapely.union_all(hills)).length < 1.5


ZONES = {
    f"z{3 * row + column + 1}": box(column * UNIT, (1 - row) * UNIT, (column + 1) * UNIT, (2 - row) * UNIT)
    for row in range(2)
    for column in range(3)
}


@pytest.mark.clause("AC-F04", "AC-F05", "AC-G01")
@pytest.mark.parametrize("seed", [1001, 1018, 1101])
def test_spurs_and_long_hills_keep_their_size_and_their_zone(seed):
    found = seeded(seed, geography="mountains")
    ridges = [one for kind in (Kind.SPUR, Kind.LONG_HILL) for one in found.battlefield.select_features(kind)]
    assert ridges
    for one in ridges:
        assert isinstance(one, Hill)
        assert ZONES[one.id[:2]].buffer(0.1).contains(one.outline)
        long, short, most = (0.5, 0.3, 1.3) if one.kind is Kind.SPUR else (0.85, 0.28, 1.2)
        assert fit_box(one.outline, (0.0, long * most * UNIT), (0.0, short * most * UNIT))[2] < 1.0
    assert broken_of(found) == {}


@pytest.mark.clause("AC-F05", "AC-G01")
def test_a_spur_that_runs_on_to_the_hill_beyond_breaks_its_clauses():
    beyond = hill("hill", Piece.HILL, oval(31, 36, 11, 8.6))
    kept = record(hill("spur", Piece.SPUR, plot(18.5, 36, 11, 7)), beyond)
    assert not {"AC-F05", "AC-G01"} & set(broken_of(kept))
    long = record(hill("spur", Piece.SPUR, plot(15, 36, 17.5, 7)), beyond)
    assert "AC-F05" in broken_of(long)
    over = record(hill("spur", Piece.SPUR, plot(19.5, 36, 12, 7)), beyond)
    assert "AC-G01" in broken_of(over)


def roads(found: Record) -> list[Course]:
    return [one for one in found.battlefield.features if isinstance(one, Course) and one.kind in ROADS]


def ends(road: Course) -> tuple[Point, Point]:
    return Point(road.line.coords[0]), Point(road.line.coords[-1])


def wilderness(seed: int = 23) -> Record:
    return seeded(seed, geography="wilderness", choice_policy="uniform")


@pytest.mark.clause("AC-N04", "AC-Q27")
def test_where_no_edge_is_free_a_second_type_of_road_leaves_by_the_used_one() -> None:
    (branch,) = joined({2: "Road, Track"}).roads.branches
    assert branch.arm == ZoneExit(to=To.EDGE, side=ZoneSide.NORTH)


@pytest.mark.clause("AC-N04", "AC-Q27")
@pytest.mark.parametrize("seed", [23, 543])
def test_two_roads_leave_by_one_edge_a_quarter_of_a_zone_apart(seed: int) -> None:
    found = wilderness(seed)
    assert broken_of(found) == {}
    leaving = sorted(end.x for road in roads(found) for end in ends(road) if end.y < 1.0)
    assert any(0.25 * UNIT <= last - first <= UNIT for first, last in pairwise(leaving))


@pytest.mark.clause("AC-N04")
def test_a_side_road_in_the_open_beside_an_edge_is_broken() -> None:
    found = wilderness()
    reaches = [{**one, "arms": [["open", ""]]} if one.get("branch") else one for one in found.details["reaches"]]
    spoiled = replace(found, details={**found.details, "reaches": reaches})
    assert "ends on open ground in zone 5" in broken_of(spoiled)["AC-N04"]


@pytest.mark.clause("AC-N04")
def test_roads_that_leave_one_edge_side_by_side_are_broken() -> None:
    found = wilderness()
    (first, at), (second, other), *_ = ((road, end) for road in roads(found) for end in ends(road) if end.y < 1.0)
    assert first is not second
    beside = changed(second.id, line=affinity.translate(second.line, at.x - other.x + 50.0))(found)
    assert "mm apart" in broken_of(beside)["AC-N04"]


LEAST = 0.4 * UNIT


def bent(radius: float) -> LineString:
    """Return a railroad over the table with an S-bend of two quarter arcs in it, of a radius in mm."""
    turns = np.linspace(0.0, math.pi / 2, 60)
    first = [(30 * INCH + radius * math.sin(turn), 10 * INCH + radius * (1 - math.cos(turn))) for turn in turns]
    x, y = first[-1]
    last = [(x + radius * (1 - math.cos(turn)), y + radius * math.sin(turn)) for turn in turns[1:]]
    return LineString([(0.0, 10 * INCH), *first, *last, (72 * INCH, last[-1][1])])


@pytest.mark.clause("AC-F26")
@pytest.mark.parametrize(("radius", "kept"), [(5 * INCH, False), (0.97 * LEAST, False), (1.01 * LEAST, True)])
def test_an_s_bend_is_as_wide_as_the_rule_says(radius, kept):
    line = bent(radius)
    assert bend_radius(line, 0.1 * UNIT) == pytest.approx(radius, rel=0.02)
    assert ("AC-F26" in broken_of(record(course("rail", Piece.RAILROAD, line)))) is not kept


@pytest.mark.clause("AC-F26", "AC-G07")
@pytest.mark.parametrize("seed", [1101, 1193, 1231, 1324])
def test_a_railroad_that_changes_its_row_or_branches_turns_widely(seed):
    found = seeded(seed)
    rails = [one for one in found.battlefield.select_features(Kind.RAILWAY) if isinstance(one, Course)]
    assert rails
    assert all(bend_radius(rail.line, 0.1 * UNIT) >= LEAST for rail in rails)
    assert broken_of(found) == {}


@pytest.mark.clause("AC-N32")
@pytest.mark.parametrize("seed", [1015, 1072])
def test_no_stream_runs_through_the_points_of_a_railroad(seed):
    bridges = [
        one for one in seeded(seed).battlefield.select_features(Kind.RAILWAY_BRIDGE) if isinstance(one, Crossing)
    ]
    assert all(one.at.distance(other.at) > 110 for one, other in combinations(bridges, 2))


def test_a_way_that_would_turn_straight_back_at_its_corner_is_straight() -> None:
    assert _round_corner((0.0, 0.0), (100.0, 0.0), (50.0, 0.0)).tolist() == [[0.0, 0.0], [50.0, 0.0]]


@pytest.mark.clause("AC-F17", "AC-F20", "AC-G02")
@pytest.mark.parametrize(
    ("seed", "geography", "kind"),
    [
        (1011, "swampy", Kind.DITCH),
        (1046, "swampy", Kind.DITCH),
        (1050, "riverside", Kind.DITCH),
        (1057, "coastal", Kind.DITCH),
        (1079, "plain", Kind.RAVINE),
        (1012, "mountains", Kind.RAVINE),
    ],
)
def test_ditches_begin_at_field_road_or_swamp_and_no_ravine_runs_under_a_place(
    seed: int, geography: str, kind: Kind
) -> None:
    found = seeded(seed, geography=geography)
    assert list(found.battlefield.select_features(kind))
    assert broken_of(found) == {}


@pytest.mark.clause("AC-F17")
@pytest.mark.parametrize(("start", "kept"), [((4, 36.5), True), ((4, 33.5), False)])
def test_the_judge_looks_at_both_ends_of_a_ditch(start, kept):
    """A field in the north-west of a zone, a pool in its south-east, and a ditch between that may miss the field."""
    drawn = record(
        area("field", Piece.FIELD, plot(5.5, 40, 8.4, 6)),
        area("pool", Piece.POOL, oval(13, 30, 3.8, 2.9)),
        course("ditch", Piece.DITCH, line(start, (12, 31))),
    )
    assert ("AC-F17" in broken_of(drawn)) is not kept


@pytest.mark.clause("AC-F20")
@pytest.mark.parametrize(
    ("piece", "size"), [(Piece.SETTLEMENT, (11, 9.6)), (Piece.FARM, (5.3, 4.3)), (Piece.ROCKS, (6, 4.8))]
)
def test_a_ravine_under_a_place_is_broken(piece, size):
    ravine = course("ravine", Piece.RAVINE, line((5, 30), (19, 30)))
    assert "AC-F20" not in broken_of(record(ravine, area("place", piece, plot(12, 40, *size))))
    assert "runs under place" in broken_of(record(ravine, area("place", piece, plot(12, 31, *size))))["AC-F20"]
