"""The judge on boards drawn by hand, each with one thing that the rules forbid."""

from __future__ import annotations

from typing import Any

import pytest
from dba3_boards import GOOD, area, course, hill, kept, record, scaled, waterway, woods
from msgspec.structs import replace
from shapely import Point, Polygon, affinity, box
from shapely.ops import substring

from printkit.kit.registry import find
from printkit.terrain.field.battlefield import Edge, Overlay
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Going, Hill, Kind

SYSTEM = find("dba3")
SEA = Polygon([(0, 0), (15, 0), (15, 2.5), (0, 2.5)])


def road(*points: tuple[float, float]) -> Course:
    return course("road-1", Kind.ROAD, *points)


def river(*points: tuple[float, float]) -> Course:
    return course("river", Kind.RIVER, *points, wide=0.6)


def ford(x: float, y: float) -> Crossing:
    at = scaled(Point(x, y))
    return Crossing(id="crossing-1", kind=Kind.FORD, at=at, bearing=0, route="road-1", water="river", going=GOOD)


HAMLET, CITY, FORT, PLOUGH = Kind.HAMLET, Kind.CITY, Kind.FORT, Kind.PLOUGH
MARSHES: list[Feature] = [
    area(f"marsh-{n}", Kind.MARSH, left, low, left + 3, low + 2)
    for n, (left, low) in enumerate(((1, 1), (5, 1), (1, 5), (5, 5)))
]

