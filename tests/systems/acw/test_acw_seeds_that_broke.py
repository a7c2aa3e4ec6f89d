"""Tables on which a clause was once lost, many of them crowded; now they keep every clause."""

from __future__ import annotations

from typing import Any

import pytest
from seeded_tables import broken_of, ordered_table, seeded

BEYOND = {"ac_q20": "lanes", "ac_q21": "4", "ac_q24": "outside"}
"""A river or sea beyond the table, with much that runs towards it."""


def zones(contents: str) -> dict[str, list[str]]:
    """Return the list of a scenario that fixes what lies in each zone."""
    return {"zones": [f"{number}: {pieces}" for number, pieces in enumerate(contents.split(" / "), 1)]}


POOLS = zones(
    "Swamp, Wood, Ditch, Settlement / Stream, Field, Fenced Road, Pool / Hill, Swamp, STOP / "
    "Scrub, Stream, Fenced Road, Pool / Scrub, STOP / Rise, STOP / Hill, Stream, Ditch, Farm / "
    "Swamp, blank, Fenced Road / Wood, blank, STOP / Scrub, Wood, STOP / Scrub, STOP / Hill, Wood, Fenced Road, Pool / "
    "Stream, STOP / Wood, Swamp, Ditch, Building / Rise, Swamp, Railroad"
)
BRANCH = zones(
    "Hill, STOP / Rise, Field, Unfenced Road, Farm / Steep Hill, Wood, Unfenced Road, Building / "
    "Field, Wood, Fence Line / Steep Hill, Wall, Railroad, Unfenced Road / Steep Hill, Field, Unfenced Road / "
    "Wood, Wall, Railroad / Field, Stream, Railroad / Hill, Wall, Railroad, Stream"
)
FLANKS = zones(
    "STOP / Wood, Swamp, Hill / Steep Hill, Hill + Cliff, Ditch, Building / Wood, STOP / Wood, Stream, Hill, Swamp / "
    "Wood, Hill + Cliff, Railroad, Swamp"
)
VILLAGE = zones(
    "Wood, Stream, Fence Line, Building / Rise, Swamp, Unfenced Road, Stream / Rise, Swamp, Fence Line, Settlement / "
    "Wood, Wood, Unfenced Road, Settlement / STOP / Hill, Hill + Cliff, Fenced Road, Pool / STOP / Stream, STOP / "
    "Steep Hill, Wood, Ditch, Stream"
)
DITCH = zones(
    "Swamp, Pool, Rocks, Wood / Wood, Settlement, Ditch, Stream / Wood, Pool, Fence Line, Field / "
    "Hill + Cliff, Settlement, Ditch, Stream / Swamp, STOP / Stream, STOP"
)
SPRING = zones(
    "STOP / Hill, Hill + Cliff, Wood, Pool / Stream, Swamp, Fence Line, Building / Wood, STOP / "
    "Steep Hill, Swamp, Unfenced Road, Building / Steep Hill, Stream, Railroad, Unfenced Road"
)
ROUND = zones(
    "Fenced Road, Road, Pool, Track / Pool, Track, Pool, Road / Farm, Track, Fenced Road, Sunken Lane / "
    "Pool, Track, Farm, Fenced Road"
)

SEEDED = {
    "a stream in each of two zones along a creek": (
        254, (72, 48), {}, {"geography": "riverside", "water": "creek"},
    ),
    "a neck around a town": (
        31, (72, 48), {"campaign": ["town P0 in 1", "town P1 in 4"]},
        {"geography": "riverside", "water": "creek", "choice_policy": "uniform"},
    ),
    "a known swamp where another is rolled": (
        28, (72, 48), {"campaign": ["town P0 in 5", "known 2: Swamp"]},
        {"geography": "riverside", "water": "creek", "choice_policy": "none"},
    ),
    "mountains": (173, (96, 48), {}, {"geography": "mountains"}),
    "of Texas": (60, (72, 48), {}, {"state": "texas", "choice_policy": "uniform"}),
    "scree takes all of its sector": (227, (27, 72), {}, {}),
    "the hill above a spring moves away": (
        1403, (120, 108), {}, {"geography": "mountains", "choice_policy": "uniform"},
    ),
    "three works follow one field": (
        1808, (72, 84), {}, {"geography": "farm", "choice_policy": "uniform", "ac_q16": "wooded-zone"},
    ),
    "a road squeezes past a pool": (1901, (72, 120), POOLS, {"geography": "swampy", "ac_q20": "lanes"}),
    "a side road goes round a pool": (20051, (36, 48), ROUND, {"geography": "farm"}),
    "a stream that comes and goes with the creek is that creek": (
        50086, (26, 60), {}, {"geography": "riverside", "water": "creek", "choice_policy": "uniform"},
    ),
}  # fmt: skip


@pytest.mark.clause("AC-G08", "AC-211", "AC-N14", "AC-N25", "AC-F04", "AC-F07", "AC-F15", "AC-G05", "AC-T45")
@pytest.mark.parametrize(("seed", "size", "inputs", "given"), SEEDED.values(), ids=SEEDED)
def test_these_tables_keep_every_clause(
    seed: int, size: tuple[float, float], inputs: dict[str, Any], given: dict[str, Any]
) -> None:
    assert broken_of(seeded(seed, size, inputs=inputs, **given)) == {}


ORDERED = {
    "a ridge that meets a spur stays a ridge": (255, None, {}, {"geography": "mountains"}),
    "a fence that has a railroad behind it still runs along its field": (436, "38x41in", {}, {}),
    "a branch of the railroad may run straight into its line": (1528, "60x56in", BRANCH, {"ac_q24": "outside"}),
    "a fence goes round a field from each of its corners": (1364, None, {}, {"geography": "farm"}),
    "a swamp whose flanks are loosened stays at the water": (
        1137, None, FLANKS, {"geography": "riverside", "water": "S", **BEYOND},
    ),
    "a swamp that draws back from a village stays one with its neighbour": (
        1286, "55x72in", VILLAGE, {"geography": "riverside", "water": "W"},
    ),
    "a stream is led on to a hill that a road pushed away": (
        307, "72x48in", SPRING, {"geography": "riverside", "water": "E"},
    ),
    "a ditch reaches water that lies beyond the edge": (
        250, "30x66in", DITCH, {"geography": "coastal", "water": "E", **BEYOND},
    ),
}  # fmt: skip


@pytest.mark.clause(
    "AC-211", "AC-F04", "AC-F16", "AC-F17", "AC-G04", "AC-G05", "AC-G08", "AC-N04", "AC-N14", "AC-N25", "AC-N26",
    "AC-N32", "AC-N33", "AC-N34", "AC-N40",
)  # fmt: skip
@pytest.mark.parametrize(("seed", "board", "inputs", "given"), ORDERED.values(), ids=ORDERED)
def test_these_tables_as_a_person_orders_them_keep_every_clause(
    seed: int, board: str | None, inputs: dict[str, Any], given: dict[str, Any]
) -> None:
    assert broken_of(ordered_table(seed, board, inputs=inputs, **given)) == {}
