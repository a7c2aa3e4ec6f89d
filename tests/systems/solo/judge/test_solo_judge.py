"""The judge on fields drawn by hand, to the hundredth of an inch, and on the recorded places of their pieces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest
from shapely import LineString, Point, Polygon, affinity, box

from printkit.kit.registry import find
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Going, Hill, Kind
from printkit.terrain.field.record import Record

SYSTEM = find("solo-dba")
INCH = 25.4
BAD, GOOD, SPECIAL, IMPASSABLE = (
    Going(rank, name) for rank, name in ((2, "bad"), (0, "good"), (1, "special"), (3, "impassable"))
)

Points = tuple[tuple[float, float], ...]


def area(identity: str, kind: Kind, shape: Polygon, going: Going = BAD) -> Area:
    """Return a piece whose outline is given in inches."""
    return Area(id=identity, kind=kind, outline=affinity.scale(shape, INCH, INCH, origin=(0, 0)), going=going)


def woods(number: int, *bounds: float) -> Area:
    return area(f"woods-{number}", Kind.LIGHT_WOODS, box(*bounds))


def town(*bounds: float) -> Area:
    return area("bua", Kind.BUA, box(*bounds), SPECIAL)


def sea(*bounds: float) -> Area:
    return area("waterway", Kind.WATERWAY, box(*bounds), IMPASSABLE)


def course(identity: str, points: Points, width: float = 20.0) -> Course:
    kind = Kind.RIVER if identity == "river" else Kind.ROAD
    line = LineString([(x * INCH, y * INCH) for x, y in points])
    return Course(id=identity, kind=kind, line=line, width=width, going=SPECIAL if kind is Kind.RIVER else GOOD)


def verdict(clause: str, features: Iterable[Feature], results: Mapping[str, str] = {}, **settings: str) -> str:
    """Return the state of a clause; ``results`` are what the dice gave, by the ID of the piece."""
    field = Battlefield(board=SYSTEM.board(), features=tuple(features))
    pieces = [
        {"id": name, "terrain": "woods", "compulsory": False, "of": 2, "result": result}
        for name, result in results.items()
    ]
    details = {"terrain": {"pieces": pieces}} if pieces else {}
    record = Record(rules="solo-dba", battlefield=field, log=(), settings=settings, details=details)
    return next(found.state for found in SYSTEM.judge(record) if found.clause == clause)


def kept(clause: str, features: Iterable[Feature], results: Mapping[str, str] = {}, **settings: str) -> bool:
    state = verdict(clause, features, results, **settings)
    assert state != "not judged"
    return state == "kept"


WINDING: Points = ((0, 14), (3, 17.5), (6, 12.5), (9, 17.5), (12, 12.5), (15, 17.5), (18, 12.5), (21, 17.5), (24, 14))
WAVY: Points = ((0, 14), (6, 17.5), (12, 12.5), (18, 17.5), (24, 14))
FLAT: Points = ((0, 11), (24, 11))
ROAD_LINES = ("across-near", "across-middle", "across-far", "up-left", "up-centre", "up-right")


@pytest.mark.clause("ST-29", "ST-30", "ST-31", "ST-32", "ST-33", "SD-3.3.3-a..SD-3.3.3-d", "SD-3.3.3-r1..SD-3.3.3-r4")
@pytest.mark.clause("ST-37", "SD-3.3.5-b", "SD-3.3.5-c", "SD-3.3.5-r1..SD-3.3.5-r6")
@pytest.mark.parametrize(
    ("name", "points", "result", "right", "wrong"),
    [
        pytest.param("river", ((9, 0), (7, 8), (11, 16), (9, 24)), "up-left", "a b c d r3", "", id="a legal river"),
        pytest.param("river", ((9, 0), (13, 12), (9, 24)), "up-left", "", "d r3", id="it leaves its band"),
        pytest.param("river", ((8, 0), (5, 12), (8, 24)), None, "", "c", id="too near an edge"),
        pytest.param("river", WINDING, None, "", "b", id="too long"),
        pytest.param("river", WAVY, "across-far", "b c d r1", "", id="long, but not too long"),
        pytest.param("river", ((0, 14), (8, 15), (4, 17), (16, 16), (24, 14)), None, "b", "c", id="it turns back"),
        pytest.param("river", ((9, 0), (9, 12), (0, 14)), None, "", "a", id="to the edge beside"),
        pytest.param("river", ((9, 0), (9, 24)), "across-near", "", "r2", id="up, but the die is across"),
        pytest.param("river", ((9, 0), (9, 24)), "up-right", "", "r4", id="up, but the die is farther"),
        pytest.param("road-1", ((0, 11), (12, 10.5), (24, 11)), "across-middle", "c r2", "", id="two quarters"),
        pytest.param("road-1", ((0, 11), (12, 12.5), (24, 13)), None, "", "c", id="more quarters"),
        pytest.param("road-1", ((4, 0), (4.5, 12), (4, 24)), None, "b", "", id="fairly straight"),
        pytest.param("road-1", ((4, 0), (11, 8), (1, 16), (4, 24)), None, "", "b", id="winding"),
        pytest.param("road-1", ((4, 0), (0, 12)), None, "", "b", id="not to the opposite edge"),
        *(
            pytest.param("road-1", FLAT, line, "", f"r{number}", id=f"not {line}")
            for number, line in enumerate(ROAD_LINES, 1)
            if number != 2
        ),
    ],
)
def test_courses(name: str, points: Points, result: str | None, right: str, wrong: str) -> None:
    section = "SD-3.3.3" if name == "river" else "SD-3.3.5"
    results = {name: result} if result else {}
    found = {tail: kept(f"{section}-{tail}", [course(name, points)], results) for tail in f"{right} {wrong}".split()}
    assert found == dict.fromkeys(right.split(), True) | dict.fromkeys(wrong.split(), False)


@pytest.mark.clause("SD-3.3.3-a", "SD-3.3.3-c", "AMB-20")
def test_a_river_ends_at_the_shore_and_its_banks_do_not_count() -> None:
    shore = sea(0, 21.5, 24, 24)
    assert kept("SD-3.3.3-a", [shore, course("river", ((9, 0), (9, 21.5)))])
    assert not kept("SD-3.3.3-a", [shore, course("river", ((9, 0), (9, 20)))])
    for x, clear in ((6.2, True), (5.8, False)):
        assert kept("SD-3.3.3-c", [course("river", ((9, 0), (x, 12), (9, 24)))]) is clear


class TestAreas:
    @pytest.mark.clause("ST-35", "SD-3.3.4-b", "SD-3.3.4-r1", "SD-3.3.4-r4")
    @pytest.mark.parametrize(
        ("shape", "legal"),
        [
            (box(5, 1, 11, 5), True),
            (box(5.1, 1, 11.1, 5), False),
            (affinity.scale(Point(8, 4).buffer(1, quad_segs=64), 3, 2), True),
        ],
    )
    def test_half_of_a_piece_in_its_sector(self, shape: Polygon, legal: bool) -> None:
        piece = [area("woods-1", Kind.LIGHT_WOODS, shape)]
        results = {"woods-1": "left/near"}
        assert kept("SD-3.3.4-b", piece, results) is legal
        assert kept("SD-3.3.4-r1", piece, results) is legal
        assert kept("SD-3.3.4-r4", piece, results)

    @pytest.mark.clause("SD-3.3-b", "SD-3.3.4-b", "SD-3.3.4-r2", "SD-3.3.4-r3", "SD-3.3.4-r5", "SD-3.3.4-r6")
    def test_each_column_and_row_of_the_dice(self) -> None:
        piece = [woods(1, 1, 1, 5, 4)]
        for result, column, row in (
            ("centre/middle", "SD-3.3.4-r2", "SD-3.3.4-r5"),
            ("right/far", "SD-3.3.4-r3", "SD-3.3.4-r6"),
        ):
            assert not kept(column, piece, {"woods-1": result})
            assert not kept(row, piece, {"woods-1": result})
        assert kept("SD-3.3.4-b", piece, {"woods-1": "left/near"})

    @pytest.mark.clause("ST-36", "SD-3.3.4-c", "AMB-18")
    def test_the_only_bad_going_lies_across_two_quarters(self) -> None:
        assert kept("SD-3.3.4-c", [woods(1, 9, 2, 15, 6)])
        one = woods(1, 8.2, 2, 11.9, 6)
        assert not kept("SD-3.3.4-c", [one])
        assert kept("SD-3.3.4-c", [one, woods(2, 1, 14, 4, 17)])
        river = course("river", ((15, 0), (15, 24)))
        assert not kept("SD-3.3.4-c", [one, river])

    @pytest.mark.clause("ST-26", "ST-27", "SD-3.3.1-r1..SD-3.3.1-r4", "SD-3.3.2-a", "SD-3.3.2-r1..SD-3.3.2-r4")
    def test_a_town_in_its_corner_and_a_waterway_along_its_edge(self) -> None:
        assert kept("SD-3.3.2-a", [town(18, 0, 23, 4)])
        assert kept("SD-3.3.2-a", [town(15, 0, 19.5, 8.9)])
        assert not kept("SD-3.3.2-a", [town(14, 0, 18, 4)])
        for number, corner in enumerate(("near-right", "near-left", "far-right", "far-left"), 1):
            assert kept(f"SD-3.3.2-r{number}", [town(18, 0, 23, 4)], {"bua": corner}) is (number == 1)
        for number, edge in enumerate(("right", "left", "far", "near"), 1):
            assert kept(f"SD-3.3.1-r{number}", [sea(0, 0, 2, 24)], {"waterway": edge}) is (number == 2)


WOODS = woods(1, 2, 2, 7, 6)
LEGAL: tuple[Feature, ...] = (WOODS, woods(2, 15, 2, 20, 6), area("rough-1", Kind.ROUGH_GROUND, box(2, 15, 8, 18)))
BARE: tuple[Feature, ...] = (town(18, 0, 22, 4), course("road-1", ((9, 0), (9, 24))))
KNOLL = Hill(id="gentle-hill-1", kind=Kind.HILL, contours=(box(330, 380, 430, 460),), going=GOOD)


class TestWholeField:
    @pytest.mark.clause("SD-3.3-b")
    @pytest.mark.parametrize(
        "features",
        [
            pytest.param(LEGAL[:2], id="two quarters"),
            pytest.param((WOODS, *BARE), id="bad going in one quarter"),
            pytest.param((*LEGAL, woods(3, 8, 3, 11, 5)), id="a gap under a base width"),
            pytest.param((*LEGAL, area("marsh-1", Kind.MARSH, box(12, 15, 20, 22))), id="too large"),
            pytest.param((*LEGAL, woods(3, 15, 15, 16, 17)), id="too narrow"),
            pytest.param((*LEGAL, woods(3, 13, 15, 18, 17)), id="too slender"),
            pytest.param((*LEGAL, woods(3, 22, 15, 26, 18)), id="off the board"),
            pytest.param((*LEGAL, sea(0, 21, 12, 24)), id="half a waterway"),
            pytest.param((*LEGAL, sea(0, 19.9, 24, 24)), id="too deep"),
            pytest.param((*LEGAL, KNOLL, course("river", ((15, 0), (15, 24)))), id="a river over a hill"),
        ],
    )
    def test_a_field_that_the_rule_book_does_not_allow(self, features: tuple[Feature, ...]) -> None:
        assert not kept("SD-3.3-b", features)

    @pytest.mark.clause("SD-3.3-b")
    def test_a_legal_field_in_which_marsh_and_rough_may_be_slender(self) -> None:
        assert kept("SD-3.3-b", LEGAL)
        assert kept("SD-3.3-b", (*LEGAL, area("marsh-1", Kind.MARSH, box(13, 15, 18, 17))))

    @pytest.mark.clause("AMB-12", "SD-3.2.3-a", "SD-3.2.3-c", "AMB-14", "SD-3-a")
    def test_caps_cover_and_what_is_no_terrain_of_dba(self) -> None:
        assert kept("AMB-12", LEGAL)
        assert not kept("AMB-12", (*LEGAL, woods(3, 15, 15, 18, 18)))
        assert not kept("SD-3.2.3-c", BARE)
        assert kept("SD-3.2.3-c", LEGAL)
        assert not kept("AMB-14", BARE)
        assert not kept("SD-3-a", (*LEGAL, area("orchard", Kind.ORCHARD, box(15, 15, 18, 18))))

    @pytest.mark.clause("SD-3.3-b", "AMB-14")
    def test_a_built_up_area_is_no_cover(self) -> None:
        assert not kept("SD-3.3-b", (*BARE, area("gentle-hill-1", Kind.HILL, box(2, 15, 6, 18))))


class TestRoads:
    @pytest.mark.clause("ST-38", "SD-3.3.5-a", "AMB-21")
    def test_a_road_touches_the_town(self) -> None:
        towns = town(0, 0, 4, 5)
        assert kept("SD-3.3.5-a", [towns, course("road-1", ((4, 0), (4.5, 12), (4, 24)))])
        assert not kept("SD-3.3.5-a", [towns, course("road-1", ((0, 20), (24, 20)))])
        assert kept("SD-3.3.5-a", [towns])

    @pytest.mark.clause("ST-39", "AMB-23", "SD-3.3.5-r2")
    def test_two_roads_in_one_row(self) -> None:
        roads = [course("road-1", ((0, 9), (24, 9))), course("road-2", FLAT)]
        assert not kept("AMB-23", roads, {"road-1": "across-middle/low", "road-2": "across-middle/high"})
        assert kept("AMB-23", roads, {"road-1": "across-middle/low", "road-2": "across-near"})

    @pytest.mark.clause("ST-40", "SD-3.3.5-d")
    def test_ford_or_bridge(self) -> None:
        ways = (course("river", ((9, 0), (9, 24))), course("road-1", ((0, 4), (24, 4))))

        def crossing(kind: Kind, x: float = 9) -> Crossing:
            at = Point(x * INCH, 4 * INCH)
            return Crossing(id="crossing-1", kind=kind, at=at, bearing=0, route="road-1", water="river", going=GOOD)

        assert kept("SD-3.3.5-d", (*ways, crossing(Kind.FORD)))
        assert not kept("SD-3.3.5-d", (*ways, crossing(Kind.BRIDGE)))
        assert kept("SD-3.3.5-d", (*ways, crossing(Kind.BRIDGE)), bridge_model="true")
        assert not kept("SD-3.3.5-d", ways)
        assert not kept("SD-3.3.5-d", (*ways, crossing(Kind.FORD, 12)))
        assert kept("SD-3.3.5-d", (*ways, crossing(Kind.FORD, 9 + 1.9 / INCH)))
        assert not kept("SD-3.3.5-d", (*ways, crossing(Kind.FORD, 9 + 2.1 / INCH)))


def test_where_dice_put_a_piece_is_not_judged_if_the_record_does_not_say_it() -> None:
    for clause in ("SD-3.3.4-b", "SD-3.3.4-r1", "SD-3.2.3-d"):
        assert verdict(clause, LEGAL) == "not judged"
