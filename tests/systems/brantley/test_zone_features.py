"""Features in their zones: margins, sizes, turns, places, and recorded ones that do not fit."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest
from playing import BOOK, EVERYTHING, NO_COURSES, RED, play
from shapely import affinity, box

from printkit.core.errors import DiceError, PlacementError, ScenarioError
from printkit.kit.system import Outcome
from printkit.systems.brantley.dealing.inputs import Inputs
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Hill
from printkit.terrain.geometry.outlines import fit_outline

INCH = 25.4


def board(seed: int, side: float | None = None, **settings: str) -> Battlefield:
    return play(f"4 4 4 4 {NO_COURSES} 1 2", zones=EVERYTHING, seed=seed, side=side, settings=settings).battlefield


def ground(field: Battlefield) -> list[Area | Hill]:
    return [feature for feature in field.features if isinstance(feature, (Area, Hill))]


@pytest.mark.clause("BR-G02", "BR-G03", "BR-G06", "BR-343", "BR-105")
@pytest.mark.parametrize("margin", ["0.5", "0.75", "1.5"])
def test_features_keep_their_margins_and_so_apart(margin):
    for seed in range(4):
        field = board(seed, margin=margin)
        zones = field.board.zones(3, 3)
        assert len(ground(field)) == 9
        for feature in ground(field):
            room = zones[feature.origin.zone - 1].buffer(-float(margin) * INCH, join_style="mitre")
            assert room.buffer(1e-6).covers(feature.outline)
        for one, two in combinations(ground(field), 2):
            assert one.outline.distance(two.outline) >= 2 * float(margin) * INCH - 1e-6


@pytest.mark.clause("BR-G11..BR-G18", "BR-G05")
@pytest.mark.parametrize("seed", range(6))
def test_sizes_stay_in_their_ranges_whatever_the_turn(seed):
    names = [zone["result"] for zone in play(f"4 4 4 4 {NO_COURSES} 1 2", zones=EVERYTHING).details["zones"]]
    for name, feature in zip(names, ground(board(seed)), strict=True):
        least, most = BOOK.numbers[f"{name}_min"] * INCH, BOOK.numbers[f"{name}_max"] * INCH
        assert feature.outline.is_valid
        assert feature.outline.exterior.is_simple
        boxes = []
        for turn in range(0, 180, 5):
            left, low, right, high = affinity.rotate(feature.outline, -turn, origin=(0, 0)).bounds
            boxes.append(least - 0.05 <= min(right - left, high - low) and max(right - left, high - low) <= most + 0.05)
        assert any(boxes), feature.id


@pytest.mark.clause("BR-G11", "BR-G12", "BR-G16")
def test_built_up_ground_has_corners_and_hills_bulge():
    for seed in range(3):
        by_zone = {feature.origin.zone: feature.outline for feature in ground(board(seed))}
        town, wood, hill = by_zone[1], by_zone[2], by_zone[7]
        assert 5 <= len(town.simplify(4.0).exterior.coords) - 1 <= 9
        assert hill.area / hill.convex_hull.area > 0.96
        assert wood.area / wood.convex_hull.area < hill.area / hill.convex_hull.area


@pytest.mark.clause("BR-G04", "BR-342", "BR-M28")
def test_features_vary_in_size_turn_and_place_from_seed_to_seed():
    fields = [ground(board(seed)) for seed in range(12)]
    for alike in zip(*fields, strict=True):
        areas, middles = [each.outline.area for each in alike], [each.outline.centroid for each in alike]
        assert max(areas) > 1.15 * min(areas)
        assert len({(round(middle.x / 6), round(middle.y / 6)) for middle in middles}) > 4
    spans = [max(np.ptp(f.outline.exterior.coords, axis=0)) for field in fields for f in field]
    assert np.mean(spans) > 4.5 * INCH


@pytest.mark.clause("BR-G01", "BR-G02")
def test_other_boards_scale_with_their_side():
    small, large = board(4), board(4, side=36 * INCH)
    for one, two in zip(ground(small), ground(large), strict=True):
        assert two.outline.area == pytest.approx(2.25 * one.outline.area, rel=0.06)
        room = large.board.zones(3, 3)[two.origin.zone - 1].buffer(-0.75 * 1.5 * INCH, join_style="mitre")
        assert room.buffer(1e-6).covers(two.outline)


@pytest.mark.clause("BR-T32", "BR-G05")
def test_a_feature_that_does_not_fit_is_shrunk_as_far_as_it_must_be():
    turned = affinity.rotate(box(-3, -2.5, 3, 2.5), 45)
    assert np.ptp(turned.exterior.coords, axis=0) == pytest.approx([7.778, 7.778], abs=0.001)
    shrunk, factor = fit_outline(turned, box(-3.25, -3.25, 3.25, 3.25), size=(6, 5), min_size=(3, 3))
    assert 6 * factor <= 5.02
    assert 5 * factor <= 4.18
    assert box(-3.25, -3.25, 3.25, 3.25).buffer(1e-9).covers(shrunk)
    assert fit_outline(turned, box(-2, -2, 2, 2), size=(6, 5), min_size=(3, 3)) is None


def recorded(line: str) -> Outcome:
    return play(f"{NO_COURSES} 1 2", zones="KS " + RED[3:], features=[line])


@pytest.mark.clause("BR-T32", "BR-X19")
@pytest.mark.parametrize(
    ("line", "found", "allowed"),
    [
        ("z1 size 6.0x5.0 turn 45", "z1 is 7.78 x 7.78 in", "6.5 x 6.5 in"),
        ("z1 size 6.5x4", "built-up area is 6.5 in", "maximum is 6 in"),
        ("z1 size 4x2.5", "built-up area is 2.5 in", "minimum is 3 in"),
        ("z1 size 4x4 turn 0 at 2.0,20.0", "z1 is 0.8 in", "too close to the sides of its zone"),
    ],
)
def test_a_recorded_feature_that_does_not_fit_is_refused_with_both_lengths(line, found, allowed):
    with pytest.raises(PlacementError, match=f"{re.escape(found)}.*{re.escape(allowed)}") as caught:
        recorded(line)
    assert caught.value.clause == "BR-X19"


@pytest.mark.clause("BR-343", "BR-342")
def test_a_recorded_feature_lies_as_it_was_written_and_what_a_line_leaves_out_is_chosen():
    written = "z1 size 4.0x5.0 turn 0 at 4.0,20.5"
    outcome = recorded(f"{written}  # a town")
    (town,) = outcome.battlefield.features
    assert town.outline.bounds == pytest.approx([1.5 * INCH, 18.5 * INCH, 6.5 * INCH, 22.5 * INCH])
    assert town.origin.throws == ()
    assert outcome.details["inputs"]["features"] == [written]
    sized = recorded("z1 size 4x4")
    (town,) = sized.battlefield.features
    asked = [sized.log[place - 1].reason.split(" of ")[0] for place in town.origin.throws]
    assert asked == ["facing", "place in its zone"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("z1 size", "line 1 of the features is 'z1 size'"),
        ("z1 width 4", "line 1 of the features"),
        ("z1 size 4", "line 1 of the features"),
        ("1 size 4x4", "line 1 of the features"),
        ("z0 size 4x4", "there is no zone 0"),
        ("z2 size 4x4", "the card of zone 2 does not place anything there"),
        ("z1 steep 1", "z1 is not a hill"),
    ],
)
def test_a_line_about_a_feature_that_makes_no_sense_is_named(line, message):
    with pytest.raises(ScenarioError, match=message):
        recorded(line)


@pytest.mark.clause("BR-X06")
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"decks": []}, "no list 'decks'; use one of deck, placements"),
        ({"deck": 3}, "deck is not a list of texts"),
        ({"deck": [3]}, "deck is not a list of texts"),
        ({"zones": ["AS"], "deck": ["AS"]}, "use either zones or deck and placements"),
        ({"features": ["z1 turn 5", "z1 turn 6"]}, "line 2 of the features repeats zone 1, already in line 1"),
        ({"zones": "AS 2S"}, "zones has 2 cards"),
        ({"zones": "AS " * 9}, "AS is in 9 zones"),
    ],
)
def test_lists_that_make_no_sense_or_have_not_nine_different_cards_are_named(given, message):
    of_cards = isinstance(given.get("zones"), str)
    with pytest.raises(DiceError if of_cards else ScenarioError, match=message) as caught:
        Inputs.from_scenario(given)
    assert not of_cards or caught.value.clause == "BR-X06"
