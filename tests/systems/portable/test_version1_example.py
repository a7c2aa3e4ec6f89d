"""The worked example of version 1 from its dice to its areas (PW-WE1)."""

from __future__ import annotations

from typing import Any

import pytest
from first_version import board, cell, covered, dice_of, spent, standing, terms

from printkit.systems.portable.grid.sketch import Sketch
from printkit.systems.portable.version1.hills import hills
from printkit.systems.portable.version1.places import habitation, trees
from printkit.terrain.field.features import Kind

RIVER, ROAD = "6 2 4 1", "2 3 3 6 2"
HILLS = "6  1 4 5 1 6  2  1 3 6  2 3 4  1 1 5  2 2 2  3 4 5"
NO_GROUND: dict[str, Any] = dict.fromkeys(("hills", "trees", "settlements", "villages", "towns", "mountains"), "0")

TREES = "5  3  1 2 5  2 3 4  1 2 6  2 4 6"
PLACES = "4  2  5 6 2  1 3 5  4 6 6  1 3 4"

COVER = {
    "sq-8x8": {
        **dict.fromkeys(["3;2", "3;3", "3;4", "5;6", "6;5", "7;7", "7;8"], 0.6), "4;6": 0.4, "6;6": 0.4, "7;6": 0.2,
    },
    "hex-9x8": {**dict.fromkeys(["6;8", "6;9", "3;4", "3;5"], 0.7), "3;6": 0.4, "4;6": 0.4, "6;4": 0.4, "7;3": 0.2},
}  # fmt: skip
"""How much of each area the river and road of the lost diagrams cover, as far as the captions tell."""

EXPECTED = {
    "sq-8x8": ("3;5 4;7 5;7 6;7 8;3", "3;8 5;1 6;2 8;1", "3;5 4;6 6;6 7;6"),
    "hex-9x8": ("3;1 4;1 4;8 5;5 7;1", "3;8 4;8 5;8 7;2", "3;6 4;6 6;4 7;3"),
}


def check(found: Sketch, name: str) -> None:
    high, woods, places = (text.split() for text in EXPECTED[name])
    assert standing(found, Kind.HILL) == high
    assert [piece.contours for piece in found.of(Kind.HILL)] == [1, 1, 2, 1, 2]
    assert standing(found, Kind.WOODLAND) == woods
    assert standing(found, Kind.SETTLEMENT, Kind.VILLAGE) == places
    assert [piece.kind for piece in found.of(Kind.SETTLEMENT, Kind.VILLAGE)] == [*[Kind.SETTLEMENT] * 3, Kind.VILLAGE]


@pytest.mark.clause("PW-WE1", "PW-WE1-d", "PW-WE1-e", "PW-WE1-f", "PW-WE1-g")
@pytest.mark.clause("PW1-30", "PW1-31", "PW1-33", "PW1-40", "PW1-51", "PW1-52", "PW1-54", "PW1-55", "PWA-01")
@pytest.mark.parametrize("name", ["sq-8x8", "hex-9x8"])
def test_all_areas_follow_from_the_dice_and_from_what_the_captions_call_covered(name: str) -> None:
    found, own = covered(COVER[name], name), terms(name)
    for stage, scores in ((hills, HILLS), (trees, TREES), (habitation, PLACES)):
        dice = dice_of(scores)
        found = stage(own, found, dice)
        assert spent(dice)
    check(found, name)


@pytest.mark.clause("PW1-15", "PW1-25", "PW1-01", "PW0-03", "PWA-03")
def test_the_whole_game_on_hexes_follows_from_its_dice_and_two_straight_lines() -> None:
    """The lines are those that fit the captions: the river narrow, the road nearer to the corners than its stations."""
    dice = dice_of(f"{HILLS} {TREES} {PLACES}")
    road = "from top 2% to right 79% crossings ford"
    lines = {"rivers": ["from top-right to bottom 30% width 1"], "roads": [road]}
    found = board(dice, "hex-9x8", inputs=lines, pw1__river_width="0.1", pw1__road_width="0.7", pw1__sliver="0.12")
    assert spent(dice)
    check(found, "hex-9x8")


@pytest.mark.clause("PW-WE1-a", "PW1-13")
def test_directions_and_stations_of_the_text() -> None:
    """Dice 3 and 2: in by the right edge, out by the bottom; stations 4 and 1: its upper part, the middle."""
    dice = dice_of("3 2 4 1 1")
    (river,) = board(dice, "sq-8x8", road="0", **NO_GROUND).ways
    assert spent(dice)
    assert river.told["from"] == {"slot": "right", "share": pytest.approx(3 / 12)}
    assert river.told["to"] == {"slot": "bottom", "share": pytest.approx(5 / 12)}


@pytest.mark.clause("PW-WE1-b", "PW-WE1-c")
@pytest.mark.clause("PW1-11", "PW1-12", "PW1-13", "PW1-14", "PW1-16", "PW1-20", "PW1-21", "PW1-22")
@pytest.mark.parametrize("name", ["sq-8x8", "hex-9x8"])
def test_river_and_road_follow_from_their_dice(name: str) -> None:
    dice = dice_of(f"{RIVER} {ROAD}")
    found = board(dice, name, **NO_GROUND)
    assert spent(dice)
    river, road = found.ways
    assert (river.told["from"]["slot"], river.told["to"]) == ("top-right", {"slot": "bottom", "share": 0.25})
    assert road.told["from"] == {"slot": "top", "share": pytest.approx(1 / 12)}
    assert road.told["to"] == {"slot": "right", "share": pytest.approx(11 / 12)}
    assert [passage.kind for passage in found.passages] == [Kind.FORD]
    assert river.told["areas"] == 1


@pytest.mark.clause("PW0-09", "PW1-32")
def test_the_first_hill_on_squares_passes_what_the_captions_name() -> None:
    found = hills(terms(), covered(COVER["sq-8x8"]), dice_of(HILLS))
    first = next(found.of(Kind.HILL))
    assert first.told["count"] == 13
    assert first.told["passed"] == [list(cell(text)) for text in ("3;2", "3;3", "3;4")]
    assert first.told["dice"] == [1, 3, 6]
