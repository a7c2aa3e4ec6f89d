"""Tables on which a clause was once lost, many of them crowded or with narrow zones; now they keep every clause."""

from __future__ import annotations

from typing import Any

import pytest
from seeded_tables import broken_of, ordered_table, seeded

REST = {"ac_q02": "rest-east-south"}
"""A setting that leaves a strip along the edges, often an inch or two wide."""

NARROW = {"geography": "hilly", "state": "maryland, pennsylvania", **REST}
NARROW |= {"ac_q01": "swap36", "ac_q04": "separate", "ac_q05": "reroll", "ac_q06": "7", "ac_q08": "short-edges"}
NARROW |= {"ac_q09": "last", "ac_q11": "allow-corner", "ac_q13": "all-tables", "ac_q14": "together"}
NARROW |= {"ac_q16": "wooded-zone", "ac_q17": "merge", "ac_q19": "four", "ac_q21": "2", "ac_q27": "stub"}
"""A table whose southern zones are an inch deep, with a railroad through them."""

CREEK = {"geography": "riverside", "water": "creek", "choice_policy": "uniform", **REST}
CREEK |= {"ac_q05": "reroll", "ac_q14": "together", "ac_q15": "with-dice", "ac_q21": "2", "ac_q24": "outside"}

BEYOND = {"geography": "riverside", "ac_q04": "separate", "ac_q05": "reroll", "ac_q08": "uniform", "ac_q11": "again"}
BEYOND |= {"ac_q14": "together", "ac_q15": "stream", "ac_q17": "merge", "ac_q19": "three", "ac_q20": "lanes"}
BEYOND |= {"ac_q21": "4", "ac_q23": "profile", "ac_q24": "outside"}

DITCH = {"state": "Kentucky, Tennessee", "geography": "coastal", "ac_q01": "swap36", "ac_q03": "3,1,6,2,5,4"}
DITCH |= {"ac_q06": "6", "ac_q08": "own-flanks", "ac_q11": "again", "ac_q13": "all-tables", "ac_q20": "lanes"}
DITCH |= {"ac_q21": "4", "ac_q22": "yes", "ac_q24": "outside"}

BELT = {"geography": "M", "state": "Mississippi, Alabama, Arkansas", "ac_q07": "both", "ac_q08": "own-flanks", **REST}
BELT |= {"ac_q14": "together", "ac_q15": "with-dice", "ac_q16": "belt-everywhere", "ac_q20": "lanes", "ac_q22": "yes"}

WINDING = {"geography": "R", "names": "medieval", "ac_q01": "swap36", "ac_q05": "reroll", "ac_q07": "town", **REST}
WINDING |= {"ac_q08": "short-edges", "ac_q09": "last", "ac_q13": "all-tables", "ac_q15": "with-dice"}
WINDING |= {"ac_q17": "merge", "ac_q21": "2", "ac_q22": "no", "ac_q23": "profile", "ac_q24": "outside"}

SEEDED = {
    "of Louisiana": (156, (144, 72), {"state": "louisiana", "ac_q15": "with-dice", "choice_policy": "uniform"}),
    "mountains": (173, (96, 48), {"geography": "mountains"}),
    "of Texas": (60, (72, 48), {"state": "texas", "ac_q15": "with-dice", "choice_policy": "uniform"}),
    "a railroad turns smoothly in a zone an inch deep": (1022, (67, 49), NARROW),
    "scree takes all of its sector": (227, (27, 72), {}),
    "the hill above a spring moves away": (1403, (120, 108), {"geography": "mountains", "choice_policy": "uniform"}),
    "three works follow one field": (
        1808, (72, 84), {"geography": "farm", "choice_policy": "uniform", "ac_q16": "wooded-zone"},
    ),
    "a road squeezes past a pool": (
        1901, (72, 120), {"geography": "swampy", "choice_policy": "tidy", "ac_q17": "merge", "ac_q20": "lanes"},
    ),
}  # fmt: skip


