"""Spurs and long hills keep their size and their zone, and the judge wants them to."""

from __future__ import annotations

import pytest
from drawn_by_hand import UNIT, hill, oval, plot, record
from seeded_tables import broken_of, seeded
from shapely import box

from printkit.systems.acw.judge.case import box_of
from printkit.systems.acw.terms.pieces import Piece
from printkit.terrain.field.features import Hill, Kind

ZONES = {
    f"z{3 * row + column + 1}": box(column * UNIT, (1 - row) * UNIT, (column + 1) * UNIT, (2 - row) * UNIT)
    for row in range(2)
    for column in range(3)
}


@pytest.mark.clause("AC-F04", "AC-F05", "AC-G01")
@pytest.mark.parametrize("seed", [1001, 1018, 1101])
def test_spurs_and_long_hills_keep_their_size_and_their_zone(seed):
    found = seeded(seed, geography="mountains")
    ridges = [one for kind in (Kind.SPUR, Kind.LONG_HILL) for one in found.battlefield.of(kind)]
    assert ridges
    for one in ridges:
        assert isinstance(one, Hill)
        assert ZONES[one.id[:2]].buffer(0.1).contains(one.outline)
        long, short, most = (0.5, 0.3, 1.3) if one.kind is Kind.SPUR else (0.85, 0.28, 1.2)
        assert box_of(one.outline, (0.0, long * most * UNIT), (0.0, short * most * UNIT))[2] < 1.0
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
