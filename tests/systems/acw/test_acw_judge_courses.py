"""The judge of links, ends, mouths, sources and creeks finds what is planted, also at the seams of a clause."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from drawn_by_hand import Change, area, broken, changed, country, course, hill, line, moved, oval, plot, record, without
from msgspec.structs import replace
from shapely import box
from tables_by_hand import INCH, joined, log_of, settle, system
from test_acw_judge_shapes import belted

from printkit.systems.acw.network.recorded_network import graph_values
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import CreekPath, ZoneSide
from printkit.terrain.field.features import Feature, Origin
from printkit.terrain.field.record import Record

EMPTY = {"links": [], "mouths": [], "sources": []}


def told(pieces: dict[int, str], *features: Feature, geography: str = "farm", **parts: Any) -> Record:
    """Return a record of zones with pieces and of what is drawn for them; ``parts`` are those of its graph."""
    rolls = [
        {"zone": one.zone, "roll": one.roll, "die": None, "cell": "", "fate": "given", "piece": one.piece.key,
         "throw": None}
        for one in log_of(pieces).results if one.piece is not None
    ]  # fmt: skip
    edge = parts.pop("water", None)
    network = {"roads": {"links": [], "ends": []}, "streams": EMPTY, "rail": None, "swamps": [], "creek": None, **parts}
    water = {"edge": edge, "kind": "river"} if edge else None
    found = record(*features, details={"zones": rolls, "graph": network, "water": water, "geography": geography})
    return replace(found, settings=settle(geography=geography))


ROADS = {1: "Road", 3: "Fenced Road", 4: "Settlement"}


@cache
def roads() -> Record:
    """A road from the east by three zones, and south to a settlement."""
    return told(
        ROADS,
        course("z1-1", Piece.ROAD, line((48, 36), (30, 35), (24, 36), (12, 36), (12, 24), (12, 12))),
        course("z3-1", Piece.FENCED_ROAD, line((48, 36), (72, 36))),
        area("z4-1", Piece.SETTLEMENT, plot(12, 12, 11, 9.6)),
        roads={"links": [[1, 2, 3]], "ends": [[1, "settlement 4"], [3, "edge E"]]},
    )


STREAM = {2: "Stream, Hill"}


@cache
def brook() -> Record:
    """A stream from the foot of a hill to a river in the south, by a zone between."""
    return told(
        STREAM,
        area("water", Piece.RIVER, box(0, 0, 72 * INCH, 4.8 * INCH)),
        hill("z2-2", Piece.HILL, oval(31, 41, 11, 8.6)),
        course("z2-1", Piece.STREAM, line((36.6, 38), (38, 32), (36, 24), (38, 12), (37, 4))),
        geography="riverside",
        water="S",
        streams={"links": [], "mouths": [[2, "water S via 5"]], "sources": [[2, "foot of Hill"]]},
    )


CREEK = CreekPath(path=(3, 2, 1, 4), entry=ZoneSide.EAST, exit=ZoneSide.SOUTH)


@cache
def creek() -> Record:
    """A creek that comes in from the east and turns south in the last column."""
    return told(
        {},
        course(
            "creek", Piece.CREEK, line((72, 36), (60, 37), (48, 36), (24, 36), (13, 34), (12, 24), (11, 12), (12, 0))
        ),
        geography="riverside",
        creek={"path": [3, 2, 1, 4], "entry_edge": "E", "exit_edge": "S"},
    )


def drawn(identity: str, *points: tuple[float, float]) -> Change:
    return changed(identity, line=line(*points))


@pytest.mark.clause("AC-N02", "AC-N10", "AC-N20", "AC-N25", "AC-N30")
def test_what_is_told_and_drawn_by_hand_is_what_the_zones_give_and_breaks_nothing():
    assert graph_values(joined(ROADS))["roads"] == roads().details["graph"]["roads"]
    assert graph_values(joined(STREAM, water="S"))["streams"] == brook().details["graph"]["streams"]
    assert graph_values(joined({}, creek=CREEK))["creek"] == creek().details["graph"]["creek"]
    for found, clauses in ((roads(), ("AC-N02", "AC-N10")), (brook(), ("AC-N20", "AC-N25")), (creek(), ("AC-N30",))):
        verdicts = {verdict.clause: verdict for verdict in system().judge(found)}
        assert [verdicts[clause].state for clause in clauses] == ["kept"] * len(clauses)


PLANTED: dict[str, list[tuple[Callable[[], Record], Change, str]]] = {
    "AC-N02": [
        (roads, without("z1-1"), "connects zones 1 and 2"),
        (roads, drawn("z1-1", (47, 36), (24, 36), (12, 36), (12, 12)), "connects zones 2 and 3"),
        (roads, drawn("z3-1", (49, 36), (72, 36)), "connects zones 2 and 3"),
        (
            lambda: drawn("z3-1", (49, 36), (72, 36))(roads()),
            drawn("z1-1", (47, 36), (24, 36), (12, 36), (12, 12)),
            "connects zones 2 and 3",
        ),
    ],
    "AC-N10": [
        (roads, drawn("z1-1", (48, 36), (24, 36), (12, 36), (12, 25)), "nothing reaches settlement 4 of zone 1"),
        (roads, moved("z4-1", 0, -16), "nothing reaches settlement 4"),
        (roads, drawn("z3-1", (48, 36), (66, 36)), "nothing reaches edge E of zone 3"),
    ],
    "AC-N20": [
        (brook, drawn("z2-1", (36.6, 38), (38, 32), (36, 24), (38, 12)), "nothing reaches water S via 5 of zone 2"),
        (brook, moved("z2-1", 24, 0), "nothing reaches water S"),
    ],
    "AC-N25": [
        (brook, moved("z2-2", -1, 2), "nothing reaches foot of Hill of zone 2"),
        (brook, drawn("z2-1", (38, 32), (36, 24), (38, 12), (37, 4)), "nothing reaches foot of Hill"),
    ],
    "AC-N30": [
        (creek, drawn("creek", (70, 36), (24, 36), (12, 24), (12, 0)), "does not reach edge E of zone 3"),
        (creek, drawn("creek", (72, 36), (24, 36), (12, 24), (12, 2)), "does not reach edge S of zone 4"),
    ],
}  # fmt: skip


@pytest.mark.clause("AC-N02", "AC-N10", "AC-N20", "AC-N25", "AC-N30")
@pytest.mark.parametrize(
    ("clause", "made", "change", "fault"), [(clause, *plant) for clause, plants in PLANTED.items() for plant in plants]
)
def test_the_judge_finds_a_planted_fault_of_the_network(
    clause: str, made: Callable[[], Record], change: Change, fault: str
) -> None:
    assert fault in broken(change(made()), clause)


ROLL = {"zone": 1, "roll": 1, "die": 3, "cell": "Road", "fate": "kept", "piece": "road", "throw": 1}


@pytest.mark.clause("AC-F13")
def test_a_gap_where_the_ring_of_a_belt_begins_is_one_gap() -> None:
    assert "one gap" in broken(belted((-50, 50)), "AC-F13")
    assert "one gap" in broken(belted((-5, 95)), "AC-F13")
    assert broken(belted((-25, 25), (155, 205)), "AC-F13") == ""


@pytest.mark.clause("AC-G04")
def test_what_was_rolled_is_missed_though_another_of_its_kind_passes_the_zone() -> None:
    passing = replace(course("z2-1", Piece.ROAD, line((0, 36), (48, 36))), origin=Origin(throws=(2,)))
    assert "belongs to no feature" in broken(record(passing, details={"zones": [ROLL]}), "AC-G04")
    known = {**ROLL, "die": None, "fate": "given", "throw": None}
    assert broken(record(passing, details={"zones": [known]}), "AC-G04") == ""


@pytest.mark.clause("AC-F20")
def test_a_ravine_holds_a_stream_that_is_long_enough_also_where_it_meets_another() -> None:
    stream = course("stream", Piece.STREAM, line((28, 25), (43, 25)))
    ravines = [course(f"ravine-{x}", Piece.RAVINE, line((x - 7, 36), (x + 7, 36))) for x in (16, 32)]
    assert "does not contain" in broken(record(*ravines, stream), "AC-F20")
    short = course("stream", Piece.STREAM, line((28, 25), (36, 25)))
    assert broken(record(*ravines, short), "AC-F20") == ""
    assert "does not contain" in broken(record(ravines[1], short), "AC-F20")


@pytest.mark.clause("AC-F17")
def test_a_head_farther_from_all_water_than_a_ditch_is_long_is_none() -> None:
    pool = area("pool", Piece.POOL, plot(25.5, 36, 2, 2))
    ditch = course("ditch", Piece.DITCH, line((26.5, 36), (36.5, 36)))
    far = area("field", Piece.FIELD, plot(45, 30, 1, 6))
    near = area("field", Piece.FIELD, plot(40, 28, 8, 6))
    assert broken(record(pool, ditch, far), "AC-F17") == ""
    assert "begins" in broken(record(pool, ditch, near), "AC-F17")
    assert "begins" in broken(record(ditch, far), "AC-F17")


@pytest.mark.clause("AC-211")
def test_a_railroad_in_two_parts_does_not_run_across() -> None:
    west = changed("railroad", line=line((0, 16.5), (30, 16.5)))(without("trestle")(country()))
    assert "no railroad crosses the table from one edge" in broken(west, "AC-N31")
