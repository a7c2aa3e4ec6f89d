"""How ground is laid: in which order, what keeps off what, and that what found no way gives way itself."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from shapely import LineString, box
from tables_by_hand import INCH, rules, settle, system

from printkit.chance.dice import Dice, Seeded
from printkit.chance.streams import Jitter, Stream
from printkit.kit.system import Outcome, Scenario
from printkit.systems.acw.ground.make_room import aligned
from printkit.systems.acw.ground.rails import _curve, _worth
from printkit.systems.acw.terms.tables import Tables, choice_list
from printkit.terrain.field.features import Area, Course, Feature, Hill, Kind

UNIT = 24 * INCH


def laid(pieces: str, geography: str = "farm", seed: int = 4, **given: str) -> Outcome:
    """Return a table of one zone that holds just these pieces."""
    settings = settle(geography=geography, choice_policy="none", **given)
    board = system().board(UNIT, UNIT, settings=settings)
    zones = [f"1: {pieces}"]
    scenario = Scenario(board=board, settings=settings, seed=seed, inputs={"zones": zones})
    return system().lay_out(scenario, Dice(Seeded(seed)), Jitter(seed))


def shapes(outcome: Outcome) -> dict[str, Feature]:
    return {feature.id: feature for feature in outcome.battlefield.features}


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
def test_what_is_laid_later_leaves_what_was_laid_before_as_it_was(first, then, same):
    before, after = shapes(laid(first)), shapes(laid(then))
    assert set(same) <= before.keys() & after.keys()
    for identity in same:
        one, other = before[identity], after[identity]
        if isinstance(one, Course):
            assert isinstance(other, Course)
            assert one.line.equals(other.line)
        else:
            assert isinstance(one, Area | Hill)
            assert isinstance(other, Area | Hill)
            assert one.outline.equals(other.outline)


@pytest.mark.clause("AC-G03", "AC-G02")
def test_what_is_rolled_first_but_laid_later_keeps_off_what_was_laid_before():
    alone, beside = shapes(laid("Scrub, STOP")), shapes(laid("Scrub, Forest, STOP"))
    scrub, forest = beside["z1-1"], beside["z1-2"]
    assert isinstance(scrub, Area)
    assert isinstance(forest, Area)
    assert isinstance(alone["z1-1"], Area)
    assert not scrub.outline.intersects(forest.outline)


@pytest.mark.clause("AC-F19", "AC-F18", "AC-Q15")
def test_a_creek_taken_by_choice_is_a_stream_twice_as_wide():
    found = laid("Stream, Creek, STOP")
    kinds = {one.id: one for one in found.battlefield.features if isinstance(one, Course)}
    assert (kinds["z1-1"].kind, kinds["z1-2"].kind) == (Kind.STREAM, Kind.CREEK)
    assert kinds["z1-2"].width == pytest.approx(0.06 * UNIT) == 2 * kinds["z1-1"].width
    assert kinds["z1-2"].going.name == "difficult"


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
def test_roads_have_their_sign_width_and_going(piece, kind, width, going):
    road = shapes(laid(f"{piece}, STOP"))["z1-1"]
    assert isinstance(road, Course)
    assert (road.kind, road.going.name) == (kind, going)
    assert road.width == pytest.approx(width * UNIT)


@pytest.mark.clause("AC-F25")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_scree_lies_at_the_foot_of_its_hill(seed):
    found = shapes(laid("Hill, Scree, STOP", geography="mountains", seed=seed))
    hill, scree = found["z1-1"], found["z1-2"]
    assert isinstance(hill, Hill)
    assert isinstance(scree, Area)
    assert scree.outline.distance(hill.outline) < 0.06 * UNIT


@pytest.mark.clause("AC-F14")
def test_two_fields_share_a_side_or_are_halves_of_one():
    for seed in (1, 2):
        found = shapes(laid("Field, Field, Woodland, STOP", seed=seed))
        one, other = found["z1-1"], found["z1-2"]
        assert isinstance(one, Area)
        assert isinstance(other, Area)
        shared = one.outline.exterior.intersection(other.outline.buffer(1.0)).length
        assert shared > 0.1 * UNIT


@pytest.mark.clause("AC-Q24")
def test_water_outside_takes_no_ground_from_the_table():
    inside = laid("STOP", geography="coastal", water="S")
    outside = laid("STOP", geography="coastal", water="S", ac_q24="outside")
    within, beyond = (next(found.battlefield.of(Kind.SEA)) for found in (inside, outside))
    assert isinstance(within, Area)
    assert isinstance(beyond, Area)
    assert within.outline.bounds[3] > 0.1 * UNIT
    assert beyond.outline.bounds[3] <= 1e-6


@pytest.mark.clause("AC-Q13")
def test_a_choice_may_take_from_all_tables():
    tables = Tables.of(rules())
    country = tables.geography("farm")
    own, every = (choice_list(tables, country, rules(ac_q13=text)) for text in ("own-table", "all-tables"))
    assert len(own) == 15 + 1
    assert len(every) == 33 + 1
    assert set(own) < set(every)


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
def test_no_stream_crosses_a_hill_in_a_crowded_zone():
    for seed in (1, 2):
        found = laid("Long Hill, Stream, Steep Hill, Hill", geography="mountains", seed=seed)
        streams = [one.line for one in found.battlefield.of(Kind.STREAM) if isinstance(one, Course)]
        hills = [one.outline for one in found.battlefield.features if isinstance(one, Hill)]
        notes = [note for note in found.warnings if "AC-X12" in note]
        assert len(hills) + len(notes) == 3
        assert shapely.union_all(streams).intersection(shapely.union_all(hills)).length < 1.5
