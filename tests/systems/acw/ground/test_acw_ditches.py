"""Ditches lead from somewhere to the water, and nobody lives over a ravine."""

from __future__ import annotations

import pytest
from drawn_by_hand import area, course, line, oval, plot, record
from seeded_tables import broken_of, seeded

from printkit.systems.acw.terms.pieces import Piece
from printkit.terrain.field.features import Course, Kind

AT = 0.06 * 24 * 25.4


@pytest.mark.clause("AC-F17")
@pytest.mark.parametrize(
    ("seed", "geography"), [(1011, "swampy"), (1046, "swampy"), (1050, "riverside"), (1057, "coastal")]
)
def test_ditches_begin_at_field_road_or_swamp_and_reach_the_water(seed, geography):
    found = seeded(seed, geography=geography)
    assert [one for one in found.battlefield.of(Kind.DITCH) if isinstance(one, Course)]
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


@pytest.mark.clause("AC-F17")
def test_a_head_farther_from_the_water_than_a_ditch_is_long_is_none():
    drawn = record(
        area("field", Piece.FIELD, plot(5.5, 44, 8.4, 6)),
        area("pool", Piece.POOL, oval(20, 26, 3.8, 2.9)),
        course("ditch", Piece.DITCH, line((9, 30), (18.5, 26.5))),
    )
    assert "AC-F17" not in broken_of(drawn)


@pytest.mark.clause("AC-F20")
@pytest.mark.parametrize(
    ("piece", "size"), [(Piece.SETTLEMENT, (11, 9.6)), (Piece.FARM, (5.3, 4.3)), (Piece.ROCKS, (6, 4.8))]
)
def test_a_ravine_under_a_place_is_broken(piece, size):
    ravine = course("ravine", Piece.RAVINE, line((5, 30), (19, 30)))
    assert "AC-F20" not in broken_of(record(ravine, area("place", piece, plot(12, 40, *size))))
    assert "runs under place" in broken_of(record(ravine, area("place", piece, plot(12, 31, *size))))["AC-F20"]


@pytest.mark.clause("AC-F20", "AC-G02")
@pytest.mark.parametrize(("seed", "geography"), [(1079, "plain"), (1012, "mountains")])
def test_no_ravine_runs_under_a_place_and_each_holds_its_stream(seed, geography):
    found = seeded(seed, geography=geography)
    assert list(found.battlefield.of(Kind.RAVINE))
    assert broken_of(found) == {}
