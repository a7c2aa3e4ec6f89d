"""Ditches lead from somewhere to the water, and nobody lives over a ravine."""

from __future__ import annotations

import pytest
from drawn_by_hand import area, course, line, oval, plot, record
from seeded_tables import broken_of, seeded

from printkit.systems.acw.terms.pieces import Piece
from printkit.terrain.field.features import Kind


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
    assert list(found.battlefield.of(kind))
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
