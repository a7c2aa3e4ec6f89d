"""How ground is laid: in which order, what keeps off what, and that what found no way gives way itself."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely
from drawn_by_hand import UNIT
from shapely import LineString, box
from test_acw_ground import areas, courses, laid

from printkit.chance.streams import Stream
from printkit.systems.acw.ground.make_room import aligned
from printkit.systems.acw.ground.rails import _curve, _worth
from printkit.terrain.field.features import Area, Course, Hill, Kind


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
        next(laid("STOP", size="24x24", geography="coastal", water="S", ac_q24=where).battlefield.of(Kind.SEA))
        for where in ("inside", "outside")
    )
    assert isinstance(inside, Area)
    assert isinstance(beyond, Area)
    assert inside.outline.bounds[3] > 0.1 * UNIT
    assert beyond.outline.bounds[3] <= 1e-6


@pytest.mark.clause("AC-F26")
def test_a_branch_is_worth_more_the_wider_and_shorter_its_curve_is():
    wide = _curve((0.0, -UNIT), math.pi / 2, (UNIT, 0.0), 0.0, 0.5)
    sharp = _curve((0.0, -0.2 * UNIT), math.pi / 2, (0.2 * UNIT, 0.0), 0.0, 0.5)
    assert _worth(wide, UNIT) > _worth(sharp, UNIT)
    assert np.allclose(wide[[0, -1]], [(0.0, -UNIT), (UNIT, 0.0)])


@pytest.mark.clause("AC-N35")
def test_lone_fields_lie_along_what_runs_near():
    spot = aligned(box(0, 0, 500, 500), shapely.MultiLineString([LineString([(0, 0), (500, 250)])]))
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