@pytest.mark.clause("AC-G08", "AC-211", "AC-N14", "AC-N25", "AC-F04", "AC-F07", "AC-F15", "AC-F26", "AC-G05", "AC-T45")
@pytest.mark.parametrize(("seed", "size", "given"), SEEDED.values(), ids=SEEDED)
def test_these_tables_keep_every_clause(seed: int, size: tuple[float, float], given: dict[str, Any]) -> None:
    assert broken_of(seeded(seed, size, **given)) == {}


ORDERED = {
    "a ridge that meets a spur stays a ridge": (255, None, {"geography": "mountains"}),
    "a stream winds and a fence runs along the road of a strip": (
        105, "25x36in", {"geography": "coastal", "water": "N", "ac_q14": "together", **REST},
    ),
    "a fence that has a railroad behind it still runs along its field": (436, "38x41in", {}),
    "in a strip too streams rise at the foot": (
        324, "49x53in", {"geography": "mountains", "ac_q14": "together", **REST},
    ),
    "in a strip too fords lie along their road": (467, "26x57in", {"geography": "F", "ac_q03": "4,1,5,3,6,2", **REST}),
    "a railroad passes a strip nearly straight": (778, "27x57in", {"geography": "C", **REST}),
    "a side road of a strip leads to its house": (852, "29x35in", {"geography": "mountains", **REST}),
    "a stream is led on to a hill that a swamp pushed away": (
        1065, "59x34in", {"geography": "swampy", "ac_q01": "swap36", "ac_q14": "together", **REST},
    ),
    "water leaves a strip along its edge ground for a railroad": (667, "26x54in", REST),
    "water leaves it ground on the flanks too": (763, "50x33in", {"geography": "R", "ac_q08": "own-flanks", **REST}),
    "a branch of the railroad may run straight into its line": (
        1528, "60x56in", {"ac_q22": "yes", "ac_q24": "outside"},
    ),
    "a fence goes round a field from each of its corners": (1364, None, {"geography": "farm"}),
    "a stream that comes and goes with the creek is that creek": (92002, "60x72in", {**CREEK, "ac_q27": "stub"}),
    "a swamp whose flanks are loosened stays at the water": (1137, None, BEYOND),
    "a swamp of swapped tables stays at the water": (
        384, None,
        {"geography": "R", "ac_q01": "swap36", "ac_q07": "none", "ac_q20": "lanes", "ac_q24": "outside", **REST},
    ),
    "a swamp that draws back from a village stays one with its neighbour": (
        1286, "55x72in", {"state": "Mississippi, Alabama, Arkansas", "water": "W", "ac_q14": "together"},
    ),
    "a ditch reaches water that lies beyond the edge": (250, "30x66in", DITCH),
    "a stream is led on to a hill that a road pushed away": (
        307, "72x48in",
        {"ac_q08": "short-edges", "ac_q14": "together", "ac_q19": "three", "ac_q20": "none", "ac_q22": "no", **REST},
    ),
    "a side road goes round a pool": (
        927, "68x56in",
        {"geography": "R", "ac_q08": "own-flanks", "ac_q09": "last", "ac_q20": "lanes", "ac_q21": "1", **REST},
    ),
    "a belt goes round the clearing of a small zone": (1313, "26x64in", BELT),
    "a stream winds as far as a strip lets it": (1555, "65x49in", {**WINDING, "ac_q27": "join"}),
}  # fmt: skip


@pytest.mark.clause(
    "AC-211", "AC-F04", "AC-F13", "AC-F16", "AC-F17", "AC-F18", "AC-F19", "AC-G04", "AC-G05", "AC-G08", "AC-N04",
    "AC-N13", "AC-N14", "AC-N25", "AC-N26", "AC-N32", "AC-N33", "AC-N34", "AC-N40", "AC-Q16",
)  # fmt: skip
@pytest.mark.parametrize(("seed", "board", "given"), ORDERED.values(), ids=ORDERED)
def test_these_tables_as_a_person_orders_them_keep_every_clause(
    seed: int, board: str | None, given: dict[str, Any]
) -> None:
    assert broken_of(ordered_table(seed, board, **given)) == {}