BROKEN: list[tuple[str, list[Feature], list[Feature]]] = [
    ("D3-25", [course("gully", Kind.GULLY, (1, 2), (6, 2), wide=1)], [woods("woods-1", 1, 1, 6, 2)]),
    ("D3-32", [area("plough-1", PLOUGH, 5, 1, 9, 4)], [area("plough-1", PLOUGH, 1, 1, 5, 4)]),
    ("D3-32", [area("plough-1", PLOUGH, 1, 5, 5, 9)], [area("plough-1", PLOUGH, 6, 6, 9, 9)]),
    ("D3-33", [hill("hill-1", 5, 1, 9, 4)], [hill("hill-1", 6, 6, 9, 9)]),
    ("D3-34", [woods("woods-1", 4, 1, 7.5, 4)], [woods("woods-1", 4, 1, 7.7, 4)]),
    ("D3-35", [river((0, 6), (15, 6))], [river((0, 6), (15, 9))]),
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
    ("D3-47", [river((0, 6), (15, 6))], [river((0, 6), (12, 6))]),
    ("D3-47", [waterway(SEA), river((6, 15), (6, 2.5))], [river((6, 15), (9, 8), (12, 15))]),
    ("D3-49", [river((0, 4.3), (15, 4.3))], [river((0, 4.3), (7, 4.1), (15, 4.3))]),
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


@pytest.mark.clause("D3-12..D3-14", "D3-25", "D3-32..D3-38", "D3-40..D3-44", "D3-47", "D3-49", "D3-51..D3-54")
@pytest.mark.parametrize(("clause", "good", "bad"), BROKEN)
def test_a_clause_is_kept_or_broken(clause: str, good: list[Feature], bad: list[Feature]) -> None:
    assert kept(SYSTEM, clause, good)
    assert not kept(SYSTEM, clause, bad)


@pytest.mark.clause("D3-40")
@pytest.mark.parametrize(
    ("settings", "state"),
    [({"bua": "city,hamlet"}, True), ({"bua": "city"}, False), ({"bua": "none"}, False), ({"hamlet": "false"}, False)],
)
def test_a_built_up_area_is_one_of_those_that_may_come(settings: dict[str, str], state: bool) -> None:
    assert kept(SYSTEM, "D3-40", [area("bua", HAMLET, 1, 1, 4, 3)], settings=settings) is state


@pytest.mark.clause("D3-17..D3-21")
def test_going_is_that_of_the_type() -> None:
    scrub, way = area("scrub-1", Kind.SCRUB, 5, 1, 7, 3), road((0, 6), (15, 6))
    right: list[Area | Hill | Course] = [
        hill("hill-1", 1, 1, 4, 3),
        scrub,
        woods("woods-1", 9, 1, 12, 3),
        waterway(SEA),
    ]
    wrong = (replace(way, going=Going(2, "bad")), *(replace(each, going=GOOD) for each in right[1:]))
    for clause, one in zip(("D3-17", "D3-18", "D3-19", "D3-20"), wrong, strict=True):
        assert kept(SYSTEM, clause, right)
        assert not kept(SYSTEM, clause, [one])
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
    @pytest.mark.clause("D3-2", "D3-11", "D3-15", "D3-39")
    def test_what_the_record_tells_agrees_with_the_board(self) -> None:
        good = told("forest", *FOREST, gone=("river",))
        for clause in ("D3-2", "D3-11", "D3-15", "D3-39"):
            assert kept(SYSTEM, clause, [WOOD, MARSH], details=good), clause

    @pytest.mark.clause("D3-2", "D3-11", "D3-15", "D3-16", "D3-39")
    @pytest.mark.parametrize(
        ("clause", "details"),
        [
            ("D3-2", told("forest", ("woods-1", "woods", True, 2), *FOREST[1:], gone=("river",))),
            ("D3-11", told("steppe", *FOREST, gone=("river",))),
            ("D3-15", told("forest", ("road-1", "road", True, None))),
            ("D3-39", told("forest", *FOREST)),
            ("D3-39", told("forest", *FOREST, gone=("river", "woods-1"))),
        ],
    )
    def test_and_where_it_does_not(self, clause: str, details: dict[str, Any]) -> None:
        assert not kept(SYSTEM, clause, [WOOD, MARSH], details=details)

    @pytest.mark.clause("D3-45")
    @pytest.mark.parametrize(("quarter", "state"), [(4, True), (3, False)])
    def test_a_waterway_borders_on_its_quarter(self, quarter: int, state: bool) -> None:
        details = told("littoral", ("waterway", "waterway", True, quarter))
        assert kept(SYSTEM, "D3-45", [waterway(SEA)], details=details) is state

    @pytest.mark.clause("D3-16")
    def test_both_of_a_pair(self) -> None:
        dunes = area("dunes-1", Kind.DUNES, 9, 1, 12, 3)
        details = told("littoral", ("waterway", "waterway", True, 1))
        assert kept(SYSTEM, "D3-16", [WOOD, MARSH], details=details)
        assert not kept(SYSTEM, "D3-16", [WOOD, dunes], details=details)


@pytest.mark.clause("D3-33")
def test_a_gentle_hill_may_lie_in_one_quarter_or_two_that_adjoin() -> None:
    hills = (hill("hill-1", 2, 2, 5, 5), hill("hill-1", 6, 2, 9, 5), hill("hill-1", 6, 6, 9, 9))
    assert [kept(SYSTEM, "D3-33", [each]) for each in hills] == [True, True, False]


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
    for step, state in ((0.0, True), (8.0, False)):
        moved = replace(face, line=affinity.translate(face.line, step))
        assert kept(SYSTEM, "D3-19", [replace(whole, faces=(moved,))]) is state


FACTS = {"defender": "B", "invader": "A", "defender_edge": "near", "invader_edge": "far"}
FACTS |= {"deploys_first": "B", "moves_first": "A"}


def deployed(clause: str, shape: Polygon | None = None, kind: str = "deployment", **changes: str) -> str:
    """Return how a clause is judged of the facts of a deployment, and of a zone of the defender."""
    found = record(SYSTEM, [waterway(SEA)] if clause == "D3-56" else [], details={"deployment": {**FACTS, **changes}})
    zones = () if shape is None else (Overlay(kind=kind, shape=scaled(shape), side="B"),)
    field = replace(found.battlefield, overlays=zones)
    return next(each.state for each in SYSTEM.judge(replace(found, battlefield=field)) if each.clause == clause)


@pytest.mark.clause("D3-55..D3-60")
def test_edges_and_zones() -> None:
    assert {
        deployed("D3-55"),
        deployed("D3-56", defender_edge="far", invader_edge="near"),
        deployed("D3-57", box(4, 0, 11, 4.5)),
        deployed("D3-59", box(2, 0, 13, 4.5), "flank"),
    } == {"kept"}
    assert {
        deployed("D3-55", invader_edge=Edge.LEFT.value),
        deployed("D3-56"),
        deployed("D3-57", box(4, 0, 11, 5)),
        deployed("D3-60", box(4, 0, 11, 7)),
        deployed("D3-58", box(3.9, 0, 11, 4.5)),
        deployed("D3-59", box(1.9, 0, 13, 4.5), "flank"),
    } == {"broken"}
