"""The judge on boards drawn by hand, each with one thing that the rules forbid."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from dba3_boards import area, course, hill, kept, record, scaled, verdict, waterway, woods
from msgspec.structs import replace
from shapely import Point, Polygon, box
from shapely.ops import substring

from printkit.chance.dice import Throw
from printkit.kit.registry import find
from printkit.terrain.field.battlefield import Battlefield, Board, Edge, Overlay
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Going, Hill, Kind

SYSTEM = find("dba3")
SEA = Polygon([(0, 0), (15, 0), (15, 2.5), (0, 2.5)])


def die(name: str, score: int) -> Throw:
    return Throw(stage="placement", reason=f"quarter of {name}", asked="d6", answer=str(score))


def road(*points: tuple[float, float]) -> Course:
    return course("road-1", Kind.ROAD, *points)


def river(*points: tuple[float, float], wide: float = 0.6) -> Course:
    return course("river", Kind.RIVER, *points, wide=wide)


def ford(x: float, y: float) -> Crossing:
    at = Point(x * 40, y * 40)
    return Crossing(
        id="crossing-1", kind=Kind.FORD, at=at, bearing=0, way="road-1", water="river", going=Going(0, "good")
    )


HAMLET, CITY, FORT, PLOUGH = Kind.HAMLET, Kind.CITY, Kind.FORT, Kind.PLOUGH
MARSHES: list[Feature] = [
    area(f"marsh-{n}", Kind.MARSH, left, low, left + 3, low + 2)
    for n, (left, low) in enumerate(((1, 1), (5, 1), (1, 5), (5, 5)))
]

BROKEN: list[tuple[str, list[Feature], list[Feature]]] = [
    ("D3-22", [woods("woods-1", 1, 1, 6, 5)], [woods("woods-1", 1, 1, 6.1, 5)]),
    ("D3-23", [woods("woods-1", 1, 1, 3, 2)], [woods("woods-1", 1, 1, 2.9, 1.95)]),
    ("D3-24", [woods("woods-1", 1, 1, 3, 2), woods("woods-2", 4, 1, 7, 3)],
     [woods("woods-1", 1, 1, 3, 2), woods("woods-2", 4, 1, 6.9, 3)]),
    ("D3-25", [woods("woods-1", 1, 1, 5, 3)], [woods("woods-1", 1, 1, 5.1, 3)]),
    ("D3-25", [course("gully", Kind.GULLY, (1, 2), (6, 2), wide=1)], [woods("woods-1", 1, 1, 6, 2)]),
    ("D3-26", [course("gully", Kind.GULLY, (1, 2), (4, 2), wide=1)],
     [course("gully", Kind.GULLY, (1, 2), (3.9, 2), wide=1)]),
    ("D3-32", [area("plough-1", PLOUGH, 5, 1, 9, 4)], [area("plough-1", PLOUGH, 1, 1, 5, 4)]),
    ("D3-32", [area("plough-1", PLOUGH, 1, 5, 5, 9)], [area("plough-1", PLOUGH, 6, 6, 9, 9)]),
    ("D3-33", [hill("hill-1", 5, 1, 9, 4)], [hill("hill-1", 6, 6, 9, 9)]),
    ("D3-34", [woods("woods-1", 4, 1, 7.5, 4)], [woods("woods-1", 4, 1, 7.7, 4)]),
    ("D3-35", [river((0, 6), (15, 6))], [river((0, 6), (15, 9))]),
    ("D3-36", [woods("woods-1", 1, 1, 4, 4), woods("woods-2", 5, 1, 7, 4)],
     [woods("woods-1", 1, 1, 4, 4), woods("woods-2", 4.9, 1, 7, 4)]),
    ("D3-36", [waterway(SEA), woods("woods-1", 1, 3.5, 4, 6)], [waterway(SEA), woods("woods-1", 1, 3.4, 4, 6)]),
    ("D3-36", [woods("woods-1", 1, 1, 4, 4), area("bua", HAMLET, 4.2, 1, 7, 3)],
     [woods("woods-1", 1, 1, 4, 4), area("bua", Kind.MARSH, 4.2, 1, 7, 3)]),
    ("D3-37", [woods("woods-1", 1, 1, 4, 4), area("bua", HAMLET, 8, 0, 11, 2)], [woods("woods-1", 0.9, 1, 4, 4)]),
    ("D3-38", [area("bua", HAMLET, 0, 0, 3, 2)], [area("bua", HAMLET, -0.1, 0, 3, 2)]),
    ("D3-38", [area("bua", CITY, 2, 2, 5, 4), hill("hill-1", 1, 1, 6, 5)],
     [area("bua", HAMLET, 2, 2, 5, 4), hill("hill-1", 1, 1, 6, 5)]),
    ("D3-41", [area("bua", CITY, 3, 3, 6, 6), area("bua-2", HAMLET, 7, 1, 10, 3)],
     [area("bua", FORT, 3, 3, 6.1, 6)]),
    ("D3-42", [area("bua", FORT, 2, 2, 5, 4), hill("hill-1", 1, 1, 6, 5)],
     [area("bua", FORT, 2, 2, 6.1, 4), hill("hill-1", 1, 1, 6, 5)]),
    ("D3-43", [area("bua", HAMLET, 1, 1, 4, 3)], [area("bua", HAMLET, 6, 1, 9, 3)]),
    ("D3-44", [waterway(SEA)], [waterway(box(0, 0, 14, 2))]),
    ("D3-44", [waterway(box(0, 11, 15, 15))], [waterway(box(0, 10.9, 15, 15))]),
    ("D3-46", [river((0, 6), (15, 6), wide=1)], [river((0, 6), (15, 6), wide=1.1)]),
    ("D3-47", [river((0, 6), (15, 6))], [river((0, 6), (12, 6))]),
    ("D3-47", [waterway(SEA), river((6, 15), (6, 2.5))], [river((6, 15), (9, 8), (12, 15))]),
    ("D3-48", [river((0, 5), (7.5, 13), (15, 5))], [river((0, 5), (7.5, 14), (15, 5))]),
    ("D3-49", [river((0, 4.3), (15, 4.3))], [river((0, 4.3), (7, 4.1), (15, 4.3))]),
    ("D3-50", [road((0, 6), (15, 6))], [course("road-1", Kind.ROAD, (0, 6), (15, 6), wide=1.1)]),
    ("D3-51", [road((0, 6), (15, 6))], [road((0, 6), (14, 6))]),
    ("D3-51", [area("bua", HAMLET, 9, 5, 12, 7), road((0, 6), (9, 6))], [road((0, 3), (7, 8), (15, 3))]),
    ("D3-52", [waterway(SEA), road((6, 15), (6, 2.6))], [waterway(SEA), road((0, 2), (15, 2))]),
    ("D3-53", [woods("woods-1", 1, 5, 4, 7), river((0, 6), (15, 6))],
     [hill("hill-1", 1, 5, 4, 7), river((0, 6), (15, 6))]),
    ("D3-54", [river((0, 6), (15, 6)), road((5, 0), (5, 15)), ford(5, 6)],
     [river((0, 6), (15, 6)), road((5, 0), (5, 15))]),
    ("D3-12", [area("oasis", Kind.OASIS, 1, 1, 4, 3)],
     [area(f"oasis-{n}", Kind.OASIS, 1 + 4 * n, 1, 4 + 4 * n, 3) for n in (0, 1)]),
    ("D3-13", [road((0, 6), (15, 6))], [course(f"road-{n}", Kind.ROAD, (0, n), (15, n)) for n in (3, 6, 9)]),
    ("D3-14", MARSHES[:3], MARSHES),
    ("D3-40", [area("bua", HAMLET, 1, 1, 4, 3)], [area("bua", Kind.TOWN, 1, 1, 4, 3)]),
]  # fmt: skip


@pytest.mark.clause(
    "D3-12..D3-14", "D3-22..D3-26", "D3-32..D3-38", "D3-40..D3-44", "D3-46..D3-54"
)  # fmt: skip
@pytest.mark.parametrize(("clause", "good", "bad"), BROKEN)
def test_a_clause_is_kept_or_broken(clause: str, good: list[Feature], bad: list[Feature]) -> None:
    assert kept(SYSTEM, clause, good)
    assert not kept(SYSTEM, clause, bad)


@pytest.mark.clause("D3-1")
def test_the_side_of_the_board() -> None:
    assert kept(SYSTEM, "D3-1", [])
    assert kept(SYSTEM, "D3-1", [], side=20)
    found = record(SYSTEM, [])
    tiny = replace(found, battlefield=Battlefield(board=Board(560, 560, found.battlefield.board.scale)))
    assert SYSTEM.judge(tiny)[0].state == "broken"


@pytest.mark.clause("D3-17..D3-21")
def test_going_is_that_of_the_type() -> None:
    right: list[Area | Hill | Course] = [
        hill("hill-1", 1, 1, 4, 3),
        area("scrub-1", Kind.SCRUB, 5, 1, 7, 3),
        woods("woods-1", 9, 1, 12, 3),
        waterway(SEA),
    ]  # fmt: skip
    for clause, wrong in zip(("D3-17", "D3-18", "D3-19", "D3-20"), right, strict=True):
        assert kept(SYSTEM, clause, right)
        if clause != "D3-17":
            assert not kept(SYSTEM, clause, [replace(wrong, going=Going(0, "good"))])
    bad_road = course("road-1", Kind.ROAD, (0, 6), (15, 6))
    assert not kept(SYSTEM, "D3-17", [replace(bad_road, going=Going(2, "bad"))])
    field = area("plough-1", PLOUGH, 5, 1, 9, 4)
    assert kept(SYSTEM, "D3-21", [field])
    assert not kept(SYSTEM, "D3-21", [field], settings={"plough": "wet"})


def told(home: str, *pieces: tuple[str, str, bool, int | None], gone: tuple[str, ...] = ()) -> dict[str, Any]:
    names = [
        {"id": each, "terrain": terrain, "compulsory": compulsory, "of": 1, "quarter": quarter}
        for each, terrain, compulsory, quarter in pieces
    ]
    return {"terrain": {"home": home, "pieces": names, "discarded": [{"id": each} for each in gone]}}


WOOD, MARSH = woods("woods-1", 1, 1, 4, 3), area("marsh-1", Kind.MARSH, 9, 9, 12, 11)
FOREST = (("woods-1", "woods", True, 1), ("marsh-1", "marsh", False, 3), ("river", "river", False, None))


class TestChoice:
    @pytest.mark.clause("D3-4")
    def test_as_few_compulsory_pieces_as_are_due_are_enough_without_a_list(self) -> None:
        assert kept(SYSTEM, "D3-4", [WOOD], settings={"home": "forest"})
        assert verdict(SYSTEM, "D3-4", [MARSH], settings={"home": "forest"})[0] == "not judged"

    @pytest.mark.clause("D3-2", "D3-4", "D3-10", "D3-11", "D3-15", "D3-39")
    def test_what_the_record_tells_agrees_with_the_board(self) -> None:
        good = told("forest", *FOREST, gone=("river",))
        for clause in ("D3-2", "D3-4", "D3-10", "D3-11", "D3-15", "D3-39"):
            assert kept(SYSTEM, clause, [WOOD, MARSH], details=good), clause
        assert verdict(SYSTEM, "D3-5", [WOOD, MARSH], details=good)[0] == "not judged"

    @pytest.mark.clause("D3-2", "D3-4", "D3-10", "D3-11", "D3-15", "D3-16", "D3-39")
    @pytest.mark.parametrize(
        ("clause", "details"),
        [
            ("D3-2", told("forest", ("woods-1", "woods", True, 2), *FOREST[1:], gone=("river",))),
            ("D3-4", told("forest", ("marsh-1", "marsh", True, 3), ("woods-1", "woods", False, 1))),
            ("D3-10", told("forest", *((each[0], each[1], False, each[3]) for each in FOREST))),
            ("D3-11", told("steppe", *FOREST, gone=("river",))),
            ("D3-15", told("forest", ("road-1", "road", True, None))),
            ("D3-39", told("forest", *FOREST)),
            ("D3-39", told("forest", *FOREST, gone=("river", "woods-1"))),
        ],
    )
    def test_and_where_it_does_not(self, clause: str, details: dict[str, Any]) -> None:
        assert not kept(SYSTEM, clause, [WOOD, MARSH], details=details)

    @pytest.mark.clause("D3-16")
    def test_both_of_a_pair(self) -> None:
        dunes = area("dunes-1", Kind.DUNES, 9, 1, 12, 3)
        details = told("littoral", ("waterway", "waterway", True, 1))
        assert kept(SYSTEM, "D3-16", [WOOD, MARSH], details=details)
        assert not kept(SYSTEM, "D3-16", [WOOD, dunes], details=details)


class TestDice:
    @pytest.mark.clause("D3-28", "D3-29", "D3-30", "D3-31", "D3-45")
    def test_quarters_follow_the_dice(self) -> None:
        chosen = Throw(stage="placement", reason="quarter of marsh-1 for the invader", asked="choice of 4", answer="3")
        log = [die("woods-1", 1), die("marsh-1", 6), chosen]
        for clause in ("D3-29", "D3-31"):
            assert kept(SYSTEM, clause, [WOOD, MARSH], log=log)
        assert not kept(SYSTEM, "D3-29", [WOOD], log=[die("woods-1", 2)])
        other = Throw(stage="placement", reason="quarter of marsh-1 for the defender", asked="choice of 4", answer="2")
        assert not kept(SYSTEM, "D3-30", [MARSH], log=[die("marsh-1", 5), other])
        assert not kept(SYSTEM, "D3-31", [MARSH], log=[die("marsh-1", 6), other])
        assert kept(SYSTEM, "D3-45", [waterway(SEA)], log=[die("waterway", 4)])
        assert not kept(SYSTEM, "D3-45", [waterway(SEA)], log=[die("waterway", 3)])
        assert verdict(SYSTEM, "D3-29", [WOOD])[0] == "not judged"
        details = told("forest", *FOREST, gone=("river",))
        assert kept(SYSTEM, "D3-28", [WOOD, MARSH], log=log, details=details)
        assert not kept(SYSTEM, "D3-28", [WOOD, MARSH], log=log[1:] + log[:1], details=details)

    @pytest.mark.clause("D3-28")
    def test_what_nobody_tells_of_is_placed_among_the_last(self) -> None:
        details = told("forest", *FOREST, gone=("river",))
        stray = [die("woods-1", 1), die("stray", 2), die("marsh-1", 3)]
        assert kept(SYSTEM, "D3-28", [WOOD, MARSH], log=stray, details=details)
        early = [stray[1], stray[0], stray[2]]
        assert verdict(SYSTEM, "D3-28", [WOOD, MARSH], log=early, details=details) == (
            "broken", "woods-1 is placed after stray",
        )  # fmt: skip


@pytest.mark.clause("D3-33")
def test_a_gentle_hill_may_lie_in_one_quarter_or_two_that_adjoin() -> None:
    assert kept(SYSTEM, "D3-33", [hill("hill-1", 2, 2, 5, 5)])
    assert kept(SYSTEM, "D3-33", [hill("hill-1", 6, 2, 9, 5)])
    assert not kept(SYSTEM, "D3-33", [hill("hill-1", 6, 6, 9, 9)])


@pytest.mark.clause("D3-19")
def test_a_difficult_hill_is_difficult_all_round_and_no_other_clause_says_so() -> None:
    whole = hill("hill-1", 2, 2, 5, 5, steep=True)
    (face,) = whole.faces
    off = SYSTEM.book.numbers["ratio_off"]
    for short, state in ((0.0, True), (0.99 * off, True), (1.01 * off, False), (0.5, False)):
        cut = replace(face, line=substring(face.line, 0, (1 - short) * face.line.length))
        steep = [replace(whole, faces=(cut,))]
        assert kept(SYSTEM, "D3-19", steep) is state
        assert kept(SYSTEM, "D3-17", steep)
        assert kept(SYSTEM, "D3-20", steep)


class TestZones:
    FACTS: ClassVar = {
        "defender": "B", "invader": "A", "defender_edge": "near", "invader_edge": "far", "deploys_first": "B",
        "moves_first": "A",
    }  # fmt: skip

    def judged(self, clause: str, shape: Polygon | None = None, kind: str = "deployment", **changes: str) -> bool:
        facts = {"deployment": {**self.FACTS, **changes}}
        found = record(SYSTEM, [waterway(SEA)] if clause == "D3-56" else [], details=facts)
        zones = () if shape is None else (Overlay(kind=kind, shape=scaled(shape), side="B"),)
        field = replace(found.battlefield, overlays=zones)
        state = next(v.state for v in SYSTEM.judge(replace(found, battlefield=field)) if v.clause == clause)
        assert state != "not judged"
        return state == "kept"

    @pytest.mark.clause("D3-55..D3-60", "D3-66")
    def test_edges_and_zones(self) -> None:
        assert self.judged("D3-55")
        assert not self.judged("D3-55", invader_edge=Edge.LEFT.value)
        assert self.judged("D3-56", defender_edge="far", invader_edge="near")
        assert not self.judged("D3-56")
        assert self.judged("D3-57", box(4, 0, 11, 4.5))
        assert not self.judged("D3-57", box(4, 0, 11, 5))
        assert not self.judged("D3-60", box(4, 0, 11, 7))
        assert not self.judged("D3-58", box(3.9, 0, 11, 4.5))
        assert self.judged("D3-59", box(2, 0, 13, 4.5), "flank")
        assert not self.judged("D3-59", box(1.9, 0, 13, 4.5), "flank")
        assert self.judged("D3-66")
        assert not self.judged("D3-66", moves_first="B")
