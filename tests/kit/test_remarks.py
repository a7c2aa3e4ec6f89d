"""Ground that nobody can cross: which features, and the share of the board that they cut off."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from shapely import LineString, Point, box

from printkit.core.words import find_words
from printkit.kit.remarks import add_barrier_note, barrier_lines, find_barrier
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Going, Kind

CLOSED, GOOD = Going(3, "impassable"), Going(0, "good")


def river(x: float, *, going: Going = CLOSED, end: float = 1000.0) -> Course:
    """Return a river 40 mm wide from the near edge of the board up to ``end``, at ``x`` mm from the left."""
    line = LineString([(x, 0), (x, end)])
    return Course(id="river", kind=Kind.RIVER, line=line, width=40.0, going=going, name="River Wyre")


def crossing(x: float) -> Crossing:
    """Return a bridge over the river."""
    kind = Kind.BRIDGE
    return Crossing(id="bridge", kind=kind, at=Point(x, 400), bearing=0.0, route="road", water="river", going=GOOD)


def field(features: Sequence[Feature]) -> Battlefield:
    """Return a battlefield of 1 m by 1 m with features."""
    board = Board(1000.0, 1000.0, GroundScale(pace=0.25, base_width=40.0))
    return Battlefield(board=board, features=tuple(features))


LAKE = Area(id="lake", kind=Kind.LAKE, outline=box(200, 600, 400, 1000), going=CLOSED)


@pytest.mark.parametrize(
    ("features", "names", "share"),
    [
        ([river(300)], ["river"], 0.28),
        ([river(700)], ["river"], 0.28),
        ([river(300), crossing(300)], [], 0.0),
        ([river(300, going=GOOD)], [], 0.0),
        ([river(300, end=900)], [], 0.0),
        # Less than a twentieth of the board is a strip that nobody has to reach.
        ([river(69)], [], 0.0),
        ([river(71)], ["river"], 0.051),
        ([river(300, end=650), LAKE], ["river", "lake"], 0.248),
        ([LAKE], [], 0.0),
        ([], [], 0.0),
    ],
)
def test_a_barrier_cuts_off_ground_that_no_crossing_opens(
    features: Sequence[Feature], names: Sequence[str], share: float
) -> None:
    barrier = find_barrier(field(features))
    assert [feature.id for feature in barrier.features] == names if barrier is not None else not names
    assert share == pytest.approx(barrier.share if barrier is not None else 0.0, abs=0.001)


def test_the_key_and_the_notices_name_it_in_both_languages() -> None:
    blocked = field([river(300)])
    notes = add_barrier_note({"river": "Rolled 4"}, blocked, find_words("en+es"))["river"]
    assert "Rolled 4. Nobody can cross here: 28 % of the board is cut off." in notes
    assert "Nadie puede cruzar por aquí: el 28 % del tablero queda aislado." in notes
    (line,) = barrier_lines(blocked, find_words("en"))
    assert str(line) == "River Wyre: nobody can cross here; 28 % of the board is cut off"
    assert not barrier_lines(field([river(300), crossing(300)]), find_words("en"))
