"""Hills: what their dice make of them, their sides, and their upper contours."""

from __future__ import annotations

from itertools import pairwise

import pytest
import shapely
from playing import BOOK, HILLS, NO_COURSES, RED, play

from printkit.core.errors import ScenarioError
from printkit.terrain.field.features import Hill, Kind

INCH = 25.4


def hill(card: str, dice: str, *, seed: int = 1, **settings: str) -> Hill:
    """Return the one hill of a board, in zone 1."""
    outcome = play(f"{dice} {NO_COURSES} 1 2", zones=f"{card} {RED[3:]}", seed=seed, settings=settings)
    (found,) = outcome.battlefield.features
    assert isinstance(found, Hill)
    return found


@pytest.mark.parametrize(
    ("card", "dice", "steep", "cover", "going", "clauses"),
    [
        pytest.param("9S", "4 4", 0, None, "good", "BR-309 BR-322 BR-331",
                     marks=pytest.mark.clause("BR-T11", "BR-322", "BR-331", "BR-G24")),
        pytest.param("9C", "5 1", 1, "heavy_woods", "impassable", "BR-309 BR-323 BR-329",
                     marks=pytest.mark.clause("BR-T12", "BR-323", "BR-329", "BR-G25")),
        pytest.param("10S", "6 3", 2, "light_woods", "bad", "BR-310 BR-324 BR-330",
                     marks=pytest.mark.clause("BR-T13", "BR-324", "BR-330")),
        pytest.param("JS", "6 6", 4, None, "impassable", "BR-311 BR-325 BR-331",
                     marks=pytest.mark.clause("BR-T14", "BR-321", "BR-325", "BR-G25")),
        pytest.param("JS", "3 2", 0, "light_woods", "bad", "BR-311 BR-322 BR-330",
                     marks=pytest.mark.clause("BR-T15", "BR-321")),
        pytest.param("JC", "4 5", 1, None, "good", "BR-311 BR-323 BR-331",
                     marks=pytest.mark.clause("BR-T16", "BR-321")),
        pytest.param("JC", "5 4", 2, None, "good", "BR-311 BR-324 BR-331",
                     marks=pytest.mark.clause("BR-T17", "BR-321")),
    ],
)  # fmt: skip
def test_the_worked_hills(card, dice, steep, cover, going, clauses):
    found = hill(card, dice)
    assert len({face.side for face in found.faces}) == len(found.faces) == steep
    assert (found.cover, found.going.name) == (cover, going)
    assert found.origin.clauses == tuple(clauses.split())
    assert len(found.contours) == (2 if card[0] == "J" else 1)


@pytest.mark.clause("BR-G17", "BR-G21", "BR-G22")
@pytest.mark.parametrize("seed", range(10))
def test_the_four_sides_are_the_whole_outline_none_too_short_or_long_and_the_upper_contour_lies_well_inside(seed):
    found = hill("JS" if seed % 2 else "9S", "6 6", seed=seed)
    low, high = BOOK.numbers["arc_share_min"], BOOK.numbers["arc_share_max"]
    for face in found.faces:
        assert low <= face.line.length / found.outline.length <= high
        left = face.line.offset_curve(2.0)
        assert found.outline.contains(left.interpolate(0.5, normalized=True))
    if seed % 2:
        assert len(found.faces) == 4
        assert sum(face.line.length for face in found.faces) == pytest.approx(found.outline.length)
        for one, two in pairwise([*found.faces, found.faces[0]]):
            assert shapely.Point(one.line.coords[-1]).distance(shapely.Point(two.line.coords[0])) < 0.01
    outer, inner = hill("JC", "1 6", seed=seed).contours
    assert outer.contains(inner)
    assert outer.exterior.distance(inner) >= BOOK.numbers["inner_gap_min"] * INCH - 0.01
    assert BOOK.numbers["inner_share_min"] <= inner.area / outer.area <= BOOK.numbers["inner_share_max"]


@pytest.mark.clause("BR-327", "BR-M28")
def test_steep_sides_are_chosen_by_chance_among_all_pairs():
    pairs = {tuple(face.side for face in hill("9S", "6 4", seed=seed).faces) for seed in range(40)}
    assert pairs == {(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)}


@pytest.mark.clause("BR-M28")
@pytest.mark.parametrize("seed", range(8))
def test_steep_sides_may_face_the_enemy(seed):
    """A puts the hill of zone 1 down, so its steep sides look to the near edge."""
    one, two = (hill("9S", dice, seed=seed, steep="facing-enemy") for dice in ("5 4", "6 4"))

    (first,) = one.faces
    middle = first.line.interpolate(0.5, normalized=True)
    assert middle.y < one.outline.centroid.y
    assert {first.side} < {face.side for face in two.faces}


@pytest.mark.clause("BR-321", "BR-326", "BR-328", "BR-332", "BR-G23")
def test_a_hill_is_turned_only_when_its_dice_are_known_and_its_steep_sides_alone_are_impassable():
    outcome = play(f"6 4 {NO_COURSES} 1 2", zones=f"9S {RED[3:]}")
    (found,) = outcome.battlefield.features
    throws = [outcome.log[place - 1] for place in found.origin.throws]
    asked = ["slopes", "woods on z1", "steep sides", "size", "facing", "place in its zone"]
    assert [throw.reason.split(" of ")[0] for throw in throws] == asked
    assert (found.going.name, len(found.faces)) == ("good", 2)
    for face in found.faces:
        assert (face.kind, face.going.name) == (Kind.STEEP_SLOPE, "impassable")
        assert found.outline.exterior.buffer(0.01).covers(face.line)


@pytest.mark.clause("BR-327")
def test_recorded_sides_are_taken_and_have_to_be_as_many_as_the_dice_say():
    zones = f"9S {RED[3:]}"
    outcome = play(f"6 4 {NO_COURSES} 1 2", zones=zones, features=["z1 steep 1,3"])
    assert [face.side for face in outcome.battlefield.features[0].faces] == [1, 3]
    for line in ("z1 steep 1", "z1 steep 1,1", "z1 steep 1,4"):
        with pytest.raises(ScenarioError, match="line 1 of the features gives z1 the steep slopes") as caught:
            play(f"6 4 {NO_COURSES} 1 2", zones=zones, features=[line])
        assert caught.value.clause == "BR-327"


@pytest.mark.clause("BR-D8")
def test_another_hill_leaves_the_outline_of_the_first_as_it_was():
    few = play(f"4 4 {NO_COURSES} 1 2", zones=f"9S {RED[3:]}")
    many = play(f"4 4 {'4 4 ' * 5} {NO_COURSES} 1 2", zones=HILLS)
    assert few.battlefield.features[0].outline.equals(many.battlefield.features[0].outline)
